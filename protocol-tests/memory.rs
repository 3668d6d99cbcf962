//! Memory and stderr over whole games.

use crate::harness::{Spot, Talk};

/// What the judge allows: 350 MiB.
#[cfg(target_os = "linux")]
pub const JUDGE_LIMIT: u64 = 367_001_600;

/// What a file of the system tells of the process under that name, in bytes, all lines together.
#[cfg(target_os = "linux")]
fn told(talk: &Talk, file: &str, names: &[&str]) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{}/{file}", talk.pid())).expect("a file");
    let lines = text.lines().filter_map(|line| line.split_once(':'));
    let told = lines.filter(|(name, _)| names.contains(name));
    let sum = told.map(|(_, value)| {
        let kib = value.trim().trim_end_matches(" kB");
        kib.parse::<u64>().expect("a number")
    });
    sum.sum::<u64>() * 1024
}

/// Peak resident memory of the process in bytes.
#[cfg(target_os = "linux")]
pub fn peak(talk: &Talk) -> u64 {
    told(talk, "status", &["VmHWM"])
}

/// Memory that the process shares with no other, in bytes: what the judge counts.
#[cfg(target_os = "linux")]
fn unique(talk: &Talk) -> u64 {
    told(talk, "smaps_rollup", &["Private_Clean", "Private_Dirty"])
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
    let mut talk = Talk::on15(&["INFO max_memory 367001600", "INFO timeout_turn 100"]);
    game(&mut talk, 25, |talk| {
        let peak = peak(talk);
        assert!(peak < JUDGE_LIMIT, "{peak} bytes");
    });
    // The largest board, the rule with the largest tables, more threads.
    talk.start(22);
    talk.send_all(&["INFO rule 4", "INFO thread_num 2"]);
    game(&mut talk, 5, |talk| assert!(peak(talk) < JUDGE_LIMIT));
    talk.finish();
}

/// So many moves in one process: games of the engine against itself under the rules of
/// tournaments, each with as much thought as fills the table in time, and what memory that takes.
#[cfg(target_os = "linux")]
#[allow(clippy::print_stdout)]
fn endures(moves: usize) {
    let mut talk = Talk::fresh();
    talk.send_all(&["INFO max_memory 367001600", "INFO timeout_turn 200"]);
    let formats = [(20, 0, 1), (15, 1, 2), (15, 4, 1), (15, 8, 2)];
    let mut formats = formats.iter().cycle();
    let (mut stones, mut is_over) = (Vec::<Spot>::new(), true);
    let (mut most_unique, mut most_resident) = (0, 0);
    for _ in 0..moves {
        if is_over {
            let (side, rule, threads) = formats.next().expect("they go round");
            talk.start(*side);
            talk.send_all(&[
                &format!("INFO rule {rule}"),
                &format!("INFO thread_num {threads}"),
            ]);
            stones.clear();
        }
        let ours = |i: usize| (i + stones.len()).is_multiple_of(2);
        let listed = stones.iter().enumerate().map(|(i, (x, y))| {
            let owner = if ours(i) { 1 } else { 2 };
            format!("{x},{y},{owner} ")
        });
        talk.send(&format!("BOARD {}DONE", listed.collect::<String>()));
        let (line, messages) = talk.reply_after_messages(crate::harness::PATIENCE);
        stones.push(talk.moves_of(&line)[0]);
        is_over = messages.iter().any(|text| text.contains("game is over"));
        let resident = told(&talk, "status", &["VmRSS"]);
        let unique = unique(&talk);
        assert!(unique <= JUDGE_LIMIT && peak(&talk) <= JUDGE_LIMIT);
        most_unique = most_unique.max(unique);
        most_resident = most_resident.max(resident);
    }
    talk.finish();
    println!(
        "{moves} moves: at most {} MiB unique, {} MiB resident",
        most_unique >> 20,
        most_resident >> 20
    );
}

#[cfg(target_os = "linux")]
#[test]
fn item_21_memory_over_twenty_moves() {
    endures(20);
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "ten times the run of item_21_memory_over_twenty_moves"]
fn item_21_memory_over_two_hundred_moves() {
    endures(200);
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
