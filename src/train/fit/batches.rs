//! The games of all files in batches: positions to learn from, and positions held out.

use super::seen::Seen;
use super::{FitError, shards};
use crate::board::Key;
use crate::files::allow_open_files;
use crate::rules::VariantId;
use crate::train::record::{RecordError, SelfplayGame};
use crate::train::shard::ShardReader;
use rayon::prelude::*;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Games read, shuffled and learned from together.
const GAMES: usize = 16_384;
/// One beginning in so many is held out, with all games from it.
const HELD_OUT: u64 = 50;
/// Bytes of a position in a file of games, about: 3 for each move and 35 for each game.
const BYTES_A_POSITION: u64 = 4;

/// A position to learn from.
pub trait Keyed: Send {
    /// Which position it is.
    fn key(&self) -> Key;
}

/// Positions to learn from, and positions held out.
pub type Batch<S> = (Vec<S>, Vec<S>);

/// Reads all shards side by side, so that each batch has its share of every one. A position counts once: where two games
/// meet they often go the same way to the end, and what is found twice tells nothing new.
pub struct Batches {
    readers: Vec<Shard>,
    seen: Seen,
}

/// A file that is being read.
struct Shard {
    path: Arc<Path>,
    reader: ShardReader,
    bytes: u64,
}

impl Shard {
    fn share_read(&self) -> f64 {
        self.reader.offset() as f64 / self.bytes.max(1) as f64
    }
}

impl Batches {
    /// Opens all files of the variant in a folder.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn open(variant: VariantId, folder: &Path) -> Result<Batches, FitError> {
        let mut readers = Vec::new();
        let files = shards(folder)?;
        allow_open_files(files.len());
        for path in &files {
            let reader = ShardReader::open_among(path, files.len())?;
            if reader.variant() == variant {
                let bytes = fs::metadata(path).map_or(0, |file| file.len());
                readers.push(Shard { path: path.as_path().into(), reader, bytes });
            }
        }
        let bytes: u64 = readers.iter().map(|shard| shard.bytes).sum();
        Ok(Batches { readers, seen: Seen::with_room_for(bytes / BYTES_A_POSITION) })
    }

    /// Whether there is nothing more to read.
    pub fn is_empty(&self) -> bool {
        self.readers.is_empty()
    }

    /// How much of all files has been read.
    pub fn share_read(&self) -> f64 {
        self.readers.iter().map(Shard::share_read).min_by(f64::total_cmp).unwrap_or(1.0)
    }

    /// The next positions, which `read` finds in a game; none at the end.
    ///
    /// # Errors
    /// When a file cannot be read or a game cannot be played.
    pub fn next<S: Keyed>(
        &mut self,
        read: impl Fn(&SelfplayGame) -> Result<Vec<S>, RecordError> + Sync,
    ) -> Result<Option<Batch<S>>, FitError> {
        let mut games = Vec::with_capacity(GAMES);
        let mut places = Vec::with_capacity(GAMES);
        while games.len() < GAMES {
            let shards = self.readers.iter().enumerate();
            let Some((i, _)) = shards.min_by(|(_, a), (_, b)| a.share_read().total_cmp(&b.share_read()))
            else {
                break;
            };
            let shard = &mut self.readers[i];
            match shard.reader.next_game()? {
                Some(game) => {
                    games.push(game);
                    places.push((Arc::clone(&shard.path), shard.reader.games() - 1));
                }
                None => drop(self.readers.remove(i)),
            }
        }
        if games.is_empty() {
            return Ok(None);
        }
        let read = |(game, (path, number)): (&SelfplayGame, &(Arc<Path>, u64))| {
            read(game).map_err(|source| FitError::Game { path: path.to_path_buf(), game: *number, source })
        };
        let read: Result<Vec<_>, _> = games.par_iter().zip(&places).map(read).collect();
        let (mut kept, mut held) = (Vec::new(), Vec::new());
        for game in read? {
            // The same beginning, the same game: it must not be learned and held out at once.
            let Some(begin) = game.first().map(S::key) else { continue };
            let side = if begin.0.is_multiple_of(HELD_OUT) { &mut held } else { &mut kept };
            side.extend(game.into_iter().filter(|sample| self.seen.insert(sample.key())));
        }
        Ok(Some((kept, held)))
    }
}
