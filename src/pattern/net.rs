//! The small net of a rule as plain tables of numbers. What it says of a position is the business
//! of the `eval` layer.
//!
//! Each empty cell has a few *channels* for either side: the sum over its four lines of a row of
//! numbers for the line, clipped to 0..=127. The channels of all cells add up to the *features*
//! of the position, Black's first, then White's; two small layers make a score of them.
//!
//! That a vector for each line can be looked up, summed and clipped cell by cell is the idea of
//! the Mix networks (hzyhhzy's gomoku_nnue and Rapfi; arXiv 2503.13178). The form here is smaller,
//! a residual on the linear tables; its numbers come from our own games and trainer.

use super::line::{self, LINE_COUNT};
use super::{LineTable, swapped_pair};
use crate::types::{Color, PerColor};

/// Channels of a cell for one side.
pub const CHANNELS: usize = 16;
/// Channels of a cell for both sides.
pub const LANES: usize = 2 * CHANNELS;
/// Highest value of a channel: the sum over 484 cells stays within 16 bits.
pub const TOP: i16 = 127;
/// One in a channel.
pub const ACTIVATION_UNIT: i32 = 64;
/// Features go into the layers divided by two to this power.
pub const FEATURE_SHIFT: u32 = 4;
/// One in the weights of hidden units.
pub const HIDDEN_UNIT: i32 = 256;
/// One in the weights of the output, per unit of score.
pub const OUTPUT_UNIT: i32 = 16;
/// Bound of the numbers of rows and of bias: a cell's sum stays within 16 bits.
pub const ROW_LIMIT: i16 = 4_000;
/// Bound of the weights of features: a sum over all of them stays within 32 bits.
pub const LAYER_LIMIT: i16 = 2_000;
/// Bound of what is added to such a sum, and of the weights of hidden units.
pub const BIAS_LIMIT: i32 = 40_000_000;
/// Hidden units.
pub const HIDDEN: usize = 16;

/// Numbers of both sides' channels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct Row(pub [i16; LANES]);

impl Row {
    /// All zero.
    pub const ZERO: Row = Row([0; LANES]);
}

/// The net of one side to move as it is trained and stored, seen from that side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetWeights {
    /// Row of a pair `own | opponent << 4` of line classes, in 64ths.
    pub pairs: Vec<[i16; CHANNELS]>,
    /// What is added for whole lines: the index as were the side Black, the lower of the mirror
    /// images, in rising order.
    pub lines: Vec<(u32, [i8; CHANNELS])>,
    /// Added to the four rows of each cell.
    pub bias: [i16; CHANNELS],
    /// From features, own first, to hidden units, in 256ths.
    pub hidden: Vec<[i16; LANES]>,
    /// Added there, in the units of the product.
    pub hidden_bias: [i32; HIDDEN],
    /// From hidden units to the score.
    pub output: [i32; HIDDEN],
    /// From features straight to the score.
    pub direct: [i16; LANES],
}

/// What turns features into a score for one side to move; Black's channels first.
#[derive(Clone)]
pub struct Head {
    /// See [`NetWeights::hidden`].
    pub hidden: [Row; HIDDEN],
    /// See [`NetWeights::hidden_bias`].
    pub hidden_bias: [i32; HIDDEN],
    /// See [`NetWeights::output`].
    pub output: [i32; HIDDEN],
    /// See [`NetWeights::direct`].
    pub direct: Row,
}

/// The net of a rule as the evaluation reads it.
pub struct Net {
    /// By line index.
    pub rows: Box<[Row]>,
    /// Added to the four rows of each cell.
    pub bias: Row,
    /// Channels of a cell far from every stone and from the edge.
    pub idle: Row,
    /// By side to move.
    pub heads: PerColor<Head>,
}

impl Net {
    /// From the weights for Black and for White to move.
    pub fn new(movers: PerColor<&NetWeights>, table: &LineTable) -> Net {
        let of_pair: Vec<Row> = (0..256)
            .map(|pair| {
                let black = &movers[Color::Black].pairs[pair];
                joined(black, &movers[Color::White].pairs[swapped_pair(pair)])
            })
            .collect();
        let mut rows: Box<[Row]> = (0..LINE_COUNT as u32)
            .map(|index| of_pair[usize::from(table.pair(index))])
            .collect();
        for side in Color::ALL {
            for (index, row) in &movers[side].lines {
                add_line(&mut rows, *index as usize, side, row);
            }
        }
        let bias = joined(&movers[Color::Black].bias, &movers[Color::White].bias);
        let mut idle = bias;
        for (sum, value) in idle.0.iter_mut().zip(rows[line::FAR].0) {
            *sum = (*sum + 4 * value).clamp(0, TOP);
        }
        let head = |side: Color| {
            let weights = movers[side];
            let turned = |row: &[i16; LANES]| {
                let mut row = *row;
                if side == Color::White {
                    row.rotate_left(CHANNELS);
                }
                Row(row)
            };
            Head {
                hidden: std::array::from_fn(|unit| turned(&weights.hidden[unit])),
                hidden_bias: weights.hidden_bias,
                output: weights.output,
                direct: turned(&weights.direct),
            }
        };
        Net {
            rows,
            bias,
            idle,
            heads: PerColor(Color::ALL.map(head)),
        }
    }
}

/// Adds what `side` sees in a line and in its mirror image, which may be the same.
fn add_line(rows: &mut [Row], index: usize, side: Color, row: &[i8; CHANNELS]) {
    let from = CHANNELS * side.index();
    let mirrored = Some(line::mirrored(index)).filter(|mirrored| *mirrored != index);
    for place in std::iter::once(index).chain(mirrored) {
        let place = match side {
            Color::Black => place,
            Color::White => line::color_swapped(place),
        };
        for (sum, value) in rows[place].0[from..].iter_mut().zip(row) {
            *sum += i16::from(*value);
        }
    }
}

fn joined(black: &[i16; CHANNELS], white: &[i16; CHANNELS]) -> Row {
    let mut row = Row::ZERO;
    row.0[..CHANNELS].copy_from_slice(black);
    row.0[CHANNELS..].copy_from_slice(white);
    row
}
