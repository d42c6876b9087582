//! Backup: the result of a descent goes up the path to the root, with what it proves and the statistics of RAVE.

use super::thread::TreeThread;
use super::tree::Node;
use crate::board::MoveList;
use crate::eval::Evaluator;
use crate::rules::Variant;
use crate::rules::movegen::generate;

impl<V: Variant, E: Evaluator<V>> TreeThread<'_, V, E> {
    /// Ends all visits of the path as `visits` visits of this value for the side to move at its end. A proof is handed
    /// up as far as it reaches, and its value replaces that of the simulation.
    pub(super) fn back_up(&mut self, value: f64, visits: u64) {
        if let Some(amaf) = &mut self.amaf
            && amaf.all().games == 0
        {
            amaf.add_bare_games(visits, value);
        }
        let mut value = 1.0 - value;
        let (mut below_is_proven, mut is_replaced) = (false, false);
        for i in (0..self.path.len()).rev() {
            let id = self.path[i].id;
            let node = self.tree.node(id);
            let proof = if below_is_proven { self.tree.conclude(id) } else { node.proof() };
            if let Some(proof) = proof {
                value = 1.0 - proof.value();
                is_replaced = true;
            }
            below_is_proven = proof.is_some();
            if self.shared.params.minimax_share() > 0.0
                && let Some(children) = node.children()
            {
                let best = self.tree.run(children).iter().map(Node::best_known).fold(0.0, f64::max);
                node.correct(1.0 - best);
            }
            node.leave(value, visits);
            // From the view of the side that moved here to that of the side to move, which moved to the parent's child.
            value = 1.0 - value;
            if self.amaf.is_some() {
                self.count_first_moves(i, is_replaced.then_some(value));
            }
        }
        if let Some(amaf) = &mut self.amaf {
            amaf.clear();
        }
    }

    /// RAVE: every move of the side to move at this step that it made here or later counts as if made here. `proven`
    /// replaces the value of every game, for this side.
    fn count_first_moves(&mut self, step: usize, proven: Option<f64>) {
        let Some(amaf) = &mut self.amaf else { return };
        let is_same_side = (self.path.len() - 1 - step).is_multiple_of(2);
        let step = self.path[step];
        let turn = step.position.turn();
        if let Some(mv) = step.mv {
            amaf.add_path_move(turn, mv);
        }
        let Some(children) = self.tree.node(step.id).children() else { return };
        let mut moves = MoveList::new();
        generate::<V>(&step.position, &mut moves);
        for (mv, child) in moves.iter().zip(self.tree.amaf_run(children)) {
            let count = amaf.count(turn, *mv);
            if count.games > 0 {
                let games = count.games as f64;
                let sum = match proven {
                    Some(value) => value * games,
                    None if is_same_side => count.sum,
                    None => games - count.sum,
                };
                child.add(count.games, sum);
            }
        }
    }
}
