//! L7: the facade. Everything above (protocol and tools) talks to the search through
//! [`Engine`]: hand it a [`Request`], get [`Event`]s back on a channel. It never reads or prints.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::Sender;

use crate::rules::RuleSpec;
use crate::time::Limits;
use crate::types::{Color, Point, Position, Score};

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
    /// The Swap2 decision for a position of 0, 3 or 5 stones.
    Swap2,
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
    /// Sent sparingly (at most some twenty a second).
    RootMove(Point, RootMoveState),
    /// A line was completed (also sent once more for each line just before `Done`).
    Line(Line),
    /// The search has ended; exactly one for each [`Engine::go`], always the last event of it.
    Done(Answer),
}

/// What happened to a root move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RootMoveState {
    /// Its search begins.
    Started,
    /// Its search ended.
    Finished,
    /// It is the best so far.
    Best,
    /// It loses, proven.
    Lost,
}

/// One line of analysis.
#[derive(Clone, Debug)]
pub struct Line {
    /// 0 for the best line.
    pub index: usize,
    /// Number of lines asked for that exist in this position.
    pub count: usize,
    /// Completed depth in plies.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// Score for the side to move at the root.
    pub score: Score,
    /// Chance to win, 0 to 1, for the side to move at the root.
    pub win_rate: f64,
    /// Nodes spent on this line.
    pub nodes: u64,
    /// Nodes of the whole search so far.
    pub total_nodes: u64,
    /// Since the turn began.
    pub elapsed: Duration,
    /// Moves from the root; at least one.
    pub pv: Vec<Point>,
}

/// The end of a search.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What to answer.
    pub reply: Reply,
    /// The lines as last reported, best first; empty for Swap2 and for answers given without
    /// search.
    pub lines: Vec<Line>,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Since the turn began.
    pub elapsed: Duration,
}

/// The answer to a [`Task`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// One move; always a legal empty point.
    Move(Point),
    /// Swap2: these stones in order of play (three, two or one).
    Stones(Vec<Point>),
    /// Swap2: exchange colours.
    Swap,
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

/// The engine: owns tables and worker threads.
pub struct Engine {
    events: Sender<Event>,
    stop: Arc<AtomicBool>,
    worker: Option<JoinHandle<()>>,
    settings: Settings,
}

impl Engine {
    /// An idle engine that reports to `events`. Cheap: tables are built when first needed.
    pub fn new(events: Sender<Event>) -> Engine {
        Engine {
            events,
            stop: Arc::new(AtomicBool::new(false)),
            worker: None,
            settings: Settings::default(),
        }
    }

    /// The settings in force.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Changes settings from the next search on.
    pub fn configure(&mut self, settings: Settings) {
        self.settings = settings;
    }

    /// Starts a search and returns at once. The caller has taken the `Done` of the search
    /// before.
    pub fn go(&mut self, request: Request) {
        self.wait();
        self.stop.store(false, Ordering::Relaxed);
        let (events, stop) = (self.events.clone(), Arc::clone(&self.stop));
        self.worker = Some(std::thread::spawn(move || {
            let position = &request.position;
            let free = |p: &Point| position.at(*p).is_none() && !request.blocked.contains(p);
            let center = position.size().center();
            let best = position
                .size()
                .points()
                .filter(free)
                .min_by_key(|p| p.distance(center));
            let deadline = request.limits.turn.unwrap_or(Duration::from_secs(3600));
            let quick = request.limits.depth.is_some() || request.limits.nodes.is_some();
            while !quick && request.limits.start.elapsed() + Duration::from_millis(10) < deadline {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                std::thread::sleep(Duration::from_millis(1));
            }
            let reply = Reply::Move(best.unwrap_or(center));
            let elapsed = request.limits.start.elapsed();
            let _ = events.send(Event::Done(Answer {
                reply,
                lines: Vec::new(),
                nodes: 1,
                elapsed,
            }));
        }));
    }

    /// Asks the running search to end; its `Done` follows at once. Nothing happens when idle.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Replaces the limits of the running search, counted from the start of its turn.
    pub fn set_limits(&self, _limits: Limits) {}

    /// Forgets everything learned from earlier searches.
    pub fn clear_hash(&mut self) {}

    /// The points forbidden to the side to move (always none when the rule forbids it nothing).
    pub fn forbidden_points(&self, _rule: &'static RuleSpec, _position: &Position) -> Vec<Point> {
        Vec::new()
    }

    /// The side that has a finished row on the board, if any.
    pub fn winner(&self, _rule: &'static RuleSpec, _position: &Position) -> Option<Color> {
        None
    }

    fn wait(&mut self) {
        if let Some(worker) = self.worker.take() {
            let _ = worker.join();
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
        self.wait();
    }
}
