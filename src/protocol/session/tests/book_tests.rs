//! Moves out of a book.

use super::*;

fn in_book(x: u8, y: u8) -> BookMove {
    BookMove {
        point: Point::new(x, y),
        book: "tengen-renju15".to_owned(),
        win_rate: 0.5234,
        depth: 12,
    }
}

/// A stage whose book knows the positions of so many stones.
fn with_book(book: &[(usize, BookMove)], lines: &[&str]) -> Stage {
    let mut stage = Stage::after(&[]);
    stage.asked.borrow_mut().book = book.to_vec();
    stage.send(&["START 15"]);
    stage.send(lines);
    stage
}

const TOLD: &str = "MESSAGE book 'tengen-renju15': I7, 52.3 %, depth 12";

#[test]
fn a_move_of_the_book_needs_no_search() {
    for turn in ["TURN 7,7", "BOARD 7,7,2 DONE"] {
        let mut stage = with_book(&[(1, in_book(8, 8))], &[]);
        assert_eq!(stage.send(&[turn]), [TOLD, "8,8"], "{turn}");
        assert_eq!(stage.searches(), 0);
        // It is on the board, and what is not in the book is searched.
        assert!(is_error(&stage.send(&["TURN 8,8"])));
        assert!(stage.send(&["TURN 9,9"]).is_empty());
        assert_eq!(stage.last_stones(), "7,7 -8,8 9,9");
        assert_eq!(stage.moves(6, 6), ["6,6"]);
    }
    let mut stage = with_book(&[(0, in_book(8, 9))], &["INFO transpose 1"]);
    let told = TOLD.replace("I7", "J7");
    assert_eq!(stage.send(&["BEGIN"]), [told.as_str(), "8,9"]);
}

#[test]
fn what_stands_behind_a_book_move_is_carried_out() {
    let book = [(0, in_book(8, 8)), (2, in_book(1, 1))];
    let mut stage = with_book(&book, &[]);
    let lines = stage.send(&["BEGIN", "TURN 7,7", "TURN 2,2", "YXSHOWFORBID"]);
    assert_eq!(lines, [TOLD, "8,8", &TOLD.replace("I7", "B14"), "1,1"]);
    assert_eq!(stage.last_stones(), "8,8 -7,7 1,1 -2,2");
    assert_eq!(stage.moves(5, 5), ["5,5", "FORBID ."]);
}

#[test]
fn it_is_switched_off_and_on() {
    let mut stage = with_book(&[(1, in_book(8, 8))], &["INFO book 0"]);
    assert!(stage.send(&["TURN 7,7"]).is_empty());
    assert_eq!(stage.searches(), 1);
    assert!(stage.asked.borrow().book_uses.is_empty());
    stage.moves(8, 8);
    stage.send(&["RESTART", "INFO book 1"]);
    assert_eq!(stage.send(&["TURN 7,7"]), [TOLD, "8,8"]);
}

#[test]
fn analysis_is_searched() {
    for verb in ["YXNBEST 1", "YXNBEST 3", "YXSEARCHDEFEND", "YXBALANCEONE"] {
        let mut stage = with_book(&[(1, in_book(8, 8))], &["YXBOARD 7,7,2 DONE"]);
        assert!(stage.send(&[verb]).is_empty(), "{verb}");
        assert_eq!(stage.searches(), 1, "{verb}");
    }
}

#[test]
fn ended_games_and_blocked_points_are_searched() {
    let mut stage = with_book(&[(1, in_book(8, 8))], &["YXBLOCK 8,8 DONE"]);
    assert!(stage.send(&["TURN 7,7"]).is_empty());
    assert_eq!(stage.searches(), 1);
    let mut stage = with_book(&[(1, in_book(8, 8))], &[]);
    stage.asked.borrow_mut().winner = Some(Color::Black);
    assert!(is_message(&stage.send(&["TURN 7,7"]), "black has won"));
    assert_eq!(stage.searches(), 1);
}

#[test]
fn the_book_is_used_as_the_options_say() {
    let options = [
        "INFO folder C:\\Some Folder\\x ",
        "INFO book_variety 3",
        "INFO book_seed 17",
        "TURN 7,7",
    ];
    let stage = with_book(&[], &options);
    let expected = BookUse {
        folder: Some(PathBuf::from("C:\\Some Folder\\x")),
        variety: 3,
        seed: Some(17),
    };
    assert_eq!(stage.asked.borrow().book_uses, [expected]);
    let odd = [
        "INFO book_variety 400",
        "INFO book_seed -1",
        "INFO folder",
        "TURN 7,7",
    ];
    let stage = with_book(&[], &odd);
    let expected = BookUse {
        variety: 100,
        ..BookUse::default()
    };
    assert_eq!(stage.asked.borrow().book_uses, [expected]);
}

#[test]
fn a_file_that_cannot_be_used_is_told_and_play_goes_on() {
    let mut stage = with_book(&[], &[]);
    let path = PathBuf::from("/b/tengen-freestyle15.book");
    stage.asked.borrow_mut().book_faults = vec![(path, "it is damaged".to_owned())];
    let told = "MESSAGE book '/b/tengen-freestyle15.book' is not used: 'it is damaged'";
    assert_eq!(stage.send(&["TURN 7,7"]), [told]);
    assert_eq!(stage.moves(8, 8), ["8,8"]);
    assert!(stage.send(&["TURN 9,9"]).is_empty());
}

#[test]
fn nobody_ponders_about_what_is_in_the_book() {
    for (stones, searches) in [(3, 1), (5, 2)] {
        let book = [(stones, in_book(1, 1))];
        let mut stage = with_book(&book, &["INFO pondering 1", "TURN 7,7"]);
        assert_eq!(stage.expects(&[(8, 8), (9, 9), (6, 6)]), ["8,8"]);
        assert_eq!(stage.searches(), searches);
        let printed = stage.send(&["TURN 9,9"]);
        assert_eq!(printed.is_empty(), stones == 5, "{printed:?}");
    }
}

#[test]
fn a_program_that_reads_json_gets_its_object() {
    let mut stage = with_book(&[(1, in_book(8, 8))], &["INFO json 1"]);
    let lines = stage.send(&["TURN 7,7"]);
    let [message, object, point] = lines.as_slice() else {
        panic!("{lines:?}");
    };
    assert_eq!((message.as_str(), point.as_str()), (TOLD, "8,8"));
    assert!(object.contains("\"answer\":[\"i7\"]"), "{object}");
}
