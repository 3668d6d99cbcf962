//! The file of a book, little endian:
//!
//! ```text
//! magic      8 bytes   "TNGBOOK1"; another number for another form
//! rule       u16       its number
//! size       2 x u8    columns and rows
//! origin     u16       length of the text that says how the book was made, then the text
//! count      u32       records
//! records              in ascending order of their keys:
//!   key      varint    the upper 48 bits of the position's key, less that of the record before
//!   stones   u8        on the board
//!   depth    u8        of the search of the position, in plies
//!   effort   u8        twice the binary logarithm of the nodes spent, times four, plus the
//!                      moves less one
//!   cost     u8        distance from best play, percent
//!   score    i16       for the side to move
//!   moves    u16 each  point of the image, row by row, and above its nine bits what the move
//!                      gives away, in halves of a percent of win rate
//! checksum   u64       over everything before it
//! ```

use std::borrow::Cow;

use super::{Book, BookMove, Entry, MAX_MOVES};
use crate::rules::RuleSpec;
use crate::types::BoardSize;
use crate::types::rng::split_mix;

const MAGIC: &[u8; 8] = b"TNGBOOK1";
/// Bits of a key that are kept: two positions of a book of a million have one chance in 500 to
/// share them, a position of a game and one of the book far less.
const KEY_SHIFT: u32 = 16;
const POINT_BITS: u32 = 9;
/// Records from one mark to the next.
const MARK_EVERY: usize = 32;
const CHECKSUM: usize = 8;

/// A record of the file: the part of the key that is kept, and what the book says.
pub(super) type Record = (u64, Entry);

/// The part of a key by which records are found.
pub(super) const fn kept(hash: u64) -> u64 {
    hash >> KEY_SHIFT
}

/// The bytes of a book with these entries, given by the whole hash of their keys; of two with
/// one key the first stays.
pub fn write(
    rule: &RuleSpec,
    size: BoardSize,
    origin: &str,
    entries: impl IntoIterator<Item = (u64, Entry)>,
) -> Vec<u8> {
    let mut records: Vec<Record> = entries
        .into_iter()
        .filter(|(_, entry)| !entry.moves.is_empty())
        .map(|(hash, entry)| (kept(hash), entry))
        .collect();
    records.sort_by_key(|(key, _)| *key);
    records.dedup_by_key(|(key, _)| *key);
    write_records(rule, size, origin, &records)
}

/// The bytes of a book with these records, which are in order.
pub(super) fn write_records(
    rule: &RuleSpec,
    size: BoardSize,
    origin: &str,
    records: &[Record],
) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&(rule.code as u16).to_le_bytes());
    bytes.extend_from_slice(&[size.width(), size.height()]);
    let origin: String = origin.chars().take(usize::from(u16::MAX) / 4).collect();
    bytes.extend_from_slice(&(origin.len() as u16).to_le_bytes());
    bytes.extend_from_slice(origin.as_bytes());
    bytes.extend_from_slice(&(records.len() as u32).to_le_bytes());
    let mut last = 0;
    for (key, entry) in records {
        write_varint(key - last, &mut bytes);
        write_entry(entry, size, &mut bytes);
        last = *key;
    }
    let sum = checksum(&bytes);
    bytes.extend_from_slice(&sum.to_le_bytes());
    bytes
}

fn write_entry(entry: &Entry, size: BoardSize, bytes: &mut Vec<u8>) {
    let moves = entry.moves.get(..MAX_MOVES).unwrap_or(&entry.moves);
    let count = moves.len().max(1) as u8 - 1;
    bytes.extend_from_slice(&[entry.stones, entry.depth]);
    bytes.extend_from_slice(&[entry.effort.min(63) << 2 | count, entry.cost]);
    bytes.extend_from_slice(&entry.score.to_le_bytes());
    for BookMove { point, deficit } in moves {
        let cell = u16::from(point.y()) * u16::from(size.width()) + u16::from(point.x());
        let deficit = u16::from(*deficit).min((1 << (16 - POINT_BITS)) - 1);
        bytes.extend_from_slice(&(deficit << POINT_BITS | cell).to_le_bytes());
    }
}

fn write_varint(mut value: u64, bytes: &mut Vec<u8>) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Reads a whole book and checks every record, so that nothing can go wrong later.
///
/// # Errors
/// What is wrong with it, for the end of a sentence.
pub(super) fn read(bytes: Cow<'static, [u8]>) -> Result<Book, String> {
    let (body, sum) = bytes
        .split_last_chunk::<CHECKSUM>()
        .filter(|(body, _)| body.starts_with(MAGIC))
        .ok_or("it is no book of this version of the engine")?;
    if checksum(body) != u64::from_le_bytes(*sum) {
        return Err("it is damaged: the checksum does not fit".to_owned());
    }
    let (records_end, mut reader) = (body.len(), Reader { rest: body });
    reader.take(MAGIC.len())?;
    let rule = reader.u16()?;
    let rule = RuleSpec::by_code(rule.into()).ok_or_else(|| format!("rule {rule} is unknown"))?;
    let [width, height] = [reader.u8()?, reader.u8()?];
    let size = BoardSize::new(width.into(), height.into()).map_err(|error| error.to_string())?;
    let length = reader.u16()?;
    let origin = String::from_utf8_lossy(reader.take(length.into())?).into_owned();
    let count = reader.u32()? as usize;
    let (mut marks, mut last) = (Vec::with_capacity(count / MARK_EVERY + 1), None);
    for number in 0..count {
        let at = records_end - reader.rest.len();
        let (key, _) = reader.record(last.unwrap_or(0), size)?;
        if last.is_some_and(|last| key <= last) {
            return Err("its records are not in order".to_owned());
        }
        if number.is_multiple_of(MARK_EVERY) {
            marks.push(Mark {
                key,
                before: last.unwrap_or(0),
                at,
            });
        }
        last = Some(key);
    }
    if !reader.rest.is_empty() {
        return Err("there is something behind its records".to_owned());
    }
    Ok(Book {
        name: String::new(),
        rule,
        size,
        origin,
        count,
        marks,
        bytes,
    })
}

/// A record from which reading can begin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    key: u64,
    /// The key of the record before.
    before: u64,
    /// Where the record begins in the file.
    at: usize,
}

/// The record with that key.
pub(super) fn find(book: &Book, key: u64) -> Option<Entry> {
    let after = book.marks.partition_point(|mark| mark.key <= key);
    let mark = book.marks.get(after.checked_sub(1)?)?;
    let mut records = from(book, *mark).take(MARK_EVERY);
    records
        .find(|(found, _)| *found >= key)
        .and_then(|(found, entry)| (found == key).then_some(entry))
}

/// All records in the order of their keys.
pub(super) fn records(book: &Book) -> impl Iterator<Item = Record> {
    let first = book.marks.first().map(|mark| from(book, *mark));
    first.into_iter().flatten()
}

/// The records from a mark on.
fn from(book: &Book, mark: Mark) -> impl Iterator<Item = Record> {
    let end = book.bytes.len() - CHECKSUM;
    let rest = book.bytes.get(mark.at..end).unwrap_or_default();
    let (mut reader, mut last) = (Reader { rest }, mark.before);
    std::iter::from_fn(move || {
        let record = reader.record(last, book.size).ok()?;
        last = record.0;
        Some(record)
    })
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let parts = self.rest.split_at_checked(count);
        let (taken, rest) = parts.ok_or("it ends too early")?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let bytes = self.take(N)?;
        bytes.try_into().map_err(|_| "it ends too early".to_owned())
    }

    fn u8(&mut self) -> Result<u8, String> {
        self.array().map(u8::from_le_bytes)
    }

    fn u16(&mut self) -> Result<u16, String> {
        self.array().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32, String> {
        self.array().map(u32::from_le_bytes)
    }

    fn varint(&mut self) -> Result<u64, String> {
        let mut value = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.u8()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err("a key has no end".to_owned())
    }

    /// The record whose key follows `last`.
    fn record(&mut self, last: u64, size: BoardSize) -> Result<Record, String> {
        let key = last.wrapping_add(self.varint()?);
        let [stones, depth, effort, cost] = self.array()?;
        let score = i16::from_le_bytes(self.array()?);
        let count = usize::from(effort & 3) + 1;
        let mut moves = Vec::with_capacity(count);
        for _ in 0..count {
            let word = self.u16()?;
            let cell = i64::from(word & ((1 << POINT_BITS) - 1));
            let width = i64::from(size.width());
            let point = size.point(cell % width, cell / width);
            moves.push(BookMove {
                point: point.ok_or("a move is off the board")?,
                deficit: (word >> POINT_BITS) as u8,
            });
        }
        let entry = Entry {
            stones,
            depth,
            effort: effort >> 2,
            cost,
            score,
            moves,
        };
        Ok((key, entry))
    }
}

/// Any single wrong byte changes it: each step is a bijection of the sum before.
pub fn checksum(bytes: &[u8]) -> u64 {
    let words = bytes.chunks(8).map(|chunk| {
        let mut word = [0; 8];
        for (to, from) in word.iter_mut().zip(chunk) {
            *to = *from;
        }
        u64::from_le_bytes(word)
    });
    words.fold(bytes.len() as u64, |sum, word| split_mix(sum ^ word))
}

const _: () = assert!(BoardSize::MAX as usize * BoardSize::MAX as usize <= 1 << POINT_BITS);
