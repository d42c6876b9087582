//! The window of scores within which a search must be exact.

use crate::score::Score;

/// The window of a node, from the view of the side to move.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub alpha: Score,
    pub beta: Score,
}

impl Window {
    /// The smallest window above `alpha`.
    #[inline(always)]
    pub fn null(alpha: Score) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    /// The same window seen by the opponent.
    #[inline(always)]
    pub fn flipped(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}
