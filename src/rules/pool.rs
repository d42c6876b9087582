//! American pool checkers, 8x8 (American Pool Checkers Association, official rules).

use super::draws::{DrawRules, EndingRule, Material};
use super::russian::Russian;
use super::switches::Rules;
use super::variant::{Variant, VariantId};
use crate::board::Color;

/// Flying kings, men capture backward, free choice of capture, no crowning in passing; Black begins, as the
/// Association has it (the "unified" rules let White begin and name squares as in Russian draughts).
///
/// Draws: the third occurrence of a position; 15 moves each without a capture or a man's move; three kings against one,
/// 13 moves each.
#[derive(Clone, Copy, Debug)]
pub struct Pool;

impl Variant for Pool {
    const ID: VariantId = VariantId::Pool;
    const RULES: Rules = Rules {
        first: Color::Black,
        crowned_in_passing: false,
        draws: DrawRules {
            repetition: 3,
            // Rule 26 in the reading of other programs: 15 moves each without a capture or a man's move.
            quiet_plies: 30,
            // Three kings against one: 13 moves each.
            endings: &[EndingRule { material: Material::lone_king_against_kings(3, 3), plies: 26 }],
        },
        game_type: 23,
        algebraic: false,
        capture_sign: 'x',
        ..Russian::RULES
    };
}
