//! Portuguese draughts, 8x8 (Federação Portuguesa de Damas).

use super::spanish::Spanish;
use super::switches::Rules;
use super::variant::{Variant, VariantId};

/// The same moves as in Spanish draughts, under a `GameType` of its own. The third occurrence of a position is a draw
/// on claim; the move limits of the rule text are not known to us, see [`Spanish`].
#[derive(Clone, Copy, Debug)]
pub struct Portuguese;

impl Variant for Portuguese {
    const ID: VariantId = VariantId::Portuguese;
    const RULES: Rules = Rules { game_type: 28, ..Spanish::RULES };
}
