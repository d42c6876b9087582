//! Calibration: predicted results against those of held-out games.

use super::model::Model;
use super::sample::Sample;
use crate::svg;
use crate::svg::plot::{Calibration, calibration};

const BUCKETS: usize = 20;

/// Positions with about the same prediction.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct CalibrationBucket {
    /// Mean predicted points of White.
    pub predicted: f64,
    /// Shares of games that White won, drew, lost.
    pub results: [f64; 3],
    /// Positions.
    pub positions: u64,
}

impl CalibrationBucket {
    /// Mean points of White.
    pub fn points(&self) -> f64 {
        self.results[0] + self.results[1] / 2.0
    }
}

/// Held-out positions by prediction, from lost to won; empty buckets are left out.
pub fn buckets(model: &Model, samples: &[Sample]) -> Vec<CalibrationBucket> {
    let mut buckets = [CalibrationBucket::default(); BUCKETS];
    for sample in samples {
        let (own, result) = (model.predict(sample), sample.result);
        let (white, result) = if sample.white_to_move { (own, result) } else { (1.0 - own, 1.0 - result) };
        let predicted = f64::from(white);
        let bucket = &mut buckets[((predicted * BUCKETS as f64) as usize).min(BUCKETS - 1)];
        bucket.predicted += predicted;
        bucket.results[2 - (2.0 * result) as usize] += 1.0;
        bucket.positions += 1;
    }
    let filled = buckets.into_iter().filter(|bucket| bucket.positions > 0);
    filled
        .map(|bucket| {
            let positions = bucket.positions as f64;
            CalibrationBucket {
                predicted: bucket.predicted / positions,
                results: bucket.results.map(|number| number / positions),
                ..bucket
            }
        })
        .collect()
}

/// Scores beyond this many centi-men are wins on the way to be proven: their size says little about the odds.
const MOST_SCORE: f32 = 1_500.0;

/// The centi-men for which the odds of winning are e to 1, as the scores of the searches and the results say:
/// the scale with the least loss.
pub fn scale_of_scores(samples: &[Sample]) -> f32 {
    let loss = |scale: f32| -> f64 {
        let of = |sample: &Sample| {
            let odds = f64::from(sample.score / scale);
            let points = f64::from(sample.result);
            // The cross entropy with the logistic function of `odds`.
            odds.max(0.0) - points * odds + (-odds.abs()).exp().ln_1p()
        };
        samples.iter().filter(|sample| sample.score.abs() <= MOST_SCORE).map(of).sum()
    };
    let (mut low, mut high) = (20.0f32, 20_000.0f32);
    while high - low > 0.5 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if loss(a) < loss(b) { high = b } else { low = a }
    }
    f32::midpoint(low, high)
}

/// A picture of the buckets: predicted points to the right, true points and the shares of wins and draws upward.
pub fn plot(buckets: &[CalibrationBucket]) -> String {
    let kind = |name: &'static str, of: fn(&CalibrationBucket) -> f64| Calibration {
        name,
        buckets: buckets.iter().map(|bucket| (bucket.predicted, of(bucket), bucket.positions)).collect(),
    };
    let kinds = [
        kind("points", CalibrationBucket::points),
        kind("wins", |bucket| bucket.results[0]),
        kind("draws", |bucket| bucket.results[1]),
    ];
    let positions: u64 = buckets.iter().map(|bucket| bucket.positions).sum();
    let note = format!("{positions} positions of games held out, White's view");
    svg::file(&calibration(
        "Predicted and true results",
        &note,
        ["predicted points", "observed share"],
        &kinds,
    ))
}
