//! The growing list on the disk. `FILE` holds the openings; `FILE.state` beside it, removed at
//! the end, says how every candidate fared, so that a stopped run goes on where it was.
//!
//! An opening is written to the list before its candidate is written to the state. When a kill
//! falls between the two, the list is cut back to what the state knows.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::tools::line_file;

/// How a candidate fared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It is in the list.
    Taken,
    /// Its stones do not make a running game.
    Illegal,
    /// It, or a mirror image, was there before.
    Repeated,
    /// Our engine does not call it level.
    Uneven,
    /// The second engine does not call it level.
    Disputed,
}

impl Fate {
    const ALL: [(Fate, &'static str); 5] = [
        (Fate::Taken, "taken"),
        (Fate::Illegal, "illegal"),
        (Fate::Repeated, "repeated"),
        (Fate::Uneven, "uneven"),
        (Fate::Disputed, "disputed"),
    ];

    fn word(self) -> &'static str {
        Fate::ALL
            .iter()
            .find(|(fate, _)| *fate == self)
            .map_or("", |(_, word)| word)
    }

    fn parse(text: &str) -> Option<Fate> {
        Fate::ALL
            .iter()
            .find(|(_, word)| *word == text)
            .map(|(fate, _)| *fate)
    }
}

/// Length of the lines of `openings` that the state knows of, in bytes; none if there are fewer.
fn known_length(openings: &str, fates: &[Fate]) -> Option<usize> {
    let taken = fates.iter().filter(|fate| **fate == Fate::Taken).count();
    let lines = openings.split_inclusive('\n').take(taken);
    let lengths: Vec<usize> = lines.map(str::len).collect();
    (lengths.len() == taken).then(|| lengths.iter().sum())
}

/// The two open files.
pub struct List {
    list: File,
    state: File,
    state_path: PathBuf,
    /// What became of the candidates so far, in order.
    pub fates: Vec<Fate>,
}

impl List {
    /// Opens or begins a list. `None` when it is there and complete.
    ///
    /// # Errors
    /// One line: a file made in another way, a second run, or what the system says.
    pub fn open(path: &Path, header: &str, count: usize) -> Result<Option<List>, String> {
        let fault = |e: io::Error| format!("{}: {e}", path.display());
        let mut list = line_file::open(path).map_err(fault)?;
        line_file::lock(&list, path)?;
        let mut state_path = path.as_os_str().to_owned();
        state_path.push(".state");
        let state_path = PathBuf::from(state_path);
        let text = line_file::read_whole_lines(&mut list).map_err(fault)?;
        if text.is_empty() || (header.starts_with(&text) && text != header) {
            // New, or stopped before anything was found.
            return List::begin(list, state_path, header)
                .map(Some)
                .map_err(fault);
        }
        let Some(openings) = text.strip_prefix(header) else {
            let how = "was made with other parameters (see its first lines)";
            return Err(format!("{} {how}; use another --out", path.display()));
        };
        if !openings.is_empty() && !state_path.exists() {
            if openings.lines().count() >= count {
                return Ok(None);
            }
            return Err(format!(
                "{}: missing, so {} cannot go on",
                state_path.display(),
                path.display()
            ));
        }
        let mut state = line_file::open(&state_path).map_err(fault)?;
        let fates = line_file::read_whole_lines(&mut state).map_err(fault)?;
        let fates: Option<Vec<Fate>> = fates.lines().map(Fate::parse).collect();
        let known = fates.and_then(|fates| Some((known_length(openings, &fates)?, fates)));
        let (length, fates) = known.ok_or_else(|| format!("{}: damaged", state_path.display()))?;
        list.set_len((header.len() + length) as u64)
            .map_err(fault)?;
        Ok(Some(List {
            list,
            state,
            state_path,
            fates,
        }))
    }

    /// A list with nothing in it.
    fn begin(mut list: File, state_path: PathBuf, header: &str) -> io::Result<List> {
        list.set_len(0)?;
        list.write_all(header.as_bytes())?;
        list.sync_all()?;
        File::create(&state_path)?;
        Ok(List {
            state: line_file::open(&state_path)?,
            list,
            state_path,
            fates: Vec::new(),
        })
    }

    /// Number of openings.
    pub fn taken(&self) -> usize {
        self.count(Fate::Taken)
    }

    /// Number of candidates that fared so.
    pub fn count(&self, fate: Fate) -> usize {
        self.fates.iter().filter(|f| **f == fate).count()
    }

    /// Adds the next candidate; `line` is its text if it was taken.
    ///
    /// # Errors
    /// One line with what the system says.
    pub fn add(&mut self, fate: Fate, line: &str) -> Result<(), String> {
        let fault = |e: io::Error| format!("{}: {e}", self.state_path.display());
        if fate == Fate::Taken {
            let text = format!("{line}\n");
            let written = self.list.write_all(text.as_bytes());
            written
                .and_then(|()| self.list.sync_data())
                .map_err(fault)?;
        }
        let text = format!("{}\n", fate.word());
        self.state.write_all(text.as_bytes()).map_err(fault)?;
        if fate == Fate::Taken {
            self.state.sync_data().map_err(fault)?;
        }
        self.fates.push(fate);
        Ok(())
    }

    /// The list is complete: removes the state.
    ///
    /// # Errors
    /// One line with what the system says.
    pub fn complete(self) -> Result<(), String> {
        fs::remove_file(&self.state_path).map_err(|e| format!("{}: {e}", self.state_path.display()))
    }
}
