//! Tengen: a gomoku and renju engine that plays every rule.
//!
//! The modules lie in layers; each imports only from layers below its own, and a test
//! (`layers.rs`) reads the sources to keep it so.
//!
//! ```text
//! 12  main                     the process: arguments in, exit code out
//! 11  cli                      which subcommand
//! 10  protocol    tools        text for managers; bench, match and the others
//!  9  json                     analysis for programs
//!  8  engine                   the facade: requests in, events out
//!  7  opening     survey       steps of opening rules; every move by itself
//!  6  pool                     the threads
//!  5  search                   what one thread does
//!  4  eval  tt  time  solver   what positions are worth; memory of them; clocks; proofs
//!     opening_rules            who may do what before the game proper
//!     database                 what is known about positions, in a file
//!     book                     opening books
//!  3  board   record           stones and all that follows from them; file formats
//!  2  pattern                  what lines and cells mean under a rule
//!  1  rules                    rules as values, and the referee
//!  0  types                    the words everybody uses
//! ```
//!
//! Rules are data: a [`RuleSpec`](rules::RuleSpec) says what wins, what closes a row and what is
//! forbidden. [`RuleTables`](pattern::RuleTables) are built from it, a [`Board`](board::Board)
//! reads them, and nothing above asks for a rule by name. Outside, an
//! [`Engine`](engine::Engine) is all there is: protocol and tools never see the search.

pub mod board;
pub mod book;
pub mod cli;
pub mod database;
pub mod engine;
pub mod eval;
pub mod json;
#[cfg(test)]
mod layers;
pub mod opening;
pub mod opening_rules;
pub mod pattern;
pub mod pool;
pub mod protocol;
pub mod record;
pub mod rules;
pub mod search;
pub mod solver;
pub mod survey;
pub mod time;
pub mod tools;
pub mod tt;
pub mod types;
