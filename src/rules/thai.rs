//! Thai draughts, makhos, 8x8 (rules as published by MindSports and in PDN 3.0).

use super::czech::Czech;
use super::switches::{KingLanding, Precedence, Rules};
use super::variant::{Variant, VariantId};

/// Eight men a side, flying kings that land directly behind each piece they capture, captured pieces leave the board
/// at once, free choice of capture.
///
/// A king may turn back on its own line. Sources disagree about who begins; here White. No draw rule is published:
/// the third occurrence and 25 moves with kings only stand in.
#[derive(Clone, Copy, Debug)]
pub struct Thai;

impl Variant for Thai {
    const ID: VariantId = VariantId::Thai;
    const RULES: Rules = Rules {
        rows_of_men: 2,
        lifted_at_once: true,
        king_landing: KingLanding::Behind,
        precedence: Precedence::Free,
        game_type: 31,
        algebraic: false,
        capture_sign: '-',
        ..Czech::RULES
    };
}
