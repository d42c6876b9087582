//! What is left out and what is looked at closer: forward pruning and the singular extension.

use super::fading::Fading;
use super::node::{Node, cutoff};
use super::params::*;
use super::thread::SearchThread;
use crate::board::Move;
use crate::eval::Evaluator;
use crate::rules::movegen::{can_capture, quiet_wins};
use crate::rules::{Variant, play};
use crate::score::Score;
use crate::search::quiescence::Quiescence;
use crate::search::table::{Bound, MoveCode, TableEntry};
use crate::search::window::Window;

impl<V: Variant, E: Evaluator<V>> SearchThread<'_, V, E> {
    /// A value of at least beta for a quiet node that hardly falls below it.
    #[inline(always)]
    pub(super) fn prune(&mut self, node: &Node<'_>, beta: Score) -> Option<Score> {
        if node.captures || node.choices == 1 || node.is_counted_out() {
            return None;
        }
        self.futility(node, beta).or_else(|| self.probcut(node, beta))
    }

    /// Forward pruning near the leaves: a quiet position that is better than beta by a margin for each ply, in which
    /// the opponent threatens neither a capture nor to win by crowning, will hardly fall below it (reverse futility
    /// pruning, or static null move).
    ///
    /// Not with few moves: there the duty to move may be what loses.
    ///
    /// It answers the test searches of [`Self::probcut`], too, so these are mostly one evaluation: that is how it was
    /// measured.
    #[inline(always)]
    fn futility(&mut self, node: &Node<'_>, beta: Score) -> Option<Score> {
        let &Node { position, plies_left, choices, depth, ply, .. } = node;
        if choices <= FEW_MOVES
            || depth > self.tuning.futility_depth
            || beta.centi().abs() >= CLEAR
            || can_capture::<V>(position, !position.turn())
            || quiet_wins::<V>(position, !position.turn())
        {
            return None;
        }
        let enough = beta + self.tuning.futility_margin * depth;
        let rough = self.evaluator.rough(position).filter(|&value| value >= enough + self.tuning.lazy_margin);
        let value = rough.unwrap_or_else(|| self.static_value(position, ply));
        let value = Fading::of(position, plies_left).apply(value);
        let is_enough = value >= enough;
        if is_enough {
            self.count_leaf(ply);
        }
        is_enough.then_some(value)
    }

    /// Forward pruning in the manner of ProbCut (M. Buro, 1995): a search at a fraction of the depth that exceeds
    /// beta by a margin makes it likely that the full search would too. Not tried where the static value is below beta:
    /// matches say that the test is not worth its nodes there.
    fn probcut(&mut self, node: &Node<'_>, beta: Score) -> Option<Score> {
        let &Node { position, counters, depth, ply, .. } = node;
        let tuning = self.tuning;
        if depth < tuning.probcut_depth || self.probing || beta.is_decided() {
            return None;
        }
        let bar = beta + (tuning.probcut_base + tuning.probcut_margin * depth / 10);
        if bar >= Score::MAX_EVAL || self.static_value(position, ply) < beta - tuning.probcut_reach {
            return None;
        }
        // What the test search would ask first is known here already.
        let test = Node { depth: depth * tuning.probcut_share / 100, ..*node };
        let window = Window { alpha: bar - 1, beta: bar };
        if let Some(score) = cutoff(&test, window).or_else(|| self.futility(&test, bar)) {
            return (score >= bar).then_some(beta);
        }
        self.probing = true;
        let score = self.search::<false>(position, counters, window, test.depth, ply);
        self.probing = false;
        (score >= bar && !self.is_stopped()).then_some(beta)
    }

    /// Whether a move at this ply may cost no depth though there is a choice: lines have an end.
    #[inline(always)]
    pub(super) fn may_extend(&self, ply: usize) -> bool {
        (ply as i32) < DEEPEST_EXTENSION * self.iteration
    }

    /// The table's move, if a search at half the depth finds all others worse by a margin (singular extension;
    /// T. Anantharaman, M. Campbell, F. Hsu, 1990).
    #[inline(always)]
    pub(super) fn only_good_move(&mut self, node: &Node<'_>, moves: &[Move]) -> Option<MoveCode> {
        if node.choices == 1 || node.depth < self.tuning.singular_depth {
            return None;
        }
        node.known.filter(|entry| self.is_alone(entry, node, moves)).map(|entry| entry.mv)
    }

    /// Whether all moves but that of the entry are worse than its score by a margin.
    fn is_alone(&mut self, entry: &TableEntry, node: &Node<'_>, moves: &[Move]) -> bool {
        let &Node { position, counters, depth, ply, .. } = node;
        if entry.bound == Bound::Upper || entry.depth < depth - 4 || entry.score.is_decided() {
            return false;
        }
        let bar = entry.score - self.tuning.singular_margin;
        for &mv in moves.iter().filter(|&&mv| MoveCode::of(mv) != entry.mv) {
            let next = play::<V>(position, mv);
            let next_counters = counters.after_in::<V>(mv, &next);
            self.enter(ply, mv, &next);
            let window = Window::null(bar - 1).flipped();
            let score = -self.search::<false>(&next, next_counters, window, depth / 2 - 1, ply + 1);
            self.leave();
            if score >= bar || self.is_stopped() {
                return false;
            }
        }
        true
    }
}
