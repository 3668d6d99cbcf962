//! The `pbrain-tengen` program.

use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    // Some managers read stderr as if it were stdout: silent unless asked for by RUST_LOG.
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("off")).init();
    let arguments: Vec<OsString> = std::env::args_os().collect();
    match tengen::cli::run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
