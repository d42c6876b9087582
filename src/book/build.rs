//! Building a book from nothing: leaves are chosen, their moves searched by all threads, the values backed up.
//!
//! Leaves are chosen a few at a time, always as many, whatever the number of threads; the searches have a fixed number of
//! nodes and begin with nothing remembered. So the book depends on its settings and on the number of expansions alone, and
//! a build that was killed goes on to the same book: what was searched is kept when its search ends.

use super::graph::Graph;
use super::store::{ANEW, BuildSettings, Store};
use super::{BookError, BookHead, write_file};
use crate::board::{Position, Setup};
use crate::game::Game;
use crate::score::Score;
use crate::search::{Control, spawn_search};
use crossbeam::channel;
use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

/// Leaves that are chosen at a time.
const AT_ONCE: usize = 8;

/// Searches the positions of a book: one for each thread.
pub trait Judge: Send {
    /// The value of a position for the side to move. It must depend on the position alone. There is a legal move.
    /// None if it was stopped through `stop` before it was known.
    fn judge(&mut self, game: &Game, stop: &Control) -> Option<Score>;
}

impl<F: FnMut(&Game) -> Score + Send> Judge for F {
    fn judge(&mut self, game: &Game, _: &Control) -> Option<Score> {
        Some(self(game))
    }
}

/// When a build ends.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuildLimits {
    /// After this instant, when the searches in progress have ended.
    pub until: Option<Instant>,
    /// When at least so many positions are expanded, those of earlier runs included.
    pub expansions: Option<usize>,
}

/// How far a build is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BuildProgress {
    /// Positions in the book.
    pub positions: usize,
    /// Positions whose moves are in the book.
    pub expanded: usize,
    /// Searches of this run.
    pub searched: usize,
    /// Plies of the best line.
    pub depth: u32,
    /// Value of the initial position for the side that begins.
    pub value: Score,
}

/// A book in the making, with its state on the disk.
#[derive(Debug)]
pub struct Build {
    settings: BuildSettings,
    store: Store,
    graph: Graph,
    /// Scores of positions that no expansion has added yet.
    waiting: HashMap<u64, Score>,
    searched: usize,
}

impl Build {
    /// Begins a build whose state is kept in this file, or goes on with the one in it if `resume` says so.
    ///
    /// # Errors
    /// If the file cannot be used, or the build in it has other settings or shall not be resumed.
    pub fn open(state: &Path, settings: BuildSettings, resume: bool) -> Result<Build, BookError> {
        let (store, kept) = Store::open(state, &settings, resume)?;
        let start = Game::new(settings.variant);
        let graph = Graph::new(settings.variant, start.position(), settings.breadth);
        let mut graph = graph.with_ballots(settings.ballots);
        let mut waiting = kept.searched;
        let broken = || BookError::State {
            path: state.display().to_string(),
            fault: format!("an expanded position is not in the book: of another version, or damaged; {ANEW}"),
        };
        for key in kept.expanded {
            let leaf = graph.find(key).ok_or_else(broken)?;
            if !graph.expand(leaf, |key| waiting.get(&key).copied()) {
                return Err(broken());
            }
        }
        waiting.retain(|&key, _| graph.find(key).is_none());
        Ok(Build { settings, store, graph, waiting, searched: 0 })
    }

    /// How far it is.
    pub fn progress(&self) -> BuildProgress {
        BuildProgress {
            positions: self.graph.len(),
            expanded: self.graph.expanded(),
            searched: self.searched,
            depth: self.graph.depth(),
            value: self.graph.value(),
        }
    }

    /// Expands until a limit is reached, `stop` is set or nothing is left; `observer` sees the build after each round.
    ///
    /// # Errors
    /// If the state cannot be kept; those of `observer`.
    pub fn run<J: Judge>(
        &mut self,
        judges: &mut [J],
        limits: &BuildLimits,
        stop: &Control,
        observer: &mut dyn FnMut(&Build) -> Result<(), BookError>,
    ) -> Result<(), BookError> {
        let is_over = || stop.is_stopped() || limits.until.is_some_and(|until| Instant::now() >= until);
        while !is_over() && limits.expansions.is_none_or(|most| self.graph.expanded() < most) {
            let leaves = self.graph.choose(AT_ONCE);
            if leaves.is_empty() {
                break;
            }
            let mut wanted: Vec<(u64, Position)> =
                leaves.iter().flat_map(|&leaf| self.graph.successors(leaf)).collect();
            wanted.sort_unstable_by_key(|(key, _)| *key);
            wanted.dedup_by_key(|(key, _)| *key);
            wanted.retain(|(key, _)| !self.waiting.contains_key(key));
            self.search(&wanted, judges, stop, &is_over)?;
            self.graph.release(&leaves);
            if wanted.iter().any(|(key, _)| !self.waiting.contains_key(key)) {
                // Stopped: all of them are chosen again, together, where the build goes on.
                break;
            }
            let first = self.graph.expanded();
            let mut keys = Vec::new();
            for &leaf in &leaves {
                if self.graph.expand(leaf, |key| self.waiting.get(&key).copied()) {
                    keys.push(self.graph.key_of(leaf));
                }
            }
            self.store.keep_expanded(first as u64, &keys)?;
            let graph = &self.graph;
            self.waiting.retain(|&key, _| graph.find(key).is_none());
            observer(self)?;
        }
        Ok(())
    }

    /// Searches positions with all judges until it is over; each result is kept as it comes.
    fn search<J: Judge>(
        &mut self,
        wanted: &[(u64, Position)],
        judges: &mut [J],
        stop: &Control,
        is_over: &(dyn Fn() -> bool + Sync),
    ) -> Result<(), BookError> {
        let next = AtomicUsize::new(0);
        // What is not kept need not be searched.
        let is_lost = AtomicBool::new(false);
        let (sender, results) = channel::unbounded();
        let variant = self.settings.variant;
        std::thread::scope(|scope| {
            for (number, judge) in judges.iter_mut().enumerate() {
                let (sender, next, is_lost) = (sender.clone(), &next, &is_lost);
                let work = move || {
                    while !is_over() && !is_lost.load(Relaxed) {
                        let Some((key, position)) = wanted.get(next.fetch_add(1, Relaxed)) else { break };
                        // A position of a game is a valid placement.
                        let Ok(game) = Game::from_setup(variant, &Setup::from(position)) else { break };
                        let ended = game.outcome().map(|outcome| outcome.score(game.position().turn()));
                        let Some(score) = ended.or_else(|| judge.judge(&game, stop)) else { break };
                        if sender.send((*key, score)).is_err() {
                            break;
                        }
                    }
                };
                if let Err(fault) = spawn_search(scope, format!("judge {number}"), work) {
                    is_lost.store(true, Relaxed);
                    return Err(BookError::Thread(fault));
                }
            }
            drop(sender);
            while let Ok(first) = results.recv() {
                let mut scores = vec![first];
                scores.extend(results.try_iter());
                self.store.keep_searched(&scores).inspect_err(|_| is_lost.store(true, Relaxed))?;
                self.searched += scores.len();
                self.waiting.extend(scores);
            }
            Ok(())
        })
    }

    /// Writes the book.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), BookError> {
        let &BuildSettings { variant, nodes, .. } = &self.settings;
        let head = BookHead { variant, has_values: true, has_games: false, nodes };
        write_file(path, &head, self.graph.entries())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::{Book, key};
    use crate::rules::VariantId;
    use std::time::Duration;

    const SETTINGS: BuildSettings =
        BuildSettings { variant: VariantId::English, nodes: 1, breadth: 5, ballots: 0, judge: String::new() };

    /// Values that look like chance.
    fn judge(game: &Game) -> Score {
        Score::from_centi((key(game.variant(), game.position()) % 31) as i32 - 15)
    }

    fn build(ballots: u8, threads: usize, steps: &[usize]) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let (state, book) = (folder.path().join("state"), folder.path().join("book"));
        for (number, &expansions) in steps.iter().enumerate() {
            let settings = BuildSettings { ballots, ..SETTINGS };
            let mut build = Build::open(&state, settings, number > 0).unwrap();
            let limits = BuildLimits { expansions: Some(expansions), ..BuildLimits::default() };
            build.run(&mut vec![judge; threads], &limits, &Control::new(), &mut |_| Ok(())).unwrap();
            assert!((expansions..expansions + AT_ONCE).contains(&build.progress().expanded));
            build.write(&book).unwrap();
        }
        std::fs::read(book).unwrap()
    }

    #[test]
    fn the_book_does_not_depend_on_threads_or_stops() {
        let whole = build(0, 1, &[64]);
        assert_eq!(whole, build(0, 3, &[64]));
        assert_eq!(whole, build(0, 2, &[3, 20, 64]));
        let of_ballots = build(2, 1, &[90]);
        assert_eq!(of_ballots, build(2, 3, &[3, 20, 90]));
        assert_ne!(of_ballots, build(0, 1, &[90]));
        let book = Book::from_bytes(whole).unwrap();
        book.check().unwrap();
        let start = Game::new(VariantId::English);
        let moves = book.moves(start.position());
        assert_eq!(moves.len(), 7);
        assert_eq!(moves[0].value, book.get(key(VariantId::English, start.position())).unwrap().value);
        let line = book.line(start.position());
        assert_eq!(line.len() as u32, moves[0].depth);
    }

    #[test]
    fn a_stop_keeps_what_was_searched() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("state");
        let stop = Control::new();
        let mut build = Build::open(&state, SETTINGS, false).unwrap();
        let mut count = 0;
        let mut judges = [|game: &Game| {
            count += 1;
            if count == 3 {
                stop.stop();
            }
            judge(game)
        }];
        build.run(&mut judges, &BuildLimits::default(), &stop, &mut |_| Ok(())).unwrap();
        assert_eq!(
            build.progress(),
            BuildProgress { positions: 1, expanded: 0, searched: 3, depth: 0, value: Score::DRAW }
        );
        drop(build);
        let mut build = Build::open(&state, SETTINGS, true).unwrap();
        let limits = BuildLimits { expansions: Some(1), ..BuildLimits::default() };
        build.run(&mut [judge], &limits, &Control::new(), &mut |_| Ok(())).unwrap();
        let progress = build.progress();
        assert_eq!((progress.positions, progress.expanded, progress.searched), (8, 1, 4));
    }

    #[test]
    fn no_search_begins_after_the_last_instant() {
        let folder = tempfile::tempdir().unwrap();
        let mut build = Build::open(&folder.path().join("state"), SETTINGS, false).unwrap();
        let slow = |game: &Game| {
            std::thread::sleep(Duration::from_millis(20));
            judge(game)
        };
        let until = Some(Instant::now() + Duration::from_millis(30));
        let limits = BuildLimits { until, ..BuildLimits::default() };
        build.run(&mut [slow], &limits, &Control::new(), &mut |_| Ok(())).unwrap();
        assert!(build.progress().searched <= 2, "of the 7 of the first round");
    }
}
