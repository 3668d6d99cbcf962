//! L10: the Gomocup/Piskvork protocol with the verbs of Yixin's board.
//!
//! ```text
//! stdin → reader thread → command → session → reply → stdout
//!                                    ↕
//!                                  engine
//! ```
//! The main thread chooses between lines and engine events, is the only writer to stdout and
//! never searches, so nothing that arrives during a search is lost. Each reply is one write and
//! one flush: some managers take half a line for a whole one.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::todo,
        clippy::indexing_slicing,
        clippy::string_slice
    )
)]

mod block;
mod blocked;
mod command;
mod opening;
mod options;
mod realtime;
mod reply;
mod report;
mod session;
mod setup;

use std::io::{self, BufRead, Read, Write};
use std::path::PathBuf;
use std::thread;
use std::time::Instant;

use clap::Args;
use crossbeam_channel::{Receiver, Sender, at, bounded, never, select, unbounded};

use crate::engine::{Engine, Event, WeightFile};
use session::Session;

/// Bytes kept of one line; a full 22×22 board on a single line takes a tenth of it.
const MAX_LINE: u64 = 1 << 16;
/// Lines read ahead of the main thread.
const READ_AHEAD: usize = 1024;

/// A line and when it arrived.
type Arrived = (String, Instant);

/// Options of the protocol's program.
#[derive(Args, Debug, Default)]
pub struct ProtocolArgs {
    /// A weight file, as `train` writes it, for games of its rule instead of the program's own
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

/// Speaks the protocol on stdin and stdout until END or the end of the input, or until nobody
/// reads our replies any more.
///
/// # Errors
/// A line when the weight file is not usable; then nothing has been read.
pub fn run(args: &ProtocolArgs) -> Result<(), String> {
    let (events_in, events) = unbounded();
    let mut engine = Engine::new(events_in);
    if let Some(path) = &args.weights {
        engine.set_weights(WeightFile::open(path)?);
    }
    let (sender, lines) = bounded(READ_AHEAD);
    let reader = thread::Builder::new().name("reader".to_owned());
    if let Err(error) = reader.spawn(move || read_lines(io::stdin().lock(), &sender)) {
        return Err(format!("no thread to read with: {error}"));
    }
    let mut session = Session::new(engine);
    if let Err(error) = converse(&mut session, lines, &events) {
        log::info!("stdout is closed: {error}");
    }
    // The process ends here and its threads with it; waiting for a search to notice could make
    // us late.
    std::mem::forget(session);
    Ok(())
}

fn converse(
    session: &mut Session<Engine>,
    mut lines: Receiver<Arrived>,
    events: &Receiver<Event>,
) -> io::Result<()> {
    while !session.is_over() {
        let deadline = session.deadline().map_or_else(never, at);
        let database = session.database_work();
        select! {
            recv(lines) -> line => match line {
                Ok((line, arrival)) => {
                    log::debug!("in: {}", line.trim_end());
                    session.accept(&line, arrival);
                }
                Err(_) => {
                    lines = never();
                    session.close_input(Instant::now());
                }
            },
            recv(events) -> event => if let Ok(event) = event {
                session.event(event, Instant::now());
            },
            recv(database) -> finished => session.database_done(finished.ok()),
            recv(deadline) -> _ => break,
        }
        print(&session.take_output())?;
        session.rest(Instant::now());
        print(&session.take_output())?;
    }
    Ok(())
}

fn print(lines: &[String]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    for line in lines {
        log::debug!("out: {line}");
        stdout.write_all(format!("{line}\n").as_bytes())?;
        stdout.flush()?;
    }
    Ok(())
}

/// Sends each line of the input with its time of arrival; ends with the input or when nobody
/// listens any more.
fn read_lines(mut input: impl BufRead, lines: &Sender<Arrived>) {
    let mut buffer = Vec::new();
    // An input that cannot be read has ended.
    while let Ok(true) = read_line(&mut input, &mut buffer) {
        let line = String::from_utf8_lossy(&buffer).into_owned();
        if lines.send((line, Instant::now())).is_err() {
            return;
        }
    }
}

/// Reads one line into `buffer`, cut to [`MAX_LINE`] bytes; false at the end of the input.
fn read_line(input: &mut impl BufRead, buffer: &mut Vec<u8>) -> io::Result<bool> {
    buffer.clear();
    let length = input.by_ref().take(MAX_LINE).read_until(b'\n', buffer)?;
    let mut has_end = buffer.last() == Some(&b'\n') || length == 0;
    while !has_end {
        let available = input.fill_buf()?;
        let end = available.iter().position(|byte| *byte == b'\n');
        let used = end.map_or(available.len(), |end| end + 1);
        has_end = end.is_some() || used == 0;
        input.consume(used);
    }
    Ok(length > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_and_the_last_needs_no_end() {
        let mut text = vec![b'x'; 200_000];
        text.extend_from_slice(b"\nEND\r\n\nlast");
        let (sender, lines) = unbounded();
        read_lines(text.as_slice(), &sender);
        drop(sender);
        let lines: Vec<String> = lines.iter().map(|(line, _)| line).collect();
        assert_eq!(lines.first().unwrap().len(), MAX_LINE as usize);
        assert_eq!(lines.get(1..).unwrap(), ["END\r\n", "\n", "last"]);
    }
}
