//! The verbs of Yixin's board.

use super::*;

#[test]
fn both_moves_of_a_balance_are_on_the_board() {
    let mut stage = Stage::after(&["START 15", "YXBOARD 7,7,2 DONE", "yxbalancetwo -20"]);
    let task = Task::Balance {
        both: true,
        target: -20,
    };
    assert_eq!(stage.last_request().task, task);
    let moves = vec![Point::new(8, 8), Point::new(9, 9)];
    assert_eq!(stage.done(Reply::Moves(moves)), ["8,8 9,9"]);
    stage.send(&["YXBALANCEONE 99999999999999999999"]);
    assert_eq!(stage.last_stones(), "7,7 -8,8 9,9");
    let task = Task::Balance {
        both: false,
        target: score::EVAL_LIMIT,
    };
    assert_eq!(stage.last_request().task, task);
    assert_eq!(stage.moves(1, 1), ["1,1"]);
    stage.send(&["yxsearchdefend"]);
    assert_eq!(stage.last_request().task, Task::Defend);
    assert_eq!(stage.last_request().position.to_move, Color::Black);
}

#[test]
fn analysis_verbs_wait_for_the_search_and_need_a_board() {
    for verb in [
        "YXBALANCEONE",
        "yxbalancetwo 0",
        "yxsearchdefend",
        "yxnbest 2",
    ] {
        assert!(is_error(&Stage::after(&[]).send(&[verb])), "{verb}");
        let mut stage = Stage::after(&["START 15", "TURN 7,7", verb]);
        assert_eq!((stage.searches(), stage.stops()), (1, 0), "{verb}");
        assert_eq!(stage.moves(8, 8), ["8,8"]);
        assert_eq!(stage.searches(), 2, "{verb}");
        assert_eq!(stage.last_stones(), "7,7 -8,8");
    }
}

#[test]
fn work_on_the_table_holds_up_what_is_behind_it() {
    let mut stage = Stage::after(&["START 15", "yxhashdump", " /a b/START 20 "]);
    assert_eq!(stage.asked.borrow().saved, [PathBuf::from("/a b/START 20")]);
    assert!(
        stage
            .send(&["yxhashload", "x", "TURN 7,7", "YXSTOP"])
            .is_empty()
    );
    stage.session.close_input(Instant::now());
    assert_eq!(stage.asked.borrow().loaded.len(), 0);
    stage.session.event(Event::Table(Ok(17)), Instant::now());
    assert!(is_message(&stage.session.take_output(), "dump: 17 entries"));
    assert_eq!(
        (stage.asked.borrow().loaded.len(), stage.searches()),
        (1, 0)
    );
    assert!(!stage.session.is_over());
    let failed = Err("no such\nfile".to_owned());
    stage.session.event(Event::Table(failed), Instant::now());
    assert!(is_message(
        &stage.session.take_output(),
        "load failed: 'no such?file'"
    ));
    assert_eq!((stage.searches(), stage.stops()), (1, 1));
    assert_eq!(stage.moves(8, 8), ["8,8"]);
    assert!(stage.session.is_over());
}

#[test]
fn blocked_paths_count_in_their_position_only() {
    let mut stage = Stage::after(&["yxblockpath 1,1 2,2 done", "START 15", "yxblockpath"]);
    stage.send(&["7,7", "8,8", "done", "yxblock 3,3 done", "TURN 7,7"]);
    let points = [Point::new(3, 3), Point::new(8, 8)];
    assert_eq!(stage.last_request().blocked, points);
    stage.moves(9, 9);
    stage.send(&["TURN 1,1"]);
    assert_eq!(stage.last_request().blocked, points[..1]);
    stage.moves(5, 5);
    stage.send(&[
        "yxblockpathundo 7,7 8,8 done",
        "yxblockreset",
        "START 15",
        "TURN 7,7",
    ]);
    assert!(stage.last_request().blocked.is_empty());
}

#[test]
fn mirrored_moves_are_left_out_of_several_when_asked_for() {
    let mut stage = Stage::after(&["START 15", "INFO nbestsym 1", "BEGIN"]);
    assert!(stage.last_request().blocked.is_empty());
    stage.moves(7, 7);
    stage.send(&["YXNBEST 1"]);
    assert!(stage.last_request().blocked.is_empty());
    stage.moves(0, 0);
    stage.send(&["YXBOARD 7,7,2 DONE", "YXNBEST 5"]);
    assert_eq!(stage.last_request().blocked.len(), 224 - 35);
}

#[test]
fn columns_and_rows_change_places_for_a_board_that_sends_rows_first() {
    let mut stage = Stage::after(&["INFO transpose 1", "RECTSTART 20,12", "TURN 11,19"]);
    assert_eq!(stage.last_request().position.size().to_string(), "12x20");
    stage.moves(0, 0);
    assert!(is_error(&stage.send(&["TURN 12,0"])));
}

#[test]
fn the_steps_of_swap2_are_answered_in_words() {
    let mut stage = Stage::after(&["START 15", "YXBOARD 1,1,2 DONE", "yxswap2step1"]);
    assert_eq!(stage.last_opening(), "");
    let three = placed(&[(7, 7), (8, 7), (9, 9)]);
    assert_eq!(stage.decides(&[three], None).len(), 3);
    assert!(is_error(&stage.send(&["yxswap2step2"])));
    stage.send(&["yxboard 7,7,2 8,7,1 9,9,2 done", "yxswap2step2"]);
    assert_eq!(stage.last_opening(), "place h8 i8 j6");
    let told = stage.decides(&[Action::Swap], None);
    assert_eq!(told, ["MESSAGE SWAP2 SWAP1 YES"]);
    assert!(is_error(&stage.send(&["yxswap2step3"])));
    let five = "yxboard 7,7,2 8,7,1 9,9,2 6,8,1 8,6,2 done";
    stage.send(&[five, "yxswap2step3"]);
    assert_eq!(stage.last_opening(), "place h8 i8 j6; place g7 i9");
    // There yes means Black, which is what the side that is asked has had.
    let told = stage.decides(&[Action::Swap], Some((1, 1)));
    assert_eq!(told, ["MESSAGE SWAP2 SWAP2 NO"]);
    stage.send(&["yxswap2step3"]);
    let told = stage.decides(&[Action::Stay], None);
    assert_eq!(told, ["MESSAGE SWAP2 SWAP2 YES"]);
    assert!(is_error(&Stage::after(&[]).send(&["yxswap2step1"])));
}

#[test]
fn a_query_of_the_database_is_answered_at_once() {
    let marks = ["MESSAGE DATABASE REFRESH", "MESSAGE DATABASE DONE"];
    let query = ["yxquerydatabaseallt", "7,7", "done"];
    let mut stage = Stage::after(&["START 15"]);
    assert_eq!(stage.send(&query), marks);
    stage.send(&["INFO pondering 1", "board", "7,7,2", "done"]);
    assert_eq!(stage.send(&query), marks);
    assert_eq!(stage.stops(), 0);
    assert_eq!(stage.expects(&[(8, 8), (9, 9), (1, 1)]), ["8,8"]);
    assert_eq!(stage.searches(), 2, "no search ahead of the turn");
    assert_eq!(stage.send(&query), marks);
    assert_eq!(stage.stops(), 0);
}

#[test]
fn a_search_for_an_earlier_position_ends_without_marks() {
    let detail = ["INFO show_detail 3", "START 15", "board", "7,7,2", "done"];
    let with_marks = |lines: &[&str]| {
        let mut stage = Stage::after(&detail);
        stage.send(lines);
        let lost = Event::RootMove(Point::new(1, 1), crate::engine::RootMoveState::Lost);
        stage.session.event(lost, Instant::now());
        let line = line(0, 20, 5, &[(8, 8)]);
        stage.session.take_output();
        stage.ends(Reply::Move(line.pv[0]), vec![line])
    };
    let is_mark = |text: &&String| text.contains("REALTIME") || text.starts_with("INFO ");
    let marks = |lines: &[&str]| with_marks(lines).iter().filter(is_mark).count();
    assert!(marks(&["yxstop"]) >= 12);
    assert!(marks(&["yxstop", "yxshowforbid", "yxshowhashusage"]) >= 12);
    assert_eq!(marks(&["yxstop", "start 15"]), 0);
    assert_eq!(marks(&["start 15", "yxboard done", "yxshowforbid"]), 0);
}

#[test]
fn a_board_that_asks_for_the_machine_sends_rows_first_unless_told() {
    let size = |lines: &[&str]| {
        let mut stage = Stage::after(lines);
        stage.send(&["RECTSTART 20,12", "BEGIN"]);
        stage.last_request().position.size().to_string()
    };
    assert_eq!(size(&[]), "20x12");
    assert_eq!(size(&["yxshowinfo"]), "12x20");
    assert_eq!(size(&["yxshowinfo", "INFO transpose 0"]), "20x12");
    assert_eq!(size(&["INFO transpose 0", "yxshowinfo"]), "20x12");
}

#[test]
fn steps_of_soosorv_are_messages_without_a_comma() {
    let points = |count: u8| (0..count).map(|n| Point::new(n, 9)).collect::<Vec<_>>();
    let four = "place h8 h9 i10; stay; place d11; declare 2";
    for (line, before, actions, printed) in [
        (
            "yxsoosorvstep1",
            String::new(),
            vec![Action::Place(points(3))],
            &["MOVE1 0 9", "MOVE2 1 9", "MOVE3 2 9"][..],
        ),
        (
            "yxsoosorvstep2 7,7 7,6 8,5 done",
            "place h8 h9 i10".to_owned(),
            vec![Action::Swap],
            &["SWAP1 YES"],
        ),
        (
            "yxsoosorvstep3 7,7 7,6 8,5 done",
            "place h8 h9 i10; stay".to_owned(),
            vec![placed(&[(3, 4)]), Action::Declare(2)],
            &["MOVE4 3 4 2"],
        ),
        (
            "yxsoosorvstep4 2 7,7 7,6 8,5 3,4 done",
            four.to_owned(),
            vec![Action::Stay],
            &["SWAP2 NO"],
        ),
        (
            "yxsoosorvstep5 2 7,7 7,6 8,5 3,4 done",
            format!("{four}; stay"),
            vec![Action::Offer(points(2))],
            &["MOVE5 REFRESH", "MOVE5 0 9", "MOVE5 1 9", "MOVE5 DONE"],
        ),
        (
            "yxsoosorvstep6 7,7 7,6 8,5 3,4 0,9 1,9 done",
            format!("{four}; stay; offer a6 b6"),
            vec![Action::Pick(Point::new(0, 9))],
            &["MOVE5C 0 9"],
        ),
    ] {
        let mut stage = Stage::after(&["START 15", line]);
        assert_eq!(stage.last_opening(), before, "{line}");
        let asked_for = stage.asked.borrow().openings[0].1;
        assert_eq!(asked_for, actions.len(), "{line}");
        let told = stage.decides(&actions, None);
        let expected: Vec<String> = printed
            .iter()
            .map(|text| format!("MESSAGE SOOSORV {text}"))
            .collect();
        assert_eq!(told, expected);
    }
}

#[test]
fn steps_of_soosorv_need_their_stones() {
    for line in [
        "yxsoosorvstep2 done",
        "yxsoosorvstep3 7,7 7,7 8,5 done",
        "yxsoosorvstep4 0 7,7 7,6 8,5 3,4 done",
        "yxsoosorvstep4 9 7,7 7,6 8,5 3,4 done",
        "yxsoosorvstep5 2 7,7 done",
        "yxsoosorvstep6 7,7 7,6 8,5 3,4 done",
        // Not one of the 26 openings; images of each other.
        "yxsoosorvstep2 7,7 7,6 8,12 done",
        "yxsoosorvstep6 7,7 7,6 7,8 7,9 5,9 9,9 done",
    ] {
        let mut stage = Stage::after(&["START 15"]);
        assert!(is_error(&stage.send(&[line])), "{line}");
        assert!(stage.asked.borrow().openings.is_empty(), "{line}");
    }
    assert!(is_error(&Stage::after(&[]).send(&["yxsoosorvstep1"])));
}
