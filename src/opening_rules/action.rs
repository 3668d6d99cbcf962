//! What a player does in an opening, and its text.

use crate::record::notation::{Rows, format_point, parse_point, parse_xy};
use crate::types::{BoardSize, Point};

/// One action of one player.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Place all stones of the step, in its order.
    Place(Vec<Point>),
    /// Exchange colours.
    Swap,
    /// Keep the colours as they are.
    Stay,
    /// Declare how many moves will be offered.
    Declare(usize),
    /// Offer these points for one stone.
    Offer(Vec<Point>),
    /// Keep this point of an offer.
    Pick(Point),
    /// Clear the board and begin again as Black.
    Refuse,
    /// Move a placed stone from the first point to the second.
    Move(Point, Point),
    /// Throw the die; the number from 1 that comes.
    Roll(usize),
}

/// The words of the notation, and what follows each.
const WORDS: &str = "place POINTS, swap, stay, declare N, offer POINTS, pick POINT, refuse, \
                     move FROM TO, roll N";

impl Action {
    /// Reads `place h8 h9`, `swap`, `stay`, `declare 4`, `offer f10 g9`, `pick g9`, `refuse`,
    /// `move h9 i9` or `roll 2`, in any letter case. Points are `h8` (row 1 at the bottom) or
    /// `7,7` (column and row from 0 at the top left), as many as there are.
    ///
    /// # Errors
    /// One line that says what is wrong.
    pub fn parse(text: &str, size: BoardSize) -> Result<Action, String> {
        let mut words = text.split_whitespace();
        let verb = words.next().unwrap_or("").to_ascii_lowercase();
        let rest: Vec<&str> = words.collect();
        let points = || -> Result<Vec<Point>, String> {
            let points = rest.iter().map(|word| point(word, size));
            let points: Vec<Point> = points.collect::<Result<_, _>>()?;
            match points.is_empty() {
                true => Err(format!("{verb}: which point?")),
                false => Ok(points),
            }
        };
        let number = || match rest[..] {
            [word] => (word.parse()).map_err(|_| format!("{verb}: '{}' is no number", shown(word))),
            _ => Err(format!("{verb}: one number is needed")),
        };
        let bare = |action: Action| match rest.is_empty() {
            true => Ok(action),
            false => Err(format!("{verb}: nothing may follow")),
        };
        match verb.as_str() {
            "place" => Ok(Action::Place(points()?)),
            "offer" => Ok(Action::Offer(points()?)),
            "pick" => match points()?[..] {
                [point] => Ok(Action::Pick(point)),
                _ => Err("pick: one point is needed".to_owned()),
            },
            "move" => match points()?[..] {
                [from, to] => Ok(Action::Move(from, to)),
                _ => Err("move: two points are needed, from and to".to_owned()),
            },
            "declare" => Ok(Action::Declare(number()?)),
            "roll" => Ok(Action::Roll(number()?)),
            "swap" => bare(Action::Swap),
            "stay" => bare(Action::Stay),
            "refuse" => bare(Action::Refuse),
            _ => Err(format!(
                "'{}' is no action: use {WORDS}",
                shown(text.trim())
            )),
        }
    }

    /// The text that [`Action::parse`] reads, points as `h8`.
    pub fn format(&self, size: BoardSize) -> String {
        let name = |point: &Point| format_point(*point, size, Rows::FromBottom);
        let names = |points: &[Point]| points.iter().map(name).collect::<Vec<_>>().join(" ");
        match self {
            Action::Place(points) => format!("place {}", names(points)),
            Action::Swap => "swap".to_owned(),
            Action::Stay => "stay".to_owned(),
            Action::Declare(number) => format!("declare {number}"),
            Action::Offer(points) => format!("offer {}", names(points)),
            Action::Pick(point) => format!("pick {}", name(point)),
            Action::Refuse => "refuse".to_owned(),
            Action::Move(from, to) => format!("move {} {}", name(from), name(to)),
            Action::Roll(number) => format!("roll {number}"),
        }
    }

    /// The points it names.
    pub fn points(&self) -> Vec<Point> {
        match self {
            Action::Place(points) | Action::Offer(points) => points.clone(),
            Action::Pick(point) => vec![*point],
            Action::Move(from, to) => vec![*from, *to],
            _ => Vec::new(),
        }
    }
}

fn point(word: &str, size: BoardSize) -> Result<Point, String> {
    let read = match word.contains(',') {
        true => parse_xy(word, size),
        false => parse_point(word, size, Rows::FromBottom),
    };
    read.map_err(|error| error.to_string())
}

/// The beginning of a wrong text, as an error repeats it.
fn shown(text: &str) -> String {
    let line: String = text.chars().take(40).collect();
    line.replace(|c: char| c.is_control(), "?")
}

/// The actions of a transcript: one a line or separated by `;`, blank ones and all after a `#`
/// left out.
pub fn split_transcript(text: &str) -> impl Iterator<Item = &str> {
    let lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or(""));
    lines
        .flat_map(|line| line.split(';'))
        .map(str::trim)
        .filter(|item| !item.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: BoardSize = BoardSize::STANDARD;

    #[test]
    fn actions_go_both_ways() {
        for text in [
            "place h8 h9 i10",
            "swap",
            "stay",
            "declare 4",
            "offer f10 a1",
            "pick o15",
            "refuse",
            "move h9 i9",
            "roll 13",
        ] {
            let action = Action::parse(text, SIZE).unwrap();
            assert_eq!(action.format(SIZE), text);
            let loud = format!("  {} ", text.to_uppercase().replace(' ', "\t"));
            assert_eq!(Action::parse(&loud, SIZE), Ok(action));
        }
        let protocol = Action::parse("offer 7,7 8,6", SIZE).unwrap();
        assert_eq!(protocol.format(SIZE), "offer h8 i9");
    }

    #[test]
    fn errors_are_one_line() {
        for (text, message) in [
            ("place", "place: which point?"),
            ("place h8 zz", "'zz' is not a point"),
            ("offer h16", "h16 is not on the 15x15 board"),
            ("pick h8 h9", "pick: one point is needed"),
            ("move h8", "move: two points are needed, from and to"),
            ("declare", "declare: one number is needed"),
            ("declare -1", "declare: '-1' is no number"),
            ("swap black", "swap: nothing may follow"),
        ] {
            assert_eq!(Action::parse(text, SIZE).unwrap_err(), message);
        }
        let unknown = Action::parse("jump\u{7}", SIZE).unwrap_err();
        assert!(unknown.starts_with("'jump?' is no action: use place POINTS, swap"));
    }

    #[test]
    fn transcripts_are_lines_or_semicolons() {
        let text = "place h8; stay # both\r\n\n  swap;;\n# nothing\n";
        let items: Vec<&str> = split_transcript(text).collect();
        assert_eq!(items, ["place h8", "stay", "swap"]);
    }
}
