//! `analyze`: a position searched, and what is found streamed as JSON, one object an iteration
//! and one at the end (see [`crate::json`]).

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;

use super::searcher::Searcher;
use crate::engine::{Event, Line, Request, Task};
use crate::json::Frame;
use crate::record::notation::{Rows, parse_moves, parse_size};
use crate::rules::{RuleSpec, winner};
use crate::time::Limits;
use crate::types::{BoardSize, Position};

/// Time for the search when no limit is given.
const DEFAULT_TIME_MS: u64 = 1000;

/// Arguments of `analyze`.
#[derive(Args, Debug)]
pub struct AnalyzeArgs {
    /// Moves from the empty board, as in h8h9i9; blanks between them are free
    moves: Vec<String>,
    /// Rule, by name or number
    #[arg(long, default_value = "freestyle", value_parser = RuleSpec::parse)]
    rule: &'static RuleSpec,
    /// Board size: 15, or 20x12 for columns x rows
    #[arg(long, default_value = "15", value_parser = parse_size)]
    size: BoardSize,
    /// Best moves to report
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=484))]
    lines: u16,
    /// Give every move a score of its own, and so say which of them lose
    #[arg(long, conflicts_with = "lines")]
    each: bool,
    /// Deepest iteration, in plies
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1000))]
    depth: Option<u32>,
    /// Time in ms; a second when no limit is given
    #[arg(long, value_name = "MS")]
    time: Option<u64>,
    /// Nodes of all threads
    #[arg(long)]
    nodes: Option<u64>,
    /// Threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Transposition table in MiB
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=65536))]
    hash: u64,
    /// A weight file of the rule, as `train` writes it, instead of the program's own
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

/// Searches and prints.
///
/// # Errors
/// One line: what is wrong with the position.
pub fn run(args: &AnalyzeArgs) -> Result<(), String> {
    analyze(args, &mut std::io::stdout().lock())
}

fn analyze(args: &AnalyzeArgs, out: &mut dyn Write) -> Result<(), String> {
    let points = parse_moves(&args.moves.concat(), args.size, Rows::FromBottom)
        .map_err(|error| error.to_string())?;
    let position = Position::after(args.size, points);
    let mut searcher = Searcher::new(args.threads.into(), args.hash << 20);
    searcher.use_weights(args.weights.as_deref(), args.rule)?;
    if let Some(winner) = winner(args.rule, &position) {
        return Err(format!("the game is over: {winner} has won"));
    }
    if position.is_full() {
        return Err("the game is over: the board is full".to_owned());
    }
    let forbidden = searcher.forbidden_points(args.rule, &position);
    let frame = Frame::new(args.rule, &position, &forbidden, false);
    let lines = usize::from(args.lines).min(position.empty_points());
    let request = Request {
        position,
        rule: args.rule,
        limits: limits(args),
        task: match args.each {
            true => Task::Defend,
            false => Task::Move { lines },
        },
        blocked: Vec::new(),
    };
    let mut round: Vec<Line> = Vec::new();
    let answer = searcher.ask(request, |event| {
        if let Event::Line(line) = event {
            if line.index == 0 {
                round.clear();
            }
            round.push(line.clone());
            if line.index + 1 == line.count {
                // Who does not read any more misses nothing else.
                let _ = writeln!(out, "{}", frame.iteration(&round));
            }
        }
    })?;
    writeln!(out, "{}", frame.end(&answer)).map_err(|error| error.to_string())
}

fn limits(args: &AnalyzeArgs) -> Limits {
    let is_bound = args.depth.is_some() || args.nodes.is_some();
    let time = args.time.or((!is_bound).then_some(DEFAULT_TIME_MS));
    Limits {
        start: Instant::now(),
        turn: time.map(Duration::from_millis),
        depth: args.depth,
        nodes: args.nodes,
        ..Limits::unlimited()
    }
}
