//! Russian draughts, shashki, 8x8 (FMJD-64, Rules of the game, section 7 for draws).

use super::draws::{DrawRules, EndingRule, Material};
use super::international::International;
use super::switches::{Precedence, Rules};
use super::variant::{Variant, VariantId};
use crate::board::Board;

/// Free choice of capture, but a capture once begun must be carried through; a man that reaches the last row while
/// capturing goes on as a king.
///
/// Draws (articles 7.2.3 to 7.2.8): the third occurrence of a position; 15 moves each with kings only and no capture; a
/// lone king against one or two pieces with a king, 5 moves each, against three with a king when it stands on the long
/// diagonal, 5 moves each, against three kings or more 15 moves each; kings on both sides and unchanged material, 30 moves
/// each with 4 or 5 pieces, 60 with 6 or 7. One of these limits counts at a time: who leaves its material, or the long
/// diagonal, begins with another.
#[derive(Clone, Copy, Debug)]
pub struct Russian;

impl Variant for Russian {
    const ID: VariantId = VariantId::Russian;
    const RULES: Rules = Rules {
        board: Board::ENGLISH,
        rows_of_men: 3,
        crowned_in_passing: true,
        precedence: Precedence::Free,
        draws: FMJD_64,
        game_type: 25,
        two_point_results: false,
        algebraic: true,
        capture_sign: ':',
        ..International::RULES
    };
}

/// The draws of FMJD-64 (articles 7.2.3 to 7.2.8). Which rule comes first in the list matters: the shorter limits.
pub(super) const FMJD_64: DrawRules = DrawRules {
    repetition: 3,
    // 15 moves each with kings only and no capture.
    quiet_plies: 30,
    endings: &[
        // Two pieces or one, with a king, against a lone king: 5 moves each.
        EndingRule { material: Material::lone_king(1, 2), plies: 10 },
        // Three pieces with a king against a lone king on the long diagonal: 5 moves each.
        EndingRule {
            material: Material::LoneKing { pieces: (3, 3), kings: 1, on_long_diagonal: true },
            plies: 10,
        },
        // Three kings or more against a lone king: 15 moves each.
        EndingRule { material: Material::lone_king_against_kings(3, 12), plies: 30 },
        // Kings on both sides, material unchanged: 30 moves each with 4 or 5 pieces on the board, 60 with 6 or 7.
        EndingRule { material: Material::KingsOnBothSides { pieces: (4, 5) }, plies: 60 },
        EndingRule { material: Material::KingsOnBothSides { pieces: (6, 7) }, plies: 120 },
    ],
};
