//! What the search asks before it tries moves: the candidates with their order, and the replies
//! to threats.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use tengen::board::Board;
use tengen::eval;
use tengen::record::notation::{Rows, format_moves};
use tengen::types::{Color, Point};

use crate::positions::{SAMPLES, Sample, board, candidates};

/// All candidates, most urgent first.
fn ordered(board: &Board) -> Vec<Point> {
    let rank = |point: Point| (-eval::policy(board, point), point);
    let mut ranked: Vec<(i32, Point)> = board.candidates().iter().map(rank).collect();
    ranked.sort_unstable();
    ranked.into_iter().map(|(_, point)| point).collect()
}

#[divan::bench(args = &SAMPLES)]
fn list_in_order(bencher: Bencher, sample: &Sample) {
    let board = sample.board();
    let bencher = bencher.counter(ItemsCount::new(candidates(&board).len()));
    bencher.bench_local(|| ordered(black_box(&board)));
    let mut found = ordered(&board);
    found.sort_unstable();
    assert_eq!(found, candidates(&board));
}

/// A five that one stone, or one of two, stops; and an open three with its defences.
#[divan::bench(args = ["freestyle", "caro", "renju"])]
fn replies_to_threats(bencher: Bencher, rule: &str) {
    let mut five = board(rule, "15", "e8d8f8a1g8a15h8");
    let mut three = board(rule, "15", "g8a1h8a15i8");
    let names = |points| format_moves(points, three.size(), Rows::FromBottom);
    let replies: Vec<Point> = five.replies_to_fives(Color::Black).iter().collect();
    // Under caro a second white stone at the far end leaves the five closed at both.
    let expected = if rule == "caro" { "i8j8" } else { "i8" };
    assert_eq!(names(&replies), expected);
    let defend = |board: &mut Board| board.replies_to_open_fours(Color::Black);
    let replies = defend(&mut three).expect("no double threes here");
    assert_eq!(replies.iter().count(), if rule == "caro" { 4 } else { 2 });
    bencher.bench_local(|| {
        let fives = black_box(&mut five).replies_to_fives(Color::Black);
        (fives, defend(&mut three))
    });
}
