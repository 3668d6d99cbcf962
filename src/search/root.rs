//! Iterative deepening at the root: which moves there are, aspiration windows, several lines,
//! when to stop.

use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use super::history::Context;
use super::moves::Child;
use super::params::*;
use super::pvs::OnPv;
use super::report::{Line, Reporter, RootMoveState};
use super::selective::LateMove;
use super::timing::{Course, Iteration};
use super::{UNPROVEN_LOSS, Worker};
use crate::board::{Bitboard, Board};
use crate::eval;
use crate::pattern::CellClass;
use crate::rules::Profile;
use crate::solver::threats::{self, Situation};
use crate::types::Point;
use crate::types::score::{self, Score};

/// What to find out about the position on the board.
#[derive(Clone, Debug)]
pub struct Question {
    /// When the turn began.
    pub start: Instant,
    /// Lines wanted, at least 1.
    pub lines: usize,
    /// Deepest iteration.
    pub depth: i32,
    /// Points that may not be the first move.
    pub blocked: Vec<Point>,
    /// Depth of the first iteration; helper threads start deeper to spread out.
    pub first_depth: i32,
    /// Is there a clock? Then a single answer is given without thought.
    pub timed: bool,
    /// Only a limit ends it above `depth`: its score will be compared with others.
    pub thorough: bool,
}

/// What a worker found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The best move; a legal empty point if there is one, any empty point otherwise.
    pub best: Point,
    /// The lines of the last completed iteration, best first; at least one.
    pub lines: Vec<Line>,
}

/// A move at the root and what is known about it.
#[derive(Clone, Debug)]
struct RootMove {
    point: Point,
    /// Score of the last search that said more than "no better"; else minus infinity.
    score: Score,
    /// Score of the iteration before, to keep the order among the rest.
    previous: Score,
    depth: i32,
    nodes: u64,
    /// Policy gap to the best move, in policy points.
    gap: i32,
    pv: Vec<Point>,
}

/// The root of one search.
struct Root {
    moves: Vec<RootMove>,
    /// Are all moves that do not lose at once in `moves`?
    complete: bool,
    wanted: usize,
    /// Lines that the last iteration has finished.
    finished: usize,
    /// How the iterations went.
    course: Course,
}

impl Question {
    /// The best line to that depth, whatever the clocks of a game say.
    pub fn plain(start: Instant, depth: i32) -> Question {
        Question {
            start,
            lines: 1,
            depth,
            blocked: Vec::new(),
            first_depth: 1,
            timed: false,
            thorough: false,
        }
    }

    /// Nodes for an answer that is wanted at once: a few milliseconds.
    pub const INSTANT_NODES: u64 = 1_500;
    /// Nodes for an answer when every millisecond counts.
    pub const LEAST_NODES: u64 = 200;
}

impl Worker {
    /// Loads a position. History is faded, not lost.
    pub fn set_board(&mut self, board: Board) {
        let left = board.empty_points();
        self.draw_margin = Profile::Judge.draw_margin(board.spec(), left) as i32;
        let tuned = self.tuned.clone();
        self.params = tuned.unwrap_or_else(|| Params::for_rule(board.spec()));
        self.board = board;
        self.evaluator.reset();
        self.history.fade();
    }

    /// Searches the position on the board until a limit or the stop flag ends it.
    pub fn think(&mut self, question: &Question, reporter: &mut dyn Reporter) -> Outcome {
        self.start = question.start;
        self.nodes = 0;
        self.seldepth = 0;
        self.root_depth = 0;
        self.stopped = false;
        let mut root = self.root(question);
        let fallback = root.moves.first().map_or(Point::NONE, |mv| mv.point);
        if self.id == 0
            && question.lines == 1
            && question.blocked.is_empty()
            && let Some(line) = self.immediate_line(&root)
        {
            reporter.root_move(line.pv[0], RootMoveState::Best);
            reporter.line(&line);
            return Outcome {
                best: line.pv[0],
                lines: vec![line],
            };
        }
        let mut lines = vec![self.line(&root, 0, 0)];
        for depth in question.first_depth..=question.depth.min(MAX_DEPTH) {
            reporter.iteration(depth as u32);
            let finished = self.iterate(&mut root, depth, reporter);
            if finished {
                self.note(&mut root);
            }
            let begun = root.wanted == 1 && root.moves.first().is_some_and(|mv| mv.depth == depth);
            if finished || begun || root.finished > 0 {
                let new = (0..root.finished.max(1)).map(|index| self.line(&root, index, depth));
                lines = merged(new.collect(), lines, root.wanted);
                self.complete_lines(&mut lines);
                lines.iter().for_each(|line| reporter.line(line));
            }
            if self.stopped || self.is_enough(question, &root, &lines, depth) {
                break;
            }
            self.widen_if_lost(&mut root, &question.blocked);
        }
        self.shared.nodes[self.id].0.store(self.nodes, Relaxed);
        let best = lines
            .first()
            .and_then(|line| line.pv.first())
            .copied()
            .unwrap_or(fallback);
        Outcome { best, lines }
    }

    /// The moves to search.
    fn root(&mut self, question: &Question) -> Root {
        let side = self.board.side();
        let free_choice = question.lines == 1 && question.blocked.is_empty();
        let center = self.board.size().center();
        // The middle is the obvious first stone; only analysis looks at others.
        let near = match free_choice && self.board.stones() == 0 {
            true => Bitboard::from_iter([center]),
            false => self.free_moves(),
        };
        let (set, complete) = match threats::assess(&mut self.board, self.draw_margin) {
            Situation::Forced(set) | Situation::Threatened(set) if free_choice => (set, true),
            Situation::Lost(_) => (near, true),
            _ => (near, false),
        };
        let mut root = Root {
            moves: Vec::new(),
            complete,
            wanted: 0,
            finished: 0,
            course: Course::default(),
        };
        let allowed = |point: &Point| !question.blocked.contains(point);
        for point in set.iter().filter(allowed) {
            root.add(&mut self.board, point);
        }
        if root.moves.is_empty() {
            for point in self.board.empties().iter().filter(allowed) {
                root.add(&mut self.board, point);
            }
        }
        if root.moves.is_empty() {
            // Only forbidden or blocked points are left: any empty one must do.
            let any = self.board.empties().iter().find(allowed);
            let any = any.or_else(|| self.board.empties().iter().next());
            root.moves.extend(any.map(RootMove::new));
        }
        let policy = |mv: &RootMove| eval::policy(&self.board, mv.point);
        let highest = root.moves.iter().map(policy).max().unwrap_or(0);
        for mv in &mut root.moves {
            mv.gap = highest - policy(mv);
        }
        let wins = |mv: &RootMove| self.board.class(mv.point, side) == CellClass::Five;
        root.moves
            .sort_by_key(|mv| mv.gap - 10_000 * i32::from(wins(mv)));
        root.wanted = question.lines.clamp(1, root.moves.len().max(1));
        root
    }

    /// A win that needs no iteration: at once, or by fours.
    fn immediate_line(&mut self, root: &Root) -> Option<Line> {
        let claimed = match threats::assess(&mut self.board, self.draw_margin) {
            Situation::Won(plies) => score::win_in(plies),
            Situation::Free | Situation::Forced(_) | Situation::Threatened(_) => {
                // The iterations need their share of a small node limit.
                let limit = self.shared.node_limit.load(Relaxed) / 4;
                self.win_by_fours(0, ROOT_FOURS_NODES.min(limit))?
            }
            _ => return None,
        };
        let mut line = self.line(root, 0, score::plies_to_end(claimed));
        line.pv.clear();
        line.score = claimed;
        line.win_rate = eval::win_rate(claimed);
        self.complete_line(&mut line);
        line.total_nodes = self.nodes;
        line.nodes = self.nodes;
        (!line.pv.is_empty()).then_some(line)
    }

    /// One iteration over all wanted lines. False when it was cut short.
    fn iterate(&mut self, root: &mut Root, depth: i32, reporter: &mut dyn Reporter) -> bool {
        self.root_depth = depth;
        for mv in &mut root.moves {
            mv.previous = mv.score;
            mv.score = -score::INFINITE;
        }
        for index in 0..root.wanted {
            let finished = self.aspirate(root, index, depth, reporter);
            root.sort_from(index);
            root.finished = index + usize::from(finished);
            if !finished {
                return false;
            }
        }
        true
    }

    /// Searches line `index` with a window around its last score that opens on failure.
    fn aspirate(
        &mut self,
        root: &mut Root,
        index: usize,
        depth: i32,
        reporter: &mut dyn Reporter,
    ) -> bool {
        let expected = root.moves[index].previous;
        let (mut alpha, mut beta) = (-score::INFINITE, score::INFINITE);
        let mut width = self.params.aspiration;
        if depth >= self.params.aspiration_depth && !score::is_decided(expected) {
            alpha = (expected - width).max(-score::INFINITE);
            beta = (expected + width).min(score::INFINITE);
        }
        loop {
            let best = self.search_root(root, index, alpha, beta, depth, reporter);
            if self.stopped {
                return false;
            }
            root.sort_from(index);
            width *= 3;
            if best <= alpha {
                beta = (alpha + beta) / 2;
                alpha = if width > 1000 {
                    -score::INFINITE
                } else {
                    best - width
                };
            } else if best >= beta {
                beta = if width > 1000 {
                    score::INFINITE
                } else {
                    best + width
                };
            } else {
                return true;
            }
            (alpha, beta) = (alpha.max(-score::INFINITE), beta.min(score::INFINITE));
        }
    }

    /// Searches all root moves from number `index` on.
    fn search_root(
        &mut self,
        root: &mut Root,
        index: usize,
        mut alpha: Score,
        beta: Score,
        depth: i32,
        reporter: &mut dyn Reporter,
    ) -> Score {
        let lowest = alpha;
        let mut best = -score::INFINITE;
        for (count, mv) in root.moves[index..].iter_mut().enumerate() {
            let before = self.nodes;
            reporter.root_move(mv.point, RootMoveState::Started);
            let score = self.search_root_move(mv, alpha, beta, depth, count as i32 + 1);
            mv.nodes += self.nodes - before;
            if self.stopped {
                return best;
            }
            reporter.root_move(mv.point, RootMoveState::Finished);
            if score::is_loss(score) && score < beta {
                reporter.root_move(mv.point, RootMoveState::Lost);
            }
            if count == 0 || score > alpha {
                mv.score = score;
                mv.depth = depth;
                // A child that was cut off leaves no line; the one from before still says what
                // was expected, unless the end has been proven since.
                if !self.pv[1].is_empty() || score::is_decided(score) {
                    mv.pv.truncate(1);
                    mv.pv.extend_from_slice(&self.pv[1]);
                }
                if index == 0 && (count > 0 || depth == 1) {
                    reporter.root_move(mv.point, RootMoveState::Best);
                }
            } else {
                mv.score = -score::INFINITE;
            }
            if score > best {
                best = score;
                alpha = alpha.max(score);
                if score >= beta {
                    break;
                }
            }
            if best > lowest && self.is_overdue(root.wanted, &root.course) {
                self.stopped = true;
                return best;
            }
        }
        if root.complete {
            best
        } else {
            best.max(UNPROVEN_LOSS)
        }
    }

    /// The score of root move number `count`, from 1.
    fn search_root_move(
        &mut self,
        mv: &RootMove,
        alpha: Score,
        beta: Score,
        depth: i32,
        count: i32,
    ) -> Score {
        self.pv[1].clear();
        if self.board.class(mv.point, self.board.side()) == CellClass::Five {
            return score::win_in(1);
        }
        let child = Child {
            depth: depth - 1,
            reduction: self.root_reduction(mv.point, mv.gap, depth, count),
            count,
            cut_node: false,
        };
        self.make(mv.point);
        let score = self.search_child::<OnPv>(alpha, beta, 0, &child);
        self.board.undo();
        score
    }

    /// Plies to take off the search of a late root move.
    fn root_reduction(&self, point: Point, root_gap: i32, depth: i32, count: i32) -> i32 {
        if count <= 1 || depth < 3 {
            return 0;
        }
        let side = self.board.side();
        let late = LateMove {
            gap: root_gap,
            history: self.history.quiet(side, point),
            threat: self.board.class(point, side) >= CellClass::OpenThree,
            far: Context::new(&self.board).is_far(point),
            improving: false,
            after_alpha: false,
            was_pv: false,
        };
        late.reduction(&self.params, depth, count, true, false)
    }

    /// Line number `index` as it stands.
    fn line(&self, root: &Root, index: usize, depth: i32) -> Line {
        let mv = root.moves.get(index);
        // A move that was never searched has no score of its own: the evaluation stands in.
        let score = mv
            .and_then(|mv| {
                [mv.score, mv.previous]
                    .into_iter()
                    .find(|s| *s > -score::INFINITE)
            })
            .unwrap_or_else(|| eval::evaluate(&self.board));
        // Moves that are not in the list may resist: the position is not proven lost.
        let score = match index == 0 && !root.complete {
            true => score.max(UNPROVEN_LOSS),
            false => score,
        };
        let total_nodes = self.shared.total_nodes().max(self.nodes);
        Line {
            index,
            count: root.wanted,
            depth: depth as u32,
            seldepth: self.seldepth.max(depth as usize) as u32,
            score,
            win_rate: eval::win_rate(score),
            nodes: mv.map_or(0, |mv| mv.nodes),
            total_nodes,
            elapsed: self.start.elapsed(),
            pv: mv.map_or_else(Vec::new, |mv| mv.pv.clone()),
        }
    }

    /// Continues lines that end before what they say is seen: proven ones to the end of the
    /// game, others by the reply that is expected.
    fn complete_lines(&mut self, lines: &mut [Line]) {
        for line in lines {
            if score::is_decided(line.score) {
                self.complete_line(line);
            } else if let [only] = line.pv.as_slice() {
                let reply = self.likely_reply(*only);
                line.pv.extend(reply);
            }
        }
    }

    /// The reply to `point` that the table knows, else the likeliest: a move that came to the top
    /// just before the search was stopped was seen to be better than all others, but by searches
    /// that leave no line.
    fn likely_reply(&mut self, point: Point) -> Option<Point> {
        self.board.make(point);
        let set = match threats::assess(&mut self.board, self.draw_margin) {
            Situation::Forced(set) | Situation::Threatened(set) => set,
            Situation::Free => self.free_moves(),
            Situation::Won(_) | Situation::Lost(_) | Situation::Draw => Bitboard::default(),
        };
        let side = self.board.side();
        let known = self.shared.table.probe(self.board.key());
        let mut likely: Vec<Point> = set.iter().collect();
        likely.sort_by_key(|reply| std::cmp::Reverse(eval::policy(&self.board, *reply)));
        let mut replies = known.map(|entry| entry.best).into_iter().chain(likely);
        let reply =
            replies.find(|reply| set.contains(*reply) && !self.board.is_forbidden(*reply, side));
        self.board.undo();
        reply
    }

    /// Is there no point in another iteration?
    fn is_enough(&self, question: &Question, root: &Root, lines: &[Line], depth: i32) -> bool {
        if self.stopped || depth >= self.shared.depth_limit.load(Relaxed) {
            return true;
        }
        let saves_time = !question.thorough;
        if saves_time
            && let Some((elapsed, planned)) = self.planned_time()
            && root.course.is_enough(elapsed, planned, self.shared.hard())
        {
            return true;
        }
        // A clock may also be set while the search runs.
        let is_timed = question.timed || self.shared.hard().is_some();
        if saves_time && is_timed && root.moves.len() == 1 {
            return true;
        }
        // A proven end is as short as it gets once the iteration is as deep as it is long.
        lines
            .iter()
            .all(|line| score::is_decided(line.score) && score::plies_to_end(line.score) <= depth)
    }

    /// Time since the search began, and what it was planned to take if a clock is to be shared.
    /// Only the first thread watches the clock.
    fn planned_time(&self) -> Option<(Duration, Duration)> {
        let planned = self.shared.soft().filter(|_| self.id == 0)?;
        Some((self.start.elapsed(), planned))
    }

    /// Should an iteration be given up that has found no fault with the best move?
    fn is_overdue(&self, wanted: usize, course: &Course) -> bool {
        wanted == 1
            && self
                .planned_time()
                .is_some_and(|(elapsed, planned)| course.is_overdue(elapsed, planned))
    }

    /// Takes note of an iteration that was finished.
    fn note(&self, root: &mut Root) {
        let Some(mv) = root.moves.first() else { return };
        root.course.add(Iteration {
            best: mv.point,
            win_rate: eval::win_rate(mv.score),
            effort: mv.nodes as f64 / self.nodes.max(1) as f64,
            ended: self.start.elapsed(),
        });
    }

    /// When every move near stones loses, looks at the rest of the board too: only then is the
    /// position lost for certain, and one of them may resist longer.
    fn widen_if_lost(&mut self, root: &mut Root, blocked: &[Point]) {
        let lost = root
            .moves
            .first()
            .is_some_and(|mv| mv.score <= UNPROVEN_LOSS);
        if !lost || root.complete {
            return;
        }
        let known: Vec<Point> = root.moves.iter().map(|mv| mv.point).collect();
        for point in self
            .board
            .empties()
            .iter()
            .filter(|point| !known.contains(point) && !blocked.contains(point))
        {
            root.add(&mut self.board, point);
        }
        root.complete = true;
    }
}

/// The `new` lines of an iteration, and behind them as many of the `old` ones as are wanted: what
/// a cut iteration says of the rest are mere bounds. A later line may turn out better than an
/// earlier one, since it has learned from it.
fn merged(mut new: Vec<Line>, old: Vec<Line>, wanted: usize) -> Vec<Line> {
    new.sort_by_key(|line| -line.score);
    let begins = |line: &Line| line.pv.first().copied();
    for line in old {
        if new.len() < wanted && new.iter().all(|known| begins(known) != begins(&line)) {
            new.push(line);
        }
    }
    let count = new.len();
    for (index, line) in new.iter_mut().enumerate() {
        (line.index, line.count) = (index, count);
    }
    new
}

impl RootMove {
    fn new(point: Point) -> RootMove {
        let infinite = -score::INFINITE;
        RootMove {
            point,
            score: infinite,
            previous: infinite,
            depth: 0,
            nodes: 0,
            gap: 0,
            pv: vec![point],
        }
    }
}

impl Root {
    /// Adds a move unless it is forbidden.
    fn add(&mut self, board: &mut Board, point: Point) {
        let side = board.side();
        if !board.is_forbidden(point, side) {
            self.moves.push(RootMove::new(point));
        }
    }

    /// Orders the moves from number `index` on, best first; equals keep their order.
    fn sort_from(&mut self, index: usize) {
        self.moves[index..].sort_by_key(|mv| (-mv.score, -mv.previous.max(-score::INFINITE)));
    }
}
