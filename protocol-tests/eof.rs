//! The end of the input without END.

use std::io::Write;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::harness::{PATIENCE, SLACK, Talk, best_within, engine, ms};

#[test]
fn item_59_end_of_input_while_idle() {
    for lines in [
        &[][..],
        &["ABOUT"],
        &["START 15"],
        &["START 15", "BOARD", "7,7,1"],
    ] {
        best_within(ms(500), || {
            let mut talk = Talk::fresh();
            talk.send_all(lines);
            talk.close();
            talk.exits(ms(500) + SLACK)
        });
    }
}

/// Closes the input of a thinking engine; how long the move and the exit take.
fn time_to_leave(limit: &str) -> Duration {
    let mut talk = Talk::on15(&[limit, "TURN 7,7"]);
    let closed = Instant::now();
    talk.close();
    talk.mv();
    talk.leaves(ms(500) + SLACK);
    closed.elapsed()
}

#[test]
fn item_59_a_search_with_a_limit_ends_by_itself() {
    best_within(ms(300 + 500), || time_to_leave("INFO timeout_turn 300"));
}

#[test]
fn item_59_a_search_bound_by_nodes_ends_by_itself() {
    let mut talk = Talk::on15(&["INFO max_node 3000", "INFO timeout_match 0", "TURN 7,7"]);
    talk.close();
    talk.mv();
    talk.leaves(ms(500) + SLACK);
}

#[test]
fn item_59_a_search_without_a_limit_is_stopped() {
    best_within(ms(500), || time_to_leave("INFO timeout_turn -1"));
}

#[test]
fn a_script_without_end_prints_all_its_moves() {
    let mut talk = Talk::fresh();
    talk.send_bytes(b"INFO timeout_turn 100\nSTART 15\nBEGIN\nTURN 0,0\nYXNBEST 2");
    talk.close();
    talk.expect("OK");
    for _ in 0..3 {
        talk.mv_within(PATIENCE);
    }
    talk.leaves(ms(500) + SLACK);
}

#[test]
fn a_manager_that_reads_no_more_ends_us() {
    let mut child = engine()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    drop(child.stdout.take());
    // The input stays open, so only the failed reply can tell.
    let mut input = child.stdin.take().expect("stdin");
    input.write_all(b"START 15\n").expect("sent");
    let begun = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if begun.elapsed() > PATIENCE {
            let _ = child.kill();
        }
        thread::sleep(ms(5));
    }
    let output = child.wait_with_output().expect("its output");
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
}
