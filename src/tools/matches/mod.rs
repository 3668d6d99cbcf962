//! L8: `match`, games between Gomocup engines.
//!
//! * `config`: the command line; `entrant`: one engine of it.
//! * `process`: a child process that cannot hurt; `player`: its dialogue and clock.
//! * `game`: one game judged; `opening`: its opening, if it is played by a rule; `schedule`: which games; `runner`: all of them.
//! * `record`, `export`, `store`: what is kept; `stats`, `standings`, `progress`: what is shown.
//!
//! An engine that hangs, crashes, floods, babbles or will not leave loses that game, and the run
//! goes on.

pub(super) mod config;
pub(super) mod entrant;
pub(super) mod export;
#[cfg(all(test, unix))]
pub(super) mod fakes;
mod game;
mod opening;
pub(super) mod player;
mod process;
pub(super) mod progress;
pub(super) mod record;
mod runner;
mod schedule;
mod standings;
mod stats;
pub(super) mod store;
#[cfg(all(test, unix))]
mod tests;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub use config::MatchArgs;
use progress::say;

/// Runs the subcommand.
///
/// # Errors
/// One line for the user.
pub fn run(args: &MatchArgs) -> Result<(), String> {
    let config = config::Config::new(args)?;
    let stop = stop_flag()?;
    say(&config.headline());
    if let Some(warning) = config.warning() {
        say(&warning);
    }
    let standings = runner::run(&config, &stop)?;
    say(standings.report(config.sprt.as_ref()).trim_end());
    let (played, total) = (standings.games(), config.schedule.games());
    if stop.load(Ordering::Relaxed) {
        let resume = match &config.out {
            Some(_) => "the same command goes on from here",
            None => "nothing was kept, for want of --out",
        };
        return Err(format!("stopped after {played} of {total} games: {resume}"));
    }
    Ok(())
}

/// A flag that Ctrl-C sets; a second Ctrl-C ends the process on the spot.
///
/// # Errors
/// One line when the system refuses.
pub(super) fn stop_flag() -> Result<Arc<AtomicBool>, String> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let handler = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    handler.map_err(|e| format!("cannot watch for Ctrl-C: {e}"))?;
    Ok(stop)
}
