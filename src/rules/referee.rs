//! What one stone does under a rule: does it win, is it forbidden. Slow and literal: this is the
//! definition the fast tables are tested against, and the judge of matches. The search never
//! calls it.
//!
//! Forbidden shapes follow the RIF rules of renju, paragraph 9, with "a five" read as "a row
//! that wins for that side under this rule". Each shape contains the new stone:
//!
//! * *Four*: stones that one more stone joins into a winning row. Two fours are different when
//!   their stones differ, so one line can hold two.
//! * *Straight four*: one stone short of [`RuleSpec::length`], unbroken, both ends empty, and a
//!   stone on either end wins.
//! * *Three*: stones that one more stone turns into a straight four without winning at once, and
//!   that stone is not itself forbidden.

use super::grid::{Cell, Grid, Row};
use super::spec::{Closing, Forbidden, LongRow, RuleSpec};
use crate::types::{Color, Direction, Point, Position};

/// Why a point is forbidden.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ForbiddenKind {
    /// Two or more threes.
    DoubleThree,
    /// Two or more fours.
    DoubleFour,
    /// A row longer than the winning length.
    Overline,
}

impl std::fmt::Display for ForbiddenKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            ForbiddenKind::DoubleThree => "double three",
            ForbiddenKind::DoubleFour => "double four",
            ForbiddenKind::Overline => "overline",
        })
    }
}

impl Forbidden {
    /// The gravest of the shapes: overline, then double four, then double three.
    pub const fn kind(self) -> Option<ForbiddenKind> {
        if self.overline {
            Some(ForbiddenKind::Overline)
        } else if self.double_four {
            Some(ForbiddenKind::DoubleFour)
        } else if self.double_three {
            Some(ForbiddenKind::DoubleThree)
        } else {
            None
        }
    }
}

/// Would a stone of `color` on `point` make a winning row? False unless `point` is empty.
pub fn wins(spec: &RuleSpec, grid: &Grid, point: Point, color: Color) -> bool {
    grid.cell(point) == Cell::Empty && completes_row(spec, grid, point, color)
}

/// Is the stone on `point` part of a winning row?
pub fn is_winning_stone(spec: &RuleSpec, grid: &Grid, point: Point) -> bool {
    grid.get(point)
        .is_some_and(|color| completes_row(spec, grid, point, color))
}

/// The side that has a finished row on the board, if any.
pub fn winner(spec: &RuleSpec, position: &Position) -> Option<Color> {
    let grid = Grid::from_position(position);
    let mut stones = position.stones().iter();
    let finished = stones.find(|(point, _)| is_winning_stone(spec, &grid, *point));
    finished.map(|(_, color)| *color)
}

/// Why `color` may not play on `point`; none when it may, or when `point` is not empty. Where
/// several reasons hold it is the first of overline, double four, double three.
pub fn forbidden(
    spec: &RuleSpec,
    grid: &Grid,
    point: Point,
    color: Color,
) -> Option<ForbiddenKind> {
    forbidden_shapes(spec, grid, point, color).kind()
}

/// All shapes forbidden to `color` that its stone on the empty `point` would make; none of them
/// when the stone makes a winning row, which makes every move legal.
pub fn forbidden_shapes(spec: &RuleSpec, grid: &Grid, point: Point, color: Color) -> Forbidden {
    shapes_at(spec, &mut grid.clone(), point, color)
}

/// May `color` play nowhere, although points are left?
pub fn only_forbidden_left(spec: &RuleSpec, grid: &Grid, color: Color) -> bool {
    let mut left = grid.empty_points().peekable();
    left.peek().is_some() && left.all(|point| forbidden(spec, grid, point, color).is_some())
}

/// [`forbidden_shapes`] on a grid that may be changed meanwhile and is left as it was.
fn shapes_at(spec: &RuleSpec, grid: &mut Grid, point: Point, color: Color) -> Forbidden {
    let banned = spec.sides[color].forbidden;
    if !banned.any() || grid.cell(point) != Cell::Empty || wins(spec, grid, point, color) {
        return Forbidden::NOTHING;
    }
    grid.set(point, Some(color));
    let made = Forbidden {
        overline: banned.overline && makes_overline(spec, grid, point, color),
        double_four: banned.double_four && makes_double_four(spec, grid, point, color),
        double_three: banned.double_three && makes_double_three(spec, grid, point, color),
    };
    grid.set(point, None);
    made
}

/// Does the stone of `color` on `point` (there, or thought there) belong to a winning row?
fn completes_row(spec: &RuleSpec, grid: &Grid, point: Point, color: Color) -> bool {
    Direction::ALL
        .into_iter()
        .any(|direction| row_wins(spec, grid, &grid.row(point, direction, color), color))
}

/// Does an unbroken row of `color` win?
fn row_wins(spec: &RuleSpec, grid: &Grid, row: &Row, color: Color) -> bool {
    let closes = |end: Point| match (spec.closing, grid.cell(end)) {
        (Closing::Stones | Closing::StonesAndEdge, Cell::Stone(stone)) => stone != color,
        (Closing::StonesAndEdge, Cell::Edge) => true,
        _ => false,
    };
    let wins_by_ends = spec.wins_when_closed || !row.ends.into_iter().all(closes);
    if row.length <= spec.length {
        return row.length == spec.length && wins_by_ends;
    }
    match spec.sides[color].long_row {
        LongRow::WinsAlways => true,
        LongRow::LikeFive => wins_by_ends,
        LongRow::Never => false,
    }
}

fn makes_overline(spec: &RuleSpec, grid: &Grid, point: Point, color: Color) -> bool {
    Direction::ALL
        .into_iter()
        .any(|direction| grid.row(point, direction, color).length > spec.length)
}

/// The stones of a shape, in line order.
type Shape = Vec<Point>;

/// The stones of `row` without the one at `added`, which completes it.
fn without(row: &Row, added: Point) -> Shape {
    row.points().filter(|&point| point != added).collect()
}

fn makes_double_four(spec: &RuleSpec, grid: &Grid, point: Point, color: Color) -> bool {
    let mut fours: Vec<Shape> = Vec::new();
    for direction in Direction::ALL {
        for added in grid.line(point, direction) {
            let Some(row) = row_by_adding(grid, point, added, direction, color) else {
                continue;
            };
            let four = without(&row, added);
            // `_ X X X X _` is one four with two ways to complete it.
            if row_wins(spec, grid, &row, color) && !fours.contains(&four) {
                fours.push(four);
            }
        }
    }
    fours.len() >= 2
}

fn makes_double_three(spec: &RuleSpec, grid: &mut Grid, point: Point, color: Color) -> bool {
    let mut threes: Vec<Shape> = Vec::new();
    for direction in Direction::ALL {
        let line: Vec<Point> = grid.line(point, direction).collect();
        for added in line {
            let Some(row) = row_by_adding(grid, point, added, direction, color) else {
                continue;
            };
            let three = without(&row, added);
            // `_ _ X X X _ _` is one three with two ways to go on.
            if !threes.contains(&three)
                && makes_straight_four(spec, grid, added, direction, color)
                && !wins(spec, grid, added, color)
                && !shapes_at(spec, grid, added, color).any()
            {
                threes.push(three);
            }
        }
    }
    threes.len() >= 2
}

/// The row that a stone of `color` on `added` makes, if `added` is empty and the stone on
/// `point` is part of that row.
fn row_by_adding(
    grid: &Grid,
    point: Point,
    added: Point,
    direction: Direction,
    color: Color,
) -> Option<Row> {
    if grid.cell(added) != Cell::Empty {
        return None;
    }
    let row = grid.row(added, direction, color);
    row.points().any(|stone| stone == point).then_some(row)
}

/// Would a stone of `color` on the empty `added` make a straight four in that direction?
fn makes_straight_four(
    spec: &RuleSpec,
    grid: &mut Grid,
    added: Point,
    direction: Direction,
    color: Color,
) -> bool {
    let row = grid.row(added, direction, color);
    if row.length + 1 != spec.length {
        return false;
    }
    grid.set(added, Some(color));
    let wins_at = |end: Point| {
        grid.cell(end) == Cell::Empty
            && row_wins(spec, grid, &grid.row(end, direction, color), color)
    };
    let straight = row.ends.into_iter().all(wins_at);
    grid.set(added, None);
    straight
}
