//! SWAP2BOARD … DONE.

use std::thread;

use crate::harness::{PATIENCE, SLACK, Spot, Talk, ms};

/// The answer to these stones: none for SWAP.
fn decide(talk: &mut Talk, lines: &[&str]) -> Vec<Spot> {
    talk.send("SWAP2BOARD");
    talk.send_all(lines);
    talk.send("DONE");
    let (line, _) = talk.reply_after_messages(ms(1000) + SLACK);
    if line == "SWAP" {
        Vec::new()
    } else {
        talk.moves_of(&line)
    }
}

/// Are the points distinct and free of the others?
fn are_free(spots: &[Spot], taken: &[Spot]) -> bool {
    let is_free = |(i, spot): (usize, &Spot)| {
        !taken.contains(spot) && spots.iter().skip(i + 1).all(|other| other != spot)
    };
    spots.iter().enumerate().all(is_free)
}

const THREE: [Spot; 3] = [(7, 7), (8, 7), (9, 9)];
const FIVE: [Spot; 5] = [(7, 7), (8, 7), (9, 9), (6, 8), (8, 6)];

fn swap2(rule: &str) -> Talk {
    Talk::on15(&["INFO timeout_turn 1000", &format!("INFO rule {rule}")])
}

#[test]
fn item_49_three_stones_are_proposed() {
    for rule in ["0", "1"] {
        let mut talk = swap2(rule);
        let spots = decide(&mut talk, &[]);
        if spots.len() != 3 || !are_free(&spots, &[]) {
            talk.fail(&format!("expected three stones, got {spots:?}"));
        }
        talk.finish();
    }
}

#[test]
fn item_50_the_choice_after_three_stones() {
    for rule in ["0", "1"] {
        let mut talk = swap2(rule);
        let spots = decide(&mut talk, &["7,7", "8,7", "9,9"]);
        assert!(spots.len() <= 2 && are_free(&spots, &THREE), "{spots:?}");
        talk.finish();
    }
}

#[test]
fn item_51_the_choice_after_five_stones() {
    for rule in ["0", "1"] {
        let mut talk = swap2(rule);
        let spots = decide(&mut talk, &["7,7", "8,7", "9,9", "6,8", "8,6"]);
        assert!(spots.len() <= 1 && are_free(&spots, &FIVE), "{spots:?}");
        talk.finish();
    }
}

#[test]
fn item_52_the_board_after_the_choice() {
    let mut talk = swap2("1");
    decide(&mut talk, &["7,7", "8,7", "9,9", "6,8", "8,6"]);
    // The first player's stones are the opponent's now, whatever we have answered.
    talk.send_all(&[
        "INFO timeout_turn 50",
        "BOARD 7,7,2 8,7,1 9,9,2 6,8,1 8,6,2 DONE",
    ]);
    let ours = talk.mv();
    assert!(are_free(&[ours], &FIVE));
    talk.send("BOARD 7,7,1 8,7,2 9,9,1 6,8,2 8,6,1 0,0,2 DONE");
    let ours = talk.mv();
    assert!(are_free(&[ours], &FIVE) && ours != (0, 0));
    talk.finish();
}

#[test]
fn bug_swap2_forms() {
    let mut talk = swap2("1");
    for lines in [
        &["7,7", "8,7", "9,9"][..],
        &["7,7,1", "8,7,2", "9,9,1"],
        &["7,7,2", "8,7,1", "9,9,2", "6,8,1", "8,6,2"],
        &[" 7 , 7 ", "8,7 9,9"],
    ] {
        let spots = decide(&mut talk, lines);
        assert!(spots.len() <= 2 && are_free(&spots, &THREE));
    }
    talk.send("SWAP2BOARD 7,7 8,7 9,9 done");
    let (line, _) = talk.reply_after_messages(PATIENCE);
    assert!(line == "SWAP" || are_free(&talk.moves_of(&line), &THREE));
    talk.finish();
}

#[test]
fn other_numbers_of_stones_are_errors() {
    let mut talk = swap2("1");
    for stones in [
        "7,7",
        "7,7 8,8",
        "7,7 8,8 9,9 1,1",
        "7,7 8,8 9,9 1,1 2,2 3,3",
    ] {
        talk.send(&format!("SWAP2BOARD {stones} DONE"));
        assert!(talk.error().contains("0, 3 or 5"));
    }
    talk.finish();
}

#[test]
fn a_stop_in_the_middle_ends_the_decision() {
    for stones in ["", "7,7 8,7 9,9", "7,7 8,7 9,9 6,8 8,6"] {
        for stop in ["YXSTOP", "STOP", "INFO timeout_turn 0", "START 15"] {
            let mut talk = Talk::on15(&["INFO timeout_turn 120000", "INFO max_depth 30"]);
            talk.send(&format!("SWAP2BOARD {stones} DONE"));
            // Some searches may have ended by then, many are still to come.
            thread::sleep(ms(250));
            talk.send(stop);
            let (line, _) = talk.reply_after_messages(ms(150) + SLACK);
            assert!(line == "SWAP" || !talk.moves_of(&line).is_empty());
            if stop == "START 15" {
                talk.expect("OK");
            }
            talk.silence(ms(50));
            talk.finish();
        }
    }
}

#[test]
fn a_stop_right_behind_the_question_is_not_lost() {
    for stones in ["", "7,7 8,7 9,9", "7,7 8,7 9,9 6,8 8,6"] {
        for stop in ["YXSTOP", "STOP"] {
            let mut talk = Talk::on15(&["INFO timeout_turn 120000", "INFO max_depth 30"]);
            // In one write: the stop is there before the first search of the decision has begun.
            talk.send_all(&[&format!("SWAP2BOARD {stones} DONE"), stop]);
            let (line, _) = talk.reply_after_messages(ms(150) + SLACK);
            assert!(line == "SWAP" || !talk.moves_of(&line).is_empty());
            talk.silence(ms(50));
            talk.finish();
        }
    }
}
