//! Finds the puzzles of many games with several threads.

use super::finder::{Finder, FinderSettings};
use super::puzzle::Puzzle;
use super::set::PuzzleSet;
use super::source::{SourceError, SourcedGame};
use crate::search::{Control, search_thread};
use crossbeam::channel;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

/// How far [`find_all`] has come; other threads may read it.
#[derive(Debug, Default)]
pub struct FindProgress {
    /// Games looked at.
    pub games: AtomicU64,
    /// Puzzles found, with duplicates.
    pub puzzles: AtomicU64,
}

/// The puzzles of many games, without duplicates, in the order of the games: the same for any number of threads. Games
/// that cannot be played go to `on_fault`. After [`Control::stop`] the puzzles of the games that were done.
///
/// # Errors
/// When no thread can be started.
pub fn find_all(
    games: impl Iterator<Item = Result<SourcedGame, SourceError>>,
    settings: FinderSettings,
    threads: usize,
    control: &Control,
    progress: &FindProgress,
    mut on_fault: impl FnMut(SourceError),
) -> io::Result<PuzzleSet> {
    let found: Mutex<BTreeMap<usize, Vec<Puzzle>>> = Mutex::default();
    // Few games wait, so that a large file does not fill the memory.
    let (give, take) = channel::bounded::<(usize, SourcedGame)>(2 * threads);
    let work = || {
        let mut finder = Finder::new(settings);
        while let Ok((index, SourcedGame { name, game, .. })) = take.recv() {
            let puzzles = finder.find(&game, &name, control);
            if control.is_stopped() {
                continue;
            }
            progress.games.fetch_add(1, Ordering::Relaxed);
            progress.puzzles.fetch_add(puzzles.len() as u64, Ordering::Relaxed);
            found.lock().insert(index, puzzles);
        }
    };
    std::thread::scope(|scope| {
        for number in 0..threads.max(1) {
            search_thread(format!("finder {number}")).spawn_scoped(scope, work)?;
        }
        for (index, game) in games.enumerate() {
            if control.is_stopped() {
                break;
            }
            match game {
                Ok(game) => {
                    // invariant: the threads take until this end of the channel is gone
                    let _ = give.send((index, game));
                }
                Err(fault) => on_fault(fault),
            }
        }
        drop(give);
        io::Result::Ok(())
    })?;
    let mut set = PuzzleSet::default();
    for puzzle in found.into_inner().into_values().flatten() {
        // invariant: the finder makes puzzles that can be played
        let _ = set.add(puzzle);
    }
    Ok(set)
}
