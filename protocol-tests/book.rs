//! Opening books: what the engine does with them, and that building one loses nothing.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::harness::{PATIENCE, Spot, Talk, best_within, binary, ms, run};

/// A folder of its own for each test, with blanks in its name.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let name = format!("tengen book {name} {}", std::process::id());
        let folder = Folder(std::env::temp_dir().join(name));
        let _ = std::fs::remove_dir_all(&folder.0);
        std::fs::create_dir_all(&folder.0).expect("a folder");
        folder
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// `book build` with small searches on a board that no book is built in for.
fn build(out: &Path, positions: usize) -> Command {
    let mut command = run(&binary());
    command
        .args([
            "book", "build", "--size", "13", "--nodes", "300", "--stones", "1",
        ])
        .args([
            "--threads",
            "2",
            "--positions",
            &positions.to_string(),
            "--out",
        ])
        .arg(out)
        .stdin(Stdio::null());
    command
}

fn succeeds(command: &mut Command) -> String {
    let output = command.output().expect("the program starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}\n{errors}");
    text
}

/// A folder with a book for 13x13.
fn with_book(name: &str) -> (Folder, PathBuf) {
    let folder = Folder::new(name);
    let path = folder.file("tengen-freestyle13.book");
    succeeds(&mut build(&path, 60));
    (folder, path)
}

/// An engine that looks for books in the folder.
fn engine(folder: &Folder, lines: &[&str]) -> Talk {
    let mut talk = Talk::fresh();
    talk.start(13);
    talk.send_all(&["INFO book 1", "INFO timeout_turn 0"]);
    talk.send(&format!("INFO folder {}", folder.0.display()));
    talk.send_all(lines);
    talk
}

/// The move, and what was said of a book.
fn answer(talk: &mut Talk, command: &str) -> (Spot, Vec<String>) {
    talk.send(command);
    let (line, messages) = talk.reply_after_messages(PATIENCE);
    let spot = talk.moves_of(&line)[0];
    let of_books = |line: &String| line.starts_with("MESSAGE book ");
    (spot, messages.into_iter().filter(of_books).collect())
}

#[test]
fn a_book_beside_the_game_is_named_and_quick() {
    let (folder, _) = with_book("quick");
    best_within(ms(50), || {
        let mut talk = engine(&folder, &[]);
        let sent = Instant::now();
        let (_, messages) = answer(&mut talk, "BOARD 6,6,2 DONE");
        let took = talk.heard.saturating_duration_since(sent);
        assert_eq!(messages.len(), 1);
        let expected = "MESSAGE book 'tengen-freestyle13': ";
        assert!(messages[0].starts_with(expected), "{messages:?}");
        talk.finish();
        took
    });
}

#[test]
fn the_same_move_every_time_and_turned_with_the_board() {
    let (folder, _) = with_book("turned");
    let mut talk = engine(&folder, &[]);
    // The four diagonal neighbours of the middle, which are one position.
    let mut moves = Vec::new();
    for (x, y) in [(5, 5), (7, 5), (5, 7), (7, 7), (5, 5)] {
        let (spot, messages) = answer(&mut talk, &format!("BOARD {x},{y},2 DONE"));
        assert_eq!(messages.len(), 1);
        // As seen from the stone outwards; the diagonal is a mirror.
        let seen = ((spot.0 - 6) * (x - 6), (spot.1 - 6) * (y - 6));
        moves.push((seen.0.min(seen.1), seen.0.max(seen.1)));
    }
    assert!(moves.iter().all(|seen| *seen == moves[0]), "{moves:?}");
    talk.finish();
}

#[test]
fn the_book_is_left_alone_when_it_is_off_or_something_else_is_asked_for() {
    let (folder, _) = with_book("off");
    for line in [
        "INFO book 0",
        "INFO max_node 500",
        "INFO max_depth 2",
        "INFO strength 10",
    ] {
        let mut talk = engine(&folder, &[line]);
        assert!(answer(&mut talk, "BOARD 6,6,2 DONE").1.is_empty(), "{line}");
        talk.finish();
    }
    let mut talk = engine(&folder, &["YXBOARD 6,6,2 DONE"]);
    assert!(answer(&mut talk, "YXNBEST 1").1.is_empty());
    // More time than the book has spent.
    talk.send("INFO timeout_turn 300");
    assert!(answer(&mut talk, "BOARD 6,6,2 DONE").1.is_empty());
    talk.finish();
}

#[test]
fn a_damaged_book_is_told_once_and_play_goes_on() {
    let (folder, path) = with_book("damaged");
    let mut bytes = std::fs::read(&path).expect("the book");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, bytes).expect("written");
    let mut talk = engine(&folder, &[]);
    let (_, messages) = answer(&mut talk, "BOARD 6,6,2 DONE");
    assert_eq!(messages.len(), 1);
    let end = "is not used: 'it is damaged: the checksum does not fit'";
    assert!(messages[0].ends_with(end), "{messages:?}");
    assert!(answer(&mut talk, "BOARD 5,5,2 DONE").1.is_empty());
    talk.finish();
    let mut lookup = run(&binary());
    lookup
        .args(["book", "stats"])
        .arg(&path)
        .stdin(Stdio::null());
    let output = lookup.output().expect("the program starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success() && errors.contains("it is damaged"),
        "{errors}"
    );
}

/// Searches that the log counts as finished: whole lines.
fn finished(log: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    whole.lines().map(str::to_owned).collect()
}

/// Kills a build so many times; nothing it had finished may be lost, and the book must be that of
/// an undisturbed run.
fn survives(name: &str, kills: usize) {
    let folder = Folder::new(name);
    let (calm, killed) = (folder.file("calm.book"), folder.file("killed.book"));
    let log = folder.file("killed.book.log");
    let positions = 200 * kills.max(3);
    succeeds(&mut build(&calm, positions));
    let mut known = Vec::new();
    for round in 1..=kills {
        let mut command = build(&killed, positions);
        let mut child = command
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts");
        let begun = Instant::now();
        while finished(&log).len() < known.len() + 3 && begun.elapsed() < 3 * PATIENCE {
            thread::sleep(Duration::from_millis(round as u64 % 3));
        }
        child.kill().expect("killed");
        child.wait().expect("a status");
        let now = finished(&log);
        // Where the machine kept us from killing it in time there is nothing left to do.
        let is_complete = now.len() == positions + 1;
        assert!(
            is_complete || now.len() > known.len(),
            "no progress in round {round}"
        );
        assert_eq!(now[..known.len()], known, "lost in round {round}");
        known = now;
    }
    succeeds(&mut build(&killed, positions));
    let all = finished(&log);
    assert_eq!(all[..known.len()], known);
    assert_eq!(all.len(), positions + 1, "something was searched twice");
    let [calm, killed] = [calm, killed].map(|path| std::fs::read(path).expect("a book"));
    assert!(calm == killed, "the books differ");
}

#[test]
fn two_kills_lose_nothing() {
    survives("killed", 2);
}

#[test]
#[ignore = "ten times the run of two_kills_lose_nothing"]
fn twenty_kills_lose_nothing() {
    survives("killed often", 20);
}

#[test]
fn a_book_is_shown_looked_up_and_pruned() {
    let (folder, path) = with_book("tools");
    let tool = |arguments: &[&str], path: &Path| {
        let mut command = run(&binary());
        command
            .arg("book")
            .args(arguments)
            .arg(path)
            .stdin(Stdio::null());
        succeeds(&mut command)
    };
    let stats = tool(&["stats"], &path);
    assert!(stats.starts_with("freestyle 13x13: "), "{stats}");
    assert!(
        stats.contains("book build --rule freestyle --size 13x13 --nodes 300"),
        "{stats}"
    );
    let mut show = run(&binary());
    show.args(["book", "show"])
        .arg(&path)
        .args(["g7", "--plies", "2"]);
    let shown = succeeds(show.stdin(Stdio::null()));
    assert!(shown.contains("from best play, 1 stones"), "{shown}");
    let lookup = ["lookup", "g7", "--size", "13", "--folder"];
    let found = tool(&lookup, &folder.0);
    assert!(found.contains("tengen-freestyle13: "), "{found}");
    let best = found.split(' ').next().expect("a move");
    assert!(
        shown.lines().nth(1).is_some_and(|line| line.contains(best)),
        "{shown}\n{found}"
    );
    let smaller = folder.file("small.book");
    let mut prune = run(&binary());
    prune
        .args(["book", "prune"])
        .arg(&path)
        .arg("--out")
        .arg(&smaller);
    succeeds(prune.args(["--keep", "3"]).stdin(Stdio::null()));
    assert!(tool(&["stats"], &smaller).starts_with("freestyle 13x13: 3 positions"));
}
