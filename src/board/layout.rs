//! A board: which squares are playable, how they are numbered, where men promote.

use super::bitboard::Bitboard;
use super::color::Color;
use super::geometry::lattice;
use super::square::Square;

/// Size, numbering and promotion rows of a board. All boards are constants.
///
/// ```
/// use kroon::board::Board;
/// assert_eq!(Board::INTERNATIONAL.squares(), 50);
/// assert_eq!(Board::ENGLISH.squares(), 32);
/// ```
#[derive(Debug)]
pub struct Board {
    side: u8,
    playable: Bitboard,
    promotion: [Bitboard; 2],
    number_of: [u8; 64],
    square_at: [u8; 51],
}

impl Board {
    /// 10x10, square 1 at the top left, numbered along the rows (PDN 3.0 `N2,0`).
    pub const INTERNATIONAL: &'static Board = &Board::top_left(10);
    /// 8x8, square 1 at the top left seen from White (PDN 3.0 `N1,0` with Black starting).
    pub const ENGLISH: &'static Board = &Board::top_left(8);

    const fn top_left(side: u8) -> Board {
        let playable = lattice(side);
        let mut board = Board {
            side,
            playable: Bitboard(playable),
            promotion: [Bitboard(row_mask(playable, 0)), Bitboard(row_mask(playable, side - 1))],
            number_of: [0; 64],
            square_at: [0; 51],
        };
        let mut index = 0;
        let mut number = 0;
        while index < 63 {
            if playable >> index & 1 != 0 {
                number += 1;
                board.number_of[index] = number;
                board.square_at[number as usize] = index as u8;
            }
            index += 1;
        }
        board
    }

    /// Rows (and columns).
    pub const fn side(&self) -> u8 {
        self.side
    }

    /// Number of playable squares; also the highest square number.
    pub const fn squares(&self) -> u8 {
        self.side * self.side / 2
    }

    /// The playable squares.
    #[inline(always)]
    pub const fn playable(&self) -> Bitboard {
        self.playable
    }

    /// The row on which men of `color` are crowned.
    #[inline(always)]
    pub const fn promotion(&self, color: Color) -> Bitboard {
        self.promotion[color.index()]
    }

    /// The player's number of `square` (1-based); 0 if the square is not on this board.
    #[inline(always)]
    pub const fn number(&self, square: Square) -> u8 {
        self.number_of[square.index()]
    }

    /// The square with this number, if it exists.
    pub const fn square(&self, number: u32) -> Option<Square> {
        if number == 0 || number > self.squares() as u32 {
            None
        } else {
            Some(Square::new(self.square_at[number as usize]))
        }
    }

    /// The squares in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = Square> + '_ {
        (1..=self.squares() as usize).map(|n| Square::new(self.square_at[n]))
    }
}

const fn row_mask(playable: u64, row: u8) -> u64 {
    let mut mask = 0;
    let mut index = 0;
    while index < 63 {
        if Square::new(index).row() == row {
            mask |= playable & 1 << index;
        }
        index += 1;
    }
    mask
}
