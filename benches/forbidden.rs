//! The forbidden points of a whole board.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use tengen::board::Board;
use tengen::record::notation::{Rows, format_moves};
use tengen::rules::{Grid, forbidden};
use tengen::types::Color;

use crate::positions::board;

/// Thirteen double threes in renju: each is asked for the points of its straight fours.
const TANGLED: &str = "d5l12l4e12d4k4g9a2j10a8e8a14f4o7j7b1e5a6k11o14k7e15e6a11g6m15h7h1f9d1e7a15\
                       h10j1i7c1";
/// Random stones close together, with double fours and overlines.
const RANDOM: &str = "h8i10k9g6i11f10f8e7i5f7i9d8h10e9c8e5k3f4i7a7b6d2l5j11c6l11l6j8m4g10d1d7c10\
                      m10b11m11k8e2g9m7";

/// What the referee forbids Black, as text.
fn by_referee(board: &Board) -> String {
    let mut grid = Grid::new(board.size());
    for point in board.size().points() {
        grid.set(point, board.stone(point));
    }
    let is_forbidden = |point| forbidden(board.spec(), &grid, point, Color::Black).is_some();
    let points: Vec<_> = grid
        .empty_points()
        .filter(|point| is_forbidden(*point))
        .collect();
    format_moves(&points, board.size(), Rows::FromBottom)
}

fn measure(bencher: Bencher, rule: &str, moves: &str) {
    let mut board = board(rule, "15", moves);
    let expected = by_referee(&board);
    assert!(!expected.is_empty());
    let bencher = bencher.counter(ItemsCount::new(board.empty_points()));
    bencher.bench_local(|| black_box(&mut board).forbidden_points(Color::Black));
    let found = board.forbidden_points(Color::Black);
    let found = format_moves(&found, board.size(), Rows::FromBottom);
    assert_eq!(found, expected);
}

#[divan::bench(args = ["renju", "omok"])]
fn tangled(bencher: Bencher, rule: &str) {
    measure(bencher, rule, TANGLED);
}

#[divan::bench(args = ["renju", "omok"])]
fn random(bencher: Bencher, rule: &str) {
    measure(bencher, rule, RANDOM);
}
