//! L8: the facade. Everything above (protocol and tools) talks to the search through
//! [`Engine`]: hand it a [`Request`], get [`Event`]s back on a channel. It never reads or prints.

mod book;
mod opening;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;

pub use self::book::{BookMove, BookUse};
use crate::board::Board;
pub use crate::book::Fault as BookFault;
use crate::book::Library;
use crate::eval;
pub use crate::eval::tuned::WeightFile;
pub use crate::opening::Step;
use crate::pattern::RuleTables;
use crate::pool::{Crew, Pool};
use crate::rules::RuleSpec;
use crate::search::{Allowance, Question, Reporter, Shared};
pub use crate::search::{Line, Param, Params, RootMoveState};
use crate::survey::{self, Goal, Wish};
use crate::time::{Budget, Limits};
use crate::types::{BoardSize, Point, Position, Score};

/// What to think about.
#[derive(Clone, Debug)]
pub struct Request {
    /// The stones and the side to move. At least one point must be empty.
    pub position: Position,
    /// The rule of the game.
    pub rule: &'static RuleSpec,
    /// What the search may use.
    pub limits: Limits,
    /// What is asked.
    pub task: Task,
    /// Points that may not be the first move.
    pub blocked: Vec<Point>,
}

/// The kinds of question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    /// The best move, with the best `lines` lines (at least 1).
    Move {
        /// How many first moves to report with their own true scores.
        lines: usize,
    },
    /// What every move is worth, one by one; the best of them is the answer.
    Defend,
    /// The move, or the two moves in a row, after which the position is worth nearest to
    /// `target` for the side to move now.
    Balance {
        /// Is the answer of the other side to be chosen as well?
        both: bool,
        /// Wanted score.
        target: Score,
    },
}

/// Something the search has to say.
#[derive(Clone, Debug)]
pub enum Event {
    /// A new iteration begins at that depth.
    Iteration {
        /// Plies.
        depth: u32,
    },
    /// A root move is about to be searched / was searched / became the best / was proven lost.
    /// The first is sent sparingly (at most some twenty a second), the second only after it.
    RootMove(Point, RootMoveState),
    /// A line was completed.
    Line(Line),
    /// The search has ended; exactly one for each [`Engine::go`], always the last event of it.
    Done(Answer),
    /// The table has been written or read: how many entries, or what went wrong. Exactly one
    /// for each [`Engine::save_table`] and [`Engine::load_table`].
    Table(Result<u64, String>),
}

/// The end of a search.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What to answer.
    pub reply: Reply,
    /// The lines as last reported, best first; empty for openings and for answers given without
    /// search.
    pub lines: Vec<Line>,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Since the turn began.
    pub elapsed: Duration,
}

/// The answer to a [`Task`] or to [`Engine::decide`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// One move; always an empty point, and a legal one if there is any.
    Move(Point),
    /// A move and the answer to it.
    Moves(Vec<Point>),
    /// What is done in an opening; legal in the state that was asked about.
    Step(Step),
}

/// Settings that outlive a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Search threads, at least 1.
    pub threads: usize,
    /// Bound of the whole process's resident memory in bytes, tables included.
    pub memory: u64,
    /// Size of the transposition table in bytes when asked for explicitly; else it follows from
    /// `memory`.
    pub hash: Option<u64>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            threads: 1,
            memory: 350 << 20,
            hash: None,
        }
    }
}

/// Resident memory of the program apart from the transposition table: code, stacks, the tables of a
/// rule, and for a moment those of the rule before it.
const PROGRAM_MEMORY: u64 = 40 << 20;
/// Resident memory of one search thread.
const THREAD_MEMORY: u64 = 1 << 20;
/// Smallest table that is of any use.
const LEAST_TABLE: u64 = 1 << 20;
/// Largest table taken without being asked for explicitly.
const LARGEST_DEFAULT_TABLE: u64 = 1 << 30;

impl Settings {
    /// Bytes for the transposition table.
    pub fn table_bytes(&self) -> u64 {
        let others = PROGRAM_MEMORY + THREAD_MEMORY * self.threads as u64;
        let room = self.memory.saturating_sub(others) / 8 * 7;
        self.hash
            .unwrap_or(LARGEST_DEFAULT_TABLE)
            .min(room)
            .max(LEAST_TABLE)
    }
}

/// The engine: owns tables and worker threads.
pub struct Engine {
    events: Sender<Event>,
    settings: Settings,
    tables: Option<Arc<RuleTables>>,
    pool: Option<Pool>,
    /// When the turn of the last search began: its limits count from here.
    start: Instant,
    /// Stones on the board of the last search.
    stones: usize,
    /// Numbers of the search that replace those of the rule.
    params: Option<Params>,
    /// Weights that replace those of their rule.
    weights: Option<WeightFile>,
    /// The books of the game.
    library: Library,
    /// Decides which of several equally good openings is proposed.
    seed: u64,
}

impl Engine {
    /// An idle engine that reports to `events`. Cheap: tables are built when first needed.
    pub fn new(events: Sender<Event>) -> Engine {
        let seed = std::process::id().into();
        Engine {
            events,
            settings: Settings::default(),
            tables: None,
            pool: None,
            start: Instant::now(),
            stones: 0,
            params: None,
            weights: None,
            library: Library::default(),
            seed,
        }
    }

    /// The settings in force.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Changes settings from the next search on. Only while no search runs.
    pub fn configure(&mut self, settings: Settings) {
        let settings = Settings {
            threads: settings.threads.max(1),
            ..settings
        };
        if settings.threads != self.settings.threads
            || settings.table_bytes() != self.settings.table_bytes()
        {
            self.pool = None;
        }
        self.settings = settings;
    }

    /// Searches with these numbers from now on, whatever the rule's own are, and forgets all
    /// earlier searches. Only while no search runs.
    pub fn set_params(&mut self, params: Params) {
        self.params = Some(params);
        self.pool = None;
    }

    /// Evaluates games of the rule of `weights` with them from now on and forgets all earlier
    /// searches; other rules keep the weights of the program. Only while no search runs.
    pub fn set_weights(&mut self, weights: WeightFile) {
        self.weights = Some(weights);
        self.tables = None;
        self.pool = None;
    }

    /// Starts a search and returns at once. The caller has taken the `Done` of the search
    /// before.
    pub fn go(&mut self, request: Request) {
        let board = Board::from_position(self.tables(request.rule), &request.position);
        self.start = request.limits.start;
        self.stones = board.stones();
        self.seed = self.seed.wrapping_add(1);
        let seed = self.seed;
        let events = self.events.clone();
        let pool = self.pool(&board);
        let shared = pool.shared();
        shared.stop.store(false, Ordering::Relaxed);
        shared.begin();
        set_limits(
            shared,
            &request.limits,
            board.stones(),
            request.limits.start,
        );
        pool.run(move |crew| {
            prepare_table(crew.shared(), &request.limits, board.stones());
            let answer = match request.task {
                Task::Move { lines } => find_move(crew, &board, &request, lines, &events),
                Task::Defend => survey(crew, &board, &request, (Goal::Best, seed), &events),
                Task::Balance { both, target } => {
                    let goal = match both {
                        true => Goal::NearAfterTwo(target),
                        false => Goal::Near(target),
                    };
                    survey(crew, &board, &request, (goal, seed), &events)
                }
            };
            // Nobody listens any more when the engine is being dropped.
            let _ = events.send(Event::Done(answer));
        });
    }

    /// Asks the running search to end; its `Done` follows at once. Nothing happens when idle.
    pub fn stop(&self) {
        if let Some(pool) = &self.pool {
            pool.shared().stop.store(true, Ordering::Relaxed);
        }
    }

    /// Replaces the limits of the running search. They may count from a later moment than it
    /// began, which is how a search ahead of its turn becomes the search of the turn.
    pub fn set_limits(&self, limits: Limits) {
        if let Some(pool) = &self.pool {
            set_limits(pool.shared(), &limits, self.stones, self.start);
        }
    }

    /// Writes everything learned from earlier searches to a file; an [`Event::Table`] follows.
    /// Only while no search runs.
    pub fn save_table(&mut self, path: PathBuf) {
        self.with_table(move |shared| shared.table.save(&path));
    }

    /// Adds what such a file holds; an [`Event::Table`] follows. Only while no search runs.
    pub fn load_table(&mut self, path: PathBuf) {
        self.with_table(move |shared| {
            shared.table.grow(u64::MAX, LONGEST_MEMORY_TIME);
            shared.table.load(&path)
        });
    }

    /// Works on the table in the background.
    fn with_table(&mut self, work: impl FnOnce(&Shared) -> std::io::Result<u64> + Send + 'static) {
        let board = self.any_board();
        let events = self.events.clone();
        self.pool(&board).run(move |crew| {
            let result = work(crew.shared()).map_err(|error| error.to_string());
            // Nobody listens any more when the engine is being dropped.
            let _ = events.send(Event::Table(result));
        });
    }

    /// How much of the table the last search has filled, per mille.
    pub fn table_usage(&self) -> usize {
        let pool = self.pool.as_ref();
        pool.map_or(0, |pool| pool.shared().table.usage())
    }

    /// The threads; those that come to life now begin with `board`.
    fn pool(&mut self, board: &Board) -> &Pool {
        let (threads, bytes) = (self.settings.threads, self.settings.table_bytes());
        self.pool
            .get_or_insert_with(|| Pool::new(threads, bytes, board, self.params.as_ref()))
    }

    fn any_board(&mut self) -> Board {
        let tables = match &self.tables {
            Some(tables) => Arc::clone(tables),
            None => self.tables(RuleSpec::FREESTYLE),
        };
        Board::from_position(tables, &Position::new(BoardSize::STANDARD))
    }

    /// Forgets everything learned from earlier searches. Only while no search runs.
    pub fn clear_hash(&mut self) {
        self.pool = None;
    }

    /// The points forbidden to the side to move (always none when the rule forbids it nothing).
    pub fn forbidden_points(&mut self, rule: &'static RuleSpec, position: &Position) -> Vec<Point> {
        if !rule.forbids(position.to_move) {
            return Vec::new();
        }
        let mut board = Board::from_position(self.tables(rule), position);
        board.forbidden_points(position.to_move)
    }

    /// The tables of `rule`, built when it differs from the last one.
    fn tables(&mut self, rule: &RuleSpec) -> Arc<RuleTables> {
        match &self.tables {
            Some(tables) if tables.spec == *rule => Arc::clone(tables),
            _ => {
                let weights = eval::weights_from(self.weights.as_ref(), rule);
                let tables = Arc::new(RuleTables::new(rule, weights));
                self.tables = Some(Arc::clone(&tables));
                tables
            }
        }
    }
}

/// Part of the time of a search that may go to memory before it begins.
const MEMORY_SHARE: u32 = 40;
/// A time in which something can be taken on a slow machine too.
const LEAST_MEMORY_TIME: Duration = Duration::from_millis(4);
/// Longest time that a search may be deaf to a stop.
const LONGEST_MEMORY_TIME: Duration = Duration::from_millis(30);
/// Time of a node, about.
const NODE_TIME: Duration = Duration::from_micros(1);

/// Table for each node of a search, in bytes: a bucket. What one search has found then takes a
/// small part of it, and what those of the moves before have found finds room beside it.
const TABLE_A_NODE: u64 = 64;

/// Gives the table as much room as a search with these limits can use, and takes some of the
/// memory.
fn prepare_table(shared: &Shared, limits: &Limits, stones: usize) {
    let time = longest(limits, stones);
    let room = table_room(time, shared.threads());
    shared.table.grow(room, LONGEST_MEMORY_TIME);
    shared.table.take_memory(memory_time(time));
}

/// Bytes of the table that a search by so many threads that can take so long has use for.
fn table_room(longest: Duration, threads: usize) -> u64 {
    let nodes = u64::try_from(longest.as_nanos() / NODE_TIME.as_nanos()).unwrap_or(u64::MAX);
    nodes.saturating_mul(TABLE_A_NODE.saturating_mul(threads as u64))
}

/// How long a search with these limits can take.
fn longest(limits: &Limits, stones: usize) -> Duration {
    let time = match limits.budget(stones) {
        Budget::Unlimited => Duration::MAX,
        Budget::Timed { hard, .. } => hard,
        Budget::Instant => Duration::ZERO,
    };
    let nodes = limits.nodes.and_then(|nodes| u32::try_from(nodes).ok());
    nodes.map_or(time, |nodes| time.min(NODE_TIME * nodes))
}

/// How long a search that can take so long may spend on memory before it begins.
fn memory_time(longest: Duration) -> Duration {
    let time = longest / MEMORY_SHARE;
    match time < LEAST_MEMORY_TIME {
        true => Duration::ZERO,
        false => time.min(LONGEST_MEMORY_TIME),
    }
}

/// Sets the limits of a search with so many stones on the board that measures its time from
/// `start`. What was searched ahead of the turn counts as time planned for it, but does not
/// shorten the turn.
fn set_limits(shared: &Shared, limits: &Limits, stones: usize, start: Instant) {
    let ahead = limits.start.saturating_duration_since(start);
    let mut allowance = Allowance {
        nodes: limits.nodes,
        depth: limits.deepest(),
        ..Allowance::default()
    };
    match limits.budget(stones) {
        Budget::Unlimited => {}
        Budget::Timed { soft, hard } => {
            allowance.soft = soft;
            allowance.hard = Some(ahead + hard);
        }
        Budget::Instant => {
            let most = match limits.is_spent() {
                true => Question::LEAST_NODES,
                false => Question::INSTANT_NODES,
            };
            allowance.nodes = Some(limits.nodes.unwrap_or(u64::MAX).min(most));
        }
    }
    shared.set_allowance(allowance);
}

fn find_move(
    crew: &mut Crew,
    board: &Board,
    request: &Request,
    lines: usize,
    events: &Sender<Event>,
) -> Answer {
    let start = request.limits.start;
    let question = Question {
        lines: lines.max(1),
        blocked: request.blocked.clone(),
        timed: request.limits.budget(board.stones()) != Budget::Unlimited,
        // The limit of depth may change while the search runs: it is part of the allowance.
        ..Question::plain(start, i32::MAX)
    };
    let mut reporter = Forward {
        events,
        start,
        last: None,
    };
    let outcome = crew.think(board, &question, &mut reporter);
    Answer {
        reply: Reply::Move(outcome.best),
        lines: outcome.lines,
        nodes: crew.shared().total_nodes(),
        elapsed: start.elapsed(),
    }
}

fn survey(
    crew: &mut Crew,
    board: &Board,
    request: &Request,
    wish: (Goal, u64),
    events: &Sender<Event>,
) -> Answer {
    let start = request.limits.start;
    let mut reporter = Forward {
        events,
        start,
        last: None,
    };
    let (goal, seed) = wish;
    let wish = Wish {
        goal,
        limits: &request.limits,
        blocked: &request.blocked,
        seed,
    };
    let lines = survey::survey(crew, board, &wish, &mut reporter);
    let moves: Vec<Point> = lines.first().map_or_else(Vec::new, |line| {
        let count = if matches!(goal, Goal::NearAfterTwo(_)) {
            2
        } else {
            1
        };
        line.pv.iter().take(count).copied().collect()
    });
    Answer {
        reply: match moves.as_slice() {
            [point] => Reply::Move(*point),
            _ => Reply::Moves(moves),
        },
        nodes: lines.first().map_or(0, |line| line.total_nodes),
        lines,
        elapsed: start.elapsed(),
    }
}

/// Passes news of the search on as events, root moves only now and then.
struct Forward<'a> {
    events: &'a Sender<Event>,
    start: Instant,
    /// The root move last passed on as being searched, and when.
    last: Option<(Point, Instant)>,
}

/// Root moves are of interest once a search takes a while.
const ROOT_MOVES_AFTER: Duration = Duration::from_millis(200);
/// Time between two reports of root moves.
const ROOT_MOVES_EVERY: Duration = Duration::from_millis(50);

impl Reporter for Forward<'_> {
    fn iteration(&mut self, depth: u32) {
        let _ = self.events.send(Event::Iteration { depth });
    }

    fn root_move(&mut self, point: Point, state: RootMoveState) {
        let is_news = match state {
            RootMoveState::Started => {
                let is_due = self.start.elapsed() >= ROOT_MOVES_AFTER
                    && self
                        .last
                        .is_none_or(|(_, at)| at.elapsed() >= ROOT_MOVES_EVERY);
                if is_due {
                    self.last = Some((point, Instant::now()));
                }
                is_due
            }
            // The end of what was passed on, and of nothing else.
            RootMoveState::Finished => self.last.is_some_and(|(last, _)| last == point),
            RootMoveState::Best | RootMoveState::Lost => true,
        };
        if is_news {
            let _ = self.events.send(Event::RootMove(point, state));
        }
    }

    fn line(&mut self, line: &Line) {
        let _ = self.events.send(Event::Line(line.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_search_has_use_for_a_small_table_and_a_search_without_end_for_any() {
        let room = |limits: Limits, threads| table_room(longest(&limits, 0), threads);
        let turn = |millis| Limits {
            turn: Some(Duration::from_millis(millis)),
            ..Limits::unlimited()
        };
        assert_eq!(room(turn(0), 1), 0);
        let short = room(turn(200), 1);
        assert!((8 << 20..16 << 20).contains(&short), "{short}");
        assert_eq!(room(turn(200), 4), 4 * short);
        let few = Limits {
            nodes: Some(20_000),
            ..turn(60_000)
        };
        assert_eq!(room(few, 1), 20_000 * TABLE_A_NODE);
        for threads in [1, 64] {
            assert!(room(Limits::unlimited(), threads) > 1 << 60);
        }
    }

    #[test]
    fn short_searches_spend_no_time_on_memory_and_long_ones_little() {
        let time = |turn: Option<u64>, nodes| {
            let limits = Limits {
                turn: turn.map(Duration::from_millis),
                nodes,
                ..Limits::unlimited()
            };
            memory_time(longest(&limits, 0))
        };
        for (turn, nodes) in [(Some(0), None), (Some(100), None), (None, Some(3_000))] {
            assert_eq!(time(turn, nodes), Duration::ZERO, "{turn:?} {nodes:?}");
        }
        let second = time(Some(1000), None);
        assert!((20..=25).contains(&second.as_millis()), "{second:?}");
        assert_eq!(time(None, None), LONGEST_MEMORY_TIME);
        assert_eq!(time(Some(60_000), None), LONGEST_MEMORY_TIME);
        assert_eq!(time(Some(1000), Some(3_000)), Duration::ZERO);
    }
}
