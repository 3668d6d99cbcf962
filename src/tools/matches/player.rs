//! One engine at the table: the Gomocup dialogue of a game, its clock, and what counts as a
//! failure. Time runs as the Gomocup judge's does: it starts when a command is given, the start
//! of the process is charged to the first turn, and a move is late when it takes the smaller of
//! turn limit and clock plus the tolerance, or more.

mod steps;

use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::RecvTimeoutError;

use super::entrant::Entrant;
use super::process::{Line, Process};
use super::record::Reason;
use crate::rules::RuleSpec;
use crate::types::{BoardSize, Color, Point};

/// How often a waiting thread looks whether the run was stopped.
const POLL: Duration = Duration::from_millis(50);
/// How long a late engine is waited for to tell a late move from silence.
const LATE_GRACE: Duration = Duration::from_secs(1);
/// How long an engine may take to accept the board before the first game.
const REHEARSAL: Duration = Duration::from_secs(20);
/// Bytes in one turn that make a flood; a very talkative search prints some thousands.
const FLOOD: u64 = 4 << 20;
/// What an unlimited clock shows, as Piskvork sends it.
const NO_CLOCK: i64 = 2_147_483_647;
/// Longest message or stray line kept, in characters.
const KEPT_TEXT: usize = 200;

/// How an engine process is used for the next game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reuse {
    /// A new process for each game.
    Never,
    /// The same process, told `START` again.
    Start,
    /// The same process, told `RESTART`.
    Restart,
}

/// What all games of a match have in common for a player.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// The rule.
    pub rule: &'static RuleSpec,
    /// The board.
    pub size: BoardSize,
    /// Time over the limit that is forgiven.
    pub tolerance: Duration,
    /// Limit of a move where no time limit exists, so that nothing waits for ever.
    pub patience: Duration,
    /// Whether processes live on.
    pub reuse: Reuse,
}

/// Why there is no move.
#[derive(Debug)]
pub enum Trouble {
    /// The engine failed, with the reason and words for people.
    Failed(Reason, String),
    /// The run was stopped.
    Stopped,
}

/// A move, unjudged except that it is on the board.
#[derive(Debug)]
pub struct Thought {
    /// Where.
    pub point: Point,
    /// How long it took.
    pub elapsed: Duration,
    /// The last `MESSAGE` before it.
    pub message: Option<String>,
    /// The last `INFO WINRATE` before it, which engines print after `INFO show_detail 2`: the
    /// chance, 0 to 1, of the side to move.
    pub win_rate: Option<f64>,
}

/// An engine at the table.
pub struct Player<'a> {
    entrant: &'a Entrant,
    terms: Terms,
    stop: &'a AtomicBool,
    process: Option<Process>,
    /// Was the process told of the present game?
    seated: bool,
    /// The rule of the game if an opening has led to another than that of the terms.
    settled: Option<&'static RuleSpec>,
    /// Is it to be told all stones because it does not know how the opening went on?
    is_stale: bool,
    /// What is left of the game clock in ms.
    clock: Option<i64>,
    last_reply: Option<Instant>,
    /// Bytes received when the present turn began.
    turn_bytes: u64,
}

/// The time of a turn.
#[derive(Clone, Copy)]
struct Turn {
    begun: Instant,
    /// Here it is over, tolerance included.
    limit: Instant,
}

/// What came with an answer.
#[derive(Default)]
struct Told {
    message: Option<String>,
    win_rate: Option<f64>,
}

/// What a line is while something is awaited.
enum Read<T> {
    Answer(T),
    Refusal,
    Message,
    Chatter,
    Stray,
}

impl<'a> Player<'a> {
    /// A player without a process yet.
    pub fn new(entrant: &'a Entrant, terms: Terms, stop: &'a AtomicBool) -> Player<'a> {
        Player {
            entrant,
            terms,
            stop,
            process: None,
            seated: false,
            settled: None,
            is_stale: false,
            clock: None,
            last_reply: None,
            turn_bytes: 0,
        }
    }

    /// The engine's name.
    pub fn name(&self) -> &'a str {
        &self.entrant.name
    }

    /// Starts a process and sees whether it accepts the board, outside any game.
    ///
    /// # Errors
    /// What went wrong, as in a game.
    pub fn rehearse(&mut self) -> Result<(), Trouble> {
        let begun = Instant::now();
        let limit = begun + REHEARSAL;
        self.turn_bytes = 0;
        let opened = self.open(Turn { begun, limit });
        if opened.is_err() {
            self.process = None;
        }
        self.leave();
        opened
    }

    /// Prepares for a new game; the process is only started or told at its first turn.
    pub fn sit_down(&mut self) {
        self.seated = false;
        self.settled = None;
        self.is_stale = false;
        self.clock = self.entrant.limits.game.map(i64::from);
    }

    /// After a game: ends the process unless it is to be used again. False when it ignored
    /// `END` and had to be killed.
    pub fn stand_up(&mut self, failed: bool) -> bool {
        if failed {
            // Dropping kills: there is nothing left to talk about.
            self.process = None;
        }
        self.terms.reuse != Reuse::Never || self.leave()
    }

    /// Ends the process. False when it ignored `END` and had to be killed.
    pub fn leave(&mut self) -> bool {
        self.process.take().is_none_or(Process::end)
    }

    /// Asks for the next stone after `stones`.
    pub fn think(&mut self, stones: &[Point]) -> Result<Thought, Trouble> {
        let ((x, y), elapsed, told) =
            self.ask(|player, first| player.question(stones, first), read_move)?;
        self.is_stale = false;
        let Some(point) = self.terms.size.point(x, y) else {
            let text = format!("answered {x},{y}, which is off the board");
            return Err(Trouble::Failed(Reason::Garbage, text));
        };
        Ok(Thought {
            point,
            elapsed,
            message: told.message,
            win_rate: told.win_rate,
        })
    }

    /// Asks and waits: the answer, the time it took and what came with it. The question is made
    /// when it is known whether it is the first of the game.
    fn ask<T>(
        &mut self,
        question: impl FnOnce(&Self, bool) -> String,
        read: fn(&str) -> Read<T>,
    ) -> Result<(T, Duration, Told), Trouble> {
        self.rest()?;
        let begun = Instant::now();
        let turn = Turn {
            begun,
            limit: begun + self.budget(),
        };
        self.turn_bytes = self.process.as_ref().map_or(0, Process::received);
        let first = !self.seated;
        if first {
            self.open(turn)?;
            self.seated = true;
        }
        let text = question(self, first);
        let asked = self.send(text)?;
        let (answer, at, told) = self.wait(asked, turn, read)?;
        let elapsed = at.saturating_duration_since(begun);
        self.last_reply = Some(at);
        if let Some(clock) = &mut self.clock {
            *clock -= elapsed.as_millis().min(1 << 40) as i64;
            *clock += i64::from(self.entrant.limits.increment);
        }
        Ok((answer, elapsed, told))
    }

    /// What this turn may take, tolerance included.
    fn budget(&self) -> Duration {
        let limits = &self.entrant.limits;
        let turn = limits.turn.map(i64::from);
        let shortest = match (turn, self.clock) {
            (Some(turn), Some(clock)) => Some(turn.min(clock)),
            (turn, clock) => turn.or(clock),
        };
        let Some(ms) = shortest else {
            return self.terms.patience + self.terms.tolerance;
        };
        // An overdrawn clock eats into the tolerance, as in the judge.
        let over = Duration::from_millis(ms.min(0).unsigned_abs());
        let tolerance = self.terms.tolerance.saturating_sub(over);
        tolerance + Duration::from_millis(ms.max(0).unsigned_abs())
    }

    /// Keeps the distance the engine needs between its answer and the next command.
    fn rest(&self) -> Result<(), Trouble> {
        let delay = Duration::from_millis(u64::from(self.entrant.delay));
        let Some(last) = self.last_reply.filter(|_| !delay.is_zero()) else {
            return Ok(());
        };
        while let Some(left) = delay.checked_sub(last.elapsed()) {
            if self.stop.load(Ordering::Relaxed) {
                return Err(Trouble::Stopped);
            }
            std::thread::sleep(left.min(POLL));
        }
        Ok(())
    }

    /// Gets a process that has accepted the board.
    fn open(&mut self, turn: Turn) -> Result<(), Trouble> {
        let known = self.process.is_some();
        if !known {
            let process = Process::start(&self.entrant.launch);
            self.process = Some(process.map_err(|e| Trouble::Failed(Reason::Crash, e))?);
            self.turn_bytes = 0;
        }
        let (w, h) = (self.terms.size.width(), self.terms.size.height());
        let command = if known && self.terms.reuse == Reuse::Restart {
            "RESTART\n".to_owned()
        } else if w == h {
            format!("START {w}\n")
        } else {
            format!("RECTSTART {w},{h}\n")
        };
        let asked = self.send(command)?;
        self.wait(asked, turn, read_ok).map(|_| ())
    }

    /// The commands that ask for a move.
    fn question(&self, stones: &[Point], first: bool) -> String {
        let mut text = String::new();
        if first {
            self.write_info(&mut text);
        }
        if let Some(rule) = self.settled.filter(|_| self.is_stale || first) {
            let _ = writeln!(text, "INFO rule {}", rule.code);
        }
        self.write_clock(&mut text);
        match stones.last() {
            None => text.push_str("BEGIN\n"),
            Some(last) if !first && !self.is_stale => {
                let _ = writeln!(text, "TURN {},{}", last.x(), last.y());
            }
            Some(_) => {
                text.push_str("BOARD\n");
                let own = Color::of_ply(stones.len());
                for (ply, stone) in stones.iter().enumerate() {
                    let field = if Color::of_ply(ply) == own { 1 } else { 2 };
                    let _ = writeln!(text, "{},{},{field}", stone.x(), stone.y());
                }
                text.push_str("DONE\n");
            }
        }
        text
    }

    fn write_clock(&self, text: &mut String) {
        let clock = self.clock.map_or(NO_CLOCK, |c| c.max(0));
        let _ = writeln!(text, "INFO time_left {clock}");
    }

    /// The `INFO` lines of a new game, in Piskvork's order (`game_type` before `rule`). Limits
    /// that do not exist are left out, except the match clock, where 0 says so.
    fn write_info(&self, text: &mut String) {
        let limits = &self.entrant.limits;
        let mut info = |key: &str, value: Option<u64>| {
            if let Some(value) = value {
                let _ = writeln!(text, "INFO {key} {value}");
            }
        };
        info("max_memory", Some(limits.memory));
        info("timeout_match", Some(limits.game.unwrap_or(0).into()));
        info("timeout_turn", limits.turn.or(limits.game).map(u64::from));
        let increment = Some(limits.increment).filter(|n| *n > 0);
        info("time_increment", increment.map(u64::from));
        info("game_type", Some(1));
        info("rule", Some(self.terms.rule.code.into()));
        info("thread_num", Some(limits.threads.into()));
        info("max_node", limits.nodes);
        info("max_depth", limits.depth.map(u64::from));
        for line in &self.entrant.init {
            let _ = writeln!(text, "{line}");
        }
    }

    fn send(&self, text: String) -> Result<Instant, Trouble> {
        let now = Instant::now();
        if self.process.as_ref().is_some_and(|p| !p.send(text)) {
            let text = "does not read its input".to_owned();
            return Err(Trouble::Failed(Reason::Silence, text));
        }
        Ok(now)
    }

    /// Waits for an answer to what was sent at `asked`. Older lines answer nothing and are
    /// dropped.
    fn wait<T>(
        &mut self,
        asked: Instant,
        turn: Turn,
        read: fn(&str) -> Read<T>,
    ) -> Result<(T, Instant, Told), Trouble> {
        let fail = |reason, text: String| Err(Trouble::Failed(reason, text));
        let (mut told, mut stray, mut spoke) = (Told::default(), None, false);
        loop {
            let line = match self.next_line(turn.limit + LATE_GRACE)? {
                Some(line) if line.at < asked => continue,
                Some(line) => line,
                None => {
                    return match stray {
                        Some(line) => fail(Reason::Garbage, format!("printed '{line}', no move")),
                        None if spoke => fail(Reason::Time, "no move in time".to_owned()),
                        None => fail(Reason::Silence, "no answer in time".to_owned()),
                    };
                }
            };
            spoke = true;
            match if line.piece {
                Read::Stray
            } else {
                read(line.text.trim())
            } {
                Read::Answer(_) if line.at >= turn.limit => {
                    let since = |at: Instant| at.saturating_duration_since(turn.begun).as_millis();
                    let (took, allowed) = (since(line.at), since(turn.limit));
                    let text = format!("answered after {took} ms, {allowed} ms allowed");
                    return fail(Reason::Time, text);
                }
                Read::Answer(answer) => return Ok((answer, line.at, told)),
                Read::Refusal => {
                    let text = format!("refused the board: {}", shorten(&line.text));
                    return fail(Reason::Garbage, text);
                }
                Read::Message => told.message = Some(shorten(&line.text)),
                Read::Chatter => told.win_rate = win_rate(&line.text).or(told.win_rate),
                Read::Stray => stray = Some(shorten(&line.text)),
            }
        }
    }

    /// The next line, or `None` at `until`.
    fn next_line(&mut self, until: Instant) -> Result<Option<Line>, Trouble> {
        let Some(process) = &mut self.process else {
            return Err(Trouble::Failed(Reason::Crash, "no process".to_owned()));
        };
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Err(Trouble::Stopped);
            }
            let bytes = process.received().saturating_sub(self.turn_bytes);
            if bytes > FLOOD {
                let text = format!("printed {bytes} bytes in one turn");
                return Err(Trouble::Failed(Reason::Garbage, text));
            }
            let now = Instant::now();
            match process.output().recv_deadline(until.min(now + POLL)) {
                Ok(line) => return Ok(Some(line)),
                Err(RecvTimeoutError::Timeout) if now >= until => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    let text = process.obituary();
                    return Err(Trouble::Failed(Reason::Crash, text));
                }
            }
        }
    }
}

/// Lines that are never an answer. `INFO` lines come with `show_detail`.
fn is_chatter(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or("");
    line.is_empty()
        || ["OK", "DEBUG", "INFO"]
            .iter()
            .any(|w| word.eq_ignore_ascii_case(w))
}

/// The value of `INFO WINRATE 0.5631`.
fn win_rate(line: &str) -> Option<f64> {
    let mut words = line.split_whitespace().skip(1);
    let is_rate = words.next()?.eq_ignore_ascii_case("WINRATE");
    let rate: f64 = words.next().filter(|_| is_rate)?.parse().ok()?;
    (0.0..=1.0).contains(&rate).then_some(rate)
}

fn is_message(line: &str) -> bool {
    line.get(..7)
        .is_some_and(|w| w.eq_ignore_ascii_case("MESSAGE"))
}

/// The answer to START: a bare OK; ERROR and UNKNOWN refuse.
fn read_ok(line: &str) -> Read<()> {
    let word = line.split_whitespace().next().unwrap_or("");
    if line.eq_ignore_ascii_case("OK") {
        Read::Answer(())
    } else if word.eq_ignore_ascii_case("ERROR") || word.eq_ignore_ascii_case("UNKNOWN") {
        Read::Refusal
    } else if is_message(line) {
        Read::Message
    } else if is_chatter(line) {
        Read::Chatter
    } else {
        Read::Stray
    }
}

/// A move as the Gomocup judge reads it: two whole numbers and one comma, blanks allowed.
/// Everything else is passed over, ERROR and UNKNOWN too, because a move may still follow.
fn read_move(line: &str) -> Read<(i64, i64)> {
    let number = |text: &str| text.trim().parse::<i64>().ok();
    let pair = line.split_once(',');
    if let Some((Some(x), Some(y))) = pair.map(|(x, y)| (number(x), number(y))) {
        Read::Answer((x, y))
    } else if is_message(line) {
        Read::Message
    } else if is_chatter(line) {
        Read::Chatter
    } else {
        Read::Stray
    }
}

/// One line of bounded length for reports.
fn shorten(text: &str) -> String {
    let plain = text
        .trim()
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c });
    plain.take(KEPT_TEXT).collect()
}

#[cfg(test)]
mod tests {
    use super::super::entrant::EngineLimits;
    use super::*;

    fn terms(rule: &'static RuleSpec) -> Terms {
        Terms {
            rule,
            size: BoardSize::STANDARD,
            tolerance: Duration::from_millis(1000),
            patience: Duration::from_secs(9),
            reuse: Reuse::Never,
        }
    }

    fn player_text(limits: &str, stones: &[Point], first: bool) -> String {
        let common = EngineLimits {
            threads: 2,
            memory: 1000,
            ..EngineLimits::default()
        };
        let text = format!("cmd=sh,{limits}");
        let entrant = Entrant::parse(&text, common).unwrap();
        let terms = terms(RuleSpec::by_name("renju").unwrap());
        let stop = AtomicBool::new(false);
        let mut player = Player::new(&entrant, terms, &stop);
        player.sit_down();
        format!(
            "{}budget {}",
            player.question(stones, first),
            player.budget().as_millis()
        )
    }

    #[test]
    fn an_engine_is_told_what_gomocup_managers_tell() {
        let stones = [Point::new(7, 7), Point::new(8, 6), Point::new(0, 14)];
        let timed = "turn=500,match=60000,increment=20,init=INFO x y";
        assert_eq!(
            player_text(timed, &stones, true),
            "INFO max_memory 1000\nINFO timeout_match 60000\nINFO timeout_turn 500\n\
             INFO time_increment 20\nINFO game_type 1\nINFO rule 4\nINFO thread_num 2\n\
             INFO x y\nINFO time_left 60000\n\
             BOARD\n7,7,2\n8,6,1\n0,14,2\nDONE\nbudget 1500"
        );
        assert_eq!(
            player_text("nodes=900,depth=7", &[], true),
            "INFO max_memory 1000\nINFO timeout_match 0\nINFO game_type 1\nINFO rule 4\n\
             INFO thread_num 2\nINFO max_node 900\nINFO max_depth 7\n\
             INFO time_left 2147483647\nBEGIN\nbudget 10000"
        );
        assert_eq!(
            player_text("match=700", &stones, false),
            "INFO time_left 700\nTURN 0,14\nbudget 1700"
        );
    }

    #[test]
    fn an_overdrawn_clock_eats_into_the_tolerance() {
        let common = EngineLimits {
            turn: Some(500),
            game: Some(1000),
            ..EngineLimits::default()
        };
        let entrant = Entrant::parse("cmd=sh", common).unwrap();
        let terms = terms(RuleSpec::FREESTYLE);
        let stop = AtomicBool::new(false);
        let mut player = Player::new(&entrant, terms, &stop);
        for (clock, budget) in [
            (1000, 1500),
            (300, 1300),
            (0, 1000),
            (-400, 600),
            (-2000, 0),
        ] {
            player.clock = Some(clock);
            assert_eq!(player.budget(), Duration::from_millis(budget));
        }
    }

    #[test]
    fn moves_are_read_as_the_judge_reads_them() {
        let read = |line: &str| match read_move(line) {
            Read::Answer(pair) => Some(pair),
            _ => None,
        };
        assert_eq!(read("7,8"), Some((7, 8)));
        assert_eq!(read("7 , 8"), Some((7, 8)));
        assert_eq!(read("-1,400"), Some((-1, 400)));
        for line in ["", "OK", "7,8,9", "7,8 text", "MESSAGE 7,8", "a,b", "7;8"] {
            assert_eq!(read(line), None, "{line}");
        }
        assert_eq!(win_rate("INFO WINRATE 0.5631"), Some(0.5631));
        assert_eq!(win_rate("INFO EVAL 0.5"), None);
        assert_eq!(win_rate("INFO WINRATE nan"), None);
        assert!(matches!(read_move("ERROR x"), Read::Stray));
        assert!(matches!(read_move("INFO EVAL 3"), Read::Chatter));
        assert!(matches!(read_move("message x"), Read::Message));
        assert!(matches!(read_ok("ERROR size"), Read::Refusal));
        assert!(matches!(read_ok("OK"), Read::Answer(())));
        assert!(matches!(read_ok("OK - ready"), Read::Chatter));
    }
}
