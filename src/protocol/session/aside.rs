//! What boards ask beside the game: blocked moves, the table's file, the machine.

use super::{Session, Thinker};
use crate::protocol::command::Command;
use crate::protocol::{options, reply};
use crate::types::Position;

impl<T: Thinker> Session<T> {
    /// Commands that neither need nor change the position.
    pub(super) fn aside(&mut self, command: Command) -> Option<String> {
        match command {
            Command::About => return Some(reply::about()),
            Command::ShowForbid => return Some(reply::forbid(&self.forbidden_points())),
            Command::Unknown(line) => return Some(reply::unknown(&line, self.has_board)),
            Command::Unsupported(verb) => {
                return Some(reply::message(&format!("{verb} is not supported")));
            }
            Command::Info { key, value } => self.info(&key, &value),
            Command::ShowInfo => self.show_info(),
            Command::Stop => self.stop(),
            Command::HashClear => self.engine.clear_hash(),
            Command::HashUsage => {
                let usage = self.engine.table_usage();
                return Some(reply::message(&format!("hash usage {usage} per mille")));
            }
            Command::HashDump(path) => {
                self.table_work = Some("dump");
                self.engine.save_table(path.into());
            }
            Command::HashLoad(path) => {
                self.table_work = Some("load");
                self.configure();
                self.engine.load_table(path.into());
            }
            other => self.block(&other),
        }
        None
    }

    /// Commands that say which moves may be played.
    pub(super) fn block(&mut self, command: &Command) {
        let size = self.position.as_ref().map(Position::size);
        match (command, size) {
            (Command::Block(block), _) => self.blocked.add(block),
            (Command::Unblock(block), _) => self.blocked.remove(block),
            (Command::UnblockAll, _) => self.blocked.clear(),
            (Command::BlockPath(block), Some(size)) => self.blocked.add_path(size, block),
            (Command::UnblockPath(block), Some(size)) => self.blocked.remove_path(size, block),
            (Command::UnblockPaths, _) => self.blocked.clear_paths(),
            _ => {}
        }
    }

    /// The table has been written or read.
    pub(super) fn end_table_work(&mut self, result: Result<u64, String>) {
        let work = self.table_work.take().unwrap_or_default();
        let text = match result {
            Ok(count) => format!("hash {work}: {count} entries"),
            Err(error) => format!("hash {work} failed: {}", reply::quote(&error)),
        };
        self.out.push(reply::message(&text));
        self.work_off();
    }

    /// YXSHOWINFO: what the machine offers.
    pub(super) fn show_info(&mut self) {
        self.has_board = true;
        let threads = options::machine_threads();
        let exponent = options::MAX_HASH_EXPONENT;
        self.out
            .push(reply::message(&format!("INFO MAX_THREAD_NUM {threads}")));
        self.out
            .push(reply::message(&format!("INFO MAX_HASH_SIZE {exponent}")));
    }
}
