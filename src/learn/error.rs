//! Why a training does not begin or go on.

use crate::agents::learned::{LearnedFileError, LearnedKind};
use crate::files::LockBeside;
use crate::rules::VariantId;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a training does not begin or go on.
#[derive(Debug, Error)]
pub enum LearnError {
    /// No such opponent.
    #[error("opponent {text}: {fault}")]
    Opponent {
        /// What was said, quoted.
        text: String,
        /// What is wrong.
        fault: String,
    },
    /// No such parameter, or a value out of range.
    #[error("{0}")]
    Setting(String),
    /// Nothing to train.
    #[error("{0} is no player that learns from games")]
    Kind(LearnedKind),
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] LearnedFileError),
    /// Another process learns into the file.
    #[error("{0:?} is in use by another process")]
    InUse(PathBuf),
    /// The lock beside the file cannot be written.
    #[error("{0}")]
    Lock(#[source] std::io::Error),
    /// There is something already.
    #[error("{0:?} is there already: go on with --resume, or name another file")]
    Exists(PathBuf),
    /// It belongs to another training.
    #[error("{path:?} is of another training: its {what} is {found}, not {wanted}")]
    OtherTraining {
        /// The file.
        path: PathBuf,
        /// What is different.
        what: String,
        /// In the file.
        found: String,
        /// In this training.
        wanted: String,
    },
    /// A finished file lacks what a longer training would need.
    #[error("{0:?} is finished and cannot go on: what it learned on the way is not in it; go on with --from")]
    Finished(PathBuf),
    /// A file that has learned more than is wanted.
    #[error(
        "{path:?} has learned from {found} games already, more than {wanted}: name another file, or ask for {found} or more"
    )]
    Longer {
        /// The file.
        path: PathBuf,
        /// Its games.
        found: u64,
        /// The games of this training.
        wanted: u64,
    },
    /// A network that was made from another number of games.
    #[error("{path:?} is finished: it was made from {found} games, not {wanted}")]
    Made {
        /// The file.
        path: PathBuf,
        /// Its games.
        found: u64,
        /// The games of this training.
        wanted: u64,
    },
    /// What is to be gone on with is for something else.
    #[error("{what} is for {found}, expected {wanted}")]
    Unfit {
        /// What.
        what: &'static str,
        /// Learner and variant that it is for.
        found: String,
        /// Those that are wanted.
        wanted: String,
    },
    /// The weights grew out of all bounds.
    #[error("the weights left all bounds in game {game}: a smaller alpha or --step clipped keeps them")]
    Diverged {
        /// The game, from 1.
        game: u64,
    },
    /// So did the numbers of the network.
    #[error("the network left all bounds: a rate below {rate} keeps it")]
    NetDiverged {
        /// The size of the first steps.
        rate: f64,
    },
    /// No game was decided.
    #[error(
        "{games} games of {variant} draughts left no board to learn from: all were drawn, or cut at their most plies"
    )]
    NoBoards {
        /// Games played.
        games: u64,
        /// The variant.
        variant: VariantId,
    },
}

/// The lock beside the file that is learned into; a file that is there must be one with which this training goes on.
pub(super) fn lock(path: &Path, resume: bool) -> Result<LockBeside, LearnError> {
    if path.exists() && !resume {
        return Err(LearnError::Exists(path.to_owned()));
    }
    LockBeside::take(path).map_err(LearnError::Lock)?.ok_or_else(|| LearnError::InUse(path.to_owned()))
}
