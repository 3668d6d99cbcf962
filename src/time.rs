//! L4: what the outside allows a search to use.

use std::time::{Duration, Instant};

/// Limits of one search. A missing limit does not bind; all present ones do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// When the turn began: the arrival of the command that asks for a move.
    pub start: Instant,
    /// Time for this move. Zero means "answer at once".
    pub turn: Option<Duration>,
    /// Time left for the rest of the game. Zero means "answer at once".
    pub clock: Option<Duration>,
    /// Time added to the clock after each move.
    pub increment: Duration,
    /// Deepest iteration, in plies.
    pub depth: Option<u32>,
    /// Nodes, summed over all threads.
    pub nodes: Option<u64>,
}

impl Limits {
    /// No limit at all, starting now: search until stopped.
    pub fn unlimited() -> Limits {
        Limits {
            start: Instant::now(),
            turn: None,
            clock: None,
            increment: Duration::ZERO,
            depth: None,
            nodes: None,
        }
    }
}
