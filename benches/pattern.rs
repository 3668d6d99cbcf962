//! The tables of a rule: building them, and looking classes up.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use tengen::eval;
use tengen::pattern::line::{self, LINE_COUNT};
use tengen::pattern::{CellClass, LineClass, RuleTables};
use tengen::rules::RuleSpec;
use tengen::types::{Color, Direction};

use crate::positions::{SAMPLES, Sample, tables};

#[divan::bench(args = ["freestyle", "renju", "caro", "omok"], sample_count = 10, sample_size = 1)]
fn build_tables(bencher: Bencher, rule: &str) {
    let spec = RuleSpec::parse(rule).expect("a rule");
    bencher.bench(|| {
        let tables = RuleTables::new(spec, eval::weights(spec));
        let alone = line::empty_side(5) * (line::SIDE_STATES as u32 + 1);
        assert_eq!(tables.lines.class(alone, Color::Black), LineClass::OpenOne);
        tables
    });
}

/// Line indices in an order that no cache can guess.
#[divan::bench]
fn line_lookup(bencher: Bencher) {
    let tables = tables("freestyle");
    let indices: Vec<u32> = (0..4096u32)
        .map(|k| k * 48_271 % LINE_COUNT as u32)
        .collect();
    let sum = |tables: &RuleTables| {
        let pairs = indices.iter().map(|index| tables.lines.pair(*index));
        pairs.fold(0, |sum, pair| sum + u64::from(pair))
    };
    let by_class: u64 = indices
        .iter()
        .map(|index| {
            let class = |color| tables.lines.class(*index, color) as u64;
            class(Color::Black) | class(Color::White) << 4
        })
        .sum();
    let bencher = bencher.counter(ItemsCount::new(indices.len()));
    bencher.bench_local(|| assert_eq!(sum(black_box(&tables)), by_class));
}

/// Both sides' classes of every empty cell, each compared with its definition once.
#[divan::bench(args = &SAMPLES)]
fn cell_lookup(bencher: Bencher, sample: &Sample) {
    let board = sample.board();
    for point in board.empties().iter() {
        for color in Color::ALL {
            let lines = Direction::ALL.map(|d| board.line_class(point, d, color));
            let forbidden = &board.spec().sides[color].forbidden;
            let defined = CellClass::combine(lines, forbidden).0;
            assert_eq!(board.class(point, color), defined);
        }
    }
    let count = board.empty_points();
    let quiet = |color| board.count_of(color, CellClass::Quiet);
    let expected = quiet(Color::Black) + quiet(Color::White);
    let bencher = bencher.counter(ItemsCount::new(2 * count));
    bencher.bench_local(|| {
        let points = black_box(&board).empties().iter();
        let found = points.flat_map(|point| Color::ALL.map(|color| board.class(point, color)));
        let found = found.filter(|class| *class == CellClass::Quiet).count();
        assert_eq!(found, expected);
    });
}
