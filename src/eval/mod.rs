//! L4: what a position is worth when nothing is proven: the linear sums the board keeps, a term
//! for who has which threats at hand, and a small net over the lines of all cells.

mod net;
mod net_file;
pub mod tuned;

use crate::board::Board;
use crate::pattern::{CellClass, LinearWeights, MoverWeights, VALUE_SHIFT, pack_codes};
use crate::rules::RuleSpec;
use crate::types::score::{self, Score};
use crate::types::{Color, PerColor, Point};
use net::Accumulator;
use tuned::WeightFile;

/// The weights for a rule.
pub fn weights(spec: &RuleSpec) -> LinearWeights {
    linear(&tuned::for_rule(spec))
}

/// The weights for a rule: those of `file` if it is for this rule, else the program's own.
pub fn weights_from(file: Option<&WeightFile>, spec: &RuleSpec) -> LinearWeights {
    match file.filter(|file| file.rule == spec.code) {
        Some(file) => linear(&file.movers()),
        None => weights(spec),
    }
}

fn linear([black, white]: &[MoverWeights; 2]) -> LinearWeights {
    LinearWeights::new(PerColor([black, white]))
}

/// The score of the position for the side to move, strictly inside
/// [`EVAL_LIMIT`](score::EVAL_LIMIT).
pub fn evaluate(board: &Board) -> Score {
    Evaluator::default().evaluate(board)
}

/// Evaluates one position after another. What it knows of the last serves the next, so it is
/// cheap where they differ by a few stones, as in a search; the rule and the size must stay.
#[derive(Default)]
pub struct Evaluator {
    features: Option<Accumulator>,
}

impl Evaluator {
    /// Makes it ready for a board of another rule or size.
    pub fn reset(&mut self) {
        self.features = None;
    }

    /// The score of the position for the side to move.
    pub fn evaluate(&mut self, board: &Board) -> Score {
        self.evaluate_with(board, threat_mask(board))
    }

    /// As [`Evaluator::evaluate`], for a board whose [`threat_mask`] is known.
    pub fn evaluate_with(&mut self, board: &Board, mask: usize) -> Score {
        let net = board.tables().net.as_ref().map_or(0, |net| {
            let features = self
                .features
                .get_or_insert_with(|| Accumulator::new(net, board));
            features.evaluate(net, board)
        });
        let threats = &board.tables().weights.threat[board.side()];
        let linear = (board.value() >> VALUE_SHIFT) + Score::from(threats[mask]);
        let limit = score::EVAL_LIMIT - 1;
        (linear + net).clamp(-limit, limit)
    }
}

/// Twelve facts about the threats at hand as bits: the low six for the side to move, the high
/// six for its opponent, from weak to strong (open three, double three, four, four with more,
/// four and three, open four).
pub fn threat_mask(board: &Board) -> usize {
    const CLASSES: [CellClass; 6] = [
        CellClass::OpenThree,
        CellClass::DoubleThree,
        CellClass::Four,
        CellClass::FourPlus,
        CellClass::FourThree,
        CellClass::OpenFour,
    ];
    let facts = |color: Color| {
        CLASSES.iter().enumerate().fold(0, |mask, (bit, class)| {
            mask | usize::from(board.count_of(color, *class) != 0) << bit
        })
    };
    facts(board.side()) | facts(board.side().opponent()) << 6
}

/// How much the side to move wants to play on the empty `point`, before any search.
#[inline]
pub fn policy(board: &Board, point: Point) -> i32 {
    let classes = board.line_classes(point);
    let weights = &board.tables().weights;
    let codes = &weights.code_policy[board.side()];
    let lines = &weights.line_policy[board.side()];
    let sum: i32 = board
        .line_indices(point)
        .iter()
        .map(|index| i32::from(lines[*index as usize]))
        .sum();
    sum + i32::from(weights.cell_policy[board.side()][board.cell_pair(point)])
        + i32::from(codes[Color::Black][pack_codes(classes)])
        + i32::from(codes[Color::White][pack_codes(classes >> 4)])
}

/// Chance to win for a score, 0 to 1: what people are shown, time is planned by and tables are
/// trained on. The search itself never asks.
pub fn win_rate(score: Score) -> f64 {
    if score::is_win(score) {
        1.0
    } else if score::is_loss(score) {
        0.0
    } else {
        1.0 / (1.0 + (-f64::from(score) / f64::from(score::LOG_ODDS)).exp())
    }
}
