//! L10: the subcommands, on top of the engine facade. They may print.

pub mod analyze;
pub mod bench;
mod bench_positions;
pub mod blame;
pub mod book;
pub mod database;
pub mod datagen;
mod games;
pub mod genopen;
mod line_file;
pub mod matches;
pub mod opening;
pub mod perft;
mod searcher;
mod selfplay;
pub mod show;
pub mod solve;
pub mod train;
pub mod tune;
