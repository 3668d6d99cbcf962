//! Lines of proven wins and losses, played out to the last stone.
//!
//! The search proves more than its principal variation shows: static arguments and quiescence
//! leave no moves behind. Here the line is continued from where it ends, each side playing what
//! the proof needs: the winner its winning move, the loser its longest known resistance.

use super::Worker;
use super::pvs::OnPv;
use super::report::Line;
use super::threats::{self, Situation};
use crate::pattern::CellClass;
use crate::types::Point;
use crate::types::score::{self, Score};

/// Nodes one continuation may cost while the search has time left.
const LINE_NODES: u64 = 60_000;
/// Nodes it may cost when the search has been stopped: some milliseconds, so that a win that is
/// announced can be seen to be one.
const GRACE_NODES: u64 = 8_000;

impl Worker {
    /// Continues the line of a decided score to the end of the game, as far as the limits allow.
    pub(super) fn complete_line(&mut self, line: &mut Line) {
        let length = score::plies_to_end(line.score) as usize;
        let before = self.board.stones();
        let stopped = std::mem::replace(&mut self.stopped, false);
        self.grace = stopped.then_some(self.nodes + GRACE_NODES);
        let limit = self.nodes + LINE_NODES;
        for point in &line.pv {
            self.board.make(*point);
        }
        while line.pv.len() < length && self.nodes < limit && !self.must_stop() {
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
        self.grace = None;
        self.stopped |= stopped;
    }

    /// The move the proof needs here. `wins`: the side to move is the winner, with at most
    /// `left` plies to go.
    fn next_of_proof(&mut self, wins: bool, left: usize, ply: usize) -> Option<Point> {
        let side = self.board.side();
        match threats::assess(&mut self.board, self.draw_margin) {
            Situation::Won(1) => self.board.points_of(side, CellClass::Five).iter().next(),
            Situation::Won(3) => threats::open_four(&mut self.board, side),
            Situation::Won(_) => threats::four_three(&self.board, side),
            Situation::Lost(_) => self.last_resistance(),
            Situation::Draw => None,
            _ => self.search_proof(wins, left, ply),
        }
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

    /// Finds the move by a search that is deepened until it sees the end again.
    fn search_proof(&mut self, wins: bool, left: usize, ply: usize) -> Option<Point> {
        let as_claimed = |score: Score| {
            let plies = score::plies_to_end(score) - ply as i32;
            match wins {
                true => score::is_win(score) && plies <= left as i32,
                false => score::is_loss(score),
            }
        };
        // Only proven scores fit the window, so whatever proves nothing is cut off at once.
        let (alpha, beta) = match wins {
            true => (score::WIN_BOUND - 1, score::INFINITE),
            false => (-score::INFINITE, -score::WIN_BOUND + 1),
        };
        for depth in 1..=left as i32 {
            let score = self.search::<OnPv>(alpha, beta, depth, ply, false);
            if self.stopped {
                return None;
            }
            if as_claimed(score) {
                if let Some(point) = self.pv[ply].first() {
                    return Some(*point);
                }
            }
        }
        None
    }
}
