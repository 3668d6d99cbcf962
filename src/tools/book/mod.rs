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

use crate::book::{Book, Key};
use crate::record::notation::parse_size;
use crate::rules::RuleSpec;
use crate::types::{BoardSize, Color, Point, Position};

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
        format!(
            "searches of {} {}: {} nodes, {} lines, {} MiB",
            self.rule.name, self.size, self.nodes, self.lines, self.hash
        )
    }

    /// The options that make such searches.
    fn options(&self) -> String {
        format!(
            "--rule {} --size {} --nodes {} --lines {} --hash {}",
            self.rule.name, self.size, self.nodes, self.lines, self.hash
        )
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

/// The key of the position after these moves from Black.
fn key_after(stones: &[Point], size: BoardSize) -> u64 {
    Key::of(&Position::after(size, stones.iter().copied())).hash
}

/// The stones of `position` as a book turns it, Black's and White's in turn; none when the two
/// sides have not moved in turn.
fn canonical(position: &Position) -> Option<Vec<Point>> {
    let key = Key::of(position);
    let mut stones = position.stones().to_vec();
    for (point, _) in &mut stones {
        *point = key.to_image(*point);
    }
    stones.sort_unstable_by_key(|(point, _)| *point);
    let mut image = Position::new(position.size());
    for (point, color) in stones {
        image.add(point, color);
    }
    let count = position.stones().len();
    let is_black = |stone: &&(Point, Color)| stone.1 == Color::Black;
    let black = position.stones().iter().filter(is_black).count();
    let in_turn = Color::of_ply(count) == position.to_move && black == count.div_ceil(2);
    in_turn.then(|| image.in_turn())
}
