//! The rules as pictures: lines that win or not, and boards with all their marked points.

use super::*;
use crate::types::{BoardSize, Color, Direction, Point};

fn rule(name: &str) -> &'static RuleSpec {
    RuleSpec::by_name(name).unwrap()
}

/// Lays `line` on a board in the given direction and returns the point of its `*`.
///
/// `|` is the edge of the board: at the left the line begins there, at the right it ends there,
/// with both the board is just as long as the line. `X` is a stone of `color`, `O` of the other.
fn lay(line: &str, direction: Direction, color: Color) -> (Grid, Point) {
    let cells = line.trim_matches('|');
    let length = cells.len() as i64;
    let (left, right) = (line.starts_with('|'), line.ends_with('|'));
    let size = BoardSize::square(if left && right { length } else { 15 }).unwrap();
    let side = i64::from(size.width());
    let start = match (left, right) {
        (true, _) => 0,
        (_, true) => side - length,
        _ => 3,
    };
    let middle = i64::from(size.center().x());
    let mut grid = Grid::new(size);
    let mut asked = Point::NONE;
    for (along, cell) in (start..).zip(cells.chars()) {
        let (x, y) = match direction {
            Direction::Horizontal => (along, middle),
            Direction::Vertical => (middle, along),
            Direction::Falling => (along, along),
            Direction::Rising => (along, side - 1 - along),
        };
        let point = size.point(x, y).unwrap();
        match cell {
            'X' => grid.set(point, Some(color)),
            'O' => grid.set(point, Some(color.opponent())),
            '*' => asked = point,
            _ => assert_eq!(cell, '.'),
        }
    }
    (grid, asked)
}

/// The rules (and `white` for renju's White) under which `*` wins.
fn winners(line: &str, direction: Direction) -> Vec<&'static str> {
    let mut found = Vec::new();
    for spec in &PRESETS {
        let [black, white] = Color::ALL.map(|color| {
            let (grid, point) = lay(line, direction, color);
            wins(spec, &grid, point, color)
        });
        found.extend(black.then_some(spec.name));
        if spec.sides[Color::Black] == spec.sides[Color::White] {
            assert_eq!(black, white, "{line} {}", spec.name);
        } else {
            found.extend(white.then_some("white"));
        }
    }
    found
}

#[test]
fn rows_that_win() {
    let all = "freestyle standard renju white caro caro-exact omok caro-edge";
    let edge_open = "freestyle standard renju white caro caro-exact omok";
    let any_five = "freestyle standard renju white omok";
    let long = "freestyle white caro";
    for (line, expected) in [
        // Five.
        (".XX*XX.", all),
        ("OXX*XX.", all),
        (".XXXX*O", all),
        ("|XX*XX.", all),
        ("|XX*XXO", edge_open),
        ("OXXXX*|", edge_open),
        ("|XX*XX|", edge_open),
        ("OXX*XXO", any_five),
        // Only the neighbouring cells close a row.
        (".OXX*XX.O", all),
        ("O.XX*XX.O", all),
        // Longer rows.
        (".XXX*XX.", long),
        ("OXXX*XXO", long),
        ("|XXX*XXO", long),
        ("|XXX*XX|", long),
        (".XXXX*XXXX.", long),
        // Too short, or broken.
        (".XX*X.", ""),
        ("X.X*XX.X", ""),
        ("XXO*XXX", ""),
        (".XXXX.*", ""),
    ] {
        let mirrored: String = line.chars().rev().collect();
        for direction in Direction::ALL {
            let expected: Vec<&str> = expected.split_whitespace().collect();
            assert_eq!(winners(line, direction), expected, "{line} {direction:?}");
            assert_eq!(winners(&mirrored, direction), expected, "{mirrored}");
        }
    }
}

/// The lines of `caro-8-9` in the shared list of engine faults.
#[test]
fn caro_dialects_differ_where_they_should() {
    for (line, verdicts) in [
        (".XXX*XX.", [true, false, false]),
        ("OXX*XXO", [false, false, false]),
        ("|XX*XXO", [true, true, false]),
        ("OXXX*XXO", [true, false, false]),
    ] {
        let names = ["caro", "caro-exact", "caro-edge"];
        for (name, expected) in names.into_iter().zip(verdicts) {
            let (grid, point) = lay(line, Direction::Horizontal, Color::Black);
            let won = wins(rule(name), &grid, point, Color::Black);
            assert_eq!(won, expected, "{line} {name}");
        }
    }
}

/// Reads a board. Besides `X` (Black) and `O` (White) it may show all that `color` may not play
/// or wins by: `3` double three, `4` double four, `6` overline, `5` a winning row.
fn read(text: &str) -> (Grid, Vec<(Point, char)>) {
    let rows: Vec<Vec<char>> = text
        .lines()
        .map(|row| row.chars().filter(|cell| !cell.is_whitespace()).collect())
        .filter(|row: &Vec<char>| !row.is_empty())
        .collect();
    let size = BoardSize::new(rows[0].len() as i64, rows.len() as i64).unwrap();
    let mut grid = Grid::new(size);
    let mut marks = Vec::new();
    for point in size.points() {
        match rows[usize::from(point.y())][usize::from(point.x())] {
            'X' => grid.set(point, Some(Color::Black)),
            'O' => grid.set(point, Some(Color::White)),
            '.' => {}
            mark => marks.push((point, mark)),
        }
    }
    (grid, marks)
}

/// The marks of every empty point, as the referee sees it.
fn marks(spec: &RuleSpec, grid: &Grid, color: Color) -> Vec<(Point, char)> {
    let mark = |point: Point| {
        let kind = forbidden(spec, grid, point, color).map(|kind| match kind {
            ForbiddenKind::DoubleThree => '3',
            ForbiddenKind::DoubleFour => '4',
            ForbiddenKind::Overline => '6',
        });
        let five = wins(spec, grid, point, color).then_some('5');
        assert!(kind.is_none() || five.is_none());
        kind.or(five).map(|mark| (point, mark))
    };
    grid.empty_points().filter_map(mark).collect()
}

/// The drawn marks are exactly the referee's, in every symmetry of the board.
fn check(name: &str, color: Color, text: &str) {
    let (drawn, expected) = read(text);
    let size = drawn.size();
    for symmetry in 0..size.symmetries() {
        let image = |point: Point| size.transform(point, symmetry);
        let mut grid = Grid::new(size);
        for point in size.points() {
            grid.set(image(point), drawn.get(point));
        }
        let mut expected: Vec<_> = expected.iter().map(|&(p, m)| (image(p), m)).collect();
        expected.sort_unstable();
        assert_eq!(marks(rule(name), &grid, color), expected, "{name}{text}");
    }
}

#[test]
fn two_threes_are_forbidden_to_black_in_renju_and_to_both_in_omok() {
    let black = "
        . . . . . . . . .
        . . . . . . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . X X 3 . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .";
    check("renju", Color::Black, black);
    check("omok", Color::Black, black);
    let nothing = black.replace('3', ".");
    check("renju", Color::White, &nothing);
    for free in ["freestyle", "standard", "caro", "caro-exact", "caro-edge"] {
        check(free, Color::Black, &nothing);
    }
    check("omok", Color::White, &black.replace('X', "O"));
    check("renju", Color::White, &nothing.replace('X', "O"));
}

#[test]
fn split_threes_count() {
    let text = "
        . . . . . . . . .
        . . . . . . . . .
        . . X . . . . . .
        . . . . . . . . .
        . X . X 3 . . . .
        . . . . . X . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .";
    check("renju", Color::Black, text);
    check("omok", Color::Black, text);
}

/// `text` with the decisive point `?` as `decisive` and the point asked about, `!`, as `asked`.
fn variant(text: &str, decisive: &str, asked: &str) -> String {
    text.replace('?', decisive).replace('!', asked)
}

/// A closed end leaves no straight four.
#[test]
fn a_three_with_a_closed_end_does_not_count() {
    let text = "
        . . . . . . . . .
        . . . . . . . . .
        . . . . X . . . .
        . . . . X . . . .
        . ? X X ! . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .";
    check("renju", Color::Black, &variant(text, "O", "."));
    check("renju", Color::Black, &variant(text, ".", "3"));
}

/// Between two white stones there is room for a five across, but not for a straight four.
#[test]
fn a_three_needs_room_for_a_straight_four() {
    let text = "
        . . . . . . . . .
        . . . . . . . . .
        . O . X ! X . ? .
        . . . . X . . . .
        . . . . X . . . .
        . . . . . . . . .
        . . . . . . . . .";
    check("renju", Color::Black, &variant(text, "O", "."));
    check("renju", Color::Black, &variant(text, ".", "3"));
}

/// Down, a stone at the upper end of the four would make six: the four is not straight.
#[test]
fn a_three_does_not_count_when_one_end_of_its_four_makes_six() {
    let text = "
        . . . . ? . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . X X ! . . . .
        . . . . . . . . .
        . . . . O . . . .
        . . . . . . . . .";
    check("renju", Color::Black, &variant(text, "X", "."));
    check("renju", Color::Black, &variant(text, ".", "3"));
    check("omok", Color::Black, &variant(text, "X", "."));
}

/// The only straight four across needs the point that makes six down: renju forbids it, so the
/// three does not count; in omok a six is no fault, so it does.
#[test]
fn a_three_that_needs_an_overline_counts_in_omok_only() {
    let text = "
        . . . . O . . . . . .
        . . . . X . . . . . .
        . . . . X . . . . X .
        . . . . X . . . X . .
        . . . . X . . . . . .
        . . . X ? X ! . . . .
        . . . . X . . . . . .
        . . . . O . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .";
    check("renju", Color::Black, &variant(text, "6", "."));
    check("omok", Color::Black, &variant(text, ".", "3"));
}

/// The same with a second four instead of the six.
#[test]
fn a_three_that_needs_a_double_four_counts_in_omok_only() {
    let text = "
        . . . . . . . . . . .
        . . . . O . . . . . .
        . . . . X . . . . . .
        . . . . X . . . . . .
        . . . . X . . . . . .
        . . . X . X ! . . . .
        . . . . . . X . . . .
        . . . . . . X . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .";
    check("renju", Color::Black, &variant(text, "", "."));
    check("omok", Color::Black, &variant(text, "", "3"));
}

#[test]
fn two_fours_are_forbidden_in_renju_only() {
    let text = "
        . . . . . O . . .
        . . . . . X . . .
        . . . . . X . . .
        . . . . . X . . .
        . O X X X ! . . .
        . . . . . . . . .
        . . . . . . . . .";
    check("renju", Color::Black, &variant(text, "", "4"));
    check("omok", Color::Black, &variant(text, "", "."));
    check(
        "renju",
        Color::White,
        &variant(text, "", ".")
            .replace('X', "w")
            .replace('O', "X")
            .replace('w', "O"),
    );
}

/// One straight four is one four; with a three it is legal.
#[test]
fn a_four_and_a_three_are_legal() {
    check(
        "renju",
        Color::Black,
        "
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . X . . . .
        . . . . . X . . . .
        . . X X X . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .",
    );
}

#[test]
fn two_fours_on_one_line() {
    for line in [
        ". . . X . X 4 X . X . . .",
        ". . X X . X 4 . X X . . .",
        ". X X X . 4 . X X X . . .",
        // A six at one gap, or at both, leaves one four or none.
        ". X . X . X . X X . . . .",
        ". X X . X . X . X X . . .",
    ] {
        let empty = ". . . . . . . . . . . . .\n".repeat(2);
        let text = format!("\n{empty}{line}\n{empty}");
        check("renju", Color::Black, &text);
        check("omok", Color::Black, &text.replace('4', "."));
    }
}

#[test]
fn a_six_is_forbidden_in_renju_and_idle_in_omok() {
    let text = "
        . . . . . . . . .
        . . . . . . . . .
        . . X X X ! X X .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .";
    check("renju", Color::Black, &variant(text, "", "6"));
    check("omok", Color::Black, &variant(text, "", "."));
    check("standard", Color::Black, &variant(text, "", "."));
    check(
        "renju",
        Color::White,
        &variant(text, "", "5").replace('X', "O"),
    );
    check("freestyle", Color::Black, &variant(text, "", "5"));
}

/// A winning row makes legal what would be an overline and a double three.
#[test]
fn a_five_lifts_everything() {
    let six = "
        . . . . . . . . . . .
        . . . . . O . . . . .
        . . . . . X . . . . .
        . . . . 3 X . . . . .
        . . . 3 . X . . . . .
        . . X X X 5 X X . . .
        . . . . . X . . . . .
        . . . . . O . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .";
    let threes = "
        . . . . . . . . . . .
        . . . . . O . . . . .
        . . . . . X . . . . .
        . . . X 3 X 3 . . . .
        . . . 3 X X . . . . .
        . . . X X 5 . . . . .
        . . . . . X . . . . .
        . . . . . O . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .";
    for name in ["renju", "omok"] {
        check(name, Color::Black, six);
        check(name, Color::Black, threes);
    }
}

/// A four beside two threes changes nothing in omok.
#[test]
fn two_threes_with_a_four_stay_forbidden_in_omok() {
    let text = "
        . . . . . O . . . . .
        . . . . . X . . . . .
        . . . . 3 X . . . . .
        . . . X 3 X . . . . .
        . . . . X . . . . . .
        . . . X X 3 . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .";
    check("omok", Color::Black, text);
    check("renju", Color::Black, text);
}

/// One stone makes a six, two fours (down) and two threes (slanting): the six is named.
#[test]
fn the_gravest_shape_is_named() {
    let (grid, marked) = read(
        "
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . X . . . . .
        . . . . . . . X . . .
        . . . . . X X . . . .
        . . X X X 6 X X . . .
        . . . . . X X . . . .
        . . . . . . . X . . .
        . . . . . X . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .",
    );
    let shapes = forbidden_shapes(rule("renju"), &grid, marked[0].0, Color::Black);
    assert_eq!(shapes, Forbidden::RENJU);
    assert_eq!(shapes.kind(), Some(ForbiddenKind::Overline));
    let names = ["double three", "double four", "overline"];
    let kinds = [
        ForbiddenKind::DoubleThree,
        ForbiddenKind::DoubleFour,
        ForbiddenKind::Overline,
    ];
    assert_eq!(kinds.map(|kind| kind.to_string()), names);
}
