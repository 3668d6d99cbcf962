//! Positions with known answers, read from `../shared/cases` and never copied into the
//! repository. Names such as h8 count columns from `a` and rows from 1; h8 is 7,7.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::harness::Spot;

/// The text of that file.
pub fn text(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // A second work tree may lie one folder deeper.
    let places = ["../shared/cases", "../../shared/cases"].map(|place| root.join(place));
    let found: Option<PathBuf> = places.iter().map(|p| p.join(name)).find(|p| p.exists());
    let path = found.unwrap_or_else(|| panic!("{name} is in none of {places:?}"));
    std::fs::read_to_string(path).expect("a readable file")
}

/// The items of a file of JSON lines.
pub fn items(name: &str) -> Vec<Value> {
    text(name)
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

/// The known fault of that name.
pub fn bug(id: &str) -> Value {
    let found = items("bugs.jsonl")
        .into_iter()
        .find(|item| item["id"] == id);
    found.unwrap_or_else(|| panic!("no case {id}"))
}

/// The point called `h8` or so.
pub fn spot(name: &str) -> Spot {
    let (column, row) = name.split_at(1);
    let x = i64::from(column.as_bytes()[0] - b'a');
    (x, row.parse::<i64>().expect("a row") - 1)
}

/// The points of a run of names, with or without blanks.
pub fn spots(names: &str) -> Vec<Spot> {
    let mut words: Vec<String> = Vec::new();
    for c in names.chars().filter(|c| !c.is_whitespace()) {
        match words.last_mut() {
            Some(word) if c.is_ascii_digit() => word.push(c),
            _ => words.push(c.to_string()),
        }
    }
    words.iter().map(|word| spot(word)).collect()
}

/// The points in a JSON array of names.
pub fn listed(value: &Value) -> Vec<Spot> {
    let names = value.as_array().into_iter().flatten();
    names
        .map(|name| spot(name.as_str().expect("a name")))
        .collect()
}

/// A single-line block of stones that alternate from Black, for the side to move next.
pub fn block(stones: &[Spot]) -> String {
    let own_parity = stones.len() % 2;
    let line = |(index, (x, y)): (usize, &Spot)| {
        format!("{x},{y},{} ", if index % 2 == own_parity { 1 } else { 2 })
    };
    stones.iter().enumerate().map(line).collect::<String>() + "DONE"
}

/// A single-line block with Black to move, who has at least as many stones as White.
pub fn block_for_black(black: &[Spot], white: &[Spot]) -> String {
    assert!(black.len() >= white.len(), "Black could not be to move");
    let black = black.iter().map(|(x, y)| format!("{x},{y},1 "));
    let white = white.iter().map(|(x, y)| format!("{x},{y},2 "));
    black.chain(white).collect::<String>() + "DONE"
}

/// Stones on the points with these numbers, counted row by row, in a pattern in which nobody has
/// five; `x,y,f` and a blank each.
pub fn mixed_stones(side: i64, numbers: std::ops::Range<i64>) -> String {
    let stone = |number: i64| {
        let (x, y) = (number % side, number / side);
        format!("{x},{y},{} ", 1 + (y + x / 2) % 2)
    };
    numbers.map(stone).collect()
}

#[test]
fn names_are_read_as_points() {
    assert_eq!(spots("h8a1 o15"), [(7, 7), (0, 0), (14, 14)]);
    assert_eq!(block(&spots("h8h9i7")), "7,7,2 7,8,1 8,6,2 DONE");
}
