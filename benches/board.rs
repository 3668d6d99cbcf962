//! A stone placed and taken back, with everything the board keeps up to date.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};

use crate::positions::{SAMPLES, Sample, candidates};

#[divan::bench(args = &SAMPLES)]
fn make_and_undo(bencher: Bencher, sample: &Sample) {
    let mut board = sample.board();
    let points = candidates(&board);
    let before = (board.key(), board.value());
    let bencher = bencher.counter(ItemsCount::new(points.len()));
    bencher.bench_local(|| {
        for point in &points {
            board.make(*point);
            black_box(board.key());
            board.undo();
        }
    });
    assert_eq!((board.key(), board.value()), before);
    assert!(board.last_move().is_some() && board.is_empty(points[0]));
}
