//! L7: opening decisions by search: Swap2 as Gomocup plays it, Soosõrv's rule as Yixin's board
//! does (`soosorv.rs`), and every step of every rule (`steps.rs`).

pub mod soosorv;
pub mod steps;

use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::board::Board;
use crate::pool::Crew;
use crate::search::{Question, Silent};
use crate::time::{Budget, Limits};
use crate::types::{BoardSize, Point, Score, score};

/// An answer to a Swap2 question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decision {
    /// Put these stones, in order of play.
    Stones(Vec<Point>),
    /// Exchange colours.
    Swap,
}

/// Deepest search of a single opening position when no time is given.
const DEPTH: i32 = 8;
/// Time for the whole decision when none is given.
const DEFAULT_TIME: Duration = Duration::from_secs(2);
/// Time that no decision goes beyond, however much there is: a board without limits gives half an
/// hour a move, and somebody sits before it.
const LONGEST_TIME: Duration = Duration::from_secs(10);
/// Openings tried before the most level one is taken.
const PROPOSALS: usize = 12;
/// A score this near to zero is level: adding two stones is then as good as choosing.
const LEVEL: Score = 12;

/// Decides for a board of 0, 3 or 5 stones (any other number is played on as it stands).
pub fn swap2(crew: &mut Crew, board: &Board, limits: &Limits, seed: u64) -> Decision {
    let time = decision_time(limits, board.stones());
    let mut swap2 = Swap2 {
        crew,
        start: limits.start,
        time,
        depth: limits.depth.map_or(DEPTH, |depth| depth.min(30) as i32),
        rng: SmallRng::seed_from_u64(seed),
    };
    match board.stones() {
        0 => swap2.propose(board),
        3 => swap2.choose_or_add(board),
        _ => swap2.choose(board),
    }
}

fn decision_time(limits: &Limits, stones: usize) -> Duration {
    match limits.budget(stones) {
        Budget::Instant => Duration::from_millis(5),
        Budget::Unlimited => DEFAULT_TIME,
        Budget::Timed { hard, .. } => hard.min(LONGEST_TIME),
    }
}

struct Swap2<'a, 'b> {
    crew: &'a mut Crew<'b>,
    start: Instant,
    time: Duration,
    depth: i32,
    rng: SmallRng,
}

impl Swap2<'_, '_> {
    /// Searches for `share` of the whole time at most; the score is the side to move's.
    fn score(&mut self, board: &Board, share: f64) -> (Score, Point) {
        let until = (self.start.elapsed() + self.time.mul_f64(share)).min(self.time);
        self.crew.shared().set_limits(None, Some(until), None);
        self.crew.shared().begin();
        let question = Question {
            timed: true,
            ..Question::plain(self.start, self.depth)
        };
        let outcome = self.crew.think(board, &question, &mut Silent);
        (
            outcome.lines.first().map_or(0, |line| line.score),
            outcome.best,
        )
    }

    fn is_over(&self) -> bool {
        self.start.elapsed() >= self.time || self.crew.shared().stop.load(Relaxed)
    }

    /// Three stones after which neither side is better off.
    fn propose(&mut self, empty: &Board) -> Decision {
        let mut best: Option<(Score, Vec<Point>)> = None;
        for _ in 0..PROPOSALS {
            let stones = self.random_opening(empty.size());
            let mut board = empty.clone();
            stones.iter().for_each(|point| board.make(*point));
            let distance = self.score(&board, 1.0 / PROPOSALS as f64).0.abs();
            if best.as_ref().is_none_or(|(least, _)| distance < *least) {
                best = Some((distance, stones));
            }
            if self.is_over() {
                break;
            }
        }
        let stones = best.map_or_else(|| self.random_opening(empty.size()), |(_, stones)| stones);
        Decision::Stones(stones)
    }

    /// Three different points, the first off the middle so that Black's stones do not dominate.
    fn random_opening(&mut self, size: BoardSize) -> Vec<Point> {
        let mut stones: Vec<Point> = Vec::new();
        let (width, height) = (i32::from(size.width()), i32::from(size.height()));
        // Towards the edge the first move is worth less, which is what makes openings level.
        let (x, y) = (
            self.rng.random_range(0..width),
            self.rng.random_range(0..height / 4 + 1),
        );
        while stones.len() < 3 {
            let (dx, dy) = (self.rng.random_range(-3..=3), self.rng.random_range(-3..=3));
            if let Some(point) = size.point(i64::from(x + dx), i64::from(y + dy))
                && !stones.contains(&point)
            {
                stones.push(point);
            }
        }
        stones
    }

    /// White to move after three stones: the better colour, or two more stones when it makes no
    /// difference.
    fn choose_or_add(&mut self, board: &Board) -> Decision {
        let (white, reply) = self.score(board, 0.4);
        if white.abs() > LEVEL {
            return if white > 0 {
                Decision::Stones(vec![reply])
            } else {
                Decision::Swap
            };
        }
        let mut best: Option<(Score, Vec<Point>)> = None;
        let points: Vec<Point> = board.candidates().iter().collect();
        for _ in 0..PROPOSALS / 2 {
            if points.len() < 2 || self.is_over() {
                break;
            }
            let fourth = points[self.rng.random_range(0..points.len())];
            let mut five = board.clone();
            five.make(fourth);
            let fifth = self.score(&five, 0.04).1;
            if fifth.is_none() || !five.is_empty(fifth) {
                continue;
            }
            five.make(fifth);
            let distance = self.score(&five, 0.06).0.abs();
            if best.as_ref().is_none_or(|(least, _)| distance < *least) {
                best = Some((distance, vec![fourth, fifth]));
            }
        }
        match best {
            Some((distance, stones)) if distance < white.abs() => Decision::Stones(stones),
            _ if white >= 0 => Decision::Stones(vec![reply]),
            _ => Decision::Swap,
        }
    }

    /// White to move: keep White and move, or take Black.
    fn choose(&mut self, board: &Board) -> Decision {
        let (white, reply) = self.score(board, 1.0);
        if white >= score::DRAW {
            Decision::Stones(vec![reply])
        } else {
            Decision::Swap
        }
    }
}

#[cfg(test)]
mod tests;
