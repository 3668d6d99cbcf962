//! All numbers of the search, with unit and reason. Scores are in score units (see
//! [`types::score`](crate::types::score)), depths in plies.

use crate::types::Score;

/// Deepest ply of a search line, extensions and quiescence included.
pub const MAX_PLY: usize = 256;
/// Deepest iteration.
pub const MAX_DEPTH: i32 = 99;

/// Half width of the first aspiration window.
pub const ASPIRATION: Score = 30;
/// First depth searched with an aspiration window.
pub const ASPIRATION_DEPTH: i32 = 4;

/// Nodes between looks at the clock; at 1 M nodes a second that is about half a millisecond.
pub const CLOCK_NODES: u64 = 512;

/// Nodes of the search by fours before the first iteration.
pub const ROOT_FOURS_NODES: u64 = 20_000;

/// Razoring: below this distance under alpha, at depth 1 and per ply more, only forcing play is
/// tried.
pub const RAZOR_BASE: Score = 120;
/// See [`RAZOR_BASE`].
pub const RAZOR_STEP: Score = 80;
/// Deepest razored node.
pub const RAZOR_DEPTH: i32 = 3;

/// Reverse futility: an evaluation this far above beta per ply is trusted.
pub const REVERSE_FUTILITY: Score = 75;
/// Deepest node for it.
pub const REVERSE_FUTILITY_DEPTH: i32 = 7;

/// Futility: quiet moves are skipped when the evaluation is this far below alpha.
pub const FUTILITY_BASE: Score = 80;
/// Per ply of reduced depth.
pub const FUTILITY_STEP: Score = 70;
/// Deepest node for it.
pub const FUTILITY_DEPTH: i32 = 6;

/// Move-count pruning: moves searched at depth `d` before the rest is skipped, in 1/8 moves:
/// `base + d * step + d * d * square`, half of it when the evaluation is not improving.
pub const MOVE_COUNT_BASE: i32 = 32;
/// See [`MOVE_COUNT_BASE`].
pub const MOVE_COUNT_STEP: i32 = 10;
/// See [`MOVE_COUNT_BASE`].
pub const MOVE_COUNT_SQUARE: i32 = 1;

/// Late move reduction in 1/1024 ply: constant part.
pub const LMR_BASE: i32 = 200;
/// Factor on the product of the binary logarithms of depth and move number, in 1/1024 ply.
pub const LMR_FACTOR: i32 = 420;
/// Reduction at an expected cut node, in 1/1024 ply.
pub const LMR_CUT: i32 = 1200;
/// Taken off on the principal variation.
pub const LMR_PV: i32 = 900;
/// Taken off for moves that make a three or a four.
pub const LMR_THREAT: i32 = 900;
/// Policy gap at which a move is reduced neither more nor less, in policy points.
pub const LMR_GAP_PIVOT: i32 = 160;
/// Reduction per policy point of gap beyond the pivot, in 1/1024 ply.
pub const LMR_GAP_SLOPE: i32 = 5;
/// Largest effect of the gap either way, in 1/1024 ply.
pub const LMR_GAP_LIMIT: i32 = 1600;
/// Quiet moves with a policy gap beyond `base + step * depth` are skipped.
pub const POLICY_PRUNE_BASE: i32 = 260;
/// See [`POLICY_PRUNE_BASE`].
pub const POLICY_PRUNE_STEP: i32 = 40;
/// History points for one ply less.
pub const LMR_HISTORY: i32 = 6000;

/// Largest absolute history value.
pub const HISTORY_LIMIT: i32 = 8192;
/// Divides history into policy points for ordering.
pub const HISTORY_ORDER: i32 = 96;
/// Ordering bonus of a killer, in policy points.
pub const KILLER_ORDER: i32 = 60;

/// Deepest quiescence in own stones.
pub const FOURS_PLY: i32 = 14;
