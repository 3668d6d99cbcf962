//! What earlier cutoffs say about moves: killers, butterfly history, and how moves follow on
//! the stones before them.

use super::params::{HISTORY_LIMIT, MAX_PLY};
use crate::board::Board;
use crate::pattern::{CellClass, THREAT_MASKS};
use crate::types::{Color, GRID_CELLS, Point};

/// Farthest offset between two stones that are told apart.
const REACH: i32 = 5;
/// Offsets along one axis.
const SPAN: i32 = 2 * REACH + 1;
/// All offsets, and one more for everything farther away.
const OFFSETS: usize = (SPAN * SPAN) as usize + 1;

/// Parts of a score unit in which errors of the evaluation are kept.
const ERROR_UNIT: i32 = 16;
/// Largest error learned, in those parts.
const ERROR_LIMIT: i32 = 128 * ERROR_UNIT;

/// By class of the move and by its offset from an earlier stone.
type Follow = [[i16; OFFSETS]; CellClass::COUNT];

/// The stones a move follows on.
pub struct Context {
    side: Color,
    /// The opponent's last stone and the own one before it.
    before: [Point; 2],
}

impl Context {
    /// Of the side to move.
    pub fn new(board: &Board) -> Context {
        Context {
            side: board.side(),
            before: [board.move_back(1), board.move_back(2)],
        }
    }

    /// Is `point` out of touch with both stones?
    pub fn is_far(&self, point: Point) -> bool {
        self.before
            .iter()
            .all(|stone| stone.is_none() || stone.distance(point) > 4)
    }

    /// Where `point` lies from the stone `which`.
    #[inline]
    fn offset(&self, which: usize, point: Point) -> usize {
        let stone = self.before[which];
        if stone.is_none() {
            return OFFSETS - 1;
        }
        let dx = i32::from(point.x()) - i32::from(stone.x());
        let dy = i32::from(point.y()) - i32::from(stone.y());
        if dx.abs() > REACH || dy.abs() > REACH {
            return OFFSETS - 1;
        }
        ((dy + REACH) * SPAN + dx + REACH) as usize
    }
}

/// Move statistics of one thread. All values lie within plus and minus [`HISTORY_LIMIT`].
pub struct History {
    quiet: Box<[[i16; GRID_CELLS]; 2]>,
    follow: Box<[Follow; 2]>,
    killers: Vec<[Point; 2]>,
    /// How far evaluations were off, by threat mask; in 1/16 score unit.
    errors: [Box<[i16]>; 2],
}

impl History {
    /// Nothing known.
    pub fn new() -> History {
        History {
            quiet: Box::new([[0; GRID_CELLS]; 2]),
            follow: Box::new([[[0; OFFSETS]; CellClass::COUNT]; 2]),
            killers: vec![[Point::NONE; 2]; MAX_PLY + 2],
            errors: std::array::from_fn(|_| vec![0; THREAT_MASKS].into()),
        }
    }

    /// Forgets what only held for the tree of the last search; fades the rest.
    pub fn fade(&mut self) {
        for value in self.quiet.iter_mut().flatten() {
            *value /= 2;
        }
        self.killers.fill([Point::NONE; 2]);
    }

    /// How far evaluations for `side` were off with that threat mask, in score units.
    #[inline]
    pub fn error(&self, side: Color, mask: usize) -> i32 {
        i32::from(self.errors[side.index()][mask]) / ERROR_UNIT
    }

    /// An evaluation for `side` with that threat mask was `by` too low, as a search of `depth`
    /// found.
    pub fn learn_error(&mut self, side: Color, mask: usize, by: i32, depth: i32) {
        let value = &mut self.errors[side.index()][mask];
        let old = i32::from(*value);
        let weight = (depth + 1).min(16);
        let new = old + (by * ERROR_UNIT - old) * weight / 512;
        *value = new.clamp(-ERROR_LIMIT, ERROR_LIMIT) as i16;
    }

    /// How well `point` did for `side`.
    #[inline]
    pub fn quiet(&self, side: Color, point: Point) -> i32 {
        self.quiet[side.index()][point.index()].into()
    }

    /// How well a move of `class` did at that place from the stones before it: the sum over
    /// both.
    #[inline]
    pub fn follow(&self, context: &Context, point: Point, class: CellClass) -> i32 {
        let value = |which: usize| {
            i32::from(self.follow[which][class as usize][context.offset(which, point)])
        };
        value(0) + value(1)
    }

    /// Was `point` a recent refutation at this ply?
    #[inline]
    pub fn is_killer(&self, ply: usize, point: Point) -> bool {
        self.killers[ply].contains(&point)
    }

    /// `best` refuted the position at `ply`; `tried` were searched before it in vain.
    pub fn reward(
        &mut self,
        context: &Context,
        ply: usize,
        depth: i32,
        best: (Point, CellClass),
        tried: &[(Point, CellClass)],
    ) {
        let bonus = (depth * depth * 8 + 40 * depth).min(1600);
        self.adjust(context, best, bonus);
        for other in tried {
            self.adjust(context, *other, -bonus);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != best.0 {
            killers[1] = killers[0];
            killers[0] = best.0;
        }
    }

    fn adjust(&mut self, context: &Context, (point, class): (Point, CellClass), bonus: i32) {
        approach(&mut self.quiet[context.side.index()][point.index()], bonus);
        for which in 0..2 {
            let offset = context.offset(which, point);
            approach(&mut self.follow[which][class as usize][offset], bonus);
        }
    }
}

/// Moves a value towards plus or minus the limit; the closer, the slower.
fn approach(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
}
