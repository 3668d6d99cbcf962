//! `book show`, `book lookup` and `book stats`: what books say.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use super::open;
use crate::book::{Book, Entry, Found, Library};
use crate::eval;
use crate::record::notation::{Rows, format_moves, format_point, parse_moves, parse_size};
use crate::rules::RuleSpec;
use crate::types::{BoardSize, Position};

/// Arguments of `book show`.
#[derive(clap::Args, Clone, Debug)]
pub struct ShowArgs {
    /// The book
    book: PathBuf,
    /// Moves from the empty board, as in h8h9i9; blanks between them are free
    moves: Vec<String>,
    /// Plies shown of what follows
    #[arg(long, default_value_t = 1)]
    plies: u8,
}

/// Arguments of `book lookup`.
#[derive(clap::Args, Clone, Debug)]
pub struct LookupArgs {
    /// Moves from the empty board, as in h8h9i9; blanks between them are free
    moves: Vec<String>,
    /// Rule, by name or number
    #[arg(long, default_value = "freestyle", value_parser = RuleSpec::parse)]
    rule: &'static RuleSpec,
    /// Board size: 15, or 20x12 for columns x rows
    #[arg(long, default_value = "15", value_parser = parse_size)]
    size: BoardSize,
    /// A folder to look for files in, as INFO folder names it
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Nodes that a book must have spent on the position
    #[arg(long, default_value_t = 0)]
    nodes: u64,
}

/// Arguments of `book stats`.
#[derive(clap::Args, Clone, Debug)]
pub struct StatsArgs {
    /// The book
    book: PathBuf,
}

/// Runs `book show`.
///
/// # Errors
/// One line for the user.
pub fn show(args: &ShowArgs) -> Result<(), String> {
    let book = open(&args.book)?;
    let position = read_position(&args.moves, book.size)?;
    let mut text = String::new();
    walk(&book, &position, args.plies.max(1), 0, &mut text);
    if text.is_empty() {
        return Err("the position is not in the book".to_owned());
    }
    print(&text)
}

/// Adds the moves of a position and what follows each of them.
fn walk(book: &Book, position: &Position, plies: u8, indent: usize, text: &mut String) {
    let Some(found) = book.lookup(position).filter(|_| plies > 0) else {
        return;
    };
    if indent == 0 {
        text.push_str(&format!("{}\n", described(&found)));
    }
    for entry in &found.entry.moves {
        let mut after = position.clone();
        after.play(entry.point);
        let point = format_point(entry.point, book.size, Rows::FromBottom);
        let rate = win_rate(&found) - f64::from(entry.deficit) / 2.0;
        text.push_str(&format!("{:indent$}  {point:4} {rate:5.1} %\n", ""));
        walk(book, &after, plies - 1, indent + 2, text);
    }
}

/// `54.2 %, depth 11, 370727 nodes, 3 % from best play, 4 stones`.
fn described(found: &Found) -> String {
    let Entry {
        stones,
        depth,
        cost,
        ..
    } = found.entry;
    let (rate, nodes) = (win_rate(found), found.entry.nodes());
    format!("{rate:.1} %, depth {depth}, {nodes} nodes, {cost} % from best play, {stones} stones")
}

/// Percent.
fn win_rate(found: &Found) -> f64 {
    100.0 * eval::win_rate(found.score())
}

fn read_position(moves: &[String], size: BoardSize) -> Result<Position, String> {
    let moves = parse_moves(&moves.concat(), size, Rows::FromBottom);
    Ok(Position::after(
        size,
        moves.map_err(|error| error.to_string())?,
    ))
}

/// Runs `book lookup`. That no book knows the position is an error, so that the exit code tells.
///
/// # Errors
/// One line for the user.
pub fn lookup(args: &LookupArgs) -> Result<(), String> {
    let position = read_position(&args.moves, args.size)?;
    let mut library = Library::default();
    let folder = args.folder.as_deref();
    let found = library.lookup(args.rule, &position, folder, args.nodes);
    let text = found.map(|(book, found)| {
        let moves: Vec<_> = found.entry.moves.iter().map(|m| m.point).collect();
        let moves = format_moves(&moves[..1], args.size, Rows::FromBottom);
        format!("{moves}  {}: {}\n", book.name, described(&found))
    });
    let mut faults = String::new();
    for (path, reason) in library.take_faults() {
        faults.push_str(&format!("{} is not used: {reason}\n", path.display()));
    }
    print(&faults)?;
    print(&text.ok_or("no book knows the position")?)
}

/// Runs `book stats`.
///
/// # Errors
/// One line for the user.
pub fn stats(args: &StatsArgs) -> Result<(), String> {
    print(&statistics(&open(&args.book)?))
}

/// Positions by their stones, and what is known about them.
fn statistics(book: &Book) -> String {
    let mut layers: BTreeMap<u8, Vec<Entry>> = BTreeMap::new();
    for entry in book.entries() {
        layers.entry(entry.stones).or_default().push(entry);
    }
    let mut text = format!(
        "{} {}: {} positions, {} bytes\n{}\n",
        book.rule.name,
        book.size,
        book.len(),
        book.bytes(),
        book.origin
    );
    text.push_str("stones  positions  moves  depth  1000 nodes  cost %\n");
    for (stones, entries) in layers {
        let mean = |of: &dyn Fn(&Entry) -> usize| {
            entries.iter().map(|e| of(e) as f64).sum::<f64>() / entries.len() as f64
        };
        text.push_str(&format!(
            "{stones:6} {:10} {:6.1} {:6.1} {:11.0} {:7.1}\n",
            entries.len(),
            mean(&|e| e.moves.len()),
            mean(&|e| e.depth.into()),
            mean(&|e| (e.nodes() / 1000) as usize),
            mean(&|e| e.cost.into()),
        ));
    }
    text
}

/// A reader that has gone, as `head` does, is no error.
fn print(text: &str) -> Result<(), String> {
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
    Ok(())
}
