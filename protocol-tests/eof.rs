//! The end of the input without END.

use std::time::Instant;

use crate::harness::{PATIENCE, SLACK, Talk, best_within, ms};

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

#[test]
fn item_59_a_search_with_a_limit_ends_by_itself() {
    best_within(ms(300 + 500), || {
        let mut talk = Talk::on15(&["INFO timeout_turn 300", "TURN 7,7"]);
        let closed = Instant::now();
        talk.close();
        talk.mv();
        talk.leaves(ms(500) + SLACK);
        closed.elapsed()
    });
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
    best_within(ms(500), || {
        let mut talk = Talk::on15(&["INFO timeout_turn -1", "TURN 7,7"]);
        let closed = Instant::now();
        talk.close();
        talk.mv();
        talk.leaves(ms(500) + SLACK);
        closed.elapsed()
    });
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
fn a_reader_that_goes_away_ends_us() {
    let mut talk = Talk::on15(&["INFO timeout_turn 30", "TURN 7,7"]);
    talk.mv();
    talk.close();
    talk.leaves(ms(500) + SLACK);
}
