//! The engine as a session sees it.

use std::path::PathBuf;

use crate::engine::{BookFault, BookMove, BookUse, Engine, Request, Settings};
use crate::opening_rules::State;
use crate::rules::{self, RuleSpec};
use crate::time::Limits;
use crate::types::{Color, Point, Position};

/// What a session needs of an engine. [`Engine`] is the one; tests put a puppet in its place.
pub trait Thinker {
    /// See [`Engine::go`].
    fn go(&mut self, request: Request);
    /// See [`Engine::decide`].
    fn decide(&mut self, state: State, limits: Limits, most: usize, seed: Option<u64>);
    /// See [`Engine::stop`].
    fn stop(&self);
    /// See [`Engine::set_limits`].
    fn set_limits(&self, limits: Limits);
    /// See [`Engine::settings`].
    fn settings(&self) -> Settings;
    /// See [`Engine::configure`].
    fn configure(&mut self, settings: Settings);
    /// See [`Engine::clear_hash`].
    fn clear_hash(&mut self);
    /// See [`Engine::forbidden_points`].
    fn forbidden_points(&mut self, rule: &'static RuleSpec, position: &Position) -> Vec<Point>;
    /// See [`Engine::save_table`].
    fn save_table(&mut self, path: PathBuf);
    /// See [`Engine::load_table`].
    fn load_table(&mut self, path: PathBuf);
    /// See [`Engine::table_usage`].
    fn table_usage(&self) -> usize;
    /// See [`rules::winner`].
    fn winner(&self, rule: &'static RuleSpec, position: &Position) -> Option<Color>;
    /// See [`Engine::book_move`].
    fn book_move(
        &mut self,
        rule: &'static RuleSpec,
        position: &Position,
        limits: &Limits,
        wish: &BookUse,
    ) -> Option<BookMove>;
    /// See [`Engine::take_book_faults`].
    fn take_book_faults(&mut self) -> Vec<BookFault>;
}

impl Thinker for Engine {
    fn go(&mut self, request: Request) {
        Engine::go(self, request);
    }
    fn decide(&mut self, state: State, limits: Limits, most: usize, seed: Option<u64>) {
        Engine::decide(self, state, limits, most, seed);
    }
    fn stop(&self) {
        Engine::stop(self);
    }
    fn set_limits(&self, limits: Limits) {
        Engine::set_limits(self, limits);
    }
    fn settings(&self) -> Settings {
        Engine::settings(self)
    }
    fn configure(&mut self, settings: Settings) {
        Engine::configure(self, settings);
    }
    fn clear_hash(&mut self) {
        Engine::clear_hash(self);
    }
    fn forbidden_points(&mut self, rule: &'static RuleSpec, position: &Position) -> Vec<Point> {
        Engine::forbidden_points(self, rule, position)
    }
    fn save_table(&mut self, path: PathBuf) {
        Engine::save_table(self, path);
    }
    fn load_table(&mut self, path: PathBuf) {
        Engine::load_table(self, path);
    }
    fn table_usage(&self) -> usize {
        Engine::table_usage(self)
    }
    fn winner(&self, rule: &'static RuleSpec, position: &Position) -> Option<Color> {
        rules::winner(rule, position)
    }
    fn book_move(
        &mut self,
        rule: &'static RuleSpec,
        position: &Position,
        limits: &Limits,
        wish: &BookUse,
    ) -> Option<BookMove> {
        Engine::book_move(self, rule, position, limits, wish)
    }
    fn take_book_faults(&mut self) -> Vec<BookFault> {
        Engine::take_book_faults(self)
    }
}
