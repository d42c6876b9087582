//! Endgame tables at work: `cargo bench --bench endgame -- WHAT VARIANT PIECES [COUNT [WITHOUT]]`, where WHAT is
//!
//! - `probe`: the time of a probe of random positions with so many pieces, warm;
//! - `search`: nodes a second with and without tables, from positions with two pieces more;
//! - `nodes`: nodes a second with tables, from the same positions: to compare two builds, in turn;
//! - `convert`: COUNT random won positions with so many pieces are played out against the longest known defence, 10 ms
//!   a move, with tables, and the first WITHOUT of them (all if not given) without;
//! - `agree`: COUNT random positions are searched without tables: what the search proves must be in the tables.
//!
//! The tables are those of the default folders (`KROON_TABLES`).

mod agree;
mod convert;
mod speed;

use kroon::board::Setup;
use kroon::game::Game;
use kroon::rules::VariantId;
use kroon::rules::movegen::can_capture;
use kroon::tablebase::{self, Index, Material, Tables};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// What may be asked for.
const WHAT: &str = "probe, search, nodes, convert or agree";

#[allow(clippy::print_stderr)] // a benchmark is its output
fn main() {
    // Cargo adds flags of its own.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (what, variant, pieces, count, without) = match words[..] {
        [what, variant, pieces] => (what, variant, pieces, "1000", "1000"),
        [what, variant, pieces, count] => (what, variant, pieces, count, count),
        [what, variant, pieces, count, without] => (what, variant, pieces, count, without),
        _ => return eprintln!("{WHAT}, then VARIANT PIECES [COUNT [WITHOUT]]"),
    };
    let variant: VariantId = variant.parse().expect("a variant");
    let pieces: u8 = pieces.parse().expect("a number of pieces");
    let [count, without] = [count, without].map(|count| count.parse::<usize>().expect("a number"));
    let (tables, faults) = tablebase::load(variant, &tablebase::folders(None), pieces);
    assert!(faults.is_empty(), "{faults:?}");
    assert_eq!(tables.most_pieces(), u32::from(pieces), "tables for {pieces} pieces");
    match what {
        "probe" => speed::probe(&tables, pieces),
        "search" => speed::search(&tables, pieces),
        "nodes" => speed::nodes(&tables, pieces),
        "agree" => agree::run(&tables, pieces, count),
        "convert" => convert::run(&tables, pieces, [count, without]),
        _ => eprintln!("{WHAT}, not {what}"),
    }
}

/// Random positions with so many pieces in which the side to move can move and cannot capture, each slice in
/// proportion to its size.
struct RandomPositions {
    variant: VariantId,
    slices: Vec<(Index, u64)>,
    random: Xoshiro256PlusPlus,
}

impl RandomPositions {
    fn new(variant: VariantId, pieces: u8) -> RandomPositions {
        let slices = Material::all(variant.rules(), pieces)
            .into_iter()
            .filter(|material| material.pieces() == pieces)
            .filter_map(|material| Index::new(variant.rules(), material))
            .map(|index| (index.clone(), index.len()))
            .collect();
        RandomPositions { variant, slices, random: Xoshiro256PlusPlus::seed_from_u64(1) }
    }

    /// A game from such a position.
    fn next(&mut self) -> Game {
        loop {
            let (index, count) =
                self.slices.choose_weighted(&mut self.random, |slice| slice.1).expect("a slice");
            let position = index.position(self.random.random_range(0..*count));
            let captures =
                kroon::for_variant!(self.variant, V => can_capture::<V>(&position, position.turn()));
            let Ok(game) = Game::from_setup(self.variant, &Setup::from(&position)) else { continue };
            if !captures && game.outcome().is_none() {
                return game;
            }
        }
    }
}

/// Whether the side to move wins by the tables.
fn is_won(tables: &Tables, game: &Game) -> bool {
    tables.outcome(game.position()) == Some(tablebase::Value::Win)
}
