//! A square as a bit index of the padded board.

/// A field of the lattice described in [`crate::board::geometry`]: a bit index `0..=62`.
///
/// The index is not the square *number* that players use; a [`crate::board::Board`] maps between the two,
/// because every variant numbers its own board.
///
/// ```
/// use kroon::board::{Board, Square};
/// let sq = Board::INTERNATIONAL.square(6).unwrap();
/// assert_eq!((sq.row(), sq.column()), (1, 0));
/// assert_eq!(Board::INTERNATIONAL.number(sq), 6);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Square(u8);

impl Square {
    /// Number of bit indices (63; some of them are ghosts that no board uses).
    pub const COUNT: usize = 63;

    /// The square with this bit index.
    ///
    /// # Panics
    /// If `index > 62`.
    #[inline(always)]
    pub const fn new(index: u8) -> Square {
        assert!(index < Self::COUNT as u8);
        Square(index)
    }

    /// The square with this bit index, which the caller knows to be one: no check in release builds, hot code only.
    #[inline(always)]
    pub(crate) const fn known(index: u32) -> Square {
        debug_assert!(index < Self::COUNT as u32);
        Square(index as u8)
    }

    /// The square at `row` (0 = top) and `column` (0 = left), if that is a dark field of the 10x10 lattice.
    pub const fn at(row: u8, column: u8) -> Option<Square> {
        if row > 9 || column > 9 || (row + column).is_multiple_of(2) {
            return None;
        }
        Some(Square(13 * (row / 2) + 6 * (row % 2) + column / 2))
    }

    /// The bit index.
    #[inline(always)]
    pub const fn index(self) -> usize {
        // The mask changes nothing; it tells the compiler that tables of 64 need no bounds check.
        (self.0 & 63) as usize
    }

    /// Row from the top, 0-based.
    pub const fn row(self) -> u8 {
        2 * (self.0 / 13) + (self.0 % 13 >= 6) as u8
    }

    /// Column from the left, 0-based.
    pub const fn column(self) -> u8 {
        let in_pair = self.0 % 13;
        if in_pair >= 6 { 2 * (in_pair - 6) } else { 2 * in_pair + 1 }
    }
}
