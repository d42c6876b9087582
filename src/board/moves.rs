//! Moves and lists of moves.

use super::bitboard::Bitboard;
use super::square::Square;
use smallvec::SmallVec;

/// A complete move: from, to and the set of captured squares.
///
/// Two routes with the same start, end and captured set are one move. `king` and `promotes` are facts about the
/// mover that the generator knows; they let a position play the move without looking the piece up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    captured: Bitboard,
    from: Square,
    to: Square,
    king: bool,
    promotes: bool,
}

const _: () = assert!(size_of::<Move>() == 16);

impl Move {
    /// Builds a move; the caller vouches that it is legal in the position it is meant for.
    #[inline(always)]
    pub const fn new(from: Square, to: Square, captured: Bitboard, king: bool, promotes: bool) -> Move {
        Move { captured, from, to, king, promotes }
    }

    /// Square of departure.
    #[inline(always)]
    pub const fn from(self) -> Square {
        self.from
    }

    /// Square of arrival; equals [`Move::from`] in a circular capture.
    #[inline(always)]
    pub const fn to(self) -> Square {
        self.to
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
        self.king
    }

    /// Whether a man becomes a king by this move.
    #[inline(always)]
    pub const fn promotes(self) -> bool {
        self.promotes
    }

    /// Whether the move cannot be undone: a capture, or a man moves.
    #[inline(always)]
    pub const fn is_irreversible(self) -> bool {
        self.captured.any() || !self.king
    }
}

/// A list of moves; the first 64 need no allocation.
pub type MoveList = SmallVec<[Move; 64]>;
