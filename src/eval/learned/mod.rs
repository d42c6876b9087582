//! The learned evaluation: pattern tables and a few features, linear, in phases; with few pieces a small network
//! corrects them.

mod file;
pub mod inputs;
pub mod net;
pub mod pattern;
pub mod phase;

use super::handmade::draw_scale;
use super::{Evaluator, Term};
use crate::board::{Color, Position};
use crate::eval::features::{self, Feature};
use crate::rules::{Variant, VariantId};
use crate::score::Score;
use inputs::{EXTRA, each_placement};
use net::Net;
use phase::{PHASES, Phase, Weight};

pub use file::WeightsError;

/// Parts of a centi-man in which weights are counted.
pub const PARTS: i32 = 16;

/// Weights of one variant.
#[derive(Clone, PartialEq, Eq)]
pub struct Learned {
    variant: VariantId,
    /// All pattern tables, one after another.
    tables: Box<[Weight]>,
    extra: [Weight; EXTRA.len()],
    /// For having the move.
    tempo: Weight,
    /// Added where there are few pieces.
    net: Net,
    /// Centi-men for which the odds of winning are e to 1, draws counting half.
    scale: u16,
}

impl std::fmt::Debug for Learned {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Learned {{ {}, {} weights }}", self.variant, PHASES * self.tables.len())
    }
}

impl Learned {
    /// Weights as they come from fitting.
    ///
    /// # Panics
    /// When the tables have not the size that the variant's patterns ask for.
    pub fn new(
        variant: VariantId,
        tables: Box<[Weight]>,
        extra: [Weight; EXTRA.len()],
        tempo: Weight,
        net: Net,
        scale: u16,
    ) -> Learned {
        assert_eq!(tables.len(), table_size(variant));
        Learned { variant, tables, extra, tempo, net, scale }
    }

    /// Centi-men for which the odds of winning are e to 1, draws counting half: what values are meant to say.
    pub fn scale(&self) -> u16 {
        self.scale
    }

    /// The variant that they are for.
    pub fn variant(&self) -> VariantId {
        self.variant
    }

    /// The sums of the two phases that count for White, in [`PARTS`] of a centi-man, without the move and the draw scale.
    #[inline(always)]
    fn sums<V: Variant>(
        &self,
        position: &Position,
        counts: &[features::Counts; 2],
        phase: Phase,
    ) -> [i32; 2] {
        let mut sums = [0; 2];
        each_placement::<V>(position.men(Color::White), position.men(Color::Black), |_, [own, other]| {
            let own = phase.pair(&self.tables[own as usize]);
            let other = phase.pair(&self.tables[other as usize]);
            sums[0] += own[0] - other[0];
            sums[1] += own[1] - other[1];
        });
        for (feature, weight) in EXTRA.iter().zip(&self.extra) {
            let difference = counts[0][*feature as usize] - counts[1][*feature as usize];
            let weight = phase.pair(weight);
            sums[0] += difference * weight[0];
            sums[1] += difference * weight[1];
        }
        sums
    }
}

/// How much of an advantage counts with this material (men and kings of White and Black); `sum` is its sign for White.
pub fn draw_share<V: Variant>(material: [(u8, u8); 2], sum: i32) -> f32 {
    if material[0].1 + material[1].1 == 0 {
        return 1.0;
    }
    let counts = material.map(|(men, kings)| {
        let mut counts = features::Counts::default();
        counts[Feature::Men as usize] = men.into();
        counts[Feature::FirstKing as usize] = kings.into();
        counts
    });
    draw_scale::<V>(&counts[0], &counts[1], sum) as f32 / 16.0
}

/// Weights in the pattern tables of a variant.
pub fn table_size(variant: VariantId) -> usize {
    crate::for_variant!(variant, V => inputs::offsets::<V>()[pattern::MOST_PATTERNS] as usize)
}

/// The phase of a position whose features are these.
#[inline(always)]
fn phase_of<V: Variant>(counts: &[features::Counts; 2]) -> Phase {
    Phase::of::<V>(counts[0][Feature::Men as usize] + counts[1][Feature::Men as usize])
}

impl Learned {
    /// What the network adds for the side to move, in [`PARTS`] of a centi-man; nothing with many pieces.
    #[inline(always)]
    fn correction<V: Variant>(&self, position: &Position) -> i32 {
        let pieces = position.occupied().len();
        if pieces <= const { net::most_pieces(&V::RULES) } {
            self.net.value::<V>(position, pieces)
        } else {
            0
        }
    }
}

impl<V: Variant> Evaluator<V> for Learned {
    #[inline]
    fn evaluate(&self, position: &Position) -> Score {
        let counts = features::count::<V>(position);
        let phase = phase_of::<V>(&counts);
        let mut parts = phase.between::<V>(self.sums::<V>(position, &counts, phase));
        if position.kings().any() {
            parts = parts * draw_scale::<V>(&counts[0], &counts[1], parts) / 16;
        }
        let tempo = phase.between::<V>(phase.pair(&self.tempo));
        let own = if position.turn() == Color::White { parts } else { -parts };
        Score::evaluation((own + tempo + self.correction::<V>(position)) / PARTS)
    }
}

impl Learned {
    /// The evaluation in a few terms, from White's view, and its total.
    pub fn explain<V: Variant>(&self, position: &Position) -> (Vec<Term>, Score) {
        let counts = features::count::<V>(position);
        let phase = phase_of::<V>(&counts);
        let centi = |sums: [i32; 2]| f64::from(phase.between::<V>(sums)) / f64::from(PARTS);
        let mut terms = Vec::new();
        let mut sum = [0; 2];
        for (feature, weight) in EXTRA.iter().zip(&self.extra) {
            let count = [counts[0][*feature as usize], counts[1][*feature as usize]];
            let part = phase.pair(weight).map(|weight| (count[0] - count[1]) * weight);
            sum = [sum[0] + part[0], sum[1] + part[1]];
            terms.push(Term {
                name: Feature::NAMES[*feature as usize],
                count: Some(count),
                centi: centi(part),
            });
        }
        let all = self.sums::<V>(position, &counts, phase);
        let patterns = [all[0] - sum[0], all[1] - sum[1]];
        terms.insert(0, Term { name: "patterns of men", count: None, centi: centi(patterns) });
        let score = Evaluator::<V>::evaluate(self, position);
        let score = if position.turn() == Color::White { score } else { -score };
        let mover = [Color::White, Color::Black].map(|c| i32::from(c == position.turn()));
        let tempo = f64::from(mover[0] - mover[1]) * centi(phase.pair(&self.tempo));
        terms.push(Term { name: "to move", count: Some(mover), centi: tempo });
        let correction = self.correction::<V>(position);
        let correction = f64::from(if position.turn() == Color::White { correction } else { -correction });
        let correction = correction / f64::from(PARTS);
        if correction != 0.0 {
            terms.push(Term { name: "few pieces", count: None, centi: correction });
        }
        let listed: f64 = terms.iter().map(|term| term.centi).sum();
        if position.kings().any() {
            let lost = f64::from(score.centi()) - listed;
            terms.push(Term { name: "scale to draw", count: None, centi: lost });
        }
        (terms, score)
    }
}
