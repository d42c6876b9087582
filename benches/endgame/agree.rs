//! Whether a search without tables ever proves what the tables deny.

use super::RandomPositions;
use kroon::engine::{Engine, Mode, Options, Request};
use kroon::score::Score;
use kroon::search::{Control, Limits};
use kroon::tablebase::{Tables, Value};

/// Plies of each search.
const DEPTH: u32 = 12;

/// Searches so many positions without tables; a win or loss that it proves must be in the tables.
#[allow(clippy::print_stdout)] // a benchmark is its output
pub fn run(tables: &Tables, pieces: u8, count: usize) {
    let mut random = RandomPositions::new(tables.variant(), pieces);
    let mut engine = Engine::new(Options { bb_size: 0, hash_mb: 4, ..Options::default() });
    let mut proven = 0;
    for _ in 0..count {
        let game = random.next();
        engine.new_game();
        let limits = Limits { depth: Some(DEPTH), ..Limits::default() };
        let request = Request { game: game.clone(), limits, mode: Mode::Analyze };
        let score = engine.go(&request, &Control::new(), &mut ()).info.expect("a score").score;
        if score.is_decided() {
            proven += 1;
            let value = if score > Score::DRAW { Value::Win } else { Value::Loss };
            let known = tables.outcome(game.position());
            assert_eq!(known, Some(value), "{score}: {:?}", game.position());
        }
    }
    println!(
        "{count} positions of {pieces} pieces, {} draughts: {proven} proven at depth {DEPTH}, none denied",
        tables.variant()
    );
}
