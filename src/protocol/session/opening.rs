//! OPENING: any step of any opening rule.

use std::time::Instant;

use super::{Session, Thinker};
use crate::engine::Task;
use crate::opening_rules::{Action, Rule, Setup, State};
use crate::protocol::opening::Opening;
use crate::protocol::reply;
use crate::rules::RuleSpec;
use crate::types::{BoardSize, Position};

impl<T: Thinker> Session<T> {
    /// Decides the next step of the opening; the position of the game stays as it is.
    pub(super) fn opening(&mut self, opening: &Opening, arrival: Instant) -> Result<(), String> {
        let size = self.position()?.size();
        let fault = |text: String| reply::plain(&format!("OPENING: {text}"));
        if opening.is_too_long {
            return Err(fault("longer than any opening is".to_owned()));
        }
        let setup = self.setup(&opening.header, size).map_err(fault)?;
        let state = State::new(setup).and_then(|_| {
            let replayed = State::replay(setup, &opening.actions);
            replayed.map_err(|error| error.to_string())
        });
        let state = state.map_err(fault)?;
        if state.actor().is_none() {
            return Err("OPENING: it is over: ask for the next move with BOARD".to_owned());
        }
        self.stop_pondering();
        self.configure();
        let limits = self.options.limits(arrival);
        // A decision like that of Swap2: no position to ponder on follows.
        let search = self.search_of(&state.position(), setup.game, limits, Task::Swap2);
        self.options.begin_move();
        self.search = Some(search);
        self.engine.decide(state, limits, self.options.seed());
        if self.input_is_closed {
            self.hurry_if_unbound(Instant::now());
        }
        Ok(())
    }

    /// The rule that the words name, before the game that they name: else before the game of INFO
    /// rule if it can be, else before the usual one.
    fn setup(&self, header: &str, size: BoardSize) -> Result<Setup, String> {
        let mut words = header.split(' ').filter(|word| !word.is_empty());
        let name = words.next().ok_or("which rule? as in OPENING swap2")?;
        let rule = Rule::parse(name)?;
        let game = match (words.next(), words.next()) {
            (Some(game), None) => RuleSpec::parse(game)?,
            (Some(_), Some(_)) => return Err("only a rule and a game can be named".to_owned()),
            (None, _) => {
                let present = self.options.rule().ok();
                let fits = present.filter(|game| rule.games.contains(game));
                fits.unwrap_or(Setup::of(rule).game)
            }
        };
        Ok(Setup {
            game,
            size,
            ..Setup::of(rule)
        })
    }

    /// An action as the notation of openings writes it.
    pub(super) fn action_text(&self, action: &Action) -> String {
        let size = self.position.as_ref().map(Position::size);
        action.format(size.unwrap_or(BoardSize::STANDARD))
    }
}
