//! The order in which moves are tried: table move, promotions, then those that promise most.

use crate::board::Move;
use crate::search::table::MoveCode;
use smallvec::SmallVec;

/// Hands out moves, the most promising first. Moves that are put off come again, once, after all others.
pub struct MovePicker<'a> {
    moves: &'a mut [Move],
    /// Whether the first move is that of the table: it is often enough, so the others are judged only after it.
    table_first: bool,
    /// By move; none as long as they are not judged.
    scores: SmallVec<[i32; 64]>,
    /// Moves before this are handed out.
    next: usize,
    /// Moves from here on are put off.
    end: usize,
    /// Whether the moves that were put off are being handed out.
    again: bool,
}

impl<'a> MovePicker<'a> {
    /// Looks for the table's move.
    #[inline]
    pub fn new(moves: &'a mut [Move], table_move: MoveCode) -> MovePicker<'a> {
        let found = moves.iter().position(|&mv| MoveCode::of(mv) == table_move);
        if let Some(found) = found {
            moves.swap(0, found);
        }
        let end = moves.len();
        let scores = SmallVec::new();
        MovePicker { moves, table_first: found.is_some(), scores, next: 0, end, again: false }
    }

    /// The next move; none when all are handed out. `promise` says how good a move seems.
    #[inline]
    pub fn next(&mut self, promise: impl Fn(Move) -> i32) -> Option<Move> {
        let n = self.next;
        if n == 0 && self.table_first {
            self.next = 1;
            return self.moves.first().copied();
        }
        if self.scores.is_empty() {
            let score = |&mv: &Move| promise(mv) + if mv.promotes() { 1 << 20 } else { 0 };
            self.scores.extend(self.moves.iter().map(score));
        }
        if n == self.end && self.end < self.moves.len() {
            self.end = self.moves.len();
            self.again = true;
        }
        let rest = self.scores.get(n..self.end)?;
        let (&first, others) = rest.split_first()?;
        let (mut best, mut most) = (n, first);
        for (i, &score) in others.iter().enumerate() {
            if score > most {
                (best, most) = (n + 1 + i, score);
            }
        }
        self.scores.swap(n, best);
        self.moves.swap(n, best);
        self.next += 1;
        Some(self.moves[n])
    }

    /// The moves that are not handed out yet, but for those put off, in no order.
    #[inline(always)]
    pub fn rest(&self) -> &[Move] {
        &self.moves[self.next..self.end]
    }

    /// The moves handed out and not put off, in that order.
    #[inline(always)]
    pub fn tried(&self) -> &[Move] {
        &self.moves[..self.next]
    }

    /// The place of the move last handed out in the order in which moves seem good, from 0.
    #[inline(always)]
    pub fn index(&self) -> usize {
        if self.again {
            -self.scores[self.next - 1] as usize
        } else {
            self.next - 1 + self.moves.len() - self.end
        }
    }

    /// Whether the move last handed out may still be put off: the table's move may not, nor one that was before.
    #[inline(always)]
    pub fn can_put_off(&self) -> bool {
        !self.again && !self.scores.is_empty()
    }

    /// Puts off the move last handed out.
    pub fn put_off(&mut self) {
        let index = self.index();
        self.next -= 1;
        self.end -= 1;
        self.moves.swap(self.next, self.end);
        self.scores.swap(self.next, self.end);
        self.scores[self.end] = -(index as i32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::game::Game;
    use crate::rules::VariantId;
    use crate::search::alphabeta::history::History;

    #[test]
    fn moves_put_off_come_once_more_after_all_others() {
        let of_table = Game::new(VariantId::International).legal_moves()[4];
        for first in [None, Some(of_table)] {
            let mut moves = Game::new(VariantId::International).legal_moves();
            let code = first.map_or(MoveCode::NONE, MoveCode::of);
            let mut picker = MovePicker::new(moves.as_mut_slice(), code);
            let mut order = Vec::new();
            let mut indices = Vec::new();
            while let Some(mv) = picker.next(|_| 0) {
                indices.push(picker.index());
                // Every second move waits.
                if picker.can_put_off() && order.len() % 2 == 1 {
                    order.push((mv, false));
                    picker.put_off();
                } else {
                    order.push((mv, true));
                }
            }
            let put_off: Vec<_> = order.iter().filter(|(_, done)| !done).map(|(mv, _)| *mv).collect();
            assert_eq!(put_off.len(), 4);
            assert!(first.is_none_or(|mv| order[0] == (mv, true)));
            let again = &order[9..];
            assert!(again.iter().all(|(mv, done)| *done && put_off.contains(mv)) && again.len() == 4);
            assert_eq!(picker.tried().len(), 9);
            // Each keeps its place in the order, so that it is reduced as it would be without another thread.
            assert!(indices[..9].iter().copied().eq(0..9), "{indices:?}");
            let waiting = |place: &usize| !order[*place].1;
            assert!((0..9).filter(waiting).eq(indices[9..].iter().copied()), "{indices:?}");
        }
    }

    #[test]
    fn the_move_of_the_table_comes_first_and_the_others_by_their_history() {
        let mut moves = Game::new(VariantId::International).legal_moves();
        let (of_table, good) = (moves[5], moves[3]);
        let mut history = History::default();
        let mut picker = MovePicker::new(moves.as_mut_slice(), MoveCode::of(of_table));
        assert_eq!(picker.next(|mv| history.get(Color::White, mv)), Some(of_table));
        assert!(!picker.can_put_off());
        // What the search of the first move teaches counts for the others.
        history.reward(Color::White, good, &[good]);
        assert_eq!(picker.next(|mv| history.get(Color::White, mv)), Some(good));
        assert_eq!(std::iter::from_fn(|| picker.next(|mv| history.get(Color::White, mv))).count(), 7);
        assert_eq!(picker.next(|mv| history.get(Color::White, mv)), None);
    }
}
