//! One inner node: probe, prune, order, loop, store.

use super::fading::plies_left;
use super::ordering::MovePicker;
use super::params::*;
use super::thread::SearchThread;
use super::tuning::Tuning;
use crate::board::{Key, Move, MoveList, Position};
use crate::eval::Evaluator;
use crate::rules::draws::Counters;
use crate::rules::movegen::{generate, quiet_wins};
use crate::rules::{Variant, play};
use crate::score::Score;
use crate::search::MAX_PLY;
use crate::search::offer::{MayOffer, is_offer};
use crate::search::quiescence::{Quiescence, blocked, may_be_slow};
use crate::search::table::{Bound, MoveCode, TableEntry};
use crate::search::window::Window;

/// What stays the same while a node is searched.
#[derive(Clone, Copy)]
pub(super) struct Node<'a> {
    pub position: &'a Position,
    pub counters: Counters,
    /// Plies until a count of moves makes the game a draw.
    pub plies_left: i32,
    /// Whether the moves are captures.
    pub captures: bool,
    /// Legal moves.
    pub choices: usize,
    /// What the table knows of the position.
    pub known: Option<TableEntry>,
    pub depth: i32,
    pub ply: usize,
}

impl Node<'_> {
    /// Whether a count of moves may end the game within the depth: then static values and margins tell little.
    #[inline(always)]
    pub fn is_counted_out(&self) -> bool {
        self.plies_left <= COUNT_NEAR.min(self.depth)
    }
}

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
            self.stack[ply].line.clear();
        }
        if depth <= 0 || ply >= MAX_PLY {
            return self.quiescence(position, counters, window, 0, ply);
        }
        if self.count_node() {
            return Score::DRAW;
        }
        if counters.reversible_plies() >= 4 && self.is_repetition(counters.reversible_plies()) {
            return Score::DRAW;
        }
        let window = match mate_window::<V>(window, ply) {
            Ok(window) => window,
            Err(score) => return score,
        };

        // The moves first: what the table has comes from afar meanwhile.
        let mut moves = MoveList::new();
        let captures = generate::<V>(position, &mut moves);
        if captures && may_be_slow(&moves) {
            self.look_soon();
        }
        if moves.is_empty() {
            return blocked::<V>(ply);
        }
        let plies_left = plies_left::<V>(counters);
        if plies_left == 0 {
            return Score::DRAW;
        }
        // A principal variation needs the move itself, whatever endgame tables say; promotions are tried before all but the
        // move of the table.
        let wins = !captures && quiet_wins::<V>(position, position.turn());
        if wins && !PV {
            return Score::win_in(ply as u32 + 1);
        }
        if !captures
            && !wins
            && let Some(score) = self.table_score(position, counters, ply)
        {
            return score;
        }
        if !captures && !PV {
            // Pruning will ask for it.
            self.expect_evaluation(position);
        }
        let known = self.shared.table.probe(counted_key(position, plies_left), ply);
        let choices = moves.len();
        let node = Node { position, counters, plies_left, captures, choices, known, depth, ply };
        if let Some(value) = known.and_then(|entry| entry.static_value) {
            self.stack[ply].static_value = Some(value);
        }
        if !PV {
            if let Some(score) = cutoff(&node, window) {
                return score;
            }
            if let Some(score) = self.prune(&node, window.beta) {
                return score;
            }
        }
        let single = if PV { self.only_good_move(&node, &moves) } else { None };
        self.search_moves::<PV>(&node, &mut moves, single, window)
    }

    /// Searches the moves of a node until one refutes it, learns their order and stores the result. The move `single`
    /// is searched one ply deeper.
    #[inline(always)]
    fn search_moves<const PV: bool>(
        &mut self,
        node: &Node<'_>,
        moves: &mut MoveList,
        single: Option<MoveCode>,
        mut window: Window,
    ) -> Score {
        let &Node { position, counters, captures, choices, known, depth, ply, .. } = node;
        let us = position.turn();
        let table_move = known.map_or(MoveCode::NONE, |entry| entry.mv);
        // A forced reply costs no depth: there is nothing to choose.
        let depth_left = if choices == 1 { depth } else { depth - 1 };
        let old_alpha = window.alpha;
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let busy = self.shared.busy.as_ref().filter(|_| depth >= DEFER_DEPTH);
        let mut is_rest_expected = false;
        let mut picker = MovePicker::new(moves.as_mut_slice(), table_move);
        let may_offer = if captures { MayOffer::NONE } else { MayOffer::of::<V>(position) };
        while let Some(mv) = picker.next(|mv| self.promise(position, mv, &may_offer)) {
            let index = picker.index();
            let next = play::<V>(position, mv);
            if let Some(busy) = busy {
                if picker.can_put_off() && index > 0 && busy.contains(next.key()) {
                    picker.put_off();
                    continue;
                }
                busy.enter(next.key());
            }
            let next_counters = counters.after_in::<V>(mv, &next);
            if !is_rest_expected {
                self.expect_entry::<PV>(node, depth_left, index, next.key());
            }
            if !is_rest_expected && index > 0 {
                // Likely, all others will be searched.
                is_rest_expected = true;
                for (i, &mv) in picker.rest().iter().enumerate() {
                    self.expect_entry::<PV>(node, depth_left, index + 1 + i, position.key_after(mv));
                }
            }
            let offers = is_offer::<V>(mv, &next);
            let reduction = if captures || mv.promotes() || offers {
                0
            } else {
                reduction(&self.tuning, PV, depth, index)
            };
            let is_single = PV && single == Some(MoveCode::of(mv));
            let extension = i32::from((is_single || offers) && self.may_extend(ply));
            self.enter(ply, mv, &next);
            let score = self.move_value::<PV>(
                &next,
                next_counters,
                window,
                depth_left + extension,
                reduction,
                ply,
                index,
            );
            self.leave();
            if let Some(busy) = busy {
                busy.leave(next.key());
            }
            if self.is_stopped() {
                return Score::DRAW;
            }
            if score > best {
                best = score;
                if score > window.alpha {
                    best_move = Some(mv);
                    window.alpha = score;
                    if PV {
                        self.extend_line(ply);
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
            self.history.reward(us, mv, picker.tried());
        }
        let key = counted_key(position, node.plies_left);
        self.store(key, ply, depth, best, best_move, Window { alpha: old_alpha, beta: window.beta });
        best
    }

    /// Asks the processor for the table's entry of the position with this key, which the `index`-th move of a node leads to,
    /// if it will be looked for.
    ///
    /// A table is so large that the processor has to find out where the page of an entry is, too. It does so for several
    /// entries at a time, and the last ones come while the moves before them are searched.
    #[inline(always)]
    fn expect_entry<const PV: bool>(&self, node: &Node<'_>, depth_left: i32, index: usize, key: Key) {
        let reduction = if node.captures { 0 } else { reduction(&self.tuning, PV, node.depth, index) };
        // With no depth left quiescence follows, which does not look.
        if depth_left > reduction {
            self.shared.table.prefetch(key);
        }
    }

    /// The value of the position after a move: the first move with the full window, the others with a null window
    /// and reduced, again without the reduction (a ply deeper if they are better by far) and with the full window if they turn
    /// out better.
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
        if PV {
            // What stands there is the line of another move, and a null window leaves none.
            self.stack[ply + 1].line.clear();
        }
        let null = Window::null(window.alpha).flipped();
        let mut score = -self.search::<false>(next, counters, null, depth - reduction, ply + 1);
        let mut depth = depth;
        if reduction > 0 && score > window.alpha && !self.is_stopped() {
            let is_far = score > window.alpha + self.tuning.lmr_deeper && !score.is_decided();
            depth += i32::from(is_far && self.may_extend(ply));
            score = -self.search::<false>(next, counters, null, depth, ply + 1);
        }
        if PV && score > window.alpha && score < window.beta && !self.is_stopped() {
            self.has_raised |= ply == 0;
            score = -self.search::<true>(next, counters, window.flipped(), depth, ply + 1);
        }
        score
    }

    /// Remembers the result of a node.
    pub(super) fn store(
        &self,
        key: Key,
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
        let static_value = self.stack[ply].static_value;
        self.shared.table.store(key, ply, TableEntry { mv, score: best, bound, depth, static_value });
    }
}

/// The key under which the table knows a position.
#[inline(always)]
pub(super) fn table_key<V: Variant>(position: &Position, counters: Counters) -> Key {
    counted_key(position, plies_left::<V>(counters))
}

/// The same with the plies until a count of moves ends the game. Near that end each count makes another position of it:
/// a win that takes longer is none, and a draw by the count is none while the count is fresh.
#[inline(always)]
fn counted_key(position: &Position, plies_left: i32) -> Key {
    let key = position.key();
    if plies_left > COUNT_NEAR {
        return key;
    }
    Key(key.0 ^ (plies_left as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
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

/// The score that the table knows, if it settles the node. A proven win or loss settles it at any depth, unless a count of
/// moves may end the game before.
#[inline(always)]
pub(super) fn cutoff(node: &Node<'_>, window: Window) -> Option<Score> {
    let entry = node.known?;
    let depth = node.depth;
    let decided = entry.score.plies_to_end();
    if entry.depth < depth && decided.is_none() {
        return None;
    }
    if node.plies_left > COUNT_NEAR
        && decided.is_some_and(|plies| plies as i32 - node.ply as i32 > node.plies_left)
    {
        return None;
    }
    let settles = match entry.bound {
        Bound::Exact if entry.depth >= depth => true,
        // A proven result, found by a search of less depth: another may end the game sooner.
        Bound::Exact if entry.score > Score::DRAW => entry.score >= window.beta,
        Bound::Exact => entry.score <= window.alpha,
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
