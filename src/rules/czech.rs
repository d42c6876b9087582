//! Czech draughts, 8x8 (Czech Draughts Federation, rules of the game).

use super::draws::DrawRules;
use super::international::International;
use super::russian::Russian;
use super::switches::{Precedence, Rules};
use super::variant::{Variant, VariantId};

/// Flying kings, men move and capture forward only; a king must capture rather than a man, otherwise the choice is
/// free.
///
/// The federation's text gives no numbers for draws that we know of: repetition and 25 moves with kings only stand
/// in, as in international draughts.
#[derive(Clone, Copy, Debug)]
pub struct Czech;

impl Variant for Czech {
    const ID: VariantId = VariantId::Czech;
    const RULES: Rules = Rules {
        men_capture_backward: false,
        crowned_in_passing: false,
        precedence: Precedence::ByKing,
        draws: DrawRules { endings: &[], ..International::RULES.draws },
        game_type: 29,
        capture_sign: 'x',
        ..Russian::RULES
    };
}
