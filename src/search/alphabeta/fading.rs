//! Values fade before a count of moves ends the game: shortly before that, a value with kings comes near the draw, so that the
//! side ahead looks for what begins the count anew. The table tells these counts apart.

use super::params::COUNT_NEAR;
use crate::board::Position;
use crate::rules::Variant;
use crate::rules::draws::Counters;
use crate::score::Score;

/// Plies until a count of moves makes the game a draw.
#[inline(always)]
pub(super) fn plies_left<V: Variant>(counters: Counters) -> i32 {
    i32::from(counters.plies_left(const { &V::RULES }))
}

/// Which part of a static value counts, in parts of [`COUNT_NEAR`].
#[derive(Clone, Copy)]
pub(super) struct Fading(i32);

impl Fading {
    /// That of a position so many plies before the draw.
    #[inline(always)]
    pub fn of(position: &Position, plies_left: i32) -> Fading {
        Fading(if position.kings().any() { plies_left.min(COUNT_NEAR) } else { COUNT_NEAR })
    }

    /// Whether the whole value counts.
    #[inline(always)]
    pub fn is_none(self) -> bool {
        self.0 == COUNT_NEAR
    }

    /// What is left of a value.
    #[inline(always)]
    pub fn apply(self, value: Score) -> Score {
        if self.is_none() { value } else { Score::from_centi(value.centi() * self.0 / COUNT_NEAR) }
    }
}
