//! A child process that is talked to line by line. Every wait has a deadline, a failed
//! expectation prints the whole dialogue, and the process never outlives its test.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long any answer may take on a machine that does other things too.
pub const PATIENCE: Duration = Duration::from_secs(10);
/// What a loaded machine may add to a limit that is checked once.
pub const SLACK: Duration = Duration::from_millis(500);

/// A point as printed.
pub type Spot = (i64, i64);

/// A short way to write milliseconds.
pub const fn ms(count: u64) -> Duration {
    Duration::from_millis(count)
}

/// What cargo has built, which runs here without a runner.
const BUILT: &str = env!("CARGO_BIN_EXE_pbrain-tengen");

/// The program under test: `TENGEN_BINARY`, or what cargo has built.
pub fn binary() -> PathBuf {
    std::env::var_os("TENGEN_BINARY").map_or_else(|| BUILT.into(), PathBuf::from)
}

/// What runs the program under test where the system cannot, Wine say: `TENGEN_RUNNER`.
pub fn runner() -> Option<PathBuf> {
    std::env::var_os("TENGEN_RUNNER").map(PathBuf::from)
}

/// Runs the program under test, or a copy of it.
pub fn run(program: &Path) -> Command {
    match runner() {
        Some(runner) => {
            let mut command = Command::new(runner);
            command.arg(program);
            command
        }
        None => Command::new(program),
    }
}

/// The program under test without arguments.
pub fn engine() -> Command {
    run(&binary())
}

/// The program under test as a command that `match --engine` takes.
pub fn engine_words() -> String {
    let program = binary();
    let words = [runner().as_ref(), Some(&program)].map(|word| match word {
        Some(path) => format!("'{}' ", path.display()),
        None => String::new(),
    });
    words.concat()
}

/// The program that referees matches: always of this system, as its engines may be scripts.
pub fn referee() -> Command {
    Command::new(BUILT)
}

/// A file of the repository.
pub fn source(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(path).expect("a file of the repository")
}

/// The end of the lines sent: a program for Windows gets them as its managers write them.
fn line_end() -> &'static str {
    if runner().is_some() { "\r\n" } else { "\n" }
}

/// A folder for the files of a test, gone with it.
pub struct Folder(PathBuf);

impl Folder {
    /// An empty folder of that name.
    pub fn new(name: &str) -> Folder {
        let name = format!("tengen-protocol-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    /// The path of a file in it; of the folder itself for no name.
    pub fn path(&self, name: &str) -> String {
        let path = if name.is_empty() {
            self.0.clone()
        } else {
            self.0.join(name)
        };
        path.to_str().expect("a path of ASCII").to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A running engine.
pub struct Talk {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<(Instant, String)>,
    errors: Receiver<String>,
    begun: Instant,
    dialogue: Vec<String>,
    /// When the last line came.
    pub heard: Instant,
    /// Width and height of the board in use.
    pub size: (i64, i64),
}

impl Talk {
    /// A fresh process that has been told nothing.
    pub fn fresh() -> Talk {
        Talk::spawn(engine())
    }

    /// A process that has answered `START 15` and has been sent these lines.
    pub fn on15(lines: &[&str]) -> Talk {
        let mut talk = Talk::fresh();
        talk.start(15);
        talk.send_all(lines);
        talk
    }

    /// Runs that command as the engine.
    pub fn spawn(mut command: Command) -> Talk {
        let begun = Instant::now();
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command
            .env_remove("RUST_LOG")
            .spawn()
            .expect("the engine starts");
        let (sender, lines) = channel();
        let mut output = BufReader::new(child.stdout.take().expect("stdout"));
        thread::spawn(move || {
            let mut line = Vec::new();
            while output
                .read_until(b'\n', &mut line)
                .is_ok_and(|count| count > 0)
            {
                let text = String::from_utf8_lossy(&line).into_owned();
                if sender.send((Instant::now(), text)).is_err() {
                    return;
                }
                line.clear();
            }
        });
        let (sender, errors) = channel();
        let mut stderr = child.stderr.take().expect("stderr");
        thread::spawn(move || {
            let mut text = String::new();
            let _ = stderr.read_to_string(&mut text);
            let _ = sender.send(text);
        });
        Talk {
            input: child.stdin.take(),
            child,
            lines,
            errors,
            begun,
            dialogue: Vec::new(),
            heard: begun,
            size: (15, 15),
        }
    }

    /// `START n` and its OK. Moves are searched from then on: what is tested is the search.
    pub fn start(&mut self, side: i64) {
        self.send(&format!("START {side}"));
        self.expect("OK");
        self.send("INFO book 0");
        self.size = (side, side);
    }

    /// The number of the process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends one line.
    pub fn send(&mut self, line: &str) {
        self.send_all(&[line]);
    }

    /// Sends lines in a single write.
    pub fn send_all(&mut self, lines: &[&str]) {
        if !lines.is_empty() {
            let end = line_end();
            self.send_bytes(format!("{}{end}", lines.join(end)).as_bytes());
        }
    }

    /// Sends these bytes in a single write.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        for line in String::from_utf8_lossy(bytes).lines() {
            self.note('>', line);
        }
        let input = self.input.as_mut().expect("the input is open");
        if let Err(error) = input.write_all(bytes).and_then(|()| input.flush()) {
            self.fail(&format!("the engine does not read any more: {error}"));
        }
    }

    /// Closes the input.
    pub fn close(&mut self) {
        self.note('>', "(end of input)");
        self.input = None;
    }

    /// The next line of any kind, if one comes in time.
    pub fn poll(&mut self, within: Duration) -> Option<String> {
        match self.lines.recv_timeout(within) {
            Ok((heard, line)) => {
                self.heard = heard;
                self.note('<', line.trim_end());
                let Some(text) = line.strip_suffix('\n') else {
                    self.fail("a line without its end");
                };
                self.check_form(text);
                Some(text.to_owned())
            }
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                // Wait all the same: a closed output is no answer either.
                self.note('<', "(end of output)");
                None
            }
        }
    }

    /// What holds for every line: ASCII, no blank at either end, text after a keyword.
    fn check_form(&self, line: &str) {
        let is_clean = line.bytes().all(|b| b.is_ascii_graphic() || b == b' ');
        if !is_clean || line.is_empty() || line.trim() != line || line.len() > 4000 {
            self.fail(&format!("a line of bad form: {line:?}"));
        }
        for word in ["MESSAGE", "DEBUG", "ERROR", "UNKNOWN", "INFO", "FORBID"] {
            let rest = line.strip_prefix(word);
            if rest.is_some_and(|rest| !rest.starts_with(' ') || rest.trim().is_empty()) {
                self.fail(&format!("{word} without a blank and text"));
            }
        }
        if line.starts_with("SUGGEST") {
            self.fail("SUGGEST, which most managers take for nonsense");
        }
    }

    /// The next line of any kind.
    pub fn line(&mut self, within: Duration) -> String {
        let line = self.poll(within);
        line.unwrap_or_else(|| self.fail(&format!("nothing came within {within:?}")))
    }

    /// The next line that is no MESSAGE, and the messages before it.
    pub fn reply_after_messages(&mut self, within: Duration) -> (String, Vec<String>) {
        let deadline = Instant::now() + within;
        let mut messages = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = self.line(left);
            if !line.starts_with("MESSAGE ") {
                return (line, messages);
            }
            messages.push(line);
        }
    }

    /// The next line that is no MESSAGE.
    pub fn reply(&mut self) -> String {
        self.reply_after_messages(PATIENCE).0
    }

    /// The next line that is no MESSAGE must be this.
    pub fn expect(&mut self, expected: &str) {
        let line = self.reply();
        if line != expected {
            self.fail(&format!("expected {expected:?}, got {line:?}"));
        }
    }

    /// The next line that is no MESSAGE must be an ERROR; its text.
    pub fn error(&mut self) -> String {
        let line = self.reply();
        match line.strip_prefix("ERROR ") {
            Some(text) => text.to_owned(),
            None => self.fail(&format!("expected an ERROR, got {line:?}")),
        }
    }

    /// The next line that is no MESSAGE must be a move on the board.
    pub fn mv(&mut self) -> Spot {
        self.mv_within(PATIENCE)
    }

    /// As [`Talk::mv`], in that time.
    pub fn mv_within(&mut self, within: Duration) -> Spot {
        let (line, _) = self.reply_after_messages(within);
        match self.moves_of(&line).as_slice() {
            [spot] => *spot,
            _ => self.fail(&format!("expected one move, got {line:?}")),
        }
    }

    /// The moves on a line, each checked byte for byte; fails when it holds anything else.
    pub fn moves_of(&self, line: &str) -> Vec<Spot> {
        let number = |text: &str| {
            let number: i64 = text.parse().ok()?;
            (number.to_string() == text).then_some(number)
        };
        let spot = |word: &str| {
            let (x, y) = word.split_once(',')?;
            let spot = (number(x)?, number(y)?);
            let is_on = (0..self.size.0).contains(&spot.0) && (0..self.size.1).contains(&spot.1);
            is_on.then_some(spot)
        };
        let spots: Option<Vec<Spot>> = line.split(' ').map(spot).collect();
        spots.unwrap_or_else(|| self.fail(&format!("no moves on the board: {line:?}")))
    }

    /// Nothing at all must come for so long.
    pub fn silence(&mut self, time: Duration) {
        if let Some(line) = self.poll(time) {
            self.fail(&format!("expected silence, got {line:?}"));
        }
    }

    /// END: the process must leave in time, with code 0, without a word on either output.
    pub fn finish(mut self) {
        self.send("END");
        self.leaves(ms(500) + SLACK);
    }

    /// The process must leave in time, with code 0, without a word on either output. How long
    /// it took.
    pub fn leaves(&mut self, within: Duration) -> Duration {
        let took = self.exits(within);
        if let Ok((_, line)) = self.lines.recv_timeout(ms(200)) {
            self.fail(&format!("a line after the end: {line:?}"));
        }
        match self.errors.recv_timeout(PATIENCE) {
            Ok(text) if text.is_empty() => took,
            Ok(text) => self.fail(&format!("stderr: {text}")),
            Err(_) => self.fail("stderr stays open"),
        }
    }

    /// The process must leave in time with code 0. How long it took.
    pub fn exits(&mut self, within: Duration) -> Duration {
        let began = Instant::now();
        loop {
            let status = self.child.try_wait().expect("a child");
            match status {
                Some(status) if status.success() => return began.elapsed(),
                Some(status) => self.fail(&format!("the process left with {status}")),
                None if began.elapsed() > within => {
                    self.fail(&format!("the process still runs after {within:?}"));
                }
                None => thread::sleep(ms(1)),
            }
        }
    }

    /// Sends a signal by its name, as `kill` does.
    #[cfg(unix)]
    pub fn signal(&mut self, name: &str) {
        self.note('!', name);
        let pid = self.pid().to_string();
        let status = Command::new("kill")
            .args([&format!("-{name}"), &pid])
            .status();
        assert!(status.expect("kill runs").success());
    }

    /// Wakes the suspended process and waits for its move: the time that took from the waking.
    #[cfg(unix)]
    pub fn moves_once_woken(&mut self) -> Duration {
        let woken = Instant::now();
        self.signal("CONT");
        self.mv();
        self.heard.saturating_duration_since(woken)
    }

    fn note(&mut self, mark: char, text: &str) {
        let time = self.begun.elapsed().as_millis();
        let shown: String = text.chars().take(300).collect();
        self.dialogue.push(format!("{time:6} {mark} {shown}"));
    }

    /// Fails the test with the dialogue so far.
    pub fn fail(&self, why: &str) -> ! {
        let skipped = self.dialogue.len().saturating_sub(400);
        let dialogue = self.dialogue[skipped..].join("\n");
        panic!("{why}\n--- dialogue (ms; the first {skipped} lines left out) ---\n{dialogue}\n---");
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The best of several attempts must keep the limit: what a busy machine adds now and then is
/// not held against the engine, what the engine always needs is. Where even the best is late,
/// what this machine takes from a thread that only looks at the clock is granted twice.
pub fn best_within(limit: Duration, mut attempt: impl FnMut() -> Duration) {
    let begun = Instant::now();
    let mut times = Vec::new();
    while times.len() < 20 && begun.elapsed() < 2 * PATIENCE {
        let time = attempt();
        if time <= limit || (times.len() > 6 && time <= limit + 2 * longest_gap()) {
            return;
        }
        times.push(time);
    }
    panic!("never within {limit:?}: {times:?}");
}

/// The longest time for which a busy thread is kept from running, as seen now.
fn longest_gap() -> Duration {
    let begun = Instant::now();
    let mut last = begun;
    let mut longest = Duration::ZERO;
    while last < begun + ms(100) {
        let now = Instant::now();
        longest = longest.max(now - last);
        last = now;
    }
    longest
}

/// The time from now until the next move.
pub fn time_to_move(talk: &mut Talk, command: &str) -> Duration {
    let sent = Instant::now();
    talk.send(command);
    talk.mv();
    talk.heard.saturating_duration_since(sent)
}
