//! Frysk!, 10x10 (the short form of Frisian draughts for beginners and blitz; rules as Frisian).

use super::frisian::Frisian;
use super::switches::Rules;
use super::variant::{Variant, VariantId};

/// Frisian draughts with five men a side.
#[derive(Clone, Copy, Debug)]
pub struct Frysk;

impl Variant for Frysk {
    const ID: VariantId = VariantId::Frysk;
    const RULES: Rules = Rules { rows_of_men: 1, game_type: 97, ..Frisian::RULES };
}
