//! What a set of results says: score, Elo with its error, pentanomial counts and the sequential
//! test. Pure arithmetic; all figures are from the view of one engine.
//!
//! Games come in colour-swapped pairs from one opening, and the two games of a pair are not
//! independent. So the unit of the error and of the test is the pair, with five possible scores
//! (0, ½, 1, 1½, 2).
//!
//! The test is the generalised sequential probability ratio test of Li, Liu and Ying (2014):
//! under each hypothesis the five probabilities are the most likely ones among those whose mean
//! is the hypothesis' score, and the ratio of the two likelihoods is compared with Wald's
//! bounds. The constrained maximum is the empirical likelihood of Owen (1988).

/// Width of the 95 % interval in standard errors.
const Z95: f64 = 1.959_964;
/// Stands in for an outcome not seen yet, so that a likelihood exists from the first pair on.
const UNSEEN: f64 = 1e-3;

/// Results counted from the view of one engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Complete pairs by score in half points, 0 to 4.
    pub pairs: [u64; 5],
}

impl Tally {
    /// Adds a game by its half points (0, 1 or 2).
    pub fn add_game(&mut self, half_points: u8) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// Adds a complete pair by its half points (0 to 4).
    pub fn add_pair(&mut self, half_points: u8) {
        self.pairs[usize::from(half_points.min(4))] += 1;
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points per game, 0 to 1; `None` without games.
    pub fn score(&self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| (self.wins as f64 + self.draws as f64 / 2.0) / games as f64)
    }

    /// Standard error of [`Tally::score`]: from the pairs when there are at least two, else
    /// from the games as if they were independent; `None` below two games.
    pub fn standard_error(&self) -> Option<f64> {
        let pair_count: u64 = self.pairs.iter().sum();
        let outcomes = if pair_count >= 2 {
            self.pairs.to_vec()
        } else {
            vec![self.losses, self.draws, self.wins]
        };
        let count: u64 = outcomes.iter().sum();
        if count < 2 {
            return None;
        }
        let top = (outcomes.len() - 1) as f64;
        let moment = |power: i32| -> f64 {
            let weighted = |(i, n): (usize, &u64)| (i as f64 / top).powi(power) * *n as f64;
            outcomes.iter().enumerate().map(weighted).sum::<f64>() / count as f64
        };
        let variance = (moment(2) - moment(1).powi(2)).max(0.0);
        Some((variance / count as f64).sqrt())
    }

    /// Elo difference and half the width of its 95 % interval; either may be infinite.
    pub fn elo(&self) -> Option<(f64, Option<f64>)> {
        let score = self.score()?;
        let margin = self.standard_error().map(|error| {
            let (low, high) = (score - Z95 * error, score + Z95 * error);
            (elo_of_score(high) - elo_of_score(low)) / 2.0
        });
        Some((
            elo_of_score(score),
            margin.map(|m| if m.is_nan() { f64::INFINITY } else { m }),
        ))
    }
}

impl std::fmt::Display for Tally {
    /// `W-D-L 12-3-5  67.5%  Elo +127.0 ± 140.2  pairs [0 1 2 3 4]`
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (w, d, l) = (self.wins, self.draws, self.losses);
        write!(f, "W-D-L {w}-{d}-{l}")?;
        if let Some(score) = self.score() {
            write!(f, "  {:.1}%", score * 100.0)?;
        }
        if let Some((elo, margin)) = self.elo() {
            write!(f, "  Elo {elo:+.1}")?;
            if let Some(margin) = margin {
                write!(f, " ± {margin:.1}")?;
            }
        }
        let [a, b, c, d, e] = self.pairs;
        write!(f, "  pairs [{a} {b} {c} {d} {e}]")
    }
}

/// The Elo difference at which `score` is expected; infinite outside (0, 1).
pub fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}

/// The score expected at an Elo difference.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// A sequential test of "the difference is `elo1`" against "it is `elo0`".
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The difference of the null hypothesis.
    pub elo0: f64,
    /// The difference of the alternative.
    pub elo1: f64,
    /// Chance to accept the alternative when the null hypothesis holds.
    pub alpha: f64,
    /// Chance to accept the null hypothesis when the alternative holds.
    pub beta: f64,
}

/// How a sequential test stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// More pairs are needed.
    Undecided,
    /// `elo0` is accepted.
    Null,
    /// `elo1` is accepted.
    Alternative,
}

impl Sprt {
    /// Checks the numbers.
    ///
    /// # Errors
    /// One line saying which is out of range.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, String> {
        let finite = elo0.is_finite() && elo1.is_finite();
        if !finite || elo0 >= elo1 || elo0 < -1000.0 || elo1 > 1000.0 {
            return Err(format!(
                "SPRT needs elo0 < elo1, both within ±1000: got {elo0} and {elo1}"
            ));
        }
        let valid = |p: f64| p > 0.0 && p < 0.5;
        if !valid(alpha) || !valid(beta) {
            return Err(format!(
                "SPRT needs alpha and beta between 0 and 0.5: got {alpha} and {beta}"
            ));
        }
        Ok(Sprt {
            elo0,
            elo1,
            alpha,
            beta,
        })
    }

    /// The log likelihood ratio below which `elo0` and above which `elo1` is accepted.
    pub fn bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// The generalised log likelihood ratio of these pairs.
    pub fn llr(&self, pairs: &[u64; 5]) -> f64 {
        if pairs.iter().sum::<u64>() == 0 {
            return 0.0;
        }
        let counts = pairs.map(|n| if n == 0 { UNSEEN } else { n as f64 });
        let (s0, s1) = (score_of_elo(self.elo0), score_of_elo(self.elo1));
        log_likelihood(&counts, s1) - log_likelihood(&counts, s0)
    }

    /// How the test stands after these pairs.
    pub fn verdict(&self, pairs: &[u64; 5]) -> Verdict {
        let (llr, (lower, upper)) = (self.llr(pairs), self.bounds());
        if llr <= lower {
            Verdict::Null
        } else if llr >= upper {
            Verdict::Alternative
        } else {
            Verdict::Undecided
        }
    }
}

/// Log likelihood of `counts` (pairs scoring 0, ¼, ½, ¾, 1 a game) under the most likely
/// probabilities of mean `mean`, up to a term that does not depend on `mean`.
///
/// Those probabilities are `p / (1 + t (a - mean))` with the observed share `p` of score `a`;
/// the multiplier `t` is the root of a function that falls from +∞ to -∞ between the two poles.
fn log_likelihood(counts: &[f64; 5], mean: f64) -> f64 {
    let offsets: [f64; 5] = std::array::from_fn(|i| i as f64 / 4.0 - mean);
    let total: f64 = counts.iter().sum();
    let tilt = |t: f64| -> f64 {
        let term = |(n, a): (&f64, &f64)| n / total * a / (1.0 + t * a);
        counts.iter().zip(&offsets).map(term).sum()
    };
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if tilt(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let t = (low + high) / 2.0;
    let term = |(n, a): (&f64, &f64)| -n * (1.0 + t * a).ln();
    counts.iter().zip(&offsets).map(term).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() < tolerance, "{a} is not {b}");
    }

    #[test]
    fn elo_and_score_are_inverse() {
        close(score_of_elo(0.0), 0.5, 1e-12);
        // 10^(200/400) = 3.16228; 3.16228 / 4.16228 = 0.75975
        close(score_of_elo(200.0), 0.759_747, 1e-6);
        // 400 log10(3) = 190.849
        close(elo_of_score(0.75), 190.849, 1e-3);
        close(elo_of_score(score_of_elo(-37.5)), -37.5, 1e-9);
        assert_eq!(elo_of_score(1.0), f64::INFINITY);
        assert_eq!(elo_of_score(0.0), f64::NEG_INFINITY);
    }

    #[test]
    fn error_comes_from_the_pairs() {
        // Ten pairs of 1:1 and ten of 2:0. Scores ½ and 1, mean ¾, variance 1/16, so the
        // standard error is ¼ / √20 = 0.0559017. As 40 single games (30 wins, 10 losses) it
        // would be √(3/16 / 40) = 0.0684653.
        let mut tally = Tally {
            wins: 30,
            draws: 0,
            losses: 10,
            pairs: [0, 0, 10, 0, 10],
        };
        close(tally.standard_error().unwrap(), 0.055_901_7, 1e-7);
        // 0.75 ± 0.109565: Elo 110.8...: 0.640435 -> 100.30, 0.859565 -> 314.73
        let (elo, margin) = tally.elo().unwrap();
        close(elo, 190.849, 1e-3);
        close(margin.unwrap(), (314.73 - 100.30) / 2.0, 0.05);
        tally.pairs = [0; 5];
        close(tally.standard_error().unwrap(), 0.068_465_3, 1e-7);
    }

    #[test]
    fn few_or_one_sided_results_do_not_break() {
        assert_eq!(Tally::default().elo(), None);
        let mut tally = Tally::default();
        tally.add_game(2);
        assert_eq!(tally.elo(), Some((f64::INFINITY, None)));
        tally.add_game(2);
        tally.add_pair(4);
        assert_eq!(tally.elo(), Some((f64::INFINITY, Some(f64::INFINITY))));
        assert_eq!(
            tally.to_string(),
            "W-D-L 2-0-0  100.0%  Elo +inf ± inf  pairs [0 0 0 0 1]"
        );
    }

    #[test]
    fn wald_bounds() {
        let sprt = Sprt::new(0.0, 10.0, 0.05, 0.05).unwrap();
        // ln(0.05/0.95) = -2.94444
        close(sprt.bounds().0, -2.944_44, 1e-5);
        close(sprt.bounds().1, 2.944_44, 1e-5);
        assert!(Sprt::new(10.0, 0.0, 0.05, 0.05).is_err());
        assert!(Sprt::new(0.0, 10.0, 0.0, 0.05).is_err());
        assert!(Sprt::new(0.0, f64::NAN, 0.05, 0.05).is_err());
    }

    #[test]
    fn ratio_of_two_outcomes_has_a_closed_form() {
        // With only 0:2 and 2:0 pairs the mean fixes both probabilities, so the ratio is
        // 20 ln(0.759747 / 0.5) + 10 ln(0.240253 / 0.5) = 8.36737 - 7.32916 = 1.0382.
        let sprt = Sprt::new(0.0, 200.0, 0.05, 0.05).unwrap();
        close(sprt.llr(&[10, 0, 0, 0, 20]), 1.038_2, 5e-3);
        assert_eq!(sprt.llr(&[0; 5]), 0.0);
    }

    #[test]
    fn ratio_is_near_the_normal_approximation_for_small_differences() {
        // Mean 0.525, variance v = 0.33125 - 0.525² = 0.055625 over 1000 pairs. To second order
        // the ratio is n / 2 * (ln(1 + (m - s0)² / v) - ln(1 + (m - s1)² / v)), here with
        // s0 = 0.5 and s1 = 0.514388: 500 * (0.0111733 - 0.0020226) = 4.575.
        let pairs = [50, 200, 400, 300, 50];
        let sprt = Sprt::new(0.0, 10.0, 0.05, 0.05).unwrap();
        close(sprt.llr(&pairs), 4.575, 0.1);
        assert_eq!(sprt.verdict(&pairs), Verdict::Alternative);
        assert_eq!(sprt.verdict(&[50, 300, 400, 200, 50]), Verdict::Null);
        assert_eq!(sprt.verdict(&[1, 2, 4, 3, 1]), Verdict::Undecided);
    }

    #[test]
    fn ratio_is_antisymmetric() {
        let sprt = Sprt::new(-15.0, 15.0, 0.05, 0.05).unwrap();
        let (a, b) = ([3, 9, 20, 12, 6], [6, 12, 20, 9, 3]);
        close(sprt.llr(&a), -sprt.llr(&b), 1e-9);
        close(sprt.llr(&[5, 7, 9, 7, 5]), 0.0, 1e-9);
    }
}
