//! Expansion: a node gets a child for each legal move, with an estimate and what the policy says of its move.

use super::proof::Proof;
use super::thread::TreeThread;
use super::tree::{Children, NewChild, NodeId, PolicyGap};
use crate::board::{Move, Position};
use crate::eval::Evaluator;
use crate::eval::policy;
use crate::rules::draws::Counters;
use crate::rules::{Variant, play};
use crate::search::table::MoveCode;

/// By how much the best move of a search is better than any other at least, as a share of a point.
const LEAD: f64 = 0.01;

impl<V: Variant, E: Evaluator<V>> TreeThread<'_, V, E> {
    /// Expands a node; none if there is no room, which calls for a collection.
    pub(super) fn expand(
        &mut self,
        id: NodeId,
        position: &Position,
        counters: Counters,
        moves: &[Move],
    ) -> Option<Children> {
        if moves.len() > usize::from(u16::MAX) {
            return None;
        }
        self.new_children.clear();
        self.estimate(position, counters, moves);
        self.correct(position, counters, moves);
        self.ask_policy(position, moves);
        let children = self.tree.expand(id, &self.new_children);
        match children {
            None => self.shared.rendezvous.call(),
            Some(_) if self.new_children.iter().any(|child| child.proof.is_some()) => {
                self.tree.conclude(id);
            }
            Some(_) => (),
        }
        children
    }

    /// What alpha-beta has found for the node counts for its best move, and no other can be better.
    fn correct(&mut self, position: &Position, counters: Counters, moves: &[Move]) {
        let known = self.short.as_ref().and_then(|short| short.known(position, counters));
        let Some((score, best)) = known else { return };
        let value = self.value(score);
        for (&mv, child) in moves.iter().zip(&mut self.new_children) {
            let estimate = child.estimate.unwrap_or(0.5);
            child.estimate = Some(if MoveCode::of(mv) == best { value } else { estimate.min(value - LEAD) });
        }
    }

    /// Quiescence and evaluation of each child: the priors of the selection, and the values of the first visits.
    fn estimate(&mut self, position: &Position, counters: Counters, moves: &[Move]) {
        self.quiet_scores.clear();
        for &mv in moves {
            let next = play::<V>(position, mv);
            self.keys.push(next.key());
            let score = self.quiet_value(&next, counters.after_in::<V>(mv, &next));
            self.keys.pop();
            self.quiet_scores.push(-score);
            let estimate = Some(self.value(-score));
            self.new_children.push(NewChild { estimate, proof: Proof::of(score), ..NewChild::default() });
        }
    }

    /// What the policy says of each child.
    fn ask_policy(&mut self, position: &Position, moves: &[Move]) {
        let Some(learned) = self.shared.policy else { return };
        learned.values::<V>(position, moves, &self.quiet_scores, &mut self.policy_values);
        let most = self.policy_values.iter().copied().max().unwrap_or(0);
        for (child, value) in self.new_children.iter_mut().zip(&self.policy_values) {
            child.policy = PolicyGap::of(f64::from(most - value) / f64::from(policy::UNIT));
        }
    }
}
