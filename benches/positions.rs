//! The positions that are measured.

use std::fmt;
use std::sync::Arc;

use tengen::board::Board;
use tengen::eval;
use tengen::pattern::RuleTables;
use tengen::record::notation::{Rows, parse_moves, parse_size};
use tengen::rules::RuleSpec;
use tengen::types::{Point, Position};

/// A position by its moves, rows counted from the bottom.
pub struct Sample {
    name: &'static str,
    rule: &'static str,
    size: &'static str,
    moves: &'static str,
}

const fn sample(
    name: &'static str,
    rule: &'static str,
    size: &'static str,
    moves: &'static str,
) -> Sample {
    Sample {
        name,
        rule,
        size,
        moves,
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.name, self.rule, self.size)
    }
}

const OPENING: &str = "h8i9g7i7i8g9";
const MIDDLE: &str = "h8i10k9g6i11f10f8e7i5f7i9d8h10e9c8e5k3f4i7a7b6d2l5j11c6l11l6j8m4g10";
const DENSE: &str = "h8i10k9g6i11f10f8e7i5f7i9d8h10e9c8e5k3f4i7a7b6d2l5j11c6l11l6j8m4g10d1d7c10\
                     m10b11m11k8e2g9m7";

/// Openings and dense middlegames under rules with and without forbidden points.
pub const SAMPLES: [Sample; 6] = [
    sample("opening", "freestyle", "15", OPENING),
    sample("opening", "renju", "15", OPENING),
    sample("opening", "freestyle", "20", "k10l11j9l9l10j11"),
    sample("middle", "freestyle", "15", MIDDLE),
    sample("dense", "freestyle", "15", DENSE),
    sample("dense", "renju", "15", DENSE),
];

/// The tables of a rule with the weights the engine plays by.
pub fn tables(rule: &str) -> Arc<RuleTables> {
    let spec = RuleSpec::parse(rule).expect("a rule");
    Arc::new(RuleTables::new(spec, eval::weights(spec)))
}

/// The board after moves written as text.
pub fn board(rule: &str, size: &str, moves: &str) -> Board {
    let size = parse_size(size).expect("a size");
    let mut position = Position::new(size);
    for point in parse_moves(moves, size, Rows::FromBottom).expect("moves") {
        position.play(point);
    }
    Board::from_position(tables(rule), &position)
}

impl Sample {
    /// The board of the sample.
    pub fn board(&self) -> Board {
        board(self.rule, self.size, self.moves)
    }
}

/// The candidates of a board.
pub fn candidates(board: &Board) -> Vec<Point> {
    board.candidates().iter().collect()
}
