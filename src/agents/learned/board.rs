//! Boards from which a network learns who makes good moves.

use crate::board::{Bitboard, Color, Position};
use crate::rules::VariantId;

/// A board after a move, who made it, and whether that side won the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LabelledBoard {
    /// White's pieces.
    pub white: Bitboard,
    /// Black's pieces.
    pub black: Bitboard,
    /// The kings among them.
    pub kings: Bitboard,
    /// Who made the move; the other side is to move.
    pub maker: Color,
    /// Whether the maker won: the label is +1 then, else -1. Boards of drawn games are left out.
    pub is_won: bool,
}

impl LabelledBoard {
    /// The board after a move of the side that is not to move.
    pub fn new(position: &Position, is_won: bool) -> LabelledBoard {
        LabelledBoard {
            white: position.side(Color::White),
            black: position.side(Color::Black),
            kings: position.kings(),
            maker: !position.turn(),
            is_won,
        }
    }

    /// Whether it can stand on the board of a variant.
    pub(super) fn fits(&self, variant: VariantId) -> bool {
        let (white, black) = (self.white.0, self.black.0);
        let outside = !variant.rules().board.playable().0;
        white & black == 0 && (white | black) & outside == 0 && self.kings.0 & !(white | black) == 0
    }
}
