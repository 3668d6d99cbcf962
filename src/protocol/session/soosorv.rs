//! Soosõrv's opening rule in the steps of Yixin's board.

use std::time::Instant;

use super::opening::Form;
use super::{Session, Thinker};
use crate::opening_rules::{Action, Rule, Setup, State};
use crate::protocol::block::Block;
use crate::protocol::setup;
use crate::types::Point;

impl<T: Thinker> Session<T> {
    /// Thinks about one step; its block holds the stones so far, Black first. Who holds which
    /// colour makes no difference to it, so nobody is taken to have exchanged them.
    pub(super) fn soosorv_step(
        &mut self,
        step: u8,
        fifths: i64,
        block: &Block,
        arrival: Instant,
    ) -> Result<(), String> {
        let fault = |text: String| format!("YXSOOSORVSTEP{step}: {text}");
        let size = self.position()?.size();
        let stones = setup::in_turn(size, block);
        if let Some(text) = stones.skipped.first() {
            return Err(fault(text.clone()));
        }
        let points: Vec<Point> = stones.position.in_turn();
        let needed = match step {
            1 => 0,
            2 | 3 => 3,
            4 | 5 => 4,
            _ => 5,
        };
        let fits = match step {
            6 => points.len() >= needed,
            _ => points.len() == needed,
        };
        if !fits {
            let count = points.len();
            return Err(fault(format!("{needed} stones are needed, not {count}")));
        }
        let fifths = match step {
            6 => points.len().saturating_sub(4),
            _ => usize::try_from(fifths).unwrap_or(0),
        };
        let mut state = State::new(Setup {
            size,
            ..Setup::of(Rule::parse("soosorv-8")?)
        })?;
        for action in before(step, &points, fifths) {
            state.apply(&action).map_err(fault)?;
        }
        self.position = Some(stones.position);
        // The fourth stone and the number of fifth moves are one answer.
        let most = if step == 3 { 2 } else { 1 };
        self.decide(state, most, Form::SoosorvStep(step), arrival);
        Ok(())
    }
}

/// What has been done before a step, by its stones.
fn before(step: u8, points: &[Point], fifths: usize) -> Vec<Action> {
    let from = |first: usize, most: usize| points.iter().copied().skip(first).take(most);
    let mut actions = Vec::new();
    if step >= 2 {
        actions.push(Action::Place(from(0, 3).collect()));
    }
    if step >= 3 {
        actions.push(Action::Stay);
    }
    if step >= 4 {
        let fourth = Action::Place(from(3, 1).collect());
        actions.extend([fourth, Action::Declare(fifths)]);
    }
    if step >= 5 {
        actions.push(Action::Stay);
    }
    if step >= 6 {
        actions.push(Action::Offer(from(4, fifths).collect()));
    }
    actions
}
