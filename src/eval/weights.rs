//! The weights of the hand-made evaluation: centi-men for each unit of a feature, at the start of the game and when
//! the board is nearly empty; between them the weight follows the number of men.

use super::features::Feature;
use crate::rules::VariantId;

/// Weights by feature: `[opening, ending]`.
pub type Weights = [[i32; 2]; Feature::COUNT];

const INTERNATIONAL: Weights = [
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

const ENGLISH: Weights = [
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

/// The weights of a variant.
pub const fn weights(variant: VariantId) -> &'static Weights {
    match variant {
        VariantId::International => &INTERNATIONAL,
        VariantId::English => &ENGLISH,
    }
}

/// Centi-men for having the move.
pub const TEMPO: i32 = 3;
