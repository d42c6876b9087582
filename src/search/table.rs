//! The transposition table: shared by all threads without locks.
//!
//! An entry is two words, `data` and `key ^ data`. Threads may tear an entry by writing it at the same time; the
//! reader notices because the words no longer agree (R. Hyatt and T. Mann, "A lockless transposition table
//! implementation for parallel search", 2002).

use super::memory;
use crate::board::{Key, Move};
use crate::score::Score;
use memmap2::MmapMut;
use parking_lot::Mutex;
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// What a stored score says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Bound {
    /// The true score is at most this.
    Upper = 1,
    /// The true score is at least this.
    Lower = 2,
    /// The true score.
    Exact = 3,
}

/// A move squeezed into 16 bits: from, to, and four bits that tell captures with equal ends apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveCode(u16);

impl MoveCode {
    /// No move.
    pub const NONE: MoveCode = MoveCode(0);

    /// The code of a move. (From and to are never both 0, so no move has the code of [`MoveCode::NONE`]... unless
    /// square 0 is left and reached in one circular capture whose tag is 0; that loses ordering, not correctness.)
    #[inline(always)]
    pub const fn of(mv: Move) -> MoveCode {
        let tag = mv.captured().0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60;
        MoveCode(mv.from().index() as u16 | (mv.to().index() as u16) << 6 | (tag as u16) << 12)
    }
}

/// What the table knows of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableEntry {
    /// Best or refuting move.
    pub mv: MoveCode,
    /// Score from the view of the side to move; distances count from the root of the present search.
    pub score: Score,
    /// What `score` bounds.
    pub bound: Bound,
    /// Depth of the search behind it, in plies.
    pub depth: i32,
    /// The static value of the position, if it was asked for.
    pub static_value: Option<Score>,
}

const WAYS: usize = 4;

/// No system has smaller pages, in bytes.
const PAGE: usize = 4096;

/// What one thread touches or empties at a time, in bytes: a multiple of large pages, and more than it takes to start
/// a thread.
const SHARE: usize = 64 << 20;
/// More threads than this only wait for the memory.
const MOST_THREADS: usize = 16;

/// Works on all shares, on several threads if there are several.
fn in_parallel<T: Send>(shares: impl ExactSizeIterator<Item = T> + Send, work: impl Fn(T) + Sync) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = cores.min(shares.len()).min(MOST_THREADS);
    let shares = Mutex::new(shares);
    let take = || shares.lock().next();
    let work_all = || {
        while let Some(share) = take() {
            work(share);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // This thread does what a thread that cannot be started would have done.
            let _ = std::thread::Builder::new().spawn_scoped(scope, work_all);
        }
        work_all();
    });
}

/// Four entries: one cache line.
#[repr(align(64))]
struct Bucket([[AtomicU64; 2]; WAYS]);

/// Pages of the system with buckets in them.
struct Buckets {
    first: NonNull<Bucket>,
    count: usize,
    /// Owns them.
    _pages: MmapMut,
}

// SAFETY: buckets are atomics; the pages live as long as this value and are reached through it only.
unsafe impl Send for Buckets {}
// SAFETY: as above.
unsafe impl Sync for Buckets {}

impl Buckets {
    /// So many of them, if there is memory.
    fn new(count: usize) -> Option<Buckets> {
        let mut pages = MmapMut::map_anon(count.checked_mul(size_of::<Bucket>())?).ok()?;
        // A probe goes anywhere in the table. With small pages the processor mostly has to look up first where the page
        // is, and even a prefetch waits for that. A system without large pages does without.
        #[cfg(target_os = "linux")]
        if let Err(error) = pages.advise(memmap2::Advice::HugePage) {
            log::debug!("no large pages: {error}");
        }
        // The system gives a page when it is first touched, and empties it then: not in the time of a search.
        in_parallel(pages.chunks_mut(SHARE), |share| share.chunks_mut(PAGE).for_each(|page| page[0] = 0));
        let first = NonNull::new(pages.as_mut_ptr().cast())?;
        Some(Buckets { first, count, _pages: pages })
    }
}

impl Deref for Buckets {
    type Target = [Bucket];

    #[inline(always)]
    fn deref(&self) -> &[Bucket] {
        // SAFETY: the pages are aligned to more than a bucket, large enough for `count` of them, and zeroed, which is a
        // valid bucket; nothing but this refers to them.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.count) }
    }
}

/// A table of fixed size in memory.
pub struct TranspositionTable {
    buckets: Buckets,
    generation: AtomicU8,
}

impl std::fmt::Debug for TranspositionTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TranspositionTable {{ mebibytes: {} }}", self.mebibytes())
    }
}

impl TranspositionTable {
    /// A table of about `mebibytes` (at least one), rounded down to whole buckets; if the system has not so much
    /// memory, half of that, or a quarter, and so on. Never more than three quarters of the machine's memory: systems
    /// promise more than they have, and who uses it is killed.
    pub fn new(mebibytes: usize) -> TranspositionTable {
        let mut mebibytes = mebibytes.max(1);
        if let Some(most) =
            memory::most().map(|memory| (memory / 4 * 3).max(1)).filter(|&most| mebibytes > most)
        {
            log::warn!("a table of {mebibytes} MiB is more than this process may use, {most} MiB must do");
            mebibytes = most;
        }
        loop {
            match Buckets::new((mebibytes << 20) / size_of::<Bucket>()) {
                Some(buckets) => return TranspositionTable { buckets, generation: AtomicU8::new(0) },
                None if mebibytes == 1 => std::alloc::handle_alloc_error(std::alloc::Layout::new::<Bucket>()),
                None => {
                    log::warn!("no memory for a table of {mebibytes} MiB, trying half");
                    mebibytes /= 2;
                }
            }
        }
    }

    /// Its size in mebibytes.
    pub fn mebibytes(&self) -> usize {
        (self.buckets.len() * size_of::<Bucket>()) >> 20
    }

    /// Empties the table, a large one on several threads.
    pub fn clear(&mut self) {
        in_parallel(self.buckets.chunks(SHARE / size_of::<Bucket>()), |buckets| {
            for entry in buckets.iter().flat_map(|bucket| &bucket.0) {
                entry[0].store(0, Ordering::Relaxed);
                entry[1].store(0, Ordering::Relaxed);
            }
        });
        self.generation.store(0, Ordering::Relaxed);
    }

    /// Starts a new search: what is stored from now on outlives what was stored before.
    pub fn age(&self) {
        let next = (self.generation.load(Ordering::Relaxed) + 1) & 63;
        self.generation.store(next, Ordering::Relaxed);
    }

    #[inline(always)]
    fn bucket(&self, key: Key) -> &Bucket {
        let index = (u128::from(key.0) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// Asks the processor to fetch the bucket of `key`.
    #[inline(always)]
    pub fn prefetch(&self, key: Key) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: a prefetch has no effect that a program can see, and the address is that of a live bucket.
            unsafe { _mm_prefetch::<_MM_HINT_T0>((&raw const *self.bucket(key)).cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is known of the position with this key; `ply` is its distance from the root.
    #[inline]
    pub fn probe(&self, key: Key, ply: usize) -> Option<TableEntry> {
        for words in &self.bucket(key).0 {
            let data = words[1].load(Ordering::Relaxed);
            if words[0].load(Ordering::Relaxed) ^ data == key.0 && data != 0 {
                return unpack(data, ply);
            }
        }
        None
    }

    /// Stores an entry, replacing the same position or the least valuable entry of the bucket.
    #[inline]
    pub fn store(&self, key: Key, ply: usize, entry: TableEntry) {
        let generation = self.generation.load(Ordering::Relaxed);
        let mut victim = 0;
        let mut least = i32::MAX;
        let mut entry = entry;
        for (i, words) in self.bucket(key).0.iter().enumerate() {
            let data = words[1].load(Ordering::Relaxed);
            if words[0].load(Ordering::Relaxed) ^ data == key.0 && data != 0 {
                if entry.mv == MoveCode::NONE {
                    entry.mv = MoveCode(data as u16);
                }
                victim = i;
                break;
            }
            let age = i32::from(generation.wrapping_sub((data >> 42) as u8) & 63);
            let worth = (data >> 32 & 0xff) as i32 - 8 * age + if data == 0 { -1000 } else { 0 };
            if worth < least {
                least = worth;
                victim = i;
            }
        }
        let data = pack(entry, generation, ply);
        let words = &self.bucket(key).0[victim];
        words[0].store(key.0 ^ data, Ordering::Relaxed);
        words[1].store(data, Ordering::Relaxed);
    }
}

/// In the place of a static value that was not asked for.
const NO_VALUE: i16 = i16::MIN;

/// Distances are stored from the position itself, so that they hold wherever it is met again.
#[inline(always)]
fn pack(entry: TableEntry, generation: u8, ply: usize) -> u64 {
    let score = match entry.score {
        s if !s.is_certain_win() => s,
        s if s > Score::DRAW => s + ply as i32,
        s => s - ply as i32,
    };
    u64::from(entry.mv.0)
        | u64::from(score.centi() as i16 as u16) << 16
        | (entry.depth.clamp(0, 255) as u64) << 32
        | (entry.bound as u64) << 40
        | u64::from(generation) << 42
        | u64::from(entry.static_value.map_or(NO_VALUE, |value| value.centi() as i16) as u16) << 48
}

#[inline(always)]
fn unpack(data: u64, ply: usize) -> Option<TableEntry> {
    let bound = match data >> 40 & 3 {
        1 => Bound::Upper,
        2 => Bound::Lower,
        3 => Bound::Exact,
        _ => return None,
    };
    let score = Score::from_centi(i32::from((data >> 16) as u16 as i16));
    let score = match score {
        s if !s.is_certain_win() => s,
        s if s > Score::DRAW => s - ply as i32,
        s => s + ply as i32,
    };
    let value = (data >> 48) as u16 as i16;
    Some(TableEntry {
        mv: MoveCode(data as u16),
        score,
        bound,
        depth: (data >> 32 & 0xff) as i32,
        static_value: (value != NO_VALUE).then(|| Score::from_centi(i32::from(value))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(score: Score, depth: i32) -> TableEntry {
        TableEntry { mv: MoveCode(77), score, bound: Bound::Exact, depth, static_value: None }
    }

    #[test]
    fn stored_is_found_and_distances_are_relative() {
        let table = TranspositionTable::new(1);
        let key = Key(0x1234_5678_9abc_def0);
        table.store(key, 4, entry(Score::win_in(10), 9));
        // Six plies from the position to the end: 2 + 6 from a root two plies before it.
        assert_eq!(table.probe(key, 2), Some(entry(Score::win_in(8), 9)));
        table.store(key, 3, entry(Score::from_centi(-250), 12));
        assert_eq!(table.probe(key, 0), Some(entry(Score::from_centi(-250), 12)));
        assert_eq!(table.probe(Key(1), 0), None);
        for static_value in [Some(Score::MAX_EVAL), Some(-Score::MAX_EVAL), Some(Score::DRAW), None] {
            let known = TableEntry { static_value, ..entry(Score::loss_in(7), 3) };
            table.store(key, 5, known);
            assert_eq!(table.probe(key, 5), Some(known));
        }
    }

    #[test]
    fn deep_entries_survive_shallow_ones_and_old_ones_do_not() {
        let table = TranspositionTable::new(1);
        let key = |n: u64| Key(n);
        table.store(key(1), 0, entry(Score::DRAW, 20));
        for n in 2..20 {
            table.store(key(n), 0, entry(Score::DRAW, 1));
        }
        assert!(table.probe(key(1), 0).is_some());
        for _ in 0..10 {
            table.age();
        }
        for n in 20..30 {
            table.store(key(n), 0, entry(Score::DRAW, 1));
        }
        assert!(table.probe(key(1), 0).is_none());
    }

    #[test]
    fn a_large_table_is_emptied_to_its_last_bucket() {
        // Three shares and a bit.
        let mut table = TranspositionTable::new(3 * (SHARE >> 20) + 1);
        let keys = (0..64).map(|n: u64| Key((n << 58) + 1)).chain([Key(u64::MAX)]);
        keys.clone().for_each(|key| table.store(key, 0, entry(Score::DRAW, 20)));
        assert!(keys.clone().all(|key| table.probe(key, 0).is_some()));
        table.clear();
        assert!(keys.clone().all(|key| table.probe(key, 0).is_none()));
    }

    #[test]
    fn shares_are_each_worked_on_once() {
        let mut shares = vec![0; 1_000];
        in_parallel(shares.iter_mut(), |share| *share += 1);
        assert!(shares.iter().all(|&share| share == 1));
        in_parallel(shares[..0].iter_mut(), |share| *share += 1);
    }

    #[test]
    fn torn_entries_are_not_found() {
        let table = TranspositionTable::new(1);
        let key = Key(99);
        table.store(key, 0, entry(Score::from_centi(5), 3));
        table.bucket(key).0[0][1].fetch_xor(1 << 33, Ordering::Relaxed);
        assert_eq!(table.probe(key, 0), None);
    }
}
