//! Steps of opening rules, and the game that one of them leads to.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::{Answer, Engine, Event, Reply, prepare_table};
use crate::board::Board;
use crate::opening;
use crate::opening_rules::State;
use crate::time::Limits;

impl Engine {
    /// Starts to decide what is done next in an opening that is not over, `most` actions of the
    /// player whose turn it is at most, and returns at once; a `Done` with [`Reply::Step`]
    /// follows. Without a seed every decision is a new throw.
    pub fn decide(&mut self, state: State, limits: Limits, most: usize, seed: Option<u64>) {
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
            prepare_table(crew.shared(), &limits, board.stones());
            let step = opening::decide(crew, tables, &state, &limits, most, seed);
            // Nobody listens any more when the engine is being dropped.
            let _ = events.send(Event::Done(Answer {
                nodes: step.nodes,
                reply: Reply::Step(step),
                lines: Vec::new(),
                elapsed: limits.start.elapsed(),
            }));
        });
    }
}
