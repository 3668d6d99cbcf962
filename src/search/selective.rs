//! Which moves of a node are not searched, and which less deeply.

use super::Worker;
use super::moves::Node;
use super::params::Params;
use super::picker::Pick;
use crate::pattern::CellClass;
use crate::types::score::{self, Score};

/// Which moves need no search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Skip {
    /// This one is searched.
    None,
    /// This one is not.
    This,
    /// Neither this one nor any that follows, except those that make a three or more.
    Quiet,
}

impl Worker {
    /// Is the move not worth searching? Moves that make more than a plain four always are.
    #[inline]
    pub(super) fn skips(
        &self,
        node: &Node,
        pick: &Pick,
        depth: i32,
        count: i32,
        alpha: Score,
    ) -> Skip {
        if pick.class > CellClass::Four {
            return Skip::None;
        }
        let params = &self.params;
        let threat = pick.class >= CellClass::OpenThree;
        // Move-count pruning: ordering is good, late moves at low depth hardly ever matter.
        let full = params.move_count_base
            + params.move_count_step * depth
            + params.move_count_square * depth * depth;
        let share = 2 - i32::from(node.improving);
        let late = count * 8 > full * (1 + 2 * i32::from(threat)) / share;
        let margin = if threat { params.threat_margin } else { 0 };
        // Futility: a move gains little at once.
        let futile = depth <= params.futility_depth
            && !score::is_decided(alpha)
            && node.eval + params.futility_base + params.futility_step * depth + margin <= alpha;
        // Policy pruning: moves that self-play hardly ever chose.
        let gap = params.policy_prune_base + params.policy_prune_step * depth + margin;
        if late || futile {
            if threat { Skip::This } else { Skip::Quiet }
        } else if pick.gap > gap {
            Skip::This
        } else {
            Skip::None
        }
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
    /// Is it away from the last stones?
    pub(super) far: bool,
    /// Is the evaluation better than two plies ago?
    pub(super) improving: bool,
    /// Has another move raised alpha on the principal variation?
    pub(super) after_alpha: bool,
    /// Has the node ever been on the principal variation?
    pub(super) was_pv: bool,
}

impl LateMove {
    /// Plies to take off for move number `count` (from 1) of a node at `depth`.
    pub(super) fn reduction(
        &self,
        params: &Params,
        depth: i32,
        count: i32,
        pv: bool,
        cut_node: bool,
    ) -> i32 {
        let logs = log2_256(depth) * log2_256(count) / 256;
        let when = |condition: bool, value: i32| if condition { value } else { 0 };
        let gap = params.lmr_gap_slope * (self.gap - params.lmr_gap_pivot);
        let reduction = params.lmr_base
            + params.lmr_factor * logs / 256
            + gap.clamp(-params.lmr_gap_limit, params.lmr_gap_limit)
            + when(cut_node, params.lmr_cut)
            + when(self.far, params.lmr_far)
            + when(self.after_alpha && depth < 12, params.lmr_alpha)
            - when(pv, params.lmr_pv)
            - when(self.was_pv, params.lmr_was_pv)
            - when(self.threat, params.lmr_threat)
            - when(self.improving, params.lmr_improving)
            - 1024 * self.history / params.lmr_history;
        (reduction / 1024).clamp(0, depth - 1)
    }
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
