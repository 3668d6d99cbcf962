//! Soosõrv's opening rule by search, step by step.
//!
//! One side sets one of the 26 openings, the other may exchange colours; White plays a fourth
//! stone and says how many fifth moves Black must offer, the other side may exchange colours;
//! Black offers so many, no two of them images of each other, White picks one and plays on.
//!
//! What a fourth stone with n fifth moves is worth follows from one search: White will pick the
//! worst of those offered, so Black's n-th best move is what Black gets.

use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::{DEPTH, decision_time};
use crate::board::Board;
use crate::pool::Crew;
use crate::search::{Question, Silent};
use crate::time::Limits;
use crate::types::{BoardSize, Point, Score, Symmetries};

/// Most fifth moves that may be asked for.
pub const MAX_FIFTHS: usize = 8;
/// Openings tried before the most level one is taken.
const PROPOSALS: usize = 8;
/// Fourth moves tried before the most level one is taken.
const FOURTHS: usize = 8;

/// What has to be decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// The first three stones.
    Propose,
    /// After them: exchange colours?
    Swap,
    /// The fourth stone, and how many fifth moves are asked for.
    Fourth,
    /// After that: exchange colours?
    SwapAgain {
        /// How many are asked for.
        fifths: usize,
    },
    /// The fifth moves offered.
    Offer {
        /// How many are asked for.
        fifths: usize,
    },
    /// The one of the stones from the fifth on that stays.
    Pick,
}

/// The decision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Exchange colours?
    Swap(bool),
    /// These stones: the three of an opening, the fifth moves offered, or the one that stays.
    Stones(Vec<Point>),
    /// This fourth stone, and so many fifth moves.
    Fourth(Point, usize),
}

/// Decides a step. The board has the stones that the step is about: none, three, four, or four
/// and the fifth moves offered.
pub fn decide(crew: &mut Crew, board: &Board, step: Step, limits: &Limits, seed: u64) -> Choice {
    let time = decision_time(limits, board.stones());
    let mut soosorv = Soosorv {
        crew,
        start: limits.start,
        time,
        depth: limits.depth.map_or(DEPTH, |depth| depth.min(30) as i32),
        rng: SmallRng::seed_from_u64(seed),
    };
    match step {
        Step::Propose => Choice::Stones(soosorv.propose(board)),
        Step::Swap => {
            // White to move: who keeps White gets this.
            let white = soosorv.lines(board, 1, Vec::new(), 1.0);
            Choice::Swap(white.first().is_some_and(|(score, _)| *score < 0))
        }
        Step::Fourth => soosorv.fourth(board),
        Step::SwapAgain { fifths } => {
            let black = soosorv.offer(board, fifths, 1.0);
            Choice::Swap(black.last().is_some_and(|(score, _)| *score < 0))
        }
        Step::Offer { fifths } => {
            let offer = soosorv.offer(board, fifths, 1.0);
            Choice::Stones(offer.into_iter().map(|(_, point)| point).collect())
        }
        Step::Pick => Choice::Stones(soosorv.pick(board).into_iter().collect()),
    }
}

struct Soosorv<'a, 'b> {
    crew: &'a mut Crew<'b>,
    start: Instant,
    time: Duration,
    depth: i32,
    rng: SmallRng,
}

impl Soosorv<'_, '_> {
    /// The best moves but for those blocked, each with its score for the side to move, in that
    /// share of the whole time.
    fn lines(
        &mut self,
        board: &Board,
        lines: usize,
        blocked: Vec<Point>,
        share: f64,
    ) -> Vec<(Score, Point)> {
        let until = (self.start.elapsed() + self.time.mul_f64(share)).min(self.time);
        self.crew.shared().set_limits(None, Some(until), None);
        self.crew.shared().begin();
        let question = Question {
            lines,
            blocked,
            ..Question::plain(self.start, self.depth)
        };
        let outcome = self.crew.think(board, &question, &mut Silent);
        let moves = outcome.lines.iter();
        let mut moves: Vec<(Score, Point)> = moves
            .filter_map(|line| Some((line.score, *line.pv.first()?)))
            .collect();
        moves.sort_by_key(|(score, _)| -score);
        moves
    }

    fn is_over(&self) -> bool {
        self.start.elapsed() >= self.time || self.crew.shared().stop.load(Relaxed)
    }

    /// The most level of some of the 26 openings.
    fn propose(&mut self, empty: &Board) -> Vec<Point> {
        let mut best: Option<(Score, Vec<Point>)> = None;
        for _ in 0..PROPOSALS {
            let stones = random_opening(empty.size(), &mut self.rng);
            let mut board = empty.clone();
            stones.iter().for_each(|point| board.make(*point));
            let moves = self.lines(&board, 1, Vec::new(), 1.0 / PROPOSALS as f64);
            let distance = moves.first().map_or(Score::MAX, |(score, _)| score.abs());
            if best.as_ref().is_none_or(|(least, _)| distance < *least) {
                best = Some((distance, stones));
            }
            if self.is_over() {
                break;
            }
        }
        best.map_or_else(
            || random_opening(empty.size(), &mut self.rng),
            |(_, stones)| stones,
        )
    }

    /// The fourth stone and the number of fifth moves after which neither side is better off.
    fn fourth(&mut self, board: &Board) -> Choice {
        let candidates = self.lines(board, FOURTHS, images(board), 0.3);
        let mut best: Option<(Score, Point, usize)> = None;
        for (_, fourth) in &candidates {
            if best.is_some() && self.is_over() {
                break;
            }
            if !board.is_empty(*fourth) {
                continue;
            }
            let mut next = board.clone();
            next.make(*fourth);
            let share = 0.7 / candidates.len() as f64;
            for (index, (score, _)) in self.offer(&next, MAX_FIFTHS, share).iter().enumerate() {
                if best.is_none_or(|(least, ..)| score.abs() < least) {
                    best = Some((score.abs(), *fourth, index + 1));
                }
            }
        }
        match best {
            Some((_, fourth, fifths)) => Choice::Fourth(fourth, fifths),
            None => Choice::Fourth(board.empties().iter().next().unwrap_or(Point::NONE), 1),
        }
    }

    /// Black's best moves, no two of them images of each other. There may be fewer than asked
    /// for where the board has no more.
    fn offer(&mut self, board: &Board, fifths: usize, share: f64) -> Vec<(Score, Point)> {
        let fifths = fifths.clamp(1, MAX_FIFTHS);
        let blocked = images(board);
        let mut moves = self.lines(board, fifths, blocked.clone(), share);
        // A search told to stop at once has fewer lines; Black still has to offer so many.
        let others = board.candidates();
        let others = others.iter().chain(board.empties().iter());
        for point in others.collect::<Vec<_>>() {
            let is_new = moves.iter().all(|(_, known)| *known != point);
            if moves.len() < fifths && is_new && !blocked.contains(&point) {
                let worst = moves.last().map_or(0, |(score, _)| *score);
                moves.push((worst, point));
            }
        }
        moves.truncate(fifths);
        moves
    }

    /// Of the stones after the fourth, the one that is worst for Black.
    fn pick(&mut self, board: &Board) -> Option<Point> {
        let mut four = board.clone();
        let mut offered = Vec::new();
        while four.stones() > 4 {
            offered.push(four.last_move());
            four.undo();
        }
        offered.reverse();
        let others = four.empties().iter().filter(|p| !offered.contains(p));
        let blocked = others.collect();
        let moves = self.lines(&four, offered.len(), blocked, 1.0);
        let worst = moves.last().map(|(_, point)| *point);
        worst
            .filter(|p| offered.contains(p))
            .or(offered.first().copied())
    }
}

/// One of the 26: the middle; beside it, straight or diagonal; near it.
fn random_opening(size: BoardSize, rng: &mut SmallRng) -> Vec<Point> {
    let middle = size.center();
    let (x, y) = (i64::from(middle.x()), i64::from(middle.y()));
    let side = rng.random_range(0..=1);
    let second = size.point(x + side, y - 1).unwrap_or(middle);
    let mut third = middle;
    while third == middle || third == second {
        let (dx, dy) = (rng.random_range(-2..=2), rng.random_range(-2..=2));
        third = size.point(x + dx, y + dy).unwrap_or(middle);
    }
    vec![middle, second, third]
}

/// Empty points of which an image under a symmetry of the stones stands for all of them.
fn images(board: &Board) -> Vec<Point> {
    let size = board.size();
    let marked = |point| Some((point, board.stone(point)?.index()));
    let stones: Vec<(Point, usize)> = size.points().filter_map(marked).collect();
    let empties: Vec<Point> = board.empties().iter().collect();
    Symmetries::of(size, &stones).repeated(&empties)
}

#[cfg(test)]
mod tests;
