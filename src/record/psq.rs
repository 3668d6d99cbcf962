//! Piskvorky records (`.psq`): the game files of Piskvork and of the Gomocup judge.
//!
//! ```text
//! Piskvorky 15x15, 11:11, 0      columns x rows, two level codes, the player who began
//! 8,8,0                          column, row (from 1), milliseconds
//! 9,7,1534
//! pbrain-ours.exe                the players; tournaments only
//! pbrain-theirs.exe
//! -1                             how the game ended; optional
//! ```

use super::notation::{parse_size, shown};
use crate::types::{BoardSize, Point};

/// The first word of every record.
const MAGIC: &str = "Piskvorky";

/// A game as a record holds it. The first stone is Black's and the sides alternate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The board size.
    pub size: BoardSize,
    /// Level codes of the two players: 0 is a human, the judge writes 11.
    pub levels: [i64; 2],
    /// Which of the two players, 0 or 1, made the first stone.
    pub starter: u8,
    /// The moves from the first.
    pub moves: Vec<TimedMove>,
    /// The players in their own order, which is the order of colours only if `starter` is 0.
    pub players: Option<[String; 2]>,
    /// How the game ended; Piskvork: 0 normally, 15 by timeout, -2 by another fault; judge: -1.
    pub code: Option<i64>,
}

/// A move and what it took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimedMove {
    /// Where.
    pub point: Point,
    /// Time of the move in milliseconds, 0 for stones of an opening.
    pub milliseconds: u64,
}

/// Why a text is no record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordError {
    /// Line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub reason: String,
}

impl std::fmt::Display for RecordError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

impl std::error::Error for RecordError {}

impl Record {
    /// An unfinished game of two humans.
    pub fn new(size: BoardSize, moves: Vec<TimedMove>) -> Record {
        Record {
            size,
            levels: [0; 2],
            starter: 0,
            moves,
            players: None,
            code: None,
        }
    }

    /// The moves without their times.
    pub fn points(&self) -> impl Iterator<Item = Point> {
        self.moves.iter().map(|timed| timed.point)
    }

    /// Reads a record; blank lines and blanks around fields are skipped.
    ///
    /// # Errors
    /// The first line that does not fit.
    pub fn parse(text: &str) -> Result<Record, RecordError> {
        let lines = text.lines().map(str::trim).zip(1..);
        let mut lines = lines.filter(|(line, _)| !line.is_empty()).peekable();
        let at = |line: usize| move |reason: String| RecordError { line, reason };
        let (head, number) = lines.next().unwrap_or(("", 1));
        let mut record = parse_head(head).map_err(at(number))?;
        while let Some((line, number)) = lines.next_if(|(line, _)| is_move(line)) {
            let timed = parse_move(line, record.size).map_err(at(number))?;
            if record.points().any(|point| point == timed.point) {
                return Err(at(number)(format!("'{}' is taken", shown(line))));
            }
            record.moves.push(timed);
        }
        let (first, tail) = (lines.peek().map_or(0, |line| line.1), lines);
        let tail: Vec<&str> = tail.map(|(line, _)| line).collect();
        record.set_tail(&tail).map_err(at(first))?;
        Ok(record)
    }

    /// What follows the moves: names, a code, both or nothing.
    fn set_tail(&mut self, tail: &[&str]) -> Result<(), String> {
        let (names, code) = match tail {
            [] => return Ok(()),
            [code] => (None, Some(*code)),
            [first, second] => (Some([first, second]), None),
            [first, second, code] => (Some([first, second]), Some(*code)),
            [line, ..] => return Err(format!("'{}' is no move", shown(line))),
        };
        self.players = names.map(|names| names.map(|name| (*name).to_owned()));
        self.code = code.map(parse_code).transpose()?;
        Ok(())
    }
}

fn parse_head(line: &str) -> Result<Record, String> {
    let fields = line
        .strip_prefix(MAGIC)
        .filter(|rest| rest.starts_with(' '));
    let fields = fields.ok_or("the first line must be like 'Piskvorky 15x15, 11:11, 0'")?;
    let mut fields = fields.split(',').map(str::trim);
    let size = parse_size(fields.next().unwrap_or("")).map_err(|error| error.to_string())?;
    let mut record = Record::new(size, Vec::new());
    let wrong = |what: &str| format!("'{}' has no {what}", shown(line));
    let levels = fields.next().and_then(|levels| {
        let (first, second) = levels.split_once(':')?;
        Some([first.trim().parse().ok()?, second.trim().parse().ok()?])
    });
    record.levels = levels.ok_or_else(|| wrong("levels such as 11:11"))?;
    let starter = fields.next().and_then(|starter| starter.parse().ok());
    let is_player = |&starter: &u8| starter < 2;
    record.starter = starter
        .filter(is_player)
        .ok_or_else(|| wrong("starter 0 or 1"))?;
    match fields.next() {
        None => Ok(record),
        Some(_) => Err(format!("'{}' has too many fields", shown(line))),
    }
}

/// Numbers with commas between. Names and codes are told from moves by it.
fn is_move(line: &str) -> bool {
    let is_number = |field: &str| field.trim().parse::<i64>().is_ok();
    line.contains(',') && line.split(',').all(is_number)
}

fn parse_move(line: &str, size: BoardSize) -> Result<TimedMove, String> {
    let numbers: Vec<i64> = line
        .split(',')
        .filter_map(|f| f.trim().parse().ok())
        .collect();
    let (x, y, milliseconds) = match numbers[..] {
        [x, y] => (x, y, 0),
        [x, y, milliseconds] => (x, y, milliseconds),
        _ => return Err(format!("'{}' is no move", shown(line))),
    };
    let point = size.point(x.saturating_sub(1), y.saturating_sub(1));
    let off_board = || format!("'{}' is not on the {size} board", shown(line));
    Ok(TimedMove {
        point: point.ok_or_else(off_board)?,
        milliseconds: u64::try_from(milliseconds)
            .map_err(|_| format!("'{}' took less than no time", shown(line)))?,
    })
}

fn parse_code(line: &str) -> Result<i64, String> {
    line.parse()
        .map_err(|_| format!("'{}' is neither a move nor an end code", shown(line)))
}

impl std::fmt::Display for Record {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [first, second] = self.levels;
        writeln!(
            f,
            "{MAGIC} {}, {first}:{second}, {}",
            self.size, self.starter
        )?;
        for TimedMove {
            point,
            milliseconds,
        } in &self.moves
        {
            writeln!(f, "{},{},{milliseconds}", point.x() + 1, point.y() + 1)?;
        }
        for player in self.players.iter().flatten() {
            writeln!(f, "{player}")?;
        }
        self.code.map_or(Ok(()), |code| writeln!(f, "{code}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLE: &str = "\
Piskvorky 15x15, 11:11, 0
8,8,0
9,7,0
7,9,1534
10,9,2088
pbrain-ours.exe
pbrain-theirs.exe
-1
";

    #[test]
    fn a_record_goes_both_ways() {
        let record = Record::parse(EXAMPLE).unwrap();
        assert_eq!(record.size, BoardSize::STANDARD);
        assert_eq!(record.moves[2].point, Point::new(6, 8));
        assert_eq!(record.moves[3].milliseconds, 2088);
        assert_eq!(record.players.as_ref().unwrap()[1], "pbrain-theirs.exe");
        assert_eq!(record.code, Some(-1));
        assert_eq!(record.to_string(), EXAMPLE);
        assert_eq!(Record::parse(&EXAMPLE.replace('\n', "\r\n")), Ok(record));
    }

    #[test]
    fn times_names_and_code_may_be_missing() {
        let record = Record::parse("Piskvorky 20x12, 0:11, 1\n20,12\n1,1\n").unwrap();
        assert_eq!((record.size.width(), record.size.height()), (20, 12));
        assert_eq!((record.levels, record.starter), ([0, 11], 1));
        let points: Vec<Point> = record.points().collect();
        assert_eq!(points, [Point::new(19, 11), Point::new(0, 0)]);
        assert_eq!((record.players, record.code), (None, None));
        let coded = Record::parse("Piskvorky 15x15, 11:11, 0\n\n8,8,5\n15\n").unwrap();
        assert_eq!((coded.players, coded.code), (None, Some(15)));
        let named = Record::parse("Piskvorky 15x15, 11:11, 0\nhomo-1\na, b.exe\n").unwrap();
        assert_eq!(named.players.unwrap()[1], "a, b.exe");
    }

    #[test]
    fn errors_name_the_line() {
        for (text, message) in [
            (
                "",
                "line 1: the first line must be like 'Piskvorky 15x15, 11:11, 0'",
            ),
            (
                "8,8,0",
                "line 1: the first line must be like 'Piskvorky 15x15, 11:11, 0'",
            ),
            (
                "Piskvorky 15",
                "line 1: 'Piskvorky 15' has no levels such as 11:11",
            ),
            (
                "Piskvorky 15x15, 11:11, 2",
                "line 1: 'Piskvorky 15x15, 11:11, 2' has no starter 0 or 1",
            ),
            (
                "Piskvorky 15x15, 1:1, 0\n8,8,0\n16,8,0",
                "line 3: '16,8,0' is not on the 15x15 board",
            ),
            (
                "Piskvorky 15x15, 1:1, 0\n0,8,0",
                "line 2: '0,8,0' is not on the 15x15 board",
            ),
            (
                "Piskvorky 15x15, 1:1, 0\n8,8,0\n8,8,9",
                "line 3: '8,8,9' is taken",
            ),
            (
                "Piskvorky 15x15, 1:1, 0\n8,8,-5",
                "line 2: '8,8,-5' took less than no time",
            ),
            (
                "Piskvorky 15x15, 1:1, 0\n1,2,3,4",
                "line 2: '1,2,3,4' is no move",
            ),
            (
                "Piskvorky 15x15, 1:1, 0\n8,8,0\nwhat",
                "line 3: 'what' is neither a move nor an end code",
            ),
        ] {
            assert_eq!(Record::parse(text).unwrap_err().to_string(), message);
        }
        let huge = "Piskvorky 23x15, 1:1, 0";
        assert!(
            Record::parse(huge)
                .unwrap_err()
                .to_string()
                .contains("5 to 22")
        );
    }
}
