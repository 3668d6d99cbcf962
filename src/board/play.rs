//! Make and undo.

use super::{Board, Content, Ply, Record, lane};
use crate::pattern::line::{UPDATE_LANES, update_vector};
use crate::types::{Color, Direction, Point};

const UPDATES: [[u32; UPDATE_LANES]; 2] =
    [update_vector(Color::Black), update_vector(Color::White)];

/// Columns near a stone by row distance, as bits around bit 4: everything within two steps, and
/// four steps along the eight rays.
///
/// ```text
/// row ±4:  # . . . # . . . #
/// row ±3:  . # . . # . . # .
/// row ±2:  . . # # # # # . .
/// row ±1:  . . # # # # # . .
/// row  0:  # # # # # # # # #
/// ```
const NEAR: [u32; 5] = [
    0b1_1111_1111,
    0b0_0111_1100,
    0b0_0111_1100,
    0b0_1001_0010,
    0b1_0001_0001,
];

impl Board {
    /// Places a stone of the side to move on the empty `point`. Legality under the rule is the
    /// caller's business.
    pub fn make(&mut self, point: Point) {
        debug_assert!(self.is_empty(point));
        let color = self.side;
        self.plies.push(Ply {
            point,
            journal: self.journal.len() as u32,
            key: self.key,
            value: self.value,
            near: self.near,
        });
        self.key = self.key_after(point);
        self.contents[point.index()] = Content::stone(color);
        self.empty.toggle(point);
        let record = self.records[point.index()];
        self.add_value(record.value, -1);
        self.toggle_cell(point, record, -1);
        self.add_to_lines(point, color);
        for direction in Direction::ALL {
            self.refresh_line(point, direction);
        }
        self.mark_near(point);
        self.side = color.opponent();
    }

    /// Takes the newest stone back.
    pub fn undo(&mut self) {
        let Some(ply) = self.plies.pop() else { return };
        let point = ply.point;
        let color = self.side.opponent();
        self.side = color;
        self.sub_from_lines(point, color);
        while self.journal.len() > ply.journal as usize {
            if let Some((at, old)) = self.journal.pop() {
                self.replace(at, old);
            }
        }
        self.contents[point.index()] = Content::Empty;
        self.empty.toggle(point);
        self.toggle_cell(point, self.records[point.index()], 1);
        self.key = ply.key;
        self.value = ply.value;
        self.near = ply.near;
    }

    #[inline]
    pub(super) fn add_to_lines(&mut self, point: Point, color: Color) {
        self.shift_lines(point, color, u32::wrapping_add);
    }

    #[inline]
    pub(super) fn sub_from_lines(&mut self, point: Point, color: Color) {
        self.shift_lines(point, color, u32::wrapping_sub);
    }

    /// Changes the line indices around `point` by what a stone of `color` weighs in them.
    #[inline]
    fn shift_lines(&mut self, point: Point, color: Color, shift: impl Fn(u32, u32) -> u32) {
        for direction in Direction::ALL {
            let from = lane(point, direction) - 5;
            let lanes = &mut self.lines[direction.index()][from..from + UPDATE_LANES];
            for (index, change) in lanes.iter_mut().zip(&UPDATES[color.index()]) {
                *index = shift(*index, *change);
            }
        }
    }

    /// Brings the records of the empty cells around `point` on one line up to date.
    #[inline]
    fn refresh_line(&mut self, point: Point, direction: Direction) {
        let from = lane(point, direction) - 5;
        let shift = 8 * direction.index();
        for step in 0..11 {
            let cell = point.offset(direction.stride(), step as i32 - 5);
            if self.contents[cell.index()] != Content::Empty {
                continue;
            }
            let pair = self
                .tables
                .lines
                .pair(self.lines[direction.index()][from + step]);
            let old = self.records[cell.index()];
            if (old.classes >> shift) as u8 == pair {
                continue;
            }
            let classes = old.classes & !(255 << shift) | u32::from(pair) << shift;
            let new = self.record_from_classes(classes);
            self.journal.push((cell, old));
            self.add_value(new.value, 1);
            self.add_value(old.value, -1);
            self.replace(cell, new);
        }
    }

    /// Stores a record and moves the cell between class sets; the value is left alone.
    #[inline]
    fn replace(&mut self, cell: Point, new: Record) {
        let old = std::mem::replace(&mut self.records[cell.index()], new);
        for color in Color::ALL {
            let (old, new) = (old.cell[color.index()], new.cell[color.index()]);
            if (old ^ new) & 15 != 0 {
                self.toggle_class(color, old, cell, -1);
                self.toggle_class(color, new, cell, 1);
            }
        }
    }

    /// Adds the cells near `point` to the candidates.
    #[inline]
    fn mark_near(&mut self, point: Point) {
        let (row, column) = (point.index() >> 5, point.index() & 31);
        for (distance, columns) in NEAR.iter().enumerate() {
            // The padding makes both rows valid and the shift at least one.
            let columns = columns << (column - 4);
            self.near.insert_row(row - distance, columns);
            self.near.insert_row(row + distance, columns);
        }
    }
}
