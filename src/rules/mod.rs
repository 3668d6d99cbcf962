//! L1: what a rule is ([`RuleSpec`]), the table of rules, and the referee that applies a rule
//! literally on a plain grid.
//!
//! Nothing above this layer asks for a rule by name: tables, generators and the search read
//! properties of the value.

mod game;
mod grid;
mod referee;
mod spec;

pub use game::{DrawReason, Game, Illegal, Outcome, Profile, WinReason, stone_outcome};
pub use grid::{Cell, Grid, Row};
pub use referee::{
    ForbiddenKind, forbidden, forbidden_shapes, is_winning_stone, only_forbidden_left, winner, wins,
};
pub use spec::{Closing, Forbidden, LongRow, PRESETS, RuleSpec, SideRule};

#[cfg(test)]
mod case_tests;
#[cfg(test)]
mod diagram_tests;
