//! L4: the database: what is known about positions, kept in a file.
//!
//! A [`Record`] holds score, depth, bound, tag, label and comment of a position; a [`Key`] is the
//! same for all images of a position under the symmetries of its board, so there is one record
//! for them all. The file is one of redb (an embedded store in Rust): every change is a
//! transaction, on the disk once [`Database::write`] returns, and a process killed at any moment
//! leaves the last one whole. Every page has a checksum; all are checked when a file is opened,
//! so a damaged file is refused and never written to.
//!
//! ```text
//! table "about"     name → number: "format" is 1
//! table "records"   bytes of a key → bytes of a record
//! ```

mod files;
mod key;
mod library;
mod record;
mod table;
mod tree;

use std::collections::BTreeMap;
use std::fs;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use redb::{ReadOnlyTable, Table, TableDefinition};
use redb::{ReadTransaction, ReadableDatabase, ReadableTable, ReadableTableMetadata};

use crate::rules::RuleSpec;
use crate::types::{BoardSize, Bound, Position};

pub use key::Key;
pub use record::{MAX_LABEL, Record, Tag};
pub use tree::{Choice, Filter};

const ABOUT: TableDefinition<&str, u64> = TableDefinition::new("about");
const RECORDS: TableDefinition<&[u8], &[u8]> = TableDefinition::new("records");
/// To be raised whenever the meaning of keys or records changes.
const FORMAT: u64 = 1;
/// Memory for pages of the file.
const CACHE: usize = 16 << 20;

/// Why something could not be done. What was there before is unchanged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// There is no such file.
    Missing,
    /// Another program, or this one, has it open.
    Busy,
    /// The file is damaged, and how that shows.
    Damaged(String),
    /// The file is no database of ours.
    Foreign,
    /// The system refused something.
    Io(String),
    /// What was to be read in is wrong.
    Input(String),
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fault::Missing => f.write_str("there is no such file"),
            Fault::Busy => f.write_str("it is open in another program"),
            Fault::Damaged(how) => write!(
                f,
                "the file is damaged and is left as it is ({how}): use a copy or an export of it"
            ),
            Fault::Foreign => f.write_str("the file is no database of this program"),
            Fault::Io(text) | Fault::Input(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Fault {}

impl From<redb::Error> for Fault {
    fn from(error: redb::Error) -> Fault {
        match error {
            redb::Error::DatabaseAlreadyOpen => Fault::Busy,
            redb::Error::Corrupted(text) => Fault::Damaged(text),
            redb::Error::UpgradeRequired(_)
            | redb::Error::TableDoesNotExist(_)
            | redb::Error::TableTypeMismatch { .. }
            | redb::Error::TableIsMultimap(_) => Fault::Foreign,
            redb::Error::Io(error) if error.kind() == std::io::ErrorKind::InvalidData => {
                Fault::Foreign
            }
            redb::Error::Io(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
                Fault::Damaged("it is shorter than it should be".to_owned())
            }
            other => Fault::Io(other.to_string()),
        }
    }
}

impl From<std::io::Error> for Fault {
    fn from(error: std::io::Error) -> Fault {
        match error.kind() {
            std::io::ErrorKind::NotFound => Fault::Missing,
            _ => Fault::Io(error.to_string()),
        }
    }
}

/// The outcome of something with the database.
pub type Result<T> = std::result::Result<T, Fault>;

fn fault(error: impl Into<redb::Error>) -> Fault {
    error.into().into()
}

/// An open database. No other process can open the same file meanwhile.
#[derive(Debug)]
pub struct Database {
    store: redb::Database,
    path: PathBuf,
}

impl Database {
    /// Opens the database at `path`; makes an empty one if there is none.
    ///
    /// # Errors
    /// When the file is damaged, no database, in use, or the system refuses.
    pub fn create(path: &Path) -> Result<Database> {
        let is_new = match fs::metadata(path) {
            Ok(file) => file.len() == 0,
            Err(_) => true,
        };
        if is_new {
            make_empty(path)?;
        }
        Database::open(path)
    }

    /// Opens the database at `path`.
    ///
    /// # Errors
    /// As [`Database::create`], and when there is none.
    pub fn open(path: &Path) -> Result<Database> {
        let store = redb::Database::builder()
            .set_cache_size(CACHE)
            .set_check_integrity_on_open(true)
            .open(path)
            .map_err(|error| match error {
                redb::DatabaseError::Storage(redb::StorageError::Io(error)) => match error.kind() {
                    std::io::ErrorKind::NotFound => Fault::Missing,
                    _ => fault(redb::Error::Io(error)),
                },
                other => fault(other),
            })?;
        let database = Database {
            store,
            path: path.to_owned(),
        };
        let snapshot = database.store.begin_read().map_err(fault)?;
        let about = snapshot.open_table(ABOUT).map_err(fault)?;
        let format = about.get("format").map_err(fault)?;
        match format.map(|format| format.value()) {
            Some(FORMAT) => {}
            _ => return Err(Fault::Foreign),
        }
        drop((about, snapshot));
        Ok(database)
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A look at everything that is in it now.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn read(&self) -> Result<Reader<'_>> {
        let snapshot = self.store.begin_read().map_err(fault)?;
        let table = snapshot.open_table(RECORDS).map_err(fault)?;
        Ok(Reader {
            table,
            _snapshot: snapshot,
            _database: PhantomData,
        })
    }

    /// Makes changes, all or none of them. They are on the disk when this returns.
    ///
    /// # Errors
    /// When `work` fails or the file cannot be written; then nothing has changed.
    pub fn write<T>(&self, work: impl FnOnce(&mut Writer) -> Result<T>) -> Result<T> {
        let transaction = self.store.begin_write().map_err(fault)?;
        let result = {
            let table = transaction.open_table(RECORDS).map_err(fault)?;
            work(&mut Writer { table })
        };
        // Dropping the transaction takes everything back.
        let value = result?;
        transaction.commit().map_err(fault)?;
        Ok(value)
    }

    /// Reads everything and says what was found. With `mend`, records that cannot be read are
    /// left out and keys that are not what they should be are put right, and the file is made as
    /// small as it can be.
    ///
    /// # Errors
    /// When the file is damaged beyond that.
    pub fn check(&mut self, mend: bool) -> Result<Check> {
        self.store.check_integrity().map_err(fault)?;
        let mut check = Check::default();
        let mut wrong = Vec::new();
        self.read()?.each_raw(&[], |key, bytes| {
            let place = Key::decode(key).map(|(rule, position)| Key::of(rule, &position));
            match (place, Record::from_bytes(bytes)) {
                (Some(place), Some(_)) if place.bytes() == key => check.records += 1,
                (Some(place), Some(record)) => wrong.push((key.to_vec(), Some((place, record)))),
                _ => wrong.push((key.to_vec(), None)),
            }
            Ok(())
        })?;
        check.wrong = wrong.len() as u64;
        if mend {
            self.write(|writer| {
                for (key, right) in &wrong {
                    writer.table.remove(key.as_slice()).map_err(fault)?;
                    if let Some((place, record)) = right {
                        writer.improve(place, record)?;
                    }
                }
                Ok(())
            })?;
            self.store.compact().map_err(fault)?;
        }
        Ok(check)
    }
}

/// What a check has found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Check {
    /// Good records.
    pub records: u64,
    /// Records that cannot be read or lie in a wrong place.
    pub wrong: u64,
}

/// Makes an empty database beside `path` and puts it there when it is whole, so that no kill
/// leaves half a file under that name.
fn make_empty(path: &Path) -> Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let part = PathBuf::from(name);
    // What an earlier attempt may have left.
    let _ = fs::remove_file(&part);
    let store = redb::Database::create(&part).map_err(|error| match error {
        redb::DatabaseError::Storage(redb::StorageError::Io(error)) => Fault::Io(error.to_string()),
        other => fault(other),
    })?;
    let transaction = store.begin_write().map_err(fault)?;
    {
        let mut about = transaction.open_table(ABOUT).map_err(fault)?;
        about.insert("format", FORMAT).map_err(fault)?;
        transaction.open_table(RECORDS).map_err(fault)?;
    }
    transaction.commit().map_err(fault)?;
    drop(store);
    Ok(fs::rename(&part, path)?)
}

/// Records that can be looked up.
pub trait Lookup {
    /// The stored bytes of a key.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn bytes(&self, key: &Key) -> Result<Option<Vec<u8>>>;

    /// The record of a position.
    ///
    /// # Errors
    /// When the file, or the record, cannot be read.
    fn get(&self, key: &Key) -> Result<Option<Record>> {
        let Some(bytes) = self.bytes(key)? else {
            return Ok(None);
        };
        let record = Record::from_bytes(&bytes);
        record.map_or_else(|| Err(unreadable()), |record| Ok(Some(record)))
    }
}

fn unreadable() -> Fault {
    Fault::Damaged("a record cannot be read".to_owned())
}

/// A look at the database as it was at one moment. It is of no use once that is closed.
pub struct Reader<'d> {
    table: ReadOnlyTable<&'static [u8], &'static [u8]>,
    // The table is read through it.
    _snapshot: ReadTransaction,
    _database: PhantomData<&'d Database>,
}

impl Lookup for Reader<'_> {
    fn bytes(&self, key: &Key) -> Result<Option<Vec<u8>>> {
        let found = self.table.get(key.bytes()).map_err(fault)?;
        Ok(found.map(|bytes| bytes.value().to_vec()))
    }
}

/// How many records there are of a rule and a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Count {
    /// Records.
    pub records: u64,
    /// Records with a score.
    pub scored: u64,
    /// Records with a result.
    pub results: u64,
    /// Records with a comment or a label.
    pub texts: u64,
}

impl Reader<'_> {
    /// Number of records.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn len(&self) -> Result<u64> {
        self.table.len().map_err(fault)
    }

    /// Is there no record at all?
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn is_empty(&self) -> Result<bool> {
        Ok(self.len()? == 0)
    }

    /// Calls `each` with all records, of one rule and board or of all, in the order of the keys.
    ///
    /// # Errors
    /// When the file cannot be read, or `each` fails.
    pub fn each(
        &self,
        only: Option<(&RuleSpec, BoardSize)>,
        mut each: impl FnMut(&'static RuleSpec, &Position, &Record) -> Result<()>,
    ) -> Result<()> {
        let prefix = only.map(|(rule, size)| Key::prefix(rule, size).to_vec());
        self.each_raw(&prefix.unwrap_or_default(), |key, bytes| {
            let (rule, position) = Key::decode(key).ok_or_else(unreadable)?;
            let record = Record::from_bytes(bytes).ok_or_else(unreadable)?;
            each(rule, &position, &record)
        })
    }

    fn each_raw(
        &self,
        prefix: &[u8],
        mut each: impl FnMut(&[u8], &[u8]) -> Result<()>,
    ) -> Result<()> {
        for entry in self.table.range(prefix..).map_err(fault)? {
            let (key, bytes) = entry.map_err(fault)?;
            if !key.value().starts_with(prefix) {
                break;
            }
            each(key.value(), bytes.value())?;
        }
        Ok(())
    }

    /// What there is of each rule and board.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn counts(&self) -> Result<BTreeMap<(&'static str, u8, u8), Count>> {
        let mut counts: BTreeMap<_, Count> = BTreeMap::new();
        self.each(None, |rule, position, record| {
            let size = position.size();
            let count = counts.entry((rule.name, size.width(), size.height()));
            let count = count.or_default();
            count.records += 1;
            count.scored += u64::from(record.bound != Bound::None);
            count.results += u64::from(record.tag.is_result());
            let has_text = !record.comment().is_empty() || !record.label().is_empty();
            count.texts += u64::from(has_text);
            Ok(())
        })?;
        Ok(counts)
    }
}

/// Changes that are being made.
pub struct Writer<'t> {
    table: Table<'t, &'static [u8], &'static [u8]>,
}

impl Lookup for Writer<'_> {
    fn bytes(&self, key: &Key) -> Result<Option<Vec<u8>>> {
        let found = self.table.get(key.bytes()).map_err(fault)?;
        Ok(found.map(|bytes| bytes.value().to_vec()))
    }
}

impl Writer<'_> {
    /// Keeps this record of the position, whatever was there. An empty record is none.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn put(&mut self, key: &Key, record: &Record) -> Result<()> {
        if record.is_empty() {
            return self.remove(key).map(drop);
        }
        self.keep(key, record)
    }

    /// As [`Writer::put`], but an empty record is kept as well: the position is in the book.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn keep(&mut self, key: &Key, record: &Record) -> Result<()> {
        let bytes = record.to_bytes();
        let inserted = self.table.insert(key.bytes(), bytes.as_slice());
        inserted.map_err(fault).map(drop)
    }

    /// Forgets the record of the position; was there one?
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn remove(&mut self, key: &Key) -> Result<bool> {
        let removed = self.table.remove(key.bytes()).map_err(fault)?;
        Ok(removed.is_some())
    }

    /// Changes the record of the position, an empty one if there was none.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub fn edit(&mut self, key: &Key, change: impl FnOnce(&mut Record)) -> Result<Record> {
        let mut record = self.get(key)?.unwrap_or_default();
        change(&mut record);
        self.put(key, &record)?;
        Ok(record)
    }

    /// Adds what `record` knows better (see [`Record::improve`]); has that changed anything?
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub fn improve(&mut self, key: &Key, record: &Record) -> Result<bool> {
        let old = self.get(key)?;
        let mut new = old.clone().unwrap_or_default();
        new.improve(record);
        let is_news = old.as_ref() != Some(&new);
        if is_news {
            self.keep(key, &new)?;
        }
        Ok(is_news)
    }

    /// Adds everything of another database; how many records has that changed?
    ///
    /// # Errors
    /// When a file cannot be read or written.
    pub fn merge(&mut self, other: &Reader) -> Result<u64> {
        let mut changed = 0;
        other.each(None, |rule, position, record| {
            changed += u64::from(self.improve(&Key::of(rule, position), record)?);
            Ok(())
        })?;
        Ok(changed)
    }
}

#[cfg(test)]
mod tests;
