//! All numbers of the search, with unit, reason and the range in which tuning may look for
//! better ones. Scores are in score units (see [`types::score`](crate::types::score)), depths in
//! plies, reductions in 1/1024 ply, policy in points of 1/64 natural logarithm of odds.
//!
//! [`Params::for_rule`] gives the numbers of a rule: the defaults below, changed where
//! [`RULES`] says so.

use crate::rules::RuleSpec;

/// Deepest ply of a search line, extensions and quiescence included.
pub const MAX_PLY: usize = 256;
/// Deepest iteration.
pub const MAX_DEPTH: i32 = 99;
/// Nodes between looks at the clock; at 1 M nodes a second that is about half a millisecond.
pub const CLOCK_NODES: u64 = 512;
/// Nodes of the search by fours before the first iteration.
pub const ROOT_FOURS_NODES: u64 = 20_000;
/// Nodes of the search by fours at a leaf.
pub const LEAF_FOURS_NODES: u64 = 5_000;
/// Largest absolute history value.
pub const HISTORY_LIMIT: i32 = 8192;
/// Deepest quiescence in own stones.
pub const FOURS_PLY: i32 = 14;

/// A number of the search as tuning sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Param {
    /// Name of the field in [`Params`].
    pub name: &'static str,
    /// Value unless a rule has its own.
    pub default: i32,
    /// Smallest value that makes sense.
    pub min: i32,
    /// Largest value that makes sense.
    pub max: i32,
}

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident: $default:literal in $min:literal..=$max:literal;)*) => {
        /// The numbers of the search under one rule.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct Params {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Params {
            /// What can be tuned.
            pub const ALL: &'static [Param] = &[
                $(Param { name: stringify!($name), default: $default, min: $min, max: $max },)*
            ];

            /// The numbers before any rule changes them.
            pub const DEFAULT: Params = Params { $($name: $default,)* };

            /// The number called `name`.
            pub fn get_mut(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }
        }
    };
}

params! {
    /// Half width of the first aspiration window.
    aspiration: 10 in 4..=120;
    /// First depth searched with an aspiration window.
    aspiration_depth: 4 in 2..=8;

    /// Razoring: below this distance under alpha, at depth 0 and per ply more, only forcing
    /// play is tried.
    razor_base: 62 in 20..=400;
    /// See `razor_base`.
    razor_step: 41 in 10..=300;
    /// Deepest razored node.
    razor_depth: 2 in 0..=8;

    /// Reverse futility: an evaluation this far above beta per ply is trusted.
    reverse_futility: 65 in 20..=200;
    /// Deepest node for it.
    reverse_futility_depth: 14 in 2..=14;

    /// Plies for which it asks no margin.
    reverse_futility_free: 1 in 0..=3;

    /// At an expected cut node that stands this far above beta, at depth 0 and per ply more,
    /// quiet moves are searched a ply less.
    fail_high_base: -112 in -200..=3000;
    /// See `fail_high_base`.
    fail_high_step: 4 in 0..=100;

    /// Futility: quiet moves are skipped when the evaluation is this far below alpha.
    futility_base: 91 in 0..=300;
    /// Per ply of depth.
    futility_step: 64 in 20..=200;
    /// Deepest node for it.
    futility_depth: 6 in 2..=14;

    /// Move-count pruning: moves searched at depth `d` before the rest is skipped, in 1/8
    /// moves: `base + d * step + d * d * square`, half of it when not improving.
    move_count_base: 23 in 4..=80;
    /// See `move_count_base`.
    move_count_step: 6 in 2..=40;
    /// See `move_count_base`.
    move_count_square: 1 in 0..=8;

    /// Late move reduction: constant part.
    lmr_base: 330 in -1000..=2000;
    /// Factor on the product of the binary logarithms of depth and move number.
    lmr_factor: 539 in 150..=900;
    /// At an expected cut node.
    lmr_cut: 1427 in 0..=3000;
    /// Taken off on the principal variation.
    lmr_pv: 900 in 0..=3000;
    /// Taken off for moves that make a three or a four.
    lmr_threat: 659 in -500..=3000;
    /// Taken off while the evaluation improves; below zero, for then the move hardly matters.
    lmr_improving: -361 in -500..=2000;
    /// For a move far from both last stones.
    lmr_far: 599 in 0..=2500;
    /// Policy gap at which a move is reduced neither more nor less, in policy points.
    lmr_gap_pivot: 160 in 20..=400;
    /// Per policy point of gap beyond the pivot.
    lmr_gap_slope: 6 in 0..=16;
    /// Largest effect of the gap either way.
    lmr_gap_limit: 1600 in 0..=4000;
    /// History points for one ply less.
    lmr_history: 6000 in 2000..=20000;
    /// Once a move has raised alpha on the principal variation, the rest is reduced by this.
    lmr_alpha: 712 in 0..=2000;

    /// Taken off at a node that was once on the principal variation.
    lmr_was_pv: 84 in 0..=3000;
    /// A reduced move that beats alpha by this, and by `deeper_step` more per ply taken off, is
    /// searched again a ply deeper than it would have been.
    deeper_base: 93 in 0..=3000;
    /// See `deeper_base`.
    deeper_step: 10 in 0..=60;

    /// On the principal variation: what a known move from a less deep search takes off, in
    /// 1/1024 ply for each ply it lacks.
    stale_step: 285 in 0..=800;
    /// Largest effect of `stale_step`, in plies.
    stale_limit: 3 in 1..=5;

    /// Share of the learned correction in the evaluation, in 1/1024.
    correction: 478 in 0..=2048;

    /// Quiet moves with a policy gap beyond `base + step * depth` are skipped.
    policy_prune_base: 176 in 60..=600;
    /// See `policy_prune_base`.
    policy_prune_step: 18 in 0..=120;

    /// How much more lenient futility and policy pruning are with threes and plain fours.
    threat_margin: 84 in 0..=500;

    /// Least depth at which a node without a known move is searched a ply less.
    reduce_unknown_depth: 4 in 2..=12;

    /// Least depth at which the known move is tested for being the only good one.
    singular_depth: 6 in 4..=12;
    /// How far below the known score, per ply, all others must stay.
    singular_margin: 4 in 1..=30;
    /// How much further below for two plies of extension.
    singular_double: 30 in 5..=200;

    /// Divides history into policy points for ordering.
    history_order: 28 in 24..=400;
    /// Divides the history of continuations into policy points for ordering.
    follow_order: 88 in 24..=400;
    /// Ordering bonus of a killer, in policy points.
    killer_order: 15 in 0..=200;
}

/// Where a rule wants other numbers than the rest.
const RULES: &[(&str, &[(&str, i32)])] = &[];

impl Params {
    /// The numbers for a rule.
    pub fn for_rule(spec: &RuleSpec) -> Params {
        let mut params = Params::DEFAULT;
        let own = RULES.iter().filter(|(rule, _)| *rule == spec.name);
        for (name, value) in own.flat_map(|(_, changes)| changes.iter()) {
            if let Some(number) = params.get_mut(name) {
                *number = *value;
            }
        }
        params
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::PRESETS;

    #[test]
    fn every_number_lies_in_its_range_and_every_change_names_one() {
        for param in Params::ALL {
            assert!(
                (param.min..=param.max).contains(&param.default),
                "{param:?}"
            );
        }
        for (rule, changes) in RULES {
            assert!(PRESETS.iter().any(|spec| spec.name == *rule));
            for (name, value) in *changes {
                let param = Params::ALL.iter().find(|param| param.name == *name);
                assert!(
                    param.is_some_and(|p| (p.min..=p.max).contains(value)),
                    "{name}"
                );
            }
        }
    }
}
