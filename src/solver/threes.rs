//! Wins by threats: the attacker plays fours and quiet moves that threaten a win by fours.
//!
//! A quiet move is a threat when the attacker, if the defender passed, would win by fours; that
//! is looked up in the solver of fours, so a threat is real under every rule by what it is. Its
//! refutations are found by playing that win out again with every move of the defender on the
//! board: a move after which it still wins, move for move, needs no further look.
//!
//! Not every point has to be tried for that. A stone that lies on no line of a point where the
//! win has a stone, five cells either way, leaves the classes of all those points alone, so the
//! same stones are fours, with the same replies, and as legal as before unless a double three
//! hangs on other points (then every point is tried). It can make no row with a reply either,
//! and with the stones on the board only by a four of its own; the defender's fours are tried in
//! any case.
//!
//! A full proof is the same with all moves: of the attacker, whether they threaten or not, and of
//! the defender after those that do not.

use super::fours::Found;
use super::graph::{Edge, Node};
use super::tree::Step;
use super::{Solver, Verdict, threats};
use crate::board::Bitboard;
use crate::pattern::CellClass;
use crate::rules::Profile;
use crate::types::{Direction, Point};

/// Which quiet moves are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Breadth {
    /// Points of a shape, with a quick look at what they threaten.
    Shapes,
    /// Every point that threatens anything.
    Threats,
    /// Every point.
    All,
}

/// Nodes for a win by fours on the attacker's turn, when it need not be exhausted.
const WIN_NODES: u64 = 20_000;
/// Nodes for the tree of a win that has been found, most of which the tables hold.
const TREE_NODES: u64 = 200_000;
/// Nodes for the threat of a quiet move, likewise.
const THREAT_NODES: u64 = 100;

/// Nodes for the first look at a reply to a quiet move.
const SCREEN_NODES: u64 = 60;
/// First proof number of a four: it is not as near to a win as having one reply makes it look.
const FOUR_PROOF: u32 = 10;
/// First proof number of a three that one reply spoils, or an open two.
const WEAK_PROOF: u32 = 12;
/// First proof number of a move without any shape.
const QUIET_PROOF: u32 = 16;

/// First proof number of a move of that class, before anybody has looked at it.
fn first_proof(class: CellClass) -> u32 {
    match class {
        CellClass::DoubleThree => 1,
        CellClass::OpenThree => 2,
        CellClass::Weak => WEAK_PROOF,
        CellClass::Quiet => QUIET_PROOF,
        _ => FOUR_PROOF,
    }
}

impl Solver {
    /// Decides whether the side to move wins with quiet moves of that breadth.
    pub(super) fn prove(&mut self, breadth: Breadth) -> Verdict {
        self.graph = Default::default();
        self.attacker = self.board.side();
        self.root_stones = self.board.stones();
        self.breadth = breadth;
        // The attacker's passes are not tried.
        let passes = breadth == Breadth::All && self.settings.profile == Profile::Pass;
        self.is_exhaustive = breadth != Breadth::Shapes && !passes;
        let root = self.node_here();
        self.decide(root);
        let node = self.graph.node(root);
        if node.is_won() {
            self.budget.extend(TREE_NODES);
            return self.tree_here().map_or(Verdict::Unknown, Verdict::Win);
        }
        match node.is_lost() && self.is_exhaustive {
            true => Verdict::NoWin,
            false => Verdict::Unknown,
        }
    }

    /// The node of the position on the board with its moves.
    pub(super) fn expand(&mut self) -> Node {
        if self.board.side() == self.attacker {
            self.expand_attack()
        } else if self.board.count_of(self.attacker, CellClass::Five) > 0 {
            self.expand_reply()
        } else {
            self.expand_threat()
        }
    }

    /// The attacker's turn.
    fn expand_attack(&mut self) -> Node {
        let found = match self.breadth {
            Breadth::Threats => self.fours(false),
            Breadth::Shapes | Breadth::All => self.fours_within(WIN_NODES),
        };
        if let Found::Win(..) = found {
            return Node::won();
        }
        // Whoever plays on all moves finds what the fours have missed.
        self.is_exhaustive &= found == Found::Fail(true) || self.breadth == Breadth::All;
        if self.stones_left() < 1 {
            return Node::lost();
        }
        let attacker = self.attacker;
        let mut moves = *self.board.empties();
        let is_forced = self.board.count_of(attacker.opponent(), CellClass::Five) > 0;
        if is_forced {
            moves = self.board.replies_to_fives(attacker.opponent());
        }
        let mut edges: Vec<Edge> = Vec::new();
        for point in moves.iter() {
            let class = self.board.class(point, attacker);
            // A forced reply may leave an older threat standing without making one.
            let is_tried =
                class != CellClass::Quiet || is_forced || self.breadth != Breadth::Shapes;
            if is_tried && !self.board.is_forbidden(point, attacker) {
                edges.push(Edge::new(point, self.hope(first_proof(class))));
            }
        }
        match edges.is_empty() {
            true => Node::lost(),
            false => Node {
                edges: edges.into(),
                ..Node::with_edges([], 1, None)
            },
        }
    }

    /// The defender's turn after a four.
    fn expand_reply(&mut self) -> Node {
        if self.board.count_of(self.board.side(), CellClass::Five) > 0 {
            return Node::lost();
        }
        let begin = self.moves.len();
        let goes_on = self.push_replies();
        let replies: Vec<Point> = self.moves.drain(begin..).map(|(_, point)| point).collect();
        match (goes_on, replies.is_empty()) {
            (false, _) => Node::lost(),
            (true, true) => Node::won(),
            (true, false) => Node::with_edges(replies, self.hope(FOUR_PROOF), None),
        }
    }

    /// The defender's turn after a quiet move; lost when the move is not worth a reply.
    fn expand_threat(&mut self) -> Node {
        let defender = self.board.side();
        let stones_left = self.stones_left();
        let is_lost = self.board.count_of(defender, CellClass::Five) > 0;
        if is_lost || stones_left < 1 || self.is_drawn_for(defender) {
            return Node::lost();
        }
        self.board.set_side(self.attacker);
        let threat = self.threat_here();
        self.board.set_side(defender);
        // The threat is carried out one stone later.
        let threat = threat.filter(|threat| (threat.plies() as i32) < stones_left);
        let mut replies = match &threat {
            Some(threat) => self.refutations(threat),
            None if self.breadth == Breadth::All => self.legal_moves(),
            None => return Node::lost(),
        };
        if threat.is_none() && self.settings.profile == Profile::Pass {
            replies.push(Point::NONE);
        }
        // What does most for the defender is the likeliest to refute.
        replies.sort_by_key(|reply| {
            let class = match reply.is_none() {
                true => CellClass::Quiet,
                false => self.board.class(*reply, defender),
            };
            std::cmp::Reverse(class as u8)
        });
        let count = replies.len() as u32;
        match (replies.is_empty(), threat.map(Box::new)) {
            (true, threat) => Node {
                threat,
                ..Node::won()
            },
            (false, threat) => Node {
                proof: self.hope(1 + count / 4),
                ..Node::with_edges(replies, 1, threat)
            },
        }
    }

    /// How the attacker wins by fours if it is to move now.
    pub(super) fn threat_here(&mut self) -> Option<Step> {
        let found = match self.breadth {
            Breadth::Threats => self.fours(false),
            Breadth::Shapes | Breadth::All => self.fours_within(THREAT_NODES),
        };
        self.is_exhaustive &= found != Found::Cut || self.breadth == Breadth::All;
        match found {
            Found::Win(fours, _) => self.fours_tree(fours),
            _ => None,
        }
    }

    /// Is there a win by fours that a quick look finds?
    pub(super) fn wins_at_hand(&mut self) -> bool {
        let found = self.fours_within(SCREEN_NODES);
        matches!(found, Found::Win(..))
    }

    pub(super) fn legal_moves(&mut self) -> Vec<Point> {
        let side = self.board.side();
        let empties = *self.board.empties();
        let moves = empties.iter();
        moves
            .filter(|point| !self.board.is_forbidden(*point, side))
            .collect()
    }

    /// The legal moves of the side to move after which `threat` is no win any more as it stands.
    pub(super) fn refutations(&mut self, threat: &Step) -> Vec<Point> {
        let defender = self.board.side();
        let mut region = threats::fours(&self.board, defender);
        self.board.set_side(self.attacker);
        let is_local = self.mark(threat, &mut region);
        self.board.set_side(defender);
        let empties = *self.board.empties();
        let region = if is_local {
            region.and(&empties)
        } else {
            empties
        };
        let mut replies = Vec::new();
        for reply in region.iter() {
            if self.board.is_forbidden(reply, defender) {
                continue;
            }
            self.board.make(reply);
            if !self.still_wins(threat) {
                replies.push(reply);
            }
            self.board.undo();
        }
        replies
    }

    /// Adds the lines of all points of a win by fours, the attacker to move, to `region`. False
    /// when the win hangs on more than its lines.
    fn mark(&mut self, step: &Step, region: &mut Bitboard) -> bool {
        let attacker = self.board.side();
        let defender = attacker.opponent();
        let forbids = self.board.spec().forbids(defender);
        let mut is_local = self.mark_lines(step.point, region);
        let Some(five) = &step.otherwise else {
            return is_local;
        };
        self.board.make(step.point);
        // A casual game may be drawn for want of a legal reply.
        is_local &=
            !(forbids && self.settings.profile == Profile::Casual && step.replies.is_empty());
        is_local &= self.mark_lines(five.point, region);
        for (reply, next) in &step.replies {
            is_local &= self.mark_lines(*reply, region);
            self.board.make(*reply);
            is_local &= self.mark(next, region);
            self.board.undo();
        }
        self.board.undo();
        is_local
    }

    /// Adds the lines of a point to `region`. False when more than they may say whether one
    /// side's stone on it is legal.
    fn mark_lines(&self, point: Point, region: &mut Bitboard) -> bool {
        for direction in Direction::ALL {
            for step in -5..=5 {
                let cell = point.offset(direction.stride(), step);
                if self.board.is_empty(cell) {
                    region.insert(cell);
                }
            }
        }
        region.insert(point);
        let unsure = |side| self.board.has_unsure_three(point, side);
        !unsure(self.attacker) && !unsure(self.attacker.opponent())
    }

    /// Does the side to move still win by fours exactly as `step` says?
    pub(super) fn still_wins(&mut self, step: &Step) -> bool {
        let attacker = self.board.side();
        let point = step.point;
        if !self.board.is_empty(point) {
            return false;
        }
        let Some(five) = &step.otherwise else {
            return self.board.class(point, attacker) == CellClass::Five;
        };
        let class = self.board.class(point, attacker);
        let is_four = (CellClass::Four..=CellClass::OpenFour).contains(&class);
        if !is_four || self.board.is_forbidden(point, attacker) {
            return false;
        }
        self.board.make(point);
        let holds = self.still_stands(step, five.point);
        self.board.undo();
        holds
    }

    /// Is every reply to the four of `step`, which has just been made, still answered?
    fn still_stands(&mut self, step: &Step, five: Point) -> bool {
        let defender = self.board.side();
        let attacker = defender.opponent();
        if self.board.count_of(defender, CellClass::Five) > 0
            || !self.board.is_empty(five)
            || self.board.class(five, attacker) != CellClass::Five
        {
            return false;
        }
        for reply in self.takers(five).iter() {
            if self.board.is_forbidden(reply, defender) {
                continue;
            }
            let answer = step.replies.iter().find(|(point, _)| *point == reply);
            let Some((_, next)) = answer else {
                return false;
            };
            self.board.make(reply);
            let holds = self.still_wins(next);
            self.board.undo();
            if !holds {
                return false;
            }
        }
        // Only where a game without legal replies is drawn does it matter that there are none.
        !self.is_drawn_for(defender)
    }

    /// The points where a stone of the side to move takes the opponent's row on `five` away.
    pub(super) fn takers(&mut self, five: Point) -> Bitboard {
        let attacker = self.board.side().opponent();
        let mut takers = Bitboard::EMPTY;
        takers.insert(five);
        if self.board.spec().rows_can_be_closed() {
            let empties = *self.board.empties();
            for point in empties.iter().filter(|point| *point != five) {
                self.board.make(point);
                if self.board.class(five, attacker) != CellClass::Five {
                    takers.insert(point);
                }
                self.board.undo();
            }
        }
        takers
    }

    /// The proof tree of the position on the board, whose node is won, the attacker to move.
    fn tree_here(&mut self) -> Option<Step> {
        let id = self.graph.find(self.board.key())?;
        let edges = self.graph.node(id).edges.clone();
        if edges.is_empty() {
            return match self.fours(false) {
                Found::Win(fours, _) => self.fours_tree(fours),
                Found::Fail(_) | Found::Cut => None,
            };
        }
        let is_won = |edge: &&Edge| edge.node.is_some_and(|id| self.graph.node(id).is_won());
        let won = *edges.iter().find(is_won)?;
        let replies = self.graph.node(won.node?).edges.clone();
        let threat = self.graph.node(won.node?).threat.clone();
        self.board.make(won.point);
        let mut answers = Some(Vec::new());
        for reply in &replies {
            self.play(reply.point);
            let answer = self.tree_here();
            self.take_back(reply.point);
            answers = answers.zip(answer).map(|(mut answers, answer)| {
                answers.push((reply.point, answer));
                answers
            });
        }
        let is_four = self.board.count_of(self.attacker, CellClass::Five) > 0;
        let step = match (answers, is_four) {
            (Some(answers), true) => self.complete_four(won.point, answers, self.attacker),
            (answers, _) => answers.map(|replies| Step {
                point: won.point,
                replies,
                otherwise: threat,
            }),
        };
        self.board.undo();
        step
    }
}
