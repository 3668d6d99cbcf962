//! The measurement of an iteration: pairs of games between two settings of the engine, each
//! opening played from both sides.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread;

use super::spsa::{Knob, Trial};
use super::state::Tally;
use crate::engine::Params;
use crate::rules::{Game, Profile, RuleSpec};
use crate::time::Limits;
use crate::tools::searcher::Searcher;
use crate::tools::selfplay;
use crate::types::{BoardSize, Color, Point, Position};

/// Somebody who compares the two sides of a trial.
pub trait Contest {
    /// The games of iteration `k`; nothing when stopped.
    fn play(&mut self, k: u32, trial: &Trial) -> Result<Option<Tally>, String>;
}

/// What all games of a run share.
pub struct Terms {
    /// The rule.
    pub rule: &'static RuleSpec,
    /// The board.
    pub size: BoardSize,
    /// The openings; at least one.
    pub openings: Vec<Vec<Point>>,
    /// Pairs of games in an iteration.
    pub pairs: usize,
    /// Nodes for a move.
    pub nodes: Option<u64>,
    /// Time for a move.
    pub turn: Option<std::time::Duration>,
    /// The numbers that a trial sets, in its order.
    pub knobs: Vec<Knob>,
}

/// Games inside this process. At fixed nodes a game follows from the two settings and its
/// opening alone.
pub struct Games<'a> {
    terms: &'a Terms,
    stop: &'a AtomicBool,
    /// An engine for either setting, `plus` first, for each thread.
    seats: Vec<[Searcher; 2]>,
}

/// Transposition table of one engine, in bytes.
const TABLE_BYTES: u64 = 4 << 20;

impl<'a> Games<'a> {
    /// A hall with room for `concurrency` games at a time.
    pub fn new(terms: &'a Terms, concurrency: usize, stop: &'a AtomicBool) -> Games<'a> {
        let seat = |_| [Searcher::new(1, TABLE_BYTES), Searcher::new(1, TABLE_BYTES)];
        Games {
            terms,
            stop,
            seats: (0..concurrency.max(1)).map(seat).collect(),
        }
    }
}

impl Contest for Games<'_> {
    fn play(&mut self, k: u32, trial: &Trial) -> Result<Option<Tally>, String> {
        let (terms, stop) = (self.terms, self.stop);
        let settings = [&trial.plus, &trial.minus].map(|values| terms.setting(values));
        let next = AtomicUsize::new(0);
        let work = |seat: &mut [Searcher; 2]| -> Result<Option<Tally>, String> {
            for (searcher, setting) in seat.iter_mut().zip(&settings) {
                searcher.set_params(setting.clone());
            }
            let mut tally = Tally::default();
            loop {
                let number = next.fetch_add(1, Relaxed);
                if number >= 2 * terms.pairs {
                    return Ok(Some(tally));
                }
                let pair = (k as usize).wrapping_mul(terms.pairs) + number / 2;
                let plus = Color::ALL[number % 2];
                match terms.game(pair, plus, seat, stop)? {
                    Some(game) => tally.add(game),
                    None => return Ok(None),
                }
            }
        };
        let tallies: Vec<_> = thread::scope(|scope| {
            let seats = self.seats.iter_mut();
            let threads: Vec<_> = seats.map(|seat| scope.spawn(|| work(seat))).collect();
            threads
                .into_iter()
                .map(thread::ScopedJoinHandle::join)
                .collect()
        });
        let mut sum = Tally::default();
        for tally in tallies {
            match tally.map_err(|_| "a game ended in a panic".to_owned())?? {
                Some(tally) => sum.add(tally),
                None => return Ok(None),
            }
        }
        Ok(Some(sum))
    }
}

impl Terms {
    /// The engine's numbers with those of a trial put in.
    pub fn setting(&self, values: &[i32]) -> Params {
        let mut params = Params::for_rule(self.rule);
        for (knob, value) in self.knobs.iter().zip(values) {
            if let Some(number) = params.get_mut(&knob.name) {
                *number = *value;
            }
        }
        params
    }

    /// Plays the game of pair `pair` in which `plus` has that colour; nothing when stopped.
    fn game(
        &self,
        pair: usize,
        plus: Color,
        seat: &mut [Searcher; 2],
        stop: &AtomicBool,
    ) -> Result<Option<Tally>, String> {
        let mut game = Game::new(self.rule, self.size, Profile::Judge);
        let mut position = Position::new(self.size);
        for &stone in &self.openings[pair % self.openings.len()] {
            game.play(stone).map_err(|e| e.to_string())?;
            position.play(stone);
        }
        seat.iter_mut().for_each(Searcher::forget);
        let mut think = |position: &Position| {
            let searcher = &mut seat[usize::from(position.to_move != plus)];
            let limits = Limits {
                nodes: self.nodes,
                turn: self.turn,
                ..Limits::unlimited()
            };
            let answer = searcher.search_unless(position, self.rule, limits, stop)?;
            answer.as_ref().map(selfplay::move_of).transpose()
        };
        let played = selfplay::play_out(&mut game, &mut position, &mut think)?;
        Ok(played.map(|played| {
            let mut tally = Tally::default();
            match played.winner {
                None => tally.draws = 1,
                Some(winner) if winner == plus => tally.wins = 1,
                Some(_) => tally.losses = 1,
            }
            tally
        }))
    }
}
