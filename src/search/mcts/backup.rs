//! The way back to the root.

use super::thread::TreeThread;
use crate::board::MoveList;
use crate::eval::Evaluator;
use crate::rules::Variant;
use crate::rules::movegen::generate;

impl<V: Variant, E: Evaluator<V>> TreeThread<'_, V, E> {
    /// Ends all visits of the path as `visits` visits of this value for the side to move at its end. A proof is handed
    /// up as far as it reaches, and its value replaces that of the simulation.
    pub(super) fn back_up(&mut self, value: f64, visits: u64) {
        let mut value = 1.0 - value;
        let mut below_is_proven = false;
        for i in (0..self.path.len()).rev() {
            let id = self.path[i].id;
            let node = self.tree.node(id);
            let proof = if below_is_proven { self.tree.conclude(id) } else { node.proof() };
            if let Some(proof) = proof {
                value = 1.0 - proof.value();
            }
            below_is_proven = proof.is_some();
            node.leave(value, visits);
            // From the view of the side that moved here to that of the side to move, which moved to the parent's child.
            if self.played.is_some() {
                self.count_first_moves(i, 1.0 - value);
            }
            value = 1.0 - value;
        }
        if let Some(played) = &mut self.played {
            played.clear();
        }
    }

    /// RAVE: every move of the side to move at this step that it played here or later counts as if played here.
    fn count_first_moves(&mut self, step: usize, value: f64) {
        let Some(played) = &mut self.played else { return };
        let step = self.path[step];
        let turn = step.position.turn();
        if let Some(mv) = step.mv {
            played.add(turn, mv);
        }
        let Some(children) = self.tree.node(step.id).children() else { return };
        let mut moves = MoveList::new();
        generate::<V>(&step.position, &mut moves);
        for (mv, amaf) in moves.iter().zip(self.tree.amaf_run(children)) {
            if played.contains(turn, *mv) {
                amaf.add(value);
            }
        }
    }
}
