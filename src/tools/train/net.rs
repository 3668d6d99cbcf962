//! The small net in floating-point numbers: forward, backward, and its own Adam, which touches
//! only the rows of lines that a batch has met.

use super::model::{FIRST_DECAY, SECOND_DECAY};
use crate::board::Board;
use crate::pattern::line::{self, FAR, LINE_COUNT};
use crate::pattern::net::{
    ACTIVATION_UNIT, BIAS_LIMIT, CHANNELS, FEATURE_SHIFT, HIDDEN, HIDDEN_UNIT, LANES, LAYER_LIMIT,
    NetWeights, OUTPUT_UNIT, ROW_LIMIT, TOP,
};
use crate::pattern::{LineTable, swapped_pair};
use crate::types::{Color, score};

/// Highest value of a channel.
const HIGHEST: f32 = TOP as f32 / ACTIVATION_UNIT as f32;
/// Features are sums over some two hundred cells; this brings them to the size of one.
const FEATURE_SCALE: f32 = 1.0 / (1 << FEATURE_SHIFT) as f32;

/// Where each table begins in the flat array of a set's weights, rows by line apart.
const PAIRS: usize = 0;
const BIAS: usize = PAIRS + 256 * CHANNELS;
const INPUT: usize = BIAS + CHANNELS;
const INPUT_BIAS: usize = INPUT + HIDDEN * LANES;
const OUTPUT: usize = INPUT_BIAS + HIDDEN;
const DIRECT: usize = OUTPUT + HIDDEN;
const DENSE: usize = DIRECT + LANES;

type Channels = [f32; CHANNELS];

/// Numbers of one side: how it sees cells, and what it makes of the features when it moves.
#[derive(Clone)]
struct Set {
    dense: Vec<f32>,
    /// By line index as were the side Black, the lower of the two mirror images.
    rows: Vec<f32>,
}

/// Share of the batches that must have met a line for its row to be kept: the others say little
/// and would make half the file.
const MET_OFTEN: f32 = 1.0 / 200.0;

impl Set {
    fn zero() -> Set {
        Set {
            dense: vec![0.0; DENSE],
            rows: vec![0.0; LINE_COUNT * CHANNELS],
        }
    }

    fn row(&self, line: usize) -> &[f32] {
        &self.rows[line * CHANNELS..][..CHANNELS]
    }

    fn pair(&self, pair: usize) -> &[f32] {
        &self.dense[PAIRS + pair * CHANNELS..][..CHANNELS]
    }
}

/// One cell as both sides see it, the mover first.
struct Cell {
    pairs: [[u8; 4]; 2],
    lines: [[u32; 4]; 2],
}

/// The nets: one set for both sides, or Black's and White's.
pub struct Nets {
    /// What positions are seen by.
    sets: Vec<Set>,
    /// The same before rounding: what steps move.
    exact: Vec<Set>,
    is_rounded: bool,
    /// The pair of a line far from every stone and edge.
    far_pair: usize,
    /// Line index to the number of its row, for Black's and for White's view.
    rows_of: [Vec<u32>; 2],
}

/// What a pass forward leaves for the pass backward.
pub struct Pass {
    sets: [usize; 2],
    head: usize,
    cells: Vec<Cell>,
    before_clipping: Vec<[Channels; 2]>,
    features: [f32; LANES],
    hidden: [f32; HIDDEN],
    /// What the net adds to the value's log-odds.
    pub logit: f32,
}

impl Nets {
    /// Small random numbers from a fixed seed, the same for each set.
    pub fn new(sets: usize, table: &LineTable) -> Nets {
        let mut set = Set::zero();
        let mut rng = crate::types::rng::SplitMix64::new(1);
        let mut fill = |from: usize, to: usize, middle: f32, width: f32| {
            for weight in &mut set.dense[from..to] {
                let part = rng.below(1 << 20) as f32 / (1 << 20) as f32;
                *weight = middle + width * (part - 0.5);
            }
        };
        fill(PAIRS, BIAS, 0.0, 0.3);
        fill(BIAS, INPUT, 0.3, 0.2);
        fill(INPUT, INPUT_BIAS, 0.0, 0.5);
        fill(INPUT_BIAS, OUTPUT, 0.1, 0.0);
        fill(OUTPUT, DIRECT, 0.0, 0.2);
        let row = |index: usize| line::lower(index) as u32;
        Nets {
            exact: vec![set.clone(); sets],
            sets: vec![set; sets],
            is_rounded: false,
            far_pair: table.pair(FAR as u32).into(),
            rows_of: [
                (0..LINE_COUNT).map(row).collect(),
                (0..LINE_COUNT)
                    .map(|index| row(line::color_swapped(index)))
                    .collect(),
            ],
        }
    }

    /// The cells that count, as the side to move and its opponent see them.
    fn cells(&self, board: &Board) -> Vec<Cell> {
        let side = board.side();
        let cell = |point| {
            let black = board.line_classes(point).to_le_bytes();
            let white = black.map(|pair| swapped_pair(pair.into()) as u8);
            let indices = board.line_indices(point);
            let lines = [0, 1].map(|view| indices.map(|index| self.rows_of[view][index as usize]));
            match side {
                Color::Black => Cell {
                    pairs: [black, white],
                    lines,
                },
                Color::White => Cell {
                    pairs: [white, black],
                    lines: [lines[1], lines[0]],
                },
            }
        };
        board.empties().iter().map(cell).collect()
    }

    /// Channels of a cell far from everything, before they are clipped.
    fn far(&self, set: usize) -> Channels {
        let set = &self.sets[set];
        let (pair, row) = (set.pair(self.far_pair), set.row(FAR));
        std::array::from_fn(|k| set.dense[BIAS + k] + 4.0 * (pair[k] + row[k]))
    }

    /// What the net says of the position on the board.
    pub fn forward(&self, board: &Board) -> Pass {
        let head = (self.sets.len() - 1) * board.side().index();
        let other = (self.sets.len() - 1) * board.side().opponent().index();
        let mut pass = Pass {
            sets: [head, other],
            head,
            cells: self.cells(board),
            before_clipping: Vec::new(),
            features: [0.0; LANES],
            hidden: [0.0; HIDDEN],
            logit: 0.0,
        };
        let far = pass.sets.map(|set| self.far(set));
        for cell in &pass.cells {
            let mut both = [[0.0; CHANNELS]; 2];
            for (view, channels) in both.iter_mut().enumerate() {
                let set = &self.sets[pass.sets[view]];
                channels.copy_from_slice(&set.dense[BIAS..INPUT]);
                for direction in 0..4 {
                    let pair = set.pair(cell.pairs[view][direction].into());
                    let row = set.row(cell.lines[view][direction] as usize);
                    for k in 0..CHANNELS {
                        channels[k] += pair[k] + row[k];
                    }
                }
                let features = &mut pass.features[view * CHANNELS..][..CHANNELS];
                for k in 0..CHANNELS {
                    features[k] += clipped(channels[k]) - clipped(far[view][k]);
                }
            }
            pass.before_clipping.push(both);
        }
        for feature in &mut pass.features {
            *feature *= FEATURE_SCALE;
        }
        let dense = &self.sets[head].dense;
        for unit in 0..HIDDEN {
            let weights = &dense[INPUT + unit * LANES..][..LANES];
            let sum = dense[INPUT_BIAS + unit] + dot(weights, &pass.features);
            pass.hidden[unit] = sum.max(0.0);
        }
        pass.logit =
            dot(&dense[OUTPUT..DIRECT], &pass.hidden) + dot(&dense[DIRECT..DENSE], &pass.features);
        pass
    }

    /// Adds the gradient of a position whose loss falls by `slope` with the log-odds.
    pub fn backward(&self, pass: &Pass, slope: f32, gradient: &mut NetGradient) {
        let mut features = [0.0; LANES];
        let dense = &self.sets[pass.head].dense;
        let head = &mut gradient.sets[pass.head].dense;
        let mut spread = |weights: usize, slope: f32, head: &mut [f32]| {
            for lane in 0..LANES {
                head[weights + lane] += slope * pass.features[lane];
                features[lane] += slope * dense[weights + lane] * FEATURE_SCALE;
            }
        };
        spread(DIRECT, slope, head);
        for unit in 0..HIDDEN {
            head[OUTPUT + unit] += slope * pass.hidden[unit];
            if pass.hidden[unit] > 0.0 {
                let slope = slope * dense[OUTPUT + unit];
                head[INPUT_BIAS + unit] += slope;
                spread(INPUT + unit * LANES, slope, head);
            }
        }
        for view in 0..2 {
            let wanted: Channels = std::array::from_fn(|k| features[view * CHANNELS + k]);
            self.backward_view(pass, view, &wanted, &mut gradient.sets[pass.sets[view]]);
        }
    }

    /// The part of one side's view of the cells; `wanted` is the slope by the sum of its channels.
    fn backward_view(
        &self,
        pass: &Pass,
        view: usize,
        wanted: &Channels,
        gradient: &mut SetGradient,
    ) {
        let mut bias = [0.0; CHANNELS];
        for (cell, both) in pass.cells.iter().zip(&pass.before_clipping) {
            let slope: Channels = std::array::from_fn(|k| wanted[k] * open(both[view][k]));
            add(&mut bias, &slope);
            for direction in 0..4 {
                let pair = usize::from(cell.pairs[view][direction]);
                add(gradient.pair(pair), &slope);
                add(gradient.row(cell.lines[view][direction] as usize), &slope);
            }
        }
        let far = self.far(pass.sets[view]);
        let cells = pass.cells.len() as f32;
        let idle: Channels = std::array::from_fn(|k| -wanted[k] * cells * open(far[k]));
        add(&mut bias, &idle);
        let idle = idle.map(|slope| 4.0 * slope);
        add(gradient.pair(self.far_pair), &idle);
        add(gradient.row(FAR), &idle);
        add(&mut gradient.dense[BIAS..INPUT], &bias);
    }

    /// From now on sees positions as the engine will, with rounded numbers and without the rows
    /// of lines that were seldom met, so that the rest of the training makes up for both.
    pub fn round(&mut self, adam: &NetAdam) {
        if self.is_rounded {
            return;
        }
        self.is_rounded = true;
        let often = (adam.steps as f32 * MET_OFTEN) as u32;
        for (number, exact) in self.exact.iter_mut().enumerate() {
            for (row, met) in exact.rows.chunks_mut(CHANNELS).zip(&adam.met[number]) {
                if *met < often {
                    row.fill(0.0);
                }
            }
            let set = &mut self.sets[number];
            for (at, (shown, weight)) in set.dense.iter_mut().zip(&exact.dense).enumerate() {
                *shown = rounded(*weight, unit_of(at));
            }
            for (shown, weight) in set.rows.iter_mut().zip(&exact.rows) {
                *shown = rounded(*weight, Some(ACTIVATION_UNIT));
            }
        }
    }

    /// The nets in the units of the engine.
    pub fn quantised(&self) -> Vec<NetWeights> {
        self.sets.iter().map(quantised).collect()
    }
}

/// In which fractions the engine keeps the number at that place; `None` if fine ones.
fn unit_of(at: usize) -> Option<i32> {
    match at {
        ..INPUT => Some(ACTIVATION_UNIT),
        INPUT..INPUT_BIAS | DIRECT.. => Some(HIDDEN_UNIT),
        _ => None,
    }
}

fn rounded(weight: f32, unit: Option<i32>) -> f32 {
    unit.map_or(weight, |unit| (weight * unit as f32).round() / unit as f32)
}

fn quantised(set: &Set) -> NetWeights {
    let scaled = |weight: f32, unit: i32, limit: f32| {
        let units = weight * unit as f32;
        units.round().clamp(-limit, limit)
    };
    let row = |at: usize| scaled(set.dense[at], ACTIVATION_UNIT, ROW_LIMIT.into()) as i16;
    let layer = |at: usize| scaled(set.dense[at], HIDDEN_UNIT, LAYER_LIMIT.into()) as i16;
    let wide = |at: usize, unit: i32| scaled(set.dense[at], unit, BIAS_LIMIT as f32) as i32;
    let lines = (0..LINE_COUNT).filter_map(|line| {
        let exact = set.row(line);
        let row: [i8; CHANNELS] =
            std::array::from_fn(|k| scaled(exact[k], ACTIVATION_UNIT, 127.0) as i8);
        row.iter()
            .any(|value| *value != 0)
            .then_some((line as u32, row))
    });
    NetWeights {
        pairs: (0..256)
            .map(|pair| std::array::from_fn(|k| row(PAIRS + pair * CHANNELS + k)))
            .collect(),
        lines: lines.collect(),
        bias: std::array::from_fn(|k| row(BIAS + k)),
        hidden: (0..HIDDEN)
            .map(|unit| std::array::from_fn(|k| layer(INPUT + unit * LANES + k)))
            .collect(),
        hidden_bias: std::array::from_fn(|unit| {
            let unit_of_sum = (HIDDEN_UNIT * ACTIVATION_UNIT) << FEATURE_SHIFT;
            wide(INPUT_BIAS + unit, unit_of_sum)
        }),
        output: std::array::from_fn(|unit| wide(OUTPUT + unit, OUTPUT_UNIT * score::LOG_ODDS)),
        direct: std::array::from_fn(|k| layer(DIRECT + k)),
    }
}

fn clipped(channel: f32) -> f32 {
    channel.clamp(0.0, HIGHEST)
}

/// 1 where clipping lets a change through, else 0.
fn open(channel: f32) -> f32 {
    f32::from(u8::from(channel > 0.0 && channel < HIGHEST))
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add(sum: &mut [f32], part: &[f32]) {
    for (sum, part) in sum.iter_mut().zip(part) {
        *sum += part;
    }
}

/// Derivatives of the loss by the numbers of one set.
struct SetGradient {
    dense: Vec<f32>,
    rows: Vec<f32>,
    /// Rows that are not zero.
    touched: Vec<u32>,
    is_touched: Vec<bool>,
}

impl SetGradient {
    fn pair(&mut self, pair: usize) -> &mut [f32] {
        &mut self.dense[PAIRS + pair * CHANNELS..][..CHANNELS]
    }

    fn row(&mut self, line: usize) -> &mut [f32] {
        if !self.is_touched[line] {
            self.is_touched[line] = true;
            self.touched.push(line as u32);
        }
        &mut self.rows[line * CHANNELS..][..CHANNELS]
    }

    fn take_in(&mut self, other: &SetGradient) {
        add(&mut self.dense, &other.dense);
        for line in &other.touched {
            let line = *line as usize;
            add(self.row(line), &other.rows[line * CHANNELS..][..CHANNELS]);
        }
    }

    fn clear(&mut self) {
        self.dense.fill(0.0);
        for line in std::mem::take(&mut self.touched) {
            self.row(line as usize).fill(0.0);
            self.is_touched[line as usize] = false;
        }
        self.touched.clear();
    }
}

/// Derivatives of the loss, kept from batch to batch since they are large and mostly zero.
pub struct NetGradient {
    sets: Vec<SetGradient>,
}

impl NetGradient {
    pub fn new(nets: &Nets) -> NetGradient {
        let zero = |_: &Set| SetGradient {
            dense: vec![0.0; DENSE],
            rows: vec![0.0; LINE_COUNT * CHANNELS],
            touched: Vec::new(),
            is_touched: vec![false; LINE_COUNT],
        };
        NetGradient {
            sets: nets.sets.iter().map(zero).collect(),
        }
    }

    pub fn take_in(&mut self, other: &NetGradient) {
        for (set, other) in self.sets.iter_mut().zip(&other.sets) {
            set.take_in(other);
        }
    }

    pub fn clear(&mut self) {
        self.sets.iter_mut().for_each(SetGradient::clear);
    }
}

/// First and second moments of the gradient.
pub struct NetAdam {
    first: Vec<Set>,
    second: Vec<Set>,
    steps: i32,
    /// Batches that have met each line.
    met: Vec<Vec<u32>>,
}

/// Pull towards zero per step and unit of step size; rows only when they are met.
const DECAY: f32 = 0.01;
const ROW_DECAY: f32 = 0.2;

impl NetAdam {
    pub fn new(nets: &Nets) -> NetAdam {
        let zeros = || nets.sets.iter().map(|_| Set::zero()).collect();
        NetAdam {
            first: zeros(),
            second: zeros(),
            steps: 0,
            met: nets.sets.iter().map(|_| vec![0; LINE_COUNT]).collect(),
        }
    }

    /// Moves the weights against the mean gradient of `positions` positions.
    pub fn step(&mut self, nets: &mut Nets, gradient: &NetGradient, positions: u64, rate: f32) {
        self.steps += 1;
        let scale = 1.0 / positions.max(1) as f32;
        let fix =
            (1.0 - SECOND_DECAY.powi(self.steps)).sqrt() / (1.0 - FIRST_DECAY.powi(self.steps));
        let update = |weight: &mut f32, gradient: f32, first: &mut f32, second: &mut f32, decay| {
            let g = gradient * scale;
            *first = FIRST_DECAY * *first + (1.0 - FIRST_DECAY) * g;
            *second = SECOND_DECAY * *second + (1.0 - SECOND_DECAY) * g * g;
            *weight -= rate * (fix * *first / (second.sqrt() + 1e-8) + decay * *weight);
        };
        let is_rounded = nets.is_rounded;
        let shown = |weight: f32, unit: Option<i32>| match is_rounded {
            true => rounded(weight, unit),
            false => weight,
        };
        for (number, exact) in nets.exact.iter_mut().enumerate() {
            let set = &mut nets.sets[number];
            let (first, second) = (&mut self.first[number], &mut self.second[number]);
            let gradient = &gradient.sets[number];
            for at in 0..DENSE {
                let moments = (&mut first.dense[at], &mut second.dense[at]);
                let weight = &mut exact.dense[at];
                update(weight, gradient.dense[at], moments.0, moments.1, DECAY);
                set.dense[at] = shown(*weight, unit_of(at));
            }
            for line in &gradient.touched {
                self.met[number][*line as usize] += 1;
                let from = *line as usize * CHANNELS;
                for at in from..from + CHANNELS {
                    let moments = (&mut first.rows[at], &mut second.rows[at]);
                    let weight = &mut exact.rows[at];
                    update(weight, gradient.rows[at], moments.0, moments.1, ROW_DECAY);
                    set.rows[at] = shown(*weight, Some(ACTIVATION_UNIT));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::eval;
    use crate::pattern::{LinearWeights, MoverWeights, RuleTables};
    use crate::rules::RuleSpec;
    use crate::types::{BoardSize, PerColor, Point};

    const STONES: [(u8, u8); 7] = [(7, 7), (8, 8), (6, 8), (8, 6), (9, 7), (14, 0), (0, 3)];

    fn renju() -> &'static RuleSpec {
        RuleSpec::by_name("renju").expect("a preset")
    }

    fn position() -> Board {
        let tables = Arc::new(RuleTables::new(renju(), LinearWeights::zero()));
        let mut board = Board::new(tables, BoardSize::STANDARD);
        for (x, y) in STONES {
            board.make(Point::new(x, y));
        }
        board
    }

    #[test]
    fn the_gradient_is_what_small_changes_do() {
        let board = position();
        let mut nets = Nets::new(2, &board.tables().lines);
        let mut gradient = NetGradient::new(&nets);
        nets.backward(&nets.forward(&board), 1.0, &mut gradient);
        let step = 1.0 / 64.0;
        for set in 0..2 {
            for at in (0..DENSE).step_by(41).chain(DIRECT..DENSE) {
                let (low, high) = around(&mut nets, &board, step, |nets| {
                    &mut nets.sets[set].dense[at]
                });
                let found = gradient.sets[set].dense[at];
                assert_close((high - low) / (2.0 * step), found);
            }
            for line in gradient.sets[set].touched.iter().step_by(3) {
                let at = *line as usize * CHANNELS + 5;
                let (low, high) =
                    around(&mut nets, &board, step, |nets| &mut nets.sets[set].rows[at]);
                assert_close((high - low) / (2.0 * step), gradient.sets[set].rows[at]);
            }
        }
    }

    /// What the net says with a number a little lower and a little higher.
    fn around(
        nets: &mut Nets,
        board: &Board,
        step: f32,
        weight: impl Fn(&mut Nets) -> &mut f32,
    ) -> (f32, f32) {
        let mut with = |change: f32| {
            let before = *weight(nets);
            *weight(nets) = before + change;
            let logit = nets.forward(board).logit;
            *weight(nets) = before;
            logit
        };
        (with(-step), with(step))
    }

    fn assert_close(slope: f32, found: f32) {
        assert!(
            (slope - found).abs() < 0.02 + 0.05 * slope.abs(),
            "{slope} {found}"
        );
    }

    #[test]
    fn the_engine_computes_what_the_trainer_does() {
        let board = position();
        let mut nets = Nets::new(2, &board.tables().lines);
        let adam = NetAdam::new(&nets);
        nets.round(&adam);
        let [black, white] = [0, 1].map(|set| MoverWeights {
            net: Some(Arc::new(quantised(&nets.sets[set]))),
            ..MoverWeights::zero()
        });
        let weights = LinearWeights::new(PerColor([&black, &white]));
        let tables = Arc::new(RuleTables::new(renju(), weights));
        let mut board = Board::new(tables, BoardSize::STANDARD);
        for (x, y) in STONES {
            board.make(Point::new(x, y));
            let units = nets.forward(&board).logit * score::LOG_ODDS as f32;
            assert!(
                (eval::evaluate(&board) as f32 - units).abs() <= 2.0,
                "{units}"
            );
        }
    }
}
