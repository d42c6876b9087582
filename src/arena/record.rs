//! The record of a finished game: one line of JSON.

use super::player::Remarks;
use crate::board::Color;
use crate::game::{DrawReason, Game, GameResult};
use crate::notation::{fen, hub};
use crate::rules::VariantId;
use crate::score::Score;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;
use thiserror::Error;

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// Won by the rules: the opponent has no move (in losing draughts, the winner has none).
    Rules,
    /// Drawn by repetition.
    Repetition,
    /// Drawn by a move-count rule.
    MoveCount,
    /// Drawn because the side to move has pieces but no move, where the match asks for that.
    Blocked,
    /// Drawn because it was long enough.
    MaxPlies,
    /// Won because the scores said so for long enough.
    AdjudicatedWin,
    /// Drawn because the scores said so for long enough.
    AdjudicatedDraw,
    /// Won or drawn by endgame tables.
    Tables,
    /// Lost because the engine gave up.
    Resignation,
    /// Lost on time.
    Time,
    /// Lost by an illegal move.
    IllegalMove,
    /// Lost because the engine ended.
    Crash,
    /// Lost because the engine did not answer.
    Hang,
    /// Lost because the engine ended a game that was not over.
    Left,
    /// Lost because the engine could not be started again.
    NotStarted,
}

impl Reason {
    /// All reasons.
    pub const ALL: [Reason; 15] = [
        Reason::Rules,
        Reason::Repetition,
        Reason::MoveCount,
        Reason::Blocked,
        Reason::MaxPlies,
        Reason::AdjudicatedWin,
        Reason::AdjudicatedDraw,
        Reason::Tables,
        Reason::Resignation,
        Reason::Time,
        Reason::IllegalMove,
        Reason::Crash,
        Reason::Hang,
        Reason::Left,
        Reason::NotStarted,
    ];

    /// Whether an engine did something wrong.
    pub fn is_fault(self) -> bool {
        matches!(
            self,
            Reason::Time
                | Reason::IllegalMove
                | Reason::Crash
                | Reason::Hang
                | Reason::Left
                | Reason::NotStarted
        )
    }
}

impl From<DrawReason> for Reason {
    fn from(reason: DrawReason) -> Reason {
        match reason {
            DrawReason::Repetition => Reason::Repetition,
            DrawReason::MoveCount => Reason::MoveCount,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Rules => "rules",
            Reason::Repetition => "repetition",
            Reason::MoveCount => "move count",
            Reason::Blocked => "blocked",
            Reason::MaxPlies => "most plies",
            Reason::AdjudicatedWin => "adjudicated win",
            Reason::AdjudicatedDraw => "adjudicated draw",
            Reason::Tables => "endgame tables",
            Reason::Resignation => "resignation",
            Reason::Left => "left the game",
            Reason::Time => "time",
            Reason::IllegalMove => "illegal move",
            Reason::Crash => "crash",
            Reason::Hang => "hang",
            Reason::NotStarted => "not started",
        })
    }
}

/// What is written down of a move that an engine made: score in centi-men (its own view), depth, nodes, seconds used,
/// seconds left on its clock. Absent is what is not known.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct MoveNote(pub Option<i32>, pub Option<u32>, pub Option<u64>, pub f64, pub Option<f64>);

impl MoveNote {
    /// From what the engine told and the referee measured.
    pub fn new(remarks: &Remarks, used: Duration, left: Option<Duration>) -> MoveNote {
        // A tenth of a millisecond is as much as a pipe lets one measure.
        let seconds = |time: Duration| (time.as_secs_f64() * 1e4).round() / 1e4;
        MoveNote(
            remarks.score.map(Score::centi),
            remarks.depth,
            remarks.nodes,
            seconds(used),
            left.map(seconds),
        )
    }

    /// The score for the side that moved.
    pub fn score(&self) -> Option<Score> {
        // Whatever a file or an engine says: no score is beyond that of a game won at once.
        self.0.map(|centi| Score::from_centi(centi.clamp(-10_000, 10_000)))
    }
}

/// A finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number in the schedule, from 1.
    pub game: usize,
    /// The engine that had White, by its number in the header, from 0.
    pub white: usize,
    /// The engine that had Black.
    pub black: usize,
    /// Who won.
    pub result: GameResult,
    /// Why the game ended.
    pub reason: Reason,
    /// More about it, for faults.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// When it ended, in seconds since 1970.
    pub ended: u64,
    /// FEN of the start, unless it is the initial position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// Pieces on the board at the end, of White and of Black. Older files do not have them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<[u32; 2]>,
    /// Moves that belong to the opening.
    pub book: usize,
    /// All moves in Hub notation.
    pub moves: String,
    /// One note for each move behind the opening.
    pub notes: Vec<MoveNote>,
}

/// Why the moves of a record cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("game {game}: {fault}")]
pub struct ReplayError {
    /// The number of the game.
    pub game: usize,
    /// What is wrong.
    pub fault: String,
}

impl GameRecord {
    /// A game of which nothing else is known, for tests.
    #[cfg(test)]
    pub(super) fn bare(
        game: usize,
        [white, black]: [usize; 2],
        result: GameResult,
        reason: Reason,
    ) -> GameRecord {
        GameRecord {
            game,
            white,
            black,
            result,
            reason,
            detail: None,
            ended: 0,
            fen: None,
            left: None,
            book: 0,
            moves: String::new(),
            notes: Vec::new(),
        }
    }

    /// Start and moves of a game, as a record keeps them.
    pub fn moves_of(game: &Game) -> (Option<String>, String) {
        let variant = game.variant();
        let initial = *game.start() == *Game::new(variant).start();
        let fen = (!initial).then(|| fen::write(variant, game.start()));
        let board = variant.rules().board;
        let moves: Vec<String> = game.moves().iter().map(|&mv| hub::format_move(board, mv)).collect();
        (fen, moves.join(" "))
    }

    /// The number of the engine with this colour.
    pub fn engine(&self, color: Color) -> usize {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }

    /// Half-points of an engine that took part.
    pub fn half_points(&self, engine: usize) -> u8 {
        self.result.half_points(if engine == self.white { Color::White } else { Color::Black })
    }

    /// The opening of the game: its start and the moves that nobody had to find.
    ///
    /// # Errors
    /// As [`GameRecord::replay`].
    pub fn opening(&self, variant: VariantId) -> Result<Game, ReplayError> {
        let mut game = self.replay(variant)?;
        while game.moves().len() > self.book && game.undo() {}
        Ok(game)
    }

    /// The game itself.
    ///
    /// # Errors
    /// When start or moves are not legal in this variant, or the notes do not fit the moves.
    pub fn replay(&self, variant: VariantId) -> Result<Game, ReplayError> {
        let error = |fault: String| ReplayError { game: self.game, fault };
        let mut game = match &self.fen {
            Some(text) => fen::game_from_fen(variant, text).map_err(|fault| error(fault.to_string()))?,
            None => Game::new(variant),
        };
        let board = variant.rules().board;
        for text in self.moves.split_whitespace() {
            let mv = hub::parse_move(board, &game.legal_moves(), text)
                .map_err(|fault| error(fault.to_string()))?;
            game.play(mv).map_err(|fault| error(fault.to_string()))?;
        }
        if self.book.checked_add(self.notes.len()) != Some(game.moves().len()) {
            let (book, notes, moves) = (self.book, self.notes.len(), game.moves().len());
            return Err(error(format!("{moves} moves, but {book} of the opening and {notes} notes")));
        }
        Ok(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_back() {
        let record = GameRecord {
            game: 3,
            white: 1,
            black: 0,
            result: GameResult::Black,
            reason: Reason::IllegalMove,
            detail: Some("illegal move \"1-2\"".into()),
            ended: 1_700_000_000,
            fen: None,
            left: Some([19, 20]),
            book: 2,
            moves: "32-28 19-23 28x19x23".into(),
            notes: vec![MoveNote(Some(-12), Some(9), None, 0.0201, None)],
        };
        let line = serde_json::to_string(&record).unwrap();
        assert!(
            line.contains("\"reason\":\"illegal-move\"") && line.contains("[-12,9,null,0.0201,null]"),
            "{line}"
        );
        assert_eq!(serde_json::from_str::<GameRecord>(&line).unwrap(), record);
        assert_eq!((record.half_points(0), record.half_points(1)), (2, 0));
        let game = record.replay(VariantId::International).unwrap();
        assert_eq!(GameRecord::moves_of(&game), (None, record.moves.clone()));
        let opening = record.opening(VariantId::International).unwrap();
        assert_eq!(GameRecord::moves_of(&opening), (None, "32-28 19-23".into()));
        let wrong = GameRecord { moves: "32-29".into(), ..record };
        assert!(
            wrong
                .replay(VariantId::International)
                .unwrap_err()
                .to_string()
                .contains("game 3: illegal move \"32-29\"")
        );
    }

    #[test]
    fn all_reasons_have_different_names() {
        let names: std::collections::BTreeSet<String> = Reason::ALL.iter().map(Reason::to_string).collect();
        assert_eq!(names.len(), Reason::ALL.len());
    }
}
