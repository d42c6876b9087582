//! A move: from, to, captured squares, and two flags about the mover.

use super::bitboard::Bitboard;
use super::square::Square;
use std::fmt;

/// A complete move: from, to and the set of captured squares.
///
/// Two routes with the same start, end and captured set are one move. `king` and `promotes` are facts about the
/// mover that the generator knows; they let a position play the move without looking the piece up.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    captured: Bitboard,
    /// From, to, and the two flags, a byte each. One word, because reading a word that was just written as bytes
    /// stalls the processor, and generated moves are played at once.
    rest: u32,
}

const _: () = assert!(size_of::<Move>() == 16);

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Move")
            .field("from", &self.from())
            .field("to", &self.to())
            .field("captured", &self.captured)
            .field("king", &self.is_king())
            .field("promotes", &self.promotes())
            .finish()
    }
}

impl Move {
    /// Builds a move; the caller vouches that it is legal in the position it is meant for.
    #[inline(always)]
    pub const fn new(from: Square, to: Square, captured: Bitboard, king: bool, promotes: bool) -> Move {
        let rest =
            from.index() as u32 | (to.index() as u32) << 8 | (king as u32) << 16 | (promotes as u32) << 24;
        Move { captured, rest }
    }

    /// Square of departure.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::known(self.rest & 63)
    }

    /// Square of arrival; equals [`Move::from`] in a circular capture.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::known(self.rest >> 8 & 63)
    }

    /// The captured squares; empty for a quiet move.
    #[inline(always)]
    pub const fn captured(self) -> Bitboard {
        self.captured
    }

    /// Whether anything is captured.
    #[inline(always)]
    pub const fn is_capture(self) -> bool {
        self.captured.any()
    }

    /// Whether the mover was a king before the move.
    #[inline(always)]
    pub const fn is_king(self) -> bool {
        self.rest >> 16 & 1 != 0
    }

    /// Whether a man becomes a king by this move.
    #[inline(always)]
    pub const fn promotes(self) -> bool {
        self.rest >> 24 != 0
    }

    /// Whether the move cannot be undone: a capture, or a man moves.
    #[inline(always)]
    pub const fn is_irreversible(self) -> bool {
        self.captured.any() || !self.is_king()
    }
}
