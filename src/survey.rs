//! L7: every move looked at by itself. A search for the best move learns of the others only that
//! they are no better; here each gets a score of its own, so that it can be said which moves lose
//! (`Goal::Best`) or which leaves the position nearest to a wanted score (`Goal::Near`).
//!
//! All moves are searched in rounds of growing depth, and all stay in: a score that comes near the
//! wanted one at one depth is often far from it at the next.

use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;

use crate::board::Board;
use crate::eval;
use crate::pattern::CellClass;
use crate::pool::Crew;
use crate::search::{Line, Question, Reporter, RootMoveState, Silent};
use crate::time::{Budget, Limits};
use crate::types::{Point, Score, score};

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// The score of every move, best first.
    Best,
    /// The move after which the score is nearest to this, for the side to move now.
    Near(Score),
    /// The same for two moves in a row, the second by the other side.
    NearAfterTwo(Score),
}

/// What to find out.
#[derive(Clone, Copy, Debug)]
pub struct Wish<'a> {
    /// Which moves are good.
    pub goal: Goal,
    /// What the whole survey may use.
    pub limits: &'a Limits,
    /// Points that may not be the first move.
    pub blocked: &'a [Point],
    /// Decides which pairs are looked at where there are too many.
    pub seed: u64,
}

/// Time for an answer that is wanted at once.
const INSTANT: Duration = Duration::from_millis(5);
/// Depth of the first round when a wanted score is looked for: enough to see fours and threes.
const FIRST_DEPTH: i32 = 2;
/// Pairs of moves that are looked at.
const MOST_PAIRS: usize = 500;
/// Deepest round without a limit of depth.
const MAX_DEPTH: i32 = 100;

/// Moves to choose and what is known of them.
#[derive(Clone, Debug)]
struct Choice {
    moves: Vec<Point>,
    /// For the side to move at the root; none until it has been searched.
    score: Option<Score>,
    depth: i32,
    seldepth: u32,
    nodes: u64,
    /// From the root.
    pv: Vec<Point>,
}

/// Looks at the moves of `board`, at least one of whose points is empty, and returns a line for
/// each first move that is left, best first.
pub fn survey(
    crew: &mut Crew,
    board: &Board,
    wish: &Wish,
    reporter: &mut dyn Reporter,
) -> Vec<Line> {
    let Wish {
        goal,
        limits,
        blocked,
        seed,
    } = *wish;
    let until = match limits.budget(board.stones()) {
        Budget::Instant => Some(INSTANT),
        Budget::Unlimited => None,
        Budget::Timed { soft, hard } => Some(soft.map_or(hard, |soft| soft.min(hard))),
    };
    let mut board = board.clone();
    let choices = match goal {
        Goal::NearAfterTwo(_) => pairs(&mut board, blocked, seed),
        _ => moves(&mut board, blocked),
    };
    let mut survey = Survey {
        crew,
        board,
        goal,
        start: limits.start,
        until,
        node_limit: limits.nodes.unwrap_or(u64::MAX),
        nodes: 0,
    };
    let depth = limits.deepest().unwrap_or(MAX_DEPTH);
    let mut choices = survey.run(choices, depth, reporter);
    if choices.iter().any(|choice| choice.score.is_some()) {
        choices.retain(|choice| choice.score.is_some());
    } else {
        // Not one was looked at: the first, which the policy likes best, must do.
        choices.truncate(1);
    }
    survey.lines(&choices)
}

/// The legal moves outside of `blocked`, likely ones first; all empty points if there is none.
fn moves(board: &mut Board, blocked: &[Point]) -> Vec<Choice> {
    let side = board.side();
    let free = |point: &Point| !blocked.contains(point);
    let all: Vec<Point> = board.empties().iter().filter(free).collect();
    let mut legal = all.clone();
    legal.retain(|point| !board.is_forbidden(*point, side));
    let mut chosen = if legal.is_empty() { all } else { legal };
    chosen.sort_by_key(|point| -eval::policy(board, *point));
    chosen
        .into_iter()
        .map(|point| Choice::new(vec![point]))
        .collect()
}

/// Pairs of a move and an answer near the stones; a single move where there is no second.
fn pairs(board: &mut Board, blocked: &[Point], seed: u64) -> Vec<Choice> {
    let near = board.candidates();
    let points: Vec<Point> = match near.len() >= 2 {
        true => near.iter().collect(),
        false => board.empties().iter().collect(),
    };
    let mut pairs: Vec<(Point, Point)> = points
        .iter()
        .filter(|first| !blocked.contains(first))
        .flat_map(|first| points.iter().map(move |second| (*first, *second)))
        .filter(|(first, second)| first != second)
        .collect();
    pairs.shuffle(&mut SmallRng::seed_from_u64(seed));
    let mut chosen = Vec::new();
    for (first, second) in pairs {
        if board.is_forbidden(first, board.side()) || wins(board, first) {
            continue;
        }
        board.make(first);
        let is_good = !board.is_forbidden(second, board.side()) && !wins(board, second);
        board.undo();
        if is_good {
            chosen.push(Choice::new(vec![first, second]));
        }
        if chosen.len() >= MOST_PAIRS {
            break;
        }
    }
    if chosen.is_empty() {
        chosen = moves(board, blocked);
    }
    chosen
}

/// Does the side to move win with a stone on `point`?
fn wins(board: &Board, point: Point) -> bool {
    board.class(point, board.side()) == CellClass::Five
}

struct Survey<'a, 'b> {
    crew: &'a mut Crew<'b>,
    board: Board,
    goal: Goal,
    start: Instant,
    until: Option<Duration>,
    node_limit: u64,
    /// Nodes of the searches that have ended.
    nodes: u64,
}

impl Survey<'_, '_> {
    fn run(
        &mut self,
        mut choices: Vec<Choice>,
        depth_limit: i32,
        reporter: &mut dyn Reporter,
    ) -> Vec<Choice> {
        let first = match self.goal {
            Goal::Best => 1,
            _ => FIRST_DEPTH.min(depth_limit),
        };
        for depth in first..=depth_limit {
            reporter.iteration(depth as u32);
            let before = choices.clone();
            let finished = self.round(&mut choices, depth, reporter);
            if !finished && self.goal != Goal::Best && depth > first {
                // Scores of different depths cannot be compared with one target.
                choices = before;
            }
            choices.sort_by_key(|choice| self.order(choice));
            if !finished {
                break;
            }
            self.lines(&choices)
                .iter()
                .for_each(|line| reporter.line(line));
            if choices.iter().all(|choice| choice.is_settled(depth)) {
                break;
            }
        }
        choices
    }

    /// Searches all choices to `depth`; false when it was cut short.
    fn round(&mut self, choices: &mut [Choice], depth: i32, reporter: &mut dyn Reporter) -> bool {
        let mut best: Option<(i32, Point)> = None;
        for choice in choices {
            if self.is_over() {
                return false;
            }
            let at = choice.moves[0];
            reporter.root_move(at, RootMoveState::Started);
            if !choice.is_settled(depth) && !self.search(choice, depth) {
                return false;
            }
            choice.depth = depth;
            reporter.root_move(at, RootMoveState::Finished);
            if choice.score.is_some_and(score::is_loss) && choice.moves.len() == 1 {
                reporter.root_move(at, RootMoveState::Lost);
            }
            let order = self.order(choice);
            if best.is_none_or(|(least, _)| order < least) {
                best = Some((order, at));
                reporter.root_move(at, RootMoveState::Best);
            }
        }
        true
    }

    /// Searches the position after the moves of `choice`; false when that was cut short.
    fn search(&mut self, choice: &mut Choice, depth: i32) -> bool {
        let mut board = self.board.clone();
        let mut plies = 0;
        for point in &choice.moves {
            plies += 1;
            if wins(&board, *point) {
                choice.settle(score::win_in(plies), plies);
                return true;
            }
            board.make(*point);
        }
        if board.empty_points() == 0 {
            choice.settle(score::DRAW, plies);
            return true;
        }
        let shared = self.crew.shared();
        shared.proceed();
        shared.set_node_limit(self.node_limit - self.nodes);
        let question = Question {
            thorough: true,
            ..Question::plain(self.start, (depth - plies).max(1))
        };
        let outcome = self.crew.think(&board, &question, &mut Silent);
        let nodes = self.crew.shared().total_nodes();
        self.nodes += nodes;
        choice.nodes += nodes;
        let Some(line) = outcome.lines.first() else {
            return false;
        };
        if (line.depth as i32) < question.depth && !score::is_decided(line.score) {
            return false;
        }
        // Scores count plies from where the search began, and change sides with every move.
        let from_root = score::from_node(line.score, plies);
        choice.score = Some(if plies % 2 == 1 {
            -from_root
        } else {
            from_root
        });
        choice.seldepth = line.seldepth + plies as u32;
        choice.pv.clone_from(&choice.moves);
        choice.pv.extend_from_slice(&line.pv);
        true
    }

    fn is_over(&self) -> bool {
        self.crew.shared().stop.load(Relaxed)
            || self.nodes >= self.node_limit
            || self
                .until
                .is_some_and(|until| self.start.elapsed() >= until)
    }

    /// Smaller is better; what has not been searched comes last.
    fn order(&self, choice: &Choice) -> i32 {
        match (choice.score, self.goal) {
            (None, _) => i32::MAX,
            (Some(score), Goal::Best) => -score,
            (Some(score), Goal::Near(wanted) | Goal::NearAfterTwo(wanted)) => {
                (score - wanted).abs()
            }
        }
    }

    /// A line for each first move: of pairs that begin alike only the best counts.
    fn lines(&self, choices: &[Choice]) -> Vec<Line> {
        let mut firsts = Vec::with_capacity(choices.len());
        let mut shown = choices.to_vec();
        shown.retain(|choice| {
            let is_new = !firsts.contains(&choice.moves[0]);
            firsts.push(choice.moves[0]);
            is_new
        });
        let count = shown.len();
        let lines = shown.iter().enumerate().map(|(index, choice)| {
            let score = choice.score.unwrap_or_else(|| eval::evaluate(&self.board));
            Line {
                index,
                count,
                depth: choice.depth as u32,
                seldepth: choice.seldepth.max(choice.depth as u32),
                score,
                win_rate: eval::win_rate(score),
                nodes: choice.nodes,
                total_nodes: self.nodes,
                elapsed: self.start.elapsed(),
                pv: choice.pv.clone(),
            }
        });
        lines.collect()
    }
}

impl Choice {
    fn new(moves: Vec<Point>) -> Choice {
        Choice {
            pv: moves.clone(),
            moves,
            score: None,
            depth: 0,
            seldepth: 0,
            nodes: 0,
        }
    }

    fn settle(&mut self, score: Score, plies: i32) {
        self.score = Some(score);
        self.seldepth = plies as u32;
    }

    /// Would a deeper search say the same?
    fn is_settled(&self, depth: i32) -> bool {
        self.score
            .is_some_and(|score| score::is_decided(score) && score::plies_to_end(score) <= depth)
    }
}
