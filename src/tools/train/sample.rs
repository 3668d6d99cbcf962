//! From a game to losses and gradients.

use std::fmt;
use std::sync::Arc;

use super::model::{self, Gradient, Model, VALUE_UNIT};
use crate::board::Board;
use crate::eval;
use crate::pattern::{CellClass, RuleTables, line, pack_codes};
use crate::tools::games::{GameRecord, NO_SCORE};
use crate::types::{Color, Point, score};

/// Sums of losses over positions.
#[derive(Clone, Copy, Default)]
pub struct Losses {
    pub positions: u64,
    /// Cross-entropy of the value against its target.
    value: f64,
    /// Cross-entropy of the value against the result alone.
    result: f64,
    /// Squared difference to the search's win rate.
    search: f64,
    policies: u64,
    policy: f64,
    top1: u64,
    top5: u64,
}

impl Losses {
    pub fn add(&mut self, other: &Losses) {
        self.positions += other.positions;
        self.value += other.value;
        self.result += other.result;
        self.search += other.search;
        self.policies += other.policies;
        self.policy += other.policy;
        self.top1 += other.top1;
        self.top5 += other.top5;
    }
}

impl fmt::Display for Losses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (n, p) = (self.positions.max(1) as f64, self.policies.max(1) as f64);
        write!(
            f,
            "{} positions  value {:.4}  result {:.4}  to search {:.4}  policy {:.4}  top1 {:.1} %  top5 {:.1} %",
            self.positions,
            self.value / n,
            self.result / n,
            self.search / n,
            self.policy / p,
            100.0 * self.top1 as f64 / p,
            100.0 * self.top5 as f64 / p,
        )
    }
}

/// What turns games into gradients.
pub struct Trainee {
    pub tables: Arc<RuleTables>,
    pub result_share: f32,
}

/// The indices of one cell's weights, from the tables' beginnings.
struct Cell {
    pairs: [usize; 4],
    own: usize,
    other: usize,
}

impl Cell {
    fn new(classes: u32, mover: Color) -> Cell {
        let pairs = classes.to_le_bytes().map(|pair| {
            let pair = usize::from(pair);
            if mover == Color::Black {
                pair
            } else {
                pair >> 4 | (pair & 15) << 4
            }
        });
        let (black, white) = (pack_codes(classes), pack_codes(classes >> 4));
        let (own, other) = if mover == Color::Black {
            (black, white)
        } else {
            (white, black)
        };
        Cell { pairs, own, other }
    }

    fn sum(&self, set: &[f32], pair: usize, own: usize, other: usize) -> f32 {
        self.pairs.iter().map(|p| set[pair + p]).sum::<f32>()
            + set[own + self.own]
            + set[other + self.other]
    }

    fn spread(&self, set: &mut [f32], pair: usize, own: usize, other: usize, gradient: f32) {
        for p in self.pairs {
            set[pair + p] += gradient;
        }
        set[own + self.own] += gradient;
        set[other + self.other] += gradient;
    }
}

impl Trainee {
    /// Adds the losses and gradients of the quiet positions of `game`.
    pub fn learn(
        &self,
        model: &Model,
        game: &GameRecord,
        gradient: &mut Gradient,
        losses: &mut Losses,
    ) {
        let mut board = Board::new(Arc::clone(&self.tables), game.size);
        for (point, searched) in &game.moves {
            if !board.is_empty(*point) {
                return;
            }
            if *searched != NO_SCORE && is_quiet(&board) {
                let mover = board.side();
                let set = if model.sets.len() == 1 {
                    0
                } else {
                    mover.index()
                };
                let (weights, gradient) = (&model.sets[set], &mut gradient.sets[set]);
                let won = game
                    .winner
                    .map_or(0.5, |winner| f32::from(u8::from(winner == mover)));
                self.learn_value(weights, &board, *searched, won, gradient, losses);
                self.learn_policy(weights, &board, *point, gradient, losses);
            }
            board.make(*point);
        }
    }

    fn learn_value(
        &self,
        weights: &[f32],
        board: &Board,
        searched: i16,
        won: f32,
        gradient: &mut [f32],
        losses: &mut Losses,
    ) {
        use model::{OTHER_CODE_VALUE, OWN_CODE_VALUE, THREAT, VALUE};
        let mask = THREAT + eval::threat_mask(board);
        let cells: Vec<Cell> = board
            .empties()
            .iter()
            .map(|point| Cell::new(board.line_classes(point), board.side()))
            .collect();
        let logit = weights[mask]
            + cells
                .iter()
                .map(|cell| cell.sum(weights, VALUE, OWN_CODE_VALUE, OTHER_CODE_VALUE))
                .sum::<f32>();
        let guess = sigmoid(logit);
        let search = match score::is_decided(searched.into()) {
            true => f32::from(u8::from(searched > 0)),
            false => sigmoid(f32::from(searched) / VALUE_UNIT),
        };
        let target = self.result_share * won + (1.0 - self.result_share) * search;
        let slope = guess - target;
        gradient[mask] += slope;
        for cell in &cells {
            cell.spread(gradient, VALUE, OWN_CODE_VALUE, OTHER_CODE_VALUE, slope);
        }
        losses.positions += 1;
        losses.value += cross_entropy(guess, target);
        losses.result += cross_entropy(guess, won);
        losses.search += f64::from((guess - search) * (guess - search));
    }

    fn learn_policy(
        &self,
        weights: &[f32],
        board: &Board,
        played: Point,
        gradient: &mut [f32],
        losses: &mut Losses,
    ) {
        use model::{LINE_POLICY, OTHER_CODE_POLICY, OWN_CODE_POLICY, POLICY};
        let points: Vec<Point> = board.candidates().iter().collect();
        let Some(chosen) = points.iter().position(|point| *point == played) else {
            return;
        };
        let cells: Vec<Cell> = points
            .iter()
            .map(|point| Cell::new(board.line_classes(*point), board.side()))
            .collect();
        let lines: Vec<[usize; 4]> = points
            .iter()
            .map(|point| lines_of_mover(board, *point))
            .collect();
        let logits: Vec<f32> = cells
            .iter()
            .zip(&lines)
            .map(|(cell, lines)| {
                let whole: f32 = lines.iter().map(|line| weights[LINE_POLICY + line]).sum();
                whole + cell.sum(weights, POLICY, OWN_CODE_POLICY, OTHER_CODE_POLICY)
            })
            .collect();
        let highest = logits.iter().copied().fold(f32::MIN, f32::max);
        let total: f32 = logits.iter().map(|logit| (logit - highest).exp()).sum();
        let better = logits
            .iter()
            .filter(|logit| **logit > logits[chosen])
            .count();
        for (at, cell) in cells.iter().enumerate() {
            let share = (logits[at] - highest).exp() / total;
            let slope = share - f32::from(u8::from(at == chosen));
            cell.spread(gradient, POLICY, OWN_CODE_POLICY, OTHER_CODE_POLICY, slope);
            for line in lines[at] {
                gradient[LINE_POLICY + line] += slope;
            }
        }
        losses.policies += 1;
        losses.policy -= f64::from(logits[chosen] - highest - total.ln());
        losses.top1 += u64::from(better == 0);
        losses.top5 += u64::from(better < 5);
    }
}

/// The lines through a point as the trainer numbers them: the mover as Black, mirror images as
/// one.
fn lines_of_mover(board: &Board, point: Point) -> [usize; 4] {
    board.line_indices(point).map(|index| {
        let index = match board.side() {
            Color::Black => index as usize,
            Color::White => line::color_swapped(index as usize),
        };
        index.min(line::mirrored(index))
    })
}

/// Can the evaluation be asked here? Wins and forced replies are settled before it.
fn is_quiet(board: &Board) -> bool {
    let side = board.side();
    let count = |color: Color, class| board.count_of(color, class);
    count(side, CellClass::Five) == 0
        && count(side, CellClass::OpenFour) == 0
        && count(side.opponent(), CellClass::Five) == 0
}

fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

fn cross_entropy(guess: f32, target: f32) -> f64 {
    let guess = f64::from(guess).clamp(1e-6, 1.0 - 1e-6);
    let target = f64::from(target);
    -(target * guess.ln() + (1.0 - target) * (1.0 - guess).ln())
}
