//! Patterns: groups of squares on which every placement of men has a number.
//!
//! A square is empty (or holds a king), or has a man of either side: three states, so a pattern of n squares has 3^n
//! placements. The number is read as digits in base 3, found with one extraction of bits (`pext`) and one table
//! look-up for each side (the idea of pattern tables: M. Buro, "From simple features to sophisticated evaluation
//! functions", 1999).

use crate::board::{Bitboard, Board, Square};

/// The most squares of a pattern.
pub const MOST_SQUARES: usize = 12;

/// The squares of rows `top..top + rows` and columns `left..left + columns` of the lattice.
pub const fn rectangle(board: &Board, top: u8, rows: u8, left: u8, columns: u8) -> Bitboard {
    let mut set = 0;
    let mut index = 0;
    while index < 63 {
        let square = Square::new(index);
        index += 1;
        let (row, column) = (square.row(), square.column());
        if board.playable().contains(square)
            && row >= top
            && row < top + rows
            && column >= left
            && column < left + columns
        {
            set |= Bitboard::of(square).0;
        }
    }
    assert!(set.count_ones() as usize <= MOST_SQUARES);
    Bitboard(set)
}

/// The patterns of 10x10 boards: four columns of six rows by four files, seen from the side at the bottom.
const LARGE: [Bitboard; 4] = {
    let board = Board::INTERNATIONAL;
    [
        rectangle(board, 4, 6, 0, 4),
        rectangle(board, 4, 6, 2, 4),
        rectangle(board, 4, 6, 4, 4),
        rectangle(board, 4, 6, 6, 4),
    ]
};

/// The patterns of 8x8 boards: blocks of four by four, near the own side and in the middle.
const SMALL: [Bitboard; 6] = {
    let board = Board::ENGLISH;
    [
        rectangle(board, 4, 4, 0, 4),
        rectangle(board, 4, 4, 2, 4),
        rectangle(board, 4, 4, 4, 4),
        rectangle(board, 2, 4, 0, 4),
        rectangle(board, 2, 4, 2, 4),
        rectangle(board, 2, 4, 4, 4),
    ]
};

/// The patterns of a board. The opponent's are the same, turned by 180 degrees.
pub const fn patterns(board: &Board) -> &'static [Bitboard] {
    if board.side() == 10 { &LARGE } else { &SMALL }
}

/// The most patterns of any board.
pub const MOST_PATTERNS: usize = 6;

/// Placements of a pattern.
pub const fn placements(pattern: Bitboard) -> usize {
    3usize.pow(pattern.len())
}

/// Binary digits read as ternary ones.
static TERNARY: [u32; 1 << MOST_SQUARES] = {
    let mut table = [0; 1 << MOST_SQUARES];
    let mut i = 1;
    while i < table.len() {
        table[i] = 3 * table[i >> 1] + (i & 1) as u32;
        i += 1;
    }
    table
};

/// The number of a placement: own men count 1, the opponent's 2.
#[inline(always)]
pub fn placement(pattern: Bitboard, own: Bitboard, other: Bitboard) -> usize {
    let digits = |men: Bitboard| TERNARY[extract(men.0, pattern.0) & ((1 << MOST_SQUARES) - 1)];
    (digits(own) + 2 * digits(other)) as usize
}

/// The bits of `set` under `mask`, pushed together.
#[inline(always)]
fn extract(set: u64, mask: u64) -> usize {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    {
        // SAFETY: the instruction set is known at compile time to have it.
        unsafe { std::arch::x86_64::_pext_u64(set, mask) as usize }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    {
        extract_plainly(set, mask)
    }
}

/// [`extract`] bit by bit, for processors without the instruction.
#[allow(dead_code, reason = "the only way on some processors, the oracle of the test on others")]
fn extract_plainly(set: u64, mut mask: u64) -> usize {
    let mut bits = 0;
    let mut place = 1;
    while mask != 0 {
        if set & mask & mask.wrapping_neg() != 0 {
            bits |= place;
        }
        place <<= 1;
        mask &= mask - 1;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_extractions_agree() {
        let mut set = 1u64;
        for mask in LARGE.iter().chain(&SMALL) {
            for _ in 0..100 {
                set = set.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(17) ^ 0x5555;
                assert_eq!(extract(set, mask.0), extract_plainly(set, mask.0));
            }
        }
    }

    #[test]
    fn every_square_is_in_a_pattern_or_its_turn() {
        for board in [Board::INTERNATIONAL, Board::ENGLISH, Board::ITALIAN, Board::SPANISH] {
            let mut covered = Bitboard::EMPTY;
            for &pattern in patterns(board) {
                assert!(pattern.without(board.playable()).is_empty());
                covered |= pattern | super::super::super::features::turned(pattern, board.side());
            }
            assert_eq!(covered, board.playable());
            assert!(patterns(board).len() <= MOST_PATTERNS);
        }
    }

    #[test]
    fn placements_are_numbers_in_base_3() {
        let pattern = SMALL[0];
        let squares: Vec<Bitboard> = pattern.into_iter().map(Bitboard::of).collect();
        assert_eq!(placement(pattern, squares[0], squares[2]), 1 + 2 * 9);
        assert_eq!(placement(pattern, Bitboard::EMPTY, pattern), placements(pattern) - 1);
    }
}
