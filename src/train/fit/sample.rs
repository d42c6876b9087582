//! One position to learn from.

use super::net::NetInputs;
use crate::board::{Color, Key};
use crate::eval::learned::inputs::{Inputs, inputs};
use crate::rules::Variant;
use crate::rules::movegen::can_capture;
use crate::train::record::{GameRecord, RecordError};

/// Scores beyond this many centi-men say no more than "won".
const MOST_SCORE: i32 = 1_500;

/// What the evaluation sees of a position, and what became of it, from White's view.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Which position it is.
    pub key: Key,
    /// The position.
    pub inputs: Inputs,
    /// 1, 1/2 or 0.
    pub result: f32,
    /// What the search said, in centi-men.
    pub score: f32,
    /// What the network sees, if there are few pieces.
    pub net: Option<NetInputs>,
}

/// The quiet positions of a game: neither side could capture, and the search was undecided. The search asks for the
/// evaluation of such positions only.
///
/// # Errors
/// When the game cannot be played: its bytes are whole, so it was made under other rules.
pub fn samples<V: Variant>(game: &GameRecord) -> Result<Vec<Sample>, RecordError> {
    let mut samples = Vec::new();
    game.replay(V::ID, |ply, position, played| {
        let Some(score) = played.score else { return };
        let quiet = !can_capture::<V>(position, Color::White) && !can_capture::<V>(position, Color::Black);
        if !quiet || score.centi().abs() > MOST_SCORE || ply < game.random_plies.into() {
            return;
        }
        let white = if position.turn() == Color::White { score } else { -score };
        samples.push(Sample {
            key: position.key(),
            inputs: inputs::<V>(position),
            result: game.result.points(Color::White),
            score: white.centi() as f32,
            net: NetInputs::read(const { &V::RULES }, position),
        });
    })?;
    Ok(samples)
}
