//! Boards drawn in text: rows from the top, `X` for Black, `O` for White, `.` for an empty point.
//!
//! Blanks between the cells and blank lines are free. A drawing has no order of play: the stones
//! are taken row by row, black and white in turn as long as both are left.

use super::notation::shown;
use crate::types::{BoardSize, Color, Point, Position};

/// Why a text is no drawn board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DiagramError {
    /// A character that is none of `X`, `O` and `.`.
    NotACell(char),
    /// Rows of different lengths; the row from 1.
    Ragged(usize),
    /// No size we play on.
    Size(String),
}

impl std::fmt::Display for DiagramError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            DiagramError::NotACell(cell) => {
                let cell = shown(&cell.to_string());
                write!(f, "'{cell}' is not a cell: use X, O and .")
            }
            DiagramError::Ragged(row) => write!(f, "row {row} is not as long as the first"),
            DiagramError::Size(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for DiagramError {}

/// The drawn position. The side with fewer stones is to move, Black if both have the same.
///
/// # Errors
/// The first fault.
pub fn parse(text: &str) -> Result<Position, DiagramError> {
    let cells = |line: &str| line.chars().filter(|c| !c.is_whitespace()).collect();
    let rows: Vec<Vec<char>> = text.lines().map(cells).collect();
    let rows: Vec<Vec<char>> = rows.into_iter().filter(|row| !row.is_empty()).collect();
    let width = rows.first().map_or(0, Vec::len);
    if let Some(row) = rows.iter().position(|row| row.len() != width) {
        return Err(DiagramError::Ragged(row + 1));
    }
    let size = BoardSize::new(width as i64, rows.len() as i64)
        .map_err(|error| DiagramError::Size(error.to_string()))?;
    let (mut black, mut white) = (Vec::new(), Vec::new());
    for (point, &cell) in size.points().zip(rows.iter().flatten()) {
        match cell {
            'X' => black.push(point),
            'O' => white.push(point),
            '.' => {}
            other => return Err(DiagramError::NotACell(other)),
        }
    }
    Ok(in_turn(size, &black, &white))
}

fn in_turn(size: BoardSize, black: &[Point], white: &[Point]) -> Position {
    let mut position = Position::new(size);
    for index in 0..black.len().max(white.len()) {
        for (stones, color) in [(black, Color::Black), (white, Color::White)] {
            if let Some(&point) = stones.get(index) {
                position.add(point, color);
            }
        }
    }
    if black.len() > white.len() {
        position.to_move = Color::White;
    }
    position
}

/// Draws the stones, one row a line.
pub fn format(position: &Position) -> String {
    let size = position.size();
    let mut text = String::new();
    for point in size.points() {
        text.push(match position.at(point) {
            Some(Color::Black) => 'X',
            Some(Color::White) => 'O',
            None => '.',
        });
        let is_last = point.x() + 1 == size.width();
        text.push(if is_last { '\n' } else { ' ' });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAWN: &str = "\
. . . . . .
. X . O . .
. . X . . .
. . . . . O
X . . . . .
";

    #[test]
    fn a_board_goes_both_ways() {
        let position = parse(DRAWN).unwrap();
        assert_eq!(format(&position), DRAWN);
        assert_eq!((position.size().width(), position.size().height()), (6, 5));
        assert_eq!(position.to_move, Color::White);
        let first = position.stones()[..2].to_vec();
        let expected = [
            (Point::new(1, 1), Color::Black),
            (Point::new(3, 1), Color::White),
        ];
        assert_eq!(first, expected);
        let loose = format!("\n{}\n", DRAWN.replace(' ', "").replace('\n', "\r\n\t"));
        assert_eq!(parse(&loose), Ok(position));
    }

    #[test]
    fn the_side_with_fewer_stones_moves() {
        let empty = ". . . . .\n".repeat(5);
        assert_eq!(parse(&empty).unwrap().to_move, Color::Black);
        let level = empty.replacen(". .", "X O", 1);
        assert_eq!(parse(&level).unwrap().to_move, Color::Black);
        let white = empty.replacen(". .", "O O", 1);
        assert_eq!(parse(&white).unwrap().to_move, Color::Black);
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let row = ".....\n";
        for (text, message) in [
            (
                format!("{row}....\n{}", row.repeat(3)),
                "row 2 is not as long as the first",
            ),
            (row.repeat(4) + "..x..", "'x' is not a cell: use X, O and ."),
        ] {
            assert_eq!(parse(&text).unwrap_err().to_string(), message);
        }
        for text in ["", row, &".......\n".repeat(23)] {
            assert!(parse(text).unwrap_err().to_string().contains("5 to 22"));
        }
    }
}
