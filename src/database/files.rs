//! The database and files of other kinds: tables, lists of positions, RenLib libraries, other
//! databases.

use std::fs::{self, File};
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use super::{Database, Fault, Result};
use crate::record::renlib::Library;
use crate::rules::RuleSpec;
use crate::types::{BoardSize, Position};

/// What the files of redb begin with.
const STORE_MAGIC: &[u8] = b"redb";

impl Database {
    /// Writes all records, or those of one rule and board, as comma-separated values. How many
    /// were they?
    ///
    /// # Errors
    /// When a file cannot be read or written; an old one is then as it was.
    pub fn export_table(&self, path: &Path, only: Option<(&RuleSpec, BoardSize)>) -> Result<u64> {
        let reader = self.read()?;
        write_whole(path, |out| reader.to_table(only, out))
    }

    /// Writes the positions of one rule and board, one a line. How many were they?
    ///
    /// # Errors
    /// As [`Database::export_table`].
    pub fn export_positions(&self, path: &Path, rule: &RuleSpec, size: BoardSize) -> Result<u64> {
        let reader = self.read()?;
        write_whole(path, |out| reader.to_positions(rule, size, out))
    }

    /// Writes the moves to `position` and all behind it as a RenLib library. How many moves?
    ///
    /// # Errors
    /// As [`Database::export_table`], and when the position is nothing for a library.
    pub fn export_library(&self, path: &Path, rule: &RuleSpec, position: &Position) -> Result<u64> {
        let library = self.read()?.to_library(rule, position)?;
        write_whole(path, |out| {
            out.write_all(&library.to_bytes())?;
            Ok(library.nodes().len() as u64 - 1)
        })
    }

    /// Adds the records of a table. How many were they?
    ///
    /// # Errors
    /// When the file cannot be read or a line is wrong; then nothing is added.
    pub fn import_table(&self, path: &Path) -> Result<u64> {
        let file = File::open(path)?;
        self.write(|writer| writer.add_table(file))
    }

    /// Adds the positions of a RenLib library. How many were they?
    ///
    /// # Errors
    /// When the file cannot be read or is none; then nothing is added.
    pub fn import_library(&self, path: &Path, rule: &RuleSpec) -> Result<u64> {
        let library = Library::parse(&fs::read(path)?);
        let library = library.map_err(|error| Fault::Input(error.to_string()))?;
        self.write(|writer| writer.add_library(rule, &library))
    }

    /// Adds the records of another database. How many records has that changed?
    ///
    /// # Errors
    /// When it cannot be opened or read; then nothing is added.
    pub fn import_database(&self, path: &Path) -> Result<u64> {
        let other = Database::open(path)?;
        let reader = other.read()?;
        self.write(|writer| writer.merge(&reader))
    }

    /// Copies the branch of `position` to another database, a new one if there is none. How many
    /// records were they?
    ///
    /// # Errors
    /// When a file cannot be read or written.
    pub fn export_branch(&self, path: &Path, rule: &RuleSpec, position: &Position) -> Result<u64> {
        let branch = Database::create(path)?;
        let reader = self.read()?;
        branch.write(|writer| writer.copy_branch(&reader, rule, position))
    }
}

/// Writes a file so that an old one of that name is replaced by a whole new one or not at all.
/// A database is not replaced by anything.
fn write_whole(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<u64>) -> Result<u64> {
    if is_store(path) {
        let text = "there is a database of that name, which is not overwritten";
        return Err(Fault::Input(text.to_owned()));
    }
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    let part = PathBuf::from(name);
    let written = (|| {
        let io = |error: std::io::Error| Fault::Io(error.to_string());
        let mut out = BufWriter::new(File::create(&part).map_err(io)?);
        let count = write(&mut out)?;
        let file = out.into_inner().map_err(|error| io(error.into_error()))?;
        file.sync_all().map_err(io)?;
        fs::rename(&part, path).map_err(io)?;
        Ok(count)
    })();
    if written.is_err() {
        // What is left of the attempt is of no use; that it cannot be removed changes nothing.
        let _ = fs::remove_file(&part);
    }
    written
}

fn is_store(path: &Path) -> bool {
    let mut start = [0; STORE_MAGIC.len()];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start == *STORE_MAGIC
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_is_not_overwritten() {
        let folder = std::env::temp_dir().join(format!("tengen-files-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a.db");
        let database = Database::create(&path).unwrap();
        assert!(matches!(
            database.export_table(&path, None),
            Err(Fault::Input(_))
        ));
        let other = folder.join("a.csv");
        assert_eq!(database.export_table(&other, None), Ok(0));
        assert_eq!(database.export_table(&other, None), Ok(0));
        assert_eq!(database.import_table(&other), Ok(0));
        assert_eq!(database.import_database(&path), Err(Fault::Busy));
        assert_eq!(
            database.import_table(&folder.join("no")),
            Err(Fault::Missing)
        );
        assert!(matches!(
            database.import_library(&other, RuleSpec::FREESTYLE),
            Err(Fault::Input(_))
        ));
        drop(database);
        fs::remove_dir_all(&folder).unwrap();
    }
}
