//! [Offers](crate::search::offer) in losing draughts are tried early and searched deep.

use super::thread::SearchThread;
use crate::board::{Move, Position};
use crate::eval::Evaluator;
use crate::rules::{Objective, Variant};
use crate::search::offer::MayOffer;

impl<V: Variant, E: Evaluator<V>> SearchThread<'_, V, E> {
    /// How promising a move is that the table does not know: its history, and more if it is one of the `offers`.
    #[inline(always)]
    pub(super) fn promise(&self, position: &Position, mv: Move, offers: &MayOffer) -> i32 {
        let history = self.history.get(position.turn(), mv);
        match V::RULES.objective {
            Objective::Lose if offers.contains::<V>(position, mv) => history + self.tuning.offer_bonus,
            _ => history,
        }
    }
}
