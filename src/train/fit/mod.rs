//! Fitting the learned evaluation to games: the network learns to predict results, in small steps.
//!
//! The order of the positions and so every weight follows from the data and a seed, with any number of threads.

mod adam;
mod calibration;
mod model;
mod net;
mod sample;
mod seen;

use super::dataset::{DatasetError, files};
use super::record::RecordError;
use super::shard::{ShardError, ShardReader};
use crate::eval::learned::Learned;
use crate::files::write_whole;
use crate::for_variant;
use crate::rules::{Variant, VariantId};
use model::Model;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use sample::{Sample, samples};
use seen::Seen;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use thiserror::Error;

pub use adam::Adam;
pub use calibration::{CalibrationBucket, plot};

/// Games read, shuffled and learned from together.
const BATCH: usize = 16_384;
/// One beginning in so many is held out, with all games from it.
const HELD_OUT: u64 = 50;
/// Bytes of a position in a file of games, about: 3 for each move and 35 for each game.
const BYTES_A_POSITION: u64 = 4;
/// Positions of held-out games that are looked at.
const MOST_HELD_OUT: usize = 300_000;

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
    pub calibration: Vec<CalibrationBucket>,
}

/// Why nothing could be fitted.
#[derive(Debug, Error)]
pub enum FitError {
    /// A file of games cannot be read.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// A game that breaks the rules.
    #[error("a game cannot be played under these rules: {0}")]
    Game(#[from] RecordError),
    /// The folder, or the checkpoint.
    #[error("{path}: {source}")]
    Io {
        /// What.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The folder has no games of the variant.
    #[error("{path} has no games of {variant} to learn from")]
    Empty {
        /// The folder.
        path: PathBuf,
        /// The variant.
        variant: VariantId,
    },
    /// The checkpoint is damaged, or was made with other settings, or by a program with another network.
    #[error("{0} is no checkpoint of this version, variant, seed, rate, result share and number of passes")]
    Checkpoint(PathBuf),
}

/// Fits weights to the games in `folder` and shows each pass to `observer`. With a `checkpoint` the state after each
/// pass is saved there, and what is saved there already is not done again; if that is everything, the last pass is
/// reported once more, without learning.
///
/// # Errors
/// When the games or the checkpoint cannot be read or written.
pub fn fit(
    settings: &FitSettings,
    folder: &Path,
    checkpoint: Option<&Path>,
    observer: impl FnMut(&FitReport),
) -> Result<Learned, FitError> {
    for_variant!(settings.variant, V => fit_as::<V>(settings, folder, checkpoint, observer))
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

fn fit_as<V: Variant>(
    settings: &FitSettings,
    folder: &Path,
    checkpoint: Option<&Path>,
    mut observer: impl FnMut(&FitReport),
) -> Result<Learned, FitError> {
    let start = Instant::now();
    let empty = || FitError::Empty { path: folder.to_owned(), variant: V::ID };
    let scale = {
        let (batch, _) = Batches::open::<V>(folder)?.next::<V>()?.ok_or_else(empty)?;
        if batch.is_empty() {
            return Err(empty());
        }
        calibration::scale_of_scores(&batch)
    };
    let mut model = Model::new::<V>(scale, settings);
    let mut done = 0;
    if let Some(path) = checkpoint.filter(|path| path.exists()) {
        let bytes = fs::read(path).map_err(|source| FitError::Io { path: path.to_owned(), source })?;
        done = model.restore(&bytes).ok_or_else(|| FitError::Checkpoint(path.to_owned()))?;
    }
    for epoch in (done + 1).min(settings.epochs).max(1)..=settings.epochs {
        let is_new = epoch > done;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(settings.seed ^ u64::from(epoch) << 32);
        let mut batches = Batches::open::<V>(folder)?;
        let mut held_out: Vec<Sample> = Vec::new();
        let (mut positions, mut loss) = (0u64, 0.0);
        let mut share = 0.0;
        while let Some((mut batch, held)) = batches.next::<V>()? {
            batch.shuffle(&mut random);
            let before = std::mem::replace(&mut share, batches.share_read());
            let passes = f64::from(epoch - 1) + f64::midpoint(before, share);
            loss += if is_new {
                model.learn(&batch, settings.rate_after(passes))
            } else {
                model.mean_loss(&batch).unwrap_or(0.0) * batch.len() as f64
            };
            positions += batch.len() as u64;
            let room = MOST_HELD_OUT - held_out.len();
            held_out.extend(held.into_iter().take(room));
        }
        let report = FitReport {
            epoch,
            positions,
            loss: loss / positions.max(1) as f64,
            held_out: model.mean_loss(&held_out),
            time: start.elapsed(),
            calibration: calibration::buckets(&model, &held_out),
        };
        if let Some(path) = checkpoint.filter(|_| is_new) {
            model
                .state(epoch)
                .and_then(|state| write_whole(path, |out| out.write_all(&state)))
                .map_err(|source| FitError::Io { path: path.to_owned(), source })?;
        }
        observer(&report);
    }
    Ok(model.export::<V>())
}

/// Positions to learn from, and positions held out.
type Batch = (Vec<Sample>, Vec<Sample>);

/// Reads all shards side by side, so that each batch has its share of every one. A position counts once: where two games
/// meet they often go the same way to the end, and what is found twice tells nothing new.
struct Batches {
    readers: Vec<Shard>,
    seen: Seen,
}

/// A file that is being read.
struct Shard {
    reader: ShardReader,
    bytes: u64,
}

impl Shard {
    fn share_read(&self) -> f64 {
        self.reader.offset() as f64 / self.bytes.max(1) as f64
    }
}

impl Batches {
    fn open<V: Variant>(folder: &Path) -> Result<Batches, FitError> {
        let mut readers = Vec::new();
        for path in shards(folder)? {
            let reader = ShardReader::open(&path)?;
            if reader.variant() == V::ID {
                let bytes = fs::metadata(&path).map_or(0, |file| file.len());
                readers.push(Shard { reader, bytes });
            }
        }
        let bytes: u64 = readers.iter().map(|shard| shard.bytes).sum();
        Ok(Batches { readers, seen: Seen::with_room_for(bytes / BYTES_A_POSITION) })
    }

    /// How much of all files has been read.
    fn share_read(&self) -> f64 {
        self.readers.iter().map(Shard::share_read).min_by(f64::total_cmp).unwrap_or(1.0)
    }

    /// The next positions; none at the end.
    fn next<V: Variant>(&mut self) -> Result<Option<Batch>, FitError> {
        let mut games = Vec::with_capacity(BATCH);
        while games.len() < BATCH {
            let shards = self.readers.iter().enumerate();
            let Some((i, _)) = shards.min_by(|(_, a), (_, b)| a.share_read().total_cmp(&b.share_read()))
            else {
                break;
            };
            match self.readers[i].reader.next_game()? {
                Some(game) => games.push(game),
                None => drop(self.readers.remove(i)),
            }
        }
        if games.is_empty() {
            return Ok(None);
        }
        let read: Result<Vec<_>, _> = games.par_iter().map(samples::<V>).collect();
        let (mut kept, mut held) = (Vec::new(), Vec::new());
        for game in read? {
            // The same beginning, the same game: it must not be learned and held out at once.
            let Some(begin) = game.first().map(|sample| sample.key) else { continue };
            let side = if begin.0.is_multiple_of(HELD_OUT) { &mut held } else { &mut kept };
            side.extend(game.into_iter().filter(|sample| self.seen.insert(sample.key)));
        }
        Ok(Some((kept, held)))
    }
}
