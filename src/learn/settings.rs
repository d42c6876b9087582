//! The parameters of a training, and their rows.

use super::{GameRules, LearnError};
use crate::agents::learned::{LearnRules, LearnedKind, Lesson, RewardKind, StepKind};
use crate::arena::adjudicate::Blocked;
use crate::engine::registry::{OptionAudience, OptionKind, OptionRow};
use crate::words::quote;

/// What a learner learns with. Which of it concerns a learner, and what it means, is in [`LearnSettings::rows`].
#[derive(Clone, PartialEq, Debug)]
pub struct LearnSettings {
    /// The learning rate of the first games.
    pub alpha: f64,
    /// By what it is multiplied after each game.
    pub alpha_decay: f64,
    /// The first game after which it is.
    pub decay_from: u64,
    /// gamma, or lambda.
    pub discount: f64,
    /// The probability of a random move in the first game.
    pub epsilon: f64,
    /// By what it is multiplied after each game.
    pub epsilon_decay: f64,
    /// What is rewarded.
    pub reward: RewardKind,
    /// The reward of a won game.
    pub win: f64,
    /// How long the steps of weights are.
    pub step: StepKind,
    /// Whether the last update of a game is as printed.
    pub printed_end: bool,
    /// The first value of a transition.
    pub start: f64,
    /// A game is cut after so many plies.
    pub most_plies: u32,
    /// What a side gets that has pieces but no move.
    pub blocked: Blocked,
    /// What was learned from fewer visits is left out of the finished file.
    pub least_visits: u32,
    /// Games between two tests; 0: none.
    pub curve_every: u64,
    /// Games of a test.
    pub curve_games: u64,
}

/// The largest number of points of a learning curve.
pub(crate) const MOST_POINTS: u64 = 1_000;

type Row = OptionRow<LearnSettings>;

const fn row(
    name: &'static str,
    placeholder: &'static str,
    help: &'static str,
    kind: OptionKind<LearnSettings>,
) -> Row {
    OptionRow { name, help, placeholder, audience: OptionAudience::All, kind }
}

const ALPHA: Row = row(
    "alpha",
    "A",
    "learning rate",
    OptionKind::Real { min: 0.0, max: 1.0, get: |s| s.alpha, set: |s, value| s.alpha = value },
);
const ALPHA_DECAY: Row = row(
    "alpha-decay",
    "D",
    "what the learning rate is multiplied by after each game",
    OptionKind::Real { min: 0.0, max: 1.0, get: |s| s.alpha_decay, set: |s, value| s.alpha_decay = value },
);
const DECAY_FROM: Row = row(
    "decay-from",
    "N",
    "the first game after which it is multiplied",
    OptionKind::Int {
        min: 1,
        max: 1_000_000_000,
        get: |s| s.decay_from as i64,
        set: |s, value| s.decay_from = value as u64,
    },
);
const GAMMA: Row = row(
    "gamma",
    "G",
    "how much the value of the next own move counts",
    // The report tries values above 1.
    OptionKind::Real { min: 0.0, max: 1.5, get: |s| s.discount, set: |s, value| s.discount = value },
);
const LAMBDA: Row = row(
    "lambda",
    "L",
    "how much the value of the next own transition counts",
    OptionKind::Real { min: 0.0, max: 1.5, get: |s| s.discount, set: |s, value| s.discount = value },
);
const EPSILON: Row = row(
    "epsilon",
    "E",
    "probability of a random move while learning",
    OptionKind::Real { min: 0.0, max: 1.0, get: |s| s.epsilon, set: |s, value| s.epsilon = value },
);
const EPSILON_DECAY: Row = row(
    "epsilon-decay",
    "D",
    "what that probability is multiplied by after each game",
    OptionKind::Real {
        min: 0.0,
        max: 1.0,
        get: |s| s.epsilon_decay,
        set: |s, value| s.epsilon_decay = value,
    },
);
const REWARD: Row = row(
    "reward",
    "R",
    "what is rewarded: r1 what the own move gained by the score f, r2 less what the reply gained, change of material",
    OptionKind::Word {
        words: || RewardKind::NAMES.to_vec(),
        get: |s| s.reward.name(),
        set: |s, text| text.parse().map(|value| s.reward = value),
    },
);
const WIN: Row = row(
    "win",
    "W",
    "reward of a won game; a lost one has the negative",
    OptionKind::Real { min: 0.0, max: 1e6, get: |s| s.win, set: |s, value| s.win = value },
);
const STEP: Row = row(
    "step",
    "S",
    "how long steps of the weights are: plain as printed, clipped so that none goes beyond its sample",
    OptionKind::Word {
        words: || StepKind::NAMES.to_vec(),
        get: |s| s.step.name(),
        set: |s, text| text.parse().map(|value| s.step = value),
    },
);
const PRINTED_END: Row = row(
    "printed-end",
    "BOOL",
    "at the end of a game add alpha times the reward, as printed; values of won games grow without bound",
    OptionKind::Bool { get: |s| s.printed_end, set: |s, value| s.printed_end = value },
);
const START: Row = row(
    "start",
    "T",
    "value of a transition before it is learned from",
    OptionKind::Real { min: -1e6, max: 1e6, get: |s| s.start, set: |s, value| s.start = value },
);
const MOST_PLIES: Row = row(
    "most-plies",
    "N",
    "a game is cut after so many plies and counts as drawn",
    OptionKind::Int {
        min: 1,
        max: 10_000,
        get: |s| s.most_plies.into(),
        set: |s, value| s.most_plies = value as u32,
    },
);
const BLOCKED: Row = row(
    "blocked",
    "B",
    "what a side gets that has pieces but no move",
    OptionKind::Word {
        words: || Blocked::NAMES.to_vec(),
        get: |s| s.blocked.name(),
        set: |s, text| text.parse().map(|value| s.blocked = value),
    },
);
const LEAST_VISITS: Row = row(
    "least-visits",
    "N",
    "leave values that were learned from fewer times out of the finished file",
    OptionKind::Int {
        min: 1,
        max: 1_000_000,
        get: |s| s.least_visits.into(),
        set: |s, value| s.least_visits = value as u32,
    },
);
const CURVE_EVERY: Row = row(
    "curve-every",
    "N",
    "games between two points of the learning curve; 0: no curve",
    OptionKind::Int {
        min: 0,
        max: 1_000_000_000,
        get: |s| s.curve_every as i64,
        set: |s, value| s.curve_every = value as u64,
    },
);
const CURVE_GAMES: Row = row(
    "curve-games",
    "N",
    "test games of a point",
    OptionKind::Int {
        min: 1,
        max: 1_000_000,
        get: |s| s.curve_games as i64,
        set: |s, value| s.curve_games = value as u64,
    },
);

const Q_LEARNING: &[Row] = &[
    ALPHA,
    ALPHA_DECAY,
    DECAY_FROM,
    GAMMA,
    EPSILON,
    EPSILON_DECAY,
    REWARD,
    WIN,
    MOST_PLIES,
    BLOCKED,
    LEAST_VISITS,
    CURVE_EVERY,
    CURVE_GAMES,
];
const APPROXIMATE_Q: &[Row] = &[
    ALPHA,
    ALPHA_DECAY,
    DECAY_FROM,
    GAMMA,
    EPSILON,
    EPSILON_DECAY,
    REWARD,
    WIN,
    STEP,
    MOST_PLIES,
    BLOCKED,
    CURVE_EVERY,
    CURVE_GAMES,
];
const STATE_Q: &[Row] = &[
    ALPHA,
    ALPHA_DECAY,
    DECAY_FROM,
    LAMBDA,
    EPSILON,
    EPSILON_DECAY,
    REWARD,
    WIN,
    START,
    PRINTED_END,
    MOST_PLIES,
    BLOCKED,
    LEAST_VISITS,
    CURVE_EVERY,
    CURVE_GAMES,
];

impl LearnSettings {
    /// The defaults of a learner: the numbers of its text, and where that leaves one open, those of its authors'
    /// program or, in brackets, our own.
    ///
    /// | | `q-learning` | `approximate-q`, `neural-q` | `state-q` |
    /// |---|---|---|---|
    /// | alpha | 0.4, authors | 0.01, text | 0.005, authors |
    /// | its decay | (none) | 0.99 from game 1,000 on, text | (none) |
    /// | gamma, lambda | 0.8, text | 0.8, text | 0.3, authors |
    /// | epsilon | 0.4, text | 0.3, authors | 0.25, authors |
    /// | its decay | (none) | (none) | (none) |
    /// | reward | r2, text | r2, text | change of material, text |
    /// | of a win | (10, as in the features) | (10) | 12, authors |
    /// | first value | 0, text | weights of 10, text | 10, authors |
    /// | plies at most | 200, authors | (200; the authors' programs have 150 to 300) | 500, authors |
    /// | who is blocked | loses, as in the variant | loses | draws, text |
    ///
    /// Random choices of equal moves, steps of the weights and the last update of `state-q` are as the players say.
    pub fn of(kind: LearnedKind) -> LearnSettings {
        let q_learning = LearnSettings {
            alpha: 0.4,
            alpha_decay: 1.0,
            decay_from: 1,
            discount: 0.8,
            epsilon: 0.4,
            epsilon_decay: 1.0,
            reward: RewardKind::R2,
            win: 10.0,
            step: StepKind::Clipped,
            printed_end: false,
            start: 10.0,
            most_plies: 200,
            blocked: Blocked::Loss,
            least_visits: 1,
            curve_every: 1_000,
            curve_games: 100,
        };
        match kind {
            LearnedKind::QLearning | LearnedKind::Prior => q_learning,
            LearnedKind::ApproximateQ | LearnedKind::NeuralQ => LearnSettings {
                alpha: 0.01,
                alpha_decay: 0.99,
                decay_from: 1_000,
                epsilon: 0.3,
                curve_every: 100,
                ..q_learning
            },
            LearnedKind::StateQ => LearnSettings {
                alpha: 0.005,
                discount: 0.3,
                epsilon: 0.25,
                reward: RewardKind::Change,
                win: 12.0,
                most_plies: 500,
                blocked: Blocked::Draw,
                curve_every: 100,
                ..q_learning
            },
        }
    }

    /// The games of a training where the text or the authors' program says it, the opponent likewise.
    ///
    /// ```
    /// use kroon::agents::learned::LearnedKind::QLearning;
    /// use kroon::learn::LearnSettings;
    /// assert_eq!(LearnSettings::defaults_of_games(QLearning), (50, "player=random"));
    /// ```
    pub fn defaults_of_games(kind: LearnedKind) -> (u64, &'static str) {
        match kind {
            LearnedKind::QLearning | LearnedKind::Prior => (50, "player=random"),
            LearnedKind::ApproximateQ | LearnedKind::NeuralQ => (3_000, "player=minimax depth=3"),
            LearnedKind::StateQ => (2_500, "player=minimax depth=2 score=change"),
        }
    }

    /// The parameters of a learner, in the order in which users see them.
    pub fn rows(kind: LearnedKind) -> &'static [OptionRow<LearnSettings>] {
        match kind {
            LearnedKind::QLearning => Q_LEARNING,
            LearnedKind::ApproximateQ | LearnedKind::NeuralQ => APPROXIMATE_Q,
            LearnedKind::StateQ => STATE_Q,
            LearnedKind::Prior => &[],
        }
    }

    /// Sets a parameter of a learner by its name.
    ///
    /// # Errors
    /// When the learner has no such parameter, or the value is none.
    ///
    /// ```
    /// use kroon::agents::learned::LearnedKind::StateQ;
    /// use kroon::learn::LearnSettings;
    /// let mut settings = LearnSettings::of(StateQ);
    /// settings.set(StateQ, "lambda", "0.9")?;
    /// assert_eq!(settings.discount, 0.9);
    /// let error = settings.set(StateQ, "gamma", "0.9").unwrap_err().to_string();
    /// assert!(error.starts_with("parameter \"gamma\": state-q has alpha, "), "{error}");
    /// # Ok::<(), kroon::learn::LearnError>(())
    /// ```
    pub fn set(&mut self, kind: LearnedKind, name: &str, value: &str) -> Result<(), LearnError> {
        let rows = LearnSettings::rows(kind);
        let Some(row) = rows.iter().find(|row| row.name == name) else {
            let names: Vec<&str> = rows.iter().map(|row| row.name).collect();
            return Err(LearnError::Setting(format!(
                "parameter {}: {kind} has {}",
                quote(name),
                names.join(", ")
            )));
        };
        row.set(self, value).map_err(|error| LearnError::Setting(error.to_string()))
    }

    /// All parameters of a learner, as text.
    pub(super) fn written(&self, kind: LearnedKind) -> Vec<(String, String)> {
        let rows = LearnSettings::rows(kind).iter();
        rows.map(|row| (row.name.to_owned(), row.value(self).to_string())).collect()
    }

    /// How a learner plays and learns in the game after so many.
    pub fn lesson(&self, games: u64) -> Lesson {
        let decayed =
            |first: f64, decay: f64, times: u64| first * decay.powi(i32::try_from(times).unwrap_or(i32::MAX));
        let rules = LearnRules {
            discount: self.discount,
            reward: self.reward,
            win: self.win,
            step: self.step,
            printed_end: self.printed_end,
        };
        Lesson {
            rules,
            alpha: decayed(self.alpha, self.alpha_decay, (games + 1).saturating_sub(self.decay_from)),
            epsilon: decayed(self.epsilon, self.epsilon_decay, games),
        }
    }

    /// How its games end.
    pub fn game_rules(&self) -> GameRules {
        GameRules { most_plies: self.most_plies, blocked: self.blocked }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_falls_after_each_game_from_the_thousandth_on() {
        let settings = LearnSettings::of(LearnedKind::ApproximateQ);
        // Game 1,000 is the one after 999; after it, and after each that follows, times 0.99.
        let alpha = |games| settings.lesson(games).alpha;
        assert_eq!((alpha(0), alpha(999)), (0.01, 0.01));
        assert!((alpha(1_000) - 0.0099).abs() < 1e-12 && (alpha(1_001) - 0.009801).abs() < 1e-12);
        // "The decay reaches 2e-11 after 3,000 epochs."
        assert!((1e-11..3e-11).contains(&alpha(3_000)), "{}", alpha(3_000));
        assert_eq!(settings.lesson(2_999).epsilon, 0.3);
        let q = LearnSettings { epsilon_decay: 0.5, ..LearnSettings::of(LearnedKind::QLearning) };
        assert_eq!((q.lesson(3).epsilon, q.lesson(1_000_000).alpha), (0.05, 0.4));
    }

    #[test]
    fn every_row_is_read_as_it_is_written() {
        for kind in LearnedKind::PLAYERS {
            let settings = LearnSettings::of(kind);
            let written = settings.written(kind);
            assert!(written.len() >= 13);
            let mut other =
                LearnSettings { alpha: 0.5, curve_every: 7, ..LearnSettings::of(LearnedKind::QLearning) };
            (other.start, other.step) = (settings.start, settings.step);
            other.least_visits = 9;
            for (name, value) in &written {
                other.set(kind, name, value).unwrap();
            }
            assert_eq!(other.written(kind), written);
        }
        let error =
            LearnSettings::of(LearnedKind::QLearning).set(LearnedKind::QLearning, "alpha", "2").unwrap_err();
        assert_eq!(error.to_string(), "alpha: \"2\" is out of range, expected 0 to 1");
    }
}
