//! The options that say which position is meant.

use anyhow::{Context, Result};
use kroon::board::{Move, Position};
use kroon::game::Game;
use kroon::notation::fen;
use kroon::rules::VariantId;

/// Variant, start and moves: common to all commands that look at a position.
#[derive(clap::Args, Debug)]
pub struct GameArgs {
    /// The rules: international (also called normal) or english
    #[arg(long, value_name = "V", default_value_t = VariantId::International)]
    variant: VariantId,
    /// Start from this position instead of the variant's initial one
    #[arg(long)]
    fen: Option<String>,
    /// Moves played from there, separated by blanks, in PDN ("32-28 19x30") or Hub notation ("19x30x24")
    #[arg(long, default_value = "", hide_default_value = true)]
    moves: String,
}

impl GameArgs {
    /// The game so far.
    ///
    /// # Errors
    /// When the FEN is no position of the variant, or a move is illegal.
    pub fn game(&self) -> Result<Game> {
        let mut game = match &self.fen {
            None => Game::new(self.variant),
            Some(text) => fen::game_from_fen(self.variant, text).context("--fen")?,
        };
        for (index, text) in self.moves.split_whitespace().enumerate() {
            let mv = parse_move(&game, text).with_context(|| format!("--moves, move {}", index + 1))?;
            game.play(mv)?;
        }
        Ok(game)
    }
}

fn parse_move(game: &Game, text: &str) -> Result<Move> {
    let found =
        game.legal_moves().into_iter().find(|&mv| move_text(game.variant(), game.position(), mv) == text);
    found.with_context(|| format!("\"{text}\" is not legal here"))
}

/// A move as people write it.
pub fn move_text(variant: VariantId, _position: &Position, mv: Move) -> String {
    let board = variant.rules().board;
    let sign = if mv.is_capture() { 'x' } else { '-' };
    format!("{}{sign}{}", board.number(mv.from()), board.number(mv.to()))
}

/// A variation as people write it: each move in the position where it is played.
pub fn line_text(game: &Game, line: &[Move]) -> Vec<String> {
    let mut position = *game.position();
    line.iter()
        .map(|&mv| {
            let text = move_text(game.variant(), &position, mv);
            position = position.play(mv);
            text
        })
        .collect()
}
