//! One name for a position and all its mirror images.

use crate::types::rng::split_mix;
use crate::types::{BoardSize, Color, Point, Position};

/// Parts the keys of books from other numbers made of the same generator.
const SALT: u64 = 0x626f_6f6b_0000_0000;
/// What White to move adds.
const WHITE_TO_MOVE: u64 = split_mix(SALT | 0xffff);

/// A position under the symmetries of its board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key {
    /// The same for every mirror image, and different for different positions as far as 64 bits
    /// can tell. Board size and rule are no part of it.
    pub hash: u64,
    /// The symmetry that turns the position into the image the book knows.
    symmetry: u8,
    size: BoardSize,
}

impl Key {
    /// The key of `position`, whatever the order of its stones.
    pub fn of(position: &Position) -> Key {
        let size = position.size();
        let stones = || position.stones().iter().copied();
        let (hash, symmetry) = (0..size.symmetries())
            .map(|symmetry| {
                let turned =
                    stones().map(|(point, color)| (size.transform(point, symmetry), color));
                (turned.map(stone).fold(0, |sum, part| sum ^ part), symmetry)
            })
            .min()
            .unwrap_or_default();
        let side = match position.to_move {
            Color::Black => 0,
            Color::White => WHITE_TO_MOVE,
        };
        Key {
            hash: split_mix(hash ^ side),
            symmetry,
            size,
        }
    }

    /// A point of the position as a point of the image.
    pub fn to_image(self, point: Point) -> Point {
        self.size.transform(point, self.symmetry)
    }

    /// A point of the image as a point of the position.
    pub fn from_image(self, point: Point) -> Point {
        self.size.transform(point, inverse(self.symmetry))
    }
}

/// The symmetry that undoes another. One without a swap of the axes undoes itself; after a swap
/// the mirrors change places.
const fn inverse(symmetry: u8) -> u8 {
    match symmetry & 4 {
        0 => symmetry,
        _ => 4 | (symmetry & 1) << 1 | (symmetry & 2) >> 1,
    }
}

fn stone((point, color): (Point, Color)) -> u64 {
    split_mix(SALT | (point.index() << 1 | color.index()) as u64)
}
