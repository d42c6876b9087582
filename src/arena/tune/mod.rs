//! Tunes the numbers of the search by games: [`spsa`] chooses the values and updates them from the results; players and
//! referee are those of a match.
//!
//! An iteration is one or more pairs of games between two engines, a little to one and the other side of the present
//! numbers; the games of an iteration are played at the same time. Everything random follows from the seed and the
//! number of the pair, so what has been played and the present values are all the state there is.
//!
//! Several processes may share the games of every iteration ([`parts`]): each plays some, waits for the others, and
//! computes the same numbers. The first of them writes the state.

mod book;
pub mod knob;
pub mod parts;
mod plan;
pub mod spsa;
pub mod state;
mod wait;

pub use plan::TunePlan;

use super::cancel::Cancel;
use super::log::GameLog;
use super::openings::OpeningsError;
use super::player_kroon::KroonPlayer;
use super::record::Reason;
use super::referee::{PlayedGame, Seat, play};
use super::shard::Shard;
use crate::engine::Options;
use crate::files::{LockBeside, is_replaced};
use crate::game::Game;
use crate::search::search_thread;
use crate::seed;
use book::Book;
use parking_lot::Mutex;
use parts::{GameEnd, Iteration, PartError, Parts};
use spsa::{Probe, Spsa};
use state::{StateError, TuneSettings, TuneState};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use thiserror::Error;
use wait::Waited;

/// The state is written when so much time has passed since the last time. What was not written when the program is
/// killed is played again.
const SAVE: Duration = Duration::from_millis(250);
/// Whether a tuning goes on with the state that is in its file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resume {
    /// There must be none.
    No,
    /// It does, if the state is of the same settings and the same program.
    Yes,
    /// It does, also if another program began it.
    Forced,
}

/// What a tuning tells while it goes on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum TuneNews<'a> {
    /// An iteration is over.
    State(&'a TuneState),
    /// Nothing has come from these shards for a long time.
    Waiting(&'a [Shard]),
}

/// Why a tuning came to no good end.
#[derive(Debug, Error)]
pub enum TuneError {
    /// A knob twice.
    #[error("knob \"{0}\" is given twice")]
    Twice(&'static str),
    /// A parameter that is tuned.
    #[error("parameter \"{0}\" is tuned: begin with another value by --knob NAME=START")]
    Tuned(String),
    /// A parameter of the engines is wrong.
    #[error("{0}")]
    Parameter(String),
    /// No openings.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// The state.
    #[error(transparent)]
    State(#[from] StateError),
    /// The games shared with other processes.
    #[error(transparent)]
    Part(#[from] PartError),
    /// More shards than games.
    #[error(
        "shard {shard}: an iteration has {games} games, which {games} processes can share at most; with more pairs of an iteration it has more"
    )]
    Shards {
        /// The shard.
        shard: Shard,
        /// Games of an iteration.
        games: u64,
    },
    /// An engine made a mistake that no number of the search may lead to.
    #[error("game {game}: the engine with {engine} {fault}")]
    Fault {
        /// The number of the game, from 1.
        game: u64,
        /// Its numbers.
        engine: String,
        /// What it did.
        fault: String,
    },
    /// No thread, no output.
    #[error("{0}: {1}")]
    Io(&'static str, io::Error),
    /// A fault in this program.
    #[error("a game after pair {0} was lost by a fault in this program (the referee panicked)")]
    Referee(u64),
}

/// A tuning that can begin or go on.
#[derive(Debug)]
pub struct Tuner {
    plan: TunePlan,
    options: Options,
    spsa: Spsa,
    book: Book,
    settings: TuneSettings,
    force: bool,
    parts: Option<Parts>,
    /// Held where no parts are, which have locks of their own.
    _lock: Option<LockBeside>,
    /// What has been played and learned.
    pub state: TuneState,
}

/// The lock of a state.
fn lock(state: &Path) -> Result<LockBeside, StateError> {
    let name = || state.display().to_string();
    let taken = LockBeside::take(state).map_err(StateError::Lock)?;
    taken.ok_or_else(|| StateError::InUse(name()))
}

impl Tuner {
    /// A tuning whose state is in this file; it may go on with what is there.
    ///
    /// # Errors
    /// When the plan makes no sense, or the file is not one of this tuning.
    pub fn open(plan: &TunePlan, path: &Path, resume: Resume) -> Result<Tuner, TuneError> {
        for (index, tuned) in plan.knobs.iter().enumerate() {
            if plan.knobs[..index].iter().any(|other| other.knob.name == tuned.knob.name) {
                return Err(TuneError::Twice(tuned.knob.name));
            }
            if let Some((name, _)) = plan.params.iter().find(|(name, _)| *name == tuned.parameter()) {
                return Err(TuneError::Tuned(name.clone()));
            }
        }
        let games = 2 * plan.batch;
        if let Some(shard) = plan.shard.filter(|shard| shard.of() as u64 > games) {
            return Err(TuneError::Shards { shard, games });
        }
        let options = plan.options()?;
        let book = Book::new(plan)?;
        let program = KroonPlayer::from(options.clone()).program(plan.variant);
        let settings = plan.settings(&book, program);
        let spsa = Spsa {
            axes: plan.knobs.iter().map(|knob| knob.axis).collect(),
            pairs: plan.pairs,
            rate: plan.rate,
            seed: plan.seed,
        };
        // Before the state is read: what another process plays would be played twice.
        let writes = plan.shard.is_none_or(|shard| shard.index() == 0);
        let force = resume == Resume::Forced;
        let lock = match (writes && is_replaced(path)).then(|| lock(path)).transpose() {
            Ok(lock) => lock,
            Err(error) => {
                // Where it is the same shard that is being played, that is what is said.
                plan.shard.map(|shard| Parts::check(path, shard)).transpose()?;
                return Err(error.into());
            }
        };
        let state = if resume != Resume::No {
            TuneState::load(path, &settings, &plan.knobs, resume == Resume::Forced)?
        } else if path.exists() {
            return Err(StateError::Exists(path.display().to_string()).into());
        } else {
            None
        };
        let state = state.unwrap_or_else(|| TuneState::new(&plan.knobs));
        let open = |shard| Parts::open(path, shard, &settings, force);
        let parts = plan.shard.map(open).transpose()?;
        let tuning =
            Tuner { plan: plan.clone(), options, spsa, book, settings, force, parts, _lock: lock, state };
        // A file that cannot be written is found before the first game.
        tuning.save(path, tuning.state.pairs)?;
        Ok(tuning)
    }

    /// Writes the state, if this process is the one that does; what was played before these pairs is no longer needed
    /// by any process then.
    fn save(&self, path: &Path, begun: u64) -> Result<(), TuneError> {
        if self.parts.as_ref().is_some_and(|parts| parts.shard().index() > 0) {
            return Ok(());
        }
        self.state.save(path, &self.settings, &self.plan.knobs)?;
        match &self.parts {
            Some(parts) => Ok(parts.forget(begun)?),
            None => Ok(()),
        }
    }

    /// The values as an engine would play with them.
    pub fn rounded(&self) -> Vec<i32> {
        self.state.values.iter().map(|value| value.round() as i32).collect()
    }

    /// The parameters of an engine with these values.
    pub fn params(&self, values: &[i32]) -> Vec<(String, String)> {
        let tuned = self.plan.knobs.iter().zip(values);
        let tuned = tuned.map(|(knob, value)| (knob.parameter(), value.to_string()));
        self.plan.params.iter().cloned().chain(tuned).collect()
    }

    /// Plays until all pairs are played or `cancel` says so; games in progress are then abandoned. After every
    /// iteration the state is told, and written to the file if it is time. A shard waits for the others.
    ///
    /// # Errors
    /// See [`TuneError`]. What was learned before is in the file.
    pub fn run(
        &mut self,
        path: &Path,
        cancel: &Cancel,
        spectator: &mut dyn FnMut(TuneNews<'_>) -> io::Result<()>,
    ) -> Result<(), TuneError> {
        let (mut saved, mut last, mut begun) = (Instant::now(), self.state.pairs, self.state.pairs);
        let result = loop {
            if self.state.pairs >= self.plan.pairs || cancel.is_cancelled() {
                break Ok(());
            }
            let before = self.state.pairs;
            match self.iterate(path, cancel, spectator) {
                Ok(true) => (),
                Ok(false) => break Ok(()),
                Err(error) => break Err(error),
            }
            // Who plays this iteration has read all parts of those before the last one.
            begun = before;
            // A shard that is started again shall not begin far behind those that wait for it.
            if self.parts.is_some() || saved.elapsed() >= SAVE {
                self.save(path, begun)?;
                (saved, last) = (Instant::now(), self.state.pairs);
            }
            if let Err(error) = spectator(TuneNews::State(&self.state)) {
                break Err(TuneError::Io("standard output", error));
            }
        };
        if self.state.pairs > last {
            self.save(path, begun)?;
        }
        result
    }

    /// One iteration; false if it was cancelled, and then nothing has changed.
    fn iterate(
        &mut self,
        path: &Path,
        cancel: &Cancel,
        spectator: &mut dyn FnMut(TuneNews<'_>) -> io::Result<()>,
    ) -> Result<bool, TuneError> {
        let done = self.state.pairs;
        let pairs = self.plan.batch.min(self.plan.pairs - done);
        let probe = self.spsa.probe(&self.state.values, done);
        let openings =
            (done..done + pairs).map(|pair| self.book.get(pair)).collect::<Result<Vec<Game>, _>>()?;
        let games: Vec<usize> = (0..2 * openings.len()).collect();
        let ends = match &self.parts {
            None => self.play(&probe, &openings, &games, cancel)?,
            Some(parts) => {
                let iteration = Iteration { done, games: games.len(), values: &self.state.values };
                if parts.read(iteration, parts.shard())?.is_none() {
                    let own: Vec<usize> = games.into_iter().filter(|&game| parts.shard().has(game)).collect();
                    let Some(ends) = self.play(&probe, &openings, &own, cancel)? else { return Ok(false) };
                    parts.write(iteration, ends)?;
                }
                match self.wait(parts, iteration, path, cancel, spectator)? {
                    Waited::Ends(ends) => Some(ends),
                    Waited::Overtaken(state) => {
                        self.state = state;
                        return Ok(true);
                    }
                    Waited::Cancelled => None,
                }
            }
        };
        let Some(ends) = ends else { return Ok(false) };
        self.learn(&probe, pairs, &ends);
        Ok(true)
    }

    /// Counts the games of an iteration, in their order, and moves the numbers.
    fn learn(&mut self, probe: &Probe, pairs: u64, ends: &[GameEnd]) {
        let mut result = 0;
        for (index, end) in ends.iter().enumerate() {
            match first_has_won(index, end) {
                Some(true) => self.state.score.wins += 1,
                Some(false) => self.state.score.losses += 1,
                None => self.state.score.draws += 1,
            }
            result += first_has_won(index, end).map_or(0, |won| if won { 1 } else { -1 });
            if end.reason == Reason::Time {
                self.state.late += 1;
            }
        }
        self.spsa.learn(&mut self.state.values, self.state.pairs, probe, result);
        self.state.pairs += pairs;
    }

    /// Games of an iteration by their numbers: for each opening two, the first engine with White in the first of them.
    /// None if `cancel` said so.
    fn play(
        &self,
        probe: &Probe,
        openings: &[Game],
        numbers: &[usize],
        cancel: &Cancel,
    ) -> Result<Option<Vec<GameEnd>>, TuneError> {
        let sides = [self.engine(&probe.plus), self.engine(&probe.minus)];
        let next = AtomicUsize::new(0);
        let games: Vec<Mutex<Option<PlayedGame>>> = numbers.iter().map(|_| Mutex::new(None)).collect();
        let board = || loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(&game) = numbers.get(place) else { return };
            let Some(played) = self.game(&sides, &openings[game / 2], game, cancel) else { return };
            *games[place].lock() = Some(played);
        };
        thread::scope(|scope| {
            let mut threads = Vec::new();
            for number in 0..self.plan.concurrency.clamp(1, games.len().max(1)) {
                match search_thread(format!("board {number}")).spawn_scoped(scope, board) {
                    Ok(thread) => threads.push(thread),
                    // Those that were started play all games.
                    Err(_) if !threads.is_empty() => break,
                    Err(error) => return Err(TuneError::Io("cannot start a thread", error)),
                }
            }
            // All are waited for, whatever the first one says.
            let ends: Vec<_> = threads.into_iter().map(|thread| thread.join()).collect();
            if ends.iter().any(Result::is_err) {
                return Err(TuneError::Referee(self.state.pairs));
            }
            Ok(())
        })?;
        let games: Option<Vec<PlayedGame>> = games.into_iter().map(Mutex::into_inner).collect();
        let Some(games) = games else { return Ok(None) };
        let ends = numbers.iter().zip(&games).map(|(&number, played)| self.end(probe, number, played));
        ends.collect::<Result<_, _>>().map(Some)
    }

    /// How a game ended, unless by a fault that no number of the search may lead to.
    fn end(&self, probe: &Probe, number: usize, played: &PlayedGame) -> Result<GameEnd, TuneError> {
        let end = GameEnd::new(number, played);
        if !end.reason.is_fault() || end.reason == Reason::Time {
            return Ok(end);
        }
        let values = if first_has_won(number, &end) == Some(true) { &probe.minus } else { &probe.plus };
        let words: Vec<String> =
            self.params(values).iter().map(|(name, value)| format!("{name}={value}")).collect();
        let fault = played.detail.clone().unwrap_or_else(|| played.reason.to_string());
        let game = 2 * self.state.pairs + number as u64 + 1;
        Err(TuneError::Fault { game, engine: words.join(" "), fault })
    }

    /// The game with this number in the iteration; the first engine has White in games with even numbers.
    fn game(
        &self,
        sides: &[KroonPlayer; 2],
        opening: &Game,
        number: usize,
        cancel: &Cancel,
    ) -> Option<PlayedGame> {
        let white = number % 2;
        // New players for each game: nothing is left from the game before.
        let mut first = sides[white].start("white", cancel);
        let mut second = sides[1 - white].start("black", cancel);
        let (limits, margin) = (self.plan.limits, self.plan.margin);
        let game = 2 * self.state.pairs + number as u64;
        let seats = [(0, &mut first), (1, &mut second)].map(|(side, player)| Seat {
            player: player.as_mut(),
            limits,
            margin,
            seed: seed::mix(self.plan.seed, [game, side]),
        });
        play(opening, seats, &self.plan.rules, cancel, &GameLog::default())
    }

    fn engine(&self, values: &[i32]) -> KroonPlayer {
        let mut options = self.options.clone();
        for (tuned, &value) in self.plan.knobs.iter().zip(values) {
            (tuned.knob.set)(&mut options.tuning, value);
        }
        KroonPlayer::from(options)
    }
}

/// Whether the first engine has won a game of an iteration, where it has White in games with even numbers.
fn first_has_won(number: usize, end: &GameEnd) -> Option<bool> {
    end.result.winner().map(|color| (color.index() + number).is_multiple_of(2))
}

#[cfg(test)]
mod tests;
