//! The session against a puppet in place of the engine: what is asked of it, and what is
//! printed when.

mod book_tests;
mod database_tests;
mod opening_tests;
mod ponder_tests;
mod yixin_tests;

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;

use super::*;
use crate::engine::{BookFault, BookMove, BookUse, Line, Settings, Step};
use crate::opening_rules::{Action, State};
use crate::rules::RuleSpec;
use crate::types::Color;

/// What the session has asked for.
#[derive(Debug, Default)]
struct Asked {
    requests: Vec<Request>,
    stops: usize,
    limits: Vec<Limits>,
    configured: Vec<Settings>,
    cleared: usize,
    saved: Vec<PathBuf>,
    loaded: Vec<PathBuf>,
    winner: Option<Color>,
    /// The book: positions by the number of their stones.
    book: Vec<(usize, BookMove)>,
    book_uses: Vec<BookUse>,
    book_faults: Vec<BookFault>,
    /// Openings and how many actions were asked for.
    openings: Vec<(State, usize)>,
}

#[derive(Debug, Default)]
struct Puppet(Rc<RefCell<Asked>>);

impl Thinker for Puppet {
    fn go(&mut self, request: Request) {
        self.0.borrow_mut().requests.push(request);
    }
    fn decide(&mut self, state: State, _: Limits, most: usize, _: Option<u64>) {
        self.0.borrow_mut().openings.push((state, most));
    }
    fn stop(&self) {
        self.0.borrow_mut().stops += 1;
    }
    fn set_limits(&self, limits: Limits) {
        self.0.borrow_mut().limits.push(limits);
    }
    fn settings(&self) -> Settings {
        self.0
            .borrow()
            .configured
            .last()
            .copied()
            .unwrap_or_default()
    }
    fn configure(&mut self, settings: Settings) {
        self.0.borrow_mut().configured.push(settings);
    }
    fn clear_hash(&mut self) {
        self.0.borrow_mut().cleared += 1;
    }
    fn forbidden_points(&mut self, rule: &'static RuleSpec, position: &Position) -> Vec<Point> {
        let forbids = rule.forbids(position.to_move);
        if forbids {
            vec![Point::new(1, 10)]
        } else {
            Vec::new()
        }
    }
    fn save_table(&mut self, path: PathBuf) {
        self.0.borrow_mut().saved.push(path);
    }
    fn load_table(&mut self, path: PathBuf) {
        self.0.borrow_mut().loaded.push(path);
    }
    fn table_usage(&self) -> usize {
        123
    }
    fn winner(&self, _: &'static RuleSpec, _: &Position) -> Option<Color> {
        self.0.borrow().winner
    }
    fn book_move(
        &mut self,
        _: &'static RuleSpec,
        position: &Position,
        _: &Limits,
        wish: &BookUse,
    ) -> Option<BookMove> {
        let mut asked = self.0.borrow_mut();
        asked.book_uses.push(wish.clone());
        let stones = position.stones().len();
        let found = asked.book.iter().find(|(count, _)| *count == stones);
        found.map(|(_, found)| found.clone())
    }
    fn take_book_faults(&mut self) -> Vec<BookFault> {
        std::mem::take(&mut self.0.borrow_mut().book_faults)
    }
}

/// A session and its puppet.
struct Stage {
    session: Session<Puppet>,
    asked: Rc<RefCell<Asked>>,
}

/// A line of a search as the puppet reports it.
fn line(index: usize, score: Score, depth: u32, pv: &[(u8, u8)]) -> Line {
    Line {
        index,
        count: index + 1,
        depth,
        seldepth: depth,
        score,
        win_rate: 0.5,
        nodes: 1,
        total_nodes: 1,
        elapsed: Duration::from_millis(1),
        pv: pv.iter().map(|(x, y)| Point::new(*x, *y)).collect(),
    }
}

impl Stage {
    /// A fresh session that has been sent these lines.
    fn after(lines: &[&str]) -> Stage {
        let asked = Rc::default();
        let session = Session::new(Puppet(Rc::clone(&asked)));
        let mut stage = Stage { session, asked };
        stage.send(lines);
        stage
    }

    /// What is printed in return for these lines.
    fn send(&mut self, lines: &[&str]) -> Vec<String> {
        for line in lines {
            self.session.accept(line, Instant::now());
        }
        self.session.take_output()
    }

    /// What is printed when the search ends with that reply.
    fn done(&mut self, reply: Reply) -> Vec<String> {
        self.ends(reply, Vec::new())
    }

    /// What is printed when the search ends with a move whose best line is this.
    fn expects(&mut self, pv: &[(u8, u8)]) -> Vec<String> {
        let line = line(0, 20, 5, pv);
        let printed = self.ends(Reply::Move(line.pv[0]), vec![line]);
        let moves = printed
            .into_iter()
            .filter(|line| !line.starts_with("MESSAGE "));
        moves.collect()
    }

    fn ends(&mut self, reply: Reply, lines: Vec<Line>) -> Vec<String> {
        let answer = Answer {
            reply,
            lines,
            nodes: 1,
            elapsed: Duration::from_millis(10),
        };
        self.session.event(Event::Done(answer), Instant::now());
        self.session.take_output()
    }

    /// What is printed when that is decided.
    fn decides(&mut self, actions: &[Action], reply: Option<(u8, u8)>) -> Vec<String> {
        self.done(Reply::Step(Step {
            actions: actions.to_vec(),
            reply: reply.map(|(x, y)| Point::new(x, y)),
            nodes: 1,
        }))
    }

    /// The actions of the last opening that was asked about.
    fn last_opening(&self) -> String {
        let asked = self.asked.borrow();
        let (state, _) = asked.openings.last().expect("an opening");
        let size = state.setup().size;
        let actions = state.history().iter();
        let actions = actions.map(|(_, action)| action.format(size));
        actions.collect::<Vec<_>>().join("; ")
    }

    fn moves(&mut self, x: u8, y: u8) -> Vec<String> {
        self.done(Reply::Move(Point::new(x, y)))
    }

    fn searches(&self) -> usize {
        self.asked.borrow().requests.len()
    }

    fn stops(&self) -> usize {
        self.asked.borrow().stops
    }

    fn last_request(&self) -> Request {
        self.asked
            .borrow()
            .requests
            .last()
            .expect("a search")
            .clone()
    }

    /// The stones of the last request as `x,y` with a sign for White.
    fn last_stones(&self) -> String {
        let position = self.last_request().position;
        let sign = |color| if color == Color::White { "-" } else { "" };
        let stones = position.stones().iter();
        let words = stones.map(|(p, c)| format!("{}{}", sign(*c), reply::point(*p)));
        words.collect::<Vec<_>>().join(" ")
    }
}

fn is_message(lines: &[String], word: &str) -> bool {
    matches!(lines, [line] if line.starts_with("MESSAGE ") && line.contains(word))
}

fn is_error(lines: &[String]) -> bool {
    matches!(lines, [line] if line.starts_with("ERROR ") && line.len() > 10)
}

#[test]
fn a_board_must_be_started_first() {
    let mut stage = Stage::after(&[]);
    for line in [
        "RESTART",
        "BEGIN",
        "TURN 7,7",
        "TAKEBACK 7,7",
        "PLAY 7,7",
        "BOARD DONE",
    ] {
        assert!(is_error(&stage.send(&[line])), "{line}");
    }
    assert_eq!(stage.send(&["YXSHOWFORBID"]), ["FORBID ."]);
    assert_eq!(stage.send(&["START 15"]), ["OK"]);
    assert_eq!(stage.send(&["RESTART"]), ["OK"]);
}

#[test]
fn a_bad_size_keeps_the_board() {
    let mut stage = Stage::after(&["START 15", "YXBOARD 7,7,2 DONE"]);
    for line in [
        "START 4",
        "START 23",
        "START -3",
        "START x",
        "START",
        "RECTSTART 15,99",
    ] {
        assert!(is_error(&stage.send(&[line])), "{line}");
    }
    assert!(is_error(&stage.send(&["TURN 7,7"])));
    assert_eq!(stage.send(&["RECTSTART 20 , 12"]), ["OK"]);
}

#[test]
fn our_move_is_on_the_board_when_it_is_printed() {
    let mut stage = Stage::after(&["START 15", "TURN 7,7"]);
    assert_eq!(stage.last_stones(), "7,7");
    assert_eq!(stage.last_request().position.to_move, Color::White);
    assert_eq!(stage.moves(8, 8), ["8,8"]);
    assert!(is_error(&stage.send(&["TURN 8,8"])));
    assert!(is_error(&stage.send(&["TURN 15,0"])));
    stage.send(&["TURN 9,9"]);
    assert_eq!(stage.last_stones(), "7,7 -8,8 9,9");
}

#[test]
fn the_turn_starts_when_the_line_arrives() {
    let mut stage = Stage::after(&["START 15"]);
    let arrival = Instant::now() - Duration::from_millis(70);
    stage.session.accept("TURN 7,7", arrival);
    assert_eq!(stage.last_request().limits.start, arrival);
}

#[test]
fn position_commands_end_the_search_and_wait_for_its_move() {
    let mut stage = Stage::after(&["INFO rule 4", "START 15", "TURN 7,7"]);
    let burst = [
        "yxstop",
        "start 15",
        "yxboard",
        "3,3,2",
        "done",
        "yxshowforbid",
        "turn 4,4",
    ];
    assert!(stage.send(&burst).is_empty());
    assert!(stage.stops() > 0);
    assert_eq!(stage.moves(8, 8), ["8,8", "OK", "FORBID ."]);
    assert_eq!(stage.last_stones(), "3,3 -4,4");
    assert_eq!(stage.moves(5, 5), ["5,5"]);
}

#[test]
fn each_search_ends_for_the_next_in_order() {
    let mut stage = Stage::after(&["START 15", "BEGIN", "TURN 1,1", "TURN 2,2", "TURN 1,1"]);
    assert_eq!((stage.searches(), stage.stops()), (1, 3));
    assert_eq!(stage.moves(7, 7), ["7,7"]);
    assert_eq!((stage.searches(), stage.stops()), (2, 4));
    assert_eq!(stage.moves(8, 8), ["8,8"]);
    let printed = stage.moves(9, 9);
    assert_eq!(printed.first().unwrap(), "9,9");
    assert!(is_error(printed.get(1..).unwrap()));
}

#[test]
fn other_commands_wait_without_holding_up_a_stop() {
    let mut stage = Stage::after(&["START 15", "BEGIN"]);
    assert!(
        stage
            .send(&["foo", "YXHASHCLEAR", "YXSHOWFORBID", "TURN abc"])
            .is_empty()
    );
    assert_eq!(stage.send(&["ABOUT"]), [reply::about()]);
    assert_eq!(stage.stops(), 0);
    assert!(stage.send(&["YXSTOP", "stop"]).is_empty());
    assert_eq!(stage.stops(), 2);
    let printed = stage.moves(7, 7);
    assert_eq!(printed.len(), 4);
    assert!(printed[1].starts_with("UNKNOWN ") && printed[3].starts_with("ERROR "));
    assert_eq!(stage.asked.borrow().cleared, 1);
    assert!(stage.send(&["YXSTOP"]).is_empty());
    assert_eq!(stage.stops(), 2);
}

#[test]
fn a_stop_behind_a_queued_move_is_for_that_move() {
    let mut stage = Stage::after(&["START 15", "BEGIN", "TURN 1,1", "YXSTOP"]);
    let before = stage.stops();
    stage.moves(7, 7);
    assert_eq!((stage.searches(), stage.stops()), (2, before + 1));
}

#[test]
fn end_is_obeyed_at_once_and_in_silence() {
    for lines in [
        &["END"][..],
        &["START 15", "BEGIN", "END"],
        &["START 15", "BEGIN", "START 15"],
    ] {
        let mut stage = Stage::after(lines);
        assert!(stage.send(&["end"]).is_empty());
        assert!(stage.session.is_over());
    }
}

#[test]
fn changed_limits_count_from_the_start_of_the_turn() {
    let lines = [
        "START 15",
        "INFO timeout_match 90000",
        "INFO time_left 5000",
        "BEGIN",
    ];
    let mut stage = Stage::after(&lines);
    let first = stage.last_request().limits;
    assert_eq!(first.clock, Some(Duration::from_millis(5000)));
    stage.send(&[
        "INFO timeout_turn 700",
        "INFO time_left 1",
        "INFO rule 1",
        "INFO max_depth 9",
    ]);
    let seen = stage.asked.borrow().limits.clone();
    let expected = Limits {
        turn: Some(Duration::from_millis(700)),
        depth: Some(9),
        ..first
    };
    assert_eq!(seen.last(), Some(&expected));
    assert_eq!((seen.len(), stage.stops()), (2, 0));
    stage.send(&["INFO timeout_turn 0"]);
    assert_eq!(stage.stops(), 1);
    stage.moves(7, 7);
    stage.send(&["TURN 1,1"]);
    assert_eq!(
        stage.last_request().limits.clock,
        Some(Duration::from_millis(1))
    );
}

#[test]
fn a_closed_input_stops_what_has_no_bound() {
    let mut stage = Stage::after(&[
        "START 15",
        "INFO timeout_turn -1",
        "INFO max_depth 99",
        "BEGIN",
    ]);
    let now = Instant::now();
    stage.session.close_input(now);
    assert_eq!(stage.stops(), 1);
    assert_eq!(stage.session.deadline(), Some(now + LAST_WORD));
    assert!(!stage.session.is_over());
    assert_eq!(stage.moves(7, 7), ["7,7"]);
    assert!(stage.session.is_over());
}

#[test]
fn a_closed_input_lets_a_bound_search_end() {
    let mut stage = Stage::after(&["START 15", "INFO timeout_turn 700", "BEGIN", "TURN 1,1"]);
    stage.session.close_input(Instant::now());
    assert_eq!(stage.stops(), 1, "for the TURN behind it only");
    let end = stage.last_request().limits.start + Duration::from_millis(700);
    assert_eq!(stage.session.deadline(), Some(end + LAST_WORD));
    assert_eq!(stage.moves(7, 7), ["7,7"]);
    assert!(!stage.session.is_over());
    assert_eq!(stage.moves(8, 8), ["8,8"]);
    assert!(stage.session.is_over());

    let mut stage = Stage::after(&["START 15", "INFO max_node 1000", "BEGIN"]);
    stage.session.close_input(Instant::now());
    assert_eq!((stage.stops(), stage.session.deadline()), (0, None));
}

#[test]
fn a_full_board_is_an_error_that_keeps_the_stone() {
    let all: Vec<String> = (0..25)
        .map(|i| format!("{},{},{}", i % 5, i / 5, i % 2 + 1))
        .collect();
    let mut stage = Stage::after(&["START 5"]);
    assert_eq!(
        stage.send(&[&format!("BOARD {} DONE", all.join(" "))]),
        ["ERROR board is full"]
    );
    assert_eq!(stage.send(&["YXNBEST 2"]), ["ERROR board is full"]);
    assert_eq!(stage.send(&["TAKEBACK 4,4"]), ["OK"]);
    assert_eq!(stage.send(&["TURN 4,4"]), ["ERROR board is full"]);
    assert_eq!(stage.send(&["TAKEBACK 4,4"]), ["OK"]);
    assert_eq!(stage.searches(), 0);
}

#[test]
fn a_finished_game_is_told_and_answered_at_once() {
    let mut stage = Stage::after(&["START 15"]);
    stage.asked.borrow_mut().winner = Some(Color::Black);
    let printed = stage.send(&["TURN 7,7"]);
    assert_eq!(printed, ["MESSAGE the game is over: black has won"]);
    assert_eq!(stage.last_request().limits.turn, Some(Duration::ZERO));
    assert_eq!(stage.moves(0, 0), ["0,0"]);
}

#[test]
fn a_rule_we_do_not_know_is_an_error_until_it_is_changed() {
    let mut stage = Stage::after(&["START 15", "YXBOARD 7,7,2 DONE"]);
    assert!(stage.send(&["INFO rule chess"]).is_empty());
    for line in [
        "START 20",
        "BEGIN",
        "TURN 1,1",
        "BOARD 2,2,2 DONE",
        "SWAP2BOARD DONE",
        "YXNBEST",
    ] {
        assert!(is_error(&stage.send(&[line])), "{line}");
    }
    assert_eq!(stage.searches(), 0);
    stage.send(&["INFO RULE OMOK", "TURN 1,1"]);
    assert_eq!(
        (stage.last_stones().as_str(), stage.last_request().rule.name),
        ("7,7 -1,1", "omok")
    );
}

/// An action that places stones.
fn placed(stones: &[(u8, u8)]) -> Action {
    Action::Place(stones.iter().map(|(x, y)| Point::new(*x, *y)).collect())
}

#[test]
fn swap2_answers_are_not_placed() {
    let mut stage = Stage::after(&["START 15", "SWAP2BOARD", "DONE"]);
    assert_eq!(stage.last_opening(), "");
    let three = placed(&[(7, 7), (8, 7), (9, 9)]);
    assert_eq!(stage.decides(&[three], None), ["7,7 8,7 9,9"]);
    stage.send(&["SWAP2BOARD", "7,7", "8,7,1", "9,9", "DONE"]);
    assert_eq!(stage.last_opening(), "place h8 i8 j6");
    assert_eq!(stage.decides(&[Action::Swap], None), ["SWAP"]);
    assert!(is_error(&stage.send(&["SWAP2BOARD 1,1 2,2 DONE"])));
    stage.send(&["BOARD 7,7,2 8,7,1 9,9,2 DONE"]);
    assert_eq!(stage.last_request().position.to_move, Color::White);
}

/// Who is asked after five stones has put the first one: he keeps Black by the word and takes
/// White by a move.
#[test]
fn the_word_of_swap2_means_black_after_three_stones_and_after_five() {
    for (stones, black, white) in [
        ("7,7 8,7 9,9", Action::Swap, Action::Stay),
        ("7,7 8,7 9,9 6,8 8,6", Action::Stay, Action::Swap),
    ] {
        let mut stage = Stage::after(&["START 15"]);
        stage.send(&[&format!("SWAP2BOARD {stones} DONE")]);
        assert_eq!(stage.decides(&[black], None), ["SWAP"]);
        stage.send(&[&format!("SWAP2BOARD {stones} DONE")]);
        assert_eq!(stage.decides(&[white], Some((1, 2))), ["1,2"]);
    }
    let mut stage = Stage::after(&["START 15", "INFO rule 4"]);
    stage.send(&["SWAP2BOARD 7,7 8,7 9,9 6,8 8,6 DONE"]);
    assert_eq!(stage.last_opening(), "place h8 i8 j6; place g7 i9");
    assert_eq!(
        stage.asked.borrow().openings[0].0.setup().game.name,
        "renju"
    );
}

#[test]
fn bad_lines_of_a_block_are_messages() {
    let mut stage = Stage::after(&["START 15"]);
    let printed = stage.send(&["BOARD", "7,7,1", "7,7,2", "99,1,1", "junk", "8,8,3", "DONE"]);
    assert_eq!(printed.len(), 4);
    assert!(printed.iter().all(|line| line.starts_with("MESSAGE ")));
    assert_eq!(stage.moves(9, 9), ["9,9"]);
    let printed = stage.send(&["BOARD 1,1,3 DONE"]);
    assert!(
        printed.is_empty(),
        "dead stones are explained once: {printed:?}"
    );
}

#[test]
fn takeback_takes_any_stone() {
    let mut stage = Stage::after(&["START 15", "YXBOARD 1,1,1 2,2,2 3,3,1 4,4,2 DONE"]);
    assert_eq!(stage.send(&["TAKEBACK 4,4", "TAKEBACK 3,3"]), ["OK", "OK"]);
    assert!(is_error(&stage.send(&["TAKEBACK 3,3"])));
    assert!(is_error(&stage.send(&["TAKEBACK 33,3"])));
    assert_eq!(stage.send(&["TAKEBACK 1,1"]), ["OK"]);
    stage.send(&["TURN 5,5"]);
    assert_eq!(stage.last_stones(), "-2,2 5,5");
}

#[test]
fn play_places_our_stone() {
    let mut stage = Stage::after(&["START 15"]);
    assert_eq!(stage.send(&["PLAY 3,3"]), ["3,3"]);
    assert!(is_error(&stage.send(&["PLAY 3,3"])));
    stage.send(&["TURN 4,4"]);
    assert_eq!(stage.last_stones(), "3,3 -4,4");
}

#[test]
fn begin_and_restart_clear_the_board() {
    let mut stage = Stage::after(&["START 15", "TURN 7,7"]);
    stage.moves(8, 8);
    assert_eq!(stage.send(&["RESTART"]), ["OK"]);
    stage.send(&["TURN 8,8"]);
    stage.moves(7, 7);
    stage.send(&["BEGIN"]);
    assert_eq!(stage.last_stones(), "");
}

#[test]
fn settings_reach_the_engine_with_the_next_search() {
    let mut stage = Stage::after(&[
        "START 15",
        "INFO hash_size 65536",
        "INFO max_memory 400000000",
    ]);
    assert!(stage.asked.borrow().configured.is_empty());
    stage.send(&["BEGIN"]);
    stage.moves(7, 7);
    stage.send(&["TURN 1,1"]);
    let configured = stage.asked.borrow().configured.clone();
    let [settings] = configured.as_slice() else {
        panic!("{configured:?}");
    };
    assert_eq!(
        (settings.hash, settings.memory),
        (Some(64 << 20), 400_000_000)
    );
}

#[test]
fn blocked_points_are_handed_on() {
    let mut stage = Stage::after(&["START 5", "YXBOARD 2,2,1 1,1,2 DONE"]);
    stage.send(&[
        "yxblock",
        "0,0",
        "2,2",
        "0,0",
        "9,9",
        "3,3",
        "done",
        "yxblockundo 3,3 done",
    ]);
    stage.send(&["YXNBEST 300"]);
    assert_eq!(stage.last_request().blocked, [Point::new(0, 0)]);
    assert_eq!(stage.last_request().task, Task::Move { lines: 23 });
    stage.moves(3, 3);
    let all: Vec<String> = (0..25).map(|i| format!("{},{}", i % 5, i / 5)).collect();
    stage.send(&[&format!("yxblock {} done", all.join(" ")), "yxnbest 1"]);
    assert!(
        stage.last_request().blocked.is_empty(),
        "nothing would be left"
    );
    stage.moves(3, 4);
    stage.send(&[
        "yxblockreset",
        "yxblock 4,4 done",
        "yxblockreset",
        "yxnbest 1",
    ]);
    assert!(stage.last_request().blocked.is_empty());
}

#[test]
fn a_board_with_new_verbs_is_told_by_message() {
    let mut stage = Stage::after(&[]);
    assert!(stage.send(&["yxnew 1"])[0].starts_with("UNKNOWN "));
    let printed = stage.send(&["yxshowinfo"]);
    assert!(printed[0].starts_with("MESSAGE INFO MAX_THREAD_NUM "));
    assert!(printed[1].starts_with("MESSAGE INFO MAX_HASH_SIZE "));
    assert!(stage.send(&["yxnew 1"])[0].starts_with("MESSAGE "));
    assert_eq!(stage.send(&["yxdraw"]), ["MESSAGE YXDRAW is not supported"]);
}

#[test]
fn detail_can_change_during_the_search() {
    let mut stage = Stage::after(&["START 15", "BEGIN"]);
    let best = Event::RootMove(Point::new(7, 7), crate::engine::RootMoveState::Best);
    stage.session.event(best.clone(), Instant::now());
    assert!(stage.session.take_output().is_empty());
    stage.send(&["INFO show_detail 1"]);
    stage.session.event(best, Instant::now());
    assert_eq!(stage.session.take_output(), ["MESSAGE REALTIME BEST 7,7"]);
}

#[test]
fn a_flood_of_waiting_lines_costs_little() {
    let mut stage = Stage::after(&["START 15", "BEGIN"]);
    for _ in 0..200_000 {
        stage.session.accept("foo", Instant::now());
    }
    assert_eq!(stage.moves(7, 7).len(), 200_001);
}
