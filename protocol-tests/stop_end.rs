//! YXSTOP, END, and commands that come while the engine thinks.

use std::thread;
use std::time::Instant;

use crate::harness::{SLACK, Talk, best_within, ms};

/// Busy with a search that would take a minute.
fn thinking() -> Talk {
    let talk = Talk::on15(&["INFO timeout_turn 60000", "BOARD 7,7,1 8,8,2 DONE"]);
    thread::sleep(ms(100));
    talk
}

/// As [`thinking`], but says so by silence first.
fn surely_thinking() -> Talk {
    let mut talk = thinking();
    if let Some(line) = talk.poll(ms(50))
        && !line.starts_with("MESSAGE ")
    {
        talk.fail("the search has ended early");
    }
    talk
}

#[test]
fn item_58_end_while_idle() {
    best_within(ms(500), || {
        let mut talk = Talk::on15(&["INFO timeout_turn 30", "BEGIN"]);
        talk.mv();
        talk.send("END");
        talk.leaves(ms(500) + SLACK)
    });
}

#[test]
fn item_58_end_while_thinking() {
    best_within(ms(500), || {
        let mut talk = thinking();
        while talk.poll(ms(1)).is_some() {}
        talk.send("END");
        talk.exits(ms(500) + SLACK)
    });
    // Without the messages of the search there is nothing at all to hear.
    let mut talk = Talk::on15(&["INFO timeout_turn 60000"]);
    talk.send_all(&["BOARD 7,7,1 8,8,2 DONE", "END"]);
    talk.leaves(ms(500) + SLACK);
}

#[test]
fn end_in_the_middle_of_every_kind_of_search() {
    for verb in [
        "yxnbest 3",
        "yxsearchdefend",
        "yxbalanceone 0",
        "yxbalancetwo 0",
        "yxswap2step1",
        "yxsoosorvstep1",
        "SWAP2BOARD DONE",
        "OPENING soosorv-8 DONE",
    ] {
        let mut talk = Talk::on15(&["INFO timeout_turn 60000", "INFO rule 4"]);
        talk.send_all(&["yxboard 7,7,1 8,8,2 done", verb]);
        talk.silence(ms(150));
        talk.send("END");
        talk.leaves(ms(500) + SLACK);
    }
}

#[test]
fn item_58_end_as_the_only_command() {
    Talk::fresh().finish();
}

#[test]
fn item_60_stop_gives_the_move_at_once() {
    best_within(ms(100), || {
        let mut talk = thinking();
        let sent = Instant::now();
        talk.send("YXSTOP");
        talk.mv();
        talk.heard.saturating_duration_since(sent)
    });
}

#[test]
fn item_60_stop_while_idle_or_twice() {
    let mut talk = surely_thinking();
    talk.send_all(&["YXSTOP", "yxstop", "STOP"]);
    talk.mv();
    talk.silence(ms(150));
    talk.send("YXSTOP");
    talk.silence(ms(150));
    talk.send_all(&["INFO timeout_turn 30", "TURN 0,0"]);
    talk.mv();
    talk.finish();
}

#[test]
fn item_61_stop_start_board_and_forbid_in_one_write() {
    let mut talk = surely_thinking();
    let burst = [
        "yxstop",
        "start 15",
        "yxboard",
        "3,3,2",
        "done",
        "yxshowforbid",
    ];
    talk.send_all(&burst);
    let old = talk.mv();
    talk.expect("OK");
    talk.expect("FORBID .");
    // The old move was not placed on the new board.
    talk.send_all(&["INFO timeout_turn 30", &format!("TURN {},{}", old.0, old.1)]);
    talk.mv();
    talk.finish();
}

#[test]
fn item_62a_a_new_game_without_a_stop() {
    let mut talk = surely_thinking();
    let sent = Instant::now();
    let burst = [
        "INFO timeout_turn 300",
        "yxhashclear",
        "start 15",
        "board",
        "7,7,2",
        "done",
    ];
    talk.send_all(&burst);
    talk.mv();
    let old = talk.heard.saturating_duration_since(sent);
    assert!(old < ms(200) + SLACK, "{old:?}");
    talk.expect("OK");
    assert_ne!(talk.mv(), (7, 7));
    talk.silence(ms(200));
    talk.finish();
}

#[test]
fn each_position_command_ends_the_search() {
    let taken = "TURN 7,7";
    for (command, then) in [
        ("START 15", "OK"),
        ("RESTART", "OK"),
        ("TAKEBACK 7,7", "OK"),
        ("YXBOARD DONE", ""),
        (taken, "ERROR"),
        ("BEGIN", "move"),
        ("TURN 0,0", "move"),
        ("BOARD 0,0,2 DONE", "move"),
        ("SWAP2BOARD 7,7 8,7 9,9 DONE", "any"),
    ] {
        let mut talk = surely_thinking();
        talk.send(command);
        talk.mv_within(ms(200) + SLACK);
        match then {
            "" => {}
            "move" | "any" => talk.send("INFO timeout_turn 0"),
            _ => {}
        }
        match then {
            "OK" => talk.expect("OK"),
            "ERROR" => drop(talk.error()),
            "move" => drop(talk.mv()),
            "any" => drop(talk.reply()),
            _ => talk.silence(ms(50)),
        }
        talk.finish();
    }
}

#[test]
fn about_is_answered_and_the_rest_waits() {
    let mut talk = surely_thinking();
    talk.send_all(&["FOO", "YXSHOWFORBID", "ABOUT"]);
    assert!(talk.reply().starts_with("name="));
    talk.send("YXSTOP");
    talk.mv();
    assert!(talk.reply().starts_with("UNKNOWN "));
    assert!(talk.reply().starts_with("FORBID "));
    talk.finish();
}

#[test]
fn a_whole_script_in_one_write() {
    let mut talk = Talk::fresh();
    talk.send_all(&[
        "START 15",
        "INFO timeout_turn 60000",
        "BEGIN",
        "TURN 0,0",
        "TURN 0,14",
        "YXSTOP",
        "FOO",
    ]);
    talk.expect("OK");
    talk.mv();
    talk.mv();
    talk.mv();
    assert!(talk.reply().starts_with("UNKNOWN "));
    talk.silence(ms(100));
    talk.finish();
}

/// Start, think, END: the process always ends by itself with code 0.
fn many_starts(threads: &[usize], each: usize) {
    for count in 0..each {
        for thread in threads {
            let mut talk = Talk::on15(&[&format!("INFO thread_num {thread}")]);
            let limit = if count % 2 == 0 {
                "INFO timeout_turn 10"
            } else {
                "INFO max_node 300"
            };
            talk.send_all(&[limit, "BEGIN"]);
            talk.mv();
            // Every third dies in the middle of a thought.
            if count % 3 == 0 {
                talk.send_all(&["INFO timeout_turn 5000", "TURN 0,0", "END"]);
                talk.exits(ms(500) + SLACK);
            } else {
                talk.finish();
            }
        }
    }
}

#[test]
fn bug_many_starts() {
    many_starts(&[1, 2, 8], 100);
}

#[test]
#[ignore = "ten times the run of bug_many_starts"]
fn bug_many_starts_whole() {
    many_starts(&[1, 2, 8], 1000);
}
