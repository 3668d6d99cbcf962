use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::library::BUILT_IN;
use super::{Book, BookMove, Entry, Key, Library, file_name, write};
use crate::rules::{RuleSpec, winner};
use crate::types::rng::SplitMix64;
use crate::types::{BoardSize, Color, Point, Position};

/// A position of up to ten random stones in which nobody has won.
fn random_position(rng: &mut SplitMix64, size: BoardSize) -> Position {
    loop {
        let mut position = Position::new(size);
        for _ in 0..rng.below(11) {
            let x = rng.below(size.width().into()) as u8;
            let y = rng.below(size.height().into()) as u8;
            position.play(Point::new(x, y));
        }
        if winner(RuleSpec::FREESTYLE, &position).is_none() {
            return position;
        }
    }
}

fn image(position: &Position, symmetry: u8) -> Position {
    let size = position.size();
    let stones = position.stones().iter();
    Position::after(
        size,
        stones.map(|(point, _)| size.transform(*point, symmetry)),
    )
}

/// An entry whose moves are free points of the position.
fn entry(position: &Position, rng: &mut SplitMix64) -> (u64, Entry) {
    let key = Key::of(position);
    let free = |point: &Point| position.at(*point).is_none();
    let free: Vec<Point> = position.size().points().filter(free).collect();
    let count = 1 + rng.below(4);
    let points: Vec<Point> = (0..count).map(|_| free[rng.below(free.len())]).collect();
    let moves = points.iter().zip((0..).step_by(3));
    let moves = moves.map(|(point, deficit)| BookMove {
        point: key.to_image(*point),
        deficit,
    });
    let entry = Entry {
        stones: position.stones().len() as u8,
        depth: rng.below(30) as u8,
        effort: rng.below(64) as u8,
        cost: rng.below(256) as u8,
        score: rng.below(4000) as i16 - 2000,
        moves: moves.collect(),
    };
    (key.hash, entry)
}

fn sizes() -> [BoardSize; 4] {
    [(15, 15), (20, 20), (22, 5), (9, 12)].map(|(w, h)| BoardSize::new(w, h).unwrap())
}

/// A book of random positions, and the positions.
fn random_book(seed: u64, size: BoardSize, count: usize) -> (Vec<u8>, Vec<(Position, Entry)>) {
    let mut rng = SplitMix64::new(seed);
    let mut known = Vec::new();
    let mut keys = std::collections::BTreeSet::new();
    while known.len() < count {
        let position = random_position(&mut rng, size);
        if keys.insert(Key::of(&position).hash) {
            let (_, entry) = entry(&position, &mut rng);
            known.push((position, entry));
        }
    }
    let entries = known
        .iter()
        .map(|(position, entry)| (Key::of(position).hash, entry.clone()));
    (write(RuleSpec::FREESTYLE, size, "made up", entries), known)
}

#[test]
fn every_image_of_a_position_has_the_image_of_its_moves() {
    for size in sizes() {
        let (bytes, known) = random_book(7, size, 150);
        let book = Book::read("made up", bytes).unwrap();
        assert_eq!(book.len(), 150);
        for (position, entry) in &known {
            let found = book.lookup(position).unwrap();
            // The moves are stored as the key turns them.
            let key = Key::of(position);
            let stored: Vec<Point> = entry
                .moves
                .iter()
                .map(|m| key.from_image(m.point))
                .collect();
            let moves: Vec<Point> = found.entry.moves.iter().map(|m| m.point).collect();
            assert_eq!(moves, stored);
            assert_eq!(found.entry.score, entry.score);
            for symmetry in 0..size.symmetries() {
                let turned = image(position, symmetry);
                assert_eq!(Key::of(&turned).hash, key.hash);
                let there = book.lookup(&turned).unwrap();
                for (at, point) in there.entry.moves.iter().zip(&moves) {
                    let (mut ours, mut theirs) = (position.clone(), turned.clone());
                    assert!(ours.play(*point) && theirs.play(at.point), "{position:?}");
                    // Where a position mirrors itself the point may be another one, the position
                    // after it may not.
                    assert_eq!(Key::of(&ours).hash, Key::of(&theirs).hash, "{symmetry}");
                }
            }
        }
    }
}

#[test]
fn a_lone_stone_is_found_in_all_eight_corners_of_the_board() {
    let size = BoardSize::STANDARD;
    let stone = Position::after(size, [Point::new(2, 3)]);
    let key = Key::of(&stone);
    let answer = Entry {
        stones: 1,
        depth: 9,
        effort: 30,
        cost: 0,
        score: 12,
        moves: vec![BookMove {
            point: key.to_image(Point::new(4, 3)),
            deficit: 0,
        }],
    };
    let book = Book::read(
        "one",
        write(RuleSpec::FREESTYLE, size, "", [(key.hash, answer)]),
    );
    let book = book.unwrap();
    let mut seen = std::collections::BTreeSet::new();
    for symmetry in 0..8 {
        let found = book.lookup(&image(&stone, symmetry)).unwrap();
        let point = found.choose(0, None).unwrap();
        assert_eq!(point, size.transform(Point::new(4, 3), symmetry));
        seen.insert(point);
    }
    assert_eq!(seen.len(), 8);
}

#[test]
fn side_to_move_colours_and_order_matter_as_they_should() {
    let points = [(7, 7), (8, 8), (9, 7), (6, 8)].map(|(x, y)| Point::new(x, y));
    let position = Position::after(BoardSize::STANDARD, points);
    let hash = Key::of(&position).hash;
    let [a, b, c, d] = points;
    let order = Position::after(BoardSize::STANDARD, [c, d, a, b]);
    assert_eq!(Key::of(&order).hash, hash);
    let swapped = Position::after(BoardSize::STANDARD, [b, a, d, c]);
    assert_ne!(Key::of(&swapped).hash, hash);
    let mut passed = position.clone();
    passed.to_move = Color::White;
    assert_ne!(Key::of(&passed).hash, hash);
}

#[test]
fn books_go_both_ways_and_may_be_cut() {
    for (seed, size) in (1..).zip(sizes()) {
        let (bytes, known) = random_book(seed, size, 200);
        let book = Book::read("b", bytes.clone()).unwrap();
        assert_eq!((book.rule, book.size), (RuleSpec::FREESTYLE, size));
        assert_eq!((book.name.as_str(), book.origin.as_str()), ("b", "made up"));
        assert_eq!(book.filtered("made up", Some), bytes);
        let mut written: Vec<&Entry> = known.iter().map(|(_, entry)| entry).collect();
        let mut read: Vec<Entry> = book.entries().collect();
        let order = |e: &Entry| (e.score, e.stones, e.cost, e.depth, e.effort);
        written.sort_by_key(|entry| order(entry));
        read.sort_by_key(order);
        assert!(read.iter().eq(written));
        let half = book.filtered("half", |entry| (entry.stones < 5).then_some(entry));
        let half = Book::read("half", half).unwrap();
        assert!(!half.is_empty() && half.len() < book.len());
        for (position, entry) in &known {
            assert_eq!(half.lookup(position).is_some(), entry.stones < 5);
        }
    }
    let empty = Book::read("e", write(RuleSpec::FREESTYLE, BoardSize::STANDARD, "", [])).unwrap();
    assert!(empty.is_empty() && empty.lookup(&Position::new(empty.size)).is_none());
}

#[test]
fn a_damaged_book_is_refused_whatever_is_wrong() {
    let (whole, _) = random_book(3, BoardSize::STANDARD, 40);
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        assert!(Book::read("d", bytes).is_err(), "byte {at}");
        assert!(Book::read("d", whole[..at].to_vec()).is_err(), "{at} bytes");
    }
    // With a sum that fits, the records themselves are checked.
    let mut rng = SplitMix64::new(11);
    for _ in 0..20_000 {
        let mut body = whole[..whole.len() - 8].to_vec();
        let at = rng.below(body.len());
        body[at] = rng.next_u64() as u8;
        let sum = super::checksum(&body);
        body.extend_from_slice(&sum.to_le_bytes());
        if let Ok(book) = Book::read("d", body) {
            assert_eq!(book.entries().count(), book.len(), "byte {at}");
        }
    }
}

#[test]
fn a_move_that_cannot_be_played_is_no_find() {
    let size = BoardSize::STANDARD;
    let renju = RuleSpec::by_name("renju").unwrap();
    // Black's h8 would be a double three.
    let stones = ["i8", "a1", "j8", "a15", "h9", "o1", "h10", "o15"];
    let stones =
        stones.map(|s| crate::record::notation::parse_point(s, size, Default::default()).unwrap());
    let position = Position::after(size, stones);
    let key = Key::of(&position);
    for (rule, point, is_found) in [
        (renju, Point::new(7, 7), false),
        (RuleSpec::FREESTYLE, Point::new(7, 7), true),
        (renju, stones[0], false),
        (renju, Point::new(3, 3), true),
    ] {
        let entry = Entry {
            stones: 8,
            depth: 1,
            effort: 1,
            cost: 0,
            score: 0,
            moves: vec![BookMove {
                point: key.to_image(point),
                deficit: 0,
            }],
        };
        let book = Book::read("b", write(rule, size, "", [(key.hash, entry)])).unwrap();
        assert_eq!(book.lookup(&position).is_some(), is_found, "{point:?}");
    }
}

#[test]
fn variety_chooses_among_good_moves_by_the_seed_alone() {
    let position = Position::after(BoardSize::STANDARD, [Point::new(2, 3)]);
    let key = Key::of(&position);
    let moves = [(5, 0), (6, 4), (7, 8), (8, 40)];
    let entry = Entry {
        stones: 1,
        depth: 1,
        effort: 1,
        cost: 0,
        score: 0,
        moves: moves
            .map(|(x, deficit)| BookMove {
                point: key.to_image(Point::new(x, 3)),
                deficit,
            })
            .to_vec(),
    };
    let bytes = write(
        RuleSpec::FREESTYLE,
        position.size(),
        "",
        [(key.hash, entry)],
    );
    let found = Book::read("b", bytes).unwrap().lookup(&position).unwrap();
    assert_eq!(found.choose(0, None), Some(Point::new(5, 3)));
    let seen = |percent| -> std::collections::BTreeSet<u8> {
        let points = (0..200).map(|seed| {
            let point = found.choose(percent, Some(seed));
            assert_eq!(found.choose(percent, Some(seed)), point);
            point.unwrap().x()
        });
        points.collect()
    };
    assert_eq!(seen(1), [5].into());
    assert_eq!(seen(2), [5, 6].into());
    assert_eq!(seen(100), [5, 6, 7, 8].into());
}

#[test]
fn effort_is_a_lower_bound_of_the_nodes() {
    let of = |nodes| Entry {
        stones: 0,
        depth: 0,
        effort: Entry::effort_of(nodes),
        cost: 0,
        score: 0,
        moves: Vec::new(),
    };
    for nodes in [1, 2, 40_000, 120_000, 1 << 24, u64::from(u32::MAX)] {
        let least = of(nodes).nodes();
        assert!(
            least <= nodes && least * 3 / 2 + 1 >= nodes,
            "{nodes}: {least}"
        );
    }
    assert_eq!(of(0).nodes(), 1);
    assert!(of(u64::MAX).nodes() > 1 << 31);
}

/// A folder of its own for each test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let name = format!("tengen-books-{name}-{}", std::process::id());
        let folder = Folder(std::env::temp_dir().join(name));
        std::fs::create_dir_all(&folder.0).unwrap();
        folder
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn files_are_found_by_name_and_bad_ones_told_once() {
    let size = BoardSize::new(9, 12).unwrap();
    let rule = RuleSpec::FREESTYLE;
    assert_eq!(file_name(rule, size), "tengen-freestyle9x12.book");
    assert_eq!(
        file_name(rule, BoardSize::STANDARD),
        "tengen-freestyle15.book"
    );
    let folder = Folder::new("files");
    let path = folder.0.join(file_name(rule, size));
    let (bytes, known) = random_book(5, size, 30);
    let (position, entry) = &known[0];
    let lookup = |library: &mut Library, folder: Option<&Path>, nodes| {
        let found = library.lookup(rule, position, folder, nodes);
        found.map(|(book, found)| (book.name.clone(), found.entry.score))
    };
    let mut library = Library::default();
    assert_eq!(lookup(&mut library, None, 0), None);
    std::fs::write(&path, &bytes).unwrap();
    let expected = Some(("tengen-freestyle9x12".to_owned(), entry.score));
    assert_eq!(lookup(&mut library, Some(&folder.0), 0), expected);
    assert_eq!(
        lookup(&mut library, Some(&folder.0), entry.nodes()),
        expected
    );
    assert_eq!(
        lookup(&mut library, Some(&folder.0), entry.nodes() + 1),
        None
    );
    assert!(library.take_faults().is_empty());
    let other = write(rule, BoardSize::STANDARD, "", []);
    let damaged = &bytes[1..];
    for (bytes, reason) in [(&other[..], "it is a book of"), (damaged, "it is no book")] {
        std::fs::write(&path, bytes).unwrap();
        let mut library = Library::default();
        for round in 0..2 {
            assert_eq!(lookup(&mut library, Some(&folder.0), 0), None);
            let faults = library.take_faults();
            assert_eq!(faults.len(), 1 - round);
            let fits = |(at, why): &(PathBuf, String)| *at == path && why.starts_with(reason);
            assert!(faults.iter().all(fits), "{faults:?}");
        }
    }
}

#[test]
fn a_huge_file_is_refused_unread() {
    let folder = Folder::new("huge");
    let path = folder.0.join("huge.book");
    let file = std::fs::File::create(&path).unwrap();
    file.set_len((8 << 20) + 1).unwrap();
    let error = Book::open(&path).unwrap_err();
    assert!(error.contains("larger than 8 MiB"), "{error}");
    assert!(Book::open(&folder.0.join("missing.book")).is_err());
}

#[test]
fn garbage_is_no_book() {
    let mut rng = SplitMix64::new(2);
    for length in 0..300 {
        let bytes: Vec<u8> = (0..length).map(|_| rng.next_u64() as u8).collect();
        assert!(Book::read("g", bytes).is_err());
        let mut bytes = b"TNGBOOK1".to_vec();
        bytes.extend((0..length).map(|_| rng.next_u64() as u8));
        assert!(Book::read("g", Cow::Owned(bytes)).is_err());
    }
}

/// Follows the best moves from the empty board; how many there are.
fn best_line(book: &Book) -> usize {
    let mut position = Position::new(book.size);
    while let Some(found) = book.lookup(&position) {
        for other in &found.entry.moves {
            assert_eq!(position.at(other.point), None);
        }
        let point = found.choose(0, None).unwrap();
        assert!(position.play(point));
        assert_eq!(winner(book.rule, &position), None);
    }
    position.stones().len()
}

#[test]
fn the_books_built_in_are_whole_and_small() {
    let mut bytes = 0;
    for (rule, side, book) in BUILT_IN {
        bytes += book.len();
        let book = Book::read("built in", book).unwrap();
        assert_eq!(
            (book.rule.name, book.size),
            (rule, BoardSize::square(side).unwrap())
        );
        assert!(book.len() >= 100, "{rule} {side}: {}", book.len());
        assert!(book.origin.starts_with("pbrain-tengen "), "{}", book.origin);
        assert!(best_line(&book) >= 1, "{rule} {side}");
        let mut library = Library::default();
        let found = library.lookup(book.rule, &Position::new(book.size), None, 0);
        let (known, found) = found.expect("the empty board");
        assert_eq!(known.name, format!("tengen-{rule}{side} (built in)"));
        assert_eq!(found.choose(0, None), Some(book.size.center()));
    }
    assert!(bytes < 400 << 10, "{bytes} bytes");
}
