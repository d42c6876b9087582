//! A board: which squares are playable, how they are numbered, where men promote.

use super::bitboard::Bitboard;
use super::color::Color;
use super::geometry::lattice;
use super::square::Square;

/// Where square 1 lies and how the numbers run.
#[derive(Clone, Copy)]
enum Numbering {
    /// From the leftmost playable square of the top row, left to right and down; the corner at the bottom left is
    /// playable.
    TopLeft,
    /// The same, but the corners at the top left and bottom right are playable.
    TopLeftCorner,
    /// On that board, from the corner at the bottom right, right to left and up.
    BottomRightCorner,
}

/// Size, numbering and promotion rows of a board. All boards are constants.
///
/// White sits at the bottom of every board and moves up. On boards whose playable corner is at the bottom right the
/// lattice is the mirror image of what players see: the geometry of moves is the same, and only the names of squares
/// and pictures ([`Board::column`]) know the difference.
///
/// ```
/// use kroon::board::Board;
/// assert_eq!(Board::INTERNATIONAL.squares(), 50);
/// assert_eq!(Board::ENGLISH.squares(), 32);
/// let [first, last] = [1, 32].map(|n| Board::SPANISH.square(n).unwrap());
/// assert_eq!((first.row(), Board::SPANISH.column(first)), (7, 7));
/// assert_eq!((last.row(), Board::SPANISH.column(last)), (0, 0));
/// ```
#[derive(Debug)]
pub struct Board {
    side: u8,
    mirrored: bool,
    playable: Bitboard,
    promotion: [Bitboard; 2],
    long_diagonal: Bitboard,
    number_of: [u8; 64],
    square_at: [u8; 51],
}

impl Board {
    /// 10x10, square 1 at the top left, numbered along the rows (PDN 3.0 `N2,0`).
    pub const INTERNATIONAL: &'static Board = &Board::new(10, Numbering::TopLeft);
    /// 8x8, square 1 at the top left seen from White (PDN 3.0 `N1,0` with Black starting).
    pub const ENGLISH: &'static Board = &Board::new(8, Numbering::TopLeft);
    /// 8x8, the playable corners at the top left (square 1) and bottom right (PDN 3.0 `N2,1`).
    pub const ITALIAN: &'static Board = &Board::new(8, Numbering::TopLeftCorner);
    /// As the Italian board, but square 1 is the corner at the bottom right, and numbers run right to left and up
    /// (PDN 3.0 `N1,1`).
    pub const SPANISH: &'static Board = &Board::new(8, Numbering::BottomRightCorner);

    const fn new(side: u8, numbering: Numbering) -> Board {
        let playable = lattice(side);
        let mut board = Board {
            side,
            mirrored: !matches!(numbering, Numbering::TopLeft),
            playable: Bitboard(playable),
            promotion: [Bitboard(row_mask(playable, 0)), Bitboard(row_mask(playable, side - 1))],
            long_diagonal: Bitboard(long_diagonal(playable, side)),
            number_of: [0; 64],
            square_at: [0; 51],
        };
        let mut number = 0;
        while number < board.squares() {
            let (row, in_row) = (number / (side / 2), number % (side / 2));
            // On the mirrored lattice left and right are exchanged.
            let (row, in_row) = match numbering {
                Numbering::TopLeft => (row, in_row),
                Numbering::TopLeftCorner => (row, side / 2 - 1 - in_row),
                Numbering::BottomRightCorner => (side - 1 - row, in_row),
            };
            let column = 2 * in_row + 1 - row % 2;
            if let Some(square) = Square::at(row, column) {
                board.number_of[square.index()] = number + 1;
                board.square_at[number as usize + 1] = square.index() as u8;
            }
            number += 1;
        }
        board
    }

    /// Rows (and columns).
    pub const fn side(&self) -> u8 {
        self.side
    }

    /// The column of `square` as players see it, 0-based from White's left.
    pub const fn column(&self, square: Square) -> u8 {
        if self.mirrored { self.side - 1 - square.column() } else { square.column() }
    }

    /// The playable square in this row (0 = top) and column (0 = White's left), as players see the board.
    pub const fn at(&self, row: u8, column: u8) -> Option<Square> {
        if row >= self.side || column >= self.side {
            return None;
        }
        Square::at(row, if self.mirrored { self.side - 1 - column } else { column })
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

    /// The squares from the bottom left corner of the lattice to its top right one: the longest line of kings.
    #[inline(always)]
    pub const fn long_diagonal(&self) -> Bitboard {
        self.long_diagonal
    }

    /// The squares of `set` on the board turned by half a turn: what the other side sees.
    ///
    /// ```
    /// use kroon::board::{Bitboard, Board, Color};
    /// let board = Board::ENGLISH;
    /// assert_eq!(board.turned(board.promotion(Color::White)), board.promotion(Color::Black));
    /// assert_eq!(board.turned(Bitboard::of(board.square(1).unwrap())), Bitboard::of(board.square(32).unwrap()));
    /// ```
    #[inline(always)]
    pub const fn turned(&self, set: Bitboard) -> Bitboard {
        // A half turn reverses the order of the fields of the lattice, ghosts included.
        Bitboard(set.0.reverse_bits() >> self.playable.0.leading_zeros())
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

const fn long_diagonal(playable: u64, side: u8) -> u64 {
    let mut mask = 0;
    let mut index = 0;
    while index < 63 {
        let square = Square::new(index);
        if square.row() + square.column() == side - 1 {
            mask |= playable & 1 << index;
        }
        index += 1;
    }
    mask
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_squares_are_inverse() {
        for board in [Board::INTERNATIONAL, Board::ENGLISH, Board::ITALIAN, Board::SPANISH] {
            for number in 1..=board.squares() {
                let square = board.square(number.into()).unwrap();
                assert_eq!(board.number(square), number);
                assert_eq!(board.at(square.row(), board.column(square)), Some(square));
            }
            assert_eq!(board.iter().count(), board.playable().len() as usize);
        }
    }

    #[test]
    fn corners() {
        let corner = |board: &Board, row, column| board.at(row, column).map(|sq| board.number(sq));
        assert_eq!(corner(Board::ENGLISH, 7, 0), Some(29));
        assert_eq!(corner(Board::ENGLISH, 0, 0), None);
        assert_eq!(corner(Board::ITALIAN, 0, 0), Some(1));
        assert_eq!(corner(Board::ITALIAN, 7, 7), Some(32));
        assert_eq!(corner(Board::ITALIAN, 7, 0), None);
        assert_eq!(corner(Board::SPANISH, 7, 7), Some(1));
        assert_eq!(corner(Board::SPANISH, 7, 1), Some(4));
        assert_eq!(corner(Board::SPANISH, 0, 0), Some(32));
    }

    #[test]
    fn turning_maps_square_n_to_last_minus_n() {
        for board in [Board::INTERNATIONAL, Board::ENGLISH, Board::ITALIAN, Board::SPANISH] {
            for square in board.iter() {
                let turned = board.turned(Bitboard::of(square)).first().map(|s| board.number(s));
                assert_eq!(turned, Some(board.squares() + 1 - board.number(square)));
            }
        }
    }
}
