//! The log of a build: a line for each search that has ended and for each imported position.
//!
//! ```text
//! searches of renju 15x15: 40000 nodes, 3 lines, 4 MiB #1f2e...
//! node h8i9 12 40000 i10:97 g9:95 j9:60 #0a1b...
//! root h8i9g7 #77aa...
//! ```
//!
//! Each line ends with a checksum of what stands before. Lines are only ever added, and are on
//! the disk before they count. What a kill can leave is a last line without its end, which is
//! cut off.

use std::collections::HashMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::{Searches, key_after};
use crate::book::checksum;
use crate::record::notation::{Rows, format_moves, format_point, parse_moves, parse_point};
use crate::tools::line_file;
use crate::tools::matches::store;
use crate::types::{BoardSize, Point};

/// What the search of a position has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// Plies.
    pub depth: u8,
    /// Nodes spent.
    pub nodes: u64,
    /// Moves with their scores for the side to move, best first.
    pub moves: Vec<(Point, i16)>,
}

/// A position and what was found there.
pub type Searched = (Vec<Point>, Found);

/// The open file and what it holds.
pub struct Log {
    file: File,
    path: PathBuf,
    size: BoardSize,
    found: HashMap<u64, Found, ahash::RandomState>,
    /// Imported positions in their order.
    pub roots: Vec<Vec<Point>>,
}

impl Log {
    /// Opens or begins the log of `searches`.
    ///
    /// # Errors
    /// One line: other searches, a second run, a damaged file, or what the system says.
    pub fn open(searches: &Searches) -> Result<Log, String> {
        let path = searches.log_path();
        let fault = |e: std::io::Error| format!("{}: {e}", path.display());
        let mut file = line_file::open(&path).map_err(fault)?;
        line_file::lock(&file, &path)?;
        let text = line_file::read_whole_lines(&mut file).map_err(fault)?;
        let mut log = Log {
            file,
            size: searches.size,
            found: HashMap::with_hasher(ahash::RandomState::with_seeds(1, 2, 3, 4)),
            roots: Vec::new(),
            path,
        };
        let header = searches.header();
        let mut lines = text.lines().zip(1..);
        match lines.next() {
            None => log.write(&[header])?,
            Some((first, _)) => match whole(first) {
                None => return Err(log.at(1, "damaged")),
                Some(known) if known != header => {
                    let known = log.at(1, &format!("it holds {known}"));
                    return Err(format!("{known}; use another --out"));
                }
                Some(_) => {}
            },
        }
        for (line, number) in lines {
            let read = whole(line).and_then(|line| log.read_line(line));
            read.ok_or_else(|| log.at(number, "damaged"))?;
        }
        Ok(log)
    }

    fn at(&self, line: usize, text: &str) -> String {
        format!("{}: line {line}: {text}", self.path.display())
    }

    fn read_line(&mut self, line: &str) -> Option<()> {
        let mut words = line.split(' ');
        let kind = words.next()?;
        let stones = words.next()?.trim_start_matches('-');
        let stones = parse_moves(stones, self.size, Rows::FromBottom).ok()?;
        match kind {
            "root" => self.roots.push(stones),
            "node" => {
                let depth = words.next()?.parse().ok()?;
                let nodes = words.next()?.parse().ok()?;
                let one = |word: &str| {
                    let (point, score) = word.split_once(':')?;
                    let point = parse_point(point, self.size, Rows::FromBottom).ok()?;
                    Some((point, score.parse().ok()?))
                };
                let moves = words.map(one).collect::<Option<Vec<_>>>()?;
                let found = Found {
                    depth,
                    nodes,
                    moves,
                };
                self.found.insert(self.key(&stones), found);
            }
            _ => return None,
        }
        Some(())
    }

    fn key(&self, stones: &[Point]) -> u64 {
        key_after(stones, self.size)
    }

    /// Searches in the log.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// What an earlier search of a position has found.
    pub fn find(&self, stones: &[Point]) -> Option<&Found> {
        self.found.get(&self.key(stones))
    }

    /// Adds searches; they are on the disk when this returns.
    ///
    /// # Errors
    /// One line with what the system says.
    pub fn add(&mut self, searched: &[Searched]) -> Result<(), String> {
        let line = |(stones, found): &Searched| {
            let one = |(point, score): &(Point, i16)| {
                let point = format_point(*point, self.size, Rows::FromBottom);
                format!(" {point}:{score}")
            };
            let moves: String = found.moves.iter().map(one).collect();
            let (depth, nodes) = (found.depth, found.nodes);
            format!("node {} {depth} {nodes}{moves}", self.shown(stones))
        };
        let lines: Vec<String> = searched.iter().map(line).collect();
        self.write(&lines)?;
        for (stones, found) in searched {
            self.found.insert(self.key(stones), found.clone());
        }
        Ok(())
    }

    /// Adds positions to begin with; they are on the disk when this returns.
    ///
    /// # Errors
    /// One line with what the system says.
    pub fn add_roots(&mut self, roots: Vec<Vec<Point>>) -> Result<(), String> {
        let line = |stones: &Vec<Point>| format!("root {}", self.shown(stones));
        let lines: Vec<String> = roots.iter().map(line).collect();
        self.write(&lines)?;
        self.roots.extend(roots);
        Ok(())
    }

    fn shown(&self, stones: &[Point]) -> String {
        match stones {
            [] => "-".to_owned(),
            _ => format_moves(stones, self.size, Rows::FromBottom),
        }
    }

    fn write(&mut self, lines: &[String]) -> Result<(), String> {
        let sealed = |line: &String| format!("{line} #{:016x}\n", checksum(line.as_bytes()));
        let text: String = lines.iter().map(sealed).collect();
        let written = self.file.write_all(text.as_bytes());
        let synced = written.and_then(|()| self.file.sync_data());
        synced.map_err(|e| format!("{}: {e}", self.path.display()))
    }
}

/// The line without its checksum, if that fits.
fn whole(line: &str) -> Option<&str> {
    let (text, sum) = line.rsplit_once(" #")?;
    (u64::from_str_radix(sum, 16).ok()? == checksum(text.as_bytes())).then_some(text)
}

/// Writes a file aside and renames it, so that it is there whole or not at all.
///
/// # Errors
/// One line with what the system says.
pub fn write_book(path: &Path, bytes: &[u8]) -> Result<(), String> {
    store::write_whole(path, bytes).map_err(|e| format!("{}: {e}", path.display()))
}
