//! What GUIs make of the live lines: faults that were seen on their boards.

use std::thread;

use crate::cases;
use crate::harness::{PATIENCE, Spot, Talk, ms};
use crate::yixin::{groups, search, value};

/// Black has a three closed at one end: several of its moves leave a single answer.
const CLOSED_THREE: &str = "YXBOARD 7,7,1 8,7,2 7,8,1 7,6,2 7,9,1 8,8,2 DONE";

/// The point that a label such as H8 names on a board of 15 by 15 whose lowest row is row 1, as
/// column from the left and row from the top.
fn named(label: &str) -> Spot {
    let (x, y) = cases::spot(&label.to_ascii_lowercase());
    (x, 14 - y)
}

/// The line in labels of the newest `MESSAGE depth` line.
fn newest_labels(lines: &[String]) -> Vec<Spot> {
    let in_words = |line: &&String| line.starts_with("MESSAGE depth ");
    let newest = lines.iter().rfind(in_words).expect("a line in words");
    let (_, labels) = newest.split_once(" pv ").expect("a line");
    labels.split(' ').map(named).collect()
}

#[test]
fn labels_are_those_that_the_board_draws() {
    // gomoku-calculator means column,row and Yixin-Board, which asks for the machine, row,column;
    // both count rows from the top and draw row 1 at the bottom.
    let stones = "YXBOARD 2,3,1 3,3,2 2,4,1 4,3,2 2,6,1 9,9,2 DONE";
    for (verbs, rows_first) in [
        (&["INFO show_detail 3"][..], false),
        (&["INFO show_detail 3", "yxshowinfo"][..], true),
        (
            &["yxshowinfo", "INFO show_detail 3", "INFO transpose 0"][..],
            false,
        ),
        (&["INFO transpose 1", "INFO show_detail 3"][..], true),
    ] {
        let mut talk = Talk::fresh();
        talk.send_all(verbs);
        talk.start(15);
        talk.send_all(&["INFO max_depth 3", stones]);
        let (lines, ours) = search(&mut talk, "YXNBEST 1");
        let groups = groups(&talk, &lines);
        let points = talk.moves_of(value(groups.last().expect("a group"), "BESTLINE"));
        let turned = |(a, b): &Spot| if rows_first { (*b, *a) } else { (*a, *b) };
        let expected: Vec<Spot> = points.iter().map(turned).collect();
        assert_eq!(newest_labels(&lines), expected, "{verbs:?}");
        assert_eq!(points[0], ours);
        talk.finish();
    }
}

#[test]
fn every_move_is_searched_on_where_some_leave_a_single_answer() {
    // With a clock set, a position with one answer is not thought about; a survey of all moves
    // took that for its end, at depth 3.
    for verb in ["yxsearchdefend", "yxbalanceone 0"] {
        let options = [
            "INFO timeout_turn 60000",
            "INFO max_depth 4",
            "INFO show_detail 2",
        ];
        let mut talk = Talk::on15(&options);
        talk.send(CLOSED_THREE);
        let (lines, _) = search(&mut talk, verb);
        let groups = groups(&talk, &lines);
        let newest = groups.iter().rev().take(219);
        let shallow = newest.filter(|g| value(g, "DEPTH") != "4").count();
        if shallow > 0 {
            talk.fail(&format!(
                "{verb}: {shallow} of 219 moves were not searched on"
            ));
        }
        talk.finish();
    }
}

#[test]
fn of_balanced_pairs_each_first_stone_is_shown_once() {
    let options = [
        "INFO max_depth 2",
        "INFO show_detail 2",
        "YXBOARD 7,7,1 8,7,2 DONE",
    ];
    let mut talk = Talk::on15(&options);
    talk.send("yxbalancetwo 0");
    let mut lines = Vec::new();
    let answer = loop {
        let line = talk.line(PATIENCE);
        if line.as_bytes()[0].is_ascii_digit() {
            break talk.moves_of(&line);
        }
        lines.push(line);
    };
    let groups = groups(&talk, &lines);
    let count: usize = value(&groups[0], "NUMPV").parse().expect("a number");
    let firsts: Vec<Spot> = groups[groups.len() - count..]
        .iter()
        .map(|group| talk.moves_of(value(group, "BESTLINE"))[0])
        .collect();
    let mut once = firsts.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), firsts.len(), "a board shows one mark a point");
    assert_eq!(firsts[0], answer[0]);
    talk.finish();
}

#[test]
fn marks_of_a_search_are_in_step() {
    let mut talk = Talk::on15(&["INFO timeout_turn 60000", "INFO show_detail 1"]);
    talk.send_all(&["YXBOARD 7,7,2 8,6,1 8,8,2 DONE", "YXNBEST 3"]);
    thread::sleep(ms(2500));
    let (lines, ours) = search(&mut talk, "YXSTOP");
    let mut looked_at: Option<String> = None;
    let (mut best, mut pairs) = (None, 0);
    let live = lines
        .iter()
        .filter_map(|line| line.strip_prefix("MESSAGE REALTIME "));
    let live: Vec<&str> = live.collect();
    for (index, text) in live.iter().enumerate() {
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        match word {
            "POS" => looked_at = Some(rest.to_owned()),
            "DONE" => {
                assert_eq!(looked_at.take().as_deref(), Some(rest), "{live:?}");
                pairs += 1;
            }
            "BEST" => best = Some(rest.to_owned()),
            "VAL" => assert!(live[index + 1].starts_with("PV "), "{live:?}"),
            // The best line begins with the move that carries the mark.
            "PV" => {
                let (x, y) = named(rest.split(' ').next().expect("a move"));
                assert_eq!(best, Some(format!("{x},{y}")), "{live:?}");
            }
            _ => {}
        }
    }
    assert!(pairs > 3, "{pairs} marks: {live:?}");
    assert_eq!(best, Some(format!("{},{}", ours.0, ours.1)), "{live:?}");
    talk.finish();
}

#[test]
fn a_board_that_asks_its_database_wipes_its_marks() {
    let mut talk = Talk::fresh();
    talk.send_all(&["info show_detail 3", "yxshowinfo"]);
    talk.start(15);
    talk.send_all(&["INFO timeout_turn 60000", "board", "7,7,2", "done"]);
    talk.send_all(&["yxquerydatabaseallt", "7,7", "done"]);
    let mut lines = Vec::new();
    while lines.last().map(String::as_str) != Some("MESSAGE DATABASE DONE") {
        // At once, and not after the move.
        lines.push(talk.line(PATIENCE));
    }
    assert!(lines.contains(&"MESSAGE DATABASE REFRESH".to_owned()));
    talk.send("yxstop");
    while !talk
        .line(PATIENCE)
        .starts_with(|c: char| c.is_ascii_digit())
    {}
    talk.finish();
}

#[test]
fn swap_after_the_first_move_is_freestyle_on_a_board() {
    // Rule 5 of gomoku-calculator; with a game type it is a sum with the renju bit.
    let three = "YXBOARD 6,7,1 0,0,2 8,7,1 0,2,2 7,6,1 2,0,2 7,8,1 2,2,2 DONE";
    for (options, forbidden) in [
        (&["INFO RULE 5"][..], "FORBID ."),
        (&["INFO game_type 1", "INFO rule 5"][..], "FORBID 0707."),
    ] {
        let mut talk = Talk::fresh();
        talk.send_all(options);
        talk.start(15);
        talk.send_all(&[three, "YXSHOWFORBID"]);
        talk.expect(forbidden);
        talk.finish();
    }
}
