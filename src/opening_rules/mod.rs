//! L4: opening rules. A rule is data ([`Rule`], one entry of `openings/rules.toml`), and a
//! [`State`] is an opening in progress under it: it says whose turn it is and what is legal, and
//! takes one [`Action`] after another until the game proper begins.
//!
//! ```text
//! let rule = Rule::parse("soosorv-8")?;
//! let mut state = State::new(Setup::of(rule))?;
//! while let Some(turn) = state.legal() {           // None: the opening is over
//!     let action = choose(&turn);                  // turn.actor, turn.choices
//!     state.apply(&action)?;                       // refused: one line, nothing changed
//! }
//! let start = state.result().unwrap();             // position, who holds Black, game rule
//! ```
//!
//! Players are [`Player::A`], who begins as Black, and [`Player::B`]; colours change hands by
//! swaps. A turn is one action: all stones of a step are placed at once, a number is declared
//! apart from the stone before it, an offer has all its points. Offered points stand on the
//! board until one is picked: nothing else may be placed there. Where a single point is offered
//! it is placed at once and nothing is left to pick. Offered points must be pairwise different
//! under the symmetries of the position (stones and open offers together).
//!
//! Actions as text (see [`Action::parse`]):
//!
//! ```text
//! place h8 h9 i10    the stones of the step, in its order
//! swap, stay         exchange colours, or leave them
//! declare 4          how many moves will be offered
//! offer f10 g9 e7    the points offered for one stone
//! pick g9            the one that stays
//! move h9 i9         a placed stone to another point
//! refuse             clear the board and begin again
//! roll 2             the number of the die
//! ```
//!
//! Nobody wins or loses in an opening: no rule here lets a side have five stones before the game
//! begins, so neither rows nor forbidden points are looked at.

mod action;
mod legal;
mod list;
mod names;
mod state;
mod table;
mod turn;
mod words;

pub use action::{Action, split_transcript};
pub use names::NamedOpening;
pub use state::{Fault, Settled, Setup, State};
pub use table::{Actor, Count, Deed, Reading, Region, Rule, Step, Stone, Way};
pub use turn::{Choice, Slot, Turn};

use serde::Deserialize;

/// A player, whatever his colour.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
pub enum Player {
    /// The first player, who begins as Black.
    A,
    /// The other.
    B,
}

impl Player {
    /// The other player.
    #[must_use]
    pub const fn other(self) -> Player {
        match self {
            Player::A => Player::B,
            Player::B => Player::A,
        }
    }
}

impl std::fmt::Display for Player {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Player::A => "A",
            Player::B => "B",
        })
    }
}

#[cfg(test)]
mod tests;
