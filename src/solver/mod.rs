//! L4: proofs. What can be said about a position for certain, by argument or by exhausting it.
//!
//! A [`Solver`] answers whether the side to move wins: by fours alone, by fours and threats of
//! them, or at all. Its answers are proofs, a win with its tree and a denial by exhaustion; what
//! the limits did not let it decide it calls unknown.

mod budget;
#[cfg(test)]
mod case_tests;
mod check;
mod fours;
mod graph;
mod table;
#[cfg(test)]
mod tests;
pub mod threats;
mod threes;
mod tree;

pub use budget::Limits;
pub use check::Checker;
pub use tree::Step;

use budget::Budget;
use fours::Found;
use graph::Graph;
use table::Table;
use threes::Breadth;

use crate::board::Board;
use crate::rules::Profile;
use crate::types::{Color, Point};

/// What the attacker may play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Fours only.
    Fours,
    /// Fours, and quiet moves that threaten to win by fours.
    Threes,
    /// Anything.
    Full,
}

impl Kind {
    const ALL: [Kind; 3] = [Kind::Fours, Kind::Threes, Kind::Full];

    /// The moves of the attacker, in words.
    pub const fn means(self) -> &'static str {
        match self {
            Kind::Fours => "fours",
            Kind::Threes => "fours and threats of fours",
            Kind::Full => "any moves",
        }
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Kind::Fours => "fours",
            Kind::Threes => "threes",
            Kind::Full => "full",
        })
    }
}

impl std::str::FromStr for Kind {
    type Err = String;

    fn from_str(text: &str) -> Result<Kind, String> {
        let kind = Kind::ALL.into_iter().find(|kind| kind.to_string() == text);
        kind.ok_or_else(|| format!("unknown kind '{text}': use fours, threes or full"))
    }
}

/// What was proven of the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It wins, beginning with this move.
    Win(Step),
    /// It has no win of that kind.
    NoWin,
    /// The limits ended the work.
    Unknown,
}

/// Settings of a solver.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Customs of play: what draws a game.
    pub profile: Profile,
    /// Bytes of its tables.
    pub memory: usize,
    /// Insist on the shortest win, not just on one.
    pub shortest: bool,
}

/// A solver of one position.
pub struct Solver {
    board: Board,
    settings: Settings,
    draw_margin: i32,
    budget: Budget,
    fours_table: Table,
    /// Moves being tried on the way to the present node, each node's after its parent's.
    moves: Vec<(i32, Point)>,
    /// The side whose win the graph is about.
    attacker: Color,
    breadth: Breadth,
    /// Stones on the board where the graph begins.
    root_stones: usize,
    /// Has nothing been left out so far that could win?
    is_exhaustive: bool,
    graph: Graph,
}

impl Solver {
    /// A solver of the position on `board`, for the side to move.
    pub fn new(board: Board, settings: Settings) -> Solver {
        let profile = settings.profile;
        Solver {
            attacker: board.side(),
            draw_margin: profile.draw_margin(board.spec(), board.empty_points()) as i32,
            board,
            settings,
            budget: Budget::default(),
            fours_table: Table::new(settings.memory / 2),
            moves: Vec::new(),
            breadth: Breadth::Shapes,
            root_stones: 0,
            is_exhaustive: true,
            graph: Graph::default(),
        }
    }

    /// Nodes of the last [`Solver::solve`].
    pub fn nodes(&self) -> u64 {
        self.budget.nodes
    }

    /// Decides whether the side to move has a win of that kind.
    pub fn solve(&mut self, kind: Kind, limits: &Limits) -> Verdict {
        self.budget = Budget::new(limits);
        match kind {
            Kind::Fours => self.solve_fours(),
            Kind::Threes => match self.prove(Breadth::Shapes) {
                Verdict::Unknown if !self.budget.is_over() => self.prove(Breadth::Threats),
                verdict => verdict,
            },
            Kind::Full => self.prove(Breadth::All),
        }
    }

    fn solve_fours(&mut self) -> Verdict {
        match self.fours(self.settings.shortest) {
            Found::Win(fours, _) => match self.fours_tree(fours) {
                Some(step) => Verdict::Win(step),
                None => Verdict::Unknown,
            },
            Found::Fail(true) => Verdict::NoWin,
            Found::Fail(false) | Found::Cut => Verdict::Unknown,
        }
    }
}
