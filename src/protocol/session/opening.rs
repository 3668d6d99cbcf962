//! Decisions of openings, and OPENING: any step of any opening rule.

use std::time::Instant;

use super::{Purpose, Session, Thinker};
use crate::engine::Step;
use crate::opening_rules::{Rule, Setup, State};
use crate::protocol::opening::Opening;
use crate::protocol::reply;
use crate::rules::RuleSpec;
use crate::types::{BoardSize, Position};

/// How a decision is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// OPENING.
    Block,
    /// SWAP2BOARD.
    Swap2Board,
    /// YXSWAP2STEP with that number.
    Swap2Step(u8),
    /// YXSOOSORVSTEP with that number.
    SoosorvStep(u8),
}

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
        self.decide(state, 1, Form::Block, arrival);
        Ok(())
    }

    /// Has it decided what is done next in an opening, that many actions at most.
    pub(super) fn decide(&mut self, state: State, most: usize, form: Form, arrival: Instant) {
        self.stop_pondering();
        self.configure();
        let limits = self.options.limits(arrival);
        let (position, game) = (state.position(), state.setup().game);
        let search = self.search_of(&position, game, limits, Purpose::Opening(form));
        self.options.begin_move();
        self.search = Some(search);
        self.engine.decide(state, limits, most, self.options.seed());
        if self.input_is_closed {
            self.hurry_if_unbound(Instant::now());
        }
    }

    /// Prints what was decided. The next block or BOARD says what has become of it.
    pub(super) fn tell_step(&mut self, form: Form, step: &Step) {
        let size = self.position.as_ref().map(Position::size);
        let size = size.unwrap_or(BoardSize::STANDARD);
        let lines = match form {
            Form::Block => {
                let actions = step.actions.iter();
                let lines = actions.map(|action| reply::action(&action.format(size)));
                lines.collect()
            }
            Form::Swap2Board => vec![reply::swap2_board(step)],
            Form::Swap2Step(number) => reply::swap2_step(number, step),
            Form::SoosorvStep(number) => reply::soosorv_step(number, step),
        };
        self.out.extend(lines);
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
}
