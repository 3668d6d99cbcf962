//! `book build`: searches the nearest positions, again and again.
//!
//! Positions are chosen in rounds whose size depends on nothing but the number of positions so
//! far, and all of a round are searched before the next is chosen. That makes the book the same
//! whatever the number of threads, and a run that was stopped goes on by choosing everything anew
//! and finding most of it in the log.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::Searches;
use super::log::{Found, Log, Searched, write_book};
use super::roots::RootArgs;
use super::tree::{Candidate, Prices, Tree};
use crate::book;
use crate::engine::{Reply, Request, Task};
use crate::time::Limits;
use crate::tools::matches;
use crate::tools::matches::progress::{Progress, say};
use crate::tools::searcher::Searcher;
use crate::types::{Point, Position};

/// Arguments of `book build`.
#[derive(clap::Args, Clone, Debug)]
pub struct BuildArgs {
    #[command(flatten)]
    pub searches: Searches,
    #[command(flatten)]
    roots: RootArgs,
    /// Positions searched at the end
    #[arg(long, value_name = "N", default_value_t = 2000)]
    positions: usize,
    /// Price of a ply, in tenths of a percent of win rate: more makes the book broader, less
    /// deeper
    #[arg(long, value_name = "PRICE", default_value_t = 10, value_parser = clap::value_parser!(i32).range(1..=1000))]
    ply: i32,
    /// What a move may give away to be looked at, in percent of win rate
    #[arg(long, value_name = "PERCENT", default_value_t = 15, value_parser = clap::value_parser!(i32).range(0..=100))]
    margin: i32,
    /// How far from even an opening may be without coming later for it, in percent of win rate
    #[arg(long, value_name = "PERCENT", default_value_t = 20, value_parser = clap::value_parser!(i32).range(0..=50))]
    level: i32,
    /// Searches at a time; one for each processor when missing
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

/// Positions of the first round.
const ROUND: usize = 64;
/// A later round has one of so many of the positions before it more.
const GROWTH: usize = 32;

/// Runs `book build`.
///
/// # Errors
/// One line for the user.
pub fn run(args: &BuildArgs) -> Result<(), String> {
    let log = Log::open(&args.searches)?;
    let stop = matches::stop_flag()?;
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.unwrap_or_else(cores).clamp(1, 256);
    let searches = &args.searches;
    let tree = build(args, log, threads, &stop, &|| Own::new(searches))?;
    let entries = tree.entries();
    let count = entries.len();
    let bytes = book::write(searches.rule, searches.size, &origin(args), entries);
    write_book(&searches.out, &bytes)?;
    say(&format!(
        "{}: {count} of {} positions, {} bytes",
        searches.out.display(),
        tree.len(),
        bytes.len()
    ));
    Ok(())
}

/// The command that makes the book again, without what does not matter.
fn origin(args: &BuildArgs) -> String {
    let BuildArgs {
        positions,
        ply,
        margin,
        level,
        ..
    } = args;
    let (searches, roots) = (args.searches.options(), args.roots.options());
    format!(
        "pbrain-tengen {} book build {searches}{roots} --positions {positions} --ply {ply} \
         --margin {margin} --level {level}",
        env!("CARGO_PKG_VERSION")
    )
}

/// Who searches positions.
pub trait Oracle {
    /// What is found in the position with these stones.
    ///
    /// # Errors
    /// A line when the search died.
    fn search(&mut self, stones: &[Point]) -> Result<Found, String>;
}

/// Our engine, which forgets everything before each position.
struct Own<'a> {
    searches: &'a Searches,
    searcher: Searcher,
}

impl<'a> Own<'a> {
    fn new(searches: &'a Searches) -> Own<'a> {
        Own {
            searches,
            searcher: Searcher::new(1, searches.hash << 20),
        }
    }
}

impl Oracle for Own<'_> {
    fn search(&mut self, stones: &[Point]) -> Result<Found, String> {
        let position = Position::after(self.searches.size, stones.iter().copied());
        // On the empty board the engine plays the middle unless asked for more.
        let lines = match stones {
            [] => 1,
            _ => usize::from(self.searches.lines).min(position.empty_points()),
        };
        self.searcher.forget();
        let request = Request {
            position,
            rule: self.searches.rule,
            limits: Limits {
                nodes: Some(self.searches.nodes),
                ..Limits::unlimited()
            },
            task: Task::Move { lines },
            blocked: Vec::new(),
        };
        let answer = self.searcher.ask(request, |_| {})?;
        let first = answer.lines.first();
        let depth = first.map_or(0, |line| u8::try_from(line.depth).unwrap_or(u8::MAX));
        let line = |line: &crate::engine::Line| {
            let score = i16::try_from(line.score).ok()?;
            Some((*line.pv.first()?, score))
        };
        let mut moves: Vec<(Point, i16)> = answer.lines.iter().filter_map(line).collect();
        if let (true, Reply::Move(point)) = (moves.is_empty(), answer.reply) {
            moves.push((point, 0));
        }
        Ok(Found {
            depth,
            nodes: answer.nodes,
            moves,
        })
    }
}

/// Makes the oracle of one thread.
type MakeOracle<'a, O> = dyn Fn() -> O + Sync + 'a;

/// Searches until the tree has the positions wanted, or there are no more.
pub fn build<O: Oracle>(
    args: &BuildArgs,
    mut log: Log,
    threads: usize,
    stop: &AtomicBool,
    oracle: &MakeOracle<'_, O>,
) -> Result<Tree, String> {
    let (rule, size) = (args.searches.rule, args.searches.size);
    let mut roots = args.roots.roots(rule, size)?;
    roots.extend(log.roots.iter().cloned());
    let prices = Prices {
        ply: args.ply,
        margin: 10 * args.margin,
        level: 10 * args.level,
    };
    let mut tree = Tree::new(rule, size, prices, &roots);
    if tree.roots() == 0 {
        return Err("there is nothing to begin with: name --openings or --stones".to_owned());
    }
    let total = args.positions;
    let mut progress = Progress::new("positions", total, log.len().min(total));
    let done = thread::scope(|scope| {
        let (jobs, waiting) = unbounded();
        let (sender, results) = unbounded();
        for _ in 0..threads {
            let (waiting, sender) = (waiting.clone(), sender.clone());
            scope.spawn(move || work(oracle(), stop, &waiting, &sender));
        }
        drop(sender);
        let mut team = Team { jobs, results };
        while tree.len() < total {
            let most = (ROUND + tree.len() / GROWTH).min(total - tree.len());
            let round = tree.next(most);
            if round.is_empty() {
                break;
            }
            for (stones, found) in team.search(round, &mut log, &mut progress)? {
                tree.add(stones, &found);
            }
            tree.update();
        }
        Ok(())
    });
    progress.finish();
    done.map(|()| tree)
}

/// A position of a round, by its place in it.
type Job = (usize, Vec<Point>);
/// What was found there; nothing when the run is being stopped.
type Done = (usize, Option<Result<Found, String>>);

/// Searches one position after the other until there are no more.
fn work(
    mut oracle: impl Oracle,
    stop: &AtomicBool,
    waiting: &Receiver<Job>,
    results: &Sender<Done>,
) {
    for (place, stones) in waiting {
        let found = (!stop.load(Relaxed)).then(|| oracle.search(&stones));
        if results.send((place, found)).is_err() {
            return;
        }
    }
}

/// The threads that search.
struct Team {
    jobs: Sender<Job>,
    results: Receiver<Done>,
}

impl Team {
    /// What is found in the positions of a round, in their order. What is not in the log yet is
    /// searched, and is on the disk when it is counted.
    fn search(
        &mut self,
        round: Vec<Candidate>,
        log: &mut Log,
        progress: &mut Progress,
    ) -> Result<Vec<Searched>, String> {
        let stones: Vec<Vec<Point>> = round.into_iter().map(|next| next.stones).collect();
        let mut missing = 0;
        for (place, stones) in stones.iter().enumerate() {
            if log.find(stones).is_none() {
                missing += 1;
                let _ = self.jobs.send((place, stones.clone()));
            }
        }
        let mut fault = None;
        // Whatever happens, what has been finished by then is kept.
        while missing > 0 {
            let first = self
                .results
                .recv()
                .map_err(|_| "nobody searches any more")?;
            let mut fresh = Vec::new();
            for (place, found) in std::iter::once(first).chain(self.results.try_iter()) {
                missing -= 1;
                match found {
                    Some(Ok(found)) => fresh.push((stones[place].clone(), found)),
                    Some(Err(text)) => fault = Some(text),
                    None => fault = fault.or(Some(String::new())),
                }
            }
            log.add(&fresh)?;
            progress.advance(fresh.len(), "");
        }
        if let Some(text) = fault {
            let count = log.len();
            return Err(match text.is_empty() {
                true => format!("stopped after {count} positions: the same command goes on"),
                false => text,
            });
        }
        let known = |stones: Vec<Point>| {
            let found = log.find(&stones).cloned();
            found.map(|found| (stones, found))
        };
        Ok(stones.into_iter().filter_map(known).collect())
    }
}
