//! The table as a file: what has been searched can be kept from one day to the next.
//!
//! ```text
//! magic      8 bytes   "TENGENTT"
//! version    u64       of this format and of what the scores mean
//! count      u64       entries
//! entries    count times key u64, data u64, as in the table
//! checksum   u64       over everything before it
//! ```
//! All numbers little-endian. A file is checked whole before anything of it is believed: a table
//! holds proofs, and a flipped bit could make one. Keys hold rule and board size, so entries of
//! all games may lie in one file, and a table of any size takes them.

use std::fs::File;
use std::io::{BufReader, BufWriter, Error, ErrorKind, IntoInnerError, Read, Result, Write};
use std::path::{Path, PathBuf};

use super::{Entry, Table};
use crate::types::{Bound, score};

const MAGIC: u64 = u64::from_le_bytes(*b"TENGENTT");
/// To be raised whenever the meaning of an entry changes.
const VERSION: u64 = 1;
/// Numbers around the entries: three before, one behind.
const FRAME: u64 = 4;

impl Table {
    /// Writes all entries to `path` and returns their number. An old table is replaced only by a
    /// whole new one, any other file is left alone.
    ///
    /// # Errors
    /// When the file cannot be written, or there is one that is no table.
    pub fn save(&self, path: &Path) -> Result<u64> {
        if path.exists() && !is_table(path) {
            return Err(wrong("there is a file of that name that is no table"));
        }
        let part = PathBuf::from(format!("{}.part", path.display()));
        let saved = self.write(&part).and_then(|count| {
            std::fs::rename(&part, path)?;
            Ok(count)
        });
        if saved.is_err() {
            // What is left of the attempt is of no use; that it cannot be removed changes nothing.
            let _ = std::fs::remove_file(&part);
        }
        saved
    }

    fn write(&self, path: &Path) -> Result<u64> {
        // A search may still be filling the table: what is counted is what is written.
        let count = self.entries().count();
        let mut out = Summed::new(BufWriter::new(File::create(path)?));
        for word in [MAGIC, VERSION, count as u64] {
            out.write(word)?;
        }
        let mut written = 0;
        for (key, data) in self.entries().take(count) {
            out.write(key)?;
            out.write(data)?;
            written += 1;
        }
        for _ in written..count {
            // Gaps are entries without a bound, which the reader leaves out.
            out.write(0)?;
            out.write(0)?;
        }
        let sum = out.sum;
        out.write(sum)?;
        let file = out.inner.into_inner().map_err(IntoInnerError::into_error)?;
        file.sync_all()?;
        Ok(count as u64)
    }

    /// Adds the entries of the file at `path` and returns their number.
    ///
    /// # Errors
    /// When the file cannot be read, is not one of ours or is damaged; the table is then as it
    /// was.
    pub fn load(&self, path: &Path) -> Result<u64> {
        let count = Self::check(path)?;
        let mut file = Summed::new(BufReader::new(File::open(path)?));
        for _ in 1..FRAME {
            file.read()?;
        }
        let mut loaded = 0;
        for _ in 0..count {
            let (key, data) = (file.read()?, file.read()?);
            let entry = Entry::unpack(data);
            let in_range =
                entry.score.abs() < score::INFINITE && entry.eval.abs() < score::INFINITE;
            if entry.bound != Bound::None && in_range {
                self.store(key, entry);
                loaded += 1;
            }
        }
        Ok(loaded)
    }

    /// Reads the whole file and returns the number of its entries if all of it is right.
    fn check(path: &Path) -> Result<u64> {
        let file = File::open(path)?;
        let words = file.metadata()?.len() / 8;
        let mut file = Summed::new(BufReader::new(file));
        let no_table = || wrong("it is no table of this engine");
        if file.read().map_err(|_| no_table())? != MAGIC {
            return Err(no_table());
        }
        if file.read()? != VERSION {
            return Err(wrong("it comes from another version of this engine"));
        }
        let count = file.read()?;
        if count.checked_mul(2).and_then(|n| n.checked_add(FRAME)) != Some(words) {
            return Err(wrong("it is not whole"));
        }
        for _ in 0..2 * count {
            file.read()?;
        }
        let sum = file.sum;
        if file.read()? != sum {
            return Err(wrong("it is damaged"));
        }
        Ok(count)
    }
}

/// Does the file begin as ours do?
fn is_table(path: &Path) -> bool {
    let first = File::open(path).and_then(|file| Summed::new(file).read());
    first.is_ok_and(|word| word == MAGIC)
}

fn wrong(text: &str) -> Error {
    Error::new(ErrorKind::InvalidData, text)
}

/// Numbers on their way from or to a file, and the checksum of those that have passed.
struct Summed<T> {
    inner: T,
    sum: u64,
}

impl<T> Summed<T> {
    fn new(inner: T) -> Summed<T> {
        Summed { inner, sum: 0 }
    }

    /// Any single wrong number changes the sum: each step is a bijection of the sum before.
    fn add(&mut self, word: u64) {
        self.sum = (self.sum ^ word)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29);
    }
}

impl<T: Write> Summed<T> {
    fn write(&mut self, word: u64) -> Result<()> {
        self.inner.write_all(&word.to_le_bytes())?;
        self.add(word);
        Ok(())
    }
}

impl<T: Read> Summed<T> {
    fn read(&mut self) -> Result<u64> {
        let mut bytes = [0; 8];
        self.inner.read_exact(&mut bytes)?;
        let word = u64::from_le_bytes(bytes);
        self.add(word);
        Ok(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Point;
    use crate::types::rng::split_mix;

    fn entry(score: i32) -> Entry {
        Entry {
            best: Point::new(3, 4),
            score,
            eval: 7,
            depth: 5,
            bound: Bound::Exact,
            pv: false,
        }
    }

    /// A file of its own for each test.
    fn place(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("tengen-{}-{name}", std::process::id()))
    }

    #[test]
    fn a_saved_table_comes_back_in_a_table_of_any_size() {
        let path = place("whole");
        let table = Table::new(1 << 16);
        for number in 1..=60 {
            table.store(split_mix(number), entry(number as i32));
        }
        assert_eq!(table.save(&path).unwrap(), 60);
        for bytes in [1 << 14, 1 << 20] {
            let other = Table::new(bytes);
            assert_eq!(other.load(&path).unwrap(), 60);
            for number in 1..=60 {
                let found = other.probe(split_mix(number));
                assert_eq!(found, Some(entry(number as i32)), "{bytes} bytes");
            }
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn another_file_is_not_overwritten_and_an_old_table_is() {
        let path = place("other");
        let table = Table::new(1 << 12);
        std::fs::write(&path, "a book about tables").unwrap();
        assert!(table.save(&path).is_err());
        assert_eq!(std::fs::read(&path).unwrap(), b"a book about tables");
        std::fs::remove_file(&path).unwrap();
        assert_eq!(table.save(&path).unwrap(), 0);
        table.store(1 << 50, entry(3));
        assert_eq!(table.save(&path).unwrap(), 1);
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_damaged_file_is_refused_and_changes_nothing() {
        let path = place("damaged");
        let table = Table::new(1 << 12);
        (1..=20).for_each(|number| table.store(number << 50, entry(number as i32)));
        table.save(&path).unwrap();
        let whole = std::fs::read(&path).unwrap();
        let other = Table::new(1 << 12);
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 8);
            std::fs::write(&path, bytes).unwrap();
            assert!(other.load(&path).is_err(), "byte {at}");
        }
        for length in [0, 7, 8, 23, 24, whole.len() - 8, whole.len() - 1] {
            std::fs::write(&path, &whole[..length]).unwrap();
            assert!(other.load(&path).is_err(), "{length} bytes");
        }
        assert_eq!(other.entries().count(), 0);
        assert!(other.load(&place("missing")).is_err());
        std::fs::remove_file(path).unwrap();
    }
}
