//! Swap2 in its two forms: the block of Gomocup's managers and the steps of Yixin's board.

use std::time::Instant;

use super::opening::Form;
use super::{Session, Thinker};
use crate::opening_rules::{Action, Rule, Setup, State};
use crate::protocol::block::Block;
use crate::protocol::setup::{self, Stones};
use crate::types::Position;

impl<T: Thinker> Session<T> {
    /// SWAP2BOARD: the official form.
    pub(super) fn swap2_board(&mut self, block: &Block, arrival: Instant) -> Result<(), String> {
        let Stones {
            position, skipped, ..
        } = setup::in_turn(self.position()?.size(), block);
        self.tell_skipped("SWAP2BOARD", &skipped);
        match position.stones().len() {
            0 | 3 | 5 => self.swap2(position, Form::Swap2Board, arrival),
            count => Err(format!("SWAP2BOARD needs 0, 3 or 5 stones, not {count}")),
        }
    }

    /// Step 1 proposes whatever stands on the board; 2 and 3 are asked about what YXBOARD has set.
    pub(super) fn swap2_step(&mut self, step: u8, arrival: Instant) -> Result<(), String> {
        let position = match step {
            1 => Position::new(self.position()?.size()),
            _ => self.position()?.clone(),
        };
        let (count, expected) = (position.in_turn().len(), [0, 3, 5]);
        if expected.get(usize::from(step.saturating_sub(1))) != Some(&count) {
            return Err(format!(
                "YXSWAP2STEP{step} needs 3 or 5 stones, not {count}"
            ));
        }
        self.swap2(position, Form::Swap2Step(step), arrival)
    }

    /// Decides what the side that is asked does about these stones, which are on the board then.
    fn swap2(&mut self, position: Position, form: Form, arrival: Instant) -> Result<(), String> {
        let setup = Setup {
            game: self.options.rule()?,
            size: position.size(),
            ..Setup::of(Rule::parse("swap2")?)
        };
        let mut state = State::new(setup)?;
        // Three are proposed, and two may have been added.
        for placed in position.in_turn().chunks(3) {
            state.apply(&Action::Place(placed.to_vec()))?;
        }
        self.position = Some(position);
        self.decide(state, 1, form, arrival);
        Ok(())
    }
}
