//! `solve`: proves that the side to move wins, or that it does not.

mod cases;
mod print;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::matches::stop_flag;
use crate::board::Board;
use crate::pattern::{LinearWeights, RuleTables};
use crate::record::notation::{Rows, parse_moves, parse_size};
use crate::rules::{Grid, Profile, RuleSpec};
use crate::solver::{Checker, Kind, Limits, Settings, Solver, Verdict};
use crate::types::{BoardSize, Color, Position};

/// Arguments of `solve`.
#[derive(clap::Args, Clone, Debug)]
pub struct SolveArgs {
    /// Moves from the empty board, as in h8h9i9; blanks between them are free
    #[arg(conflicts_with_all = ["black", "white", "side", "cases"])]
    moves: Vec<String>,
    /// Black's stones of a set-up position
    #[arg(long, value_name = "POINTS", conflicts_with = "cases")]
    black: Option<String>,
    /// White's stones of a set-up position
    #[arg(long, value_name = "POINTS", conflicts_with = "cases")]
    white: Option<String>,
    /// The side to move in it: black or white
    #[arg(long, conflicts_with = "cases")]
    side: Option<Color>,
    /// Rule, by name or number
    #[arg(long, default_value = "freestyle", value_parser = RuleSpec::parse)]
    rule: &'static RuleSpec,
    /// Board size: 15, or 20x12 for columns x rows
    #[arg(long, default_value = "15", value_parser = parse_size)]
    size: BoardSize,
    /// Customs of play: judge, casual or pass
    #[arg(long, default_value = "judge")]
    profile: Profile,
    /// What the attacker may play
    #[arg(long, default_value = "fours")]
    kind: Kind,
    /// Insist on the shortest win by fours
    #[arg(long)]
    shortest: bool,
    /// Milliseconds for a position; 0 is no limit
    #[arg(long, value_name = "MS", default_value_t = 0)]
    time: u64,
    /// Nodes for a position; 0 is no limit
    #[arg(long, default_value_t = 0)]
    nodes: u64,
    /// MiB of the tables
    #[arg(long, value_name = "MIB", default_value_t = 256)]
    memory: usize,
    /// Write the proof tree to this file
    #[arg(long, value_name = "FILE", conflicts_with = "cases")]
    tree: Option<PathBuf>,
    /// Solve the positions of this file instead, one JSON object a line, and compare the answers
    #[arg(long, value_name = "JSONL")]
    cases: Option<PathBuf>,
    /// Of those, only one in so many
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: usize,
    /// Of those, only the ones whose line contains this text
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
}

/// Solves and prints. A position that the limits left undecided is an error, so that the exit
/// code tells.
///
/// # Errors
/// One line: what could not be read or written, or that nothing was proven.
pub fn run(args: &SolveArgs) -> Result<(), String> {
    let stop = stop_flag()?;
    let out = &mut std::io::stdout().lock();
    match &args.cases {
        Some(path) => cases::run(args, path, &stop, out),
        None => print::run(args, &stop, out),
    }
}

/// The position the arguments give.
fn read_position(args: &SolveArgs) -> Result<Position, String> {
    let read = |text: &str| {
        parse_moves(text, args.size, Rows::FromBottom).map_err(|error| error.to_string())
    };
    if args.black.is_none() && args.white.is_none() {
        let moves = read(&args.moves.join(" "))?;
        let mut position = Position::after(args.size, moves);
        position.to_move = args.side.unwrap_or(position.to_move);
        return Ok(position);
    }
    let stones = [&args.black, &args.white].map(|text| read(text.as_deref().unwrap_or("")));
    let [black, white] = stones;
    let (black, white) = (black?, white?);
    let side = match black.len() > white.len() {
        true => Color::White,
        false => Color::Black,
    };
    let mut position = Position::new(args.size);
    for (points, color) in [(black, Color::Black), (white, Color::White)] {
        for point in points {
            if !position.add(point, color) {
                return Err("a point is both black and white".to_string());
            }
        }
    }
    position.to_move = args.side.unwrap_or(side);
    Ok(position)
}

/// What a position took.
struct Solved {
    verdict: Verdict,
    nodes: u64,
    time: Duration,
    /// Is the win one by the definitions of the rules? True also when none is claimed.
    is_sound: bool,
}

/// Solves one position and checks the win that is found.
fn solve(
    args: &SolveArgs,
    tables: &Arc<RuleTables>,
    position: &Position,
    stop: &Arc<AtomicBool>,
) -> Solved {
    let some = |number: u64| (number > 0).then_some(number);
    let limits = Limits {
        nodes: some(args.nodes),
        time: some(args.time).map(Duration::from_millis),
        stop: Some(Arc::clone(stop)),
    };
    let settings = Settings {
        profile: args.profile,
        memory: args.memory.saturating_mul(1 << 20),
        shortest: args.shortest,
    };
    let board = Board::from_position(Arc::clone(tables), position);
    let start = Instant::now();
    let mut solver = Solver::new(board, settings);
    let verdict = solver.solve(args.kind, &limits);
    let time = start.elapsed();
    let is_sound = match &verdict {
        Verdict::Win(step) => {
            let grid = Grid::from_position(position);
            let mut checker = Checker::new(&tables.spec, args.profile, grid, position.to_move);
            checker.check(step).is_ok()
        }
        _ => true,
    };
    Solved {
        verdict,
        nodes: solver.nodes(),
        time,
        is_sound,
    }
}

fn tables(rule: &RuleSpec) -> Arc<RuleTables> {
    Arc::new(RuleTables::new(rule, LinearWeights::zero()))
}
