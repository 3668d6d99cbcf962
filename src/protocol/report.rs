//! Which events of a search are printed, and how often. Pure: the time is handed in.
//!
//! A match runner looks at its clock at every line an engine prints, so at default settings
//! there are a few `MESSAGE` lines a second and none after the turn limit. What is held back is
//! replaced by newer lines, and the newest is printed just before the move.

use std::time::{Duration, Instant};

use super::reply::{self, Labels};
use crate::engine::{Answer, Event, Line, RootMoveState};
use crate::types::Point;

/// Least time between two depth messages, for each line shown.
const MESSAGE_PAUSE: Duration = Duration::from_millis(300);
/// Lines of one iteration that are told in words.
const MAX_MESSAGE_LINES: usize = 10;
/// Least time between two rounds of `INFO` groups, for each group.
const GROUP_PAUSE: Duration = Duration::from_millis(100);
/// `REALTIME` lines a second, and how many may come at once.
const REALTIME_RATE: u32 = 20;
/// `REALTIME` lines kept back for news that matters more than which move is being looked at.
const REALTIME_RESERVE: Duration = Duration::from_millis(250);

/// What the manager wants to see of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Detail {
    /// `MESSAGE REALTIME` lines.
    pub realtime: bool,
    /// `INFO` groups.
    pub info: bool,
}

/// Chooses the lines printed during one search.
#[derive(Debug)]
pub struct Reporter {
    labels: Labels,
    /// No message is printed from here on.
    curfew: Option<Instant>,
    messages: Held,
    groups: Held,
    realtime: Allowance,
}

impl Reporter {
    /// A reporter for the turn that began at `start`; messages end with the turn limit.
    pub fn new(labels: Labels, start: Instant, turn: Option<Duration>) -> Reporter {
        Reporter {
            labels,
            curfew: turn.and_then(|turn| start.checked_add(turn)),
            messages: Held::new(MESSAGE_PAUSE, start),
            groups: Held::new(GROUP_PAUSE, start),
            realtime: Allowance::new(start),
        }
    }

    /// The turn limit has changed.
    pub fn set_turn(&mut self, start: Instant, turn: Option<Duration>) {
        self.curfew = turn.and_then(|turn| start.checked_add(turn));
    }

    /// The lines to print for an event other than the end.
    pub fn event(&mut self, event: &Event, detail: Detail, now: Instant, out: &mut Vec<String>) {
        let talks = self.may_talk(now);
        if talks && detail.realtime {
            self.realtime(event, now, out);
        }
        if let Event::Line(line) = event {
            self.messages.keep(line);
            self.groups.keep(line);
            if talks && self.messages.is_due(line, now) {
                self.tell(now, out);
            }
            if detail.info && self.groups.is_due(line, now) {
                out.extend(self.groups.take(now).iter().flat_map(reply::info_group));
            }
        }
    }

    /// The lines to print before the answer: what is newest and was held back.
    pub fn finish(&mut self, answer: &Answer, detail: Detail, now: Instant, out: &mut Vec<String>) {
        for line in &answer.lines {
            self.messages.keep(line);
            self.groups.keep(line);
        }
        if self.may_talk(now) {
            self.tell(now, out);
        }
        if detail.info {
            out.extend(self.groups.take(now).iter().flat_map(reply::info_group));
        }
    }

    fn may_talk(&self, now: Instant) -> bool {
        self.curfew.is_none_or(|curfew| now < curfew)
    }

    fn tell(&mut self, now: Instant, out: &mut Vec<String>) {
        let lines = self.messages.take(now);
        let shown = lines.iter().take(MAX_MESSAGE_LINES);
        out.extend(shown.map(|line| reply::depth_message(line, self.labels)));
    }

    fn realtime(&mut self, event: &Event, now: Instant, out: &mut Vec<String>) {
        match event {
            Event::Iteration { .. } if self.realtime.grants(now, Duration::ZERO) => {
                out.push(reply::realtime_refresh());
            }
            Event::RootMove(point, state) => self.root_move(*point, *state, now, out),
            Event::Line(line) if line.index == 0 => {
                for text in reply::realtime_line(line, self.labels) {
                    if self.realtime.grants(now, Duration::ZERO) {
                        out.push(text);
                    }
                }
            }
            _ => {}
        }
    }

    fn root_move(&mut self, at: Point, state: RootMoveState, now: Instant, out: &mut Vec<String>) {
        let (word, reserve) = match state {
            RootMoveState::Started => ("POS", REALTIME_RESERVE),
            RootMoveState::Finished => ("DONE", REALTIME_RESERVE),
            RootMoveState::Best => ("BEST", Duration::ZERO),
            RootMoveState::Lost => ("LOST", Duration::ZERO),
        };
        if self.realtime.grants(now, reserve) {
            out.push(reply::realtime_point(word, at));
        }
    }
}

/// The newest set of lines that has not been printed, and when the next may be.
#[derive(Debug)]
struct Held {
    lines: Vec<Line>,
    /// What was printed last, to not print it twice.
    printed: Vec<(usize, u32, Vec<Point>)>,
    pause: Duration,
    due: Instant,
}

impl Held {
    fn new(pause: Duration, start: Instant) -> Held {
        Held {
            lines: Vec::new(),
            printed: Vec::new(),
            pause,
            due: start.checked_add(pause).unwrap_or(start),
        }
    }

    /// Replaces the line of that index, unless it has just been printed.
    fn keep(&mut self, line: &Line) {
        self.lines.retain(|held| held.index != line.index);
        let is_new = |(index, depth, pv): &(usize, u32, Vec<Point>)| {
            (*index, *depth, pv) != (line.index, line.depth, &line.pv)
        };
        if self.printed.iter().all(is_new) {
            self.lines.push(line.clone());
            self.lines.sort_by_key(|held| held.index);
        }
    }

    /// May the set be printed, now that `line` has come? Sets are printed whole: with the last
    /// line of an iteration.
    fn is_due(&self, line: &Line, now: Instant) -> bool {
        line.index + 1 >= line.count && now >= self.due
    }

    fn take(&mut self, now: Instant) -> Vec<Line> {
        let lines = std::mem::take(&mut self.lines);
        if !lines.is_empty() {
            let count = u32::try_from(lines.len()).unwrap_or(u32::MAX);
            self.due = now
                .checked_add(self.pause.saturating_mul(count))
                .unwrap_or(now);
            let key = |line: &Line| (line.index, line.depth, line.pv.clone());
            self.printed = lines.iter().map(key).collect();
        }
        lines
    }
}

/// A bounded number of lines a second.
#[derive(Debug)]
struct Allowance {
    /// The moment up to which the allowance is used; it never lags more than a second.
    used_to: Instant,
}

impl Allowance {
    fn new(start: Instant) -> Allowance {
        let full = start.checked_sub(Duration::from_secs(1));
        Allowance {
            used_to: full.unwrap_or(start),
        }
    }

    /// Takes one line off the allowance unless less than `reserve` of it is left.
    fn grants(&mut self, now: Instant, reserve: Duration) -> bool {
        let full = now.checked_sub(Duration::from_secs(1)).unwrap_or(now);
        let from = self.used_to.max(full);
        let to = from + Duration::from_secs(1) / REALTIME_RATE;
        let grants = to + reserve <= now;
        if grants {
            self.used_to = to;
        }
        grants
    }
}
