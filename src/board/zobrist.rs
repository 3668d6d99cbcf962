//! Hash keys: one per colour and point, one for the side to move, one for rule and size.
//!
//! The table outlives a game, and rule and size may change at any time, so both are part of the
//! key.

use crate::types::rng::split_mix;
use crate::types::{BoardSize, Color, GRID_CELLS, Point};

static STONES: [[u64; GRID_CELLS]; 2] = {
    let mut keys = [[0; GRID_CELLS]; 2];
    let mut at = 0;
    while at < GRID_CELLS {
        keys[0][at] = split_mix(0x7E46_0000 + at as u64);
        keys[1][at] = split_mix(0x7E47_0000 + at as u64);
        at += 1;
    }
    keys
};

/// Added when White is to move.
pub const WHITE_TO_MOVE: u64 = split_mix(0x7E48_0000);

/// The key of a stone.
#[inline]
pub fn stone(color: Color, point: Point) -> u64 {
    STONES[color.index()][point.index()]
}

/// The key of the empty board of that size under the rule with that code.
pub fn empty(rule_code: u32, size: BoardSize) -> u64 {
    let number =
        u64::from(rule_code) << 16 | u64::from(size.width()) << 8 | u64::from(size.height());
    split_mix(0x7E49_0000_0000 + number)
}
