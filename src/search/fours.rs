//! Quiescence: the side to move may make fours, each answered in every way that stops it.
//!
//! A four leaves the opponent one reply, under caro sometimes two or three, so the tree is thin;
//! each reply is a branch of its own and a win must survive all of them. The side to move may
//! also stop and take the evaluation, so anything but a win is an estimate.

use arrayvec::ArrayVec;

use super::Worker;
use super::params::{FOURS_PLY, LEAF_FOURS_NODES, MAX_PLY};
use super::pvs::settled;
use crate::board::Bitboard;
use crate::eval;
use crate::pattern::CellClass;
use crate::solver::threats::{self, Situation};
use crate::tt::Entry;
use crate::types::score::{self, Bound, Score};
use crate::types::{Color, Point};

impl Worker {
    /// The score of a leaf of the search: see [`Worker::search_fours`]. Where a four has several
    /// replies or the board is full of them the tree can grow without end, so its size is
    /// limited.
    pub(super) fn quiesce(&mut self, alpha: Score, beta: Score, ply: usize) -> Score {
        self.fours_limit = self.nodes + LEAF_FOURS_NODES;
        let score = self.search_fours(alpha, beta, ply, 0);
        self.fours_limit = u64::MAX;
        score
    }

    /// A win by fours from the position on the board, looked for with at most `nodes` nodes:
    /// its score, or `None` when none was found.
    pub(super) fn win_by_fours(&mut self, ply: usize, nodes: u64) -> Option<Score> {
        self.fours_limit = self.nodes + nodes;
        let score = self.search_fours(score::WIN_BOUND - 1, score::INFINITE, ply, 0);
        self.fours_limit = u64::MAX;
        (score::is_win(score) && !self.stopped).then_some(score)
    }

    /// The score of the position for the side to move when it plays only fours. `own` counts
    /// its stones in this quiescence so far; after the first, plain fours must be near the last.
    pub(super) fn search_fours(
        &mut self,
        mut alpha: Score,
        beta: Score,
        ply: usize,
        own: i32,
    ) -> Score {
        if self.must_stop() {
            return score::DRAW;
        }
        let situation = threats::assess(&mut self.board, self.draw_margin);
        if let Some(score) = settled(&situation, ply) {
            return score;
        }
        let side = self.board.side();
        let fours = threats::fours(&self.board, side);
        if fours.is_empty() {
            return self.evaluator.evaluate(&self.board);
        }
        let key = self.board.key();
        let entry = self.shared.table.probe(key);
        if let Some(score) = entry.and_then(|entry| stored_score(&entry, alpha, beta, ply, own)) {
            return score;
        }
        let eval = match entry {
            Some(entry) => entry.eval,
            None => self.evaluator.evaluate(&self.board),
        };
        let moves = match situation {
            Situation::Forced(replies) => fours.and(&replies),
            _ => fours,
        };
        let mut best = eval;
        let exhausted = own >= FOURS_PLY || ply >= MAX_PLY - 3 || self.nodes >= self.fours_limit;
        if best >= beta || exhausted {
            return best;
        }
        alpha = alpha.max(best);
        let mut best_move = Point::NONE;
        for point in self.order_fours(&moves, side, own) {
            if self.board.is_forbidden(point, side) {
                continue;
            }
            self.make(point);
            let score = self.answer_four(alpha, beta, ply, own);
            self.board.undo();
            if self.stopped {
                return best;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = point;
                }
                if score >= beta {
                    break;
                }
            }
        }
        // Any win was reached by fours that are there.
        let bound = if best >= beta || score::is_win(best) {
            Bound::Lower
        } else {
            Bound::Upper
        };
        let entry = Entry {
            best: best_move,
            score: score::to_node(best, ply as i32),
            eval,
            depth: -own,
            bound,
            pv: false,
        };
        self.shared.table.store(key, entry);
        best
    }

    /// The score, for the side that has just made a four, of the opponent's best reply.
    fn answer_four(&mut self, alpha: Score, beta: Score, ply: usize, own: i32) -> Score {
        let defender = self.board.side();
        if self.board.count_of(defender, CellClass::Five) > 0 {
            return score::loss_in(ply as i32 + 2);
        }
        if self.board.empty_points() as i32 - self.draw_margin <= 1 {
            return score::DRAW;
        }
        let replies = self.board.replies_to_fives(defender.opponent());
        let mut worst = score::win_in(ply as i32 + 3);
        for reply in replies.iter() {
            if self.board.is_forbidden(reply, defender) {
                continue;
            }
            self.make(reply);
            let score = self.search_fours(alpha, beta.min(worst), ply + 2, own + 1);
            self.board.undo();
            if score < worst || self.stopped {
                worst = score;
                if score <= alpha {
                    break;
                }
            }
        }
        worst
    }

    /// The fours worth trying, most urgent first.
    fn order_fours(&self, moves: &Bitboard, side: Color, own: i32) -> ArrayVec<Point, 32> {
        let last = self.board.move_back(2);
        let mut picks: ArrayVec<(i32, Point), 32> = ArrayVec::new();
        for point in moves.iter() {
            let class = self.board.class(point, side);
            let near = own == 0 || class > CellClass::Four || threats::is_related(point, last);
            if near && !picks.is_full() {
                let rank = 1000 * class as i32 + eval::policy(&self.board, point);
                picks.push((-rank, point));
            }
        }
        picks.sort_unstable();
        picks.into_iter().map(|(_, point)| point).collect()
    }
}

/// The stored score of a position, if it settles a search by fours with that window in which the
/// side to move has played `own` stones.
#[inline]
fn stored_score(entry: &Entry, alpha: Score, beta: Score, ply: usize, own: i32) -> Option<Score> {
    let stored = score::from_node(entry.score, ply as i32);
    let usable = entry.depth >= -own || score::is_decided(stored);
    let cut = match stored >= beta {
        true => entry.bound.is_lower(),
        false => stored <= alpha && entry.bound.is_upper(),
    };
    (usable && cut).then_some(stored)
}
