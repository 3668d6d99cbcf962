//! Lines of proven wins and losses, played out to the last stone.
//!
//! The search proves more than its principal variation shows: static arguments and quiescence
//! leave no moves behind. Here the line is continued from where it ends, each side playing what
//! the proof needs: the winner its winning move, the loser its longest known resistance.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use super::Worker;
use super::pvs::OffPv;
use super::report::Line;
use crate::board::Bitboard;
use crate::pattern::CellClass;
use crate::rules::Profile;
use crate::solver::threats::{self, Situation};
use crate::solver::{Kind, Limits, Settings, Solver, Verdict};
use crate::types::Point;
use crate::types::score::{self, Score};

/// Nodes one continuation may cost while the search has time left.
const LINE_NODES: u64 = 200_000;
/// Nodes it may cost when somebody waits for a search that has been stopped: some milliseconds,
/// so that a win that is announced can be seen to be one.
const GRACE_NODES: u64 = 8_000;

/// Nodes of the solver for one position of a line while the search has time left; they count
/// as part of the continuation.
const SOLVER_NODES: u64 = 20_000;
/// The same when somebody waits.
const GRACE_SOLVER_NODES: u64 = 1_000;
/// Bytes of the solver's tables.
const SOLVER_MEMORY: usize = 8 << 20;

/// Plies beyond its length to which a proof is looked for again.
const DEEPER: i32 = 8;

impl Worker {
    /// Continues the line of a decided score to the end of the game, as far as the limits allow.
    pub(super) fn complete_line(&mut self, line: &mut Line) {
        let length = score::plies_to_end(line.score) as usize;
        let before = self.board.stones();
        let stopped = std::mem::replace(&mut self.stopped, false);
        // The limit of nodes is one of the search, not of what it shows.
        let graced = stopped || self.shared.node_limit.load(Relaxed) != u64::MAX;
        self.hurried = graced && self.is_awaited();
        let nodes = if self.hurried {
            GRACE_NODES
        } else {
            LINE_NODES
        };
        self.line_limit = self.nodes + nodes;
        self.grace = graced.then_some(self.line_limit);
        for point in &line.pv {
            self.board.make(*point);
        }
        while line.pv.len() < length && self.nodes < self.line_limit && !self.must_stop() {
            let wins = score::is_win(line.score) == line.pv.len().is_multiple_of(2);
            let found = self.next_of_proof(wins, length - line.pv.len(), line.pv.len());
            let Some(point) = found else { break };
            line.pv.push(point);
            if self.board.class(point, self.board.side()) == CellClass::Five {
                break;
            }
            self.board.make(point);
        }
        while self.board.stones() > before {
            self.board.undo();
        }
        if self.grace.take().is_some() {
            self.stopped = stopped;
        }
    }

    /// Does somebody wait for the answer of a search that ends now? Not where it ran out of nodes
    /// and no clock is set.
    fn is_awaited(&self) -> bool {
        self.shared.stop.load(Relaxed) || self.shared.hard().is_some()
    }

    /// The move the proof needs here. `wins`: the side to move is the winner, with at most
    /// `left` plies to go.
    fn next_of_proof(&mut self, wins: bool, left: usize, ply: usize) -> Option<Point> {
        if wins {
            return self.winning_move(left, ply).map(|(point, _)| point);
        }
        match threats::assess(&mut self.board, self.draw_margin) {
            Situation::Lost(_) => self.last_resistance(),
            Situation::Forced(set) | Situation::Threatened(set) => {
                self.longest_resistance(&set, left, ply)
            }
            _ => None,
        }
    }

    /// A move that wins within `left` plies, and the plies it takes.
    fn winning_move(&mut self, left: usize, ply: usize) -> Option<(Point, i32)> {
        let side = self.board.side();
        match threats::assess(&mut self.board, self.draw_margin) {
            Situation::Won(1) => {
                return self
                    .board
                    .points_of(side, CellClass::Five)
                    .iter()
                    .next()
                    .map(|p| (p, 1));
            }
            Situation::Won(3) => {
                return threats::open_four(&mut self.board, side).map(|point| (point, 3));
            }
            Situation::Won(plies) => {
                return threats::four_three(&self.board, side).map(|point| (point, plies));
            }
            Situation::Lost(_) | Situation::Draw => return None,
            _ => {}
        }
        // The search that proved the win has left its moves in the table; what has been
        // overwritten is proven again. Only wins that are short enough fit the window, so
        // whatever proves nothing is cut off at once.
        let least = score::win_in(left as i32);
        if let Some(found) = self.known_win(least) {
            return Some(found);
        }
        if let Some(found) = self.win_by_solver(left) {
            return Some(found);
        }
        let (left, alpha) = (left as i32, score::from_node(least, ply as i32) - 1);
        // Pruning may hide it at the depth of its length; deeper searches prune less.
        for depth in 1..=left + DEEPER {
            if depth > left && self.nodes >= self.line_limit {
                break;
            }
            self.search::<OffPv>(alpha, alpha + 1, depth, ply, false);
            if self.stopped {
                break;
            }
            if let Some(found) = self.known_win(least) {
                return Some(found);
            }
        }
        None
    }

    /// The winning move in the table, if its score is at least `least`, and the plies it takes.
    fn known_win(&mut self, least: Score) -> Option<(Point, i32)> {
        let entry = self.shared.table.probe(self.board.key())?;
        let wins = entry.score >= least && entry.bound.is_lower() && self.is_playable(entry.best);
        wins.then(|| (entry.best, score::plies_to_end(entry.score)))
    }

    /// A win by fours, or with time by threats, within `left` plies that the search has proven
    /// and its table has lost.
    fn win_by_solver(&mut self, left: usize) -> Option<(Point, i32)> {
        let (kinds, most) = match self.hurried {
            true => (&[Kind::Fours][..], GRACE_SOLVER_NODES),
            false => (&[Kind::Fours, Kind::Threes][..], SOLVER_NODES),
        };
        for kind in kinds {
            let spare = self.line_limit.saturating_sub(self.nodes);
            let settings = Settings {
                profile: Profile::Judge,
                memory: SOLVER_MEMORY,
                shortest: true,
            };
            let limits = Limits {
                nodes: Some(most.min(spare)),
                time: self.time_left().filter(|_| !self.hurried),
                ..Limits::default()
            };
            let mut solver = Solver::new(self.board.clone(), settings);
            let verdict = solver.solve(*kind, &limits);
            self.line_limit = self.line_limit.saturating_sub(solver.nodes());
            match verdict {
                Verdict::Win(step) if step.plies() <= left => {
                    return Some((step.point, step.plies() as i32));
                }
                _ => {}
            }
        }
        None
    }

    /// Time to the last moment of the search, if there is one.
    fn time_left(&self) -> Option<Duration> {
        let hard = self.shared.hard()?;
        Some(hard.saturating_sub(self.start.elapsed()))
    }

    fn is_playable(&mut self, point: Point) -> bool {
        let side = self.board.side();
        point.is_some() && self.board.is_empty(point) && !self.board.is_forbidden(point, side)
    }

    /// The move of `set` after which the opponent needs longest, as far as is known.
    fn longest_resistance(&mut self, set: &Bitboard, left: usize, ply: usize) -> Option<Point> {
        let mut longest: Option<(i32, Point)> = None;
        for point in set.iter() {
            self.make(point);
            let answer = self.winning_move(left.saturating_sub(1), ply + 1);
            self.board.undo();
            // Unproven within the length that was claimed: no line can be shown.
            let (_, plies) = answer?;
            if longest.is_none_or(|(most, _)| plies > most) {
                longest = Some((plies, point));
            }
        }
        longest.map(|(_, point)| point)
    }

    /// A legal move that makes the opponent find its win: a stone where it would go, or anywhere.
    pub(super) fn last_resistance(&mut self) -> Option<Point> {
        let side = self.board.side();
        let opponent = side.opponent();
        let wins = *self.board.points_of(opponent, CellClass::Five);
        let fours = *self.board.points_of(opponent, CellClass::OpenFour);
        let rest = *self.board.empties();
        let mut order = wins.iter().chain(fours.iter()).chain(rest.iter());
        order.find(|point| !self.board.is_forbidden(*point, side))
    }
}
