//! Tunes the numbers of the search by games: [`spsa`] chooses the values and updates them from the results; players and
//! referee are those of a match.
//!
//! An iteration is one or more pairs of games between two engines, a little to one and the other side of the present
//! numbers; the games of an iteration are played at the same time. Everything random follows from the seed and the
//! number of the pair, so what has been played and the present values are all the state there is.

pub mod knob;
pub mod spsa;
pub mod state;

use super::adjudicate::Adjudication;
use super::cancel::Cancel;
use super::log::GameLog;
use super::noise::Noise;
use super::openings::{OpeningSource, Openings, OpeningsError};
use super::player_kroon::KroonPlayer;
use super::record::Reason;
use super::referee::{PlayedGame, Seat, play};
use super::run::STACK;
use super::spec::{EngineSpec, Protocol};
use super::time_control::EngineLimits;
use crate::engine::{Options, PROGRAM};
use crate::game::Game;
use crate::rules::VariantId;
use crate::seed;
use knob::TunedKnob;
use parking_lot::Mutex;
use spsa::Spsa;
use state::{PROGRAM_SETTING, StateError, TuneSettings, TuneState};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use thiserror::Error;

/// The state is written when so much time has passed since the last time. What was not written when the program is
/// killed is played again.
const SAVE: Duration = Duration::from_millis(250);
/// Random openings are made in blocks, each from a seed of its own: what goes on late need not make all of them again.
const BLOCK: u64 = 64;

/// How to tune.
#[derive(Clone, Debug)]
pub struct TunePlan {
    /// The rules.
    pub variant: VariantId,
    /// The numbers to find.
    pub knobs: Vec<TunedKnob>,
    /// Parameters of both engines.
    pub params: Vec<(String, String)>,
    /// How fast they play.
    pub limits: EngineLimits,
    /// How much later than allowed their moves may come.
    pub margin: Duration,
    /// Where games begin.
    pub openings: OpeningSource,
    /// When games end early.
    pub rules: Adjudication,
    /// Pairs of games in all.
    pub pairs: u64,
    /// Pairs of an iteration.
    pub batch: u64,
    /// Steps that a number moves for a game won in the last pair.
    pub rate: f64,
    /// Where all random choices come from.
    pub seed: u64,
    /// Games at the same time.
    pub concurrency: usize,
}

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
    /// What has been played and learned.
    pub state: TuneState,
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
        let options = options(plan)?;
        let book = Book::new(plan)?;
        let settings = settings(plan, &book);
        let spsa = Spsa {
            axes: plan.knobs.iter().map(|knob| knob.axis).collect(),
            pairs: plan.pairs,
            rate: plan.rate,
            seed: plan.seed,
        };
        let state = if resume != Resume::No {
            TuneState::load(path, &settings, &plan.knobs, resume == Resume::Forced)?
        } else if path.exists() {
            return Err(StateError::Exists(path.display().to_string()).into());
        } else {
            None
        };
        let state = state.unwrap_or_else(|| TuneState::new(&plan.knobs));
        let tuning = Tuner { plan: plan.clone(), options, spsa, book, settings, state };
        // A file that cannot be written is found before the first game.
        tuning.state.save(path, &tuning.settings, &tuning.plan.knobs)?;
        Ok(tuning)
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
    /// iteration the state is told, and written to the file if it is time.
    ///
    /// # Errors
    /// See [`TuneError`]. What was learned before is in the file.
    pub fn run(
        &mut self,
        path: &Path,
        cancel: &Cancel,
        spectator: &mut dyn FnMut(&TuneState) -> io::Result<()>,
    ) -> Result<(), TuneError> {
        let (mut saved, mut last) = (Instant::now(), self.state.pairs);
        let result = loop {
            if self.state.pairs >= self.plan.pairs || cancel.is_cancelled() {
                break Ok(());
            }
            match self.iterate(cancel) {
                Ok(true) => (),
                Ok(false) => break Ok(()),
                Err(error) => break Err(error),
            }
            if saved.elapsed() >= SAVE {
                self.state.save(path, &self.settings, &self.plan.knobs)?;
                (saved, last) = (Instant::now(), self.state.pairs);
            }
            if let Err(error) = spectator(&self.state) {
                break Err(TuneError::Io("standard output", error));
            }
        };
        if self.state.pairs > last {
            self.state.save(path, &self.settings, &self.plan.knobs)?;
        }
        result
    }

    /// One iteration; false if it was cancelled, and then nothing has changed.
    fn iterate(&mut self, cancel: &Cancel) -> Result<bool, TuneError> {
        let done = self.state.pairs;
        let pairs = self.plan.batch.min(self.plan.pairs - done);
        let probe = self.spsa.probe(&self.state.values, done);
        let sides = [self.engine(&probe.plus), self.engine(&probe.minus)];
        let openings =
            (done..done + pairs).map(|pair| self.book.get(pair)).collect::<Result<Vec<Game>, _>>()?;
        let Some(games) = self.play(&sides, &openings, cancel)? else { return Ok(false) };
        let mut result = 0;
        let mut state = self.state.clone();
        for (index, played) in games.iter().enumerate() {
            let winner = played.result.winner().map(|color| (color.index() + index) % 2);
            match winner {
                Some(0) => state.score.wins += 1,
                Some(_) => state.score.losses += 1,
                None => state.score.draws += 1,
            }
            result += winner.map_or(0, |side| if side == 0 { 1 } else { -1 });
            if played.reason == Reason::Time {
                state.late += 1;
            } else if played.reason.is_fault() {
                let values = if winner == Some(0) { &probe.minus } else { &probe.plus };
                let words: Vec<String> =
                    self.params(values).iter().map(|(name, value)| format!("{name}={value}")).collect();
                let fault = played.detail.clone().unwrap_or_else(|| played.reason.to_string());
                let game = 2 * done + index as u64 + 1;
                return Err(TuneError::Fault { game, engine: words.join(" "), fault });
            }
        }
        state.pairs += pairs;
        self.spsa.learn(&mut state.values, done, &probe, result);
        self.state = state;
        Ok(true)
    }

    /// All games of an iteration: for each opening two, the first engine with White in the first of them. None if
    /// `cancel` said so.
    fn play(
        &self,
        sides: &[KroonPlayer; 2],
        openings: &[Game],
        cancel: &Cancel,
    ) -> Result<Option<Vec<PlayedGame>>, TuneError> {
        let next = AtomicUsize::new(0);
        let games: Vec<Mutex<Option<PlayedGame>>> =
            (0..2 * openings.len()).map(|_| Mutex::new(None)).collect();
        let board = || loop {
            let game = next.fetch_add(1, Ordering::Relaxed);
            let Some(place) = games.get(game) else { return };
            let Some(played) = self.game(sides, &openings[game / 2], game, cancel) else { return };
            *place.lock() = Some(played);
        };
        thread::scope(|scope| {
            let mut threads = Vec::new();
            for number in 0..self.plan.concurrency.clamp(1, games.len()) {
                let builder = thread::Builder::new().name(format!("board {number}")).stack_size(STACK);
                match builder.spawn_scoped(scope, board) {
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
        Ok(games.into_iter().map(Mutex::into_inner).collect())
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

/// The options of both engines.
fn options(plan: &TunePlan) -> Result<Options, TuneError> {
    let spec = EngineSpec {
        name: "kroon".to_owned(),
        protocol: Protocol::Kroon,
        command: Vec::new(),
        folder: None,
        address: None,
        player: None,
        params: plan.params.clone(),
        limits: plan.limits,
        margin: None,
        noise: Noise::default(),
    };
    let player = KroonPlayer::new(&spec, plan.variant).map_err(TuneError::Parameter)?;
    Ok(player.options().clone())
}

/// Everything that decides how a tuning goes; not how many games are played at the same time.
fn settings(plan: &TunePlan, book: &Book) -> TuneSettings {
    let names: Vec<&str> = plan.knobs.iter().map(|knob| knob.knob.name).collect();
    let params: Vec<String> = plan.params.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let list = |words: Vec<String>| if words.is_empty() { "none".to_owned() } else { words.join(" ") };
    let mut settings: TuneSettings = [
        ("variant", plan.variant.name().to_owned()),
        ("games", (2 * plan.pairs).to_string()),
        ("pairs of an iteration", plan.batch.to_string()),
        ("limit", plan.limits.to_string()),
        ("time margin", plan.margin.as_secs_f64().to_string()),
        ("openings", format!("{}{}", plan.openings, book.openings.fingerprint())),
        ("adjudication", plan.rules.to_string()),
        ("seed", plan.seed.to_string()),
        ("rate", plan.rate.to_string()),
        ("parameters", list(params)),
        ("list of knobs", names.join(", ")),
        (PROGRAM_SETTING, PROGRAM.to_owned()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .to_vec();
    settings.extend(plan.knobs.iter().map(|knob| (format!("knob {}", knob.knob.name), knob.to_string())));
    settings
}

/// The openings by the number of the pair.
#[derive(Debug)]
struct Book {
    variant: VariantId,
    source: OpeningSource,
    seed: u64,
    /// Of random openings, the block that was made last.
    block: u64,
    openings: Openings,
}

impl Book {
    fn new(plan: &TunePlan) -> Result<Book, OpeningsError> {
        let (variant, source) = (plan.variant, plan.openings.clone());
        let openings = Openings::new(variant, &source)?;
        // No block has this number.
        Ok(Book { variant, source, seed: plan.seed, block: u64::MAX, openings })
    }

    fn get(&mut self, pair: u64) -> Result<Game, OpeningsError> {
        let OpeningSource::Random { plies, seed } = self.source else {
            return Ok(self.openings.get(pair as usize).game);
        };
        let block = pair / BLOCK;
        if self.block != block {
            let seed = seed::mix(seed, [self.seed, block]);
            self.openings = Openings::new(self.variant, &OpeningSource::Random { plies, seed })?;
            self.block = block;
        }
        Ok(self.openings.get((pair % BLOCK) as usize).game)
    }
}

#[cfg(test)]
mod tests;
