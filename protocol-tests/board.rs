//! BOARD … DONE.

use crate::cases::mixed_stones;
use crate::harness::{PATIENCE, Spot, Talk, ms};

const QUICK: &str = "INFO timeout_turn 40";

/// The answer to a block sent line by line in one write.
fn answer(talk: &mut Talk, stones: &[&str]) -> Spot {
    let mut lines = vec!["BOARD"];
    lines.extend(stones);
    lines.push("DONE");
    talk.send_all(&lines);
    talk.mv()
}

/// The points of stones written `x,y,f`.
fn points(stones: &[&str]) -> Vec<Spot> {
    let number = |word: Option<&str>| word.and_then(|w| w.parse().ok()).expect("a number");
    let point = |stone: &&str| {
        let mut words = stone.split(',');
        (number(words.next()), number(words.next()))
    };
    stones.iter().map(point).collect()
}

/// A fresh engine must answer the block with a move on an empty point.
fn answers_legally(options: &[&str], stones: &[&str]) -> (Talk, Spot) {
    let mut talk = Talk::on15(options);
    talk.send(QUICK);
    let ours = answer(&mut talk, stones);
    if points(stones).contains(&ours) {
        talk.fail("a taken point");
    }
    (talk, ours)
}

#[test]
fn item_33_an_empty_block_opens_the_game() {
    answers_legally(&[], &[]).0.finish();
}

#[test]
fn item_34_three_stones_are_answered_as_white() {
    let (mut talk, _) = answers_legally(&["INFO rule 4"], &["7,7,2", "8,8,1", "6,7,2"]);
    // We were White, so nothing is forbidden to us next time either.
    talk.send_all(&["TURN 0,0", "YXSHOWFORBID"]);
    talk.mv();
    assert!(talk.reply().starts_with("FORBID "));
    talk.finish();
}

#[test]
fn item_35_two_stones_are_answered_as_black() {
    answers_legally(&["INFO rule 4"], &["7,7,1", "8,8,2"])
        .0
        .finish();
}

#[test]
fn item_36_the_order_of_stones_does_not_matter() {
    // Ours are four in a row with a gap at one end, sent in a wild order.
    let stones = [
        "6,7,1", "2,2,2", "9,7,2", "5,7,1", "7,7,1", "2,12,2", "8,7,1", "12,2,2",
    ];
    let (talk, ours) = answers_legally(&["INFO rule 0"], &stones);
    assert_eq!(ours, (4, 7), "our five");
    talk.finish();
}

#[test]
fn item_37_dead_stones_are_in_the_way() {
    let stones = ["7,7,3", "8,8,1", "6,6,2"];
    let (mut talk, _) = answers_legally(&[], &stones);
    talk.send("TURN 7,7");
    talk.error();
    talk.finish();
    // qpiskvork's continuous games: nothing but dead stones.
    answers_legally(&[], &["7,7,3", "8,7,3", "9,7,3", "10,7,3", "11,7,3"])
        .0
        .finish();
}

#[test]
fn item_38_counts_that_fit_no_game() {
    answers_legally(&[], &["3,3,1", "4,4,1", "5,5,1", "9,3,1", "7,7,2"])
        .0
        .finish();
    answers_legally(&["INFO rule 4"], &["3,3,2", "4,4,2", "5,5,2", "9,3,2"])
        .0
        .finish();
}

#[test]
fn item_39_bad_lines_are_messages() {
    let mut talk = Talk::on15(&[QUICK]);
    talk.send_all(&[
        "BOARD", "7,7,1", "7,7,2", "15,3,2", "junk", "8,8,9", "8,8,2", "DONE",
    ]);
    let (line, messages) = talk.reply_after_messages(PATIENCE);
    assert_eq!(talk.moves_of(&line).len(), 1);
    let skipped = messages
        .iter()
        .filter(|text| text.contains("skipped"))
        .count();
    assert_eq!(skipped, 4, "{messages:?}");
    talk.finish();
}

#[test]
fn item_40_a_block_on_one_line() {
    let mut talk = Talk::on15(&[QUICK, "BOARD 7,7,1 8,8,2 DONE"]);
    assert!(![(7, 7), (8, 8)].contains(&talk.mv()));
    talk.finish();
}

#[test]
fn item_41_mixed_line_ends() {
    let mut talk = Talk::on15(&[QUICK]);
    talk.send_bytes(b"BOARD\n7,7,1\n8,8,2\r\n 6 , 6 , 1\n5,5,2\nDONE\r\n");
    assert!(![(7, 7), (8, 8), (6, 6), (5, 5)].contains(&talk.mv()));
    talk.finish();
}

#[test]
fn item_41_a_block_that_arrives_in_pieces() {
    let mut talk = Talk::on15(&[QUICK]);
    for piece in ["BO", "ARD\n7,", "7,1\n", "8,8", ",2\nDO", "NE", "\n"] {
        talk.send_bytes(piece.as_bytes());
        std::thread::sleep(ms(5));
    }
    assert!(![(7, 7), (8, 8)].contains(&talk.mv()));
    talk.finish();
}

#[test]
fn item_42_a_block_replaces_the_position() {
    let mut talk = Talk::on15(&[QUICK]);
    // A finished game, then another position with the same points in other hands.
    talk.send("BOARD 3,3,2 3,9,1 4,3,2 5,9,1 5,3,2 7,9,1 6,3,2 9,9,1 7,3,2 DONE");
    talk.mv();
    answer(&mut talk, &["3,3,1", "4,3,2"]);
    talk.send("TURN 7,3");
    talk.mv();
    talk.send_all(&["SWAP2BOARD", "7,7", "8,7", "9,9", "DONE"]);
    talk.reply();
    let ours = answer(&mut talk, &["7,7,2", "8,7,1", "9,9,2"]);
    assert!(![(7, 7), (8, 7), (9, 9)].contains(&ours));
    talk.finish();
}

#[test]
fn item_43_turn_goes_on_from_the_block() {
    let mut talk = Talk::on15(&[QUICK]);
    let (x, y) = answer(&mut talk, &["7,7,1", "8,8,2"]);
    for taken in [format!("{x},{y}"), "7,7".to_owned(), "8,8".to_owned()] {
        talk.send(&format!("TURN {taken}"));
        talk.error();
    }
    talk.send("TURN 0,0");
    assert!(![(x, y), (7, 7), (8, 8), (0, 0)].contains(&talk.mv()));
    talk.finish();
}

#[test]
fn a_full_board_is_an_error() {
    for rule in ["0", "1", "4"] {
        let stones = mixed_stones(5, 0..25);
        let mut talk = Talk::fresh();
        talk.start(5);
        talk.send_all(&[
            QUICK,
            &format!("INFO rule {rule}"),
            &format!("BOARD {stones}DONE"),
        ]);
        assert_eq!(talk.error(), "board is full");
        talk.finish();
    }
}

#[test]
fn bug_near_full_board() {
    for (rule, left) in [("0", 2), ("1", 2), ("4", 2), ("0", 1), ("1", 1), ("4", 1)] {
        let stones = mixed_stones(15, left..225);
        let mut talk = Talk::on15(&["INFO timeout_turn 300", &format!("INFO rule {rule}")]);
        talk.send(&format!("BOARD {stones}DONE"));
        let (x, y) = talk.mv();
        assert!(y == 0 && x < left);
        talk.finish();
    }
}

#[test]
fn bug_duplicate_square() {
    let mut talk = Talk::on15(&[QUICK, "BOARD 7,7,1 8,8,2 7,7,2 DONE"]);
    let (line, messages) = talk.reply_after_messages(PATIENCE);
    assert_eq!(talk.moves_of(&line).len(), 1);
    assert!(
        messages
            .iter()
            .any(|text| text.contains("7,7,2") && text.contains("taken"))
    );
    talk.finish();
}

#[test]
fn bug_uneven_board() {
    answers_legally(&[], &["7,7,1", "8,8,1", "6,6,2", "5,5,2"])
        .0
        .finish();
    answers_legally(&[], &["7,7,2", "8,7,1", "9,9,2"])
        .0
        .finish();
}

#[test]
fn bug_finished_game() {
    for rule in ["0", "1", "4", "8", "9", "omok", "caro-edge"] {
        for own in [1, 2] {
            let other = 3 - own;
            let five: String = (3..8)
                .map(|x| format!("{x},3,{own} {x},9,{other} "))
                .collect();
            // The row of the other side has a gap.
            let stones = five.replace(&format!("5,9,{other}"), &format!("5,11,{other}"));
            let rule_line = format!("INFO rule {rule}");
            let mut talk = Talk::on15(&["INFO timeout_turn 2000", &rule_line]);
            talk.send(&format!("BOARD {stones}DONE"));
            let (line, messages) = talk.reply_after_messages(ms(1000));
            assert_eq!(talk.moves_of(&line).len(), 1);
            if !messages.iter().any(|text| text.contains("game is over")) {
                talk.fail("nothing says that the game is over");
            }
            talk.finish();
        }
    }
}
