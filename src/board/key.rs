//! Zobrist keys (A. L. Zobrist, "A new hashing method with application for game playing", 1970).

use super::color::Color;
use super::position::KingRun;
use super::square::Square;

/// A 64-bit hash of pieces and side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(transparent)]
pub struct Key(pub u64);

impl Key {
    /// The key of an empty board with White to move.
    pub const EMPTY: Key = Key(0);

    /// This key with the side to move changed.
    #[inline(always)]
    pub const fn flip_turn(self) -> Key {
        Key(self.0 ^ TURN)
    }

    /// This key with the run of a king of `color` added or removed.
    #[inline(always)]
    pub(super) const fn toggle_run(self, color: Color, run: KingRun) -> Key {
        if run.count() == 0 {
            return self;
        }
        // Rarely needed, so computed instead of kept in a table.
        Key(self.0 ^ splitmix(SEED ^ (run.bits() as u64) << 8 ^ (color.index() as u64 + 1) << 20).1)
    }

    /// This key with a piece added or removed.
    #[inline(always)]
    pub const fn toggle(self, color: Color, king: bool, square: Square) -> Key {
        Key(self.0 ^ PIECES[color.index()][king as usize][square.index()])
    }
}

const SEED: u64 = 0x4b72_6f6f_6e31_3030;

/// SplitMix64 (Steele, Lea, Flood 2014): one step of the stream and its output.
const fn splitmix(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = state;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (state, z ^ z >> 31)
}

const TURN: u64 = splitmix(SEED ^ 1).1;

static PIECES: [[[u64; 64]; 2]; 2] = {
    let mut table = [[[0; 64]; 2]; 2];
    let mut state = SEED;
    let mut i = 0;
    while i < 256 {
        let (next, value) = splitmix(state);
        state = next;
        table[i / 128][i / 64 % 2][i % 64] = value;
        i += 1;
    }
    table
};
