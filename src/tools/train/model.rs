//! The weights as floating-point numbers, their gradient, and Adam (Kingma and Ba, 2015).

use std::sync::Arc;

use crate::pattern::line::{self, LINE_COUNT};
use crate::pattern::net::NetWeights;
use crate::pattern::{CELL_PAIRS, CellTables, MoverWeights, THREAT_MASKS, VALUE_SHIFT};
use crate::types::score;

/// Score units per unit of log-odds.
const SCORE_UNIT: f32 = score::LOG_ODDS as f32;
/// Units of the values of cells per unit of log-odds.
const VALUE_UNIT: f32 = SCORE_UNIT * (1 << VALUE_SHIFT) as f32;
/// Policy points per unit of log-probability.
pub const POLICY_UNIT: f32 = 64.0;

/// Where each table of a set begins in the flat array of weights.
pub const VALUE: usize = 0;
pub const OWN_CODE_VALUE: usize = VALUE + 256;
pub const OTHER_CODE_VALUE: usize = OWN_CODE_VALUE + CellTables::CODES;
pub const THREAT: usize = OTHER_CODE_VALUE + CellTables::CODES;
pub const CELL_VALUE: usize = THREAT + THREAT_MASKS;
pub const POLICY: usize = CELL_VALUE + CELL_PAIRS;
pub const OWN_CODE_POLICY: usize = POLICY + 256;
pub const OTHER_CODE_POLICY: usize = OWN_CODE_POLICY + CellTables::CODES;
pub const CELL_POLICY: usize = OTHER_CODE_POLICY + CellTables::CODES;
/// By line index as were the mover Black, the lower of the two mirror images.
pub const LINE_POLICY: usize = CELL_POLICY + CELL_PAIRS;
const SET: usize = LINE_POLICY + LINE_COUNT;

/// All weights: one set for both sides to move, or Black's and White's.
pub struct Model {
    pub sets: Vec<Vec<f32>>,
}

impl Model {
    pub fn new(sets: usize) -> Model {
        Model {
            sets: vec![vec![0.0; SET]; sets],
        }
    }

    /// The weights in the units of the engine, each set with its net.
    pub fn quantised(&self, nets: Vec<NetWeights>) -> Vec<MoverWeights> {
        let table = |set: &[f32], from: usize, length: usize, unit: f32| -> Vec<i16> {
            let scaled = set[from..from + length]
                .iter()
                .map(|weight| (weight * unit).round());
            scaled
                .map(|weight| weight.clamp(-30_000.0, 30_000.0) as i16)
                .collect()
        };
        let codes = CellTables::CODES;
        self.sets
            .iter()
            .zip(nets)
            .map(|(set, net)| MoverWeights {
                value: table(set, VALUE, 256, VALUE_UNIT),
                own_code_value: table(set, OWN_CODE_VALUE, codes, VALUE_UNIT),
                other_code_value: table(set, OTHER_CODE_VALUE, codes, VALUE_UNIT),
                cell_value: table(set, CELL_VALUE, CELL_PAIRS, VALUE_UNIT),
                cell_policy: table(set, CELL_POLICY, CELL_PAIRS, POLICY_UNIT),
                threat: table(set, THREAT, THREAT_MASKS, SCORE_UNIT),
                policy: table(set, POLICY, 256, POLICY_UNIT),
                own_code_policy: table(set, OWN_CODE_POLICY, codes, POLICY_UNIT),
                other_code_policy: table(set, OTHER_CODE_POLICY, codes, POLICY_UNIT),
                net: Some(Arc::new(net)),
                line_policy: mirrored(&table(set, LINE_POLICY, LINE_COUNT, POLICY_UNIT)),
            })
            .collect()
    }
}

/// A table by line in which both mirror images have the value of the lower.
fn mirrored(table: &[i16]) -> Vec<i16> {
    (0..table.len())
        .map(|index| table[line::lower(index)])
        .collect()
}

/// Sum of the derivatives of the loss by every weight.
pub struct Gradient {
    pub sets: Vec<Vec<f32>>,
}

impl Gradient {
    pub fn new(model: &Model) -> Gradient {
        Gradient {
            sets: model.sets.iter().map(|set| vec![0.0; set.len()]).collect(),
        }
    }

    pub fn add(&mut self, other: &Gradient) {
        for (sum, part) in self
            .sets
            .iter_mut()
            .flatten()
            .zip(other.sets.iter().flatten())
        {
            *sum += part;
        }
    }
}

/// Step sizes. Some two hundred cells share the error of one value, so its steps are smaller
/// than those of the policy; whole lines refine what their classes say, and most are seldom seen.
pub struct Rates {
    pub value: f32,
    pub policy: f32,
    pub net: f32,
}

impl Rates {
    /// Step size of the weight at that place of a set.
    fn at(&self, at: usize) -> f32 {
        match at {
            _ if at < POLICY => self.value,
            _ if at < LINE_POLICY => self.policy,
            _ => LINE_SHARE * self.policy,
        }
    }
}

/// See [`Rates`].
const LINE_SHARE: f32 = 0.3;

/// First and second moments of each weight's gradient.
pub struct Adam {
    first: Vec<Vec<f32>>,
    second: Vec<Vec<f32>>,
    steps: i32,
}

pub const FIRST_DECAY: f32 = 0.9;
pub const SECOND_DECAY: f32 = 0.999;
/// Pull towards zero per step and unit of step size: codes that are hardly ever seen stay small.
const DECAY: f32 = 0.01;

impl Adam {
    pub fn new(model: &Model) -> Adam {
        let zeros = || model.sets.iter().map(|set| vec![0.0; set.len()]).collect();
        Adam {
            first: zeros(),
            second: zeros(),
            steps: 0,
        }
    }

    /// Moves the weights against the mean gradient of `positions` positions.
    pub fn step(&mut self, model: &mut Model, gradient: &Gradient, positions: u64, rates: &Rates) {
        self.steps += 1;
        let scale = 1.0 / positions.max(1) as f32;
        let (fix1, fix2) = (
            1.0 - FIRST_DECAY.powi(self.steps),
            1.0 - SECOND_DECAY.powi(self.steps),
        );
        for (number, weights) in model.sets.iter_mut().enumerate() {
            let moments = self.first[number].iter_mut().zip(&mut self.second[number]);
            let gradients = gradient.sets[number].iter().zip(moments);
            for (at, (weight, (gradient, (first, second)))) in
                weights.iter_mut().zip(gradients).enumerate()
            {
                let g = gradient * scale;
                *first = FIRST_DECAY * *first + (1.0 - FIRST_DECAY) * g;
                *second = SECOND_DECAY * *second + (1.0 - SECOND_DECAY) * g * g;
                if *second == 0.0 {
                    continue;
                }
                let rate = rates.at(at);
                let step = (*first / fix1) / ((*second / fix2).sqrt() + 1e-8);
                *weight -= rate * (step + DECAY * *weight);
            }
        }
    }
}
