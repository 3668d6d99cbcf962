//! Text → [`Command`]. Pure: it knows the grammar, not the game.
//!
//! A [`Parser`] is fed line by line and gives a command when one is complete; blocks (`BOARD …
//! DONE`) and verbs with a path on the next line are its only state. Words are read in any
//! letter case, blanks are tolerated wherever they may stand.

pub mod database;

use super::block::{Block, Spot, split_word};
use super::opening::{Opening, is_done};
use database::{AtVerb, Change, DatabaseCommand, Opened, PathVerb, Quoted, Step};

/// One complete command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `START n`, `START w h`, `RECTSTART w,h`.
    Start {
        /// Columns.
        width: i64,
        /// Rows.
        height: i64,
    },
    /// `RESTART`.
    Restart,
    /// `BEGIN`.
    Begin,
    /// `TURN x,y`.
    Turn(Spot),
    /// `PLAY x,y`.
    Play(Spot),
    /// `TAKEBACK x,y`.
    Takeback(Spot),
    /// `BOARD … DONE`: set up and think.
    Board(Block),
    /// `YXBOARD … DONE`: set up only.
    SetBoard(Block),
    /// `SWAP2BOARD … DONE`.
    Swap2Board(Block),
    /// `OPENING rule [game]`, actions, `DONE`.
    Opening(Opening),
    /// `INFO key value`; the key in lower case.
    Info {
        /// Lower case.
        key: String,
        /// The rest of the line, trimmed.
        value: String,
    },
    /// `ABOUT`.
    About,
    /// `END`.
    End,
    /// `YXSTOP`, `STOP`.
    Stop,
    /// `YXNBEST n`.
    NBest(usize),
    /// `YXSHOWFORBID`.
    ShowForbid,
    /// `YXHASHCLEAR`.
    HashClear,
    /// `YXSHOWINFO`.
    ShowInfo,
    /// `YXBLOCK … DONE`: points that may not be the first move.
    Block(Block),
    /// `YXBLOCKUNDO … DONE`.
    Unblock(Block),
    /// `YXBLOCKRESET`.
    UnblockAll,
    /// `YXBLOCKPATH … DONE`: the last point may not be played after the others.
    BlockPath(Block),
    /// `YXBLOCKPATHUNDO … DONE`.
    UnblockPath(Block),
    /// `YXBLOCKPATHRESET`.
    UnblockPaths,
    /// `YXBALANCEONE b`, `YXBALANCETWO b`.
    Balance {
        /// Are two moves wanted?
        both: bool,
        /// The score to come near to.
        target: i64,
    },
    /// `YXSEARCHDEFEND`.
    Defend,
    /// `YXSWAP2STEP1` to `3`.
    Swap2Step(u8),
    /// `YXHASHDUMP` and the path on the next line.
    HashDump(String),
    /// `YXHASHLOAD` and the path on the next line.
    HashLoad(String),
    /// `YXSHOWHASHUSAGE`.
    HashUsage,
    /// A verb about the database.
    Database(DatabaseCommand),
    /// `YXSOOSORVSTEP1` to `6`.
    SoosorvStep {
        /// 1 to 6.
        step: u8,
        /// How many fifth moves are asked for; only of 4 and 5.
        fifths: i64,
        /// The stones so far.
        block: Block,
    },
    /// A known verb that is not served but whose sender likes to hear so.
    Unsupported(String),
    /// A known verb with arguments that cannot be read; the text says what is accepted.
    Bad(String),
    /// Anything else, as it came.
    Unknown(String),
}

/// What becomes of a command that arrives during a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DuringSearch {
    /// It is carried out at once.
    Now,
    /// It ends the search and is carried out after the search has printed its move.
    EndsSearch,
    /// It waits for the end of the search.
    Waits,
}

impl Command {
    /// What becomes of it during a search.
    pub fn during_search(&self) -> DuringSearch {
        use Command::*;
        match self {
            Info { .. } | Stop | About | End => DuringSearch::Now,
            Database(command) if command.asks_for_marks() => DuringSearch::Now,
            Start { .. }
            | Restart
            | Begin
            | Turn(_)
            | Play(_)
            | Takeback(_)
            | Board(_)
            | SetBoard(_)
            | Swap2Board(_)
            | Opening(_) => DuringSearch::EndsSearch,
            _ => DuringSearch::Waits,
        }
    }
}

/// Verbs of boards that are not served, and whether their sender is told that nothing will come.
const SWALLOWED: &[(&str, Heard)] = &[
    ("YXFORBID", Heard::No),
    ("YXPRINTFEATURE", Heard::No),
    ("RELOADCONFIG", Heard::No),
    ("YXDRAW", Heard::Yes),
    ("YXRESIGN", Heard::Yes),
];

/// Does the sender of a swallowed verb hear about it?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Heard {
    Yes,
    No,
}

/// What the lines of an open block are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Purpose {
    Board,
    SetBoard,
    Swap2Board,
    Block,
    Unblock,
    BlockPath,
    UnblockPath,
    Soosorv { step: u8, fifths: i64 },
}

impl Purpose {
    fn command(self, block: Block) -> Command {
        match self {
            Purpose::Board => Command::Board(block),
            Purpose::SetBoard => Command::SetBoard(block),
            Purpose::Swap2Board => Command::Swap2Board(block),
            Purpose::Block => Command::Block(block),
            Purpose::Unblock => Command::Unblock(block),
            Purpose::BlockPath => Command::BlockPath(block),
            Purpose::UnblockPath => Command::UnblockPath(block),
            Purpose::Soosorv { step, fifths } => Command::SoosorvStep {
                step,
                fifths,
                block,
            },
        }
    }
}

/// What the next line belongs to.
#[derive(Debug, Default)]
enum Mode {
    /// It is a command.
    #[default]
    Command,
    /// It is part of a block.
    Block(Purpose, Block),
    /// It is an action of an opening, or ends it.
    Opening(Opening),
    /// It is part of a block that nobody reads; the command to give at its end.
    SwallowBlock(Option<Command>),
    /// It is a path, whatever it looks like.
    Path(fn(String) -> Command),
    /// It is a path for the database.
    DatabasePath(PathVerb),
    /// It is part of a text for the database.
    DatabaseText(Quoted),
    /// It is part of the block of a verb about the database.
    DatabaseBlock(AtVerb, Block),
}

/// Turns lines into commands.
#[derive(Debug, Default)]
pub struct Parser {
    mode: Mode,
}

impl Parser {
    /// Takes one line without its line end; gives the command it completes, if any.
    pub fn feed(&mut self, line: &str) -> Option<Command> {
        match std::mem::take(&mut self.mode) {
            Mode::Command => self.command(line.trim()),
            Mode::Block(purpose, block) => self.block(purpose, block, line),
            Mode::Opening(opening) => self.opening(opening, line),
            Mode::SwallowBlock(command) => self.swallow_block(command, line),
            Mode::Path(command) => Some(command(line.trim().to_owned())),
            Mode::DatabasePath(verb) => {
                Some(Command::Database(verb.command(line.trim().to_owned())))
            }
            Mode::DatabaseText(text) => self.database_text(text, line),
            Mode::DatabaseBlock(verb, block) => self.database_block(verb, block, line),
        }
    }

    fn command(&mut self, line: &str) -> Option<Command> {
        let (word, arguments) = split_word(line);
        let verb = word.to_ascii_uppercase();
        Some(match verb.as_str() {
            "" => return None,
            "START" => start(arguments, false),
            "RECTSTART" => start(arguments, true),
            "RESTART" => Command::Restart,
            "BEGIN" => Command::Begin,
            "TURN" => with_spot(&verb, arguments, Command::Turn),
            "PLAY" => with_spot(&verb, arguments, Command::Play),
            "TAKEBACK" => with_spot(&verb, arguments, Command::Takeback),
            "BOARD" => return self.open(Purpose::Board, arguments),
            "YXBOARD" => return self.open(Purpose::SetBoard, arguments),
            "SWAP2BOARD" => return self.open(Purpose::Swap2Board, arguments),
            "OPENING" => return self.opening(Opening::default(), arguments),
            "YXBLOCK" => return self.open(Purpose::Block, arguments),
            "YXBLOCKUNDO" => return self.open(Purpose::Unblock, arguments),
            "YXBLOCKRESET" => Command::UnblockAll,
            "YXBLOCKPATH" => return self.open(Purpose::BlockPath, arguments),
            "YXBLOCKPATHUNDO" => return self.open(Purpose::UnblockPath, arguments),
            "YXBLOCKPATHRESET" => Command::UnblockPaths,
            "YXBALANCEONE" => balance(&verb, arguments, false),
            "YXBALANCETWO" => balance(&verb, arguments, true),
            "YXSEARCHDEFEND" => Command::Defend,
            "YXSWAP2STEP1" => Command::Swap2Step(1),
            "YXSWAP2STEP2" => Command::Swap2Step(2),
            "YXSWAP2STEP3" => Command::Swap2Step(3),
            "YXHASHDUMP" => return self.path(Command::HashDump),
            "YXHASHLOAD" => return self.path(Command::HashLoad),
            "YXSHOWHASHUSAGE" => Command::HashUsage,
            "INFO" => return info(arguments),
            "ABOUT" => Command::About,
            "END" => Command::End,
            "YXSTOP" | "STOP" => Command::Stop,
            "YXNBEST" => n_best(arguments),
            "YXSHOWFORBID" => Command::ShowForbid,
            "YXHASHCLEAR" => Command::HashClear,
            "YXSHOWINFO" => Command::ShowInfo,
            _ => return self.rare(verb, arguments, line),
        })
    }

    fn open(&mut self, purpose: Purpose, rest_of_line: &str) -> Option<Command> {
        self.block(purpose, Block::default(), rest_of_line)
    }

    fn block(&mut self, purpose: Purpose, mut block: Block, line: &str) -> Option<Command> {
        if block.read_line(line) {
            return Some(purpose.command(block));
        }
        self.mode = Mode::Block(purpose, block);
        None
    }

    fn opening(&mut self, mut opening: Opening, line: &str) -> Option<Command> {
        if opening.read_line(line) {
            return Some(Command::Opening(opening));
        }
        self.mode = Mode::Opening(opening);
        None
    }

    fn path(&mut self, command: fn(String) -> Command) -> Option<Command> {
        self.mode = Mode::Path(command);
        None
    }

    /// Verbs of boards: the database, and what is not served.
    fn rare(&mut self, verb: String, arguments: &str, line: &str) -> Option<Command> {
        if let Some(opened) = database::open(&verb, arguments) {
            return self.database(opened);
        }
        if let Some(step) = verb.strip_prefix("YXSOOSORVSTEP")
            && let Ok(step @ 1..=6) = step.parse()
        {
            return self.soosorv(step, arguments);
        }
        let Some(&(_, heard)) = SWALLOWED.iter().find(|(known, _)| *known == verb) else {
            return Some(Command::Unknown(line.to_owned()));
        };
        (heard == Heard::Yes).then_some(Command::Unsupported(verb))
    }

    /// The first step stands alone, the fourth and fifth name a number before their block.
    fn soosorv(&mut self, step: u8, arguments: &str) -> Option<Command> {
        let (fifths, rest) = match step {
            4 | 5 => {
                let (word, rest) = split_word(arguments);
                let Some(number) = saturating(word) else {
                    let text = format!(
                        "YXSOOSORVSTEP{step} needs a number of fifth moves, as in YXSOOSORVSTEP{step} 2"
                    );
                    return self.swallow_block(Some(Command::Bad(text)), arguments);
                };
                (number, rest)
            }
            _ => (1, arguments),
        };
        let purpose = Purpose::Soosorv { step, fifths };
        match step {
            1 => Some(purpose.command(Block::default())),
            _ => self.open(purpose, rest),
        }
    }

    fn database(&mut self, opened: Opened) -> Option<Command> {
        match opened {
            Opened::Complete(command) => return Some(Command::Database(command)),
            Opened::Path(verb) => self.mode = Mode::DatabasePath(verb),
            Opened::Block(verb, rest) => return self.database_block(verb, Block::default(), rest),
            Opened::Quoted(text, rest) => return self.database_text(text, rest),
            Opened::Wrong(text, rest) => {
                return self.swallow_block(Some(Command::Bad(text)), rest);
            }
        }
        None
    }

    fn database_text(&mut self, text: Quoted, line: &str) -> Option<Command> {
        match text.read_line(line) {
            Step::Open(text) => {
                self.mode = Mode::DatabaseText(text);
                None
            }
            Step::Done(text, rest) => {
                let verb = AtVerb::Change(Change::Text(text));
                self.database_block(verb, Block::default(), rest)
            }
            Step::Wrong(text) => self.swallow_block(Some(Command::Bad(text)), ""),
        }
    }

    fn database_block(&mut self, verb: AtVerb, mut block: Block, line: &str) -> Option<Command> {
        if block.read_line(line) {
            return Some(Command::Database(DatabaseCommand::At(verb, block)));
        }
        self.mode = Mode::DatabaseBlock(verb, block);
        None
    }

    fn swallow_block(&mut self, command: Option<Command>, line: &str) -> Option<Command> {
        if line.split_whitespace().any(is_done) {
            return command;
        }
        self.mode = Mode::SwallowBlock(command);
        None
    }
}

fn start(arguments: &str, rectangular: bool) -> Command {
    let separator = |c: char| c == ',' || c.is_whitespace();
    let numbers: Option<Vec<i64>> = arguments
        .split(separator)
        .filter(|word| !word.is_empty())
        .map(saturating)
        .collect();
    match (numbers.as_deref(), rectangular) {
        (Some(&[side]), false) => Command::Start {
            width: side,
            height: side,
        },
        (Some(&[width, height]), _) => Command::Start { width, height },
        (_, false) => Command::Bad("START needs a board size from 5 to 22, as in START 15".into()),
        (_, true) => Command::Bad(
            "RECTSTART needs width,height, each from 5 to 22, as in RECTSTART 20,15".into(),
        ),
    }
}

fn with_spot(verb: &str, arguments: &str, command: fn(Spot) -> Command) -> Command {
    Spot::parse(arguments).map_or_else(
        || Command::Bad(format!("{verb} needs a point x,y, as in {verb} 7,7")),
        command,
    )
}

fn info(arguments: &str) -> Option<Command> {
    let (key, value) = split_word(arguments);
    // INFO is never answered, so one without key or value is as good as none.
    (!key.is_empty() && !value.is_empty()).then(|| Command::Info {
        key: key.to_ascii_lowercase(),
        value: value.to_owned(),
    })
}

fn n_best(arguments: &str) -> Command {
    if arguments.is_empty() {
        return Command::NBest(1);
    }
    saturating(arguments).map_or_else(
        || Command::Bad("YXNBEST needs a number of lines, as in YXNBEST 3".into()),
        |lines| Command::NBest(usize::try_from(lines).unwrap_or(0).max(1)),
    )
}

fn balance(verb: &str, arguments: &str, both: bool) -> Command {
    if arguments.is_empty() {
        return Command::Balance { both, target: 0 };
    }
    saturating(arguments).map_or_else(
        || Command::Bad(format!("{verb} needs a score, as in {verb} 0")),
        |target| Command::Balance { both, target },
    )
}

/// An integer of any length, cut to 64 bits; none when the text is no integer.
pub fn saturating(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let limit = if text.starts_with('-') {
        i64::MIN
    } else {
        i64::MAX
    };
    Some(text.parse().unwrap_or(limit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(lines: &[&str]) -> Vec<Command> {
        let mut parser = Parser::default();
        lines.iter().filter_map(|line| parser.feed(line)).collect()
    }

    fn one(line: &str) -> Command {
        parse(&[line]).pop().expect(line)
    }

    #[test]
    fn words_are_read_in_any_case_and_with_blanks() {
        let spot = Spot { x: 7, y: 7 };
        for line in ["TURN 7,7", " turn\t 7 , 7  \r", "Turn 7,7"] {
            assert_eq!(one(line), Command::Turn(spot));
        }
        assert_eq!(one("end"), Command::End);
        assert_eq!(one("Stop"), Command::Stop);
        assert!(parse(&["", "   ", "\t\r"]).is_empty());
    }

    #[test]
    fn start_takes_one_number_or_two() {
        let start = |width, height| Command::Start { width, height };
        assert_eq!(one("START 15"), start(15, 15));
        assert_eq!(one("start 15 15"), start(15, 15));
        assert_eq!(one("RECTSTART 20 , 15"), start(20, 15));
        assert_eq!(one("START 99999999999999999999"), start(i64::MAX, i64::MAX));
        for line in [
            "START",
            "START x",
            "START 15x",
            "START 1 2 3",
            "RECTSTART 15",
            "START 1.5",
        ] {
            assert!(matches!(one(line), Command::Bad(_)), "{line}");
        }
    }

    #[test]
    fn malformed_points_are_bad_commands() {
        for line in ["TURN", "TURN abc", "TURN 7", "PLAY 7,7,1", "TAKEBACK a,b"] {
            let Command::Bad(text) = one(line) else {
                panic!("{line}");
            };
            assert!(text.contains("as in"), "{text}");
        }
    }

    #[test]
    fn info_keeps_the_rest_of_the_line() {
        let Command::Info { key, value } = one(r"INFO Folder  C:\Some Dir\x ") else {
            panic!();
        };
        assert_eq!((key.as_str(), value.as_str()), ("folder", r"C:\Some Dir\x"));
        assert!(parse(&["INFO", "INFO rule", "info  "]).is_empty());
    }

    #[test]
    fn everything_up_to_done_belongs_to_the_block() {
        let commands = parse(&["BOARD", "7,7,1", "END", "yxstop", "8,8,2", "done", "END"]);
        let [Command::Board(block), Command::End] = commands.as_slice() else {
            panic!("{commands:?}");
        };
        assert_eq!((block.records.len(), block.bad.len()), (2, 2));
    }

    #[test]
    fn single_line_blocks_are_complete_at_once() {
        assert!(matches!(one("YXBOARD 7,7,1 DONE"), Command::SetBoard(_)));
        assert!(matches!(one("board done"), Command::Board(_)));
        assert!(matches!(
            one("SWAP2BOARD 7,7 8,8 9,9 DONE"),
            Command::Swap2Board(_)
        ));
    }

    #[test]
    fn steps_of_soosorv_take_a_number_and_stones() {
        let step = |step, fifths, block: &str| Command::SoosorvStep {
            step,
            fifths,
            block: Block::of(block),
        };
        let commands = parse(&["yxsoosorvstep1", "yxsoosorvstep3", "1,1", "2,2", "done"]);
        assert_eq!(commands, [step(1, 1, ""), step(3, 1, "1,1 2,2")]);
        assert_eq!(one("YXSOOSORVSTEP5 8 1,1 DONE"), step(5, 8, "1,1"));
        let commands = parse(&["yxsoosorvstep4", "1,1", "END", "done", "yxsoosorvstep7"]);
        let [Command::Bad(_), Command::Unknown(_)] = commands.as_slice() else {
            panic!("{commands:?}");
        };
    }

    #[test]
    fn a_path_is_the_whole_next_line() {
        let commands = parse(&["yxhashdump", " /a b/END \r", "YXHASHLOAD", "START 15"]);
        let dump = Command::HashDump("/a b/END".into());
        assert_eq!(commands, [dump, Command::HashLoad("START 15".into())]);
    }

    #[test]
    fn a_balance_is_sought_at_zero_unless_told() {
        let balance = |both, target| Command::Balance { both, target };
        assert_eq!(one("yxbalanceone"), balance(false, 0));
        assert_eq!(one("YXBALANCETWO -30"), balance(true, -30));
        assert!(matches!(one("yxbalanceone much"), Command::Bad(_)));
    }

    #[test]
    fn paths_of_moves_are_blocks() {
        for (line, end) in [("yxblockpath", "done"), ("YXBLOCKPATHUNDO 7,7", "8,8 DONE")] {
            let commands = parse(&[line, "1,1", end, "yxblockpathreset"]);
            let [first, Command::UnblockPaths] = commands.as_slice() else {
                panic!("{commands:?}");
            };
            assert!(matches!(
                first,
                Command::BlockPath(_) | Command::UnblockPath(_)
            ));
        }
    }

    #[test]
    fn nbest_counts_at_least_one() {
        assert_eq!(one("YXNBEST"), Command::NBest(1));
        assert_eq!(one("yxnbest 0"), Command::NBest(1));
        assert_eq!(one("yxnbest 3"), Command::NBest(3));
        assert!(matches!(one("yxnbest many"), Command::Bad(_)));
    }

    #[test]
    fn integers_saturate() {
        assert_eq!(saturating("18446744073709551615"), Some(i64::MAX));
        assert_eq!(saturating("-99999999999999999999"), Some(i64::MIN));
        assert_eq!(saturating("+5"), Some(5));
        for text in ["", "-", "1e3", "0x10", "1.0", "--1"] {
            assert_eq!(saturating(text), None, "{text}");
        }
    }
}
