//! The verbs of Yixin's board about the database.

use super::saturating;
use crate::database::{Choice, Filter, Tag};
use crate::protocol::block::{Block, Spot, split_word};

/// Bytes kept of a comment; Yixin's board sends at most this.
const MAX_TEXT: usize = 1 << 16;

/// One complete verb.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DatabaseCommand {
    /// Something about the position that the block leads to.
    At(AtVerb, Block),
    /// `YXSETDATABASE`: that file is the database from now on.
    Set(String),
    /// Something with another file.
    File(FileVerb, String),
    /// `YXSAVEDATABASE`.
    Save,
    /// `YXDBCHECK`, `YXDBFIX`.
    Check {
        /// Is what is wrong to be put right?
        mend: bool,
    },
}

impl DatabaseCommand {
    /// Is it asked by a board that wants to draw itself?
    pub fn asks_for_marks(&self) -> bool {
        use Query::{All, AllAndText};
        matches!(
            self,
            DatabaseCommand::At(AtVerb::Query(All | AllAndText), _)
        )
    }
}

/// What is asked about a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AtVerb {
    /// What is known.
    Query(Query),
    /// Another record.
    Change(Change),
    /// `YXEDITLABELDATABASE x,y text`: a text on the board.
    Label(Spot, String),
    /// `YXDELETEDATABASEALL`: what is behind the position is forgotten.
    DeleteAll(Filter),
}

/// What somebody wants to know about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Query {
    /// `YXQUERYDATABASEALL`: the marks of its moves.
    All,
    /// `YXQUERYDATABASEALLT`: these and the comment.
    AllAndText,
    /// `YXQUERYDATABASEONE`: its numbers.
    One,
    /// `YXQUERYDATABASETEXT`: its comment.
    Text,
}

/// What becomes of the record of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// `YXEDITTVDDATABASE mask tag value depth`; what is not to be changed is none.
    Values {
        /// New tag.
        tag: Option<Tag>,
        /// New score.
        value: Option<i64>,
        /// New depth.
        depth: Option<i64>,
    },
    /// `YXEDITTEXTDATABASE "text"`: a new comment.
    Text(String),
    /// `YXDELETEDATABASEONE`.
    Delete,
    /// `YXSETBESTMOVEDATABASE`: the last move is the best.
    SetBest,
    /// `YXCLEARBESTMOVEDATABASE`: it is not.
    ClearBest,
}

/// What is done with a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileVerb {
    /// `YXDBTOPOS`: positions, one a line.
    ToPositions,
    /// `YXDBTOTXT`, `YXDBTOTXTALL`: a table.
    ToTable {
        /// All rules and boards, not only those of the game?
        all: bool,
    },
    /// `YXTXTTODB`.
    FromTable,
    /// `YXDBTOLIB`.
    ToLibrary,
    /// `YXLIBTODB`.
    FromLibrary,
    /// `YXDBMERGE`: adds another database.
    Merge,
    /// `YXDBSPLIT`: copies the branch of the position to another database.
    Split,
}

/// What a path on the next line is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathVerb {
    /// [`DatabaseCommand::Set`].
    Set,
    /// [`DatabaseCommand::File`].
    File(FileVerb),
}

impl PathVerb {
    /// The verb with its path.
    pub fn command(self, path: String) -> DatabaseCommand {
        match self {
            PathVerb::Set => DatabaseCommand::Set(path),
            PathVerb::File(verb) => DatabaseCommand::File(verb, path),
        }
    }
}

/// What a verb needs before it is complete.
#[derive(Debug)]
pub enum Opened<'a> {
    /// Nothing.
    Complete(DatabaseCommand),
    /// A path on the next line.
    Path(PathVerb),
    /// A block; it may begin on the same line.
    Block(AtVerb, &'a str),
    /// A quoted text, and then a block.
    Quoted(Quoted, &'a str),
    /// Its block, which will be of no use: the text says what was wrong.
    Wrong(String, &'a str),
}

/// The verb in upper case and the rest of its line; none when it is not about the database.
pub fn open<'a>(verb: &str, arguments: &'a str) -> Option<Opened<'a>> {
    use Opened::{Block, Complete, Path};
    let query = |query| Block(AtVerb::Query(query), arguments);
    let change = |change| Block(AtVerb::Change(change), arguments);
    let file = |verb| Path(PathVerb::File(verb));
    Some(match verb {
        "YXQUERYDATABASEALL" => query(Query::All),
        "YXQUERYDATABASEALLT" => query(Query::AllAndText),
        "YXQUERYDATABASEONE" => query(Query::One),
        "YXQUERYDATABASETEXT" => query(Query::Text),
        "YXEDITTVDDATABASE" => edit_values(arguments),
        "YXEDITLABELDATABASE" => edit_label(arguments),
        "YXEDITTEXTDATABASE" => Opened::Quoted(Quoted::default(), arguments),
        "YXDELETEDATABASEONE" => change(Change::Delete),
        "YXDELETEDATABASEALL" => delete_all(arguments),
        "YXSETBESTMOVEDATABASE" => change(Change::SetBest),
        "YXCLEARBESTMOVEDATABASE" => change(Change::ClearBest),
        "YXSETDATABASE" => Path(PathVerb::Set),
        "YXDBTOPOS" => file(FileVerb::ToPositions),
        "YXDBTOTXT" => file(FileVerb::ToTable { all: false }),
        "YXDBTOTXTALL" => file(FileVerb::ToTable { all: true }),
        "YXTXTTODB" => file(FileVerb::FromTable),
        "YXDBTOLIB" => file(FileVerb::ToLibrary),
        "YXLIBTODB" => file(FileVerb::FromLibrary),
        "YXDBMERGE" => file(FileVerb::Merge),
        "YXDBSPLIT" => file(FileVerb::Split),
        "YXSAVEDATABASE" => Complete(DatabaseCommand::Save),
        "YXDBCHECK" => Complete(DatabaseCommand::Check { mend: false }),
        "YXDBFIX" => Complete(DatabaseCommand::Check { mend: true }),
        _ => return None,
    })
}

fn edit_values(arguments: &str) -> Opened<'_> {
    let mut rest = arguments;
    let mut number = || {
        let (word, after) = split_word(rest);
        let value = saturating(word)?;
        rest = after;
        Some(value)
    };
    let numbers = (|| Some([number()?, number()?, number()?, number()?]))();
    let Some([mask, tag, value, depth]) = numbers else {
        let text =
            "YXEDITTVDDATABASE needs mask tag value depth, as in YXEDITTVDDATABASE 2 -1 50 0";
        return Opened::Wrong(text.to_owned(), rest);
    };
    let tag = u8::try_from(tag).map_or(Tag::None, |byte| Tag::from_char(char::from(byte)));
    let values = Change::Values {
        tag: (mask & 1 != 0).then_some(tag),
        value: (mask & 2 != 0).then_some(value),
        depth: (mask & 4 != 0).then_some(depth),
    };
    Opened::Block(AtVerb::Change(values), rest)
}

/// The label is free text to the end of the line, so the block is below.
fn edit_label(arguments: &str) -> Opened<'_> {
    let (spot, text) = split_word(arguments);
    match Spot::parse(spot) {
        Some(spot) => Opened::Block(AtVerb::Label(spot, text.trim().to_owned()), ""),
        None => {
            let text = "YXEDITLABELDATABASE needs x,y and a text, as in YXEDITLABELDATABASE 7,7 A";
            Opened::Wrong(text.to_owned(), "")
        }
    }
}

fn delete_all(arguments: &str) -> Opened<'_> {
    let is_word = |word: &str| word.starts_with(|c: char| c.is_ascii_alphabetic());
    let (word, mut rest) = match split_word(arguments) {
        (word, rest) if is_word(word) && !word.eq_ignore_ascii_case("DONE") => (word, rest),
        _ => ("", arguments),
    };
    let mut name = word.to_ascii_uppercase();
    let mut recursive = take_suffix(&mut name);
    // The board's console writes the word apart.
    if let (next, after) = split_word(rest)
        && next.eq_ignore_ascii_case("RECURSIVE")
    {
        (recursive, rest) = (true, after);
    }
    let choice = match name.as_str() {
        "" => Some(Choice::All),
        "W" => Some(Choice::Wins),
        "L" => Some(Choice::Losses),
        "WL" => Some(Choice::WinsAndLosses),
        "WLD" => Some(Choice::Results),
        "NONWL" => Some(Choice::NoWinsAndLosses),
        "NONWLD" => Some(Choice::NoResults),
        "WLNOSTEP" => Some(Choice::WithoutDistance),
        "WLINSTEP" => {
            let (number, after) = split_word(rest);
            rest = after;
            saturating(number).map(Choice::Within)
        }
        _ => None,
    };
    match choice {
        Some(choice) => Opened::Block(AtVerb::DeleteAll(Filter { choice, recursive }), rest),
        None => Opened::Wrong(
            "YXDELETEDATABASEALL takes w, l, wl, wld, nonwl, nonwld, wlnostep or wlinstep n, each \
             also with recursive"
                .to_owned(),
            rest,
        ),
    }
}

fn take_suffix(name: &mut String) -> bool {
    let bare = name.strip_suffix("RECURSIVE").map(str::to_owned);
    let is_there = bare.is_some();
    if let Some(bare) = bare {
        *name = bare;
    }
    is_there
}

/// A text in double quotes that is being read; backslashes escape. It may go over many lines,
/// and what follows the closing quote on its line is the beginning of the block.
#[derive(Debug, Default)]
pub struct Quoted {
    text: String,
    is_open: bool,
    is_escaped: bool,
}

/// How far the reading of a text has come.
pub enum Step<'a> {
    /// It goes on in the next line.
    Open(Quoted),
    /// It is complete; the rest of the line.
    Done(String, &'a str),
    /// It is none; the text says why.
    Wrong(String),
}

impl Quoted {
    /// Takes one line, or the rest of one, without its line end.
    pub fn read_line(mut self, line: &str) -> Step<'_> {
        let mut line = line.trim_end_matches(['\r', '\n']);
        if self.is_open {
            self.text.push('\n');
            self.is_escaped = false;
        } else {
            let Some(inner) = line.strip_prefix('"') else {
                return Step::Wrong(
                    "YXEDITTEXTDATABASE needs a text in double quotes, as in YXEDITTEXTDATABASE \"good\""
                        .to_owned(),
                );
            };
            (self.is_open, line) = (true, inner);
        }
        for (index, c) in line.char_indices() {
            match c {
                _ if self.is_escaped => {
                    self.is_escaped = false;
                    self.text.push(c);
                }
                '\\' => self.is_escaped = true,
                '"' => return Step::Done(self.text, line.get(index + 1..).unwrap_or("")),
                _ => self.text.push(c),
            }
        }
        if self.text.len() > MAX_TEXT {
            return Step::Wrong(format!("a text of a database has at most {MAX_TEXT} bytes"));
        }
        Step::Open(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::command::{Command, Parser};

    fn parse(lines: &[&str]) -> Vec<Command> {
        let mut parser = Parser::default();
        lines.iter().filter_map(|line| parser.feed(line)).collect()
    }

    fn one(lines: &[&str]) -> DatabaseCommand {
        let commands = parse(lines);
        let [Command::Database(command)] = commands.as_slice() else {
            panic!("{commands:?}");
        };
        command.clone()
    }

    fn at(verb: AtVerb, block: &str) -> DatabaseCommand {
        DatabaseCommand::At(verb, Block::of(block))
    }

    #[test]
    fn queries_take_the_moves_to_a_position() {
        let all = at(AtVerb::Query(Query::AllAndText), "7,7 8,8");
        assert_eq!(one(&["yxquerydatabaseallt", "7,7", "8,8", "done"]), all);
        assert_eq!(one(&["YXQUERYDATABASEALLT 7,7 8,8 DONE"]), all);
        assert_eq!(
            one(&["yxquerydatabaseone", "done"]),
            at(AtVerb::Query(Query::One), "")
        );
    }

    #[test]
    fn a_mask_says_what_is_edited() {
        let edit = |mask: i64| {
            let line = format!("yxedittvddatabase {mask} 87 -50 9");
            match one(&[&line, "7,7", "done"]) {
                DatabaseCommand::At(AtVerb::Change(Change::Values { tag, value, depth }), _) => {
                    (tag, value, depth)
                }
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(edit(1), (Some(Tag::Win), None, None));
        assert_eq!(edit(2), (None, Some(-50), None));
        assert_eq!(edit(4), (None, None, Some(9)));
        assert_eq!(edit(7), (Some(Tag::Win), Some(-50), Some(9)));
        let clear = one(&["yxedittvddatabase 1 -1 0 0 done"]);
        let values = Change::Values {
            tag: Some(Tag::None),
            value: None,
            depth: None,
        };
        assert_eq!(clear, at(AtVerb::Change(values), ""));
        let wrong = parse(&["yxedittvddatabase 1 x", "7,7", "done", "END"]);
        assert!(matches!(wrong.as_slice(), [Command::Bad(_), Command::End]));
    }

    #[test]
    fn a_label_is_the_rest_of_its_line() {
        let label = |text: &str| AtVerb::Label(Spot { x: 7, y: 8 }, text.to_owned());
        let read = one(&["yxeditlabeldatabase 7,8 done ", "1,1", "done"]);
        assert_eq!(read, at(label("done"), "1,1"));
        assert_eq!(
            one(&["yxeditlabeldatabase 7,8 \r", "done"]),
            at(label(""), "")
        );
        let wrong = parse(&["yxeditlabeldatabase A", "done"]);
        assert!(matches!(wrong.as_slice(), [Command::Bad(_)]));
    }

    #[test]
    fn a_text_may_go_over_lines_and_hold_anything() {
        let text = |text: &str| AtVerb::Change(Change::Text(text.to_owned()));
        let lines = [
            r#"yxedittextdatabase "we are done \" here"7,7"#,
            "8,8",
            "done",
        ];
        assert_eq!(one(&lines), at(text("we are done \" here"), "7,7 8,8"));
        let lines = [r#"yxedittextdatabase "END"#, "", r#" back\\slash"done"#];
        assert_eq!(one(&lines), at(text("END\n\n back\\slash"), ""));
        assert_eq!(one(&[r#"yxedittextdatabase """#, "done"]), at(text(""), ""));
        let lines = [r#"yxedittextdatabase "a\"#, r#"""#, "done"];
        assert_eq!(one(&lines), at(text("a\n"), ""));
        let wrong = parse(&["yxedittextdatabase text", "1,1", "done", "END"]);
        assert!(matches!(wrong.as_slice(), [Command::Bad(_), Command::End]));
        let mut parser = Parser::default();
        assert_eq!(parser.feed("yxedittextdatabase \""), None);
        let flood = "x".repeat(60_000);
        let heard: Vec<Command> = (0..3).filter_map(|_| parser.feed(&flood)).collect();
        assert!(heard.is_empty(), "its block is swallowed: {heard:?}");
        assert!(matches!(parser.feed("done"), Some(Command::Bad(_))));
    }

    #[test]
    fn what_is_deleted_has_many_names() {
        let delete = |choice, recursive| AtVerb::DeleteAll(Filter { choice, recursive });
        for (words, choice, recursive) in [
            ("", Choice::All, false),
            ("w", Choice::Wins, false),
            ("lrecursive", Choice::Losses, true),
            ("wl recursive", Choice::WinsAndLosses, true),
            ("nonwl", Choice::NoWinsAndLosses, false),
            ("wlnosteprecursive", Choice::WithoutDistance, true),
            ("wlinstep 9", Choice::Within(9), false),
            ("WLINSTEPRECURSIVE 9", Choice::Within(9), true),
        ] {
            let line = format!("yxdeletedatabaseall {words}");
            let read = one(&[&line, "7,7", "done"]);
            assert_eq!(read, at(delete(choice, recursive), "7,7"), "{words}");
        }
        assert_eq!(
            one(&["yxdeletedatabaseall 7,7 done"]),
            at(delete(Choice::All, false), "7,7")
        );
        for words in ["all", "wlinstep", "wlinstep x"] {
            let wrong = parse(&[&format!("yxdeletedatabaseall {words}"), "done"]);
            assert!(matches!(wrong.as_slice(), [Command::Bad(_)]), "{words}");
        }
    }

    #[test]
    fn paths_are_whole_lines() {
        let path = || "/a b/END".to_owned();
        assert_eq!(
            one(&["yxsetdatabase", " /a b/END \r"]),
            DatabaseCommand::Set(path())
        );
        let split = DatabaseCommand::File(FileVerb::Split, path());
        assert_eq!(one(&["YXDBSPLIT", "/a b/END"]), split);
        let save = [Command::Database(DatabaseCommand::Save), Command::Stop];
        assert_eq!(parse(&["yxsavedatabase", "YXSTOP"]), save);
    }
}
