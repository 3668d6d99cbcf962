//! An engine's process: lines in, lines out, and a certain end.
//!
//! Nothing an engine does may block or fill the runner: it is read and written by threads of
//! its own behind bounded queues, long lines are cut, and whatever it leaves running is killed
//! with its process group. A thread stuck on a pipe that some stray grandchild holds open is
//! left behind, never waited for.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};

/// Longest line kept whole, in bytes; Piskvork cuts at about 8000.
const LINE_LIMIT: usize = 8000;
/// Lines waiting to be looked at; a full queue makes the engine wait, not the memory grow.
const QUEUED_LINES: usize = 512;
/// Texts waiting to be written; an engine that reads at all never has more than a few.
const QUEUED_TEXTS: usize = 256;
/// What is kept of stderr, in bytes: the last words of a crash.
const STDERR_TAIL: usize = 2000;
/// How long an engine may take to leave after `END`, as the Gomocup judge gives it.
const END_GRACE: Duration = Duration::from_millis(500);
/// How long a killed process may take to be gone before it is left to the system.
const KILL_GRACE: Duration = Duration::from_secs(2);

/// A line the engine printed.
#[derive(Debug)]
pub struct Line {
    /// When its end was read.
    pub at: Instant,
    /// The text without its line end; bytes that are not UTF-8 are replaced.
    pub text: String,
    /// True when this is only a piece of an over-long line.
    pub piece: bool,
}

/// How an engine is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The program, resolved to a path when it was given as one.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Its working directory; ours when missing.
    pub directory: Option<PathBuf>,
}

/// A running engine.
pub struct Process {
    child: Child,
    input: Option<Sender<String>>,
    output: Receiver<Line>,
    received: Arc<AtomicU64>,
    last_words: Arc<Mutex<Vec<u8>>>,
    stderr_reader: Option<JoinHandle<()>>,
}

impl Process {
    /// Starts the engine in a process group of its own.
    ///
    /// # Errors
    /// One line when the system refuses.
    pub fn start(launch: &Launch) -> Result<Process, String> {
        let mut command = Command::new(&launch.program);
        command.args(&launch.arguments);
        if let Some(directory) = &launch.directory {
            command.current_dir(directory);
        }
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        own_group(pipes.stderr(Stdio::piped()));
        let mut child = command
            .spawn()
            .map_err(|e| format!("cannot start {}: {e}", launch.program.display()))?;

        let (input, texts) = bounded::<String>(QUEUED_TEXTS);
        if let Some(mut stdin) = child.stdin.take() {
            thread::spawn(move || {
                for text in texts {
                    if stdin.write_all(text.as_bytes()).is_err() || stdin.flush().is_err() {
                        break;
                    }
                }
            });
        }
        let (lines, output) = bounded(QUEUED_LINES);
        let received = Arc::new(AtomicU64::new(0));
        if let Some(stdout) = child.stdout.take() {
            let received = Arc::clone(&received);
            thread::spawn(move || read_lines(stdout, &lines, &received));
        }
        let last_words = Arc::new(Mutex::new(Vec::new()));
        let stderr_reader = child.stderr.take().map(|stderr| {
            let kept = Arc::clone(&last_words);
            thread::spawn(move || keep_tail(stderr, &kept))
        });
        Ok(Process {
            child,
            input: Some(input),
            output,
            received,
            last_words,
            stderr_reader,
        })
    }

    /// Hands text over to be written. False when the engine has stopped reading: so much is
    /// waiting that nothing more is taken.
    pub fn send(&self, text: String) -> bool {
        match &self.input {
            // A closed queue means that the pipe broke; the end of the output will tell why.
            Some(input) => !matches!(input.try_send(text), Err(TrySendError::Full(_))),
            None => true,
        }
    }

    /// The engine's lines; disconnected once its output has ended.
    pub fn output(&self) -> &Receiver<Line> {
        &self.output
    }

    /// Bytes read from the engine so far.
    pub fn received(&self) -> u64 {
        self.received.load(Ordering::Relaxed)
    }

    /// Why the output ended, for people: exit status and last words.
    pub fn obituary(&mut self) -> String {
        let deadline = Instant::now() + Duration::from_millis(300);
        let mut text = match self.wait_until(deadline) {
            Some(status) => status.to_string(),
            None => "closed its output but runs on".to_owned(),
        };
        let reading = || {
            self.stderr_reader
                .as_ref()
                .is_some_and(|r| !r.is_finished())
        };
        while reading() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(2));
        }
        let tail = self.last_words.lock().map(|t| t.clone());
        let tail = tail.unwrap_or_default();
        let tail = String::from_utf8_lossy(&tail);
        let last = tail.lines().map(str::trim).rfind(|l| !l.is_empty());
        if let Some(line) = last {
            text.push_str("; stderr: ");
            text.extend(line.chars().filter(|c| !c.is_control()).take(200));
        }
        text
    }

    /// Says `END` and makes sure that nothing of the engine is left. False when it had to be
    /// killed.
    pub fn end(mut self) -> bool {
        self.send("END\n".to_owned());
        self.input = None;
        let left = self.wait_until(Instant::now() + END_GRACE).is_some();
        self.kill();
        left
    }

    /// Stops the engine and everything in its process group.
    pub fn kill(&mut self) {
        kill_group(&mut self.child);
        self.wait_until(Instant::now() + KILL_GRACE);
    }

    fn wait_until(&mut self, deadline: Instant) -> Option<std::process::ExitStatus> {
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
                _ => return None,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

#[cfg(unix)]
fn own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(windows)]
fn own_group(command: &mut Command) {
    use std::os::windows::process::CommandExt;
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
    command.creation_flags(CREATE_NEW_PROCESS_GROUP);
}

#[cfg(unix)]
fn kill_group(child: &mut Child) {
    use nix::sys::signal::{Signal, killpg};
    if let Ok(id) = i32::try_from(child.id()) {
        // The engine leads its group, so the group has its number; an error means it is gone.
        let _ = killpg(nix::unistd::Pid::from_raw(id), Signal::SIGKILL);
    }
    let _ = child.kill();
}

#[cfg(windows)]
fn kill_group(child: &mut Child) {
    if matches!(child.try_wait(), Ok(None)) {
        let id = child.id().to_string();
        let tree = ["/F", "/T", "/PID", &id];
        let quiet = Command::new("taskkill")
            .args(tree)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        let _ = quiet;
    }
    let _ = child.kill();
}

/// Cuts a stream into lines and queues them until the stream or the queue's reader ends.
fn read_lines(mut stdout: ChildStdout, lines: &Sender<Line>, received: &AtomicU64) {
    let mut chunk = [0; 4096];
    let mut line: Vec<u8> = Vec::new();
    // Does `line` continue a line of which a piece was sent already?
    let mut continued = false;
    let push = |bytes: &mut Vec<u8>, piece: bool| {
        let text = String::from_utf8_lossy(bytes);
        let text = text.trim_end_matches('\r').to_owned();
        bytes.clear();
        let at = Instant::now();
        lines.send(Line { at, text, piece }).is_ok()
    };
    while let Ok(length @ 1..) = stdout.read(&mut chunk) {
        received.fetch_add(length as u64, Ordering::Relaxed);
        for &byte in &chunk[..length] {
            if byte == b'\n' {
                if !push(&mut line, continued) {
                    return;
                }
                continued = false;
                continue;
            }
            line.push(byte);
            if line.len() >= LINE_LIMIT {
                if !push(&mut line, true) {
                    return;
                }
                continued = true;
            }
        }
    }
    if !line.is_empty() {
        push(&mut line, continued);
    }
}

/// Drains stderr, so that the engine never waits for it, and keeps its end.
fn keep_tail(mut stderr: ChildStderr, kept: &Mutex<Vec<u8>>) {
    let mut chunk = [0; 4096];
    while let Ok(length @ 1..) = stderr.read(&mut chunk) {
        let Ok(mut kept) = kept.lock() else { return };
        kept.extend_from_slice(&chunk[..length]);
        let surplus = kept.len().saturating_sub(STDERR_TAIL);
        kept.drain(..surplus);
    }
}

/// Turns a command line into something to start: words as a shell would split them (blanks,
/// single and double quotes; nothing is expanded). A program given as a path is looked up now,
/// and its folder becomes the working directory unless `directory` is given, because engines
/// look for their files there.
///
/// # Errors
/// One line when the text is empty, a quote is open or the program does not exist.
pub fn parse_command(text: &str, directory: Option<&Path>) -> Result<Launch, String> {
    let mut words = split_words(text)?.into_iter();
    let Some(program) = words.next() else {
        return Err("the command is empty".to_owned());
    };
    let arguments: Vec<String> = words.collect();
    let directory = directory
        .map(|d| {
            let found = d.canonicalize().ok().filter(|d| d.is_dir());
            found.ok_or_else(|| format!("the working directory {} does not exist", d.display()))
        })
        .transpose()?;
    let is_path = program.contains('/') || program.contains(std::path::MAIN_SEPARATOR);
    if !is_path {
        return Ok(Launch {
            program: program.into(),
            arguments,
            directory,
        });
    }
    let path = Path::new(&program)
        .canonicalize()
        .ok()
        .filter(|p| p.is_file())
        .ok_or_else(|| format!("the program {program} does not exist"))?;
    let folder = path.parent().map(Path::to_path_buf);
    Ok(Launch {
        program: path,
        arguments,
        directory: directory.or(folder),
    })
}

fn split_words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err(format!("a quote is not closed in: {text}"));
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_like_a_shell_does() {
        let words = |t: &str| split_words(t).unwrap();
        assert_eq!(words("a  b\tc"), ["a", "b", "c"]);
        assert_eq!(words("a 'b c' \"d 'e'\" ''"), ["a", "b c", "d 'e'", ""]);
        assert!(split_words("a 'b").is_err());
        assert!(parse_command("", None).is_err());
        let missing = parse_command("./no/such/program x", None).unwrap_err();
        assert_eq!(missing, "the program ./no/such/program does not exist");
    }
}

#[cfg(all(test, unix))]
mod process_tests {
    use super::*;

    fn shell(script: &str) -> Process {
        let launch = Launch {
            program: "sh".into(),
            arguments: vec!["-c".to_owned(), script.to_owned()],
            directory: None,
        };
        Process::start(&launch).unwrap()
    }

    #[test]
    fn lines_come_and_go_and_the_end_is_told() {
        let mut process = shell("read a; echo got $a; printf 'x\\r\\ny'; echo boom >&2; exit 3");
        assert!(process.send("hello\n".to_owned()));
        let texts: Vec<String> = process.output().iter().map(|l| l.text).collect();
        assert_eq!(texts, ["got hello", "x", "y"]);
        let obituary = process.obituary();
        assert!(
            obituary.contains('3') && obituary.ends_with("boom"),
            "{obituary}"
        );
    }

    #[test]
    fn end_kills_what_does_not_leave_and_its_children() {
        let process = shell("trap '' TERM INT; sleep 1000 & echo $!; while :; do sleep 0.1; done");
        let child: i32 = process.output().recv().unwrap().text.parse().unwrap();
        let start = Instant::now();
        assert!(!process.end());
        assert!(start.elapsed() < Duration::from_secs(3));
        // The grandchild is gone as well (or a zombie nobody has collected yet).
        thread::sleep(Duration::from_millis(100));
        let state = std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
        assert!(state.is_empty() || state.contains(") Z"), "{state}");
        assert!(shell("read a").end());
    }

    #[test]
    fn a_flood_waits_in_the_pipe() {
        // Nobody looks at the lines, so what is read comes to a stand.
        let come_to_a_stand = |process: &Process| {
            let deadline = Instant::now() + Duration::from_secs(30);
            let mut before = 0;
            while process.received() == 0 || process.received() != before {
                assert!(Instant::now() < deadline, "{before} bytes and no end");
                before = process.received();
                thread::sleep(Duration::from_millis(300));
            }
            before
        };
        let process = shell("while :; do echo 0123456789; done");
        assert!(come_to_a_stand(&process) < 200_000);
        let endless = shell("tr '\\0' x < /dev/zero");
        assert!(come_to_a_stand(&endless) < 16 << 20);
        assert!(endless.output().recv().unwrap().piece);
    }

    #[test]
    fn an_engine_that_does_not_read_is_noticed() {
        let process = shell("sleep 1000");
        let text = "x".repeat(10_000);
        let taken = (0..1000).take_while(|_| process.send(text.clone())).count();
        assert!((QUEUED_TEXTS..QUEUED_TEXTS + 20).contains(&taken));
    }
}
