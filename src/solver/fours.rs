//! Victory by continuous fours, decided: found with its length, or shown not to exist.
//!
//! The attacker plays nothing but fours, so the defender has only the replies that stop the row:
//! none, one, or under caro up to three, and each is a branch. A reply may make a four itself;
//! then the attacker's next four must stop that at the same time, and if it cannot the line has
//! failed. No four is left out, however far away it is, and a line ends only where it is decided
//! or where its number of fours is used up. When that never happened the win does not exist.
//!
//! Stones are only added, so there are no cycles, and a position is reached with the same number
//! of fours on every way to it: within one iteration the table is a perfect memory.

use super::Solver;
use super::table::{Known, NEVER};
use super::threats;
use super::tree::Step;
use crate::pattern::CellClass;
use crate::rules::Profile;
use crate::types::{Color, Point};

/// More fours than fit on the largest board.
const MOST_FOURS: u8 = NEVER - 1;

/// What is known of the side to move when it may only play fours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Found {
    /// It wins with that many fours and the row of five after them, beginning with this move.
    Win(u8, Point),
    /// No win within the fours asked for. True: none at all.
    Fail(bool),
    /// The budget ended before the answer.
    Cut,
}

impl Solver {
    /// Decides whether the side to move wins by fours. `shortest`: with the fewest.
    pub(super) fn fours(&mut self, shortest: bool) -> Found {
        let mut limit = match self.fours_table.probe(self.board.key()) {
            Some(known) if known.win != NEVER && !shortest => known.win,
            Some(known) if known.fail != NEVER => known.fail + 1,
            _ => 1,
        };
        loop {
            match self.attack(limit) {
                Found::Fail(false) if limit < MOST_FOURS => {}
                found => return found,
            }
            // A longer win costs little to find once shorter ones are excluded, and excluding
            // them one by one is what `shortest` asks for.
            let step = if shortest { 1 } else { 1 + limit / 2 };
            limit = limit.saturating_add(step).min(MOST_FOURS);
        }
    }

    /// [`Solver::fours`] within at most `nodes` nodes.
    pub(super) fn fours_within(&mut self, nodes: u64) -> Found {
        let before = self.budget.restrict(nodes);
        let found = self.fours(false);
        self.budget.restore(before);
        found
    }

    /// Stones that can still be placed before the game is drawn. The last of them may win.
    pub(super) fn stones_left(&self) -> i32 {
        self.board.empty_points() as i32 - self.draw_margin
    }

    /// The side to move plays at most `left` fours.
    pub(super) fn attack(&mut self, left: u8) -> Found {
        if !self.budget.spend() {
            return Found::Cut;
        }
        let side = self.board.side();
        let stones_left = self.stones_left();
        if stones_left < 1 {
            return Found::Fail(true);
        }
        if let Some(five) = self.board.points_of(side, CellClass::Five).iter().next() {
            return Found::Win(0, five);
        }
        // A four, its reply and the row of five.
        if stones_left < 3 || !self.board.has_four(side) {
            return Found::Fail(true);
        }
        if left == 0 {
            return Found::Fail(false);
        }
        let key = self.board.key();
        let known = self.fours_table.probe(key);
        if let Some(known) = known {
            if known.win <= left {
                return Found::Win(known.win, known.best);
            }
            if known.fail >= left {
                return Found::Fail(known.fail == NEVER);
            }
        }
        let nodes = self.budget.nodes;
        let found = self.try_fours(left, known.map_or(Point::NONE, |known| known.best));
        let mut known = known.unwrap_or(Known::NOTHING);
        match found {
            Found::Win(fours, best) => (known.win, known.best) = (fours, best),
            Found::Fail(never) => known.fail = if never { NEVER } else { left },
            Found::Cut => return Found::Cut,
        }
        self.fours_table
            .store(key, known, self.budget.nodes - nodes);
        found
    }

    /// Tries the fours of the side to move, the most promising first.
    fn try_fours(&mut self, left: u8, first: Point) -> Found {
        let side = self.board.side();
        let mut moves = threats::fours(&self.board, side);
        if self.board.count_of(side.opponent(), CellClass::Five) > 0 {
            moves = moves.and(&self.board.replies_to_fives(side.opponent()));
        }
        // A four that one stone stops does not win by itself, unless that stone is forbidden.
        let only_open = left == 1 && !self.board.spec().forbids(side.opponent());
        let begin = self.moves.len();
        let last = self.board.move_back(2);
        for point in moves.iter() {
            let rank = rank(self.board.class(point, side), point, last, first);
            self.moves.push((-rank, point));
        }
        self.moves[begin..].sort_unstable();
        let mut found = Found::Fail(true);
        for index in begin..self.moves.len() {
            let point = self.moves[index].1;
            if self.board.is_forbidden(point, side) {
                continue;
            }
            if only_open && self.board.class(point, side) != CellClass::OpenFour {
                found = Found::Fail(false);
                continue;
            }
            self.board.make(point);
            let fours = self.defend(left);
            self.board.undo();
            match fours {
                Found::Win(fours, _) => {
                    found = Found::Win(fours, point);
                    break;
                }
                Found::Fail(true) => {}
                Found::Fail(false) => found = Found::Fail(false),
                Found::Cut => {
                    found = Found::Cut;
                    break;
                }
            }
        }
        self.moves.truncate(begin);
        found
    }

    /// The side to move faces a four; `left` counts it. The win is the attacker's, its first
    /// move of no meaning.
    fn defend(&mut self, left: u8) -> Found {
        let defender = self.board.side();
        if self.board.count_of(defender, CellClass::Five) > 0 {
            return Found::Fail(true);
        }
        let begin = self.moves.len();
        if !self.push_replies() {
            return Found::Fail(true);
        }
        let mut found = Found::Win(1, Point::NONE);
        for index in begin..self.moves.len() {
            self.board.make(self.moves[index].1);
            let answer = self.attack(left - 1);
            self.board.undo();
            match (answer, found) {
                (Found::Win(fours, _), Found::Win(most, _)) => {
                    found = Found::Win(most.max(fours.saturating_add(1)), Point::NONE);
                }
                (Found::Win(..), _) => {}
                (Found::Fail(false), Found::Win(..)) => found = answer,
                (Found::Fail(false), _) => {}
                (answer, _) => {
                    found = answer;
                    break;
                }
            }
        }
        self.moves.truncate(begin);
        found
    }

    /// Pushes the legal replies of the side to move to the four it faces. False when there are
    /// none and that draws the game.
    pub(super) fn push_replies(&mut self) -> bool {
        let defender = self.board.side();
        let replies = self.board.replies_to_fives(defender.opponent());
        let begin = self.moves.len();
        for reply in replies.iter() {
            if !self.board.is_forbidden(reply, defender) {
                self.moves.push((0, reply));
            }
        }
        self.moves.len() > begin || !self.is_drawn_for(defender)
    }

    /// Does it end the game in a draw that `side` has only forbidden points left?
    pub(super) fn is_drawn_for(&mut self, side: Color) -> bool {
        if self.settings.profile != Profile::Casual || !self.board.spec().forbids(side) {
            return false;
        }
        let empties = *self.board.empties();
        empties
            .iter()
            .all(|point| self.board.is_forbidden(point, side))
    }

    /// The proof tree of a win within `left` fours by the side to move; `None` when there is no
    /// such win or the budget ends first.
    pub(super) fn fours_tree(&mut self, left: u8) -> Option<Step> {
        let Found::Win(fours, point) = self.attack(left) else {
            return None;
        };
        if fours == 0 {
            return Some(Step::five(point));
        }
        let side = self.board.side();
        self.board.make(point);
        let begin = self.moves.len();
        self.push_replies();
        let mut replies = Some(Vec::new());
        for index in begin..self.moves.len() {
            let reply = self.moves[index].1;
            self.board.make(reply);
            let answer = self.fours_tree(fours - 1);
            self.board.undo();
            replies = replies.zip(answer).map(|(mut replies, answer)| {
                replies.push((reply, answer));
                replies
            });
        }
        self.moves.truncate(begin);
        let step = replies.and_then(|replies| self.complete_four(point, replies, side));
        self.board.undo();
        step
    }

    /// The step of a four of `side` that has just been made, with the answers to `replies`: adds
    /// the row of five, also for moves that take only one of several away.
    pub(super) fn complete_four(
        &mut self,
        point: Point,
        mut replies: Vec<(Point, Step)>,
        side: Color,
    ) -> Option<Step> {
        let five = self.board.points_of(side, CellClass::Five).iter().next()?;
        for reply in self.takers(five).iter() {
            if replies.iter().any(|(known, _)| *known == reply) {
                continue;
            }
            self.board.make(reply);
            let other = self.board.points_of(side, CellClass::Five).iter().next();
            self.board.undo();
            replies.extend(other.map(|other| (reply, Step::five(other))));
        }
        Some(Step {
            point,
            replies,
            otherwise: Some(Box::new(Step::five(five))),
        })
    }
}

/// The order in which fours are tried: what won before, what wins at once, what makes more than
/// a four, and what lies near the attacker's `last` stone.
fn rank(class: CellClass, point: Point, last: Point, first: Point) -> i32 {
    let urgency = match class {
        _ if point == first => 100,
        CellClass::OpenFour => 50,
        CellClass::FourThree => 8,
        CellClass::FourPlus => 4,
        _ => 0,
    };
    urgency
        + if threats::is_related(point, last) {
            5
        } else {
            0
        }
}
