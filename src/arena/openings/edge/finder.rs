//! One attempt after another at an edge opening.

use super::super::{material, sorted_moves, trial};
use crate::board::Color;
use crate::engine::{Engine, Mode, Options, PROGRAM, Request};
use crate::eval::wdl;
use crate::game::Game;
use crate::rules::VariantId;
use crate::score::Score;
use crate::search::{Control, Limits};
use crate::seed;
use crate::words::counted;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::fmt;
use std::ops::RangeInclusive;

/// Random moves before the search looks.
const PLIES: RangeInclusive<usize> = 8..=14;
/// Quiet plies that the look at the material takes: nobody wins a man at once.
const SCREEN: u32 = 4;
/// Share of the nodes that the first search gets; what is far off needs no deep one.
const FIRST: u64 = 10;
/// The most that the chances to win may be, by the model, of the side that is ahead in what is worth playing out: by the
/// first search and by the deep one.
const FIRST_MOST: f64 = 0.98;
const MOST: f64 = 0.97;
/// The least, as a part of the share of games that it shall win. What is played out and wins has more.
const FIRST_LEAST: f64 = 0.5;
const LEAST: f64 = 0.7;
/// How far the share of won games may be from the one that is wanted.
const NEAR: f64 = 0.13;
/// Games with so many times fewer nodes come first; the side that is ahead wins this part of the share or more.
const FASTER: u64 = 10;
const FAST_LEAST: f64 = 0.5;
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

impl EdgeSettings {
    /// The shares of won games that are near the one that is wanted.
    fn near(&self) -> RangeInclusive<f64> {
        self.win - NEAR..=self.win + NEAR
    }

    /// The share of so many won games.
    fn share(&self, wins: u32) -> f64 {
        f64::from(wins) / f64::from(self.games)
    }

    /// What is wrong where no number of won games is near the share that is wanted, so that nothing would ever be found.
    ///
    /// ```
    /// use kroon::arena::openings::edge::EdgeSettings;
    /// use kroon::rules::VariantId::English;
    /// let settings = EdgeSettings { variant: English, win: 0.5, nodes: 1000, games: 3, game_nodes: 100, seed: 1 };
    /// let fault = settings.fault().unwrap();
    /// assert!(fault.starts_with("the shares of 3 games are 0, 0.33, 0.67, 1, "), "{fault}");
    /// assert_eq!(EdgeSettings { games: 4, ..settings }.fault(), None);
    /// ```
    pub fn fault(&self) -> Option<String> {
        let shares = (0..=self.games).map(|wins| self.share(wins));
        if shares.clone().any(|share| self.near().contains(&share)) {
            return None;
        }
        // There are few of them: four games or more have a share near every one.
        let shares: Vec<String> = shares.map(|share| ((share * 100.0).round() / 100.0).to_string()).collect();
        let games = counted(self.games.into(), "game");
        Some(format!(
            "the shares of {games} are {}, and none is within {NEAR} of {}; 4 games or more have one that is",
            shares.join(", "),
            self.win
        ))
    }
}

impl fmt::Display for EdgeSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EdgeSettings { variant, win, nodes, games, game_nodes, seed } = self;
        let games = counted((*games).into(), "game");
        write!(
            f,
            "{variant}, --win {win}, {games} of {game_nodes} nodes a move, --nodes {nodes}, --seed {seed}"
        )
    }
}

/// Makes one attempt after another.
pub struct EdgeFinder {
    settings: EdgeSettings,
    engine: Engine,
}

impl fmt::Debug for EdgeFinder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EdgeFinder").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl EdgeFinder {
    /// With these settings.
    pub fn new(settings: EdgeSettings) -> EdgeFinder {
        // Only the tables in the program: what is installed must not matter.
        let options = Options { hash_mb: HASH_MB, tables: Some(String::new()), ..Options::default() };
        EdgeFinder { settings, engine: Engine::new(options) }
    }

    /// Which program finds, with which evaluation: what else an attempt depends on.
    pub fn name(&self) -> String {
        let evaluation = self.engine.options().evaluation.evaluation(self.settings.variant);
        format!("{PROGRAM}, {}", evaluation.name())
    }

    /// The attempt with this number: a game whose last position is what is looked for. It depends on the settings and the
    /// number alone.
    ///
    /// Where it was stopped through `control` on the way, its result says nothing.
    pub fn attempt(&mut self, number: u64, control: &Control) -> Option<Game> {
        let EdgeSettings { variant, nodes, win, seed, .. } = self.settings;
        let game = line(variant, seed::mix(seed, [number]))?;
        if material::is_unbalanced(variant, game.position(), SCREEN) {
            return None;
        }
        self.leader(&game, nodes / FIRST, FIRST_LEAST * win..=FIRST_MOST, control)?;
        let leader = self.leader(&game, nodes, LEAST * win..=MOST, control)?;
        self.is_near(&game, leader, control).then_some(game)
    }

    /// The side that is ahead, if its chance to win is one of these.
    fn leader(
        &mut self,
        game: &Game,
        nodes: u64,
        chances: RangeInclusive<f64>,
        control: &Control,
    ) -> Option<Color> {
        // What is found must depend on this position alone.
        self.engine.new_game();
        let limits = Limits { nodes: Some(nodes.max(1)), ..Limits::default() };
        let request = Request { game: game.clone(), limits, mode: Mode::Analyze };
        let report = self.engine.go(&request, control, &mut ());
        let score = report.info.map_or(Score::DRAW, |info| info.score);
        let found = wdl::chances(self.settings.variant, game.position(), score, None);
        let turn = game.position().turn();
        let leader = if found.win > found.loss { turn } else { !turn };
        chances.contains(&found.win.max(found.loss)).then_some(leader)
    }

    /// Whether this side wins about as many games as are wanted. Most positions fail in the faster games that come first.
    fn is_near(&mut self, game: &Game, leader: Color, control: &Control) -> bool {
        let EdgeSettings { win, game_nodes, .. } = self.settings;
        let near = self.settings.near();
        let fast_nodes = (game_nodes / FASTER).max(1);
        self.wins(game, leader, fast_nodes, FAST_LEAST * win..=1.0, control)
            && self.wins(game, leader, game_nodes, near, control)
    }

    /// Whether this side wins such a share of games with so many nodes a move, or up to twice as many.
    fn wins(
        &mut self,
        game: &Game,
        leader: Color,
        nodes: u64,
        shares: RangeInclusive<f64>,
        control: &Control,
    ) -> bool {
        let settings = self.settings;
        let games = settings.games;
        let share = |wins| settings.share(wins);
        let mut wins = 0;
        for number in 0..games {
            // Other nodes, another game.
            let nodes = nodes + nodes * u64::from(number) / u64::from(games);
            wins += u32::from(trial::play_out(&mut self.engine, game, nodes, control) == Some(leader));
            // The share cannot be one of these any more.
            if share(wins) > *shares.end() || share(wins + games - 1 - number) < *shares.start() {
                return false;
            }
        }
        true
    }
}

/// Random moves; none if the game ended on the way.
fn line(variant: VariantId, seed: u64) -> Option<Game> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut game = Game::new(variant);
    for _ in 0..random.random_range(PLIES) {
        let moves = sorted_moves(&game);
        if moves.is_empty() {
            return None;
        }
        game.play(moves[random.random_range(0..moves.len())]).ok()?;
    }
    game.outcome().is_none().then_some(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_games_have_a_share_near_every_one() {
        let settings = |games, win| EdgeSettings {
            variant: VariantId::English,
            win,
            nodes: 1,
            games,
            game_nodes: 1,
            seed: 1,
        };
        for percent in 10..=90 {
            let win = f64::from(percent) / 100.0;
            for games in [4, 5, 6, 7, 8, 1000] {
                assert_eq!(settings(games, win).fault(), None, "{games} games, {win}");
            }
        }
        assert_eq!(settings(2, 0.5).fault(), None);
        assert_eq!(
            settings(2, 0.7).fault().unwrap(),
            "the shares of 2 games are 0, 0.5, 1, and none is within 0.13 of 0.7; 4 games or more have one that is"
        );
        assert!(settings(1, 0.5).fault().is_some());
    }

    #[test]
    fn positions_are_found_again_and_lie_at_the_edge() {
        let variant = VariantId::International;
        let settings = EdgeSettings { variant, win: 0.5, nodes: 2000, games: 4, game_nodes: 300, seed: 3 };
        let mut finder = EdgeFinder::new(settings);
        let numbered =
            (0..3000).filter_map(|number| Some((number, finder.attempt(number, &Control::new())?)));
        let found: Vec<(u64, Game)> = numbered.take(3).collect();
        assert_eq!(found.len(), 3);
        for (number, game) in found {
            let mut finder = EdgeFinder::new(settings);
            assert_eq!(finder.attempt(number, &Control::new()).unwrap().moves(), game.moves());
            assert!(PLIES.contains(&game.moves().len()));
            assert!(!material::is_unbalanced(variant, game.position(), SCREEN));
            // Two of four games are won by the side that is ahead: no other number is near the half.
            let leader = finder
                .leader(&game, settings.nodes, 0.25..=MOST, &Control::new())
                .expect("a side that is ahead");
            let nodes = [300, 375, 450, 525];
            let mut wins = |nodes: [u64; 4]| {
                let winners =
                    nodes.map(|nodes| trial::play_out(&mut finder.engine, &game, nodes, &Control::new()));
                winners.iter().filter(|winner| **winner == Some(leader)).count()
            };
            assert_eq!(wins(nodes), 2);
            assert!(wins([30, 37, 45, 52]) >= 1);
        }
    }
}
