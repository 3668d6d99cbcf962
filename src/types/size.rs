//! Board sizes: 5 to 22 in each direction, square or not.

use super::Point;

/// Width and height of a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BoardSize {
    width: u8,
    height: u8,
}

/// Why a pair of numbers is no board size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SizeError {
    /// Requested columns.
    pub width: i64,
    /// Requested rows.
    pub height: i64,
}

impl std::fmt::Display for SizeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (w, h) = (self.width, self.height);
        write!(
            f,
            "board size {w}x{h} is not supported: each side must be 5 to 22, as in 15 or 20"
        )
    }
}

impl std::error::Error for SizeError {}

impl BoardSize {
    /// Smallest side.
    pub const MIN: u8 = 5;
    /// Largest side.
    pub const MAX: u8 = 22;
    /// The usual board.
    pub const STANDARD: BoardSize = BoardSize {
        width: 15,
        height: 15,
    };

    /// A board of `width` columns and `height` rows.
    ///
    /// # Errors
    /// [`SizeError`] when a side is outside 5..=22.
    pub fn new(width: i64, height: i64) -> Result<BoardSize, SizeError> {
        let valid = i64::from(Self::MIN)..=i64::from(Self::MAX);
        if valid.contains(&width) && valid.contains(&height) {
            Ok(BoardSize {
                width: width as u8,
                height: height as u8,
            })
        } else {
            Err(SizeError { width, height })
        }
    }

    /// A square board.
    ///
    /// # Errors
    /// [`SizeError`] when the side is outside 5..=22.
    pub fn square(side: i64) -> Result<BoardSize, SizeError> {
        Self::new(side, side)
    }

    /// Columns.
    #[inline]
    pub const fn width(self) -> u8 {
        self.width
    }

    /// Rows.
    #[inline]
    pub const fn height(self) -> u8 {
        self.height
    }

    /// Number of points.
    #[inline]
    pub const fn area(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// The point at column `x`, row `y` if it is on the board.
    pub fn point(self, x: i64, y: i64) -> Option<Point> {
        self.contains(x, y).then(|| Point::new(x as u8, y as u8))
    }

    /// Is column `x`, row `y` on the board?
    pub fn contains(self, x: i64, y: i64) -> bool {
        (0..i64::from(self.width)).contains(&x) && (0..i64::from(self.height)).contains(&y)
    }

    /// All points, row by row from the top.
    pub fn points(self) -> impl Iterator<Item = Point> {
        (0..self.height).flat_map(move |y| (0..self.width).map(move |x| Point::new(x, y)))
    }

    /// The middle point; on an even side the one right of or below the middle, as the openings
    /// of the Gomocup format count from (`floor(width / 2), floor(height / 2)`).
    pub fn center(self) -> Point {
        Point::new(self.width / 2, self.height / 2)
    }

    /// Number of the eight symmetries that keep the board shape: 8 when square, 4 otherwise.
    pub const fn symmetries(self) -> u8 {
        if self.width == self.height { 8 } else { 4 }
    }

    /// The image of `point` under symmetry number `symmetry`: bit 0 mirrors x, bit 1 mirrors y,
    /// bit 2 (square boards only) swaps the axes afterwards.
    pub fn transform(self, point: Point, symmetry: u8) -> Point {
        let x = if symmetry & 1 != 0 {
            self.width - 1 - point.x()
        } else {
            point.x()
        };
        let y = if symmetry & 2 != 0 {
            self.height - 1 - point.y()
        } else {
            point.y()
        };
        if symmetry & 4 != 0 {
            Point::new(y, x)
        } else {
            Point::new(x, y)
        }
    }
}

impl std::fmt::Display for BoardSize {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}
