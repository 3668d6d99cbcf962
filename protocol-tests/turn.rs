//! BEGIN, TURN and PLAY, and the form of moves.

use crate::cases::mixed_stones;
use crate::harness::{SLACK, Talk, ms};

const QUICK: &str = "INFO timeout_turn 40";

#[test]
fn item_27_begin_gives_a_move_on_the_board() {
    let mut talk = Talk::on15(&[QUICK, "BEGIN"]);
    talk.mv();
    talk.finish();
}

#[test]
fn item_28_move_lines_are_bare() {
    // `Talk::mv` compares byte for byte; here with coordinates of one and two digits.
    let mut talk = Talk::fresh();
    talk.start(22);
    talk.send_all(&["INFO timeout_turn 10", "BEGIN"]);
    talk.mv();
    for (x, y) in [(0, 0), (21, 21), (0, 21), (21, 0)] {
        talk.send(&format!("TURN {x},{y}"));
        talk.mv();
    }
    talk.finish();
}

#[test]
fn item_29_turn_directly_after_start() {
    let mut talk = Talk::on15(&[QUICK, "TURN 7,7"]);
    assert_ne!(talk.mv(), (7, 7));
    talk.finish();
}

#[test]
fn item_30_a_taken_point_is_an_error_and_changes_nothing() {
    let mut talk = Talk::on15(&[QUICK, "TURN 7,7"]);
    let (x, y) = talk.mv();
    talk.send("TURN 7,7");
    talk.error();
    talk.send(&format!("TURN {x},{y}"));
    talk.error();
    talk.send("TURN 0,0");
    let second = talk.mv();
    assert!(![(7, 7), (x, y), (0, 0)].contains(&second));
    talk.finish();
}

#[test]
fn item_31_points_that_are_none() {
    let mut talk = Talk::on15(&[QUICK]);
    for line in [
        "TURN 15,0",
        "TURN -1,3",
        "TURN a,b",
        "TURN",
        "TURN 7",
        "TURN 7,99999999999999999999",
    ] {
        talk.send(line);
        talk.error();
    }
    talk.silence(ms(100));
    talk.send("TURN 7,7");
    talk.mv();
    talk.finish();
}

#[test]
fn item_32_blanks_and_cr() {
    let mut talk = Talk::on15(&[QUICK]);
    talk.send_bytes(b"  turn \t  7 ,   7  \r\n");
    assert_ne!(talk.mv(), (7, 7));
    talk.send_bytes(b"TURN 7,7\r\n");
    talk.error();
    talk.finish();
}

#[test]
fn item_44_a_turn_that_wins_the_game() {
    for rule in [0, 1, 4, 8, 9] {
        let mut talk = Talk::on15(&[QUICK, &format!("INFO rule {rule}")]);
        talk.send("YXBOARD 3,3,1 3,9,2 4,3,1 5,9,2 5,3,1 7,9,2 6,3,1 9,9,2 DONE");
        talk.send("TURN 7,3");
        let ours = talk.mv();
        assert!(ours.1 != 3 || !(3..=7).contains(&ours.0));
        // qpiskvork sends END while the loser may still be thinking.
        talk.send_all(&["TURN 0,14", "END"]);
        talk.exits(ms(500) + SLACK);
    }
}

#[test]
fn item_45_a_turn_that_fills_the_board() {
    let mut talk = Talk::fresh();
    talk.start(5);
    let stones = mixed_stones(5, 0..24);
    talk.send_all(&[QUICK, &format!("YXBOARD {stones}DONE"), "TURN 4,4"]);
    assert_eq!(talk.error(), "board is full");
    talk.send("BEGIN");
    talk.mv();
    talk.finish();
}

#[test]
fn item_48_play_is_our_stone() {
    let mut talk = Talk::on15(&[QUICK, "PLAY 3,3"]);
    talk.expect("3,3");
    talk.send("TURN 3,3");
    talk.error();
    talk.send("PLAY 15,3");
    talk.error();
    talk.send("TURN 4,4");
    assert!(![(3, 3), (4, 4)].contains(&talk.mv()));
    talk.finish();
}

#[test]
fn commands_before_start_are_errors() {
    let mut talk = Talk::fresh();
    for line in [
        "BEGIN",
        "TURN 7,7",
        "RESTART",
        "TAKEBACK 7,7",
        "PLAY 7,7",
        "BOARD DONE",
        "YXNBEST 1",
    ] {
        talk.send(line);
        assert!(talk.error().contains("START 15"), "{line}");
    }
    talk.start(15);
    talk.finish();
}

#[test]
fn bug_bad_turn_abc() {
    let mut talk = Talk::on15(&[QUICK, "TURN abc"]);
    assert!(talk.error().contains("TURN 7,7"));
    talk.send("TURN 7,7");
    talk.mv();
    talk.finish();
}

#[test]
fn bug_far_reply_corners() {
    for side in [15, 20] {
        for corner in [(0, 0), (side - 1, 0), (0, side - 1), (side - 1, side - 1)] {
            let mut talk = Talk::fresh();
            talk.start(side);
            talk.send_all(&[QUICK, &format!("TURN {},{}", corner.0, corner.1)]);
            assert_ne!(talk.mv(), corner);
            talk.send("BEGIN");
            talk.mv();
            talk.finish();
        }
    }
}
