//! L8: the subcommands beside the protocol. They may print.
#![allow(clippy::print_stdout)]

pub mod matches;
