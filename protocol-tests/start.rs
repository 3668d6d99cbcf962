//! START, RECTSTART, ABOUT, and how the process is started.

use std::path::Path;
use std::time::Instant;

use crate::harness::{Talk, best_within, binary, engine, ms, run};

#[test]
fn item_01_nothing_is_said_before_the_first_command() {
    let mut talk = Talk::fresh();
    talk.silence(ms(1000));
    talk.finish();
}

#[test]
fn item_02_about_as_the_first_command() {
    let mut talk = Talk::fresh();
    talk.send("ABOUT");
    let line = talk.reply();
    assert!(line.starts_with("name=\""), "{line}");
    for key in ["version", "author", "country", "www", "email"] {
        assert!(
            line.contains(&format!(", {key}=\"")),
            "{key} is missing: {line}"
        );
    }
    talk.silence(ms(50));
    talk.finish();
}

#[test]
fn item_03_ok_within_a_second_of_the_start() {
    best_within(ms(1000), || {
        let begun = Instant::now();
        let mut talk = Talk::fresh();
        talk.start(15);
        begun.elapsed()
    });
}

#[test]
fn item_04_the_common_sizes() {
    for side in [20, 5, 22] {
        let mut talk = Talk::fresh();
        talk.start(side);
        talk.finish();
    }
}

#[test]
fn item_05_bad_sizes_are_errors_and_leave_us_alive() {
    let mut talk = Talk::fresh();
    for line in [
        "START 4",
        "START 0",
        "START -3",
        "START x",
        "START",
        "START 15 15 15",
    ] {
        talk.send(line);
        assert!(!talk.error().is_empty());
    }
    talk.start(15);
    talk.finish();
}

#[test]
fn item_06_a_size_too_large_mentions_20() {
    let mut talk = Talk::fresh();
    for line in ["START 23", "START 100", "START 99999999999999999999"] {
        talk.send(line);
        assert!(
            talk.error().contains("20"),
            "20 is supported, so it is mentioned"
        );
    }
    talk.finish();
}

#[test]
fn item_07_two_equal_numbers_are_one() {
    let mut talk = Talk::fresh();
    talk.send("start 15 15");
    talk.expect("OK");
    talk.silence(ms(100));
    talk.finish();
}

#[test]
fn item_08_rectangles_are_played() {
    for line in ["START 15 20", "RECTSTART 15,20"] {
        let mut talk = Talk::fresh();
        talk.send(line);
        talk.expect("OK");
        talk.size = (15, 20);
        talk.send_all(&["INFO timeout_turn 30", "TURN 14,19"]);
        talk.mv();
        talk.send("TURN 15,0");
        talk.error();
        talk.finish();
    }
}

#[test]
fn item_09_blanks_around_the_comma_of_a_size() {
    let mut talk = Talk::fresh();
    talk.send("RECTSTART 15 , 15");
    talk.expect("OK");
    talk.finish();
}

#[test]
fn item_10_a_second_start_begins_an_empty_board() {
    let mut talk = Talk::on15(&["INFO timeout_turn 30", "TURN 7,7"]);
    let ours = talk.mv();
    talk.start(15);
    // Both points of the old game are free again.
    talk.send("TURN 7,7");
    assert_ne!(talk.mv(), (7, 7));
    talk.start(15);
    talk.send(&format!("TURN {},{}", ours.0, ours.1));
    talk.mv();
    talk.finish();
}

#[test]
fn item_11_start_is_cheap() {
    best_within(ms(2000), || {
        let mut talk = Talk::on15(&["INFO timeout_turn 30", "BEGIN"]);
        talk.mv();
        let begun = Instant::now();
        for _ in 0..200 {
            talk.start(15);
        }
        begun.elapsed()
    });
}

#[test]
fn item_72_unknown_arguments_are_ignored() {
    for arguments in [
        &["--force-utf8"][..],
        &["-x", "y", ""],
        &["--threads=4", "play"],
    ] {
        let mut command = engine();
        command.args(arguments);
        let mut talk = Talk::spawn(command);
        talk.start(15);
        talk.finish();
    }
}

#[test]
fn weights_are_taken_from_a_file_or_the_program_leaves_with_one_line() {
    let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/eval/tables");
    let mut command = engine();
    command.arg("protocol").arg("--weights");
    command.arg(tables.join("renju.bin"));
    let mut talk = Talk::spawn(command);
    talk.start(15);
    talk.send_all(&["INFO timeout_turn 50", "INFO rule 4", "TURN 7,7"]);
    talk.mv();
    talk.finish();
    for wrong in ["nowhere.bin", "../mod.rs", "."] {
        let mut command = engine();
        command.arg("protocol").arg("--weights");
        let output = command.arg(tables.join(wrong)).output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && output.stdout.is_empty());
        assert!(said.lines().count() == 1 && said.contains(wrong), "{said}");
    }
}

/// Plays one move from that folder with the program called by that path.
fn plays(program: &Path, folder: &Path) {
    let mut command = run(program);
    command.current_dir(folder);
    let mut talk = Talk::spawn(command);
    talk.start(15);
    talk.send_all(&["INFO timeout_turn 50", "INFO rule 4", "TURN 7,7"]);
    talk.mv();
    talk.finish();
}

#[test]
fn item_73_started_from_another_folder() {
    plays(&binary(), Path::new("/"));
    plays(&binary(), &std::env::temp_dir());
}

#[test]
fn bug_elsewhere_relative_paths_and_strange_folders() {
    let name = format!("tengen test é 測試 {}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    let original = binary();
    let name = original.file_name().expect("a file");
    let program = folder.join(name);
    std::fs::copy(&original, &program).expect("a copy");
    plays(&program, &folder);
    plays(&Path::new(".").join(name), &folder);
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn bug_ok_first_after_start() {
    let mut talk = Talk::fresh();
    talk.send_all(&[
        "START 15",
        "INFO rule 1",
        "INFO max_memory 367001600",
        "INFO timeout_turn 30",
    ]);
    let line = talk.line(crate::harness::PATIENCE);
    assert_eq!(line, "OK");
    talk.finish();
}

#[test]
fn bug_sizes_an_error_keeps_the_board() {
    let mut talk = Talk::fresh();
    for (line, is_ok) in [
        ("RECTSTART 15,15", true),
        ("RECTSTART 20,12", true),
        ("START 5", true),
        ("START 22", true),
        ("START 23", false),
        ("START 4", false),
    ] {
        talk.send(line);
        if is_ok {
            talk.expect("OK");
        } else {
            talk.error();
        }
    }
    talk.size = (22, 22);
    talk.send_all(&["INFO timeout_turn 30", "TURN 21,21"]);
    talk.mv();
    talk.finish();
}
