//! L3: the board with everything the search reads kept up to date: line indices, classes of
//! every empty cell for both sides, threat sets, candidates, the linear evaluation, the key.
//!
//! Invariants, compared with a recomputation in tests after every make and undo:
//! - `lines[d]` holds the line index of every cell of the board, stones included;
//! - the record of an *empty* cell is what its four line indices say; the record of a stone is
//!   what it was when the stone was placed, and counts for nothing;
//! - `sets[side][class]` is the set of empty cells of that class, `counts` its size.

mod bitboard;
#[cfg(test)]
mod case_tests;
#[cfg(test)]
mod diagram_tests;
mod forbidden;
mod play;
mod replies;
#[cfg(test)]
mod tests;
mod zobrist;

use std::sync::Arc;

pub use bitboard::{Bitboard, Points};

use crate::pattern::line::{self, UPDATE_LANES};
use crate::pattern::{CellClass, LineClass, Packed, RuleTables, pack_codes};
use crate::rules::RuleSpec;
use crate::types::{BoardSize, Color, Direction, GRID_CELLS, Point, Position};

/// Cells of one direction's line array; the update vector may reach past the last line.
const LANES: usize = GRID_CELLS + UPDATE_LANES;

/// What is known about an empty cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Record {
    /// One byte per direction: Black's line class in the low four bits, White's in the high.
    classes: u32,
    /// Cell class bytes of Black and White ([`CellClass`] and the unsure flag).
    cell: [u8; 2],
    /// Share of the evaluation for either side to move, from its own view.
    value: Packed,
}

/// What a cell of the grid holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
enum Content {
    Outside,
    Empty,
    Black,
    White,
}

impl Content {
    const fn stone(color: Color) -> Content {
        match color {
            Color::Black => Content::Black,
            Color::White => Content::White,
        }
    }
}

/// What undo needs besides the journal.
#[derive(Clone, Copy)]
struct Ply {
    point: Point,
    /// Length of the journal before the stone.
    journal: u32,
    key: u64,
    value: [i32; 2],
    near: Bitboard,
}

/// A position under a rule, with incremental knowledge.
#[derive(Clone)]
pub struct Board {
    tables: Arc<RuleTables>,
    size: BoardSize,
    side: Color,
    key: u64,
    /// Sum of the records' values of the empty cells, by side to move.
    value: [i32; 2],
    contents: [Content; GRID_CELLS],
    lines: [[u32; LANES]; 4],
    records: [Record; GRID_CELLS],
    sets: [[Bitboard; CellClass::COUNT]; 2],
    counts: [[u16; CellClass::COUNT]; 2],
    empty: Bitboard,
    near: Bitboard,
    plies: Vec<Ply>,
    journal: Vec<(Point, Record)>,
}

/// Where `point` lies in the line array of `direction`: neighbours on a line are neighbours in
/// the array. Diagonals wrap around the 32 × 32 grid; the padding keeps the wrapped parts of a
/// row five cells apart, so that no update reaches from one into the other.
#[inline]
const fn lane(point: Point, direction: Direction) -> usize {
    let (x, y) = (point.index() & 31, point.index() >> 5);
    match direction {
        Direction::Horizontal => y << 5 | x,
        Direction::Vertical => x << 5 | y,
        Direction::Falling => (x.wrapping_sub(y) & 31) << 5 | x,
        Direction::Rising => ((x + y) & 31) << 5 | x,
    }
}

/// Two cell class bytes as one index, Black's in the high four bits.
#[inline]
const fn cell_pair(cell: [u8; 2]) -> usize {
    (cell[0] << 4 | cell[1] & 15) as usize
}

impl Board {
    /// The empty board, Black to move.
    pub fn new(tables: Arc<RuleTables>, size: BoardSize) -> Board {
        let mut board = Board {
            key: zobrist::empty(tables.spec.code, size),
            tables,
            size,
            side: Color::Black,
            value: [0; 2],
            contents: [Content::Outside; GRID_CELLS],
            lines: [[0; LANES]; 4],
            records: [Record::default(); GRID_CELLS],
            sets: [[Bitboard::EMPTY; CellClass::COUNT]; 2],
            counts: [[0; CellClass::COUNT]; 2],
            empty: Bitboard::EMPTY,
            near: Bitboard::EMPTY,
            plies: Vec::with_capacity(size.area() + 1),
            journal: Vec::with_capacity(size.area() * 8),
        };
        for point in size.points() {
            board.contents[point.index()] = Content::Empty;
            board.empty.insert(point);
            for direction in Direction::ALL {
                board.lines[direction.index()][lane(point, direction)] =
                    board.empty_line(point, direction);
            }
        }
        for point in size.points() {
            let record = board.record_from_classes(board.classes_from_lines(point));
            board.records[point.index()] = record;
            board.add_value(record.value, 1);
            board.toggle_cell(point, record, 1);
        }
        board
    }

    /// The board with the stones of `position` and its side to move. Stones beyond the first on
    /// a point are left out.
    pub fn from_position(tables: Arc<RuleTables>, position: &Position) -> Board {
        let mut board = Board::new(tables, position.size());
        for &(point, color) in position.stones() {
            if board.is_empty(point) {
                board.set_side(color);
                board.make(point);
            }
        }
        board.set_side(position.to_move);
        board
    }

    /// The line index of a point of the empty board: distances to the edge both ways.
    fn empty_line(&self, point: Point, direction: Direction) -> u32 {
        let distance = |sign: i64| {
            let (dx, dy) = direction.step();
            let on_board = |k: &i64| {
                let x = i64::from(point.x()) + sign * k * i64::from(dx);
                let y = i64::from(point.y()) + sign * k * i64::from(dy);
                self.size.contains(x, y)
            };
            (1..=line::REACH as i64).take_while(on_board).count()
        };
        line::empty_side(distance(-1)) * line::SIDE_STATES as u32 + line::empty_side(distance(1))
    }

    /// The four line-class bytes of a cell as its line indices have them now.
    fn classes_from_lines(&self, point: Point) -> u32 {
        Direction::ALL.iter().rev().fold(0, |classes, direction| {
            classes << 8 | u32::from(self.line_pair_with(point, *direction, 0))
        })
    }

    /// The record of a cell with those line classes.
    #[inline]
    fn record_from_classes(&self, classes: u32) -> Record {
        let (black, white) = (pack_codes(classes), pack_codes(classes >> 4));
        let weights = &self.tables.weights;
        let lines = classes
            .to_le_bytes()
            .map(|pair| weights.value[usize::from(pair)]);
        let cell = [
            self.tables.cells[Color::Black].byte(black),
            self.tables.cells[Color::White].byte(white),
        ];
        Record {
            classes,
            cell,
            value: lines[0]
                + lines[1]
                + lines[2]
                + lines[3]
                + weights.code_value[Color::Black][black]
                + weights.code_value[Color::White][white]
                + weights.cell_value[cell_pair(cell)],
        }
    }

    /// Takes a cell into the class sets of both sides (`change` 1) or out of them (-1).
    #[inline]
    fn toggle_cell(&mut self, point: Point, record: Record, change: i16) {
        for color in Color::ALL {
            self.toggle_class(color, record.cell[color.index()], point, change);
        }
    }

    #[inline]
    fn toggle_class(&mut self, color: Color, byte: u8, point: Point, change: i16) {
        let class = (byte & 15) as usize;
        self.sets[color.index()][class].toggle(point);
        let count = &mut self.counts[color.index()][class];
        *count = count.wrapping_add_signed(change);
    }

    /// The rule.
    #[inline]
    pub fn spec(&self) -> &RuleSpec {
        &self.tables.spec
    }

    /// The tables of the rule.
    #[inline]
    pub fn tables(&self) -> &RuleTables {
        &self.tables
    }

    /// Board size.
    #[inline]
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// The side to move.
    #[inline]
    pub fn side(&self) -> Color {
        self.side
    }

    /// Makes `side` the one to move, as set-up positions need.
    pub fn set_side(&mut self, side: Color) {
        if side != self.side {
            self.side = side;
            self.key ^= zobrist::WHITE_TO_MOVE;
        }
    }

    /// Zobrist key of stones, side to move, rule and size.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The key after the side to move has played `point`.
    #[inline]
    pub fn key_after(&self, point: Point) -> u64 {
        self.key ^ zobrist::stone(self.side, point) ^ zobrist::WHITE_TO_MOVE
    }

    /// Stones placed on this board object.
    #[inline]
    pub fn stones(&self) -> usize {
        self.plies.len()
    }

    /// Number of empty points.
    #[inline]
    pub fn empty_points(&self) -> usize {
        self.size.area() - self.plies.len()
    }

    /// The newest stone, [`Point::NONE`] on the empty board.
    #[inline]
    pub fn last_move(&self) -> Point {
        self.move_back(1)
    }

    /// The stone played `back` moves ago (1 = the newest); [`Point::NONE`] when there is none.
    #[inline]
    pub fn move_back(&self, back: usize) -> Point {
        let index = self.plies.len().wrapping_sub(back);
        self.plies.get(index).map_or(Point::NONE, |ply| ply.point)
    }

    /// Is `point` an empty point of the board?
    #[inline]
    pub fn is_empty(&self, point: Point) -> bool {
        self.contents[point.index()] == Content::Empty
    }

    /// The stone on `point`, if any.
    pub fn stone(&self, point: Point) -> Option<Color> {
        match self.contents[point.index()] {
            Content::Black => Some(Color::Black),
            Content::White => Some(Color::White),
            _ => None,
        }
    }

    /// The linear evaluation for the side to move, from its own view, in fractions of a score unit
    /// ([`VALUE_SHIFT`](crate::pattern::VALUE_SHIFT)).
    #[inline]
    pub fn value(&self) -> i32 {
        self.value[self.side.index()]
    }

    #[inline]
    fn add_value(&mut self, value: Packed, sign: i32) {
        let (black, white) = value.both();
        self.value[0] += sign * black;
        self.value[1] += sign * white;
    }

    /// What a stone of `color` on the empty `point` makes.
    #[inline]
    pub fn class(&self, point: Point, color: Color) -> CellClass {
        CellClass::from_byte(self.records[point.index()].cell[color.index()])
    }

    /// What a stone of `color` on the empty `point` makes of one line.
    #[inline]
    pub fn line_class(&self, point: Point, direction: Direction, color: Color) -> LineClass {
        let pair = (self.records[point.index()].classes >> (8 * direction.index())) as u8;
        LineClass::of_pair(pair, color)
    }

    /// The four line-class bytes of an empty point, direction by direction from the low byte.
    #[inline]
    pub fn line_classes(&self, point: Point) -> u32 {
        self.records[point.index()].classes
    }

    /// The [`line`] indices through a point, direction by direction.
    #[inline]
    pub fn line_indices(&self, point: Point) -> [u32; 4] {
        Direction::ALL.map(|direction| self.lines[direction.index()][lane(point, direction)])
    }

    /// All line indices of a direction in the board's own order.
    pub fn lines_of(&self, direction: Direction) -> &[u32] {
        &self.lines[direction.index()]
    }

    /// Where the line indices of the eleven points around `point` begin in
    /// [`lines_of`](Board::lines_of), and what they are.
    #[inline]
    pub fn lines_around(&self, point: Point, direction: Direction) -> (usize, &[u32]) {
        let from = lane(point, direction) - 5;
        (from, &self.lines[direction.index()][from..from + 11])
    }

    /// The key when only the first `stones` stones were there.
    #[inline]
    pub fn key_with(&self, stones: usize) -> u64 {
        self.plies.get(stones).map_or(self.key, |ply| ply.key)
    }

    /// The stones in order, each with the key of the board with it.
    pub fn history(&self) -> impl Iterator<Item = (u64, Point)> {
        let keys = (1..=self.stones()).map(|stones| self.key_with(stones));
        keys.zip(self.plies.iter().map(|ply| ply.point))
    }

    /// The two cell classes of an empty point as one index, Black's in the high four bits.
    #[inline]
    pub fn cell_pair(&self, point: Point) -> usize {
        cell_pair(self.records[point.index()].cell)
    }

    /// Empty points of that class for `color`.
    #[inline]
    pub fn points_of(&self, color: Color, class: CellClass) -> &Bitboard {
        &self.sets[color.index()][class as usize]
    }

    /// How many empty points have that class for `color`.
    #[inline]
    pub fn count_of(&self, color: Color, class: CellClass) -> usize {
        self.counts[color.index()][class as usize].into()
    }

    /// Is there a point where `color` makes a four or better?
    #[inline]
    pub fn has_four(&self, color: Color) -> bool {
        let counts = &self.counts[color.index()];
        let from = CellClass::Four as usize;
        counts[from..=CellClass::Five as usize]
            .iter()
            .any(|count| *count != 0)
    }

    /// All empty points.
    #[inline]
    pub fn empties(&self) -> &Bitboard {
        &self.empty
    }

    /// Empty points near stones: within two steps, or within four along a line.
    #[inline]
    pub fn candidates(&self) -> Bitboard {
        self.near.and(&self.empty)
    }

    /// Black and White class bits of the line through `point` once `change` is added to its
    /// index (as [`line::stone_weight`] gives it).
    #[inline]
    fn line_pair_with(&self, point: Point, direction: Direction, change: u32) -> u8 {
        let index = self.lines[direction.index()][lane(point, direction)];
        self.tables.lines.pair(index + change)
    }
}

impl std::fmt::Debug for Board {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for y in 0..self.size.height() {
            for x in 0..self.size.width() {
                f.write_str(match self.stone(Point::new(x, y)) {
                    Some(Color::Black) => "X",
                    Some(Color::White) => "O",
                    None => ".",
                })?;
            }
            f.write_str("\n")?;
        }
        write!(f, "{} to move", self.side)
    }
}
