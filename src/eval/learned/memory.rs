//! What a search keeps from one evaluation to the next: the sums of the positions on its path, and values.

use super::accumulator::Accumulator;
use crate::board::Key;
use crate::score::Score;

/// Places for values, one for each number of 16 bits: 512 KiB. More do not stay near the processor.
const PLACES: usize = 1 << 16;
/// A search that asks for fewer values than this is over before places for them pay.
const LEAST_ASKED: u32 = 1 << 14;

/// The memory of one evaluator; it changes the speed, never a value.
#[derive(Debug, Default)]
pub struct Memory {
    /// The sums of the network for the last position at each ply: the next one there is mostly its sister, or a child of
    /// the last one a ply before.
    pub(super) sums: Vec<Accumulator>,
    values: Values,
}

/// Values by the low 16 bits of the key. A word is the other 48 bits of the key and the value.
#[derive(Debug, Default)]
struct Values {
    /// None before it pays.
    words: Option<Box<[u64; PLACES]>>,
    asked: u32,
}

impl Memory {
    /// The value that was found for the position with this key, if it is still known.
    #[inline(always)]
    pub(super) fn known(&self, key: Key) -> Option<Score> {
        let word = self.values.words.as_ref()?[key.0 as usize % PLACES];
        (word ^ key.0 <= 0xffff).then_some(Score::from_centi(i32::from(word as i16)))
    }

    /// Remembers a value.
    #[inline(always)]
    pub(super) fn remember(&mut self, key: Key, value: Score) {
        match &mut self.values.words {
            Some(words) => words[key.0 as usize % PLACES] = key.0 & !0xffff | u64::from(value.centi() as u16),
            None => self.values.count(),
        }
    }

    /// Asks the processor to fetch the place of a value that will soon be asked for.
    #[inline(always)]
    pub(super) fn prefetch(&self, key: Key) {
        #[cfg(target_arch = "x86_64")]
        if let Some(words) = &self.values.words {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: a prefetch has no effect that a program can see, and the address is that of a live word.
            unsafe { _mm_prefetch::<_MM_HINT_T0>((&raw const words[key.0 as usize % PLACES]).cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }
}

impl Values {
    #[cold]
    #[inline(never)]
    fn count(&mut self) {
        self.asked += 1;
        if self.asked >= LEAST_ASKED {
            self.words = vec![0; PLACES].into_boxed_slice().try_into().ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_all_bits_of_the_key() {
        let mut memory = Memory::default();
        let value = Score::from_centi(-123);
        for asked in 0..LEAST_ASKED {
            memory.remember(Key(u64::from(asked) << 40), value);
        }
        let key = Key(0x1234_5678_9abc_def0);
        assert_eq!(memory.known(key), None);
        memory.remember(key, value);
        assert_eq!(memory.known(key), Some(value));
        for bit in 0..64 {
            assert_eq!(memory.known(Key(key.0 ^ 1 << bit)), None, "{bit}");
        }
        memory.prefetch(key);
    }
}
