//! The moves of a node: their order, which of them are skipped, how deep each is searched.

use arrayvec::ArrayVec;

use super::history::Context;
use super::picker::{Pick, Picker};
use super::pvs::{NodeKind, OffPv, OnPv};
use super::selective::{LateMove, Skip};
use super::{UNPROVEN_LOSS, Worker};
use crate::board::Bitboard;
use crate::pattern::CellClass;
use crate::types::Point;
use crate::types::score::{self, Score};

/// Moves remembered for history.
type Tried = ArrayVec<(Point, CellClass), 64>;

/// What a node found out before it searches moves.
pub(super) struct Node {
    /// Moves outside of this set lose at once or are not tried.
    pub(super) moves: Bitboard,
    /// Every move that does not lose at once is in `moves`.
    pub(super) complete: bool,
    /// The only question is how to stop a five.
    pub(super) forced: bool,
    /// Static evaluation.
    pub(super) eval: Score,
    /// Is the evaluation better than two plies ago?
    pub(super) improving: bool,
    pub(super) cut_node: bool,
    /// Has it ever been on the principal variation?
    pub(super) was_pv: bool,
    /// A node expected to be cut off that stands well above beta: quiet moves are searched a
    /// ply less.
    pub(super) calm: bool,
    /// The move known from an earlier search, if any.
    pub(super) first: Point,
    /// Plies by which it is searched deeper.
    pub(super) extension: i32,
    /// A move that may not be tried, while it is compared with the others.
    pub(super) excluded: Point,
}

/// How one move of a node is searched.
pub(super) struct Child {
    /// Depth left below the move.
    pub(super) depth: i32,
    /// Plies the first try is less deep.
    pub(super) reduction: i32,
    /// Number of the move from 1.
    pub(super) count: i32,
    /// Is the node of the move expected to be cut off?
    pub(super) cut_node: bool,
}

impl Worker {
    /// Searches the moves of a node. Returns the best score and its move.
    pub(super) fn search_moves<K: NodeKind>(
        &mut self,
        node: &Node,
        mut alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
    ) -> (Score, Point) {
        let side = self.board.side();
        let restricted = self.board.spec().forbids(side);
        let context = Context::new(&self.board);
        let (mut best, mut best_move) = (-score::INFINITE, Point::NONE);
        let (mut count, mut complete) = (0, node.complete);
        let mut tried = Tried::new();
        let mut picker = Picker::new(node.moves, node.first);
        while let Some(pick) = picker.next(self, &context, ply) {
            let (point, class) = (pick.point, pick.class);
            if point == node.excluded || restricted && self.board.is_forbidden(point, side) {
                continue;
            }
            count += 1;
            if !node.forced && best > UNPROVEN_LOSS {
                let skip = self.skips(node, &pick, depth, count, alpha);
                complete &= skip == Skip::None;
                match skip {
                    Skip::None => {}
                    Skip::This => continue,
                    Skip::Quiet => {
                        picker.drop_quiet();
                        continue;
                    }
                }
            }
            let late = LateMove {
                gap: pick.gap,
                history: pick.history,
                threat: class >= CellClass::OpenThree,
                far: context.is_far(point),
                improving: node.improving,
                after_alpha: K::PV && best_move.is_some(),
                was_pv: node.was_pv,
            };
            let child = self.child::<K>(node, &pick, &late, depth, count);
            if K::PV {
                // A child that is cut off leaves no line; its sibling's must not stand in.
                self.pv[ply + 1].clear();
            }
            self.make(point);
            let score = self.search_child::<K>(alpha, beta, ply, &child);
            self.board.undo();
            if self.stopped {
                return (best, best_move);
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = point;
                    alpha = score;
                    if K::PV {
                        self.keep_line(ply, point);
                    }
                    if score >= beta {
                        let best = (point, class);
                        self.history.reward(&context, ply, depth, best, &tried);
                        break;
                    }
                }
            }
            if !tried.is_full() {
                tried.push((point, class));
            }
        }
        if count == 0 {
            // All sets of replies are legal, so nothing threatens: every move is forbidden, or
            // the only one was to be left out.
            let score = match node.excluded.is_some() {
                true => alpha,
                false => score::DRAW,
            };
            return (score, Point::NONE);
        }
        if !complete {
            best = best.max(UNPROVEN_LOSS);
        }
        (best, best_move)
    }

    /// How move number `count` of a node with `depth` plies left is searched.
    #[inline]
    fn child<K: NodeKind>(
        &self,
        node: &Node,
        pick: &Pick,
        late: &LateMove,
        depth: i32,
        count: i32,
    ) -> Child {
        let reduction = match depth >= 2 && count > 1 && !node.forced {
            true => late.reduction(&self.params, depth, count, K::PV, node.cut_node),
            false => 0,
        };
        let extension = match pick.point == node.first {
            true => node.extension,
            false => 0,
        };
        let calm = node.calm && pick.class < CellClass::Four;
        Child {
            // A forced reply costs no depth.
            depth: depth - i32::from(!node.forced) + extension - i32::from(calm),
            reduction,
            count,
            cut_node: node.cut_node,
        }
    }

    /// Searches the position after a move, reduced and with a null window first where that is
    /// enough to see that the move is no better than `alpha`.
    pub(super) fn search_child<K: NodeKind>(
        &mut self,
        alpha: Score,
        beta: Score,
        ply: usize,
        child: &Child,
    ) -> Score {
        let (mut depth, reduction) = (child.depth, child.reduction);
        if K::PV && child.count == 1 {
            return -self.search::<OnPv>(-beta, -alpha, depth, ply + 1, false);
        }
        if reduction > 0 {
            let score = -self.search::<OffPv>(-alpha - 1, -alpha, depth - reduction, ply + 1, true);
            if score <= alpha {
                return score;
            }
            depth += self.second_look(score, alpha, reduction);
        }
        let cut_node = !child.cut_node;
        let mut score = -self.search::<OffPv>(-alpha - 1, -alpha, depth, ply + 1, cut_node);
        if K::PV && score > alpha && score < beta {
            score = -self.search::<OnPv>(-beta, -alpha, depth, ply + 1, false);
        }
        score
    }

    /// Plies to add to the full search of a move whose reduced one beat alpha with `score`: one
    /// if it did so by far.
    fn second_look(&self, score: Score, alpha: Score, reduction: i32) -> i32 {
        let far = self.params.deeper_base + self.params.deeper_step * reduction;
        i32::from(!score::is_decided(score) && score > alpha + far)
    }

    /// Makes `point` and the line below it the best line of `ply`.
    fn keep_line(&mut self, ply: usize, point: Point) {
        let (above, below) = self.pv.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(point);
        line.extend_from_slice(&below[0]);
    }
}
