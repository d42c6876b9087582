//! Quiescence search, shared by alpha-beta and tree search. Captures are forced, so they are always searched on. A
//! quiet position is evaluated, unless the opponent could capture if it were his turn: then its static value is
//! misleading, and one full ply is searched: alpha-beta does so only where it may raise alpha. In breakthrough draughts
//! crowning a man with the next move wins, and the threat to do so counts like that of a capture. In losing draughts
//! alpha-beta also looks whether an offer is better than the static value.

use super::MAX_PLY;
use super::offer::MayOffer;
use super::window::Window;
use crate::board::{Key, Move, MoveList, Position};
use crate::rules::draws::Counters;
use crate::rules::movegen::{can_capture, captures, has_quiet, quiet_wins, quiets};
use crate::rules::{Objective, Variant, play};
use crate::score::Score;

/// The score of a side that has no legal move at this ply.
#[inline(always)]
pub(crate) fn blocked<V: Variant>(ply: usize) -> Score {
    match V::RULES.objective {
        Objective::Win | Objective::Crown => Score::loss_in(ply as u32),
        Objective::Lose => Score::win_in(ply as u32),
    }
}

/// Victims of a capture after which the search looks at its limits. Hardly any game has one; where a king may take twenty
/// pieces in many orders, each position takes some tenths of a second.
const LONG_CAPTURE: u32 = 8;

/// Whether it may have taken long to find these captures.
#[inline(always)]
pub(crate) fn may_be_slow(captures: &[Move]) -> bool {
    captures.first().is_some_and(|mv| mv.captured().len() >= LONG_CAPTURE)
}

/// A search thread with what quiescence needs of it: the path, the evaluation, and when to stop.
pub(super) trait Quiescence<V: Variant> {
    /// Counts a node; true when the search must unwind.
    fn count_node(&mut self) -> bool;
    /// To be called after moves that may have taken long to find: the next node looks at clock, flags and limits, or the search
    /// may have fewer of such.
    fn look_soon(&mut self);
    /// Whether the search must unwind.
    fn is_stopped(&self) -> bool;
    /// The keys of the path, the current position's last.
    fn keys(&mut self) -> &mut Vec<Key>;
    /// Whether the current position has occurred before, in the game or on the path, so that it counts as a draw;
    /// `quiet` reversible plies led to it.
    fn is_repetition(&self, quiet: u16) -> bool;
    /// Plies in which a threatened side gets a full ply instead of its static value.
    fn threat_plies(&self) -> i32;
    /// Losing draughts: plies in which offers are searched beside the static value. They and those for threats are counted
    /// together: after an offer there is one less for a threat, and the other way round. By default none.
    fn offer_plies(&self) -> i32 {
        0
    }
    /// The static value of a position whose side to move is threatened, if it is so low that no move is likely to reach
    /// alpha; by default every one is searched.
    fn too_low(
        &mut self,
        position: &Position,
        counters: Counters,
        alpha: Score,
        ply: usize,
    ) -> Option<Score> {
        let _ = (position, counters, alpha, ply);
        None
    }
    /// What endgame tables say of a position in which the side to move can move and cannot capture.
    fn table_score(&self, position: &Position, counters: Counters, ply: usize) -> Option<Score>;
    /// The value of a leaf, or a bound of it if it is so far outside the window that nothing else is asked; by default the
    /// static value.
    fn leaf_value(&mut self, position: &Position, counters: Counters, window: Window, ply: usize) -> Score {
        let _ = (counters, window);
        self.evaluate(position, ply)
    }
    /// The static value of this position will perhaps be asked for.
    #[inline(always)]
    fn expect_evaluation(&self, position: &Position) {
        let _ = position;
    }
    /// Static value of a position that is a leaf.
    fn evaluate(&mut self, position: &Position, ply: usize) -> Score;

    /// The value of `position` when it has become quiet; `spent` plies went into threats and offers already.
    /// What it returns while stopping means nothing.
    fn quiescence(
        &mut self,
        position: &Position,
        counters: Counters,
        window: Window,
        spent: i32,
        ply: usize,
    ) -> Score {
        if self.count_node() {
            return Score::DRAW;
        }
        self.expect_evaluation(position);
        let us = position.turn();
        let is_counted_out = counters.is_draw(const { &V::RULES });
        if can_capture::<V>(position, us) {
            if is_counted_out {
                return Score::DRAW;
            }
            if ply >= MAX_PLY {
                return self.evaluate(position, ply);
            }
            let mut moves = MoveList::new();
            captures::<V>(position, &mut moves);
            if may_be_slow(&moves) {
                self.look_soon();
            }
            return self.quiet_best::<false>(position, counters, window, spent, ply, &moves);
        }
        if !has_quiet::<V>(position, us) {
            return blocked::<V>(ply);
        }
        if is_counted_out
            || counters.reversible_plies() >= 4 && self.is_repetition(counters.reversible_plies())
        {
            return Score::DRAW;
        }
        if quiet_wins::<V>(position, us) {
            return Score::win_in(ply as u32 + 1);
        }
        if let Some(score) = self.table_score(position, counters, ply) {
            return score;
        }
        let is_threatened = || can_capture::<V>(position, !us) || quiet_wins::<V>(position, !us);
        if spent < self.threat_plies() && ply < MAX_PLY && is_threatened() {
            if let Some(score) = self.too_low(position, counters, window.alpha, ply) {
                return score;
            }
            let mut moves = MoveList::new();
            quiets::<V>(position, &mut moves);
            return self.quiet_best::<false>(position, counters, window, spent + 1, ply, &moves);
        }
        let value = self.leaf_value(position, counters, window, ply);
        let may_offer =
            matches!(V::RULES.objective, Objective::Lose) && spent < self.offer_plies() && ply < MAX_PLY;
        if !may_offer || value >= window.beta {
            return value;
        }
        let mut moves = MoveList::new();
        quiets::<V>(position, &mut moves);
        let window = Window { alpha: window.alpha.max(value), beta: window.beta };
        value.max(self.quiet_best::<true>(position, counters, window, spent + 1, ply, &moves))
    }

    /// The best of `moves` or, if so asked, of the offers among them, each followed by quiescence.
    #[allow(clippy::too_many_arguments)] // the node's whole state; a struct would only rename it
    fn quiet_best<const OFFERS: bool>(
        &mut self,
        position: &Position,
        counters: Counters,
        mut window: Window,
        spent: i32,
        ply: usize,
        moves: &[Move],
    ) -> Score {
        let mut best = -Score::INFINITE;
        let offers = OFFERS.then(|| MayOffer::of::<V>(position));
        for &mv in moves {
            if offers.as_ref().is_some_and(|offers| !offers.contains::<V>(position, mv)) {
                continue;
            }
            let next = play::<V>(position, mv);
            let next_counters = counters.after_in::<V>(mv, &next);
            self.keys().push(next.key());
            let score = -self.quiescence(&next, next_counters, window.flipped(), spent, ply + 1);
            self.keys().pop();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Color, Piece, Setup};
    use crate::rules::{Breakthrough, Losing};

    /// Counts men, and likes to have them.
    struct Count {
        offer_plies: i32,
        keys: Vec<Key>,
    }

    impl<V: Variant> Quiescence<V> for Count {
        fn look_soon(&mut self) {}

        fn count_node(&mut self) -> bool {
            false
        }

        fn is_stopped(&self) -> bool {
            false
        }

        fn keys(&mut self) -> &mut Vec<Key> {
            &mut self.keys
        }

        fn is_repetition(&self, _: u16) -> bool {
            false
        }

        fn threat_plies(&self) -> i32 {
            1
        }

        fn offer_plies(&self) -> i32 {
            self.offer_plies
        }

        fn table_score(&self, _: &Position, _: Counters, _: usize) -> Option<Score> {
            None
        }

        fn evaluate(&mut self, position: &Position, _: usize) -> Score {
            let [us, them] =
                [position.turn(), !position.turn()].map(|color| position.men(color).len() as i32);
            Score::from_centi(100 * (us - them))
        }
    }

    /// What such a search with so many plies of offers says of white men on these squares, to move, and black men.
    fn value(white: &[u32], black: &[u32], offer_plies: i32, beta: Score) -> Score {
        value_in::<Losing>(white, black, offer_plies, beta)
    }

    /// The same in another variant.
    fn value_in<V: Variant>(white: &[u32], black: &[u32], offer_plies: i32, beta: Score) -> Score {
        let rules = &V::RULES;
        let mut setup = Setup::empty(Color::White);
        for (color, numbers) in [(Color::White, white), (Color::Black, black)] {
            for &number in numbers {
                setup.put(rules.square(number).unwrap(), Piece { color, king: false });
            }
        }
        let position = rules.position(&setup).unwrap();
        let window = Window { alpha: -Score::INFINITE, beta };
        let mut count = Count { offer_plies, keys: vec![position.key()] };
        Quiescence::<V>::quiescence(&mut count, &position, Counters::default(), window, 0, 0)
    }

    #[test]
    fn an_offer_of_the_last_man_wins_where_offers_are_searched() {
        // 28-22 18x27 or 28-23 18x29, and White has nothing left to move.
        assert_eq!(value(&[28], &[18], 0, Score::INFINITE), Score::DRAW);
        assert_eq!(value(&[28], &[18], 1, Score::INFINITE), Score::win_in(2));
        // Standing pat is enough.
        assert_eq!(value(&[28], &[18], 1, Score::DRAW), Score::DRAW);
    }

    #[test]
    fn who_crowns_next_wins_breakthrough() {
        let value = |white: &[u32], black: &[u32]| value_in::<Breakthrough>(white, black, 0, Score::INFINITE);
        // 8-2 or 8-3, although there are more black men.
        assert_eq!(value(&[8], &[21, 22]), Score::win_in(1));
        // 2 and 3 are occupied, and after 45-40 Black takes the man.
        assert_eq!(value(&[8, 45], &[2, 3, 21]), Score::from_centi(-200));
        // Black plays 43-48 or 43-49 next, and White cannot prevent it.
        assert_eq!(value(&[20, 24, 25], &[43]), Score::loss_in(2));
    }

    #[test]
    fn an_offer_that_is_worse_than_standing_pat_need_not_be_made() {
        // After 28-22 18x27 or 28-23 18x29 there are a man each.
        assert_eq!(value(&[28, 45], &[18], 1, Score::INFINITE), Score::from_centi(100));
    }
}
