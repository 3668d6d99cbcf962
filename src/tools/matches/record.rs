//! What is kept of a game: one JSON object a line in the results file.

use serde::{Deserialize, Serialize};

use crate::types::Color;

/// Who won.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Winner {
    /// The side of the first stone.
    Black,
    /// The other side.
    White,
    /// Nobody.
    Draw,
}

impl Winner {
    /// That side won.
    pub fn side(color: Color) -> Winner {
        match color {
            Color::Black => Winner::Black,
            Color::White => Winner::White,
        }
    }

    /// Half points of `color`.
    pub fn half_points(self, color: Color) -> u8 {
        match self {
            Winner::Draw => 1,
            _ if self == Winner::side(color) => 2,
            _ => 0,
        }
    }
}

/// Why a game ended as it did. From [`Reason::Illegal`] on it names what the loser did.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// A winning row.
    Row,
    /// A draw by the rules of the profile; the detail says which.
    Draw,
    /// A stone on a taken point.
    Illegal,
    /// A stone on a forbidden point.
    Forbidden,
    /// A move after its limit, or none although it spoke.
    Time,
    /// Nothing at all before its limit.
    Silence,
    /// Its process or its output ended.
    Crash,
    /// Output that is no answer: unknown lines, points off the board, a flood.
    Garbage,
}

impl Reason {
    /// Did the loser fail as a program rather than as a player? Such games of the opponent are
    /// left out of the counted score.
    pub fn is_failure(self) -> bool {
        use Reason::{Crash, Garbage, Silence, Time};
        matches!(self, Time | Silence | Crash | Garbage)
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Reason::Row => "row",
            Reason::Draw => "draw",
            Reason::Illegal => "illegal",
            Reason::Forbidden => "forbidden",
            Reason::Time => "time",
            Reason::Silence => "silence",
            Reason::Crash => "crash",
            Reason::Garbage => "garbage",
        })
    }
}

/// An opening that was played by an opening rule.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OpeningRecord {
    /// Name of the rule.
    pub rule: String,
    /// Name of player A.
    pub first: String,
    /// The actions, each with its player: `A: place h8 h9 i10`.
    pub actions: Vec<String>,
}

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number in the schedule, from 0.
    pub game: usize,
    /// Name of the side of the black stones, after the opening.
    pub black: String,
    /// Name of the other side.
    pub white: String,
    /// The rule's name.
    pub rule: String,
    /// `15x15`.
    pub size: String,
    /// Number of the opening in its file, from 0.
    pub opening_number: usize,
    /// The opening in offset notation, empty for none.
    pub opening: String,
    /// How the opening came about, when it was played by an opening rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening_play: Option<OpeningRecord>,
    /// Every stone, opening included, as `x,y` separated by blanks.
    pub moves: String,
    /// Milliseconds of each stone, 0 in the opening.
    pub times: Vec<u32>,
    /// Who won.
    pub result: Winner,
    /// Why.
    pub reason: Reason,
    /// The reason in words.
    pub detail: String,
    /// What else was noticed, such as an engine that had to be killed after the game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The last message before a move, with the number of the stone it came with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<(usize, String)>,
}
