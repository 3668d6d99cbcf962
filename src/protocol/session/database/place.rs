//! Positions of the game in the database, and what is said about them.

use std::path::Path;

use crate::database::{Database, Fault, Filter, Key, Lookup, Record, Tag};
use crate::engine::Line;
use crate::protocol::command::database::{Change, Query};
use crate::protocol::reply;
use crate::rules::RuleSpec;
use crate::types::{BoardSize, Bound, Point, Position, score};

/// Characters shown of a path or of a reason.
const MAX_SHOWN: usize = 300;
/// Least depth of a score worth keeping, unless it is proven.
const LEAST_DEPTH: u32 = 4;

/// A position of the game in the coordinates of the database.
#[derive(Clone, Debug)]
pub struct Place {
    /// The rule of the game.
    pub rule: &'static RuleSpec,
    /// The stones, x as the column.
    pub position: Position,
    /// Does x mean the row outside?
    pub transposed: bool,
}

/// What a line says about positions: the one searched, if it is said so, the one after its first
/// move, and when it is proven all along it.
pub fn scores(place: &Place, line: &Line, is_root: bool) -> Vec<(Key, Record)> {
    let is_proven = score::is_decided(line.score);
    if line.depth < LEAST_DEPTH && !is_proven {
        return Vec::new();
    }
    let mut records = Vec::new();
    let (mut position, mut value) = (place.position.clone(), line.score);
    if is_root {
        let record = Record::searched(value, line.depth);
        records.push((Key::of(place.rule, &position), record));
    }
    let plies = if is_proven { line.pv.len() } else { 1 };
    for (ply, point) in line.pv.iter().take(plies).enumerate() {
        if !position.play(place.turned(*point)) {
            break;
        }
        // One ply on, for the other side.
        value = -score::to_node(value, 1);
        let depth = line.depth.saturating_sub(ply as u32 + 1);
        records.push((
            Key::of(place.rule, &position),
            Record::searched(value, depth),
        ));
    }
    records
}

impl Place {
    /// A point of the protocol as one of the database, or the other way round.
    pub fn turned(&self, point: Point) -> Point {
        match self.transposed {
            true => Point::new(point.y(), point.x()),
            false => point,
        }
    }

    fn key(&self) -> Key {
        Key::of(self.rule, &self.position)
    }

    fn record(&self, database: &Database) -> Result<Option<Record>, Fault> {
        database.read()?.get(&self.key())
    }

    pub fn answer(&self, database: &Database, query: Query) -> Result<Vec<String>, Fault> {
        match query {
            Query::All => self.marks(database),
            Query::AllAndText => {
                let mut lines = self.marks(database)?;
                lines.push(self.text(database)?);
                Ok(lines)
            }
            Query::One => self.one(database),
            Query::Text => Ok(vec![self.text(database)?]),
        }
    }

    /// The marks of all moves.
    pub fn marks(&self, database: &Database) -> Result<Vec<String>, Fault> {
        let mut lines = vec![database_message("REFRESH")];
        for (point, record) in database.read()?.children(self.rule, &self.position)? {
            let at = self.turned(point);
            let line = format!(
                "{} {} {} {} {} {} {} {}",
                at.x(),
                at.y(),
                packed(&record.display()),
                record.value,
                record.depth,
                record.bound as u8,
                u8::from(!record.comment().is_empty()),
                board_text(record.label())
            );
            lines.push(database_message(line.trim_end()));
        }
        lines.push(database_message("DONE"));
        Ok(lines)
    }

    fn one(&self, database: &Database) -> Result<Vec<String>, Fault> {
        Ok(vec![match self.record(database)? {
            Some(record) => one_message(&record),
            None => database_message("ONE 0 0 0 0"),
        }])
    }

    fn text(&self, database: &Database) -> Result<String, Fault> {
        let record = self.record(database)?.unwrap_or_default();
        let text = record.comment().replace('\\', r"\\").replace('"', "\\\"");
        Ok(database_message(&format!("TEXT \"{text}\"")))
    }

    pub fn edit(
        &self,
        database: &Database,
        change: impl FnOnce(&mut Record),
    ) -> Result<Vec<String>, Fault> {
        database.write(|writer| writer.edit(&self.key(), change))?;
        Ok(Vec::new())
    }

    /// Changes the record of the position; what is heard of that.
    pub fn change(&self, database: &Database, change: Change) -> Result<Vec<String>, Fault> {
        match change {
            Change::Values { tag, value, depth } => {
                self.edit(database, |record| {
                    record.tag = tag.unwrap_or(record.tag);
                    if let Some(value) = value {
                        record.set_value(value);
                    }
                    if let Some(depth) = depth {
                        record.set_depth(depth);
                    }
                    if value.is_some() || depth.is_some() {
                        record.bound = Bound::Exact;
                    }
                })?;
                self.one(database)
            }
            Change::Text(text) => self.edit(database, |record| record.set_comment(&text)),
            Change::Delete => {
                database.write(|writer| writer.remove(&self.key()))?;
                Ok(Vec::new())
            }
            Change::SetBest => {
                database.write(|writer| writer.set_best(self.rule, &self.position))?;
                self.one(database)
            }
            Change::ClearBest => {
                self.edit(database, |record| {
                    if record.tag == Tag::Best {
                        record.tag = Tag::None;
                    }
                })?;
                self.one(database)
            }
        }
    }

    pub fn delete_all(&self, database: &Database, filter: Filter) -> Result<Vec<String>, Fault> {
        let count =
            database.write(|writer| writer.remove_branches(self.rule, &self.position, filter))?;
        let mut lines = vec![told(&format!("{count} records deleted"))];
        lines.extend(self.marks(database)?);
        Ok(lines)
    }
}

/// The same stones with rows and columns exchanged.
pub fn transposed(position: &Position) -> Position {
    let size = position.size();
    let (width, height) = (i64::from(size.height()), i64::from(size.width()));
    // Both sides are those of a board.
    let mut turned = Position::new(BoardSize::new(width, height).unwrap_or(size));
    for (point, color) in position.stones() {
        turned.add(Point::new(point.y(), point.x()), *color);
    }
    turned.to_move = position.to_move;
    turned
}

pub fn database_message(text: &str) -> String {
    reply::message(&format!("DATABASE {text}"))
}

/// A line for people. Boards, which read in capitals, take what begins with DATABASE for marks.
pub fn told(text: &str) -> String {
    reply::message(&format!("db: {text}"))
}

pub fn fault_message(path: &Path, fault: &Fault) -> String {
    told(&format!(
        "{}: {}",
        shown(path),
        one_line(&fault.to_string())
    ))
}

fn one_message(record: &Record) -> String {
    let tag = record.tag.to_char().map_or(-1, |c| c as i32);
    let line = format!(
        "ONE {tag} {} {} {} {}",
        record.value,
        record.depth,
        record.bound as u8,
        record.display()
    );
    database_message(line.trim_end())
}

/// Up to four characters as one number, the first in the highest byte; -1 for none.
fn packed(text: &str) -> i64 {
    match text {
        "" => -1,
        _ => text
            .bytes()
            .take(4)
            .fold(0, |n, byte| n * 256 + i64::from(byte)),
    }
}

/// As much of a label as a board reads: six bytes, and no half character.
fn board_text(label: &str) -> &str {
    let end = (0..=6).rev().find(|end| label.is_char_boundary(*end));
    label.get(..end.unwrap_or(0)).unwrap_or(label)
}

/// A path as it is printed.
pub fn shown(path: &Path) -> String {
    one_line(&path.display().to_string())
}

/// A text as part of a line: not too long, and of printable ASCII only.
fn one_line(text: &str) -> String {
    let clean = |c: char| match c {
        ' '..='~' => c,
        _ => '?',
    };
    text.chars().take(MAX_SHOWN).map(clean).collect()
}
