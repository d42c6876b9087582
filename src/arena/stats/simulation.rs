//! The sequential test keeps its promises: simulated matches between engines of known strength.

use super::{Pentanomial, Sprt, SprtVerdict};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::f64::consts::{LN_10, SQRT_2};

const MATCHES: u32 = 1000;
const MOST_PAIRS: u64 = 20_000;

/// Pair probabilities with this normalised Elo: the given ones, tilted until the ratio of mean and deviation fits.
fn tilted(base: [f64; 5], nelo: f64) -> [f64; 5] {
    let wanted = nelo / (800.0 / LN_10) * SQRT_2;
    let (mut low, mut high) = (-20.0, 20.0);
    loop {
        let tilt: f64 = (low + high) / 2.0;
        let weights: Vec<f64> = (0..5).map(|i| base[i] * (tilt * i as f64 / 4.0).exp()).collect();
        let sum: f64 = weights.iter().sum();
        let p: [f64; 5] = std::array::from_fn(|i| weights[i] / sum);
        let mean: f64 = (0..5).map(|i| p[i] * i as f64 / 4.0).sum();
        let variance: f64 = (0..5).map(|i| p[i] * (i as f64 / 4.0 - mean).powi(2)).sum();
        if high - low < 1e-12 {
            return p;
        }
        if (mean - 0.5) / variance.sqrt() < wanted { low = tilt } else { high = tilt }
    }
}

/// Plays until the test decides.
fn simulate(sprt: &Sprt, probabilities: [f64; 5], random: &mut Xoshiro256PlusPlus) -> (SprtVerdict, u64) {
    let mut pairs = Pentanomial::default();
    loop {
        let mut point: f64 = random.random();
        let outcome = (0..4).find(|&i| {
            point -= probabilities[i];
            point < 0.0
        });
        pairs.0[outcome.unwrap_or(4)] += 1;
        let verdict = sprt.verdict(sprt.llr(&pairs.into()));
        if verdict != SprtVerdict::Open || pairs.pairs() >= MOST_PAIRS {
            return (verdict, pairs.pairs());
        }
    }
}

/// How often, of [`MATCHES`], the hypothesis that is wrong was accepted.
fn errors(sprt: &Sprt, probabilities: [f64; 5], wrong: SprtVerdict, seed: u64) -> u32 {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut errors = 0;
    for _ in 0..MATCHES {
        let (verdict, pairs) = simulate(sprt, probabilities, &mut random);
        assert_ne!(verdict, SprtVerdict::Open, "undecided after {pairs} pairs");
        errors += u32::from(verdict == wrong);
    }
    errors
}

/// Many draws as in international draughts, and few as between weak players.
const MATCH_TYPES: [[f64; 5]; 2] = [[0.01, 0.12, 0.72, 0.14, 0.01], [0.20, 0.20, 0.25, 0.20, 0.15]];

#[test]
fn error_rates_are_as_promised() {
    let (alpha, beta) = (0.05, 0.1);
    let sprt = Sprt::new(0.0, 40.0, alpha, beta).unwrap();
    // Three standard deviations of a count of this many matches.
    let most = |rate: f64| {
        let matches = f64::from(MATCHES);
        (matches * rate + 3.0 * (matches * rate * (1.0 - rate)).sqrt()) as u32
    };
    for (seed, base) in MATCH_TYPES.into_iter().enumerate() {
        let seed = seed as u64;
        let false_positives = errors(&sprt, tilted(base, 0.0), SprtVerdict::H1, seed);
        assert!(false_positives <= most(alpha), "{false_positives} of {MATCHES} with equal engines");
        let false_negatives = errors(&sprt, tilted(base, 40.0), SprtVerdict::H0, 100 + seed);
        assert!(false_negatives <= most(beta), "{false_negatives} of {MATCHES} with a better engine");
        // The test would be wasteful if it hardly ever erred.
        assert!(false_positives >= 10 && false_negatives >= 20, "{false_positives} {false_negatives}");
    }
}
