//! Which positions the threads are searching right now, so that each can leave for later what another is busy with
//! (T. Kerrigan's simplified ABDADA; the idea is that of J.-C. Weill, "The ABDADA distributed minimax search
//! algorithm", 1996). It is a hint: an overwritten slot costs time, never correctness.

use crate::board::Key;
use std::sync::atomic::{AtomicU64, Ordering};

const SLOTS: usize = 1 << 12;

/// The positions being searched, by slot.
pub struct BusyPositions {
    slots: Box<[AtomicU64]>,
}

impl BusyPositions {
    /// Nothing is being searched yet.
    pub fn new() -> BusyPositions {
        BusyPositions { slots: (0..SLOTS).map(|_| AtomicU64::new(0)).collect() }
    }

    #[inline(always)]
    fn slot(&self, key: Key) -> &AtomicU64 {
        &self.slots[key.0 as usize % SLOTS]
    }

    /// Whether a thread is searching this position.
    #[inline(always)]
    pub fn contains(&self, key: Key) -> bool {
        self.slot(key).load(Ordering::Relaxed) == key.0
    }

    /// A thread begins with this position.
    #[inline(always)]
    pub fn enter(&self, key: Key) {
        self.slot(key).store(key.0, Ordering::Relaxed);
    }

    /// A thread is done with it.
    #[inline(always)]
    pub fn leave(&self, key: Key) {
        let slot = self.slot(key);
        if slot.load(Ordering::Relaxed) == key.0 {
            slot.store(0, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_entered_is_contained_until_it_is_left() {
        let busy = BusyPositions::new();
        let (a, b) = (Key(5), Key(5 + SLOTS as u64));
        busy.enter(a);
        assert!(busy.contains(a) && !busy.contains(b));
        busy.enter(b);
        busy.leave(a);
        assert!(busy.contains(b) && !busy.contains(a));
        busy.leave(b);
        assert!(!busy.contains(b));
    }
}
