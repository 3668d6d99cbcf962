//! L4: opening books: positions with the moves that long searches of our own found best there.
//!
//! * `key`: a position under the symmetries of its board; `format`: the file.
//! * `library`: which books there are for a game, built in and beside the program.
//!
//! A book holds one rule on one board size, and a position once for all its mirror images. It is
//! checked whole when it is opened; after that a lookup cannot fail, only find nothing. Books are
//! made by `pbrain-tengen book build`.

mod format;
mod key;
mod library;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::path::Path;

pub use format::{checksum, write};
pub use key::Key;
pub use library::{Fault, Library, file_name};

use crate::rules::{Cell, Grid, RuleSpec, forbidden};
use crate::types::rng::split_mix;
use crate::types::{BoardSize, Point, Position, Score};

/// Moves of one position that a book keeps.
pub const MAX_MOVES: usize = 4;
/// Bytes of the largest book that is opened: it is kept in memory beside the tables.
const MAX_BYTES: u64 = 8 << 20;

/// A move of a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// Where: on the image of the position in a file, on the board that was asked about in
    /// [`Found`].
    pub point: Point,
    /// What it gives away against the best, in halves of a percent of win rate.
    pub deficit: u8,
}

/// What a book says about a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Stones on the board.
    pub stones: u8,
    /// Depth of the search of the position itself, in plies.
    pub depth: u8,
    /// Twice the binary logarithm of the nodes spent on the position and on those that follow it,
    /// rounded down; at most 63.
    pub effort: u8,
    /// How far the position is from best play of both sides, in percent of win rate given away
    /// on the way to it, and of plies weighed alike.
    pub cost: u8,
    /// Score of the best move for the side to move, with what follows it backed up.
    pub score: i16,
    /// The best move first; 1 to [`MAX_MOVES`].
    pub moves: Vec<BookMove>,
}

impl Entry {
    /// Nodes spent on the position and on those that follow it, at least.
    pub fn nodes(&self) -> u64 {
        (1_u64 << self.effort.min(63)).isqrt()
    }

    /// See [`Entry::effort`].
    pub fn effort_of(nodes: u64) -> u8 {
        let square = u128::from(nodes.max(1)).pow(2);
        square.ilog2().min(63) as u8
    }
}

/// A book, opened and checked.
#[derive(Clone, Debug)]
pub struct Book {
    /// What messages call it.
    pub name: String,
    /// Its rule.
    pub rule: &'static RuleSpec,
    /// Its board.
    pub size: BoardSize,
    /// How it was made.
    pub origin: String,
    count: usize,
    marks: Vec<format::Mark>,
    bytes: Cow<'static, [u8]>,
}

/// A position of a book, turned the way it was asked about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// What the book says; all its moves are legal.
    pub entry: Entry,
    hash: u64,
}

impl Book {
    /// Reads a book and checks it whole.
    ///
    /// # Errors
    /// What is wrong with it, for the end of a sentence.
    pub fn read(name: &str, bytes: impl Into<Cow<'static, [u8]>>) -> Result<Book, String> {
        let mut book = format::read(bytes.into())?;
        name.clone_into(&mut book.name);
        Ok(book)
    }

    /// Opens a file. The book is called by the file's name.
    ///
    /// # Errors
    /// What is wrong with it, for the end of a sentence.
    pub fn open(path: &Path) -> Result<Book, String> {
        let fault = |error: std::io::Error| error.to_string();
        if std::fs::metadata(path).map_err(fault)?.len() > MAX_BYTES {
            let most = MAX_BYTES >> 20;
            return Err(format!("it is larger than {most} MiB; book prune cuts it"));
        }
        let bytes = std::fs::read(path).map_err(fault)?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        Book::read(&name, bytes)
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Has it no positions?
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Bytes of the file.
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// What the book says about `position`, if it is of the book's size and its moves can be
    /// played.
    pub fn lookup(&self, position: &Position) -> Option<Found> {
        if position.size() != self.size {
            return None;
        }
        let key = Key::of(position);
        let mut entry = format::find(self, format::kept(key.hash))?;
        // A position that only shares the key would give itself away here, most likely.
        let stones = u8::try_from(position.stones().len()).unwrap_or(u8::MAX);
        let grid = Grid::from_position(position);
        for found in &mut entry.moves {
            found.point = key.from_image(found.point);
            let is_legal = grid.cell(found.point) == Cell::Empty
                && forbidden(self.rule, &grid, found.point, position.to_move).is_none();
            if !is_legal {
                return None;
            }
        }
        let hash = key.hash;
        (entry.stones == stones).then_some(Found { entry, hash })
    }

    /// All positions in the order of their keys, their moves on the image of the book.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        format::records(self).map(|(_, entry)| entry)
    }

    /// The bytes of a book with those of these positions that `keep` wants, as it changes them.
    pub fn filtered(&self, origin: &str, keep: impl Fn(Entry) -> Option<Entry>) -> Vec<u8> {
        let kept = |(key, entry)| Some((key, keep(entry)?));
        let records: Vec<format::Record> = format::records(self).filter_map(kept).collect();
        format::write_records(self.rule, self.size, origin, &records)
    }
}

impl Found {
    /// The move to play: the best, or with a seed any that gives away at most so many percent of
    /// win rate. The same seed plays the same in the same position.
    pub fn choose(&self, percent: u8, seed: Option<u64>) -> Option<Point> {
        let good = |found: &&BookMove| u16::from(found.deficit) <= 2 * u16::from(percent);
        let good: Vec<&BookMove> = self.entry.moves.iter().filter(good).collect();
        let index = seed.map_or(0, |seed| {
            let draw = split_mix(split_mix(seed) ^ self.hash) >> 32;
            draw as usize % good.len().max(1)
        });
        good.get(index).map(|found| found.point)
    }

    /// Score of the best move for the side to move.
    pub fn score(&self) -> Score {
        self.entry.score.into()
    }
}
