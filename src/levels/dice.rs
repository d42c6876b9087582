//! Numbers that look random and are the same whenever the same is asked: what a player overlooks or likes stays the same
//! for a whole game.

use crate::seed;

/// 64 bits that follow from the seed and the parts.
pub(super) fn bits(seed: u64, parts: impl IntoIterator<Item = u64>) -> u64 {
    // `mix` alone leaves patterns in the low bits; two rounds of the finaliser of splitmix64 remove them.
    let mut bits = seed::mix(seed, parts);
    for factor in [0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb] {
        bits = (bits ^ bits >> 30).wrapping_mul(factor);
    }
    bits ^ bits >> 31
}

/// From 0 (included) to 1 (excluded), all equally likely.
pub(super) fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// From -1 to 1, all equally likely.
pub(super) fn centred(bits: u64) -> f64 {
    2.0 * unit(bits) - 1.0
}

/// The most that [`gumbel`] gives; the least is its negative.
pub(super) const MOST_GUMBEL: f64 = 3.0;

/// A number of the Gumbel distribution, cut off at both ends. The largest of `value / t + gumbel` is the choice by the
/// Boltzmann distribution of temperature `t`.
pub(super) fn gumbel(bits: u64) -> f64 {
    let unit = unit(bits).max(f64::MIN_POSITIVE);
    (-(-unit.ln()).ln()).clamp(-MOST_GUMBEL, MOST_GUMBEL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_spread_evenly_and_depend_on_every_part() {
        let count = 4000;
        let mut tenths = [0; 10];
        for i in 0..count {
            tenths[(unit(bits(7, [i, 3])) * 10.0) as usize] += 1;
            assert_ne!(bits(7, [i, 3]), bits(7, [i, 4]));
            assert_ne!(bits(7, [i, 3]), bits(8, [i, 3]));
        }
        // 400 expected, standard deviation 19.
        assert!(tenths.iter().all(|&n| (320..480).contains(&n)), "{tenths:?}");
        assert_eq!(bits(7, [1, 2]), bits(7, [1, 2]));
    }

    #[test]
    fn gumbel_has_its_mean_and_its_ends() {
        let all: Vec<f64> = (0..4000).map(|i| gumbel(bits(1, [i]))).collect();
        // Euler's constant, a little less for the cut.
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        assert!((0.45..0.65).contains(&mean), "{mean}");
        assert!(all.iter().all(|g| g.abs() <= MOST_GUMBEL));
        assert_eq!([gumbel(0), gumbel(u64::MAX)], [-MOST_GUMBEL, MOST_GUMBEL]);
    }
}
