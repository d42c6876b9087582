//! Losing draughts, antidraughts, 10x10 (rules of lidraughts and of the Hub variant `losing`).

use super::draws::DrawRules;
use super::international::International;
use super::switches::{Objective, Rules};
use super::variant::{Variant, VariantId};

/// International draughts that is won by who cannot move: all pieces given away, or blocked.
///
/// Of the draws, repetition and the 25-move rule hold ("all other rules" of international draughts apply); the limits
/// for a lone king make no sense here and are left out.
#[derive(Clone, Copy, Debug)]
pub struct Losing;

impl Variant for Losing {
    const ID: VariantId = VariantId::Losing;
    const RULES: Rules = Rules {
        objective: Objective::Lose,
        draws: DrawRules { endings: &[], ..International::RULES.draws },
        game_type: 98,
        ..International::RULES
    };
}
