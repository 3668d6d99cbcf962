//! The linear evaluation and move policy as plain tables of numbers. What they hold is the
//! business of the `eval` layer; the board only adds them up.

use std::sync::Arc;

use super::line::{self, LINE_COUNT};
use super::net::NetWeights;
use super::{CellTables, LineTable};
use crate::types::{Color, PerColor};

/// Number of threat masks: twelve yes/no facts about who has which threats.
pub const THREAT_MASKS: usize = 1 << 12;

/// The values of cells are kept in fractions of a score unit, two to this power: some are summed
/// hundreds of times, and so is what rounding takes from them.
pub const VALUE_SHIFT: u32 = 5;

/// Number of pairs of cell classes, `own << 4 | opponent`.
pub const CELL_PAIRS: usize = 256;

/// Two numbers in one, one for either side to move, added and subtracted together.
///
/// The value for White to move sits in the upper half, the one for Black, sign and all, is added
/// below it: a carry out of the lower half is undone when the upper half is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Packed(i32);

impl Packed {
    /// Packs the values for Black and for White to move. Sums must stay within `i16`.
    #[inline]
    pub const fn new(black: i16, white: i16) -> Packed {
        Packed(((white as i32) << 16).wrapping_add(black as i32))
    }

    /// The value for Black and the value for White to move.
    #[inline]
    pub const fn both(self) -> (i32, i32) {
        let black = self.0 as i16 as i32;
        (black, self.0.wrapping_sub(black) >> 16)
    }
}

impl std::ops::Add for Packed {
    type Output = Packed;
    #[inline]
    fn add(self, other: Packed) -> Packed {
        Packed(self.0.wrapping_add(other.0))
    }
}

/// A pair of line or cell classes, one in the low four bits and one in the high, the other way
/// round.
#[inline]
pub const fn swapped_pair(pair: usize) -> usize {
    pair >> 4 | (pair & 15) << 4
}

/// The weights of one side to move, seen from it: what is trained and stored.
///
/// A *pair* here is `own | opponent << 4`, the two line classes of a direction; a *code* is the
/// packed code of the four line classes of one side ([`pack_codes`](super::pack_codes)).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoverWeights {
    /// Value of a pair in one direction of an empty cell, in fractions ([`VALUE_SHIFT`]).
    pub value: Vec<i16>,
    /// What the four lines of an empty cell are worth together beyond their sum: own code.
    pub own_code_value: Vec<i16>,
    /// The same for the opponent's code.
    pub other_code_value: Vec<i16>,
    /// Value of a threat mask.
    pub threat: Vec<i16>,
    /// What the two cell classes of an empty cell are worth together beyond that, by
    /// `own << 4 | opponent`.
    pub cell_value: Vec<i16>,
    /// Urge to play on a cell with that pair in a direction, in policy points.
    pub policy: Vec<i16>,
    /// The same by own code.
    pub own_code_policy: Vec<i16>,
    /// The same by the opponent's code.
    pub other_code_policy: Vec<i16>,
    /// The same by the two cell classes.
    pub cell_policy: Vec<i16>,
    /// The same by the whole line in each direction, as its index would be were the mover Black.
    pub line_policy: Vec<i16>,
    /// The small net.
    pub net: Option<Arc<NetWeights>>,
}

impl MoverWeights {
    /// All zero.
    pub fn zero() -> MoverWeights {
        let codes = || vec![0; CellTables::CODES];
        MoverWeights {
            value: vec![0; 256],
            own_code_value: codes(),
            other_code_value: codes(),
            cell_value: vec![0; CELL_PAIRS],
            threat: vec![0; THREAT_MASKS],
            policy: vec![0; 256],
            own_code_policy: codes(),
            other_code_policy: codes(),
            cell_policy: vec![0; CELL_PAIRS],
            line_policy: vec![0; LINE_COUNT],
            net: None,
        }
    }
}

/// The weights of a rule as the board reads them: by the pair byte of
/// [`LineTable`](super::LineTable) (Black's class low, White's high) and by colour.
#[derive(Clone)]
pub struct LinearWeights {
    /// Value of a pair for either side to move.
    pub value: Box<[Packed; 256]>,
    /// Value of a code of Black, and of White, for either side to move.
    pub code_value: PerColor<Box<[Packed]>>,
    /// Value of a pair of cell classes, Black's in the high four bits, for either side to move.
    pub cell_value: Box<[Packed; CELL_PAIRS]>,
    /// Value of a threat mask, by side to move.
    pub threat: PerColor<Vec<i16>>,
    /// Policy of a pair, by side to move, until [`LinearWeights::join_pairs`] moves it into
    /// `line_policy`.
    pair_policy: PerColor<Box<[i16; 256]>>,
    /// Policy of a code of Black, and of White, by side to move.
    pub code_policy: PerColor<PerColor<Vec<i16>>>,
    /// Policy of a pair of cell classes, Black's in the high four bits, by side to move.
    pub cell_policy: PerColor<Box<[i16; CELL_PAIRS]>>,
    /// Policy of a line by its index, by side to move; what its pair is worth included.
    pub line_policy: PerColor<Box<[i16]>>,
    /// The small nets of Black and of White to move, until the rule's tables are built.
    pub(super) net: Option<[Arc<NetWeights>; 2]>,
}

impl LinearWeights {
    /// From the weights for Black and for White to move.
    pub fn new(movers: PerColor<&MoverWeights>) -> LinearWeights {
        let (black, white) = (movers[Color::Black], movers[Color::White]);
        let pack = |black: &[i16], white: &[i16]| -> Box<[Packed]> {
            black
                .iter()
                .zip(white)
                .map(|(b, w)| Packed::new(*b, *w))
                .collect()
        };
        let by_color = |own: &Vec<i16>, other: &Vec<i16>, mover: Color| match mover {
            Color::Black => PerColor([own.clone(), other.clone()]),
            Color::White => PerColor([other.clone(), own.clone()]),
        };
        LinearWeights {
            value: Box::new(std::array::from_fn(|pair| {
                Packed::new(black.value[pair], white.value[swapped_pair(pair)])
            })),
            code_value: PerColor([
                pack(&black.own_code_value, &white.other_code_value),
                pack(&black.other_code_value, &white.own_code_value),
            ]),
            cell_value: Box::new(std::array::from_fn(|pair| {
                Packed::new(black.cell_value[pair], white.cell_value[swapped_pair(pair)])
            })),
            threat: PerColor([black.threat.clone(), white.threat.clone()]),
            pair_policy: PerColor([
                Box::new(std::array::from_fn(|pair| black.policy[pair])),
                Box::new(std::array::from_fn(|pair| white.policy[swapped_pair(pair)])),
            ]),
            code_policy: PerColor(Color::ALL.map(|mover| {
                let weights = movers[mover];
                by_color(&weights.own_code_policy, &weights.other_code_policy, mover)
            })),
            cell_policy: PerColor([
                Box::new(std::array::from_fn(|pair| black.cell_policy[pair])),
                Box::new(std::array::from_fn(|pair| {
                    white.cell_policy[swapped_pair(pair)]
                })),
            ]),
            line_policy: PerColor([
                black.line_policy.clone().into(),
                with_colors_swapped(&white.line_policy),
            ]),
            net: black
                .net
                .clone()
                .zip(white.net.clone())
                .map(|(b, w)| [b, w]),
        }
    }

    /// A line determines its pair, so one lookup by line can do for both.
    pub(super) fn join_pairs(&mut self, lines: &LineTable) {
        for color in Color::ALL {
            let pairs = std::mem::replace(&mut self.pair_policy[color], Box::new([0; 256]));
            for (index, policy) in self.line_policy[color].iter_mut().enumerate() {
                *policy = policy.saturating_add(pairs[usize::from(lines.pair(index as u32))]);
            }
        }
    }

    /// All zero.
    pub fn zero() -> LinearWeights {
        let zero = MoverWeights::zero();
        LinearWeights::new(PerColor([&zero; 2]))
    }
}

/// The table by line index of a mover that is White.
fn with_colors_swapped(table: &[i16]) -> Box<[i16]> {
    let mut swapped = vec![0; LINE_COUNT].into_boxed_slice();
    for (index, value) in table.iter().enumerate().filter(|(_, value)| **value != 0) {
        swapped[line::color_swapped(index)] = *value;
    }
    swapped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_values_add_without_touching_each_other() {
        let values = [0i16, 1, -1, 300, -300, 9_000, -9_000];
        for (a, b) in values
            .iter()
            .flat_map(|a| values.iter().map(move |b| (*a, *b)))
        {
            for (c, d) in values
                .iter()
                .flat_map(|c| values.iter().map(move |d| (*c, *d)))
            {
                let sum = Packed::new(a, b) + Packed::new(c, d);
                assert_eq!(sum.both(), (i32::from(a + c), i32::from(b + d)));
            }
        }
    }
}
