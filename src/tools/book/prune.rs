//! `book prune`: a smaller book.

use std::path::PathBuf;

use super::log::write_book;
use super::open;
use crate::book::{Entry, MAX_MOVES};
use crate::tools::matches::progress::say;

/// Arguments of `book prune`.
#[derive(clap::Args, Clone, Debug)]
pub struct PruneArgs {
    /// The book
    book: PathBuf,
    /// The smaller book; may be the same file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Keep the N positions that are nearest to best play
    #[arg(long, value_name = "N")]
    keep: Option<usize>,
    /// Keep positions no farther from best play than this
    #[arg(long, value_name = "PERCENT")]
    cost: Option<u8>,
    /// Keep positions of no more stones than this
    #[arg(long, value_name = "N")]
    stones: Option<u8>,
    /// Keep positions on which so many nodes were spent, with what follows them
    #[arg(long, value_name = "NODES")]
    effort: Option<u64>,
    /// Keep so many moves of a position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=MAX_MOVES as i64))]
    moves: Option<u8>,
}

/// Runs `book prune`.
///
/// # Errors
/// One line for the user.
pub fn run(args: &PruneArgs) -> Result<(), String> {
    let book = open(&args.book)?;
    let wanted = |entry: &Entry| {
        args.cost.is_none_or(|most| entry.cost <= most)
            && args.stones.is_none_or(|most| entry.stones <= most)
            && args.effort.is_none_or(|least| entry.nodes() >= least)
    };
    // Of those that are wanted, the nearest; among equals the earliest in the game.
    let rank = |entry: &Entry| (entry.cost, entry.stones);
    let mut ranks: Vec<(u8, u8)> = book.entries().filter(wanted).map(|e| rank(&e)).collect();
    ranks.sort_unstable();
    let most = args.keep.unwrap_or(usize::MAX);
    let limit = ranks.get(most).copied().unwrap_or((u8::MAX, u8::MAX));
    let below = ranks.iter().filter(|rank| **rank < limit).count();
    let room = std::cell::Cell::new(most - below.min(most));
    let keep = |mut entry: Entry| {
        let is_near = match rank(&entry).cmp(&limit) {
            std::cmp::Ordering::Less => true,
            // As many of those at the limit as there is room for.
            std::cmp::Ordering::Equal if room.get() > 0 => {
                room.set(room.get() - 1);
                true
            }
            _ => false,
        };
        entry
            .moves
            .truncate(args.moves.map_or(MAX_MOVES, usize::from));
        (wanted(&entry) && is_near).then_some(entry)
    };
    let origin = format!("{}{}", book.origin, options(args));
    let bytes = book.filtered(&origin, keep);
    write_book(&args.out, &bytes)?;
    let kept = open(&args.out)?.len();
    say(&format!(
        "{}: {kept} of {} positions, {} of {} bytes",
        args.out.display(),
        book.len(),
        bytes.len(),
        book.bytes()
    ));
    Ok(())
}

/// What was asked for, to be added to how the book was made.
fn options(args: &PruneArgs) -> String {
    let known = [
        ("keep", args.keep.map(|n| n as u64)),
        ("cost", args.cost.map(u64::from)),
        ("stones", args.stones.map(u64::from)),
        ("effort", args.effort),
        ("moves", args.moves.map(u64::from)),
    ];
    let text = |(key, value): (&str, Option<u64>)| Some(format!(" --{key} {}", value?));
    let text: String = known.into_iter().filter_map(text).collect();
    format!("; book prune{text}")
}
