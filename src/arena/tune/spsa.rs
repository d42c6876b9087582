//! Simultaneous perturbation stochastic approximation: gradient ascent on noisy results.
//!
//! J. C. Spall, "Multivariate stochastic approximation using a simultaneous perturbation gradient approximation" (1992);
//! the exponents are those of his "Implementation of the simultaneous perturbation algorithm" (1998), the gains are
//! stated by their values at the end, as is usual in the tuning of chess engines.
//!
//! All numbers move at once. For the pair of games k of N (from 1), every number x gets a random sign d, and
//!
//! ```text
//! c(k) = step * (N / k)^0.101                                  in units of the number
//! a(k) = rate * step^2 * ((A + N) / (A + k))^0.602, A = N / 10  in squared units
//! one engine plays with x + c(k) d, the other with x - c(k) d
//! x <- x + a(k) / c(k) * (games won - games lost by the first engine) * d
//! ```
//!
//! so that the last pair is played at a distance of one `step` to either side, and a game won in it moves every number
//! by `rate` steps. Where an iteration has several pairs, k is the first of them and the games of all are summed up.
//!
//! A number is real while it is learned but whole in a game. It is rounded up with a probability that equals its
//! fraction: on average what is played is what is meant, so fractions are felt, which rounding to the nearest number
//! would hide. One random threshold serves both engines; the distance between them is then never off by more than the
//! fraction itself asks for.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// How fast steps shrink.
const ALPHA: f64 = 0.602;
/// How fast distances shrink.
const GAMMA: f64 = 0.101;
/// The share of all pairs that holds back the first steps (A).
const STABILITY: f64 = 0.1;

/// One number to be found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Axis {
    /// Least value.
    pub min: i32,
    /// Largest value.
    pub max: i32,
    /// Distance to either side at the end.
    pub step: f64,
}

/// The search for the best numbers. It has no state: everything follows from the seed and the pairs already played.
///
/// ```
/// use kroon::arena::tune::spsa::{Axis, Spsa};
/// let spsa = Spsa { axes: vec![Axis { min: 0, max: 100, step: 5.0 }], pairs: 1000, rate: 0.002, seed: 1 };
/// let mut values = [40.0];
/// let probe = spsa.probe(&values, 0);
/// assert!((probe.plus[0] - probe.minus[0]).abs() >= 10);
/// // The first engine has won both games.
/// spsa.learn(&mut values, 0, &probe, 2);
/// assert_eq!(values[0] > 40.0, probe.plus[0] > probe.minus[0]);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Spsa {
    /// The numbers.
    pub axes: Vec<Axis>,
    /// Pairs of games in all.
    pub pairs: u64,
    /// Steps that a number moves for a game won in the last pair.
    pub rate: f64,
    /// Where all random choices come from.
    pub seed: u64,
}

/// What two engines shall play with.
#[derive(Clone, PartialEq, Debug)]
pub struct Probe {
    /// The direction of each number, 1 or -1.
    signs: Vec<f64>,
    /// The values of the first engine.
    pub plus: Vec<i32>,
    /// The values of the second engine.
    pub minus: Vec<i32>,
}

impl Spsa {
    /// The values to be tried after so many pairs.
    pub fn probe(&self, values: &[f64], done: u64) -> Probe {
        // Neighbouring pairs must have nothing in common.
        let mixed = self.seed ^ (done + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(mixed);
        let mut probe = Probe { signs: Vec::new(), plus: Vec::new(), minus: Vec::new() };
        for (axis, &value) in self.axes.iter().zip(values) {
            let sign = if random.random::<bool>() { 1.0 } else { -1.0 };
            let threshold: f64 = random.random();
            let change = sign * self.distance(axis, done);
            let whole = |value: f64| {
                let value = value.clamp(axis.min.into(), axis.max.into());
                ((value + threshold).floor() as i32).clamp(axis.min, axis.max)
            };
            probe.signs.push(sign);
            probe.plus.push(whole(value + change));
            probe.minus.push(whole(value - change));
        }
        probe
    }

    /// Moves the values by the result of the games with a probe: games won by its first engine less games lost.
    pub fn learn(&self, values: &mut [f64], done: u64, probe: &Probe, result: i64) {
        for ((axis, value), sign) in self.axes.iter().zip(values).zip(&probe.signs) {
            let moved = *value + self.gain(axis, done) * result as f64 * sign;
            *value = moved.clamp(axis.min.into(), axis.max.into());
        }
    }

    /// c(k), in units of the number.
    fn distance(&self, axis: &Axis, done: u64) -> f64 {
        axis.step * (self.pairs as f64 / (done + 1) as f64).powf(GAMMA)
    }

    /// a(k) / c(k), in units of the number for each game.
    fn gain(&self, axis: &Axis, done: u64) -> f64 {
        let (all, held_back) = (self.pairs as f64, STABILITY * self.pairs as f64);
        let shrinking = ((held_back + all) / (held_back + (done + 1) as f64)).powf(ALPHA);
        self.rate * axis.step * axis.step * shrinking / self.distance(axis, done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AXES: [Axis; 3] = [
        Axis { min: 0, max: 200, step: 10.0 },
        Axis { min: -50, max: 50, step: 4.0 },
        Axis { min: 1, max: 10, step: 1.0 },
    ];

    fn spsa(pairs: u64) -> Spsa {
        Spsa { axes: AXES.to_vec(), pairs, rate: 0.004, seed: 7 }
    }

    /// Games won less games lost in a pair between engines whose strength falls with the square of the distance from
    /// the optimum; more than half of the games are drawn.
    fn pair(random: &mut Xoshiro256PlusPlus, probe: &Probe, best: &[f64; 3]) -> i64 {
        let loss = |values: &[i32]| -> f64 {
            let squares = AXES.iter().zip(values).zip(best);
            squares.map(|((axis, &x), best)| ((f64::from(x) - best) / axis.step).powi(2)).sum()
        };
        // A step away from the optimum costs 0.02 points a game, about 14 Elo.
        let edge = (0.02 * (loss(&probe.minus) - loss(&probe.plus))).clamp(-0.4, 0.4);
        (0..2)
            .map(|_| match random.random::<f64>() {
                chance if chance < 0.2 + edge / 2.0 => 1,
                chance if chance < 0.4 => -1,
                _ => 0,
            })
            .sum()
    }

    #[test]
    fn a_noisy_hill_is_climbed() {
        let best = [130.0, -12.0, 6.0];
        let spsa = spsa(20_000);
        let mut values = [40.0, 25.0, 2.0];
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        for done in 0..spsa.pairs {
            let probe = spsa.probe(&values, done);
            let result = pair(&mut random, &probe, &best);
            spsa.learn(&mut values, done, &probe, result);
        }
        for ((axis, value), best) in AXES.iter().zip(values).zip(best) {
            assert!((value - best).abs() < axis.step, "{values:?}");
        }
    }

    #[test]
    fn gains_end_where_they_are_said_to_end() {
        let spsa = spsa(1000);
        assert_eq!(spsa.distance(&AXES[0], 999), 10.0);
        assert!((spsa.gain(&AXES[0], 999) - 0.04).abs() < 1e-12);
        assert!(spsa.distance(&AXES[0], 0) > 20.0 && spsa.gain(&AXES[0], 0) > 0.04);
    }

    #[test]
    fn fractions_are_played_as_often_as_they_say() {
        let axes = vec![Axis { min: 0, max: 9, step: 1.0 }];
        let spsa = Spsa { axes, pairs: 20_000, rate: 0.0, seed: 1 };
        let mut sum = 0;
        for done in 0..spsa.pairs {
            let probe = spsa.probe(&[4.3], done);
            let distance = 2.0 * spsa.distance(&spsa.axes[0], done);
            assert!((f64::from((probe.plus[0] - probe.minus[0]).abs()) - distance).abs() < 1.0);
            sum += probe.plus[0] + probe.minus[0];
        }
        let mean = f64::from(sum) / 2.0 / spsa.pairs as f64;
        assert!((mean - 4.3).abs() < 0.01, "{mean}");
    }

    #[test]
    fn nothing_leaves_its_range() {
        let spsa = spsa(10);
        let mut values = [0.0, 50.0, 1.0];
        for done in 0..10 {
            let probe = spsa.probe(&values, done);
            for ((axis, plus), minus) in AXES.iter().zip(&probe.plus).zip(&probe.minus) {
                assert!((axis.min..=axis.max).contains(plus) && (axis.min..=axis.max).contains(minus));
            }
            spsa.learn(&mut values, done, &probe, if done % 2 == 0 { 1_000_000 } else { -1_000_000 });
            for (axis, value) in AXES.iter().zip(values) {
                assert!((f64::from(axis.min)..=f64::from(axis.max)).contains(&value));
            }
        }
        assert_eq!(spsa.probe(&values, 3), spsa.probe(&values, 3));
        assert_ne!(spsa.probe(&values, 3), spsa.probe(&values, 4));
    }
}
