//! What the learned evaluation sees of a position: the same for playing and for fitting.

use super::pattern::{MOST_PATTERNS, patterns, placement, placements};
use crate::board::{Bitboard, Color, Position};
use crate::eval::features::{self, Feature, turned};
use crate::rules::Variant;

/// The features beside the patterns: what kings do, and what men can do next.
pub const EXTRA: [Feature; 8] = [
    Feature::FirstKing,
    Feature::MoreKings,
    Feature::KingMoves,
    Feature::SafeMoves,
    Feature::UnsafeMoves,
    Feature::Runaway,
    Feature::Imbalance,
    Feature::Men,
];

/// A position as indices and numbers. A value is, from White's view, the sum of the weights at `own` less those at
/// `other`, plus the extra features with their weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inputs {
    /// The placement of each pattern seen by White, as an index into all tables together.
    pub own: [u32; MOST_PATTERNS],
    /// The same seen by Black.
    pub other: [u32; MOST_PATTERNS],
    /// Differences of the [`EXTRA`] features, White less Black.
    pub extra: [i16; EXTRA.len()],
    /// Men of both sides.
    pub men: u8,
    /// Men and kings of White and Black, for scaling towards a draw.
    pub material: [(u8, u8); 2],
    /// Whether White is to move.
    pub white_to_move: bool,
}

/// Where the table of each pattern begins, and behind the last one the size of all.
pub const fn offsets<V: Variant>() -> [u32; MOST_PATTERNS + 1] {
    let patterns = patterns(V::RULES.board);
    let mut offsets = [0; MOST_PATTERNS + 1];
    let mut i = 0;
    while i < MOST_PATTERNS {
        let size = if i < patterns.len() { placements(patterns[i]) as u32 } else { 0 };
        offsets[i + 1] = offsets[i] + size;
        i += 1;
    }
    offsets
}

/// Reads a position.
#[inline(always)]
pub fn inputs<V: Variant>(position: &Position) -> Inputs {
    let (white, black) = (position.men(Color::White), position.men(Color::Black));
    let [mut own, mut other] = [[0; MOST_PATTERNS]; 2];
    each_placement::<V>(white, black, |i, [seen_by_white, seen_by_black]| {
        own[i] = seen_by_white;
        other[i] = seen_by_black;
    });
    let counts = features::count::<V>(position);
    let kings = |color| position.kings_of(color).len() as u8;
    Inputs {
        own,
        other,
        extra: EXTRA.map(|feature| (counts[0][feature as usize] - counts[1][feature as usize]) as i16),
        men: (white.len() + black.len()) as u8,
        material: [(white.len() as u8, kings(Color::White)), (black.len() as u8, kings(Color::Black))],
        white_to_move: position.turn() == Color::White,
    }
}

/// Hands the table indices of each pattern to `visit`, seen by White and by Black.
#[inline(always)]
pub fn each_placement<V: Variant>(white: Bitboard, black: Bitboard, mut visit: impl FnMut(usize, [u32; 2])) {
    let side = const { V::RULES.board.side() };
    let offsets = const { offsets::<V>() };
    let (turned_white, turned_black) = (turned(white, side), turned(black, side));
    for (i, &pattern) in const { patterns(V::RULES.board) }.iter().enumerate() {
        let by_white = placement(pattern, white, black) as u32;
        let by_black = placement(pattern, turned_black, turned_white) as u32;
        visit(i, [offsets[i] + by_white, offsets[i] + by_black]);
    }
}
