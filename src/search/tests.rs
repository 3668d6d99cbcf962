//! What the search claims, checked against the referee and against problems with known answers.

use serde::Deserialize;

use super::history::Context;
use super::picker::Picker;
use super::*;
use crate::eval;
use crate::pattern::{CellClass, RuleTables};
use crate::record::notation::{self, Rows};
use crate::record::problem::Problem;
use crate::rules::{Game, Outcome as End, PRESETS, Profile, RuleSpec};
use crate::types::rng::SplitMix64;
use crate::types::{BoardSize, Color, Position};

fn tables(spec: &RuleSpec) -> Arc<RuleTables> {
    Arc::new(RuleTables::new(spec, eval::weights(spec)))
}

fn worker(board: Board) -> Worker {
    let mut worker = Worker::new(Arc::new(Shared::new(1, 4 << 20)), 0, board.clone());
    worker.set_board(board);
    worker
}

fn question(depth: i32) -> Question {
    Question::plain(Instant::now(), depth)
}

/// Thinks with a node limit.
fn think(worker: &mut Worker, nodes: u64) -> Outcome {
    worker.shared.set_allowance(Allowance {
        nodes: Some(nodes),
        ..Allowance::default()
    });
    worker.shared.stop.store(false, Relaxed);
    worker.shared.begin();
    worker.think(&question(60), &mut Silent)
}

#[derive(Deserialize)]
struct FoursCase {
    #[serde(flatten)]
    problem: Problem,
    win: bool,
}

fn set_up(problem: &Problem) -> Board {
    let spec = RuleSpec::by_name(&problem.rule).expect("a preset");
    let position = problem.position(BoardSize::STANDARD).expect("a position");
    Board::from_position(tables(spec), &position)
}

#[test]
fn wins_by_fours_are_found_where_they_are_and_nowhere_else() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../shared/cases/vcf-crossrule.jsonl"
    );
    let text = std::fs::read_to_string(path).expect("shared/cases is there");
    let (mut wins, mut found) = (0, 0);
    for line in text.lines() {
        let case: FoursCase = serde_json::from_str(line).expect("a case");
        let mut worker = worker(set_up(&case.problem));
        let claimed = worker.win_by_fours(0, 200_000).is_some();
        assert!(case.win || !claimed, "false win in {}", case.problem.id);
        wins += usize::from(case.win);
        found += usize::from(claimed);
    }
    assert!(found * 100 >= wins * 90, "{found} of {wins} found");
}

/// A game with a random opening and the board that goes with it.
fn random_game(spec: &'static RuleSpec, size: BoardSize, rng: &mut SplitMix64) -> (Game, Board) {
    loop {
        let mut game = Game::new(spec, size, Profile::Judge);
        let mut board = Board::new(tables(spec), size);
        for _ in 0..4 + rng.below(18) {
            let near: Vec<Point> = match board.candidates() {
                near if near.is_empty() => vec![size.center()],
                near => near.iter().collect(),
            };
            let point = near[rng.below(near.len())];
            game.play(point).expect("an empty point");
            board.make(point);
            if game.outcome().is_some() {
                break;
            }
        }
        if game.outcome().is_none() {
            return (game, board);
        }
    }
}

/// Plays `moves` in a copy of `game`, which must last exactly that long and be won by `winner`.
fn assert_wins(game: &Game, moves: &[Point], winner: Color, context: &str) {
    let mut game = game.clone();
    for point in moves {
        assert!(
            game.outcome().is_none(),
            "{context}: the line goes on after the end"
        );
        game.play(*point)
            .unwrap_or_else(|error| panic!("{context}: {error}"));
    }
    let won = matches!(game.outcome(), Some(End::Win { winner: w, .. }) if w == winner);
    assert!(won, "{context}: the line ends with {:?}", game.outcome());
}

/// Plays a claimed win out: the winner thinks on, the defender plays anything or its best. The
/// winner must announce the win at each of its turns until it is there.
fn play_out(game: &Game, winner: &mut Worker, clever: bool, rng: &mut SplitMix64) {
    let (side, mut game, mut board) = (game.to_move(), game.clone(), winner.board.clone());
    let start = format!("{}\n{board:?}", game.spec().name);
    while game.outcome().is_none() {
        let point = if game.to_move() == side {
            winner.set_board(board.clone());
            let answer = think(winner, 100_000);
            let score = answer.lines[0].score;
            assert!(
                score::is_win(score),
                "{score} is no win in\n{board:?}\nfrom {start}"
            );
            answer.best
        } else if clever {
            think(&mut worker(board.clone()), 30_000).best
        } else {
            let empties: Vec<Point> = board.empties().iter().collect();
            let near: Vec<Point> = board.candidates().iter().collect();
            let from = if rng.below(3) == 0 { empties } else { near };
            from[rng.below(from.len())]
        };
        game.play(point).expect("a legal move");
        board.make(point);
    }
    let won = matches!(game.outcome(), Some(End::Win { winner, .. }) if winner == side);
    assert!(won, "{:?} after\n{board:?}\nfrom {start}", game.outcome());
}

/// Announced wins of random positions under every rule: the line plays out under the referee,
/// and so do games against random and against best defence. Returns how many were checked.
fn check_announced_wins(wanted: usize, seed: u64) {
    for spec in &PRESETS {
        let mut rng = SplitMix64::new(seed + u64::from(spec.code));
        let mut checked = 0;
        while checked < wanted {
            let side = [15, 15, 20, 9][rng.below(4)];
            let size = BoardSize::square(side).expect("a size");
            let (game, board) = random_game(spec, size, &mut rng);
            let mut thinker = worker(board.clone());
            let answer = think(&mut thinker, 20_000);
            let line = &answer.lines[0];
            let context = format!("{} {}\n{board:?}\n{line:?}", spec.name, line.score);
            assert!(game.clone().play(answer.best).is_ok(), "{context}");
            if !score::is_decided(line.score) {
                continue;
            }
            let plies = score::plies_to_end(line.score);
            assert!(plies as usize <= board.empty_points(), "{context}");
            let winner = if score::is_win(line.score) {
                board.side()
            } else {
                !board.side()
            };
            assert_wins(&game, &line.pv, winner, &context);
            if winner == board.side() {
                play_out(&game, &mut thinker, checked % 4 == 0, &mut rng);
                checked += 1;
            }
        }
    }
}

#[test]
fn announced_wins_are_won_against_any_defence() {
    check_announced_wins(40, 5);
}

#[test]
#[ignore = "minutes"]
fn a_thousand_announced_wins_are_won_against_any_defence() {
    check_announced_wins(200, 6);
}

#[test]
fn the_known_move_comes_first_and_every_other_once_until_only_threats_are_wanted() {
    let board = Board::new(tables(RuleSpec::FREESTYLE), BoardSize::STANDARD);
    let mut worker = worker(board);
    // . . . X . X . .   the points between and beside the two black stones make threes
    for (x, y) in [(7, 7), (0, 0), (9, 7), (14, 14)] {
        worker.board.make(Point::new(x, y));
    }
    let set = worker.free_moves();
    let known = set.iter().last().expect("points near stones");
    let context = Context::new(&worker.board);
    let mut picker = Picker::new(set, known);
    let picks: Vec<Point> = std::iter::from_fn(|| picker.next(&worker, &context, 1))
        .map(|pick| pick.point)
        .collect();
    assert_eq!(picks.first(), Some(&known));
    assert_eq!(picks.len(), set.len());
    assert!(set.iter().all(|point| picks.contains(&point)));

    let mut picker = Picker::new(set, known);
    picker.next(&worker, &context, 1);
    picker.next(&worker, &context, 1);
    picker.drop_quiet();
    let rest: Vec<_> = std::iter::from_fn(|| picker.next(&worker, &context, 1)).collect();
    assert!(!rest.is_empty());
    assert!(rest.iter().all(|pick| pick.class >= CellClass::OpenThree));
}

#[test]
fn the_same_search_twice_gives_the_same_nodes() {
    for spec in &PRESETS {
        let mut rng = SplitMix64::new(3);
        let (_, board) = random_game(spec, BoardSize::STANDARD, &mut rng);
        let nodes = |_| {
            let mut worker = worker(board.clone());
            worker.shared.set_allowance(Allowance::default());
            worker.think(&question(6), &mut Silent);
            worker.nodes()
        };
        assert_eq!(nodes(1), nodes(2), "{}", spec.name);
    }
}

#[test]
fn a_stop_at_any_node_leaves_the_board_as_it_was() {
    let spec = RuleSpec::by_name("renju").expect("a preset");
    let mut rng = SplitMix64::new(8);
    for nodes in (1..4_000).step_by(61) {
        let (_, board) = random_game(spec, BoardSize::STANDARD, &mut rng);
        let mut worker = worker(board.clone());
        think(&mut worker, nodes);
        assert_eq!(worker.board.key(), board.key());
        assert_eq!(worker.board.stones(), board.stones());
    }
}

#[test]
fn a_line_names_the_expected_reply_wherever_the_search_is_stopped() {
    for spec in &PRESETS {
        let tables = tables(spec);
        for nodes in (50..3_000).step_by(50) {
            let mut board = Board::new(tables.clone(), BoardSize::STANDARD);
            for (x, y) in [(7, 7), (8, 7), (8, 8)] {
                board.make(BoardSize::STANDARD.point(x, y).expect("on the board"));
            }
            let found = think(&mut worker(board), nodes);
            let line = &found.lines[0];
            assert!(line.pv.len() > 1, "{} {nodes}: {line:?}", spec.name);
        }
    }
}

#[test]
fn every_position_gets_a_legal_answer_to_the_last_point() {
    for spec in &PRESETS {
        let mut rng = SplitMix64::new(17);
        let size = BoardSize::new(6, 5).expect("a size");
        let mut position = Position::new(size);
        while !position.is_full() {
            let board = Board::from_position(tables(spec), &position);
            let answer = think(&mut worker(board), 300).best;
            assert!(
                position.at(answer).is_none() && answer.is_some(),
                "{}",
                spec.name
            );
            let empties: Vec<Point> = size
                .points()
                .filter(|p| position.at(*p).is_none())
                .collect();
            let random = empties[rng.below(empties.len())];
            position.play(if rng.below(2) == 0 { answer } else { random });
        }
    }
}

#[test]
fn a_search_cut_in_its_first_iteration_claims_nothing() {
    let spec = RuleSpec::by_name("standard").expect("a preset");
    let moves = "c5e8e11f9g10g8e10f8h8f10f7e9d8g7d10d9c9f12f11h9g9g11e7b10g5f6e5e13h10d14c15f5e3\
                 h12i13g12e12e6b8a7d6c7d4h6i5f2";
    let size = BoardSize::STANDARD;
    let mut board = Board::new(tables(spec), size);
    for point in notation::parse_moves(moves, size, Rows::FromBottom).expect("moves") {
        board.make(point);
    }
    for nodes in [1, 10, 100, 1_000, 3_000] {
        let line = &think(&mut worker(board.clone()), nodes).lines[0];
        assert!(!score::is_loss(line.score), "{nodes} nodes: {}", line.score);
    }
}

#[test]
fn the_first_stone_goes_to_the_middle_under_every_rule() {
    for spec in &PRESETS {
        let size = BoardSize::new(15, 20).expect("a size");
        let board = Board::new(tables(spec), size);
        assert_eq!(think(&mut worker(board), 5_000).best, size.center());
    }
}

#[test]
fn a_rule_with_its_sides_exchanged_plays_like_the_stones_exchanged() {
    let renju = RuleSpec::by_name("renju").expect("a preset");
    let moves = [(7, 7), (8, 8), (8, 6), (6, 8), (9, 7), (7, 9), (9, 5)];
    for count in 3..=moves.len() {
        let stones = moves[..count].iter().map(|(x, y)| Point::new(*x, *y));
        let position = Position::after(BoardSize::STANDARD, stones);
        let exchanged = position.clone().with_colors_exchanged();
        let [one, other] =
            [(renju, &position), (RuleSpec::RENJU_REVERSED, &exchanged)].map(|(spec, position)| {
                let mut worker = worker(Board::from_position(tables(spec), position));
                let outcome = worker.think(&question(7), &mut Silent);
                let forbidden =
                    Board::from_position(tables(spec), position).forbidden_points(position.to_move);
                (
                    outcome.lines[0].score,
                    outcome.lines[0].pv.clone(),
                    forbidden,
                )
            });
        assert_eq!(one, other);
    }
}
