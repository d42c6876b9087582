//! International draughts, 10x10 (FMJD, Official Rules, articles 1 to 7 and Annex 1).

use super::draws::{DrawRules, EndingRule, Material};
use super::switches::{KingLanding, Objective, Precedence, Rules};
use super::variant::{Variant, VariantId};
use crate::board::{Board, Color};

/// Majority capture, flying kings, men capture backward, crowned only at the end of a move.
///
/// Draws (articles 6.1 to 6.3): the third occurrence of a position; 25 moves each with kings only and no capture; a lone
/// king against one or two pieces with a king, 5 moves each, against three with a king, 16 moves each.
#[derive(Clone, Copy, Debug)]
pub struct International;

impl Variant for International {
    const ID: VariantId = VariantId::International;
    const RULES: Rules = Rules {
        board: Board::INTERNATIONAL,
        rows_of_men: 4,
        first: Color::White,
        flying_kings: true,
        men_capture_backward: true,
        men_capture_kings: true,
        orthogonal_captures: false,
        crowned_in_passing: false,
        lifted_at_once: false,
        king_landing: KingLanding::AnyFree,
        king_run: None,
        precedence: Precedence::Majority,
        objective: Objective::Win,
        draws: DrawRules {
            repetition: 3,
            // Article 6.2: 25 moves each with kings only and no capture.
            quiet_plies: 50,
            // Article 6.3: 2 or 1 pieces with a king, 5 moves each; 3 pieces with a king, 16 moves each.
            endings: &[
                EndingRule { material: Material::lone_king(1, 2), plies: 10 },
                EndingRule { material: Material::lone_king(3, 3), plies: 32 },
            ],
        },
        game_type: 20,
        two_point_results: true,
        algebraic: false,
        capture_sign: 'x',
    };
}
