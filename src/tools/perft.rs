//! `perft`: counts the sequences of moves from a position, with the winning and the forbidden
//! points met on the way. A wrong class, a wrong forbidden point or a stone that undo leaves
//! behind changes a count. `--referee` counts by the definitions of the rules instead of the
//! board's tables; the expected counts in `perft.txt` were made that way.

use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;

use crate::board::Board;
use crate::pattern::{CellClass, LinearWeights, RuleTables};
use crate::record::notation::{Rows, parse_moves, parse_size};
use crate::rules::{Grid, RuleSpec, forbidden, wins};
use crate::types::{BoardSize, Color, Point, Position};

/// The counts that every version must give. `#` begins a comment.
const EXPECTED: &str = include_str!("perft.txt");

/// Arguments of `perft`.
#[derive(Args, Debug)]
pub struct PerftArgs {
    /// Moves from the empty board, as in h8h9i9; blanks between them are free
    #[arg(conflicts_with = "list")]
    moves: Vec<String>,
    /// Rule, by name or number
    #[arg(long, default_value = "freestyle", value_parser = RuleSpec::parse)]
    rule: &'static RuleSpec,
    /// Board size: 15, or 20x12 for columns x rows
    #[arg(long, default_value = "15", value_parser = parse_size)]
    size: BoardSize,
    /// Length of the sequences
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=20))]
    depth: u8,
    /// Count by the referee: slow, and right by definition
    #[arg(long)]
    referee: bool,
    /// Count the positions of the list of expected counts and print it anew
    #[arg(long)]
    list: bool,
}

/// What was met at one depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Counts {
    /// Sequences of this length. A win ends a sequence and a forbidden point begins none.
    moves: u64,
    /// Those whose last stone wins.
    winning: u64,
    /// Points forbidden to the side to move after the sequences that are one stone shorter.
    forbidden: u64,
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}/{}", self.moves, self.winning, self.forbidden)
    }
}

/// What a stone on an empty point is to the side to move.
enum Verdict {
    Wins,
    Forbidden,
    Plain,
}

/// A position that can be walked through.
trait Walk {
    fn empties(&self) -> Vec<Point>;
    fn verdict(&mut self, point: Point) -> Verdict;
    fn play(&mut self, point: Point);
    fn take_back(&mut self, point: Point);
}

/// The board of the search.
impl Walk for Board {
    fn empties(&self) -> Vec<Point> {
        Board::empties(self).iter().collect()
    }

    fn verdict(&mut self, point: Point) -> Verdict {
        let side = self.side();
        if self.class(point, side) == CellClass::Five {
            Verdict::Wins
        } else if self.is_forbidden(point, side) {
            Verdict::Forbidden
        } else {
            Verdict::Plain
        }
    }

    fn play(&mut self, point: Point) {
        self.make(point);
    }

    fn take_back(&mut self, _: Point) {
        self.undo();
    }
}

/// The stones alone, judged by the referee.
struct Referee {
    spec: &'static RuleSpec,
    grid: Grid,
    side: Color,
}

impl Walk for Referee {
    fn empties(&self) -> Vec<Point> {
        self.grid.empty_points().collect()
    }

    fn verdict(&mut self, point: Point) -> Verdict {
        if wins(self.spec, &self.grid, point, self.side) {
            Verdict::Wins
        } else if forbidden(self.spec, &self.grid, point, self.side).is_some() {
            Verdict::Forbidden
        } else {
            Verdict::Plain
        }
    }

    fn play(&mut self, point: Point) {
        self.grid.set(point, Some(self.side));
        self.side = self.side.opponent();
    }

    fn take_back(&mut self, point: Point) {
        self.grid.set(point, None);
        self.side = self.side.opponent();
    }
}

/// Adds what lies below the position: the next move to the first of `counts`, and so on.
fn walk(position: &mut impl Walk, counts: &mut [Counts]) {
    let Some((here, below)) = counts.split_first_mut() else {
        return;
    };
    for point in position.empties() {
        match position.verdict(point) {
            Verdict::Forbidden => here.forbidden += 1,
            Verdict::Wins => {
                here.moves += 1;
                here.winning += 1;
            }
            Verdict::Plain => {
                here.moves += 1;
                if !below.is_empty() {
                    position.play(point);
                    walk(position, below);
                    position.take_back(point);
                }
            }
        }
    }
}

/// The counts at depths 1 to `depth` by the board of the search.
fn count_fast(spec: &RuleSpec, position: &Position, depth: u8) -> Vec<Counts> {
    let tables = Arc::new(RuleTables::new(spec, LinearWeights::zero()));
    let mut board = Board::from_position(tables, position);
    let mut counts = vec![Counts::default(); depth.into()];
    walk(&mut board, &mut counts);
    counts
}

/// The same by the referee.
fn count_slow(spec: &'static RuleSpec, position: &Position, depth: u8) -> Vec<Counts> {
    let mut referee = Referee {
        spec,
        grid: Grid::from_position(position),
        side: position.to_move,
    };
    let mut counts = vec![Counts::default(); depth.into()];
    walk(&mut referee, &mut counts);
    counts
}

fn count(spec: &'static RuleSpec, position: &Position, depth: u8, by_referee: bool) -> Vec<Counts> {
    match by_referee {
        true => count_slow(spec, position, depth),
        false => count_fast(spec, position, depth),
    }
}

/// One line of the list: `rule size moves counts`, the counts from depth 1 on as
/// `moves/winning/forbidden`. `-` stands for no moves.
struct Entry {
    rule: &'static RuleSpec,
    position: Position,
    /// Rule, size and moves as written.
    words: [&'static str; 3],
    counts: Vec<&'static str>,
}

impl Entry {
    fn parse(line: &'static str) -> Result<Entry, String> {
        let mut words = line.split_whitespace();
        let mut next = || words.next().ok_or_else(|| format!("perft.txt: '{line}'"));
        let words_of_position = [next()?, next()?, next()?];
        let [rule, size, moves] = words_of_position;
        let size = parse_size(size).map_err(|error| error.to_string())?;
        let moves = if moves == "-" { "" } else { moves };
        Ok(Entry {
            rule: RuleSpec::parse(rule)?,
            position: read(moves, size)?,
            words: words_of_position,
            counts: words.collect(),
        })
    }
}

fn read(moves: &str, size: BoardSize) -> Result<Position, String> {
    let moves = parse_moves(moves, size, Rows::FromBottom).map_err(|error| error.to_string())?;
    Ok(Position::after(size, moves))
}

/// Prints the counts of one position, or the list of expected counts.
///
/// # Errors
/// A line when the moves cannot be read.
#[allow(clippy::print_stdout)]
pub fn run(args: &PerftArgs) -> Result<(), String> {
    if args.list {
        return print_list(args.referee);
    }
    let position = read(&args.moves.join(" "), args.size)?;
    let (name, size, side) = (args.rule.name, args.size, position.to_move);
    println!(
        "{name} {size}, {} stones, {side} to move",
        position.stones().len()
    );
    println!("depth          moves    winning  forbidden");
    let start = Instant::now();
    let counts = count(args.rule, &position, args.depth, args.referee);
    let elapsed = start.elapsed();
    for (depth, row) in (1..).zip(&counts) {
        let (moves, winning, forbidden) = (row.moves, row.winning, row.forbidden);
        println!("{depth:5} {moves:14} {winning:10} {forbidden:10}");
    }
    println!("{}", speed(&counts, elapsed));
    Ok(())
}

fn speed(counts: &[Counts], elapsed: Duration) -> String {
    let points: u64 = counts.iter().map(|row| row.moves + row.forbidden).sum();
    let micros = elapsed.as_micros().max(1) as u64;
    let per_second = u128::from(points) * 1_000_000 / u128::from(micros);
    format!(
        "{points} points in {} ms, {per_second} a second",
        micros / 1000
    )
}

/// The list with the counts of this program in place of the expected ones, comments included.
#[allow(clippy::print_stdout)]
fn print_list(by_referee: bool) -> Result<(), String> {
    for line in EXPECTED.lines() {
        if line.is_empty() || line.starts_with('#') {
            println!("{line}");
            continue;
        }
        let entry = Entry::parse(line)?;
        let counts = count(
            entry.rule,
            &entry.position,
            entry.counts.len() as u8,
            by_referee,
        );
        let counts: Vec<String> = counts.iter().map(Counts::to_string).collect();
        println!("{} {}", entry.words.join(" "), counts.join(" "));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::PRESETS;

    fn entries() -> Vec<Entry> {
        let lines = EXPECTED.lines();
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        lines.map(|line| Entry::parse(line).unwrap()).collect()
    }

    #[test]
    fn board_and_referee_count_as_expected() {
        for entry in entries() {
            let words = entry.words.join(" ");
            for by_referee in [false, true] {
                let depth = entry.counts.len() as u8;
                let found = count(entry.rule, &entry.position, depth, by_referee);
                let found: Vec<String> = found.iter().map(Counts::to_string).collect();
                assert_eq!(found, entry.counts, "{words}, by referee: {by_referee}");
            }
        }
    }

    #[test]
    fn the_list_has_every_rule_and_every_kind_of_point() {
        let entries = entries();
        for spec in &PRESETS {
            let of_rule = || entries.iter().filter(|entry| entry.rule == spec);
            let sizes: Vec<_> = of_rule().map(|entry| entry.words[1]).collect();
            for size in ["5", "7", "15", "20", "9x16"] {
                assert!(sizes.contains(&size), "{} {size}", spec.name);
            }
            let met = |part: usize| {
                let mut counts = of_rule().flat_map(|entry| &entry.counts);
                counts.any(|row| row.split('/').nth(part).is_some_and(|n| n != "0"))
            };
            assert!(met(1), "{} never wins", spec.name);
            assert_eq!(met(2), spec.forbids_any(), "{}", spec.name);
        }
    }

    #[test]
    fn a_win_ends_a_sequence_and_a_forbidden_point_begins_none() {
        let position = read("a1a5b1b5c1c5d1d5", BoardSize::square(5).unwrap()).unwrap();
        let counts = count_fast(RuleSpec::FREESTYLE, &position, 2);
        // Black wins at e1; White then wins at e5 unless Black has taken it.
        assert_eq!(counts[0].to_string(), "17/1/0");
        assert_eq!(counts[1].to_string(), "256/15/0");
        let renju = RuleSpec::parse("renju").unwrap();
        let position = read("h9a1h10a3g8a5f8a7", BoardSize::STANDARD).unwrap();
        let counts = count_fast(renju, &position, 1);
        assert_eq!(counts[0].to_string(), "216/0/1");
    }
}
