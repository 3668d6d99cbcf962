//! Forbidden points: exact, by class tables where they decide and by the recursion of the rule
//! text where they do not.
//!
//! Overlines and double fours are line properties. A double three is not: each three counts only
//! if the stone that would make it a straight four makes no five at the same time and is not
//! itself forbidden (RIF rules of renju, §9.3), which is asked again on the board with one more
//! stone. The recursion only touches the line indices; classes are looked up as needed.

use super::{Board, Content, lane};
use crate::pattern::line::stone_weight;
use crate::pattern::{CellClass, LineClass, pack_codes};
use crate::types::{Color, Direction, Point};

impl Board {
    /// May `color` not play on the empty `point`?
    #[inline]
    pub fn is_forbidden(&mut self, point: Point, color: Color) -> bool {
        let record = self.records[point.index()];
        let byte = record.cell[color.index()];
        if CellClass::from_byte(byte) == CellClass::Forbidden {
            return true;
        }
        byte & CellClass::UNSURE != 0 && self.is_double_three(point, color, record.classes)
    }

    /// Could `point` be forbidden to `color`, or become so (or cease to be) by a stone that is
    /// not on its lines? Only points with two threes depend on the board beyond their lines.
    #[inline]
    pub fn has_unsure_three(&self, point: Point, color: Color) -> bool {
        self.records[point.index()].cell[color.index()] & CellClass::UNSURE != 0
    }

    /// Are at least two of the threes that `color` would make on `point` real?
    /// `classes` are the line classes of the point.
    fn is_double_three(&mut self, point: Point, color: Color, classes: u32) -> bool {
        let is_three = |direction: &Direction| {
            let pair = (classes >> (8 * direction.index())) as u8;
            LineClass::of_pair(pair, color).is_open_three()
        };
        let mut left = Direction::ALL.iter().filter(|d| is_three(d)).count();
        let mut real = 0;
        self.place_lightly(point, color);
        for direction in Direction::ALL.iter().filter(|d| is_three(d)) {
            if real + left < 2 || real >= 2 {
                break;
            }
            left -= 1;
            real += usize::from(self.is_real_three(point, *direction, color));
        }
        self.remove_lightly(point, color);
        real >= 2
    }

    /// Can the three through the stone on `point` become a straight four with a stone that is
    /// allowed and makes no five?
    ///
    /// The straight four is unbroken and holds the stone, so its point is at most three steps
    /// away with own stones between: `X * _ X` with `*` the stone: the gap, or beyond an end.
    fn is_real_three(&mut self, point: Point, direction: Direction, color: Color) -> bool {
        for sign in [-1, 1] {
            for step in 1..=3 {
                let cell = point.offset(direction.stride(), sign * step);
                match self.contents[cell.index()] {
                    content if content == Content::stone(color) => {}
                    Content::Empty => {
                        if self.makes_straight_four(cell, direction, color) {
                            return true;
                        }
                        break;
                    }
                    _ => break,
                }
            }
        }
        false
    }

    fn makes_straight_four(&mut self, cell: Point, direction: Direction, color: Color) -> bool {
        let pair = self.line_pair_with(cell, direction, 0);
        if LineClass::of_pair(pair, color) != LineClass::OpenFour {
            return false;
        }
        let classes = self.classes_from_lines(cell);
        let code = pack_codes(classes >> (4 * color.index()));
        let byte = self.tables.cells[color].byte(code);
        match CellClass::from_byte(byte) {
            CellClass::Five | CellClass::Forbidden => false,
            _ => byte & CellClass::UNSURE == 0 || !self.is_double_three(cell, color, classes),
        }
    }

    /// Places a stone for the recursion: lines and contents only.
    fn place_lightly(&mut self, point: Point, color: Color) {
        self.contents[point.index()] = Content::stone(color);
        self.add_to_lines(point, color);
    }

    fn remove_lightly(&mut self, point: Point, color: Color) {
        self.sub_from_lines(point, color);
        self.contents[point.index()] = Content::Empty;
    }

    /// All points forbidden to `color`, row by row.
    pub fn forbidden_points(&mut self, color: Color) -> Vec<Point> {
        if !self.spec().forbids(color) {
            return Vec::new();
        }
        let empties = *self.empties();
        empties
            .iter()
            .filter(|point| self.is_forbidden(*point, color))
            .collect()
    }

    /// The class for `color` of the line through `point` after a stone of `stone` has been put
    /// `step` cells away on it.
    #[inline]
    pub(super) fn class_after(
        &self,
        point: Point,
        direction: Direction,
        color: Color,
        stone: Color,
        step: i32,
    ) -> LineClass {
        debug_assert!(lane(point, direction) >= 5);
        let pair = self.line_pair_with(point, direction, stone_weight(stone, step));
        LineClass::of_pair(pair, color)
    }
}
