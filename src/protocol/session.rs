//! The state of a conversation: lines and events in, lines out. No process, no clock of its own.
//!
//! What a command does while a search runs:
//! - `INFO` and `YXSTOP` act at once, `ABOUT` and a query of the database are answered at once,
//!   `END` quits without a word;
//!   `INFO time_left` is for the next move;
//! - what sets a position (START, RESTART, BEGIN, BOARD, TURN, TAKEBACK, PLAY, SWAP2BOARD,
//!   OPENING, YXBOARD) ends the search: its move is printed first, then the command and all
//!   behind it are carried out in order;
//! - everything else waits for the end of the search, without holding up what is behind it.
//!
//! A search ahead of its turn (`ponder.rs`) is heard of by nobody: whatever it was not for ends
//! it without a word. Work on the table's file or on the database holds up all but END.
//!
//! A command that fails leaves everything as it was. One exception: a legal stone or board that
//! leaves no empty point is kept, since only our answer to it is impossible.

mod aside;
mod book;
mod database;
mod opening;
mod ponder;
mod soosorv;
mod swap2;
mod thinker;

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::block::{Block, Spot};
use super::blocked::Blocked;
use super::command::{Command, DuringSearch, Parser};
use super::options::{Effect, Options};
use super::reply::{self, Labels};
use super::report::{Detail, Reporter};
use super::setup;
use crate::engine::{Answer, Event, Reply, Request, Task};
use crate::json::Frame;
use crate::rules::RuleSpec;
use crate::time::Limits;
use crate::types::{BoardSize, Point, Position, Score, score};
use database::Keeper;
use opening::Form;
use ponder::Pondering;
pub use thinker::Thinker;

/// How long a stopped or overdue search may take to end once the input is closed.
const LAST_WORD: Duration = Duration::from_millis(400);

/// A search that has not yet reported its end.
#[derive(Debug)]
struct Search {
    rule: &'static RuleSpec,
    limits: Limits,
    reporter: Reporter,
    purpose: Purpose,
    /// YXSTOP has come.
    stopped: bool,
    /// When it was told to stop because the input is closed.
    hurried: Option<Instant>,
}

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Purpose {
    /// A question about the position.
    Answer(Task),
    /// A decision of an opening, told in that form.
    Opening(Form),
}

impl Purpose {
    /// The move of our turn in a game.
    const TURN: Purpose = Purpose::Answer(Task::Move { lines: 1 });
}

/// A command and when its last line arrived.
#[derive(Debug)]
struct Queued {
    command: Command,
    arrival: Instant,
}

/// One conversation.
#[derive(Debug)]
pub struct Session<T> {
    engine: T,
    options: Options,
    parser: Parser,
    position: Option<Position>,
    blocked: Blocked,
    search: Option<Search>,
    /// A search ahead of its turn; never beside another.
    pondering: Option<Pondering>,
    /// What is being done with the file of the table.
    table_work: Option<&'static str>,
    keeper: Keeper,
    queue: VecDeque<Queued>,
    /// Commands at the head of the queue already known to wait for the end of the search.
    waiting: usize,
    /// YXSHOWINFO has come: a board that keeps adding verbs and sends row,column.
    has_board: bool,
    has_told_dead_stones: bool,
    input_is_closed: bool,
    has_ended: bool,
    out: Vec<String>,
}

impl<T: Thinker> Session<T> {
    /// A session before its first line.
    pub fn new(engine: T) -> Session<T> {
        Session {
            engine,
            options: Options::default(),
            parser: Parser::default(),
            position: None,
            blocked: Blocked::default(),
            search: None,
            pondering: None,
            table_work: None,
            keeper: Keeper::default(),
            queue: VecDeque::new(),
            waiting: 0,
            has_board: false,
            has_told_dead_stones: false,
            input_is_closed: false,
            has_ended: false,
            out: Vec::new(),
        }
    }

    /// Takes one line that arrived at that moment.
    pub fn accept(&mut self, line: &str, arrival: Instant) {
        if let Some(command) = self.parser.feed(line) {
            if command == Command::End {
                self.has_ended = true;
                return;
            }
            self.queue.push_back(Queued { command, arrival });
            self.work_off();
        }
    }

    /// Takes one event of the engine.
    pub fn event(&mut self, event: Event, now: Instant) {
        match event {
            Event::Table(result) => self.end_table_work(result),
            Event::Done(answer) if self.search.is_some() => self.conclude(&answer, now),
            Event::Done(answer) => self.pondered(answer),
            news => {
                if let Event::Line(line) = &news {
                    self.note(line);
                }
                let detail = self.detail();
                if let Some(search) = &mut self.search {
                    search.reporter.event(&news, detail, now, &mut self.out);
                }
            }
        }
    }

    /// A search that somebody waits for has ended.
    fn conclude(&mut self, answer: &Answer, now: Instant) {
        answer.lines.iter().for_each(|line| self.note(line));
        let mut detail = self.detail();
        if self.is_outdated() {
            // A board would put these marks beside the stones of another position.
            detail.realtime = false;
            detail.info = false;
        }
        let Some(mut search) = self.search.take() else {
            return;
        };
        search.reporter.finish(answer, detail, now, &mut self.out);
        self.waiting = 0;
        let elapsed = now.saturating_duration_since(search.limits.start);
        self.options.end_move(elapsed);
        match (search.purpose, &answer.reply) {
            (Purpose::Opening(form), Reply::Step(step)) => self.tell_step(form, step),
            _ => self.answer(answer),
        }
        let ours = self.position.clone();
        self.work_off();
        let is_free = self.is_idle() && self.queue.is_empty() && !self.input_is_closed;
        let is_turn = search.purpose == Purpose::TURN && !search.stopped;
        if is_free && is_turn && self.position == ours {
            self.ponder(answer, now);
        }
    }

    /// Has another position been sent already, so that only the move is waited for?
    fn is_outdated(&self) -> bool {
        let sets_position =
            |next: &Queued| next.command.during_search() == DuringSearch::EndsSearch;
        self.queue.iter().any(sets_position)
    }

    /// Is nothing going on that commands must wait for?
    fn is_idle(&self) -> bool {
        self.search.is_none() && !self.is_held_up() && !self.is_pondering()
    }

    /// Is something being done that all commands but END wait for?
    fn is_held_up(&self) -> bool {
        self.table_work.is_some() || self.keeper.is_busy()
    }

    /// No more lines will come. A search bound by time or nodes may end by itself, any other is
    /// stopped.
    pub fn close_input(&mut self, now: Instant) {
        self.input_is_closed = true;
        self.stop_pondering();
        self.hurry_if_unbound(now);
    }

    /// The lines to print since the last call.
    pub fn take_output(&mut self) -> Vec<String> {
        std::mem::take(&mut self.out)
    }

    /// Is there nothing left to do but to leave?
    pub fn is_over(&self) -> bool {
        let waits = self.search.is_some() || self.is_held_up() || !self.queue.is_empty();
        self.has_ended || (self.input_is_closed && !waits)
    }

    /// The moment to leave even if a search has not ended; only when the input is closed.
    pub fn deadline(&self) -> Option<Instant> {
        let search = self.search.as_ref().filter(|_| self.input_is_closed)?;
        let limits = &search.limits;
        let time = limits.turn.into_iter().chain(limits.clock).min();
        let end = time.and_then(|time| limits.start.checked_add(time));
        search.hurried.or(end)?.checked_add(LAST_WORD)
    }

    /// Carries out what can be carried out now.
    fn work_off(&mut self) {
        while let Some(Queued { command, arrival }) = self.next_command() {
            match self.execute(command, arrival) {
                Ok(Some(line)) => self.out.push(line),
                Ok(None) => {}
                Err(text) => self.out.push(reply::error(&text)),
            }
        }
    }

    fn next_command(&mut self) -> Option<Queued> {
        if self.is_held_up() {
            return None;
        }
        if self.is_pondering() {
            return self.next_while_pondering();
        }
        if self.search.is_none() {
            return self.queue.pop_front();
        }
        while let Some(next) = self.queue.get(self.waiting) {
            match next.command.during_search() {
                DuringSearch::Now => return self.queue.remove(self.waiting),
                DuringSearch::Waits => self.waiting += 1,
                DuringSearch::EndsSearch => {
                    self.engine.stop();
                    break;
                }
            }
        }
        None
    }

    /// One command, when its turn has come: the line to print, if any, or what was wrong.
    fn execute(&mut self, command: Command, arrival: Instant) -> Result<Option<String>, String> {
        let ok = |()| Some(reply::OK.to_owned());
        let nothing = |()| None;
        match command {
            Command::Start { width, height } => self.start(width, height).map(ok),
            Command::Restart => self.restart().map(ok),
            Command::Takeback(spot) => self.take_back(spot).map(ok),
            Command::Begin => self.begin(arrival).map(nothing),
            Command::Turn(spot) => self.turn(spot, arrival).map(nothing),
            Command::Board(block) => self.board(&block, arrival).map(nothing),
            Command::SetBoard(block) => self.set_board(&block).map(nothing),
            Command::Swap2Board(block) => self.swap2_board(&block, arrival).map(nothing),
            Command::Opening(opening) => self.opening(&opening, arrival).map(nothing),
            Command::NBest(lines) => self.n_best(lines, arrival).map(nothing),
            Command::Swap2Step(step) => self.swap2_step(step, arrival).map(nothing),
            Command::SoosorvStep {
                step,
                fifths,
                block,
            } => self
                .soosorv_step(step, fifths, &block, arrival)
                .map(nothing),
            Command::Defend => self.analyse(Task::Defend, arrival).map(nothing),
            Command::Balance { both, target } => {
                let limit = i64::from(score::EVAL_LIMIT);
                let target = target.clamp(-limit, limit) as Score;
                let task = Task::Balance { both, target };
                self.analyse(task, arrival).map(nothing)
            }
            Command::Play(spot) => self.play(spot).map(Some),
            Command::Database(command) => self.database(command, arrival),
            Command::Bad(text) => Err(text),
            other => Ok(self.aside(other)),
        }
    }

    fn stop(&mut self) {
        if let Some(search) = &mut self.search {
            search.stopped = true;
            self.engine.stop();
        }
    }

    fn start(&mut self, width: i64, height: i64) -> Result<(), String> {
        // Columns and rows, whichever of them the first coordinate is.
        let (first, second) = match self.transposes() {
            true => (height, width),
            false => (width, height),
        };
        let size = BoardSize::new(first, second).map_err(|error| error.to_string())?;
        self.options.rule()?;
        self.position = Some(Position::new(size));
        self.options.new_game();
        Ok(())
    }

    fn restart(&mut self) -> Result<(), String> {
        let size = self.position()?.size();
        self.position = Some(Position::new(size));
        self.options.new_game();
        Ok(())
    }

    fn take_back(&mut self, spot: Spot) -> Result<(), String> {
        let position = self.position.as_mut().ok_or_else(no_board)?;
        let point = setup::on_board(position.size(), spot)?;
        let removed = position.remove(point);
        removed
            .then_some(())
            .ok_or_else(|| format!("no stone at {spot} to take back"))
    }

    fn begin(&mut self, arrival: Instant) -> Result<(), String> {
        let empty = Position::new(self.position()?.size());
        self.our_turn(empty, arrival)
    }

    fn turn(&mut self, spot: Spot, arrival: Instant) -> Result<(), String> {
        let position = self.with_stone(spot)?;
        self.our_turn(position, arrival)
    }

    fn play(&mut self, spot: Spot) -> Result<String, String> {
        let position = self.with_stone(spot)?;
        let answer = position.last().map(|(point, _)| reply::point(point));
        self.position = Some(position);
        answer.ok_or_else(no_board)
    }

    fn board(&mut self, block: &Block, arrival: Instant) -> Result<(), String> {
        self.options.rule()?;
        let position = self.read_board("BOARD", block)?;
        self.our_turn(position, arrival)
    }

    fn set_board(&mut self, block: &Block) -> Result<(), String> {
        self.position = Some(self.read_board("YXBOARD", block)?);
        Ok(())
    }

    fn n_best(&mut self, lines: usize, arrival: Instant) -> Result<(), String> {
        let position = self.position()?.clone();
        let lines = lines.min(position.empty_points()).max(1);
        self.think(position, Task::Move { lines }, arrival)
    }

    fn analyse(&mut self, task: Task, arrival: Instant) -> Result<(), String> {
        let position = self.position()?.clone();
        self.think(position, task, arrival)
    }

    fn info(&mut self, key: &str, value: &str) {
        let effect = self.options.set(key, value);
        if key == "usedatabase" {
            self.switch_database();
        }
        if !self.options.ponders() {
            self.stop_pondering();
        }
        let Some(search) = self.search.as_mut().filter(|_| effect != Effect::Later) else {
            return;
        };
        let mut limits = self.options.limits(search.limits.start);
        if effect == Effect::MoveLimits {
            limits.clock = search.limits.clock;
        }
        search.limits = limits;
        search.reporter.set_turn(limits.start, limits.turn);
        self.engine.set_limits(limits);
        // Some managers say "move now" like this.
        if limits.turn == Some(Duration::ZERO) {
            self.engine.stop();
        }
    }

    /// Replaces the position and starts to think about it.
    fn think(&mut self, position: Position, task: Task, arrival: Instant) -> Result<(), String> {
        let rule = self.options.rule()?;
        self.position = Some(position.clone());
        if position.is_full() {
            return Err("board is full".to_owned());
        }
        let mut limits = self.options.limits(arrival);
        if let Some(winner) = self.engine.winner(rule, &position) {
            let text = format!("the game is over: {winner} has won");
            self.out.push(reply::message(&text));
            // Any legal move will do, and nobody may be waiting for it.
            limits.turn = Some(Duration::ZERO);
        }
        let search = self.search_of(&position, rule, limits, Purpose::Answer(task));
        let request = Request {
            blocked: self.blocked_points(&position, task),
            position,
            rule,
            limits,
            task,
        };
        self.go(request, search);
        Ok(())
    }

    /// The record of a search of `position` that is about to begin.
    fn search_of(
        &mut self,
        position: &Position,
        rule: &'static RuleSpec,
        limits: Limits,
        purpose: Purpose,
    ) -> Search {
        let labels = self.labels(position);
        // JSON lines may be switched on while the search runs.
        let forbidden = self.engine.forbidden_points(rule, position);
        let frame = Frame::new(rule, position, &forbidden, labels.transposed);
        Search {
            rule,
            limits,
            reporter: Reporter::new(labels, frame, limits.start, limits.turn),
            purpose,
            stopped: false,
            hurried: None,
        }
    }

    fn labels(&self, position: &Position) -> Labels {
        Labels {
            size: position.size(),
            transposed: self.transposes(),
        }
    }

    fn go(&mut self, request: Request, search: Search) {
        match self.take_pondered(&request) {
            // The search goes on, now with limits.
            ponder::Taken::Running => {
                self.options.begin_move();
                self.search = Some(search);
                self.engine.set_limits(request.limits);
            }
            ponder::Taken::Finished(answer) => {
                self.options.begin_move();
                self.search = Some(search);
                return self.conclude(&answer, Instant::now());
            }
            ponder::Taken::Nothing => {
                self.configure();
                self.options.begin_move();
                self.search = Some(search);
                self.engine.go(request);
            }
        }
        if self.input_is_closed {
            self.hurry_if_unbound(Instant::now());
        }
    }

    fn configure(&mut self) {
        let settings = self.options.settings();
        if settings != self.engine.settings() {
            self.engine.configure(settings);
        }
    }

    /// Prints what a search has found; its moves are on the board from then on.
    fn answer(&mut self, answer: &Answer) {
        let line = match &answer.reply {
            Reply::Move(point) => self.played(&[*point]),
            Reply::Moves(points) => self.played(points),
            // Told in the form of its question.
            Reply::Step(_) => return,
        };
        self.out.push(line);
    }

    fn played(&mut self, moves: &[Point]) -> String {
        for point in moves {
            let is_legal = self.position.as_mut().is_some_and(|p| p.play(*point));
            debug_assert!(is_legal, "the engine answered with a taken point {point:?}");
        }
        reply::points(moves)
    }

    fn hurry_if_unbound(&mut self, now: Instant) {
        if let Some(search) = &mut self.search {
            let limits = &search.limits;
            if limits.turn.is_none() && limits.clock.is_none() && limits.nodes.is_none() {
                search.hurried = Some(now);
                self.engine.stop();
            }
        }
    }

    fn position(&self) -> Result<&Position, String> {
        self.position.as_ref().ok_or_else(no_board)
    }

    /// The position after the side to move has played at `spot`.
    fn with_stone(&self, spot: Spot) -> Result<Position, String> {
        let mut position = self.position()?.clone();
        let point = setup::on_board(position.size(), spot)?;
        if position.play(point) {
            Ok(position)
        } else {
            Err(format!("point {spot} is taken: play on an empty point"))
        }
    }

    fn read_board(&mut self, verb: &str, block: &Block) -> Result<Position, String> {
        let stones = setup::by_owner(self.position()?.size(), block);
        self.tell_skipped(verb, &stones.skipped);
        if stones.has_dead && !self.has_told_dead_stones {
            self.has_told_dead_stones = true;
            let text = "dead stones (field 3) are taken as stones of the opponent";
            self.out.push(reply::message(text));
        }
        Ok(stones.position)
    }

    /// A MESSAGE and not an ERROR: some managers end the game at an ERROR before the move.
    fn tell_skipped(&mut self, verb: &str, skipped: &[String]) {
        let lines = skipped
            .iter()
            .map(|text| reply::message(&format!("{verb}: skipped {text}")));
        self.out.extend(lines);
    }

    fn blocked_points(&self, position: &Position, task: Task) -> Vec<Point> {
        let asks_for_several = matches!(task, Task::Move { lines } if lines > 1);
        let folds = asks_for_several && self.options.folds_mirrored();
        self.blocked.points(position, folds)
    }

    fn forbidden_points(&mut self) -> Vec<Point> {
        match (&self.position, self.options.rule()) {
            (Some(position), Ok(rule)) => self.engine.forbidden_points(rule, position),
            _ => Vec::new(),
        }
    }

    /// Do the coordinates mean row,column? The boards that ask what the machine offers send them
    /// so.
    fn transposes(&self) -> bool {
        self.options.transposes().unwrap_or(self.has_board)
    }

    fn detail(&self) -> Detail {
        Detail {
            realtime: self.options.shows_realtime(),
            info: self.options.shows_info(),
            json: self.options.shows_json(),
        }
    }
}

fn no_board() -> String {
    "no board yet: send START first, as in START 15".to_owned()
}

#[cfg(test)]
mod tests;
