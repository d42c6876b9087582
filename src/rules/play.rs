//! Playing a move, including the runs of king moves that some variants limit.

use super::variant::{Variant, VariantId};
use crate::board::{Color, KingRun, Move, Position};
use crate::for_variant;

/// The position after `mv`, which must come from the move generator for this very position.
///
/// ```
/// use kroon::game::Game;
/// use kroon::rules::{International, VariantId, play};
/// let game = Game::new(VariantId::International);
/// let after = play::<International>(game.position(), game.legal_moves()[0]);
/// assert_eq!(after.turn(), kroon::board::Color::Black);
/// ```
#[inline(always)]
pub fn play<V: Variant>(position: &Position, mv: Move) -> Position {
    match V::RULES.king_run {
        Some(_) if position.kings().any() => with_runs(position, mv, without_runs(position).play(mv)),
        _ => position.play(mv),
    }
}

/// [`play`] for a variant known only at run time.
pub fn play_in(variant: VariantId, position: &Position, mv: Move) -> Position {
    for_variant!(variant, V => play::<V>(position, mv))
}

fn without_runs(position: &Position) -> Position {
    Color::ALL.into_iter().fold(*position, |position, color| position.with_king_run(color, KingRun::NONE))
}

/// Brings the runs of kings up to date: a quiet move of a king begins or continues one, any other move of its side
/// ends it, and so does the loss of the king or of the side's last man.
fn with_runs(before: &Position, mv: Move, after: Position) -> Position {
    let us = before.turn();
    let own = if mv.is_irreversible() || after.men(us).is_empty() {
        KingRun::NONE
    } else {
        let run = before.king_run(us);
        let moved = if run.square() == Some(mv.from()) { run.count() } else { 0 };
        KingRun::new(mv.to(), (moved + 1).min(KingRun::MOST))
    };
    let run = before.king_run(!us);
    let lost = run.square().is_some_and(|square| mv.captured().contains(square));
    let other = if lost || after.men(!us).is_empty() { KingRun::NONE } else { run };
    let colors: [(Color, KingRun); 2] = [(us, own), (!us, other)];
    colors.into_iter().fold(after, |position, (color, run)| position.with_king_run(color, run))
}
