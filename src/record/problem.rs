//! Set-up positions as JSON: stones by colour and the side to move, as in files of problems.
//!
//! ```json
//! {"id":"a-name","rule":"renju","side":"black","black":["h8","i9"],"white":["h9"]}
//! ```
//! Fields beyond these are the business of who reads the file.

use serde::Deserialize;

use super::notation::{Rows, parse_point};
use crate::types::{BoardSize, Color, Position};

/// A set-up position.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Problem {
    /// Its name in the file.
    pub id: String,
    /// The rule, by name or number.
    pub rule: String,
    side: String,
    black: Vec<String>,
    white: Vec<String>,
}

impl Problem {
    /// The position on a board of that size; rows count from the bottom.
    ///
    /// # Errors
    /// A line that says which point or side is wrong.
    pub fn position(&self, size: BoardSize) -> Result<Position, String> {
        let mut position = Position::new(size);
        for (stones, color) in [(&self.black, Color::Black), (&self.white, Color::White)] {
            for text in stones {
                let point = parse_point(text, size, Rows::FromBottom);
                if !position.add(point.map_err(|error| error.to_string())?, color) {
                    return Err(format!("{text} is named twice"));
                }
            }
        }
        position.to_move = self.side.parse()?;
        Ok(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Point;

    fn read(side: &str, white: &str) -> Result<Position, String> {
        let text = format!(
            r#"{{"id":"a","rule":"0","side":"{side}","black":["h8"],"white":["{white}"],"more":1}}"#
        );
        let problem: Problem = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        problem.position(BoardSize::STANDARD)
    }

    #[test]
    fn stones_and_side_are_those_of_the_text() {
        let position = read("black", "a15").unwrap();
        let expected = [
            (Point::new(7, 7), Color::Black),
            (Point::new(0, 0), Color::White),
        ];
        assert_eq!(position.stones(), expected);
        assert_eq!(position.to_move, Color::Black);
        assert_eq!(read("white", "a15").unwrap().to_move, Color::White);
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(read("black", "h8"), Err("h8 is named twice".to_owned()));
        assert_eq!(
            read("red", "h9"),
            Err("'red' is neither black nor white".to_owned())
        );
        assert!(read("black", "z99").is_err());
    }
}
