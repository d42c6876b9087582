//! A valid position: pieces, side to move and hash key, changed only together.

use super::bitboard::Bitboard;
use super::color::Color;
use super::key::Key;
use super::moves::Move;
use super::setup::{Piece, Setup};
use super::square::Square;

/// Pieces, side to move and key. It carries no history: draws by repetition or move count belong to the game.
///
/// Made by [`Setup::position`], changed by [`Position::play`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    sides: [Bitboard; 2],
    kings: Bitboard,
    key: Key,
    turn: Color,
}

impl Position {
    pub(super) fn from_setup(setup: &Setup) -> Position {
        let mut position = Position {
            sides: [setup.side(Color::White), setup.side(Color::Black)],
            kings: setup.kings(),
            key: Key::EMPTY,
            turn: setup.turn,
        };
        position.key = position.recomputed_key();
        position
    }

    /// Side to move.
    #[inline(always)]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// All pieces of a side.
    #[inline(always)]
    pub const fn side(&self, color: Color) -> Bitboard {
        self.sides[color.index()]
    }

    /// All kings, both sides.
    #[inline(always)]
    pub const fn kings(&self) -> Bitboard {
        self.kings
    }

    /// The men of a side.
    #[inline(always)]
    pub const fn men(&self, color: Color) -> Bitboard {
        self.side(color).without(self.kings)
    }

    /// The kings of a side.
    #[inline(always)]
    pub fn kings_of(&self, color: Color) -> Bitboard {
        self.side(color) & self.kings
    }

    /// All occupied squares.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.sides[0] | self.sides[1]
    }

    /// The piece on a square.
    pub fn piece(&self, square: Square) -> Option<Piece> {
        Setup::from(self).piece(square)
    }

    /// The hash key.
    #[inline(always)]
    pub const fn key(&self) -> Key {
        self.key
    }

    /// The hash key computed from nothing but the pieces; always equal to [`Position::key`].
    pub fn recomputed_key(&self) -> Key {
        let mut key = Key::EMPTY;
        for color in Color::ALL {
            for square in self.side(color) {
                key = key.toggle(color, self.kings.contains(square), square);
            }
        }
        if self.turn == Color::Black { key.flip_turn() } else { key }
    }

    /// The same pieces with the other side to move.
    #[inline(always)]
    pub const fn with_turn_passed(&self) -> Position {
        Position { key: self.key.flip_turn(), turn: self.turn.opponent(), ..*self }
    }

    /// The position after `mv`, which must come from the move generator for this very position.
    #[inline(always)]
    pub fn play(&self, mv: Move) -> Position {
        let us = self.turn;
        let (from, to) = (Bitboard::of(mv.from()), Bitboard::of(mv.to()));
        let now_king = mv.is_king() | mv.promotes();
        let crown = if now_king { to } else { Bitboard::EMPTY };
        // A circular capture ends where it began: from and to must cancel, so lift first, then put down.
        let own = self.side(us).without(from) | to;
        let other = self.side(!us).without(mv.captured());
        let mut key = self.key.toggle(us, mv.is_king(), mv.from()).toggle(us, now_king, mv.to()).flip_turn();
        for square in mv.captured() {
            key = key.toggle(!us, self.kings.contains(square), square);
        }
        // Built as a whole from registers: writing single fields of a copy stalls the next wide read of it.
        Position {
            sides: if us == Color::White { [own, other] } else { [other, own] },
            kings: self.kings.without(from | mv.captured()) | crown,
            key,
            turn: !us,
        }
    }
}
