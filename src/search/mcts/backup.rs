//! Backup: the result of a descent goes up the path to the root, with what it proves.

use super::thread::TreeThread;
use super::tree::Node;
use crate::eval::Evaluator;
use crate::rules::Variant;

impl<V: Variant, E: Evaluator<V>> TreeThread<'_, V, E> {
    /// Ends all visits of the path with this value for the side to move at its end. A proof is handed up as far as it
    /// reaches, and its value replaces that of the leaf.
    pub(super) fn back_up(&mut self, value: f64) {
        let mut value = 1.0 - value;
        let mut below_is_proven = false;
        for &id in self.path.iter().rev() {
            let node = self.tree.node(id);
            let proof = if below_is_proven { self.tree.conclude(id) } else { node.proof() };
            if let Some(proof) = proof {
                value = 1.0 - proof.value();
            }
            below_is_proven = proof.is_some();
            if self.shared.params.minimax_share() > 0.0
                && let Some(children) = node.children()
            {
                let best = self.tree.run(children).iter().map(Node::best_known).fold(0.0, f64::max);
                node.correct(1.0 - best);
            }
            node.leave(value);
            // The parent counts for the side that moved there, which is the one to move here.
            value = 1.0 - value;
        }
    }
}
