//! The lattice that all boards share, its directions and rays.
//!
//! Dark fields of a 10x10 board are laid out in 63 bits with 13 bits for each pair of rows, so that every step is
//! one constant shift and a step off the side of the board falls on a ghost bit:
//!
//! ```text
//!      0     1     2     3     4      (5)        row 0
//!   6     7     8     9    10      (11 12)       row 1
//!     13    14    15    16    17     (18)        row 2
//!  19    20    21    22    23      (24 25)       row 3
//!  ...
//! ```
//! Down-left is +6, down-right +7, two rows down +13, two columns right +1 (the last two serve variants that
//! capture along files and ranks). An 8x8 board is the upper left part of the same lattice, so one generator and
//! one set of ray tables serve all boards; only the mask of playable squares differs.

use super::bitboard::Bitboard;
use super::square::Square;

/// One of the eight directions, as a signed step of the bit index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Direction {
    /// Up and left: -7.
    UpLeft,
    /// Up and right: -6.
    UpRight,
    /// Down and left: +6.
    DownLeft,
    /// Down and right: +7.
    DownRight,
    /// Two rows up: -13.
    Up,
    /// Two rows down: +13.
    Down,
    /// Two columns left: -1.
    Left,
    /// Two columns right: +1.
    Right,
}

impl Direction {
    /// All eight; the four diagonals come first.
    pub const ALL: [Direction; 8] = [
        Direction::UpLeft,
        Direction::UpRight,
        Direction::DownLeft,
        Direction::DownRight,
        Direction::Up,
        Direction::Down,
        Direction::Left,
        Direction::Right,
    ];

    /// The change of the bit index by one step.
    #[inline(always)]
    pub const fn step(self) -> i8 {
        match self {
            Direction::UpLeft => -7,
            Direction::UpRight => -6,
            Direction::DownLeft => 6,
            Direction::DownRight => 7,
            Direction::Up => -13,
            Direction::Down => 13,
            Direction::Left => -1,
            Direction::Right => 1,
        }
    }

    /// The way back.
    #[inline(always)]
    pub const fn opposite(self) -> Direction {
        match self {
            Direction::UpLeft => Direction::DownRight,
            Direction::UpRight => Direction::DownLeft,
            Direction::DownLeft => Direction::UpRight,
            Direction::DownRight => Direction::UpLeft,
            Direction::Up => Direction::Down,
            Direction::Down => Direction::Up,
            Direction::Left => Direction::Right,
            Direction::Right => Direction::Left,
        }
    }

    /// Moves every square of the set one step. Squares that leave the lattice vanish or land on a ghost bit,
    /// so mask the result with a set of playable squares.
    #[inline(always)]
    pub const fn shift(self, set: Bitboard) -> Bitboard {
        let step = self.step();
        if step > 0 { Bitboard(set.0 << step) } else { Bitboard(set.0 >> -step) }
    }

    /// The nearest square of `set` in this direction from `square`, as a one-bit (or empty) set.
    #[inline(always)]
    pub const fn nearest(self, square: Square, set: Bitboard) -> Bitboard {
        let seen = RAYS[self as usize][square.index()] & set.0;
        if self.step() > 0 {
            Bitboard(seen & seen.wrapping_neg())
        } else if seen == 0 {
            Bitboard::EMPTY
        } else {
            Bitboard(1 << (63 - seen.leading_zeros()))
        }
    }
}

/// Bits that are fields of the 10x10 board.
pub(super) const LATTICE: u64 = lattice(10);

/// The bits of the upper left `side` x `side` board.
pub(super) const fn lattice(side: u8) -> u64 {
    let mut set = 0;
    let mut row = 0;
    while row < side {
        let mut column = 0;
        while column < side {
            if let Some(square) = Square::at(row, column) {
                set |= 1 << square.index();
            }
            column += 1;
        }
        row += 1;
    }
    set
}

static RAYS: [[u64; 64]; 8] = rays();

const fn rays() -> [[u64; 64]; 8] {
    let mut table = [[0; 64]; 8];
    let mut d = 0;
    while d < 8 {
        let mut from = 0;
        while from < 63 {
            if LATTICE >> from & 1 != 0 {
                let mut at = Direction::ALL[d].shift(Bitboard(1 << from)).0 & LATTICE;
                while at != 0 {
                    table[d][from] |= at;
                    at = Direction::ALL[d].shift(Bitboard(at)).0 & LATTICE;
                }
            }
            from += 1;
        }
        d += 1;
    }
    table
}
