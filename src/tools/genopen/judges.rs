//! Who calls a position level: our engine, and a second one that speaks the Gomocup protocol
//! and tells its win rate.

use std::sync::atomic::AtomicBool;

use super::candidates::Source;
use crate::rules::RuleSpec;
use crate::time::Limits;
use crate::tools::matches::entrant::Entrant;
use crate::tools::matches::player::{Player, Terms, Trouble};
use crate::tools::searcher::Searcher;
use crate::types::{BoardSize, Point, Position};

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
    searcher: Searcher,
    rule: &'static RuleSpec,
    size: BoardSize,
    nodes: u64,
    stop: &'a AtomicBool,
}

impl<'a> Own<'a> {
    /// An engine for `source` with a table of `hash` bytes.
    pub fn new(source: &Source, nodes: u64, hash: u64, stop: &'a AtomicBool) -> Own<'a> {
        Own {
            searcher: Searcher::new(1, hash),
            rule: source.rule,
            size: source.size,
            nodes,
            stop,
        }
    }
}

impl Judge for Own<'_> {
    fn win_rate(&mut self, stones: &[Point]) -> Result<f64, NoOpinion> {
        let position = Position::after(self.size, stones.iter().copied());
        let limits = Limits {
            nodes: Some(self.nodes),
            ..Limits::unlimited()
        };
        self.searcher.forget();
        let answer = self
            .searcher
            .search_unless(&position, self.rule, limits, self.stop)
            .map_err(NoOpinion::Fault)?
            .ok_or(NoOpinion::Stopped)?;
        let silent = "the engine gave no win rate for an opening";
        let rate = answer.lines.first().map(|line| line.win_rate);
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
