//! Won positions played out.

use super::{RandomPositions, is_won};
use kroon::board::Move;
use kroon::engine::{Engine, Mode, Options, Request};
use kroon::game::{Game, Outcome};
use kroon::search::{Control, Limits};
use kroon::tablebase::{Tables, Timing, Value};
use std::time::Duration;

/// Time of a move of the winner.
const MOVE_TIME: Duration = Duration::from_millis(10);
/// No game is longer, in plies.
const LONGEST: usize = 400;

/// How the games ended.
#[derive(Default)]
struct Ends {
    won: usize,
    /// Drawn or worse, although the counts of moves left time for best play.
    missed: usize,
    /// Not won, and a count of moves stood in the way from the start.
    too_long: usize,
}

/// Plays so many positions with tables and without.
#[allow(clippy::print_stdout)] // a benchmark is its output
pub fn run(tables: &Tables, pieces: u8, counts: [usize; 2]) {
    let (mut with, mut without) = (Ends::default(), Ends::default());
    for ((bb_size, ends), count) in [(pieces, &mut with), (0, &mut without)].into_iter().zip(counts) {
        let mut engine = Engine::new(Options { bb_size, hash_mb: 16, ..Options::default() });
        engine.prepare(tables.variant());
        let mut random = RandomPositions::new(tables.variant(), pieces);
        for _ in 0..count {
            let game = std::iter::repeat_with(|| random.next()).find(|game| is_won(tables, game));
            play(&mut engine, tables, game.expect("an endless row"), ends);
        }
    }
    println!("won positions of {pieces} pieces, {} draughts", tables.variant());
    for ((name, ends), count) in [("with", with), ("without", without)].into_iter().zip(counts) {
        let Ends { won, missed, too_long } = ends;
        println!(
            "{name:>8} tables, {count} positions: {won} won, {missed} missed, {too_long} not won where a count of moves \
             forbids it"
        );
    }
}

/// Plays a game to its end.
fn play(engine: &mut Engine, tables: &Tables, mut game: Game, ends: &mut Ends) {
    let winner = game.position().turn();
    let advice = tables.advice_in(game.position(), game.counters());
    let is_too_long = advice.is_some_and(|(_, timing)| timing == Timing::Short);
    engine.new_game();
    while game.outcome().is_none() && game.moves().len() < LONGEST {
        let mv = if game.position().turn() == winner {
            let limits = Limits { move_time: Some(MOVE_TIME), ..Limits::default() };
            let request = Request { game: game.clone(), limits, mode: Mode::Think };
            engine.go(&request, &Control::new(), &mut ()).best.expect("a move")
        } else {
            defence(tables, &game)
        };
        game.play(mv).expect("a legal move");
    }
    if game.outcome() == Some(Outcome::Win(winner)) {
        ends.won += 1;
    } else if is_too_long {
        ends.too_long += 1;
    } else {
        ends.missed += 1;
    }
}

/// What keeps the most: a draw where there is one by now, else the longest loss, by the tables.
fn defence(tables: &Tables, game: &Game) -> Move {
    let moves = tables.moves(game.position());
    let rank = |verdict: Option<kroon::tablebase::Verdict>| {
        verdict.map_or((0, 0), |verdict| match verdict.value {
            Value::Loss => (1, verdict.distance.unwrap_or(0)),
            Value::Draw => (2, 0),
            Value::Win => (3, 0),
        })
    };
    moves.into_iter().max_by_key(|(_, verdict)| rank(*verdict)).expect("a legal move").0
}
