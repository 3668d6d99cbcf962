//! The `pbrain-tengen` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    match tengen::cli::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(line) => {
            eprintln!("error: {line}");
            ExitCode::FAILURE
        }
    }
}
