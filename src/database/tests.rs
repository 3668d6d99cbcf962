use super::*;
use crate::record::renlib::Library;
use crate::rules::PRESETS;
use crate::types::rng::SplitMix64;
use crate::types::{Bound, Point, score};

const SIZE: BoardSize = BoardSize::STANDARD;
const RENJU: &RuleSpec = &PRESETS[2];

/// A folder of a test's own, gone with it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let name = format!("tengen-database-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn after(moves: &[(u8, u8)]) -> Position {
    Position::after(SIZE, moves.iter().map(|(x, y)| Point::new(*x, *y)))
}

fn key(moves: &[(u8, u8)]) -> Key {
    Key::of(RENJU, &after(moves))
}

fn get(database: &Database, moves: &[(u8, u8)]) -> Option<Record> {
    database.read().unwrap().get(&key(moves)).unwrap()
}

/// A database with records along h8 i9 h10 and beside it.
fn filled(path: &Path) -> Database {
    let database = Database::create(path).unwrap();
    let mut noted = Record::searched(35, 14);
    noted.set_label("A");
    noted.set_comment("one, \"two\"\nthree");
    let records = [
        (vec![(7, 7)], Record::searched(20, 12)),
        (vec![(7, 7), (8, 6)], noted),
        (
            vec![(7, 7), (8, 6), (7, 5)],
            Record::searched(score::win_in(7), 9),
        ),
        (
            vec![(7, 7), (8, 6), (9, 9)],
            Record::searched(score::loss_in(8), 9),
        ),
        (vec![(7, 7), (7, 6)], Record::searched(-60, 10)),
    ];
    database
        .write(|writer| {
            for (moves, record) in &records {
                writer.put(&key(moves), record)?;
            }
            Ok(())
        })
        .unwrap();
    database
}

fn table(database: &Database) -> String {
    let mut out = Vec::new();
    database.read().unwrap().to_table(None, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn records_are_found_in_every_image_and_order() {
    let folder = Folder::new("images");
    let database = filled(&folder.file("a.db"));
    let record = get(&database, &[(7, 7), (8, 6), (7, 5)]).unwrap();
    assert_eq!((record.tag, record.value), (Tag::Loss, score::win_in(7)));
    // Turned, and with the black stones exchanged.
    assert_eq!(
        get(&database, &[(9, 7), (8, 8), (7, 7)]),
        Some(record.clone())
    );
    assert_eq!(get(&database, &[(7, 7), (8, 6)]).unwrap().label(), "A");
    assert_eq!(get(&database, &[(7, 7), (6, 8)]).unwrap().label(), "A");
    assert_eq!(get(&database, &[(7, 7), (9, 5)]), None);
    let free = Key::of(&PRESETS[0], &after(&[(7, 7)]));
    assert_eq!(database.read().unwrap().get(&free), Ok(None));
    drop(database);
    let again = Database::open(&folder.file("a.db")).unwrap();
    assert_eq!(get(&again, &[(7, 7), (8, 6), (7, 5)]), Some(record));
    assert_eq!(again.read().unwrap().len(), Ok(5));
}

#[test]
fn children_of_a_position_are_its_moves() {
    let folder = Folder::new("children");
    let database = filled(&folder.file("a.db"));
    let reader = database.read().unwrap();
    let moves = |position: &Position| -> Vec<Point> {
        let children = reader.children(RENJU, position).unwrap();
        children.into_iter().map(|(point, _)| point).collect()
    };
    // Two records, each at the four points that are images of one another.
    assert_eq!(moves(&after(&[(7, 7)])).len(), 8);
    assert_eq!(moves(&after(&[])), [Point::new(7, 7)]);
    let second = moves(&after(&[(7, 7), (8, 6)]));
    assert!(second.contains(&Point::new(7, 5)) && second.contains(&Point::new(9, 9)));
}

#[test]
fn a_failed_change_changes_nothing() {
    let folder = Folder::new("fail");
    let database = filled(&folder.file("a.db"));
    let before = table(&database);
    let result: Result<()> = database.write(|writer| {
        writer.remove(&key(&[(7, 7)]))?;
        writer.put(&key(&[(1, 1)]), &Record::searched(1, 1))?;
        Err(Fault::Input("no".to_owned()))
    });
    assert_eq!(result, Err(Fault::Input("no".to_owned())));
    assert_eq!(table(&database), before);
}

#[test]
fn an_emptied_record_is_gone() {
    let folder = Folder::new("empty");
    let database = Database::create(&folder.file("a.db")).unwrap();
    let place = key(&[(7, 7)]);
    let edit = |text: &str| {
        let edited = database.write(|writer| writer.edit(&place, |record| record.set_label(text)));
        edited.unwrap();
    };
    edit("A");
    assert_eq!(database.read().unwrap().len(), Ok(1));
    edit(" ");
    assert_eq!(database.read().unwrap().is_empty(), Ok(true));
}

#[test]
fn branches_go_by_what_is_chosen() {
    let folder = Folder::new("branches");
    let all = |choice, recursive| Filter { choice, recursive };
    for (filter, left) in [
        (all(Choice::All, false), 1),
        // The winning and the losing move are behind a record without result.
        (all(Choice::WinsAndLosses, false), 5),
        (all(Choice::WinsAndLosses, true), 3),
        (all(Choice::Wins, true), 4),
        (all(Choice::Losses, true), 4),
        (all(Choice::Within(8), true), 4),
        (all(Choice::Within(9), true), 3),
        (all(Choice::WithoutDistance, true), 5),
        // The results stay, behind a record that is gone.
        (all(Choice::NoWinsAndLosses, false), 3),
    ] {
        let path = folder.file("b.db");
        let database = filled(&path);
        let removed = database.write(|w| w.remove_branches(RENJU, &after(&[(7, 7)]), filter));
        assert_eq!(removed, Ok(5 - left), "{filter:?}");
        assert_eq!(database.read().unwrap().len(), Ok(left), "{filter:?}");
        drop(database);
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn one_move_is_the_best() {
    let folder = Folder::new("best");
    let database = filled(&folder.file("a.db"));
    let tag = |moves: &[(u8, u8)]| get(&database, moves).map(|record| record.tag);
    for (best, other) in [((8, 6), (7, 6)), ((7, 6), (8, 6))] {
        let position = after(&[(7, 7), best]);
        database.write(|w| w.set_best(RENJU, &position)).unwrap();
        assert_eq!(tag(&[(7, 7), best]), Some(Tag::Best));
        assert_eq!(tag(&[(7, 7), other]), Some(Tag::None));
    }
    let none = database.write(|w| w.set_best(RENJU, &after(&[])));
    assert!(matches!(none, Err(Fault::Input(_))));
}

#[test]
fn a_branch_is_copied_with_the_way_to_it() {
    let folder = Folder::new("split");
    let database = filled(&folder.file("a.db"));
    let branch = Database::create(&folder.file("b.db")).unwrap();
    let reader = database.read().unwrap();
    let position = after(&[(7, 7), (8, 6)]);
    let copied = branch.write(|w| w.copy_branch(&reader, RENJU, &position));
    assert_eq!(copied, Ok(4));
    assert_eq!(get(&branch, &[(7, 7), (7, 6)]), None);
    assert_eq!(get(&branch, &[(7, 7)]), get(&database, &[(7, 7)]));
    // And back: nothing is new.
    let other = branch.read().unwrap();
    assert_eq!(database.write(|w| w.merge(&other)), Ok(0));
    let mut deeper = Record::searched(50, 30);
    deeper.set_comment("more");
    branch.write(|w| w.put(&key(&[(7, 7)]), &deeper)).unwrap();
    let other = branch.read().unwrap();
    assert_eq!(database.write(|w| w.merge(&other)), Ok(1));
    assert_eq!(get(&database, &[(7, 7)]), Some(deeper));
}

#[test]
fn tables_go_both_ways() {
    let folder = Folder::new("table");
    let database = filled(&folder.file("a.db"));
    let text = table(&database);
    assert!(text.starts_with("rule,size,black,white,side,tag,value,depth,bound,label,comment\n"));
    assert!(text.contains("\"one, \"\"two\"\"\nthree\""), "{text}");
    let copy = Database::create(&folder.file("b.db")).unwrap();
    assert_eq!(copy.write(|w| w.add_table(text.as_bytes())), Ok(5));
    assert_eq!(table(&copy), text);
    let mut positions = Vec::new();
    let reader = copy.read().unwrap();
    assert_eq!(reader.to_positions(RENJU, SIZE, &mut positions), Ok(5));
    let lines = String::from_utf8(positions).unwrap();
    assert!(lines.lines().any(|line| line == "h8"), "{lines}");
}

#[test]
fn a_wrong_table_is_refused_whole() {
    let folder = Folder::new("wrong");
    let database = Database::create(&folder.file("a.db")).unwrap();
    let head = "rule,size,black,white,side,tag,value,depth,bound,label,comment\n";
    let good = "renju,15,h8,,white,,1,2,exact,,\n";
    assert_eq!(
        database.write(|w| w.add_table(format!("{head}{good}").as_bytes())),
        Ok(1)
    );
    for (row, reason) in [
        ("chess,15,h8,,white,,1,2,exact,,", "unknown rule"),
        ("renju,4,h8,,white,,1,2,exact,,", "board size"),
        ("renju,15,h8h8,,white,,1,2,exact,,", "named twice"),
        ("renju,15,h8,h8,white,,1,2,exact,,", "taken by both"),
        ("renju,15,h8,,red,,1,2,exact,,", "black or white"),
        ("renju,15,h8,,white,win,1,2,exact,,", "a tag is"),
        ("renju,15,h8,,white,,1,2,sure,,", "the bound must"),
        ("renju,15,h8,,white,,,2,exact,,", "needs a value"),
        ("renju,15,h8,,white,,x,2,exact,,", "no table"),
        ("renju,15,h8", "no table"),
    ] {
        let text = format!("{head}renju,15,a1,,white,,1,2,exact,,\n{row}\n");
        let error = database
            .write(|w| w.add_table(text.as_bytes()))
            .unwrap_err();
        assert!(error.to_string().contains(reason), "{row}: {error}");
        assert_eq!(database.read().unwrap().len(), Ok(1));
    }
}

#[test]
fn libraries_go_both_ways() {
    let folder = Folder::new("library");
    let database = filled(&folder.file("a.db"));
    let reader = database.read().unwrap();
    let library = reader.to_library(RENJU, &after(&[])).unwrap();
    let copy = Database::create(&folder.file("b.db")).unwrap();
    let bytes = library.to_bytes();
    let read = Library::parse(&bytes).unwrap();
    assert_eq!(copy.write(|w| w.add_library(RENJU, &read)), Ok(5));
    let [moves, win, loss] = [
        &[(7, 7), (8, 6)][..],
        &[(7, 7), (8, 6), (9, 9)],
        &[(7, 7), (8, 6), (7, 5)],
    ];
    let noted = get(&copy, moves).unwrap();
    assert_eq!(
        (noted.label(), noted.comment()),
        ("A", "one, \"two\"\nthree")
    );
    for moves in [win, loss] {
        let (old, new) = (get(&database, moves).unwrap(), get(&copy, moves).unwrap());
        assert_eq!((new.tag, new.value), (old.tag, old.value));
        assert_eq!(new.display(), old.display());
    }
    let again = copy.read().unwrap().to_library(RENJU, &after(&[])).unwrap();
    assert_eq!(again.nodes().len(), library.nodes().len());
    let from_middle = reader.to_library(RENJU, &after(&[(7, 7), (8, 6)])).unwrap();
    assert_eq!(from_middle.nodes().len(), 5);
    let small = Position::new(BoardSize::square(14).unwrap());
    assert!(reader.to_library(RENJU, &small).is_err());
    let mut uneven = after(&[(7, 7)]);
    uneven.to_move = crate::types::Color::Black;
    assert!(reader.to_library(RENJU, &uneven).is_err());
}

#[test]
fn what_is_no_database_is_left_alone() {
    let folder = Folder::new("foreign");
    let path = folder.file("a.db");
    assert_eq!(Database::open(&path).unwrap_err(), Fault::Missing);
    for text in ["x", "rule,size\n", &"text ".repeat(10_000)] {
        fs::write(&path, text).unwrap();
        let error = Database::create(&path).unwrap_err();
        assert!(
            matches!(error, Fault::Foreign | Fault::Damaged(_)),
            "{error:?}"
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    fs::remove_file(&path).unwrap();
    drop(redb::Database::create(&path).unwrap());
    assert_eq!(Database::create(&path).unwrap_err(), Fault::Foreign);
    let nowhere = folder.file("no/such/folder.db");
    assert!(Database::create(&nowhere).is_err());
    // An empty file is as good as none.
    let empty = folder.file("empty.db");
    fs::write(&empty, "").unwrap();
    let database = Database::create(&empty).unwrap();
    assert_eq!(Database::open(&empty).unwrap_err(), Fault::Busy);
    drop(database);
    assert!(Database::open(&empty).is_ok());
}

/// Whatever is flipped or cut off: the file opens and is read, or is refused with a reason; no
/// panic, and no record that was never written.
#[test]
fn damaged_files_are_refused() {
    let folder = Folder::new("damage");
    let path = folder.file("a.db");
    let mut rng = SplitMix64::new(11);
    let database = Database::create(&path).unwrap();
    database
        .write(|writer| {
            for n in 0..2000 {
                let (x, y) = ((n % 15) as u8, (n / 15 % 15) as u8);
                let moves = [(7, 7), (x, y), (y, x), ((n % 11) as u8, (n % 13) as u8)];
                let mut record = Record::searched(n, 10);
                record.set_comment("a comment that takes some room");
                writer.put(&key(&moves), &record)?;
            }
            Ok(())
        })
        .unwrap();
    let all = table(&database);
    drop(database);
    let bytes = fs::read(&path).unwrap();
    let used = bytes.iter().rposition(|byte| *byte != 0).unwrap();
    let (mut refused, mut same) = (0, 0);
    for round in 0..60 {
        let mut damaged = bytes.clone();
        match round % 3 {
            0 => damaged.truncate(rng.below(used)),
            1 => damaged[rng.below(used)] ^= 1 << rng.below(8),
            _ => {
                let at = rng.below(used - 512);
                damaged[at..at + 512].fill(rng.below(256) as u8);
            }
        }
        fs::write(&path, &damaged).unwrap();
        match Database::open(&path) {
            Err(error) => {
                assert!(!error.to_string().is_empty());
                refused += 1;
            }
            Ok(database) => {
                assert_eq!(table(&database), all, "round {round}");
                same += 1;
            }
        }
    }
    assert!(refused >= 20, "{refused} refused, {same} unharmed");
}

#[test]
fn a_check_counts_and_mends() {
    let folder = Folder::new("check");
    let mut database = filled(&folder.file("a.db"));
    let good = Check {
        records: 5,
        wrong: 0,
    };
    assert_eq!(database.check(false), Ok(good));
    // An image that is not the least one, and bytes that mean nothing.
    let turned = [RENJU.code as u8, 15, 15, 1, 0, 1, 224];
    let record = Record::searched(3, 4).to_bytes();
    database
        .write(|writer| {
            for (key, value) in [
                (&turned[..], &record[..]),
                (b"?", &record),
                (&turned[..3], b""),
            ] {
                writer.table.insert(key, value).map_err(fault)?;
            }
            Ok(())
        })
        .unwrap();
    let found = Check {
        records: 5,
        wrong: 3,
    };
    assert_eq!(database.check(true), Ok(found));
    let mended = Check {
        records: 6,
        wrong: 0,
    };
    assert_eq!(database.check(false), Ok(mended));
    assert_eq!(get(&database, &[(0, 0)]), Some(Record::searched(3, 4)));
    assert_eq!(get(&database, &[(0, 0)]).unwrap().bound, Bound::Exact);
    let counts = database.read().unwrap().counts().unwrap();
    let count = counts[&("renju", 15, 15)];
    assert_eq!((count.records, count.results, count.texts), (6, 2, 1));
}
