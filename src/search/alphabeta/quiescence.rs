//! Beyond the depth: captures are forced, so they are always searched on. A quiet position may be evaluated, unless
//! the opponent could capture if it were his turn: then standing pat would lie, and one full ply is searched.

use super::node::{Window, blocked};
use super::params::MAX_PLY;
use super::thread::SearchThread;
use crate::board::{Key, Move, MoveList, Position};
use crate::eval::Evaluator;
use crate::rules::draws::Counters;
use crate::rules::movegen::{can_capture, captures, count_quiets, quiets};
use crate::rules::{Variant, play};
use crate::score::Score;

/// The search that wants a position's quiet value: it counts, remembers the path and knows when to stop.
pub(in crate::search) trait Quieting {
    /// Counts a node; true when the search must unwind.
    fn count_node(&mut self) -> bool;
    /// Whether the search must unwind.
    fn is_stopped(&self) -> bool;
    /// The keys of the path, the current position's last.
    fn keys(&mut self) -> &mut Vec<Key>;
    /// Whether the current position has occurred before; `quiet` reversible plies led to it.
    fn is_repetition(&self, quiet: u16) -> bool;
    /// Plies in which a threatened side gets a full ply instead of standing pat.
    fn threat_plies(&self) -> i32;
    /// Static value of a quiet position.
    fn evaluate(&mut self, position: &Position, ply: usize) -> Score;
}

impl<V: Variant, E: Evaluator<V>> Quieting for SearchThread<'_, V, E> {
    #[inline(always)]
    fn count_node(&mut self) -> bool {
        SearchThread::count_node(self)
    }
    #[inline(always)]
    fn is_stopped(&self) -> bool {
        SearchThread::is_stopped(self)
    }
    #[inline(always)]
    fn keys(&mut self) -> &mut Vec<Key> {
        &mut self.keys
    }
    #[inline(always)]
    fn is_repetition(&self, quiet: u16) -> bool {
        SearchThread::is_repetition(self, quiet)
    }
    #[inline(always)]
    fn threat_plies(&self) -> i32 {
        self.tuning.threat_plies
    }
    #[inline(always)]
    fn evaluate(&mut self, position: &Position, ply: usize) -> Score {
        SearchThread::evaluate(self, position, ply)
    }
}

impl<V: Variant, E: Evaluator<V>> SearchThread<'_, V, E> {
    /// The value of `position` when it has become quiet; `threats` full plies were spent on threats already.
    pub(super) fn quiescence(
        &mut self,
        position: &Position,
        counters: Counters,
        window: Window,
        threats: i32,
        ply: usize,
    ) -> Score {
        quiescence::<V, _>(self, position, counters, window, threats, ply)
    }
}

/// The value of `position` when it has become quiet; `threats` full plies were spent on threats already.
pub(in crate::search) fn quiescence<V: Variant, S: Quieting>(
    search: &mut S,
    position: &Position,
    counters: Counters,
    window: Window,
    threats: i32,
    ply: usize,
) -> Score {
    if search.count_node() {
        return Score::DRAW;
    }
    let us = position.turn();
    if can_capture::<V>(position, us) {
        if ply >= MAX_PLY {
            return search.evaluate(position, ply);
        }
        let mut moves = MoveList::new();
        captures::<V>(position, &mut moves);
        return quiet_best::<V, S>(search, position, counters, window, threats, ply, &moves);
    }
    if count_quiets::<V>(position, us) == 0 {
        return blocked::<V>(ply);
    }
    if counters.quiet_plies() >= 4 && search.is_repetition(counters.quiet_plies())
        || counters.is_draw(const { &V::RULES })
    {
        return Score::DRAW;
    }
    if threats < search.threat_plies() && ply < MAX_PLY && can_capture::<V>(position, !us) {
        let mut moves = MoveList::new();
        quiets::<V>(position, &mut moves);
        return quiet_best::<V, S>(search, position, counters, window, threats + 1, ply, &moves);
    }
    search.evaluate(position, ply)
}

/// The best of `moves`, each followed by quiescence.
fn quiet_best<V: Variant, S: Quieting>(
    search: &mut S,
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
        search.keys().push(next.key());
        let score = -quiescence::<V, S>(search, &next, next_counters, window.flipped(), threats, ply + 1);
        search.keys().pop();
        if search.is_stopped() {
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
