//! Tengen: a gomoku and renju engine.

#![allow(missing_docs)]
pub mod cli;
pub mod engine;
pub mod record;
pub mod rules;
pub mod time;
pub mod tools;
pub mod types;
