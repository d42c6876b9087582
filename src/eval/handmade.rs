//! The hand-made evaluation: a weighted sum of features, scaled towards a draw where the material hardly wins.

use super::features::{Feature, FeatureCounts, count};
use super::fitted::fitted;
use super::weights::{TEMPO, lone_king_holds, weights};
use super::{Evaluator, Term};
use crate::board::{Color, Position};
use crate::rules::{Variant, VariantId};
use crate::score::Score;

/// Weighted features; see [`Feature`] for what they are.
#[derive(Clone, Copy, Debug, Default)]
pub struct HandMade;

/// A score is a share of this many parts.
const WHOLE: i32 = 16;

impl<V: Variant> Evaluator<V> for HandMade {
    type Memory = ();

    #[inline]
    fn evaluate_with(&self, (): &mut (), position: &Position, _: usize) -> Score {
        let [white, black] = count::<V>(position);
        let (opening, ending) = (0..Feature::COUNT).fold((0, 0), |(opening, ending), i| {
            let weight = const { weights(&V::RULES) }[i];
            let difference = white[i] - black[i];
            (opening + weight[0] * difference, ending + weight[1] * difference)
        });
        let phase = phase::<V>(&white, &black);
        let mut centi = (opening * phase + ending * (WHOLE - phase)) / WHOLE;
        if position.kings().any() {
            centi = centi * draw_scale::<V>(&white, &black, centi) / WHOLE;
        }
        let tempo = if position.turn() == Color::White { TEMPO } else { -TEMPO };
        let score = Score::evaluation(centi + tempo);
        if position.turn() == Color::White { score } else { -score }
    }
}

/// The features that are material.
const MATERIAL: [Feature; 3] = [Feature::Men, Feature::FirstKing, Feature::MoreKings];

impl HandMade {
    /// Centi-men for which the odds of winning are e to 1, draws counting half; the sister of
    /// [`Learned::scale`](super::Learned::scale).
    pub const fn scale(variant: VariantId) -> f64 {
        fitted(variant).handmade_scale
    }

    /// The value of the material alone for White, in centi-men.
    ///
    /// The learned evaluation is what it was learned upon: whoever changes this, or the scale towards a draw, must
    /// fit all weights anew.
    #[inline(always)]
    pub fn material<V: Variant>(position: &Position) -> i32 {
        if position.kings().is_empty() {
            // The same in fewer steps: it is asked at every leaf.
            let [white, black] = [Color::White, Color::Black].map(|color| position.side(color).len() as i32);
            let phase = phase_of::<V>(white + black);
            let [opening, ending] = const { weights(&V::RULES)[Feature::Men as usize] };
            return (white - black) * (opening * phase + ending * (WHOLE - phase)) / WHOLE;
        }
        Self::material_with_kings::<V>(position)
    }

    /// The same, also where there are kings.
    #[inline(never)]
    fn material_with_kings<V: Variant>(position: &Position) -> i32 {
        let [white, black] = [Color::White, Color::Black].map(|color| material_of(position, color));
        let phase = phase::<V>(&white, &black);
        let sum = MATERIAL.iter().fold(0, |sum, &feature| {
            let [opening, ending] = const { weights(&V::RULES) }[feature as usize];
            let difference = white[feature as usize] - black[feature as usize];
            sum + difference * (opening * phase + ending * (WHOLE - phase))
        });
        let centi = sum / WHOLE;
        if position.kings().any() { centi * draw_scale::<V>(&white, &black, centi) / WHOLE } else { centi }
    }

    /// The material term by term, from White's view, and its total as [`HandMade::material`] gives it.
    pub fn explain_material<V: Variant>(&self, position: &Position) -> (Vec<Term>, i32) {
        let [white, black] = [Color::White, Color::Black].map(|color| material_of(position, color));
        let phase = phase::<V>(&white, &black);
        let mut terms: Vec<Term> = MATERIAL.iter().map(|&i| term::<V>(i, [&white, &black], phase)).collect();
        let total = HandMade::material::<V>(position);
        let lost = f64::from(total) - terms.iter().map(|term| term.centi).sum::<f64>();
        if position.kings().any() {
            terms.push(Term { name: "scale to draw", count: None, centi: lost });
        }
        (terms, total)
    }

    /// The evaluation term by term, from White's view, and its total as [`Evaluator::evaluate`] gives it (for White).
    pub fn explain<V: Variant>(&self, position: &Position) -> (Vec<Term>, Score) {
        let [white, black] = count::<V>(position);
        let phase = phase::<V>(&white, &black);
        let mut terms: Vec<Term> =
            Feature::ALL.iter().map(|&feature| term::<V>(feature, [&white, &black], phase)).collect();
        let sum: f64 = terms.iter().map(|t| t.centi).sum();
        if position.kings().any() {
            let scale = draw_scale::<V>(&white, &black, sum as i32);
            let lost = sum * (f64::from(scale) / f64::from(WHOLE) - 1.0);
            terms.push(Term { name: "scale to draw", count: None, centi: lost });
        }
        let mover = [Color::White, Color::Black].map(|c| i32::from(c == position.turn()));
        let centi = f64::from((mover[0] - mover[1]) * TEMPO);
        terms.push(Term { name: "to move", count: Some(mover), centi });
        let score = Evaluator::<V>::evaluate(self, position);
        (terms, if position.turn() == Color::White { score } else { -score })
    }
}

/// The material of a side; everything else is 0.
#[inline(always)]
fn material_of(position: &Position, color: Color) -> FeatureCounts {
    let mut counts = FeatureCounts::default();
    let kings = position.kings_of(color).len() as i32;
    counts[Feature::Men as usize] = position.men(color).len() as i32;
    counts[Feature::FirstKing as usize] = kings.min(1);
    counts[Feature::MoreKings as usize] = (kings - 1).max(0);
    counts
}

/// A feature in words and numbers.
fn term<V: Variant>(feature: Feature, counts: [&FeatureCounts; 2], phase: i32) -> Term {
    let i = feature as usize;
    let [opening, ending] = weights(&V::RULES)[i];
    let weight = f64::from(opening * phase + ending * (WHOLE - phase)) / f64::from(WHOLE);
    let count = counts.map(|counts| counts[i]);
    Term { name: Feature::NAMES[i], count: Some(count), centi: weight * f64::from(count[0] - count[1]) }
}

/// [`WHOLE`] with all men on the board, 0 with none.
#[inline(always)]
fn phase<V: Variant>(white: &FeatureCounts, black: &FeatureCounts) -> i32 {
    phase_of::<V>(white[Feature::Men as usize] + black[Feature::Men as usize])
}

/// The same from the number of men.
#[inline(always)]
fn phase_of<V: Variant>(men: i32) -> i32 {
    men * WHOLE / const { 2 * V::RULES.most_pieces() as i32 }
}

/// How much of an advantage (`centi`, White's view) can be turned into a win, in parts of [`WHOLE`].
///
/// Flying kings are hard to catch: a side with a king holds against a few pieces, and kings on both sides draw more
/// than men do. Short kings are caught by two, so nothing is scaled there.
fn draw_scale<V: Variant>(white: &FeatureCounts, black: &FeatureCounts, centi: i32) -> i32 {
    let holds = const { lone_king_holds(&V::RULES) };
    if holds == 0 {
        return WHOLE;
    }
    let pieces = |c: &FeatureCounts| kings(c) + c[Feature::Men as usize];
    let (strong, weak) = if centi >= 0 { (white, black) } else { (black, white) };
    if kings(weak) == 0 {
        return WHOLE;
    }
    let surplus = pieces(strong) - pieces(weak);
    match surplus {
        _ if pieces(strong) <= holds => 2,
        ..=0 => WHOLE / 2,
        1 if holds > 1 => WHOLE * 5 / 16,
        2 if holds > 2 => WHOLE / 2,
        _ => WHOLE,
    }
}

#[inline(always)]
fn kings(counts: &FeatureCounts) -> i32 {
    counts[Feature::FirstKing as usize] + counts[Feature::MoreKings as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::for_variant;
    use rand::SeedableRng;

    #[test]
    fn material_without_kings_is_that_with_none() {
        let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(5);
        for variant in VariantId::ALL {
            let positions = crate::eval::learned::random_positions(variant, 2_000, &mut random);
            let of_men = positions.iter().filter(|position| position.kings().is_empty());
            let mut values = std::collections::HashSet::new();
            for position in of_men {
                let [value, slow] = for_variant!(variant, V => [
                    HandMade::material::<V>(position),
                    HandMade::material_with_kings::<V>(position),
                ]);
                assert_eq!(value, slow, "{variant:?} {position:?}");
                values.insert(value);
            }
            assert!(values.len() > 3, "{variant:?} {values:?}");
        }
    }
}
