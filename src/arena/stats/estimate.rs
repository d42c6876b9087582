//! Elo, normalised Elo and likelihood of superiority from counts of pairs.

use super::counts::Distribution;
use super::normal::{Z95, normal_cdf};
use std::f64::consts::{LN_10, SQRT_2};
use std::fmt;

/// A rating difference of this much multiplies the odds by e.
const ELO_PER_LOGIT: f64 = 400.0 / LN_10;
/// Normalised Elo per unit of (mean - 1/2) / (standard deviation of one game), chosen so that for a small difference
/// without draws it equals Elo.
pub(super) const NELO_PER_T: f64 = 800.0 / LN_10;

/// A value with its 95% interval. The bounds of an Elo difference are infinite when all games were won or lost.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The most likely value.
    pub value: f64,
    /// Lower bound.
    pub low: f64,
    /// Upper bound.
    pub high: f64,
}

impl Interval {
    /// The longer of its sides: half of its width where both are equal.
    pub fn half_width(&self) -> f64 {
        (self.high - self.value).max(self.value - self.low)
    }
}

impl fmt::Display for Interval {
    /// `3.05 +- 2.31`, with as many decimals as the formatter asks for (two by default).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = f.precision().unwrap_or(2);
        write!(f, "{:+.decimals$} +- {:.decimals$}", self.value, self.half_width())
    }
}

/// How much stronger the first engine is.
///
/// ```
/// use kroon::arena::stats::{Distribution, Estimate, Pentanomial};
/// let estimate = Estimate::new(&Distribution::from(Pentanomial([379, 10170, 21828, 10640, 343])));
/// assert_eq!(estimate.nelo.to_string(), "+3.05 +- 2.31");
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Points per game.
    pub score: Interval,
    /// Difference in Elo (logistic: 400 points are odds of 10 to 1).
    pub elo: Interval,
    /// Difference in normalised Elo: the mean advantage measured in standard deviations of a game, which says how many
    /// games it takes to see the difference, whatever the share of draws.
    pub nelo: Interval,
    /// Likelihood of superiority: the probability that the first engine is the stronger one.
    pub los: f64,
}

impl Estimate {
    /// The estimate from these observations.
    pub fn new(observed: &Distribution) -> Estimate {
        let mean = observed.observed_mean();
        let (cautious, variance) = observed.cautious_moments();
        let deviation = variance.sqrt();
        let error = deviation / observed.total().sqrt();
        // What was observed is always in the interval.
        let score = around(cautious, Z95 * error);
        let score =
            Interval { value: mean, low: score.low.min(mean).max(0.0), high: score.high.max(mean).min(1.0) };
        let t = (mean - 0.5) / deviation;
        // N times the variance of an estimated t (delta method), 1 + t^2 / 2 for normal scores. That of some distributions of two
        // scores is 0 in this approximation, so it is never taken for less than that of normal ones.
        let (skewness, kurtosis) = observed.shape();
        let variance = (1.0 - t * skewness + t * t * (kurtosis - 1.0) / 4.0).max(1.0 + t * t / 2.0);
        let t_error = (variance / observed.total()).sqrt();
        let scale = NELO_PER_T / observed.games().sqrt();
        Estimate {
            score,
            elo: Interval { value: elo(score.value), low: elo(score.low), high: elo(score.high) },
            nelo: around(t * scale, Z95 * t_error * scale),
            los: normal_cdf((cautious - 0.5) / error),
        }
    }
}

fn around(value: f64, half: f64) -> Interval {
    Interval { value, low: value - half, high: value + half }
}

/// The Elo difference at which this score is expected.
///
/// ```
/// use kroon::arena::stats::elo;
/// assert_eq!(elo(0.5), 0.0);
/// assert!((elo(10.0 / 11.0) - 400.0).abs() < 1e-9);
/// ```
pub fn elo(score: f64) -> f64 {
    ELO_PER_LOGIT * (score / (1.0 - score)).ln()
}

/// Normalised Elo as (mean - 1/2) / (standard deviation) of an observation of one or two games.
pub(super) fn t_value(nelo: f64, games: f64) -> f64 {
    let per_game = nelo / NELO_PER_T;
    if games == 2.0 { per_game * SQRT_2 } else { per_game * games.sqrt() }
}

#[cfg(test)]
mod tests {
    use super::super::counts::{Pentanomial, Trinomial};
    use super::*;

    #[test]
    fn all_games_won_is_infinitely_much_at_most() {
        let estimate = Estimate::new(&Pentanomial([0, 0, 0, 0, 50]).into());
        assert!(estimate.elo.value == f64::INFINITY && estimate.elo.high == f64::INFINITY);
        assert!((300.0..1000.0).contains(&estimate.elo.low), "{}", estimate.elo.low);
        assert!(estimate.los > 0.999_999);
        assert!(estimate.nelo.value.is_finite());
    }

    /// Clopper and Pearson's exact lower bound of five wins in five games is 0.478, the posterior of Jeffreys has 0.62 and a
    /// likelihood of 0.993; the observed mean alone would give 0.75 and 0.9999.
    #[test]
    fn few_games_that_were_all_won_do_not_prove_much() {
        let estimate = Estimate::new(&Trinomial { wins: 5, draws: 0, losses: 0 }.into());
        assert!((0.478..0.65).contains(&estimate.score.low) && estimate.score.high == 1.0, "{estimate:?}");
        assert!((0.98..0.999).contains(&estimate.los), "{}", estimate.los);
    }

    /// The half width is that of a calculation apart from this one; 95% of resamplings of these pairs lie within 298 to 531.
    #[test]
    fn the_error_of_a_lopsided_normalised_elo_knows_the_shape() {
        let estimate = Estimate::new(&Pentanomial([0, 1, 11, 16, 32]).into());
        assert!((estimate.nelo.value - 391.39).abs() < 0.5, "{}", estimate.nelo.value);
        assert!((estimate.nelo.half_width() - 111.87).abs() < 0.5, "{}", estimate.nelo.half_width());
    }

    /// The first-order error of these pairs is 0.
    #[test]
    fn two_kinds_of_pairs_do_not_prove_a_normalised_elo() {
        let estimate = Estimate::new(&Pentanomial([0, 0, 0, 40, 20]).into());
        assert!(estimate.nelo.half_width() > 50.0, "{}", estimate.nelo);
    }

    fn superiority(pairs: [u64; 5]) -> f64 {
        Estimate::new(&Pentanomial(pairs).into()).los
    }

    /// All ways in which so many pairs can end.
    fn all_matches(pairs: u64) -> Vec<[u64; 5]> {
        let mut all = Vec::new();
        for first in 0..=pairs {
            for second in 0..=pairs - first {
                for third in 0..=pairs - first - second {
                    for fourth in 0..=pairs - first - second - third {
                        all.push([first, second, third, fourth, pairs - first - second - third - fourth]);
                    }
                }
            }
        }
        all
    }

    #[test]
    fn a_better_pair_makes_superiority_likelier() {
        for pairs in 1..=6 {
            for counts in all_matches(pairs) {
                for kind in (0..4).filter(|&kind| counts[kind] > 0) {
                    let mut better = counts;
                    better[kind] -= 1;
                    better[kind + 1] += 1;
                    assert!(superiority(better) >= superiority(counts), "{counts:?} {better:?}");
                }
            }
        }
        let [alike, lower, lowest] = [[0, 0, 0, 0, 2], [0, 0, 0, 1, 1], [0, 0, 1, 1, 0]].map(superiority);
        assert!(alike > lower && lower > lowest && alike - lower < 0.1, "{alike} {lower} {lowest}");
    }

    /// Two and a half percent of the matches of equal engines are to lie beyond either end of the interval.
    #[test]
    fn equal_engines_are_seldom_called_unequal() {
        for chances in [
            [0.1, 0.2, 0.4, 0.2, 0.1],
            [0.01, 0.12, 0.74, 0.12, 0.01],
            [0.25, 0.0, 0.5, 0.0, 0.25],
            [0.2, 0.2, 0.2, 0.2, 0.2],
        ] {
            for pairs in [2, 3, 5, 10] {
                let factorial = |number: u64| (1..=number).map(|factor| factor as f64).product::<f64>();
                let chance = |counts: &[u64; 5]| -> f64 {
                    let each = counts.iter().zip(chances);
                    factorial(pairs)
                        * each.map(|(&n, p): (_, f64)| p.powi(n as i32) / factorial(n)).product::<f64>()
                };
                let all = all_matches(pairs);
                let whole: f64 = all.iter().map(chance).sum();
                let outside: f64 =
                    all.iter().filter(|&&counts| (superiority(counts) - 0.5).abs() > 0.475).map(chance).sum();
                assert!((whole - 1.0).abs() < 1e-9 && outside < 0.07, "{chances:?} {pairs}: {outside}");
            }
        }
    }

    /// Where twenty pairs differ from the others the error is that of the counts alone.
    #[test]
    fn many_pairs_need_no_caution() {
        for counts in [[10, 20, 40, 20, 10], [2, 8, 80, 8, 2], [0, 15, 160, 25, 0], [0, 2, 45, 17, 0]] {
            let observed = Distribution::from(Pentanomial(counts));
            let (mean, variance) = observed.cautious_moments();
            assert!((variance / observed.variance() - 1.0).abs() < 0.01, "{counts:?}");
            let error = (variance / observed.total()).sqrt();
            assert!((mean - observed.observed_mean()).abs() < 0.01 * error, "{counts:?}");
        }
    }

    #[test]
    fn five_draws_do_not_prove_equality() {
        let estimate = Estimate::new(&Pentanomial([0, 0, 5, 0, 0]).into());
        assert!(
            estimate.elo.value == 0.0 && (50.0..300.0).contains(&estimate.elo.high),
            "{}",
            estimate.elo.high
        );
    }

    #[test]
    fn nothing_played_says_nothing() {
        let estimate = Estimate::new(&Pentanomial::default().into());
        assert!(estimate.elo.value.abs() < 1e-9 && (estimate.los - 0.5).abs() < 1e-9);
    }

    #[test]
    fn pairs_of_independent_games_estimate_the_same() {
        // Expected pair counts of independent games with P(win, draw, loss) = 0.3, 0.5, 0.2.
        let pairs = Pentanomial([400, 2000, 3700, 3000, 900]);
        let games = Trinomial { wins: 6000, draws: 10_000, losses: 4000 };
        let (by_pairs, by_games) = (Estimate::new(&pairs.into()), Estimate::new(&games.into()));
        assert!((by_pairs.elo.value - by_games.elo.value).abs() < 1e-6);
        assert!((by_pairs.nelo.value - by_games.nelo.value).abs() < 1e-3);
        assert!((by_pairs.elo.half_width() - by_games.elo.half_width()).abs() < 1e-3);
    }

    #[test]
    fn seventy_six_percent_is_two_hundred_elo() {
        assert!((elo(0.759_746_926_647_957) - 200.0).abs() < 1e-6);
        let games = Trinomial { wins: 158 - 123, draws: 123, losses: 0 };
        // 158 games with 78% draws: about 25 Elo either way (known from practice).
        let half = Estimate::new(&games.into()).elo.half_width();
        assert!((10.0..40.0).contains(&half), "{half}");
    }
}
