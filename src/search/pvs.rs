//! Principal variation search: what a node finds out before and after its moves are searched.

use super::Worker;
use super::moves::Node;
use super::params::MAX_PLY;
use crate::board::Bitboard;
use crate::eval;
use crate::pattern::CellClass;
use crate::solver::threats::{self, Situation};
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

/// What a position is worth before it is searched.
struct Judgement {
    /// The bare evaluation, for the table.
    raw: Score,
    /// The threats at hand, by which it is corrected.
    mask: usize,
    /// The best guess: corrected, or a stored score that says more.
    estimate: Score,
    /// Is the corrected evaluation better than two plies ago?
    improving: bool,
}

/// What the test of the known move says.
enum Known {
    /// Search it that many plies deeper (or less deep).
    Extend(i32),
    /// Others are good enough as well: the node is worth at least this.
    Cut(Score),
}

impl Worker {
    /// Searches the position on the board with the window `alpha..beta`, which for a node off
    /// the principal variation is one wide. Returns a score on either side of the window where
    /// it falls outside (fail-soft).
    pub(super) fn search<K: NodeKind>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        mut depth: i32,
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
            return self.quiesce(alpha, beta, ply);
        }

        let excluded = self.excluded[ply];
        let entry = match excluded.is_none() {
            true => self.shared.table.probe(self.board.key()),
            false => None,
        };
        if let Some(entry) = &entry {
            let stored = score::from_node(entry.score, ply as i32);
            // A proof found once is kept, on the principal variation too.
            let proven = entry.is_proof();
            if (!K::PV || proven) && cuts(entry, stored, depth, alpha, beta) {
                return stored;
            }
        }
        let judgement = self.judge(entry.as_ref(), ply);
        let (eval, improving) = (judgement.estimate, judgement.improving);
        if !K::PV
            && !forced
            && excluded.is_none()
            && let Some(score) = self.prune_node(alpha, beta, depth, ply, eval, improving)
        {
            return score;
        }
        let first = entry.map_or(Point::NONE, |entry| entry.best);
        if !forced && excluded.is_none() {
            depth -= self.reduce_unknown::<K>(entry.as_ref(), depth, cut_node);
        }
        let extension = match &entry {
            Some(entry) if !forced && first.is_some() => {
                match self.test_known::<K>(entry, beta, depth, ply, cut_node) {
                    Known::Extend(plies) => plies,
                    Known::Cut(score) => return score,
                }
            }
            _ => 0,
        };
        if self.stopped {
            return score::DRAW;
        }
        let (moves, complete) = match situation {
            Situation::Forced(set) | Situation::Threatened(set) => (set, true),
            _ => (self.free_moves(), false),
        };
        let high = beta + self.params.fail_high_base + self.params.fail_high_step * depth;
        let node = Node {
            moves,
            complete,
            forced,
            eval,
            improving,
            cut_node,
            was_pv: K::PV || entry.is_some_and(|entry| entry.pv),
            calm: !K::PV && cut_node && !forced && excluded.is_none() && eval >= high,
            first,
            extension,
            excluded,
        };
        let found = self.search_moves::<K>(&node, alpha, beta, depth, ply);
        if !self.stopped && excluded.is_none() {
            let bound = match found.0 {
                score if score >= beta => Bound::Lower,
                score if K::PV && score > alpha => Bound::Exact,
                _ => Bound::Upper,
            };
            self.remember(&judgement, found, bound, depth, ply, node.was_pv);
        }
        found.0
    }

    /// What the position is worth before it is searched; `entry` is what is known of it.
    #[inline]
    fn judge(&mut self, entry: Option<&Entry>, ply: usize) -> Judgement {
        let mask = eval::threat_mask(&self.board);
        let raw = match entry {
            Some(entry) => entry.eval,
            None => self.evaluator.evaluate_with(&self.board, mask),
        };
        let eval = self.corrected(raw, mask);
        self.evals[ply] = eval;
        Judgement {
            raw,
            mask,
            estimate: refined(eval, entry),
            improving: ply >= 2 && eval > self.evals[ply - 2],
        }
    }

    /// Learns from a node that was searched to the end, and stores it.
    #[inline]
    fn remember(
        &mut self,
        judgement: &Judgement,
        (score, best): (Score, Point),
        bound: Bound,
        depth: i32,
        ply: usize,
        pv: bool,
    ) {
        let entry = Entry {
            best,
            score: score::to_node(score, ply as i32),
            eval: judgement.raw,
            depth,
            bound,
            pv,
        };
        self.learn_correction(judgement.mask, &entry);
        self.shared.table.store(self.board.key(), entry);
    }

    /// The evaluation with what earlier searches found it to be off by where the same threats
    /// were at hand.
    fn corrected(&self, eval: Score, mask: usize) -> Score {
        let error = self.history.error(self.board.side(), mask);
        let limit = score::EVAL_LIMIT - 1;
        (eval + error * self.params.correction / 1024).clamp(-limit, limit)
    }

    /// Learns from a node how far its evaluation was off, unless its bound does not say so.
    fn learn_correction(&mut self, mask: usize, found: &Entry) {
        let error = found.score - found.eval;
        let says = match found.bound {
            Bound::Lower => error > 0,
            Bound::Upper => error < 0,
            _ => true,
        };
        if says && !score::is_decided(found.score) && found.depth > 0 {
            let side = self.board.side();
            self.history.learn_error(side, mask, error, found.depth);
        }
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

    /// Plies to take off a node about whose best move little is known: it will come back better
    /// ordered, or turn out not to matter.
    fn reduce_unknown<K: NodeKind>(&self, entry: Option<&Entry>, depth: i32, cut: bool) -> i32 {
        if depth < self.params.reduce_unknown_depth || !K::PV && !cut {
            return 0;
        }
        match entry.filter(|entry| entry.best.is_some()) {
            None => 1,
            Some(entry) if K::PV => {
                let missing = (depth - entry.depth).max(0);
                let stale = self.params.stale_step * missing / 1024;
                i32::from(missing > 4).max(stale.min(self.params.stale_limit))
            }
            Some(_) => 0,
        }
    }

    /// Is the known move the only good one? Then it is searched deeper. If others hold beta as
    /// well, the node is cut off (multi-cut); if it is one of several, it is searched less deep.
    fn test_known<K: NodeKind>(
        &mut self,
        entry: &Entry,
        beta: Score,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Known {
        let stored = score::from_node(entry.score, ply as i32);
        let reliable = entry.bound.is_lower() && entry.depth >= depth - 3;
        // The reply to a four is free already: extended fours would never come to an end.
        let four = self.board.class(entry.best, self.board.side()) >= CellClass::Four;
        if depth < self.params.singular_depth
            || ply == 0
            || ply as i32 >= 2 * self.root_depth
            || self.excluded[ply].is_some()
            || !reliable
            || four
            || score::is_decided(stored)
        {
            return Known::Extend(0);
        }
        let bar = stored - self.params.singular_margin * depth;
        self.excluded[ply] = entry.best;
        let score = self.search::<OffPv>(bar - 1, bar, (depth - 1) / 2, ply, cut_node);
        self.excluded[ply] = Point::NONE;
        if self.stopped {
            return Known::Extend(0);
        }
        if score < bar {
            let double = !K::PV && score < bar - self.params.singular_double;
            Known::Extend(1 + i32::from(double))
        } else if bar >= beta && !score::is_decided(bar) {
            Known::Cut(bar)
        } else if stored >= beta {
            Known::Extend(-1)
        } else {
            Known::Extend(0)
        }
    }

    /// Tries to settle a node off the principal variation without searching its moves.
    fn prune_node(
        &mut self,
        alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        eval: Score,
        improving: bool,
    ) -> Option<Score> {
        let params = &self.params;
        // Reverse futility: so far above beta, with no five to stop, a few plies of quiet play
        // will not bring it below.
        let plies = depth - params.reverse_futility_free - i32::from(improving);
        if depth <= params.reverse_futility_depth
            && eval - params.reverse_futility * plies.max(0) >= beta
            && !score::is_decided(beta)
            && eval.abs() < score::EVAL_LIMIT
        {
            return Some(eval);
        }
        // Razoring: so far below alpha only a forced win can help.
        if depth <= params.razor_depth
            && eval + params.razor_base + params.razor_step * depth < alpha
        {
            let score = self.quiesce(alpha, beta, ply);
            if score <= alpha || score::is_win(score) {
                return Some(score);
            }
        }
        None
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
    let enough = deep_enough || entry.is_proof();
    if stored >= beta {
        entry.bound.is_lower() && enough
    } else if stored <= alpha {
        entry.bound.is_upper() && enough
    } else {
        enough && (entry.bound == Bound::Exact || entry.is_proof())
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
