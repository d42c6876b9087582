//! Beginnings of self-play games: random moves, or a random ending.

use crate::board::{Color, Piece, Setup};
use crate::game::Game;
use crate::rules::VariantId;
use rand::RngExt;

/// The share of games that begin with kings on the board: in games from the start they are rare.
const ENDINGS: f64 = 0.08;
/// Random plies from the initial position. After fewer there are not enough different positions: the same beginning
/// gives the same game.
const RANDOM_PLIES: std::ops::RangeInclusive<usize> = 6..=16;

/// A game in which some random moves have been played, or which starts from a random ending; never over, and with a
/// move to choose.
///
/// ```
/// use kroon::rules::VariantId;
/// use rand::SeedableRng;
/// let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
/// let game = kroon::train::start::random(VariantId::Frisian, &mut random);
/// assert_eq!(game.outcome(), None);
/// ```
pub fn random(variant: VariantId, random: &mut impl RngExt) -> Game {
    loop {
        let game =
            if random.random_bool(ENDINGS) { ending(variant, random) } else { opening(variant, random) };
        if let Some(game) = game.filter(|game| game.outcome().is_none()) {
            return game;
        }
    }
}

fn opening(variant: VariantId, random: &mut impl RngExt) -> Option<Game> {
    let mut game = Game::new(variant);
    for _ in 0..random.random_range(RANDOM_PLIES) {
        let moves = super::record::canonical_moves(variant, game.position());
        if moves.is_empty() {
            return None;
        }
        game.play(moves[random.random_range(0..moves.len())]).ok()?;
    }
    Some(game)
}

/// A few men and kings on random squares, about the same number on both sides.
fn ending(variant: VariantId, random: &mut impl RngExt) -> Option<Game> {
    let rules = variant.rules();
    let most = (rules.most_pieces() * 2 / 5).max(2);
    let pieces = random.random_range(1..=most);
    let mut setup = Setup::empty(Color::ALL[random.random_range(0..2)]);
    for color in Color::ALL {
        let own = (pieces + random.random_range(0..=2)).clamp(2, rules.most_pieces() + 1) - 1;
        let kings = random.random_range(0..=own.min(3));
        let mut left = own;
        while left > 0 {
            let square = rules.square(random.random_range(1..=rules.board.squares().into()))?;
            let king = left <= kings;
            let crowned = rules.board.promotion(color).contains(square);
            if setup.piece(square).is_none() && (king || !crowned) {
                setup.put(square, Piece { color, king });
                left -= 1;
            }
        }
    }
    Game::from_setup(variant, &setup).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn beginnings_are_different_and_playable() {
        for variant in VariantId::ALL {
            let mut generator = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(2);
            let games: Vec<Game> = (0..50).map(|_| random(variant, &mut generator)).collect();
            let positions: std::collections::HashSet<_> = games.iter().map(|game| *game.position()).collect();
            assert!(positions.len() > 40, "{variant}: {}", positions.len());
            assert!(games.iter().all(|game| !game.legal_moves().is_empty()));
        }
    }
}
