//! The transposition table, larger than any cache.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use tengen::tt::{Entry, Table};
use tengen::types::rng::split_mix;
use tengen::types::{Bound, Point};

const KEYS: u64 = 4096;

fn entry(number: u64) -> Entry {
    Entry {
        best: Point::new((number % 15) as u8, (number / 15 % 15) as u8),
        score: number as i32 % 1000,
        eval: -(number as i32 % 500),
        depth: number as i32 % 20,
        bound: Bound::Exact,
        pv: false,
    }
}

/// A table of 64 MiB that holds `KEYS` entries.
fn filled() -> Table {
    let table = Table::new(64 << 20);
    for number in 0..KEYS {
        table.store(split_mix(number), entry(number));
    }
    table
}

#[divan::bench]
fn probe_hits(bencher: Bencher) {
    let table = filled();
    bencher.counter(ItemsCount::new(KEYS)).bench_local(|| {
        for number in 0..KEYS {
            assert_eq!(table.probe(split_mix(number)), Some(entry(number)));
        }
    });
}

#[divan::bench]
fn probe_misses(bencher: Bencher) {
    let table = filled();
    bencher.counter(ItemsCount::new(KEYS)).bench_local(|| {
        for number in KEYS..2 * KEYS {
            assert_eq!(black_box(&table).probe(split_mix(number)), None);
        }
    });
}

#[divan::bench]
fn store(bencher: Bencher) {
    let table = filled();
    bencher.counter(ItemsCount::new(KEYS)).bench_local(|| {
        for number in 0..KEYS {
            table.store(split_mix(number), entry(number));
        }
    });
    assert_eq!(table.probe(split_mix(7)), Some(entry(7)));
}
