//! Perft: the number of move sequences of a given length, the standard check and benchmark of a move generator.
//!
//! Draw rules are ignored; a position without a legal move contributes nothing below it.

use super::movegen::{can_capture, count_captures, count_quiets, each_capture, each_quiet, legal_moves};
use super::play::{play, play_in};
use super::variant::{Variant, VariantId};
use crate::board::{Move, Position};
use crate::for_variant;
use std::hint::black_box;

/// Number of move sequences of length `depth`, every leaf position really played.
pub fn perft<V: Variant>(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(each_move::<V>(position, |mv| {
            // The black box keeps the compiler from leaving the move out.
            black_box(&play::<V>(position, mv));
        })),
        _ => {
            let mut count = 0;
            each_move::<V>(position, |mv| count += perft::<V>(&play::<V>(position, mv), depth - 1));
            count
        }
    }
}

/// The same number, the last ply counted without playing its moves.
pub fn perft_bulk<V: Variant>(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(count_moves::<V>(position)),
        _ => {
            let mut count = 0;
            each_move::<V>(position, |mv| count += perft_bulk::<V>(&play::<V>(position, mv), depth - 1));
            count
        }
    }
}

/// Hands the legal moves to `visit`, one after another, and says how many they are.
#[inline(always)]
fn each_move<V: Variant>(position: &Position, visit: impl FnMut(Move)) -> u32 {
    if can_capture::<V>(position, position.turn()) {
        each_capture::<V>(position, visit)
    } else {
        each_quiet::<V>(position, visit);
        count_quiets::<V>(position, position.turn())
    }
}

#[inline(always)]
fn count_moves<V: Variant>(position: &Position) -> u32 {
    if can_capture::<V>(position, position.turn()) {
        count_captures::<V>(position)
    } else {
        count_quiets::<V>(position, position.turn())
    }
}

/// The number in a variant known at run time, with or without playing the moves of the last ply.
///
/// ```
/// use kroon::rules::{VariantId, perft};
///
/// let rules = VariantId::English.rules();
/// let start = rules.position(&rules.start())?;
/// assert_eq!(perft::count(VariantId::English, &start, 5, true), 7_361);
/// # Ok::<(), kroon::board::SetupError>(())
/// ```
pub fn count(variant: VariantId, position: &Position, depth: u32, bulk: bool) -> u64 {
    for_variant!(variant, V => if bulk { perft_bulk::<V> } else { perft::<V> })(position, depth)
}

/// The count below each legal move.
pub fn divide(variant: VariantId, position: &Position, depth: u32, bulk: bool) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let below = |mv| (mv, count(variant, &play_in(variant, position, mv), depth - 1, bulk));
    legal_moves(variant, position).into_iter().map(below).collect()
}
