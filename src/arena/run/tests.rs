//! Engines that do not start.

use super::super::openings::OpeningSource;
use super::super::player::{PlayerFault, Remarks, Thought, Turn};
use super::super::schedule::Format;
use super::*;
use crate::game::GameResult;
use std::sync::Arc;
use std::time::Instant;

/// What becomes of the engine 1, each time it is started.
#[derive(Clone, Copy, PartialEq)]
enum Fate {
    Plays,
    DoesNotStart,
    Crashes,
}

/// Engine 0 always plays; engine 1 has its fates in turn, the last one for ever.
struct FatefulFactory {
    fates: Vec<Fate>,
    started: Arc<AtomicUsize>,
}

struct FatefulPlayer {
    fate: Fate,
    started: Arc<AtomicUsize>,
}

impl PlayerFactory for FatefulFactory {
    fn player(&self, engine: usize, _: &Cancel) -> Box<dyn Player> {
        let started = Arc::clone(&self.started);
        if engine == 0 {
            return Box::new(FatefulPlayer { fate: Fate::Plays, started });
        }
        let start = started.fetch_add(1, Ordering::Relaxed);
        let fate = self.fates[start.min(self.fates.len() - 1)];
        Box::new(FatefulPlayer { fate, started })
    }
}

impl FatefulPlayer {
    /// Until the other board has begun, too, which a busy machine may keep waiting.
    fn wait_for_the_other_board(&self) {
        let begun = Instant::now();
        while self.started.load(Ordering::Relaxed) < 2 && begun.elapsed() < Duration::from_secs(5) {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Player for FatefulPlayer {
    fn new_game(&mut self, _: &Game, _: Color, _: u64, _: &GameLog) -> Result<(), PlayerFault> {
        if self.fate == Fate::DoesNotStart {
            self.wait_for_the_other_board();
            return Err(PlayerFault::Start("it is gone".to_owned()));
        }
        Ok(())
    }

    fn think(&mut self, game: &Game, _: &Turn) -> Result<Thought, PlayerFault> {
        // Longer than a start takes: the other board has nothing to play before this game ends.
        thread::sleep(Duration::from_millis(20));
        if self.fate == Fate::Crashes {
            self.wait_for_the_other_board();
            return Err(PlayerFault::Crash("it crashed".to_owned()));
        }
        let used = Duration::from_millis(20);
        Ok(Thought { mv: game.legal_moves()[0], used, remarks: Remarks::default() })
    }
}

/// Keeps what has finished.
#[derive(Default)]
struct Finished(Vec<GameRecord>);

impl Spectator for Finished {
    fn finished(&mut self, _: &Tally, games: &[GameRecord]) -> Result<(), MatchError> {
        self.0.extend_from_slice(games);
        Ok(())
    }
}

/// A match on two boards: how it ended, and the reasons of its games in the order of the schedule.
fn on_two_boards(games: usize, fates: &[Fate], sprt: Option<Sprt>) -> (Option<String>, Vec<Reason>) {
    let plan = MatchPlan {
        variant: VariantId::International,
        names: vec!["sound".into(), "fateful".into()],
        limits: Vec::new(),
        schedule: MatchSchedule::new(Format::RoundRobin, 2, games / 2),
        shard: None,
        rules: Adjudication { max_plies: Some(8), ..Adjudication::default() },
        sprt,
        seed: 1,
        concurrency: 2,
        strict: false,
        log: None,
    };
    let factory = FatefulFactory { fates: fates.to_vec(), started: Arc::default() };
    let openings = Openings::new(plan.variant, &OpeningSource::Start).unwrap();
    let mut finished = Finished::default();
    let result = run(&plan, openings, &factory, None, &[], &Cancel::new(), &mut finished);
    finished.0.sort_by_key(|record| record.game);
    let error = result.err().map(|error| error.to_string());
    (error, finished.0.iter().map(|record| record.reason).collect())
}

fn count(reasons: &[Reason], wanted: Reason) -> usize {
    reasons.iter().filter(|&&reason| reason == wanted).count()
}

#[test]
fn a_start_that_fails_at_one_board_loses_a_game_and_ends_no_other() {
    let (error, reasons) = on_two_boards(2, &[Fate::DoesNotStart, Fate::Plays], None);
    assert_eq!((error, reasons.len(), count(&reasons, Reason::MaxPlies)), (None, 2, 1));
    // Three failures end the games at one board, and the other plays the rest.
    let fates = [Fate::Plays, Fate::DoesNotStart, Fate::DoesNotStart, Fate::DoesNotStart, Fate::Plays];
    let (error, reasons) = on_two_boards(8, &fates, None);
    assert_eq!((error, reasons.len(), count(&reasons, Reason::NotStarted)), (None, 8, 3));
    // Games that wait would keep the test from the pairs behind them.
    let sprt = Sprt::new(0.0, 300.0, 0.05, 0.05).unwrap();
    let (error, reasons) = on_two_boards(2000, &fates, Some(sprt));
    assert!(error.is_none() && reasons.len() < 1000, "{error:?} {}", reasons.len());
}

#[test]
fn an_engine_that_is_gone_ends_the_match_when_no_game_goes_on() {
    let (error, reasons) = on_two_boards(2, &[Fate::Crashes, Fate::DoesNotStart], None);
    assert_eq!((error, count(&reasons, Reason::Crash)), (None, 1));
    let (error, reasons) = on_two_boards(40, &[Fate::DoesNotStart], None);
    assert!(error.is_some_and(|error| error.contains("fateful cannot be started: not started: it is gone")));
    assert_eq!(reasons.len(), 0);
    // What has been played stays.
    let fates = [Fate::Crashes, Fate::Crashes, Fate::DoesNotStart];
    let (error, reasons) = on_two_boards(40, &fates, None);
    assert_eq!((error.is_some(), count(&reasons, Reason::Crash)), (true, 2));
}

#[test]
fn two_engines_that_are_both_gone_do_not_hide_each_other() {
    let game =
        |game: usize, reason, result| GameRecord::bare(game, [(game + 1) % 2, game % 2], result, reason);
    let mut failed = [0; 2];
    // White is asked first, so he is the one who fails.
    for number in 1..=4 {
        count_failed_starts(&game(number, Reason::NotStarted, GameResult::Black), &mut failed);
    }
    assert_eq!(failed, [2, 2]);
    count_failed_starts(&game(5, Reason::NotStarted, GameResult::Black), &mut failed);
    assert_eq!(failed, [MOST_FAILED_STARTS, 2]);
    count_failed_starts(&game(6, Reason::Rules, GameResult::Draw), &mut failed);
    assert_eq!(failed, [0, 0]);
}

/// Players that play the first legal move, and the seeds that they were given.
#[derive(Default)]
struct SeedKeepers(Arc<Mutex<Vec<u64>>>);

struct SeedKeeper(Arc<Mutex<Vec<u64>>>);

impl PlayerFactory for SeedKeepers {
    fn player(&self, _: usize, _: &Cancel) -> Box<dyn Player> {
        Box::new(SeedKeeper(Arc::clone(&self.0)))
    }
}

impl Player for SeedKeeper {
    fn new_game(&mut self, _: &Game, _: Color, seed: u64, _: &GameLog) -> Result<(), PlayerFault> {
        self.0.lock().push(seed);
        Ok(())
    }

    fn think(&mut self, game: &Game, _: &Turn) -> Result<Thought, PlayerFault> {
        Ok(Thought { mv: game.legal_moves()[0], used: Duration::ZERO, remarks: Remarks::default() })
    }
}

/// A match of such players from these openings, which goes on behind `before`: its games in order, and the seeds.
fn kept(rounds: usize, openings: &str, before: &[GameRecord]) -> (Vec<GameRecord>, Vec<u64>) {
    let plan = MatchPlan {
        variant: VariantId::International,
        names: vec!["one".into(), "other".into()],
        limits: Vec::new(),
        schedule: MatchSchedule::new(Format::RoundRobin, 2, rounds),
        shard: None,
        rules: Adjudication { max_plies: Some(8), ..Adjudication::default() },
        sprt: None,
        seed: 1,
        concurrency: 1,
        strict: true,
        log: None,
    };
    let openings = Openings::new(plan.variant, &openings.parse().unwrap()).unwrap();
    let (factory, mut finished) = (SeedKeepers::default(), Finished::default());
    run(&plan, openings, &factory, None, before, &Cancel::new(), &mut finished).unwrap();
    finished.0.sort_by_key(|record| record.game);
    let seeds = factory.0.lock().clone();
    (finished.0, seeds)
}

#[test]
fn each_side_of_each_game_has_a_seed_of_its_own() {
    let (games, mut seeds) = kept(2, "random:4:1", &[]);
    assert_eq!((games.len(), seeds.len()), (4, 8));
    assert!(games.iter().all(|game| {
        let plies = game.replay(VariantId::International).unwrap().moves().len();
        (game.reason, plies) == (Reason::MaxPlies, 8)
    }));
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!(seeds.len(), 8);
}

#[test]
fn a_pair_that_was_begun_ends_from_the_same_opening() {
    let opening = |record: &GameRecord| record.opening(VariantId::International).unwrap().moves().to_vec();
    let [first, second] = ["random:4:1", "random:4:2"].map(|openings| kept(1, openings, &[]).0);
    assert_ne!(opening(&first[0]), opening(&second[0]));
    // As if a newer version of the program screened openings otherwise.
    let (rest, _) = kept(1, "random:4:2", &first[..1]);
    assert_eq!(rest.iter().map(|record| record.game).collect::<Vec<_>>(), [2]);
    assert_eq!(opening(&rest[0]), opening(&first[0]));
}
