//! The weights of the hand-made evaluation: centi-men for each unit of a feature, with all men on the board and with
//! none; in between they are interpolated by the number of men.

use super::features::Feature;
use crate::rules::{KingLanding, Objective, Rules};

/// Weights by feature: `[opening, ending]`.
pub type FeatureWeights = [[i32; 2]; Feature::COUNT];

const INTERNATIONAL: FeatureWeights = [
    [100, 100], // men
    [240, 260], // first king
    [180, 180], // more kings
    [0, 4],     // advancement
    [3, 2],     // centre
    [-3, -1],   // edge
    [3, 2],     // back row
    [2, 2],     // compactness
    [-3, -2],   // imbalance
    [4, 3],     // safe moves
    [1, 0],     // unsafe moves
    [1, 1],     // king moves
    [1, 2],     // runaway men
];

const ENGLISH: FeatureWeights = [
    [100, 100], // men
    [140, 135], // first king
    [130, 130], // more kings
    [1, 3],     // advancement
    [3, 3],     // centre
    [-2, -2],   // edge
    [5, 2],     // back row
    [2, 1],     // compactness
    [-1, -1],   // imbalance
    [3, 3],     // safe moves
    [0, 0],     // unsafe moves
    [3, 3],     // king moves
    [1, 1],     // runaway men
];

/// Flying kings on the small board; men capture backward.
const RUSSIAN: FeatureWeights = [
    [100, 100], // men
    [220, 240], // first king
    [180, 180], // more kings
    [1, 4],     // advancement
    [4, 2],     // centre
    [-3, -1],   // edge
    [4, 2],     // back row
    [2, 1],     // compactness
    [-2, -1],   // imbalance
    [4, 3],     // safe moves
    [1, 0],     // unsafe moves
    [2, 2],     // king moves
    [1, 2],     // runaway men
];

/// Flying kings, men that only look forward.
const SPANISH: FeatureWeights = [
    [100, 100], // men
    [240, 260], // first king
    [200, 200], // more kings
    [1, 5],     // advancement
    [3, 2],     // centre
    [-2, -1],   // edge
    [5, 2],     // back row
    [2, 1],     // compactness
    [-2, -1],   // imbalance
    [4, 3],     // safe moves
    [0, 0],     // unsafe moves
    [2, 2],     // king moves
    [2, 3],     // runaway men
];

/// Any piece may be taken from eight sides: kings are worth little more than two men, and the features that judge
/// whether a man is safe see only half of the truth.
const FRISIAN: FeatureWeights = [
    [100, 100], // men
    [250, 300], // first king
    [200, 230], // more kings
    [1, 5],     // advancement
    [2, 1],     // centre
    [0, 0],     // edge
    [1, 0],     // back row
    [1, 1],     // compactness
    [-2, -1],   // imbalance
    [1, 1],     // safe moves
    [0, 0],     // unsafe moves
    [1, 1],     // king moves
    [1, 3],     // runaway men
];

/// A race: a man is worth what it is near to the goal, and material keeps the opponent's men back.
const BREAKTHROUGH: FeatureWeights = [
    [100, 100], // men
    [0, 0],     // first king
    [0, 0],     // more kings
    [1, 6],     // advancement
    [2, 2],     // centre
    [-2, -1],   // edge
    [8, 12],    // back row
    [2, 2],     // compactness
    [-3, -2],   // imbalance
    [3, 3],     // safe moves
    [0, 0],     // unsafe moves
    [0, 0],     // king moves
    [8, 20],    // runaway men
];

/// Pieces are a burden. A king is a strong piece for its side, though: it can offer itself almost anywhere, and it is
/// not easily blocked; but alone it is hard to get rid of.
const LOSING: FeatureWeights = [
    [-100, -100], // men
    [-40, -160],  // first king
    [-90, -130],  // more kings
    [1, 2],       // advancement
    [1, 0],       // centre
    [0, 0],       // edge
    [-2, -2],     // back row
    [0, 0],       // compactness
    [-1, 0],      // imbalance
    [2, 3],       // safe moves
    [3, 5],       // unsafe moves
    [1, 1],       // king moves
    [0, 0],       // runaway men
];

/// The weights for these rules.
pub const fn weights(rules: &Rules) -> &'static FeatureWeights {
    match rules.objective {
        Objective::Lose => &LOSING,
        Objective::Crown => &BREAKTHROUGH,
        Objective::Win if rules.orthogonal_captures => &FRISIAN,
        Objective::Win if !rules.flying_kings => &ENGLISH,
        Objective::Win if rules.board.side() > 8 => &INTERNATIONAL,
        Objective::Win if rules.men_capture_backward => &RUSSIAN,
        Objective::Win => &SPANISH,
    }
}

/// The most pieces against which a lone king still holds the draw, as a rule; 0 where kings are caught easily or
/// where holding on is not the point.
pub const fn lone_king_holds(rules: &Rules) -> i32 {
    match rules.objective {
        Objective::Lose | Objective::Crown => 0,
        Objective::Win if !rules.flying_kings => 0,
        // Kings that must stop behind their victim are caught by few.
        Objective::Win if !matches!(rules.king_landing, KingLanding::AnyFree) => 1,
        Objective::Win if rules.board.side() > 8 && !rules.orthogonal_captures => 3,
        Objective::Win => 2,
    }
}

/// Centi-men for having the move.
pub const TEMPO: i32 = 3;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::VariantId::{self, *};

    /// The learned weights were fitted on top of the material that these tables count.
    #[test]
    fn each_variant_has_the_weights_of_its_family() {
        let families: [(&FeatureWeights, i32, &[VariantId]); 9] = [
            (&INTERNATIONAL, 3, &[International]),
            (&INTERNATIONAL, 1, &[Killer]),
            (&BREAKTHROUGH, 0, &[Breakthrough]),
            (&LOSING, 0, &[Losing]),
            (&FRISIAN, 2, &[Frisian, Frysk]),
            (&ENGLISH, 0, &[English, Italian]),
            (&RUSSIAN, 2, &[Pool, Russian, Brazilian]),
            (&SPANISH, 2, &[Czech, Spanish, Portuguese]),
            (&SPANISH, 1, &[Thai]),
        ];
        for (expected, holds, variants) in families {
            for variant in variants {
                let rules = variant.rules();
                assert_eq!((weights(rules), lone_king_holds(rules)), (expected, holds), "{variant}");
            }
        }
    }
}
