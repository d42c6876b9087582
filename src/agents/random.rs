//! Any legal move.

use super::{Agent, Choice};
use crate::game::Game;
use crate::search::{Control, Limits};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Chooses uniformly among the legal moves. The yardstick of all others.
#[derive(Clone, Debug)]
pub struct Random {
    random: Xoshiro256PlusPlus,
}

impl Default for Random {
    fn default() -> Random {
        Random { random: Xoshiro256PlusPlus::seed_from_u64(0) }
    }
}

impl Agent for Random {
    fn new_game(&mut self, seed: u64) {
        self.random = Xoshiro256PlusPlus::seed_from_u64(seed);
    }

    fn choose(&mut self, game: &Game, _: &Limits, _: &Control) -> Option<Choice> {
        let moves = game.legal_moves();
        if moves.is_empty() {
            return None;
        }
        let mv = moves[self.random.random_range(0..moves.len())];
        Some(Choice { mv, value: None, depth: 0, nodes: 0 })
    }
}
