//! Thinking on the opponent's time: a search of the position after the reply that we expect.
//!
//! When that reply comes, by TURN or by BOARD, the search becomes that of our turn and gets its
//! limits, counted from the arrival of the command; or it has ended already and its answer is
//! printed. Any other command that thinks, sets a position or touches what a search uses ends it
//! first: it stops within some nodes, and its answer is dropped.

use std::time::Instant;

use super::{Queued, Session, Thinker};
use crate::engine::{Answer, Reply, Request, Task};
use crate::protocol::command::{Command, DuringSearch};
use crate::protocol::setup;
use crate::time::Limits;
use crate::types::{Color, Point, Position};

/// A search ahead of its turn.
#[derive(Debug)]
pub struct Pondering {
    /// What our next turn is expected to ask.
    request: Request,
    state: State,
}

#[derive(Debug)]
enum State {
    Running,
    /// It has been told to stop; nobody wants its answer.
    Dropped,
    Finished(Answer),
}

/// What there is for a turn that begins.
pub enum Taken {
    Nothing,
    /// The search of that turn, still going on.
    Running,
    /// The answer of that turn.
    Finished(Answer),
}

impl<T: Thinker> Session<T> {
    /// Begins to think about the reply that `answer` expects, if that is wanted and there is one.
    pub(super) fn ponder(&mut self, answer: &Answer, now: Instant) {
        if !self.options.ponders() {
            return;
        }
        let Some(position) = self.expected_position(answer) else {
            return;
        };
        let Ok(rule) = self.options.rule() else {
            return;
        };
        // What is in the book needs no thought.
        if self.engine.winner(rule, &position).is_some()
            || self.book_move(&position, rule, now).is_some()
        {
            return;
        }
        let task = Task::Move { lines: 1 };
        let request = Request {
            blocked: self.blocked_points(&position, task),
            position,
            rule,
            // Depth and nodes bind on any time; clocks do not run yet.
            limits: Limits {
                turn: None,
                clock: None,
                ..self.options.limits(now)
            },
            task,
        };
        self.configure();
        self.engine.go(request.clone());
        self.pondering = Some(Pondering {
            request,
            state: State::Running,
        });
    }

    /// The position after the reply that follows our move in the best line.
    fn expected_position(&self, answer: &Answer) -> Option<Position> {
        let line = answer.lines.first()?;
        let (Reply::Move(ours), [first, reply, ..]) = (&answer.reply, line.pv.as_slice()) else {
            return None;
        };
        let mut position = self.position.clone()?;
        let is_next = ours == first && position.play(*reply) && !position.is_full();
        is_next.then_some(position)
    }

    /// Is a search ahead of its turn going on, wanted or not?
    pub(super) fn is_pondering(&self) -> bool {
        let state = self.pondering.as_ref().map(|pondering| &pondering.state);
        matches!(state, Some(State::Running | State::Dropped))
    }

    /// Ends the search ahead of its turn; what it has found is forgotten.
    pub(super) fn stop_pondering(&mut self) {
        match &mut self.pondering {
            Some(pondering) if !matches!(pondering.state, State::Finished(_)) => {
                pondering.state = State::Dropped;
                self.engine.stop();
            }
            _ => self.pondering = None,
        }
    }

    /// The search ahead of its turn has ended by itself or on our word.
    pub(super) fn pondered(&mut self, answer: Answer) {
        match &mut self.pondering {
            Some(pondering) if matches!(pondering.state, State::Running) => {
                pondering.state = State::Finished(answer);
            }
            _ => {
                self.pondering = None;
                self.work_off();
            }
        }
    }

    /// The next command that can be carried out beside a search ahead of its turn, or that is
    /// what that search is for. Any other ends the search and waits for that.
    pub(super) fn next_while_pondering(&mut self) -> Option<Queued> {
        let command = &self.queue.front()?.command;
        let is_dropped = matches!(
            &self.pondering,
            Some(Pondering {
                state: State::Dropped,
                ..
            })
        );
        if leaves_search_alone(command) || !is_dropped && self.is_expected(command) {
            return self.queue.pop_front();
        }
        self.stop_pondering();
        None
    }

    fn is_expected(&self, command: &Command) -> bool {
        let position = match command {
            Command::Turn(spot) => self.with_stone(*spot).ok(),
            Command::Board(block) => {
                let size = self.position.as_ref().map(Position::size);
                size.map(|size| setup::by_owner(size, block).position)
            }
            _ => None,
        };
        position.is_some_and(|position| self.fits(&position, Task::Move { lines: 1 }))
    }

    /// Would a search of `position` under the options in force be the one that was begun?
    fn fits(&self, position: &Position, task: Task) -> bool {
        let Some(Pondering { request, .. }) = &self.pondering else {
            return false;
        };
        let limits = self.options.limits(request.limits.start);
        task == request.task
            && is_same(position, &request.position)
            && self.options.rule() == Ok(request.rule)
            && self.options.settings() == self.engine.settings()
            && (limits.depth, limits.nodes) == (request.limits.depth, request.limits.nodes)
            && self.blocked_points(position, task) == request.blocked
    }

    /// What has been found or is being found for that request.
    pub(super) fn take_pondered(&mut self, request: &Request) -> Taken {
        let fits = self.fits(&request.position, request.task);
        match self.pondering.take() {
            Some(Pondering {
                state: State::Running,
                ..
            }) => {
                debug_assert!(fits, "a search ahead of another turn was let go on");
                Taken::Running
            }
            Some(Pondering {
                state: State::Finished(answer),
                ..
            }) if fits => Taken::Finished(answer),
            _ => Taken::Nothing,
        }
    }
}

/// Can it be carried out while a search goes on that nobody waits for?
fn leaves_search_alone(command: &Command) -> bool {
    match command {
        Command::Stop | Command::HashClear | Command::HashDump(_) | Command::HashLoad(_) => false,
        Command::NBest(_) | Command::Defend | Command::Balance { .. } => false,
        Command::Swap2Step(_) | Command::SoosorvStep { .. } => false,
        other => other.during_search() != DuringSearch::EndsSearch,
    }
}

/// The same stones, in whatever order, and the same side to move.
fn is_same(a: &Position, b: &Position) -> bool {
    let sorted = |position: &Position| -> Vec<(Point, Color)> {
        let mut stones = position.stones().to_vec();
        stones.sort_unstable();
        stones
    };
    a.size() == b.size() && a.to_move == b.to_move && sorted(a) == sorted(b)
}
