//! The four directions together: what a stone on a point is worth to one side.

use super::classify::LineClass;
use crate::rules::Forbidden;

/// Order-free pairs of two 4-bit classes.
const PAIRS: usize = 136;

/// What a stone on a point makes, all four lines considered.
///
/// Bit 7 of the stored byte ([`CellClass::UNSURE`]) marks a point that may be a forbidden double
/// three; only the recursion over the board can tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum CellClass {
    /// Nothing the search treats specially.
    Quiet = 0,
    /// A three that one reply spoils, or an open two.
    Weak,
    /// One open three.
    OpenThree,
    /// Two or more open threes.
    DoubleThree,
    /// A four and no more.
    Four,
    /// A four beside a closed three or an open two.
    FourPlus,
    /// A four and an open three.
    FourThree,
    /// A four that no single reply stops: an open four, or two fours.
    OpenFour,
    /// A winning row.
    Five,
    /// Forbidden for certain: an overline or a double four.
    Forbidden,
}

impl CellClass {
    /// Number of classes.
    pub const COUNT: usize = 10;
    /// Flag of a stored byte: a double three that may be forbidden.
    pub const UNSURE: u8 = 0x80;
    /// All by number.
    pub const ALL: [CellClass; Self::COUNT] = [
        CellClass::Quiet,
        CellClass::Weak,
        CellClass::OpenThree,
        CellClass::DoubleThree,
        CellClass::Four,
        CellClass::FourPlus,
        CellClass::FourThree,
        CellClass::OpenFour,
        CellClass::Five,
        CellClass::Forbidden,
    ];

    /// The class of a stored byte.
    #[inline]
    pub const fn from_byte(byte: u8) -> CellClass {
        let bits = (byte & 15) as usize;
        if bits < Self::COUNT {
            Self::ALL[bits]
        } else {
            CellClass::Quiet
        }
    }

    /// The definition: joins four line classes under what is forbidden to the side.
    pub fn combine(lines: [LineClass; 4], forbidden: &Forbidden) -> (CellClass, bool) {
        let count =
            |wanted: fn(LineClass) -> bool| lines.into_iter().filter(|c| wanted(*c)).count();
        let fours: usize = lines
            .into_iter()
            .map(|class| match class {
                LineClass::DoubleFour => 2,
                class => usize::from(class.is_four()),
            })
            .sum();
        let open_threes = count(LineClass::is_open_three);
        let unstoppable = fours >= 2 || lines.contains(&LineClass::OpenFour);
        let weak = count(|class| class == LineClass::Three || class.is_open_two()) > 0;
        let class = if lines.contains(&LineClass::Five) {
            CellClass::Five
        } else if forbidden.overline && lines.contains(&LineClass::Overline)
            || forbidden.double_four && fours >= 2
        {
            CellClass::Forbidden
        } else if unstoppable {
            CellClass::OpenFour
        } else if fours == 1 {
            match (open_threes, weak) {
                (1.., _) => CellClass::FourThree,
                (0, true) => CellClass::FourPlus,
                (0, false) => CellClass::Four,
            }
        } else {
            match (open_threes, weak) {
                (2.., _) => CellClass::DoubleThree,
                (1, _) => CellClass::OpenThree,
                (0, true) => CellClass::Weak,
                (0, false) => CellClass::Quiet,
            }
        };
        let unsure = forbidden.double_three
            && open_threes >= 2
            && class != CellClass::Five
            && class != CellClass::Forbidden;
        (class, unsure)
    }
}

/// Maps two 4-bit classes in one byte to the number of their order-free pair.
static PAIR_CODES: [u8; 256] = {
    let mut codes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (a, b) = (byte & 15, byte >> 4);
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        codes[byte] = (high * (high + 1) / 2 + low) as u8;
        byte += 1;
    }
    codes
};

/// The four classes of one side, packed: the code that [`CellTables`] is indexed by.
///
/// `classes` holds four bytes, one per direction; the low bits of each are taken, so shift right
/// by four first for White.
#[inline]
pub fn pack_codes(classes: u32) -> usize {
    let nibbles = classes & 0x0F0F_0F0F;
    let pairs = (nibbles | nibbles >> 4) & 0x00FF_00FF;
    let code = |byte: u32| PAIR_CODES[(byte & 255) as usize] as usize;
    code(pairs) * PAIRS + code(pairs >> 16)
}

/// Cell class bytes of one side by packed code.
pub struct CellTables {
    classes: Box<[u8]>,
}

impl CellTables {
    /// Number of packed codes.
    pub const CODES: usize = PAIRS * PAIRS;

    /// Builds the table for a side to which `forbidden` applies.
    pub fn new(forbidden: &Forbidden) -> CellTables {
        let mut classes = vec![0; Self::CODES].into_boxed_slice();
        for (first, code) in Self::pairs() {
            for (second, other) in Self::pairs() {
                let lines = [first[0], first[1], second[0], second[1]];
                let (class, unsure) = CellClass::combine(lines, forbidden);
                let flag = if unsure { CellClass::UNSURE } else { 0 };
                classes[code * PAIRS + other] = class as u8 | flag;
            }
        }
        CellTables { classes }
    }

    fn pairs() -> impl Iterator<Item = ([LineClass; 2], usize)> {
        (0..LineClass::ALL.len()).flat_map(|high| {
            (0..=high).map(move |low| {
                let classes = [LineClass::ALL[low], LineClass::ALL[high]];
                (classes, high * (high + 1) / 2 + low)
            })
        })
    }

    /// The class byte of a packed code.
    #[inline]
    pub fn byte(&self, code: usize) -> u8 {
        self.classes[code]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::PRESETS;
    use crate::types::Color;

    #[test]
    fn packed_table_is_the_definition_for_all_class_quadruples() {
        for spec in &PRESETS {
            for color in Color::ALL {
                let forbidden = &spec.sides[color].forbidden;
                let tables = CellTables::new(forbidden);
                for bits in 0..15u32.pow(4) {
                    let digits = [bits % 15, bits / 15 % 15, bits / 225 % 15, bits / 3375];
                    let lines = digits.map(|digit| LineClass::from_bits(digit as u8));
                    let packed = digits.iter().rev().fold(0, |sum, digit| sum << 8 | digit);
                    let (class, unsure) = CellClass::combine(lines, forbidden);
                    let byte = tables.byte(pack_codes(packed));
                    assert_eq!(
                        (CellClass::from_byte(byte), byte & 0x80 != 0),
                        (class, unsure)
                    );
                }
            }
        }
    }
}
