//! A puzzle: a position, what is to be reached, and how.

use super::{Theme, difficulty};
use crate::board::{Color, Key, Move, Position};
use crate::game::Game;
use crate::notation::fen::{self, FenError};
use crate::notation::moves::{self, MoveError};
use crate::rules::VariantId;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What the side to move has to reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Goal {
    /// To win; every other move does not.
    Win,
    /// Not to lose; every other move does.
    Draw,
}

/// Another reply, and how it is answered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Sideline {
    /// Moves of the solution before it.
    pub ply: usize,
    /// The reply and what follows, in PDN.
    pub moves: Vec<String>,
}

/// A position with exactly one good move. One line of JSON in a file of puzzles.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Puzzle {
    /// The variant's name.
    pub variant: String,
    /// The position; the side to move solves.
    pub fen: String,
    /// What is to be reached.
    pub goal: Goal,
    /// The moves of both sides in PDN, the solver's first and last: each of the solver's is the only one that reaches
    /// the goal, each reply holds out longest.
    pub solution: Vec<String>,
    /// How the game may go on where several moves win.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sequel: Vec<String>,
    /// Other replies where there are few.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sidelines: Vec<Sideline>,
    /// What it is about.
    pub themes: Vec<Theme>,
    /// From 1, seen at once, to 10.
    pub difficulty: f64,
    /// The depth, in plies, from which a search without quiescence sees the solution and what it is worth.
    pub depth: u32,
    /// Pieces that the solver captures.
    pub captured: u32,
    /// How much more a search of two plies without quiescence expects from another move: 0 to 1, most misled.
    pub lure: f64,
    /// The game it is from.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
}

/// Why a puzzle cannot be one.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PuzzleFault {
    /// The variant is not known.
    #[error("unknown variant {0}")]
    Variant(String),
    /// The position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move of the solution or of a sideline.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// The solution has no move of the solver at its end.
    #[error("the solution has {0} moves, expected an odd number")]
    Length(usize),
    /// More moves or side lines than anybody prints.
    #[error("{0} moves or side lines, expected at most {MOST}")]
    TooLong(usize),
    /// A sideline begins beyond the solution.
    #[error("a sideline begins after {0} moves, where no reply is")]
    Sideline(usize),
    /// A PDN game of which no comment says where the solution ends.
    #[error("no comment \"{0}\" says where the solution ends")]
    NoEnd(&'static str),
    /// A tag of a PDN game that says nothing, or what it cannot.
    #[error("tag {name}: {said} found")]
    Tag {
        /// The tag.
        name: &'static str,
        /// What it says.
        said: String,
    },
    /// A sideline without moves.
    #[error("the sideline after {0} moves has no move")]
    EmptySideline(usize),
}

/// Most moves of a line, and most side lines.
const MOST: usize = 100;

impl Puzzle {
    /// The variant.
    ///
    /// # Errors
    /// When the name is not known.
    pub fn variant(&self) -> Result<VariantId, PuzzleFault> {
        self.variant.parse().map_err(|_| PuzzleFault::Variant(crate::words::quote(&self.variant)))
    }

    /// The position as a game without moves.
    ///
    /// # Errors
    /// When variant or FEN cannot be read.
    pub fn game(&self) -> Result<Game, PuzzleFault> {
        Ok(fen::game_from_fen(self.variant()?, &self.fen)?)
    }

    /// The position and the moves of the solution.
    ///
    /// # Errors
    /// When they cannot be played.
    pub fn line(&self) -> Result<(Game, Vec<Move>), PuzzleFault> {
        let lengths = [self.solution.len(), self.sequel.len(), self.sidelines.len()];
        let sides = self.sidelines.iter().map(|side| side.moves.len());
        if let Some(length) = lengths.into_iter().chain(sides).find(|&length| length > MOST) {
            return Err(PuzzleFault::TooLong(length));
        }
        let start = self.game()?;
        if self.solution.len().is_multiple_of(2) {
            return Err(PuzzleFault::Length(self.solution.len()));
        }
        let played = play(&start, &self.solution)?.moves().to_vec();
        Ok((start, played))
    }

    /// The difficulty by the weights of this version, from what is known of the puzzle.
    ///
    /// # Errors
    /// When variant or FEN cannot be read.
    pub fn rated(&self) -> Result<f64, PuzzleFault> {
        Ok(difficulty::rate(self, &self.game()?))
    }

    /// Plays every move of the puzzle.
    ///
    /// # Errors
    /// When one of them is not legal, or a line has none.
    pub fn validate(&self) -> Result<(), PuzzleFault> {
        let (start, _) = self.line()?;
        play(&play(&start, &self.solution)?, &self.sequel)?;
        for Sideline { ply, moves } in &self.sidelines {
            if ply.is_multiple_of(2) || *ply > self.solution.len() {
                return Err(PuzzleFault::Sideline(*ply));
            }
            if moves.is_empty() {
                return Err(PuzzleFault::EmptySideline(*ply));
            }
            play(&play(&start, &self.solution[..*ply])?, moves)?;
        }
        Ok(())
    }
}

/// The game after these moves.
pub(super) fn play(start: &Game, texts: &[String]) -> Result<Game, MoveError> {
    let mut game = start.clone();
    for text in texts {
        let mv = moves::read(game.variant(), game.position(), text)?;
        // A move that was read is legal.
        let _ = game.play(mv);
    }
    Ok(game)
}

/// The same for a position and for the one with colours exchanged and the board turned by half a turn, in which the
/// same moves win.
pub(super) fn mirrored_key(variant: VariantId, position: &Position) -> Key {
    let board = variant.rules().board;
    match position.turn() {
        Color::White => Position::of_pieces(
            [position.side(Color::White), position.side(Color::Black)],
            position.kings(),
            Default::default(),
        ),
        Color::Black => Position::of_pieces(
            [board.turned(position.side(Color::Black)), board.turned(position.side(Color::White))],
            board.turned(position.kings()),
            Default::default(),
        ),
    }
    .key()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_and_its_mirror_image_have_one_key() {
        let key = |text| {
            let game = fen::game_from_fen(VariantId::International, text).unwrap();
            mirrored_key(VariantId::International, game.position())
        };
        assert_eq!(key("W:W32,K50:B19"), key("B:W32:B19,K1"));
        assert_ne!(key("W:W32,K50:B19"), key("B:W32,K50:B19"));
    }
}
