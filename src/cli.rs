//! The command line: without a subcommand the program speaks the protocol.

use std::ffi::OsString;

use clap::{CommandFactory, Parser, Subcommand};

use crate::protocol;
use crate::tools::{
    analyze, bench, blame, book, database, datagen, genopen, matches, opening, perft, show, solve,
    train, tune,
};

/// A gomoku and renju engine for Gomocup managers.
#[derive(Parser, Debug)]
#[command(name = "pbrain-tengen", version, about)]
#[command(
    after_help = "Without a subcommand the engine speaks the Gomocup protocol on stdin and \
                        stdout and ignores its arguments."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Speak the Gomocup protocol on stdin and stdout (the default)
    Protocol(protocol::ProtocolArgs),
    /// Search a position and stream what is found as JSON lines
    Analyze(analyze::AnalyzeArgs),
    /// Search fixed positions and print the node count
    Bench(bench::BenchArgs),
    /// Let Gomocup engines play each other
    Match(Box<matches::MatchArgs>),
    /// Find the moves that lost the lost games of a match
    Blame(blame::BlameArgs),
    /// Look into a database of positions, fill it from files or empty it into them
    Database(database::DatabaseArgs),
    /// Make opening books and look into them
    Book(Box<book::BookArgs>),
    /// Make a list of level openings
    Genopen(Box<genopen::GenOpenArgs>),
    /// List, explain and draw opening rules, check transcripts, name openings
    Opening(opening::OpeningArgs),
    /// Count the sequences of moves from a position, and the winning and forbidden points
    Perft(perft::PerftArgs),
    /// Draw a position as text or SVG with winning and forbidden points marked
    Show(show::ShowArgs),
    /// Prove a win by fours, by threats or by any moves, or that there is none
    Solve(solve::SolveArgs),
    /// Play games against itself to learn from
    Datagen(datagen::DataGenArgs),
    /// Fit the evaluation to games
    Train(train::TrainArgs),
    /// Tune numbers of the search by games against itself
    Tune(tune::TuneArgs),
}

/// Runs the program with these arguments, its own name first.
///
/// # Errors
/// A line for the user.
pub fn run(arguments: &[OsString]) -> Result<(), String> {
    let command = if is_for_people(arguments) {
        Cli::parse_from(arguments).command
    } else {
        Command::Protocol(protocol::ProtocolArgs::default())
    };
    match command {
        Command::Protocol(args) => protocol::run(&args),
        Command::Analyze(args) => analyze::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Match(args) => matches::run(&args),
        Command::Blame(args) => blame::run(&args),
        Command::Book(args) => book::run(&args),
        Command::Database(args) => database::run(&args),
        Command::Genopen(args) => genopen::run(&args),
        Command::Opening(args) => opening::run(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Solve(args) => solve::run(&args),
        Command::Datagen(args) => datagen::run(&args),
        Command::Train(args) => train::run(&args),
        Command::Tune(args) => tune::run(&args),
    }
}

/// Do the arguments name a subcommand or ask for help? Managers pass arguments of their own, so
/// anything else must not keep the engine from starting.
fn is_for_people(arguments: &[OsString]) -> bool {
    let Some(first) = arguments.get(1).and_then(|first| first.to_str()) else {
        return false;
    };
    let is_flag = ["-h", "--help", "-V", "--version", "help"].contains(&first);
    is_flag || Cli::command().find_subcommand(first).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn arguments_of_managers_are_ignored() {
        let people = |words: &[&str]| {
            let words: Vec<OsString> = words.iter().map(OsString::from).collect();
            is_for_people(&words)
        };
        for words in [
            &["x"][..],
            &["x", "--force-utf8"],
            &["x", "-l", "bench"],
            &["x", ""],
        ] {
            assert!(!people(words), "{words:?}");
        }
        assert!(people(&["x", "protocol"]));
        assert!(people(&["x", "--help"]));
    }
}
