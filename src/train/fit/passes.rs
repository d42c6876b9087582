//! Passes over the games: whatever learns from samples, in an order that follows from a seed, with a checkpoint.

use super::batches::{Batches, Keyed};
use super::checkpoint::SettingsKey;
use super::{Checkpoint, FitError, FitSettings, shards};
use crate::files::{LockBeside, read_regular, write_whole};
use crate::train::record::{RecordError, SelfplayGame};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// Positions of held-out games that are looked at.
const MOST_HELD_OUT: usize = 300_000;

/// A checkpoint is smaller, in bytes.
const MOST_CHECKPOINT: u64 = 1 << 30;

fn lock(path: &Path) -> Result<LockBeside, FitError> {
    let taken = LockBeside::take(path).map_err(FitError::Lock)?;
    taken.ok_or_else(|| FitError::InUse { path: path.to_owned() })
}

/// What learns from samples.
pub trait Learner: Sync {
    /// A position to learn from.
    type Sample: Keyed;

    /// What must be the same where a state is taken over, for people.
    const SETTINGS: &'static str;

    /// The positions of a game.
    ///
    /// # Errors
    /// When the game cannot be played: its bytes are whole, so it was made under other rules.
    fn read(&self, game: &SelfplayGame) -> Result<Vec<Self::Sample>, RecordError>;

    /// Learns from each position once, in steps of `rate`. The sum of the losses before the steps, in bits.
    fn learn(&mut self, samples: &[Self::Sample], rate: f32) -> f64;

    /// The mean loss in bits, without learning; none without samples.
    fn mean_loss(&self, samples: &[Self::Sample]) -> Option<f64>;

    /// Everything, as compressed bytes, after so many passes, under the key of settings and games.
    ///
    /// # Errors
    /// When the compression fails.
    fn state(&self, passes: u32, key: SettingsKey) -> io::Result<Vec<u8>>;

    /// Takes over what [`Learner::state`] gave and says after how many passes; none if it is something else.
    fn restore(&mut self, bytes: &[u8], key: SettingsKey) -> Option<u32>;

    /// The key of its settings.
    fn key(&self) -> SettingsKey;
}

/// A pass that is over.
pub struct Pass<'a, L: Learner> {
    /// What has learned.
    pub learner: &'a L,
    /// Which pass, from 1.
    pub number: u32,
    /// Positions seen in it.
    pub positions: u64,
    /// Mean loss before each step, in bits.
    pub loss: f64,
    /// Positions of the games held out.
    pub held_out: Vec<L::Sample>,
    /// Time since the beginning.
    pub time: Duration,
}

/// Learns from the games in `folder`, as many passes as `settings` say, and shows each to `observer`. With a `checkpoint`
/// the state after each pass is saved there. To resume is not to do again what is saved there already; if that is
/// everything, the last pass is shown once more, without learning.
///
/// # Errors
/// When the games or the checkpoint cannot be read or written.
pub fn passes<L: Learner>(
    learner: &mut L,
    settings: &FitSettings,
    folder: &Path,
    checkpoint: Option<Checkpoint<'_>>,
    observer: &mut dyn FnMut(Pass<'_, L>),
) -> Result<(), FitError> {
    let start = Instant::now();
    let mut done = 0;
    let key = if checkpoint.is_some() { learner.key().with_games(&shards(folder)?)? } else { learner.key() };
    // Two that learn beside the same file would replace each other's state.
    let _lock = checkpoint.map(|Checkpoint { path, .. }| lock(path)).transpose()?;
    // Without resuming, what is there is replaced after the first pass and not before.
    let kept = checkpoint.filter(|checkpoint| checkpoint.resume && checkpoint.path.exists());
    if let Some(Checkpoint { path, .. }) = kept {
        let bytes = read_regular(path, MOST_CHECKPOINT)
            .map_err(|source| FitError::Io { path: path.to_owned(), source })?;
        done = learner
            .restore(&bytes, key)
            .ok_or_else(|| FitError::Checkpoint { path: path.to_owned(), settings: L::SETTINGS })?;
    }
    for number in (done + 1).min(settings.epochs).max(1)..=settings.epochs {
        let is_new = number > done;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(settings.seed ^ u64::from(number) << 32);
        let mut batches = Batches::open(settings.variant, folder)?;
        let mut held_out = Vec::new();
        let (mut positions, mut loss) = (0u64, 0.0);
        let mut share = 0.0;
        while let Some((mut batch, held)) = batches.next(|game| learner.read(game))? {
            batch.shuffle(&mut random);
            let before = std::mem::replace(&mut share, batches.share_read());
            let passes = f64::from(number - 1) + f64::midpoint(before, share);
            loss += if is_new {
                learner.learn(&batch, settings.rate_after(passes))
            } else {
                learner.mean_loss(&batch).unwrap_or(0.0) * batch.len() as f64
            };
            positions += batch.len() as u64;
            let room = MOST_HELD_OUT - held_out.len();
            held_out.extend(held.into_iter().take(room));
        }
        if let Some(Checkpoint { path, .. }) = checkpoint.filter(|_| is_new) {
            learner
                .state(number, key)
                .and_then(|state| write_whole(path, |out| out.write_all(&state)))
                .map_err(|source| FitError::Io { path: path.to_owned(), source })?;
        }
        let loss = loss / positions.max(1) as f64;
        observer(Pass { learner, number, positions, loss, held_out, time: start.elapsed() });
    }
    Ok(())
}
