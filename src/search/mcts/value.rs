//! From scores to the expected result of a game, and back.

use super::proof::Proof;
use crate::rules::VariantId;
use crate::score::Score;

/// The curve of a variant: an advantage of this many centi-men makes the odds e to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Curve {
    centi: f64,
}

/// Nearer to 0 or 1 than this a mean says nothing about the score.
const EDGE: f64 = 1e-4;

impl Curve {
    /// The curve of this variant.
    pub const fn of(_: VariantId) -> Curve {
        Curve { centi: 120.0 }
    }

    /// The expected result: 1 for a win, one half for a draw, 0 for a loss.
    pub fn value(self, score: Score) -> f64 {
        match Proof::of(score) {
            Some(proof) => proof.value(),
            None => 1.0 / (1.0 + (-f64::from(score.centi()) / self.centi).exp()),
        }
    }

    /// The score at which this result is expected.
    pub fn score(self, value: f64) -> Score {
        let value = value.clamp(EDGE, 1.0 - EDGE);
        Score::evaluation((self.centi * (value / (1.0 - value)).ln()).round() as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let curve = Curve::of(VariantId::International);
        for centi in [-300, -17, 0, 5, 250] {
            let score = Score::from_centi(centi);
            assert_eq!(curve.score(curve.value(score)), score);
        }
        assert_eq!(curve.value(Score::win_in(3)), 1.0);
        assert_eq!(curve.value(Score::DRAW), 0.5);
        assert!(!curve.score(1.0).is_decided());
    }
}
