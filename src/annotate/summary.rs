//! What the moves of one side come to.

use super::game::{MoveAnalysis, ten_thousandths};
use super::judge::MoveClass;
use serde::Serialize;

/// How fast the accuracy of a move falls with its loss.
const STEEPNESS: f64 = 4.0;

/// How often a class occurred.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ClassCount {
    /// The class.
    pub class: MoveClass,
    /// Moves of it.
    pub count: usize,
}

/// The moves of one side, of one game or of many.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SideSummary {
    /// Moves that were analysed.
    pub moves: usize,
    /// Moves with a choice that mattered: neither forced nor in a lost position. What follows is of them.
    pub choices: usize,
    /// The mean accuracy of a move in percent, see [`SideSummary::accuracy_of`]; none without a choice.
    pub accuracy: Option<f64>,
    /// The mean loss of expected result; none without a choice.
    pub average_loss: Option<f64>,
    /// How often each class occurred, in the order of [`MoveClass::ALL`].
    pub classes: Vec<ClassCount>,
    /// Seconds for all moves together, if the game says so for any.
    pub seconds: Option<f64>,
    /// Seconds for the move that took longest, and its ply.
    pub longest: Option<(f64, usize)>,
}

impl SideSummary {
    /// The summary of these moves.
    pub fn new<'a>(moves: impl IntoIterator<Item = &'a MoveAnalysis>) -> SideSummary {
        let mut sums = Sums::default();
        moves.into_iter().for_each(|mv| sums.add(mv));
        sums.summary()
    }

    /// The accuracy of a move that gave away so much expected result: `100 exp(-4 loss)`.
    ///
    /// ```
    /// use kroon::annotate::SideSummary;
    /// let percent = [0.0, 0.05, 0.2, 0.5].map(|loss| SideSummary::accuracy_of(loss).round());
    /// assert_eq!(percent, [100.0, 82.0, 45.0, 14.0]);
    /// ```
    pub fn accuracy_of(loss: f64) -> f64 {
        100.0 * (-STEEPNESS * loss).exp()
    }

    /// How often a class occurred.
    pub fn count(&self, class: MoveClass) -> usize {
        self.classes.iter().find(|row| row.class == class).map_or(0, |row| row.count)
    }
}

/// What a summary is made of; sums of many games take no more room than those of one.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums {
    moves: usize,
    choices: usize,
    accuracy: f64,
    loss: f64,
    classes: [usize; MoveClass::ALL.len()],
    seconds: Option<f64>,
    longest: Option<(f64, usize)>,
}

impl Sums {
    /// Adds a move.
    pub fn add(&mut self, mv: &MoveAnalysis) {
        self.moves += 1;
        if let Some(place) = MoveClass::ALL.iter().position(|&class| class == mv.class) {
            self.classes[place] += 1;
        }
        if mv.is_choice() {
            self.choices += 1;
            self.accuracy += SideSummary::accuracy_of(mv.loss);
            self.loss += mv.loss;
        }
        if let Some(seconds) = mv.seconds {
            *self.seconds.get_or_insert(0.0) += seconds;
            if self.longest.is_none_or(|(longest, _)| seconds > longest) {
                self.longest = Some((seconds, mv.ply));
            }
        }
    }

    /// What they come to.
    pub fn summary(&self) -> SideSummary {
        let mean = |sum: f64, digits: f64| {
            (self.choices > 0).then(|| (sum / self.choices as f64 * digits).round() / digits)
        };
        SideSummary {
            moves: self.moves,
            choices: self.choices,
            accuracy: mean(self.accuracy, 10.0),
            average_loss: mean(self.loss, 1e4),
            classes: MoveClass::ALL
                .into_iter()
                .zip(self.classes)
                .map(|(class, count)| ClassCount { class, count })
                .collect(),
            seconds: self.seconds.map(ten_thousandths),
            longest: self.longest,
        }
    }
}
