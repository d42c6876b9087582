//! Positions seen before: a Bloom filter with 32 bits for each position.

use crate::board::Key;

/// Bits for each position that is expected: one position in so many is wrongly taken for one seen before.
const BITS: u64 = 32;

/// A set of positions that forgets nothing, but takes some for members that are not (a Bloom filter with one hash
/// function; B. Bloom, "Space/time trade-offs in hash coding with allowable errors", 1970).
#[derive(Debug)]
pub struct Seen {
    words: Vec<u64>,
}

impl Seen {
    /// Room for so many positions; with more it errs more often.
    pub fn with_room_for(positions: u64) -> Seen {
        Seen { words: vec![0; (positions * BITS / 64).max(1) as usize] }
    }

    /// Adds a position; whether it is new.
    pub fn insert(&mut self, key: Key) -> bool {
        let bits = self.words.len() as u128 * 64;
        // The high bits choose the place, whatever the size.
        let place = ((u128::from(key.0) * bits) >> 64) as usize;
        let (word, bit) = (&mut self.words[place / 64], 1 << (place % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn what_was_seen_is_never_new_and_what_was_not_nearly_always_is() {
        let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
        let keys: Vec<Key> = (0..10_000).map(|_| Key(random.random())).collect();
        let mut seen = Seen::with_room_for(10_000);
        let new = keys.iter().filter(|&&key| seen.insert(key)).count();
        assert!(new > 9_700, "{new}");
        assert!(keys.iter().all(|&key| !seen.insert(key)));
        assert!(Seen::with_room_for(0).insert(Key(5)));
    }
}
