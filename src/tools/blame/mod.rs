//! `blame`: where the lost games of a match turned, as our own deeper search sees it, and why.
//!
//! * `lost`: the games; `trace`: the search for the move that turned one of them.
//! * `cause`: a guess at the reason; `report`: what is kept and shown.

mod cause;
mod lost;
mod report;
#[cfg(test)]
mod tests;
mod trace;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread;

use clap::Args;
use crossbeam_channel::{Sender, bounded};
use serde_json::Value;

use super::matches::progress::{Progress, say};
use super::matches::{self, store};
use super::searcher::Searcher;
use crate::eval;
use crate::pattern::RuleTables;
use crate::time::Limits;
use crate::types::Position;
use cause::Cause;
use lost::LostGame;
use report::{Blame, Results, Terms};
use trace::Opinion;

/// Find the moves that lost the lost games of a match.
#[derive(Args, Debug)]
pub struct BlameArgs {
    /// The folder of the match, as given to `match --out`
    folder: PathBuf,
    /// The engine whose lost games are searched; unless told, the first of the match
    #[arg(long)]
    engine: Option<String>,
    /// Nodes of each search; unless told, ten times what the engine had for a move, a second
    /// counted as a million nodes
    #[arg(long)]
    nodes: Option<u64>,
    /// Win rate in percent below which a position is lost
    #[arg(long, default_value_t = 25.0, value_name = "PERCENT")]
    lost: f64,
    /// Percent of win rate that a move must cost to be blamed alone
    #[arg(long, default_value_t = 20.0, value_name = "PERCENT")]
    drop: f64,
    /// Games searched at a time
    #[arg(long, value_name = "N", default_value_t = 2)]
    concurrency: usize,
    /// Transposition table of each search in MiB
    #[arg(long, default_value_t = 64)]
    hash: u64,
    /// A file for the outcomes, one JSON object a line; a run that was stopped is taken up there
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Nodes of a search when the match does not say what its engines had.
const DEFAULT_NODES: u64 = 2_000_000;
/// How much more a search has than the move it judges.
const DEEPER: u64 = 10;
/// Nodes in a millisecond of one thread, roughly.
const NODES_PER_MS: u64 = 1000;

/// Runs `blame`.
///
/// # Errors
/// One line for the user.
pub fn run(args: &BlameArgs) -> Result<(), String> {
    let stop = matches::stop_flag()?;
    let (total, found) = search_all(args, &stop)?;
    say(report::table(found.values()).trim_end());
    if stop.load(Relaxed) {
        let resume = match &args.out {
            Some(_) => "the same command goes on from here",
            None => "nothing was kept, for want of --out",
        };
        return Err(format!(
            "stopped after {} of {total} games: {resume}",
            found.len()
        ));
    }
    Ok(())
}

/// Searches what is left of the lost games. Returns their number and what is known of each.
fn search_all(
    args: &BlameArgs,
    stop: &AtomicBool,
) -> Result<(usize, BTreeMap<usize, Blame>), String> {
    let (plan, records) = store::read(&args.folder)?;
    let terms = terms(args, &plan)?;
    let mut games = Vec::new();
    for record in &records {
        games.extend(LostGame::new(record, &terms.engine)?);
    }
    games.sort_by_key(|game| game.record.game);
    let (mut results, mut found) = (None, BTreeMap::new());
    if let Some(path) = &args.out {
        let (file, known) = Results::open(path)?;
        for blame in known {
            if !games.iter().any(|game| blame.is_of(&terms, game)) {
                let what = "of another match, engine or search; use another --out";
                return Err(format!("{}: game {} is {what}", path.display(), blame.game));
            }
            found.insert(blame.game, blame);
        }
        results = Some(file);
    }
    let (engine, nodes, lost) = (&terms.engine, terms.nodes, games.len());
    let played = records.len();
    say(&format!(
        "{engine} lost {lost} of {played} games; {nodes} nodes a search"
    ));
    let mut progress = Progress::new("games", games.len(), found.len());
    found
        .values()
        .for_each(|blame| progress.note(&blame.line()));
    let left: Vec<&LostGame> = games
        .iter()
        .filter(|game| !found.contains_key(&game.record.game))
        .collect();
    let bench = Bench {
        terms: &terms,
        hash: args.hash.clamp(1, 1 << 20) << 20,
        games: &left,
        next: AtomicUsize::new(0),
        stop,
    };
    let workers = args.concurrency.clamp(1, 256);
    let kept = bench.search(workers, |blame| {
        if let Some(file) = &mut results {
            file.add(&blame)?;
        }
        progress.step(&blame.line(), true, "");
        found.insert(blame.game, blame);
        Ok(())
    });
    progress.finish();
    kept.map(|()| (games.len(), found))
}

/// The terms the arguments and the parameters of the match make.
fn terms(args: &BlameArgs, plan: &Value) -> Result<Terms, String> {
    let none = Vec::new();
    let engines = plan["engines"].as_array().unwrap_or(&none);
    let names: Vec<&str> = engines.iter().filter_map(|e| e["name"].as_str()).collect();
    let engine = match &args.engine {
        Some(name) => name.as_str(),
        None => names.first().copied().unwrap_or_default(),
    };
    let Some(index) = names.iter().position(|name| *name == engine) else {
        let names = names.join(", ");
        return Err(format!("no engine '{engine}' in this match, but {names}"));
    };
    for (option, value) in [("lost", args.lost), ("drop", args.drop)] {
        if !(0.0..=100.0).contains(&value) {
            return Err(format!("--{option} must be 0 to 100 percent"));
        }
    }
    Ok(Terms {
        engine: engine.to_owned(),
        nodes: args
            .nodes
            .unwrap_or_else(|| deeper(&engines[index]["limits"]))
            .max(1),
        lost: args.lost / 100.0,
        drop: args.drop / 100.0,
    })
}

/// Nodes for judging the moves of an engine that had these limits.
fn deeper(limits: &Value) -> u64 {
    let nodes = limits["nodes"].as_u64();
    let time = limits["turn"].as_u64().filter(|ms| *ms > 0);
    let had = nodes.or(time.map(|ms| ms.saturating_mul(NODES_PER_MS)));
    had.map_or(DEFAULT_NODES, |nodes| nodes.saturating_mul(DEEPER))
}

/// What the threads share.
struct Bench<'a> {
    terms: &'a Terms,
    /// Bytes of a transposition table.
    hash: u64,
    games: &'a [&'a LostGame],
    next: AtomicUsize,
    stop: &'a AtomicBool,
}

impl Bench<'_> {
    /// Searches all games on that many threads and hands every outcome to `keep`; an error of
    /// either ends the work.
    fn search(
        &self,
        workers: usize,
        mut keep: impl FnMut(Blame) -> Result<(), String>,
    ) -> Result<(), String> {
        thread::scope(|scope| {
            let (sender, outcomes) = bounded(workers);
            for _ in 0..workers {
                let sender = sender.clone();
                scope.spawn(move || self.work(&sender));
            }
            drop(sender);
            let mut kept = Ok(());
            for outcome in outcomes {
                if let Err(error) = outcome.and_then(&mut keep) {
                    self.stop.store(true, Relaxed);
                    kept = Err(error);
                }
            }
            kept
        })
    }

    /// Searches games until there are none, or until stopped.
    fn work(&self, outcomes: &Sender<Result<Blame, String>>) {
        let mut searcher = Searcher::new(1, self.hash);
        while !self.stop.load(Relaxed) {
            let Some(game) = self.games.get(self.next.fetch_add(1, Relaxed)) else {
                return;
            };
            let Some(outcome) = self.examine(game, &mut searcher).transpose() else {
                return;
            };
            if outcomes.send(outcome).is_err() {
                return;
            }
        }
    }

    /// Finds the cause of one loss; nothing when stopped.
    fn examine(&self, game: &LostGame, searcher: &mut Searcher) -> Result<Option<Blame>, String> {
        if let Some(cause) = Cause::without_search(game) {
            return Ok(Some(Blame::new(self.terms, game, cause, None)));
        }
        // Each game by itself, so that its outcome does not depend on which were searched before.
        searcher.forget();
        let mut judge = |position: &Position| -> Result<Option<Opinion>, String> {
            let limits = Limits {
                nodes: Some(self.terms.nodes),
                ..Limits::unlimited()
            };
            let answer = searcher.search_unless(position, game.rule, limits, self.stop)?;
            let Some(answer) = answer else {
                return Ok(None);
            };
            let silent = || format!("game {}: a search said nothing", game.record.game);
            let line = answer.lines.into_iter().next().ok_or_else(silent)?;
            let (score, line) = (line.score, line.pv);
            Ok(Some(Opinion { score, line }))
        };
        let Some(trace) = trace::trace(game, self.terms.levels(), &mut judge)? else {
            return Ok(None);
        };
        let tables = Arc::new(RuleTables::new(game.rule, eval::weights(game.rule)));
        let cause = Cause::of(game, &trace, &tables);
        Ok(Some(Blame::new(self.terms, game, cause, Some(&trace))))
    }
}
