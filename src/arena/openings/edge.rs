//! Edge openings: positions that are neither balanced nor lost. The side that is ahead wins about half of the games that the
//! engine plays from there against itself. Between strong engines most games from balanced openings are drawn, and a drawn
//! pair of games tells nothing; from such positions the better engine wins one game and holds the other. Every opening is
//! played with both colours, so it is fair.
//!
//! The chances of the evaluation's model are no help here: they are fitted to all kinds of games, and equal players win
//! far fewer of those from quiet openings. So the search only says which side is ahead and sorts out what is clear.
//!
//! The list of English draughts in the program is made so, by `src/arena/openings/make-edge.sh`; that of international draughts
//! is older and chosen by those chances: a quarter of its games are decided (`src/train/EXPERIMENTS.md`).

use super::{Opening, file, material, sorted_moves, trial};
use crate::board::{Color, Key};
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
/// The chances to win, by the model, of the side that is ahead in what is worth playing out: by the first search and by the
/// deep one.
const FIRST_CHANCES: RangeInclusive<f64> = 0.2..=0.98;
const CHANCES: RangeInclusive<f64> = 0.3..=0.97;
/// How far the share of won games may be from the one that is wanted.
const NEAR: f64 = 0.13;
/// Transposition table in mebibytes: clearing it takes time, too.
const HASH_MB: usize = 8;

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EdgeSettings {
    /// The rules.
    pub variant: VariantId,
    /// The share of the games that the side that is ahead shall win.
    pub win: f64,
    /// Nodes of the search that says which side is ahead.
    pub nodes: u64,
    /// Games that are played from each position.
    pub games: u32,
    /// Nodes of a move of these games.
    pub game_nodes: u64,
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
        // Only the tables in the program: what is installed must not matter.
        let options = Options { hash_mb: HASH_MB, tables: Some(String::new()), ..Options::default() };
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
        self.leader(&game, nodes / FIRST, FIRST_CHANCES)?;
        let leader = self.leader(&game, nodes, CHANCES)?;
        (self.is_near(&game, leader) && self.seen.insert(game.position().key())).then_some(game)
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

    /// The side that is ahead, if its chance to win is one of these.
    fn leader(&mut self, game: &Game, nodes: u64, chances: RangeInclusive<f64>) -> Option<Color> {
        // What is found must depend on this position alone.
        self.engine.new_game();
        let limits = Limits { nodes: Some(nodes.max(1)), ..Limits::default() };
        let request = Request { game: game.clone(), limits, mode: Mode::Analyze };
        let report = self.engine.go(&request, &Control::new(), &mut ());
        let score = report.info.map_or(Score::DRAW, |info| info.score);
        let found = wdl::chances(self.settings.variant, game.position(), score, None);
        let turn = game.position().turn();
        let leader = if found.win > found.loss { turn } else { !turn };
        chances.contains(&found.win.max(found.loss)).then_some(leader)
    }

    /// Whether this side wins about as many games as are wanted.
    fn is_near(&mut self, game: &Game, leader: Color) -> bool {
        let EdgeSettings { win, games, game_nodes, .. } = self.settings;
        let share = |wins: u32| f64::from(wins) / f64::from(games);
        let mut wins = 0;
        for number in 0..games {
            // Other nodes, another game.
            let nodes = game_nodes + game_nodes * u64::from(number) / u64::from(games);
            wins += u32::from(trial::play_out(&mut self.engine, game, nodes) == Some(leader));
            // It cannot become near any more.
            if share(wins) > win + NEAR || share(wins + games - 1 - number) < win - NEAR {
                return false;
            }
        }
        true
    }
}

/// The list of each variant that has one: games in PDN, packed.
const LISTS: [(VariantId, &[u8]); 2] = [
    (VariantId::International, include_bytes!("data/international.zst")),
    (VariantId::English, include_bytes!("data/english.zst")),
];

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
        let settings = EdgeSettings { variant, win: 0.5, nodes: 2000, games: 4, game_nodes: 300, seed: 3 };
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
            // Two of four games are won by the side that is ahead: no other number is near the half.
            let mut finder = EdgeFinder::new(settings);
            let leader = finder.leader(game, settings.nodes, CHANCES).expect("a side that is ahead");
            let nodes = [300, 375, 450, 525];
            let winners = nodes.map(|nodes| trial::play_out(&mut finder.engine, game, nodes));
            assert_eq!(winners.iter().filter(|winner| **winner == Some(leader)).count(), 2);
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
