//! Memory and stderr over whole games.

use crate::harness::{Spot, Talk};

/// Peak resident memory of the process in bytes.
#[cfg(target_os = "linux")]
fn peak(talk: &Talk) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", talk.pid())).expect("status");
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .expect("a peak");
    let kib = line
        .trim()
        .trim_end_matches(" kB")
        .parse::<u64>()
        .expect("a number");
    kib * 1024
}

/// A game of the engine against replies of little sense near its own stones; what is done
/// after each move is up to the caller.
fn game(talk: &mut Talk, moves: usize, mut after: impl FnMut(&Talk)) {
    let mut taken: Vec<Spot> = vec![];
    talk.send("BEGIN");
    let mut ours = talk.mv();
    for round in 0..moves {
        assert!(!taken.contains(&ours));
        taken.push(ours);
        after(talk);
        let near = (0..225).map(|i| ((ours.0 + i * 7 + round as i64) % 15, (ours.1 + i / 15) % 15));
        let Some((x, y)) = near.into_iter().find(|spot| !taken.contains(spot)) else {
            return;
        };
        taken.push((x, y));
        talk.send(&format!("TURN {x},{y}"));
        ours = talk.mv();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn item_21_peak_memory_stays_below_the_limit() {
    let limit = 367_001_600;
    let mut talk = Talk::on15(&["INFO max_memory 367001600", "INFO timeout_turn 100"]);
    game(&mut talk, 25, |talk| {
        let peak = peak(talk);
        assert!(peak < limit, "{peak} bytes");
    });
    // The largest board, the rule with the largest tables, more threads.
    talk.start(22);
    talk.send_all(&["INFO rule 4", "INFO thread_num 2"]);
    game(&mut talk, 5, |talk| assert!(peak(talk) < limit));
    talk.finish();
}

#[cfg(target_os = "linux")]
#[test]
fn item_21_a_smaller_limit_is_kept_too() {
    let mut talk = Talk::on15(&["INFO max_memory 83886080", "INFO timeout_turn 60"]);
    game(&mut talk, 8, |talk| assert!(peak(talk) < 83_886_080));
    talk.finish();
}

#[test]
fn item_74_nothing_on_stderr_over_a_game() {
    // `Talk::finish` demands an empty stderr.
    for rule in ["0", "4"] {
        let mut talk = Talk::on15(&["INFO timeout_turn 20", &format!("INFO rule {rule}")]);
        game(&mut talk, 60, |_| {});
        talk.finish();
    }
}
