//! Simultaneous perturbation stochastic approximation (Spall 1992; the gains after Spall 1998):
//! all numbers are moved at once along a random diagonal, and two noisy measurements, however
//! many numbers there are, tell which way along it is better.
//!
//! Iteration `k` of `N` measures at `value ± c_k * flip` and moves each number by
//! `a_k / c_k * result * flip`, with `c_k = c / k^gamma` and `a_k = a / (A + k)^alpha`. The
//! constants follow from what is wanted at the end: `c_N` is the step of a number, and
//! `a_N / c_N^2` the rate, common to all.

use crate::types::rng::{SplitMix64, split_mix};

/// A number to be tuned.
#[derive(Clone, PartialEq, Debug)]
pub struct Knob {
    /// Its name.
    pub name: String,
    /// Where tuning begins.
    pub start: i32,
    /// Smallest value.
    pub min: i32,
    /// Largest value.
    pub max: i32,
    /// Distance of the two measurements from the value in the last iteration.
    pub step: f64,
}

/// How fast numbers move, and for how long.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gains {
    /// Number of iterations planned.
    pub iterations: u32,
    /// Steps that a number moves in the last iteration for a result of 1.
    pub rate: f64,
    /// Draws the directions.
    pub seed: u64,
}

/// Decay of the moves; the value Spall recommends for practice.
const ALPHA: f64 = 0.602;
/// Decay of the perturbations, likewise.
const GAMMA: f64 = 0.101;
/// Share of the iterations by which the decay of the moves is put off, to keep the first calm.
const STABILITY: f64 = 0.1;

/// The two vectors to compare in one iteration.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    /// Values on one side, in the order of the knobs.
    pub plus: Vec<i32>,
    /// Values on the other.
    pub minus: Vec<i32>,
    /// Direction of each: 1 or -1.
    flips: Vec<f64>,
}

/// The method for a set of numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct Spsa {
    knobs: Vec<Knob>,
    gains: Gains,
}

impl Spsa {
    /// For these numbers.
    pub fn new(knobs: Vec<Knob>, gains: Gains) -> Spsa {
        Spsa { knobs, gains }
    }

    /// The numbers.
    pub fn knobs(&self) -> &[Knob] {
        &self.knobs
    }

    /// How many iterations are planned.
    pub fn iterations(&self) -> u32 {
        self.gains.iterations
    }

    /// The values to begin with.
    pub fn start(&self) -> Vec<f64> {
        self.knobs.iter().map(|knob| knob.start.into()).collect()
    }

    /// What to compare in iteration `k` (from 0) at `values`; it follows from these and the seed.
    pub fn trial(&self, values: &[f64], k: u32) -> Trial {
        let mut rng = SplitMix64::new(split_mix(self.gains.seed ^ u64::from(k) << 32));
        let (mut plus, mut minus, mut flips) = (Vec::new(), Vec::new(), Vec::new());
        for (knob, value) in self.knobs.iter().zip(values) {
            let flip = if rng.next_u64() >> 63 == 0 { 1.0 } else { -1.0 };
            // Rounded up as often as the fraction says, so that small moves count. The same
            // draw for both sides, so that rounding alone does not set them apart.
            let draw = unit(&mut rng);
            let distance = self.step(knob, k) * flip;
            let whole = |value: f64| {
                let (min, max) = (f64::from(knob.min), f64::from(knob.max));
                (value + draw).floor().clamp(min, max) as i32
            };
            plus.push(whole(value + distance));
            minus.push(whole(value - distance));
            flips.push(flip);
        }
        Trial { plus, minus, flips }
    }

    /// Moves `values` after iteration `k`, whose trial gave `result`: 1 when `plus` won
    /// everything, -1 when `minus` did.
    pub fn update(&self, values: &mut [f64], k: u32, trial: &Trial, result: f64) {
        let rate = self.rate(k);
        for ((knob, value), flip) in self.knobs.iter().zip(values).zip(&trial.flips) {
            let moved = *value + rate * self.step(knob, k) * result * flip;
            *value = moved.clamp(knob.min.into(), knob.max.into());
        }
    }

    /// `c_k` of a number.
    fn step(&self, knob: &Knob, k: u32) -> f64 {
        knob.step * self.ahead(k).powf(GAMMA)
    }

    /// `a_k / c_k^2`: the move in units of `c_k` for a result of 1.
    fn rate(&self, k: u32) -> f64 {
        let last = f64::from(self.gains.iterations.max(1));
        let offset = STABILITY * last;
        let decay = ((offset + last) / (offset + f64::from(k) + 1.0)).powf(ALPHA);
        self.gains.rate * decay / self.ahead(k).powf(2.0 * GAMMA)
    }

    /// `N / k`, with `k` counted from 1.
    fn ahead(&self, k: u32) -> f64 {
        f64::from(self.gains.iterations.max(1)) / (f64::from(k) + 1.0)
    }
}

/// A number from 0 up to 1.
fn unit(rng: &mut SplitMix64) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn knob(name: &str, start: i32, step: f64) -> Knob {
        let name = name.to_owned();
        let (min, max) = (0, 200);
        Knob {
            name,
            start,
            min,
            max,
            step,
        }
    }

    fn spsa(iterations: u32, rate: f64) -> Spsa {
        let knobs = vec![knob("a", 20, 8.0), knob("b", 180, 8.0), knob("c", 100, 4.0)];
        Spsa::new(
            knobs,
            Gains {
                iterations,
                rate,
                seed: 7,
            },
        )
    }

    /// A game between two vectors as chance decides it: the logistic of the difference of a
    /// quadratic with its top at (120, 60, 100).
    fn game(trial: &Trial, rng: &mut SplitMix64) -> f64 {
        let height = |values: &[i32]| {
            let far = |index: usize, top: f64| (f64::from(values[index]) - top).powi(2) / 1000.0;
            -far(0, 120.0) - far(1, 60.0) - far(2, 100.0)
        };
        let chance = 1.0 / (1.0 + (height(&trial.minus) - height(&trial.plus)).exp());
        if unit(rng) < chance { 1.0 } else { -1.0 }
    }

    #[test]
    fn it_finds_the_top_of_a_noisy_quadratic() {
        let spsa = spsa(3000, 0.05);
        let mut values = spsa.start();
        let mut rng = SplitMix64::new(1);
        for k in 0..spsa.iterations() {
            let trial = spsa.trial(&values, k);
            spsa.update(&mut values, k, &trial, game(&trial, &mut rng));
        }
        for (value, top) in values.iter().zip([120.0, 60.0, 100.0]) {
            assert!((value - top).abs() < 12.0, "{values:?}");
        }
    }

    #[test]
    fn gains_end_where_they_were_told_to() {
        let spsa = spsa(1000, 0.02);
        let knob = &spsa.knobs()[0];
        assert!((spsa.step(knob, 999) - 8.0).abs() < 1e-9);
        assert!((spsa.rate(999) - 0.02).abs() < 1e-9);
        assert!(spsa.step(knob, 0) > 8.0);
        let rates: Vec<f64> = (0..1000).map(|k| spsa.rate(k)).collect();
        assert!(rates[100..].is_sorted_by(|a, b| a > b), "moves shrink");
    }

    #[test]
    fn values_stay_in_their_range_and_rounding_is_fair() {
        let at_edge = vec![knob("a", 0, 30.0), knob("b", 200, 30.0)];
        let spsa = Spsa::new(
            at_edge,
            Gains {
                iterations: 10,
                rate: 9.0,
                seed: 1,
            },
        );
        let mut values = spsa.start();
        for k in 0..10 {
            let trial = spsa.trial(&values, k);
            let both = trial.plus.iter().chain(&trial.minus);
            assert!(both.into_iter().all(|value| (0..=200).contains(value)));
            spsa.update(&mut values, k, &trial, 1.0);
            assert!(values.iter().all(|value| (0.0..=200.0).contains(value)));
        }
        let small = Spsa::new(
            vec![knob("a", 50, 0.25)],
            Gains {
                iterations: 1,
                rate: 1.0,
                seed: 3,
            },
        );
        let sum: i32 = (0..4000)
            .map(|seed| {
                let small = Spsa {
                    gains: Gains {
                        seed,
                        ..small.gains
                    },
                    ..small.clone()
                };
                let trial = small.trial(&[50.5], 0);
                trial.plus[0] + trial.minus[0]
            })
            .sum();
        let mean = f64::from(sum) / 8000.0;
        assert!((mean - 50.5).abs() < 0.03, "{mean}");
    }
}
