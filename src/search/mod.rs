//! L5: the search of one thread: iterative deepening, principal variation search, quiescence by
//! fours. Reads the board, the evaluation and the shared table; reports through a [`Reporter`];
//! never prints and never looks at a protocol.
//!
//! Proven scores: a win is announced only from reply sets and from nodes all of whose replies
//! were searched. A node that is not under threat searches only points near stones, so when all
//! of them lose its score is capped at [`UNPROVEN_LOSS`], which is bad but not proven.

mod fours;
mod history;
mod moves;
mod params;
mod picker;
mod proof;
mod pvs;
mod report;
mod root;
mod selective;
#[cfg(test)]
mod tests;
mod timing;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

pub use report::{Line, Reporter, RootMoveState, Silent};
pub use root::{Outcome, Question};

use crate::board::Board;
use crate::eval::Evaluator;
use crate::tt::Table;
use crate::types::{Point, Score, score};
use history::History;
use params::{CLOCK_NODES, MAX_PLY};
pub use params::{Param, Params};

/// The worst score that is not a proven loss.
pub const UNPROVEN_LOSS: Score = -score::WIN_BOUND + 1;

/// Nodes of one thread, published now and then. Apart from what the others write: processors fetch
/// cache lines in pairs.
#[derive(Default)]
#[repr(align(128))]
struct Published(AtomicU64);

/// What a search may use; no limit where there is none.
#[derive(Clone, Copy, Default, Debug)]
pub struct Allowance {
    /// Time that the search of a usual position should take, if a clock is to be shared with
    /// later moves.
    pub soft: Option<Duration>,
    /// Time at which it must end.
    pub hard: Option<Duration>,
    /// Nodes over all threads.
    pub nodes: Option<u64>,
    /// Plies of the deepest iteration, whatever the question asks for.
    pub depth: Option<i32>,
}

/// What all threads of a search share.
pub struct Shared {
    /// The transposition table.
    pub table: Table,
    /// Set from outside to end the search; every thread looks at each node.
    pub stop: AtomicBool,
    /// Set from inside when a limit is reached or the first thread has its answer.
    pub halt: AtomicBool,
    /// Nodes of each thread.
    nodes: Vec<Published>,
    /// Microseconds after `start` at which the search must end; `u64::MAX` for never.
    hard: AtomicU64,
    /// Microseconds that the search of a usual position should take; `u64::MAX` when there is
    /// no clock to be shared with later moves.
    soft: AtomicU64,
    /// Node limit over all threads; `u64::MAX` for none.
    node_limit: AtomicU64,
    /// No iteration goes deeper than this, whatever the question asked for.
    depth_limit: AtomicI32,
}

impl Shared {
    /// For up to `threads` threads, with a table that can grow to `table_bytes`.
    pub fn new(threads: usize, table_bytes: u64) -> Shared {
        Shared {
            table: Table::growing(table_bytes),
            stop: AtomicBool::new(false),
            halt: AtomicBool::new(false),
            nodes: (0..threads.max(1)).map(|_| Published::default()).collect(),
            hard: AtomicU64::new(u64::MAX),
            soft: AtomicU64::new(u64::MAX),
            node_limit: AtomicU64::new(u64::MAX),
            depth_limit: AtomicI32::new(i32::MAX),
        }
    }

    /// Number of threads this was made for.
    pub fn threads(&self) -> usize {
        self.nodes.len()
    }

    /// Sets what the search that is about to start or running may use, all of it counted from its
    /// start. A running one that has used more already ends.
    pub fn set_allowance(&self, allowance: Allowance) {
        let micros = |time: Option<Duration>| {
            time.map_or(u64::MAX, |time| {
                u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
            })
        };
        self.soft.store(micros(allowance.soft), Relaxed);
        self.hard.store(micros(allowance.hard), Relaxed);
        self.set_node_limit(allowance.nodes.unwrap_or(u64::MAX));
        let depth = allowance.depth.unwrap_or(i32::MAX);
        self.depth_limit.store(depth, Relaxed);
    }

    fn soft(&self) -> Option<Duration> {
        duration(self.soft.load(Relaxed))
    }

    fn hard(&self) -> Option<Duration> {
        duration(self.hard.load(Relaxed))
    }

    /// Prepares for a new search. What was asked of the search as a whole, to stop above all,
    /// stands: one answer may take several searches.
    pub fn begin(&self) {
        self.table.new_search();
        self.proceed();
    }

    /// Prepares for another search of the same kind as the last: what the table holds is as good
    /// as new.
    pub fn proceed(&self) {
        self.halt.store(false, Relaxed);
        for nodes in &self.nodes {
            nodes.0.store(0, Relaxed);
        }
    }

    /// Changes the node limit alone.
    pub fn set_node_limit(&self, nodes: u64) {
        self.node_limit.store(nodes, Relaxed);
    }

    /// Nodes of all threads, as last published.
    pub fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.0.load(Relaxed)).sum()
    }
}

/// A time kept as microseconds.
fn duration(micros: u64) -> Option<Duration> {
    (micros < u64::MAX).then(|| Duration::from_micros(micros))
}

/// The search of one thread.
pub struct Worker {
    shared: Arc<Shared>,
    /// 0 for the thread that watches the clock and reports.
    id: usize,
    board: Board,
    history: History,
    params: Params,
    /// Numbers that replace those of the rule.
    tuned: Option<Params>,
    /// When the turn began.
    start: Instant,
    nodes: u64,
    seldepth: usize,
    stopped: bool,
    /// Node count at which the search by fours gives up; `u64::MAX` for never.
    fours_limit: u64,
    /// Node count at which the completion of a proven line gives up.
    line_limit: u64,
    /// Node count up to which a stopped search may go on to finish a proven line.
    grace: Option<u64>,
    /// Does somebody wait while it does so?
    hurried: bool,
    /// Empty points at which the game is drawn; see [`threats::assess`].
    draw_margin: i32,
    /// Best line found below each ply.
    pv: Vec<Vec<Point>>,
    evaluator: Evaluator,
    /// Static evaluations by ply.
    evals: Vec<Score>,
    /// The move left out at a ply while the others are compared with it.
    excluded: Vec<Point>,
    /// Depth of the iteration.
    root_depth: i32,
}

impl Worker {
    /// A worker for `board`.
    pub fn new(shared: Arc<Shared>, id: usize, board: Board) -> Worker {
        Worker {
            shared,
            id,
            board,
            history: History::new(),
            params: Params::DEFAULT,
            tuned: None,
            start: Instant::now(),
            nodes: 0,
            seldepth: 0,
            stopped: false,
            fours_limit: u64::MAX,
            line_limit: u64::MAX,
            grace: None,
            hurried: false,
            draw_margin: 0,
            pv: vec![Vec::new(); MAX_PLY + 2],
            evaluator: Evaluator::default(),
            evals: vec![0; MAX_PLY + 2],
            excluded: vec![Point::NONE; MAX_PLY + 2],
            root_depth: 0,
        }
    }

    /// Searches with these numbers from the next position on, whatever the rule's own are.
    pub fn set_params(&mut self, params: Params) {
        self.tuned = Some(params);
    }

    /// Nodes searched by this worker in the current search.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Makes a move of the search: one node. Looks at the clock now and then.
    #[inline]
    fn make(&mut self, point: Point) {
        self.shared.table.prefetch(self.board.key_after(point));
        self.board.make(point);
        self.nodes += 1;
        if self.nodes.is_multiple_of(CLOCK_NODES) {
            self.check_limits();
        }
    }

    /// Must the search end now?
    #[inline]
    fn must_stop(&mut self) -> bool {
        if let Some(limit) = self.grace {
            self.stopped = self.nodes >= limit;
        } else if !self.stopped {
            let limit = self.shared.node_limit.load(Relaxed);
            self.stopped = self.shared.stop.load(Relaxed)
                || self.shared.halt.load(Relaxed)
                || self.nodes >= limit && self.shared.threads() == 1;
        }
        self.stopped
    }

    #[cold]
    fn check_limits(&mut self) {
        self.shared.nodes[self.id].0.store(self.nodes, Relaxed);
        if self.id != 0 {
            return;
        }
        let elapsed = self.start.elapsed().as_micros() as u64;
        let over_time = elapsed >= self.shared.hard.load(Relaxed);
        let over_nodes = self.shared.total_nodes() >= self.shared.node_limit.load(Relaxed);
        // The first iteration gives the answer its move.
        let too_deep = self.root_depth > self.shared.depth_limit.load(Relaxed).max(1);
        if over_time || over_nodes || too_deep {
            self.shared.halt.store(true, Relaxed);
        }
    }
}
