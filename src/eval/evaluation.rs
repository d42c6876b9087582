//! Which evaluation plays: the learned one or the hand-made one.

use super::{Evaluator, HandMade, Learned, Term};
use crate::board::Position;
use crate::rules::{Variant, VariantId};
use crate::score::Score;
use crate::words::words;
use std::sync::{Arc, OnceLock};

/// Which evaluation is to judge positions.
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

/// The weights in the program, as files of `kroon train`.
const fn embedded(variant: VariantId) -> &'static [u8] {
    match variant {
        VariantId::International => include_bytes!("data/international.weights"),
        VariantId::Killer => include_bytes!("data/killer.weights"),
        VariantId::Breakthrough => include_bytes!("data/breakthrough.weights"),
        VariantId::Losing => include_bytes!("data/losing.weights"),
        VariantId::Frisian => include_bytes!("data/frisian.weights"),
        VariantId::Frysk => include_bytes!("data/frysk.weights"),
        VariantId::English => include_bytes!("data/english.weights"),
        VariantId::Pool => include_bytes!("data/pool.weights"),
        VariantId::Russian => include_bytes!("data/russian.weights"),
        VariantId::Brazilian => include_bytes!("data/brazilian.weights"),
        VariantId::Czech => include_bytes!("data/czech.weights"),
        VariantId::Italian => include_bytes!("data/italian.weights"),
        VariantId::Spanish => include_bytes!("data/spanish.weights"),
        VariantId::Portuguese => include_bytes!("data/portuguese.weights"),
        VariantId::Thai => include_bytes!("data/thai.weights"),
    }
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
        let read = || match Learned::from_bytes(embedded(variant)) {
            Ok(learned) => Evaluation::Learned(Arc::new(learned)),
            // invariant: what is in the program can be read (tested)
            Err(_) => Evaluation::HandMade,
        };
        EVALUATIONS[variant as usize].get_or_init(read).clone()
    }

    /// What tells this evaluation from others: `handmade`, or `learned` and the checksum of the weights.
    pub fn name(&self) -> String {
        match self {
            Evaluation::HandMade => EvaluationKind::HandMade.to_string(),
            Evaluation::Learned(learned) => format!("{} {}", EvaluationKind::Learned, learned.checksum()),
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_the_program_can_be_read() {
        for variant in VariantId::ALL {
            let learned = Learned::from_bytes(embedded(variant));
            assert_eq!(learned.map(|learned| learned.variant()).ok(), Some(variant));
        }
    }
}
