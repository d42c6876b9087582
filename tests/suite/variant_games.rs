//! Whole games of every variant: from PDN files of several programs, and of the engine against itself.

use super::naive;
use super::oracle::{to_naive, to_naive_move};
use kroon::board::Color;
use kroon::engine::{Engine, Mode, Options, Request};
use kroon::game::{DrawReason, Game, Outcome};
use kroon::notation::pdn::{self, PdnResult, WriteOptions};
use kroon::rules::{VariantId, play_in};
use kroon::search::{Control, Limits};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::fs;
use std::path::{Path, PathBuf};

/// Variants of which there is no file yet.
const WITHOUT_FILE: &[VariantId] = &[];

/// The files of tests/data/pdn: `<variant>.pdn` is ours, `<variant>-<library>.pdn` the work of a library's own writer.
fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/pdn");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn variant_of(file: &Path) -> VariantId {
    let stem = file.file_stem().unwrap().to_str().unwrap();
    stem.split('-').next().unwrap().parse().unwrap()
}

/// What a game claims is what the rules say about its last position.
#[test]
fn games_in_files_end_as_they_claim() {
    let mut seen = Vec::new();
    for file in files() {
        let (variant, name) = (variant_of(&file), file.display());
        let bytes = fs::read(&file).unwrap();
        let (games, warnings) = pdn::read_games(&pdn::decode(&bytes));
        assert_eq!(warnings, [], "{name}");
        assert!(!games.is_empty(), "{name}");
        for game in games {
            let at = format!("{name}, line {}", game.place.line);
            assert_eq!(game.variant(), Ok(variant), "{at}");
            let replay = game.replay().unwrap();
            assert_eq!(replay.stopped, None, "{at}");
            let plies: usize = game.tags.get("PlyCount").expect("every file says it").parse().unwrap();
            assert_eq!((replay.sections().len(), replay.plies()), (1, plies), "{at}");
            let outcome = replay.game().outcome();
            assert_eq!(PdnResult::from(outcome), game.result(variant), "{at}");
            // Both places say it, and nothing had been decided before the last move.
            assert_eq!(game.tags.get("Result"), game.terminator.as_deref(), "{at}");
            let mut before = replay.game().clone();
            before.undo();
            assert_eq!(before.outcome(), None, "{at}");
            seen.push((variant, outcome.expect("a game that ended by rule")));
        }
    }
    for variant in VariantId::ALL.into_iter().filter(|variant| !WITHOUT_FILE.contains(variant)) {
        assert!(seen.iter().any(|(of, _)| *of == variant), "no games of {variant}");
        let mut wanted = vec![Outcome::Win(Color::White), Outcome::Win(Color::Black)];
        if variant != VariantId::Breakthrough {
            wanted.extend([DrawReason::Repetition, DrawReason::MoveCount].map(Outcome::Draw));
        }
        for outcome in wanted {
            assert!(seen.contains(&(variant, outcome)), "{variant}: no game with {outcome}");
        }
    }
}

/// What we write of a game that we read is the same game.
#[test]
fn games_in_files_survive_being_written() {
    for file in files() {
        let bytes = fs::read(&file).unwrap();
        for game in pdn::read_games(&pdn::decode(&bytes)).0 {
            let first = game.replay().unwrap().game().clone();
            let written = pdn::PdnGame::from(&first).write(WriteOptions::default());
            let (again, warnings) = pdn::read_games(&written);
            assert_eq!((again.len(), warnings), (1, vec![]), "{written}");
            let second = again[0].replay().unwrap();
            assert_eq!(second.stopped, None, "{written}");
            assert_eq!(second.game().variant(), first.variant(), "{written}");
            assert_eq!(second.game().start(), first.start(), "{written}");
            assert_eq!(second.game().moves(), first.moves(), "{written}");
        }
    }
}

/// Longest game; every one of these ends far earlier.
const MOST_PLIES: usize = 1000;
/// Random moves before the engine begins, so that games differ.
const OPENING: usize = 6;

/// A game of the engine against itself, each move and position checked against the naive rules.
fn whole_game(variant: VariantId, depth: u32, seed: u64) -> Game {
    let rules = naive::rules_of(variant);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut engine = Engine::new(Options { hash_mb: 1, ..Options::default() });
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut game = Game::new(variant);
    let mut naive = to_naive(variant, game.position());
    while game.outcome().is_none() {
        assert!(game.moves().len() < MOST_PLIES, "{variant}: {} plies and no end", game.moves().len());
        let legal = game.legal_moves();
        let mv = if game.moves().len() < OPENING {
            legal[random.random_range(0..legal.len())]
        } else {
            let request = Request { game: game.clone(), limits, mode: Mode::Think };
            engine.go(&request, &Control::new(), &mut ()).best.expect("the game goes on")
        };
        let action = to_naive_move(variant, mv);
        assert!(naive.legal_moves(rules).contains(&action), "{variant}: {action:?} in {naive:?}");
        naive = naive.play(&action);
        game.play(mv).unwrap();
        let mut expected = naive.clone();
        if !rules.three_king_moves {
            // The naive rules count them everywhere.
            expected.king_moves = [(0, 0); 2];
        }
        assert_eq!(expected, to_naive(variant, game.position()), "{variant} after {action:?}");
    }
    let won = matches!(game.outcome(), Some(Outcome::Win(_)));
    assert_eq!(won, naive.legal_moves(rules).is_empty(), "{variant}: {:?} in {naive:?}", game.outcome());
    game
}

#[test]
fn the_engine_plays_whole_games_of_every_variant() {
    let (mut wins, mut draws) = (0, 0);
    for variant in VariantId::ALL {
        for seed in 0..2 {
            let game = whole_game(variant, 4, seed);
            match game.outcome() {
                Some(Outcome::Win(_)) => wins += 1,
                _ => draws += 1,
            }
            // The same moves from the same start lead to the same position.
            let replayed = game.moves().iter().fold(*game.start(), |at, &mv| play_in(variant, &at, mv));
            assert_eq!(replayed, *game.position(), "{variant}");
        }
    }
    assert!(wins > 0 && draws > 0, "{wins} wins, {draws} draws");
}
