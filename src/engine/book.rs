//! Moves out of a book, asked for before a search.

use std::path::PathBuf;
use std::time::Duration;

use super::{Engine, NODE_TIME};
use crate::book::Fault;
use crate::eval;
use crate::rules::RuleSpec;
use crate::time::{Budget, Limits};
use crate::types::{Point, Position};

/// How books are used.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BookUse {
    /// A folder to look for files in, before that of the program.
    pub folder: Option<PathBuf>,
    /// What a move may give away against the best, in percent of win rate.
    pub variety: u8,
    /// Decides between such moves. Without one every search decides anew.
    pub seed: Option<u64>,
}

/// A move out of a book.
#[derive(Clone, PartialEq, Debug)]
pub struct BookMove {
    /// Where: an empty point that is not forbidden.
    pub point: Point,
    /// The name of the book.
    pub book: String,
    /// Chance to win that the book gives the side to move, 0 to 1.
    pub win_rate: f64,
    /// Stones on the board that the book's search of the position looked ahead.
    pub depth: u32,
}

/// However long a search might take, a book that has spent so many nodes on a position is asked:
/// some 16 seconds of one thread.
const ENOUGH_NODES: u64 = 1 << 24;

impl Engine {
    /// The move of a book, when one knows the position and has spent at least as many nodes on
    /// it as a search with these limits could. Never for searches that are bound by depth or
    /// nodes, or not at all: those are asked for what the search says. Forgets nothing and never
    /// takes long. Only while no search runs.
    pub fn book_move(
        &mut self,
        rule: &'static RuleSpec,
        position: &Position,
        limits: &Limits,
        wish: &BookUse,
    ) -> Option<BookMove> {
        let nodes = nodes_within(limits, position.stones().len(), self.settings.threads)?;
        let folder = wish.folder.as_deref();
        let (book, found) = self.library.lookup(rule, position, folder, nodes)?;
        let seed = wish.seed.unwrap_or(self.seed);
        let point = found.choose(wish.variety, (wish.variety > 0).then_some(seed))?;
        Some(BookMove {
            point,
            book: book.name.clone(),
            win_rate: eval::win_rate(found.score()),
            depth: found.entry.depth.into(),
        })
    }

    /// Which of the files of books opened since the last call cannot be used.
    pub fn take_book_faults(&mut self) -> Vec<Fault> {
        self.library.take_faults()
    }
}

/// Nodes that a search with these limits would get to in its time, at most; none when something
/// other than time ends it.
fn nodes_within(limits: &Limits, stones: usize, threads: usize) -> Option<u64> {
    if limits.depth.is_some() || limits.nodes.is_some() {
        return None;
    }
    let time = match limits.budget(stones) {
        Budget::Unlimited => return None,
        Budget::Instant => Duration::ZERO,
        Budget::Timed { soft, hard } => soft.map_or(hard, |soft| soft.min(hard)),
    };
    let nodes = time.as_nanos() / NODE_TIME.as_nanos() * threads as u128;
    Some(u64::try_from(nodes).unwrap_or(u64::MAX).min(ENOUGH_NODES))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_search_could_do_is_asked_of_a_book() {
        let nodes = |turn: Option<u64>, clock: Option<u64>, threads| {
            let limits = Limits {
                turn: turn.map(Duration::from_millis),
                clock: clock.map(Duration::from_millis),
                ..Limits::unlimited()
            };
            nodes_within(&limits, 2, threads)
        };
        assert_eq!(nodes(None, None, 1), None, "until stopped");
        assert_eq!(nodes(Some(0), None, 1), Some(0));
        let second = nodes(Some(1000), None, 1);
        assert!(
            (900_000..1_000_000).contains(&second.unwrap_or(0)),
            "{second:?}"
        );
        assert_eq!(nodes(Some(1000), None, 2), second.map(|nodes| 2 * nodes));
        assert_eq!(nodes(Some(60_000), None, 4), Some(ENOUGH_NODES));
        let clock = nodes(Some(60_000), Some(10_000), 1);
        assert!(
            (500_000..2_000_000).contains(&clock.unwrap_or(0)),
            "{clock:?}"
        );
        for (depth, most) in [(Some(9), None), (None, Some(5000))] {
            let limits = Limits {
                turn: Some(Duration::from_secs(1)),
                depth,
                nodes: most,
                ..Limits::unlimited()
            };
            assert_eq!(nodes_within(&limits, 2, 1), None);
        }
    }
}
