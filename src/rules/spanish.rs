//! Spanish draughts, 8x8 (Federación Española de Damas).

use super::czech::Czech;
use super::switches::{Precedence, Rules};
use super::variant::{Variant, VariantId};
use crate::board::Board;

/// Flying kings, men move and capture forward only; the most pieces must be captured, and among equals the most
/// kings. Square 1 is the corner at White's right.
///
/// Rule texts speak of limits for three kings against one and of repetition without numbers that we could confirm:
/// the third occurrence and 25 moves with kings only stand in.
#[derive(Clone, Copy, Debug)]
pub struct Spanish;

impl Variant for Spanish {
    const ID: VariantId = VariantId::Spanish;
    const RULES: Rules = Rules {
        board: Board::SPANISH,
        precedence: Precedence::MajorityThenKings,
        game_type: 24,
        algebraic: false,
        ..Czech::RULES
    };
}
