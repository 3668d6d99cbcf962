//! Where a lost game turned: the search for the move, from the end of the game backwards.
//!
//! Backwards, because late positions are decided soon, what they taught the table helps with
//! those before, and what lies before the turn need not be searched at all.

use super::lost::LostGame;
use crate::eval;
use crate::types::score::{self, Score};
use crate::types::{Point, Position};

/// What a search says of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opinion {
    /// For the side under blame, whoever is to move.
    pub score: Score,
    /// The best line; may be empty.
    pub line: Vec<Point>,
}

impl Opinion {
    /// Chance to win of the side under blame, 0 to 1.
    pub fn win_rate(&self) -> f64 {
        eval::win_rate(self.score)
    }
}

/// Win rates, 0 to 1, that decide where a game turned.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Levels {
    /// A position below this is lost.
    pub lost: f64,
    /// A move that costs at least this turns the game.
    pub drop: f64,
}

/// From here on backwards nobody can be blamed for a loss: the position was level.
const LEVEL: f64 = 0.5;

/// A searched move of the side under blame.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Searched {
    /// Stones on the board before it.
    pub stones: usize,
    /// What it was.
    pub played: Point,
    /// The position before it.
    pub before: Opinion,
    /// The position after it; not searched when the one before is lost.
    pub after: Option<Opinion>,
}

impl Searched {
    /// The win rate the move cost; 0 when nobody looked.
    pub fn drop(&self) -> f64 {
        let after = self.after.as_ref();
        after.map_or(0.0, |after| self.before.win_rate() - after.win_rate())
    }
}

/// How a game turned; numbers are indices of [`Trace::searched`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// With one move.
    Sudden(usize),
    /// Little by little; this move cost most.
    Slow(usize),
    /// It was lost before the first own move, which is this one.
    BeforePlay(usize),
    /// There was no own move to search.
    Unknown,
}

/// A searched game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// The moves searched, the last of the game first.
    pub searched: Vec<Searched>,
    /// The one to blame.
    pub turn: Turn,
}

/// Searches a game until it is clear where it turned. `judge` gives its opinion of a position
/// for the side to move, or nothing when it was told to stop, and then so does this.
///
/// # Errors
/// Those of `judge`.
pub fn trace(
    game: &LostGame,
    levels: Levels,
    judge: &mut dyn FnMut(&Position) -> Result<Option<Opinion>, String>,
) -> Result<Option<Trace>, String> {
    let mut searched: Vec<Searched> = Vec::new();
    for stones in game.own_moves().rev() {
        let Some(before) = judge(&game.position(stones))? else {
            return Ok(None);
        };
        let rate = before.win_rate();
        let after = match rate < levels.lost {
            true => None,
            false => match game.opinion_after(stones, judge)? {
                Some(after) => Some(after),
                None => return Ok(None),
            },
        };
        searched.push(Searched {
            stones,
            played: game.stones[stones],
            before,
            after,
        });
        let index = searched.len() - 1;
        if searched[index].drop() >= levels.drop {
            let turn = Turn::Sudden(index);
            return Ok(Some(Trace { searched, turn }));
        }
        if rate >= LEVEL {
            break;
        }
    }
    let turn = gradual(&searched);
    Ok(Some(Trace { searched, turn }))
}

/// The turn of a game without a sudden one.
fn gradual(searched: &[Searched]) -> Turn {
    let known = searched
        .iter()
        .enumerate()
        .filter(|(_, s)| s.after.is_some());
    let most = known.max_by(|(_, a), (_, b)| a.drop().total_cmp(&b.drop()));
    match (most, searched.len()) {
        (Some((index, _)), _) => Turn::Slow(index),
        (None, 0) => Turn::Unknown,
        (None, count) => Turn::BeforePlay(count - 1),
    }
}

impl LostGame {
    /// The opinion of the position after the stone with that index, for the side under blame.
    fn opinion_after(
        &self,
        index: usize,
        judge: &mut dyn FnMut(&Position) -> Result<Option<Opinion>, String>,
    ) -> Result<Option<Opinion>, String> {
        if index + 1 == self.stones.len() {
            // The game ended with it, and was lost.
            let line = Vec::new();
            return Ok(Some(Opinion {
                score: score::loss_in(0),
                line,
            }));
        }
        let opinion = judge(&self.position(index + 1))?;
        Ok(opinion.map(|opinion| Opinion {
            score: -opinion.score,
            line: opinion.line,
        }))
    }
}
