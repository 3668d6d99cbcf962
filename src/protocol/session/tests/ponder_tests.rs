//! Searches ahead of their turn.

use super::*;

/// A stage whose puppet searches ahead for 9,9 after our 8,8.
fn pondering() -> Stage {
    let mut stage = Stage::after(&["START 15", "INFO pondering 1", "TURN 7,7"]);
    assert_eq!(stage.expects(&[(8, 8), (9, 9), (6, 6)]), ["8,8"]);
    assert_eq!(stage.last_stones(), "7,7 -8,8 9,9");
    let limits = stage.last_request().limits;
    assert_eq!((limits.turn, limits.clock), (None, None));
    assert_eq!((stage.searches(), stage.stops()), (2, 0));
    stage
}

#[test]
fn a_right_guess_goes_on_with_limits_from_its_arrival() {
    for turn in ["TURN 9,9", "BOARD 9,9,2 8,8,1 7,7,2 DONE"] {
        let mut stage = pondering();
        stage.send(&[
            "INFO timeout_turn 700",
            "INFO time_left 60000",
            "INFO show_detail 2",
        ]);
        let arrival = Instant::now();
        stage.session.accept(turn, arrival);
        assert_eq!((stage.searches(), stage.stops()), (2, 0), "{turn}");
        let limits = *stage.asked.borrow().limits.last().expect("limits");
        assert_eq!(limits.start, arrival);
        assert_eq!(limits.turn, Some(Duration::from_millis(700)));
        assert_eq!(limits.clock, Some(Duration::from_secs(60)));
        stage.send(&["INFO pondering 0"]);
        assert!(stage.send(&["YXSTOP"]).is_empty());
        assert_eq!(stage.stops(), 1, "the search is that of the turn");
        assert_eq!(stage.moves(6, 6), ["6,6"]);
        assert!(is_error(&stage.send(&["TURN 6,6"])));
    }
}

#[test]
fn a_finished_guess_is_answered_at_once() {
    let mut stage = pondering();
    assert!(stage.moves(6, 6).is_empty());
    assert_eq!(stage.send(&["TURN 9,9"]), ["6,6"]);
    assert_eq!((stage.searches(), stage.stops()), (2, 0));
    // And it is only for that turn.
    let mut stage = pondering();
    assert!(stage.moves(6, 6).is_empty());
    assert!(stage.send(&["TURN 1,1"]).is_empty());
    assert_eq!(stage.last_stones(), "7,7 -8,8 1,1");
    assert_eq!(stage.moves(5, 5), ["5,5"]);
}

#[test]
fn anything_else_ends_the_guess_without_a_word() {
    for (line, printed) in [
        ("RESTART", "OK"),
        ("START 15", "OK"),
        ("TAKEBACK 8,8", "OK"),
        ("PLAY 1,1", "1,1"),
        ("YXSTOP", ""),
        ("yxhashclear", ""),
        ("YXBOARD 7,7,2 DONE", ""),
        ("TURN 8,8", "ERROR"),
    ] {
        let mut stage = pondering();
        assert!(stage.send(&[line]).is_empty(), "{line}");
        assert_eq!(stage.stops(), 1, "{line}");
        let now = stage.moves(6, 6).join("|");
        assert!(
            now.starts_with(printed) && now.is_empty() == printed.is_empty(),
            "{line}: {now}"
        );
        assert_eq!(stage.searches(), 2, "{line}");
    }
    for line in [
        "BEGIN",
        "TURN 1,1",
        "BOARD 1,1,2 DONE",
        "YXNBEST 2",
        "yxsearchdefend",
    ] {
        let mut stage = pondering();
        assert!(stage.send(&[line]).is_empty(), "{line}");
        assert_eq!((stage.searches(), stage.stops()), (2, 1), "{line}");
        assert!(stage.moves(6, 6).is_empty(), "{line}");
        assert_eq!(stage.searches(), 3, "{line}");
        assert_eq!(stage.moves(5, 5), ["5,5"], "{line}");
    }
}

#[test]
fn a_guess_under_other_conditions_is_no_guess() {
    for line in [
        "INFO rule 1",
        "INFO max_depth 4",
        "INFO strength 30",
        "INFO hash_size 4096",
        "yxblock 2,2 done",
    ] {
        let mut stage = pondering();
        stage.send(&[line, "TURN 9,9"]);
        assert_eq!((stage.searches(), stage.stops()), (2, 1), "{line}");
        assert!(stage.moves(6, 6).is_empty());
        assert_eq!(stage.searches(), 3, "{line}");
    }
}

#[test]
fn a_guess_leaves_the_rest_alone() {
    let mut stage = pondering();
    assert_eq!(stage.send(&["ABOUT"]), [reply::about()]);
    assert_eq!(stage.send(&["yxshowforbid"]), ["FORBID ."]);
    stage.send(&[
        "INFO time_left 5000",
        "INFO timeout_turn 0",
        "foo",
        "yxblockreset",
    ]);
    assert_eq!(stage.stops(), 0);
    stage.send(&["INFO pondering 0"]);
    assert_eq!(stage.stops(), 1);
    let mut stage = pondering();
    stage.session.close_input(Instant::now());
    assert_eq!(stage.stops(), 1);
    assert!(stage.session.is_over());
}

#[test]
fn there_is_no_guess_without_a_reason() {
    let begun = |lines: &[&str]| Stage::after(&[&["START 15"], lines].concat());
    // Not wanted; no reply known; told to stop; analysis of several lines; a finished game.
    let mut stage = begun(&["TURN 7,7"]);
    stage.expects(&[(8, 8), (9, 9)]);
    assert_eq!(stage.searches(), 1);
    let mut stage = begun(&["INFO pondering 1", "TURN 7,7"]);
    stage.expects(&[(8, 8)]);
    assert_eq!(stage.searches(), 1);
    let mut stage = begun(&["INFO pondering 1", "TURN 7,7", "YXSTOP"]);
    stage.expects(&[(8, 8), (9, 9)]);
    assert_eq!(stage.searches(), 1);
    let mut stage = begun(&["INFO pondering 1", "YXNBEST 2"]);
    stage.expects(&[(8, 8), (9, 9)]);
    assert_eq!(stage.searches(), 1);
    let mut stage = begun(&["INFO pondering 1", "TURN 7,7"]);
    stage.asked.borrow_mut().winner = Some(Color::Black);
    stage.expects(&[(8, 8), (9, 9)]);
    assert_eq!(stage.searches(), 1);
    // A position set meanwhile is not the one that was thought about.
    let mut stage = begun(&["INFO pondering 1", "TURN 7,7", "YXBOARD 1,1,2 DONE"]);
    stage.expects(&[(8, 8), (9, 9)]);
    assert_eq!(stage.searches(), 1);
}
