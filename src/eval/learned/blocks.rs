//! Blocks: the men on eight neighbouring squares, four rows by two files, as one input of the network.
//!
//! A sum over pieces sees the parts of a formation one by one; a block sees it whole, as the patterns of M. Buro's programs
//! for Othello do (1998). There a state has a weight; here it has a row that is added to the hidden layer.

use crate::board::{Bitboard, Board, Color};

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
    places: [[Place; MOST_BLOCKS]; 2],
    squares: [Bitboard; 2],
}

/// Where a block lies on the lattice.
#[derive(Clone, Copy, Debug)]
struct Place {
    squares: Bitboard,
    first: u32,
    is_odd: bool,
}

/// What each set of a block's squares adds to its state, seen from White's end and turned by 180 degrees.
static TERNARY: [[u16; 1 << SQUARES]; 2] = [ternary(false), ternary(true)];

const fn ternary(turned: bool) -> [u16; 1 << SQUARES] {
    let mut table = [0; 1 << SQUARES];
    let mut set = 0;
    while set < table.len() {
        let mut square = 0;
        while square < SQUARES {
            if set >> square & 1 == 1 {
                let digit = if turned { SQUARES - 1 - square } else { square };
                table[set] += 3_u16.pow(digit as u32);
            }
            square += 1;
        }
        set += 1;
    }
    table
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

impl Place {
    const fn new(row: usize, file: usize) -> Place {
        let first = 13 * (row / 2) + 6 * (row % 2) + file;
        let mut place = Place { squares: Bitboard::EMPTY, first: first as u32, is_odd: row % 2 == 1 };
        let mut i = 0;
        while i < HEIGHT {
            place.squares.0 |= 3 << (place.first + place.step(i as u32));
            i += 1;
        }
        place
    }

    /// From the first square to the first of row `i`.
    #[inline(always)]
    const fn step(self, i: u32) -> u32 {
        13 * (i / 2) + (i % 2) * if self.is_odd { 7 } else { 6 }
    }

    /// Which of its squares are in `set`, one bit each.
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    #[inline(always)]
    fn bits(self, set: Bitboard) -> usize {
        // SAFETY: the program is compiled for processors that have the instruction.
        unsafe { std::arch::x86_64::_pext_u64(set.0, self.squares.0) as usize }
    }

    /// Which of its squares are in `set`, one bit each.
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    #[inline(always)]
    fn bits(self, set: Bitboard) -> usize {
        let set = set.0 >> self.first;
        let low = set & 3 | (set >> self.step(1) & 3) << 2;
        let high = set >> 13 & 3 | (set >> self.step(3) & 3) << 2;
        (low | high << 4) as usize
    }
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
        let empty = Place { squares: Bitboard::EMPTY, first: 0, is_odd: false };
        let mut blocks = Blocks { places: [[empty; MOST_BLOCKS]; 2], squares: [Bitboard::EMPTY; 2] };
        let mut i = 0;
        while i < MOST_BLOCKS {
            let (row, file) = corner(i);
            let places = [Place::new(row, file), Place::new(side - HEIGHT - row, side / 2 - WIDTH - file)];
            let mut viewer = 0;
            while viewer < 2 {
                blocks.places[viewer][i] = places[viewer];
                if i < APART {
                    blocks.squares[viewer].0 |= places[viewer].squares.0;
                }
                viewer += 1;
            }
            i += 1;
        }
        blocks
    }

    /// The squares of all blocks of a side: those of the first four.
    #[inline(always)]
    pub const fn squares(&self, viewer: Color) -> Bitboard {
        self.squares[viewer.index()]
    }

    /// The squares of one.
    #[inline(always)]
    #[cfg(test)]
    pub(super) const fn squares_of(&self, viewer: Color, block: usize) -> Bitboard {
        self.places[viewer.index()][block].squares
    }

    /// The state of a block, where `own` and `other` are the men of the viewer and of the opponent: digits to the base of 3,
    /// 1 for an own man and 2 for one of the opponent.
    #[inline(always)]
    pub(super) fn state(&self, viewer: Color, block: usize, own: Bitboard, other: Bitboard) -> u16 {
        let place = self.places[viewer.index()][block];
        let digits = &TERNARY[viewer.index()];
        digits[place.bits(own)] + 2 * digits[place.bits(other)]
    }

    /// The states of all blocks of a side.
    pub fn states(&self, viewer: Color, own: Bitboard, other: Bitboard) -> [u16; MOST_BLOCKS] {
        std::array::from_fn(|block| self.state(viewer, block, own, other))
    }
}

/// The men in a state of a block: each with the square as the viewer sees the board, and whether it is his own.
pub fn men(block: usize, state: usize) -> impl Iterator<Item = (usize, bool)> {
    let (row, file) = corner(block);
    let place = Place::new(row, file);
    (0..SQUARES).filter_map(move |i| {
        let square = place.first as usize + place.step((i / WIDTH) as u32) as usize + i % WIDTH;
        match state / 3_usize.pow(i as u32) % 3 {
            0 => None,
            digit => Some((square, digit == 1)),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::learned::net::seen_by;
    use crate::rules::VariantId;
    use rand::SeedableRng;

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
