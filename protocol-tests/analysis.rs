//! Verbs of Yixin's board that ask about more than the best move.

use std::path::PathBuf;
use std::thread;
use std::time::Instant;

use crate::harness::{PATIENCE, SLACK, Spot, Talk, ms};
use crate::yixin::{groups, search, value};

/// Black's open three on row 7, with White to move.
const OPEN_THREE: &str = "YXBOARD 6,7,2 0,0,1 7,7,2 2,0,1 8,7,2 DONE";

/// The marks of that kind, in order.
fn marks(talk: &Talk, lines: &[String], word: &str) -> Vec<Spot> {
    let start = format!("MESSAGE REALTIME {word} ");
    let marked = lines.iter().filter_map(|line| line.strip_prefix(&start));
    marked.flat_map(|rest| talk.moves_of(rest)).collect()
}

/// The newest group of the best line.
fn best_score(talk: &Talk, lines: &[String]) -> String {
    let groups = groups(talk, lines);
    let best = groups.iter().rev().find(|group| value(group, "PV") == "0");
    value(best.expect("a best line"), "EVAL").to_owned()
}

/// A file of its own for each test, in a folder whose name needs care.
fn place(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tengen hash {}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder.join(name)
}

#[test]
fn defend_marks_every_move_that_loses() {
    let mut talk = Talk::on15(&["INFO timeout_turn 4000", "INFO show_detail 3", OPEN_THREE]);
    let (lines, ours) = search(&mut talk, "yxsearchdefend");
    let lost = marks(&talk, &lines, "LOST");
    let mut points = lost.clone();
    points.sort_unstable();
    points.dedup();
    assert_eq!(points.len(), lost.len(), "a mark is given once");
    // Only its ends stop the three; 220 points are empty.
    let stops: [Spot; 2] = [(5, 7), (9, 7)];
    if lost.iter().any(|spot| stops.contains(spot)) || lost.len() < 210 {
        talk.fail(&format!("{} marks: {lost:?}", lost.len()));
    }
    assert!(stops.contains(&ours), "{ours:?}");
    assert!(
        marks(&talk, &lines, "BEST")
            .iter()
            .any(|spot| stops.contains(spot))
    );
    // The lines of the last round: every move once, losing ones with their length.
    let groups = groups(&talk, &lines);
    let newest: Vec<_> = groups.iter().rev().take(220).collect();
    assert!(newest.iter().all(|group| value(group, "NUMPV") == "220"));
    let losing = newest
        .iter()
        .filter(|group| value(group, "EVAL").starts_with("-M"));
    assert_eq!(losing.count(), lost.len());
    talk.finish();
}

#[test]
fn defend_stops_when_told_and_respects_blocked_points() {
    let mut talk = Talk::on15(&["INFO timeout_turn -1", "INFO show_detail 1", OPEN_THREE]);
    talk.send_all(&["yxblock 5,7 done", "yxsearchdefend"]);
    thread::sleep(ms(300));
    let sent = Instant::now();
    talk.send("yxstop");
    let (lines, ours) = search(&mut talk, "yxstop");
    assert!(sent.elapsed() < ms(100) + SLACK);
    assert_eq!(ours, (9, 7), "the only defence left");
    let marked = [marks(&talk, &lines, "LOST"), marks(&talk, &lines, "BEST")].concat();
    assert!(!marked.contains(&(5, 7)));
    talk.silence(ms(100));
    talk.finish();
}

#[test]
fn item_69_balance_comes_near_the_score_that_was_asked_for() {
    for target in [0, 60, -60] {
        let board = "YXBOARD 7,7,1 7,8,2 DONE";
        // A fixed depth: what is near the target does not depend on the machine.
        let mut talk = Talk::on15(&["INFO max_depth 6", "INFO show_detail 2", board]);
        let (lines, ours) = search(&mut talk, &format!("yxbalanceone {target}"));
        let found: i32 = best_score(&talk, &lines).parse().expect("no proof");
        assert!((found - target).abs() <= 25, "{found} for {target}");
        // The stone stands: it is taken for the next command.
        talk.send(&format!("TURN {},{}", ours.0, ours.1));
        talk.error();
        talk.finish();
    }
}

#[test]
fn item_69_balance_two_gives_two_stones_that_stand() {
    for board in [
        "YXBOARD DONE",
        "YXBOARD 7,7,2 DONE",
        "YXBOARD 7,7,1 7,8,2 DONE",
    ] {
        let mut talk = Talk::on15(&["INFO timeout_turn 1000", "INFO show_detail 2", board]);
        talk.send("YXBALANCETWO 0");
        let mut lines = Vec::new();
        let last = loop {
            let line = talk.line(PATIENCE);
            if line.as_bytes()[0].is_ascii_digit() {
                break line;
            }
            lines.push(line);
        };
        let ours = talk.moves_of(&last);
        assert!(
            ours.len() == 2
                && ours[0] != ours[1]
                && ours
                    .iter()
                    .all(|(x, y)| !board.contains(&format!(" {x},{y},"))),
            "{ours:?} on {board}"
        );
        let found: i32 = best_score(&talk, &lines).parse().expect("no proof");
        assert!(found.abs() <= 25, "{found}");
        for (x, y) in ours {
            talk.send(&format!("TURN {x},{y}"));
            talk.error();
        }
        talk.finish();
    }
}

#[test]
fn balance_answers_under_every_limit_and_on_every_board() {
    for limit in [
        "timeout_turn 0",
        "max_node 500",
        "max_depth 1",
        "timeout_turn 100",
    ] {
        for (verb, count) in [("yxbalanceone", 1), ("yxbalancetwo", 2)] {
            let mut talk = Talk::on15(&[&format!("INFO {limit}"), "INFO rule 4", verb]);
            let line = talk.reply();
            assert_eq!(talk.moves_of(&line).len(), count);
            talk.finish();
        }
    }
    // One empty point: there is no second move.
    let mut talk = Talk::fresh();
    talk.start(5);
    talk.send(&format!(
        "YXBOARD {}DONE",
        crate::cases::mixed_stones(5, 1..25)
    ));
    for verb in ["yxbalanceone", "yxbalancetwo", "yxsearchdefend"] {
        talk.send(verb);
        assert_eq!(talk.mv(), (0, 0));
        talk.send("TAKEBACK 0,0");
        talk.expect("OK");
    }
    talk.send("TURN 0,0");
    talk.error();
    talk.send("yxbalancetwo 0");
    talk.error();
    talk.finish();
}

#[test]
fn two_threads_answer_as_one_does() {
    for (verb, count) in [
        ("yxbalanceone", 1),
        ("yxbalancetwo", 2),
        ("yxsearchdefend", 1),
    ] {
        let mut talk = Talk::on15(&["INFO thread_num 2", "INFO timeout_turn -1", OPEN_THREE]);
        talk.send(verb);
        thread::sleep(ms(300));
        talk.send("yxstop");
        let (line, _) = talk.reply_after_messages(ms(150) + SLACK);
        let ours = talk.moves_of(&line);
        assert_eq!(ours.len(), count);
        if verb == "yxsearchdefend" {
            assert!([(5, 7), (9, 7)].contains(&ours[0]), "{ours:?}");
        }
        talk.silence(ms(50));
        talk.finish();
    }
}

#[test]
fn path_blocks_hold_in_their_position_only() {
    let mut talk = Talk::on15(&["INFO timeout_turn 300"]);
    // White's only good points against an open three, all but one blocked after these moves.
    let moves = "6,7 0,0 7,7 2,0 8,7";
    for point in ["4,7", "5,7", "9,7"] {
        talk.send(&format!("yxblockpath {moves} {point} done"));
    }
    talk.send_all(&[OPEN_THREE, "yxnbest 1"]);
    assert_eq!(talk.mv(), (10, 7));
    talk.send_all(&[
        &format!("yxblockpathundo {moves} 5,7 done"),
        OPEN_THREE,
        "yxnbest 2",
    ]);
    assert!([(5, 7), (10, 7)].contains(&talk.mv()));
    // The same points are free elsewhere.
    talk.send("BOARD 6,7,2 0,0,1 7,7,2 14,0,1 8,7,2 DONE");
    assert!([(4, 7), (5, 7), (9, 7), (10, 7)].contains(&talk.mv()));
    talk.finish();
}

#[test]
fn a_block_during_a_search_is_for_the_next() {
    let mut talk = Talk::on15(&["INFO timeout_turn -1", OPEN_THREE, "yxnbest 1"]);
    thread::sleep(ms(100));
    talk.send_all(&["yxblock 5,7 done", "yxblockpath 10,10 done"]);
    talk.silence(ms(150));
    talk.send("yxstop");
    assert!([(5, 7), (9, 7)].contains(&talk.mv()));
    talk.send_all(&["INFO timeout_turn 300", OPEN_THREE, "yxnbest 1"]);
    assert_eq!(talk.mv(), (9, 7));
    talk.finish();
}

#[test]
fn a_flood_of_path_blocks_is_quick() {
    let mut talk = Talk::on15(&["INFO timeout_turn 50"]);
    // What "blockpath except" of the board sends, five times.
    let all = (0..5 * 484).map(|n| format!("yxblockpath 7,7 {},{} done", n % 22, n / 22 % 22));
    let lines: Vec<String> = all.collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let sent = Instant::now();
    talk.send_all(&lines);
    // All points are blocked, so none is.
    talk.send("TURN 7,7");
    talk.mv();
    assert!(sent.elapsed() < ms(1000) + SLACK, "{:?}", sent.elapsed());
    talk.finish();
}

#[test]
fn what_was_learned_comes_back_from_a_file() {
    let path = place("table a.bin");
    let shown = path.display().to_string();
    let puzzle = "YXBOARD 6,7,1 0,0,2 7,7,1 2,0,2 8,8,1 4,0,2 8,9,1 6,0,2 DONE";
    let options = ["INFO max_depth 12", "INFO show_detail 2", puzzle];
    let mut talk = Talk::on15(&options);
    let (first, _) = search(&mut talk, "yxnbest 2");
    // While a search runs the dump waits for its move.
    talk.send_all(&["INFO max_depth 99", "yxnbest 2"]);
    thread::sleep(ms(100));
    talk.send_all(&["yxhashdump", &shown]);
    talk.send("yxstop");
    let line = loop {
        let line = talk.line(PATIENCE);
        if line.contains("hash dump") {
            break line;
        }
    };
    let count = |line: &str| -> u64 {
        let number = line.split_whitespace().find_map(|word| word.parse().ok());
        number.unwrap_or_else(|| panic!("no number in {line:?}"))
    };
    let dumped = count(&line);
    assert!(dumped > 1000, "{line}");
    talk.finish();

    let mut talk = Talk::on15(&options);
    talk.send_all(&["yxhashload", &shown]);
    let line = talk.line(PATIENCE);
    assert!(
        line.starts_with("MESSAGE hash load: ") && count(&line) == dumped,
        "{line}"
    );
    let (second, _) = search(&mut talk, "yxnbest 2");
    let nodes = |talk: &Talk, lines: &[String]| -> u64 {
        let groups = groups(talk, lines);
        let last = groups.last().expect("a group");
        value(last, "TOTALNODES").parse().expect("a number")
    };
    let (before, after) = (nodes(&talk, &first), nodes(&talk, &second));
    assert!(after * 2 < before, "{after} nodes instead of {before}");

    // A flipped bit: refused in words, and play goes on.
    let mut bytes = std::fs::read(&path).expect("the file");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(&path, bytes).expect("the file");
    talk.send_all(&["yxhashload", &shown]);
    let line = talk.line(PATIENCE);
    assert!(
        line.contains("hash load failed") && line.contains("damaged"),
        "{line}"
    );
    let nowhere = place("no folder").join("x");
    talk.send_all(&["yxhashdump", &nowhere.display().to_string()]);
    assert!(talk.line(PATIENCE).contains("hash dump failed"));
    search(&mut talk, "yxnbest 1");
    talk.finish();
    std::fs::remove_file(path).expect("the file");
}

#[test]
fn hash_usage_is_told() {
    let mut talk = Talk::on15(&[
        "INFO hash_size 1024",
        "INFO max_node 200000",
        "yxshowhashusage",
    ]);
    talk.line(PATIENCE);
    let usage = |talk: &mut Talk| -> u64 {
        talk.send("yxshowhashusage");
        let (line, _) = (talk.line(PATIENCE), ());
        let number = line
            .strip_prefix("MESSAGE hash usage ")
            .and_then(|rest| rest.split(' ').next());
        number
            .and_then(|n| n.parse().ok())
            .unwrap_or_else(|| talk.fail("no usage"))
    };
    assert_eq!(usage(&mut talk), 0);
    search(&mut talk, "BOARD 7,7,1 7,8,2 DONE");
    assert!((100..=1000).contains(&usage(&mut talk)));
    talk.send("yxhashclear");
    assert_eq!(usage(&mut talk), 0);
    talk.finish();
}

#[test]
fn strength_is_honoured_and_full_strength_is_the_default() {
    let nodes = |strength: &str| -> u64 {
        let mut talk = Talk::on15(&["INFO show_detail 2", "INFO max_depth 9", strength]);
        let (lines, _) = search(&mut talk, "BOARD 7,7,1 7,8,2 DONE");
        let groups = groups(&talk, &lines);
        talk.finish();
        value(groups.last().expect("a group"), "TOTALNODES")
            .parse()
            .expect("a number")
    };
    let full = nodes("INFO evaluate 1,1");
    assert_eq!(nodes("INFO STRENGTH 100"), full);
    let weak = nodes("INFO strength 0");
    assert!(weak <= 1000 && full > 2000, "{weak} and {full}");
}

#[test]
fn mirrored_moves_are_one_when_asked_for() {
    for (fold, same) in [("INFO nbestsym 1", false), ("INFO nbestsym 0", true)] {
        let mut talk = Talk::on15(&["INFO max_depth 5", "INFO show_detail 2", fold]);
        talk.send("YXBOARD 7,7,2 DONE");
        let (lines, _) = search(&mut talk, "yxnbest 6");
        let groups = groups(&talk, &lines);
        let kinds: Vec<(i64, i64)> = groups
            .iter()
            .rev()
            .take(6)
            .map(|group| {
                let (x, y) = talk.moves_of(value(group, "BESTLINE"))[0];
                let (a, b) = ((x - 7).abs(), (y - 7).abs());
                (a.min(b), a.max(b))
            })
            .collect();
        let mut unique = kinds.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len() < 6, same, "{fold}: {kinds:?}");
        talk.finish();
    }
}

#[test]
fn labels_are_those_of_a_board_that_sends_rows_first() {
    // 20 columns and 12 rows; the first coordinate is the row from the top.
    let mut talk = Talk::fresh();
    talk.send_all(&["INFO transpose 1", "INFO max_depth 3", "RECTSTART 20,12"]);
    talk.expect("OK");
    talk.size = (12, 20);
    talk.send("BOARD 0,16,1 11,0,2 0,17,1 11,2,2 0,18,1 11,4,2 0,19,1 11,6,2 DONE");
    let (line, messages) = talk.reply_after_messages(PATIENCE);
    assert_eq!(line, "0,15");
    let label = messages
        .last()
        .and_then(|message| message.rsplit(' ').next());
    assert_eq!(label, Some("P12"), "column 16 of the top row");
    talk.send("TURN 12,0");
    talk.error();
    talk.finish();
}
