//! The `MESSAGE REALTIME` lines of one search: a bounded number a second, and none that leaves a
//! board showing what is no longer so. Pure: the time is handed in.
//!
//! News that finds no room waits and is replaced by newer news of its kind. A move is said to be
//! finished only after it was said to be looked at: boards mark it by the two together.

use std::time::{Duration, Instant};

use super::reply::{self, Labels};
use crate::engine::{Event, Line, RootMoveState};
use crate::types::{Point, Score};

/// Lines a second, and how many may come at once.
const RATE: u32 = 20;
/// Lines kept back for news that matters more than which move is being looked at.
const RESERVE: Duration = Duration::from_millis(250);

/// Chooses the lines.
#[derive(Debug)]
pub struct Realtime {
    labels: Labels,
    allowance: Allowance,
    /// An iteration has begun that was not told.
    is_new_iteration: bool,
    /// The best move, and the one told last.
    best: Option<Point>,
    best_told: Option<Point>,
    /// The newest best line if it was not told, and what was told last.
    line: Option<Line>,
    line_told: Option<(u32, Score, Vec<Point>)>,
    /// The move told to be looked at.
    looked_at: Option<Point>,
    /// Moves known to lose, and how many of them have been told.
    lost: Vec<Point>,
    lost_told: usize,
}

impl Realtime {
    /// For a search that began at `start`.
    pub fn new(labels: Labels, start: Instant) -> Realtime {
        Realtime {
            labels,
            allowance: Allowance::new(start),
            is_new_iteration: false,
            best: None,
            best_told: None,
            line: None,
            line_told: None,
            looked_at: None,
            lost: Vec::new(),
            lost_told: 0,
        }
    }

    /// The lines to print for an event other than the end.
    pub fn event(&mut self, event: &Event, now: Instant, out: &mut Vec<String>) {
        match event {
            Event::Iteration { .. } => self.is_new_iteration = true,
            Event::Line(line) if line.index == 0 => self.keep(line),
            Event::RootMove(at, RootMoveState::Best) => self.best = Some(*at),
            Event::RootMove(at, RootMoveState::Lost) if !self.lost.contains(at) => {
                self.lost.push(*at);
            }
            _ => {}
        }
        self.tell(now, out);
        match event {
            Event::RootMove(at, RootMoveState::Started) if self.grants(2, now, RESERVE) => {
                // Room for the end of it is taken as well.
                self.looked_at = Some(*at);
                out.push(reply::realtime_point("POS", *at));
            }
            Event::RootMove(at, RootMoveState::Finished) if self.looked_at == Some(*at) => {
                self.looked_at = None;
                out.push(reply::realtime_point("DONE", *at));
            }
            _ => {}
        }
    }

    /// What has waited, and the best line of the answer.
    pub fn finish(&mut self, best: Option<&Line>, out: &mut Vec<String>) {
        if let Some(line) = best {
            self.keep(line);
        }
        self.tell_best(out);
        self.tell_line(out);
        self.tell_lost(self.lost.len(), out);
    }

    fn keep(&mut self, line: &Line) {
        let told = self.line_told.as_ref();
        let is_new = told.is_none_or(|(depth, score, pv)| {
            (*depth, *score, pv) != (line.depth, line.score, &line.pv)
        });
        self.line = is_new.then(|| line.clone());
        self.best = line.pv.first().copied().or(self.best);
    }

    fn tell(&mut self, now: Instant, out: &mut Vec<String>) {
        if self.is_new_iteration && self.grants(1, now, Duration::ZERO) {
            self.is_new_iteration = false;
            self.looked_at = None;
            out.push(reply::realtime_refresh());
        }
        if self.best != self.best_told && self.grants(1, now, Duration::ZERO) {
            self.tell_best(out);
        }
        if self.line.is_some() && self.grants(2, now, Duration::ZERO) {
            self.tell_line(out);
        }
        let mut upto = self.lost_told;
        while upto < self.lost.len() && self.grants(1, now, RESERVE) {
            upto += 1;
        }
        self.tell_lost(upto, out);
    }

    fn tell_best(&mut self, out: &mut Vec<String>) {
        if let Some(best) = self.best.filter(|_| self.best != self.best_told) {
            self.best_told = Some(best);
            out.push(reply::realtime_point("BEST", best));
        }
    }

    fn tell_line(&mut self, out: &mut Vec<String>) {
        if let Some(line) = self.line.take() {
            out.extend(reply::realtime_line(&line, self.labels));
            self.line_told = Some((line.depth, line.score, line.pv));
        }
    }

    /// A lost move is told once: the board keeps the mark. None is left out.
    fn tell_lost(&mut self, upto: usize, out: &mut Vec<String>) {
        let untold = self.lost.get(self.lost_told..upto).unwrap_or_default();
        out.extend(untold.iter().map(|at| reply::realtime_point("LOST", *at)));
        self.lost_told = upto;
    }

    fn grants(&mut self, lines: u32, now: Instant, reserve: Duration) -> bool {
        self.allowance.grants(lines, now, reserve)
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

    /// Takes so many lines off the allowance unless less than `reserve` of it would be left.
    fn grants(&mut self, lines: u32, now: Instant, reserve: Duration) -> bool {
        let full = now.checked_sub(Duration::from_secs(1)).unwrap_or(now);
        let from = self.used_to.max(full);
        let to = from + Duration::from_secs(1) / RATE * lines;
        let grants = to + reserve <= now;
        if grants {
            self.used_to = to;
        }
        grants
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::BoardSize;
    use std::collections::HashSet;

    /// A search driven by a made-up clock.
    struct Stage {
        start: Instant,
        realtime: Realtime,
    }

    impl Stage {
        fn new() -> Stage {
            let start = Instant::now() + Duration::from_secs(10);
            let labels = Labels {
                size: BoardSize::STANDARD,
                transposed: false,
            };
            let realtime = Realtime::new(labels, start);
            Stage { start, realtime }
        }

        /// What is printed, without its prefix.
        fn event(&mut self, ms: u64, event: &Event) -> Vec<String> {
            let mut out = Vec::new();
            let now = self.start + Duration::from_millis(ms);
            self.realtime.event(event, now, &mut out);
            words(&out)
        }

        fn root_move(&mut self, ms: u64, x: u8, state: RootMoveState) -> Vec<String> {
            self.event(ms, &Event::RootMove(Point::new(x, 0), state))
        }
    }

    fn words(lines: &[String]) -> Vec<String> {
        let prefix = "MESSAGE REALTIME ";
        let rest = lines.iter().map(|line| line.strip_prefix(prefix).unwrap());
        rest.map(str::to_owned).collect()
    }

    fn line(depth: u32, x: u8) -> Line {
        Line {
            index: 0,
            count: 1,
            depth,
            seldepth: depth,
            score: i32::from(x),
            win_rate: 0.5,
            nodes: 1,
            total_nodes: 1,
            elapsed: Duration::ZERO,
            pv: vec![Point::new(x, 0)],
        }
    }

    #[test]
    fn the_mark_of_the_best_move_is_never_left_behind() {
        let mut stage = Stage::new();
        let mut shown = String::new();
        let mut printed = 0;
        for turn in 0..100 {
            let x = turn % 15;
            let mut lines = stage.root_move(50, x, RootMoveState::Best);
            lines.extend(stage.event(50, &Event::Line(line(turn.into(), x))));
            printed += lines.len();
            // An evaluation is printed with the line it belongs to.
            for pair in lines.windows(2).filter(|pair| pair[0].starts_with("VAL ")) {
                assert!(pair[1].starts_with("PV "), "{pair:?}");
            }
            let mut marks = lines.iter().filter(|text| text.starts_with("BEST "));
            shown = marks.next_back().cloned().unwrap_or(shown);
        }
        assert!(printed <= 21, "{printed}");
        assert_ne!(shown, "BEST 9,0", "the hundred found room: no test");
        assert_eq!(
            stage.event(300, &Event::Iteration { depth: 100 }),
            ["REFRESH", "BEST 9,0", "VAL 9", "PV J15"]
        );
        let mut out = Vec::new();
        stage.realtime.finish(Some(&line(101, 3)), &mut out);
        assert_eq!(words(&out), ["BEST 3,0", "VAL 3", "PV D15"]);
    }

    #[test]
    fn a_move_ends_after_it_began_and_both_are_told() {
        use RootMoveState::{Finished, Started};
        let mut stage = Stage::new();
        assert!(stage.root_move(10, 0, Finished).is_empty());
        let mut open = HashSet::new();
        let mut pairs = 0;
        // One move after another, each longer than the pause between two lines.
        for turn in 0..200 {
            let ms = 10 + u64::from(turn) * 60;
            let x = turn % 15;
            for text in stage.root_move(ms, x, Started) {
                assert!(open.insert(text.replace("POS ", "")), "{text}");
            }
            for text in stage.root_move(ms + 59, x, Finished) {
                assert!(open.remove(&text.replace("DONE ", "")), "{text}");
                pairs += 1;
            }
        }
        assert!(open.is_empty(), "{open:?}");
        assert!(pairs > 100, "{pairs}");
    }
}
