//! Do predictions come true?

use super::model::Model;
use super::sample::Sample;
use std::fmt::Write;

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
        samples.iter().map(of).sum()
    };
    let (mut low, mut high) = (20.0f32, 20_000.0f32);
    while high - low > 0.5 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if loss(a) < loss(b) { high = b } else { low = a }
    }
    f32::midpoint(low, high)
}

/// A picture of the buckets: predicted points to the right, true points upward, and the shares of wins and draws.
pub fn plot(buckets: &[CalibrationBucket]) -> String {
    const SIZE: f64 = 400.0;
    const EDGE: f64 = 40.0;
    let (x, y) = (|v: f64| EDGE + v * SIZE, |v: f64| EDGE + (1.0 - v) * SIZE);
    let full = SIZE + 2.0 * EDGE;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {full} {full}\" width=\"{full}\" height=\"{full}\">\n\
         <title>Predicted and true results</title>\n\
         <style>text {{ font: 12px sans-serif; }} polyline {{ fill: none; stroke-width: 2; }}</style>\n\
         <rect width=\"{full}\" height=\"{full}\" fill=\"#ffffff\"/>\n\
         <rect x=\"{EDGE}\" y=\"{EDGE}\" width=\"{SIZE}\" height=\"{SIZE}\" fill=\"#f6f6f2\" stroke=\"#888888\"/>\n\
         <line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#bbbbbb\"/>\n",
        x(0.0),
        y(0.0),
        x(1.0),
        y(1.0)
    );
    let mut line = |name: &str, color: &str, height: f64, of: &dyn Fn(&CalibrationBucket) -> f64| {
        let points: String =
            buckets.iter().map(|b| format!("{:.1},{:.1} ", x(b.predicted), y(of(b)))).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(svg, "<polyline points=\"{}\" stroke=\"{color}\"/>", points.trim_end());
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{height}\" fill=\"{color}\">{name}</text>", EDGE + 8.0);
    };
    line("points", "#1f4e8c", EDGE + 18.0, &CalibrationBucket::points);
    line("wins", "#2c7a3f", EDGE + 34.0, &|bucket| bucket.results[0]);
    line("draws", "#a06a00", EDGE + 50.0, &|bucket| bucket.results[1]);
    let _ = writeln!(svg, "<text x=\"{EDGE}\" y=\"{}\">predicted points</text>\n</svg>", full - 12.0);
    svg
}
