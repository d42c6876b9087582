//! Perft: the number of move sequences of a given length, the standard check and benchmark of a move generator.
//!
//! Draw rules are ignored; a position without a legal move contributes nothing below it.

use super::movegen::{can_capture, captures, count_quiets, each_quiet, generate};
use super::play::play;
use super::variant::Variant;
use crate::board::{Move, MoveList, Position};
use std::hint::black_box;

/// Number of move sequences of length `depth`, every leaf position really played.
pub fn perft<V: Variant>(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if depth == 1 {
        return play_leaves::<V>(position);
    }
    let mut list = MoveList::new();
    generate::<V>(position, &mut list);
    list.iter().map(|&mv| perft::<V>(&play::<V>(position, mv), depth - 1)).sum()
}

/// Plays every legal move; the black box keeps the compiler from leaving that out.
#[inline(always)]
fn play_leaves<V: Variant>(position: &Position) -> u64 {
    let mut count = 0;
    let mut leaf = |mv| {
        black_box(play::<V>(position, mv));
        count += 1;
    };
    if can_capture::<V>(position, position.turn()) {
        let mut list = MoveList::new();
        captures::<V>(position, &mut list);
        list.iter().copied().for_each(leaf);
    } else {
        each_quiet::<V>(position, &mut leaf);
    }
    count
}

/// The same number, the last ply counted without playing its moves.
pub fn perft_bulk<V: Variant>(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if depth == 1 && !can_capture::<V>(position, position.turn()) {
        return u64::from(count_quiets::<V>(position, position.turn()));
    }
    let mut list = MoveList::new();
    if depth == 1 {
        captures::<V>(position, &mut list);
        return list.len() as u64;
    }
    generate::<V>(position, &mut list);
    list.iter().map(|&mv| perft_bulk::<V>(&play::<V>(position, mv), depth - 1)).sum()
}

/// The count below each legal move.
pub fn divide<V: Variant>(position: &Position, depth: u32, bulk: bool) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let mut list = MoveList::new();
    generate::<V>(position, &mut list);
    let count = if bulk { perft_bulk::<V> } else { perft::<V> };
    list.into_iter().map(|mv| (mv, count(&play::<V>(position, mv), depth - 1))).collect()
}
