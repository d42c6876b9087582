//! A list of moves that allocates only when it grows beyond 96 moves.

use super::moves::Move;
use std::fmt;
use std::mem::MaybeUninit;
use std::ops::Deref;

/// Moves kept on the stack; only positions with many kings have more.
const INLINE: usize = 96;

/// A growing list of moves. The first 96 live in the list itself, uninitialised until used, because every
/// node of a search makes one; a longer list moves to the heap as a whole.
///
/// ```
/// use kroon::board::{Bitboard, Move, MoveList, Square};
/// let mv = Move::new(Square::new(0), Square::new(6), Bitboard::EMPTY, false, false);
/// let list: MoveList = (0..1000).map(|_| mv).collect();
/// assert_eq!((list.len(), list[999]), (1000, mv));
/// ```
pub struct MoveList {
    /// Moves in `inline`; meaningless once `heap` is used.
    len: usize,
    inline: [MaybeUninit<Move>; INLINE],
    /// Empty, or all moves.
    heap: Vec<Move>,
}

impl MoveList {
    /// An empty list.
    #[inline(always)]
    pub const fn new() -> MoveList {
        MoveList { len: 0, inline: [MaybeUninit::uninit(); INLINE], heap: Vec::new() }
    }

    /// Appends a move.
    #[inline(always)]
    pub fn push(&mut self, mv: Move) {
        if self.len < INLINE {
            self.inline[self.len] = MaybeUninit::new(mv);
            self.len += 1;
        } else {
            self.push_to_heap(mv);
        }
    }

    #[cold]
    #[inline(never)]
    fn push_to_heap(&mut self, mv: Move) {
        if self.heap.is_empty() {
            self.heap = self.inline().to_vec();
        }
        self.heap.push(mv);
    }

    /// Removes all moves.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
        self.heap.clear();
    }

    #[inline(always)]
    fn inline(&self) -> &[Move] {
        // SAFETY: `len <= INLINE`, and every element below `len` was written by `push`.
        unsafe { std::slice::from_raw_parts(self.inline.as_ptr().cast(), self.len) }
    }

    /// The moves, to be reordered.
    #[inline(always)]
    pub fn as_mut_slice(&mut self) -> &mut [Move] {
        if self.heap.is_empty() {
            // SAFETY: as in `inline`; the list is borrowed mutably.
            unsafe { std::slice::from_raw_parts_mut(self.inline.as_mut_ptr().cast(), self.len) }
        } else {
            &mut self.heap
        }
    }
}

impl Deref for MoveList {
    type Target = [Move];
    #[inline(always)]
    fn deref(&self) -> &[Move] {
        if self.heap.is_empty() { self.inline() } else { &self.heap }
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl Clone for MoveList {
    fn clone(&self) -> MoveList {
        self.iter().copied().collect()
    }
}

impl PartialEq for MoveList {
    fn eq(&self, other: &MoveList) -> bool {
        **self == **other
    }
}

impl Eq for MoveList {}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl FromIterator<Move> for MoveList {
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> MoveList {
        let mut list = MoveList::new();
        moves.into_iter().for_each(|mv| list.push(mv));
        list
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = std::vec::IntoIter<Move>;
    /// For code that is not hot: copies the moves to the heap.
    fn into_iter(self) -> Self::IntoIter {
        Vec::from(&*self).into_iter()
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;
    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Bitboard, Square};

    fn mv(n: usize) -> Move {
        Move::new(Square::new((n % 60) as u8), Square::new((n / 60 % 60) as u8), Bitboard::EMPTY, true, false)
    }

    #[test]
    fn grows_past_the_stack_and_can_be_reused() {
        let mut list = MoveList::new();
        for round in [INLINE - 1, INLINE, INLINE + 1, 3 * INLINE, 2] {
            list.clear();
            assert!(list.is_empty());
            (0..round).for_each(|n| list.push(mv(n)));
            assert!(list.iter().copied().eq((0..round).map(mv)));
            list.as_mut_slice().reverse();
            assert_eq!(list.first(), Some(&mv(round - 1)));
            assert_eq!(list.clone(), list);
        }
    }
}
