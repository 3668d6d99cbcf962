//! A point of the board, as an index into a padded grid.

/// Columns and rows of padding on each side of the board inside the grid: as far as a line
/// pattern reaches, so that no pattern update can leave the grid.
const PADDING: u8 = 5;
/// Cells of one grid row: 22 columns and the padding on both sides.
const ROW: u16 = 32;
/// Cells of the padded grid (32 × 32). Every [`Point::index`] is below it.
pub const GRID_CELLS: usize = 1024;

/// A point: `x` grows to the right, `y` grows downwards, both from 0.
///
/// The inner index is `(y + 5) * 32 + (x + 5)`, the same on every board size: 22 columns and
/// five cells of padding on each side fill a row of 32 exactly. [`Point::NONE`] lies in the
/// padding and stands for "no move".
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(u16);

impl Point {
    /// No point at all.
    pub const NONE: Point = Point(0);

    /// The point at column `x`, row `y`, both below 22.
    #[inline]
    pub const fn new(x: u8, y: u8) -> Point {
        debug_assert!(x < 22 && y < 22);
        Point((y + PADDING) as u16 * ROW + (x + PADDING) as u16)
    }

    /// The point with that grid index; the index is masked, so that none is out of range.
    #[inline]
    pub const fn from_index(index: usize) -> Point {
        Point((index & (GRID_CELLS - 1)) as u16)
    }

    /// The grid index, below [`GRID_CELLS`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize & (GRID_CELLS - 1)
    }

    /// Column from the left, 0-based.
    #[inline]
    pub const fn x(self) -> u8 {
        (self.0 % ROW) as u8 - PADDING
    }

    /// Row from the top, 0-based.
    #[inline]
    pub const fn y(self) -> u8 {
        (self.0 / ROW) as u8 - PADDING
    }

    /// The cell `steps` strides away; may lie in the padding. `steps` is at most 5 either way.
    #[inline]
    #[must_use]
    pub const fn offset(self, stride: i32, steps: i32) -> Point {
        Point::from_index((self.0 as i32 + stride * steps) as usize)
    }

    /// False for [`Point::NONE`].
    #[inline]
    pub const fn is_some(self) -> bool {
        self.0 != 0
    }

    /// True for [`Point::NONE`].
    #[inline]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// The larger of the column and row distance to `other`.
    pub fn distance(self, other: Point) -> u8 {
        let dx = (self.0 % ROW).abs_diff(other.0 % ROW);
        let dy = (self.0 / ROW).abs_diff(other.0 / ROW);
        dx.max(dy) as u8
    }
}

impl std::fmt::Debug for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_none() {
            f.write_str("none")
        } else {
            write!(f, "{},{}", self.x(), self.y())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_and_coordinates_agree_on_the_whole_board() {
        for y in 0..22 {
            for x in 0..22 {
                let point = Point::new(x, y);
                assert_eq!((point.x(), point.y()), (x, y));
                assert_eq!(Point::from_index(point.index()), point);
                assert!(point.is_some());
            }
        }
        assert_eq!(Point::new(0, 0).distance(Point::new(3, 7)), 7);
    }
}
