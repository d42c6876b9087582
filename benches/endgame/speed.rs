//! How fast the tables answer, and what they cost the search.

use super::RandomPositions;
use kroon::engine::{Engine, Mode, Options, Request};
use kroon::game::Game;
use kroon::search::{Control, Limits};
use kroon::tablebase::{Material, Tables};
use std::hint::black_box;
use std::time::Instant;

/// Positions that are probed.
const POSITIONS: usize = 20_000;
/// How often.
const ROUNDS: usize = 20;
/// Positions that are searched, and nodes of each search.
const SEARCHES: usize = 40;
const NODES: u64 = 200_000;

/// Nanoseconds of a probe.
#[allow(clippy::print_stdout)] // a benchmark is its output
pub fn probe(tables: &Tables, pieces: u8) {
    let mut random = RandomPositions::new(tables.variant(), pieces);
    let games: Vec<Game> = (0..POSITIONS).map(|_| random.next()).collect();
    let mut rounds: Vec<f64> = Vec::new();
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for game in &games {
            assert!(black_box(tables.outcome(black_box(game.position()))).is_some());
        }
        rounds.push(start.elapsed().as_secs_f64() * 1e9 / POSITIONS as f64);
    }
    rounds.sort_by(f64::total_cmp);
    println!(
        "{POSITIONS} positions, {ROUNDS} rounds: median {:.0} ns a probe, fastest {:.0}",
        rounds[ROUNDS / 2],
        rounds[0]
    );
}

/// Nodes a second with tables of fewer pieces than on the board, and without.
#[allow(clippy::print_stdout)] // a benchmark is its output
pub fn search(tables: &Tables, pieces: u8) {
    let games = searched(tables, pieces);
    for _ in 0..3 {
        let (with, without) = (speed(tables, &games, pieces), speed(tables, &games, 0));
        println!("{with:.2} Mn/s with tables, {without:.2} without, ratio {:.2}", with / without);
    }
}

/// Nodes a second with tables, several times.
#[allow(clippy::print_stdout)] // a benchmark is its output
pub fn nodes(tables: &Tables, pieces: u8) {
    let games = searched(tables, pieces);
    for _ in 0..5 {
        println!("{:.3} Mn/s", speed(tables, &games, pieces));
    }
}

/// Positions with two pieces more than the tables have.
fn searched(tables: &Tables, pieces: u8) -> Vec<Game> {
    let mut random = RandomPositions::new(tables.variant(), (pieces + 2).min(Material::MOST_PIECES));
    (0..SEARCHES).map(|_| random.next()).collect()
}

/// Million nodes a second in searches with tables of so many pieces.
fn speed(tables: &Tables, games: &[Game], bb_size: u8) -> f64 {
    let mut engine = Engine::new(Options { bb_size, ..Options::default() });
    engine.prepare(tables.variant());
    let (mut nodes, start) = (0, Instant::now());
    for game in games {
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        let request = Request { game: game.clone(), limits, mode: Mode::Analyze };
        engine.new_game();
        nodes += engine.go(&request, &Control::new(), &mut ()).nodes;
    }
    nodes as f64 / start.elapsed().as_secs_f64() / 1e6
}
