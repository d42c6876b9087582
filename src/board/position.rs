//! A valid position: pieces, side to move and hash key, changed only together.

use super::bitboard::Bitboard;
use super::color::Color;
use super::key::Key;
use super::layout::Board;
use super::moves::Move;
use super::setup::{Piece, Setup};
use super::square::Square;

/// Pieces, side to move and key. It carries no history: draws by repetition or move count belong to the game.
///
/// Made by [`Setup::position`], changed by [`crate::rules::play`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    sides: [Bitboard; 2],
    kings: Bitboard,
    key: Key,
    turn: Color,
    king_runs: [KingRun; 2],
}

/// How many moves in a row a side has made with one king without capturing. Only variants that limit this count it
/// (Frisian draughts); elsewhere it stays [`KingRun::NONE`]. It belongs to the position: it decides which moves are
/// legal and is part of the key.
///
/// ```
/// use kroon::board::{Board, KingRun};
/// let square = Board::INTERNATIONAL.square(7).unwrap();
/// let run = KingRun::new(square, 2);
/// assert_eq!((run.count(), run.square()), (2, Some(square)));
/// assert_eq!(KingRun::NONE.square(), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct KingRun(u8);

impl KingRun {
    /// No king is on a run.
    pub const NONE: KingRun = KingRun(0);
    /// The longest run that can be counted.
    pub const MOST: u8 = 3;

    /// A run of `count` moves (at most [`KingRun::MOST`]) by the king that now stands on `square`.
    #[inline(always)]
    pub const fn new(square: Square, count: u8) -> KingRun {
        debug_assert!(count <= Self::MOST);
        if count == 0 { KingRun::NONE } else { KingRun((square.index() as u8) << 2 | count) }
    }

    /// The moves made, 0 to 3.
    #[inline(always)]
    pub const fn count(self) -> u8 {
        self.0 & 3
    }

    /// Where the king stands.
    #[inline(always)]
    pub const fn square(self) -> Option<Square> {
        if self.count() == 0 { None } else { Some(Square::known((self.0 >> 2) as u32)) }
    }

    pub(super) const fn bits(self) -> u8 {
        self.0
    }
}

impl Position {
    pub(super) fn from_setup(setup: &Setup) -> Position {
        let mut position = Position {
            sides: [setup.side(Color::White), setup.side(Color::Black)],
            kings: setup.kings(),
            key: Key::EMPTY,
            turn: setup.turn,
            king_runs: setup.king_runs,
        };
        position.key = position.recomputed_key();
        position
    }

    /// A position with White to move of pieces that are known to be one: no square twice, no man on its promotion
    /// row, something black, runs only of kings that are there.
    #[inline]
    pub(crate) fn of_pieces(sides: [Bitboard; 2], kings: Bitboard, king_runs: [KingRun; 2]) -> Position {
        let mut position = Position { sides, kings, key: Key::EMPTY, turn: Color::White, king_runs };
        position.key = position.recomputed_key();
        position
    }

    /// Side to move.
    #[inline(always)]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// All pieces of a side.
    #[inline(always)]
    pub const fn side(&self, color: Color) -> Bitboard {
        self.sides[color.index()]
    }

    /// All kings, both sides.
    #[inline(always)]
    pub const fn kings(&self) -> Bitboard {
        self.kings
    }

    /// The men of a side.
    #[inline(always)]
    pub const fn men(&self, color: Color) -> Bitboard {
        self.side(color).without(self.kings)
    }

    /// The kings of a side.
    #[inline(always)]
    pub fn kings_of(&self, color: Color) -> Bitboard {
        self.side(color) & self.kings
    }

    /// All occupied squares.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.sides[0] | self.sides[1]
    }

    /// The piece on a square.
    pub fn piece(&self, square: Square) -> Option<Piece> {
        Setup::from(self).piece(square)
    }

    /// The hash key.
    #[inline(always)]
    pub const fn key(&self) -> Key {
        self.key
    }

    /// The key of the position after `mv`, without the runs of kings that some variants limit.
    #[inline(always)]
    pub(crate) fn key_after(&self, mv: Move) -> Key {
        let us = self.turn;
        let now_king = mv.is_king() | mv.promotes();
        let mut key = self.key.toggle(us, mv.is_king(), mv.from()).toggle(us, now_king, mv.to()).flip_turn();
        for square in mv.captured() {
            key = key.toggle(!us, self.kings.contains(square), square);
        }
        key
    }

    /// The hash key computed from nothing but the pieces; always equal to [`Position::key`].
    pub fn recomputed_key(&self) -> Key {
        let mut key = Key::EMPTY;
        for color in Color::ALL {
            for square in self.side(color) {
                key = key.toggle(color, self.kings.contains(square), square);
            }
        }
        for color in Color::ALL {
            key = key.toggle_run(color, self.king_run(color));
        }
        if self.turn == Color::Black { key.flip_turn() } else { key }
    }

    /// The run of a king of this side.
    #[inline(always)]
    pub const fn king_run(&self, color: Color) -> KingRun {
        self.king_runs[color.index()]
    }

    /// The same position with another run of a king of this side.
    #[inline(always)]
    pub fn with_king_run(mut self, color: Color, run: KingRun) -> Position {
        self.key = self.key.toggle_run(color, self.king_run(color)).toggle_run(color, run);
        self.king_runs[color.index()] = run;
        self
    }

    /// The position as the other side sees it: the board turned by half a turn, the colours and the side to move
    /// exchanged.
    ///
    /// ```
    /// use kroon::{board::Board, game::Game, rules::VariantId::International};
    /// let mut game = Game::new(International);
    /// game.play(game.legal_moves()[0]).unwrap();
    /// let turned = game.position().turned(Board::INTERNATIONAL);
    /// assert_ne!(turned.turn(), game.position().turn());
    /// assert_eq!(turned.turned(Board::INTERNATIONAL), *game.position());
    /// ```
    pub fn turned(&self, board: &Board) -> Position {
        let run = |color| {
            let run = self.king_run(color);
            let square = run.square().and_then(|square| board.turned(Bitboard::of(square)).first());
            square.map_or(KingRun::NONE, |square| KingRun::new(square, run.count()))
        };
        let sides = [Color::Black, Color::White].map(|color| board.turned(self.side(color)));
        let runs = [run(Color::Black), run(Color::White)];
        let position = Position::of_pieces(sides, board.turned(self.kings), runs);
        if self.turn == Color::Black { position } else { position.with_turn_passed() }
    }

    /// The same pieces with the other side to move.
    #[inline(always)]
    pub const fn with_turn_passed(&self) -> Position {
        Position { key: self.key.flip_turn(), turn: self.turn.opponent(), ..*self }
    }

    /// The position after `mv`, which must come from the move generator for this very position. The position must
    /// have no runs of kings: [`crate::rules::play`] keeps those.
    #[inline(always)]
    pub(crate) fn play(&self, mv: Move) -> Position {
        debug_assert!(self.king_runs == [KingRun::NONE; 2]);
        let us = self.turn;
        let (from, to) = (Bitboard::of(mv.from()), Bitboard::of(mv.to()));
        let now_king = mv.is_king() | mv.promotes();
        let crown = if now_king { to } else { Bitboard::EMPTY };
        // A circular capture ends where it began: from and to must cancel, so lift first, then put down.
        let own = self.side(us).without(from) | to;
        let other = self.side(!us).without(mv.captured());
        let key = self.key_after(mv);
        // Built as a whole from registers: writing single fields of a copy stalls the next wide read of it.
        Position {
            sides: if us == Color::White { [own, other] } else { [other, own] },
            kings: self.kings.without(from | mv.captured()) | crown,
            key,
            turn: !us,
            // A constant is cheaper than two bytes that have to be carried along.
            king_runs: [KingRun::NONE; 2],
        }
    }
}
