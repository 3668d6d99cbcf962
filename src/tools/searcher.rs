//! An engine that is asked and waited for: what tools need that only want the answer.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, unbounded};

use crate::engine::{Answer, Engine, Event, Params, Request, Settings, Task, WeightFile};
use crate::rules::RuleSpec;
use crate::time::Limits;
use crate::types::{Point, Position};

/// How often a waiting thread looks whether it is still wanted.
const POLL: Duration = Duration::from_millis(50);
const DIED: &str = "the search ended without an answer";

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

    /// Searches with these numbers from now on, whatever the rule's own are. Forgets all earlier
    /// searches.
    pub fn set_params(&mut self, params: Params) {
        self.engine.set_params(params);
    }

    /// Evaluates with the weights of a file from now on, if one is given. Forgets all earlier
    /// searches.
    ///
    /// # Errors
    /// A line when the file is not usable or for another rule.
    pub fn use_weights(&mut self, file: Option<&Path>, rule: &RuleSpec) -> Result<(), String> {
        let Some(path) = file else {
            return Ok(());
        };
        let weights = WeightFile::open(path)?;
        if weights.rule != rule.code {
            return Err(format!("{}: not for {}", path.display(), rule.name));
        }
        self.engine.set_weights(weights);
        Ok(())
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
        self.ask(best_move(position, rule, limits), |_| {})
    }

    /// Searches for the best move; nothing once `stop` is set, which ends a running search.
    ///
    /// # Errors
    /// A line when the search died.
    pub fn search_unless(
        &mut self,
        position: &Position,
        rule: &'static RuleSpec,
        limits: Limits,
        stop: &AtomicBool,
    ) -> Result<Option<Answer>, String> {
        self.engine.go(best_move(position, rule, limits));
        self.wait(stop, |_| {})
    }

    /// Searches as `request` says and hands on what is reported meanwhile.
    ///
    /// # Errors
    /// A line when the search died.
    pub fn ask(&mut self, request: Request, listen: impl FnMut(&Event)) -> Result<Answer, String> {
        self.engine.go(request);
        let answer = self.wait(&AtomicBool::new(false), listen)?;
        answer.ok_or_else(|| DIED.to_string())
    }

    /// Waits for the end of the search, which comes early once `stop` is set.
    fn wait(
        &mut self,
        stop: &AtomicBool,
        mut listen: impl FnMut(&Event),
    ) -> Result<Option<Answer>, String> {
        loop {
            match self.events.recv_timeout(POLL) {
                Ok(Event::Done(answer)) => {
                    return Ok((!stop.load(Relaxed)).then_some(answer));
                }
                Ok(event) => listen(&event),
                Err(RecvTimeoutError::Disconnected) => return Err(DIED.to_string()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if stop.load(Relaxed) {
                self.engine.stop();
            }
        }
    }

    /// See [`Engine::forbidden_points`].
    pub fn forbidden_points(&mut self, rule: &'static RuleSpec, position: &Position) -> Vec<Point> {
        self.engine.forbidden_points(rule, position)
    }
}

fn best_move(position: &Position, rule: &'static RuleSpec, limits: Limits) -> Request {
    Request {
        position: position.clone(),
        rule,
        limits,
        task: Task::Move { lines: 1 },
        blocked: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{BoardSize, Point};

    #[test]
    fn the_numbers_of_the_search_can_be_replaced() {
        let rule = RuleSpec::parse("freestyle").expect("a rule");
        let mut position = Position::new(BoardSize::STANDARD);
        for (x, y) in [(7, 7), (8, 8), (8, 6), (6, 8)] {
            assert!(position.play(Point::new(x, y)));
        }
        let mut searcher = Searcher::new(1, 1 << 20);
        let mut nodes = |params: Option<Params>| {
            searcher.forget();
            if let Some(params) = params {
                searcher.set_params(params);
            }
            let limits = Limits {
                depth: Some(6),
                ..Limits::unlimited()
            };
            searcher
                .search(&position, rule, limits)
                .map(|answer| answer.nodes)
        };
        let own = nodes(None);
        assert_eq!(nodes(Some(Params::for_rule(rule))), own);
        let mut other = Params::for_rule(rule);
        other.lmr_factor /= 2;
        assert_ne!(nodes(Some(other.clone())), own);
        assert_eq!(nodes(Some(other)), nodes(None), "they outlive a forgetting");
    }

    #[test]
    fn weights_of_a_file_replace_those_of_their_rule_only() {
        let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/eval/tables");
        let standard = RuleSpec::parse("standard").expect("a rule");
        let mut weights = WeightFile::open(&tables.join("standard.bin")).expect("weights");
        for set in &mut weights.sets {
            set.value.fill(0);
        }
        let file = std::env::temp_dir().join(format!("tengen-weights-{}", std::process::id()));
        std::fs::write(&file, weights.write()).expect("written");
        let mut position = Position::new(BoardSize::STANDARD);
        for (x, y) in [(7, 7), (8, 8), (8, 6)] {
            assert!(position.play(Point::new(x, y)));
        }
        let mut searcher = Searcher::new(1, 1 << 20);
        let mut nodes = |file: Option<&Path>| {
            searcher.forget();
            searcher.use_weights(file, standard)?;
            let limits = Limits {
                depth: Some(5),
                ..Limits::unlimited()
            };
            let answer = searcher.search(&position, standard, limits);
            answer.map(|answer| answer.nodes)
        };
        let own = nodes(None);
        assert_ne!(nodes(Some(&file)), own);
        assert_eq!(nodes(Some(&tables.join("standard.bin"))), own);
        let other = nodes(Some(&tables.join("renju.bin"))).expect_err("of another rule");
        assert!(other.ends_with("renju.bin: not for standard"), "{other}");
        assert!(nodes(Some(&tables)).is_err(), "a folder");
        let _ = std::fs::remove_file(&file);
    }

    #[test]
    fn a_search_that_is_not_wanted_ends_without_an_answer() {
        let rule = RuleSpec::parse("freestyle").expect("a rule");
        let position = Position::new(BoardSize::STANDARD);
        let mut searcher = Searcher::new(1, 1 << 20);
        let stop = AtomicBool::new(true);
        let answer = searcher.search_unless(&position, rule, Limits::unlimited(), &stop);
        assert!(matches!(answer, Ok(None)));
    }
}
