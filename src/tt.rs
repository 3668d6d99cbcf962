//! L4: the transposition table: fixed size, shared by all threads without locks.
//!
//! An entry is two words, `key ^ data` and `data`, each read and written on its own with relaxed
//! order. A pair torn by two writers fails the check and reads as a miss (Hyatt and Mann, "A
//! lockless transposition table implementation", 2002), so no entry is ever half one position
//! and half another. Four entries fill a cache line.

mod file;
mod memory;

use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::types::{Bound, Point, Score, score};

/// Entries of one cache line.
const BUCKET: usize = 4;
/// Words of one cache line.
const LINE: usize = 2 * BUCKET;

/// What the table knows about a position. Scores count decided distances from the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Best or refuting move; may be [`Point::NONE`].
    pub best: Point,
    /// Stored score.
    pub score: Score,
    /// Static evaluation, of the side to move.
    pub eval: Score,
    /// Depth of the search behind `score`, in plies; 0 and below are quiescence.
    pub depth: i32,
    /// What `score` says about the true one.
    pub bound: Bound,
    /// Was it searched as part of a principal variation?
    pub pv: bool,
}

/// Added to depths so that quiescence depths store as positive numbers.
const DEPTH_OFFSET: i32 = 16;
const GENERATIONS: u8 = 64;
/// Bytes that a growing table uses at least.
const LEAST_USED: u64 = 1 << 20;
/// Entries looked at to see how full the table is.
const USAGE_SAMPLE: usize = 4000;

impl Entry {
    /// Does the entry say who wins, whatever the depth?
    #[inline]
    pub fn is_proof(&self) -> bool {
        score::is_win(self.score) && self.bound.is_lower()
            || score::is_loss(self.score) && self.bound.is_upper()
    }

    fn pack(self, generation: u8) -> u64 {
        let depth = (self.depth + DEPTH_OFFSET).clamp(0, 255) as u64;
        self.best.index() as u64
            | (self.score as i16 as u16 as u64) << 10
            | (self.eval as i16 as u16 as u64) << 26
            | depth << 42
            | (self.bound as u64) << 50
            | u64::from(self.pv) << 52
            | u64::from(generation % GENERATIONS) << 53
    }

    fn unpack(data: u64) -> Entry {
        Entry {
            best: Point::from_index(data as usize & 1023),
            score: Score::from((data >> 10) as u16 as i16),
            eval: Score::from((data >> 26) as u16 as i16),
            depth: (data >> 42 & 255) as i32 - DEPTH_OFFSET,
            bound: Bound::from_bits(data >> 50),
            pv: data >> 52 & 1 != 0,
        }
    }
}

/// How much an entry is worth keeping: deeper is better, older is worse.
fn worth(data: u64, generation: u8) -> i32 {
    let age = generation.wrapping_sub((data >> 53) as u8) % GENERATIONS;
    (data >> 42 & 255) as i32 - 8 * i32::from(age)
}

/// Buckets that fit into so many bytes, at least one.
fn buckets_of(bytes: u64) -> usize {
    (bytes / (8 * LINE as u64)).max(1) as usize
}

/// The place of the first word is a multiple of this many words: a cache line, or a huge page when
/// the table is as large as one. What is left free before it is not touched.
fn alignment(buckets: usize) -> usize {
    match memory::HUGE_PAGE {
        Some(page) if buckets * LINE >= page / 8 => page / 8,
        _ => LINE,
    }
}

/// The table.
pub struct Table {
    words: Box<[AtomicU64]>,
    /// First word that starts a cache line.
    first: usize,
    /// Buckets that there is memory for.
    room: usize,
    /// Buckets in use: the first ones.
    buckets: AtomicUsize,
    generation: AtomicU8,
    /// Words from the first on that [`Table::take_memory`] has done with.
    taken: AtomicUsize,
}

impl Table {
    /// A table of at most `bytes` bytes (at least one bucket), smaller if the system refuses
    /// that much. The memory is taken page by page as it is used.
    pub fn new(bytes: u64) -> Table {
        let mut buckets = buckets_of(bytes);
        let (words, alignment): (Box<[AtomicU64]>, usize) = loop {
            let alignment = alignment(buckets);
            match bytemuck::try_zeroed_slice_box(buckets * LINE + alignment) {
                Ok(words) => break (words, alignment),
                Err(()) => buckets = (buckets / 2).max(1),
            }
        };
        let misalignment = words.as_ptr() as usize / 8 % alignment;
        let first = (alignment - misalignment) % alignment;
        Table {
            words,
            first,
            room: buckets,
            buckets: AtomicUsize::new(buckets),
            generation: AtomicU8::new(0),
            taken: AtomicUsize::new(0),
        }
    }

    /// The same, but little of it is used until [`Table::grow`] asks for more: a search that
    /// scatters its first few thousand entries over a large fresh table waits for memory all the
    /// time.
    pub fn growing(bytes: u64) -> Table {
        let mut table = Table::new(bytes);
        table.buckets = AtomicUsize::new(table.room.min(buckets_of(LEAST_USED)));
        table
    }

    /// Has the table use at least `bytes` of its memory, as far as there is so much, and moves
    /// what it holds to where it belongs then, for about `time` at most; the rest is lost. Only
    /// while no search runs.
    pub fn grow(&self, bytes: u64, time: Duration) {
        let old = self.buckets.load(Relaxed);
        let new = buckets_of(bytes).min(self.room);
        if new <= old {
            return;
        }
        let start = Instant::now();
        self.buckets.store(new, Relaxed);
        // Entries move up, so the place of each is free of old ones when it comes.
        for (index, bucket) in self.used().chunks_exact(LINE).enumerate().take(old).rev() {
            if index % 1024 == 0 && start.elapsed() >= time {
                return;
            }
            for pair in bucket.chunks_exact(2) {
                let data = pair[1].load(Relaxed);
                let key = pair[0].load(Relaxed) ^ data;
                if data != 0 && self.index(key) != index {
                    pair[1].store(0, Relaxed);
                    self.store(key, Entry::unpack(data));
                }
            }
        }
    }

    /// Takes memory that is not taken yet, in huge pages where the system has them, for about
    /// `time` at most, and goes on where the last call has ended. What is left is taken as it is
    /// used. A huge page takes a tenth of a millisecond; in a virtual machine that must get it
    /// from outside, up to four, and as a search touches all of them with its first few hundred
    /// positions, it must not be left to it.
    pub fn take_memory(&self, time: Duration) {
        let Some(page) = memory::HUGE_PAGE else {
            return;
        };
        let start = Instant::now();
        let words = self.used();
        let missing = words.get(self.taken.load(Relaxed)..).unwrap_or_default();
        for page in missing.chunks_exact(page / 8) {
            if start.elapsed() >= time {
                return;
            }
            if !memory::take_huge_page(page) {
                // It will not do so next time.
                self.taken.store(words.len(), Relaxed);
                return;
            }
            self.taken.fetch_add(page.len(), Relaxed);
        }
    }

    /// Brings what is known about the position with that key near, for a [`Table::probe`] soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        memory::prefetch(&self.bucket(key)[0]);
    }

    /// Marks what is in the table as older than what is to come.
    pub fn new_search(&self) {
        self.generation.fetch_add(1, Relaxed);
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[AtomicU64] {
        let from = self.first + self.index(key) * LINE;
        &self.words[from..from + LINE]
    }

    /// The bucket of a key: the same share of the way through the buckets as the key is through
    /// the numbers.
    #[inline]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.load(Relaxed) as u128) >> 64) as usize
    }

    /// The words of all buckets in use.
    fn used(&self) -> &[AtomicU64] {
        &self.words[self.first..self.first + self.buckets.load(Relaxed) * LINE]
    }

    /// Share of the table that this search has filled, per mille, from a sample.
    pub fn usage(&self) -> usize {
        let generation = self.generation.load(Relaxed) % GENERATIONS;
        let sample = self.used().chunks_exact(2).take(USAGE_SAMPLE);
        let taken = sample.filter(|pair| {
            let data = pair[1].load(Relaxed);
            data != 0 && (data >> 53) as u8 % GENERATIONS == generation
        });
        taken.count() * 1000 / USAGE_SAMPLE.min(self.used().len() / 2)
    }

    /// All entries with their keys.
    fn entries(&self) -> impl Iterator<Item = (u64, u64)> {
        let pairs = self.used().chunks_exact(2);
        pairs
            .map(|pair| (pair[0].load(Relaxed), pair[1].load(Relaxed)))
            .filter(|(_, data)| *data != 0)
            .map(|(check, data)| (check ^ data, data))
    }

    /// What is known about the position with that key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        for pair in self.bucket(key).chunks_exact(2) {
            let data = pair[1].load(Relaxed);
            if pair[0].load(Relaxed) ^ data == key && data != 0 {
                return Some(Entry::unpack(data));
            }
        }
        None
    }

    /// Remembers `entry`, unless the same position is known from a deeper search of this
    /// generation. Keeps the known best move when the new entry has none.
    pub fn store(&self, key: u64, mut entry: Entry) {
        let generation = self.generation.load(Relaxed);
        let mut victim = 0;
        let mut lowest = i32::MAX;
        let bucket = self.bucket(key);
        for (at, pair) in bucket.chunks_exact(2).enumerate() {
            let data = pair[1].load(Relaxed);
            if data == 0 {
                victim = at;
                break;
            }
            if pair[0].load(Relaxed) ^ data == key {
                let old = Entry::unpack(data);
                if entry.best.is_none() {
                    entry.best = old.best;
                }
                // A proof gives way to a shorter one only.
                let shorter = entry.is_proof() && entry.score.abs() >= old.score.abs();
                if old.is_proof() && !shorter {
                    return;
                }
                let current = worth(data, generation) == worth(data, (data >> 53) as u8);
                if current && entry.bound != Bound::Exact && entry.depth + 3 < old.depth {
                    return;
                }
                victim = at;
                break;
            }
            let worth = worth(data, generation);
            if worth < lowest {
                lowest = worth;
                victim = at;
            }
        }
        let data = entry.pack(generation);
        bucket[2 * victim].store(key ^ data, Relaxed);
        bucket[2 * victim + 1].store(data, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: i32, score: Score) -> Entry {
        let best = Point::new(7, 7);
        Entry {
            best,
            score,
            eval: -5,
            depth,
            bound: Bound::Lower,
            pv: true,
        }
    }

    #[test]
    fn stored_entries_come_back_whole() {
        let table = Table::new(1 << 16);
        for (key, depth, score) in [
            (1u64 << 60, -16, -32_000),
            (7 << 50, 12, 31_999),
            (3, 100, 0),
        ] {
            table.store(key, entry(depth, score));
            assert_eq!(table.probe(key), Some(entry(depth, score)));
        }
        assert_eq!(table.probe(4), None);
    }

    #[test]
    fn a_table_that_the_system_refuses_is_smaller() {
        let asked = 1 << 60;
        let table = Table::new(asked);
        assert!((table.room as u64) < asked / 64);
        table.store(u64::MAX, entry(3, 5));
        assert_eq!(table.probe(u64::MAX), Some(entry(3, 5)));
    }

    #[test]
    fn buckets_are_whole_cache_lines_and_a_prefetch_changes_none() {
        for bytes in [1, 64, 1000, 1 << 21, 5_000_000] {
            let table = Table::new(bytes);
            assert!(table.room as u64 <= (bytes / 64).max(1));
            for key in [0, 1 << 40, u64::MAX] {
                assert_eq!(table.bucket(key).as_ptr() as usize % 64, 0, "{bytes} bytes");
                table.store(key, entry(4, 9));
                table.prefetch(key);
                assert_eq!(table.probe(key), Some(entry(4, 9)));
            }
        }
    }

    #[test]
    fn a_table_that_grows_keeps_what_it_holds() {
        let table = Table::growing(9 << 20);
        let key = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for number in 1..=2000 {
            table.store(key(number), entry(number as i32 % 100, 7));
        }
        for (bytes, used) in [(0, 1), (3 << 20, 3), (2 << 20, 3), (u64::MAX, 9)] {
            table.grow(bytes, Duration::MAX);
            assert_eq!(table.used().len(), used << 17);
            for number in 1..=2000 {
                let known = table.probe(key(number));
                assert_eq!(known, Some(entry(number as i32 % 100, 7)));
            }
            assert_eq!(table.entries().count(), 2000);
        }
    }

    #[test]
    fn a_table_that_grows_in_no_time_forgets_but_confuses_nothing() {
        let table = Table::growing(8 << 20);
        for number in 0..64 {
            table.store(number << 58, entry(number as i32, 7));
        }
        table.grow(u64::MAX, Duration::ZERO);
        let known: Vec<i32> = (0..64)
            .filter_map(|number| Some((number, table.probe(number << 58)?)))
            .map(|(number, known)| known.depth - number as i32)
            .collect();
        assert!(known.len() < 64 && known.iter().all(|difference| *difference == 0));
    }

    #[test]
    fn a_full_bucket_gives_up_its_shallowest_and_oldest() {
        let table = Table::new(64);
        for (key, depth) in [(1, 5), (2, 9), (3, 2), (4, 7)] {
            table.store(key, entry(depth, 10));
        }
        table.store(5, entry(1, 10));
        assert_eq!(table.probe(3), None);
        assert!(table.probe(1).is_some() && table.probe(2).is_some());
        table.new_search();
        table.store(6, entry(1, 10));
        assert_eq!(table.probe(5), None);
    }

    #[test]
    fn a_proof_outlives_deeper_opinions_of_later_searches() {
        let table = Table::new(64);
        let win = entry(3, 31_980);
        table.store(9, win);
        table.new_search();
        table.store(9, entry(20, 40));
        assert_eq!(table.probe(9), Some(win));
        table.store(9, entry(1, 31_990));
        assert_eq!(table.probe(9).map(|e| e.score), Some(31_990));
        table.store(9, win);
        assert_eq!(table.probe(9).map(|e| e.score), Some(31_990));
    }

    #[test]
    fn a_shallow_bound_does_not_replace_a_deep_one_and_the_best_move_is_kept() {
        let table = Table::new(64);
        table.store(9, entry(10, 40));
        table.store(
            9,
            Entry {
                best: Point::NONE,
                ..entry(2, 30)
            },
        );
        assert_eq!(table.probe(9), Some(entry(10, 40)));
        table.store(
            9,
            Entry {
                best: Point::NONE,
                ..entry(11, 30)
            },
        );
        assert_eq!(table.probe(9).map(|e| e.best), Some(Point::new(7, 7)));
    }
}
