//! The lost games of one engine in the folder of a match.

use crate::record::notation;
use crate::record::openings::{self, Format};
use crate::rules::RuleSpec;
use crate::tools::matches::record::{GameRecord, Winner};
use crate::types::{BoardSize, Color, Point, Position};

/// A game that the engine under blame lost.
pub struct LostGame {
    /// What the match kept of it.
    pub record: GameRecord,
    /// The rule.
    pub rule: &'static RuleSpec,
    /// The board.
    pub size: BoardSize,
    /// The side that lost.
    pub color: Color,
    /// All stones, Black's first.
    pub stones: Vec<Point>,
    /// How many of them are the opening.
    pub opening: usize,
}

impl LostGame {
    /// Reads the game if `engine` lost it.
    ///
    /// # Errors
    /// A line when the record makes no sense.
    pub fn new(record: &GameRecord, engine: &str) -> Result<Option<LostGame>, String> {
        let color = match record.result {
            Winner::White if record.black == engine => Color::Black,
            Winner::Black if record.white == engine => Color::White,
            _ => return Ok(None),
        };
        let number = record.game;
        let fault = |what: String| format!("game {number}: {what}");
        let rule = RuleSpec::parse(&record.rule).map_err(fault)?;
        let size = notation::parse_size(&record.size).map_err(|e| fault(e.to_string()))?;
        let opening = match record.opening.as_str() {
            "" => Vec::new(),
            text => {
                openings::parse(text, size, Format::Offsets).map_err(|e| fault(e.to_string()))?
            }
        };
        let mut position = Position::new(size);
        let mut stones = Vec::new();
        for text in record.moves.split_whitespace() {
            let point = notation::parse_xy(text, size).map_err(|e| fault(e.to_string()))?;
            if !position.play(point) {
                return Err(fault(format!("two stones on {text}")));
            }
            stones.push(point);
        }
        if !stones.starts_with(&opening) {
            return Err(fault("it does not begin with its opening".to_owned()));
        }
        Ok(Some(LostGame {
            record: record.clone(),
            rule,
            size,
            color,
            stones,
            opening: opening.len(),
        }))
    }

    /// Name of the engine that won.
    pub fn opponent(&self) -> &str {
        match self.color {
            Color::Black => &self.record.white,
            Color::White => &self.record.black,
        }
    }

    /// Indices of the loser's stones after the opening.
    pub fn own_moves(&self) -> impl DoubleEndedIterator<Item = usize> + use<> {
        let parity = self.color.index();
        (self.opening..self.stones.len()).filter(move |index| index % 2 == parity)
    }

    /// The position of the first `count` stones.
    pub fn position(&self, count: usize) -> Position {
        Position::after(self.size, self.stones.iter().take(count).copied())
    }

    /// What the engine said before placing the stone with that index, if it was kept.
    pub fn announced(&self, index: usize) -> Option<&str> {
        let mut messages = self.record.messages.iter();
        let message = messages.find(|(stone, _)| *stone == index + 1);
        message.map(|(_, text)| text.as_str())
    }
}
