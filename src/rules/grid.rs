//! The plain grid the referee reads: what stands on each cell, the padding around the board
//! included, and nothing derived from it.

use crate::types::{BoardSize, Color, Direction, GRID_CELLS, Point, Position};

/// What a cell of the padded grid holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cell {
    /// A point of the board without a stone.
    Empty,
    /// A point of the board with a stone of that colour.
    Stone(Color),
    /// Outside the board.
    Edge,
}

/// A board as stones on points.
#[derive(Clone, PartialEq, Eq)]
pub struct Grid {
    size: BoardSize,
    cells: [Cell; GRID_CELLS],
}

/// The unbroken row of one colour through a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// Its first stone; the row runs from here in the direction asked for.
    pub first: Point,
    /// Stones in the row.
    pub length: u8,
    /// The cells before the first and after the last stone.
    pub ends: [Point; 2],
    stride: i32,
}

impl Row {
    /// The points of the row.
    pub fn points(&self) -> impl Iterator<Item = Point> {
        let stride = self.stride;
        let next = move |point: &Point| Some(point.offset(stride, 1));
        std::iter::successors(Some(self.first), next).take(self.length.into())
    }
}

impl Grid {
    /// The empty board.
    pub fn new(size: BoardSize) -> Grid {
        let mut cells = [Cell::Edge; GRID_CELLS];
        for point in size.points() {
            cells[point.index()] = Cell::Empty;
        }
        Grid { size, cells }
    }

    /// The stones of `position`.
    pub fn from_position(position: &Position) -> Grid {
        let mut grid = Grid::new(position.size());
        for &(point, color) in position.stones() {
            grid.set(point, Some(color));
        }
        grid
    }

    /// The board size.
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// What `point` holds; [`Cell::Edge`] off the board.
    #[inline]
    pub fn cell(&self, point: Point) -> Cell {
        self.cells[point.index()]
    }

    /// The stone on `point`; none on an empty point and none off the board.
    pub fn get(&self, point: Point) -> Option<Color> {
        match self.cell(point) {
            Cell::Stone(color) => Some(color),
            Cell::Empty | Cell::Edge => None,
        }
    }

    /// Puts a stone on `point` or clears it. Off the board nothing happens.
    pub fn set(&mut self, point: Point, stone: Option<Color>) {
        if self.cell(point) != Cell::Edge {
            self.cells[point.index()] = stone.map_or(Cell::Empty, Cell::Stone);
        }
    }

    /// The empty points, row by row from the top.
    pub fn empty_points(&self) -> impl Iterator<Item = Point> {
        self.size
            .points()
            .filter(|&point| self.cell(point) == Cell::Empty)
    }

    /// The row of `color` through `point`, as if `point` held a stone of `color`.
    pub fn row(&self, point: Point, direction: Direction, color: Color) -> Row {
        let stride = direction.stride();
        let run = |sign: i32| {
            let mut end = point.offset(sign * stride, 1);
            let mut stones = 0;
            while self.cell(end) == Cell::Stone(color) {
                end = end.offset(sign * stride, 1);
                stones += 1;
            }
            (end, stones)
        };
        let ((before, left), (after, right)) = (run(-1), run(1));
        Row {
            first: before.offset(stride, 1),
            length: left + 1 + right,
            ends: [before, after],
            stride,
        }
    }

    /// All points of the board on the line through `point`, in line order.
    pub fn line(&self, point: Point, direction: Direction) -> impl Iterator<Item = Point> {
        let stride = direction.stride();
        let mut first = point;
        while self.cell(first.offset(-stride, 1)) != Cell::Edge {
            first = first.offset(-stride, 1);
        }
        let next = move |point: &Point| Some(point.offset(stride, 1));
        std::iter::successors(Some(first), next).take_while(|&p| self.cell(p) != Cell::Edge)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stones_are_found_and_the_outside_is_edge() {
        let size = BoardSize::new(20, 6).unwrap();
        let mut grid = Grid::new(size);
        let corner = Point::new(19, 5);
        grid.set(corner, Some(Color::White));
        grid.set(Point::new(20, 5), Some(Color::White));
        assert_eq!(grid.get(corner), Some(Color::White));
        assert_eq!(grid.cell(Point::new(20, 5)), Cell::Edge);
        assert_eq!(grid.cell(Point::new(19, 6)), Cell::Edge);
        assert_eq!(grid.cell(Point::NONE), Cell::Edge);
        assert_eq!(grid.empty_points().count(), 119);
        grid.set(corner, None);
        assert_eq!(grid.cell(corner), Cell::Empty);
    }

    #[test]
    fn rows_and_lines_reach_from_edge_to_edge() {
        for (width, height) in [(22, 22), (5, 5), (22, 5)] {
            let size = BoardSize::new(width, height).unwrap();
            let mut grid = Grid::new(size);
            size.points()
                .for_each(|point| grid.set(point, Some(Color::Black)));
            for direction in Direction::ALL {
                let row = grid.row(size.center(), direction, Color::Black);
                let line: Vec<Point> = grid.line(size.center(), direction).collect();
                assert_eq!(row.points().collect::<Vec<_>>(), line);
                assert_eq!(row.ends.map(|end| grid.cell(end)), [Cell::Edge; 2]);
            }
            let across = grid.row(size.center(), Direction::Horizontal, Color::Black);
            assert_eq!(i64::from(across.length), width);
        }
    }

    #[test]
    fn a_position_becomes_the_same_stones() {
        let mut position = Position::new(BoardSize::STANDARD);
        position.play(Point::new(7, 7));
        position.play(Point::new(8, 6));
        let grid = Grid::from_position(&position);
        for point in BoardSize::STANDARD.points() {
            assert_eq!(grid.get(point), position.at(point));
        }
    }
}
