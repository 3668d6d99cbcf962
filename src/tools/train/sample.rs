//! From a game to losses and gradients.

use std::fmt;
use std::sync::Arc;

use super::model::{self, Gradient, Model};
use super::net::{NetGradient, Nets};
use crate::board::Board;
use crate::eval;
use crate::pattern::{CellClass, RuleTables, line, pack_codes, swapped_pair};
use crate::tools::games::{GameRecord, NO_SCORE};
use crate::types::{Color, Point};

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
    /// Sum of the targets of the value.
    target: f64,
    policies: u64,
    policy: f64,
    /// Logarithms of how many moves there were to choose from.
    choice: f64,
    top1: u64,
    top5: u64,
}

impl Losses {
    pub fn add(&mut self, other: &Losses) {
        self.positions += other.positions;
        self.value += other.value;
        self.result += other.result;
        self.search += other.search;
        self.target += other.target;
        self.policies += other.policies;
        self.policy += other.policy;
        self.choice += other.choice;
        self.top1 += other.top1;
        self.top5 += other.top5;
    }

    fn add_value(&mut self, guess: f32, label: &Label) {
        self.positions += 1;
        self.value += cross_entropy(guess, label.target);
        self.target += f64::from(label.target);
        self.result += cross_entropy(guess, label.won);
        self.search += f64::from((guess - label.searched).powi(2));
    }

    /// What weights would lose that say the same of all positions and of all moves: the cross-
    /// entropies of value and policy.
    fn of_guessing(&self) -> (f64, f64) {
        let mean = self.target / self.positions.max(1) as f64;
        let value = cross_entropy(mean as f32, mean as f32);
        (value, self.choice / self.policies.max(1) as f64)
    }

    /// Cross-entropy of the value.
    pub fn value(&self) -> f64 {
        self.value / self.positions.max(1) as f64
    }

    /// One line for people and scripts: what was lost, and what guessing would have lost.
    pub fn summary(&self) -> String {
        let (value, policy) = self.of_guessing();
        format!(
            "held out: value {:.4} (guessing {value:.4})  policy {:.4} (guessing {policy:.4})",
            self.value(),
            self.policy / self.policies.max(1) as f64,
        )
    }
}

impl fmt::Display for Losses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (n, p) = (self.positions.max(1) as f64, self.policies.max(1) as f64);
        write!(
            f,
            "{} positions  value {:.4}  result {:.4}  to search {:.4}  policy {:.4}  top1 {:.1} %  top5 {:.1} %",
            self.positions,
            self.value(),
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
    /// Share of what follows in the target of a ply; see [`targets`].
    pub lambda: f32,
}

/// What a position is worth to the side to move, as chances to win.
struct Label {
    /// By the result of the game.
    won: f32,
    /// By the search that chose the move.
    searched: f32,
    /// What the value is trained on.
    target: f32,
}

/// The targets of all plies of a game as chances of Black's: the lambda-return (Sutton 1988).
/// From the end backwards a target is `1 - lambda` of what the search said and `lambda` of the
/// target one ply later, at last the result. Near the end the result speaks; far from it, where
/// it says little about the position, the searches of the next plies do, and their noise
/// averages out.
fn targets(game: &GameRecord, lambda: f32) -> Vec<f32> {
    let mut target = won(game, Color::Black);
    let mut targets: Vec<f32> = game
        .moves
        .iter()
        .enumerate()
        .rev()
        .map(|(ply, (_, searched))| {
            if *searched != NO_SCORE {
                let now = seen_by(Color::of_ply(ply), win_rate(*searched));
                target = (1.0 - lambda) * now + lambda * target;
            }
            target
        })
        .collect();
    targets.reverse();
    targets
}

/// Black's chance as `mover` sees it, and the other way round.
fn seen_by(mover: Color, chance: f32) -> f32 {
    match mover {
        Color::Black => chance,
        Color::White => 1.0 - chance,
    }
}

fn won(game: &GameRecord, color: Color) -> f32 {
    game.winner
        .map_or(0.5, |winner| f32::from(u8::from(winner == color)))
}

/// The chance to win that a score of the search stands for.
fn win_rate(searched: i16) -> f32 {
    eval::win_rate(searched.into()) as f32
}

/// Where the tables of the value or of the policy begin.
struct Places {
    pair: usize,
    own: usize,
    other: usize,
    cell: usize,
}

const VALUE_PLACES: Places = Places {
    pair: model::VALUE,
    own: model::OWN_CODE_VALUE,
    other: model::OTHER_CODE_VALUE,
    cell: model::CELL_VALUE,
};

const POLICY_PLACES: Places = Places {
    pair: model::POLICY,
    own: model::OWN_CODE_POLICY,
    other: model::OTHER_CODE_POLICY,
    cell: model::CELL_POLICY,
};

/// The indices of one cell's weights, from the tables' beginnings.
struct Cell {
    pairs: [usize; 4],
    own: usize,
    other: usize,
    cell: usize,
}

impl Cell {
    fn new(board: &Board, point: Point) -> Cell {
        let (classes, cell) = (board.line_classes(point), board.cell_pair(point));
        let pairs = classes.to_le_bytes().map(usize::from);
        let (black, white) = (pack_codes(classes), pack_codes(classes >> 4));
        match board.side() {
            Color::Black => Cell {
                pairs,
                own: black,
                other: white,
                cell,
            },
            Color::White => Cell {
                pairs: pairs.map(swapped_pair),
                own: white,
                other: black,
                cell: swapped_pair(cell),
            },
        }
    }

    /// Where its weights are.
    fn weights(&self, at: &Places) -> [usize; 7] {
        let [a, b, c, d] = self.pairs.map(|pair| at.pair + pair);
        let (own, other) = (at.own + self.own, at.other + self.other);
        [a, b, c, d, own, other, at.cell + self.cell]
    }

    fn sum(&self, set: &[f32], at: &Places) -> f32 {
        self.weights(at).iter().map(|weight| set[*weight]).sum()
    }

    fn spread(&self, set: &mut [f32], at: &Places, gradient: f32) {
        for weight in self.weights(at) {
            set[weight] += gradient;
        }
    }
}

impl Trainee {
    /// Adds the losses and gradients of the quiet positions of `game`.
    pub fn learn(
        &self,
        (model, nets): (&Model, &Nets),
        game: &GameRecord,
        (gradient, net_gradient): &mut (Gradient, &mut NetGradient),
        losses: &mut Losses,
    ) {
        let mut board = Board::new(Arc::clone(&self.tables), game.size);
        let targets = targets(game, self.lambda);
        for ((point, searched), target) in game.moves.iter().zip(targets) {
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
                let label = label(game, mover, *searched, target);
                let pass = nets.forward(&board);
                let slope = learn_value(weights, &board, &label, pass.logit, gradient, losses);
                nets.backward(&pass, slope, net_gradient);
                learn_policy(weights, &board, *point, gradient, losses);
            }
            board.make(*point);
        }
    }
}

fn learn_value(
    weights: &[f32],
    board: &Board,
    label: &Label,
    net: f32,
    gradient: &mut [f32],
    losses: &mut Losses,
) -> f32 {
    let mask = model::THREAT + eval::threat_mask(board);
    let cells: Vec<Cell> = board
        .empties()
        .iter()
        .map(|point| Cell::new(board, point))
        .collect();
    let logit = net
        + weights[mask]
        + cells
            .iter()
            .map(|cell| cell.sum(weights, &VALUE_PLACES))
            .sum::<f32>();
    let guess = sigmoid(logit);
    let slope = guess - label.target;
    gradient[mask] += slope;
    for cell in &cells {
        cell.spread(gradient, &VALUE_PLACES, slope);
    }
    losses.add_value(guess, label);
    slope
}

/// The losses of the value as the engine computes it.
pub fn check_value(tables: &Arc<RuleTables>, lambda: f32, games: &[GameRecord]) -> Losses {
    let mut losses = Losses::default();
    for game in games {
        let mut board = Board::new(Arc::clone(tables), game.size);
        let mut evaluator = eval::Evaluator::default();
        for ((point, searched), target) in game.moves.iter().zip(targets(game, lambda)) {
            if !board.is_empty(*point) {
                break;
            }
            if *searched != NO_SCORE && is_quiet(&board) {
                let guess = eval::win_rate(evaluator.evaluate(&board)) as f32;
                losses.add_value(guess, &label(game, board.side(), *searched, target));
            }
            board.make(*point);
        }
    }
    losses
}

fn label(game: &GameRecord, mover: Color, searched: i16, target: f32) -> Label {
    Label {
        won: won(game, mover),
        searched: win_rate(searched),
        target: seen_by(mover, target),
    }
}

fn learn_policy(
    weights: &[f32],
    board: &Board,
    played: Point,
    gradient: &mut [f32],
    losses: &mut Losses,
) {
    use model::LINE_POLICY;
    let points: Vec<Point> = board.candidates().iter().collect();
    let Some(chosen) = points.iter().position(|point| *point == played) else {
        return;
    };
    let cells: Vec<Cell> = points
        .iter()
        .map(|point| Cell::new(board, *point))
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
            whole + cell.sum(weights, &POLICY_PLACES)
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
        cell.spread(gradient, &POLICY_PLACES, slope);
        for line in lines[at] {
            gradient[LINE_POLICY + line] += slope;
        }
    }
    losses.policies += 1;
    losses.choice += (points.len() as f64).ln();
    losses.policy -= f64::from(logits[chosen] - highest - total.ln());
    losses.top1 += u64::from(better == 0);
    losses.top5 += u64::from(better < 5);
}

/// The lines through a point as the trainer numbers them: the mover as Black, mirror images as
/// one.
fn lines_of_mover(board: &Board, point: Point) -> [usize; 4] {
    board.line_indices(point).map(|index| {
        let index = match board.side() {
            Color::Black => index as usize,
            Color::White => line::color_swapped(index as usize),
        };
        line::lower(index)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::BoardSize;

    #[test]
    fn targets_lie_between_the_searches_to_come_and_the_result() {
        let scores = [NO_SCORE, 0, 200, -200, 20_000];
        let game = GameRecord {
            number: 0,
            rule: 0,
            size: BoardSize::STANDARD,
            opening: 1,
            winner: Some(Color::Black),
            moves: scores
                .into_iter()
                .zip(0..)
                .map(|(score, x)| (Point::new(x, 0), score))
                .collect(),
        };
        assert_eq!(targets(&game, 1.0), [1.0; 5]);
        let good = sigmoid(1.0);
        // White moves at plies 1 and 3; the opening has the target of what follows it.
        let alone = targets(&game, 0.0);
        assert_eq!(alone, [0.5, 0.5, good, 1.0 - sigmoid(-1.0), 1.0]);
        let half = targets(&game, 0.5);
        let third = 0.5 * good + 0.5;
        let second = 0.5 * good + 0.5 * third;
        assert_eq!(half[3..], [third, 1.0]);
        assert_eq!(half[2], second);
        assert_eq!(half[..2], [0.25 + 0.5 * second; 2]);
    }
}
