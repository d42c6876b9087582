//! Random openings: random legal moves, then a look at the material and a short search for balance.

use super::{Opening, material, sorted_moves};
use crate::board::Key;
use crate::engine::{Engine, Mode, Options, Request};
use crate::game::Game;
use crate::rules::VariantId;
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
/// When so many attempts in succession found nothing new, an opening may come twice, or be a little one-sided.
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

    /// A new opening: none of the earlier ones, nobody ahead.
    pub fn next_opening(&mut self) -> Opening {
        let mut last = None;
        for _ in 0..ATTEMPTS {
            let Some(game) = self.attempt() else { continue };
            if self.is_balanced(&game) {
                if self.seen.insert(game.position().key()) {
                    return Opening { game };
                }
                last = Some(game);
            }
        }
        // So few plies have no more openings: begin again.
        Opening { game: last.unwrap_or_else(|| Game::new(self.variant)) }
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
        (0..count).map(|_| generator.next_opening().game.position().key()).collect()
    }

    #[test]
    fn the_same_seed_gives_the_same_openings() {
        let first = keys(8, 1, 20);
        assert_eq!(first, keys(8, 1, 20));
        assert_ne!(first, keys(8, 2, 20));
        assert_eq!(first.iter().collect::<HashSet<_>>().len(), 20, "all different");
    }

    #[test]
    fn an_exhausted_source_begins_again() {
        let keys = keys(1, 3, 12);
        assert_eq!(keys.iter().collect::<HashSet<_>>().len(), 9);
    }
}
