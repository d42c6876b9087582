//! The sequential probability ratio test: stop as soon as the result is clear enough.

use super::counts::Distribution;
use super::estimate::t_value;
use crate::notation::text::quote;
use nom::Parser;
use nom::character::complete::{char, multispace0};
use nom::combinator::{all_consuming, map_opt};
use nom::multi::separated_list1;
use nom::number::complete::recognize_float;
use nom::sequence::delimited;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The test: which difference is nothing, which is worth having, and how often each error may happen.
///
/// It is the generalised test of the literature (M. Van den Bergh, "A practical introduction to the GSPRT" and
/// "Normalized Elo for engine testing"): both hypotheses fix the ratio of mean advantage to standard deviation, and
/// among all distributions that have it the one most likely to have produced the counts stands for the hypothesis.
///
/// ```
/// use kroon::arena::stats::{Pentanomial, Sprt, SprtVerdict};
/// let sprt: Sprt = "0,2,0.05,0.05".parse().unwrap();
/// let llr = sprt.llr(&Pentanomial([379, 10170, 21828, 10640, 343]).into());
/// assert!((llr - 2.946).abs() < 0.001);
/// assert_eq!(sprt.verdict(llr), SprtVerdict::H1);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// What the test says so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SprtVerdict {
    /// Not enough games yet.
    Open,
    /// The difference is `elo0` or less.
    H0,
    /// The difference is `elo1` or more.
    H1,
}

impl fmt::Display for SprtVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SprtVerdict::Open => "undecided",
            SprtVerdict::H0 => "H0 accepted",
            SprtVerdict::H1 => "H1 accepted",
        })
    }
}

/// Why a text is no test.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum SprtError {
    /// Not two or four numbers.
    #[error("{0} is no test, expected elo0,elo1 or elo0,elo1,alpha,beta (such as 0,5,0.05,0.05)")]
    Syntax(String),
    /// The hypotheses are the same, change places or make no sense.
    #[error("elo0 = {0} and elo1 = {1}: expected elo0 < elo1, both within -1000 to 1000")]
    Elo(f64, f64),
    /// An error rate that is none.
    #[error("error rate {0}: expected more than 0 and less than 0.5")]
    Rate(f64),
}

impl Sprt {
    /// Error rates that everybody uses.
    pub const USUAL_RATE: f64 = 0.05;
    const MOST_ELO: f64 = 1000.0;

    /// A test of normalised Elo `elo0` (H0) against `elo1` (H1). H0 is rejected although true with probability
    /// `alpha` at most, H1 with `beta`.
    ///
    /// # Errors
    /// When the hypotheses are not in order or a rate is outside (0, 0.5).
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        let sane = |elo: f64| elo.abs() <= Self::MOST_ELO;
        if !(elo0 < elo1 && sane(elo0) && sane(elo1)) {
            return Err(SprtError::Elo(elo0, elo1));
        }
        match [alpha, beta].into_iter().find(|&rate| !(rate > 0.0 && rate < 0.5)) {
            Some(rate) => Err(SprtError::Rate(rate)),
            None => Ok(Sprt { elo0, elo1, alpha, beta }),
        }
    }

    /// H0 is accepted at or below the first value of the log-likelihood ratio, H1 at or above the second (Wald).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The logarithm of how much more likely the counts are under H1 than under H0.
    pub fn llr(&self, observed: &Distribution) -> f64 {
        let under = |nelo| most_likely(observed, t_value(nelo, observed.games()));
        let (h0, h1) = (under(self.elo0), under(self.elo1));
        let mean: f64 =
            observed.frequencies().iter().zip(h0.iter().zip(&h1)).map(|(p, (a, b))| p * (b / a).ln()).sum();
        observed.total() * mean
    }

    /// The same by the formula for normally distributed scores, which needs no iteration: close to [`Sprt::llr`] when
    /// neither engine is much stronger, far too cautious when one is.
    pub fn llr_normal(&self, observed: &Distribution) -> f64 {
        let t = (observed.mean() - 0.5) / observed.variance().sqrt();
        let distance = |nelo| 1.0 + (t - t_value(nelo, observed.games())).powi(2);
        observed.total() / 2.0 * (distance(self.elo0) / distance(self.elo1)).ln()
    }

    /// What follows from a log-likelihood ratio.
    pub fn verdict(&self, llr: f64) -> SprtVerdict {
        let (lower, upper) = self.bounds();
        if llr >= upper {
            SprtVerdict::H1
        } else if llr <= lower {
            SprtVerdict::H0
        } else {
            SprtVerdict::Open
        }
    }
}

/// Rounds of the iteration below; it needs two or three unless the counts are far from the hypothesis.
const MOST_ROUNDS: usize = 300;
/// The largest `t` that the iteration can begin with. Larger ones have no distribution near the first guess.
const FIRST_T: f64 = 0.4;
/// By how much `t` grows from one solution to the next.
const T_STEP: f64 = 1.25;

/// The share of the one score in the guesses that lie near it.
const CONCENTRATED: f64 = 0.92;
/// How well a solution satisfies the condition.
const TOLERANCE: f64 = 1e-7;

/// The distribution most likely to produce the counts among those with (mean - 1/2) / deviation = `t`. A large `t` is
/// approached in steps, each of which begins with the solution of the one before. For a large `t` there are others, each likelier
/// than those near it, with most of their mass on one score: the likeliest of all is meant.
fn most_likely(observed: &Distribution, t: f64) -> Vec<f64> {
    let scores = observed.frequencies().len();
    let steps = if t.abs() > FIRST_T { ((t.abs() / FIRST_T).ln() / T_STEP.ln()).ceil() as i32 } else { 0 };
    let uniform = vec![1.0 / scores as f64; scores];
    let first = (0..=steps).rev().fold(uniform, |guess, step| {
        let near = most_likely_near(guess.clone(), observed, t / T_STEP.powi(step));
        // Each step begins near its solution.
        debug_assert!(near.is_some(), "{observed:?} {t}");
        near.unwrap_or(guess)
    });
    if t.abs() <= FIRST_T {
        return first;
    }
    let likelihood =
        |q: &[f64]| -> f64 { observed.frequencies().iter().zip(q).map(|(p, q)| p * q.ln()).sum() };
    let others = (0..scores).filter_map(|score| {
        let mut guess = vec![(1.0 - CONCENTRATED) / (scores - 1) as f64; scores];
        guess[score] = CONCENTRATED;
        most_likely_near(guess, observed, t).filter(|q| satisfies(q, observed, t))
    });
    let likelier = |best: Vec<f64>, q: Vec<f64>| if likelihood(&q) > likelihood(&best) { q } else { best };
    others.fold(first, likelier)
}

/// Whether these frequencies are a distribution with (mean - 1/2) / deviation = `t`.
fn satisfies(q: &[f64], observed: &Distribution, t: f64) -> bool {
    let (mean, deviation) = moments(q, observed);
    (q.iter().sum::<f64>() - 1.0).abs() < TOLERANCE && ((mean - 0.5) / deviation - t).abs() < TOLERANCE
}

/// Mean and standard deviation.
fn moments(q: &[f64], observed: &Distribution) -> (f64, f64) {
    let mean: f64 = q.iter().zip(observed.scores()).map(|(q, a)| q * a).sum();
    let variance: f64 = q.iter().zip(observed.scores()).map(|(q, a)| q * (a - mean).powi(2)).sum();
    (mean, variance.sqrt())
}

/// The same, from a distribution near it.
///
/// The condition is linearised around the guess: with mean m and deviation s of the guess, all distributions q
/// near it satisfy the condition when the sum of q x is zero, x = score - 1/2 - (t s / 2) (1 + ((score - m) / s)^2).
/// Under such a linear condition the most likely distribution is p / (1 + lambda x), where lambda is found by
/// bisection. The answer is the next guess. None where the guess was not near enough.
fn most_likely_near(mut guess: Vec<f64>, observed: &Distribution, t: f64) -> Option<Vec<f64>> {
    let p = observed.frequencies();
    for _ in 0..MOST_ROUNDS {
        let (mean, s) = moments(&guess, observed);
        let x: Vec<f64> =
            observed.scores().map(|a| a - 0.5 - t * s / 2.0 * (1.0 + ((a - mean) / s).powi(2))).collect();
        let lambda = multiplier(p, &x)?;
        let next: Vec<f64> = p.iter().zip(&x).map(|(p, x)| p / (1.0 + lambda * x)).collect();
        let change = next.iter().zip(&guess).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        guess = next;
        if change < 1e-10 {
            break;
        }
    }
    Some(guess)
}

/// The root of sum p x / (1 + lambda x), a falling function of lambda between its poles at -1/max x and -1/min x:
/// Newton's method, with bisection where that would leave the bracket. None where no distribution on these scores satisfies the
/// condition.
fn multiplier(p: &[f64], x: &[f64]) -> Option<f64> {
    let (least, most) = x.iter().fold((0.0_f64, 0.0_f64), |(low, high), &x| (low.min(x), high.max(x)));
    // Written so that values which are no numbers end it, too.
    if !(least < 0.0 && most > 0.0) {
        return None;
    }
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let mut lambda = 0.0;
    loop {
        let (mut sum, mut slope) = (0.0, 0.0);
        for (p, x) in p.iter().zip(x) {
            let ratio = x / (1.0 + lambda * x);
            sum += p * ratio;
            slope -= p * ratio * ratio;
        }
        if sum > 0.0 {
            low = lambda;
        } else {
            high = lambda;
        }
        let newton = lambda - sum / slope;
        let next = if newton > low && newton < high { newton } else { low + (high - low) / 2.0 };
        if (next - lambda).abs() <= 1e-14 * (1.0 + lambda.abs()) || next <= low || next >= high {
            return Some(next);
        }
        lambda = next;
    }
}

impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Sprt, SprtError> {
        let number =
            map_opt(recognize_float::<&str, nom::error::Error<&str>>, |digits: &str| digits.parse().ok());
        let spaced = delimited(multispace0, number, multispace0);
        match all_consuming(separated_list1(char(','), spaced))
            .parse(text)
            .map(|(_, numbers)| numbers)
            .as_deref()
        {
            Ok(&[elo0, elo1]) => Sprt::new(elo0, elo1, Self::USUAL_RATE, Self::USUAL_RATE),
            Ok(&[elo0, elo1, alpha, beta]) => Sprt::new(elo0, elo1, alpha, beta),
            _ => Err(SprtError::Syntax(quote(text))),
        }
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{},{}", self.elo0, self.elo1, self.alpha, self.beta)
    }
}

#[cfg(test)]
mod tests {
    use super::super::counts::{Pentanomial, Trinomial};
    use super::*;

    const PROGRESS: Sprt = Sprt { elo0: 0.0, elo1: 2.0, alpha: 0.05, beta: 0.05 };

    #[test]
    fn published_matches() {
        let first = Pentanomial([379, 10170, 21828, 10640, 343]).into();
        // By the normal formula 2.946, by the exact likelihood half a thousandth less.
        assert!((PROGRESS.llr_normal(&first) - 2.946).abs() < 5e-4);
        assert!((PROGRESS.llr(&first) - 2.9455).abs() < 5e-5);
        let second = Pentanomial([365, 16618, 36229, 16974, 390]).into();
        assert!((PROGRESS.llr(&second) - 2.25).abs() < 5e-3);
        assert!((PROGRESS.llr_normal(&second) - 2.25).abs() < 5e-3);
        let games = Trinomial { wins: 36433, losses: 36027, draws: 68692 }.into();
        assert!((PROGRESS.llr(&games) - 0.92).abs() < 5e-3);
        assert!((PROGRESS.llr_normal(&games) - 0.92).abs() < 5e-3);
    }

    #[test]
    fn bounds_are_walds() {
        let (lower, upper) = PROGRESS.bounds();
        assert!((lower + 2.944_439).abs() < 1e-6 && (upper - 2.944_439).abs() < 1e-6);
        let (lower, upper) = Sprt::new(0.0, 5.0, 0.1, 0.05).unwrap().bounds();
        assert!(
            ((0.05_f64 / 0.9).ln() - lower).abs() < 1e-12 && ((0.95_f64 / 0.1).ln() - upper).abs() < 1e-12
        );
    }

    #[test]
    fn the_most_likely_distribution_keeps_the_condition() {
        for counts in
            [[3, 10, 20, 30, 9], [0, 0, 0, 0, 80], [50, 0, 0, 0, 0], [1, 0, 200, 0, 1], [0, 0, 40, 0, 0]]
        {
            let observed = Distribution::from(Pentanomial(counts));
            for t in [-4.1, -0.95, -0.3, 0.0, 0.01, 0.3, 0.5, 0.95, 2.0, 4.1] {
                let q = most_likely(&observed, t);
                let mean: f64 = q.iter().zip(observed.scores()).map(|(q, a)| q * a).sum();
                let variance: f64 =
                    q.iter().zip(observed.scores()).map(|(q, a)| q * (a - mean).powi(2)).sum();
                assert!((q.iter().sum::<f64>() - 1.0).abs() < 1e-6, "{counts:?} {t}");
                assert!(((mean - 0.5) / variance.sqrt() - t).abs() < 1e-6, "{counts:?} {t}");
            }
        }
    }

    #[test]
    fn one_sided_matches_end() {
        let sprt = Sprt::new(0.0, 20.0, 0.05, 0.05).unwrap();
        assert_eq!(sprt.verdict(sprt.llr(&Pentanomial([0, 0, 0, 0, 100]).into())), SprtVerdict::H1);
        assert_eq!(sprt.verdict(sprt.llr(&Pentanomial([100, 0, 0, 0, 0]).into())), SprtVerdict::H0);
        assert_eq!(sprt.verdict(sprt.llr(&Pentanomial([0, 0, 1, 1, 0]).into())), SprtVerdict::Open);
        assert_eq!(sprt.verdict(sprt.llr(&Pentanomial::default().into())), SprtVerdict::Open);
    }

    #[test]
    fn a_thousand_million_pairs_decide_as_a_hundred_do() {
        const MANY: u64 = 1_000_000_000;
        for elo in [2.0, 100.0, 300.0, Sprt::MOST_ELO] {
            let sprt = Sprt::new(0.0, elo, 0.05, 0.05).unwrap();
            let verdict = |observed: Distribution| sprt.verdict(sprt.llr(&observed));
            assert_eq!(verdict(Pentanomial([MANY, 0, 0, 0, 0]).into()), SprtVerdict::H0, "{elo}");
            assert_eq!(verdict(Pentanomial([0, 0, MANY, 0, 0]).into()), SprtVerdict::H0, "{elo}");
            assert_eq!(verdict(Pentanomial([0, 0, 0, 0, MANY]).into()), SprtVerdict::H1, "{elo}");
            assert_eq!(
                verdict(Trinomial { wins: 0, losses: MANY, draws: 0 }.into()),
                SprtVerdict::H0,
                "{elo}"
            );
        }
    }

    #[test]
    fn hypotheses_far_apart_are_told_apart() {
        for elo in [100.0, 231.0, 232.0, 300.0, 341.0, Sprt::MOST_ELO] {
            let sprt = Sprt::new(0.0, elo, 0.05, 0.05).unwrap();
            let verdict = |observed: Distribution| sprt.verdict(sprt.llr(&observed));
            assert_eq!(verdict(Pentanomial([100, 0, 0, 0, 0]).into()), SprtVerdict::H0, "{elo}");
            assert_eq!(verdict(Pentanomial([0, 0, 100, 0, 0]).into()), SprtVerdict::H0, "{elo}");
            assert_eq!(verdict(Pentanomial([0, 0, 0, 0, 100]).into()), SprtVerdict::H1, "{elo}");
            assert_eq!(verdict(Trinomial { wins: 0, losses: 0, draws: 50 }.into()), SprtVerdict::H0, "{elo}");
            assert_eq!(verdict(Trinomial { wins: 0, losses: 50, draws: 0 }.into()), SprtVerdict::H0, "{elo}");
        }
        // More than one distribution satisfies the condition and cannot be mended by a small change: the likelier is meant.
        let sprt = Sprt::new(0.0, 200.0, 0.05, 0.05).unwrap();
        assert!((sprt.llr(&Pentanomial([0, 3, 100, 5, 0]).into()) + 40.43).abs() < 0.01);
        // By a maximisation over all distributions with a fixed mean and variance, and over the means.
        for (counts, elo, llr) in [
            ([6, 12, 57, 39, 18], [-300.0, 600.0], 1.62),
            ([2, 5, 15, 2, 0], [0.0, 350.0], -27.07),
            ([2, 0, 0, 1, 0], [0.0, 300.0], -3.261),
        ] {
            let sprt = Sprt::new(elo[0], elo[1], 0.05, 0.05).unwrap();
            assert!((sprt.llr(&Pentanomial(counts).into()) - llr).abs() < 0.01, "{counts:?}");
        }
    }

    #[test]
    fn a_test_reversed_is_the_test_of_the_other_engine() {
        let there = Sprt::new(-1.0, 4.0, 0.05, 0.05).unwrap();
        let back = Sprt::new(-4.0, 1.0, 0.05, 0.05).unwrap();
        let pairs = Pentanomial([4, 30, 70, 41, 6]);
        assert!((there.llr(&pairs.into()) + back.llr(&pairs.reversed().into())).abs() < 1e-9);
    }

    #[test]
    fn texts() {
        assert_eq!("0,2".parse(), Ok(PROGRESS));
        assert_eq!(" -5 , 0 , 0.1 , 0.05 ".parse(), Sprt::new(-5.0, 0.0, 0.1, 0.05));
        assert_eq!(PROGRESS.to_string(), "0,2,0.05,0.05");
        for bad in ["", "0", "0,2,0.05", "a,b", "0,2,0.05,0.05,1", "0;2", "nan,2", "0,inf"] {
            assert!(matches!(bad.parse::<Sprt>(), Err(SprtError::Syntax(_) | SprtError::Elo(..))), "{bad}");
        }
        assert_eq!("2,0".parse::<Sprt>(), Err(SprtError::Elo(2.0, 0.0)));
        assert_eq!("0,2,0.5,0.05".parse::<Sprt>(), Err(SprtError::Rate(0.5)));
        assert_eq!("0,2,0.05,0".parse::<Sprt>(), Err(SprtError::Rate(0.0)));
    }
}
