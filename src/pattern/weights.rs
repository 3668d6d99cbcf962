//! The linear evaluation and move policy as plain tables of numbers. What they hold is the
//! business of the `eval` layer; the board only adds them up.

use super::CellTables;
use crate::types::PerColor;

/// Number of threat masks: twelve yes/no facts about who has which threats.
pub const THREAT_MASKS: usize = 1 << 12;

/// Weights of one rule.
///
/// A *pair* is a byte as [`LineTable`](super::LineTable) gives it: Black's class of a line in the
/// low four bits and White's in the high four.
#[derive(Clone)]
pub struct LinearWeights {
    /// Value of a pair in one direction of an empty cell, in score units, from Black's side.
    pub value: Box<[i16; 256]>,
    /// What the four lines of an empty cell are worth together beyond their sum, by the packed
    /// code of each side ([`pack_codes`](super::pack_codes)), from Black's side.
    pub code_value: PerColor<Box<[i16]>>,
    /// Urge to play on a cell with that pair, for Black and for White to move.
    pub policy: PerColor<Box<[i16; 256]>>,
    /// Value of a threat mask for the side to move.
    pub threat: Box<[i16; THREAT_MASKS]>,
}

impl LinearWeights {
    /// All zero.
    pub fn zero() -> LinearWeights {
        LinearWeights {
            value: Box::new([0; 256]),
            code_value: PerColor([(); 2].map(|()| vec![0; CellTables::CODES].into_boxed_slice())),
            policy: PerColor([Box::new([0; 256]), Box::new([0; 256])]),
            threat: Box::new([0; THREAT_MASKS]),
        }
    }
}
