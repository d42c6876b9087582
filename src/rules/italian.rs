//! Italian draughts, 8x8 (Federazione Italiana Dama, Regolamento tecnico).

use super::draws::DrawRules;
use super::english::English;
use super::switches::{Precedence, Rules};
use super::variant::{Variant, VariantId};
use crate::board::{Board, Color};

/// Short kings, men move and capture forward only and never capture kings; among captures the number of pieces
/// decides, then capturing with a king, then the number of kings captured, then meeting kings first.
///
/// The last rung compares victim by victim, not only the first king. Draws: 40 moves each with kings only and no
/// capture; the fourth occurrence of a position, in the reading of the rule text by other programs (some count three).
#[derive(Clone, Copy, Debug)]
pub struct Italian;

impl Variant for Italian {
    const ID: VariantId = VariantId::Italian;
    const RULES: Rules = Rules {
        board: Board::ITALIAN,
        first: Color::White,
        men_capture_kings: false,
        precedence: Precedence::Ladder,
        draws: DrawRules { repetition: 4, quiet_plies: 80, endings: &[] },
        game_type: 22,
        ..English::RULES
    };
}
