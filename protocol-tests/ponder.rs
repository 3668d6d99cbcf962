//! Thinking on the opponent's time.
#![cfg(target_os = "linux")]

use std::thread;
use std::time::{Duration, Instant};

use crate::harness::{PATIENCE, SLACK, Spot, Talk, ms, time_to_move};
use crate::timing::processor_time;
use crate::yixin::{groups, search, value};

/// An engine that has moved and thinks about the reply it expects, and that reply.
fn pondering(options: &[&str]) -> (Talk, Spot) {
    let (talk, _, reply) = expecting(options);
    (talk, reply)
}

/// As [`pondering`], with our move as well.
fn expecting(options: &[&str]) -> (Talk, Spot, Spot) {
    let mut talk = Talk::on15(options);
    talk.send_all(&[
        "INFO pondering 1",
        "INFO show_detail 2",
        "INFO timeout_turn 300",
    ]);
    let (lines, ours) = search(&mut talk, "BOARD 7,7,2 7,8,1 8,8,2 DONE");
    let groups = groups(&talk, &lines);
    let best = groups.iter().rev().find(|group| value(group, "PV") == "0");
    let line = talk.moves_of(value(best.expect("a best line"), "BESTLINE"));
    assert_eq!(line[0], ours);
    (talk, ours, line[1])
}

/// Waits until the engine has worked that long since now: it does think.
fn works(talk: &Talk, time: Duration) {
    let (begun, before) = (Instant::now(), processor_time(talk));
    while processor_time(talk) - before < time {
        if begun.elapsed() > PATIENCE {
            talk.fail("no thought on the opponent's time");
        }
        thread::sleep(ms(20));
    }
}

/// From 200 ms on the engine does nothing.
fn rests(talk: &Talk, after: &str) {
    thread::sleep(ms(200));
    let before = processor_time(talk);
    thread::sleep(ms(400));
    let used = processor_time(talk) - before;
    assert!(used <= ms(20), "{used:?} after {after}");
}

#[test]
fn a_right_guess_is_used() {
    for by_board in [false, true] {
        let (mut talk, ours, (x, y)) = expecting(&[]);
        let waited = Instant::now();
        works(&talk, ms(300));
        talk.send("INFO time_left 100000");
        let command = match by_board {
            true => format!(
                "BOARD 8,8,2 {},{},1 7,8,1 7,7,2 {x},{y},2 DONE",
                ours.0, ours.1
            ),
            false => format!("TURN {x},{y}"),
        };
        let (waited, sent) = (waited.elapsed().as_millis() as u64, Instant::now());
        let (lines, _) = search(&mut talk, &command);
        assert!(sent.elapsed() < ms(300) + SLACK, "{:?}", sent.elapsed());
        let groups = groups(&talk, &lines);
        let time = value(groups.last().expect("a group"), "TOTALTIME");
        let time: u64 = time.parse().expect("a number");
        assert!(
            time >= waited,
            "{time} ms though {waited} ms had been used before"
        );
        talk.finish();
    }
}

#[test]
fn a_wrong_guess_is_dropped_and_the_move_is_in_time() {
    let (mut talk, guess) = pondering(&[]);
    works(&talk, ms(50));
    let other = if guess == (0, 0) { (0, 14) } else { (0, 0) };
    talk.send("INFO show_detail 0");
    let took = time_to_move(&mut talk, &format!("TURN {},{}", other.0, other.1));
    assert!(took < ms(300) + SLACK, "{took:?}");
    talk.finish();
}

#[test]
fn bug_idle_after_restart_while_pondering() {
    for (command, reply) in [
        ("RESTART", "OK"),
        ("START 15", "OK"),
        ("START 20", "OK"),
        ("YXSTOP", ""),
        ("INFO pondering 0", ""),
        ("YXBOARD 7,7,1 DONE", ""),
        ("yxhashclear", ""),
    ] {
        let (mut talk, _) = pondering(&[]);
        works(&talk, ms(50));
        talk.send(command);
        if !reply.is_empty() {
            talk.expect(reply);
        }
        rests(&talk, command);
        // Nothing is printed of the search that was dropped.
        talk.silence(ms(50));
        talk.finish();
    }
}

#[test]
fn end_while_pondering() {
    let (mut talk, _) = pondering(&[]);
    works(&talk, ms(50));
    talk.send("END");
    talk.leaves(ms(200) + SLACK);
    let (mut talk, _) = pondering(&[]);
    works(&talk, ms(50));
    talk.close();
    talk.leaves(ms(200) + SLACK);
}

#[test]
fn questions_are_answered_while_pondering_and_do_not_end_it() {
    let (mut talk, _) = pondering(&["INFO rule 4"]);
    talk.send_all(&["ABOUT", "yxshowforbid"]);
    assert!(talk.reply().starts_with("name="));
    assert!(talk.reply().starts_with("FORBID "));
    works(&talk, ms(50));
    talk.send_all(&["INFO time_left 5000", "INFO timeout_turn 200"]);
    works(&talk, ms(50));
    // An analysis in the middle of it.
    let (lines, _) = search(&mut talk, "YXNBEST 2");
    assert!(lines.iter().any(|line| line == "INFO NUMPV 2"));
    talk.finish();
}

#[test]
fn threads_are_those_that_were_asked_for() {
    for threads in [1, 2] {
        let (talk, _) = pondering(&[&format!("INFO thread_num {threads}")]);
        works(&talk, ms(50));
        let tasks = std::fs::read_dir(format!("/proc/{}/task", talk.pid())).expect("threads");
        // The main thread, the reader, and the search.
        assert!(tasks.count() <= 2 + threads);
        talk.finish();
    }
}

#[test]
fn a_process_suspended_while_pondering_breaks_nothing() {
    let (mut talk, (x, y)) = pondering(&[]);
    talk.send("INFO show_detail 0");
    talk.signal("STOP");
    thread::sleep(ms(700));
    // The judge writes while the process is suspended, and wakes it.
    talk.send("INFO time_left 60000");
    talk.send(&format!("TURN {x},{y}"));
    let took = talk.moves_once_woken();
    assert!(took < ms(300) + SLACK, "{took:?}");
    // And again, with another move than expected.
    talk.signal("STOP");
    thread::sleep(ms(300));
    talk.send("TURN 0,0");
    let took = talk.moves_once_woken();
    assert!(took < ms(300) + SLACK, "{took:?}");
    talk.finish();
}

#[test]
fn a_game_with_pondering_is_a_game() {
    let mut talk = Talk::on15(&[
        "INFO pondering 1",
        "INFO timeout_turn 40",
        "INFO show_detail 0",
    ]);
    let mut taken: Vec<Spot> = Vec::new();
    let mut rng = 12345u64;
    for number in 0..20 {
        let theirs = loop {
            rng = rng
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(number + 1);
            let spot = ((rng >> 33) as i64 % 15, (rng >> 45) as i64 % 15);
            if !taken.contains(&spot) {
                break spot;
            }
        };
        taken.push(theirs);
        talk.send_all(&[
            "INFO time_left 60000",
            &format!("TURN {},{}", theirs.0, theirs.1),
        ]);
        let ours = talk.mv();
        assert!(!taken.contains(&ours), "{ours:?} is taken");
        taken.push(ours);
        if talk.poll(ms(30)).is_some() {
            talk.fail("a second line");
        }
        if number % 7 == 6 {
            talk.send("START 15");
            talk.expect("OK");
            taken.clear();
        }
    }
    talk.finish();
}
