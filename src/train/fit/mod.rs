//! Fitting the learned evaluation to games: the network learns to predict results, in small steps.
//!
//! | file | what stands in it |
//! |---|---|
//! | `batches`, `seen` | games in batches; positions that occur again |
//! | `passes`, `checkpoint` | the passes over them, for whatever learns, and what is saved after each |
//! | `sample`, `model`, `net`, `calibration` | the evaluation: positions with targets, material and network, predictions |
//! | `policy`, `policy_net` | the policy: moves to choose from, and its network |
//! | `numbers`, `block_rows`, `adam` | numbers that are learned, all of them or few in each step, and the steps |
//!
//! The order of the positions and so every weight follows from the data and a seed, with any number of threads.

mod adam;
mod batches;
mod block_rows;
mod calibration;
mod checkpoint;
mod model;
mod net;
mod numbers;
mod passes;
mod policy;
mod policy_net;
mod sample;
mod seen;

use super::calibration::Bucket;
use super::dataset::{DatasetError, files};
use super::record::RecordError;
use super::shard::ShardError;
use crate::eval::learned::Learned;
#[cfg(doc)]
use crate::eval::learned::net::Net;
use crate::rules::VariantId;
use batches::Batches;
use model::Model;
use passes::{Learner, passes};
use sample::samples;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;

pub use adam::Adam;
pub use calibration::plot;
pub use policy::{HeldOut, PolicyReport, fit_policy, plot_policy};

/// A number for the sources that decide what is learned: a fit goes on with the same ones only.
const LEARNING: &str = env!("KROON_LEARNING");

/// How to fit.
#[derive(Clone, Debug)]
pub struct FitSettings {
    /// The variant whose games are read.
    pub variant: VariantId,
    /// How often each position is seen.
    pub epochs: u32,
    /// Size of the first steps; they shrink to nothing.
    pub rate: f32,
    /// How much of the target is the result of the game; the rest is what the search said.
    pub result_share: f32,
    /// Seed of the order.
    pub seed: u64,
    /// How many blocks get rows, one of [`Net::BLOCKS`]; no fewer than the weights to begin with have.
    pub blocks: usize,
    /// How much the weights to begin with count in the mean of them and of what was learned, which is the result. What a
    /// half of them is worth is in EXPERIMENTS.md, "Means of weights".
    pub keep: f32,
    /// Centi-men for which the odds of winning are e to 1, more than 0; without it those of the weights to begin with, or what
    /// the scores and results of the first games say.
    pub scale: Option<u16>,
}

impl FitSettings {
    /// The size of steps after so many passes. Small ones at the end even out what single games have added by chance.
    fn rate_after(&self, passes: f64) -> f32 {
        let left = (1.0 - passes / f64::from(self.epochs.max(1))).max(0.0) as f32;
        self.rate * left * left
    }
}

/// What a pass over the data has shown.
#[derive(Clone, Debug)]
pub struct FitReport {
    /// Which pass, from 1.
    pub epoch: u32,
    /// Positions seen in it.
    pub positions: u64,
    /// Mean loss before each step, in bits; of the finished weights, if nothing was left to learn.
    pub loss: f64,
    /// Mean loss on the games held out, in bits; none if so few games have no such beginning.
    pub held_out: Option<f64>,
    /// Time since the beginning.
    pub time: Duration,
    /// Predicted and true results of the games held out.
    pub calibration: Vec<Bucket<3>>,
}

/// Why nothing could be fitted.
#[derive(Debug, Error)]
pub enum FitError {
    /// A file of games cannot be read.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// A game that breaks the rules.
    #[error("\"{path}\", game {game}: {source}")]
    Game {
        /// The file.
        path: PathBuf,
        /// Which one, from 0.
        game: u64,
        /// Why.
        source: RecordError,
    },
    /// The folder, or the checkpoint.
    #[error("\"{path}\": {source}")]
    Io {
        /// What.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The lock of the checkpoint cannot be taken; the text names its file.
    #[error(transparent)]
    Lock(io::Error),
    /// Another process learns beside the same file.
    #[error("\"{path}\" is in use by another process: name another file")]
    InUse {
        /// The checkpoint.
        path: PathBuf,
    },
    /// The folder has no games of the variant.
    #[error("\"{path}\" has no games of {variant} to learn from, or only games that are held out")]
    Empty {
        /// The folder.
        path: PathBuf,
        /// The variant.
        variant: VariantId,
    },
    /// The checkpoint is damaged, or was made with other settings, or by a program with another network.
    #[error("\"{path}\" is no checkpoint of this {settings}")]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// What must be the same.
        settings: &'static str,
    },
}

/// Where the state after each pass is saved.
#[derive(Clone, Copy, Debug)]
pub struct Checkpoint<'a> {
    /// The file.
    pub path: &'a Path,
    /// Whether to go on from it. Otherwise it is replaced after the first pass.
    pub resume: bool,
}

/// Fits weights to the games in `folder` and shows each pass to `observer`. With a `checkpoint` the state after each
/// pass is saved there. To resume is not to do again what is saved there already; if that is everything, the last pass is
/// reported once more, without learning. Learning begins with the weights `start`, which must be of the variant, or with
/// random numbers.
///
/// # Errors
/// When the games or the checkpoint cannot be read or written.
pub fn fit(
    settings: &FitSettings,
    start: Option<&Learned>,
    folder: &Path,
    checkpoint: Option<Checkpoint<'_>>,
    observer: &mut dyn FnMut(&FitReport),
) -> Result<Learned, FitError> {
    let empty = || FitError::Empty { path: folder.to_owned(), variant: settings.variant };
    let scale = {
        let (batch, _) = Batches::open(settings.variant, folder)?
            .next(|game| samples(settings.variant, game))?
            .ok_or_else(empty)?;
        if batch.is_empty() {
            return Err(empty());
        }
        match settings.scale.or(start.map(Learned::scale)) {
            Some(scale) => f32::from(scale),
            None => calibration::scale_of_scores(&batch),
        }
    };
    let mut model = Model::new(scale, settings, start);
    passes(&mut model, settings, folder, checkpoint, &mut |pass| {
        observer(&FitReport {
            epoch: pass.number,
            positions: pass.positions,
            loss: pass.loss,
            held_out: pass.learner.mean_loss(&pass.held_out),
            time: pass.time,
            calibration: calibration::buckets(pass.learner, &pass.held_out),
        });
    })?;
    let learned = model.export();
    Ok(match start {
        Some(start) if settings.keep > 0.0 => learned.with_share_of(start, settings.keep),
        _ => learned,
    })
}

/// The files of games in a folder, by name; or the one file that is meant.
///
/// # Errors
/// When the folder cannot be read.
pub fn shards(folder: &Path) -> Result<Vec<PathBuf>, FitError> {
    match files(&[folder.to_owned()]) {
        Ok(paths) => Ok(paths),
        Err(DatasetError::Io { path, source }) => Err(FitError::Io { path, source }),
        // Said later, with the variant.
        Err(_) => Ok(Vec::new()),
    }
}
