//! Moves that may not be played: by YXBLOCK anywhere, by YXBLOCKPATH in one position, and by
//! `INFO nbestsym` those that mirror another.

use std::collections::BTreeSet;

use super::block::Block;
use super::setup;
use crate::types::rng::split_mix;
use crate::types::{BoardSize, Color, Point, Position, Symmetries};

/// Points and paths kept, each; a board with a point blocked after every move of a long game
/// needs less.
const MOST: usize = 50_000;

/// What has been blocked so far.
#[derive(Debug, Default)]
pub struct Blocked {
    spots: BTreeSet<(i64, i64)>,
    /// Positions by [`key`] and the point that is blocked there.
    paths: BTreeSet<(u64, Point)>,
}

impl Blocked {
    /// Blocks these points as first moves.
    pub fn add(&mut self, block: &Block) {
        let room = MOST.saturating_sub(self.spots.len());
        self.spots.extend(spots(block).take(room));
    }

    /// Lifts [`Blocked::add`] for these points.
    pub fn remove(&mut self, block: &Block) {
        for spot in spots(block) {
            self.spots.remove(&spot);
        }
    }

    /// Lifts [`Blocked::add`] for all points.
    pub fn clear(&mut self) {
        self.spots.clear();
    }

    /// Blocks the last point of the path in the position after the points before it.
    pub fn add_path(&mut self, size: BoardSize, block: &Block) {
        if self.paths.len() < MOST {
            self.paths.extend(path(size, block));
        }
    }

    /// Lifts [`Blocked::add_path`] for this path.
    pub fn remove_path(&mut self, size: BoardSize, block: &Block) {
        if let Some(path) = path(size, block) {
            self.paths.remove(&path);
        }
    }

    /// Lifts [`Blocked::add_path`] for all paths.
    pub fn clear_paths(&mut self) {
        self.paths.clear();
    }

    /// The empty points that may not be played in `position`, unless they are all there are.
    /// With `fold`, of moves that mirror each other only one is left.
    pub fn points(&self, position: &Position, fold: bool) -> Vec<Point> {
        let size = position.size();
        let anywhere = self.spots.iter().filter_map(|(x, y)| size.point(*x, *y));
        let here = key(position);
        let after_path = self
            .paths
            .range((here, Point::NONE)..)
            .take_while(|(key, _)| *key == here)
            .map(|(_, point)| *point);
        let empty = |point: &Point| position.at(*point).is_none();
        let mut points: BTreeSet<Point> = anywhere.chain(after_path).filter(empty).collect();
        if fold {
            let mirrored = mirrored(position, &points);
            points.extend(mirrored);
        }
        if points.len() >= position.empty_points() {
            points.clear();
        }
        points.into_iter().collect()
    }
}

fn spots(block: &Block) -> impl Iterator<Item = (i64, i64)> {
    block.records.iter().map(|r| (r.spot.x, r.spot.y))
}

/// The position and the point that a path blocks; none when the path is no sequence of moves on
/// the board. Boards block all points of the largest board but one, so such paths are no error.
fn path(size: BoardSize, block: &Block) -> Option<(u64, Point)> {
    let stones = setup::in_turn(size, block);
    let whole = stones.skipped.is_empty() && !block.records.is_empty();
    let mut position = stones.position;
    let (point, _) = position.last().filter(|_| whole)?;
    position.remove(point);
    Some((key(&position), point))
}

/// Equal for positions of the same stones, whatever their order.
fn key(position: &Position) -> u64 {
    let size = position.size();
    let frame = u64::from(size.width()) << 32 | u64::from(size.height()) << 40;
    let stone = |(point, color): &(Point, Color)| {
        split_mix((point.index() as u64) << 1 | color.index() as u64)
    };
    let stones = position.stones().iter().map(stone);
    stones.fold(split_mix(frame), |sum, stone| sum ^ stone)
}

/// The empty points that some symmetry of `position` maps onto one that is not `taken` and comes
/// before them.
fn mirrored(position: &Position, taken: &BTreeSet<Point>) -> Vec<Point> {
    let size = position.size();
    let marked = |(point, color): &(Point, Color)| (*point, color.index());
    let stones: Vec<(Point, usize)> = position.stones().iter().map(marked).collect();
    let is_free = |point: &Point| position.at(*point).is_none() && !taken.contains(point);
    let free: Vec<Point> = size.points().filter(is_free).collect();
    Symmetries::of(size, &stones).repeated(&free)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(text: &str) -> Position {
        setup::in_turn(BoardSize::STANDARD, &Block::of(text)).position
    }

    fn shown(points: &[Point]) -> String {
        let words: Vec<String> = points
            .iter()
            .map(|p| format!("{},{}", p.x(), p.y()))
            .collect();
        words.join(" ")
    }

    #[test]
    fn points_are_blocked_until_undone() {
        let mut blocked = Blocked::default();
        blocked.add(&Block::of("7,7 8,8 99,9 -1,0"));
        let here = position("7,7");
        assert_eq!(shown(&blocked.points(&here, false)), "8,8");
        blocked.remove(&Block::of("8,8"));
        assert!(blocked.points(&here, false).is_empty());
        assert_eq!(shown(&blocked.points(&position(""), false)), "7,7");
        blocked.clear();
        assert!(blocked.points(&position(""), false).is_empty());
    }

    #[test]
    fn a_path_blocks_in_its_position_whatever_the_order() {
        let mut blocked = Blocked::default();
        let size = BoardSize::STANDARD;
        blocked.add_path(size, &Block::of("7,7 8,8 9,9 6,6"));
        blocked.add_path(size, &Block::of("7,7 8,8 9,9 6,7"));
        blocked.add_path(size, &Block::of("7,7 8,8 9,9 8,8"));
        blocked.add_path(size, &Block::of("7,7 8,8 9,9 21,8"));
        blocked.add_path(size, &Block::of(""));
        for same in ["7,7 8,8 9,9", "9,9 8,8 7,7"] {
            assert_eq!(shown(&blocked.points(&position(same), false)), "6,6 6,7");
        }
        for other in ["", "7,7 8,8", "8,8 7,7 9,9", "7,7 8,8 9,9 1,1"] {
            assert!(
                blocked.points(&position(other), false).is_empty(),
                "{other}"
            );
        }
        blocked.remove_path(size, &Block::of("9,9 8,8 7,7 6,6"));
        let here = position("7,7 8,8 9,9");
        assert_eq!(shown(&blocked.points(&here, false)), "6,7");
        blocked.clear_paths();
        assert!(blocked.points(&here, false).is_empty());
    }

    #[test]
    fn a_path_of_one_point_blocks_the_opening() {
        let mut blocked = Blocked::default();
        blocked.add_path(BoardSize::STANDARD, &Block::of("7,7"));
        assert_eq!(shown(&blocked.points(&position(""), false)), "7,7");
    }

    #[test]
    fn a_flood_is_not_kept() {
        let mut blocked = Blocked::default();
        for x in 0..2 * MOST as i64 {
            blocked.add(&Block::of(&format!("{x},0")));
        }
        assert_eq!(blocked.spots.len(), MOST);
    }

    #[test]
    fn all_points_blocked_is_none_blocked() {
        let mut blocked = Blocked::default();
        for x in 0..15 {
            let column: Vec<String> = (0..15).map(|y| format!("{x},{y}")).collect();
            blocked.add(&Block::of(&column.join(" ")));
        }
        assert!(blocked.points(&position("7,7"), false).is_empty());
    }

    #[test]
    fn of_mirrored_moves_one_is_left() {
        let left = |text: &str| {
            225 - position(text).stones().len()
                - Blocked::default().points(&position(text), true).len()
        };
        // A centre stone leaves one eighth of the board: the cells of a triangle.
        assert_eq!(left("7,7"), 35);
        // One reflection is left: half of the rest, and the points of its axis.
        assert_eq!(left("7,7 7,6"), 7 * 15 + 15 - 2);
        assert_eq!(left("7,7 7,6 5,5"), 222);
        // The one that is left is not the blocked one.
        let mut blocked = Blocked::default();
        blocked.add(&Block::of("6,6"));
        let points = blocked.points(&position("7,7"), true);
        assert!(points.contains(&Point::new(6, 6)) && !points.contains(&Point::new(8, 6)));
    }
}
