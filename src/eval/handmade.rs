//! The hand-made evaluation: linear in the features, with a scale towards a draw where material cannot win.

use super::features::{Counts, Feature, count};
use super::weights::{TEMPO, lone_king_holds, weights};
use super::{Evaluator, Term};
use crate::board::{Color, Position};
use crate::rules::Variant;
use crate::score::Score;

/// Weighted features; see [`Feature`] for what they are.
#[derive(Clone, Copy, Debug, Default)]
pub struct HandMade;

/// A score is a share of this many parts.
const WHOLE: i32 = 16;

impl<V: Variant> Evaluator<V> for HandMade {
    #[inline]
    fn evaluate(&self, position: &Position) -> Score {
        let [white, black] = count::<V>(position);
        let (opening, ending) = (0..Feature::COUNT).fold((0, 0), |(opening, ending), i| {
            let weight = const { weights(V::ID) }[i];
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

impl HandMade {
    /// The evaluation term by term, from White's view, and its total as [`Evaluator::evaluate`] gives it (for White).
    pub fn explain<V: Variant>(&self, position: &Position) -> (Vec<Term>, Score) {
        let [white, black] = count::<V>(position);
        let phase = phase::<V>(&white, &black);
        let share = |value: f64| value / f64::from(WHOLE);
        let mut terms: Vec<Term> = (0..Feature::COUNT)
            .map(|i| {
                let [opening, ending] = weights(V::ID)[i];
                let weight = share(f64::from(opening * phase + ending * (WHOLE - phase)));
                Term {
                    name: Feature::NAMES[i],
                    count: Some([white[i], black[i]]),
                    centi: weight * f64::from(white[i] - black[i]),
                }
            })
            .collect();
        let sum: f64 = terms.iter().map(|t| t.centi).sum();
        if position.kings().any() {
            let scale = draw_scale::<V>(&white, &black, sum as i32);
            let lost = sum * (share(f64::from(scale)) - 1.0);
            terms.push(Term { name: "scale to draw", count: None, centi: lost });
        }
        let mover = [Color::White, Color::Black].map(|c| i32::from(c == position.turn()));
        let centi = f64::from((mover[0] - mover[1]) * TEMPO);
        terms.push(Term { name: "to move", count: Some(mover), centi });
        let score = Evaluator::<V>::evaluate(self, position);
        (terms, if position.turn() == Color::White { score } else { -score })
    }
}

/// [`WHOLE`] with all men on the board, 0 with none.
#[inline(always)]
fn phase<V: Variant>(white: &Counts, black: &Counts) -> i32 {
    let men = white[Feature::Men as usize] + black[Feature::Men as usize];
    men * WHOLE / (2 * V::RULES.most_pieces() as i32)
}

/// How much of an advantage (`centi`, White's view) can be turned into a win, in parts of [`WHOLE`].
///
/// Flying kings are hard to catch: a side with a king holds against a few pieces, and kings on both sides draw more
/// than men do. Short kings are caught by two, so nothing is scaled there.
pub(super) fn draw_scale<V: Variant>(white: &Counts, black: &Counts, centi: i32) -> i32 {
    let holds = const { lone_king_holds(V::ID) };
    if holds == 0 {
        return WHOLE;
    }
    let pieces = |c: &Counts| kings(c) + c[Feature::Men as usize];
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
fn kings(counts: &Counts) -> i32 {
    counts[Feature::FirstKing as usize] + counts[Feature::MoreKings as usize]
}
