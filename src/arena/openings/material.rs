//! Whether a side can win a man at once. Depends on the rules alone, so that a list of openings that is screened
//! by it never changes.

use crate::board::{Color, Position};
use crate::rules::{Objective, VariantId, legal_moves, play_in};

/// Men for which a king counts.
const KING: i32 = 3;
/// More than any material.
const MATE: i32 = 1000;

/// Men ahead, for the side to move.
pub fn balance(position: &Position) -> i32 {
    let worth =
        |color: Color| position.men(color).len() as i32 + KING * position.kings_of(color).len() as i32;
    worth(position.turn()) - worth(!position.turn())
}

/// Whether either side comes out ahead when both look this many quiet plies ahead, captures played to their end.
/// Where the aim is to lose all men, nobody is ahead.
pub fn is_unbalanced(variant: VariantId, position: &Position, plies: u32) -> bool {
    if variant.rules().objective == Objective::Lose {
        return false;
    }
    let value = search(variant, position, plies, -1, 1);
    value <= -1 || value >= 1
}

/// Alpha-beta on material alone.
fn search(variant: VariantId, position: &Position, plies: u32, mut alpha: i32, beta: i32) -> i32 {
    let moves = legal_moves(variant, position);
    let Some(first) = moves.first() else { return -MATE };
    // Where one move is a capture all are, for captures must be made. They end by themselves.
    let quiet = !first.is_capture();
    if quiet && plies == 0 {
        return balance(position);
    }
    let mut best = -MATE;
    for &mv in moves.iter() {
        let value =
            -search(variant, &play_in(variant, position, mv), plies - u32::from(quiet), -beta, -alpha);
        best = best.max(value);
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    best
}
