//! The opening of a game by an opening rule: each player is asked for his actions, and the
//! interpreter of the rules is the referee of every one.

use super::player::{Player, Trouble};
use super::record::{OpeningRecord, Reason};
use crate::opening_rules::{self, Action, Choice, Settled, Setup, State, Turn};
use crate::types::{Color, PerColor, Point};

/// How an opening ended.
pub enum End {
    /// The game begins.
    Settled {
        /// From there.
        settled: Settled,
        /// The first move, if it is known already.
        reply: Option<Point>,
    },
    /// The holder of a colour did something that ends the game.
    Lost {
        /// The stones so far.
        stones: Vec<Point>,
        /// His colour at that time.
        color: Color,
        /// What he did.
        reason: Reason,
        /// The same in words.
        detail: String,
    },
    /// The run was stopped.
    Stopped,
}

/// Plays an opening between player A, who comes with the black stones, and B. Afterwards each
/// stands at his colour.
///
/// # Errors
/// One line when the rule is not for that game or board.
pub fn play(
    setup: Setup,
    players: &mut PerColor<&mut Player<'_>>,
) -> Result<(End, OpeningRecord), String> {
    let mut state = State::new(setup)?;
    let first = players[Color::Black].name().to_owned();
    let mut reply = None;
    let end = loop {
        let Some(turn) = state.legal() else {
            break None;
        };
        // A die is the referee's.
        let action = match die(&turn) {
            Some(action) => Ok(action),
            None => {
                let color = state.color_of(turn.actor);
                let steps = players[color].step(&state);
                steps.map(|steps| {
                    reply = steps.reply;
                    steps.action
                })
            }
        };
        let before = state.black();
        let taken = action.and_then(|action| {
            state.apply(&action).map_err(|error| {
                let number = state.history().len() + 1;
                let text = action.format(setup.size);
                let detail = format!("action {number} of the opening, '{text}': {error}");
                Trouble::Failed(Reason::Illegal, detail)
            })
        });
        match taken {
            Ok(()) if state.black() != before => {
                let PerColor([black, white]) = players;
                std::mem::swap(black, white);
            }
            Ok(()) => {}
            Err(Trouble::Stopped) => break Some(End::Stopped),
            Err(Trouble::Failed(reason, detail)) => {
                break Some(lost(&state, &turn, reason, detail));
            }
        }
    };
    let told = |(player, action): &(opening_rules::Player, Action)| {
        format!("{player}: {}", action.format(setup.size))
    };
    let record = OpeningRecord {
        rule: setup.rule.name.clone(),
        first,
        actions: state.history().iter().map(told).collect(),
    };
    let end = match (end, state.result()) {
        (None, Some(settled)) => End::Settled { settled, reply },
        (end, _) => end.unwrap_or(End::Stopped),
    };
    Ok((end, record))
}

/// The opening was lost by the player whose turn it is.
fn lost(state: &State, turn: &Turn, reason: Reason, detail: String) -> End {
    let stones = state.position();
    End::Lost {
        stones: stones.stones().iter().map(|stone| stone.0).collect(),
        color: state.color_of(turn.actor),
        reason,
        detail,
    }
}

/// The throw, when it is the turn of a die.
fn die(turn: &Turn) -> Option<Action> {
    match turn.choices[..] {
        [
            Choice::Roll {
                face: Some(face), ..
            },
        ] => Some(Action::Roll(face)),
        _ => None,
    }
}
