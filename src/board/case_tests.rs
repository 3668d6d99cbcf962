//! The fast board against the shared cases of renju. They live beside the repository
//! (`../shared/cases`); without them these tests fail.

use std::sync::Arc;

use serde_json::Value;

use super::Board;
use crate::pattern::{CellClass, LinearWeights, RuleTables};
use crate::rules::RuleSpec;
use crate::types::{BoardSize, Color, Point, Position};

fn case_lines(name: &str) -> Vec<Value> {
    let path = format!("{}/../shared/cases/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let parse = |line| serde_json::from_str(line).unwrap();
    text.lines().map(parse).collect()
}

fn point(name: &str) -> Point {
    let (column, row) = (name.as_bytes()[0] - b'a', name[1..].parse::<u8>().unwrap());
    Point::new(column, 15 - row)
}

fn points(value: &Value) -> Vec<Point> {
    let names = value.as_array().into_iter().flatten();
    names.map(|name| point(name.as_str().unwrap())).collect()
}

fn sorted(mut points: Vec<Point>) -> Vec<Point> {
    points.sort_unstable();
    points
}

/// The board of a case; `black_first` says in which order the stones are placed, which must not
/// matter.
fn board(tables: &Arc<RuleTables>, case: &Value, black_first: bool) -> Board {
    let mut position = Position::new(BoardSize::STANDARD);
    let sides = [("black", Color::Black), ("white", Color::White)];
    for index in [usize::from(!black_first), usize::from(black_first)] {
        let (field, color) = sides[index];
        for point in points(&case[field]) {
            assert!(position.add(point, color), "{case}");
        }
    }
    Board::from_position(Arc::clone(tables), &position)
}

/// Compares a board with a case: one point or the complete map.
fn check(tables: &Arc<RuleTables>, case: &Value, number: usize) {
    let mut board = board(tables, case, number.is_multiple_of(2));
    let id = &case["id"];
    let forbidden = board.forbidden_points(Color::Black);
    assert_eq!(board.forbidden_points(Color::White), [], "{id}");
    if let Some(name) = case["point"].as_str() {
        let point = point(name);
        let is_forbidden = ["33", "44", "over"].contains(&case["verdict"].as_str().unwrap());
        assert_eq!(forbidden.contains(&point), is_forbidden, "{id}");
        let wins = board.class(point, Color::Black) == CellClass::Five;
        assert_eq!(wins, case["verdict"] == "five", "{id}");
        return;
    }
    let mut expected = Vec::new();
    for field in ["forbidden", "multi"] {
        let names = case[field].as_object().into_iter().flatten();
        expected.extend(names.map(|(name, _)| point(name)));
    }
    expected.sort_unstable();
    expected.dedup();
    assert_eq!(sorted(forbidden), expected, "{id}");
    if !case["five"].is_null() {
        let fives = board.points_of(Color::Black, CellClass::Five).iter();
        assert_eq!(
            sorted(fives.collect()),
            sorted(points(&case["five"])),
            "{id}"
        );
    }
}

#[test]
fn renju_boards_have_their_forbidden_points() {
    let renju = RuleSpec::by_name("renju").unwrap();
    let tables = Arc::new(RuleTables::new(renju, LinearWeights::zero()));
    for (file, count) in [("renju-forbidden.jsonl", 140), ("renju-fuzz.jsonl", 13_429)] {
        let cases = case_lines(file);
        assert_eq!(cases.len(), count, "{file}");
        for (number, case) in cases.iter().enumerate() {
            check(&tables, case, number);
        }
    }
}
