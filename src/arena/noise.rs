//! Noise: now and then a random legal move in place of a player's own. Without it two players without chance play one
//! game over and over, and one evaluation may beat another only because it counters it ("Draughts AI", T. Le Minh,
//! M. Drouard).

use super::log::GameLog;
use super::player::{Player, PlayerFault, Remarks, Thought, Turn};
use crate::board::Color;
use crate::game::Game;
use crate::notation::text::quote;
use crate::seed;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;
use thiserror::Error;

/// The probability, 0 to 1, with which a move is replaced by a random legal one.
///
/// ```
/// use kroon::arena::noise::Noise;
/// assert_eq!("0.25".parse::<Noise>().unwrap().probability(), 0.25);
/// assert!("1.5".parse::<Noise>().unwrap_err().to_string().contains("\"1.5\""));
/// ```
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug, Default)]
pub struct Noise(f64);

/// A text that is no probability.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}: expected a probability, 0 to 1, such as 0.1")]
pub struct NoiseError(String);

impl Noise {
    /// The probability.
    pub fn probability(self) -> f64 {
        self.0
    }

    /// Whether no move is ever replaced.
    pub fn is_none(self) -> bool {
        self.0 == 0.0
    }
}

impl FromStr for Noise {
    type Err = NoiseError;

    fn from_str(text: &str) -> Result<Noise, NoiseError> {
        // Digits and a point only: `f64` also reads names and exponents.
        let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let value = plain.then(|| text.parse().ok()).flatten();
        value.filter(|value| (0.0..=1.0).contains(value)).map(Noise).ok_or_else(|| NoiseError(quote(text)))
    }
}

impl fmt::Display for Noise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Apart from the numbers that the player draws from the same seed.
const OWN_SEED: u64 = 0x006e_6f69_7365;

/// A player some of whose moves are replaced. It is not asked for those, and they take no time.
pub struct NoisyPlayer {
    player: Box<dyn Player>,
    noise: Noise,
    random: Xoshiro256PlusPlus,
}

impl NoisyPlayer {
    /// The player with this noise; the player itself if there is none.
    pub fn wrap(player: Box<dyn Player>, noise: Noise) -> Box<dyn Player> {
        if noise.is_none() {
            return player;
        }
        Box::new(NoisyPlayer { player, noise, random: Xoshiro256PlusPlus::seed_from_u64(0) })
    }
}

impl Player for NoisyPlayer {
    fn new_game(&mut self, game: &Game, color: Color, seed: u64, log: &GameLog) -> Result<(), PlayerFault> {
        self.random = Xoshiro256PlusPlus::seed_from_u64(seed::mix(seed, [OWN_SEED]));
        self.player.new_game(game, color, seed, log)
    }

    fn think(&mut self, game: &Game, turn: &Turn) -> Result<Thought, PlayerFault> {
        let moves = game.legal_moves();
        if moves.is_empty() || !self.random.random_bool(self.noise.0) {
            return self.player.think(game, turn);
        }
        let mv = moves[self.random.random_range(0..moves.len())];
        Ok(Thought { mv, used: Duration::ZERO, remarks: Remarks::default() })
    }

    fn game_over(&mut self, game: &Game) {
        self.player.game_over(game);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::VariantId;
    use crate::search::Limits;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn probabilities() {
        for text in ["0", "1", "0.05", ".5", "1.0"] {
            assert_eq!(text.parse::<Noise>().unwrap().probability(), text.parse::<f64>().unwrap());
        }
        for text in ["", ".", "-0.1", "1.01", "nan", "inf", "1e-3", "+1", "0.1%", "half"] {
            let error = text.parse::<Noise>().unwrap_err().to_string();
            assert!(error.contains(&quote(text)) && error.contains("0 to 1"), "{error}");
        }
    }

    /// Plays its first move, and counts how often it was asked.
    struct First(Arc<AtomicU32>);

    impl Player for First {
        fn new_game(&mut self, _: &Game, _: Color, _: u64, _: &GameLog) -> Result<(), PlayerFault> {
            Ok(())
        }

        fn think(&mut self, game: &Game, _: &Turn) -> Result<Thought, PlayerFault> {
            self.0.fetch_add(1, Ordering::Relaxed);
            let mv = game.legal_moves()[0];
            Ok(Thought { mv, used: Duration::from_secs(1), remarks: Remarks::default() })
        }
    }

    #[test]
    fn the_share_of_replaced_moves_is_the_noise_and_the_seed_decides_which() {
        let game = Game::new(VariantId::International);
        let turn = Turn { limits: Limits::default(), forfeit: None };
        let moves = |noise: &str, seed: u64| {
            let asked = Arc::default();
            let mut player = NoisyPlayer::wrap(Box::new(First(Arc::clone(&asked))), noise.parse().unwrap());
            player.new_game(&game, Color::White, seed, &GameLog::default()).unwrap();
            let moves: Vec<_> = (0..2000).map(|_| player.think(&game, &turn).unwrap().mv).collect();
            (asked.load(Ordering::Relaxed), moves)
        };
        assert_eq!(moves("0", 1).0, 2000);
        assert_eq!(moves("1", 1).0, 0);
        // 200 of 2000 replaced, with a standard deviation of 13.4.
        let (asked, some) = moves("0.1", 1);
        assert!((1740..=1860).contains(&asked), "{asked}");
        assert_eq!(moves("0.1", 1).1, some);
        assert_ne!(moves("0.1", 2).1, some);
        // All nine moves come, each about as often: 2000 / 9 = 222, standard deviation 14.
        let (_, all) = moves("1", 3);
        for mv in &game.legal_moves() {
            let count = all.iter().filter(|other| *other == mv).count();
            assert!((160..=285).contains(&count), "{count}");
        }
    }
}
