//! Guesses why a game was lost, from how it turned and from the winning line that was overlooked.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::lost::LostGame;
use super::trace::{Searched, Trace, Turn};
use crate::board::Board;
use crate::pattern::{CellClass, RuleTables};
use crate::tools::matches::record::Reason;
use crate::types::{Point, Position, Score, score};

/// The weakest kind of move that the winner of a line needs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Means {
    /// Fours alone.
    Fours,
    /// Threes and fours.
    Threes,
    /// Quiet moves too.
    QuietMoves,
    /// Not known: all replies that were looked at lose, which is no proof, and the line does not
    /// go to the end.
    Unproven,
}

/// Why a game was lost.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// It had a win and let it go.
    OwnWin(Means),
    /// It allowed a win.
    OpponentWin(Means),
    /// One move cost much, though it allowed no win that was seen.
    SuddenDrop,
    /// No single move cost much.
    SlowDrift,
    /// The opening was lost already.
    Opening,
    /// It played a forbidden move in a position that was not lost.
    ForbiddenMove,
    /// It failed as a program: time, crash, garbage, an illegal move.
    Failure,
    /// There was no move to look at.
    Unknown,
}

impl std::fmt::Display for Cause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let means = |means: &Means| match means {
            Means::Fours => "by fours",
            Means::Threes => "by threes and fours",
            Means::QuietMoves => "with quiet moves",
            Means::Unproven => "that is not proven",
        };
        match self {
            Cause::OwnWin(by) => write!(f, "missed own win {}", means(by)),
            Cause::OpponentWin(by) => write!(f, "missed opponent's win {}", means(by)),
            Cause::SuddenDrop => f.write_str("sudden drop without a win: evaluation"),
            Cause::SlowDrift => f.write_str("slow drift: evaluation"),
            Cause::Opening => f.write_str("lost in the opening"),
            Cause::ForbiddenMove => f.write_str("forbidden move"),
            Cause::Failure => f.write_str("failure of the program"),
            Cause::Unknown => f.write_str("no move of its own"),
        }
    }
}

impl Cause {
    /// The cause that needs no search, if there is one.
    pub fn without_search(game: &LostGame) -> Option<Cause> {
        let reason = game.record.reason;
        (reason.is_failure() || reason == Reason::Illegal).then_some(Cause::Failure)
    }

    /// The cause that a searched game suggests.
    pub fn of(game: &LostGame, trace: &Trace, tables: &Arc<RuleTables>) -> Cause {
        match trace.turn {
            Turn::Sudden(index) => of_move(game, &trace.searched[index], tables),
            Turn::Slow(_) => Cause::SlowDrift,
            Turn::BeforePlay(_) => Cause::Opening,
            Turn::Unknown => Cause::Unknown,
        }
    }
}

/// Why that move lost the game.
fn of_move(game: &LostGame, mv: &Searched, tables: &Arc<RuleTables>) -> Cause {
    let ended = mv.stones + 1 == game.stones.len();
    if ended && game.record.reason == Reason::Forbidden {
        return Cause::ForbiddenMove;
    }
    let by_what = |score, position: &Position, line: &[Point]| match score::is_win(score) {
        true => means(tables, position, line),
        false => Means::Unproven,
    };
    if is_decisive(mv.before.score) {
        let position = game.position(mv.stones);
        return Cause::OwnWin(by_what(mv.before.score, &position, &mv.before.line));
    }
    match &mv.after {
        Some(after) if is_decisive(-after.score) => {
            let position = game.position(mv.stones + 1);
            Cause::OpponentWin(by_what(-after.score, &position, &after.line))
        }
        _ => Cause::SuddenDrop,
    }
}

/// Does a search call this a win? Besides proven ones there are those with a reply it did not
/// look at; they lie beyond all evaluations.
pub fn is_decisive(score: Score) -> bool {
    score >= score::EVAL_LIMIT
}

/// What the side to move needs for the win that `line` shows. Answers to a four do not count as
/// moves of the attack.
pub fn means(tables: &Arc<RuleTables>, position: &Position, line: &[Point]) -> Means {
    let mut board = Board::from_position(Arc::clone(tables), position);
    let winner = position.to_move;
    let mut weakest = Means::Fours;
    if line.is_empty() {
        return Means::QuietMoves;
    }
    for &point in line {
        if !board.is_empty(point) {
            break;
        }
        let attacks = board.side() == winner;
        let class = board.class(point, winner);
        if attacks && class == CellClass::Five {
            break;
        }
        let is_forced = board.count_of(winner.opponent(), CellClass::Five) > 0;
        board.make(point);
        let is_four = board.count_of(winner, CellClass::Five) > 0;
        if attacks && !is_forced && !is_four {
            let is_three = matches!(class, CellClass::OpenThree | CellClass::DoubleThree);
            weakest = weakest.max(if is_three {
                Means::Threes
            } else {
                Means::QuietMoves
            });
        }
    }
    weakest
}
