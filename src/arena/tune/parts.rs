//! The games of an iteration that several processes share, each in a file of a folder that all of them see.
//!
//! A process writes its part when its games are over; the iteration is over when all parts are there, and everybody
//! computes the same numbers from them. A part says for which numbers it was played, so that what an earlier run has
//! left is taken for what it is: the same games again, or nothing. Files are never changed, only put in place as a whole
//! and in the end deleted, by the process that also writes the state.

use super::state::{TuneSettings, difference};
use crate::arena::record::Reason;
use crate::arena::referee::PlayedGame;
use crate::arena::shard::Shard;
use crate::files::{open_regular, open_to_write, try_lock, write_whole};
use crate::game::GameResult;
use crate::notation::text::quote;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The version of the format that is written and read.
const VERSION: u32 = 1;
/// No part is larger, in bytes.
const MOST_BYTES: u64 = 4 << 20;
/// Numbers that differ by less, as a share of their size, are the same: another processor may round otherwise.
const SAME: f64 = 1e-9;

/// How a game of an iteration ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct GameEnd {
    /// The number of the game in the iteration.
    pub game: usize,
    /// Who won.
    pub result: GameResult,
    /// Why.
    pub reason: Reason,
}

impl GameEnd {
    /// The end of a game with this number.
    pub fn new(game: usize, played: &PlayedGame) -> GameEnd {
        GameEnd { game, result: played.result, reason: played.reason }
    }
}

/// An iteration: what decides its games.
#[derive(Clone, Copy, Debug)]
pub(super) struct Iteration<'a> {
    /// Pairs of games played before it.
    pub done: u64,
    /// Its games.
    pub games: usize,
    /// The numbers when it began.
    pub values: &'a [f64],
}

/// Why processes cannot share a tuning.
#[derive(Debug, Error)]
pub enum PartError {
    /// The file system said no.
    #[error("\"{path}\": {source}")]
    Io {
        /// The file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// The same shard twice.
    #[error("shard {shard} is being played by another process, which has \"{path}\"")]
    InUse {
        /// The shard.
        shard: Shard,
        /// The file that is locked.
        path: String,
    },
    /// It is no part.
    #[error("\"{path}\" is no part of a tuning: {fault}")]
    Foreign {
        /// The file.
        path: String,
        /// Why not.
        fault: String,
    },
    /// It belongs to another tuning.
    #[error(
        "\"{path}\" is of another tuning: its {what} is {found}, not {wanted}; give all shards the same settings, or delete the folder if no tuning needs it any more"
    )]
    OtherTuning {
        /// The file.
        path: String,
        /// What is different.
        what: String,
        /// In the file.
        found: String,
        /// In the command.
        wanted: String,
    },
}

/// The file. Real numbers are texts, as in the state.
#[derive(Debug, Serialize, Deserialize)]
struct PartFile {
    kroon_tune_part: u32,
    settings: TuneSettings,
    pairs: u64,
    values: Vec<String>,
    shard: Shard,
    games: Vec<GameEnd>,
}

/// The folder of all parts, beside the state.
#[derive(Debug)]
pub(super) struct Parts {
    folder: PathBuf,
    shard: Shard,
    settings: TuneSettings,
    /// Whether parts of other programs count.
    force: bool,
    /// Held as long as this process plays the shard.
    _lock: File,
}

impl Parts {
    /// The parts of a tuning with this state, for the process that plays a shard of its games.
    ///
    /// # Errors
    /// When the folder cannot be written to, or another process plays the shard.
    pub fn open(
        state: &Path,
        shard: Shard,
        settings: &TuneSettings,
        force: bool,
    ) -> Result<Parts, PartError> {
        let folder = folder_of(state);
        let lock = lock_in(&folder, shard);
        let io = |source| PartError::Io { path: lock.display().to_string(), source };
        fs::create_dir_all(&folder).map_err(io)?;
        let file = open_to_write(&lock).map_err(io)?;
        take(&file, &lock, shard)?;
        Ok(Parts { folder, shard, settings: settings.clone(), force, _lock: file })
    }

    /// Whether [`Parts::open`] would find the shard free; nothing is created.
    ///
    /// # Errors
    /// When another process plays the shard.
    pub fn check(state: &Path, shard: Shard) -> Result<(), PartError> {
        let lock = lock_in(&folder_of(state), shard);
        // One that is not there or cannot be opened is nobody's.
        let file = File::options().write(true).open(&lock);
        file.map_or(Ok(()), |file| take(&file, &lock, shard))
    }

    /// Which games are played here.
    pub fn shard(&self) -> Shard {
        self.shard
    }

    /// Puts the part of this process in place.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, iteration: Iteration<'_>, games: Vec<GameEnd>) -> Result<(), PartError> {
        let path = self.folder.join(name(iteration.done, self.shard));
        let part = PartFile {
            kroon_tune_part: VERSION,
            settings: self.settings.clone(),
            pairs: iteration.done,
            values: iteration.values.iter().map(f64::to_string).collect(),
            shard: self.shard,
            games,
        };
        write_whole(&path, |out| Ok(serde_json::to_writer(out, &part)?))
            .map_err(|source| PartError::Io { path: path.display().to_string(), source })
    }

    /// The part of a shard; none if it is not there, or was played for other numbers.
    ///
    /// # Errors
    /// When it cannot be read, or is none of this tuning.
    pub fn read(&self, iteration: Iteration<'_>, shard: Shard) -> Result<Option<Vec<GameEnd>>, PartError> {
        let path = self.folder.join(name(iteration.done, shard));
        let name = || path.display().to_string();
        let mut bytes = Vec::new();
        match open_regular(&path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(PartError::Io { path: name(), source }),
            Ok(_) => (),
        }
        let foreign = |fault: String| PartError::Foreign { path: name(), fault };
        if bytes.len() as u64 > MOST_BYTES {
            return Err(foreign(format!("it is larger than {MOST_BYTES} bytes")));
        }
        let part: PartFile = serde_json::from_slice(&bytes).map_err(|error| foreign(error.to_string()))?;
        if part.kroon_tune_part != VERSION {
            return Err(foreign(format!("its version is {}, expected {VERSION}", part.kroon_tune_part)));
        }
        if let Some((what, found, wanted)) = difference(&part.settings, &self.settings, self.force) {
            return Err(PartError::OtherTuning { path: name(), what, found, wanted });
        }
        part.games(iteration, shard).map_err(foreign)
    }

    /// The shards whose parts are not known yet and that have a file now. The folder is listed, because over a network
    /// that is what tells of new files soonest.
    ///
    /// # Errors
    /// When it cannot be listed.
    pub fn present(&self, iteration: Iteration<'_>, missing: &[Shard]) -> Result<Vec<Shard>, PartError> {
        let names = self.names()?;
        Ok(missing.iter().copied().filter(|&shard| names.contains(&name(iteration.done, shard))).collect())
    }

    /// Deletes the parts of all iterations that begin before so many pairs, and what was left of such by a process that was
    /// killed.
    ///
    /// # Errors
    /// When the folder cannot be listed. A file that cannot be deleted stays.
    pub fn forget(&self, before: u64) -> Result<(), PartError> {
        for name in self.names()? {
            let pairs = name.split_once('-').and_then(|(pairs, rest)| rest.contains(END).then_some(pairs));
            if pairs.and_then(|pairs| pairs.parse().ok()).is_some_and(|pairs: u64| pairs < before) {
                let _ = fs::remove_file(self.folder.join(name));
            }
        }
        Ok(())
    }

    fn names(&self) -> Result<HashSet<String>, PartError> {
        let io = |source| PartError::Io { path: self.folder.display().to_string(), source };
        let entries = fs::read_dir(&self.folder).map_err(io)?;
        let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
        names.collect::<Result<_, io::Error>>().map_err(io)
    }
}

/// The folder of the parts of this state.
fn folder_of(state: &Path) -> PathBuf {
    let mut name = state.file_name().unwrap_or_default().to_owned();
    name.push(".parts");
    state.with_file_name(name)
}

/// The file that is locked by who plays the shard.
fn lock_in(folder: &Path, shard: Shard) -> PathBuf {
    folder.join(format!("shard-{}.lock", shard.index()))
}

fn take(file: &File, lock: &Path, shard: Shard) -> Result<(), PartError> {
    let path = || lock.display().to_string();
    match try_lock(file) {
        Ok(true) => Ok(()),
        Ok(false) => Err(PartError::InUse { shard, path: path() }),
        Err(source) => Err(PartError::Io { path: path(), source }),
    }
}

/// What the name of a part ends with.
const END: &str = ".part";

/// What the file of a part is called.
fn name(done: u64, shard: Shard) -> String {
    format!("{done}-{}-of-{}{END}", shard.index(), shard.of())
}

impl PartFile {
    /// The games, if they were played for these numbers.
    fn games(self, iteration: Iteration<'_>, shard: Shard) -> Result<Option<Vec<GameEnd>>, String> {
        let wanted: Vec<usize> = (0..iteration.games).filter(|&game| shard.has(game)).collect();
        let found: Vec<usize> = self.games.iter().map(|end| end.game).collect();
        if (self.pairs, self.shard) != (iteration.done, shard) || found != wanted {
            return Err(format!(
                "it has games {found:?} of shard {} after {} pairs, expected {wanted:?} of {shard} after {}",
                self.shard, self.pairs, iteration.done
            ));
        }
        if self.values.len() != iteration.values.len() {
            return Err(format!("{} values for {} knobs", self.values.len(), iteration.values.len()));
        }
        for (text, &value) in self.values.iter().zip(iteration.values) {
            let played: f64 = text.parse().map_err(|_| format!("value {} is no number", quote(text)))?;
            // Not a number is not near anything.
            if (played - value).abs() > SAME * value.abs().max(1.0) || played.is_nan() {
                return Ok(None);
            }
        }
        Ok(Some(self.games))
    }
}
