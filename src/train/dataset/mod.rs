//! Files of games as a whole: what is in them, whether they are sound, putting them together and apart.

mod join;
mod stat;
mod verify;
pub mod wdl;

use super::record::{RecordError, SelfplayGame};
use super::shard::{ShardError, ShardReader};
use crate::rules::VariantId;
use rayon::prelude::*;
use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use thiserror::Error;

pub use join::{JoinPlan, merge, shard};
pub use stat::{Duplicates, SCORE_LIMITS, Stat, stat};
pub use verify::{FileVerdict, verify};

/// Whether moves of some games of this variant were drawn at random; the files may have others, too.
///
/// # Errors
/// When a file cannot be read.
pub fn have_random_moves(files: &[PathBuf], variant: VariantId) -> Result<bool, ShardError> {
    for path in files {
        let reader = ShardReader::open(path)?;
        if reader.variant() == variant && reader.origin().has_random_moves() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Games read and worked on together.
const BATCH: usize = 4_096;

/// Why nothing can be said about files of games, or nothing made of them.
#[derive(Debug, Error)]
pub enum DatasetError {
    /// The system says no.
    #[error("\"{path}\": {source}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file cannot be read.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// A game of a file cannot be played.
    #[error("\"{path}\", game {game} at byte {offset}: {source}")]
    Game {
        /// The file.
        path: PathBuf,
        /// Which one, from 0.
        game: u64,
        /// Where it begins.
        offset: u64,
        /// Why.
        source: RecordError,
    },
    /// Nothing is there.
    #[error("\"{path}\" has no files of games (*.games) in it")]
    Empty {
        /// The folder.
        path: PathBuf,
    },
    /// None of the files is of the variant that is wanted.
    #[error("\"{path}\" has no games of {variant} draughts{}", nor(*others))]
    NoneOf {
        /// The first file.
        path: PathBuf,
        /// How many more there are.
        others: usize,
        /// What is wanted.
        variant: VariantId,
    },
    /// Files that do not belong together.
    #[error("\"{path}\" has games of {found}, \"{first}\" those of {expected}: choose with --variant")]
    Variants {
        /// The file.
        path: PathBuf,
        /// Its variant.
        found: VariantId,
        /// The first file.
        first: PathBuf,
        /// The variant of that.
        expected: VariantId,
    },
    /// Games that are there twice.
    #[error("\"{path}\" and \"{other}\" both have game {game} of seed {seed}, shard {shard}")]
    Twice {
        /// A file.
        path: PathBuf,
        /// Another.
        other: PathBuf,
        /// Seed of the run.
        seed: u64,
        /// Its shard.
        shard: u64,
        /// Number of the game in it.
        game: u64,
    },
    /// There are not enough games.
    #[error("{games} games cannot be spread over {parts} files")]
    Few {
        /// Games.
        games: u64,
        /// Files wanted.
        parts: usize,
    },
    /// Files that are there already.
    #[error("\"{path}\" is there already: choose another name")]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The work was interrupted.
    #[error("interrupted")]
    Stopped,
}

fn nor(others: usize) -> String {
    match others {
        0 => String::new(),
        1 => ", nor has the other file".to_owned(),
        _ => format!(", nor have the {others} other files"),
    }
}

impl DatasetError {
    /// No file is of the variant, if one is wanted; otherwise there is none at all.
    pub fn none(files: &[PathBuf], variant: Option<VariantId>) -> DatasetError {
        let path = files.first().cloned().unwrap_or_default();
        match variant {
            Some(variant) => DatasetError::NoneOf { path, others: files.len().saturating_sub(1), variant },
            None => DatasetError::Empty { path },
        }
    }
}

/// What has been done so far; readable while the work is going on.
#[derive(Debug, Default)]
pub struct DatasetProgress {
    /// Games read.
    pub games: AtomicU64,
    /// Files done with.
    pub files: AtomicU64,
    /// Set from outside to end the work.
    pub stop: AtomicBool,
}

impl DatasetProgress {
    /// One more game.
    fn step(&self) -> Result<(), DatasetError> {
        self.games.fetch_add(1, Ordering::Relaxed);
        if self.stop.load(Ordering::Relaxed) { Err(DatasetError::Stopped) } else { Ok(()) }
    }
}

/// The files of games that are meant: files themselves, and what lies in folders, by name. A file that is named twice is
/// meant once.
///
/// # Errors
/// When a folder cannot be read or has none.
pub fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, DatasetError> {
    let mut files = Vec::new();
    for path in paths {
        let io = |source| DatasetError::Io { path: path.clone(), source };
        if !fs::metadata(path).map_err(io)?.is_dir() {
            files.push(path.clone());
            continue;
        }
        let before = files.len();
        for entry in fs::read_dir(path).map_err(io)? {
            let file = entry.map_err(io)?.path();
            if file.extension().is_some_and(|extension| extension == "games") {
                files.push(file);
            }
        }
        if files.len() == before {
            return Err(DatasetError::Empty { path: path.clone() });
        }
        files[before..].sort();
    }
    let mut known = HashSet::new();
    files.retain(|path| path.canonicalize().map_or(true, |path| known.insert(path)));
    Ok(files)
}

/// A game and where it stands.
#[derive(Debug)]
struct PlacedGame {
    /// Its number in the file.
    game: u64,
    /// Where it begins in bytes.
    offset: u64,
    record: SelfplayGame,
}

impl PlacedGame {
    fn fault(&self, path: &Path, source: RecordError) -> DatasetError {
        DatasetError::Game { path: path.to_owned(), game: self.game, offset: self.offset, source }
    }
}

/// Reads the games that are left in a file, shows each to `look` on all threads, and what it made of them to `take` in
/// their order.
fn each_game<T: Send>(
    reader: &mut ShardReader,
    progress: &DatasetProgress,
    look: impl Fn(&PlacedGame) -> Result<T, DatasetError> + Sync,
    mut take: impl FnMut(&PlacedGame, T),
) -> Result<(), DatasetError> {
    let mut batch = Vec::with_capacity(BATCH);
    loop {
        batch.clear();
        let mut end = Ok(());
        while batch.len() < BATCH {
            let (game, offset) = (reader.games(), reader.offset());
            match reader.next_game() {
                Ok(Some(record)) => batch.push(PlacedGame { game, offset, record }),
                Ok(None) => break,
                Err(error) => {
                    end = Err(error);
                    break;
                }
            }
        }
        // What stands before damage counts.
        for (place, seen) in batch.iter().zip(batch.par_iter().map(&look).collect::<Vec<_>>()) {
            take(place, seen?);
        }
        end?;
        progress.games.fetch_add(batch.len() as u64, Ordering::Relaxed);
        if progress.stop.load(Ordering::Relaxed) {
            return Err(DatasetError::Stopped);
        }
        if batch.len() < BATCH {
            return Ok(());
        }
    }
}
