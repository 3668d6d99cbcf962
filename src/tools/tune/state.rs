//! How far tuning has come: a small JSON file, written anew after each iteration.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::spsa::Spsa;
use crate::tools::matches::store;

/// Results of games between the two sides of the trials.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Games that `plus` won.
    pub wins: u64,
    /// Games nobody won.
    pub draws: u64,
    /// Games that `minus` won.
    pub losses: u64,
}

impl Tally {
    /// Adds the games of `other`.
    pub fn add(&mut self, other: Tally) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }

    /// 1 when `plus` won everything, -1 when `minus` did.
    pub fn result(&self) -> f64 {
        let games = (self.wins + self.draws + self.losses).max(1);
        (self.wins as f64 - self.losses as f64) / games as f64
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "+{} ={} -{}", self.wins, self.draws, self.losses)
    }
}

/// What the file holds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct State {
    /// Everything that decides the run, for comparison with an earlier one.
    pub plan: Value,
    /// Iterations done.
    pub iteration: u32,
    /// All games so far.
    pub games: Tally,
    /// The numbers as they stand, by name.
    pub values: BTreeMap<String, f64>,
}

impl State {
    /// Before the first iteration.
    pub fn new(plan: Value, spsa: &Spsa) -> State {
        let mut state = State {
            plan,
            iteration: 0,
            games: Tally::default(),
            values: BTreeMap::new(),
        };
        state.set_values(spsa, &spsa.start());
        state
    }

    /// The values in the order of the knobs; where one is missing, its start.
    pub fn values(&self, spsa: &Spsa) -> Vec<f64> {
        let knobs = spsa.knobs().iter();
        let value = |name: &str| self.values.get(name).copied();
        knobs
            .map(|knob| value(&knob.name).unwrap_or(knob.start.into()))
            .collect()
    }

    /// Takes over values in the order of the knobs.
    pub fn set_values(&mut self, spsa: &Spsa, values: &[f64]) {
        let names = spsa.knobs().iter().map(|knob| knob.name.clone());
        self.values = names.zip(values.iter().copied()).collect();
    }

    /// Reads the file of an earlier run with the same plan; `None` when there is no file.
    ///
    /// # Errors
    /// One line: another plan, a damaged file, or what the system says.
    pub fn read(path: &Path, plan: &Value) -> Result<Option<State>, String> {
        let place = path.display();
        let text = match fs::read_to_string(path) {
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
            other => other.map_err(|e| format!("{place}: {e}"))?,
        };
        let damaged = |e| format!("{place}: damaged: {e}");
        let state: State = serde_json::from_str(&text).map_err(damaged)?;
        match store::difference(&state.plan, plan) {
            None => Ok(Some(state)),
            Some(what) => Err(format!(
                "{place} holds a run with other parameters: {what}; use another --out"
            )),
        }
    }

    /// Writes the file.
    ///
    /// # Errors
    /// One line with what the system says.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        let text = serde_json::to_string_pretty(self).map_err(|e| e.to_string())?;
        store::write_whole(path, format!("{text}\n"))
            .map_err(|e| format!("{}: {e}", path.display()))
    }
}
