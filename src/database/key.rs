//! What a record is found by: rule, board size, stones and side to move, the same for all
//! positions that are images of each other under a symmetry of the board.

use crate::rules::RuleSpec;
use crate::types::{BoardSize, Color, Point, Position};

/// Bytes before the stones: rule, width, height, side to move, and the number of black stones.
const HEADER: usize = 6;
/// Boards up to this many points take a byte a stone.
const SMALL: usize = 256;

/// The key of a position. Its bytes sort by rule and board size first.
///
/// ```text
/// rule code, width, height, side to move (0 Black)   one byte each
/// number of black stones                             two bytes, high one first
/// black stones, white stones                         each ascending, as row * width + column:
///                                                    a byte each, two on boards over 256 points
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Key(Vec<u8>);

impl Key {
    /// The key of `position` under `rule`: the least one of all its images.
    pub fn of(rule: &RuleSpec, position: &Position) -> Key {
        let size = position.size();
        let images = (0..size.symmetries()).map(|s| image(rule, position, s));
        // There is always at least the identity.
        images.min().unwrap_or_else(|| image(rule, position, 0))
    }

    /// The bytes of the key.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// What all keys of that rule and size begin with.
    pub fn prefix(rule: &RuleSpec, size: BoardSize) -> [u8; 3] {
        [rule.code as u8, size.width(), size.height()]
    }

    /// The rule and the position that these bytes are the key of; stones in order of their
    /// points, Black's first. None when they are no key.
    pub fn decode(bytes: &[u8]) -> Option<(&'static RuleSpec, Position)> {
        let (header, stones) = bytes.split_at_checked(HEADER)?;
        let &[code, width, height, side, high, low] = header else {
            return None;
        };
        let rule = RuleSpec::by_code(code.into())?;
        let size = BoardSize::new(width.into(), height.into()).ok()?;
        let black = usize::from(u16::from_be_bytes([high, low]));
        let step = if size.area() > SMALL { 2 } else { 1 };
        let cells = stones.chunks(step);
        if stones.len() % step != 0 || cells.len() < black {
            return None;
        }
        let mut position = Position::new(size);
        for (index, cell) in cells.enumerate() {
            let cell = cell
                .iter()
                .fold(0, |cell, byte| cell * 256 + i64::from(*byte));
            let width = i64::from(width);
            let point = size.point(cell % width, cell / width)?;
            let color = match index < black {
                true => Color::Black,
                false => Color::White,
            };
            if !position.add(point, color) {
                return None;
            }
        }
        position.to_move = match side {
            0 => Color::Black,
            1 => Color::White,
            _ => return None,
        };
        Some((rule, position))
    }
}

/// The bytes of one image of a position.
fn image(rule: &RuleSpec, position: &Position, symmetry: u8) -> Key {
    let size = position.size();
    let cells = |side: Color| {
        let stones = position.stones().iter().filter(|(_, color)| *color == side);
        let mut cells: Vec<u16> = stones
            .map(|(point, _)| cell(size, size.transform(*point, symmetry)))
            .collect();
        cells.sort_unstable();
        cells
    };
    let (black, white) = (cells(Color::Black), cells(Color::White));
    let mut bytes = Key::prefix(rule, size).to_vec();
    bytes.push(match position.to_move {
        Color::Black => 0,
        Color::White => 1,
    });
    bytes.extend((black.len() as u16).to_be_bytes());
    for cell in black.into_iter().chain(white) {
        match size.area() > SMALL {
            true => bytes.extend(cell.to_be_bytes()),
            false => bytes.push(cell as u8),
        }
    }
    Key(bytes)
}

fn cell(size: BoardSize, point: Point) -> u16 {
    u16::from(point.y()) * u16::from(size.width()) + u16::from(point.x())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::PRESETS;
    use crate::types::rng::SplitMix64;

    fn random_position(size: BoardSize, rng: &mut SplitMix64) -> Position {
        let points: Vec<Point> = size.points().collect();
        let count = rng.below(points.len().min(40));
        Position::after(size, (0..count).map(|_| points[rng.below(points.len())]))
    }

    fn turned(position: &Position, symmetry: u8) -> Position {
        let size = position.size();
        let mut turned = Position::new(size);
        // Another order of play as well.
        for (point, color) in position.stones().iter().rev() {
            turned.add(size.transform(*point, symmetry), *color);
        }
        turned.to_move = position.to_move;
        turned
    }

    #[test]
    fn images_share_a_key_and_the_key_gives_one_of_them_back() {
        let mut rng = SplitMix64::new(4);
        for (width, height) in [(15, 15), (5, 5), (22, 22), (20, 15), (15, 20), (16, 16)] {
            let size = BoardSize::new(width, height).unwrap();
            for rule in &PRESETS {
                let position = random_position(size, &mut rng);
                let key = Key::of(rule, &position);
                for symmetry in 0..size.symmetries() {
                    assert_eq!(Key::of(rule, &turned(&position, symmetry)), key);
                }
                let (found, back) = Key::decode(key.bytes()).unwrap();
                assert_eq!(found, rule);
                assert_eq!(back.stones().len(), position.stones().len());
                assert_eq!(Key::of(rule, &back), key);
            }
        }
    }

    /// On a board that is not square a diagonal mirror is no symmetry.
    #[test]
    fn rectangles_have_four_symmetries() {
        let size = BoardSize::new(15, 14).unwrap();
        let at = |x, y| Key::of(&PRESETS[0], &Position::after(size, [Point::new(x, y)]));
        assert_eq!(at(2, 3), at(12, 10));
        assert_ne!(at(2, 3), at(3, 2));
    }

    #[test]
    fn rule_size_and_side_are_part_of_the_key() {
        let position = Position::after(BoardSize::STANDARD, [Point::new(7, 7)]);
        let mut passed = position.clone();
        passed.to_move = Color::Black;
        let smaller = Position::after(BoardSize::square(14).unwrap(), [Point::new(7, 7)]);
        let mut keys: Vec<Key> = PRESETS.iter().map(|r| Key::of(r, &position)).collect();
        keys.extend([&passed, &smaller].map(|p| Key::of(&PRESETS[0], p)));
        let count = keys.len();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), count);
    }

    #[test]
    fn what_is_no_key_is_told() {
        let position = Position::after(BoardSize::STANDARD, [Point::new(3, 2)]);
        let good = Key::of(&PRESETS[0], &position).bytes().to_vec();
        assert!(Key::decode(&good).is_some());
        let changed = |at: usize, byte: u8| {
            let mut bytes = good.clone();
            bytes[at] = byte;
            Key::decode(&bytes).is_none()
        };
        assert!(changed(0, 250) && changed(1, 4) && changed(3, 2) && changed(5, 9));
        assert!(changed(6, 225));
        assert!(Key::decode(&good[..5]).is_none() && Key::decode(&[]).is_none());
        let doubled = [&good[..], &good[6..]].concat();
        assert!(Key::decode(&doubled).is_none());
    }
}
