//! English draughts, American checkers, 8x8 (WCDF, Rules of Draughts, 1.1 to 1.32).

use super::draws::DrawRules;
use super::international::International;
use super::switches::{Precedence, Rules};
use super::variant::{Variant, VariantId};
use crate::board::{Board, Color};

/// Free choice of capture, short kings, men move and capture forward only, Black begins.
///
/// Draws (1.32.1 and 1.32.2): the third occurrence of a position; 40 moves each without a capture or an advance of a man.
#[derive(Clone, Copy, Debug)]
pub struct English;

impl Variant for English {
    const ID: VariantId = VariantId::English;
    const RULES: Rules = Rules {
        board: Board::ENGLISH,
        rows_of_men: 3,
        first: Color::Black,
        flying_kings: false,
        men_capture_backward: false,
        precedence: Precedence::Free,
        draws: DrawRules {
            // WCDF 1.32.1 and 1.32.2: third occurrence; 40 own moves without capture or advance of a man.
            repetition: 3,
            quiet_plies: 80,
            endings: &[],
        },
        game_type: 21,
        two_point_results: false,
        ..International::RULES
    };
}
