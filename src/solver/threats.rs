//! What can be said about a position without searching it: wins and losses by reply sets, and
//! the sets of moves outside of which everything loses at once.
//!
//! Everything here is proven, under every rule; nothing is a guess. Lengths are the shortest the
//! argument gives.

use crate::board::{Bitboard, Board};
use crate::pattern::CellClass;
use crate::types::{Color, Point};

/// The state of a position before search.
#[derive(Clone, Copy, Debug)]
pub enum Situation {
    /// The side to move wins with its stone that many plies ahead: 1, 3 or 5.
    Won(i32),
    /// The side to move loses, the opponent's last stone coming that many plies ahead: 2 or 4.
    Lost(i32),
    /// Nobody can win any more.
    Draw,
    /// The opponent wins with its next stone unless the move is in this set.
    Forced(Bitboard),
    /// The opponent makes a four that nothing stops unless the move is in this set. Own fours
    /// are in it.
    Threatened(Bitboard),
    /// Nothing is urgent.
    Free,
}

/// Assesses the position on `board` for the side to move. The game is drawn once no more than
/// `draw_margin` points are empty.
pub fn assess(board: &mut Board, draw_margin: i32) -> Situation {
    let side = board.side();
    let opponent = side.opponent();
    if board.count_of(side, CellClass::Five) > 0 {
        return Situation::Won(1);
    }
    // Stones that can still be placed before the game is drawn. The last of them may win.
    let stones_left = board.empty_points() as i32 - draw_margin;
    if stones_left <= 1 {
        return Situation::Draw;
    }
    if board.count_of(opponent, CellClass::Five) > 0 {
        let replies = legal(board, board.replies_to_fives(opponent), side);
        return if replies.is_empty() {
            Situation::Lost(2)
        } else {
            Situation::Forced(replies)
        };
    }
    // The opponent cannot win at once: a four that no single reply stops wins.
    if stones_left >= 3 && open_four(board, side).is_some() {
        return Situation::Won(3);
    }
    if stones_left >= 5 && four_three(board, side).is_some() {
        return Situation::Won(5);
    }
    if stones_left >= 4
        && board.count_of(opponent, CellClass::OpenFour) > 0
        && let Some(replies) = board.replies_to_open_fours(opponent)
    {
        let set = legal(board, replies.or(&fours(board, side)), side);
        return if set.is_empty() {
            Situation::Lost(4)
        } else {
            Situation::Threatened(set)
        };
    }
    Situation::Free
}

/// A point where `side` may play and makes a four that no single reply stops.
pub fn open_four(board: &mut Board, side: Color) -> Option<Point> {
    if board.count_of(side, CellClass::OpenFour) == 0 {
        return None;
    }
    let points = *board.points_of(side, CellClass::OpenFour);
    points
        .iter()
        .find(|point| !board.is_forbidden(*point, side))
}

/// A point where `side` makes a four and an open three that together win.
///
/// The reply to the four lies on the four's line, so it leaves the three alone; it makes no four
/// itself when the opponent has no point for one. Then the three becomes an open four. A side
/// with forbidden points might find that one forbidden, so for it nothing is claimed.
pub fn four_three(board: &Board, side: Color) -> Option<Point> {
    let sure = !board.spec().forbids(side) && !board.has_four(side.opponent());
    if !sure || board.count_of(side, CellClass::FourThree) == 0 {
        return None;
    }
    board.points_of(side, CellClass::FourThree).iter().next()
}

/// The points where `side` makes a four of any kind.
#[inline]
pub fn fours(board: &Board, side: Color) -> Bitboard {
    board
        .points_of(side, CellClass::Four)
        .or(board.points_of(side, CellClass::FourPlus))
        .or(board.points_of(side, CellClass::FourThree))
        .or(board.points_of(side, CellClass::OpenFour))
}

/// Could the two points belong to one shape: within two steps, or four along a line? Yes if `b`
/// is none.
pub fn is_related(a: Point, b: Point) -> bool {
    if b.is_none() {
        return true;
    }
    let (dx, dy) = (a.x().abs_diff(b.x()), a.y().abs_diff(b.y()));
    dx.max(dy) <= 2 || dx.max(dy) <= 4 && (dx == dy || dx == 0 || dy == 0)
}

/// The points of `set` that are not forbidden to `side`.
fn legal(board: &mut Board, set: Bitboard, side: Color) -> Bitboard {
    if !board.spec().forbids(side) {
        return set;
    }
    set.iter()
        .filter(|point| !board.is_forbidden(*point, side))
        .collect()
}
