//! Frisian draughts, 10x10 (Frysk damboerd; World Frisian Draughts Federation, rules of the game).

use super::draws::{DrawRules, EndingRule, Material};
use super::international::International;
use super::switches::{Precedence, Rules};
use super::variant::{Variant, VariantId};
use crate::board::KingRun;

/// Captures along files and ranks too; the capture of the largest value is compulsory; a king may make no more than
/// three moves in a row while its side has men.
///
/// A king is worth just under two men: one king more than one man and less than two, two kings more than three men.
/// (Summaries that say "a man and a half" mean this; they differ only when three kings are captured.) At equal value a
/// king must do the capture. Kings move diagonally only. When the limit leaves a side no move at all it has lost, as
/// with any other block; the federation's wording is not known to us. Nor is what it says of long games: that a position
/// which occurs for the third time is a draw, and that 25 moves of kings without a capture are one, is taken over from
/// international draughts. Two kings against one draw after seven moves each, one against one after two.
#[derive(Clone, Copy, Debug)]
pub struct Frisian;

impl Variant for Frisian {
    const ID: VariantId = VariantId::Frisian;
    const RULES: Rules = Rules {
        orthogonal_captures: true,
        king_run: Some(KingRun::MOST),
        precedence: Precedence::Value,
        draws: DrawRules {
            endings: &[
                // Two kings against one: seven moves each.
                EndingRule { material: Material::lone_king_against_kings(2, 2), plies: 14 },
                // One against one is a draw unless somebody wins at once: two moves each, as other programs count.
                EndingRule { material: Material::lone_king_against_kings(1, 1), plies: 4 },
            ],
            ..International::RULES.draws
        },
        game_type: 40,
        // PDN 3.0: 2-0 until 2014, 1-0 since.
        two_point_results: false,
        ..International::RULES
    };
}
