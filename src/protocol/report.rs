//! Which events of a search are printed, and how often. Pure: the time is handed in.
//!
//! A match runner looks at its clock at every line an engine prints, so at default settings
//! there are a few `MESSAGE` lines a second and none after the turn limit. What is held back is
//! replaced by newer lines, and the newest is printed just before the move.

use std::time::{Duration, Instant};

use super::realtime::Realtime;
use super::reply::{self, Labels};
use crate::engine::{Answer, Event, Line};
use crate::json::Frame;
use crate::types::Point;

/// Least time between two depth messages, for each line shown.
const MESSAGE_PAUSE: Duration = Duration::from_millis(300);
/// Lines of one iteration that are told in words, and that lengthen the pause after them: a board
/// that shows all moves at once must not wait for half a minute.
const MAX_MESSAGE_LINES: usize = 10;
/// Least time between two rounds of `INFO` groups, for each group.
const GROUP_PAUSE: Duration = Duration::from_millis(100);

/// What the manager wants to see of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Detail {
    /// `MESSAGE REALTIME` lines.
    pub realtime: bool,
    /// `INFO` groups.
    pub info: bool,
    /// JSON objects.
    pub json: bool,
}

/// Chooses the lines printed during one search.
#[derive(Debug)]
pub struct Reporter {
    labels: Labels,
    /// No message is printed from here on.
    curfew: Option<Instant>,
    messages: Held,
    groups: Held,
    objects: Held,
    frame: Frame,
    realtime: Realtime,
}

impl Reporter {
    /// A reporter for the turn that began at `start`; messages end with the turn limit.
    pub fn new(labels: Labels, frame: Frame, start: Instant, turn: Option<Duration>) -> Reporter {
        Reporter {
            labels,
            curfew: turn.and_then(|turn| start.checked_add(turn)),
            messages: Held::new(MESSAGE_PAUSE, start),
            groups: Held::new(GROUP_PAUSE, start),
            objects: Held::new(GROUP_PAUSE, start),
            frame,
            realtime: Realtime::new(labels, start),
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
            self.realtime.event(event, now, out);
        }
        if let Event::Line(line) = event {
            self.messages.keep(line);
            self.groups.keep(line);
            self.objects.renew(line);
            if talks && self.messages.is_due(line, now) {
                self.tell(now, out);
            }
            if detail.info && self.groups.is_due(line, now) {
                out.extend(self.groups.take(now).iter().flat_map(reply::info_group));
            }
            if detail.json && self.objects.is_due(line, now) {
                let lines = self.objects.take(now);
                out.push(self.frame.iteration(&lines));
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
            if detail.realtime {
                self.realtime.finish(answer.lines.first(), out);
            }
            self.tell(now, out);
        }
        if detail.info {
            out.extend(self.groups.take(now).iter().flat_map(reply::info_group));
        }
        if detail.json {
            out.push(self.frame.end(answer));
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

    /// Replaces the set by one that begins with this line, or adds the line to it.
    fn renew(&mut self, line: &Line) {
        if line.index == 0 {
            self.lines.clear();
        }
        self.lines.push(line.clone());
    }

    /// May the set be printed, now that `line` has come? Sets are printed whole: with the last
    /// line of an iteration.
    fn is_due(&self, line: &Line, now: Instant) -> bool {
        line.index + 1 >= line.count && now >= self.due
    }

    fn take(&mut self, now: Instant) -> Vec<Line> {
        let lines = std::mem::take(&mut self.lines);
        if !lines.is_empty() {
            let count = lines.len().min(MAX_MESSAGE_LINES) as u32;
            self.due = now
                .checked_add(self.pause.saturating_mul(count))
                .unwrap_or(now);
            let key = |line: &Line| (line.index, line.depth, line.pv.clone());
            self.printed = lines.iter().map(key).collect();
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Reply, RootMoveState};
    use crate::rules::RuleSpec;
    use crate::types::{BoardSize, Position};

    fn line(index: usize, count: usize, depth: u32) -> Line {
        Line {
            index,
            count,
            depth,
            seldepth: depth,
            score: 0,
            win_rate: 0.5,
            nodes: 1,
            total_nodes: 1,
            elapsed: Duration::ZERO,
            pv: vec![Point::new(7, 7)],
        }
    }

    fn frame() -> Frame {
        Frame::new(
            RuleSpec::FREESTYLE,
            &Position::new(BoardSize::STANDARD),
            &[],
            false,
        )
    }

    /// A search of 1 s a turn, driven by a made-up clock.
    struct Stage {
        start: Instant,
        reporter: Reporter,
        detail: Detail,
    }

    impl Stage {
        fn new(realtime: bool, info: bool) -> Stage {
            let start = Instant::now() + Duration::from_secs(10);
            let labels = Labels {
                size: BoardSize::STANDARD,
                transposed: false,
            };
            Stage {
                start,
                reporter: Reporter::new(labels, frame(), start, Some(Duration::from_secs(1))),
                detail: Detail {
                    realtime,
                    info,
                    json: false,
                },
            }
        }

        fn event(&mut self, ms: u64, event: &Event) -> Vec<String> {
            let mut out = Vec::new();
            let now = self.start + Duration::from_millis(ms);
            self.reporter.event(event, self.detail, now, &mut out);
            out
        }

        fn line(&mut self, ms: u64, line: Line) -> Vec<String> {
            self.event(ms, &Event::Line(line))
        }

        fn finish(&mut self, ms: u64, lines: Vec<Line>) -> Vec<String> {
            let mut out = Vec::new();
            let answer = Answer {
                reply: Reply::Moves(Vec::new()),
                lines,
                nodes: 1,
                elapsed: Duration::from_millis(ms),
            };
            let now = self.start + Duration::from_millis(ms);
            self.reporter.finish(&answer, self.detail, now, &mut out);
            out
        }
    }

    #[test]
    fn messages_are_few_and_the_newest_comes_with_the_move() {
        let mut stage = Stage::new(false, false);
        let mut printed = 0;
        for depth in 1..=90 {
            printed += stage.line(u64::from(depth) * 10, line(0, 1, depth)).len();
        }
        assert!((2..=3).contains(&printed), "{printed}");
        let last = stage.finish(950, vec![line(0, 1, 91)]);
        assert!(matches!(last.as_slice(), [text] if text.starts_with("MESSAGE depth 91-91 ")));
    }

    #[test]
    fn nothing_is_told_twice_or_after_the_turn_limit() {
        let mut stage = Stage::new(true, false);
        assert_eq!(stage.line(500, line(0, 1, 5)).len(), 4);
        assert!(stage.finish(600, vec![line(0, 1, 5)]).is_empty());
        let mut stage = Stage::new(true, false);
        assert!(stage.line(1000, line(0, 1, 5)).is_empty());
        assert!(stage.event(1001, &Event::Iteration { depth: 6 }).is_empty());
        assert!(stage.finish(1002, vec![line(0, 1, 6)]).is_empty());
    }

    #[test]
    fn several_lines_are_told_together() {
        let mut stage = Stage::new(false, true);
        assert!(stage.line(400, line(0, 2, 5)).is_empty());
        let printed = stage.line(401, line(1, 2, 5));
        assert_eq!(printed.len(), 2 + 2 * 12);
        assert!(printed[0].contains("multipv 1 ") && printed[1].contains("multipv 2 "));
        assert!(printed.contains(&"INFO PV 1".to_owned()));
        assert!(stage.line(402, line(0, 2, 6)).is_empty());
        let last = stage.finish(403, vec![line(0, 2, 6), line(1, 2, 6)]);
        assert_eq!(last.len(), 2 + 2 * 12);
    }

    #[test]
    fn many_lines_are_renewed_every_second() {
        let mut stage = Stage::new(false, true);
        let mut round = |ms, depth| {
            let lines = (0..219).map(|index| stage.line(ms, line(index, 219, depth)));
            let printed: Vec<String> = lines.flatten().collect();
            printed
                .iter()
                .filter(|text| *text == "INFO PV DONE")
                .count()
        };
        assert_eq!(round(200, 3), 219);
        assert_eq!(round(900, 4), 0);
        assert_eq!(round(1201, 5), 219);
    }

    #[test]
    fn realtime_lines_are_bounded_and_spare_room_for_news() {
        let mut stage = Stage::new(true, false);
        let started = Event::RootMove(Point::new(1, 1), RootMoveState::Started);
        let best = |x| Event::RootMove(Point::new(x, 2), RootMoveState::Best);
        // Each of them takes the room of its end as well.
        let looked: usize = (0..500).map(|_| stage.event(100, &started).len()).sum();
        assert!((5..10).contains(&looked), "{looked}");
        assert_eq!(stage.event(101, &best(1)), ["MESSAGE REALTIME BEST 1,2"]);
        let changes = (100..1000).map(|ms| stage.event(ms, &best((ms % 2) as u8)).len());
        let all: usize = changes.sum();
        assert!(all <= 25, "{all}");
    }

    #[test]
    fn every_lost_move_is_told_once() {
        let mut stage = Stage::new(true, false);
        let lost = |x| Event::RootMove(Point::new(x, 1), RootMoveState::Lost);
        let mut told: Vec<String> = Vec::new();
        for round in 0..3 {
            for x in 0..22 {
                told.extend(stage.event(300 + round, &lost(x)));
                told.extend(stage.event(300 + round, &lost(x)));
            }
        }
        assert!((10..22).contains(&told.len()), "{}", told.len());
        told.extend(stage.finish(900, Vec::new()));
        let expected: Vec<String> = (0..22)
            .map(|x| format!("MESSAGE REALTIME LOST {x},1"))
            .collect();
        assert_eq!(told, expected);
    }

    #[test]
    fn objects_come_when_asked_for_and_one_at_the_end() {
        let mut stage = Stage::new(false, false);
        stage.detail.json = true;
        let is_object = |text: &&String| text.starts_with('{');
        for (ms, depth) in [(400, 5), (800, 6)] {
            assert!(stage.line(ms, line(0, 2, depth)).is_empty());
            // The second line is the same each time, and each object is whole all the same.
            let printed = stage.line(ms + 1, line(1, 2, 5));
            let objects: Vec<&String> = printed.iter().filter(is_object).collect();
            assert_eq!(objects.len(), 1);
            assert_eq!(objects[0].matches("seldepth").count(), 2);
        }
        let last = stage.finish(900, vec![line(0, 1, 5)]);
        assert_eq!(last.iter().filter(is_object).count(), 1);
    }

    #[test]
    fn without_the_bits_there_is_no_detail() {
        let mut stage = Stage::new(false, false);
        let lost = Event::RootMove(Point::new(1, 1), RootMoveState::Lost);
        assert!(stage.event(10, &lost).is_empty());
        assert!(stage.event(10, &Event::Iteration { depth: 1 }).is_empty());
        assert_eq!(stage.finish(20, vec![line(0, 1, 1)]).len(), 1);
    }
}
