//! Who calls a position level: our engine, and a second one that speaks the Gomocup protocol
//! and tells its win rate.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError};

use super::candidates::Source;

use crate::engine::{Engine, Event, Request, Settings, Task};
use crate::rules::RuleSpec;
use crate::time::Limits;
use crate::tools::matches::entrant::Entrant;
use crate::tools::matches::player::{Player, Terms, Trouble};
use crate::types::{BoardSize, Point, Position};

/// How often a waiting thread looks whether the run was stopped.
const POLL: Duration = Duration::from_millis(50);

/// Why there is no opinion.
#[derive(Debug)]
pub enum NoOpinion {
    /// The run was stopped.
    Stopped,
    /// One line for the user.
    Fault(String),
}

/// Somebody with an opinion about positions.
pub trait Judge {
    /// The chance, 0 to 1, of the side to move after `stones`.
    fn win_rate(&mut self, stones: &[Point]) -> Result<f64, NoOpinion>;
}

/// Our engine at a fixed number of nodes. What it learned is forgotten before each position, so
/// that opinions do not depend on their order.
pub struct Own<'a> {
    engine: Engine,
    events: Receiver<Event>,
    rule: &'static RuleSpec,
    size: BoardSize,
    nodes: u64,
    stop: &'a AtomicBool,
}

impl<'a> Own<'a> {
    /// An engine for `source` with a table of `hash` bytes.
    pub fn new(source: &Source, nodes: u64, hash: u64, stop: &'a AtomicBool) -> Own<'a> {
        let (sender, events) = crossbeam_channel::unbounded();
        let mut engine = Engine::new(sender);
        engine.configure(Settings {
            threads: 1,
            hash: Some(hash),
            ..Settings::default()
        });
        Own {
            engine,
            events,
            rule: source.rule,
            size: source.size,
            nodes,
            stop,
        }
    }

    /// The next event. A stopped run stops the search, which then says `Done`.
    fn event(&self) -> Result<Event, RecvTimeoutError> {
        loop {
            match self.events.recv_timeout(POLL) {
                Err(RecvTimeoutError::Timeout) if self.stop.load(Ordering::Relaxed) => {
                    self.engine.stop();
                }
                Err(RecvTimeoutError::Timeout) => {}
                other => return other,
            }
        }
    }
}

impl Judge for Own<'_> {
    fn win_rate(&mut self, stones: &[Point]) -> Result<f64, NoOpinion> {
        let mut position = Position::new(self.size);
        for &stone in stones {
            position.play(stone);
        }
        self.engine.clear_hash();
        self.engine.go(Request {
            position,
            rule: self.rule,
            limits: Limits {
                nodes: Some(self.nodes),
                ..Limits::unlimited()
            },
            task: Task::Move { lines: 1 },
            blocked: Vec::new(),
        });
        let mut rate = None;
        while let Ok(event) = self.event() {
            match event {
                Event::Line(line) if line.index == 0 => rate = Some(line.win_rate),
                Event::Done(answer) => {
                    let last = answer.lines.first().map(|line| line.win_rate);
                    rate = last.or(rate);
                    break;
                }
                _ => {}
            }
        }
        if self.stop.load(Ordering::Relaxed) {
            return Err(NoOpinion::Stopped);
        }
        let silent = "the engine gave no win rate for an opening";
        rate.ok_or_else(|| NoOpinion::Fault(silent.to_owned()))
    }
}

/// An engine that prints `INFO WINRATE` when asked for details; a new process each time.
pub struct External<'a> {
    player: Player<'a>,
}

impl<'a> External<'a> {
    /// The engine of a description.
    pub fn new(entrant: &'a Entrant, terms: Terms, stop: &'a AtomicBool) -> External<'a> {
        External {
            player: Player::new(entrant, terms, stop),
        }
    }
}

impl Judge for External<'_> {
    fn win_rate(&mut self, stones: &[Point]) -> Result<f64, NoOpinion> {
        let name = self.player.name();
        self.player.sit_down();
        let thought = self.player.think(stones);
        self.player.stand_up(thought.is_err());
        match thought {
            Ok(thought) => thought.win_rate.ok_or_else(|| {
                let why = "printed no 'INFO WINRATE', so it cannot judge openings";
                NoOpinion::Fault(format!("{name} {why}"))
            }),
            Err(Trouble::Stopped) => Err(NoOpinion::Stopped),
            Err(Trouble::Failed(reason, detail)) => Err(NoOpinion::Fault(format!(
                "{name} failed: {reason}: {detail}"
            ))),
        }
    }
}
