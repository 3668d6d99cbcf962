//! The command line: no subcommand means the Gomocup protocol on stdin and stdout.

use clap::{Parser, Subcommand};

use crate::tools::genopen::{self, GenOpenArgs};
use crate::tools::matches::{self, MatchArgs};

/// A gomoku and renju engine for the Gomocup protocol.
#[derive(Parser, Debug)]
#[command(name = "pbrain-tengen", version)]
struct Cli {
    #[command(subcommand)]
    tool: Option<Tool>,
}

#[derive(Subcommand, Debug)]
enum Tool {
    /// Let Gomocup engines play each other
    Match(Box<MatchArgs>),
    /// Make a list of level openings
    Genopen(Box<GenOpenArgs>),
}

/// Parses the process's arguments and does what they ask.
///
/// # Errors
/// One line for the user.
pub fn run() -> Result<(), String> {
    match Cli::parse().tool {
        None => Ok(()),
        Some(Tool::Match(args)) => matches::run(&args),
        Some(Tool::Genopen(args)) => genopen::run(&args),
    }
}
