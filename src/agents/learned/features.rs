//! The features of `approximate-q` and `neural-q`, and how their weights change.

use super::prior::PriorNet;
use super::winner;
use crate::agents::SideState;
use crate::board::{Color, Position};
use crate::rules::VariantId;
use crate::words::words;
use std::sync::Arc;

/// Features of `approximate-q`.
pub const FEATURES: usize = 8;
/// Features that a network adds.
pub const PRIOR_FEATURES: usize = 2;
/// What a won board is worth in the features f1 and f5.
const RESULT: f64 = 10.0;
/// Every weight before learning.
const START: f64 = 10.0;
/// A larger weight comes of steps that are too long.
const MOST_WEIGHT: f64 = 1e9;

/// How long a step of the weights is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum StepKind {
    /// `w_i += min(alpha, 1 / sum f_j^2) difference f_i`: as printed where that is stable, else so long that `Q` meets
    /// its sample and goes no further.
    #[default]
    Clipped,
    /// `w_i += alpha difference f_i`, as printed. With twelve pieces a side the squares of the features add up to some
    /// 370: towards a sample that stays where it is, a step with alpha 0.01 overshoots by more than it mends. The samples
    /// of games move along with the weights, so that 0.01 still holds; with 0.03 the weights leave all bounds.
    Plain,
}

words!(StepKind { Clipped => "clipped", Plain => "plain" });

/// `Q = sum w_i f_i` over features of a move from the board `s` to `s'` ("AI for Draught"):
///
/// | | of | value |
/// |---|---|---|
/// | f1 | s | +10 for an own win, -10 for an opponent's win, else 0 |
/// | f2 | s | own pieces + 2 own kings |
/// | f3 | s | sum over own men of 1 / rows to promotion |
/// | f4 | s | sum over own pieces of 1 / (columns to the nearer edge + 1) |
/// | f5 | s' | as f1 |
/// | f6 | s' | opponent's pieces + 2 opponent's kings |
/// | f7 | s' | as f3 |
/// | f8 | s' | as f4 |
/// | f9 | s | what the network says of the board, -1 to 1: whether a winner's move made it (`neural-q` only) |
/// | f10 | s' | the same |
///
/// The report prints `-f1` as f5: two features of which one is the other, and whose equal first weights cancel out. f1
/// to f4 and f9 are the same for all moves of a board; the others choose.
#[derive(Clone, PartialEq, Debug)]
pub struct FeatureQ {
    weights: Vec<f64>,
    prior: Option<Arc<PriorNet>>,
}

/// The features of the board before the move, shared by all its moves.
#[derive(Clone, Copy, Debug)]
pub struct StateFeatures {
    side: Color,
    values: [f64; 4],
    prior: f64,
}

impl FeatureQ {
    /// Every weight is 10.
    pub fn new(prior: Option<Arc<PriorNet>>) -> FeatureQ {
        let count = if prior.is_some() { FEATURES + PRIOR_FEATURES } else { FEATURES };
        FeatureQ { weights: vec![START; count], prior }
    }

    /// With these weights; none if there are not as many as features.
    pub fn with_weights(weights: Vec<f64>, prior: Option<Arc<PriorNet>>) -> Option<FeatureQ> {
        let features = FeatureQ { weights, prior };
        let is_whole = features.weights.len() == FeatureQ::new(features.prior.clone()).weights.len();
        (is_whole && features.is_sound()).then_some(features)
    }

    /// The weights of f1, f2 and so on.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The network that gives the last two features.
    pub fn prior(&self) -> Option<&Arc<PriorNet>> {
        self.prior.as_ref()
    }

    /// Whether no weight has changed.
    pub fn is_untrained(&self) -> bool {
        self.weights.iter().all(|&weight| weight == START)
    }

    /// Whether all weights are within bounds; a plain step may have grown them out of all.
    pub fn is_sound(&self) -> bool {
        self.weights.iter().all(|weight| weight.abs() <= MOST_WEIGHT)
    }

    /// f1 to f4 and f9.
    pub fn state(&self, variant: VariantId, before: &Position) -> StateFeatures {
        let side = before.turn();
        let own = SideState::of(variant, before, side);
        let values = [result(variant, before, side), worth(&own), own.advance, own.edge];
        let prior = self.prior.as_ref().map_or(0.0, |net| net.rate(variant, before));
        StateFeatures { side, values, prior }
    }

    /// All features of a move.
    pub fn features(&self, variant: VariantId, state: &StateFeatures, after: &Position) -> Vec<f64> {
        let side = state.side;
        let [own, other] = [side, !side].map(|color| SideState::of(variant, after, color));
        let mut features = state.values.to_vec();
        features.extend([result(variant, after, side), worth(&other), own.advance, own.edge]);
        if let Some(net) = &self.prior {
            features.extend([state.prior, net.rate(variant, after)]);
        }
        features
    }

    /// The sum of weights and features.
    pub fn value(&self, features: &[f64]) -> f64 {
        self.weights.iter().zip(features).map(|(weight, feature)| weight * feature).sum()
    }

    /// One step of all weights: `difference = sample - Q`, then as [`StepKind`] says.
    pub fn learn(&mut self, features: &[f64], sample: f64, alpha: f64, step: StepKind) {
        let difference = sample - self.value(features);
        // Without any feature there is nothing to move: the step is long, and times 0.
        let square: f64 = features.iter().map(|feature| feature * feature).sum();
        let length = match step {
            StepKind::Plain => alpha,
            StepKind::Clipped => alpha.min(1.0 / square),
        };
        for (weight, feature) in self.weights.iter_mut().zip(features) {
            *weight += length * difference * feature;
        }
    }
}

fn worth(side: &SideState) -> f64 {
    f64::from(side.pieces + 2 * side.kings)
}

fn result(variant: VariantId, position: &Position, side: Color) -> f64 {
    winner(variant, position).map_or(0.0, |winner| if winner == side { RESULT } else { -RESULT })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen::game_from_fen;

    const ENGLISH: VariantId = VariantId::English;

    fn position(fen: &str) -> Position {
        *game_from_fen(ENGLISH, fen).unwrap().position()
    }

    fn close(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        let is_close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-12;
        assert!(found.iter().zip(expected).all(is_close), "{found:?} {expected:?}");
    }

    #[test]
    fn features_of_two_moves_by_hand() {
        // White has a man on 18 (row 4, column 3) and a king on 4 (row 0, column 7); it takes the man on 14 and stands
        // on 9 (row 2, column 1).
        let q = FeatureQ::new(None);
        let before = position("W:W18,K4:B14,1");
        let state = q.state(ENGLISH, &before);
        // f2: 2 pieces + 2; f3: 1/4; f4: 1/4 + 1. f6: one man; f7: 1/2; f8: 1/2 + 1.
        let features = q.features(ENGLISH, &state, &position("B:W9,K4:B1"));
        close(&features, &[0.0, 4.0, 0.25, 1.25, 0.0, 1.0, 0.5, 1.5]);
        // Were there no other man, it would have won.
        let before = position("W:W18,K4:B14");
        let features = q.features(ENGLISH, &q.state(ENGLISH, &before), &position("B:W9,K4:B"));
        close(&features[4..6], &[10.0, 0.0]);
        // Black is to move and blocked: White's win is Black's -10.
        let blocked = position("B:W10,15:B");
        assert_eq!(q.state(ENGLISH, &blocked).values[0], -10.0);
    }

    #[test]
    fn one_step_of_each_kind_by_hand() {
        let mut q = FeatureQ::new(None);
        let features = [0.0, 4.0, 0.25, 1.25, 0.0, 1.0, 0.5, 1.5];
        // Q = 10 (4 + 0.25 + 1.25 + 1 + 0.5 + 1.5) = 85. A sample of 35 is 50 less.
        assert_eq!(q.value(&features), 85.0);
        let start = q.clone();
        q.learn(&features, 35.0, 0.01, StepKind::Plain);
        // 10 - 0.01 50 f_i = 10 - f_i / 2.
        close(q.weights(), &[10.0, 8.0, 9.875, 9.375, 10.0, 9.5, 9.75, 9.25]);
        // Squares: 16 + 0.0625 + 1.5625 + 1 + 0.25 + 2.25 = 21.125. 1 / 21.125 is more than 0.01: the same step.
        let mut short = start.clone();
        short.learn(&features, 35.0, 0.01, StepKind::Clipped);
        assert_eq!(short, q);
        // It is less than 0.1: a step of 1 / 21.125, which meets the sample.
        let mut long = start;
        long.learn(&features, 35.0, 0.1, StepKind::Clipped);
        close(&long.weights()[1..2], &[10.0 - 50.0 / 21.125 * 4.0]);
        assert!((long.value(&features) - 35.0).abs() < 1e-9);
        // A move without any feature changes nothing.
        let before = long.clone();
        long.learn(&[0.0; FEATURES], 35.0, 0.1, StepKind::Clipped);
        assert_eq!(long, before);
    }

    #[test]
    fn towards_a_fixed_sample_plain_steps_of_twelve_men_leave_all_bounds_and_clipped_ones_do_not() {
        let features = [0.0, 12.0, 4.2, 5.0, 0.0, 12.0, 4.2, 5.0];
        let after = |step| {
            let mut q = FeatureQ::new(None);
            (0..100).for_each(|_| q.learn(&features, 1.0, 0.01, step));
            (q.value(&features) - 1.0).abs()
        };
        assert!(after(StepKind::Plain) > 1e6);
        assert!(after(StepKind::Clipped) < 1e-6);
    }

    #[test]
    fn weights_must_be_as_many_as_features() {
        assert!(FeatureQ::with_weights(vec![1.0; FEATURES], None).is_some());
        assert!(FeatureQ::with_weights(vec![1.0; FEATURES + 1], None).is_none());
        assert!(FeatureQ::with_weights(vec![f64::NAN; FEATURES], None).is_none());
    }
}
