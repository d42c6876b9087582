//! The values of the positions that were asked for last.

use super::Value;
use crate::board::Key;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// 2 to this many slots, of 8 bytes each: they fit in the second-level cache of a processor.
const LOG_SLOTS: u32 = 16;
/// The bits of a slot that hold a value. The other ones hold those of the key, which also say which slot it is.
const VALUE_BITS: u64 = 3;

/// Values by the keys of their positions. A slot keeps the last one that was put there. Any number of threads may use it
/// at once: a slot is one word, written and read whole.
pub(super) struct Cache {
    slots: Box<[AtomicU64]>,
}

impl Cache {
    /// Knows nothing.
    pub fn new() -> Cache {
        Cache { slots: (0..1 << LOG_SLOTS).map(|_| AtomicU64::new(0)).collect() }
    }

    #[inline(always)]
    fn slot(&self, key: Key) -> &AtomicU64 {
        &self.slots[(key.0 >> (u64::BITS - LOG_SLOTS)) as usize]
    }

    /// The value, if it is still there.
    #[inline(always)]
    pub fn get(&self, key: Key) -> Option<Value> {
        let found = self.slot(key).load(Relaxed);
        if (found ^ key.0) & !VALUE_BITS != 0 {
            return None;
        }
        // An empty slot has no value: codes are stored from 1 on.
        Value::from_code((found & VALUE_BITS).wrapping_sub(1) as u8)
    }

    /// Keeps a value.
    #[inline(always)]
    pub fn put(&self, key: Key, value: Value) {
        self.slot(key).store(key.0 & !VALUE_BITS | u64::from(value.code() + 1), Relaxed);
    }
}

impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cache").field("slots", &self.slots.len()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn what_it_knows_is_what_was_put(
            keys in prop::collection::vec((any::<u64>(), 0..3u8), 1..500),
            few in any::<bool>(),
        ) {
            let cache = Cache::new();
            let mut model = HashMap::new();
            for (number, code) in keys {
                // Few different slots, so that keys meet in them.
                let key = Key(if few { number & 0x0003_0000_0000_000f } else { number });
                let value = Value::from_code(code).unwrap();
                let known = cache.get(key);
                // Keys that differ in the lowest bits alone are one key to it: 62 bits tell positions apart.
                prop_assert!(known.is_none() || known == model.get(&(key.0 & !VALUE_BITS)).copied());
                cache.put(key, value);
                model.insert(key.0 & !VALUE_BITS, value);
                prop_assert_eq!(cache.get(key), Some(value));
            }
        }
    }

    #[test]
    fn an_empty_one_knows_nothing() {
        let cache = Cache::new();
        for key in [0, 1, 2, 3, u64::MAX, 1 << 63] {
            assert_eq!(cache.get(Key(key)), None);
        }
    }
}
