//! The folder of a match, made so that a run can be stopped at any moment and taken up again.
//!
//! * `match.json`: every parameter that decides which games are played and how; written once.
//! * `games.jsonl`: one finished game a line, synced to the disk before it counts.
//! * `psq/`: each game as a Piskvork record, written before its line.
//! * `games.pgn`: for rating programs; made anew from `games.jsonl` when a run is taken up.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::export;
use super::record::GameRecord;
use crate::tools::line_file;

/// Parameters that may change between two runs in one folder.
const FREE: [&str; 1] = ["openings_file"];

/// An open folder; locked against a second run as long as it lives.
pub struct Store {
    folder: PathBuf,
    games: File,
    pgn: File,
}

impl Store {
    /// Opens or makes the folder and reads the games already there.
    ///
    /// # Errors
    /// One line: other parameters, a second run, a damaged file, or what the system says.
    pub fn open(folder: &Path, plan: &Value) -> Result<(Store, Vec<GameRecord>), String> {
        let at = |path: &Path| {
            let path = path.display().to_string();
            move |e: std::io::Error| format!("{path}: {e}")
        };
        fs::create_dir_all(folder.join("psq")).map_err(at(folder))?;
        let path = folder.join("games.jsonl");
        let mut games = line_file::open(&path).map_err(at(&path))?;
        line_file::lock(&games, folder)?;
        check_plan(folder, plan)?;
        let records = read_games(&mut games, &path)?;
        let pgn_path = folder.join("games.pgn");
        let text: String = records.iter().map(export::pgn).collect();
        fs::write(&pgn_path, text).map_err(at(&pgn_path))?;
        let pgn = OpenOptions::new().append(true).open(&pgn_path);
        let store = Store {
            folder: folder.to_path_buf(),
            games,
            pgn: pgn.map_err(at(&pgn_path))?,
        };
        Ok((store, records))
    }

    /// Adds a finished game. Once this returns it survives anything.
    ///
    /// # Errors
    /// One line with what the system says.
    pub fn add(&mut self, record: &GameRecord) -> Result<(), String> {
        let fault = |e: std::io::Error| format!("{}: {e}", self.folder.display());
        let (black, white) = (&record.black, &record.white);
        let name = format!("psq/{:06}-{black}-{white}.psq", record.game);
        fs::write(self.folder.join(name), export::psq(record)).map_err(fault)?;
        let mut line = serde_json::to_string(record).map_err(|e| e.to_string())?;
        line.push('\n');
        self.games.write_all(line.as_bytes()).map_err(fault)?;
        self.games.sync_data().map_err(fault)?;
        self.pgn
            .write_all(export::pgn(record).as_bytes())
            .map_err(fault)
    }
}

/// Compares the parameters with those of the folder, or writes them into a new one.
fn check_plan(folder: &Path, plan: &Value) -> Result<(), String> {
    let path = folder.join("match.json");
    let fault = |e: std::io::Error| format!("{}: {e}", path.display());
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            return write_whole(&path, format!("{plan:#}\n")).map_err(fault);
        }
        Err(e) => return Err(fault(e)),
    };
    let damaged = |e: serde_json::Error| format!("{}: damaged: {e}", path.display());
    let known: Value = serde_json::from_str(&text).map_err(damaged)?;
    match difference(&known, plan) {
        None => Ok(()),
        Some(what) => Err(format!(
            "{} holds a match with other parameters: {what}; use another --out",
            folder.display()
        )),
    }
}

/// Writes a file aside and renames it, so that it is there whole or not at all.
///
/// # Errors
/// What the system says.
pub fn write_whole(path: &Path, content: impl AsRef<[u8]>) -> std::io::Result<()> {
    let mut draft = path.as_os_str().to_owned();
    draft.push(".new");
    let mut file = File::create(&draft)?;
    file.write_all(content.as_ref())?;
    file.sync_all()?;
    fs::rename(&draft, path)
}

/// The first parameter that differs, in words; none when the two mean the same run.
pub fn difference(known: &Value, plan: &Value) -> Option<String> {
    let (place, old, new) = first_difference("", known, plan)?;
    let show = |v: &Value| {
        if v.is_null() {
            "absent".to_owned()
        } else {
            v.to_string()
        }
    };
    let place = place.trim_start_matches('.');
    Some(format!("{place} was {} and is {}", show(&old), show(&new)))
}

/// Where two values differ first, and the two parts there.
fn first_difference(place: &str, old: &Value, new: &Value) -> Option<(String, Value, Value)> {
    match (old, new) {
        (Value::Object(a), Value::Object(b)) => {
            let keys: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            let part = |map: &Map<String, Value>, key: &str| map.get(key).cloned();
            keys.into_iter()
                .filter(|key| !FREE.contains(&key.as_str()))
                .find_map(|key| {
                    let (a, b) = (part(a, key), part(b, key));
                    let place = format!("{place}.{key}");
                    first_difference(&place, &a.unwrap_or_default(), &b.unwrap_or_default())
                })
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            let mut parts = a.iter().zip(b).zip(1..);
            parts.find_map(|((a, b), i)| first_difference(&format!("{place} {i}"), a, b))
        }
        _ => (old != new).then(|| (place.to_owned(), old.clone(), new.clone())),
    }
}

/// Reads the finished games and cuts off a last line that was not written to its end.
fn read_games(file: &mut File, path: &Path) -> Result<Vec<GameRecord>, String> {
    let text = line_file::read_whole_lines(file).map_err(|e| format!("{}: {e}", path.display()))?;
    parse_games(&text, path)
}

/// The parameters and the finished games of a folder, which is left as it is; a run may be
/// adding to it.
///
/// # Errors
/// One line: no such folder, a damaged file, or what the system says.
pub fn read(folder: &Path) -> Result<(Value, Vec<GameRecord>), String> {
    let read = |name: &str| {
        let path = folder.join(name);
        match fs::read(&path) {
            Ok(bytes) => Ok((path, bytes)),
            Err(e) => Err(format!("{}: {e}", path.display())),
        }
    };
    let (path, bytes) = read("match.json")?;
    let damaged = |e: serde_json::Error| format!("{}: damaged: {e}", path.display());
    let plan = serde_json::from_slice(&bytes).map_err(damaged)?;
    let (path, bytes) = read("games.jsonl")?;
    let text = String::from_utf8_lossy(line_file::whole_lines(&bytes));
    Ok((plan, parse_games(&text, &path)?))
}

fn parse_games(text: &str, path: &Path) -> Result<Vec<GameRecord>, String> {
    let mut seen = BTreeSet::new();
    let mut records = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let place = || format!("{}, line {}", path.display(), index + 1);
        let record: GameRecord =
            serde_json::from_str(line).map_err(|e| format!("{}: damaged: {e}", place()))?;
        if !seen.insert(record.game) {
            return Err(format!("{}: game {} a second time", place(), record.game));
        }
        records.push(record);
    }
    Ok(records)
}
