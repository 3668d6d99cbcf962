//! A position as a list of stones: what the outside hands to the engine.

use super::{BoardSize, Color, Point};

/// Stones on a board, in order of play, and the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    size: BoardSize,
    stones: Vec<(Point, Color)>,
    /// The side that places the next stone.
    pub to_move: Color,
}

impl Position {
    /// The empty board, Black to move.
    pub fn new(size: BoardSize) -> Position {
        Position {
            size,
            stones: Vec::new(),
            to_move: Color::Black,
        }
    }

    /// The board after `moves` of both sides in turn; a move to a taken point is left out.
    pub fn after(size: BoardSize, moves: impl IntoIterator<Item = Point>) -> Position {
        let mut position = Position::new(size);
        for point in moves {
            position.play(point);
        }
        position
    }

    /// The stones as moves that alternate from Black: those of either colour in the order they
    /// were placed, as far as both have one.
    pub fn in_turn(&self) -> Vec<Point> {
        let of = |side: Color| {
            let stones = self.stones.iter().filter(move |(_, color)| *color == side);
            stones.map(|(point, _)| *point)
        };
        let (mut black, mut white) = (of(Color::Black), of(Color::White));
        let next = |ply| match Color::of_ply(ply) {
            Color::Black => black.next(),
            Color::White => white.next(),
        };
        (0..self.stones.len()).filter_map(next).collect()
    }

    /// The same with every stone of the other colour, and the other side to move.
    #[must_use]
    pub fn with_colors_exchanged(mut self) -> Position {
        for (_, color) in &mut self.stones {
            *color = color.opponent();
        }
        self.to_move = self.to_move.opponent();
        self
    }

    /// The board size.
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// The stones in order of play.
    pub fn stones(&self) -> &[(Point, Color)] {
        &self.stones
    }

    /// The colour at `point`.
    pub fn at(&self, point: Point) -> Option<Color> {
        self.stones
            .iter()
            .find(|(p, _)| *p == point)
            .map(|(_, color)| *color)
    }

    /// Is every point taken?
    pub fn is_full(&self) -> bool {
        self.stones.len() >= self.size.area()
    }

    /// Number of empty points.
    pub fn empty_points(&self) -> usize {
        self.size.area() - self.stones.len()
    }

    /// Adds a stone of the side to move and passes the turn. False (and no change) when the
    /// point is taken.
    pub fn play(&mut self, point: Point) -> bool {
        let placed = self.add(point, self.to_move);
        if placed {
            self.to_move = self.to_move.opponent();
        }
        placed
    }

    /// Adds a stone of either colour without changing the side to move. False (and no change)
    /// when the point is taken.
    pub fn add(&mut self, point: Point, color: Color) -> bool {
        debug_assert!(
            self.size
                .contains(i64::from(point.x()), i64::from(point.y()))
        );
        if self.at(point).is_some() {
            return false;
        }
        self.stones.push((point, color));
        true
    }

    /// Removes the stone at `point`, whichever its colour and age; the side to move becomes the
    /// side whose stone was removed. False (and no change) when there is none.
    pub fn remove(&mut self, point: Point) -> bool {
        let Some(index) = self.stones.iter().position(|(p, _)| *p == point) else {
            return false;
        };
        self.to_move = self.stones.remove(index).1;
        true
    }

    /// The newest stone.
    pub fn last(&self) -> Option<(Point, Color)> {
        self.stones.last().copied()
    }
}
