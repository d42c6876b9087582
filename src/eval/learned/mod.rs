//! The learned evaluation: material, corrected by a small neural network.

mod accumulator;
pub mod blocks;
mod file;
mod memory;
pub mod net;

use super::policy::Policy;
use super::{Evaluator, HandMade, Term};
use crate::board::{Color, Position};
use crate::rules::{Objective, Variant, VariantId};
use crate::score::Score;
use net::Net;

pub use accumulator::Accumulator;
pub use file::WeightsError;
pub use memory::Memory;

/// Parts of a centi-man in which the network counts.
pub const PARTS: i32 = 16;

/// What was learned for one variant.
#[derive(Clone, PartialEq, Eq)]
pub struct Learned {
    variant: VariantId,
    net: Net,
    /// Centi-men for which the odds of winning are e to 1, draws counting half.
    scale: u16,
    /// Which moves searches choose, if that was learned too.
    policy: Option<Policy>,
}

impl std::fmt::Debug for Learned {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Learned {{ {}, {} }}", self.variant, self.checksum())
    }
}

impl Learned {
    /// A network as it comes from fitting.
    pub fn new(variant: VariantId, net: Net, scale: u16) -> Learned {
        Learned { variant, net, scale, policy: None }
    }

    /// The same with a policy in place of its own.
    pub fn with_policy(self, policy: Policy) -> Learned {
        Learned { policy: Some(policy), ..self }
    }

    /// These weights with the mean of their network and that of `start`, of which it has this share.
    #[must_use]
    pub fn with_share_of(self, start: &Learned, share: f32) -> Learned {
        Learned { net: start.net.mean(&self.net, share), ..self }
    }

    /// The network.
    pub fn net(&self) -> &Net {
        &self.net
    }

    /// Which moves searches choose, if that was learned too.
    pub fn policy(&self) -> Option<&Policy> {
        self.policy.as_ref()
    }

    /// Centi-men for which the odds of winning are e to 1, draws counting half: what values are meant to say.
    pub fn scale(&self) -> u16 {
        self.scale
    }

    /// The variant that it is for.
    pub fn variant(&self) -> VariantId {
        self.variant
    }

    /// Makes room for a ply.
    #[cold]
    #[inline(never)]
    fn make_room(&self, sums: &mut Vec<Accumulator>, ply: usize) {
        sums.resize(ply + 1, Accumulator::new(&self.net));
    }
}

/// What is counted before the network is asked, in centi-men, for the side to move. The network learns the rest; where
/// it has seen little, this still stands.
#[inline(always)]
pub fn material<V: Variant>(position: &Position) -> i32 {
    let white = HandMade::material::<V>(position);
    if position.turn() == Color::White { white } else { -white }
}

impl<V: Variant> Evaluator<V> for Learned {
    type Memory = Memory;

    #[inline]
    fn evaluate_with(&self, memory: &mut Memory, position: &Position, ply: usize) -> Score {
        if let Some(value) = memory.known(position.key()) {
            return value;
        }
        if memory.sums.len() <= ply {
            self.make_room(&mut memory.sums, ply);
        }
        let (before, sums) = memory.sums.split_at_mut(ply);
        let parts = self.net.value::<V>(before.last(), &mut sums[0], position);
        let value = Score::evaluation(material::<V>(position) + parts / PARTS);
        memory.remember(position.key(), value);
        value
    }

    /// The material. Where the side without moves wins, it says nothing: there the network is asked for everything.
    #[inline(always)]
    fn rough(&self, position: &Position) -> Option<Score> {
        let is_telling = const { !matches!(V::RULES.objective, Objective::Lose) };
        is_telling.then(|| Score::evaluation(material::<V>(position)))
    }

    #[inline(always)]
    fn expect(&self, memory: &Memory, position: &Position) {
        memory.prefetch(position.key());
    }
}

impl Learned {
    /// The evaluation in a few terms, from White's view, and its total. A piece of the network alone means nothing, so
    /// what it says of the whole position is one term.
    pub fn explain<V: Variant>(&self, position: &Position) -> (Vec<Term>, Score) {
        let (mut terms, counted) = HandMade.explain_material::<V>(position);
        let score = Evaluator::<V>::evaluate(self, position);
        let score = if position.turn() == Color::White { score } else { -score };
        let rest = f64::from(score.centi() - counted);
        terms.push(Term { name: "network", count: None, centi: rest });
        (terms, score)
    }
}

/// Positions of games of random moves.
#[cfg(test)]
pub(super) fn random_positions(
    variant: VariantId,
    count: usize,
    random: &mut impl rand::Rng,
) -> Vec<Position> {
    use crate::rules::{legal_moves, play};
    use rand::RngExt;
    let rules = variant.rules();
    let start = rules.position(&rules.start()).unwrap();
    let (mut position, mut positions) = (start, vec![start]);
    while positions.len() < count {
        let moves = legal_moves(variant, &position);
        position = match moves.len() {
            0 => start,
            count => {
                crate::for_variant!(variant, V => play::<V>(&position, moves[random.random_range(0..count)]))
            }
        };
        positions.push(position);
    }
    positions
}
