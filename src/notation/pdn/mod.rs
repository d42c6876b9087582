//! Portable Draughts Notation (PDN 3.0): a tolerant reader, a strict writer.
//!
//! ```
//! use kroon::notation::pdn;
//! let file = "[White \"A\"]\n[GameType \"20\"]\n1. 32-28 19-23 {now} 2. 28x19 (2. 37-32) 14x23 1-1 *";
//! let (games, warnings) = pdn::read_games(file);
//! assert!(warnings.is_empty());
//! let replay = games[0].replay().unwrap();
//! assert_eq!(replay.game().moves().len(), 4);
//! assert!(replay.stopped.is_none());
//! ```

mod command;
mod date;
mod decode;
#[cfg(feature = "web")]
mod fragment;
mod game_type;
mod kind;
mod lexer;
mod reader;
mod replay;
mod result;
mod stream;
mod time_control;
mod tree;
mod unread;
mod variations;
mod writer;

use super::fen::FenError;
use super::moves::MoveError;
use thiserror::Error;

pub use command::{ClockReading, PdnCommand, PdnEvaluation, commands};
pub use date::date;
pub use decode::{decode, encoded_length};
#[cfg(feature = "web")]
pub(crate) use fragment::Fragment;
pub use game_type::{GameType, GameTypeDetails};
pub use kind::is_pdn;
#[cfg(feature = "web")]
pub(crate) use reader::{DEEPEST, STRENGTH};
pub use reader::{PdnReader, read_games};
pub use replay::Replay;
#[cfg(feature = "web")]
pub(crate) use replay::next_move;
pub use result::PdnResult;
pub use stream::PdnStream;
pub use time_control::{Period, TimeControlTag};
pub use tree::{PdnAction, PdnEntry, PdnGame, PdnLine, Tag, Tags, TextPlace};
pub use writer::WriteOptions;

/// Something wrong in a file, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {}, column {}: {fault}", place.line, place.column)]
pub struct PdnError {
    /// Where it stands.
    pub place: TextPlace,
    /// What is wrong.
    pub fault: PdnFault,
}

/// What can be wrong in a file.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum PdnFault {
    /// A word that is nothing of PDN; it was skipped.
    #[error("{0} is no part of a game")]
    Unknown(String),
    /// A `{` without `}`.
    #[error("the comment has no closing brace")]
    OpenComment,
    /// A tag without its closing quote or bracket.
    #[error("the tag has no closing quote and bracket")]
    OpenTag,
    /// A tag too many; it was skipped.
    #[error("a game has more than {0} tags")]
    TooManyTags(usize),
    /// A move, comment or glyph too many; it and those behind it were skipped.
    #[error("a game has more than {0} moves, comments and glyphs")]
    TooManyItems(usize),
    /// A `(` without `)` before the game ends.
    #[error("the game ends inside a variation")]
    OpenVariation,
    /// A `)` without `(`.
    #[error("a parenthesis closes no variation")]
    NoVariation,
    /// A variation where there is no move that it could replace; it was skipped.
    #[error("the variation follows no move")]
    NoMoveToReplace,
    /// A variation too deep inside others; it was skipped.
    #[error("variations are nested more than {0} deep")]
    TooDeep(usize),
    /// A game too long to be kept whole; it was cut.
    #[error("a game is longer than {0} bytes")]
    TooLong(usize),
    /// Something else than PDN; nothing of it was read.
    #[error("this is no PDN file")]
    NoPdn,
    /// There was more to complain about.
    #[error("further faults are not listed")]
    More,
    /// A game of a variant that is not known.
    #[error("GameType or Variant {0} is not supported")]
    Variant(String),
    /// The value of a GameType tag.
    #[error("GameType {0}: expected a number, and details only after a comma")]
    GameType(String),
    /// The value of a TimeControl tag.
    #[error("TimeControl {0} is neither ?, - nor periods such as 40/7200:4800+60")]
    TimeControl(String),
    /// A position that cannot be.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move that cannot be.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// A word that names squares and is no form of a move; what follows is not known.
    #[error("{0} looks like a move and cannot be read")]
    Unread(String),
    /// A move is missing, and what follows does not fit.
    #[error("a move is missing")]
    Missing,
}

#[cfg(test)]
mod tests;
