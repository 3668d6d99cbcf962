//! What is shown while a match runs: a bar with rate and time left on a terminal, plain lines
//! elsewhere.

use std::io::Write as _;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Without a terminal the score is shown every so many games.
const PLAIN_EVERY: usize = 10;
/// Without a terminal the state is shown every so many of the steps that have no line.
const SILENT_STEPS: usize = 100;

/// The display of a run of `total` steps, `done` of which were there before.
pub struct Progress {
    bar: Option<ProgressBar>,
    unit: &'static str,
    begun: Instant,
    before: usize,
    total: usize,
    done: usize,
}

impl Progress {
    /// Starts the display.
    pub fn new(unit: &'static str, total: usize, done: usize) -> Progress {
        let target = ProgressDrawTarget::stderr();
        let bar = (!target.is_hidden()).then(|| {
            let bar = ProgressBar::with_draw_target(Some(total as u64), target);
            let style = ProgressStyle::with_template("[{bar:30}] {pos}/{len}  {wide_msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_position(done as u64);
            bar
        });
        Progress {
            bar,
            unit,
            begun: Instant::now(),
            before: done,
            total,
            done,
        }
    }

    /// One more step is done. `line` tells of it (shown on a terminal only when `notable`),
    /// `state` is how the whole stands.
    pub fn step(&mut self, line: &str, notable: bool, state: &str) {
        self.done += 1;
        let pace = self.pace();
        match &self.bar {
            Some(bar) => {
                if notable {
                    bar.println(line);
                }
                bar.set_position(self.done as u64);
                bar.set_message(format!("{pace}  {state}"));
            }
            None => {
                say(line);
                if self.done.is_multiple_of(PLAIN_EVERY) {
                    say(&format!("{}/{}  {pace}  {state}", self.done, self.total));
                }
            }
        }
    }

    /// So many more steps are done that are not worth a line of their own. Without a terminal
    /// it is told now and then how the whole stands.
    pub fn advance(&mut self, steps: usize, state: &str) {
        let before = self.done / SILENT_STEPS;
        self.done += steps;
        let pace = self.pace();
        match &self.bar {
            Some(bar) => {
                bar.set_position(self.done as u64);
                bar.set_message(format!("{pace}  {state}"));
            }
            None if self.done / SILENT_STEPS > before => {
                say(&format!("{}/{}  {pace}  {state}", self.done, self.total));
            }
            None => {}
        }
    }

    /// A line beside the count.
    pub fn note(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.println(line),
            None => say(line),
        }
    }

    /// Shows how the whole stands between two steps; on a terminal only.
    pub fn show(&self, state: &str) {
        if let Some(bar) = &self.bar {
            bar.set_message(format!("{}  {state}", self.pace()));
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    /// `412 games/h, 0:40:12 left`, from this run alone.
    fn pace(&self) -> String {
        let elapsed = self.begun.elapsed().as_secs_f64();
        let fresh = self.done.saturating_sub(self.before) as f64;
        if fresh < 1.0 || elapsed <= 0.0 {
            return String::new();
        }
        let rate = fresh / elapsed;
        let left = self.total.saturating_sub(self.done) as f64 / rate;
        let left = clock(Duration::try_from_secs_f64(left).unwrap_or_default());
        format!("{:.0} {}/h, {left} left", rate * 3600.0, self.unit)
    }
}

/// Prints a line; not in tests. A reader that has gone (as `head` does) is no reason to stop.
pub fn say(line: &str) {
    if !cfg!(test) {
        let _ = writeln!(std::io::stdout(), "{line}");
    }
}

/// `1:02:03`.
pub fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (h, m, s) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{h}:{m:02}:{s:02}")
}
