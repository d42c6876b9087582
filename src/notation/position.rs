//! Positions as FEN or as Hub writes them, told apart by their form. Command line, Hub sessions, openings and DXP
//! schedules read positions with this module.

use super::fen::{self, FenError};
use super::hub::{self, HubPositionError};
use super::text::quote;
use crate::board::{Setup, SetupError};
use crate::game::Game;
use crate::rules::VariantId;
use thiserror::Error;

/// Why a text is no position of a variant.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum PositionError {
    /// It has the form of neither notation.
    #[error(
        "position {text} is neither a FEN such as W:W31-50:B1-20 nor a Hub position of {letters} letters"
    )]
    Unknown {
        /// The text, quoted.
        text: String,
        /// The length of a Hub position of the variant.
        letters: usize,
    },
    /// It looks like a FEN and is none.
    #[error(transparent)]
    Fen(FenError),
    /// It looks like a Hub position and is none.
    #[error(transparent)]
    Hub(HubPositionError),
    /// The placement is no position of the variant.
    #[error("position {text}: {source}")]
    Setup {
        /// The text, quoted.
        text: String,
        /// What is wrong with it.
        source: SetupError,
    },
}

/// Reads a FEN or a Hub position. The placement is not checked beyond its squares; [`game`] does that.
///
/// ```
/// use kroon::notation::position;
/// use kroon::rules::VariantId::English;
/// let fen = position::parse(English, "B:B1-12:W21-32").unwrap();
/// assert_eq!(position::parse(English, "Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww"), Ok(fen));
/// let error = position::parse(English, "the start").unwrap_err().to_string();
/// assert!(error.starts_with("position \"the start\" is neither a FEN"), "{error}");
/// ```
///
/// # Errors
/// When the text is neither; the error quotes it and says what is wrong in the notation that it looks like.
pub fn parse(variant: VariantId, text: &str) -> Result<Setup, PositionError> {
    let (board, trimmed) = (variant.rules().board, text.trim());
    if looks_like_fen(trimmed) {
        return fen::parse(variant, text).map(|fen| fen.setup).map_err(PositionError::Fen);
    }
    hub::parse_position(board, trimmed).map_err(|error| {
        let letters = usize::from(board.squares()) + 1;
        let looks_like_hub = !trimmed.is_empty()
            && (trimmed.chars().count() == letters || trimmed.chars().all(|c| "wbeWB".contains(c)));
        if looks_like_hub {
            PositionError::Hub(error)
        } else {
            PositionError::Unknown { text: quote(text), letters }
        }
    })
}

/// Reads a FEN or a Hub position and starts a game there.
///
/// ```
/// use kroon::notation::position;
/// use kroon::rules::VariantId::International;
/// assert_eq!(position::game(International, "W:WK41:B20,33,37,43").unwrap().legal_moves().len(), 2);
/// let error = position::game(International, "W:W3:B20").unwrap_err().to_string();
/// assert!(error.starts_with("position \"W:W3:B20\": "), "{error}");
/// ```
///
/// # Errors
/// As [`parse`]; also when the placement is no position of the variant.
pub fn game(variant: VariantId, text: &str) -> Result<Game, PositionError> {
    let setup = parse(variant, text)?;
    Game::from_setup(variant, &setup).map_err(|source| PositionError::Setup { text: quote(text), source })
}

/// A side to move (or none that is known) and a colon somewhere behind it, or the whole tag. No Hub position has any.
fn looks_like_fen(text: &str) -> bool {
    let tag = text.strip_prefix('[').and_then(|inside| inside.trim_start().get(..3));
    text.starts_with('?')
        || tag.is_some_and(|name| name.eq_ignore_ascii_case("FEN"))
        || (text.starts_with(['W', 'w', 'B', 'b', '"', '_']) && text.contains(':'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::hub::format_position;
    use VariantId::{English, International};

    #[test]
    fn both_notations_give_the_same_position_in_every_variant() {
        for variant in VariantId::ALL {
            let start = Game::new(variant);
            let texts = [
                fen::write(variant, start.position()),
                format!("[FEN \"{}\"]", fen::write(variant, start.position())),
                format!("\"{}.\"", fen::write(variant, start.position())),
                format_position(variant.rules().board, start.position()),
            ];
            for text in texts.iter().flat_map(|text| [text.clone(), format!(" {text}\r\n")]) {
                let read = game(variant, &text).unwrap_or_else(|error| panic!("{variant}: {error}"));
                assert_eq!(read.position(), start.position(), "{text}");
            }
        }
    }

    #[test]
    fn faults_are_those_of_the_notation_that_was_meant() {
        let start = format!("W{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20));
        let fault = |text: &str| game(International, text).unwrap_err();
        for text in ["", " ", "start", "nonsense", "x:W31:B1", "1. 32:23"] {
            assert!(matches!(fault(text), PositionError::Unknown { letters: 51, .. }), "{text}");
        }
        for text in ["?", "[FEN \"?\"]", "W:W31,51:B1", "b31:W5", "[FEN \"\"]"] {
            assert!(matches!(fault(text), PositionError::Fen(_)), "{text}: {}", fault(text));
        }
        for text in ["Wbb", &start[1..], &start.replacen('W', "x", 1), &start.replacen('e', "é", 1)] {
            assert!(matches!(fault(text), PositionError::Hub(_)), "{text}: {}", fault(text));
        }
        assert!(matches!(game(English, &start), Err(PositionError::Hub(_))), "a board of another size");
        for text in ["W:", "W:W31:B", "W:W3:B20", &start.replace('b', "e")] {
            assert!(matches!(fault(text), PositionError::Setup { .. }), "{text}: {}", fault(text));
        }
        for text in ["", "?", "Wbb", "W:W31,51:B1", "W:W31:B", &start.replacen('e', "é", 1)] {
            let (error, quoted) = (fault(text).to_string(), quote(text));
            assert!(error.contains(&quoted), "{error} does not quote {quoted}");
        }
        assert!(fault(&"w".repeat(100_000)).to_string().len() < 300);
    }
}
