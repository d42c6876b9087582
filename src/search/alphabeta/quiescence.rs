//! Beyond the depth: captures are forced, so they are always searched on. A quiet position may be evaluated, unless
//! the opponent could capture if it were his turn: then standing pat would lie, and one full ply is searched.

use super::node::{Window, blocked};
use super::params::{MAX_PLY, THREAT_PLIES};
use super::worker::Worker;
use crate::board::{Move, MoveList, Position};
use crate::eval::Evaluator;
use crate::rules::draws::Counters;
use crate::rules::movegen::{can_capture, captures, count_quiets, quiets};
use crate::rules::{Variant, play};
use crate::score::Score;

impl<V: Variant, E: Evaluator<V>> Worker<'_, V, E> {
    /// The value of `position` when it has become quiet; `threats` full plies were spent on threats already.
    pub(super) fn quiescence(
        &mut self,
        position: &Position,
        counters: Counters,
        window: Window,
        threats: i32,
        ply: usize,
    ) -> Score {
        if self.count_node() {
            return Score::DRAW;
        }
        let us = position.turn();
        if can_capture::<V>(position, us) {
            if ply >= MAX_PLY {
                return self.evaluate(position, ply);
            }
            let mut moves = MoveList::new();
            captures::<V>(position, &mut moves);
            return self.quiet_best(position, counters, window, threats, ply, &moves);
        }
        if count_quiets::<V>(position, us) == 0 {
            return blocked::<V>(ply);
        }
        if counters.quiet_plies() >= 4 && self.is_repetition(counters.quiet_plies())
            || counters.is_draw(const { &V::RULES })
        {
            return Score::DRAW;
        }
        if threats < THREAT_PLIES && ply < MAX_PLY && can_capture::<V>(position, !us) {
            let mut moves = MoveList::new();
            quiets::<V>(position, &mut moves);
            return self.quiet_best(position, counters, window, threats + 1, ply, &moves);
        }
        self.evaluate(position, ply)
    }

    /// The best of `moves`, each followed by quiescence.
    #[allow(clippy::too_many_arguments)] // the node's whole state; a struct would only rename it
    fn quiet_best(
        &mut self,
        position: &Position,
        counters: Counters,
        mut window: Window,
        threats: i32,
        ply: usize,
        moves: &[Move],
    ) -> Score {
        let mut best = -Score::INFINITE;
        for &mv in moves {
            let next = play::<V>(position, mv);
            let next_counters = counters.after_in::<V>(mv, &next);
            self.keys.push(next.key());
            let score = -self.quiescence(&next, next_counters, window.flipped(), threats, ply + 1);
            self.keys.pop();
            if self.is_stopped() {
                return Score::DRAW;
            }
            if score > best {
                best = score;
                window.alpha = window.alpha.max(score);
                if score >= window.beta {
                    break;
                }
            }
        }
        best
    }
}
