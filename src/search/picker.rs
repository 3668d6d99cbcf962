//! Move ordering: the known move first, without a look at the others; then all the rest is
//! scored once and the best of what is left is handed out each time.

use arrayvec::ArrayVec;

use super::Worker;
use super::history::Context;
use crate::board::Bitboard;
use crate::eval;
use crate::pattern::CellClass;
use crate::types::Point;

/// Points of the largest board.
const MAX_MOVES: usize = 484;

/// A move and what ordering thinks of it.
#[derive(Clone, Copy, Debug)]
pub struct Pick {
    /// The move.
    pub point: Point,
    /// What it makes on the board.
    pub class: CellClass,
    /// How far its policy is below the highest of the node, in policy points; 0 for the known
    /// move.
    pub gap: i32,
    /// What history says of it; 0 for the known move.
    pub history: i32,
    order: i32,
}

/// The moves of a node, best first.
pub struct Picker {
    set: Bitboard,
    first: Point,
    stage: Stage,
    moves: ArrayVec<Pick, MAX_MOVES>,
    next: usize,
}

enum Stage {
    /// The known move is to come.
    First,
    /// The rest has not been scored.
    Unscored,
    Scored,
}

impl Picker {
    /// The points of `set`; `first` leads if it is among them.
    pub fn new(set: Bitboard, first: Point) -> Picker {
        Picker {
            set,
            first,
            stage: Stage::First,
            moves: ArrayVec::new(),
            next: 0,
        }
    }

    /// The next move of the node at `ply` that `worker` is searching.
    #[inline]
    pub fn next(&mut self, worker: &Worker, context: &Context, ply: usize) -> Option<Pick> {
        if matches!(self.stage, Stage::First) {
            self.stage = Stage::Unscored;
            if self.first.is_some() && self.set.contains(self.first) {
                self.set.toggle(self.first);
                return Some(Pick {
                    point: self.first,
                    class: worker.board.class(self.first, worker.board.side()),
                    gap: 0,
                    history: 0,
                    order: 0,
                });
            }
        }
        if matches!(self.stage, Stage::Unscored) {
            self.stage = Stage::Scored;
            self.score(worker, context, ply);
        }
        self.best_of_rest()
    }

    /// Leaves out all moves that make less than a three.
    pub fn drop_quiet(&mut self) {
        let mut kept = self.next;
        for at in self.next..self.moves.len() {
            if self.moves[at].class >= CellClass::OpenThree {
                self.moves[kept] = self.moves[at];
                kept += 1;
            }
        }
        self.moves.truncate(kept);
    }

    fn score(&mut self, worker: &Worker, context: &Context, ply: usize) {
        let (board, history, params) = (&worker.board, &worker.history, &worker.params);
        let side = board.side();
        let mut highest = match self.first.is_some() && board.is_empty(self.first) {
            true => eval::policy(board, self.first),
            false => i32::MIN,
        };
        for point in self.set.iter() {
            let class = board.class(point, side);
            let policy = eval::policy(board, point);
            highest = highest.max(policy);
            let quiet = history.quiet(side, point);
            let follow = history.follow(context, point, class);
            let mut order = policy + quiet / params.history_order + follow / params.follow_order;
            if history.is_killer(ply, point) {
                order += params.killer_order;
            }
            self.moves.push(Pick {
                point,
                class,
                gap: policy,
                history: quiet + follow / 2,
                order,
            });
        }
        for pick in &mut self.moves {
            pick.gap = highest - pick.gap;
        }
    }

    fn best_of_rest(&mut self) -> Option<Pick> {
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
