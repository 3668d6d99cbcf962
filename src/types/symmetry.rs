//! Which points are the same by a symmetry of the position.

use super::{BoardSize, Point};

/// The symmetries of a board that leave a position as it is.
#[derive(Clone, Debug)]
pub struct Symmetries {
    size: BoardSize,
    kept: Vec<u8>,
}

impl Symmetries {
    /// Those that take each marked point to one with the same mark.
    pub fn of(size: BoardSize, marks: &[(Point, usize)]) -> Symmetries {
        let keeps = |symmetry: &u8| {
            let image = |&(point, mark): &(Point, usize)| (size.transform(point, *symmetry), mark);
            marks.iter().all(|marked| marks.contains(&image(marked)))
        };
        Symmetries {
            size,
            kept: (0..size.symmetries()).filter(keeps).collect(),
        }
    }

    /// Does one of them take `one` to `other`?
    pub fn equal(&self, one: Point, other: Point) -> bool {
        let images = self.kept.iter().map(|&s| self.size.transform(one, s));
        images.into_iter().any(|image| image == other)
    }

    /// The points of which no earlier one is the same.
    pub fn different(&self, points: &[Point]) -> Vec<Point> {
        self.parted(points).0
    }

    /// The points of which an earlier one is the same.
    pub fn repeated(&self, points: &[Point]) -> Vec<Point> {
        self.parted(points).1
    }

    fn parted(&self, points: &[Point]) -> (Vec<Point>, Vec<Point>) {
        let (mut first, mut again) = (Vec::<Point>::new(), Vec::new());
        for &point in points {
            match first.iter().any(|&earlier| self.equal(earlier, point)) {
                true => again.push(point),
                false => first.push(point),
            }
        }
        (first, again)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_renju_opening_has_at_most_one_mirror() {
        let size = BoardSize::STANDARD;
        let all: Vec<Point> = size.points().collect();
        let count = |marks: &[(Point, usize)]| Symmetries::of(size, marks).different(&all).len();
        assert_eq!(count(&[]), 36);
        let (black, direct) = ((Point::new(7, 7), 0), (Point::new(7, 6), 1));
        assert_eq!(count(&[black]), 36);
        assert_eq!(count(&[black, direct]), 15 * 8);
        assert_eq!(count(&[black, direct, (Point::new(8, 6), 0)]), 225);
        // Two stones of one colour may exchange their places, not a black and a white one.
        let pair = |mark| [(Point::new(6, 7), 0), (Point::new(8, 7), mark)];
        assert_eq!(count(&pair(0)), 64);
        assert_eq!(count(&pair(1)), 15 * 8);
    }
}
