//! L10: `book`, opening books made by our own search.
//!
//! * `roots`: where books begin; `tree`: positions searched, what they are worth and which come
//!   next; `build`: the searches.
//! * `log`: every finished search on the disk, so that nothing is ever searched twice.
//! * `import`: positions of games as further roots; `show`: what a book says; `prune`: less of
//!   it.
//!
//! A book is a function of the searches and the options: the log only remembers searches, each
//! of which begins with an empty table and has one thread. Threads and stops change nothing.

mod build;
mod import;
mod log;
mod prune;
mod roots;
mod show;
#[cfg(test)]
mod tests;
mod tree;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use crate::book::Book;
use crate::record::notation::parse_size;
use crate::rules::RuleSpec;
use crate::types::{BoardSize, Position};

/// Arguments of `book`.
#[derive(Args, Debug)]
pub struct BookArgs {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Subcommand, Debug)]
enum BookCommand {
    /// Search positions from openings on, the likeliest first, and write the book
    Build(build::BuildArgs),
    /// Add positions of games to those that a build begins with
    Import(import::ImportArgs),
    /// Show the moves of a book from a position on
    Show(show::ShowArgs),
    /// Say what the engine would play from its books
    Lookup(show::LookupArgs),
    /// Say how a book was made and what is in it
    Stats(show::StatsArgs),
    /// Write a smaller book
    Prune(prune::PruneArgs),
}

/// Runs `book`.
///
/// # Errors
/// A line for the user.
pub fn run(args: &BookArgs) -> Result<(), String> {
    match &args.command {
        BookCommand::Build(args) => build::run(args),
        BookCommand::Import(args) => import::run(args),
        BookCommand::Show(args) => show::show(args),
        BookCommand::Lookup(args) => show::lookup(args),
        BookCommand::Stats(args) => show::stats(args),
        BookCommand::Prune(args) => prune::run(args),
    }
}

/// What decides what a search of a position finds.
#[derive(Args, Clone, PartialEq, Eq, Debug)]
struct Searches {
    /// Rule, by name or number
    #[arg(long, default_value = "freestyle", value_parser = RuleSpec::parse)]
    rule: &'static RuleSpec,
    /// Board size: 15, or 20x12 for columns x rows
    #[arg(long, default_value = "15", value_parser = parse_size)]
    size: BoardSize,
    /// Nodes for a position
    #[arg(long, default_value_t = 40_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Moves of a position that are looked at
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=32))]
    lines: u8,
    /// Transposition table of a search in MiB
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..=65536))]
    hash: u64,
    /// The book; the log of its searches is FILE.log
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

impl Searches {
    fn log_path(&self) -> PathBuf {
        let mut path = self.out.as_os_str().to_owned();
        path.push(".log");
        PathBuf::from(path)
    }

    /// The first line of the log.
    fn header(&self) -> String {
        let Searches {
            rule,
            size,
            nodes,
            lines,
            hash,
            ..
        } = self;
        let rule = rule.name;
        format!("searches of {rule} {size}: {nodes} nodes, {lines} lines, {hash} MiB")
    }

    /// The options that make such searches.
    fn options(&self) -> String {
        let Searches {
            rule,
            size,
            nodes,
            lines,
            hash,
            ..
        } = self;
        let rule = rule.name;
        format!("--rule {rule} --size {size} --nodes {nodes} --lines {lines} --hash {hash}")
    }
}

/// Opens a book for a tool.
fn open(path: &Path) -> Result<Book, String> {
    Book::open(path).map_err(|reason| format!("{}: {reason}", path.display()))
}

/// Chance to win in thousandths, by which positions are compared: whole numbers, so that no
/// machine's arithmetic decides what comes next.
fn permille(score: i32) -> i32 {
    (1000.0 * crate::eval::win_rate(score)).round() as i32
}

/// The stones of `position` as a book turns it, Black's and White's in turn; none when the two
/// sides have not moved in turn.
fn canonical(position: &Position) -> Option<Vec<crate::types::Point>> {
    use crate::types::Color;
    let key = crate::book::Key::of(position);
    let of = |side: Color| {
        let stones = position
            .stones()
            .iter()
            .filter(move |(_, color)| *color == side);
        let mut points: Vec<_> = stones.map(|(point, _)| key.to_image(*point)).collect();
        points.sort_unstable();
        points
    };
    let (black, white) = (of(Color::Black), of(Color::White));
    let next = Color::of_ply(position.stones().len());
    let in_turn = next == position.to_move && black.len() == position.stones().len().div_ceil(2);
    in_turn.then(|| {
        let count = black.len() + white.len();
        let stone = |ply: usize| match ply % 2 {
            0 => black.get(ply / 2),
            _ => white.get(ply / 2),
        };
        (0..count).filter_map(stone).copied().collect()
    })
}
