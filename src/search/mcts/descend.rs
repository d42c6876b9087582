//! One descent: from the root to a node that is new, proven or drawn, and back.

use super::proof::Proof;
use super::thread::TreeThread;
use super::tree::{Entered, NodeId, ROOT};
use crate::board::{Move, MoveList, Position};
use crate::eval::Evaluator;
use crate::rules::draws::Counters;
use crate::rules::movegen::generate;
use crate::rules::{Objective, Variant, play};
use crate::score::Score;
use crate::search::quiescence::Quiescence;

/// Longest path, in plies; beyond, nodes are valued and not expanded.
const MAX_PLY: usize = 500;

/// What to do at a node.
enum Visit {
    /// The descent ends here, with this value for the side to move.
    End(f64),
    /// It goes on to a child.
    Down(Move, NodeId),
}

impl<V: Variant, E: Evaluator<V>> TreeThread<'_, V, E> {
    /// One descent.
    pub(super) fn descend(&mut self) {
        self.keys.truncate(self.root_keys);
        self.path.clear();
        let (mut id, mut position, mut counters) = (ROOT, self.root, self.root_counters);
        loop {
            let entered = self.tree.node(id).enter();
            self.path.push(id);
            match self.visit(id, &position, counters, entered) {
                Visit::End(value) => {
                    self.back_up(value);
                    return self.shared.count(self.id, self.path.len() - 1);
                }
                Visit::Down(mv, child) => {
                    position = play::<V>(&position, mv);
                    counters = counters.after_in::<V>(mv, &position);
                    self.keys.push(position.key());
                    id = child;
                }
            }
        }
    }

    fn visit(&mut self, id: NodeId, position: &Position, counters: Counters, entered: Entered) -> Visit {
        let tree = self.tree;
        let node = tree.node(id);
        let is_root = id == ROOT;
        if let Some(proof) = node.proof()
            && !is_root
        {
            return Visit::End(proof.value());
        }
        let mut moves = MoveList::new();
        let captures = generate::<V>(position, &mut moves);
        if moves.is_empty() {
            let proof = if V::RULES.objective == Objective::Lose { Proof::Win(0) } else { Proof::Loss(0) };
            node.prove(proof);
            return Visit::End(proof.value());
        }
        if !is_root && let Some(is_certain) = self.draw(counters) {
            if is_certain {
                node.prove(Proof::Draw);
            }
            return Visit::End(Proof::Draw.value());
        }
        if !captures
            && !is_root
            && let Some(score) = self.table_score(position, counters, 0)
        {
            let proof = Proof::of(score).unwrap_or(Proof::Draw);
            node.prove(proof);
            return Visit::End(proof.value());
        }
        // A forced move is no choice: the visit that comes first goes on to the position after it.
        let is_valued = entered.is_first() && !is_root && moves.len() > 1;
        if is_valued || self.path.len() > MAX_PLY {
            return self.value_leaf(id, position, counters);
        }
        let children = match node.children() {
            Some(children) => children,
            None => match self.expand(id, position, counters, &moves) {
                Some(children) => children,
                None => return self.value_leaf(id, position, counters),
            },
        };
        if let Some(proof) = node.proof()
            && !is_root
        {
            return Visit::End(proof.value());
        }
        // invariant: an expanded node has a child for each legal move
        let place = self.selector.select(tree, id).unwrap_or(0);
        Visit::Down(moves[place], children.first + place as u32)
    }

    /// Whether the current position is drawn by rule or counts as drawn, and if so, whether for certain.
    fn draw(&self, counters: Counters) -> Option<bool> {
        if counters.is_draw(const { &V::RULES }) {
            return Some(true);
        }
        if counters.reversible_plies() < 4 {
            return None;
        }
        self.repetition(counters.reversible_plies())
    }

    /// Values a new node.
    fn value_leaf(&mut self, id: NodeId, position: &Position, counters: Counters) -> Visit {
        let node = self.tree.node(id);
        if let Some(short) = &mut self.short {
            let expected = node.estimate().map(|estimate| self.shared.curve.score(1.0 - estimate));
            let depth = self.shared.params.leaf_depth as i32;
            if let Some(score) = short.value(position, counters, &mut self.keys, depth, expected) {
                if let Some(proof) = Proof::of(score) {
                    node.prove(proof);
                }
                let value = self.value(score);
                node.correct(1.0 - value);
                return Visit::End(value);
            }
            // Stopped, or the time is up: no later search would come to an end either.
            self.shared.end();
        }
        if let Some(estimate) = node.estimate() {
            return Visit::End(1.0 - estimate);
        }
        let score = self.quiet_value(position, counters);
        if let Some(proof) = Proof::of(score) {
            node.prove(proof);
        }
        Visit::End(self.value(score))
    }

    /// The expected result at this score.
    pub(super) fn value(&self, score: Score) -> f64 {
        self.shared.curve.value(score)
    }
}
