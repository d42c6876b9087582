//! Offers in losing draughts: quiet moves after which the opponent has to capture. Who wants to get rid of his pieces
//! wins by chains of them, as a chess player by chains of checks, so they are tried early and searched deep.

use super::thread::SearchThread;
use crate::board::{Move, Position};
use crate::eval::Evaluator;
use crate::rules::movegen::can_capture;
use crate::rules::{Objective, Variant, play};

/// Offers cost no depth up to a ply that is so many times the iteration: without an end a chain of offers would be
/// followed wherever it leads.
const DEEPEST: i32 = 2;

/// Whether `mv`, which leads to `next`, is an offer in a game where that is good.
#[inline(always)]
pub(super) fn is_offer<V: Variant>(mv: Move, next: &Position) -> bool {
    // A constant of the variant: elsewhere nothing is asked.
    matches!(V::RULES.objective, Objective::Lose) && !mv.is_capture() && can_capture::<V>(next, next.turn())
}

impl<V: Variant, E: Evaluator<V>> SearchThread<'_, V, E> {
    /// How promising a move is that the table does not know: its history, and more if it is an offer.
    #[inline(always)]
    pub(super) fn promise(&self, position: &Position, mv: Move) -> i32 {
        let history = self.history.get(position.turn(), mv);
        match V::RULES.objective {
            Objective::Lose if is_offer::<V>(mv, &play::<V>(position, mv)) => {
                history + self.tuning.offer_bonus
            }
            _ => history,
        }
    }

    /// Whether an offer at this ply costs no depth.
    #[inline(always)]
    pub(super) fn extends_offers(&self, ply: usize) -> bool {
        (ply as i32) < DEEPEST * self.iteration
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Color, Piece, Setup};
    use crate::rules::{International, Losing, VariantId, legal_moves};

    #[test]
    fn a_quiet_move_next_to_a_man_is_an_offer_where_all_pieces_must_go() {
        let rules = VariantId::Losing.rules();
        let mut setup = Setup::empty(Color::White);
        for (color, number) in [(Color::White, 28), (Color::White, 45), (Color::Black, 18)] {
            setup.put(rules.square(number).unwrap(), Piece { color, king: false });
        }
        let position = rules.position(&setup).unwrap();
        let offers = legal_moves(VariantId::Losing, &position)
            .iter()
            .filter(|&&mv| {
                let next = play::<Losing>(&position, mv);
                assert!(!is_offer::<International>(mv, &next));
                is_offer::<Losing>(mv, &next)
            })
            .map(|mv| [mv.from(), mv.to()].map(|square| rules.board.number(square)))
            .collect::<Vec<_>>();
        assert_eq!(offers, [[28, 22], [28, 23]]);
    }
}
