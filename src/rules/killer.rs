//! Killer draughts, 10x10 (C. Freeling; rules as published by MindSports and played by the engines of the field).

use super::draws::DrawRules;
use super::international::International;
use super::switches::{KingLanding, Rules};
use super::variant::{Variant, VariantId};

/// International draughts, but a king that captures a king as the last piece of its move stops directly behind it.
///
/// One captured piece is enough for the rule (a milder form, "killer light", exempts it). Two kings beat one here, so
/// the short limits for a lone king are left out; the 25-move rule and repetition stay. No federation text is known
/// for these draws.
#[derive(Clone, Copy, Debug)]
pub struct Killer;

impl Variant for Killer {
    const ID: VariantId = VariantId::Killer;
    const RULES: Rules = Rules {
        king_landing: KingLanding::BehindLastKing,
        draws: DrawRules { endings: &[], ..International::RULES.draws },
        ..International::RULES
    };
}
