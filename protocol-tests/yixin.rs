//! The verbs of Yixin's board.

use std::thread;

use crate::cases;
use crate::harness::{Folder, PATIENCE, SLACK, Spot, Talk, engine, ms};

/// A search that reports: everything printed up to its move, and the move.
pub fn search(talk: &mut Talk, command: &str) -> (Vec<String>, Spot) {
    talk.send(command);
    let mut lines = Vec::new();
    loop {
        let line = talk.line(PATIENCE);
        if line.as_bytes()[0].is_ascii_digit() {
            let ours = talk.moves_of(&line);
            assert_eq!(ours.len(), 1);
            return (lines, ours[0]);
        }
        lines.push(line);
    }
}

/// The groups of `INFO` lines, each as key and value pairs.
pub fn groups(talk: &Talk, lines: &[String]) -> Vec<Vec<(String, String)>> {
    let mut groups: Vec<Vec<(String, String)>> = Vec::new();
    let mut is_open = false;
    for line in lines.iter().filter_map(|line| line.strip_prefix("INFO ")) {
        let (key, value) = line.split_once(' ').expect("a key and a value");
        match (key, value) {
            ("PV", "DONE") => {
                assert!(is_open, "a group closes twice");
                is_open = false;
            }
            ("PV", _) => {
                assert!(!is_open, "a group opens inside another");
                is_open = true;
                groups.push(vec![(key.into(), value.into())]);
            }
            _ => groups
                .last_mut()
                .expect("a group")
                .push((key.into(), value.into())),
        }
    }
    if is_open || groups.is_empty() {
        talk.fail("no whole INFO group");
    }
    groups
}

pub fn value<'a>(group: &'a [(String, String)], key: &str) -> &'a str {
    let found = group.iter().find(|(k, _)| k == key);
    found.map_or_else(|| panic!("no {key} in {group:?}"), |(_, value)| value)
}

#[test]
fn item_62b_a_database_query_behind_the_block() {
    let mut talk = Talk::on15(&["INFO timeout_turn 300"]);
    talk.send_all(&[
        "board",
        "7,7,1",
        "8,8,2",
        "done",
        "yxquerydatabaseallt",
        "7,7",
        "8,8",
        "done",
    ]);
    talk.mv();
    talk.silence(ms(200));
    talk.finish();
}

#[test]
fn item_63_nothing_is_forbidden_without_a_rule_for_it() {
    let mut talk = Talk::fresh();
    talk.send("yxshowforbid");
    talk.expect("FORBID .");
    talk.start(15);
    // Three and three for Black at 7,7, under freestyle.
    talk.send_all(&[
        "INFO rule 0",
        "YXBOARD 5,7,1 0,0,2 8,7,1 2,0,2 7,5,1 4,0,2 7,6,1 10,0,2 DONE",
    ]);
    talk.send("YXSHOWFORBID");
    talk.expect("FORBID .");
    // The same stones with White to move, under renju.
    talk.send_all(&[
        "INFO rule 4",
        "YXBOARD 5,7,2 0,0,1 8,7,2 2,0,1 7,5,2 4,0,1 7,6,2 DONE",
    ]);
    talk.send("YXSHOWFORBID");
    talk.expect("FORBID .");
    talk.finish();
}

#[test]
fn item_63_known_forbidden_points() {
    let mut talk = Talk::on15(&["INFO rule 4"]);
    talk.send_all(&[
        "YXBOARD 5,7,1 0,0,2 8,7,1 2,0,2 7,5,1 4,0,2 7,6,1 10,0,2 DONE",
        "yxshowforbid",
    ]);
    talk.expect("FORBID 0707.");
    // Answered also right after a search.
    talk.send_all(&["INFO timeout_turn 50", "TURN 14,14", "yxshowforbid"]);
    talk.mv();
    assert!(talk.reply().starts_with("FORBID "));
    talk.finish();
}

#[test]
fn item_64_paths_are_no_commands() {
    for verb in [
        "yxhashload",
        "yxsetdatabase",
        "yxdbtotxt",
        "yxlibtodb",
        "yxdbmerge",
    ] {
        // Where a file of that name does no harm.
        let folder = Folder::new("paths");
        let mut command = engine();
        command.current_dir(folder.path(""));
        let mut talk = Talk::spawn(command);
        talk.start(15);
        talk.send("INFO timeout_turn 40");
        talk.send_all(&[verb, "START 20", "TURN 14,14"]);
        // Still on the old board, and nothing but a MESSAGE before the move.
        talk.mv();
        talk.send("TURN 15,0");
        talk.error();
        talk.finish();
    }
}

/// Without a database boards still ask about it after every move, and nobody listens to the
/// answer; who wants to change something is told why that does nothing.
#[test]
fn item_64_database_verbs_take_their_blocks() {
    let mut talk = Talk::on15(&["INFO timeout_turn 40"]);
    let block = ["7,7", "END", "8,8", "done"];
    let mut send = |verbs: &[&str]| {
        for verb in verbs {
            talk.send(verb);
            talk.send_all(&block);
        }
    };
    send(&[
        "yxquerydatabaseall",
        "yxquerydatabaseallt",
        "yxquerydatabaseone",
        "yxquerydatabasetext",
    ]);
    send(&[
        "yxedittvddatabase 7 87 100 3",
        "yxeditlabeldatabase 7,7 done",
        "yxdeletedatabaseone",
        "yxsetbestmovedatabase",
        "yxclearbestmovedatabase",
        "yxdeletedatabaseall wl recursive",
        r#"yxedittextdatabase "we are done \" END"9,9"#,
    ]);
    talk.send_all(&["yxsavedatabase", "yxdbcheck", "yxdbfix"]);
    talk.send_all(&["yxforbid add 7 7 1", "RELOADCONFIG", "yxprintfeature"]);
    // Two queries of all marks are answered as by an empty database.
    let mut told = [0, 0];
    while let Some(line) = talk.poll(ms(150)) {
        let is_mark = line.starts_with("MESSAGE DATABASE ");
        assert!(
            is_mark || line.starts_with("MESSAGE no database is open: "),
            "{line}"
        );
        told[usize::from(is_mark)] += 1;
    }
    assert_eq!(told, [10, 4]);
    talk.send("TURN 7,7");
    talk.mv();
    talk.finish();
}

#[test]
fn item_65_showinfo() {
    let mut talk = Talk::fresh();
    talk.send("yxshowinfo");
    for key in ["MAX_THREAD_NUM", "MAX_HASH_SIZE"] {
        let line = talk.line(PATIENCE);
        let number = line
            .strip_prefix(&format!("MESSAGE INFO {key} "))
            .map(str::parse::<u32>);
        assert!(matches!(number, Some(Ok(1..=1024))), "{line}");
    }
    // From now on unknown verbs are only logged.
    talk.send("yxbrandnew 7");
    assert!(talk.line(PATIENCE).starts_with("MESSAGE "));
    talk.finish();
}

#[test]
fn item_66_detail_only_when_asked_for() {
    for detail in [None, Some(0), Some(1), Some(2), Some(3)] {
        let mut talk = Talk::on15(&["INFO timeout_turn 500"]);
        if let Some(detail) = detail {
            talk.send(&format!("INFO show_detail {detail}"));
        }
        let (lines, _) = search(&mut talk, "BOARD 7,7,1 8,9,2 DONE");
        let has = |start: &str| lines.iter().any(|line| line.starts_with(start));
        let bits = detail.unwrap_or(0);
        if has("MESSAGE REALTIME ") != (bits & 1 != 0) || has("INFO ") != (bits & 2 != 0) {
            talk.fail(&format!("show_detail {detail:?}"));
        }
        let realtime = lines
            .iter()
            .filter(|line| line.starts_with("MESSAGE REALTIME "))
            .count();
        assert!(realtime <= 40, "{realtime} in half a second");
        talk.finish();
    }
}

#[test]
fn item_66_the_forms_of_realtime_lines() {
    let mut talk = Talk::on15(&["INFO timeout_turn 1000", "INFO show_detail 1"]);
    let (lines, _) = search(&mut talk, "BOARD 7,7,1 8,9,2 DONE");
    let mut best = 0;
    for line in lines
        .iter()
        .filter_map(|line| line.strip_prefix("MESSAGE REALTIME "))
    {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "REFRESH" => assert!(rest.is_empty()),
            "POS" | "DONE" | "BEST" | "LOST" => assert_eq!(talk.moves_of(rest).len(), 1),
            "VAL" => assert!(rest.parse::<i32>().is_ok(), "{line}"),
            "PV" => assert!(!rest.is_empty() && line.len() < 2000),
            _ => talk.fail(&format!("unknown word {word}")),
        }
        best += usize::from(word == "BEST");
    }
    if best == 0 {
        talk.fail("no best move was shown");
    }
    talk.finish();
}

#[test]
fn item_67_info_groups_are_whole() {
    let mut talk = Talk::on15(&["INFO timeout_turn 500", "INFO show_detail 2"]);
    let (lines, _) = search(&mut talk, "BOARD 7,7,1 8,9,2 DONE");
    for group in groups(&talk, &lines) {
        assert!(!talk.moves_of(value(&group, "BESTLINE")).is_empty());
        let eval = value(&group, "EVAL");
        let digits = eval
            .strip_prefix("+M")
            .or(eval.strip_prefix("-M"))
            .unwrap_or(eval);
        assert!(digits.parse::<i32>().is_ok(), "{eval}");
        let rate: f64 = value(&group, "WINRATE").parse().expect("a rate");
        assert!((0.0..=1.0).contains(&rate));
        for key in [
            "NUMPV",
            "DEPTH",
            "SELDEPTH",
            "NODES",
            "TOTALNODES",
            "TOTALTIME",
            "SPEED",
        ] {
            assert!(value(&group, key).parse::<u64>().is_ok(), "{key}");
        }
    }
    talk.finish();
}

#[test]
fn item_68_the_best_of_three_lines_is_played() {
    let mut talk = Talk::on15(&["INFO timeout_turn 500", "INFO show_detail 2"]);
    talk.send("YXBOARD 7,7,1 8,9,2 DONE");
    let (lines, ours) = search(&mut talk, "yxnbest 3");
    let groups = groups(&talk, &lines);
    let newest = |index: &str| {
        groups
            .iter()
            .rev()
            .find(|group| value(group, "PV") == index)
    };
    let firsts: Vec<Spot> = ["0", "1", "2"]
        .iter()
        .map(|index| {
            let group = newest(index).unwrap_or_else(|| talk.fail(&format!("no PV {index}")));
            assert_eq!(value(group, "NUMPV"), "3");
            talk.moves_of(value(group, "BESTLINE"))[0]
        })
        .collect();
    assert!(firsts[0] != firsts[1] && firsts[0] != firsts[2] && firsts[1] != firsts[2]);
    assert_eq!(firsts[0], ours, "the move is the first of the best line");
    talk.finish();
}

#[test]
fn stop_works_on_several_lines() {
    let mut talk = Talk::on15(&[
        "INFO timeout_turn -1",
        "YXBOARD 7,7,1 8,9,2 DONE",
        "YXNBEST 5",
    ]);
    thread::sleep(ms(100));
    talk.send("YXSTOP");
    talk.mv_within(ms(100) + SLACK);
    talk.silence(ms(100));
    talk.finish();
}

#[test]
fn bug_blocked_candidates() {
    let stones = cases::spots(
        cases::bug("blocked-candidates")["moves"]
            .as_str()
            .expect("moves"),
    );
    let blocked = cases::spots("j10 g8 i7");
    let mut talk = Talk::on15(&[
        "INFO timeout_turn 500",
        &format!("YXBOARD {}", cases::block(&stones)),
    ]);
    talk.send("yxblock");
    for (x, y) in &blocked {
        talk.send(&format!("{x},{y}"));
    }
    talk.send_all(&["done", "YXNBEST 1"]);
    let ours = talk.mv();
    let is_near = stones
        .iter()
        .any(|(x, y)| (x - ours.0).abs() <= 2 && (y - ours.1).abs() <= 2);
    if blocked.contains(&ours) || !is_near {
        talk.fail("a blocked or a far point");
    }
    talk.finish();
}

#[test]
fn verbs_that_are_not_served_say_so() {
    let mut talk = Talk::on15(&["yxshowinfo"]);
    talk.line(PATIENCE);
    talk.line(PATIENCE);
    for (line, verb) in [("yxdraw", "YXDRAW"), ("yxresign", "YXRESIGN")] {
        talk.send(line);
        let line = talk.line(PATIENCE);
        assert!(
            line.starts_with("MESSAGE ") && line.contains(verb),
            "{line}"
        );
    }
    talk.silence(ms(50));
    talk.finish();
}

#[test]
fn item_70_the_steps_of_swap2() {
    let mut talk = Talk::on15(&["INFO timeout_turn 400", "INFO rule 1", "yxswap2step1"]);
    let stone = |talk: &mut Talk, number: usize| -> Spot {
        let line = talk.line(PATIENCE);
        let rest = line.strip_prefix(&format!("MESSAGE SWAP2 MOVE{number} "));
        let rest = rest.unwrap_or_else(|| talk.fail(&format!("no move {number}")));
        talk.moves_of(&rest.replace(' ', ","))[0]
    };
    let three: Vec<Spot> = (1..=3).map(|number| stone(&mut talk, number)).collect();
    assert!(three[0] != three[1] && three[1] != three[2] && three[0] != three[2]);
    talk.send_all(&[
        "start 15",
        &format!("yxboard {}", cases::block(&three)),
        "yxswap2step2",
    ]);
    talk.expect("OK");
    let line = talk.line(PATIENCE);
    let words = ["SWAP1 YES", "SWAP1 NO"].map(|word| format!("MESSAGE SWAP2 {word}"));
    if !words.contains(&line) {
        assert!(line.starts_with("MESSAGE SWAP2 MOVE4 "), "{line}");
        stone(&mut talk, 5);
    }
    talk.send_all(&["yxboard 7,7,2 8,7,1 9,9,2 6,8,1 8,6,2 done", "yxswap2step3"]);
    let line = talk.line(PATIENCE);
    let words = ["SWAP2 YES", "SWAP2 NO"].map(|word| format!("MESSAGE SWAP2 {word}"));
    assert!(words.contains(&line), "{line}");
    // A stop in the middle of it.
    talk.send_all(&[
        "INFO timeout_turn 60000",
        "INFO max_depth 30",
        "yxswap2step3",
    ]);
    thread::sleep(ms(200));
    talk.send("yxstop");
    assert!(words.contains(&talk.line(ms(150) + SLACK)));
    talk.send("yxswap2step2");
    talk.error();
    talk.silence(ms(100));
    talk.finish();
}
