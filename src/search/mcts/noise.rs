//! Noise in the priors of the root, so that games of self-play try what the priors think little of (D. Silver and others,
//! "Mastering the game of Go without human knowledge", 2017: Dirichlet noise).

use rand::SeedableRng;
use rand_distr::{Distribution, Gamma};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The concentration of all moves together: what the paper's 0.03 is for the 300 moves of its game, about.
const CONCENTRATION: f64 = 10.0;

/// Random shares of so many moves; they add up to 1. With many moves a few get most of it.
pub fn shares(moves: usize, seed: u64) -> Vec<f64> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let Ok(gamma) = Gamma::new(CONCENTRATION / moves.max(1) as f64, 1.0) else {
        return vec![1.0 / moves as f64; moves];
    };
    // A share may be so small that it is 0, but not all of them may.
    let mut shares: Vec<f64> = (0..moves).map(|_| gamma.sample(&mut random).max(f64::MIN_POSITIVE)).collect();
    let all: f64 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= all);
    shares
}

#[cfg(test)]
#[cfg(not(loom))]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_and_depend_on_the_seed() {
        for moves in [1, 2, 9, 150] {
            let of = |seed| shares(moves, seed);
            assert_eq!(of(3), of(3));
            assert!((of(3).iter().sum::<f64>() - 1.0).abs() < 1e-9);
            assert!(moves == 1 || of(3) != of(4));
        }
    }

    #[test]
    fn the_mean_is_even_and_the_spread_that_of_the_distribution() {
        const MOVES: usize = 20;
        let draws: Vec<f64> = (0..2_000).map(|seed| shares(MOVES, seed)[7]).collect();
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        let variance = draws.iter().map(|share| (share - mean).powi(2)).sum::<f64>() / draws.len() as f64;
        let expected = 1.0 / MOVES as f64;
        assert!((mean - expected).abs() < 0.004, "{mean}");
        // Of a Dirichlet distribution: p (1 - p) / (1 + concentration).
        let spread = expected * (1.0 - expected) / (1.0 + CONCENTRATION);
        assert!((variance / spread - 1.0).abs() < 0.2, "{variance} {spread}");
    }
}
