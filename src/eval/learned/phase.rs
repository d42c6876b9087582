//! Phases: a weight changes with the number of men on the board. It is known for a few numbers and follows straight
//! lines between them.

use crate::rules::{Rules, Variant};

/// Numbers of men for which weights are known, at equal distances from all men to none.
pub const PHASES: usize = 8;

/// A weight in all phases, the one with all men first.
pub type Weight = [i16; PHASES];

/// Where a number of men lies: between phase `first` and the next one, of which it has `share` parts of
/// [`parts`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Phase {
    /// The phase with more men.
    pub first: usize,
    /// Parts of the next phase.
    pub share: i32,
}

/// The parts into which the way from one phase to the next is divided: the men at the beginning.
pub const fn parts(rules: &Rules) -> i32 {
    2 * rules.most_pieces() as i32
}

impl Phase {
    /// The phase of a number of men of both sides.
    ///
    /// ```
    /// use kroon::eval::learned::phase::{PHASES, Phase};
    /// use kroon::rules::International;
    /// assert_eq!(Phase::of::<International>(40), Phase { first: 0, share: 0 });
    /// assert_eq!(Phase::of::<International>(0), Phase { first: PHASES - 2, share: 40 });
    /// ```
    #[inline(always)]
    pub fn of<V: Variant>(men: i32) -> Phase {
        let parts = const { parts(&V::RULES) };
        let place = (parts - men).max(0) * (PHASES as i32 - 1);
        let first = ((place / parts) as usize).min(PHASES - 2);
        Phase { first, share: place - first as i32 * parts }
    }

    /// The two weights between which the number of men lies.
    #[inline(always)]
    pub fn pair(self, weight: &Weight) -> [i32; 2] {
        [weight[self.first].into(), weight[self.first + 1].into()]
    }

    /// The value between two sums of such weights.
    #[inline(always)]
    pub fn between<V: Variant>(self, [first, next]: [i32; 2]) -> i32 {
        let parts = const { parts(&V::RULES) };
        (first * (parts - self.share) + next * self.share) / parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::for_variant;
    use crate::rules::VariantId;

    #[test]
    fn weights_follow_straight_lines() {
        for variant in VariantId::ALL {
            for_variant!(variant, V => {
                let parts = parts(&V::RULES);
                let distance = parts * 7;
                let line: Weight = std::array::from_fn(|i| (i as i32 * distance / 7) as i16);
                for men in 0..=parts {
                    let phase = Phase::of::<V>(men);
                    assert_eq!(phase.between::<V>(phase.pair(&line)), (parts - men) * 7);
                }
            });
        }
    }
}
