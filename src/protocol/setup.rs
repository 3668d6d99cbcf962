//! Blocks → positions: which stones of a block can stand, and whose they are.

use super::block::{Block, Record, Spot};
use super::reply::quote;
use crate::types::{BoardSize, Color, Point, Position};

/// Skipped stones that are told one by one; a long list says no more than its beginning.
const MAX_TOLD: usize = 5;

/// A position read from a block and what was left out.
#[derive(Debug)]
pub struct Stones {
    /// What could be placed.
    pub position: Position,
    /// One text for each of the first pieces skipped, and one that sums up the rest.
    pub skipped: Vec<String>,
    /// Were there stones that belong to nobody?
    pub has_dead: bool,
}

/// Reads a block of `x,y,field` records: 1 is a stone of the side to move, 2 of its opponent,
/// 3 of nobody.
///
/// The side to move is Black unless the opponent has more stones, which is right for every
/// position of a real game and as good as anything for others.
pub fn by_owner(size: BoardSize, block: &Block) -> Stones {
    let (mut kept, mut skipped) = (Vec::new(), Skipped::of(block));
    let mut seen = Position::new(size);
    for record in &block.records {
        match placed(&mut seen, record) {
            Ok(point) => kept.push((point, record.field)),
            Err(text) => skipped.add(&text),
        }
    }
    let count = |field| kept.iter().filter(|(_, f)| *f == Some(field)).count();
    let own = if count(1) >= count(2) {
        Color::Black
    } else {
        Color::White
    };
    let mut position = Position::new(size);
    position.to_move = own;
    for (point, field) in &kept {
        // Stones of nobody are obstacles to us, and so are the opponent's.
        let color = if *field == Some(1) {
            own
        } else {
            own.opponent()
        };
        position.add(*point, color);
    }
    Stones {
        position,
        skipped: skipped.texts(),
        has_dead: count(3) > 0,
    }
}

/// Reads a block of stones in order of play, Black first, whatever their third field.
pub fn in_turn(size: BoardSize, block: &Block) -> Stones {
    let mut skipped = Skipped::of(block);
    let mut position = Position::new(size);
    for record in &block.records {
        let stone = on_board(size, record.spot);
        let result = stone.and_then(|p| position.play(p).then_some(()).ok_or_else(taken));
        if let Err(text) = result {
            skipped.add(&format!("{record}: {text}"));
        }
    }
    Stones {
        position,
        skipped: skipped.texts(),
        has_dead: false,
    }
}

/// The point of that name.
///
/// # Errors
/// A line that says what is on the board.
pub fn on_board(size: BoardSize, spot: Spot) -> Result<Point, String> {
    size.point(spot.x, spot.y).ok_or_else(|| {
        let (x, y) = (size.width() - 1, size.height() - 1);
        format!("point {spot} is off the {size} board: x is 0 to {x}, y is 0 to {y}")
    })
}

fn placed(seen: &mut Position, record: &Record) -> Result<Point, String> {
    if !matches!(record.field, Some(1..=3)) {
        return Err(format!("{record}: expected x,y,1 or x,y,2 or x,y,3"));
    }
    let point = on_board(seen.size(), record.spot).map_err(|text| format!("{record}: {text}"))?;
    let placed = seen.add(point, Color::Black);
    placed
        .then_some(point)
        .ok_or_else(|| format!("{record}: {}", taken()))
}

fn taken() -> String {
    "the point is taken".to_owned()
}

/// The skipped pieces of a block.
struct Skipped {
    texts: Vec<String>,
    count: usize,
}

impl Skipped {
    /// What the parser could not read.
    fn of(block: &Block) -> Skipped {
        Skipped {
            texts: block.bad.iter().map(|piece| quote(piece)).collect(),
            count: block.bad_count,
        }
    }

    fn add(&mut self, text: &str) {
        self.count += 1;
        self.texts.push(text.to_owned());
    }

    fn texts(mut self) -> Vec<String> {
        self.texts.truncate(MAX_TOLD);
        let untold = self.count - self.texts.len();
        if untold > 0 {
            self.texts.push(format!("{untold} more"));
        }
        self.texts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(text: &str) -> Stones {
        by_owner(BoardSize::STANDARD, &Block::of(text))
    }

    #[test]
    fn the_side_to_move_follows_from_the_counts() {
        for (text, color) in [
            ("", Color::Black),
            ("7,7,1 8,8,2", Color::Black),
            ("7,7,2", Color::White),
            ("7,7,2 8,7,1 9,9,2", Color::White),
            ("7,7,1 8,8,1 6,6,2 5,5,2", Color::Black),
            ("1,1,1 2,2,1 3,3,1 4,4,1 5,5,2", Color::Black),
            ("1,1,2 2,2,2 3,3,2", Color::White),
        ] {
            assert_eq!(board(text).position.to_move, color, "{text}");
        }
    }

    #[test]
    fn colours_follow_the_owner_and_order_is_kept() {
        let stones = board("7,7,2 8,7,1 9,9,2");
        let expected = [
            (Point::new(7, 7), Color::Black),
            (Point::new(8, 7), Color::White),
            (Point::new(9, 9), Color::Black),
        ];
        assert_eq!(stones.position.stones(), expected);
        assert!(stones.skipped.is_empty());
    }

    #[test]
    fn dead_stones_stand_in_the_way_and_count_for_nobody() {
        let stones = board("7,7,1 8,8,2 9,9,3");
        assert!(stones.has_dead);
        assert_eq!(stones.position.to_move, Color::Black);
        assert_eq!(stones.position.at(Point::new(9, 9)), Some(Color::White));
    }

    #[test]
    fn bad_stones_are_skipped_and_told() {
        let stones = board("7,7,1 7,7,2 15,0,1 -1,3,2 x 1,1 2,2,4 8,8,2");
        assert_eq!(stones.position.stones().len(), 2);
        assert_eq!(stones.skipped.len(), 6);
        assert!(
            stones
                .skipped
                .iter()
                .any(|t| t.contains("off the 15x15 board"))
        );
        assert!(stones.skipped.iter().any(|t| t.contains("taken")));
        assert_eq!(stones.skipped.last().unwrap(), "1 more");
    }

    #[test]
    fn swap2_stones_alternate_whatever_their_field() {
        for text in ["7,7 8,7 9,9", "7,7,1 8,7,1 9,9,2"] {
            let stones = in_turn(BoardSize::STANDARD, &Block::of(text)).position;
            assert_eq!(stones.to_move, Color::White);
            assert_eq!(stones.at(Point::new(8, 7)), Some(Color::White));
        }
    }
}
