//! Breakthrough draughts, 10x10 (rules of lidraughts and of the Hub variant `bt`).

use super::draws::DrawRules;
use super::international::International;
use super::switches::{Objective, Rules};
use super::variant::{Variant, VariantId};

/// International draughts that is won by the first king: who ends a move with a man on the last row has won.
///
/// Passing over the last row in a capture does not count. A man's move is irreversible and there is no other, so no
/// draw rule can ever apply.
#[derive(Clone, Copy, Debug)]
pub struct Breakthrough;

impl Variant for Breakthrough {
    const ID: VariantId = VariantId::Breakthrough;
    const RULES: Rules = Rules {
        objective: Objective::Crown,
        draws: DrawRules { endings: &[], ..International::RULES.draws },
        game_type: 96,
        ..International::RULES
    };
}
