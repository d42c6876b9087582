//! The options `--variant`, `--fen` and `--moves`, which name a position.

use anyhow::{Context, Result, bail};
use kroon::board::Move;
use kroon::game::Game;
use kroon::notation::moves::{self, MoveError};
use kroon::notation::{hub, position};
use kroon::rules::VariantId;

/// Variant, start and moves: common to all commands that look at a position.
#[derive(clap::Args, Debug)]
pub struct GameArgs {
    // The help names all variants.
    #[arg(long, value_name = "V", default_value_t, help = variant_help())]
    variant: VariantId,
    /// Start from this position (FEN, or a Hub position string) instead of the variant's initial one
    #[arg(long, value_name = "POSITION")]
    fen: Option<String>,
    /// Moves played from there, in PDN ("1. 32-28 19x30", with or without numbers) or Hub notation ("19x30x24"),
    /// separated by blanks or commas
    #[arg(long, default_value = "", hide_default_value = true)]
    moves: String,
}

fn variant_help() -> String {
    let names = VariantId::ALL.map(VariantId::name);
    let [names @ .., last] = &names;
    let names = names.join(", ");
    format!("The rules: {names} or {last}; the names of Hub clients (normal, bt) and other spellings too")
}

impl GameArgs {
    /// The game so far.
    ///
    /// # Errors
    /// When the text is no position of the variant, or a move is illegal.
    pub fn game(&self) -> Result<Game> {
        match &self.fen {
            None => self.moved(Game::new(self.variant)),
            Some(text) if text == "-" => {
                bail!("--fen -: only board --json reads positions from standard input")
            }
            Some(text) => self.moved(position::game(self.variant, text).context("--fen")?),
        }
    }

    /// Whether the positions come from standard input.
    pub fn is_stream(&self) -> bool {
        self.fen.as_deref() == Some("-")
    }

    /// The game so far when it starts from this position instead of the one of `--fen`.
    ///
    /// # Errors
    /// As [`GameArgs::game`].
    pub fn game_from(&self, position: &str) -> Result<Game> {
        self.moved(position::game(self.variant, position)?)
    }

    fn moved(&self, mut game: Game) -> Result<Game> {
        for (index, text) in move_texts(&self.moves).enumerate() {
            let mv = read_move(&game, text).with_context(|| format!("--moves, number {}", index + 1))?;
            game.play(mv)?;
        }
        Ok(game)
    }
}

/// The moves of a list, without their numbers: `1. 32-28 19-23 2.28x19`, `32-28,19-23`.
fn move_texts(list: &str) -> impl Iterator<Item = &str> {
    let words = list.split(|c: char| c.is_whitespace() || c == ',');
    words.map(without_number).filter(|word| !word.is_empty())
}

fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() < word.len() && rest.starts_with('.') { rest.trim_start_matches('.') } else { word }
}

/// PDN before Hub: where a text is legal in both and means different captures, the one that lists the squares
/// visited is meant.
fn read_move(game: &Game, text: &str) -> Result<Move, MoveError> {
    let board = game.variant().rules().board;
    moves::read(game.variant(), game.position(), text)
        .or_else(|error| hub::parse_move(board, &game.legal_moves(), text).map_err(|_| error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_moves_as_people_copy_them() {
        let texts = |list| move_texts(list).collect::<Vec<_>>();
        for list in [
            "32-28 19-23 28x19",
            "1. 32-28 19-23 2. 28x19",
            "1.32-28 1...19-23 2.28x19",
            "32-28,19-23, 28x19,",
        ] {
            assert_eq!(texts(list), ["32-28", "19-23", "28x19"], "{list}");
        }
        assert_eq!(texts(" 1. "), Vec::<&str>::new());
        assert_eq!(texts("12 .5"), ["12", ".5"], "a fault stays visible");
    }
}
