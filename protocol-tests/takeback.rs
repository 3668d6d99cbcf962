//! RESTART and TAKEBACK.

use std::thread;

use crate::harness::{SLACK, Talk, ms};

const QUICK: &str = "INFO timeout_turn 40";

#[test]
fn item_46_restart_after_a_game() {
    let mut talk = Talk::on15(&[QUICK, "TURN 7,7"]);
    let ours = talk.mv();
    talk.send("RESTART");
    talk.expect("OK");
    talk.send("BEGIN");
    talk.mv_within(ms(1000) + SLACK);
    talk.send("RESTART");
    talk.expect("OK");
    talk.send(&format!("TURN {},{}", ours.0, ours.1));
    talk.mv();
    talk.finish();
}

#[test]
fn item_47_takeback_newest_first() {
    let mut talk = Talk::on15(&[QUICK, "TURN 7,7"]);
    let first = talk.mv();
    talk.send("TURN 0,0");
    let second = talk.mv();
    talk.send(&format!("TAKEBACK {},{}", second.0, second.1));
    talk.expect("OK");
    talk.send("TAKEBACK 0,0");
    talk.expect("OK");
    for line in ["TAKEBACK 0,0", "TAKEBACK 15,15", "TAKEBACK", "TAKEBACK x"] {
        talk.send(line);
        talk.error();
    }
    talk.send("TURN 14,14");
    let third = talk.mv();
    assert!(![(7, 7), first, (14, 14)].contains(&third));
    talk.send(&format!("TURN {},{}", first.0, first.1));
    talk.error();
    talk.finish();
}

#[test]
fn bug_takeback_any_stone() {
    let mut talk = Talk::on15(&[QUICK, "YXBOARD 1,1,1 2,2,2 3,3,1 4,4,2 DONE"]);
    talk.send("TAKEBACK 1,1");
    talk.expect("OK");
    talk.send("TAKEBACK 1,1");
    talk.error();
    talk.send("TURN 1,1");
    assert!(![(1, 1), (2, 2), (3, 3), (4, 4)].contains(&talk.mv()));
    talk.finish();
}

#[test]
fn takeback_during_a_search_prints_its_move_first() {
    let mut talk = Talk::on15(&["INFO timeout_turn 60000", "TURN 7,7"]);
    thread::sleep(ms(50));
    talk.send("TAKEBACK 7,7");
    talk.mv_within(ms(200) + SLACK);
    talk.expect("OK");
    talk.send_all(&[QUICK, "TURN 7,7"]);
    talk.mv();
    talk.finish();
}

/// RESTART around the instant of the move line: before it, with it, after it.
fn restart_race(rounds: u64) {
    let mut talk = Talk::on15(&["INFO timeout_turn 10"]);
    for round in 0..rounds {
        talk.send("BEGIN");
        if round % 4 == 0 {
            talk.mv();
            talk.send("RESTART");
        } else {
            // Sweeps over the end of a search of at most 10 ms.
            thread::sleep(std::time::Duration::from_micros(round * 137 % 13_000));
            talk.send("RESTART");
            talk.mv();
        }
        talk.expect("OK");
    }
    talk.finish();
}

#[test]
fn bug_restart_race() {
    restart_race(100);
}

#[test]
#[ignore = "ten times the run of bug_restart_race"]
fn bug_restart_race_whole() {
    restart_race(1000);
}
