//! Omok and caro on the fast board, as pictures: winning and forbidden points, and the replies
//! that stop every five.

use std::sync::Arc;

use super::Board;
use crate::pattern::{CellClass, LinearWeights, RuleTables};
use crate::rules::RuleSpec;
use crate::types::{BoardSize, Color, Point, Position};

/// What a picture says about an empty point, as it is drawn.
fn mark(wins: bool, replies: bool, forbidden: bool) -> char {
    match (wins, replies, forbidden) {
        (false, false, false) => '.',
        (true, false, false) => '5',
        (true, true, false) => '*',
        (false, true, false) => 'r',
        (false, false, true) => '#',
        _ => '?',
    }
}

/// The board with the stones of `cells`, and the marks of its empty points for the side of `X`.
fn marked(spec: &RuleSpec, side: Color, cells: &[(Point, char)], size: BoardSize) -> Vec<char> {
    let mut position = Position::new(size);
    for (point, cell) in cells {
        match cell {
            'X' => assert!(position.add(*point, side)),
            'O' => assert!(position.add(*point, side.opponent())),
            _ => {}
        }
    }
    position.to_move = side;
    let tables = Arc::new(RuleTables::new(spec, LinearWeights::zero()));
    let mut board = Board::from_position(tables, &position);
    let replies = board.replies_to_fives(side);
    let forbidden = board.forbidden_points(side);
    let seen = |(point, cell): &(Point, char)| match cell {
        'X' | 'O' => *cell,
        _ => mark(
            board.class(*point, side) == CellClass::Five,
            replies.contains(*point),
            forbidden.contains(point),
        ),
    };
    cells.iter().map(seen).collect()
}

/// The picture is right for either colour of `X` and in every symmetry. `5` wins for `X`, a stone
/// of `O` on `r` stops every five, `*` is both, `#` is forbidden to `X`.
fn check(name: &str, picture: &str) {
    let spec = RuleSpec::by_name(name).unwrap();
    let rows: Vec<&str> = picture.split_whitespace().collect();
    let size = BoardSize::new(rows[0].len() as i64, rows.len() as i64).unwrap();
    let cells: Vec<char> = rows.iter().flat_map(|row| row.chars()).collect();
    assert_eq!(cells.len(), size.area(), "{picture}");
    for symmetry in 0..size.symmetries() {
        let turned = size.points().map(|point| size.transform(point, symmetry));
        let turned: Vec<(Point, char)> = turned.zip(cells.iter().copied()).collect();
        for side in Color::ALL {
            let found = marked(spec, side, &turned, size);
            let found: String = found.iter().collect();
            let drawn: String = cells.iter().collect();
            assert_eq!(found, drawn, "{name} {side} {symmetry}{picture}");
        }
    }
}

#[test]
fn omok_forbids_two_threes_to_both() {
    check(
        "omok",
        "
        .........
        .........
        ....X....
        ....X....
        ..XX#....
        .........
        .........
        .........
        .........",
    );
    // A split three counts, a three with a closed end does not.
    check(
        "omok",
        "
        .........
        ..X......
        ...X.....
        .........
        ..XX.#...
        .........
        .........
        .........
        .........",
    );
    check(
        "omok",
        "
        .........
        .........
        ....X....
        ....X....
        .OXX.....
        .........
        .........
        .........
        .........",
    );
}

/// Neither a six nor two fours are a fault; a six is no win either.
#[test]
fn omok_allows_sixes_and_two_fours() {
    check(
        "omok",
        "
        .....O...
        .....X...
        .....X...
        .....X...
        .OXXX....
        .........
        .........
        .........
        XXX.XX...",
    );
}

/// The point makes exactly five down and two threes across and slanting; the stones for that
/// make two threes elsewhere.
#[test]
fn omok_lets_a_five_lift_the_ban() {
    check(
        "omok",
        "
        .....O.....
        .....X.....
        .....X.....
        .....X.....
        ....#X.....
        ...XX*.....
        ...#X......
        ...X.......
        ...........
        ...........
        ...........",
    );
}

/// A five with an open end wins. The edge closes like a stone, so a stone beyond the other end
/// stops the five as well as one inside.
#[test]
fn caro_edge_closes_rows_at_the_edge() {
    for (name, picture) in [
        (
            "caro-edge",
            "XXXX*r... ......... ......... ......... .........",
        ),
        ("caro", "XXXX*.... ......... ......... ......... ........."),
        (
            "caro-edge",
            "OXXXX*r.. ......... ......... ......... .........",
        ),
        (
            "caro-edge",
            "OXXXX.O.. ......... ......... ......... .........",
        ),
        (
            "caro-edge",
            "XXXX.O... ......... ......... ......... .........",
        ),
        ("caro", "XXXX*O... ......... ......... ......... ........."),
        // The whole line is the row: closed at both ends by the edge.
        ("caro-edge", "XX.XX ..... ..... ..... ....."),
        ("caro", "XX*XX ..... ..... ..... ....."),
        (
            "caro-edge",
            "XXX.XX... ......... ......... ......... .........",
        ),
        ("caro", "XXX*XX... ......... ......... ......... ........."),
    ] {
        check(name, picture);
    }
}

/// Two ways to make five, and one stone that stops both.
#[test]
fn caro_replies_stop_two_fives_at_once() {
    for (name, picture) in [
        (
            "caro-edge",
            "......... .5XXXX5.. ......... ......... .........",
        ),
        // One step from the edge only the far end stops both.
        (
            "caro-edge",
            "5XXXX*... ......... ......... ......... .........",
        ),
        ("caro", "5XXXX5... ......... ......... ......... ........."),
        (
            "caro-edge",
            "O*XXXX*O. ......... ......... ......... .........",
        ),
        ("caro", "O*XXXX*O. ......... ......... ......... ........."),
        (
            "caro-exact",
            "OX*XXX*XO ......... ......... ......... .........",
        ),
        (
            "caro-edge",
            "OX*XXX*XO ......... ......... ......... .........",
        ),
        (
            "caro-edge",
            "X5XXX*X.. ......... ......... ......... .........",
        ),
        ("caro", "X5XXX5X.. ......... ......... ......... ........."),
    ] {
        check(name, picture);
    }
}
