//! The books of a game: files in the folder the manager has named and beside the program, and the
//! book that is built in.

use std::path::{Path, PathBuf};

use super::{Book, Found};
use crate::rules::RuleSpec;
use crate::types::{BoardSize, Position};

/// The books built in, by rule and side of the square board.
pub(super) const BUILT_IN: [(&str, i64, &[u8]); 5] = [
    (
        "freestyle",
        15,
        include_bytes!("data/tengen-freestyle15.book"),
    ),
    (
        "freestyle",
        20,
        include_bytes!("data/tengen-freestyle20.book"),
    ),
    (
        "standard",
        15,
        include_bytes!("data/tengen-standard15.book"),
    ),
    ("renju", 15, include_bytes!("data/tengen-renju15.book")),
    ("caro", 15, include_bytes!("data/tengen-caro15.book")),
];

/// The name of the file that is looked for: `tengen-renju15.book`, `tengen-renju20x15.book`.
pub fn file_name(rule: &RuleSpec, size: BoardSize) -> String {
    format!("{}.book", name(rule, size))
}

fn name(rule: &RuleSpec, size: BoardSize) -> String {
    let rule = rule.name;
    match size.width() == size.height() {
        true => format!("tengen-{rule}{}", size.width()),
        false => format!("tengen-{rule}{size}"),
    }
}

/// What the books at hand were opened for.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Wanted {
    rule: u32,
    size: BoardSize,
    folder: Option<PathBuf>,
}

/// Opens books when they are first asked for and keeps those of one game.
#[derive(Debug, Default)]
pub struct Library {
    wanted: Option<Wanted>,
    books: Vec<Book>,
    faults: Vec<Fault>,
}

/// A file that cannot be used, and why.
pub type Fault = (PathBuf, String);

impl Library {
    /// The first book that knows the position and has spent `nodes` on it; files come before
    /// what is built in, and the folder of the manager before that of the program.
    pub fn lookup(
        &mut self,
        rule: &'static RuleSpec,
        position: &Position,
        folder: Option<&Path>,
        nodes: u64,
    ) -> Option<(&Book, Found)> {
        self.open(rule, position.size(), folder);
        let known = |book: &&Book| {
            let found = book.lookup(position);
            found.filter(|found| found.entry.nodes() >= nodes)
        };
        self.books
            .iter()
            .find_map(|book| Some((book, known(&book)?)))
    }

    /// Which of the files opened since the last call cannot be used.
    pub fn take_faults(&mut self) -> Vec<Fault> {
        std::mem::take(&mut self.faults)
    }

    fn open(&mut self, rule: &'static RuleSpec, size: BoardSize, folder: Option<&Path>) {
        let wanted = Wanted {
            rule: rule.code,
            size,
            folder: folder.map(Path::to_owned),
        };
        if self.wanted.as_ref() == Some(&wanted) {
            return;
        }
        self.wanted = Some(wanted);
        self.books.clear();
        let program = std::env::current_exe().ok();
        let beside = program.as_deref().and_then(Path::parent);
        for folder in folder.into_iter().chain(beside) {
            let path = folder.join(file_name(rule, size));
            if path.is_file() {
                self.add(rule, size, Book::open(&path), &path);
            }
        }
        for (of, side, bytes) in BUILT_IN {
            if of == rule.name && BoardSize::square(side) == Ok(size) {
                let name = format!("{} (built in)", name(rule, size));
                self.add(rule, size, Book::read(&name, bytes), Path::new(&name));
            }
        }
    }

    fn add(&mut self, rule: &RuleSpec, size: BoardSize, book: Result<Book, String>, place: &Path) {
        let reason = match book {
            Ok(book) if book.rule == rule && book.size == size => {
                self.books.push(book);
                return;
            }
            Ok(book) => format!("it is a book of {} on {}", book.rule.name, book.size),
            Err(reason) => reason,
        };
        self.faults.push((place.to_owned(), reason));
    }
}
