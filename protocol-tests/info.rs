//! INFO: never answered, always remembered.

use std::path::PathBuf;
use std::time::Instant;

use crate::harness::{PATIENCE, SLACK, Spot, Talk, ms};

const QUICK: &str = "INFO timeout_turn 40";

/// Asks for a move and checks that it keeps a limit far below the default of 30 s.
fn is_quick(talk: &mut Talk, command: &str) -> Spot {
    talk.send(command);
    talk.mv_within(ms(1000) + SLACK)
}

#[test]
fn item_12_info_before_start_counts() {
    let mut talk = Talk::fresh();
    talk.send_all(&[
        "INFO timeout_turn 40",
        "INFO timeout_match 0",
        "INFO rule 4",
    ]);
    talk.start(15);
    is_quick(&mut talk, "BEGIN");
    talk.finish();
    let mut talk = Talk::fresh();
    talk.send_all(&["INFO rule chess", "START 15"]);
    assert!(talk.error().contains("chess"));
    talk.finish();
}

#[test]
fn item_13_info_survives_start_restart_and_board() {
    let mut talk = Talk::on15(&[QUICK]);
    is_quick(&mut talk, "BEGIN");
    talk.start(20);
    is_quick(&mut talk, "TURN 7,7");
    talk.send("RESTART");
    talk.expect("OK");
    is_quick(&mut talk, "BEGIN");
    is_quick(&mut talk, "BOARD 1,1,1 2,2,2 DONE");
    talk.finish();
}

#[test]
fn item_14_info_is_never_answered() {
    let keys = [
        "timeout_turn",
        "timeout_match",
        "time_left",
        "max_memory",
        "game_type",
        "rule",
        "evaluate",
        "folder",
        "max_depth",
        "max_node",
        "time_increment",
        "thread_num",
        "hash_size",
        "caution_factor",
        "pondering",
        "usedatabase",
        "database_readonly",
        "nbestsym",
        "checkmate",
        "vcthread",
        "show_detail",
        "thread_split_depth",
        "start_depth",
        "strength",
        "swapable",
        "max_moves",
        "draw_result",
        "search_type",
        "evaluator_x",
        "no_such_key",
        "transpose",
    ];
    let values = [
        "0",
        "1",
        "-1",
        "",
        "x",
        "3,3",
        "1.5",
        "99999999999999999999999",
        "-99999999999999999999",
    ];
    let mut talk = Talk::on15(&["INFO"]);
    for key in keys {
        let lines = values.map(|value| format!("INFO {key} {value}"));
        talk.send_all(&lines.each_ref().map(String::as_str));
    }
    talk.silence(ms(200));
    let sane = [
        "INFO rule 0",
        "INFO timeout_match 0",
        "INFO hash_size 0",
        "INFO max_memory 0",
    ];
    talk.send_all(&sane);
    talk.send_all(&["INFO thread_num 1", "INFO show_detail 0", QUICK]);
    is_quick(&mut talk, "BEGIN");
    talk.finish();
}

#[test]
fn item_22_keys_in_any_case() {
    let mut talk = Talk::on15(&["INFO TIMEOUT_TURN 40"]);
    is_quick(&mut talk, "BEGIN");
    for line in ["INFO RULE chess", "info rule chess", "Info Rule CHESS"] {
        talk.send_all(&[line, "BEGIN"]);
        talk.error();
        talk.send_all(&["info RULE Renju", "BEGIN"]);
        talk.mv();
    }
    talk.finish();
}

#[test]
fn item_25_the_mouse_is_ignored() {
    let mut talk = Talk::fresh();
    talk.send("INFO evaluate 3,3");
    talk.silence(ms(50));
    talk.start(15);
    talk.send("INFO evaluate 3,3");
    talk.silence(ms(50));
    talk.send_all(&[
        "INFO timeout_turn 300",
        "TURN 7,7",
        "INFO evaluate 3,3",
        "INFO evaluate 99,-3",
    ]);
    talk.mv();
    talk.finish();
}

#[test]
fn item_26_the_folder_stays_ours() {
    let folder: PathBuf =
        std::env::temp_dir().join(format!("tengen folder {}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut talk = Talk::on15(&[r"INFO folder C:\Some Dir\x", QUICK]);
    is_quick(&mut talk, "BEGIN");
    talk.send(&format!("INFO folder {}", folder.display()));
    is_quick(&mut talk, "TURN 0,0");
    talk.finish();
    let entries = std::fs::read_dir(&folder).expect("readable");
    for entry in entries {
        assert_eq!(entry.expect("an entry").file_name(), "tengen");
    }
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn bug_rule_any_time() {
    let mut talk = Talk::fresh();
    talk.send_all(&["INFO rule chess", QUICK, "START 15"]);
    talk.error();
    talk.send("INFO rule 1");
    talk.start(15);
    // Between two blocks, and twice with different values: the last one counts.
    is_quick(&mut talk, "BOARD 7,7,1 8,8,2 DONE");
    talk.send("INFO rule 55");
    for line in ["BOARD 7,7,1 8,8,2 DONE", "TURN 1,1", "BEGIN", "START 15"] {
        talk.send(line);
        assert!(talk.error().contains("55"), "{line}");
    }
    talk.send_all(&["INFO rule 77", "INFO rule omok"]);
    is_quick(&mut talk, "TURN 1,1");
    talk.finish();
}

#[test]
fn every_rule_and_size_is_played() {
    for rule in [
        "0",
        "1",
        "3",
        "4",
        "5",
        "6",
        "8",
        "9",
        "10",
        "17",
        "41",
        "caro",
        "CARO-EDGE",
    ] {
        for side in [5, 15, 22] {
            let mut talk = Talk::fresh();
            talk.start(side);
            talk.send_all(&[
                "INFO game_type 1",
                &format!("INFO rule {rule}"),
                "INFO timeout_turn 10",
            ]);
            is_quick(&mut talk, "BEGIN");
            is_quick(&mut talk, "BOARD 0,0,2 DONE");
            talk.finish();
        }
    }
}

#[test]
fn bug_memory_values() {
    for value in [
        "4294967296",
        "0",
        "1048576",
        "-1",
        "2147483647",
        "99999999999",
    ] {
        let mut talk = Talk::on15(&[&format!("INFO max_memory {value}")]);
        talk.silence(ms(20));
        talk.send_all(&["INFO timeout_turn 60", "BEGIN"]);
        talk.mv_within(PATIENCE);
        talk.send("TURN 0,0");
        talk.mv();
        talk.finish();
    }
}

#[test]
fn a_depth_limit_counts_during_the_search_too() {
    let mut talk = Talk::on15(&["INFO timeout_turn 60000", "BOARD 7,7,1 8,8,2 DONE"]);
    std::thread::sleep(ms(200));
    talk.silence(ms(100));
    talk.send("INFO max_depth 4");
    talk.mv_within(ms(200) + SLACK);
    talk.send_all(&["INFO max_depth 0", "TURN 0,0"]);
    talk.silence(ms(300));
    talk.send("STOP");
    talk.mv();
    talk.finish();
}

#[test]
fn limits_may_change_during_the_search() {
    let mut talk = Talk::on15(&["INFO timeout_turn 60000", "TURN 7,7"]);
    let begun = Instant::now();
    std::thread::sleep(ms(100));
    talk.send("INFO timeout_turn 300");
    talk.mv_within(ms(1000) + SLACK);
    assert!(begun.elapsed() < ms(1000) + SLACK);
    talk.finish();
}
