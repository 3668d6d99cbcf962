//! What the table asks of the machine besides memory: huge pages, and cache lines ahead of their
//! use. Both are hints that change no value. They need the only `unsafe` of the crate, one block
//! each.
#![allow(unsafe_code)]

use std::sync::atomic::AtomicU64;

/// Bytes of a huge page, where the system can be asked for them.
pub const HUGE_PAGE: Option<usize> = if cfg!(target_os = "linux") {
    Some(2 << 20)
} else {
    None
};

/// Has the system give the memory of `words`, a huge page, at once and as a huge page if it has
/// one: fewer misses of the address cache, and no faults of the search, which would have the
/// small pages of a fresh table first mapped to be read and then copied to be written. Without
/// huge pages the small ones are taken. False when the system cannot do that.
#[cfg(target_os = "linux")]
pub fn take_huge_page(words: &[AtomicU64]) -> bool {
    use nix::sys::mman::{MmapAdvise, madvise};
    use std::ffi::c_void;
    use std::ptr::NonNull;

    let start = NonNull::from(words).cast::<c_void>();
    let length = size_of_val(words);
    // SAFETY: the range is `words`, which stays mapped while it is borrowed. The first advice
    // changes how memory is mapped, the second maps what is missing; neither changes what it holds.
    unsafe {
        let _ = madvise(start, length, MmapAdvise::MADV_HUGEPAGE);
        madvise(start, length, MmapAdvise::MADV_POPULATE_WRITE).is_ok()
    }
}

/// There are none to be had.
#[cfg(not(target_os = "linux"))]
pub fn take_huge_page(_words: &[AtomicU64]) -> bool {
    false
}

/// Asks for the cache line of `word` to be brought near, without waiting for it.
#[cfg(target_arch = "x86_64")]
#[inline]
pub fn prefetch(word: &AtomicU64) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: every x86-64 processor has SSE, and a prefetch does nothing that a program sees.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(word).cast()) };
}

/// Left to the processor where stable Rust has no way to ask.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub fn prefetch(_word: &AtomicU64) {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::super::Table;
    use super::HUGE_PAGE;
    use std::sync::atomic::Ordering::Relaxed;
    use std::time::Duration;

    /// A part of the address space.
    #[derive(Default)]
    struct Mapping {
        from: usize,
        to: usize,
        /// Bytes that are in memory.
        rss: usize,
        flags: String,
    }

    /// The part that `address` belongs to.
    fn mapping(address: usize) -> Mapping {
        let maps = std::fs::read_to_string("/proc/self/smaps").expect("the mappings");
        let mut found = Mapping::default();
        for line in maps.lines() {
            let (first, rest) = line.split_once(' ').expect("two words");
            if let Some((from, to)) = first.split_once('-') {
                let number = |text| usize::from_str_radix(text, 16).expect("an address");
                (found.from, found.to) = (number(from), number(to));
            } else if first == "Rss:" {
                let kib = rest.trim().trim_end_matches(" kB");
                found.rss = 1024 * kib.parse::<usize>().expect("a number");
            } else if first == "VmFlags:" && (found.from..found.to).contains(&address) {
                found.flags = rest.to_string();
                return found;
            }
        }
        panic!("{address:x} is not mapped");
    }

    #[test]
    fn memory_is_taken_within_the_table_only_and_none_in_no_time() {
        let page = HUGE_PAGE.expect("a size");
        // Large enough for a mapping of its own.
        let table = Table::new(40 << 20 | 1 << 19);
        let first = table.bucket(0).as_ptr() as usize;
        table.take_memory(Duration::ZERO);
        assert_eq!(table.taken.load(Relaxed), 0);
        table.take_memory(Duration::MAX);
        assert!(table.taken.load(Relaxed) >= 20 * page / 8);
        let taken = mapping(first);
        assert!(taken.rss >= 20 * page);
        // Without huge pages it is no mapping of its own.
        if taken.flags.split(' ').any(|flag| flag == "hg") {
            assert_eq!((taken.from, taken.to), (first, first + 20 * page));
        }
        assert_eq!(table.entries().count(), 0);
    }
}
