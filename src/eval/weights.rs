//! The weights of the hand-made evaluation: centi-men for each unit of a feature, at the start of the game and when
//! the board is nearly empty; between them the weight follows the number of men.

use super::features::Feature;
use crate::rules::VariantId;

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

/// The weights of a variant.
pub const fn weights(variant: VariantId) -> &'static FeatureWeights {
    match variant {
        VariantId::International | VariantId::Killer => &INTERNATIONAL,
        VariantId::Breakthrough => &BREAKTHROUGH,
        VariantId::Losing => &LOSING,
        VariantId::Frisian | VariantId::Frysk => &FRISIAN,
        VariantId::English | VariantId::Italian => &ENGLISH,
        VariantId::Pool | VariantId::Russian | VariantId::Brazilian => &RUSSIAN,
        VariantId::Czech | VariantId::Spanish | VariantId::Portuguese | VariantId::Thai => &SPANISH,
    }
}

/// The most pieces against which a lone king still holds the draw, as a rule; 0 where kings are caught easily or
/// where holding on is not the point.
pub const fn lone_king_holds(variant: VariantId) -> i32 {
    match variant {
        VariantId::International => 3,
        VariantId::Frisian | VariantId::Frysk => 2,
        VariantId::Pool | VariantId::Russian | VariantId::Brazilian => 2,
        VariantId::Czech | VariantId::Spanish | VariantId::Portuguese => 2,
        VariantId::Killer | VariantId::Thai => 1,
        VariantId::English | VariantId::Italian | VariantId::Breakthrough | VariantId::Losing => 0,
    }
}

/// Centi-men for having the move.
pub const TEMPO: i32 = 3;
