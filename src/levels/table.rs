//! The skills of the levels, as measured (`src/train/EXPERIMENTS.md`, "Strength levels").

use crate::rules::VariantId;

/// The highest level.
pub const MOST: u8 = 20;
/// From this level on nothing that could be taken at once is overlooked.
pub const MIDDLE: u8 = 10;

/// The skills of the levels 1 to 20.
type Ladder = [f64; MOST as usize];

/// International draughts, and all others on 100 squares.
const LARGE: Ladder = [
    1.00, 2.42, 3.20, 3.73, 4.25, 4.73, 5.17, 5.64, 6.19, 6.75, 7.27, 7.90, 8.64, 9.56, 10.61, 11.60, 12.84,
    14.42, 16.84, 20.20,
];

/// English draughts, and all others on 64 squares.
const SMALL: Ladder = [
    0.00, 2.32, 2.76, 3.18, 3.59, 4.01, 4.33, 4.70, 5.12, 5.58, 6.13, 6.77, 7.71, 9.11, 10.73, 11.59, 12.58,
    13.98, 16.31, 20.20,
];

/// The skill of a level, 1 to [`MOST`]; others count as the nearest of these.
///
/// ```
/// use kroon::levels::{MOST, skill};
/// use kroon::rules::VariantId::English;
/// assert!((1..MOST).all(|level| skill(English, level) < skill(English, level + 1)));
/// ```
pub fn skill(variant: VariantId, level: u8) -> f64 {
    let ladder = if variant.rules().board.side() == 10 { &LARGE } else { &SMALL };
    ladder[usize::from(level.clamp(1, MOST)) - 1]
}
