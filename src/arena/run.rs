//! The match: workers play games, one loop collects them.

use super::adjudicate::Adjudication;
use super::cancel::Cancel;
use super::log::GameLog;
use super::openings::Openings;
use super::player::{Player, PlayerFactory};
use super::record::{GameRecord, Reason, ReplayError};
use super::referee::{PlayedGame, Seat, play};
use super::schedule::MatchSchedule;
use super::shard::Shard;
use super::stats::Sprt;
use super::store::{Store, StoreError};
use super::tally::Tally;
use super::time_control::EngineLimits;
use crate::board::Color;
use crate::game::Game;
use crate::rules::VariantId;
use crate::search::search_thread;
use crate::seed;
use crossbeam::channel::{Receiver, Sender, bounded};
use parking_lot::Mutex;
use std::collections::{HashMap, HashSet};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};
use thiserror::Error;

/// An engine that could not be started so often in succession will not be started any more.
const MOST_FAILED_STARTS: usize = 3;

/// Everything that a match needs to know.
#[derive(Debug)]
pub struct MatchPlan {
    /// The rules.
    pub variant: VariantId,
    /// Names of the engines, for messages.
    pub names: Vec<String>,
    /// How fast each engine plays, and how much later than allowed its moves may come.
    pub limits: Vec<(EngineLimits, Duration)>,
    /// Who plays whom.
    pub schedule: MatchSchedule,
    /// Which games are played here, if others play the rest.
    pub shard: Option<Shard>,
    /// When games end early.
    pub rules: Adjudication,
    /// When the match ends early.
    pub sprt: Option<Sprt>,
    /// Where the random numbers of all players come from.
    pub seed: u64,
    /// Games at the same time.
    pub concurrency: usize,
    /// Whether the first fault of an engine ends the match.
    pub strict: bool,
    /// A folder for the dialogues.
    pub log: Option<PathBuf>,
}

impl MatchPlan {
    /// How many games are played here.
    pub fn games(&self) -> usize {
        self.schedule.games_of(self.shard).count()
    }
}

/// Why a match came to no good end.
#[derive(Debug, Error)]
pub enum MatchError {
    /// A result could not be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file has games that are not in the schedule.
    #[error("game {game} of the results file is not in this match: {fault}")]
    Stranger {
        /// Its number.
        game: usize,
        /// Why not.
        fault: String,
    },
    /// The match was strict.
    #[error("game {game}: {engine} {fault}; the match is strict")]
    Strict {
        /// The number of the game.
        game: usize,
        /// The engine.
        engine: String,
        /// What it did.
        fault: String,
    },
    /// An engine cannot be started: three times in succession, or at the end of its games.
    #[error("{0} cannot be started: {1}")]
    Dead(String, String),
    /// No thread, no log.
    #[error("{0}: {1}")]
    Io(&'static str, io::Error),
    /// A fault in this program.
    #[error("game {0} was lost by a fault in this program (the referee panicked)")]
    Referee(usize),
}

/// Watches a match.
pub trait Spectator {
    /// Games have finished and are on the disk.
    ///
    /// # Errors
    /// Ends the match.
    fn finished(&mut self, tally: &Tally, games: &[GameRecord]) -> Result<(), MatchError>;
}

/// Plays all games of the plan's shard that are not among `before`, and counts all. Ends early when the test decides or `cancel` says so;
/// games in progress are then abandoned, and leave no trace.
///
/// # Errors
/// See [`MatchError`]. What was finished before is in the store.
pub fn run(
    plan: &MatchPlan,
    openings: Openings,
    factory: &dyn PlayerFactory,
    mut store: Option<Store>,
    before: &[GameRecord],
    cancel: &Cancel,
    spectator: &mut dyn Spectator,
) -> Result<Tally, MatchError> {
    let mut tally = Tally::new(plan.schedule.clone(), plan.sprt);
    let mut played = vec![false; plan.schedule.games()];
    check(plan, before)?;
    for record in before {
        tally.add(record);
        played[record.game - 1] = true;
    }
    let todo: Vec<usize> = plan.schedule.games_of(plan.shard).filter(|&game| !played[game]).collect();
    let begun = begun_openings(plan, &todo, before)?;
    if tally.is_decided() || todo.is_empty() {
        return Ok(tally);
    }
    // The boards end with the match; the caller may go on.
    let cancel = &cancel.child();
    // One result may wait for each worker.
    let (results, finished) = bounded(plan.concurrency);
    let boards = plan.concurrency.clamp(1, todo.len());
    let hall = Hall {
        plan,
        factory,
        cancel: cancel.clone(),
        openings: Mutex::new(openings),
        begun,
        todo: &todo,
        next: AtomicUsize::new(0),
        unstarted: Mutex::new(Unstarted { games: Vec::new(), boards }),
    };
    thread::scope(|scope| {
        let mut failure = None;
        for number in 0..boards {
            let (hall, results) = (&hall, results.clone());
            let builder = search_thread(format!("board {number}"));
            if let Err(error) = builder.spawn_scoped(scope, move || hall.work(&results)) {
                failure = Some(MatchError::Io("cannot start a thread", error));
                cancel.cancel();
                break;
            }
        }
        drop(results);
        if let Err(error) = collect(&finished, plan, &mut tally, &mut store, cancel, spectator) {
            failure.get_or_insert(error);
        }
        // Nobody waits for a place for its result any more.
        cancel.cancel();
        drop(finished);
        failure.map_or(Ok(()), Err)
    })?;
    Ok(tally)
}

/// The openings of rounds that have begun but are not complete. What was played counts: random openings are screened
/// by a search, and a newer version of this program may search otherwise.
fn begun_openings(
    plan: &MatchPlan,
    todo: &[usize],
    before: &[GameRecord],
) -> Result<HashMap<usize, Game>, MatchError> {
    let opening = |game: usize| plan.schedule.fixture(game).opening;
    let wanted: HashSet<usize> = todo.iter().map(|&game| opening(game)).collect();
    let mut begun = HashMap::new();
    for record in before.iter().filter(|record| wanted.contains(&opening(record.game - 1))) {
        let stranger = |fault: ReplayError| MatchError::Stranger { game: record.game, fault: fault.fault };
        begun.insert(opening(record.game - 1), record.opening(plan.variant).map_err(stranger)?);
    }
    Ok(begun)
}

/// Whether games that were played before belong to a match.
///
/// # Errors
/// When the match has no such game.
pub fn check(plan: &MatchPlan, games: &[GameRecord]) -> Result<(), MatchError> {
    games.iter().try_for_each(|game| check_one(plan, game))
}

/// A game of a results file must be one of the schedule.
fn check_one(plan: &MatchPlan, record: &GameRecord) -> Result<(), MatchError> {
    let schedule = &plan.schedule;
    let stranger = |fault: String| MatchError::Stranger { game: record.game, fault };
    if !(1..=schedule.games()).contains(&record.game) {
        return Err(stranger(format!("the last one is {}", schedule.games())));
    }
    let engines = schedule.fixture(record.game - 1).engines;
    if engines != [record.white, record.black] {
        return Err(stranger(format!(
            "engines {engines:?} expected, {:?} found",
            [record.white, record.black]
        )));
    }
    if let Some(shard) = plan.shard.filter(|_| !schedule.is_of(record.game - 1, plan.shard)) {
        return Err(stranger(format!("shard {shard} does not play it")));
    }
    Ok(())
}

/// Takes what the workers have finished: to the disk first, then to the tally, then to the eyes of the user.
fn collect(
    finished: &Receiver<Result<GameRecord, MatchError>>,
    plan: &MatchPlan,
    tally: &mut Tally,
    store: &mut Option<Store>,
    cancel: &Cancel,
    spectator: &mut dyn Spectator,
) -> Result<(), MatchError> {
    // Ends when the last worker has gone home.
    while let Ok(first) = finished.recv() {
        // What has come in the meantime shares the wait for the disk.
        let mut batch = Vec::new();
        let mut failure = None;
        for result in std::iter::once(first).chain(finished.try_iter()) {
            match result {
                Ok(record) => batch.push(record),
                Err(error) => failure = Some(error),
            }
        }
        if let Some(store) = store {
            store.append(&batch)?;
        }
        batch.iter().for_each(|record| tally.add(record));
        spectator.finished(tally, &batch)?;
        if let Some(record) = batch.iter().find(|record| plan.strict && record.reason.is_fault()) {
            return Err(strict(plan, record));
        }
        if let Some(error) = failure {
            return Err(error);
        }
        if tally.is_decided() {
            cancel.cancel();
        }
    }
    Ok(())
}

fn strict(plan: &MatchPlan, record: &GameRecord) -> MatchError {
    let loser = record.result.winner().map_or(record.white, |winner| record.engine(!winner));
    let engine = plan.names.get(loser).cloned().unwrap_or_default();
    let fault = record.detail.clone().unwrap_or_else(|| record.reason.to_string());
    MatchError::Strict { game: record.game, engine, fault }
}

/// The engine that has lost a game because it did not start.
fn unstarted(record: &GameRecord) -> Option<usize> {
    let winner = record.result.winner().filter(|_| record.reason == Reason::NotStarted)?;
    Some(record.engine(!winner))
}

/// Keeps up how often each engine has failed to start since it last did.
fn count_failed_starts(record: &GameRecord, failed: &mut [usize]) {
    match unstarted(record) {
        // Whether the other one starts was perhaps not tried.
        Some(engine) => failed[engine] += 1,
        None => [record.white, record.black].into_iter().for_each(|engine| failed[engine] = 0),
    }
}

/// Where the games are played: what all workers share.
struct Hall<'a> {
    plan: &'a MatchPlan,
    factory: &'a dyn PlayerFactory,
    cancel: Cancel,
    openings: Mutex<Openings>,
    /// Openings of which some games have been played already, by their number.
    begun: HashMap<usize, Game>,
    /// The games to be played.
    todo: &'a [usize],
    /// The first of them that nobody has taken.
    next: AtomicUsize,
    unstarted: Mutex<Unstarted>,
}

/// Games that an engine has lost because it did not start. They count as soon as it has started at any board: an engine that
/// never does has played no match.
struct Unstarted {
    games: Vec<GameRecord>,
    /// Workers that have not gone home.
    boards: usize,
}

impl Hall<'_> {
    /// Plays one game after another, in the order of the schedule.
    fn work(&self, results: &Sender<Result<GameRecord, MatchError>>) {
        // The players of this worker, by engine; none until needed, and after a fault.
        let mut players: Vec<Option<Box<dyn Player>>> = self.plan.names.iter().map(|_| None).collect();
        let mut failed_starts = vec![0; self.plan.names.len()];
        while !self.cancel.is_cancelled() {
            let Some(&game) = self.todo.get(self.next.fetch_add(1, Ordering::Relaxed)) else {
                return self.go_home(results);
            };
            let record = match self.guarded_game(game, &mut players) {
                Ok(Some(record)) if record.reason == Reason::NotStarted => {
                    count_failed_starts(&record, &mut failed_starts);
                    self.unstarted.lock().games.push(record);
                    // An engine that is gone here may still play at other boards.
                    if failed_starts.iter().any(|&count| count >= MOST_FAILED_STARTS) {
                        return self.go_home(results);
                    }
                    continue;
                }
                Ok(Some(record)) => Ok(record),
                Ok(None) => return,
                Err(error) => Err(error),
            };
            let failed = record.is_err();
            if let Ok(record) = &record {
                count_failed_starts(record, &mut failed_starts);
                let has_started = |late: &mut GameRecord| {
                    unstarted(late).is_some_and(|engine| [record.white, record.black].contains(&engine))
                };
                let late: Vec<GameRecord> = self.unstarted.lock().games.extract_if(.., has_started).collect();
                if late.into_iter().any(|late| results.send(Ok(late)).is_err()) {
                    return;
                }
            }
            if results.send(record).is_err() || failed {
                return;
            }
        }
    }

    /// A worker has nothing more to play. The last one tells of an engine that has not started since.
    fn go_home(&self, results: &Sender<Result<GameRecord, MatchError>>) {
        let mut unstarted = self.unstarted.lock();
        unstarted.boards -= 1;
        let gone = unstarted.games.first().filter(|_| unstarted.boards == 0).map(|record| self.dead(record));
        drop(unstarted);
        if let Some(error) = gone {
            let _ = results.send(Err(error));
        }
    }

    /// One game; a fault in this program ends the match.
    fn guarded_game(
        &self,
        game: usize,
        players: &mut [Option<Box<dyn Player>>],
    ) -> Result<Option<GameRecord>, MatchError> {
        catch_unwind(AssertUnwindSafe(|| self.game(game, players)))
            .unwrap_or(Err(MatchError::Referee(game + 1)))
    }

    /// The error for an engine that has not started in a game.
    fn dead(&self, record: &GameRecord) -> MatchError {
        let name = unstarted(record).and_then(|engine| self.plan.names.get(engine).cloned());
        MatchError::Dead(name.unwrap_or_default(), record.detail.clone().unwrap_or_default())
    }

    /// The seed of a player in a game: another in each game and for each side, the same whenever it is played.
    fn seed(&self, game: usize, is_black: bool) -> u64 {
        seed::mix(self.plan.seed, [game as u64, is_black.into()])
    }

    /// One game; none if the match was stopped.
    fn game(
        &self,
        game: usize,
        players: &mut [Option<Box<dyn Player>>],
    ) -> Result<Option<GameRecord>, MatchError> {
        let fixture = self.plan.schedule.fixture(game);
        let begun = self.begun.get(&fixture.opening).cloned();
        let opening = begun.unwrap_or_else(|| self.openings.lock().get(fixture.opening).game);
        let log = match &self.plan.log {
            Some(folder) => GameLog::create(folder, game + 1)
                .map_err(|error| MatchError::Io("cannot write the log", error))?,
            None => GameLog::default(),
        };
        let [white, black] = fixture.engines;
        // Out of their places, so that a panic leaves nobody half-way through a game.
        let mut pair = [white, black].map(|engine| {
            players[engine].take().unwrap_or_else(|| self.factory.player(engine, &self.cancel))
        });
        let [first, second] = &mut pair;
        let seat = |engine: usize| self.plan.limits.get(engine).copied().unwrap_or_default();
        let seats = [(white, first), (black, second)].map(|(engine, player)| {
            let (limits, margin) = seat(engine);
            let seed = self.seed(game, engine == black);
            Seat { player: player.as_mut(), limits, margin, seed }
        });
        let Some(played) = play(&opening, seats, &self.plan.rules, &self.cancel, &log) else {
            return Ok(None);
        };
        // An engine that was only late goes on; after any other fault it is started anew.
        let restart = played.reason.is_fault() && played.reason != Reason::Time;
        let loser = played.result.winner().map(|winner| fixture.engines[(!winner).index()]);
        for (engine, player) in fixture.engines.into_iter().zip(pair) {
            if !(restart && loser == Some(engine)) {
                players[engine] = Some(player);
            }
        }
        Ok(Some(record(game, fixture.engines, &opening, played)))
    }
}

fn record(game: usize, [white, black]: [usize; 2], opening: &Game, played: PlayedGame) -> GameRecord {
    let (fen, moves) = GameRecord::moves_of(&played.game);
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    GameRecord {
        game: game + 1,
        white,
        black,
        result: played.result,
        reason: played.reason,
        detail: played.detail,
        ended: now.map_or(0, |time| time.as_secs()),
        fen,
        left: Some(Color::ALL.map(|color| played.game.position().side(color).len())),
        book: opening.moves().len(),
        moves,
        notes: played.notes,
    }
}

#[cfg(test)]
mod tests;
