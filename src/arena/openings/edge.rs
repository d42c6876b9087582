//! Edge openings: positions that are neither balanced nor lost. A deep search expects one side to win in about half of the
//! games; between equal engines fewer are won (`src/train/EXPERIMENTS.md`). Between strong engines most games from balanced openings are drawn, and a drawn pair of games tells nothing;
//! from such positions the better engine wins one game and holds the other. Every opening is played with both colours, so
//! it is fair.
//!
//! The lists in the program are made by `src/arena/openings/make-edge.sh`.

use super::{Opening, file, material, sorted_moves};
use crate::board::Key;
use crate::engine::{Engine, Mode, Options, Request};
use crate::eval::wdl;
use crate::game::Game;
use crate::rules::VariantId;
use crate::score::Score;
use crate::search::{Control, Limits};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashSet;
use std::ops::RangeInclusive;

/// Random moves before the search looks.
const PLIES: RangeInclusive<usize> = 8..=14;
/// Quiet plies that the look at the material takes: nobody wins a man at once.
const SCREEN: u32 = 4;
/// Share of the nodes that the first search gets; what is far off needs no deep one.
const FIRST: u64 = 10;
/// How far the chance to win may be from the one that is wanted, after the first and after the deep search.
const NEAR_FIRST: f64 = 0.3;
const NEAR: f64 = 0.1;
/// Transposition table in mebibytes: clearing it takes time, too.
const HASH_MB: usize = 8;

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EdgeSettings {
    /// The rules.
    pub variant: VariantId,
    /// The chance to win that the side that is ahead shall have, by the deep search and the model of the variant.
    pub win: f64,
    /// Nodes of the deep search.
    pub nodes: u64,
    /// Where the random moves come from.
    pub seed: u64,
}

/// Finds one position after another.
pub struct EdgeFinder {
    settings: EdgeSettings,
    random: Xoshiro256PlusPlus,
    seen: HashSet<Key>,
    engine: Engine,
}

impl std::fmt::Debug for EdgeFinder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EdgeFinder").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl EdgeFinder {
    /// With these settings; the same settings find the same positions.
    pub fn new(settings: EdgeSettings) -> EdgeFinder {
        let options = Options { hash_mb: HASH_MB, bb_size: 0, ..Options::default() };
        let random = Xoshiro256PlusPlus::seed_from_u64(settings.seed);
        EdgeFinder { settings, random, seen: HashSet::new(), engine: Engine::new(options) }
    }

    /// One attempt: a game whose last position is what is looked for and was not found before.
    pub fn attempt(&mut self) -> Option<Game> {
        let game = self.line()?;
        if material::is_unbalanced(self.settings.variant, game.position(), SCREEN) {
            return None;
        }
        let nodes = self.settings.nodes;
        let is_it = self.is_near(&game, nodes / FIRST, NEAR_FIRST) && self.is_near(&game, nodes, NEAR);
        (is_it && self.seen.insert(game.position().key())).then_some(game)
    }

    /// Random moves; none if the game ended on the way.
    fn line(&mut self) -> Option<Game> {
        let mut game = Game::new(self.settings.variant);
        for _ in 0..self.random.random_range(PLIES) {
            let moves = sorted_moves(&game);
            if moves.is_empty() {
                return None;
            }
            game.play(moves[self.random.random_range(0..moves.len())]).ok()?;
        }
        game.outcome().is_none().then_some(game)
    }

    /// Whether the chance of the side that is ahead is near the one that is wanted.
    fn is_near(&mut self, game: &Game, nodes: u64, distance: f64) -> bool {
        // What is found must depend on this position alone.
        self.engine.new_game();
        let limits = Limits { nodes: Some(nodes.max(1)), ..Limits::default() };
        let request = Request { game: game.clone(), limits, mode: Mode::Analyze };
        let report = self.engine.go(&request, &Control::new(), &mut ());
        let score = report.info.map_or(Score::DRAW, |info| info.score);
        let chances = wdl::chances(self.settings.variant, game.position(), score, None);
        (chances.win.max(chances.loss) - self.settings.win).abs() <= distance
    }
}

/// The list of each variant that has one: games in PDN, packed.
const LISTS: [(VariantId, &[u8]); 1] = [(VariantId::International, include_bytes!("data/international.zst"))];

/// The openings in the program; none where a variant has none.
pub(super) fn embedded(variant: VariantId) -> Option<Vec<Opening>> {
    let (_, packed) = LISTS.iter().find(|(id, _)| *id == variant)?;
    // Our own list: a test reads it.
    let text = zstd::decode_all(*packed).ok()?;
    file::games(variant, &String::from_utf8_lossy(&text)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_found_again_and_lie_at_the_edge() {
        let variant = VariantId::International;
        let settings = EdgeSettings { variant, win: 0.5, nodes: 2000, seed: 3 };
        let found = || {
            let mut finder = EdgeFinder::new(settings);
            (0..3000).filter_map(|_| finder.attempt()).take(3).collect::<Vec<_>>()
        };
        let (first, again) = (found(), found());
        assert_eq!(first.len(), 3);
        for (game, other) in first.iter().zip(&again) {
            assert_eq!(game.moves(), other.moves());
            assert!(PLIES.contains(&game.moves().len()));
            assert!(!material::is_unbalanced(variant, game.position(), SCREEN));
        }
    }

    #[test]
    fn every_list_is_sound() {
        for (variant, packed) in LISTS {
            let list = embedded(variant).unwrap();
            let least = if variant == VariantId::International { 500 } else { 200 };
            assert!(list.len() >= least, "{variant}: {}", list.len());
            let keys: HashSet<Key> = list.iter().map(|opening| opening.game.position().key()).collect();
            assert_eq!(keys.len(), list.len(), "{variant}: all different");
            assert!(packed.len() < 20_000, "{variant}: {}", packed.len());
        }
    }
}
