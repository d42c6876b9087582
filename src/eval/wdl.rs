//! The chances to win, draw and lose that a score means.
//!
//! An ordinal logistic model (P. McCullagh, "Regression models for ordinal data", 1980): the odds of winning rise with
//! the score, and the band between winning and losing, the draw, grows as pieces leave the board: both nearly as one over
//! the number of pieces. `kroon dataset wdl` fits it to games of self-play, in which the search has noted its scores.

use super::fitted::fitted;
use crate::board::Position;
use crate::rules::VariantId;
use crate::score::Score;
use std::fmt;

/// Chances of the side to move; together 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Chances {
    /// To win.
    pub win: f64,
    /// To draw.
    pub draw: f64,
    /// To lose.
    pub loss: f64,
}

impl Chances {
    /// The expected result: a draw is one half.
    pub fn expected(&self) -> f64 {
        self.win + self.draw / 2.0
    }

    /// Win, draw, loss in thousandths that sum up to 1000.
    pub fn per_mille(&self) -> [u32; 3] {
        let win = (self.win * 1000.0).round() as u32;
        let loss = ((self.loss * 1000.0).round() as u32).min(1000 - win.min(1000));
        [win, 1000 - win - loss, loss]
    }
}

/// Thousandths, as `412/500/88`.
impl fmt::Display for Chances {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [win, draw, loss] = self.per_mille();
        write!(f, "{win}/{draw}/{loss}")
    }
}

/// The model of one variant. With `x` the number of all pieces over those on the board, less 1 (see [`thinness`]), and
/// `s` a score in men for the side to move, the odds of winning are
/// `exp((slope + slope_late x) s - (draw + draw_late x))` to 1, and those of losing the same for `-s`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WdlModel {
    /// Logarithm of the odds for each man, with all pieces on the board.
    pub slope: f64,
    /// How much of it comes on top as they leave it.
    pub slope_late: f64,
    /// Half the width of the draw with all pieces on the board, as logarithm of odds.
    pub draw: f64,
    /// How much of it comes on top as they leave it.
    pub draw_late: f64,
}

/// Below this half width the draw would have a negative chance.
const LEAST_DRAW: f64 = 0.001;
/// A man more is never worse: below this slope the chances do not change.
pub(crate) const LEAST_SLOPE: f64 = 0.001;

impl WdlModel {
    /// The model with these numbers: slope, slope_late, draw, draw_late.
    pub(super) const fn new([slope, slope_late, draw, draw_late]: [f64; 4]) -> WdlModel {
        WdlModel { slope, slope_late, draw, draw_late }
    }

    /// The chances of an undecided score in men on a board of this [`thinness`].
    pub fn chances(&self, men: f64, thinness: f64) -> Chances {
        self.at((self.slope + self.slope_late * thinness).max(LEAST_SLOPE) * men, thinness)
    }

    /// The chances at this logarithm of odds.
    fn at(&self, odds: f64, thinness: f64) -> Chances {
        let width = (self.draw + self.draw_late * thinness).max(LEAST_DRAW);
        let (win, loss) = (logistic(odds - width), logistic(-odds - width));
        Chances { win, draw: (1.0 - win - loss).max(0.0), loss }
    }

    /// The chances that have this expected result.
    fn with_expected(&self, expected: f64, thinness: f64) -> Chances {
        let (mut low, mut high) = (-MOST_ODDS, MOST_ODDS);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if self.at(middle, thinness).expected() < expected { low = middle } else { high = middle }
        }
        self.at(low, thinness)
    }
}

/// A logarithm of odds beyond which nothing is uncertain, however wide the draw is.
const MOST_ODDS: f64 = 200.0;

fn logistic(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

/// All pieces of the variant over those that are there, less 1: 0 at the start, 1 with half of them.
pub fn thinness(variant: VariantId, pieces: u32) -> f64 {
    let most = f64::from(2 * variant.rules().most_pieces());
    most / f64::from(pieces).clamp(1.0, most) - 1.0
}

/// The chances of the side to move in a position with this score. A score that the end of the game or endgame tables
/// stand behind is certain. A search that counts results itself knows the expected one (`winrate`): then the chances agree
/// with it. The model is that of the learned weights in the program, also for the scores of others.
///
/// ```
/// use kroon::{eval::wdl, game::Game, rules::VariantId, score::Score};
/// let game = Game::new(VariantId::International);
/// let of = |score| wdl::chances(VariantId::International, game.position(), score, None);
/// let equal = of(Score::DRAW);
/// assert!(equal.win == equal.loss && equal.draw > 0.0);
/// assert!(of(Score::from_centi(100)).expected() > 0.6);
/// assert_eq!(of(Score::win_in(9)).per_mille(), [1000, 0, 0]);
/// assert_eq!(of(Score::table_loss(20)).per_mille(), [0, 0, 1000]);
/// ```
pub fn chances(variant: VariantId, position: &Position, score: Score, winrate: Option<f64>) -> Chances {
    let model = model(variant);
    if score.is_certain_win() {
        let win = f64::from(u8::from(score > Score::DRAW));
        return Chances { win, draw: 0.0, loss: 1.0 - win };
    }
    let thinness = thinness(variant, position.occupied().len());
    match winrate {
        Some(expected) => model.with_expected(expected, thinness),
        None => model.chances(f64::from(score.centi()) / 100.0, thinness),
    }
}

/// The model of a variant: fitted to games, or typical of its objective while there are none.
pub const fn model(variant: VariantId) -> WdlModel {
    fitted(variant).chances
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_chances_in_every_variant() {
        for variant in VariantId::ALL {
            let model = model(variant);
            for thinness in [0.0, 0.3, 1.0, 5.0, 39.0] {
                let mut last = 0.0;
                for centi in (-7999..=7999).step_by(37) {
                    let men = f64::from(centi) / 100.0;
                    let chances = model.chances(men, thinness);
                    let sum = chances.win + chances.draw + chances.loss;
                    assert!((sum - 1.0).abs() < 1e-9 && chances.draw >= 0.0, "{variant} {men} {chances:?}");
                    assert_eq!(chances.per_mille().iter().sum::<u32>(), 1000);
                    assert!(chances.expected() >= last - 1e-9, "{variant}: more men, less chance");
                    last = chances.expected();
                    let other = model.chances(-men, thinness);
                    assert!((other.win - chances.loss).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn an_expected_result_is_kept() {
        let model = WdlModel { slope: 2.0, slope_late: 0.0, draw: 0.7, draw_late: 1.497_224_6 };
        for expected in [0.01, 0.25, 0.5, 0.503, 0.9, 0.999] {
            assert!((model.with_expected(expected, 0.4).expected() - expected).abs() < 1e-6);
        }
        assert_eq!(model.with_expected(1.0, 0.4).per_mille(), [1000, 0, 0]);
        for variant in VariantId::ALL {
            let most = 2 * variant.rules().most_pieces();
            for thinness in (2..=most).map(|pieces| thinness(variant, pieces)) {
                let expected = super::model(variant).with_expected(0.9, thinness).expected();
                assert!((expected - 0.9).abs() < 1e-6, "{variant} {thinness}: {expected}");
            }
        }
        assert_eq!(model.chances(0.0, 1.0).to_string(), "100/800/100");
    }

    #[test]
    fn thousandths_sum_up_where_rounding_could_fail() {
        let halves = Chances { win: 0.5005, draw: 0.0, loss: 0.4995 };
        assert_eq!(halves.per_mille().iter().sum::<u32>(), 1000);
    }
}
