//! Opening files: one opening a line, stones alternating from Black. Blank lines are skipped, and
//! so is everything after a `#`.

use super::notation::{NotationError, Rows, parse_moves, shown};
use crate::types::{BoardSize, Point};

/// How a line gives its stones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// `0,0, 1,-2, -3,1`: distances to the right of and below
    /// [`BoardSize::center`], so that one file serves every size (Gomocup, c-gomoku-cli).
    Offsets,
    /// `h8i9g7`.
    Moves(Rows),
}

/// Why a text is no opening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpeningError {
    /// A field that is no whole number.
    NotANumber(String),
    /// An odd count of numbers: the last stone lacks its second.
    OddCount,
    /// A stone outside the board, as the offset from the centre.
    OffBoard(i64, i64, BoardSize),
    /// Two stones on one point, as the offset from the centre.
    Repeated(i64, i64),
    /// A fault in a string of moves.
    Moves(NotationError),
}

impl std::fmt::Display for OpeningError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            OpeningError::NotANumber(text) => write!(f, "'{text}' is not a whole number"),
            OpeningError::OddCount => f.write_str("the last stone has one number only"),
            OpeningError::OffBoard(x, y, size) => {
                write!(f, "{x},{y} from the centre is not on the {size} board")
            }
            OpeningError::Repeated(x, y) => write!(f, "{x},{y} is named twice"),
            OpeningError::Moves(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for OpeningError {}

/// The openings of a file, in its order.
///
/// # Errors
/// The number (from 1) of the first line that is no opening, and why.
pub fn read(
    text: &str,
    size: BoardSize,
    format: Format,
) -> Result<Vec<Vec<Point>>, (usize, OpeningError)> {
    let lines = text.lines().zip(1..).map(|(line, number)| {
        let opening = line.split('#').next().unwrap_or("").trim();
        (opening, number)
    });
    lines
        .filter(|(opening, _)| !opening.is_empty())
        .map(|(opening, number)| parse(opening, size, format).map_err(|error| (number, error)))
        .collect()
}

/// One opening.
///
/// # Errors
/// The first fault.
pub fn parse(line: &str, size: BoardSize, format: Format) -> Result<Vec<Point>, OpeningError> {
    match format {
        Format::Offsets => parse_offsets(line, size),
        Format::Moves(rows) => parse_moves(line, size, rows).map_err(OpeningError::Moves),
    }
}

fn parse_offsets(line: &str, size: BoardSize) -> Result<Vec<Point>, OpeningError> {
    let number = |field: &str| {
        let field = field.trim();
        let not_a_number = |_| OpeningError::NotANumber(shown(field));
        field.parse::<i32>().map(i64::from).map_err(not_a_number)
    };
    let numbers: Vec<i64> = line.split(',').map(number).collect::<Result<_, _>>()?;
    let center = size.center();
    let mut points = Vec::new();
    for pair in numbers.chunks(2) {
        let &[dx, dy] = pair else {
            return Err(OpeningError::OddCount);
        };
        let point = size
            .point(i64::from(center.x()) + dx, i64::from(center.y()) + dy)
            .ok_or(OpeningError::OffBoard(dx, dy, size))?;
        if points.contains(&point) {
            return Err(OpeningError::Repeated(dx, dy));
        }
        points.push(point);
    }
    Ok(points)
}

/// The line of an opening as offsets, in the form every manager reads.
pub fn format_offsets(points: &[Point], size: BoardSize) -> String {
    let center = size.center();
    let offset = |point: &Point| {
        let dx = i32::from(point.x()) - i32::from(center.x());
        let dy = i32::from(point.y()) - i32::from(center.y());
        format!("{dx},{dy}")
    };
    points.iter().map(offset).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_offsets(text: &str, side: i64) -> Result<Vec<Vec<Point>>, (usize, OpeningError)> {
        read(text, BoardSize::square(side).unwrap(), Format::Offsets)
    }

    #[test]
    fn offsets_fit_every_size_and_go_both_ways() {
        let line = "0,0, 1,-2, -3,1";
        for (side, middle) in [(15, 7), (20, 10), (9, 4)] {
            let size = BoardSize::square(side).unwrap();
            let opening = parse(line, size, Format::Offsets).unwrap();
            let expected = [
                (middle, middle),
                (middle + 1, middle - 2),
                (middle - 3, middle + 1),
            ];
            assert_eq!(opening, expected.map(|(x, y)| Point::new(x, y)));
            assert_eq!(format_offsets(&opening, size), line);
            let all: Vec<Point> = size.points().collect();
            let written = format_offsets(&all, size);
            assert_eq!(parse(&written, size, Format::Offsets), Ok(all));
        }
    }

    #[test]
    fn files_may_have_comments_and_blank_lines() {
        let text = "# two openings\n\n0,0\r\n  1 ,\t-2,0,0   # the second\n   \n";
        let openings = read_offsets(text, 15).unwrap();
        assert_eq!(
            openings,
            [
                vec![Point::new(7, 7)],
                vec![Point::new(8, 5), Point::new(7, 7)]
            ]
        );
        assert_eq!(read_offsets("", 15), Ok(vec![]));
    }

    #[test]
    fn strings_of_moves_are_openings_too() {
        let text = "h8i9\nH8 i8 # direct\n";
        let read = |rows| read(text, BoardSize::STANDARD, Format::Moves(rows)).unwrap();
        assert_eq!(read(Rows::FromTop)[0], [Point::new(7, 7), Point::new(8, 8)]);
        assert_eq!(
            read(Rows::FromBottom)[0],
            [Point::new(7, 7), Point::new(8, 6)]
        );
    }

    #[test]
    fn errors_name_the_line() {
        for (text, line, message) in [
            ("0,0,1", 1, "the last stone has one number only"),
            ("\n0,0,", 2, "'' is not a whole number"),
            ("0,0, 1,b", 1, "'b' is not a whole number"),
            (
                "0,0\n8,0",
                2,
                "8,0 from the centre is not on the 15x15 board",
            ),
            ("99999999999,0", 1, "'99999999999' is not a whole number"),
            ("1,1, 0,0, 1,1", 1, "1,1 is named twice"),
        ] {
            let (number, error) = read_offsets(text, 15).unwrap_err();
            assert_eq!((number, error.to_string().as_str()), (line, message));
        }
        let moves = Format::Moves(Rows::FromTop);
        let error = parse("h8h99", BoardSize::STANDARD, moves).unwrap_err();
        assert_eq!(error.to_string(), "h99 is not on the 15x15 board");
    }
}
