//! Wins of endgame tables against the draws by counts of moves. Frisian draughts have the strictest: two kings win in seven
//! moves against one, or not at all.

use kroon::board::Setup;
use kroon::game::{Game, Outcome};
use kroon::rules::VariantId;
use kroon::rules::movegen::can_capture;
use kroon::tablebase::generate::{FileShelf, Plan, Progress, run};
use kroon::tablebase::{self, Index, Material, Tables, Timing, Value};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tempfile::TempDir;

const VARIANT: VariantId = VariantId::Frisian;

/// Tables of 3 pieces with distances.
fn tables() -> (TempDir, Tables) {
    let folder = TempDir::new().unwrap();
    let plan = Plan::new(VARIANT, 3, 3, 1 << 30).unwrap();
    run(&plan, &FileShelf::new(folder.path(), VARIANT).unwrap(), 2, &Progress::default()).unwrap();
    let (tables, faults) = tablebase::load(VARIANT, &[folder.path().to_owned()], 3);
    assert!(faults.is_empty(), "{faults:?}");
    (folder, tables)
}

/// Games from random positions of a slice that are won for the side to move.
fn won<'a>(tables: &'a Tables, slice: &str, count: usize) -> impl Iterator<Item = Game> + 'a {
    let material: Material = slice.parse().unwrap();
    let index = Index::new(VARIANT.rules(), material).unwrap();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    std::iter::repeat_with(move || {
        let position = index.position(random.random_range(0..index.len()));
        let captures = kroon::for_variant!(VARIANT, V => can_capture::<V>(&position, position.turn()));
        Game::from_setup(VARIANT, &Setup::from(&position)).ok().filter(|_| !captures)
    })
    .flatten()
    .filter(|game| game.outcome().is_none() && tables.outcome(game.position()) == Some(Value::Win))
    .take(count)
}

/// Plays a won game to its end against the longest resistance; whether it was won. `hurries` makes the shortest way, without
/// a look at the counts.
fn is_converted(tables: &Tables, game: &Game, hurries: bool) -> bool {
    let mut game = game.clone();
    let winner = game.position().turn();
    while game.outcome().is_none() {
        let advice = if game.position().turn() != winner || hurries {
            tables.advice(game.position()).unwrap()
        } else {
            tables.advice_in(game.position(), game.counters()).unwrap().0
        };
        game.play(advice.moves[0]).unwrap();
    }
    game.outcome() == Some(Outcome::Win(winner))
}

#[test]
fn wins_are_carried_out_within_the_counts_or_marked() {
    let (_folder, tables) = tables();
    let (mut hurried, mut converted, mut marked) = (0, 0, 0);
    let slices = ["11v10", "02v10", "20v10", "11v01", "20v01", "02v01"];
    let games: Vec<Game> = slices.into_iter().flat_map(|slice| won(&tables, slice, 400)).collect();
    for game in &games {
        hurried += usize::from(is_converted(&tables, game, true));
        let (_, timing) = tables.advice_in(game.position(), game.counters()).unwrap();
        let is_won = is_converted(&tables, game, false);
        converted += usize::from(is_won);
        marked += usize::from(!timing.is_certain());
        // What may be counted on comes true; a win that a count stops for certain does not.
        assert!(if is_won { timing != Timing::Short } else { !timing.is_certain() }, "{:?}", game.position());
    }
    let numbers = format!("{hurried} {converted} {marked} of {}", games.len());
    assert!(hurried < converted && marked > 0 && marked < games.len(), "{numbers}");
}
