//! The features of the hand-made evaluation, counted on a board by hand.

use kroon::eval::{EvaluationKind, explain};
use kroon::notation::fen;
use kroon::rules::VariantId;

/// The features that are not 0 for both sides, White's count first, and the total.
fn counts(text: &str) -> (Vec<(&'static str, [i32; 2])>, i32) {
    let variant = VariantId::International;
    let game = fen::game_from_fen(variant, text).unwrap();
    let (terms, total) = explain(EvaluationKind::HandMade, variant, game.position());
    let terms = terms.into_iter().filter_map(|term| Some((term.name, term.count?)));
    (terms.filter(|&(name, count)| count != [0, 0] && name != "to move").collect(), total.centi())
}

#[test]
fn what_is_counted() {
    let (men, total) = counts("W:W17,43,48:B24,34");
    assert_eq!(
        men,
        [
            ("men", [3, 2]),
            ("advancement", [7, 10]),
            ("back row", [1, 0]),
            ("compactness", [1, 0]),
            ("imbalance", [0, 1]),
            ("safe moves", [4, 3]),
            ("unsafe moves", [1, 1]),
            ("runaway men", [36, 0]),
        ]
    );
    assert_eq!(total, 169);
    let (kings, total) = counts("W:W32,K46:B9,K5");
    assert_eq!(
        kings,
        [
            ("men", [1, 1]),
            ("first king", [1, 1]),
            ("advancement", [3, 1]),
            ("centre", [1, 0]),
            ("safe moves", [2, 2]),
            ("king moves", [2, 5]),
        ]
    );
    assert_eq!(total, 3);
}
