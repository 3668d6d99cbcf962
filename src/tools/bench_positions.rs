//! The positions of `bench`: all rules, several sizes, openings to nearly full boards.

use crate::record::notation::{Rows, parse_moves, parse_size};
use crate::rules::RuleSpec;
use crate::types::Position;

const LIST: &str = include_str!("bench_positions.txt");

/// One position.
pub struct BenchPosition {
    /// The rule.
    pub rule: &'static RuleSpec,
    /// The stones, in order of play.
    pub position: Position,
}

/// The positions, in the order in which they are searched.
///
/// # Errors
/// A line when the list cannot be read.
pub fn positions() -> Result<Vec<BenchPosition>, String> {
    let lines = LIST.lines();
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(parse).collect()
}

fn parse(line: &'static str) -> Result<BenchPosition, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [rule, size, moves] = words[..] else {
        return Err(format!("not a rule, a size and moves: '{line}'"));
    };
    let size = parse_size(size).map_err(|error| error.to_string())?;
    let moves = if moves == "-" { "" } else { moves };
    let moves = parse_moves(moves, size, Rows::FromBottom).map_err(|error| error.to_string())?;
    Ok(BenchPosition {
        rule: RuleSpec::parse(rule)?,
        position: Position::after(size, moves),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{PRESETS, winner};

    #[test]
    fn every_rule_is_benched_on_games_that_go_on() {
        let positions = positions().unwrap();
        assert!((30..=36).contains(&positions.len()), "{}", positions.len());
        for spec in &PRESETS {
            assert!(positions.iter().any(|entry| entry.rule == spec));
        }
        for entry in positions {
            assert_eq!(winner(entry.rule, &entry.position), None);
        }
    }
}
