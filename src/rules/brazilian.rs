//! Brazilian draughts, 8x8 (international rules on the small board; draws as FMJD-64).

use super::international::International;
use super::russian::Russian;
use super::switches::Rules;
use super::variant::{Variant, VariantId};

/// International draughts on 64 squares.
///
/// Draws: the list of FMJD-64, which its events and web servers use. National rules differ (20 moves of kings, 5 moves
/// for two against one).
#[derive(Clone, Copy, Debug)]
pub struct Brazilian;

impl Variant for Brazilian {
    const ID: VariantId = VariantId::Brazilian;
    const RULES: Rules = Rules {
        crowned_in_passing: false,
        precedence: International::RULES.precedence,
        game_type: 26,
        capture_sign: 'x',
        ..Russian::RULES
    };
}
