//! Many puzzles: no duplicates, easy ones first, files of JSON lines.

use super::puzzle::{Puzzle, PuzzleFault, mirrored_key};
use crate::board::Key;
use crate::rules::VariantId;
use std::collections::HashSet;
use std::io::{self, Write};
use thiserror::Error;

/// Most puzzles of one file.
const MOST: usize = 1_000_000;
/// The byte order mark that some programs put before a text.
const MARK: char = '\u{feff}';

/// Puzzles without duplicates: a position counts as the same with colours exchanged and the board turned.
#[derive(Clone, Debug, Default)]
pub struct PuzzleSet {
    puzzles: Vec<Puzzle>,
    keys: HashSet<(VariantId, Key)>,
}

impl PuzzleSet {
    /// Adds a puzzle unless it is there already.
    ///
    /// # Errors
    /// When its position cannot be read.
    pub fn add(&mut self, puzzle: Puzzle) -> Result<bool, PuzzleFault> {
        let game = puzzle.game()?;
        let is_new = self.keys.insert((game.variant(), mirrored_key(game.variant(), game.position())));
        if is_new {
            self.puzzles.push(puzzle);
        }
        Ok(is_new)
    }

    /// Calculates the difficulty of all anew, see [`Puzzle::rated`].
    ///
    /// # Errors
    /// When a puzzle cannot be played.
    pub fn rate(&mut self) -> Result<(), PuzzleFault> {
        self.puzzles.iter_mut().try_for_each(|puzzle| {
            puzzle.difficulty = puzzle.rated()?;
            Ok(())
        })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.puzzles.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.puzzles.is_empty()
    }

    /// The puzzles, easy ones first; equally hard ones in the order in which they came.
    pub fn into_sorted(mut self) -> Vec<Puzzle> {
        self.puzzles.sort_by(|a, b| a.difficulty.total_cmp(&b.difficulty));
        self.puzzles
    }
}

/// Why a file of puzzles cannot be used.
#[derive(Debug, Error)]
pub enum PuzzleFileError {
    /// A line that is no puzzle.
    #[error("line {line}, column {}: {}", fault.column(), without_place(fault))]
    Line {
        /// The line, from 1.
        line: usize,
        /// Why. No source of the error: that would say its own line, always the first, once more.
        fault: serde_json::Error,
    },
    /// A puzzle that cannot be played.
    #[error("line {line}: {source}")]
    Puzzle {
        /// The line, from 1.
        line: usize,
        /// Why.
        source: PuzzleFault,
    },
    /// Too many.
    #[error("more than {0} puzzles")]
    TooMany(usize),
}

/// What is wrong, without the place at the end of the message.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&place).unwrap_or(&text).to_owned()
}

/// Whether the first line of a file is one of a file of puzzles, right or wrong: an object with a position and a
/// solution, or what [`write()`] begins with.
///
/// ```
/// use kroon::puzzles::is_puzzle;
/// assert!(is_puzzle("\u{feff}{\"fen\":\"W:W6:B1\",\"solution\":[]}") && !is_puzzle("{a comment} 1. 32-28 *"));
/// ```
pub fn is_puzzle(line: &str) -> bool {
    let line = line.strip_prefix(MARK).unwrap_or(line).trim_start();
    let has_fields = |text| {
        let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text).ok()?;
        Some(object.contains_key("fen") && object.contains_key("solution"))
    };
    line.starts_with("{\"variant\":") || line.starts_with('{') && has_fields(line) == Some(true)
}

/// Reads a file of puzzles, one line of JSON for each; every move is legal. Blank lines and a byte order mark are skipped.
///
/// ```
/// use kroon::puzzles::read;
/// let error = read("{\"variant\":\"chess\"}").unwrap_err();
/// assert!(error.to_string().starts_with("line 1, column 19: missing field"));
/// assert_eq!(read("\n\n{]").unwrap_err().to_string(), "line 3, column 2: key must be a string");
/// ```
///
/// # Errors
/// When a line is no puzzle; the error says which.
pub fn read(text: &str) -> Result<Vec<Puzzle>, PuzzleFileError> {
    let mut puzzles = Vec::new();
    let text = text.strip_prefix(MARK).unwrap_or(text);
    for (index, text) in text.lines().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
        let line = index + 1;
        if puzzles.len() == MOST {
            return Err(PuzzleFileError::TooMany(MOST));
        }
        let puzzle: Puzzle =
            serde_json::from_str(text).map_err(|fault| PuzzleFileError::Line { line, fault })?;
        puzzle.validate().map_err(|source| PuzzleFileError::Puzzle { line, source })?;
        puzzles.push(puzzle);
    }
    Ok(puzzles)
}

/// Writes puzzles as [`read`] reads them.
///
/// # Errors
/// When the output fails.
pub fn write(puzzles: &[Puzzle], out: &mut dyn Write) -> io::Result<()> {
    for puzzle in puzzles {
        serde_json::to_writer(&mut *out, puzzle)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}
