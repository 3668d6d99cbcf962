//! Tengen: a gomoku and renju engine.

#![allow(missing_docs)]
pub mod board;
pub mod engine;
pub mod pattern;
pub mod rules;
pub mod time;
pub mod types;
