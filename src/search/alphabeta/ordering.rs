//! The order in which moves are tried: table move, promotions, then history.

use super::history::History;
use crate::board::{Color, Move};
use crate::search::table::MoveCode;
use smallvec::SmallVec;

/// Hands out moves, the most promising first.
pub struct Picker<'a> {
    moves: &'a mut [Move],
    scores: SmallVec<[i32; 64]>,
    next: usize,
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
        Picker { moves, scores, next: 0 }
    }

    /// The moves handed out so far.
    pub fn tried(&self) -> &[Move] {
        &self.moves[..self.next]
    }
}

impl Iterator for Picker<'_> {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        let n = self.next;
        let rest = self.scores.get(n..)?;
        let (best, _) = rest.iter().enumerate().rev().max_by_key(|&(_, score)| *score)?;
        self.scores.swap(n, n + best);
        self.moves.swap(n, n + best);
        self.next += 1;
        Some(self.moves[n])
    }
}
