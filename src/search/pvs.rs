//! Principal variation search.

use arrayvec::ArrayVec;

use super::params::*;
use super::picker::{Pick, Picker};
use super::threats::{self, Situation};
use super::{UNPROVEN_LOSS, Worker};
use crate::board::Bitboard;
use crate::eval;
use crate::pattern::CellClass;
use crate::tt::Entry;
use crate::types::Point;
use crate::types::score::{self, Bound, Score};

/// What kind of node is searched, as a type so that each kind is compiled on its own.
pub(super) trait NodeKind {
    /// On the principal variation: the window is open and the line is wanted.
    const PV: bool;
}

/// A node of the principal variation.
pub(super) struct OnPv;
/// A node searched with a null window.
pub(super) struct OffPv;

impl NodeKind for OnPv {
    const PV: bool = true;
}

impl NodeKind for OffPv {
    const PV: bool = false;
}

/// Quiet moves remembered for history.
type Tried = ArrayVec<Point, 64>;

/// What a node found out before it searches moves.
struct Node {
    /// Moves outside of this set lose at once or are not tried.
    moves: Bitboard,
    /// Every move that does not lose at once is in `moves`.
    complete: bool,
    /// The only question is how to stop a five.
    forced: bool,
    /// Static evaluation.
    eval: Score,
    /// Is the evaluation better than two plies ago?
    improving: bool,
    cut_node: bool,
}

impl Worker {
    /// Searches the position on the board with the window `alpha..beta`, which for a node off
    /// the principal variation is one wide. Returns a score on either side of the window where
    /// it falls outside (fail-soft).
    pub(super) fn search<K: NodeKind>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        if K::PV {
            self.pv[ply].clear();
            self.seldepth = self.seldepth.max(ply);
        }
        if self.must_stop() {
            return score::DRAW;
        }
        let situation = threats::assess(&mut self.board, self.draw_margin);
        if let Some(score) = settled(&situation, ply) {
            return score;
        }
        alpha = alpha.max(score::loss_in(ply as i32 + 2));
        beta = beta.min(score::win_in(ply as i32 + 3));
        if alpha >= beta {
            return alpha;
        }
        let forced = matches!(situation, Situation::Forced(_));
        if depth <= 0 && !forced || ply >= MAX_PLY - 2 {
            return self.search_fours(alpha, beta, ply, 0);
        }

        let key = self.board.key();
        let entry = self.shared.table.probe(key);
        if let Some(entry) = &entry {
            let stored = score::from_node(entry.score, ply as i32);
            if !K::PV && cuts(entry, stored, depth, alpha, beta) {
                return stored;
            }
        }
        let eval = match &entry {
            Some(entry) => entry.eval,
            None => eval::evaluate(&self.board),
        };
        self.evals[ply] = eval;
        let improving = ply >= 2 && eval > self.evals[ply - 2];
        let estimate = refined(eval, entry.as_ref());

        if !K::PV
            && matches!(situation, Situation::Free)
            && let Some(score) = self.prune_node(alpha, beta, depth, ply, estimate, improving)
        {
            return score;
        }
        let (moves, complete) = match situation {
            Situation::Forced(set) | Situation::Threatened(set) => (set, true),
            _ => (self.free_moves(), false),
        };
        let node = Node {
            moves,
            complete,
            forced,
            eval: estimate,
            improving,
            cut_node,
        };
        let first = entry.map_or(Point::NONE, |entry| entry.best);
        let (best, best_move) = self.search_moves::<K>(&node, alpha, beta, depth, ply, first);
        if self.stopped {
            return best;
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if K::PV && best > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let score = score::to_node(best, ply as i32);
        let entry = Entry {
            best: best_move,
            score,
            eval,
            depth,
            bound,
            pv: K::PV,
        };
        self.shared.table.store(key, entry);
        best
    }

    /// The moves of a node that is not under threat: near stones, or anywhere if there are none.
    pub(super) fn free_moves(&self) -> Bitboard {
        let near = self.board.candidates();
        if near.is_empty() {
            *self.board.empties()
        } else {
            near
        }
    }

    /// Tries to settle a quiet node off the principal variation without searching its moves.
    fn prune_node(
        &mut self,
        alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        eval: Score,
        improving: bool,
    ) -> Option<Score> {
        // Reverse futility: so far above beta, with nothing urgent on the board, a few plies of
        // quiet play will not bring it below.
        if depth <= REVERSE_FUTILITY_DEPTH
            && eval - REVERSE_FUTILITY * (depth - i32::from(improving)) >= beta
            && !score::is_decided(beta)
            && eval.abs() < score::EVAL_LIMIT
        {
            return Some(eval);
        }
        // Razoring: so far below alpha only a forced win can help.
        if depth <= RAZOR_DEPTH && eval + RAZOR_BASE + RAZOR_STEP * depth < alpha {
            let score = self.search_fours(alpha, beta, ply, 0);
            if score <= alpha || score::is_win(score) {
                return Some(score);
            }
        }
        None
    }

    /// Searches the moves of a node. Returns the best score and its move.
    fn search_moves<K: NodeKind>(
        &mut self,
        node: &Node,
        mut alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        first: Point,
    ) -> (Score, Point) {
        let side = self.board.side();
        let restricted = self.board.spec().forbids(side);
        let (mut best, mut best_move) = (-score::INFINITE, Point::NONE);
        let mut count = 0;
        let mut tried = Tried::new();
        let picker = Picker::new(&self.board, &node.moves, first, &self.history, ply);
        for pick in picker {
            if restricted && self.board.is_forbidden(pick.point, side) {
                continue;
            }
            let class = self.board.class(pick.point, side);
            let quiet = class < CellClass::OpenThree;
            count += 1;
            if !K::PV
                && !node.complete
                && quiet
                && best > UNPROVEN_LOSS
                && skips(node, &pick, depth, count, alpha)
            {
                continue;
            }
            let reduction = match depth >= 2 && count > 1 && !node.forced {
                true => {
                    let history = self.history.quiet(side, pick.point);
                    let late = LateMove {
                        gap: pick.gap,
                        history,
                        threat: !quiet,
                    };
                    late.reduction(depth, count, K::PV, node.cut_node)
                }
                false => 0,
            };
            let next = if node.forced { depth } else { depth - 1 };
            if K::PV {
                // A child that is cut off leaves no line; its sibling's must not stand in.
                self.pv[ply + 1].clear();
            }
            self.make(pick.point);
            let score =
                self.search_child::<K>(alpha, beta, next, reduction, ply, count, node.cut_node);
            self.board.undo();
            if self.stopped {
                return (best, best_move);
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = pick.point;
                    alpha = score;
                    if K::PV {
                        self.keep_line(ply, pick.point);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
            if !tried.is_full() && pick.point != best_move {
                tried.push(pick.point);
            }
        }
        if best >= beta {
            self.history.reward(side, ply, depth, best_move, &tried);
        }
        if count == 0 {
            // Every move is forbidden: sets of replies are legal, so nothing threatens.
            return (score::DRAW, Point::NONE);
        }
        if !node.complete {
            best = best.max(UNPROVEN_LOSS);
        }
        (best, best_move)
    }

    /// Searches the position after a move, reduced and with a null window first where that is
    /// enough to see that the move is no better than `alpha`.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn search_child<K: NodeKind>(
        &mut self,
        alpha: Score,
        beta: Score,
        depth: i32,
        reduction: i32,
        ply: usize,
        count: i32,
        cut_node: bool,
    ) -> Score {
        if K::PV && count == 1 {
            return -self.search::<OnPv>(-beta, -alpha, depth, ply + 1, false);
        }
        if reduction > 0 {
            let score = -self.search::<OffPv>(-alpha - 1, -alpha, depth - reduction, ply + 1, true);
            if score <= alpha {
                return score;
            }
        }
        let mut score = -self.search::<OffPv>(-alpha - 1, -alpha, depth, ply + 1, !cut_node);
        if K::PV && score > alpha && score < beta {
            score = -self.search::<OnPv>(-beta, -alpha, depth, ply + 1, false);
        }
        score
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

/// What decides how much less deeply a move is searched than the first.
pub(super) struct LateMove {
    /// Policy gap to the best of the node.
    pub(super) gap: i32,
    /// History value.
    pub(super) history: i32,
    /// Does it make a three or a four?
    pub(super) threat: bool,
}

impl LateMove {
    /// Plies to take off for move number `count` (from 1) of a node at `depth`.
    pub(super) fn reduction(&self, depth: i32, count: i32, pv: bool, cut_node: bool) -> i32 {
        let mut reduction = LMR_BASE + LMR_FACTOR * log2_256(depth) / 256 * log2_256(count) / 256;
        if cut_node {
            reduction += LMR_CUT;
        }
        if pv {
            reduction -= LMR_PV;
        }
        if self.threat {
            reduction -= LMR_THREAT;
        }
        reduction +=
            (LMR_GAP_SLOPE * (self.gap - LMR_GAP_PIVOT)).clamp(-LMR_GAP_LIMIT, LMR_GAP_LIMIT);
        reduction -= 1024 * self.history / LMR_HISTORY;
        (reduction / 1024).clamp(0, depth - 1)
    }
}

/// The score of a position that needs no search.
#[inline]
pub(super) fn settled(situation: &Situation, ply: usize) -> Option<Score> {
    match situation {
        Situation::Won(plies) => Some(score::win_in(ply as i32 + plies)),
        Situation::Lost(plies) => Some(score::loss_in(ply as i32 + plies)),
        Situation::Draw => Some(score::DRAW),
        _ => None,
    }
}

/// Does a stored score settle a node with that window? Proven scores do so at any depth.
#[inline]
fn cuts(entry: &Entry, stored: Score, depth: i32, alpha: Score, beta: Score) -> bool {
    let deep_enough = entry.depth >= depth;
    let proven_win = score::is_win(stored) && entry.bound.is_lower();
    let proven_loss = score::is_loss(stored) && entry.bound.is_upper();
    if stored >= beta {
        entry.bound.is_lower() && (deep_enough || proven_win)
    } else if stored <= alpha {
        entry.bound.is_upper() && (deep_enough || proven_loss)
    } else {
        entry.bound == Bound::Exact && deep_enough
    }
}

/// The evaluation, replaced by a stored score where that says more.
#[inline]
fn refined(eval: Score, entry: Option<&Entry>) -> Score {
    match entry {
        Some(entry) if score::is_decided(entry.score) => eval,
        Some(entry) if entry.score > eval && entry.bound.is_lower() => entry.score,
        Some(entry) if entry.score < eval && entry.bound.is_upper() => entry.score,
        _ => eval,
    }
}

/// Is a quiet move of a quiet node not worth searching?
#[inline]
fn skips(node: &Node, pick: &Pick, depth: i32, count: i32, alpha: Score) -> bool {
    // Move-count pruning: ordering is good, late moves at low depth hardly ever matter.
    let full = MOVE_COUNT_BASE + MOVE_COUNT_STEP * depth + MOVE_COUNT_SQUARE * depth * depth;
    if count * 8 > full / (2 - i32::from(node.improving)) {
        return true;
    }
    // Policy pruning: moves that self-play hardly ever chose.
    if pick.gap > POLICY_PRUNE_BASE + POLICY_PRUNE_STEP * depth {
        return true;
    }
    // Futility: a quiet move gains little at once.
    depth <= FUTILITY_DEPTH
        && !score::is_decided(alpha)
        && node.eval + FUTILITY_BASE + FUTILITY_STEP * depth <= alpha
}

/// 256 times the binary logarithm, linear between powers of two; integers only, so that every
/// machine reduces alike.
#[inline]
fn log2_256(value: i32) -> i32 {
    let value = value.max(1) as u32;
    let whole = value.ilog2();
    (whole * 256 + ((value << 8 >> whole) - 256)) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithm_is_exact_at_powers_of_two_and_grows() {
        assert_eq!([1, 2, 4, 64].map(log2_256), [0, 256, 512, 1536]);
        assert!((1..400).all(|v| log2_256(v) <= log2_256(v + 1)));
    }
}
