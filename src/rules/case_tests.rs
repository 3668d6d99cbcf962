//! The referee against the shared cases. They live beside the repository (`../shared/cases`);
//! without them these tests fail.

use std::collections::BTreeMap;

use serde_json::Value;

use super::*;
use crate::types::{BoardSize, Color, Point};

/// The text of a file of shared cases.
fn case_file(name: &str) -> String {
    let path = format!("{}/../shared/cases/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn case_lines(name: &str) -> Vec<Value> {
    let parse = |line| serde_json::from_str(line).unwrap();
    case_file(name).lines().map(parse).collect()
}

fn bug(id: &str) -> Value {
    let mut bugs = case_lines("bugs.jsonl").into_iter();
    bugs.find(|bug| bug["id"] == id).unwrap()
}

fn rule(name: &str) -> &'static RuleSpec {
    RuleSpec::by_name(name).unwrap()
}

/// The points of a string such as `h8i10`: on 15x15, rows from the bottom.
fn points(text: &str) -> Vec<Point> {
    let starts = text.match_indices(|c: char| c.is_ascii_lowercase());
    let starts: Vec<usize> = starts.map(|(start, _)| start).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let point = |(&start, end): (&usize, usize)| {
        let row: u8 = text[start + 1..end].trim().parse().unwrap();
        Point::new(text.as_bytes()[start] - b'a', 15 - row)
    };
    starts.iter().zip(ends).map(point).collect()
}

fn name(point: Point) -> String {
    format!("{}{}", char::from(b'a' + point.x()), 15 - point.y())
}

/// The points of a list of names, or of a string of them.
fn point_list(value: &Value) -> Vec<Point> {
    let names = value.as_array().into_iter().flatten();
    let mut found: Vec<Point> = names.flat_map(|v| points(v.as_str().unwrap())).collect();
    found.extend(points(value.as_str().unwrap_or("")));
    found
}

/// The board of a case with a `black` and a `white` list.
fn board(case: &Value) -> Grid {
    let mut grid = Grid::new(BoardSize::STANDARD);
    for (field, color) in [("black", Color::Black), ("white", Color::White)] {
        assert!(!case[field].is_null(), "no {field} stones in {case}");
        for point in point_list(&case[field]) {
            assert_eq!(grid.cell(point), Cell::Empty, "{case}");
            grid.set(point, Some(color));
        }
    }
    grid
}

/// The board after a string of moves, as stones only: a case may pass through forbidden points.
fn placed(moves: &str) -> Grid {
    let mut grid = Grid::new(BoardSize::STANDARD);
    for (ply, point) in points(moves).into_iter().enumerate() {
        grid.set(point, Some(Color::of_ply(ply)));
    }
    grid
}

/// The words of the case files.
fn word(kind: ForbiddenKind) -> &'static str {
    match kind {
        ForbiddenKind::DoubleThree => "33",
        ForbiddenKind::DoubleFour => "44",
        ForbiddenKind::Overline => "over",
    }
}

/// All the shapes as words, in the order of the case files.
fn words(shapes: Forbidden) -> Vec<&'static str> {
    let all = [
        (shapes.double_four, "44"),
        (shapes.double_three, "33"),
        (shapes.overline, "over"),
    ];
    all.iter().filter(|(made, _)| *made).map(|s| s.1).collect()
}

/// Compares every point of a board with a complete map, and with the points where Black makes
/// five if they are stated. The map has one word a point, the first of several; a case with a
/// field `multi` has all words there.
fn check_map(case: &Value) {
    let renju = rule("renju");
    let grid = board(case);
    let mut found: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let mut fives = Vec::new();
    for point in grid.empty_points() {
        let shapes = forbidden_shapes(renju, &grid, point, Color::Black);
        assert_eq!(shapes.kind(), forbidden(renju, &grid, point, Color::Black));
        assert_eq!(forbidden(renju, &grid, point, Color::White), None);
        if shapes.any() {
            let shown = if case["multi"].is_null() { 1 } else { 3 };
            let words = words(shapes).into_iter().take(shown);
            found.insert(name(point), words.collect());
        }
        if wins(renju, &grid, point, Color::Black) {
            fives.push(name(point));
        }
    }
    let mut expected: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for field in ["forbidden", "multi"] {
        for (point, word) in case[field].as_object().into_iter().flatten() {
            let several = word.as_array().into_iter().flatten();
            let words = word.as_str().into_iter();
            let words = words.chain(several.map(|word| word.as_str().unwrap()));
            expected.insert(point.clone(), words.collect());
        }
    }
    assert_eq!(found, expected, "{}", case["id"]);
    if let Some(expected) = case["five"].as_array() {
        let mut expected: Vec<_> = expected.iter().map(|v| v.as_str().unwrap()).collect();
        expected.sort_unstable();
        fives.sort_unstable();
        assert_eq!(fives, expected, "{}", case["id"]);
    }
}

#[test]
fn renju_examples() {
    let renju = rule("renju");
    let cases = case_lines("renju-forbidden.jsonl");
    assert_eq!(cases.len(), 140);
    for case in &cases {
        let Some(point) = case["point"].as_str() else {
            check_map(case);
            continue;
        };
        let (grid, point) = (board(case), points(point)[0]);
        let kind = forbidden(renju, &grid, point, Color::Black);
        let verdict = match kind {
            Some(kind) => word(kind),
            None if wins(renju, &grid, point, Color::Black) => "five",
            None => "ok",
        };
        assert_eq!(verdict, case["verdict"], "{}", case["id"]);
        let reasons: Vec<&str> = kind.map(word).into_iter().collect();
        assert_eq!(Value::from(reasons), case["reasons"], "{}", case["id"]);
    }
}

#[test]
fn renju_fuzz() {
    let cases = case_lines("renju-fuzz.jsonl");
    assert_eq!(cases.len(), 13_429);
    cases.iter().for_each(check_map);
}

#[test]
fn wins_under_each_rule() {
    let names = [
        ("freestyle", "freestyle"),
        ("standard", "standard"),
        ("caro", "caro-overline-wins-edge-free"),
        ("caro-exact", "caro-exact5-edge-free"),
        ("caro-edge", "caro-exact5-edge-blocks"),
    ];
    let cases = case_lines("rule-examples.jsonl");
    assert_eq!(cases.len(), 60);
    for case in &cases {
        let mut grid = board(case);
        let point = points(case["move"].as_str().unwrap())[0];
        let color = if case["color"] == "black" {
            Color::Black
        } else {
            Color::White
        };
        for (ours, theirs) in names {
            let won = if wins(rule(ours), &grid, point, color) {
                "win"
            } else {
                "none"
            };
            assert_eq!(won, case["results"][theirs], "{} {ours}", case["id"]);
            grid.set(point, Some(color));
            assert_eq!(is_winning_stone(rule(ours), &grid, point), won == "win");
            grid.set(point, None);
        }
    }
}

/// Each board is played, each side taking any of its stones that is legal at its turn.
#[test]
fn only_forbidden_points_left() {
    let renju = rule("renju");
    let cases: Value = serde_json::from_str(&case_file("draw-only-forbidden.json")).unwrap();
    let cases = cases.as_array().unwrap();
    assert_eq!(cases.len(), 2);
    for case in cases {
        let mut left = [point_list(&case["black"]), point_list(&case["white"])];
        let mut game = Game::new(renju, BoardSize::STANDARD, Profile::Casual);
        while game.outcome().is_none() {
            let color = game.to_move();
            let legal = |&point: &Point| stone_outcome(renju, game.grid(), point, color).is_none();
            let own = &mut left[color.index()];
            let index = own.iter().position(legal).expect("a legal stone is left");
            game.play(own.swap_remove(index)).unwrap();
        }
        let draw = Outcome::Draw(DrawReason::OnlyForbiddenPoints);
        assert_eq!(game.outcome(), Some(draw), "{}", case["id"]);
        assert_eq!(left, [vec![], vec![]]);
        for (point, reason) in case["empties"].as_object().unwrap() {
            let point = points(point)[0];
            let kind = forbidden(renju, game.grid(), point, Color::Black).map(word);
            assert_eq!(kind, reason.as_str(), "{}", case["id"]);
        }
    }
}

#[test]
fn forbidden_maps_that_engines_got_wrong() {
    for id in ["same-line-fours", "pseudo-double-four", "many-forbidden"] {
        let case = bug(id);
        let grid = board(&case);
        let is_forbidden =
            |&point: &Point| forbidden(rule("renju"), &grid, point, Color::Black).is_some();
        let mut found: Vec<Point> = grid.empty_points().filter(is_forbidden).collect();
        let mut expected = point_list(&case["forbidden"]);
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{id}");
    }
}

#[test]
fn a_three_whose_straight_four_makes_five_does_not_count() {
    let case = bug("three-with-five");
    let control = "f8a1i8c1h6e1h7k1";
    assert!(case["expect"].as_str().unwrap().contains(control));
    let h8 = points("h8")[0];
    for (moves, kind) in [
        (case["moves"].as_str().unwrap(), None),
        (control, Some(ForbiddenKind::DoubleThree)),
    ] {
        let found = forbidden(rule("renju"), &placed(moves), h8, Color::Black);
        assert_eq!(found, kind);
    }
}

#[test]
fn a_six_by_rule() {
    let case = bug("overline-by-rule");
    let text = case["commands"].as_str().unwrap();
    let stones = text.split("in order ").nth(1).unwrap();
    let stones = stones.split(';').next().unwrap().split_whitespace();
    for (name, outcome) in [
        ("freestyle", Some("black wins: five in a row")),
        ("standard", None),
        ("renju", Some("white wins: forbidden move")),
    ] {
        let size = BoardSize::square(20).unwrap();
        let mut game = Game::new(rule(name), size, Profile::Judge);
        for (x, y) in stones.clone().filter_map(|stone| stone.split_once(',')) {
            let point = size.point(x.parse().unwrap(), y.parse().unwrap());
            game.play(point.unwrap()).unwrap();
        }
        assert_eq!(game.moves().len(), 12);
        assert_eq!(game.outcome(), None);
        game.play(Point::new(5, 8)).unwrap();
        let found = game.outcome().map(|outcome| outcome.to_string());
        assert_eq!(found.as_deref(), outcome, "{name}");
    }
}
