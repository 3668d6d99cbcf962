//! L8: the subcommands of the program beside the protocol. They may print.

pub mod genopen;
pub mod matches;
