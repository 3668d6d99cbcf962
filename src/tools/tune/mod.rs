//! `tune`: better numbers for the search, by SPSA over games of the engine against itself.
//!
//! * `spsa`: the method; `contest`: the games it learns from; `state`: how far it has come.
//!
//! Each iteration follows from the seed, its number and the values before it, so that a run
//! taken up again does what an uninterrupted one would have done.

mod contest;
mod spsa;
mod state;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};

use super::matches::config::{openings_checksum, read_openings};
use super::matches::export::OpeningFormat;
use super::matches::progress::{Progress, say};
use super::matches::stop_flag;
use crate::engine::Params;
use crate::record::notation;
use crate::rules::{Profile, RuleSpec};
use contest::{Contest, Games, Terms};
use spsa::{Gains, Knob, Spsa};
use state::State;

/// Tune numbers of the search by games against itself.
#[derive(Args, Debug)]
pub struct TuneArgs {
    /// The numbers to tune, as in search/params.rs, separated by commas: razor_base,razor_step:20
    /// (after the colon the distance from which the last games try a number; unless told, a
    /// sixteenth of its range)
    #[arg(
        long,
        value_delimiter = ',',
        required = true,
        value_name = "NAME[:STEP]"
    )]
    params: Vec<String>,
    /// The rule, by name or number
    #[arg(long, default_value = "freestyle")]
    rule: String,
    /// The board: 15 or 20x15
    #[arg(long, default_value = "15")]
    size: String,
    /// Openings, one a line, as for `match`
    #[arg(long, value_name = "FILE")]
    openings: PathBuf,
    /// Iterations in all
    #[arg(long, default_value_t = 1000)]
    iterations: u32,
    /// Pairs of games in an iteration
    #[arg(long, default_value_t = 4)]
    pairs: usize,
    /// Nodes for a move
    #[arg(long, default_value_t = 10_000, conflicts_with = "turn")]
    nodes: u64,
    /// Milliseconds for a move instead; then no two runs are the same
    #[arg(long, value_name = "MS")]
    turn: Option<u64>,
    /// Steps that a number moves in the last iteration when one side wins all its games
    #[arg(long, default_value_t = 0.05)]
    rate: f64,
    /// Seed of all directions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at a time
    #[arg(long, default_value_t = 2)]
    concurrency: usize,
    /// The file for the state; a run that was stopped is taken up there
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Runs `tune`.
///
/// # Errors
/// One line for the user.
pub fn run(args: &TuneArgs) -> Result<(), String> {
    let (terms, spsa, plan) = prepare(args)?;
    let known = State::read(&args.out, &plan)?;
    let mut state = known.unwrap_or_else(|| State::new(plan, &spsa));
    let stop = stop_flag()?;
    let (total, games) = (spsa.iterations(), 2 * terms.pairs);
    let (rule, size, done) = (terms.rule.name, terms.size, state.iteration);
    say(&format!(
        "{rule} {size}: {} numbers, {total} iterations of {games} games, {done} done",
        spsa.knobs().len()
    ));
    let mut progress = Progress::new("iterations", total as usize, done as usize);
    let mut contest = Games::new(&terms, args.concurrency.min(256), &stop);
    let mut tell = |state: &State, line: &str| -> Result<(), String> {
        state.write(&args.out)?;
        progress.step(line, false, &vector(state, &spsa));
        Ok(())
    };
    let result = advance(&spsa, &mut state, &mut contest, &stop, &mut tell);
    progress.finish();
    result?;
    say(table(&state, &spsa).trim_end());
    if state.iteration < total {
        let done = state.iteration;
        return Err(format!(
            "stopped after {done} of {total} iterations: the same command goes on from here"
        ));
    }
    Ok(())
}

/// Iterates until the end of the plan or until stopped. After each iteration `tell` is told.
fn advance(
    spsa: &Spsa,
    state: &mut State,
    contest: &mut dyn Contest,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(&State, &str) -> Result<(), String>,
) -> Result<(), String> {
    while state.iteration < spsa.iterations() && !stop.load(Relaxed) {
        let k = state.iteration;
        let mut values = state.values(spsa);
        let trial = spsa.trial(&values, k);
        let Some(tally) = contest.play(k, &trial)? else {
            break;
        };
        spsa.update(&mut values, k, &trial, tally.result());
        state.set_values(spsa, &values);
        state.games.add(tally);
        state.iteration += 1;
        tell(state, &format!("iteration {}: {tally}", state.iteration))?;
    }
    Ok(())
}

/// Checks the arguments; returns what the games share, the method, and everything that decides
/// the run.
fn prepare(args: &TuneArgs) -> Result<(Terms, Spsa, Value), String> {
    let size = notation::parse_size(&args.size).map_err(|e| e.to_string())?;
    let rule = RuleSpec::parse(&args.rule)?;
    let knobs = knobs(&args.params, rule)?;
    let (path, format) = (Some(args.openings.as_path()), OpeningFormat::Auto);
    let openings = read_openings(path, format, rule, size, Profile::Judge)?;
    if args.iterations == 0 || args.pairs == 0 || args.pairs > 10_000 {
        return Err(
            "--iterations and --pairs must be at least 1, --pairs at most 10000".to_owned(),
        );
    }
    if !(args.rate.is_finite() && args.rate > 0.0) {
        return Err("--rate must be above 0".to_owned());
    }
    let nodes = args.turn.is_none().then_some(args.nodes.max(1));
    let described = |knob: &Knob| {
        let (start, min, max, step) = (knob.start, knob.min, knob.max, knob.step);
        json!({"name": knob.name, "start": start, "min": min, "max": max, "step": step})
    };
    let plan = json!({
        "version": 1,
        "rule": rule.name,
        "size": size.to_string(),
        "openings": openings.len(),
        "openings_checksum": openings_checksum(&openings, size),
        "iterations": args.iterations,
        "pairs": args.pairs,
        "nodes": nodes,
        "turn": args.turn,
        "rate": args.rate,
        "seed": args.seed,
        "params": knobs.iter().map(described).collect::<Vec<_>>(),
    });
    let gains = Gains {
        iterations: args.iterations,
        rate: args.rate,
        seed: args.seed,
    };
    let spsa = Spsa::new(knobs.clone(), gains);
    let turn = args.turn.map(Duration::from_millis);
    let pairs = args.pairs;
    let terms = Terms {
        rule,
        size,
        openings,
        pairs,
        nodes,
        turn,
        knobs,
    };
    Ok((terms, spsa, plan))
}

/// Share of its range that a number is tried away from its value, unless told.
const STEP_SHARE: f64 = 1.0 / 16.0;

/// The numbers named on the command line.
fn knobs(texts: &[String], rule: &RuleSpec) -> Result<Vec<Knob>, String> {
    let mut starts = Params::for_rule(rule);
    let mut knobs: Vec<Knob> = Vec::new();
    for text in texts {
        let (name, step) = match text.trim().split_once(':') {
            Some((name, step)) => (name, Some(step)),
            None => (text.trim(), None),
        };
        let param = Params::ALL.iter().find(|param| param.name == name);
        let (Some(param), Some(start)) = (param, starts.get_mut(name)) else {
            let names: Vec<&str> = Params::ALL.iter().map(|param| param.name).collect();
            return Err(format!(
                "no number '{name}' in the search, but {}",
                names.join(" ")
            ));
        };
        if knobs.iter().any(|knob| knob.name == name) {
            return Err(format!("'{name}' is named twice"));
        }
        let range = f64::from(param.max) - f64::from(param.min);
        let step = match step.map(str::parse::<f64>) {
            None => (range * STEP_SHARE).max(1.0),
            Some(Ok(step)) if step > 0.0 && step <= range => step,
            Some(_) => return Err(format!("{text}: the step must be above 0, at most {range}")),
        };
        knobs.push(Knob {
            name: name.to_owned(),
            start: *start,
            min: param.min,
            max: param.max,
            step,
        });
    }
    Ok(knobs)
}

/// The values in one line.
fn vector(state: &State, spsa: &Spsa) -> String {
    let values = state.values(spsa);
    let pairs = spsa.knobs().iter().zip(values);
    let texts: Vec<String> = pairs.map(|(k, v)| format!("{} {v:.1}", k.name)).collect();
    texts.join(", ")
}

/// The values beside those at the start.
fn table(state: &State, spsa: &Spsa) -> String {
    let mut text = format!("{:<24} {:>7} {:>9}\n", "number", "start", "now");
    for (knob, value) in spsa.knobs().iter().zip(state.values(spsa)) {
        text.push_str(&format!(
            "{:<24} {:>7} {value:>9.1}\n",
            knob.name, knob.start
        ));
    }
    let games = state.games;
    text.push_str(&format!(
        "{} iterations, games between the sides: {games}\n",
        state.iteration
    ));
    text
}
