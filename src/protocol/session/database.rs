//! The database: the verbs of Yixin's board about it, and what analysis adds to it.
//!
//! It is in use after `INFO usedatabase 1` or YXSETDATABASE. The file is opened when first
//! needed. Looking something up and changing one record is done at once; what may take long
//! (opening, checking, files, branches) is done by a thread that has the database meanwhile, and
//! commands wait for it. What a search finds is written behind its move, and every few seconds of
//! a long one.
//!
//! The coordinates of the database are columns and rows, whichever order the protocol's have.

mod place;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, bounded, never};

use super::{Purpose, Queued, Session, Thinker};
use crate::database::{Database, Fault, Key, Record};
use crate::engine::{Line, Task};
use crate::protocol::block::Block;
use crate::protocol::command::Command;
use crate::protocol::command::database::{AtVerb, DatabaseCommand, FileVerb};
use crate::protocol::{reply, setup};
use crate::types::Position;
use place::{Place, database_message, fault_message, scores, shown, told, transposed};

/// A search that goes on is written down this often.
const PAUSE: Duration = Duration::from_secs(5);

/// The database as a session has it.
#[derive(Debug, Default)]
pub(super) struct Keeper {
    /// The file that YXSETDATABASE has named.
    named: Option<PathBuf>,
    /// Has it been named since the database was last switched off?
    asked: bool,
    open: Option<Database>,
    /// It could not be opened; that has been told and is not tried again.
    has_failed: bool,
    work: Option<Receiver<Finished>>,
    /// What analysis has found and is not yet written.
    found: BTreeMap<Key, Record>,
    /// When a running search is next written down.
    due: Option<Instant>,
}

/// The end of something done by a thread of its own.
#[derive(Debug)]
pub struct Finished {
    database: Option<Database>,
    lines: Vec<String>,
}

impl Keeper {
    /// Is a thread at work that commands must wait for?
    pub(super) fn is_busy(&self) -> bool {
        self.work.is_some()
    }

    /// Has analysis found something that is not yet written?
    #[cfg(test)]
    pub(super) fn has_news(&self) -> bool {
        !self.found.is_empty()
    }

    /// Closes the file.
    fn close(&mut self) {
        (self.open, self.asked, self.has_failed) = (None, false, false);
        self.found.clear();
    }

    /// Gives the database to a thread that does this with it.
    fn work(&mut self, work: impl FnOnce(Option<Database>) -> Finished + Send + 'static) {
        let database = self.open.take();
        let (sender, receiver) = bounded(1);
        self.work = Some(receiver);
        let begun = thread::Builder::new()
            .name("database".to_owned())
            .spawn(move || {
                // Nobody listens any more when the program is being left.
                let _ = sender.send(work(database));
            });
        if let Err(error) = begun {
            log::warn!("no thread for the database: {error}");
        }
    }
}

impl<T: Thinker> Session<T> {
    /// Where the end of work on the database will be told.
    pub fn database_work(&self) -> Receiver<Finished> {
        self.keeper.work.clone().unwrap_or_else(never)
    }

    /// Work on the database has ended; `None` when its thread is gone.
    pub fn database_done(&mut self, finished: Option<Finished>) {
        self.keeper.work = None;
        if let Some(Finished { database, lines }) = finished {
            self.keeper.open = database;
            self.out.extend(lines);
        }
        self.keeper.has_failed = self.keeper.open.is_none();
        if self.keeper.has_failed {
            self.keeper.found.clear();
        }
        self.rest(Instant::now());
        self.work_off();
    }

    /// Writes down what analysis has found. To be called when everything is printed: a move must
    /// not wait for the disk.
    pub fn rest(&mut self, now: Instant) {
        let keeper = &mut self.keeper;
        if keeper.found.is_empty() || keeper.is_busy() {
            return;
        }
        let goes_on = self.search.is_some() && !self.has_ended;
        if goes_on && now < *keeper.due.get_or_insert(now + PAUSE) {
            return;
        }
        keeper.due = None;
        let Some(database) = &keeper.open else {
            if !self.has_ended {
                self.open_database();
            }
            return;
        };
        let found = std::mem::take(&mut keeper.found);
        let written = database.write(|writer| {
            for (key, record) in &found {
                writer.improve(key, record)?;
            }
            Ok(())
        });
        if let Err(fault) = written {
            self.tell_fault(&fault);
        }
    }

    /// Keeps what a line of analysis says, if the database is to be filled.
    pub(super) fn note(&mut self, line: &Line) {
        if !self.options.uses_database() || self.options.database_is_fixed() {
            return;
        }
        let (Some(search), Some(position)) = (&self.search, &self.position) else {
            return;
        };
        let Purpose::Answer(task) = search.purpose else {
            return;
        };
        if !matches!(task, Task::Move { .. } | Task::Defend) || self.keeper.has_failed {
            return;
        }
        let place = Place {
            rule: search.rule,
            position: self.as_columns(position),
            transposed: self.transposes(),
        };
        // The score of the best line is that of the position, unless moves were left out.
        let is_root = line.index == 0
            && matches!(task, Task::Move { .. })
            && self.blocked_points(position, task).is_empty();
        for (key, record) in scores(&place, line, is_root) {
            self.keeper.found.entry(key).or_default().improve(&record);
        }
    }

    /// The database has been switched on or off.
    pub(super) fn switch_database(&mut self) {
        if !self.options.uses_database() {
            self.keeper.close();
        }
    }

    /// A verb about the database: the line to print, if any, or what was wrong.
    pub(super) fn database(
        &mut self,
        command: DatabaseCommand,
        arrival: Instant,
    ) -> Result<Option<String>, String> {
        if let DatabaseCommand::Set(path) | DatabaseCommand::File(_, path) = &command
            && path.is_empty()
        {
            return Err("a database verb needs a path on the line below it".to_owned());
        }
        if let DatabaseCommand::Set(path) = command {
            self.keeper.close();
            (self.keeper.named, self.keeper.asked) = (Some(path.into()), true);
            self.open_database();
            return Ok(None);
        }
        if self.search.is_some() && command.asks_for_marks() {
            // A board has put a stone and begins to think: the marks shown are those of the
            // position before. Its search will bring others, and after the move it asks again.
            self.out.extend(reply::no_records());
            return Ok(None);
        }
        let is_query = matches!(command, DatabaseCommand::At(AtVerb::Query(_), _));
        let is_used = self.options.uses_database() || self.keeper.asked;
        if !is_used || self.keeper.has_failed {
            // Boards ask after every move whether or not there is one.
            let text = "no database is open: send INFO usedatabase 1, or YXSETDATABASE and a path";
            if command.asks_for_marks() {
                self.out.extend(reply::no_records());
            }
            return Ok((!is_query).then(|| reply::message(text)));
        }
        if self.keeper.open.is_none() {
            let command = Command::Database(command);
            self.queue.push_front(Queued { command, arrival });
            self.open_database();
            return Ok(None);
        }
        match command {
            DatabaseCommand::At(verb, block) => self.database_at(verb, &block)?,
            DatabaseCommand::Set(_) => {}
            DatabaseCommand::File(verb, path) => self.database_file(verb, path.into())?,
            DatabaseCommand::Check { mend } => self.check_database(mend),
            DatabaseCommand::Save => {
                // Every change is on the disk already.
                let path = self.keeper.open.as_ref().map(Database::path);
                let path = path.map(shown).unwrap_or_default();
                self.out
                    .push(database_message(&format!("SAVE START {path}")));
                self.out.push(database_message("SAVE DONE"));
            }
        }
        Ok(None)
    }

    fn open_database(&mut self) {
        let path = match &self.keeper.named {
            Some(path) => path.clone(),
            None => self.options.default_database(),
        };
        let start = format!("LOAD START {}", shown(&path));
        self.out.push(database_message(&start));
        self.keeper.work(move |_| {
            if let Some(folder) = path.parent() {
                // What is wrong shows when the file is made.
                let _ = std::fs::create_dir_all(folder);
            }
            let opened = Database::create(&path);
            let mut lines = vec![database_message("LOAD DONE")];
            if let Err(fault) = &opened {
                lines.push(fault_message(&path, fault));
            }
            Finished {
                database: opened.ok(),
                lines,
            }
        });
    }

    /// What a verb is about: the position after the moves of its block.
    fn place(&self, block: &Block) -> Result<Place, String> {
        let stones = setup::in_turn(self.position()?.size(), block);
        if let Some(text) = stones.skipped.first() {
            return Err(format!("the moves to a position of the database: {text}"));
        }
        self.place_of(&stones.position)
    }

    fn place_of(&self, position: &Position) -> Result<Place, String> {
        Ok(Place {
            rule: self.options.rule()?,
            position: self.as_columns(position),
            transposed: self.transposes(),
        })
    }

    /// The position with x as the column.
    fn as_columns(&self, position: &Position) -> Position {
        match self.transposes() {
            true => transposed(position),
            false => position.clone(),
        }
    }

    fn database_at(&mut self, verb: AtVerb, block: &Block) -> Result<(), String> {
        let place = self.place(block)?;
        let Some(database) = &self.keeper.open else {
            return Ok(());
        };
        let answer = match verb {
            AtVerb::Query(query) => place.answer(database, query),
            _ if self.options.database_is_fixed() => {
                Ok(vec![reply::message("the database is read-only")])
            }
            AtVerb::Change(change) => place.change(database, change),
            AtVerb::Label(spot, text) => {
                let point = setup::on_board(self.position()?.size(), spot)?;
                let mut child = place.clone();
                if !child.position.play(child.turned(point)) {
                    return Err(format!("point {spot} is taken: label an empty one"));
                }
                child.edit(database, |record| record.set_label(&text))
            }
            AtVerb::DeleteAll(filter) => {
                self.keeper.work(move |database| {
                    finish(database, |database| place.delete_all(database, filter))
                });
                return Ok(());
            }
        };
        match answer {
            Ok(lines) => self.out.extend(lines),
            Err(fault) => self.tell_fault(&fault),
        }
        Ok(())
    }

    fn database_file(&mut self, verb: FileVerb, path: PathBuf) -> Result<(), String> {
        let changes = matches!(
            verb,
            FileVerb::FromTable | FileVerb::FromLibrary | FileVerb::Merge
        );
        if changes && self.options.database_is_fixed() {
            self.out.push(reply::message("the database is read-only"));
            return Ok(());
        }
        let place = self.place_of(self.position()?)?;
        let (rule, size) = (place.rule, place.position.size());
        self.keeper.work(move |database| {
            finish(database, |database| {
                let done = match verb {
                    FileVerb::ToTable { all: true } => database.export_table(&path, None),
                    FileVerb::ToTable { all: false } => {
                        database.export_table(&path, Some((rule, size)))
                    }
                    FileVerb::ToPositions => database.export_positions(&path, rule, size),
                    FileVerb::FromTable => database.import_table(&path),
                    FileVerb::ToLibrary => database.export_library(&path, rule, &place.position),
                    FileVerb::FromLibrary => database.import_library(&path, rule),
                    FileVerb::Merge => database.import_database(&path),
                    FileVerb::Split => database.export_branch(&path, rule, &place.position),
                };
                Ok(vec![match done {
                    Ok(count) if changes => told(&format!("{count} records from {}", shown(&path))),
                    Ok(count) => told(&format!("{count} records to {}", shown(&path))),
                    Err(fault) => fault_message(&path, &fault),
                }])
            })
        });
        Ok(())
    }

    fn check_database(&mut self, mend: bool) {
        if mend && self.options.database_is_fixed() {
            self.out.push(reply::message("the database is read-only"));
            return;
        }
        self.keeper.work(move |database| {
            finish(database, |database| {
                let check = database.check(mend)?;
                let mended = if mend { ", mended" } else { "" };
                let text = format!(
                    "{} records good, {} wrong{mended}",
                    check.records, check.wrong
                );
                Ok(vec![told(&text)])
            })
        });
    }

    fn tell_fault(&mut self, fault: &Fault) {
        let path = self.keeper.open.as_ref().map(Database::path);
        let line = fault_message(path.unwrap_or(Path::new("")), fault);
        self.out.push(line);
    }
}

/// Does something with the database and says how it went.
fn finish(
    database: Option<Database>,
    work: impl FnOnce(&mut Database) -> Result<Vec<String>, Fault>,
) -> Finished {
    let Some(mut database) = database else {
        return Finished {
            database: None,
            lines: Vec::new(),
        };
    };
    let lines = work(&mut database);
    let lines = lines.unwrap_or_else(|fault| vec![fault_message(database.path(), &fault)]);
    Finished {
        database: Some(database),
        lines,
    }
}
