//! Clocks. Limits are asserted, never "about": what a busy machine adds is excused by trying
//! again, or by [`SLACK`] where a test runs for long.

use std::thread;
use std::time::{Duration, Instant};

use tengen::types::rng::SplitMix64;

use crate::harness::{PATIENCE, SLACK, Spot, Talk, best_within, ms, time_to_move};
#[cfg(target_os = "linux")]
use crate::memory::{JUDGE_LIMIT, peak};

/// A position in which nothing is decided.
const QUIET: &str = "BOARD 7,7,1 8,9,2 DONE";

#[test]
fn item_15_timeout_turn_0_begins_at_once() {
    best_within(ms(50), || {
        let mut talk = Talk::on15(&["INFO timeout_turn 0"]);
        time_to_move(&mut talk, "BEGIN")
    });
}

#[test]
fn item_16_timeout_turn_0_while_thinking() {
    best_within(ms(100), || {
        let mut talk = Talk::on15(&["INFO timeout_turn 60000", QUIET]);
        thread::sleep(ms(150));
        let took = time_to_move(&mut talk, "INFO timeout_turn 0");
        // The next turn searches again.
        talk.send_all(&["INFO timeout_turn 60000", "TURN 2,2"]);
        while let Some(line) = talk.poll(ms(200)) {
            assert!(line.starts_with("MESSAGE "), "{line} came too early");
        }
        talk.send("YXSTOP");
        talk.mv();
        talk.finish();
        took
    });
}

#[test]
fn item_17_unlimited_clocks_leave_the_turn_limit() {
    let lines = [
        "INFO timeout_match 0",
        "INFO time_left 2147483647",
        "INFO timeout_turn 1000",
    ];
    best_within(ms(1000), || {
        let mut talk = Talk::on15(&lines);
        let took = time_to_move(&mut talk, QUIET);
        assert!(took > ms(50), "an instant move after {took:?}");
        took
    });
}

#[test]
fn item_18_depth_alone_is_reached() {
    let mut talk = Talk::on15(&[
        "INFO TIMEOUT_TURN -1",
        "INFO TIMEOUT_MATCH -1",
        "INFO TIME_LEFT 1",
        "INFO MAX_DEPTH 3",
        "INFO SHOW_DETAIL 2",
        "YXBOARD 7,7,1 8,9,2 DONE",
        "YXNBEST 1",
    ]);
    let mut depths = Vec::new();
    loop {
        let line = talk.reply();
        if let Some(depth) = line.strip_prefix("INFO DEPTH ") {
            depths.push(depth.parse::<u32>().expect("a depth"));
        }
        if line.contains(',') && !line.starts_with("INFO ") {
            break;
        }
    }
    if depths.iter().max() != Some(&3) {
        talk.fail(&format!("expected depth 3, got {depths:?}"));
    }
    talk.finish();
}

#[test]
fn item_19_little_time_left() {
    for (left, limit) in [(100, ms(100)), (-500, ms(50)), (0, ms(50))] {
        best_within(limit, || {
            let left = format!("INFO time_left {left}");
            let mut talk = Talk::on15(&["INFO timeout_turn 30000", &left]);
            time_to_move(&mut talk, QUIET)
        });
    }
}

#[test]
fn item_20_nodes_alone_bind() {
    let lines = [
        "INFO timeout_match 0",
        "INFO time_left 2147483647",
        "INFO max_node 20000",
    ];
    let mut talk = Talk::on15(&lines);
    assert!(time_to_move(&mut talk, QUIET) < PATIENCE);
    talk.finish();
}

#[test]
fn bug_turn_zero_with_any_match_time() {
    for time in [100_000, 0] {
        best_within(ms(50), || {
            let time = format!("INFO timeout_match {time}");
            let mut talk = Talk::on15(&["INFO timeout_turn 0", &time]);
            time_to_move(&mut talk, QUIET)
        });
    }
}

#[test]
fn bug_tiny_clocks() {
    for turn in [0, 1, 5, 20, 100] {
        best_within(ms(turn).max(ms(30)), || {
            let mut talk = Talk::on15(&[&format!("INFO timeout_turn {turn}")]);
            time_to_move(&mut talk, QUIET)
        });
    }
    for (left, limit) in [(0, 30), (-50, 30), (1, 30), (2_147_483_647, 500)] {
        best_within(ms(limit), || {
            let left = format!("INFO time_left {left}");
            let mut talk = Talk::on15(&["INFO timeout_turn 500", &left]);
            time_to_move(&mut talk, QUIET)
        });
    }
    best_within(ms(100), || {
        let mut talk = Talk::on15(&["INFO timeout_turn 100", "INFO timeout_match 0"]);
        time_to_move(&mut talk, QUIET)
    });
}

#[test]
fn never_over_the_turn_limit() {
    for threads in [1, 2] {
        for turn in [30, 100, 300] {
            let lines = [
                format!("INFO thread_num {threads}"),
                format!("INFO timeout_turn {turn}"),
            ];
            let mut talk = Talk::on15(&lines.each_ref().map(String::as_str));
            // Tables are built with the first move.
            time_to_move(&mut talk, QUIET);
            for (x, y) in [(7, 7), (0, 0), (14, 14), (0, 14), (14, 0)] {
                let command = format!("BOARD {x},{y},2 1,5,1 9,2,2 DONE");
                best_within(ms(turn), || {
                    let took = time_to_move(&mut talk, &command);
                    assert!(took < ms(turn) + SLACK, "{took:?} at {threads} threads");
                    took
                });
            }
            talk.finish();
        }
    }
}

#[test]
fn no_message_after_the_turn_limit() {
    let mut talk = Talk::on15(&["INFO timeout_turn 700"]);
    let sent = Instant::now();
    talk.send(QUIET);
    let mut messages = 0;
    loop {
        let line = talk.line(PATIENCE);
        if !line.starts_with("MESSAGE ") {
            break;
        }
        messages += 1;
        // The line is printed before the limit; reading it may take a moment.
        assert!(talk.heard.saturating_duration_since(sent) < ms(700) + SLACK);
    }
    assert!(messages <= 5, "{messages} messages in 0.7 s");
    talk.finish();
}

/// A move stopped and continued before the command costs nothing.
#[cfg(unix)]
#[test]
fn item_57_a_pause_between_moves() {
    let mut talk = Talk::on15(&["INFO timeout_turn 300", "INFO timeout_match 60000"]);
    talk.send_all(&["INFO time_left 60000", "TURN 7,7"]);
    talk.mv();
    talk.signal("STOP");
    thread::sleep(ms(5000));
    talk.send_all(&["INFO time_left 59000", "TURN 0,0"]);
    thread::sleep(ms(20));
    let took = talk.moves_once_woken();
    assert!(took < ms(300) + SLACK, "{took:?}");
    talk.finish();
}

/// START and the options in one burst, then the process is suspended at once.
#[cfg(unix)]
fn start_as_the_judge_does(talk: &mut Talk, turn: u64) {
    talk.send_all(&[
        "START 15",
        &format!("INFO timeout_turn {turn}"),
        "INFO timeout_match 60000",
        "INFO max_memory 367001600",
        "INFO game_type 3",
        "INFO rule 0",
        "INFO folder .",
    ]);
    talk.signal("STOP");
}

/// A game as the judge leads it: the process only runs during its turns, the other side plays
/// anywhere. What was charged for each move.
#[cfg(unix)]
fn judged_game(turn: u64, moves: usize, seed: u64) -> Vec<Duration> {
    let mut random = SplitMix64::new(seed);
    let mut charges = Vec::new();
    let mut left = 60_000;
    let mut stones: Vec<Spot> = Vec::new();
    let mut talk = Talk::fresh();
    start_as_the_judge_does(&mut talk, turn);
    for _ in 0..moves {
        let owner = |i: usize| if i.is_multiple_of(2) { 1 } else { 2 };
        let listed = stones.iter().enumerate();
        let block: String = listed
            .map(|(i, (x, y))| format!("{x},{y},{} ", owner(i)))
            .collect();
        talk.send_all(&[
            &format!("INFO time_left {left}"),
            &format!("BOARD {block}DONE"),
        ]);
        let resumed = Instant::now();
        talk.signal("CONT");
        let (mut line, mut messages) = talk.reply_after_messages(PATIENCE);
        if line == "OK" {
            (line, messages) = talk.reply_after_messages(PATIENCE);
        }
        let charge = talk.heard.saturating_duration_since(resumed);
        talk.signal("STOP");
        assert!(charge < ms(turn + 1000), "lost by timeout after {charge:?}");
        charges.push(charge);
        if messages.iter().any(|text| text.contains("game is over")) {
            break;
        }
        left -= i64::try_from(charge.as_millis()).expect("small");
        stones.push(talk.moves_of(&line)[0]);
        let any = || (random.below(15) as i64, random.below(15) as i64);
        let free = std::iter::repeat_with(any).find(|spot| !stones.contains(spot));
        stones.push(free.expect("the board is not full"));
    }
    talk.signal("CONT");
    talk.finish();
    charges
}

#[cfg(unix)]
#[test]
fn item_56_a_game_under_the_judge() {
    best_within(ms(500), || judged_game(200, 8, 1)[0]);
}

#[cfg(unix)]
#[test]
#[ignore = "ten games instead of one"]
fn item_56_ten_games_under_the_judge() {
    for seed in 0..10 {
        judged_game(200, 40, seed);
    }
}

#[cfg(unix)]
#[test]
fn bug_burst_and_suspend() {
    let mut talk = Talk::fresh();
    start_as_the_judge_does(&mut talk, 300);
    thread::sleep(ms(5000));
    talk.signal("CONT");
    let block = [
        "BOARD",
        "BOARD 7,7,1 8,8,2",
        "BOARD 7,7,1 8,8,2 6,8,1 9,8,2",
    ];
    for (number, block) in block.iter().enumerate() {
        let sent = Instant::now();
        talk.send_all(&["INFO time_left 60000", block, "DONE"]);
        if number == 0 {
            talk.expect("OK");
        }
        talk.mv();
        let took = talk.heard.saturating_duration_since(sent);
        assert!(took < ms(300) + SLACK, "{took:?}");
        #[cfg(target_os = "linux")]
        assert!(peak(&talk) <= JUDGE_LIMIT);
    }
    talk.finish();
}

/// Processor time the process has used.
#[cfg(target_os = "linux")]
pub fn processor_time(talk: &Talk) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", talk.pid())).expect("stat");
    let fields = stat.rsplit(')').next().expect("fields").split_whitespace();
    let ticks: u64 = fields
        .skip(11)
        .take(2)
        .map(|word| word.parse::<u64>().expect("ticks"))
        .sum();
    ms(ticks * 10)
}

#[cfg(target_os = "linux")]
#[test]
fn bug_idle_after_restart() {
    for (command, reply) in [("RESTART", "OK"), ("START 15", "OK"), ("YXSTOP", "")] {
        let mut talk = Talk::on15(&["INFO pondering 1", "INFO timeout_turn 100", "TURN 7,7"]);
        talk.mv();
        talk.send(command);
        if !reply.is_empty() {
            talk.expect(reply);
        }
        thread::sleep(ms(200));
        let before = processor_time(&talk);
        thread::sleep(ms(500));
        let used = processor_time(&talk) - before;
        assert!(used <= ms(20), "{used:?} after {command}");
        talk.finish();
    }
}
