//! The curve from scores to the expected result of a game, and back.

use super::proof::Proof;
use crate::eval::policy::Policy;
use crate::eval::{Evaluation, Evaluator, HandMade};
use crate::rules::{Variant, VariantId};
use crate::score::Score;

/// The logistic curve of an evaluation: an advantage of this many centi-men makes the odds e to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ValueCurve {
    centi: f64,
}

/// Nearer to 0 or 1 than this a mean says nothing about the score.
const EDGE: f64 = 1e-4;

/// An evaluation whose scores were compared with the results of games.
pub trait Calibrated<V: Variant>: Evaluator<V> {
    /// What its scores mean.
    fn curve(&self) -> ValueCurve;

    /// Which moves searches choose, if that was learned.
    fn policy(&self) -> Option<&Policy> {
        None
    }
}

impl<V: Variant> Calibrated<V> for HandMade {
    fn curve(&self) -> ValueCurve {
        ValueCurve::hand_made(V::ID)
    }
}

impl<V: Variant> Calibrated<V> for Evaluation {
    fn curve(&self) -> ValueCurve {
        match self {
            Evaluation::HandMade => ValueCurve::hand_made(V::ID),
            // Fitting made the values agree with this curve.
            Evaluation::Learned(learned) => ValueCurve { centi: f64::from(learned.scale()).max(1.0) },
        }
    }

    fn policy(&self) -> Option<&Policy> {
        match self {
            Evaluation::HandMade => None,
            Evaluation::Learned(learned) => learned.policy(),
        }
    }
}

impl ValueCurve {
    /// The curve of the hand-made evaluation: the logistic function with the least loss over the games of
    /// `cargo bench --bench mcts -- calibrate`.
    pub const fn hand_made(variant: VariantId) -> ValueCurve {
        ValueCurve { centi: HandMade::scale(variant) }
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
        for variant in VariantId::ALL {
            let curve = ValueCurve::hand_made(variant);
            for centi in [-300, -17, 0, 5, 250] {
                let score = Score::from_centi(centi);
                assert_eq!(curve.score(curve.value(score)), score);
            }
        }
        let curve = ValueCurve::hand_made(VariantId::International);
        assert_eq!(curve.value(Score::win_in(3)), 1.0);
        assert_eq!(curve.value(Score::DRAW), 0.5);
        assert!(!curve.score(1.0).is_decided());
    }
}
