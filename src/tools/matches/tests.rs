//! Whole matches between fake engines: each misbehaviour costs its game and nothing else, and a
//! run that was stopped goes on where it was.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Parser;

use super::config::{Config, MatchArgs};
use super::fakes;
use super::record::{GameRecord, Reason, Winner};
use super::runner;

/// Gives the arguments a parser of their own.
#[derive(Parser)]
struct Line {
    #[command(flatten)]
    args: MatchArgs,
}

/// A folder of its own for each test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("tengen-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        Folder(folder)
    }

    fn records(&self) -> Vec<GameRecord> {
        let text = std::fs::read_to_string(self.0.join("games.jsonl")).unwrap();
        let parse = |line| serde_json::from_str(line).unwrap();
        let mut records: Vec<GameRecord> = text.lines().map(parse).collect();
        records.sort_by_key(|r| r.game);
        records
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn config(folder: &Path, engines: &[String], more: &str) -> Result<Config, String> {
    let mut words = vec!["match".to_owned(), "--out".to_owned()];
    words.push(folder.display().to_string());
    for engine in engines {
        words.extend(["--engine".to_owned(), engine.clone()]);
    }
    words.extend(more.split_whitespace().map(str::to_owned));
    let line = Line::try_parse_from(words).map_err(|e| e.to_string())?;
    Config::new(&line.args)
}

fn engine(name: &str, behaviour: &str, row: usize, after: usize) -> String {
    format!(
        "name={name},cmd=\"{}\"",
        fakes::command(behaviour, row, after)
    )
}

fn good(name: &str, row: usize) -> String {
    engine(name, "good", row, 0)
}

/// Plays `Good` against `Bad` twice and checks how the games end.
fn bad_engine_loses(behaviour: &str, after: usize, reason: Reason) -> Vec<GameRecord> {
    let folder = Folder::new(&format!("{behaviour}-{after}"));
    // Only where time is the point is it short: a loaded machine makes everybody slow.
    let turn = match reason {
        Reason::Time | Reason::Silence => 200,
        // Unknown lines are passed over until the limit.
        Reason::Garbage => 3000,
        _ => 20_000,
    };
    let bad = format!("{},turn={turn}", engine("Bad", behaviour, 9, after));
    let engines = [good("Good", 3), bad];
    let config = config(
        &folder.0,
        &engines,
        "--turn 20000 --tolerance 300 --games 2",
    )
    .unwrap();
    let start = Instant::now();
    let standings = runner::run(&config, &AtomicBool::new(false)).unwrap();
    assert!(start.elapsed() < Duration::from_secs(60));
    assert_eq!(standings.games(), 2);
    let records = folder.records();
    assert_eq!(records[0].result, Winner::Black, "{records:?}");
    assert_eq!(records[1].result, Winner::White, "{records:?}");
    for record in &records {
        assert_eq!(record.reason, reason, "{record:?}");
        let stones = record.moves.split_whitespace().count();
        assert_eq!(record.times.len(), stones);
    }
    records
}

#[test]
fn rows_and_illegal_moves_decide() {
    let records = bad_engine_loses("occupied", 3, Reason::Illegal);
    assert_eq!(records[0].moves.split_whitespace().count(), 7);
    assert_eq!(records[0].detail, "0,3 is taken");
    let folder = Folder::new("row");
    let engines = [good("A", 3), good("B", 9)];
    let config = config(&folder.0, &engines, "--nodes 10 --games 2 --messages").unwrap();
    runner::run(&config, &AtomicBool::new(false)).unwrap();
    let records = folder.records();
    assert_eq!(records[0].reason, Reason::Row);
    assert_eq!(records[0].moves, "0,3 0,9 1,3 1,9 2,3 2,9 3,3 3,9 4,3");
    assert_eq!(
        (records[0].black.as_str(), records[0].white.as_str()),
        ("A", "B")
    );
    assert_eq!(
        (records[1].black.as_str(), records[1].white.as_str()),
        ("B", "A")
    );
    assert_eq!(records[1].messages[0], (1, "MESSAGE 1 stones".to_owned()));
}

#[test]
fn silence_loses() {
    bad_engine_loses("hang", 0, Reason::Silence);
    bad_engine_loses("hang", 2, Reason::Silence);
}

#[test]
fn a_crash_loses() {
    let records = bad_engine_loses("crash", 1, Reason::Crash);
    assert!(
        records[0].detail.contains("the fake engine breaks"),
        "{}",
        records[0].detail
    );
    bad_engine_loses("closed", 1, Reason::Crash);
}

#[test]
fn garbage_loses() {
    let records = bad_engine_loses("garbage", 1, Reason::Garbage);
    assert!(records[0].detail.contains("seven,eight"));
    bad_engine_loses("outside", 1, Reason::Garbage);
    bad_engine_loses("flood", 1, Reason::Garbage);
    bad_engine_loses("stream", 1, Reason::Garbage);
}

#[test]
fn lateness_loses() {
    let records = bad_engine_loses("late", 2, Reason::Time);
    assert!(
        records[0].detail.contains("ms allowed"),
        "{}",
        records[0].detail
    );
    bad_engine_loses("talk", 2, Reason::Time);
}

#[test]
fn ignoring_end_is_noted_and_ends_anyway() {
    let folder = Folder::new("stay");
    let engines = [good("Good", 3), engine("Bad", "stay", 9, 0)];
    let config = config(&folder.0, &engines, "--turn 20000 --games 2").unwrap();
    runner::run(&config, &AtomicBool::new(false)).unwrap();
    let records = folder.records();
    assert_eq!(records.len(), 2);
    assert_eq!(records[0].notes, ["Bad ignored END"]);
}

#[test]
fn the_match_clock_runs_out() {
    let folder = Folder::new("clock");
    let slow = format!("{},match=1500", engine("Slow", "late", 9, 0));
    let line = "--turn 5000 --match 99000 --tolerance 100 --games 2";
    let config = config(&folder.0, &[good("Good", 3), slow], line).unwrap();
    runner::run(&config, &AtomicBool::new(false)).unwrap();
    for record in folder.records() {
        assert_eq!(record.reason, Reason::Time, "{record:?}");
        let stones = record.moves.split_whitespace().count();
        assert!((2..=5).contains(&stones), "{record:?}");
    }
}

#[test]
fn kept_processes_play_on_after_a_failure() {
    for keep in ["--keep", "--keep=restart"] {
        let folder = Folder::new(keep);
        let engines = [good("Good", 3), engine("Bad", "crash", 9, 7)];
        let line = format!("--turn 20000 --games 8 --concurrency 1 {keep}");
        let config = config(&folder.0, &engines, &line).unwrap();
        runner::run(&config, &AtomicBool::new(false)).unwrap();
        let records = folder.records();
        let reasons: Vec<Reason> = records.iter().map(|r| r.reason).collect();
        // Each game lasts four or five answers of Bad, so it breaks in every second game.
        let (row, crash) = (Reason::Row, Reason::Crash);
        assert_eq!(reasons, [row, crash, row, crash, row, crash, row, crash]);
    }
}

#[test]
fn a_stopped_run_goes_on_and_refuses_other_parameters() {
    let folder = Folder::new("resume");
    let engines = [good("A", 3), good("B", 9)];
    let line = "--turn 20000 --games 40 --concurrency 2";
    let config_of = |line: &str| config(&folder.0, &engines, line).unwrap();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let lines = || std::fs::read_to_string(folder.0.join("games.jsonl"));
            while lines().unwrap_or_default().lines().count() < 5 {
                std::thread::sleep(Duration::from_millis(5));
            }
            stop.store(true, Ordering::Relaxed);
        });
        let standings = runner::run(&config_of(line), &stop).unwrap();
        assert!((5..40).contains(&standings.games()));
    });
    // A kill may cut the last line short.
    let path = folder.0.join("games.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    let first = text.lines().next().unwrap().to_owned();
    std::fs::write(&path, &text[..text.len() - 20]).unwrap();
    let go = AtomicBool::new(false);
    let refused = runner::run(&config_of("--turn 501 --games 40"), &go)
        .err()
        .unwrap();
    assert!(
        refused.contains("engines 1.limits.turn was 20000 and is 501;"),
        "{refused}"
    );
    assert!(!refused.contains('\n'));
    let standings = runner::run(&config_of(line), &go).unwrap();
    assert_eq!(standings.games(), 40);
    let records = folder.records();
    let numbers: Vec<usize> = records.iter().map(|r| r.game).collect();
    assert_eq!(numbers, (0..40).collect::<Vec<_>>());
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().next().unwrap(), first);
    assert_eq!(std::fs::read_dir(folder.0.join("psq")).unwrap().count(), 40);
}

/// Set in a child process of the next test: the folder of its match.
const CHILD: &str = "TENGEN_MATCH_CHILD";

fn child_config(folder: &Path) -> Config {
    let engines = [good("A", 3), good("B", 9)];
    config(folder, &engines, "--turn 20000 --games 100").unwrap()
}

/// Does nothing unless the next test has started it as the run to be killed.
#[test]
fn child_run() {
    if let Some(folder) = std::env::var_os(CHILD) {
        let config = child_config(Path::new(&folder));
        runner::run(&config, &AtomicBool::new(false)).unwrap();
    }
}

#[test]
fn a_killed_run_goes_on() {
    let folder = Folder::new("killed");
    let mut child = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "tools::matches::tests::child_run"])
        .env(CHILD, &folder.0)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let text = || std::fs::read_to_string(folder.0.join("games.jsonl")).unwrap_or_default();
    let give_up = Instant::now() + Duration::from_secs(30);
    while text().lines().count() < 5 && Instant::now() < give_up {
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = text();
    assert!((5..100).contains(&before.lines().count()));
    let config = child_config(&folder.0);
    let standings = runner::run(&config, &AtomicBool::new(false)).unwrap();
    assert_eq!(standings.games(), 100);
    assert_eq!(folder.records().len(), 100);
    let whole = before.rfind('\n').map_or(0, |end| end + 1);
    assert!(text().starts_with(&before[..whole]));
}

#[test]
fn a_sequential_test_stops_the_run() {
    let folder = Folder::new("sprt");
    let engines = [good("A", 3), engine("B", "occupied", 9, 1)];
    let line = "--turn 20000 --games 200 --elo0 0 --elo1 200";
    let config = config(&folder.0, &engines, line).unwrap();
    let standings = runner::run(&config, &AtomicBool::new(false)).unwrap();
    assert!(standings.games() < 40, "{}", standings.games());
    let report = standings.report(config.sprt.as_ref());
    assert!(report.contains("elo 200 accepted"), "{report}");
}

#[test]
fn failures_of_the_opponent_are_left_out_of_the_counted_score() {
    let folder = Folder::new("counted");
    let engines = [good("A", 3), engine("B", "crash", 9, 2)];
    let config = config(&folder.0, &engines, "--turn 20000 --games 4").unwrap();
    let standings = runner::run(&config, &AtomicBool::new(false)).unwrap();
    let report = standings.report(None);
    assert!(report.contains("all      W-D-L 4-0-0"), "{report}");
    assert!(report.contains("counted  W-D-L 0-0-0"), "{report}");
    assert!(report.contains("left out: 4 games that B"), "{report}");
    assert!(report.contains("B lost by: crash 4"), "{report}");
    // Seen from the other side they are losses.
    let folder = Folder::new("counted-other");
    let engines = [engine("B", "crash", 9, 2), good("A", 3)];
    let config = self::config(&folder.0, &engines, "--turn 20000 --games 4").unwrap();
    let standings = runner::run(&config, &AtomicBool::new(false)).unwrap();
    let report = standings.report(None);
    assert!(report.contains("counted  W-D-L 0-0-4"), "{report}");
}

#[test]
fn wrong_arguments_are_one_clear_line() {
    let folder = Folder::new("arguments");
    let two = [good("A", 3), good("B", 9)];
    let fault = |engines: &[String], more: &str| {
        let text = config(&folder.0, engines, more).err().unwrap();
        assert!(!text.contains('\n'), "{text}");
        text
    };
    assert!(fault(&two[..1], "--turn 9").contains("two engines"));
    assert!(fault(&two, "").contains("no limit"));
    assert!(fault(&two, "--turn 9 --games 3").contains("even"));
    assert!(fault(&two, "--turn 9 --rule chess").contains("unknown rule"));
    assert!(fault(&two, "--turn 9 --size 99").contains("5 to 22"));
    assert!(fault(&two, "--turn 9 --openings /no/such").contains("/no/such"));
    assert!(fault(&[good("A", 1), good("A", 2)], "--turn 9").contains("named 'A'"));
}

#[test]
fn an_engine_that_cannot_start_stops_the_run_before_it_begins() {
    let folder = Folder::new("start");
    for (command, text) in [
        ("no-such-program-anywhere", "cannot start"),
        (
            "sh -c 'echo missing library >&2; exit 127'",
            "missing library",
        ),
        (
            "sh -c 'read a; echo ERROR too large; read b'",
            "refused the board",
        ),
    ] {
        let bad = format!("name=Bad,cmd=\"{command}\"");
        let config = config(&folder.0, &[good("Good", 3), bad], "--turn 20000").unwrap();
        let fault = runner::run(&config, &AtomicBool::new(false)).err().unwrap();
        assert!(fault.starts_with("Bad does not accept START"), "{fault}");
        assert!(fault.contains(text) && !fault.contains('\n'), "{fault}");
        assert!(folder.records().is_empty());
        std::fs::remove_dir_all(&folder.0).unwrap();
    }
}
