//! One inner node: probe, prune, order, loop, store.

use super::ordering::MovePicker;
use super::params::*;
use super::thread::SearchThread;
use super::tuning::Tuning;
use crate::board::{Move, MoveList, Position};
use crate::eval::Evaluator;
use crate::rules::draws::Counters;
use crate::rules::movegen::{can_capture, generate};
use crate::rules::{Variant, play};
use crate::score::Score;
use crate::search::MAX_PLY;
use crate::search::quiescence::{Quiescence, blocked};
use crate::search::table::{Bound, MoveCode, TableEntry};
use crate::search::window::Window;

impl<V: Variant, E: Evaluator<V>> SearchThread<'_, V, E> {
    /// The value of `position`, `depth` plies deep; what it returns while stopping means nothing.
    pub(super) fn search<const PV: bool>(
        &mut self,
        position: &Position,
        counters: Counters,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Score {
        if PV {
            self.lines[ply].clear();
        }
        if depth <= 0 || ply >= MAX_PLY {
            return self.quiescence(position, counters, window, 0, ply);
        }
        if self.count_node() {
            return Score::DRAW;
        }
        if self.is_repetition(counters.quiet_plies()) {
            return Score::DRAW;
        }
        let mut window = match mate_window::<V>(window, ply) {
            Ok(window) => window,
            Err(score) => return score,
        };

        // The moves first: what the table has comes from afar meanwhile.
        let mut moves = MoveList::new();
        let captures = generate::<V>(position, &mut moves);
        let known = self.shared.table.probe(position.key(), ply);
        if let Some(entry) = known
            && !PV
            && let Some(score) = cutoff(entry, window, depth)
        {
            return score;
        }

        if moves.is_empty() {
            return blocked::<V>(ply);
        }
        if counters.is_draw(const { &V::RULES }) {
            return Score::DRAW;
        }
        if !PV
            && !captures
            && moves.len() > FEW_MOVES
            && let Some(score) = self.futility(position, window.beta, depth, ply)
        {
            return score;
        }
        if !PV
            && !captures
            && moves.len() > 1
            && let Some(score) = self.probcut(position, counters, window.beta, depth, ply)
        {
            return score;
        }

        // A forced reply costs no depth: there is nothing to choose.
        let depth_left = if moves.len() == 1 { depth } else { depth - 1 };
        let table_move = known.map_or(MoveCode::NONE, |entry| entry.mv);
        let us = position.turn();
        let alone = if PV && moves.len() > 1 && depth >= self.tuning.singular_depth {
            known
                .filter(|entry| self.is_alone(entry, position, counters, &moves, depth, ply))
                .map(|entry| entry.mv)
        } else {
            None
        };
        let mut picker = MovePicker::new(moves.as_mut_slice(), table_move, us);
        let old_alpha = window.alpha;
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let busy = self.shared.busy.as_ref().filter(|_| depth >= DEFER_DEPTH);
        while let Some(mv) = picker.next(self.history) {
            let index = picker.tried().len() - 1;
            let next = play::<V>(position, mv);
            if let Some(busy) = busy {
                if index > 0 && picker.can_put_off() && busy.contains(next.key()) {
                    picker.put_off();
                    continue;
                }
                busy.enter(next.key());
            }
            self.shared.table.prefetch(next.key());
            let next_counters = counters.after_in::<V>(mv, &next);
            self.keys.push(next.key());
            let reduction =
                if captures || mv.promotes() { 0 } else { reduction(&self.tuning, PV, depth, index) };
            let longer = i32::from(PV && alone == Some(MoveCode::of(mv)));
            let score = self.move_value::<PV>(
                &next,
                next_counters,
                window,
                depth_left + longer,
                reduction,
                ply,
                index,
            );
            if let Some(busy) = busy {
                busy.leave(next.key());
            }
            self.keys.pop();
            if self.is_stopped() {
                return Score::DRAW;
            }
            if score > best {
                best = score;
                if score > window.alpha {
                    best_move = Some(mv);
                    window.alpha = score;
                    if PV {
                        self.extend_line(ply, mv);
                    }
                    if score >= window.beta {
                        break;
                    }
                }
            }
        }
        if let Some(mv) = best_move
            && !captures
        {
            self.history.reward(us, mv, picker.tried(), depth);
        }
        self.store(position, ply, depth, best, best_move, Window { alpha: old_alpha, beta: window.beta });
        best
    }

    /// The value of the position after a move: the first move with the full window, the others with a null window
    /// and reduced, again without the reduction and with the full window if they turn out better.
    #[allow(clippy::too_many_arguments)] // the node's whole state; a struct would only rename it
    pub(super) fn move_value<const PV: bool>(
        &mut self,
        next: &Position,
        counters: Counters,
        window: Window,
        depth: i32,
        reduction: i32,
        ply: usize,
        index: usize,
    ) -> Score {
        if index == 0 {
            return -self.search::<PV>(next, counters, window.flipped(), depth, ply + 1);
        }
        let null = Window::null(window.alpha).flipped();
        let mut score = -self.search::<false>(next, counters, null, depth - reduction, ply + 1);
        if reduction > 0 && score > window.alpha && !self.is_stopped() {
            score = -self.search::<false>(next, counters, null, depth, ply + 1);
        }
        if PV && score > window.alpha && score < window.beta && !self.is_stopped() {
            score = -self.search::<true>(next, counters, window.flipped(), depth, ply + 1);
        }
        score
    }

    /// Forward pruning near the leaves: a quiet position that is better than beta by a margin for each ply, in which
    /// the opponent threatens nothing, will hardly fall below it (reverse futility pruning, or static null move).
    ///
    /// Not with few moves: there the duty to move may be what loses.
    ///
    /// It answers the test searches of [`Self::probcut`], too, so these are mostly one evaluation: that is how it was
    /// measured.
    #[inline(always)]
    fn futility(&mut self, position: &Position, beta: Score, depth: i32, ply: usize) -> Option<Score> {
        if depth > self.tuning.futility_depth
            || beta.centi().abs() >= CLEAR
            || can_capture::<V>(position, !position.turn())
        {
            return None;
        }
        let value = self.static_value(position, ply);
        let is_enough = value >= beta + self.tuning.futility_margin * depth;
        if is_enough {
            self.count_leaf(ply);
        }
        is_enough.then_some(value)
    }

    /// Forward pruning in the manner of ProbCut (M. Buro, 1995): a search at a fraction of the depth that exceeds
    /// beta by a margin makes it likely that the full search would too.
    fn probcut(
        &mut self,
        position: &Position,
        counters: Counters,
        beta: Score,
        depth: i32,
        ply: usize,
    ) -> Option<Score> {
        let tuning = &self.tuning;
        if depth < tuning.probcut_depth || self.probing || beta.is_decided() {
            return None;
        }
        let bar = beta + (tuning.probcut_base + tuning.probcut_margin * depth / 10);
        if bar >= Score::MAX_EVAL {
            return None;
        }
        self.probing = true;
        let window = Window { alpha: bar - 1, beta: bar };
        let score = self.search::<false>(position, counters, window, depth * tuning.probcut_share / 100, ply);
        self.probing = false;
        (score >= bar && !self.is_stopped()).then_some(beta)
    }

    /// Whether the table's move is the only good one: whether a search at half the depth finds all others worse by a
    /// margin (singular extension; T. Anantharaman, M. Campbell, F. Hsu, 1990).
    fn is_alone(
        &mut self,
        entry: &TableEntry,
        position: &Position,
        counters: Counters,
        moves: &[Move],
        depth: i32,
        ply: usize,
    ) -> bool {
        if entry.bound == Bound::Upper || entry.depth < depth - 4 || entry.score.is_decided() || self.probing
        {
            return false;
        }
        let bar = entry.score - self.tuning.singular_margin;
        for &mv in moves.iter().filter(|&&mv| MoveCode::of(mv) != entry.mv) {
            let next = play::<V>(position, mv);
            let next_counters = counters.after_in::<V>(mv, &next);
            self.keys.push(next.key());
            let window = Window::null(bar - 1).flipped();
            let score = -self.search::<false>(&next, next_counters, window, depth / 2 - 1, ply + 1);
            self.keys.pop();
            if score >= bar || self.is_stopped() {
                return false;
            }
        }
        true
    }

    /// Remembers the result of a node.
    pub(super) fn store(
        &self,
        position: &Position,
        ply: usize,
        depth: i32,
        best: Score,
        best_move: Option<Move>,
        window: Window,
    ) {
        let bound = if best >= window.beta {
            Bound::Lower
        } else if best > window.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let mv = best_move.map_or(MoveCode::NONE, MoveCode::of);
        self.shared.table.store(position.key(), ply, TableEntry { mv, score: best, bound, depth });
    }
}

/// Narrows the window to the scores that are still possible at this ply: at best one side has no move now, or the
/// other after the next move. If none of the window is left, the possible score nearest to it is the node's value.
#[inline(always)]
fn mate_window<V: Variant>(window: Window, ply: usize) -> Result<Window, Score> {
    let (now, next) = (blocked::<V>(ply), -blocked::<V>(ply + 1));
    let (worst, best) = (now.min(next), now.max(next));
    if worst >= window.beta {
        Err(worst)
    } else if best <= window.alpha {
        Err(best)
    } else {
        Ok(Window { alpha: window.alpha.max(worst), beta: window.beta.min(best) })
    }
}

/// The score of a table entry, if it settles the node. A proven win or loss settles it at any depth.
#[inline(always)]
fn cutoff(entry: TableEntry, window: Window, depth: i32) -> Option<Score> {
    if entry.depth < depth && !entry.score.is_decided() {
        return None;
    }
    let settles = match entry.bound {
        Bound::Exact => entry.depth >= depth,
        Bound::Lower => entry.score >= window.beta && (entry.depth >= depth || entry.score > Score::DRAW),
        Bound::Upper => entry.score <= window.alpha && (entry.depth >= depth || entry.score < Score::DRAW),
    };
    settles.then_some(entry.score)
}

/// Plies by which the `index`-th quiet move of a node is searched less deep at first.
#[inline(always)]
pub(super) fn reduction(tuning: &Tuning, pv: bool, depth: i32, index: usize) -> i32 {
    let index = index as i32;
    if depth < tuning.lmr_depth || index < tuning.lmr_first {
        0
    } else if pv || index < tuning.lmr_second {
        1
    } else {
        2
    }
}
