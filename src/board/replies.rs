//! Reply sets: which single stones take a threat away, exact for the rule in play.

use super::{Bitboard, Board};
use crate::pattern::{CellClass, LineClass};
use crate::types::{Color, Direction, Point};

impl Board {
    /// The points where a stone of the opponent of `attacker` leaves `attacker` without a winning
    /// row on its next move, as far as the rows it can complete now go; empty when nothing does.
    ///
    /// Where rows cannot be closed that is the one completing point, or nothing when there are
    /// two. Under caro a stone beyond the end of the row may do as well.
    pub fn replies_to_fives(&self, attacker: Color) -> Bitboard {
        let fives = self.points_of(attacker, CellClass::Five);
        let mut points = fives.iter();
        let Some(first) = points.next() else {
            return Bitboard::EMPTY;
        };
        if !self.spec().rows_can_be_closed() {
            let mut replies = Bitboard::EMPTY;
            if points.next().is_none() {
                replies.insert(first);
            }
            return replies;
        }
        let mut replies = self.spoilers(first, attacker, CellClass::Five);
        for point in points {
            replies = replies.and(&self.spoilers(point, attacker, CellClass::Five));
        }
        replies
    }

    /// The points where a stone of the opponent takes every unstoppable four away that `attacker`
    /// could make with its next stone; empty when no single stone does.
    ///
    /// `None`: a stone anywhere might help, because a point hangs on whether double threes near
    /// it are real. Own fours of the defender gain time and are not part of the set.
    pub fn replies_to_open_fours(&mut self, attacker: Color) -> Option<Bitboard> {
        let threats = *self.points_of(attacker, CellClass::OpenFour);
        let mut replies: Option<Bitboard> = None;
        for point in threats.iter() {
            if self.has_unsure_three(point, attacker) {
                return None;
            }
            let spoilers = self.spoilers(point, attacker, CellClass::OpenFour);
            replies = Some(replies.map_or(spoilers, |replies| replies.and(&spoilers)));
        }
        Some(replies.unwrap_or(Bitboard::EMPTY))
    }

    /// The empty points on the lines of `point` (and `point` itself) where a stone of the
    /// opponent brings what `attacker` makes on `point` below `wanted`.
    fn spoilers(&self, point: Point, attacker: Color, wanted: CellClass) -> Bitboard {
        let defender = attacker.opponent();
        let forbidden = &self.spec().sides[attacker].forbidden;
        let lines = Direction::ALL.map(|d| self.line_class(point, d, attacker));
        let mut spoilers = Bitboard::EMPTY;
        spoilers.insert(point);
        for direction in Direction::ALL {
            let class = lines[direction.index()];
            if !class.is_four() && class != LineClass::Five {
                continue;
            }
            for step in (-5..=5).filter(|step| *step != 0) {
                let cell = point.offset(direction.stride(), step);
                if !self.is_empty(cell) {
                    continue;
                }
                let mut after = lines;
                after[direction.index()] =
                    self.class_after(point, direction, attacker, defender, step);
                // A point that the stone makes forbidden, or perhaps so, is spoiled as well.
                let (class, unsure) = CellClass::combine(after, forbidden);
                if class < wanted || class == CellClass::Forbidden || unsure {
                    spoilers.insert(cell);
                }
            }
        }
        spoilers
    }
}
