//! The root: every legal move has a score and a line of its own, from which the reported variations are taken.

use super::node::{reduction, table_key};
use super::thread::SearchThread;
use crate::board::Move;
use crate::eval::Evaluator;
use crate::rules::{Variant, play};
use crate::score::Score;
use crate::search::quiescence::Quiescence;
use crate::search::window::Window;
use std::cmp::Reverse;

/// A root move and what is known of it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub mv: Move,
    /// Its value in this iteration; minus infinity if it was only refuted.
    pub score: Score,
    /// The line that it begins.
    pub line: Vec<Move>,
}

impl RootMove {
    pub fn new(mv: Move) -> RootMove {
        RootMove { mv, score: -Score::INFINITE, line: vec![mv] }
    }

    /// The key that sorts the best first.
    pub fn rank(&self) -> Reverse<Score> {
        Reverse(self.score)
    }
}

impl<V: Variant, E: Evaluator<V>> SearchThread<'_, V, E> {
    /// Searches the root moves from `first` on (the ones before it are better variations, already settled) and
    /// moves the best of them to the front of these. Its score is a bound if it lies outside the window.
    pub(super) fn search_root(&mut self, mut window: Window, depth: i32, first: usize) -> Score {
        let position = self.root;
        let (alpha, beta) = (window.alpha, window.beta);
        let captures = self.root_moves.first().is_some_and(|m| m.mv.is_capture());
        let mut best = -Score::INFINITE;
        let mut best_index = first;
        for i in first..self.root_moves.len() {
            let mv = self.root_moves[i].mv;
            let next = play::<V>(&position, mv);
            let counters = self.root_counters.after_in::<V>(mv, &next);
            self.enter(0, mv, &next);
            self.has_raised = false;
            let reduction =
                if captures || mv.promotes() { 0 } else { reduction(&self.tuning, true, depth, i - first) };
            let score = self.move_value::<true>(&next, counters, window, depth - 1, reduction, 0, i - first);
            self.leave();
            if self.is_stopped() {
                if self.has_raised && i > first {
                    // The search with a null window has found it better than those before; only its value is not known.
                    best_index = i;
                    self.root_moves[i].score = window.alpha + 1;
                    self.root_moves[i].line = vec![mv];
                }
                break;
            }
            let root_move = &mut self.root_moves[i];
            root_move.score = -Score::INFINITE;
            if score > best {
                best = score;
                if i == first || score > window.alpha {
                    best_index = i;
                    root_move.score = score;
                    root_move.line.clear();
                    root_move.line.push(mv);
                    root_move.line.extend_from_slice(&self.stack[1].line);
                }
                if score >= beta {
                    break;
                }
                window.alpha = window.alpha.max(score);
            }
        }
        // The order of the others stays: it is the order in which they were last found good.
        self.root_moves[first..=best_index].rotate_right(1);
        // The value of some moves only is not that of the position.
        let is_whole = first == 0 && self.has_all_root_moves;
        if !self.is_stopped() && is_whole && best > -Score::INFINITE {
            let mv = Some(self.root_moves[0].mv);
            let key = table_key::<V>(&position, self.root_counters);
            self.store(key, 0, depth, best, mv, Window { alpha, beta });
        }
        best
    }
}
