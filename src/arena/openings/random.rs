//! Random openings: random legal moves, then a look at the material and a short search for balance.

use super::{Opening, material, sorted_moves};
use crate::board::Key;
use crate::engine::{Engine, Mode, Options, Request};
use crate::game::Game;
use crate::rules::{VariantId, legal_moves, play_in};
use crate::search::{Control, Limits};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashSet;

/// Quiet plies that the look at the material takes, before the search proper.
const SCREEN: u32 = 4;
/// Depth of the search, in plies.
const DEPTH: u32 = 6;
/// The side to move may be ahead or behind by this much, in centi-men.
const BALANCED: i32 = 40;
/// When so many attempts in succession found nothing new, there are no more openings.
const ATTEMPTS: usize = 2000;

/// Makes one opening after another, all from one seed.
pub struct Generator {
    variant: VariantId,
    plies: u32,
    random: Xoshiro256PlusPlus,
    seen: HashSet<Key>,
    engine: Engine,
}

impl std::fmt::Debug for Generator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Generator").field("plies", &self.plies).finish_non_exhaustive()
    }
}

impl Generator {
    /// From this seed.
    pub fn new(variant: VariantId, plies: u32, seed: u64) -> Generator {
        let engine = Engine::new(Options { threads: 1, hash_mb: 1, ..Options::default() });
        let random = Xoshiro256PlusPlus::seed_from_u64(seed);
        Generator { variant, plies, random, seen: HashSet::new(), engine }
    }

    /// A new opening: none of the earlier ones, nobody ahead. None when no more are found; where there is none at all the
    /// initial position is one.
    pub fn next_opening(&mut self) -> Option<Opening> {
        for _ in 0..ATTEMPTS {
            let Some(game) = self.attempt() else { continue };
            let key = game.position().key();
            if !self.seen.contains(&key) && self.is_balanced(&game) {
                self.seen.insert(key);
                return Some(Opening { game });
            }
        }
        let game = self.seen.is_empty().then(|| Game::new(self.variant))?;
        self.seen.insert(game.position().key());
        Some(Opening { game })
    }

    /// Whether random moves lead to fewer than `wanted` positions, balanced or not.
    pub fn has_fewer_positions(&self, wanted: usize) -> bool {
        let mut positions = vec![*Game::new(self.variant).position()];
        for _ in 0..self.plies {
            let mut seen = HashSet::new();
            let mut next = Vec::new();
            for position in &positions {
                for mv in legal_moves(self.variant, position) {
                    let after = play_in(self.variant, position, mv);
                    if seen.insert(after.key()) {
                        next.push(after);
                    }
                }
                // More plies do not lead to fewer positions near the start.
                if next.len() >= wanted {
                    return false;
                }
            }
            positions = next;
        }
        positions.len() < wanted
    }

    /// Random moves; none if the game ended on the way.
    fn attempt(&mut self) -> Option<Game> {
        let mut game = Game::new(self.variant);
        for _ in 0..self.plies {
            let moves = sorted_moves(&game);
            if moves.is_empty() {
                return None;
            }
            let mv = moves[self.random.random_range(0..moves.len())];
            game.play(mv).ok()?;
        }
        (game.outcome().is_none()).then_some(game)
    }

    fn is_balanced(&mut self, game: &Game) -> bool {
        if material::is_unbalanced(self.variant, game.position(), SCREEN) {
            return false;
        }
        // Nothing may be left from the opening before: what is found must depend on this one alone.
        self.engine.new_game();
        let limits = Limits { depth: Some(DEPTH), ..Limits::default() };
        let request = Request { game: game.clone(), limits, mode: Mode::Analyze };
        let report = self.engine.go(&request, &Control::new(), &mut ());
        report.info.is_some_and(|info| info.score.centi().abs() <= BALANCED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(plies: u32, seed: u64, count: usize) -> Vec<Key> {
        let mut generator = Generator::new(VariantId::International, plies, seed);
        (0..count).map_while(|_| Some(generator.next_opening()?.game.position().key())).collect()
    }

    #[test]
    fn the_same_seed_gives_the_same_openings() {
        let first = keys(8, 1, 20);
        assert_eq!(first, keys(8, 1, 20));
        assert_ne!(first, keys(8, 2, 20));
        assert_eq!(first.iter().collect::<HashSet<_>>().len(), 20, "all different");
    }

    #[test]
    fn few_plies_have_an_end() {
        let found = keys(1, 3, 12);
        assert_eq!((found.len(), found.iter().collect::<HashSet<_>>().len()), (9, 9));
        let one_ply = Generator::new(VariantId::International, 1, 3);
        assert!(one_ply.has_fewer_positions(10) && !one_ply.has_fewer_positions(9));
        // 9 x 9 pairs of moves, and no two lead to one position.
        let two_plies = Generator::new(VariantId::International, 2, 3);
        assert!(two_plies.has_fewer_positions(82) && !two_plies.has_fewer_positions(81));
    }
}
