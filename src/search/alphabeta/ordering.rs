//! The order in which moves are tried: table move, promotions, then history.

use super::history::History;
use crate::board::{Color, Move};
use crate::search::table::MoveCode;
use smallvec::SmallVec;

/// Hands out moves, the most promising first. Moves that are put off come again, once, after all others.
pub struct Picker<'a> {
    moves: &'a mut [Move],
    scores: SmallVec<[i32; 64]>,
    /// Moves before this are handed out.
    next: usize,
    /// Moves from here on are put off.
    end: usize,
    /// Whether the moves that were put off are being handed out.
    again: bool,
}

impl<'a> Picker<'a> {
    /// Scores the moves.
    #[inline]
    pub fn new(moves: &'a mut [Move], table_move: MoveCode, side: Color, history: &History) -> Picker<'a> {
        let scores = moves
            .iter()
            .map(|&mv| {
                if MoveCode::of(mv) == table_move {
                    i32::MAX
                } else {
                    history.get(side, mv) + if mv.promotes() { 1 << 20 } else { 0 }
                }
            })
            .collect();
        let end = moves.len();
        Picker { moves, scores, next: 0, end, again: false }
    }

    /// The moves handed out and not put off, in that order.
    #[inline(always)]
    pub fn tried(&self) -> &[Move] {
        &self.moves[..self.next]
    }

    /// Whether the move last handed out may still be put off.
    #[inline(always)]
    pub fn can_put_off(&self) -> bool {
        !self.again
    }

    /// Puts off the move last handed out.
    pub fn put_off(&mut self) {
        self.next -= 1;
        self.end -= 1;
        self.moves.swap(self.next, self.end);
        self.scores.swap(self.next, self.end);
    }
}

impl Iterator for Picker<'_> {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        if self.next == self.end && self.end < self.moves.len() {
            self.end = self.moves.len();
            self.again = true;
        }
        let n = self.next;
        let rest = self.scores.get(n..self.end)?;
        let (best, _) = rest.iter().enumerate().rev().max_by_key(|&(_, score)| *score)?;
        self.scores.swap(n, n + best);
        self.moves.swap(n, n + best);
        self.next += 1;
        Some(self.moves[n])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::rules::VariantId;

    #[test]
    fn moves_put_off_come_once_more_after_all_others() {
        let mut moves = Game::new(VariantId::International).legal_moves();
        let history = History::default();
        let mut picker = Picker::new(moves.as_mut_slice(), MoveCode::NONE, Color::White, &history);
        let mut order = Vec::new();
        while let Some(mv) = picker.next() {
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
        let again = &order[9..];
        assert!(again.iter().all(|(mv, done)| *done && put_off.contains(mv)) && again.len() == 4);
        assert_eq!(picker.tried().len(), 9);
    }
}
