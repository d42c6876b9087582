//! The positions of a game to learn from.

use super::batches::Keyed;
use super::net::NetInputs;
use crate::board::{Color, Key, Position};
use crate::eval::learned::material;
use crate::for_variant;
use crate::rules::movegen::can_capture;
use crate::rules::{Variant, VariantId};
use crate::train::record::{RecordError, SelfplayGame};

/// What the evaluation sees of a position, and what became of it, from the view of the side to move.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Which position it is.
    pub key: Key,
    /// What the network sees.
    pub inputs: NetInputs,
    /// What the material says, in centi-men.
    pub material: f32,
    /// 1, 1/2 or 0.
    pub result: f32,
    /// What the search said, in centi-men; wins that it has seen are scores, too.
    pub score: f32,
    /// Whether White is to move.
    pub white_to_move: bool,
}

impl Keyed for Sample {
    fn key(&self) -> Key {
        self.key
    }
}

/// The quiet positions of a game with a score: neither side could capture. Most positions whose evaluation a search asks for are
/// such.
///
/// # Errors
/// When the game cannot be played: its bytes are whole, so it was made under other rules.
pub fn samples(variant: VariantId, game: &SelfplayGame) -> Result<Vec<Sample>, RecordError> {
    for_variant!(variant, V => samples_in::<V>(game))
}

fn samples_in<V: Variant>(game: &SelfplayGame) -> Result<Vec<Sample>, RecordError> {
    let mut samples = Vec::new();
    game.replay(V::ID, |ply, position, played| {
        let Some(score) = played.score else { return };
        if !is_quiet::<V>(position) || ply < game.random_plies.into() {
            return;
        }
        let Some(inputs) = NetInputs::read(const { &V::RULES }, position) else { return };
        samples.push(Sample {
            key: position.key(),
            inputs,
            material: material::<V>(position) as f32,
            result: f32::from(game.result.half_points(position.turn())) / 2.0,
            score: score.centi() as f32,
            white_to_move: position.turn() == Color::White,
        });
    })?;
    Ok(samples)
}

/// Whether neither side could capture.
pub fn is_quiet<V: Variant>(position: &Position) -> bool {
    Color::ALL.iter().all(|&color| !can_capture::<V>(position, color))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GameResult;
    use crate::notation::fen;
    use crate::score::Score;

    /// White has two men more and wins.
    fn won_game() -> SelfplayGame {
        let start = fen::game_from_fen(VariantId::International, "W:W31,32,33,38:B9,10").unwrap();
        let mut game = SelfplayGame::new(start.start(), 0);
        game.push(0, Some(Score::from_centi(150)));
        game.push(0, Some(Score::from_centi(-140)));
        game.result = GameResult::win(Color::White);
        game
    }

    #[test]
    fn samples_are_seen_by_the_side_to_move() {
        let samples = samples(VariantId::International, &won_game()).unwrap();
        let [white, black] = &samples[..] else { panic!("two samples") };
        assert_eq!((white.white_to_move, white.result, white.score), (true, 1.0, 150.0));
        assert_eq!((black.white_to_move, black.result, black.score), (false, 0.0, -140.0));
        assert!(white.material > 150.0 && black.material < -150.0);
    }
}
