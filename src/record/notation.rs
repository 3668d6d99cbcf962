//! Points, strings of moves and board sizes as text.
//!
//! * `h8`: the letter is the column from the left (all letters, `i` included), the number the row
//!   from 1, counted as [`Rows`] says. A string of moves is such points without separators,
//!   `h8i9g7`; on reading, letters of either case and blanks between points are accepted.
//! * `7,7`: column and row from 0 at the top left, as in the protocol.

use crate::types::{BoardSize, Point};

/// Where row 1 is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Rows {
    /// At the bottom: printed diagrams, renju books, Yixin-Board, the cases of our tests.
    #[default]
    FromBottom,
    /// At the top: position strings of c-gomoku-cli and of the Gomocup judge.
    FromTop,
}

/// Why a text is no point, no string of moves or no board size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotationError {
    /// Not of the form asked for.
    NotAPoint(String),
    /// A point, but not of this board.
    OffBoard(String, BoardSize),
    /// A point that the same string names twice.
    Repeated(String),
    /// No board size, and why.
    NotASize(String),
}

impl std::fmt::Display for NotationError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotationError::NotAPoint(text) => write!(f, "'{text}' is not a point"),
            NotationError::OffBoard(text, size) => {
                write!(f, "{text} is not on the {size} board")
            }
            NotationError::Repeated(text) => write!(f, "{text} is named twice"),
            NotationError::NotASize(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for NotationError {}

/// `h8`.
pub fn format_point(point: Point, size: BoardSize, rows: Rows) -> String {
    let row = match rows {
        Rows::FromBottom => size.height().saturating_sub(point.y()),
        Rows::FromTop => point.y() + 1,
    };
    format!("{}{row}", column_letter(point.x()))
}

/// The letter of column `x` (below 22).
pub fn column_letter(x: u8) -> char {
    char::from(b'a' + x)
}

/// Reads `h8`.
///
/// # Errors
/// When it is not a letter and a number, or not on the board.
pub fn parse_point(text: &str, size: BoardSize, rows: Rows) -> Result<Point, NotationError> {
    let text = text.trim();
    let parts = || {
        let letter = text.chars().next().filter(char::is_ascii_alphabetic)?;
        let digits = &text[1..];
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let x = i64::from(letter.to_ascii_lowercase() as u8 - b'a');
        // A number too long to read is off the board, as is row 0.
        is_number.then(|| (x, digits.parse().unwrap_or(0)))
    };
    let (x, row): (i64, u16) = parts().ok_or_else(|| NotationError::NotAPoint(shown(text)))?;
    let row = i64::from(row);
    let y = match rows {
        Rows::FromBottom => i64::from(size.height()) - row,
        Rows::FromTop => row - 1,
    };
    let off_board = || NotationError::OffBoard(shown(text), size);
    size.point(x, y).ok_or_else(off_board)
}

/// `7,7`.
pub fn format_xy(point: Point) -> String {
    format!("{},{}", point.x(), point.y())
}

/// Reads `7,7`; blanks around the numbers are accepted.
///
/// # Errors
/// When it is not two numbers with a comma between, or not on the board.
pub fn parse_xy(text: &str, size: BoardSize) -> Result<Point, NotationError> {
    let numbers = text.split_once(',').and_then(|(x, y)| {
        let number = |text: &str| text.trim().parse::<i64>().ok();
        Some((number(x)?, number(y)?))
    });
    let text = text.trim();
    let (x, y) = numbers.ok_or_else(|| NotationError::NotAPoint(shown(text)))?;
    let off_board = || NotationError::OffBoard(shown(text), size);
    size.point(x, y).ok_or_else(off_board)
}

/// `h8i9g7`.
pub fn format_moves(points: &[Point], size: BoardSize, rows: Rows) -> String {
    let name = |&point: &Point| format_point(point, size, rows);
    points.iter().map(name).collect()
}

/// Reads `h8i9g7`. The empty text is no moves.
///
/// # Errors
/// For the first part that is not a point of the board, or that repeats a point.
pub fn parse_moves(text: &str, size: BoardSize, rows: Rows) -> Result<Vec<Point>, NotationError> {
    let mut points = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        // A point ends where the next letter, or a blank, begins.
        let ends = |(at, c): (usize, char)| (at > 0 && !c.is_ascii_digit()).then_some(at);
        let end = rest.char_indices().find_map(ends).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let point = parse_point(word, size, rows)?;
        if points.contains(&point) {
            return Err(NotationError::Repeated(shown(word)));
        }
        points.push(point);
        rest = after.trim_start();
    }
    Ok(points)
}

/// Reads a board size: `15` (square) or `20x12` (columns x rows).
///
/// # Errors
/// When it is neither, or no size we play on.
pub fn parse_size(text: &str) -> Result<BoardSize, NotationError> {
    let number = |text: &str| text.trim().parse::<i64>().ok();
    let (width, height) = text.split_once(['x', 'X']).unwrap_or((text, text));
    let not_a_size = || format!("'{}' is not a board size such as 15 or 20x12", shown(text));
    number(width)
        .zip(number(height))
        .ok_or_else(not_a_size)
        .and_then(|(w, h)| BoardSize::new(w, h).map_err(|error| error.to_string()))
        .map_err(NotationError::NotASize)
}

/// At most this many characters of a wrong input are repeated in an error.
const SHOWN_CHARS: usize = 40;

/// The text as an error shows it: one short line.
pub(super) fn shown(text: &str) -> String {
    let mut line: String = text.chars().take(SHOWN_CHARS).collect();
    if line.len() < text.len() {
        line.push_str("...");
    }
    line.replace(|c: char| c.is_control(), "?")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: BoardSize = BoardSize::STANDARD;

    #[test]
    fn points_go_both_ways_on_every_size() {
        for (width, height) in [(15, 15), (5, 22), (22, 5), (20, 20)] {
            let size = BoardSize::new(width, height).unwrap();
            for point in size.points() {
                for rows in [Rows::FromBottom, Rows::FromTop] {
                    let text = format_point(point, size, rows);
                    assert_eq!(parse_point(&text, size, rows), Ok(point));
                    assert_eq!(parse_point(&text.to_uppercase(), size, rows), Ok(point));
                }
                assert_eq!(parse_xy(&format_xy(point), size), Ok(point));
            }
            let all: Vec<Point> = size.points().collect();
            let text = format_moves(&all, size, Rows::FromTop);
            assert_eq!(parse_moves(&text, size, Rows::FromTop), Ok(all));
        }
    }

    /// The example of the study: 7,7 7,8 9,6 with rows from the top, mirrored from the bottom.
    #[test]
    fn rows_are_counted_from_either_side() {
        let moves = |rows| parse_moves("h8h9j7", SIZE, rows).unwrap();
        let points = |list: [(u8, u8); 3]| list.map(|(x, y)| Point::new(x, y)).to_vec();
        assert_eq!(moves(Rows::FromTop), points([(7, 7), (7, 8), (9, 6)]));
        assert_eq!(moves(Rows::FromBottom), points([(7, 7), (7, 6), (9, 8)]));
        assert_eq!(moves(Rows::default()), moves(Rows::FromBottom));
    }

    #[test]
    fn moves_may_be_spaced_and_in_capitals() {
        let plain = parse_moves("h8i10a1", SIZE, Rows::FromBottom);
        assert_eq!(parse_moves("  H8 i10\tA1\n", SIZE, Rows::FromBottom), plain);
        assert_eq!(parse_moves(" ", SIZE, Rows::FromBottom), Ok(vec![]));
        assert_eq!(parse_xy(" 7 , 8 ", SIZE), Ok(Point::new(7, 8)));
    }

    #[test]
    fn errors_name_the_wrong_part() {
        for (text, message) in [
            ("h8h", "'h' is not a point"),
            ("h8 8h", "'8' is not a point"),
            ("h8,i9", "',' is not a point"),
            ("h8ä9", "'ä9' is not a point"),
            ("h-8", "'h' is not a point"),
            ("h8p9", "p9 is not on the 15x15 board"),
            ("h0", "h0 is not on the 15x15 board"),
            ("h16", "h16 is not on the 15x15 board"),
            (
                "h99999999999999999999",
                "h99999999999999999999 is not on the 15x15 board",
            ),
            ("h8i9H8", "H8 is named twice"),
        ] {
            let error = parse_moves(text, SIZE, Rows::FromBottom).unwrap_err();
            assert_eq!(error.to_string(), message);
        }
        for (text, message) in [
            ("7", "'7' is not a point"),
            ("7,", "'7,' is not a point"),
            ("7,7,7", "'7,7,7' is not a point"),
            ("-1,3", "-1,3 is not on the 15x15 board"),
            ("15,0", "15,0 is not on the 15x15 board"),
        ] {
            assert_eq!(parse_xy(text, SIZE).unwrap_err().to_string(), message);
        }
        let long = parse_xy(&"x\n".repeat(1000), SIZE).unwrap_err().to_string();
        assert!(long.len() < 80 && !long.contains('\n'), "{long}");
    }

    #[test]
    fn sizes_are_read() {
        assert_eq!(parse_size("15"), Ok(SIZE));
        assert_eq!(parse_size("20x12"), Ok(BoardSize::new(20, 12).unwrap()));
        for text in ["", "x", "15x", "15x15x15", "23", "4x15", "abc"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }
}
