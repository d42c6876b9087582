//! Blocks: the men on eight neighbouring squares, four rows by two files, as one input of the network.
//!
//! A sum over pieces sees the parts of a formation one by one; a block sees it whole, as the patterns of M. Buro's programs
//! for Othello do (1998). There a state has a weight; here it has a row that is added to the hidden layer.

use crate::board::{Bitboard, Board, Color, Square};

/// Squares of a block; each is empty, or has an own or an opposing man.
const SQUARES: usize = 8;
/// Rows of squares in a block, and files.
const HEIGHT: usize = 4;
const WIDTH: usize = 2;
/// States of a block; that of an empty one is 0.
pub const STATES: usize = 3_usize.pow(SQUARES as u32);
/// Blocks that share no square: those that a network has, if it has any.
pub const APART: usize = 4;
/// With five more, which overlap them.
pub const MOST_BLOCKS: usize = 9;

/// The blocks of a board, for each side as it sees the board: the first eight rows from the far end, the first four files,
/// on 8x8 every square, in four blocks; then five in the middle, where the first four meet: two in the middle four rows, two in
/// the middle two files, one in both. What the last five are worth is in EXPERIMENTS.md, "Blocks that overlap".
///
/// ```
/// use kroon::board::{Bitboard, Board, Color};
/// use kroon::eval::learned::blocks::Blocks;
/// let blocks = Blocks::of(Board::ENGLISH);
/// let all = Board::ENGLISH.playable();
/// assert_eq!(all.without(blocks.squares(Color::White)), Bitboard::EMPTY);
/// // A man of the viewer on the first square of the first block.
/// let man = Bitboard::of(Board::ENGLISH.square(1).unwrap());
/// assert_eq!(blocks.states(Color::White, man, Bitboard::EMPTY), [1, 0, 0, 0, 0, 0, 0, 0, 0]);
/// ```
#[derive(Debug)]
pub struct Blocks {
    /// By squares of the lattice.
    powers: [Powers; 64],
    squares: [Bitboard; 2],
}

/// Numbers of all blocks as one viewer sees them, with room for a whole register.
pub(super) type Lanes = [u16; LANES];

/// No fewer than there are blocks.
pub(super) const LANES: usize = 16;

/// What one square says in the blocks of both viewers.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Powers {
    /// The power of 3 of its digit; 0 in blocks without it.
    pub of: [Lanes; 2],
    /// The blocks with it, one bit each.
    pub blocks: [u16; 2],
}

/// The first row and file of a block.
const fn corner(block: usize) -> (usize, usize) {
    const MIDDLE: (usize, usize) = (HEIGHT / 2, WIDTH / 2);
    match block {
        0..APART => (HEIGHT * (block / 2), WIDTH * (block % 2)),
        4 | 5 => (MIDDLE.0, WIDTH * (block - 4)),
        6 | 7 => (HEIGHT * (block - 6), MIDDLE.1),
        _ => MIDDLE,
    }
}

/// Square `i` of a block at a corner, on the lattice.
const fn square_of((row, file): (usize, usize), i: usize) -> usize {
    let row = row + i / WIDTH;
    13 * (row / 2) + 6 * (row % 2) + file + i % WIDTH
}

impl Blocks {
    /// Those of a board.
    #[inline(always)]
    pub const fn of(board: &Board) -> &'static Blocks {
        const TEN: Blocks = Blocks::new(10);
        const EIGHT: Blocks = Blocks::new(8);
        if board.side() == 10 { &TEN } else { &EIGHT }
    }

    const fn new(side: usize) -> Blocks {
        let none = Powers { of: [[0; LANES]; 2], blocks: [0; 2] };
        let mut blocks = Blocks { powers: [none; 64], squares: [Bitboard::EMPTY; 2] };
        let mut digit = 0;
        while digit < MOST_BLOCKS * SQUARES {
            let (block, i) = (digit / SQUARES, digit % SQUARES);
            let (row, file) = corner(block);
            let turned = (side - HEIGHT - row, side / 2 - WIDTH - file);
            let squares = [square_of((row, file), i), square_of(turned, SQUARES - 1 - i)];
            let mut viewer = 0;
            while viewer < 2 {
                let square = squares[viewer];
                blocks.powers[square].of[viewer][block] = 3_u16.pow(i as u32);
                blocks.powers[square].blocks[viewer] |= 1 << block;
                if block < APART {
                    blocks.squares[viewer].0 |= 1 << square;
                }
                viewer += 1;
            }
            digit += 1;
        }
        blocks
    }

    /// The squares of all blocks of a side: those of the first four.
    #[inline(always)]
    pub const fn squares(&self, viewer: Color) -> Bitboard {
        self.squares[viewer.index()]
    }

    /// What a square says in them.
    #[inline(always)]
    pub(super) const fn powers(&self, square: Square) -> &Powers {
        &self.powers[square.index()]
    }

    /// The states of all blocks of a side, where `own` and `other` are the men of the viewer and of the opponent: digits to
    /// the base of 3, 1 for an own man and 2 for one of the opponent.
    pub fn states(&self, viewer: Color, own: Bitboard, other: Bitboard) -> [u16; MOST_BLOCKS] {
        let mut states = [0; MOST_BLOCKS];
        for (men, digit) in [(own, 1), (other, 2)] {
            for square in men {
                for (state, power) in states.iter_mut().zip(&self.powers(square).of[viewer.index()]) {
                    *state += digit * power;
                }
            }
        }
        states
    }
}

/// The men in a state of a block: each with the square as the viewer sees the board, and whether it is his own.
pub fn men(block: usize, state: usize) -> impl Iterator<Item = (usize, bool)> {
    (0..SQUARES).filter_map(move |i| match state / 3_usize.pow(i as u32) % 3 {
        0 => None,
        digit => Some((square_of(corner(block), i), digit == 1)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::learned::net::seen_by;
    use crate::rules::VariantId;
    use rand::SeedableRng;

    impl Blocks {
        /// The squares of one, found by its bit.
        fn squares_of(&self, viewer: Color, block: usize) -> Bitboard {
            let is_in = |square: &usize| self.powers[*square].blocks[viewer.index()] >> block & 1 == 1;
            Bitboard((0..64).filter(is_in).map(|square| 1 << square).sum())
        }
    }

    /// Says the same as looking at square after square from the viewer's end.
    #[test]
    fn states_are_those_of_the_squares() {
        let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(3);
        for variant in VariantId::ALL {
            let board = variant.rules().board;
            let blocks = Blocks::of(board);
            for position in super::super::random_positions(variant, 50, &mut random) {
                for viewer in Color::ALL {
                    let sides = [position.men(viewer), position.men(!viewer)];
                    for (block, state) in blocks.states(viewer, sides[0], sides[1]).into_iter().enumerate() {
                        let mut expected = Vec::new();
                        for square in blocks.squares_of(viewer, block) {
                            for (men, own) in sides.iter().zip([true, false]) {
                                if men.contains(square) {
                                    expected.push((seen_by(viewer, board, square.index()), own));
                                }
                            }
                        }
                        let mut found: Vec<_> = men(block, state.into()).collect();
                        found.sort_unstable();
                        expected.sort_unstable();
                        assert_eq!(found, expected, "{variant:?} {viewer:?} {block}");
                    }
                }
            }
        }
    }

    #[test]
    fn no_square_is_in_two_of_the_first_blocks() {
        for board in [Board::INTERNATIONAL, Board::ENGLISH] {
            let blocks = Blocks::of(board);
            for viewer in Color::ALL {
                let squares =
                    |first: usize, end: usize| (first..end).map(|block| blocks.squares_of(viewer, block));
                let all = squares(0, APART).fold(Bitboard::EMPTY, |all, one| all | one);
                assert_eq!(squares(0, APART).map(Bitboard::len).sum::<u32>(), 32);
                assert_eq!(blocks.squares(viewer), all);
                assert!(all.without(board.playable()).is_empty());
                // The others lie in these: four with a half in each of two of them, the last with a quarter in each.
                for (block, other) in squares(APART, MOST_BLOCKS).enumerate() {
                    let shared = squares(0, APART).map(|one| (one & other).len()).filter(|&n| n > 0);
                    let expected: &[u32] = if block < 4 { &[4, 4] } else { &[2, 2, 2, 2] };
                    assert_eq!(shared.collect::<Vec<_>>(), expected);
                }
            }
        }
    }
}
