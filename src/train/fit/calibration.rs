//! Calibration: predicted results against those of held-out games.

use super::model::Model;
use super::sample::Sample;
use crate::svg;
use crate::svg::plot::{Calibration, calibration};
use crate::train::calibration::{Bucket, Buckets};

/// Held-out positions by the predicted points of White, from lost to won: the shares of games that White won, drew, lost.
pub fn buckets(model: &Model, samples: &[Sample]) -> Vec<Bucket<3>> {
    let mut buckets = Buckets::default();
    for sample in samples {
        let (own, result) = (model.predict(sample), sample.result);
        let (white, result) = if sample.white_to_move { (own, result) } else { (1.0 - own, 1.0 - result) };
        let mut results = [0.0; 3];
        results[2 - (2.0 * result) as usize] = 1.0;
        buckets.add(f64::from(white), results, 1.0);
    }
    buckets.means()
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
pub fn plot(buckets: &[Bucket<3>]) -> String {
    let kind = |name: &'static str, of: fn([f64; 3]) -> f64| Calibration {
        name,
        buckets: buckets
            .iter()
            .map(|bucket| (bucket.predicted, of(bucket.observed), bucket.number))
            .collect(),
    };
    let kinds = [
        kind("points", |[wins, draws, _]| wins + draws / 2.0),
        kind("wins", |[wins, ..]| wins),
        kind("draws", |[_, draws, _]| draws),
    ];
    let positions: u64 = buckets.iter().map(|bucket| bucket.number).sum();
    let note = format!("{positions} positions of games held out, White's view");
    svg::file(&calibration(
        "Predicted and true results",
        &note,
        ["predicted points", "observed share"],
        &kinds,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Key;
    use crate::notation::fen;
    use crate::rules::VariantId;
    use crate::train::fit::net::NetInputs;

    #[test]
    fn the_scale_is_where_the_odds_are_e_to_one() {
        let variant = VariantId::International;
        let game = fen::game_from_fen(variant, "W:W31,32:B9,10").unwrap();
        let inputs = NetInputs::read(variant.rules(), game.position()).unwrap();
        let sample =
            |result, score| Sample { key: Key(0), inputs, material: 0.0, result, score, white_to_move: true };
        // Won with a probability of e / (1 + e), the other way round for the opposite score.
        for sign in [1.0, -1.0] {
            let [likely, unlikely] = if sign > 0.0 { [1.0, 0.0] } else { [0.0, 1.0] };
            let mut samples = vec![sample(likely, 100.0 * sign); 7_311];
            samples.extend(vec![sample(unlikely, 100.0 * sign); 2_689]);
            let scale = scale_of_scores(&samples);
            assert!((scale - 100.0).abs() < 2.0, "{scale}");
        }
    }
}
