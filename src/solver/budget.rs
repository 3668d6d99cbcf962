//! What a proof may cost: nodes, time, and a flag that ends it from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Nodes between two looks at the clock and the flag; below a millisecond.
const CLOCK_NODES: u64 = 512;

/// Limits of one [`Solver::solve`](super::Solver::solve).
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Most nodes: positions in which the attacker is to move.
    pub nodes: Option<u64>,
    /// Most time.
    pub time: Option<Duration>,
    /// Ends the work when set.
    pub stop: Option<Arc<AtomicBool>>,
}

/// The limits of a proof under way and what it has cost so far.
#[derive(Debug, Default)]
pub(super) struct Budget {
    pub nodes: u64,
    /// Where the whole proof, or the side question being asked, ends.
    ceiling: u64,
    limit: u64,
    deadline: Option<Instant>,
    stop: Option<Arc<AtomicBool>>,
    stopped: bool,
}

impl Budget {
    pub fn new(limits: &Limits) -> Budget {
        let limit = limits.nodes.unwrap_or(u64::MAX);
        Budget {
            nodes: 0,
            ceiling: limit,
            limit,
            deadline: limits
                .time
                .and_then(|time| Instant::now().checked_add(time)),
            stop: limits.stop.clone(),
            stopped: false,
        }
    }

    /// Counts a node. False when it is one too many.
    #[inline]
    pub fn spend(&mut self) -> bool {
        if self.stopped || self.nodes >= self.ceiling {
            return false;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(CLOCK_NODES) {
            let late = self.deadline.is_some_and(|end| Instant::now() >= end);
            let told = self
                .stop
                .as_ref()
                .is_some_and(|stop| stop.load(Ordering::Relaxed));
            self.stopped = late || told;
        }
        !self.stopped
    }

    /// Is the whole proof over, not only a side question?
    pub fn is_over(&self) -> bool {
        self.stopped || self.nodes >= self.limit
    }

    /// Lets the next question cost at most `nodes`; returns what [`Budget::restore`] needs.
    pub fn restrict(&mut self, nodes: u64) -> u64 {
        let before = self.ceiling;
        self.ceiling = before.min(self.nodes.saturating_add(nodes));
        before
    }

    /// Lets a proof that has been found be written down, whatever it has cost.
    pub fn extend(&mut self, nodes: u64) {
        self.limit = self.nodes.saturating_add(nodes);
        self.ceiling = self.limit;
        self.deadline = None;
        self.stopped = false;
    }

    pub fn restore(&mut self, ceiling: u64) {
        self.ceiling = ceiling;
    }
}
