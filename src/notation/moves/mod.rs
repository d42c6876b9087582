//! Moves in PDN: `32-28`, `33x22`, `41x28x39x48`, `c3-d4`. Captures list squares visited, not squares captured.

mod route;
mod syntax;

use super::square::{self, SquareName};
use super::text::quote;
use crate::board::{Move, MoveList, Position, Square};
use crate::rules::{Rules, VariantId, legal_moves, play_in};
use nom::Parser;
use nom::combinator::all_consuming;
use route::Routes;
use smallvec::SmallVec;
use thiserror::Error;

pub use syntax::MoveText;
pub(super) use syntax::move_text;

/// Why a text is no move here.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum MoveError {
    /// Not the text of a move.
    #[error("{text} is no move, expected squares with - or x between them")]
    Syntax {
        /// The text, quoted.
        text: String,
    },
    /// A square that the board lacks.
    #[error("move {text}: no square \"{square}\", squares are {range}")]
    NoSquare {
        /// The text, quoted.
        text: String,
        /// The square.
        square: SquareName,
        /// The squares of the board.
        range: String,
    },
    /// No legal move fits.
    #[error("move {text} is not legal here, legal are: {legal}")]
    Illegal {
        /// The text, quoted.
        text: String,
        /// The legal moves, or the first of them.
        legal: String,
    },
    /// Several captures of different pieces fit.
    #[error("move {text} is ambiguous, it could be: {candidates}")]
    Ambiguous {
        /// The text, quoted.
        text: String,
        /// The captures that fit, or the first of them.
        candidates: String,
    },
}

/// Reads a move and finds it among the legal ones.
///
/// ```
/// use kroon::notation::{fen, moves};
/// use kroon::rules::VariantId;
/// let game = fen::game_from_fen(VariantId::International, "W:WK41:B20,33,37,43").unwrap();
/// let mv = moves::read(VariantId::International, game.position(), "41x25x48").unwrap();
/// assert_eq!(moves::write(VariantId::International, game.position(), mv), "41x14x25x48");
/// let error = moves::read(VariantId::International, game.position(), "41x48").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "move \"41x48\" is ambiguous, it could be: 41x14x25x48, 41x28x39x48"
/// );
/// ```
///
/// # Errors
/// When the text is no move, the move not legal, or it fits captures of different pieces.
pub fn read(variant: VariantId, position: &Position, text: &str) -> Result<Move, MoveError> {
    resolve(variant, position, &text.parse()?)
}

/// Finds the legal move that a text means.
///
/// The first and last square must agree; a capture may list any squares between that one of its ways visits in this
/// order. The sign does not count: people write `-` for captures too. If the squares are exactly where a capture
/// lands after each of its victims, that capture is meant, whatever else would pass there: a single jump too, which
/// has no longer form, although a longer capture may come back and end with the same jump.
///
/// # Errors
/// As [`read`].
pub fn resolve(variant: VariantId, position: &Position, text: &MoveText) -> Result<Move, MoveError> {
    let rules = variant.rules();
    let squares = squares_on(rules, text)?;
    let legal = legal_moves(variant, position);
    let fitting = fitting(rules, position, &legal, &squares);
    match fitting[..] {
        [] => Err(MoveError::Illegal {
            text: quote(&text.to_string()),
            legal: listing(variant, position, &legal, false),
        }),
        [mv] => Ok(mv),
        _ => Err(MoveError::Ambiguous {
            text: quote(&text.to_string()),
            candidates: listing(variant, position, &fitting, true),
        }),
    }
}

/// The legal move that a short form means, if it is one alone: the file on which it begins and the square on which it ends, as
/// Russian books write (`cd4`, `b:d6`). Signs behind it say nothing.
pub(crate) fn short(variant: VariantId, position: &Position, word: &str) -> Option<Move> {
    let board = variant.rules().board;
    let word = word.trim_end_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let mut letters = word.chars();
    let file = letters.next().filter(|_| square::has_files(board))?;
    let to = letters.as_str().trim_start_matches([':', 'x', '*', '×']);
    let (_, to) = all_consuming(square::coordinates).parse(to).ok()?;
    let to = to.on(board)?;
    let begins =
        |from: Square| (1..=board.side().into()).any(|rank| square::at(board, file, rank) == Some(from));
    let mut fitting: Vec<Move> = Vec::new();
    for mv in legal_moves(variant, position) {
        if mv.to() == to && begins(mv.from()) && !fitting.contains(&mv) {
            fitting.push(mv);
        }
    }
    if let [mv] = fitting[..] { Some(mv) } else { None }
}

/// The legal moves that a text may mean: several, if they capture different pieces.
pub(super) fn candidates(variant: VariantId, position: &Position, text: &MoveText) -> Vec<Move> {
    let rules = variant.rules();
    let squares = squares_on(rules, text).unwrap_or_default();
    fitting(rules, position, &legal_moves(variant, position), &squares)
}

/// The squares of a text on the board.
fn squares_on(rules: &Rules, text: &MoveText) -> Result<SmallVec<[Square; 8]>, MoveError> {
    let on_board = |&name: &SquareName| {
        name.on(rules.board).ok_or_else(|| MoveError::NoSquare {
            text: quote(&text.to_string()),
            square: name,
            range: square::range(rules.board),
        })
    };
    text.squares().iter().map(on_board).collect()
}

/// The different moves of `legal` that visit these squares, from the first to the last.
fn fitting(rules: &Rules, position: &Position, legal: &[Move], squares: &[Square]) -> Vec<Move> {
    let [from, listed @ .., to] = squares else { return Vec::new() };
    let mut fitting: Vec<Move> = Vec::new();
    for &mv in legal {
        if mv.from() == *from && mv.to() == *to && !fitting.contains(&mv) {
            fitting.push(mv);
        }
    }
    if fitting.len() < 2 && listed.is_empty() {
        return fitting;
    }
    if let Some(&mv) = fitting.iter().find(|mv| Routes::new(rules, position, **mv).lands_on(listed)) {
        return vec![mv];
    }
    if !listed.is_empty() {
        fitting.retain(|mv| mv.is_capture() && Routes::new(rules, position, *mv).passes(listed));
    }
    fitting
}

/// Moves for an error message, not too many.
fn listing(variant: VariantId, position: &Position, moves: &[Move], full: bool) -> String {
    const LISTED: usize = 12;
    let form = |&mv: &Move| {
        if full { full_text(variant, position, mv) } else { text_among(variant, position, moves, mv) }
    };
    let mut texts: Vec<String> = moves.iter().take(LISTED).map(|mv| form(mv).to_string()).collect();
    texts.sort_unstable();
    match moves.len() {
        0 => "none".to_owned(),
        n if n > LISTED => format!("{}, ...", texts.join(", ")),
        _ => texts.join(", "),
    }
}

/// Writes a legal move: first and last square, and the squares between if another capture shares both.
///
/// ```
/// use kroon::{game::Game, notation::moves, rules::VariantId};
/// let game = Game::new(VariantId::International);
/// let mv = moves::read(VariantId::International, game.position(), "31 - 27").unwrap();
/// assert_eq!(moves::write(VariantId::International, game.position(), mv), "31-27");
/// ```
pub fn write(variant: VariantId, position: &Position, mv: Move) -> String {
    text(variant, position, mv).to_string()
}

/// As [`write()`], for moves that are played one after another from a position, in which each is legal in its turn.
///
/// ```
/// use kroon::{game::Game, notation::moves, rules::VariantId::International};
/// let mut game = Game::new(International);
/// for text in ["32-28", "19-23", "28x19"] {
///     game.play(moves::read(International, game.position(), text).unwrap()).unwrap();
/// }
/// assert_eq!(moves::write_line(International, game.start(), game.moves()), ["32-28", "19-23", "28x19"]);
/// ```
pub fn write_line(variant: VariantId, start: &Position, line: &[Move]) -> Vec<String> {
    let mut position = *start;
    let text = |&mv: &Move| {
        let text = write(variant, &position, mv);
        position = play_in(variant, &position, mv);
        text
    };
    line.iter().map(text).collect()
}

/// As [`write()`], for all legal moves of a position, in their order.
pub fn write_all(variant: VariantId, position: &Position, legal: &[Move]) -> Vec<String> {
    legal.iter().map(|&mv| text_among(variant, position, legal, mv).to_string()).collect()
}

/// As [`write()`], as a [`MoveText`].
pub fn text(variant: VariantId, position: &Position, mv: Move) -> MoveText {
    let legal = if mv.is_capture() { legal_moves(variant, position) } else { MoveList::new() };
    text_among(variant, position, &legal, mv)
}

/// As [`text()`], where the legal moves are known.
fn text_among(variant: VariantId, position: &Position, legal: &[Move], mv: Move) -> MoveText {
    let shares_ends = |other: &Move| {
        other.from() == mv.from() && other.to() == mv.to() && other.captured() != mv.captured()
    };
    if mv.is_capture() && legal.iter().any(shares_ends) {
        full_text(variant, position, mv)
    } else {
        named(variant.rules(), mv, [mv.from(), mv.to()])
    }
}

/// A legal move with every square on which a capture lands: where it turns, and if it goes straight on, immediately
/// behind the captured piece (PDN 3.0).
pub fn full_text(variant: VariantId, position: &Position, mv: Move) -> MoveText {
    let rules = variant.rules();
    match Routes::new(rules, position, mv).landings() {
        Some(landings) if mv.is_capture() => named(rules, mv, std::iter::once(mv.from()).chain(landings)),
        _ => named(rules, mv, [mv.from(), mv.to()]),
    }
}

fn named(rules: &Rules, mv: Move, squares: impl IntoIterator<Item = Square>) -> MoveText {
    let sign = if mv.is_capture() { rules.capture_sign } else { '-' };
    MoveText::new(squares.into_iter().map(|square| SquareName::of(rules, square)).collect(), sign)
}

#[cfg(test)]
mod tests;
