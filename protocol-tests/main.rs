//! Tests of the real binary through its protocol.
//!
//! `item_NN_…` is item NN of the conformance checklist of the protocol study, `bug_…` a fault
//! that another engine had (`../shared/cases/bugs.jsonl`). `harness.rs` runs the process,
//! `dialogues/*.txt` are scripts. Long runs are ignored by default and run in CI at a tenth of
//! their length: `cargo test --release --test protocol -- --ignored`.
//!
//! `TENGEN_BINARY` names another program to test than the one that cargo has built and
//! `TENGEN_RUNNER` what runs it; all limits stay as they are. `.ci/wine-test` sets both for the
//! program for Windows.

mod analysis;
mod bench;
mod board;
mod book;
mod cases;
mod database;
mod dialogue;
mod eof;
mod garbage;
mod guis;
mod harness;
mod info;
mod json;
mod lines;
mod memory;
mod opening;
mod ponder;
mod pygomo;
mod rules;
mod start;
mod stop_end;
mod swap2;
mod takeback;
mod timing;
mod turn;
mod yixin;
