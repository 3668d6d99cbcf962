//! Move ordering: scores all moves once, then hands out the best of the rest each time.

use arrayvec::ArrayVec;

use super::history::{Context, History};
use super::params::Params;
use crate::board::{Bitboard, Board};
use crate::eval;
use crate::types::Point;

/// Points of the largest board.
const MAX_MOVES: usize = 484;

/// A move and what ordering thinks of it.
#[derive(Clone, Copy, Debug)]
pub struct Pick {
    /// The move.
    pub point: Point,
    /// How far its policy is below the highest of the node, in policy points.
    pub gap: i32,
    /// What history says of it.
    pub history: i32,
    order: i32,
}

/// The moves of a node, best first.
pub struct Picker {
    moves: ArrayVec<Pick, MAX_MOVES>,
    next: usize,
}

impl Picker {
    /// The points of `set` for the side to move; `first` leads if it is among them.
    pub fn new(
        board: &Board,
        set: &Bitboard,
        first: Point,
        history: &History,
        context: &Context,
        ply: usize,
        params: &Params,
    ) -> Picker {
        let side = board.side();
        let mut moves: ArrayVec<Pick, MAX_MOVES> = ArrayVec::new();
        let mut highest = i32::MIN;
        for point in set.iter() {
            let policy = eval::policy(board, point);
            highest = highest.max(policy);
            let quiet = history.quiet(side, point);
            let follow = history.follow(context, point, board.class(point, side));
            let mut order = policy + quiet / params.history_order + follow / params.follow_order;
            if history.is_killer(ply, point) {
                order += params.killer_order;
            }
            if point == first {
                order = i32::MAX;
            }
            moves.push(Pick {
                point,
                gap: policy,
                history: quiet + follow / 2,
                order,
            });
        }
        for pick in &mut moves {
            pick.gap = highest - pick.gap;
        }
        Picker { moves, next: 0 }
    }
}

impl Iterator for Picker {
    type Item = Pick;

    #[inline]
    fn next(&mut self) -> Option<Pick> {
        let rest = self.moves.get_mut(self.next..)?;
        // The first of equals wins, so the order is the same on every machine.
        let mut best = 0;
        for (at, pick) in rest.iter().enumerate().skip(1) {
            if pick.order > rest[best].order {
                best = at;
            }
        }
        let pick = *rest.get(best)?;
        rest.swap(0, best);
        self.next += 1;
        Some(pick)
    }
}
