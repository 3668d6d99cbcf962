//! An engine that is asked and waited for: what tools need that only want the answer.

use crossbeam_channel::{Receiver, unbounded};

use crate::engine::{Answer, Engine, Event, Request, Settings, Task};
use crate::rules::RuleSpec;
use crate::time::Limits;
use crate::types::Position;

/// An engine with nobody else listening to it.
pub struct Searcher {
    engine: Engine,
    events: Receiver<Event>,
}

impl Searcher {
    /// An engine with `threads` threads and a table of `hash` bytes, whatever memory that takes.
    pub fn new(threads: usize, hash: u64) -> Searcher {
        let (sender, events) = unbounded();
        let mut engine = Engine::new(sender);
        engine.configure(Settings {
            threads,
            memory: u64::MAX,
            hash: Some(hash),
        });
        Searcher { engine, events }
    }

    /// Forgets all earlier searches; the tables of the rule are kept.
    pub fn forget(&mut self) {
        self.engine.clear_hash();
    }

    /// Searches for the best move.
    ///
    /// # Errors
    /// A line when the search died.
    pub fn search(
        &mut self,
        position: &Position,
        rule: &'static RuleSpec,
        limits: Limits,
    ) -> Result<Answer, String> {
        self.engine.go(Request {
            position: position.clone(),
            rule,
            limits,
            task: Task::Move { lines: 1 },
            blocked: Vec::new(),
        });
        for event in &self.events {
            if let Event::Done(answer) = event {
                return Ok(answer);
            }
        }
        Err("the search ended without an answer".to_string())
    }
}
