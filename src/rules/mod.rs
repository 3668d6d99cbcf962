//! L1: what a rule is ([`RuleSpec`]), the table of rules, and the referee that applies a rule
//! literally on a plain grid.
//!
//! Nothing above this layer asks for a rule by name: tables, generators and the search read
//! properties of the value.

mod spec;

pub use spec::{Closing, Forbidden, LongRow, PRESETS, RuleSpec, SideRule};
