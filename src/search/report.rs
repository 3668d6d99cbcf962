//! What a search tells the outside while it runs. The search never prints.

use std::time::Duration;

use crate::types::{Point, Score};

/// What happened to a root move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RootMoveState {
    /// Its search begins.
    Started,
    /// Its search ended.
    Finished,
    /// It is the best so far.
    Best,
    /// It loses, proven.
    Lost,
}

/// One line of analysis.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// 0 for the best line.
    pub index: usize,
    /// Number of lines asked for that exist in this position.
    pub count: usize,
    /// Completed depth in plies.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// Score for the side to move at the root.
    pub score: Score,
    /// Chance to win, 0 to 1, for the side to move at the root.
    pub win_rate: f64,
    /// Nodes spent on this line.
    pub nodes: u64,
    /// Nodes of the whole search so far.
    pub total_nodes: u64,
    /// Since the turn began.
    pub elapsed: Duration,
    /// Moves from the root; at least one.
    pub pv: Vec<Point>,
}

/// Receives news of a running search.
pub trait Reporter {
    /// An iteration begins.
    fn iteration(&mut self, depth: u32);
    /// Something happened to a root move.
    fn root_move(&mut self, point: Point, state: RootMoveState);
    /// A line is complete.
    fn line(&mut self, line: &Line);
}

/// Listens to nothing; for helper threads and tests.
pub struct Silent;

impl Reporter for Silent {
    fn iteration(&mut self, _depth: u32) {}
    fn root_move(&mut self, _point: Point, _state: RootMoveState) {}
    fn line(&mut self, _line: &Line) {}
}
