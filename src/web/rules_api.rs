//! What the page asks of the rules: a line of moves in, the position with its legal moves out.

use super::clocks::{ClockError, Clocks, ClocksView, UsedTime};
use crate::board::{Color, Move, MoveList, Position};
use crate::engine::Options;
use crate::game::{DrawReason, Game, Outcome};
use crate::notation::position::PositionError;
use crate::notation::square::SquareName;
use crate::notation::{fen, moves, position};
use crate::rules::{UnknownVariant, VariantId, play_in};
use crate::view::{BookView, EndgameView, turn_name};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Longest line of moves that is followed.
pub const MOST_MOVES: usize = 2_000;

/// Why a request gets no answer.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum ApiError {
    /// No such variant.
    #[error(transparent)]
    Variant(#[from] UnknownVariant),
    /// The start is no position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A move is not legal where it stands.
    #[error("move {number}: {fault}")]
    Move {
        /// Its number from 1.
        number: usize,
        /// What is wrong.
        fault: moves::MoveError,
    },
    /// More moves than a game can sensibly have.
    #[error("{0} moves, at most {MOST_MOVES} are followed")]
    TooLong(usize),
    /// The clock.
    #[error(transparent)]
    Clock(#[from] ClockError),
}

/// A start and moves from it.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
pub struct LineOfPlay {
    /// The variant's name, in any spelling that the program knows.
    pub variant: String,
    /// Where the game begins, as FEN or Hub position; none: the initial position.
    #[serde(default)]
    pub start: Option<String>,
    /// The moves in PDN.
    #[serde(default)]
    pub moves: Vec<String>,
    /// The time control and what was used of it; none: no clock.
    #[serde(default)]
    pub clock: Option<UsedTime>,
}

impl LineOfPlay {
    /// The game.
    ///
    /// ```
    /// use kroon::web::LineOfPlay;
    /// let line = LineOfPlay { variant: "english".into(), moves: vec!["11-15".into()], ..LineOfPlay::default() };
    /// assert_eq!(line.game()?.moves().len(), 1);
    /// # Ok::<(), kroon::web::ApiError>(())
    /// ```
    ///
    /// # Errors
    /// When variant, start or a move is wrong.
    pub fn game(&self) -> Result<Game, ApiError> {
        let variant: VariantId = self.variant.parse()?;
        if self.moves.len() > MOST_MOVES {
            return Err(ApiError::TooLong(self.moves.len()));
        }
        let mut game = match &self.start {
            Some(start) => position::game(variant, start)?,
            None => Game::new(variant),
        };
        for (index, text) in self.moves.iter().enumerate() {
            let fault = |fault| ApiError::Move { number: index + 1, fault };
            let mv = moves::read(variant, game.position(), text).map_err(fault)?;
            // invariant: a move that was read for the position is legal in it
            game.play(mv).expect("a legal move");
        }
        Ok(game)
    }

    /// The clocks of this line's game, if it has any.
    ///
    /// # Errors
    /// When the time control or a time is wrong.
    pub fn clocks(&self, game: &Game) -> Result<Option<Clocks>, ApiError> {
        Ok(self.clock.as_ref().map(|clock| clock.clocks(game)).transpose()?)
    }

    /// The position behind the moves, as a board shows it.
    ///
    /// # Errors
    /// As [`LineOfPlay::game`] and [`LineOfPlay::clocks`].
    pub fn view(&self) -> Result<BoardView, ApiError> {
        let game = self.game()?;
        let clocks = self.clocks(&game)?;
        Ok(BoardView::timed(&game, clocks.as_ref()))
    }
}

/// A position as a board shows it. Squares have the names of the variant's notation: numbers, or file and rank.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BoardView {
    /// The variant's name.
    pub variant: &'static str,
    /// The position as FEN.
    pub fen: String,
    /// The start of the game as FEN.
    pub start: String,
    /// Who is to move: `white` or `black`.
    pub turn: &'static str,
    /// The pieces.
    pub pieces: Vec<PieceView>,
    /// The legal moves; none when the game is over.
    pub moves: Vec<BoardMove>,
    /// The moves that were played, as the notation writes them.
    pub played: Vec<BoardMove>,
    /// How the game ended; `null` while it goes on.
    pub outcome: Option<OutcomeView>,
    /// The clocks; `null` without.
    pub clocks: Option<ClocksView>,
    /// What endgame tables say; `null` if they were not asked, or none knows the position.
    pub endgame: Option<EndgameView>,
    /// What the opening book says; `null` if it was not asked, or knows no move.
    pub book: Option<BookView>,
}

/// A piece on its square.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PieceView {
    /// The square's name.
    pub square: String,
    /// `white` or `black`.
    pub color: &'static str,
    /// Whether it is a king.
    pub king: bool,
}

/// A move as a board shows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BoardMove {
    /// The move in PDN: this is what a [`LineOfPlay`] is made of.
    pub text: String,
    /// The squares on which the piece stands, from the first to the last: the steps of a capture.
    pub path: Vec<String>,
    /// The squares of the captured pieces.
    pub captured: Vec<String>,
    /// Who makes it.
    pub color: &'static str,
    /// Whether the piece becomes a king.
    pub promotes: bool,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OutcomeView {
    /// In words, in English.
    pub text: String,
    /// `white`, `black`, or `null` for a draw.
    pub winner: Option<&'static str>,
    /// Why, in one word: `won` (by the rules), `time`, `repetition`, `moves` (the variant's count of moves).
    pub reason: &'static str,
}

impl From<Outcome> for OutcomeView {
    fn from(outcome: Outcome) -> OutcomeView {
        let (winner, reason) = match outcome {
            Outcome::Win(color) => (Some(turn_name(color)), "won"),
            Outcome::Draw(DrawReason::Repetition) => (None, "repetition"),
            Outcome::Draw(DrawReason::MoveCount) => (None, "moves"),
        };
        OutcomeView { text: outcome.to_string(), winner, reason }
    }
}

impl OutcomeView {
    /// The flag of this side has fallen.
    fn on_time(loser: Color) -> OutcomeView {
        let winner = loser.opponent();
        let text = format!("{loser} has no time left, {}", Outcome::Win(winner));
        OutcomeView { text, winner: Some(turn_name(winner)), reason: "time" }
    }
}

impl BoardView {
    /// The view of the current position of a game without clocks.
    pub fn new(game: &Game) -> BoardView {
        BoardView::timed(game, None)
    }

    /// The view of the current position of a game with these clocks: a fallen flag ends it.
    pub fn timed(game: &Game, clocks: Option<&Clocks>) -> BoardView {
        let (variant, position) = (game.variant(), game.position());
        let rules = variant.rules();
        let name = |square| SquareName::of(rules, square).to_string();
        let pieces = rules.board.iter().filter_map(|square| {
            let piece = position.piece(square)?;
            Some(PieceView { square: name(square), color: turn_name(piece.color), king: piece.king })
        });
        let on_time = clocks.and_then(Clocks::fallen).map(OutcomeView::on_time);
        let outcome = on_time.or_else(|| game.outcome().map(OutcomeView::from));
        let legal = if outcome.is_none() { game.legal_moves() } else { MoveList::new() };
        let texts = moves::write_all(variant, position, &legal);
        let view = |(&mv, text)| BoardMove::with_text(variant, position, mv, text);
        BoardView {
            variant: variant.name(),
            fen: fen::write(variant, position),
            start: fen::write(variant, game.start()),
            turn: turn_name(position.turn()),
            pieces: pieces.collect(),
            moves: legal.iter().zip(texts).map(view).collect(),
            played: played(game),
            outcome,
            clocks: clocks.map(Clocks::view),
            endgame: None,
            book: None,
        }
    }
}

fn played(game: &Game) -> Vec<BoardMove> {
    let variant = game.variant();
    let mut position = *game.start();
    let mut views = Vec::with_capacity(game.moves().len());
    for &mv in game.moves() {
        views.push(BoardMove::new(variant, &position, mv));
        position = play_in(variant, &position, mv);
    }
    views
}

impl BoardMove {
    /// The view of a legal move.
    pub fn new(variant: VariantId, position: &Position, mv: Move) -> BoardMove {
        BoardMove::with_text(variant, position, mv, moves::write(variant, position, mv))
    }

    fn with_text(variant: VariantId, position: &Position, mv: Move, text: String) -> BoardMove {
        let name = |square| SquareName::of(variant.rules(), square).to_string();
        let full = moves::full_text(variant, position, mv);
        BoardMove {
            text,
            path: full.squares().iter().map(ToString::to_string).collect(),
            captured: mv.captured().into_iter().map(name).collect(),
            color: turn_name(position.turn()),
            promotes: mv.promotes(),
        }
    }
}

/// A variant and its board, for a page that draws it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct VariantView {
    /// Its name.
    pub name: &'static str,
    /// Squares on a side of the board.
    pub side: u8,
    /// Who begins: `white` or `black`.
    pub first: &'static str,
    /// The playing squares.
    pub squares: Vec<SquareView>,
}

/// A playing square.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SquareView {
    /// Its name in the variant's notation.
    pub name: String,
    /// Row from the top, White at the bottom.
    pub row: u8,
    /// Column from the left.
    pub column: u8,
}

/// All variants.
pub fn variants() -> Vec<VariantView> {
    let view = |variant: VariantId| {
        let rules = variant.rules();
        let squares = rules.board.iter().map(|square| SquareView {
            name: SquareName::of(rules, square).to_string(),
            row: square.row(),
            column: rules.board.column(square),
        });
        VariantView {
            name: variant.name(),
            side: rules.board.side(),
            first: turn_name(rules.first),
            squares: squares.collect(),
        }
    };
    VariantId::ALL.into_iter().map(view).collect()
}

/// The words of an option of the engine that is one of a few, such as the players.
pub fn words_of(option: &str) -> Vec<&'static str> {
    let row = Options::ROWS.iter().find(|row| row.name == option);
    match row.map(|row| &row.kind) {
        Some(crate::engine::registry::OptionKind::Word { words, .. }) => words(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(variant: &str, start: Option<&str>, moves: &[&str]) -> LineOfPlay {
        LineOfPlay {
            variant: variant.into(),
            start: start.map(Into::into),
            moves: moves.iter().map(|&text| text.to_owned()).collect(),
            clock: None,
        }
    }

    #[test]
    fn every_move_that_is_shown_can_be_sent_back() {
        for variant in VariantId::ALL {
            let mut line = line(variant.name(), None, &[]);
            for step in 0..60 {
                let view = BoardView::new(&line.game().unwrap());
                assert_eq!(view.played.iter().map(|mv| mv.text.clone()).collect::<Vec<_>>(), line.moves);
                let squares = variants().into_iter().find(|v| v.name == variant.name()).unwrap().squares;
                for square in view.moves.iter().flat_map(|mv| mv.path.iter().chain(&mv.captured)) {
                    assert!(squares.iter().any(|known| known.name == *square), "{variant} {square}");
                }
                if view.moves.is_empty() {
                    assert!(view.outcome.is_some());
                    break;
                }
                line.moves.push(view.moves[step * 7 % view.moves.len()].text.clone());
            }
        }
    }

    #[test]
    fn two_routes_of_one_capture_have_different_texts() {
        // The man on 48 takes two men to the left or to the right and ends on the same square.
        let game = line("international", Some("W:W48:B42,43,32,33"), &[]).game().unwrap();
        let view = BoardView::new(&game);
        let texts: Vec<&str> = view.moves.iter().map(|mv| mv.text.as_str()).collect();
        let mut unique = texts.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), texts.len(), "{texts:?}");
        assert!(view.moves.iter().all(|mv| mv.path.len() == mv.captured.len() + 1));
    }

    #[test]
    fn a_fallen_flag_ends_the_game() {
        let clock = |running| Some(UsedTime { control: "5".into(), used: vec![Some(1.0)], running });
        let at = |running| {
            LineOfPlay { clock: clock(running), ..line("english", None, &["11-15"]) }.view().unwrap()
        };
        let view = at(4.9);
        assert!(view.outcome.is_none() && !view.moves.is_empty());
        assert_eq!(view.clocks.unwrap().black.left, 4.0);
        let view = at(5.0);
        assert!(view.moves.is_empty());
        let outcome = view.outcome.unwrap();
        assert_eq!((outcome.winner, outcome.reason), (Some("black"), "time"));
        assert_eq!(outcome.text, "White has no time left, Black wins");
    }

    #[test]
    fn what_is_wrong_is_quoted() {
        for (line, part) in [
            (line("chess", None, &[]), "chess"),
            (line("english", Some("W:W99:B1"), &[]), "99"),
            (line("english", None, &["11-15", "1-50"]), "move 2"),
            (line("english", None, &["xyzzy"]), "xyzzy"),
        ] {
            let error = line.game().unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
        let long = LineOfPlay { moves: vec!["11-15".into(); MOST_MOVES + 1], ..line("english", None, &[]) };
        assert!(matches!(long.game(), Err(ApiError::TooLong(found)) if found == MOST_MOVES + 1));
    }
}
