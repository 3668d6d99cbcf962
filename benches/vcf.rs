//! Wins by continuous fours: fixed problems with the length of their wins, and one without.

use std::sync::Arc;
use std::time::Instant;

use divan::Bencher;
use tengen::board::Board;
use tengen::search::{Question, Shared, Silent, Worker};
use tengen::types::score;

use crate::positions::board;

/// A diagonal, a column and a row with a column, linked at h12, i11 and h11:
///
/// ```text
/// 15 . . . . . . . . . . .
/// 14 . . . . . . . . X . .
/// 13 . . . . . . . O X . .
/// 12 . . . . . . . * X . .
/// 11 . . . . . O X * * X .
/// 10 . . . . . X . X O . .
///  9 . . . . O . . X . . .
///    a b c d e f g h i j k
/// ```
const CHAIN: &str = "f10f11i14e9g11i10i12h13h9a3i13a14h10a12j11n1";
/// The same with a white stone on the last link.
const BROKEN: &str = "f10f11i14e9g11i10i12h13h9h11i13a14h10a12j11n1";
/// Random stones with many fours and a win through five of them.
const RANDOM: &str = "d9d12l10l6j11h12h6d6d7e9l4j9i5e5e12j10h8f7d5k11i10k4k5d4";

/// A worker that knows nothing yet.
fn worker(board: &Board) -> Worker {
    let mut worker = Worker::new(Arc::new(Shared::new(1, 1 << 20)), 0, board.clone());
    worker.set_board(board.clone());
    worker
}

/// Plies of the proven win, if there is one.
fn solve(worker: &mut Worker) -> Option<i32> {
    let question = Question {
        start: Instant::now(),
        lines: 1,
        depth: 1,
        blocked: Vec::new(),
        first_depth: 1,
        timed: false,
        thorough: false,
    };
    let outcome = worker.think(&question, &mut Silent);
    let score = outcome.lines[0].score;
    score::is_win(score).then(|| score::plies_to_end(score))
}

/// Measures a problem whose win takes at most `longest` plies, or that has none.
fn measure(bencher: Bencher, rule: &str, moves: &str, longest: Option<i32>) {
    let board = board(rule, "15", moves);
    bencher
        .with_inputs(|| worker(&board))
        .bench_local_values(|mut worker| {
            let found = solve(&mut worker);
            assert_eq!(found.is_some(), longest.is_some());
            assert!(found <= longest, "{found:?} plies");
        });
}

const RULES: [&str; 4] = ["freestyle", "standard", "renju", "caro"];

#[divan::bench(args = RULES)]
fn chain(bencher: Bencher, rule: &str) {
    measure(bencher, rule, CHAIN, Some(7));
}

#[divan::bench(args = RULES)]
fn no_win(bencher: Bencher, rule: &str) {
    measure(bencher, rule, BROKEN, None);
}

#[divan::bench(args = RULES)]
fn random(bencher: Bencher, rule: &str) {
    measure(bencher, rule, RANDOM, Some(11));
}
