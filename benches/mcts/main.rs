//! Measurements of the Monte-Carlo tree search: `cargo bench --bench mcts -- WHAT`, where WHAT is
//!
//! - `speed` (the default): visits a second with one thread and with two;
//! - `tactics [POSITIONS [VISITS [KIND]]]`: of positions with one winning move, the share that is solved with at most
//!   VISITS visits, for each kind of leaf whose name contains KIND;
//! - `make FILE...`: makes such positions from files of `kroon selfplay`;
//! - `calibrate [GAMES]`: fits the curve from scores to expected results to games of the alpha-beta search;
//! - `calibrate FILE...`: fits it to files of `kroon selfplay`.
//!
//! The results of `tactics` and `calibrate` do not depend on the machine. `kroon match` plays matches.

mod calibrate;
mod make;
mod speed;
mod tactics;

use kroon::board::Move;
use kroon::game::Game;
use kroon::rules::VariantId;
use kroon::train::record::{Ply, SelfplayGame, canonical_moves};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

#[allow(clippy::print_stdout)] // a benchmark is its output
fn main() {
    // Cargo adds flags of its own.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let number = |i: usize, default: u64| -> u64 {
        words.get(i).map_or(default, |word| word.parse().expect("a number"))
    };
    match words.first().map_or("speed", String::as_str) {
        "speed" => speed::run(),
        "tactics" => {
            tactics::run(
                number(1, 200) as usize,
                number(2, 100_000),
                words.get(3).map_or("", String::as_str),
            );
        }
        "make" => make::run(&words[1..]),
        "calibrate" => calibrate::run(&words[1..]),
        other => println!("what is {other}? speed, tactics, make, calibrate"),
    }
}

/// A random legal move.
fn any(game: &Game, random: &mut Xoshiro256PlusPlus) -> Move {
    let moves = game.legal_moves();
    moves[random.random_range(0..moves.len())]
}

/// A position after random moves from the start, not yet decided.
fn opening(variant: VariantId, plies: usize, random: &mut Xoshiro256PlusPlus) -> Game {
    loop {
        let mut game = Game::new(variant);
        for _ in 0..plies {
            if game.outcome().is_none() {
                game.play(any(&game, random)).expect("legal");
            }
        }
        if game.outcome().is_none() {
            return game;
        }
    }
}

/// Plays a recorded game and shows it before each move.
fn replay(record: &SelfplayGame, variant: VariantId, mut visit: impl FnMut(&Game, &Ply)) {
    let mut game = Game::from_setup(variant, &record.start).expect("a position");
    for ply in &record.plies {
        visit(&game, ply);
        let moves = canonical_moves(variant, game.position());
        if game.play(moves[usize::from(ply.index)]).is_err() {
            return; // drawn by rule, where the record goes on
        }
    }
}
