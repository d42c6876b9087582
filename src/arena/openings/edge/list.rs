//! Many edge openings, found by several threads. The same settings give the same list on any number of threads and after any
//! stop: attempts are numbered, and they count in the order of their numbers.

use super::super::{Opening, file};
use super::finder::{EdgeFinder, EdgeSettings};
use crate::board::Key;
use crate::files::{LockBeside, read_regular, write_whole};
use crate::game::Game;
use crate::notation::text::quote;
use crate::search::{Control, spawn_search};
use crossbeam::channel;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};
use thiserror::Error;

/// So many attempts in succession that find nothing are enough.
const VAIN: u64 = 100_000;
/// Time between two savings where nothing is found.
const SAVE: Duration = Duration::from_secs(10);
/// The file that keeps a list is smaller, in bytes.
const MOST_STATE: u64 = 256 << 20;
/// The version of the file that keeps a list in the making.
const VERSION: u32 = 1;

/// Why a list cannot be made.
#[derive(Debug, Error)]
pub enum EdgeError {
    /// The file system said no.
    #[error("\"{path}\": {source}")]
    Io {
        /// The file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// The lock of the file cannot be taken; the text names it.
    #[error(transparent)]
    Lock(io::Error),
    /// Another process works at it.
    #[error("\"{0}\" is in use by another process: name another file")]
    InUse(String),
    /// The system gives no thread.
    #[error("the system gives no thread: {0}")]
    Thread(io::Error),
    /// There is a list that was begun before, and nobody said that it shall go on.
    #[error("\"{0}\" keeps a list that was begun before: go on with it, or remove it to start anew")]
    Exists(String),
    /// The file is no list.
    #[error("\"{path}\" keeps no list: {fault}; remove it to start anew")]
    State {
        /// The file.
        path: String,
        /// What is wrong.
        fault: String,
    },
    /// It belongs to other settings, or to another program.
    #[error("\"{path}\" keeps another list: {old}, not {new}; remove it to start anew")]
    Other {
        /// The file.
        path: String,
        /// What it says.
        old: String,
        /// What was expected.
        new: String,
    },
    /// Nothing like it seems to exist.
    #[error("{found} found, and no other in {VAIN} attempts")]
    Vain {
        /// How many were found.
        found: usize,
    },
}

/// What is kept of a list, so that it can go on, also to more openings than were asked for first.
#[derive(Debug, Serialize, Deserialize)]
struct State {
    kroon_edge: u32,
    /// What the list depends on.
    what: String,
    attempts: u64,
    openings: Vec<String>,
}

/// A list in the making.
#[derive(Debug)]
pub struct EdgeList {
    settings: EdgeSettings,
    path: PathBuf,
    what: String,
    /// Attempts with smaller numbers are done.
    attempts: u64,
    found: Vec<Game>,
    keys: HashSet<Key>,
    /// The number of the last attempt that found something.
    last: u64,
    saved: Instant,
    _lock: LockBeside,
}

impl EdgeList {
    /// Begins a list, or goes on with the one that is kept in this file.
    ///
    /// # Errors
    /// If the file is there and `resume` is not said, or it is not of these settings, or cannot be read.
    pub fn open(path: &Path, settings: EdgeSettings, resume: bool) -> Result<EdgeList, EdgeError> {
        let name = || path.display().to_string();
        let taken = LockBeside::take(path).map_err(EdgeError::Lock)?;
        let lock = taken.ok_or_else(|| EdgeError::InUse(name()))?;
        let what = format!("{}, {settings}", EdgeFinder::new(settings).name());
        let mut list = EdgeList {
            settings,
            path: path.to_owned(),
            what,
            attempts: 0,
            found: Vec::new(),
            keys: HashSet::new(),
            last: 0,
            saved: Instant::now(),
            _lock: lock,
        };
        let bytes = match read_regular(path, MOST_STATE) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(list),
            Err(source) => return Err(EdgeError::Io { path: name(), source }),
            Ok(bytes) => bytes,
        };
        let fault = |fault: String| EdgeError::State { path: name(), fault };
        let state: State = serde_json::from_slice(&bytes).map_err(|error| fault(error.to_string()))?;
        if (state.kroon_edge, &state.what) != (VERSION, &list.what) {
            return Err(EdgeError::Other { path: name(), old: state.what, new: list.what });
        }
        for opening in state.openings {
            let games = file::list(settings.variant, &opening).map_err(&fault)?;
            let [Opening { game }] = games.as_slice() else { return Err(fault(quote(&opening))) };
            list.add(game.clone());
        }
        list.attempts = state.attempts;
        list.last = state.attempts;
        // Only what could go on is worth the question whether it shall.
        if resume { Ok(list) } else { Err(EdgeError::Exists(name())) }
    }

    /// The openings that were found.
    pub fn found(&self) -> &[Game] {
        &self.found
    }

    /// The attempts that were made for them.
    pub fn attempts(&self) -> u64 {
        self.attempts
    }

    /// The list as PDN, one game a line.
    pub fn text(&self) -> String {
        self.found.iter().map(|game| format!("{} *\n", Opening { game: game.clone() }.name())).collect()
    }

    /// Looks for openings until there are so many, or until it is stopped; attempts in progress are dropped then, and the next
    /// run repeats them. What is found is kept in the file at once. The observer is called after each attempt.
    ///
    /// # Errors
    /// If the file cannot be written, or nothing is found for a long time.
    pub fn run(
        &mut self,
        count: usize,
        threads: usize,
        stop: &Control,
        observer: &mut dyn FnMut(&EdgeList),
    ) -> Result<(), EdgeError> {
        let next = AtomicU64::new(self.attempts);
        let is_over = AtomicBool::new(self.found.len() >= count);
        let (sender, results) = channel::unbounded();
        let settings = self.settings;
        let run = thread::scope(|scope| {
            for number in 0..threads {
                let (sender, next, is_over) = (sender.clone(), &next, &is_over);
                let work = move || {
                    let mut finder = EdgeFinder::new(settings);
                    while !is_over.load(Relaxed) && !stop.is_stopped() {
                        let number = next.fetch_add(1, Relaxed);
                        let attempt = finder.attempt(number, stop);
                        // What was broken off says nothing.
                        if stop.is_stopped() || sender.send((number, attempt)).is_err() {
                            break;
                        }
                    }
                };
                if let Err(fault) = spawn_search(scope, format!("openings {number}"), work) {
                    is_over.store(true, Relaxed);
                    return Err(EdgeError::Thread(fault));
                }
            }
            drop(sender);
            let mut early: BTreeMap<u64, Option<Game>> = BTreeMap::new();
            let mut take = |(number, attempt)| {
                early.insert(number, attempt);
                while self.found.len() < count
                    && let Some(attempt) = early.remove(&self.attempts)
                {
                    self.note(attempt)?;
                    observer(self);
                }
                Ok(self.found.len() >= count)
            };
            while let Ok(result) = results.recv() {
                let taken = take(result);
                if !matches!(taken, Ok(false)) {
                    is_over.store(true, Relaxed);
                    return taken.map(|_| ());
                }
            }
            Ok(())
        });
        run.and_then(|()| self.save())
    }

    /// The next attempt in order.
    fn note(&mut self, attempt: Option<Game>) -> Result<(), EdgeError> {
        let is_new = attempt.is_some_and(|game| self.add(game));
        if is_new {
            self.last = self.attempts;
        }
        self.attempts += 1;
        if is_new || self.saved.elapsed() >= SAVE {
            self.save()?;
        }
        if self.attempts - self.last > VAIN {
            return Err(EdgeError::Vain { found: self.found.len() });
        }
        Ok(())
    }

    /// Adds an opening, unless it is there.
    fn add(&mut self, game: Game) -> bool {
        let is_new = self.keys.insert(game.position().key());
        if is_new {
            self.found.push(game);
        }
        is_new
    }

    fn save(&mut self) -> Result<(), EdgeError> {
        self.saved = Instant::now();
        let openings = self.text().lines().map(str::to_owned).collect();
        let state = State { kroon_edge: VERSION, what: self.what.clone(), attempts: self.attempts, openings };
        write_whole(&self.path, |file| serde_json::to_writer(file, &state).map_err(io::Error::from))
            .map_err(|source| EdgeError::Io { path: self.path.display().to_string(), source })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::VariantId;
    use std::fs;
    use tempfile::tempdir;

    const SETTINGS: EdgeSettings = EdgeSettings {
        variant: VariantId::English,
        win: 0.5,
        nodes: 1000,
        games: 2,
        game_nodes: 100,
        seed: 4,
    };

    /// A list of six, made in these steps.
    fn list(threads: usize, steps: &[usize]) -> (String, u64) {
        let folder = tempdir().unwrap();
        let path = folder.path().join("state");
        for &count in steps {
            EdgeList::open(&path, SETTINGS, true)
                .unwrap()
                .run(count, threads, &Control::new(), &mut |_| ())
                .unwrap();
        }
        let list = EdgeList::open(&path, SETTINGS, true).unwrap();
        let second = EdgeList::open(&path, SETTINGS, true).unwrap_err();
        assert!(matches!(second, EdgeError::InUse(_)), "{second}");
        (list.text(), list.attempts())
    }

    #[test]
    fn a_list_does_not_depend_on_threads_or_stops() {
        let whole = list(1, &[6]);
        assert_eq!(whole.0.lines().count(), 6);
        assert_eq!(whole, list(3, &[6]));
        assert_eq!(whole, list(2, &[1, 2, 5, 6]));
    }

    #[test]
    fn a_stop_keeps_what_was_found() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("state");
        let stop = Control::new();
        let mut made = EdgeList::open(&path, SETTINGS, false).unwrap();
        // Attempts that end early wait for the ones before them: a stop at two may find more, but never so many.
        made.run(1000, 2, &stop, &mut |list| {
            if list.found().len() >= 2 {
                stop.stop();
            }
        })
        .unwrap();
        let kept = made.found().len();
        assert!((2..1000).contains(&kept));
        let of_made = (made.text(), made.attempts());
        drop(made);
        let mut list = EdgeList::open(&path, SETTINGS, true).unwrap();
        assert_eq!((list.text(), list.attempts()), of_made);
        list.run(kept + 4, 2, &Control::new(), &mut |_| ()).unwrap();
        assert_eq!(list.text(), self::list(1, &[kept + 4]).0);
    }

    #[test]
    fn other_files_are_errors() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("state");
        let error = |settings, resume| EdgeList::open(&path, settings, resume).unwrap_err().to_string();
        EdgeList::open(&path, SETTINGS, false).unwrap().run(1, 1, &Control::new(), &mut |_| ()).unwrap();
        assert!(error(SETTINGS, false).contains("go on with it, or remove it"));
        let other = error(EdgeSettings { seed: 5, ..SETTINGS }, true);
        assert!(other.contains("--seed 4, not") && other.contains("--seed 5; remove"), "{other}");
        let text = fs::read_to_string(&path).unwrap();
        for (from, to, fault) in
            [("[\"", "[\"1-50 ", "1-50"), ("\"attempts\"", "\"tries\"", "attempts"), ("{", "", "expected")]
        {
            fs::write(&path, text.replacen(from, to, 1)).unwrap();
            for resume in [false, true] {
                let error = error(SETTINGS, resume);
                assert!(error.contains(fault) && error.ends_with("remove it to start anew"), "{error}");
            }
        }
    }
}
