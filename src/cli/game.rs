//! The options `--variant`, `--fen` and `--moves`, which name a position.

use super::usage::wrong_usage;
use anyhow::{Context, Result};
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
    /// Start from this position (FEN, or a Hub position string) instead of the variant's initial one; `board` and `analyse` with
    /// `--json`: `-` for positions on standard input
    #[arg(long, value_name = "POSITION")]
    fen: Option<String>,
    /// Moves played from there, in PDN ("1. 32-28 19x30", with or without numbers) or Hub notation ("19x30x24"),
    /// separated by blanks or commas; signs, comments in braces and the result of a game may be among them
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
                wrong_usage!(
                    "--fen -: only board --json and analyse --json read positions from standard input"
                )
            }
            Some(text) => self.moved(position::game(self.variant, text).context("--fen")?),
        }
    }

    /// The rules.
    pub fn variant(&self) -> VariantId {
        self.variant
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
        for (index, text) in move_texts(&self.moves).into_iter().enumerate() {
            let mv = read_move(&game, text).with_context(|| format!("--moves, number {}", index + 1))?;
            game.play(mv)?;
        }
        Ok(game)
    }
}

/// How a game may end that was copied; none of them is a move.
const ENDS: [&str; 9] = ["*", "2-0", "1-1", "0-2", "1-0", "1/2-1/2", "½-½", "0-1", "0-0"];

/// The moves of a list as they stand in a game, without numbers, signs, comments and the result at its end:
/// `1. 32-28! 19-23 {well} 2.28x19 2-0`, `32-28,19-23`.
fn move_texts(list: &str) -> Vec<&str> {
    let mut words: Vec<&str> = Vec::new();
    let mut rest = list;
    while let Some((before, (_, behind))) =
        rest.split_once('{').and_then(|(before, comment)| Some((before, comment.split_once('}')?)))
    {
        words.extend(blank_separated(before));
        rest = behind;
    }
    // A brace that is never closed stays, and is a fault.
    words.extend(blank_separated(rest));
    words.pop_if(|word| ENDS.contains(word));
    words
        .into_iter()
        .map(|word| without_signs(without_number(word)))
        .filter(|word| !word.is_empty())
        .collect()
}

fn blank_separated(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty())
}

/// `1.`, `12...` and the dots that stand for a move of the other side.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_number = rest.len() < word.len() && rest.starts_with(['.', '…']);
    let is_dots = rest.starts_with("...") || rest.starts_with('…');
    if is_number || is_dots { rest.trim_start_matches(['.', '…']) } else { word }
}

/// `32-28!?`, `$6`.
fn without_signs(word: &str) -> &str {
    let is_glyph = word.strip_prefix('$').is_some_and(|number| number.parse::<u8>().is_ok());
    if is_glyph { "" } else { word.trim_end_matches(['!', '?']) }
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
        let texts = move_texts;
        for list in [
            "32-28 19-23 28x19",
            "1. 32-28 19-23 2. 28x19",
            "1.32-28 1...19-23 2.28x19",
            "32-28,19-23, 28x19,",
            "1. 32-28 19-23 2. 28x19 2-0",
            "1. 32-28! 19-23?! 2. 28x19 *",
            "1. ... 32-28 1... 19-23 … 28x19",
            "1.…32-28 {a, comment 1.} 19-23{2-0}28x19 ! {the end} 1/2-1/2",
            "1. 32-28 $1 19-23 $140 2. 28x19 ½-½ {[%clk 0:01:00]}",
        ] {
            assert_eq!(texts(list), ["32-28", "19-23", "28x19"], "{list}");
        }
        assert_eq!(texts(" 1. "), Vec::<&str>::new());
        assert_eq!(texts("12 .5"), ["12", ".5"], "a fault stays visible");
        assert_eq!(texts("2-0 32-28 1-1 *"), ["2-0", "32-28", "1-1"], "nothing goes on behind a result");
        assert_eq!(texts("32-28 {never closed"), ["32-28", "{never", "closed"]);
        assert_eq!(texts("32-28 } $x 19!x23"), ["32-28", "}", "$x", "19!x23"]);
    }
}
