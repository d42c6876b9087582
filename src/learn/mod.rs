//! Trainings of the players that learn: games against an opponent, the learning curve, files that survive a kill.
//!
//! A [`Training`] says everything: learner, variant, parameters, opponent, games and seed. [`learn`] follows it. Game
//! `i` of it depends on the seed, `i` and what was learned before, and on nothing else, so that the same training gives
//! the same bytes, in one go or with any number of interruptions. What the parameters mean, where their defaults come
//! from and which of them the texts leave open is in their [rows](LearnSettings::rows).
//!
//! [`learn_prior`] makes the network of `neural-q` from games of minimax against itself.
//!
//! ```
//! use kroon::agents::learned::LearnedKind;
//! use kroon::learn::{LearnSettings, Opponent, Training, learn};
//! use kroon::rules::VariantId::Breakthrough;
//!
//! let kind = LearnedKind::ApproximateQ;
//! let training = Training {
//!     settings: LearnSettings { curve_every: 10, curve_games: 10, ..LearnSettings::of(kind) },
//!     opponent: Opponent::new("player=greedy", Breakthrough)?,
//!     games: 20,
//!     ..Training::new(kind, Breakthrough)?
//! };
//! let learned = learn(&training, None, false, &mut |_| ())?;
//! assert_eq!((learned.header.games, learned.header.curve.len()), (20, 3));
//! # Ok::<(), kroon::learn::LearnError>(())
//! ```

mod curve;
mod error;
mod games;
mod opponent;
mod prior;
mod settings;
mod training;

pub use curve::plot;
pub use error::LearnError;
pub use games::{GameRules, TestScore, play, test};
pub use opponent::Opponent;
pub use prior::{PriorProgress, PriorSettings, PriorTraining, learn_prior};
pub use settings::LearnSettings;
pub(crate) use settings::MOST_POINTS;
pub use training::{LearnProgress, Training, learn};

#[cfg(test)]
mod tests;
