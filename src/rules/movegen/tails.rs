//! What is known of the places that a capturing piece has gone on from.

use crate::board::Bitboard;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// For each set of victims the squares from which the piece was followed, and those of them from which a jump leads on.
///
/// Twenty victims among which a king jumps in eight directions have hundreds of thousands of sets and a dozen squares for
/// each: one entry for a set takes a seventh of the memory of one for a place.
#[derive(Debug, Default)]
pub(super) struct Tails(HashMap<Bitboard, Places, BuildHasherDefault<Mixer>>);

#[derive(Clone, Copy, Debug, Default)]
struct Places {
    followed: Bitboard,
    leading_on: Bitboard,
}

impl Tails {
    /// Whether a jump leads on from this square (a set of one) after these victims, if the piece was followed from there.
    #[inline]
    pub fn leads_on(&self, at: Bitboard, victims: Bitboard) -> Option<bool> {
        let places = self.0.get(&victims)?;
        (places.followed & at).any().then(|| (places.leading_on & at).any())
    }

    /// The piece was followed from this square.
    #[inline]
    pub fn note(&mut self, at: Bitboard, victims: Bitboard, leads_on: bool) {
        let places = self.0.entry(victims).or_default();
        places.followed |= at;
        if leads_on {
            places.leading_on |= at;
        }
    }
}

/// Hashes one set of squares. Nobody chooses such sets to make a table slow, and the usual hash takes longer than the walk
/// that it saves.
#[derive(Debug, Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    #[inline]
    fn write_u64(&mut self, set: u64) {
        // The golden ratio spreads the bits upward, the shift brings them down to where the table looks.
        let spread = set.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = spread ^ spread >> 32;
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(self.0.rotate_left(8) ^ u64::from(byte));
        }
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}
