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
    /// Moves played from there, separated by blanks, in PDN ("32-28 19x30") or Hub notation ("19x30x24")
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
        for (index, text) in self.moves.split_whitespace().enumerate() {
            let mv = read_move(&game, text).with_context(|| format!("--moves, number {}", index + 1))?;
            game.play(mv)?;
        }
        Ok(game)
    }
}

/// PDN before Hub: where a text is legal in both and means different captures, the one that lists the squares
/// visited is meant.
fn read_move(game: &Game, text: &str) -> Result<Move, MoveError> {
    let board = game.variant().rules().board;
    moves::read(game.variant(), game.position(), text)
        .or_else(|error| hub::parse_move(board, &game.legal_moves(), text).map_err(|_| error))
}
