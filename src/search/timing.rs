//! How much of its planned time a search should take, judged by how its iterations went.
//!
//! Pure arithmetic: whoever asks says what time it is. The ideas are old: more time while the
//! best move keeps changing or the score falls, less when one move takes nearly all nodes.

use std::time::Duration;

use crate::types::Point;

/// No new iteration begins after this share of the planned time: it would take about as long
/// as all before it together.
const BEGIN_SHARE: f64 = 0.6;
/// An iteration that still runs at this multiple of the planned time is given up, unless it
/// finds the best move to be worse than it was.
const END_SHARE: f64 = 1.5;
/// The next iteration takes at least this multiple of the last.
const LEAST_GROWTH: f64 = 1.3;
/// What a change of the best move counts for after one more iteration.
const UNREST_DECAY: f64 = 0.6;
/// Weight of an iteration in the usual win rate.
const USUAL_WEIGHT: f64 = 0.35;

/// What an iteration that was finished has shown.
#[derive(Clone, Copy, Debug)]
pub struct Iteration {
    /// The best move.
    pub best: Point,
    /// Its win rate, 0 to 1, for the side to move.
    pub win_rate: f64,
    /// Share of all nodes of the search that went into that move, 0 to 1.
    pub effort: f64,
    /// When it ended, counted from the start of the search.
    pub ended: Duration,
}

/// The course of a search over its iterations.
#[derive(Clone, Debug, Default)]
pub struct Course {
    last: Option<Iteration>,
    /// How long the last iteration took.
    length: Duration,
    /// Recent changes of the best move, older ones counting less.
    unrest: f64,
    /// Win rate over the iterations, later ones counting more.
    usual: f64,
}

impl Course {
    /// Takes note of an iteration.
    pub fn add(&mut self, iteration: Iteration) {
        match self.last {
            None => self.usual = iteration.win_rate,
            Some(last) => {
                self.unrest *= UNREST_DECAY;
                if last.best != iteration.best {
                    self.unrest += 1.0;
                }
                self.length = iteration.ended.saturating_sub(last.ended);
                self.usual += USUAL_WEIGHT * (last.win_rate - self.usual);
            }
        }
        self.last = Some(iteration);
    }

    /// Should no further iteration begin `elapsed` after the start of the search? `planned` is
    /// the time for a position of usual difficulty, `hard` when the search is cut off.
    pub fn is_enough(&self, elapsed: Duration, planned: Duration, hard: Option<Duration>) -> bool {
        let effort = self.last.map_or(0.0, |last| last.effort);
        // Only an iteration that gets past the best move can show a better one.
        let least = self.length.mul_f64(LEAST_GROWTH * effort);
        elapsed >= planned.mul_f64(BEGIN_SHARE * self.factor())
            || hard.is_some_and(|hard| elapsed + least >= hard)
    }

    /// Should an iteration that has confirmed the best move be given up?
    pub fn is_overdue(&self, elapsed: Duration, planned: Duration) -> bool {
        elapsed >= planned.mul_f64(END_SHARE * self.factor())
    }

    /// The multiple of the planned time that this position deserves.
    fn factor(&self) -> f64 {
        self.last.map_or(1.0, |last| {
            factor(self.unrest, self.usual - last.win_rate, last.effort)
        })
    }
}

/// The multiple of the planned time for a best move that changed `unrest` times of late, whose
/// win rate fell by `fall`, and that took `effort` of all nodes; about 1 on average.
///
/// Measured in 122 positions of games against other engines, at 150,000 nodes: eight times the
/// nodes changed the move in 30 % of them, but in 78 % where it had taken less than a fifth of
/// the nodes and in 3 % where more than four fifths; in 55 % where the win rate had fallen by a
/// tenth, and in 17 % where by less than 0.03; in 48 % where it had changed in the last
/// iteration, and in 17 % where not in the last four.
fn factor(unrest: f64, fall: f64, effort: f64) -> f64 {
    let stability = (0.75 + 0.5 * unrest).min(1.7);
    let trouble = (1.0 + 4.0 * fall).clamp(0.85, 1.6);
    let doubt = (1.7 - 1.2 * effort).clamp(0.6, 1.5);
    (stability * trouble * doubt).clamp(0.4, 2.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLANNED: Duration = Duration::from_secs(10);

    fn s(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    /// A search whose iterations end after 1, 2, 4 ... seconds.
    fn course(iterations: &[(u16, f64)], effort: f64) -> Course {
        let mut course = Course::default();
        for (number, (best, win_rate)) in iterations.iter().enumerate() {
            course.add(Iteration {
                best: Point::from_index(usize::from(*best)),
                win_rate: *win_rate,
                effort,
                ended: s(f64::from(1 << number)),
            });
        }
        course
    }

    /// Seconds after which no new iteration begins, to a tenth.
    fn begins_until(course: &Course) -> f64 {
        let tenths = (0..10_000).find(|t| course.is_enough(s(f64::from(*t) / 10.0), PLANNED, None));
        f64::from(tenths.expect("an end")) / 10.0
    }

    #[test]
    fn a_search_without_iterations_takes_what_was_planned() {
        assert_eq!(begins_until(&Course::default()), 6.0);
        assert!(!Course::default().is_overdue(s(14.9), PLANNED));
        assert!(Course::default().is_overdue(s(15.0), PLANNED));
    }

    #[test]
    fn what_is_clear_takes_less_and_what_is_not_takes_more() {
        let calm = begins_until(&course(&[(7, 0.5); 5], 0.5));
        let clear = begins_until(&course(&[(7, 0.5); 5], 0.9));
        let falling = begins_until(&course(&[(7, 0.5), (7, 0.5), (7, 0.5), (7, 0.35)], 0.5));
        let rising = begins_until(&course(&[(7, 0.5), (7, 0.5), (7, 0.5), (7, 0.65)], 0.5));
        let late = begins_until(&course(&[(7, 0.5), (7, 0.5), (7, 0.5), (8, 0.5)], 0.5));
        let early = begins_until(&course(&[(8, 0.5), (7, 0.5), (7, 0.5), (7, 0.5)], 0.5));
        assert!(clear < calm && calm < 6.0);
        assert!(falling > calm && rising < calm);
        assert!(late > early && early > calm);
    }

    #[test]
    fn the_worst_case_stays_within_bounds() {
        let changing: Vec<_> = (0..10).map(|n| (n, 1.0 - f64::from(n) / 10.0)).collect();
        assert_eq!(begins_until(&course(&changing, 0.0)), 15.0);
        assert_eq!(begins_until(&course(&[(7, 0.5); 10], 1.0)), 2.7);
    }

    #[test]
    fn no_iteration_begins_that_cannot_get_past_the_best_move() {
        // The last iteration took 8 s and spent half of them on the best move.
        let course = course(&[(7, 0.5); 5], 0.5);
        let is_enough = |hard: f64| course.is_enough(s(16.0), s(1000.0), Some(s(hard)));
        assert!(is_enough(21.0));
        assert!(!is_enough(21.5));
    }
}
