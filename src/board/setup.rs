//! A placement of pieces as it was read, and the check that turns it into a position.

use super::bitboard::Bitboard;
use super::color::Color;
use super::layout::Board;
use super::position::{KingRun, Position};
use super::square::Square;
use thiserror::Error;

/// A man or king of one colour.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// Its side.
    pub color: Color,
    /// Whether it is crowned.
    pub king: bool,
}

/// A placement that nobody has checked yet: what a FEN or Hub text says.
///
/// ```
/// use kroon::board::{Board, Color, Piece, Setup, SetupError};
/// let mut setup = Setup::empty(Color::White);
/// let one = Board::INTERNATIONAL.square(1).unwrap();
/// setup.put(one, Piece { color: Color::White, king: false });
/// assert_eq!(
///     setup.position(Board::INTERNATIONAL, 20),
///     Err(SetupError::ManOnPromotionRow { color: Color::White, number: 1 })
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    /// Side to move.
    pub turn: Color,
    sides: [Bitboard; 2],
    kings: Bitboard,
    pub(super) king_runs: [KingRun; 2],
}

/// Why a [`Setup`] is not a position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SetupError {
    /// A piece stands on a field that this board lacks.
    #[error("a piece stands outside the board")]
    OffBoard,
    /// A man that should have been crowned.
    #[error("{color} man on its promotion row (square {number})")]
    ManOnPromotionRow {
        /// The man's side.
        color: Color,
        /// The square's number.
        number: u8,
    },
    /// More pieces than a side can have.
    #[error("{color} has {count} pieces, at most {max} are possible")]
    TooManyPieces {
        /// The side.
        color: Color,
        /// Its pieces.
        count: u32,
        /// The limit.
        max: u32,
    },
    /// A run of king moves without the king.
    #[error("{color} has moved a king {count} times in a row, but there is no such king")]
    NoKingForRun {
        /// The side.
        color: Color,
        /// The moves.
        count: u8,
    },
    /// The side to move has a king where having one has won the game already.
    #[error("{0} is to move but has a king and so has won already")]
    AlreadyWon(Color),
    /// The side that has just moved has nothing on the board.
    #[error("{0} has just moved but has no pieces")]
    NoPieces(Color),
}

impl Setup {
    /// An empty board.
    pub const fn empty(turn: Color) -> Setup {
        Setup { turn, sides: [Bitboard::EMPTY; 2], kings: Bitboard::EMPTY, king_runs: [KingRun::NONE; 2] }
    }

    /// Puts a piece on a square, replacing what stood there.
    pub fn put(&mut self, square: Square, piece: Piece) {
        self.remove(square);
        let bit = Bitboard::of(square);
        self.sides[piece.color.index()] |= bit;
        if piece.king {
            self.kings |= bit;
        }
    }

    /// Empties a square.
    pub fn remove(&mut self, square: Square) {
        let keep = !Bitboard::of(square);
        self.sides[0] &= keep;
        self.sides[1] &= keep;
        self.kings &= keep;
    }

    /// The piece on a square.
    pub fn piece(&self, square: Square) -> Option<Piece> {
        Color::ALL
            .into_iter()
            .find(|c| self.sides[c.index()].contains(square))
            .map(|color| Piece { color, king: self.kings.contains(square) })
    }

    /// The run of a king of this side.
    pub const fn king_run(&self, color: Color) -> KingRun {
        self.king_runs[color.index()]
    }

    /// Says how many moves in a row a side has made with one king.
    pub fn set_king_run(&mut self, color: Color, run: KingRun) {
        self.king_runs[color.index()] = run;
    }

    /// All pieces of a side.
    pub const fn side(&self, color: Color) -> Bitboard {
        self.sides[color.index()]
    }

    /// All kings.
    pub const fn kings(&self) -> Bitboard {
        self.kings
    }

    /// Checks the placement for a board on which each side has at most `max_pieces`.
    ///
    /// The side to move may have no pieces (the game is over); the other side must have some.
    ///
    /// # Errors
    /// The first fault found, in the order of [`SetupError`].
    pub fn position(&self, board: &Board, max_pieces: u32) -> Result<Position, SetupError> {
        if (self.sides[0] | self.sides[1]).without(board.playable()).any() {
            return Err(SetupError::OffBoard);
        }
        for color in Color::ALL {
            let men = self.side(color).without(self.kings);
            if let Some(square) = (men & board.promotion(color)).first() {
                return Err(SetupError::ManOnPromotionRow { color, number: board.number(square) });
            }
            let count = self.side(color).len();
            if count > max_pieces {
                return Err(SetupError::TooManyPieces { color, count, max: max_pieces });
            }
        }
        for color in Color::ALL {
            let run = self.king_run(color);
            let kings = self.side(color) & self.kings;
            if run.square().is_some_and(|square| !kings.contains(square)) {
                return Err(SetupError::NoKingForRun { color, count: run.count() });
            }
        }
        if self.side(!self.turn).is_empty() {
            return Err(SetupError::NoPieces(!self.turn));
        }
        Ok(Position::from_setup(self))
    }
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Setup {
        Setup {
            turn: position.turn(),
            sides: [position.side(Color::White), position.side(Color::Black)],
            kings: position.kings(),
            king_runs: Color::ALL.map(|color| position.king_run(color)),
        }
    }
}
