//! What earlier cutoffs say about moves: killers and butterfly history.

use super::params::{HISTORY_LIMIT, MAX_PLY};
use crate::types::{Color, GRID_CELLS, Point};

/// Move statistics of one thread.
pub struct History {
    quiet: Box<[[i16; GRID_CELLS]; 2]>,
    killers: Vec<[Point; 2]>,
}

impl History {
    /// Nothing known.
    pub fn new() -> History {
        History {
            quiet: Box::new([[0; GRID_CELLS]; 2]),
            killers: vec![[Point::NONE; 2]; MAX_PLY + 2],
        }
    }

    /// Forgets what only held for the tree of the last search; fades the rest.
    pub fn fade(&mut self) {
        for value in self.quiet.iter_mut().flatten() {
            *value /= 2;
        }
        self.killers.fill([Point::NONE; 2]);
    }

    /// How well `point` did for `side`, within plus and minus [`HISTORY_LIMIT`].
    #[inline]
    pub fn quiet(&self, side: Color, point: Point) -> i32 {
        self.quiet[side.index()][point.index()].into()
    }

    /// Was `point` a recent refutation at this ply?
    #[inline]
    pub fn is_killer(&self, ply: usize, point: Point) -> bool {
        self.killers[ply].contains(&point)
    }

    /// `best` refuted the position at `ply`; `tried` were searched before it in vain.
    pub fn reward(&mut self, side: Color, ply: usize, depth: i32, best: Point, tried: &[Point]) {
        let bonus = (depth * depth * 8 + 40 * depth).min(1600);
        self.adjust(side, best, bonus);
        for point in tried {
            self.adjust(side, *point, -bonus);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != best {
            killers[1] = killers[0];
            killers[0] = best;
        }
    }

    /// Moves a value towards plus or minus the limit; the closer, the slower.
    fn adjust(&mut self, side: Color, point: Point, bonus: i32) {
        let value = &mut self.quiet[side.index()][point.index()];
        let old = i32::from(*value);
        *value = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
    }
}
