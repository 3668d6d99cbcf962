//! `book import`: positions of games as further roots of a build. What the players played is not
//! taken over; our own search says what is best there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::log::Log;
use super::{Searches, canonical, key_after, roots};
use crate::book::Key;
use crate::record::notation::Rows;
use crate::record::openings::{self, Format};
use crate::record::psq;
use crate::record::renlib::Library;
use crate::rules::RuleSpec;
use crate::tools::matches::progress::say;
use crate::types::{BoardSize, Point, Position};

/// Arguments of `book import`.
#[derive(clap::Args, Clone, Debug)]
pub struct ImportArgs {
    #[command(flatten)]
    searches: Searches,
    /// Games: `.psq` records, RenLib libraries (`.lib`), of which every end of the tree is a game,
    /// or lists of moves, a game a line, as in h8i9g7 or as offsets from the centre as in
    /// 0,0, 1,-1, -1,1
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Stones of a game up to which its positions are taken
    #[arg(long, value_name = "N", default_value_t = 12)]
    plies: usize,
    /// Games that a position must occur in
    #[arg(long, value_name = "N", default_value_t = 1)]
    games_each: usize,
}

/// Runs `book import`.
///
/// # Errors
/// One line for the user; then nothing was added.
pub fn run(args: &ImportArgs) -> Result<(), String> {
    let (rule, size) = (args.searches.rule, args.searches.size);
    let mut games = Vec::new();
    for path in &args.games {
        let read = read(path, size, args.plies);
        games.extend(read.map_err(|text| format!("{}: {text}", path.display()))?);
    }
    let mut log = Log::open(&args.searches)?;
    let roots = positions(&games, args, rule, size);
    let known: Vec<u64> = log
        .roots
        .iter()
        .map(|stones| key_after(stones, size))
        .collect();
    let is_new = |stones: &Vec<Point>| !known.contains(&key_after(stones, size));
    let fresh: Vec<Vec<Point>> = roots.into_iter().filter(is_new).collect();
    let (count, games) = (fresh.len(), games.len());
    log.add_roots(fresh)?;
    let path = args.searches.log_path();
    say(&format!(
        "{}: {count} new positions of {games} games",
        path.display()
    ));
    Ok(())
}

/// The games of a file; of a tree as far as `plies` stones.
fn read(path: &Path, size: BoardSize, plies: usize) -> Result<Vec<Vec<Point>>, String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let is_of = |found: BoardSize, what: &str| match found == size {
        true => Ok(()),
        false => Err(format!("a {what} on {found}, not {size}")),
    };
    let ending = path.extension().unwrap_or_default();
    if ending.eq_ignore_ascii_case("lib") {
        is_of(Library::SIZE, "library")?;
        let library = Library::parse(&bytes).map_err(|error| error.to_string())?;
        return Ok(library.games(plies));
    }
    let text = String::from_utf8_lossy(&bytes);
    if ending.eq_ignore_ascii_case("psq") {
        let record = psq::Record::parse(&text).map_err(|error| error.to_string())?;
        is_of(record.size, "game")?;
        return Ok(vec![record.points().collect()]);
    }
    let is_moves = |line: &&str| line.starts_with(|c: char| c.is_ascii_alphabetic());
    let format = match text.lines().map(str::trim).any(|line| is_moves(&line)) {
        true => Format::Moves(Rows::FromBottom),
        false => Format::Offsets,
    };
    let games = openings::read(&text, size, format);
    games.map_err(|(line, error)| format!("line {line}: {error}"))
}

/// The positions of the games that occur often enough, in the order of their stones and games.
fn positions(
    games: &[Vec<Point>],
    args: &ImportArgs,
    rule: &'static RuleSpec,
    size: BoardSize,
) -> Vec<Vec<Point>> {
    let mut seen: BTreeMap<u64, usize> = BTreeMap::new();
    let mut order = Vec::new();
    for game in games {
        for count in 1..=game.len().min(args.plies) {
            let stones = &game[..count];
            if !roots::goes_on(stones, rule, size) {
                break;
            }
            let position = Position::after(size, stones.iter().copied());
            let key = Key::of(&position).hash;
            let times = seen.entry(key).or_insert(0);
            *times += 1;
            if let (1, Some(stones)) = (*times, canonical(&position)) {
                order.push((key, stones));
            }
        }
    }
    order.sort_by_key(|(_, stones)| stones.len());
    let often = |key: &u64| seen.get(key).is_some_and(|times| *times >= args.games_each);
    let often = order.into_iter().filter(|(key, _)| often(key));
    often.map(|(_, stones)| stones).collect()
}
