//! Steps of opening rules, and the game that one of them leads to.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::{Answer, Engine, Event, Reply};
use crate::board::Board;
use crate::opening::steps;
use crate::opening_rules::State;
use crate::time::Limits;

impl Engine {
    /// Starts to decide the step of an opening that is not over and returns at once; a `Done` with
    /// [`Reply::Action`] follows. Without a seed every decision is a new throw.
    pub fn decide(&mut self, state: State, limits: Limits, seed: Option<u64>) {
        let tables = self.tables(state.setup().game);
        let board = Board::from_position(Arc::clone(&tables), &state.position());
        self.start = limits.start;
        self.stones = board.stones();
        self.seed = self.seed.wrapping_add(1);
        let seed = seed.unwrap_or(self.seed);
        let events = self.events.clone();
        let pool = self.pool(&board);
        pool.shared().stop.store(false, Ordering::Relaxed);
        pool.run(move |crew| {
            let step = steps::decide(crew, tables, &state, &limits, seed);
            let nodes = step.as_ref().map_or(0, |step| step.nodes);
            let reply = step.map_or(Reply::Moves(Vec::new()), |step| Reply::Action(step.action));
            // Nobody listens any more when the engine is being dropped.
            let _ = events.send(Event::Done(Answer {
                reply,
                lines: Vec::new(),
                nodes,
                elapsed: limits.start.elapsed(),
            }));
        });
    }
}
