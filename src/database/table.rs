//! The database as a table of comma-separated values, for other programs and for safe keeping.
//!
//! ```text
//! rule,size,black,white,side,tag,value,depth,bound,label,comment
//! renju,15x15,h8j9,h9,white,,35,14,exact,A,"a text"
//! ```
//! Points are written as in all our records, the letter for the column and the number for the
//! row from the bottom. `value` is the score of the side to move; a proven result is its distance
//! in plies below 32000. On reading, any image of a position will do; a column may be left empty.

use std::io::{Read, Write};

use serde::{Deserialize, Serialize};

use super::{Fault, Key, Reader, Record, Result, Tag, Writer};
use crate::record::notation::{Rows, format_moves, parse_moves, parse_size};
use crate::rules::RuleSpec;
use crate::types::{BoardSize, Bound, Color, Point, Position};

#[derive(Serialize, Deserialize, Debug)]
struct Row {
    rule: String,
    size: String,
    black: String,
    white: String,
    side: String,
    tag: String,
    value: Option<i64>,
    depth: Option<i64>,
    bound: String,
    label: String,
    comment: String,
}

const BOUNDS: [(&str, Bound); 4] = [
    ("", Bound::None),
    ("upper", Bound::Upper),
    ("lower", Bound::Lower),
    ("exact", Bound::Exact),
];

impl Reader<'_> {
    /// Writes all records, or those of one rule and board. How many were they?
    ///
    /// # Errors
    /// When a file cannot be read or written.
    pub fn to_table(&self, only: Option<(&RuleSpec, BoardSize)>, out: impl Write) -> Result<u64> {
        let mut table = csv::Writer::from_writer(out);
        let mut count = 0;
        self.each(only, |rule, position, record| {
            count += 1;
            let row = Row::of(rule, position, record);
            table.serialize(row).map_err(|error| broken(&error))
        })?;
        table.flush()?;
        Ok(count)
    }

    /// Writes the positions alone, those of one rule and board, one a line as the moves of a
    /// game: Black and White in turn. How many were they?
    ///
    /// # Errors
    /// When a file cannot be read or written.
    pub fn to_positions(&self, rule: &RuleSpec, size: BoardSize, out: impl Write) -> Result<u64> {
        let mut out = std::io::BufWriter::new(out);
        let mut count = 0;
        self.each(Some((rule, size)), |_, position, _| {
            let [black, white] = sides(position);
            let is_game = black.len() == white.len() || black.len() == white.len() + 1;
            if is_game {
                let mut game = Vec::new();
                for (index, stone) in black.iter().enumerate() {
                    game.push(*stone);
                    game.extend(white.get(index));
                }
                count += 1;
                writeln!(out, "{}", format_moves(&game, size, Rows::FromBottom))?;
            }
            Ok(())
        })?;
        out.flush()?;
        Ok(count)
    }
}

impl Writer<'_> {
    /// Adds the records of a table to those that are there. How many were they?
    ///
    /// # Errors
    /// For the first line that is wrong.
    pub fn add_table(&mut self, input: impl Read) -> Result<u64> {
        let mut table = csv::Reader::from_reader(input);
        let mut count = 0;
        for row in table.deserialize() {
            let row: Row = row.map_err(|error| broken(&error))?;
            let (rule, position, record) = row.read().map_err(|text| {
                // The first line names the columns.
                Fault::Input(format!("record {}: {text}", count + 1))
            })?;
            self.improve(&Key::of(rule, &position), &record)?;
            count += 1;
        }
        Ok(count)
    }
}

fn broken(error: &csv::Error) -> Fault {
    Fault::Input(format!("no table of positions: {error}"))
}

fn sides(position: &Position) -> [Vec<Point>; 2] {
    [Color::Black, Color::White].map(|side| {
        let stones = position.stones().iter();
        let own = stones.filter(|(_, color)| *color == side);
        own.map(|(point, _)| *point).collect()
    })
}

impl Row {
    fn of(rule: &RuleSpec, position: &Position, record: &Record) -> Row {
        let size = position.size();
        let [black, white] =
            sides(position).map(|points| format_moves(&points, size, Rows::FromBottom));
        let bound = BOUNDS.iter().find(|(_, bound)| *bound == record.bound);
        let is_scored = record.bound != Bound::None;
        Row {
            rule: rule.name.to_owned(),
            size: size.to_string(),
            black,
            white,
            side: position.to_move.to_string(),
            tag: record.tag.to_char().map(String::from).unwrap_or_default(),
            value: is_scored.then_some(record.value.into()),
            depth: is_scored.then_some(record.depth.into()),
            bound: bound.map_or("", |(name, _)| name).to_owned(),
            label: record.label().to_owned(),
            comment: record.comment().to_owned(),
        }
    }

    fn read(&self) -> std::result::Result<(&'static RuleSpec, Position, Record), String> {
        let rule = RuleSpec::parse(&self.rule)?;
        let size = parse_size(&self.size).map_err(|error| error.to_string())?;
        let mut position = Position::new(size);
        for (text, side) in [(&self.black, Color::Black), (&self.white, Color::White)] {
            let points =
                parse_moves(text, size, Rows::FromBottom).map_err(|error| error.to_string())?;
            if !points.iter().all(|point| position.add(*point, side)) {
                return Err("a point is taken by both sides".to_owned());
            }
        }
        position.to_move = match self.side.as_str() {
            "black" => Color::Black,
            "white" => Color::White,
            _ => return Err("the side must be black or white".to_owned()),
        };
        let mut record = Record::default();
        record.tag = match self.tag.as_str() {
            "" => Tag::None,
            text => match text.parse().map(Tag::from_char) {
                Ok(tag) if tag != Tag::None => tag,
                _ => return Err("a tag is one sign, such as w, l, d, ! or x".to_owned()),
            },
        };
        let bound = BOUNDS.iter().find(|(name, _)| *name == self.bound);
        let bound = bound
            .ok_or("the bound must be exact, lower, upper or nothing")?
            .1;
        if bound != Bound::None {
            record.bound = bound;
            record.set_value(self.value.ok_or("a bound needs a value")?);
            record.set_depth(self.depth.unwrap_or(0));
        }
        record.set_label(&self.label);
        record.set_comment(&self.comment);
        Ok((rule, position, record))
    }
}
