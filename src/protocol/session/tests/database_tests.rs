//! The database: what waits for what, and what a search adds. Its verbs are tested with the
//! real program.

use std::path::Path;

use super::*;
use crate::database::{Database, Key, Lookup, Record, Tag};

/// A database file of a test's own, gone with it.
struct TestFile(PathBuf);

impl TestFile {
    fn new(name: &str) -> TestFile {
        let name = format!("tengen-session-{name}-{}.db", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = std::fs::remove_file(&path);
        TestFile(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }

    fn record(&self, position: &Position) -> Option<Record> {
        let database = Database::open(Path::new(self.path())).unwrap();
        let key = Key::of(RuleSpec::FREESTYLE, position);
        database.read().unwrap().get(&key).unwrap()
    }
}

impl Drop for TestFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

impl Stage {
    /// Everything printed until no thread works on the database any more.
    fn settles(&mut self) -> Vec<String> {
        self.session.rest(Instant::now());
        while self.session.keeper.is_busy() {
            let finished = self.session.database_work().recv();
            self.session.database_done(finished.ok());
            self.session.rest(Instant::now());
        }
        self.session.take_output()
    }

    /// A database is opened.
    fn opens(&mut self, file: &TestFile) {
        let start = self.send(&["yxsetdatabase", file.path()]);
        assert!(is_message(&start, "DATABASE LOAD START "));
        assert_eq!(self.settles(), ["MESSAGE DATABASE LOAD DONE"]);
    }
}

fn after(moves: &[(u8, u8)]) -> Position {
    let moves = moves.iter().map(|(x, y)| Point::new(*x, *y));
    Position::after(BoardSize::STANDARD, moves)
}

#[test]
fn commands_wait_while_the_file_is_opened() {
    let file = TestFile::new("wait");
    let mut stage = Stage::after(&["START 15", "yxsetdatabase", file.path()]);
    stage.session.take_output();
    assert!(stage.send(&["TURN 7,7", "ABOUT"]).is_empty());
    assert_eq!(stage.searches(), 0);
    stage.session.close_input(Instant::now());
    assert!(!stage.session.is_over());
    let printed = stage.settles();
    assert_eq!(printed[0], "MESSAGE DATABASE LOAD DONE");
    assert!(printed[1].starts_with("name="));
    assert_eq!(stage.searches(), 1);
    stage.send(&["END"]);
    assert!(stage.session.is_over());
}

#[test]
fn what_a_search_finds_is_written_behind_its_move() {
    let file = TestFile::new("note");
    let mut stage = Stage::after(&["START 15", "INFO usedatabase 1"]);
    stage.opens(&file);
    stage.send(&["YXBOARD 7,7,2 DONE", "YXNBEST 2"]);
    let win = score::win_in(3);
    let lines = vec![
        line(0, win, 6, &[(8, 8), (9, 9), (6, 6)]),
        line(1, -40, 6, &[(1, 1), (2, 2)]),
        line(1, 15, 2, &[(3, 1)]),
    ];
    let printed = stage.ends(Reply::Move(Point::new(8, 8)), lines);
    assert_eq!(printed.last().map(String::as_str), Some("8,8"));
    assert!(stage.settles().is_empty());
    // Closes the file.
    stage.send(&["INFO usedatabase 0"]);
    let record = |moves: &[(u8, u8)]| file.record(&after(moves));
    let root = record(&[(7, 7)]).unwrap();
    assert_eq!((root.tag, root.value, root.depth), (Tag::Loss, win, 6));
    // A proof is kept all along its line.
    let values = [(-score::win_in(2), Tag::Win), (score::win_in(1), Tag::Loss)];
    let mut moves = vec![(7, 7), (8, 8)];
    for (value, tag) in values {
        let record = record(&moves).unwrap();
        assert_eq!((record.value, record.tag), (value, tag));
        moves.push((9, 9));
    }
    let other = record(&[(7, 7), (1, 1)]).unwrap();
    assert_eq!((other.value, other.depth, other.tag), (40, 5, Tag::None));
    assert_eq!(record(&[(7, 7), (1, 1), (2, 2)]), None);
    assert_eq!(record(&[(7, 7), (3, 1)]), None, "too shallow");
}

#[test]
fn blocked_moves_leave_the_score_of_the_position_open() {
    let file = TestFile::new("blocked");
    let mut stage = Stage::after(&["START 15", "INFO usedatabase 1"]);
    stage.opens(&file);
    stage.send(&["YXBOARD 7,7,2 DONE", "yxblock 8,8 done", "YXNBEST 1"]);
    stage.ends(
        Reply::Move(Point::new(9, 9)),
        vec![line(0, 30, 9, &[(9, 9)])],
    );
    stage.settles();
    stage.send(&["INFO usedatabase 0"]);
    assert_eq!(file.record(&after(&[(7, 7)])), None);
    assert!(file.record(&after(&[(7, 7), (9, 9)])).is_some());
}

#[test]
fn a_file_that_cannot_be_opened_is_told_once() {
    let folder = std::env::temp_dir();
    let mut stage = Stage::after(&["START 15", "INFO usedatabase 1"]);
    stage.send(&["yxsetdatabase", folder.to_str().unwrap()]);
    let printed = stage.settles();
    assert_eq!(printed[0], "MESSAGE DATABASE LOAD DONE");
    assert!(printed[1].starts_with("MESSAGE db: ") && printed.len() == 2);
    let marks = stage.send(&["yxquerydatabaseallt 7,7 done"]);
    assert_eq!(marks, ["MESSAGE DATABASE REFRESH", "MESSAGE DATABASE DONE"]);
    stage.send(&["TURN 7,7"]);
    stage.ends(
        Reply::Move(Point::new(8, 8)),
        vec![line(0, 30, 9, &[(8, 8)])],
    );
    assert!(
        stage.settles().is_empty(),
        "nothing to write, nothing to tell"
    );
    let told = stage.send(&["yxsavedatabase"]);
    assert!(is_message(&told, "no database is open"));
}

#[test]
fn a_long_search_is_written_now_and_then() {
    let file = TestFile::new("long");
    let mut stage = Stage::after(&["START 15", "INFO usedatabase 1"]);
    stage.opens(&file);
    stage.send(&["TURN 7,7"]);
    let now = Instant::now();
    let news = Event::Line(line(0, 30, 9, &[(8, 8)]));
    stage.session.event(news, now);
    let found = |stage: &Stage| stage.session.keeper.has_news();
    stage.session.rest(now);
    assert!(found(&stage));
    stage.session.rest(now + Duration::from_secs(3));
    assert!(found(&stage));
    stage.session.rest(now + Duration::from_secs(6));
    assert!(!found(&stage));
    stage.send(&["INFO usedatabase 0"]);
    assert!(file.record(&after(&[(7, 7)])).is_some());
}
