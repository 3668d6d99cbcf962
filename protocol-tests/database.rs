//! The database: what analysis writes, what a kill leaves, what damage does. The verbs are in
//! `dialogues/yixin_database.txt`.

use std::fs;
use std::time::Duration;

use crate::harness::{Folder, PATIENCE, Talk, engine, ms};

/// For searches bound by nodes on a machine that does other things too.
const LONG: Duration = Duration::from_secs(60);

/// Opens the database at `path`, which must succeed.
fn open(talk: &mut Talk, path: &str) {
    talk.send_all(&["yxsetdatabase", path]);
    expect(talk, &format!("MESSAGE DATABASE LOAD START {path}"));
    expect(talk, "MESSAGE DATABASE LOAD DONE");
}

fn expect(talk: &mut Talk, expected: &str) {
    let line = talk.line(PATIENCE);
    if line != expected {
        talk.fail(&format!("expected {expected:?}, got {line:?}"));
    }
}

/// The marks of the moves after these, as they are printed.
fn marks(talk: &mut Talk, moves: &str) -> Vec<String> {
    talk.send(&format!("yxquerydatabaseall {moves} done"));
    expect(talk, "MESSAGE DATABASE REFRESH");
    let mut marks = Vec::new();
    loop {
        let line = talk.line(PATIENCE);
        let mark = line.strip_prefix("MESSAGE DATABASE ");
        match mark {
            Some("DONE") => return marks,
            Some(mark) => marks.push(mark.to_owned()),
            None => talk.fail(&format!("no mark: {line:?}")),
        }
    }
}

/// What `pbrain-tengen database` prints.
fn tool(words: &[&str]) -> String {
    let output = engine().arg("database").args(words).output();
    let output = output.expect("the program runs");
    assert!(output.status.success(), "{words:?}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn analysis_fills_the_database_when_it_is_switched_on() {
    let folder = Folder::new("fill");
    let mut talk = Talk::on15(&["INFO timeout_turn 60000", "INFO max_node 30000"]);
    talk.send("INFO usedatabase 1");
    talk.send(&format!("INFO folder {}", folder.path("")));
    // The first question opens the file.
    let path = folder.path("tengen/tengen.db");
    talk.send("yxquerydatabaseone done");
    let opened = talk.line(PATIENCE).replace('\\', "/");
    assert_eq!(opened, format!("MESSAGE DATABASE LOAD START {path}"));
    expect(&mut talk, "MESSAGE DATABASE LOAD DONE");
    expect(&mut talk, "MESSAGE DATABASE ONE 0 0 0 0");
    talk.send_all(&["yxboard 7,7,2 8,8,1 9,7,2 done", "yxnbest 3"]);
    let (x, y) = talk.mv_within(LONG);
    let before = marks(&mut talk, "7,7 8,8 9,7");
    assert!(before.len() >= 3, "{before:?}");
    let ours = before
        .iter()
        .find(|mark| mark.starts_with(&format!("{x} {y} ")));
    let ours = ours.expect("our move").clone();
    // Depth and an exact score.
    let numbers: Vec<i64> = ours.split(' ').map(|n| n.parse().unwrap()).collect();
    assert!(numbers[4] >= 4 && numbers[5] == 3, "{ours}");
    talk.finish();
    // Another process, the game turned by a right angle.
    let mut talk = Talk::on15(&[]);
    open(&mut talk, &path);
    let turned = marks(&mut talk, "7,7 6,8 7,9");
    assert_eq!(turned.len(), before.len());
    let (x, y) = (14 - y, x);
    let number = |mark: &str| {
        mark.split_once(' ')
            .unwrap()
            .1
            .split_once(' ')
            .unwrap()
            .1
            .to_owned()
    };
    let mine = turned
        .iter()
        .find(|mark| mark.starts_with(&format!("{x} {y} ")));
    assert_eq!(number(mine.expect("our move")), number(&ours));
    talk.finish();
    let table = tool(&["info", &path]);
    assert!(
        table.contains("freestyle") && table.contains("15x15"),
        "{table}"
    );
}

#[test]
fn nothing_is_written_unless_it_is_switched_on() {
    let folder = Folder::new("off");
    let mut talk = Talk::on15(&["INFO timeout_turn 60000", "INFO max_node 10000"]);
    let path = folder.path("a.db");
    open(&mut talk, &path);
    talk.send("TURN 7,7");
    talk.mv_within(LONG);
    assert!(marks(&mut talk, "7,7").is_empty());
    talk.send_all(&[
        "INFO usedatabase 1",
        "INFO database_readonly 1",
        "yxnbest 1",
    ]);
    talk.mv_within(LONG);
    assert!(marks(&mut talk, "7,7").is_empty());
    talk.finish();
}

#[test]
fn a_query_waits_for_the_move() {
    let folder = Folder::new("wait");
    let mut talk = Talk::on15(&["INFO timeout_turn 300"]);
    open(&mut talk, &folder.path("a.db"));
    talk.send_all(&[
        "board 7,7,1 8,8,2 done",
        "yxquerydatabaseall",
        "7,7",
        "8,8",
        "done",
    ]);
    // The board wipes the marks of the position before; its search will bring others.
    expect(&mut talk, "MESSAGE DATABASE REFRESH");
    expect(&mut talk, "MESSAGE DATABASE DONE");
    let (_, messages) = talk.reply_after_messages(PATIENCE);
    assert!(messages.iter().all(|line| !line.contains("DATABASE")));
    talk.silence(ms(100));
    talk.finish();
}

/// A board of 20 columns and 15 rows, once with column,row and once with row,column.
#[test]
fn rectangles_are_found_by_both_orders_of_coordinates() {
    let folder = Folder::new("rectangle");
    let path = folder.path("a.db");
    let mut talk = Talk::fresh();
    talk.send_all(&["INFO transpose 1", "RECTSTART 20,15"]);
    talk.expect("OK");
    open(&mut talk, &path);
    talk.send("yxedittvddatabase 2 -1 40 0 3,17 7,9 done");
    expect(&mut talk, "MESSAGE DATABASE ONE -1 40 0 3 45%");
    let row_first = marks(&mut talk, "3,17");
    assert_eq!(row_first, ["7 9 3421477 40 0 3 0"]);
    talk.finish();
    let mut talk = Talk::fresh();
    talk.send("RECTSTART 20,15");
    talk.expect("OK");
    open(&mut talk, &path);
    assert_eq!(marks(&mut talk, "17,3"), ["9 7 3421477 40 0 3 0"]);
    // Mirrored, but not over the diagonal.
    assert_eq!(marks(&mut talk, "2,11"), ["10 7 3421477 40 0 3 0"]);
    assert!(marks(&mut talk, "3,14").is_empty());
    talk.finish();
    let found = tool(&["query", &path, "--size", "20x15", "r12"]);
    assert!(found.contains("j8       45% score 40"), "{found}");
}

/// Killed without warning while it writes, again and again: every change that was answered is
/// there afterwards.
fn survives_kills(rounds: u32) {
    let folder = Folder::new(&format!("kill{rounds}"));
    let path = folder.path("a.db");
    let mut written = 0;
    for round in 0..rounds {
        let mut talk = Talk::on15(&[]);
        open(&mut talk, &path);
        // Sent ahead, so that it is always in the middle of a change.
        let edits: Vec<String> = (written..written + 225)
            .map(|n| format!("yxedittvddatabase 6 -1 {n} {round} {} done", moves(n)))
            .collect();
        let edits: Vec<&str> = edits.iter().map(String::as_str).collect();
        talk.send_all(&edits);
        let answers = 1 + (round * 37) % 60;
        for n in written..written + answers {
            expect(
                &mut talk,
                &format!("MESSAGE DATABASE ONE -1 {n} {round} 3 {}", chance(n)),
            );
        }
        // By the signal that nothing can catch.
        drop(talk);
        written += answers;
    }
    let mut talk = Talk::on15(&[]);
    open(&mut talk, &path);
    for n in 0..written {
        talk.send(&format!("yxquerydatabaseone {} done", moves(n)));
        let line = talk.line(PATIENCE);
        // What was sent behind the last answer may have been written too, and again later.
        if !line.starts_with(&format!("MESSAGE DATABASE ONE -1 {n} ")) {
            talk.fail(&format!("change {n} of {written} is lost: {line:?}"));
        }
    }
    talk.finish();
    assert!(tool(&["check", &path]).ends_with(" records good, 0 wrong\n"));
}

/// Moves to a position of its own for each number below 2704, no two of them images of each
/// other: two stones at the edge fix the board, two others are inside.
fn moves(n: u32) -> String {
    let (a, b) = (n % 52, n / 52);
    let (x, y) = (1 + a % 13, 3 + a / 13);
    let (u, v) = (1 + b % 13, 7 + b / 13);
    format!("0,1 0,2 {x},{y} {u},{v}")
}

fn chance(n: u32) -> String {
    format!("{}%", (100.0 / (1.0 + (f64::from(n) / 200.0).exp())) as u32)
}

#[test]
fn kills_lose_nothing_that_was_written() {
    survives_kills(5);
}

#[test]
#[ignore = "long: a minute"]
fn fifty_kills_lose_nothing_that_was_written() {
    survives_kills(50);
}

#[test]
fn a_damaged_file_is_refused_and_play_goes_on() {
    let folder = Folder::new("damaged");
    let path = folder.path("a.db");
    let mut talk = Talk::on15(&["INFO timeout_turn 50"]);
    open(&mut talk, &path);
    for n in 0..40 {
        talk.send(&format!("yxedittvddatabase 2 -1 {n} 0 {} done", moves(n)));
        talk.line(PATIENCE);
    }
    talk.send("INFO usedatabase 0");
    talk.send("TURN 7,7");
    talk.mv();
    let whole = fs::read(&path).expect("the file");
    let mut flipped = whole.clone();
    for at in (4096..flipped.len()).step_by(97) {
        flipped[at] ^= 0x10;
    }
    for bytes in [&whole[..whole.len() / 2], &flipped, b"no database at all"] {
        fs::write(&path, bytes).expect("a file");
        talk.send_all(&["yxsetdatabase", &path]);
        expect(&mut talk, &format!("MESSAGE DATABASE LOAD START {path}"));
        expect(&mut talk, "MESSAGE DATABASE LOAD DONE");
        let reason = talk.line(PATIENCE);
        let is_told = reason.starts_with(&format!("MESSAGE db: {path}: the file is "));
        assert!(is_told, "{reason}");
        talk.send("yxquerydatabaseallt 7,7 done");
        expect(&mut talk, "MESSAGE DATABASE REFRESH");
        expect(&mut talk, "MESSAGE DATABASE DONE");
        talk.send("yxdbcheck");
        let line = talk.line(PATIENCE);
        assert!(line.starts_with("MESSAGE no database is open"), "{line}");
        assert_eq!(
            fs::read(&path).expect("the file"),
            bytes,
            "it is left as it is"
        );
        talk.send("BEGIN");
        talk.mv();
    }
    // A good one again.
    fs::write(&path, &whole).expect("a file");
    open(&mut talk, &path);
    talk.send("yxdbcheck");
    expect(&mut talk, "MESSAGE db: 40 records good, 0 wrong");
    talk.finish();
}
