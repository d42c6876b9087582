//! The pieces of a position as the side to move sees them.

use crate::board::{Bitboard, Board, Color, KingRun, Position};

/// The pieces of a position, turned so that the side to move is White: at index 0 those of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pieces {
    pub men: [Bitboard; 2],
    pub kings: [Bitboard; 2],
    pub runs: [KingRun; 2],
}

impl Pieces {
    /// The pieces of a position.
    #[inline(always)]
    pub(super) fn of(position: &Position, board: &Board) -> Pieces {
        let of = |color| (position.men(color), position.kings_of(color), position.king_run(color));
        let ((men, kings, run), (their_men, their_kings, their_run)) = (of(Color::White), of(Color::Black));
        let white = Pieces { men: [men, their_men], kings: [kings, their_kings], runs: [run, their_run] };
        if position.turn() == Color::White { white } else { white.turned(board) }
    }

    /// The same pieces with the colours exchanged and the board turned by half a turn.
    #[inline(always)]
    pub(super) fn turned(&self, board: &Board) -> Pieces {
        let turned = |sets: [Bitboard; 2]| [board.turned(sets[1]), board.turned(sets[0])];
        let run = |run: KingRun| match run.square() {
            None => KingRun::NONE,
            Some(square) => board
                .turned(Bitboard::of(square))
                .first()
                .map_or(KingRun::NONE, |square| KingRun::new(square, run.count())),
        };
        Pieces {
            men: turned(self.men),
            kings: turned(self.kings),
            runs: [run(self.runs[1]), run(self.runs[0])],
        }
    }

    /// All occupied squares.
    #[inline(always)]
    pub(super) fn occupied(&self) -> Bitboard {
        self.men[0] | self.men[1] | self.kings[0] | self.kings[1]
    }

    /// The position, White to move.
    #[inline(always)]
    pub(super) fn position(&self) -> Position {
        let sides = [0, 1].map(|side| self.men[side] | self.kings[side]);
        Position::of_pieces(sides, self.kings[0] | self.kings[1], self.runs)
    }
}
