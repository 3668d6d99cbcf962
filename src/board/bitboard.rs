//! Sets of points as bits of the padded 32 × 32 grid.

use crate::types::Point;

const WORDS: usize = 16;

/// A set of points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bitboard([u64; WORDS]);

impl Bitboard {
    /// The empty set.
    pub const EMPTY: Bitboard = Bitboard([0; WORDS]);

    /// Adds or removes `point`.
    #[inline]
    pub fn toggle(&mut self, point: Point) {
        self.0[point.index() >> 6] ^= 1 << (point.index() & 63);
    }

    /// Adds `point`.
    #[inline]
    pub fn insert(&mut self, point: Point) {
        self.0[point.index() >> 6] |= 1 << (point.index() & 63);
    }

    /// Is `point` in the set?
    #[inline]
    pub fn contains(&self, point: Point) -> bool {
        self.0[point.index() >> 6] >> (point.index() & 63) & 1 != 0
    }

    /// Adds the points of one grid row (`point.index() / 32`) whose column bits are set.
    #[inline]
    pub fn insert_row(&mut self, row: usize, columns: u32) {
        self.0[(row / 2) & (WORDS - 1)] |= u64::from(columns) << (32 * (row & 1));
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Is the set empty?
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// The points of both sets.
    #[inline]
    #[must_use]
    pub fn and(&self, other: &Bitboard) -> Bitboard {
        self.zip(other, |a, b| a & b)
    }

    /// The points of either set.
    #[inline]
    #[must_use]
    pub fn or(&self, other: &Bitboard) -> Bitboard {
        self.zip(other, |a, b| a | b)
    }

    #[inline]
    fn zip(&self, other: &Bitboard, f: impl Fn(u64, u64) -> u64) -> Bitboard {
        let mut out = [0; WORDS];
        for ((out, a), b) in out.iter_mut().zip(&self.0).zip(&other.0) {
            *out = f(*a, *b);
        }
        Bitboard(out)
    }

    /// The points, row by row from the top.
    #[inline]
    pub fn iter(&self) -> Points {
        Points {
            words: self.0,
            at: 0,
        }
    }
}

impl FromIterator<Point> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Bitboard {
        let mut set = Bitboard::EMPTY;
        points.into_iter().for_each(|point| set.insert(point));
        set
    }
}

/// Iterator over the points of a [`Bitboard`].
pub struct Points {
    words: [u64; WORDS],
    at: usize,
}

impl Iterator for Points {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        while let Some(word) = self.words.get_mut(self.at) {
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(Point::from_index(self.at * 64 + bit));
            }
            self.at += 1;
        }
        None
    }
}
