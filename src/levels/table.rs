//! The skills of the levels, as measured (`src/train/EXPERIMENTS.md`, "Strength levels").

use crate::rules::VariantId;

/// The highest level.
pub const MOST: u8 = 20;

/// The skills of the levels 1 to 20.
type Ladder = [f64; MOST as usize];

/// International draughts, and all others on 100 squares.
const LARGE: Ladder = [
    1.00, 2.61, 3.20, 3.68, 4.15, 4.64, 5.12, 5.59, 6.08, 6.58, 7.20, 7.80, 8.64, 9.50, 10.63, 11.60, 12.92,
    14.36, 17.00, 19.70,
];

/// English draughts, and all others on 64 squares.
const SMALL: Ladder = [
    -2.00, 1.58, 2.47, 3.01, 3.42, 3.92, 4.41, 4.84, 5.26, 5.69, 6.18, 6.84, 7.73, 9.12, 10.50, 11.40, 12.85,
    14.60, 17.00, 19.70,
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
