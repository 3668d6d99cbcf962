//! Memory of positions in the search of fours: bounded, four entries to a bucket.
//!
//! An entry is about the side to move, whichever it is: within how many fours it wins, and up to
//! how many fours it is known not to. Whole keys are compared.

use crate::types::Point;

/// "Not within any number of fours", and in [`Known::win`] "no win known".
pub(super) const NEVER: u8 = u8::MAX;

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    /// First move of the win, if one is known.
    pub best: Point,
    /// It wins within that many fours; [`NEVER`] when no win is known.
    pub win: u8,
    /// It does not win within that many fours; [`NEVER`]: not at all.
    pub fail: u8,
}

impl Known {
    pub const NOTHING: Known = Known {
        best: Point::NONE,
        win: NEVER,
        fail: 0,
    };
}

/// Key and data; the data from the low end: point 16 bits, win 8, fail 8, work 8, used 1. An array
/// of numbers, because the system gives those zeroed without touching them.
type Slot = [u64; 2];

const USED: u64 = 1 << 40;
const WAYS: usize = 4;

/// The table.
pub(super) struct Table {
    slots: Vec<Slot>,
    /// Number of buckets less one; a power of two less one.
    mask: usize,
}

impl Table {
    /// A table of at most `bytes` bytes, but never without room for some positions.
    pub fn new(bytes: usize) -> Table {
        let fit = (bytes / (WAYS * size_of::<Slot>())).max(64);
        let buckets = 1 << fit.ilog2();
        Table {
            slots: vec![[0; 2]; buckets * WAYS],
            mask: buckets - 1,
        }
    }

    #[inline]
    fn bucket(&self, key: u64) -> usize {
        // The low bits of Zobrist keys are as good as any.
        (key as usize & self.mask) * WAYS
    }

    #[inline]
    pub fn probe(&self, key: u64) -> Option<Known> {
        let at = self.bucket(key);
        let mut slots = self.slots[at..at + WAYS].iter();
        let found = slots.find(|slot| slot[0] == key && slot[1] & USED != 0);
        found.map(|[_, data]| Known {
            best: Point::from_index((data & 0xFFFF) as usize),
            win: (data >> 16) as u8,
            fail: (data >> 24) as u8,
        })
    }

    /// Stores what is known, in place of the entry that took least work. `nodes`: what it took.
    pub fn store(&mut self, key: u64, known: Known, nodes: u64) {
        let work = u64::from((nodes + 1).ilog2());
        let data = known.best.index() as u64
            | u64::from(known.win) << 16
            | u64::from(known.fail) << 24
            | work << 32
            | USED;
        let at = self.bucket(key);
        let bucket = &mut self.slots[at..at + WAYS];
        let same = bucket.iter().position(|slot| slot[0] == key);
        // Work and use are the high bits.
        let least = || (0..WAYS).min_by_key(|way| bucket[*way][1] >> 32);
        if let Some(way) = same.or_else(least) {
            bucket[way] = [key, data];
        }
    }
}
