//! The choice between the learned and the hand-made evaluation at run time.

use super::fitted::{Fitted, fitted};
use super::{Evaluator, HandMade, Learned, Term};
use crate::board::Position;
use crate::rules::{Variant, VariantId};
use crate::score::Score;
use crate::words::words;
use std::sync::{Arc, OnceLock};

/// A kind of evaluation, as options name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EvaluationKind {
    /// The learned one.
    #[default]
    Learned,
    /// The hand-made one.
    HandMade,
}

words!(EvaluationKind { Learned => "learned", HandMade => "handmade" });

impl EvaluationKind {
    /// The evaluation of a variant.
    pub fn evaluation(self, variant: VariantId) -> Evaluation {
        match self {
            EvaluationKind::Learned => Evaluation::best(variant),
            EvaluationKind::HandMade => Evaluation::HandMade,
        }
    }
}

/// An evaluation chosen at run time.
#[derive(Clone, Debug)]
pub enum Evaluation {
    /// The hand-made one.
    HandMade,
    /// Learned weights; they must be those of the variant that is played.
    Learned(Arc<Learned>),
}

impl Evaluation {
    /// The best evaluation of a variant that is in the program.
    ///
    /// ```
    /// use kroon::eval::Evaluation;
    /// use kroon::rules::VariantId;
    /// assert!(matches!(Evaluation::best(VariantId::International), Evaluation::Learned(_)));
    /// ```
    pub fn best(variant: VariantId) -> Evaluation {
        static EVALUATIONS: [OnceLock<Evaluation>; VariantId::ALL.len()] =
            [const { OnceLock::new() }; VariantId::ALL.len()];
        EVALUATIONS[variant as usize].get_or_init(|| Evaluation::of(&fitted(variant))).clone()
    }

    /// The learned weights of a row, or the hand-made evaluation if it has none.
    fn of(fitted: &Fitted) -> Evaluation {
        // invariant: what is in the program can be read (tested)
        match fitted.weights.map(Learned::from_bytes) {
            Some(Ok(learned)) => Evaluation::Learned(Arc::new(learned)),
            Some(Err(_)) | None => Evaluation::HandMade,
        }
    }

    /// What tells this evaluation from others: `handmade`, or `learned` and the checksum of the weights.
    pub fn name(&self) -> String {
        match self {
            Evaluation::HandMade => EvaluationKind::HandMade.to_string(),
            Evaluation::Learned(learned) => format!("{} {}", EvaluationKind::Learned, learned.checksum()),
        }
    }

    /// The checksum of the policy, if one comes with the weights.
    pub fn policy_checksum(&self) -> Option<String> {
        match self {
            Evaluation::HandMade => None,
            Evaluation::Learned(learned) => learned.policy_checksum(),
        }
    }

    /// The evaluation of a position in named terms, from White's view, and their total.
    pub fn explain<V: Variant>(&self, position: &Position) -> (Vec<Term>, Score) {
        match self {
            Evaluation::HandMade => HandMade.explain::<V>(position),
            Evaluation::Learned(learned) => learned.explain::<V>(position),
        }
    }
}

impl<V: Variant> Evaluator<V> for Evaluation {
    type Memory = <Learned as Evaluator<V>>::Memory;

    #[inline]
    fn evaluate_with(&self, memory: &mut Self::Memory, position: &Position, ply: usize) -> Score {
        match self {
            Evaluation::HandMade => Evaluator::<V>::evaluate(&HandMade, position),
            Evaluation::Learned(learned) => Evaluator::<V>::evaluate_with(&**learned, memory, position, ply),
        }
    }

    #[inline(always)]
    fn rough(&self, position: &Position) -> Option<Score> {
        match self {
            Evaluation::HandMade => None,
            Evaluation::Learned(learned) => Evaluator::<V>::rough(&**learned, position),
        }
    }

    #[inline(always)]
    fn expect(&self, memory: &Self::Memory, position: &Position) {
        if let Evaluation::Learned(learned) = self {
            Evaluator::<V>::expect(&**learned, memory, position);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::explain;
    use crate::rules::Objective;
    use rand::SeedableRng;
    use std::collections::HashSet;

    #[test]
    fn weights_in_the_program_can_be_read_and_are_of_their_variant() {
        for variant in VariantId::ALL {
            let Some(bytes) = fitted(variant).weights else {
                assert!(variant.may_lack_data(), "{variant} has no weights");
                continue;
            };
            let learned = Learned::from_bytes(bytes);
            assert_eq!(learned.map(|learned| learned.variant()).ok(), Some(variant));
        }
    }

    #[test]
    fn the_terms_of_an_explanation_add_up() {
        let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(3);
        for variant in VariantId::ALL {
            let positions = crate::eval::learned::random_positions(variant, 300, &mut random);
            for kind in [EvaluationKind::Learned, EvaluationKind::HandMade] {
                let mut values = HashSet::new();
                for position in &positions {
                    let (terms, total) = explain(kind, variant, position);
                    let sum: f64 = terms.iter().map(|term| term.centi).sum();
                    // Whole centi-men lose less than one in each of two divisions.
                    let total = f64::from(total.centi());
                    assert!((sum - total).abs() < 2.0, "{variant} {kind}: {total}, not {terms:?}");
                    values.insert(total as i32);
                }
                assert!(values.len() > 50, "{variant} {kind}: {values:?}");
            }
        }
    }

    #[test]
    fn a_variant_without_a_row_plays_with_the_hand_made_evaluation() {
        for objective in [Objective::Win, Objective::Lose, Objective::Crown] {
            let fitted = Fitted::typical(objective);
            assert!(matches!(Evaluation::of(&fitted), Evaluation::HandMade));
            assert!(fitted.handmade_scale > 1.0);
            let chances = fitted.chances.chances(1.0, 0.5);
            assert!(chances.win > chances.loss && chances.draw >= 0.0, "{chances:?}");
        }
    }
}
