//! The line index: what lies up to five cells to each side of a point in one direction.
//!
//! Each side of the point is a *side state*: the distance to the edge, capped at five, and the
//! contents of that many cells in base 3, nearest first (0 empty, 1 black, 2 white). There are
//! 1 + 3 + 9 + 27 + 81 + 243 = 364 of them, numbered by distance first. The index of a line is
//! `left * 364 + right`, so that a stone changes the index of each cell near it by a constant.
//! That the edge is a state of its own lets rules differ in what the edge does to a row.

use crate::types::Color;

/// Cells seen on each side of the point.
pub const REACH: usize = 5;
/// Number of side states.
pub const SIDE_STATES: usize = 364;
/// Number of line indices.
pub const LINE_COUNT: usize = SIDE_STATES * SIDE_STATES;
/// Lanes of one constant update vector: distances -5..=5 and padding up to 16.
pub const UPDATE_LANES: usize = 16;

/// 3 to the power `k`.
const POW3: [u32; REACH] = [1, 3, 9, 27, 81];

/// One cell of a line as a side sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cell {
    /// Nothing there yet.
    Empty,
    /// A stone of the side in question.
    Own,
    /// A stone of its opponent.
    Opponent,
    /// Beyond the edge.
    Edge,
}

/// A point and five cells on each side of it; the point itself is at index [`REACH`].
pub type Window = [Cell; 2 * REACH + 1];

/// The first side state with `distance` cells (capped at five) before the edge: all empty.
pub const fn empty_side(distance: usize) -> u32 {
    const FIRST: [u32; REACH + 1] = [0, 1, 4, 13, 40, 121];
    FIRST[if distance > REACH { REACH } else { distance }]
}

/// The index of a line without a stone or an edge in reach.
pub const FAR: usize = empty_side(REACH) as usize * (SIDE_STATES + 1);

/// What a stone of `color` adds to the index of a point that sees it at `step` (1..=5 to the
/// right, -5..=-1 to the left).
pub const fn stone_weight(color: Color, step: i32) -> u32 {
    let digit = color as u32 + 1;
    if step > 0 {
        digit * POW3[step as usize - 1]
    } else {
        digit * POW3[-step as usize - 1] * SIDE_STATES as u32
    }
}

/// What a stone adds to the indices of the cells -5..=5 around it on one line, as lanes 0..=10.
///
/// A cell to the right of the stone (lane 6 and up) sees it on its left.
pub const fn update_vector(color: Color) -> [u32; UPDATE_LANES] {
    let mut lanes = [0; UPDATE_LANES];
    let mut step = 1;
    while step <= REACH as i32 {
        lanes[(5 + step) as usize] = stone_weight(color, -step);
        lanes[(5 - step) as usize] = stone_weight(color, step);
        step += 1;
    }
    lanes
}

/// The index of the same line read from the other end.
pub const fn mirrored(index: usize) -> usize {
    index % SIDE_STATES * SIDE_STATES + index / SIDE_STATES
}

/// The lower of a line's two mirror images: the one that stands for both where they are the same.
pub fn lower(index: usize) -> usize {
    index.min(mirrored(index))
}

/// The index of the line with the colours of all stones exchanged.
pub fn color_swapped(index: usize) -> usize {
    swapped_side(index / SIDE_STATES) * SIDE_STATES + swapped_side(index % SIDE_STATES)
}

/// A side state with the colours of its stones exchanged.
fn swapped_side(state: usize) -> usize {
    let first = first_of_distance(state);
    let mut digits = state - first;
    let mut swapped = first;
    let mut power = 1;
    while digits > 0 {
        swapped += (3 - digits % 3) % 3 * power;
        digits /= 3;
        power *= 3;
    }
    swapped
}

/// The empty side state with the distance to the edge of `state`.
fn first_of_distance(state: usize) -> usize {
    (0..=REACH)
        .rev()
        .map(|distance| empty_side(distance) as usize)
        .find(|first| state >= *first)
        .unwrap_or(0)
}

/// The cells of side state `state`, nearest first, as `own` sees them.
fn side_cells(state: usize, own: Color) -> [Cell; REACH] {
    let distance = (1..=REACH)
        .rev()
        .find(|d| state >= empty_side(*d) as usize)
        .unwrap_or(0);
    let mut digits = state - empty_side(distance) as usize;
    let mut cells = [Cell::Edge; REACH];
    for cell in cells.iter_mut().take(distance) {
        *cell = match digits % 3 {
            0 => Cell::Empty,
            digit if digit == own.index() + 1 => Cell::Own,
            _ => Cell::Opponent,
        };
        digits /= 3;
    }
    cells
}

/// The window of line index `index` as `own` sees it, with an own stone on the point itself.
pub fn decode(index: usize, own: Color) -> Window {
    let (left, right) = (
        side_cells(index / SIDE_STATES, own),
        side_cells(index % SIDE_STATES, own),
    );
    let mut window = [Cell::Own; 2 * REACH + 1];
    for step in 1..=REACH {
        window[REACH - step] = left[step - 1];
        window[REACH + step] = right[step - 1];
    }
    window
}

/// The index of a window, digit by digit: the inverse of [`decode`].
#[cfg(test)]
pub(super) fn encode(window: &Window, own: Color) -> u32 {
    let side = |cells: &mut dyn Iterator<Item = Cell>| {
        let cells: Vec<Cell> = cells.take_while(|cell| *cell != Cell::Edge).collect();
        let digits = cells.iter().rev().fold(0, |sum, cell| {
            sum * 3
                + match cell {
                    Cell::Own => own as u32 + 1,
                    Cell::Opponent => own.opponent() as u32 + 1,
                    _ => 0,
                }
        });
        empty_side(cells.len()) + digits
    };
    let left = side(&mut (1..=REACH).map(|s| window[REACH - s]));
    let right = side(&mut (1..=REACH).map(|s| window[REACH + s]));
    left * SIDE_STATES as u32 + right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_decodes_and_encodes_to_itself() {
        for color in Color::ALL {
            for index in 0..LINE_COUNT {
                assert_eq!(encode(&decode(index, color), color) as usize, index);
            }
        }
    }

    #[test]
    fn mirrored_and_swapped_lines_are_what_their_windows_say() {
        for index in 0..LINE_COUNT {
            let mut window = decode(index, Color::Black);
            window.reverse();
            assert_eq!(encode(&window, Color::Black) as usize, mirrored(index));
            let swapped = encode(&decode(index, Color::Black), Color::White) as usize;
            assert_eq!(swapped, color_swapped(index));
        }
    }

    #[test]
    fn a_stone_moves_the_index_by_its_weight() {
        for index in (0..LINE_COUNT).step_by(7) {
            let window = decode(index, Color::Black);
            for step in (-5i32..=5).filter(|s| *s != 0) {
                let at = (5 + step) as usize;
                if window[at] == Cell::Empty {
                    let mut with = window;
                    with[at] = Cell::Own;
                    let moved = index as u32 + stone_weight(Color::Black, step);
                    assert_eq!(encode(&with, Color::Black), moved);
                }
            }
        }
    }
}
