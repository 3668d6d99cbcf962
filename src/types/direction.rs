//! The four line directions through a point.

/// A line direction. The step of each goes to the right, vertical goes down.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Direction {
    /// x grows.
    Horizontal = 0,
    /// y grows.
    Vertical = 1,
    /// x and y grow.
    Falling = 2,
    /// x grows, y shrinks.
    Rising = 3,
}

impl Direction {
    /// All four, in index order.
    pub const ALL: [Direction; 4] = [
        Direction::Horizontal,
        Direction::Vertical,
        Direction::Falling,
        Direction::Rising,
    ];

    /// 0..4.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The step as (dx, dy).
    #[inline]
    pub const fn step(self) -> (i32, i32) {
        match self {
            Direction::Horizontal => (1, 0),
            Direction::Vertical => (0, 1),
            Direction::Falling => (1, 1),
            Direction::Rising => (1, -1),
        }
    }

    /// The step as a difference of [`Point`](super::Point) indices.
    #[inline]
    pub const fn stride(self) -> i32 {
        let (dx, dy) = self.step();
        dy * 32 + dx
    }
}
