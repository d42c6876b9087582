//! Which quiet moves have worked: the history heuristic (J. Schaeffer, 1983), as a success rate by from and to.

use super::params::{HISTORY_MAX, HISTORY_STEP};
use crate::board::{Color, Move};

/// Counters by side, origin and destination, each in `-HISTORY_MAX..=HISTORY_MAX`.
#[derive(Clone, Debug)]
pub struct History {
    counters: Box<[[[i16; 64]; 64]; 2]>,
}

impl Default for History {
    fn default() -> History {
        History { counters: Box::new([[[0; 64]; 64]; 2]) }
    }
}

impl History {
    /// The counter of a move.
    #[inline(always)]
    pub fn get(&self, side: Color, mv: Move) -> i32 {
        i32::from(self.counters[side.index()][mv.from().index()][mv.to().index()])
    }

    /// Of the moves `tried` in a node, `best` was best or refuted it, the others were in vain. A node counts the same at any
    /// depth: there are many near the leaves and they tell most of what is going on now.
    pub fn reward(&mut self, side: Color, best: Move, tried: &[Move]) {
        for &mv in tried {
            self.add(side, mv, if mv == best { HISTORY_STEP } else { -HISTORY_STEP });
        }
    }

    /// Moves a counter towards its limit, the less the nearer it is.
    fn add(&mut self, side: Color, mv: Move, bonus: i32) {
        let counter = &mut self.counters[side.index()][mv.from().index()][mv.to().index()];
        let old = i32::from(*counter);
        *counter = (old + bonus - old * bonus.abs() / HISTORY_MAX) as i16;
    }

    /// Halves everything: a new search begins, older knowledge counts less.
    pub fn age(&mut self) {
        for counter in self.counters.iter_mut().flatten().flatten() {
            *counter /= 2;
        }
    }
}
