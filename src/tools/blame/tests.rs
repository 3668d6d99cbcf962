//! A made-up match with known mistakes.

use std::path::Path;

use serde_json::json;

use super::cause::Means;
use super::trace::{Levels, Turn};
use super::*;
use crate::record::notation::{self, Rows};
use crate::rules::RuleSpec;
use crate::tools::matches::record::{GameRecord, Reason, Winner};
use crate::types::{BoardSize, Color, Point, score};

/// White leaves an open three alone with stone 6.
const OPEN_THREE: &str = "7,7 8,8 7,8 8,7 7,9 3,3 7,10 7,6 7,11";

fn record(game: usize, moves: &str, result: Winner, reason: Reason) -> GameRecord {
    GameRecord {
        game,
        black: "A".to_owned(),
        white: "B".to_owned(),
        rule: "freestyle".to_owned(),
        size: "15x15".to_owned(),
        opening_number: 0,
        opening: "0,0".to_owned(),
        opening_play: None,
        moves: moves.to_owned(),
        times: Vec::new(),
        result,
        reason,
        detail: String::new(),
        notes: Vec::new(),
        messages: vec![(6, "ev 100".to_owned())],
    }
}

fn lost(moves: &str) -> LostGame {
    let record = record(0, moves, Winner::Black, Reason::Row);
    LostGame::new(&record, "B").unwrap().unwrap()
}

fn args(folder: &Path) -> BlameArgs {
    BlameArgs {
        folder: folder.to_path_buf(),
        engine: Some("B".to_owned()),
        nodes: Some(20_000),
        lost: 5.0,
        drop: 10.0,
        concurrency: 2,
        hash: 1,
        out: Some(folder.join("blame.jsonl")),
    }
}

/// A folder as `match` leaves it while it still runs: the last line is not complete.
fn folder(name: &str, records: &[GameRecord]) -> PathBuf {
    let name = format!("tengen-blame-{name}-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let engine = |name| json!({"name": name, "limits": {"turn": 100, "nodes": null}});
    let plan = json!({"engines": [engine("A"), engine("B")]});
    std::fs::write(folder.join("match.json"), plan.to_string()).unwrap();
    let lines = records
        .iter()
        .map(|r| serde_json::to_string(r).unwrap() + "\n");
    let text = lines.collect::<String>() + "{\"game\":";
    std::fs::write(folder.join("games.jsonl"), text).unwrap();
    folder
}

#[test]
fn the_losing_move_is_found_and_kept() {
    let records = [
        record(2, OPEN_THREE, Winner::Black, Reason::Row),
        record(1, "7,7 8,8", Winner::White, Reason::Crash),
        record(0, "7,7 8,8 7,8", Winner::Black, Reason::Time),
    ];
    let folder = folder("kept", &records);
    let (args, go) = (args(&folder), AtomicBool::new(false));
    let (total, found) = search_all(&args, &go).unwrap();
    assert_eq!((total, found.len()), (2, 2));
    assert_eq!(found[&0].cause, Cause::Failure);
    let blame = &found[&2];
    assert_eq!(blame.cause, Cause::OpponentWin(Means::Fours));
    let turn = blame.turn.as_ref().unwrap();
    assert_eq!((turn.ply, turn.played.as_str()), (6, "3,3"));
    assert!(
        turn.preferred.as_deref().unwrap().starts_with("7,"),
        "{turn:?}"
    );
    assert_eq!(
        (turn.after, turn.announced.as_deref()),
        (Some(0.0), Some("ev 100"))
    );
    assert_eq!(blame.position.as_deref(), Some("h8i7h7i8h6"));
    assert!(
        blame
            .line()
            .contains("white against A: move 6 at 3,3, better 7,"),
        "{}",
        blame.line()
    );
    assert!(report::table(found.values()).contains("missed opponent's win by fours"));

    let mut opening = blame.clone();
    opening.cause = Cause::Opening;
    opening.turn.as_mut().unwrap().after = None;
    assert!(
        opening
            .line()
            .ends_with(" % before move 6  lost in the opening")
    );

    // A run cut short in its second line goes on and comes to the same.
    let path = folder.join("blame.jsonl");
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, &whole[..whole.len() - 9]).unwrap();
    assert_eq!(search_all(&args, &go).unwrap().1, found);
    assert_eq!(std::fs::read(&path).unwrap(), whole);

    // Other terms are another file.
    let other = BlameArgs {
        nodes: None,
        ..args
    };
    let error = search_all(&other, &go).unwrap_err();
    assert!(error.contains("use another --out"), "{error}");
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn a_stopped_run_searches_nothing() {
    let folder = folder(
        "stopped",
        &[record(0, OPEN_THREE, Winner::Black, Reason::Row)],
    );
    let (total, found) = search_all(&args(&folder), &AtomicBool::new(true)).unwrap();
    assert_eq!((total, found.len()), (1, 0));
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn bad_records_and_options_are_named() {
    let bad = |moves: &str| {
        let record = record(7, moves, Winner::Black, Reason::Row);
        LostGame::new(&record, "B").map(|_| ()).unwrap_err()
    };
    for (moves, fault) in [
        ("7,7 7,7", "game 7: two stones on 7,7"),
        ("7,8 7,7", "game 7: it does not begin with its opening"),
        ("7,7 15,3", "game 7: "),
    ] {
        assert!(bad(moves).starts_with(fault), "{}", bad(moves));
    }
    let plan = json!({"engines": [{"name": "A", "limits": {"turn": 300}}]});
    let mut args = args(Path::new("x"));
    let error = terms(&args, &plan).unwrap_err();
    assert_eq!(error, "no engine 'B' in this match, but A");
    (args.engine, args.nodes) = (None, None);
    assert_eq!(terms(&args, &plan).unwrap().nodes, 3_000_000);
    args.drop = 101.0;
    assert!(terms(&args, &plan).is_err());
}

/// Traces a game with made-up opinions: the score of the loser by the number of stones.
fn traced(scores: &[(usize, i32)]) -> (Turn, Vec<usize>) {
    let game = lost("7,7 0,0 7,8 1,1 7,9 2,5 7,10 3,7 7,11");
    let mut judge = |position: &Position| {
        let stones = position.stones().len();
        let score = scores.iter().find(|(count, _)| *count == stones).unwrap().1;
        let own = position.to_move == game.color;
        let score = if own { score } else { -score };
        Ok(Some(Opinion {
            score,
            line: Vec::new(),
        }))
    };
    let levels = Levels {
        lost: 0.25,
        drop: 0.2,
    };
    let trace = trace::trace(&game, levels, &mut judge).unwrap().unwrap();
    (
        trace.turn,
        trace.searched.iter().map(|mv| mv.stones).collect(),
    )
}

#[test]
fn the_turn_is_the_last_move_that_cost_much() {
    let loss = score::loss_in(4);
    // A second, earlier mistake is not reached.
    let scores = [(7, loss), (5, 100), (6, loss), (3, 100), (4, -900)];
    assert_eq!(traced(&scores), (Turn::Sudden(1), vec![7, 5]));
    // About 43 %, 38 %, 32 %, and lost: each move costs less than a fifth.
    let scores = [
        (7, loss),
        (5, -150),
        (6, -220),
        (3, -100),
        (4, -150),
        (1, -50),
        (2, -120),
    ];
    let (turn, searched) = traced(&scores);
    assert_eq!((turn, searched), (Turn::Slow(3), vec![7, 5, 3, 1]));
    // Nothing before a level position is looked at.
    let scores = [(7, loss), (5, -150), (6, -220), (3, 10), (4, -150)];
    assert_eq!(traced(&scores), (Turn::Slow(2), vec![7, 5, 3]));
    let scores = [(7, loss), (5, loss), (3, -400), (1, -300)];
    assert_eq!(traced(&scores), (Turn::BeforePlay(3), vec![7, 5, 3, 1]));
}

#[test]
fn a_forbidden_last_move_is_its_own_cause() {
    // A double three on 7,7 in a level position.
    let moves = "6,7 0,0 8,7 0,14 7,6 14,0 7,8 14,14 7,7";
    let mut record = record(0, moves, Winner::White, Reason::Forbidden);
    record.rule = "renju".to_owned();
    record.opening = String::new();
    let game = LostGame::new(&record, "A").unwrap().unwrap();
    let mut level = |_: &Position| {
        Ok(Some(Opinion {
            score: 0,
            line: Vec::new(),
        }))
    };
    let levels = Levels {
        lost: 0.25,
        drop: 0.2,
    };
    let trace = trace::trace(&game, levels, &mut level).unwrap().unwrap();
    assert_eq!(trace.turn, Turn::Sudden(0));
    assert_eq!(
        Cause::of(&game, &trace, &tables("renju")),
        Cause::ForbiddenMove
    );
}

#[test]
fn a_win_that_is_not_proven_is_not_given_means() {
    let game = lost(OPEN_THREE);
    let cause = |score| {
        let line = vec![Point::new(7, 10)];
        let opinion = |score, line| Opinion { score, line };
        let searched = vec![trace::Searched {
            stones: 5,
            played: Point::new(3, 3),
            before: opinion(0, Vec::new()),
            after: Some(opinion(score, line)),
        }];
        let turn = Turn::Sudden(0);
        Cause::of(
            &game,
            &trace::Trace { searched, turn },
            &tables("freestyle"),
        )
    };
    assert_eq!(cause(score::loss_in(4)), Cause::OpponentWin(Means::Fours));
    let bound = 1 - score::WIN_BOUND;
    assert_eq!(cause(bound), Cause::OpponentWin(Means::Unproven));
    assert_eq!(cause(-600), Cause::SuddenDrop);
}

fn tables(rule: &str) -> Arc<RuleTables> {
    let rule = RuleSpec::parse(rule).unwrap();
    Arc::new(RuleTables::new(rule, eval::weights(rule)))
}

#[test]
fn the_means_of_a_win_are_its_weakest_move() {
    let size = BoardSize::STANDARD;
    let points = |text: &str| notation::parse_moves(text, size, Rows::FromBottom).unwrap();
    let position = |black: &str, white: &str| {
        let mut position = Position::new(size);
        for (stones, color) in [(black, Color::Black), (white, Color::White)] {
            for point in points(stones) {
                position.add(point, color);
            }
        }
        position
    };
    let judged = |black: &str, white: &str, line: &str| {
        let line: Vec<Point> = points(line);
        cause::means(&tables("freestyle"), &position(black, white), &line)
    };
    // An open three becomes an open four.
    assert_eq!(judged("g8h8i8", "a1a3a5", "j8k8f8"), Means::Fours);
    // Two stones first become a three.
    assert_eq!(judged("g8h8", "a1a3", "i8a5j8k8f8"), Means::Threes);
    assert_eq!(judged("g8h8", "a1a3", "l3a5i8a7j8k8f8"), Means::QuietMoves);
    // The answer to a four of White's is no move of the attack.
    assert_eq!(judged("g8h8i8", "a1a2a3a4", "a5c9j8k8f8"), Means::Fours);
    assert_eq!(judged("g8h8", "a1", ""), Means::QuietMoves);
}
