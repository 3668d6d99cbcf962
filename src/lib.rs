//! Tengen: a gomoku and renju engine.

pub mod board;
pub mod cli;
pub mod engine;
pub mod eval;
pub mod opening;
pub mod pattern;
pub mod pool;
pub mod protocol;
pub mod record;
pub mod rules;
pub mod search;
pub mod time;
pub mod tools;
pub mod tt;
pub mod types;
