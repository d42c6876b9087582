//! Static evaluation: one trait, a hand-made and a learned implementation, and what a score means as chances; and the
//! policy, which says how likely moves are to be best.
//!
//! The search is generic over [`Evaluator`] and compiled for each.

mod eval_file;
mod evaluation;
mod features;
mod fitted;
mod handmade;
pub mod learned;
pub mod policy;
pub mod wdl;
mod weights;

use crate::board::Position;
use crate::for_variant;
use crate::rules::{Variant, VariantId};
use crate::score::Score;

pub use eval_file::{EvalFile, EvalFileError};
pub use evaluation::{Evaluation, EvaluationKind};
pub use features::Feature;
pub use handmade::HandMade;
pub use learned::{Learned, WeightsError};

/// Evaluates positions of one variant.
pub trait Evaluator<V: Variant>: Send + Sync {
    /// What a thread keeps from one evaluation to the next, so that it need not begin anew each time. It changes the
    /// speed, never a value. One memory serves one evaluator.
    type Memory: Default + Send;

    /// The value for the side to move, inside the ordinary range of [`Score`]. Positions that are few moves apart are
    /// fastest in turn; `ply` says how many moves this one is away from the root of the search.
    ///
    /// The search asks for positions without a pending capture of the side to move, but for the root and lines that are too long.
    /// Values of other positions mean little.
    fn evaluate_with(&self, memory: &mut Self::Memory, position: &Position, ply: usize) -> Score;

    /// A value that is found at once and seldom far from that of [`Evaluator::evaluate_with`], if there is one: enough to know on
    /// which side of a distant bound that one lies.
    #[inline(always)]
    fn rough(&self, position: &Position) -> Option<Score> {
        let _ = position;
        None
    }

    /// This position will perhaps be asked for soon.
    #[inline(always)]
    fn expect(&self, memory: &Self::Memory, position: &Position) {
        let _ = (memory, position);
    }

    /// The value of a single position.
    fn evaluate(&self, position: &Position) -> Score {
        self.evaluate_with(&mut Self::Memory::default(), position, 0)
    }
}

/// One line of an explained evaluation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Term {
    /// The feature's name.
    pub name: &'static str,
    /// How much of it White and Black have (squares, men, moves: the feature's own unit); none where a term belongs to
    /// the position as a whole.
    pub count: Option<[i32; 2]>,
    /// What the difference is worth to White, in centi-men.
    pub centi: f64,
}

/// What an evaluation says of a position in named terms, from White's view, and their total.
///
/// ```
/// use kroon::eval::{EvaluationKind, explain};
/// use kroon::{rules::VariantId, game::Game};
/// let game = Game::new(VariantId::International);
/// let (terms, total) = explain(EvaluationKind::Learned, VariantId::International, game.position());
/// assert!(terms.iter().any(|t| t.name == "men" && t.count == Some([20, 20])));
/// assert!(total.centi().abs() < 50);
/// ```
pub fn explain(kind: EvaluationKind, variant: VariantId, position: &Position) -> (Vec<Term>, Score) {
    for_variant!(variant, V => kind.evaluation(variant).explain::<V>(position))
}
