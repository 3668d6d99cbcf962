//! The stones of a `BOARD … DONE` block, read as a stream: a record is two or three integers
//! joined by commas, records are parted by blanks or line ends, the word DONE ends the block.
//! So the same code reads a block of many lines and one on a single line.

/// Records kept from one block. The largest board has 484 points; what comes beyond twice that
/// is no board but a flood, and is only counted.
const MAX_RECORDS: usize = 1000;
/// Unreadable pieces kept for the report.
const MAX_BAD: usize = 4;

/// A point as it was written; it need not be on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spot {
    /// First coordinate.
    pub x: i64,
    /// Second coordinate.
    pub y: i64,
}

impl Spot {
    /// Reads `x,y` and nothing else; blanks around the comma are accepted.
    pub fn parse(text: &str) -> Option<Spot> {
        let (record, rest) = take_record(text.trim_start())?;
        (record.field.is_none() && rest.trim().is_empty()).then_some(record.spot)
    }
}

impl std::fmt::Display for Spot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

/// One stone of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// Where it stands.
    pub spot: Spot,
    /// Whose it is, when the block says so.
    pub field: Option<i64>,
}

impl std::fmt::Display for Record {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.field {
            Some(field) => write!(f, "{},{field}", self.spot),
            None => self.spot.fmt(f),
        }
    }
}

/// The contents of a block.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Block {
    /// What could be read, in the order sent.
    pub records: Vec<Record>,
    /// The first few pieces that could not.
    pub bad: Vec<String>,
    /// How many pieces could not be read or were too many.
    pub bad_count: usize,
}

impl Block {
    /// The block of one line.
    #[cfg(test)]
    pub fn of(line: &str) -> Block {
        let mut block = Block::default();
        block.read_line(line);
        block
    }

    /// Takes in one line (or the rest of the header line). True when DONE ended the block; what
    /// follows DONE on its line is dropped.
    pub fn read_line(&mut self, line: &str) -> bool {
        let mut rest = line.trim_start();
        while !rest.is_empty() {
            let (word, after_word) = split_word(rest);
            if word.eq_ignore_ascii_case("DONE") {
                return true;
            }
            rest = match take_record(rest) {
                Some((record, tail)) => {
                    self.keep(record);
                    tail.trim_start()
                }
                None => {
                    self.reject(word);
                    after_word
                }
            };
        }
        false
    }

    fn keep(&mut self, record: Record) {
        if self.records.len() < MAX_RECORDS {
            self.records.push(record);
        } else {
            self.reject("more stones than any board has points");
        }
    }

    fn reject(&mut self, piece: &str) {
        self.bad_count += 1;
        if self.bad.len() < MAX_BAD {
            self.bad.push(piece.to_owned());
        }
    }
}

/// The first word and the text after the blanks that follow it.
pub fn split_word(text: &str) -> (&str, &str) {
    match text.split_once(char::is_whitespace) {
        Some((word, rest)) => (word, rest.trim_start()),
        None => (text, ""),
    }
}

/// A record at the start of `text` and what follows it: the end or a blank, and no further
/// comma.
fn take_record(text: &str) -> Option<(Record, &str)> {
    let (x, rest) = take_integer(text)?;
    let (y, mut rest) = take_integer(take_comma(rest)?)?;
    let mut field = None;
    if let Some(after) = take_comma(rest) {
        let (value, after) = take_integer(after)?;
        (field, rest) = (Some(value), after);
    }
    let ends = rest.is_empty() || rest.starts_with(char::is_whitespace);
    let spot = Spot { x, y };
    (ends && take_comma(rest).is_none()).then_some((Record { spot, field }, rest))
}

fn take_integer(text: &str) -> Option<(i64, &str)> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let tail = digits.trim_start_matches(|c: char| c.is_ascii_digit());
    let (number, rest) = text.split_at_checked(text.len() - tail.len())?;
    Some((number.parse().ok()?, rest))
}

fn take_comma(text: &str) -> Option<&str> {
    Some(text.trim_start().strip_prefix(',')?.trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(lines: &[&str]) -> (String, Vec<String>, bool) {
        let mut block = Block::default();
        let mut done = false;
        for line in lines {
            done = block.read_line(line);
        }
        let records: Vec<String> = block.records.iter().map(Record::to_string).collect();
        (records.join(" "), block.bad, done)
    }

    #[test]
    fn many_lines_and_one_line_read_alike() {
        let many = block(&["7,7,1", "", "  8 , 8 , 2\t", "DONE"]);
        let one = block(&["7,7,1 8,8,2 done ignored"]);
        assert_eq!(many, ("7,7,1 8,8,2".to_owned(), vec![], true));
        assert_eq!(many, one);
    }

    #[test]
    fn two_fields_and_negative_numbers_are_records() {
        assert_eq!(block(&["7,7 -1,3"]).0, "7,7 -1,3");
    }

    #[test]
    fn bad_pieces_are_skipped_one_by_one() {
        let (records, bad, done) = block(&["7,7,1 x 8,8,2,4 9", "6,6,1z", "1,,2 5,5,1", "dOnE"]);
        assert_eq!(records, "7,7,1 5,5,1");
        assert_eq!(bad, ["x", "8,8,2,4", "9", "6,6,1z"]);
        assert!(done);
    }

    #[test]
    fn a_flood_is_counted_and_not_kept() {
        let mut block = Block::default();
        for _ in 0..5000 {
            assert!(!block.read_line("1,1,1"));
            assert!(!block.read_line("99999999999999999999,1"));
        }
        assert_eq!(block.records.len(), MAX_RECORDS);
        assert_eq!((block.bad.len(), block.bad_count), (MAX_BAD, 9000));
    }

    #[test]
    fn a_spot_is_two_numbers_and_nothing_else() {
        assert_eq!(Spot::parse(" 7 , 8 "), Some(Spot { x: 7, y: 8 }));
        for text in [
            "", "7", "7,", "7,8,1", "a,b", "7,8 x", "7 8", "+7,8", "7.0,8", "-,1",
        ] {
            assert_eq!(Spot::parse(text), None, "{text}");
        }
    }
}
