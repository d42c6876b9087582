//! The rules of a variant as a set of switches.

use super::draws::DrawRules;
use crate::board::{Board, Color, KingRun, Piece, Position, Setup, SetupError, Square};

/// Which captures may be chosen when there are several. Every capture has a rank, a number; only those of the highest
/// rank are legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precedence {
    /// Any complete capture.
    Free,
    /// The largest number of pieces; a king counts as one.
    Majority,
    /// The largest number of pieces, then the most kings among them.
    MajorityThenKings,
    /// With a king rather than with a man.
    ByKing,
    /// The largest value, a king being worth just under two men; at equal value with a king rather than with a man.
    Value,
    /// The largest number of pieces, then with a king, then the most kings, then kings met earliest.
    Ladder,
}

/// Where a king may land behind the piece it captures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KingLanding {
    /// On any free square behind it.
    AnyFree,
    /// On the square directly behind it.
    Behind,
    /// On any free square, but directly behind the last piece captured if that is a king.
    BehindLastKing,
}

/// How a game is won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Objective {
    /// Who cannot move has lost.
    Win,
    /// Who cannot move has won.
    Lose,
    /// Who crowns a man has won; who cannot move has lost.
    Crown,
}

/// The switches of a variant. Constants: the generator is compiled once per variant and the untaken branches vanish.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Board, numbering and promotion rows.
    pub board: &'static Board,
    /// Rows of men that each side has at the start.
    pub rows_of_men: u8,
    /// Who moves first.
    pub first: Color,
    /// Whether kings move and capture over any distance.
    pub flying_kings: bool,
    /// Whether men capture backward too.
    pub men_capture_backward: bool,
    /// Whether men may capture kings.
    pub men_capture_kings: bool,
    /// Whether pieces capture along files and ranks as well as diagonals.
    pub orthogonal_captures: bool,
    /// Whether a man that reaches the last row in the middle of a capture goes on as a king. Otherwise it goes on as
    /// a man if it can, and is crowned only if the move ends there.
    pub crowned_in_passing: bool,
    /// Whether captured pieces leave the board one by one instead of after the whole move.
    pub lifted_at_once: bool,
    /// Where capturing kings land.
    pub king_landing: KingLanding,
    /// The most moves without a capture that one king may make in a row while its side has men.
    pub king_run: Option<u8>,
    /// Which captures may be chosen.
    pub precedence: Precedence,
    /// How a game is won.
    pub objective: Objective,
    /// When a game is drawn.
    pub draws: DrawRules,
    /// The PDN `GameType` number; variants without one in PDN 3.0 have the private number of a web server.
    pub game_type: u8,
    /// Whether PDN results are written 2-0, 1-1, 0-2.
    pub two_point_results: bool,
    /// Whether squares are written as file and rank (c3) instead of by number.
    pub algebraic: bool,
    /// The sign between the squares of a capture in PDN.
    pub capture_sign: char,
}

impl Rules {
    /// The largest number of pieces that a side can have: what it starts with.
    pub const fn most_pieces(&self) -> u32 {
        self.rows_of_men as u32 * (self.board.side() as u32 / 2)
    }

    /// The initial position as a placement.
    pub fn start(&self) -> Setup {
        let mut setup = Setup::empty(self.first);
        let side = self.board.side();
        for square in self.board.iter() {
            let color = if square.row() < self.rows_of_men {
                Color::Black
            } else if square.row() >= side - self.rows_of_men {
                Color::White
            } else {
                continue;
            };
            setup.put(square, Piece { color, king: false });
        }
        setup
    }

    /// The position of a placement, if these rules know one.
    ///
    /// ```
    /// use kroon::rules::VariantId;
    /// let rules = VariantId::Frysk.rules();
    /// assert!(rules.position(&rules.start()).is_ok());
    /// assert!(rules.position(&VariantId::Frisian.rules().start()).is_err());
    /// ```
    ///
    /// # Errors
    /// As [`Setup::position`]; also where the game is won by the side that is to move.
    pub fn position(&self, setup: &Setup) -> Result<Position, SetupError> {
        let mut setup = *setup;
        for color in Color::ALL {
            let men = setup.side(color).without(setup.kings());
            if self.king_run.is_none() || men.is_empty() {
                setup.set_king_run(color, KingRun::NONE);
            }
        }
        let position = setup.position(self.board, self.most_pieces())?;
        if self.objective == Objective::Crown && position.kings_of(position.turn()).any() {
            return Err(SetupError::AlreadyWon(position.turn()));
        }
        Ok(position)
    }

    /// The square with this number.
    pub const fn square(&self, number: u32) -> Option<Square> {
        self.board.square(number)
    }
}
