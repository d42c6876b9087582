//! Moves taken back.

use crate::board::{Bitboard, Color, Direction, KingRun, Square};
use crate::rules::Variant;
use crate::tablebase::index::Index;
use crate::tablebase::pieces::Pieces;

const DIAGONALS: [Direction; 4] =
    [Direction::UpLeft, Direction::UpRight, Direction::DownLeft, Direction::DownRight];

/// Hands the numbers of all positions from which a move that neither captures nor crowns leads to `pieces` to `visit`.
/// White (index 0) is the side that takes its move back; `index` numbers the slice in which it is to move.
///
/// Captures are not looked for: a position in which White would have had to capture is among them, and so may be one
/// in which the move was not allowed for that reason alone.
#[inline(always)]
pub(super) fn each<V: Variant>(index: &Index, pieces: &Pieces, mut visit: impl FnMut(u64)) {
    let empty = V::RULES.board.playable().without(pieces.occupied());
    // Where runs are limited, the run of White tells what kind of piece has moved, and which king.
    let counts_runs = V::RULES.king_run.is_some() && pieces.men[0].any();
    let run = pieces.runs[0];
    let moved_kings = match run.square() {
        _ if !counts_runs => pieces.kings[0],
        Some(square) => Bitboard::of(square),
        None => Bitboard::EMPTY,
    };
    if moved_kings.any() {
        let row = index.row_of(pieces);
        for king in moved_kings {
            each_origin::<V>(king, empty, |from| {
                let others = pieces.kings[0].without(Bitboard::of(king));
                let mut before = *pieces;
                before.kings[0] = others | Bitboard::of(from);
                if !counts_runs {
                    visit(row + index.in_row(&before));
                } else if run.count() > 1 {
                    before.runs[0] = KingRun::new(from, run.count() - 1);
                    visit(row + index.in_row(&before));
                } else {
                    // The run has begun with this move: before it there was none, or one of another king.
                    each_run(others, |run| {
                        before.runs[0] = run;
                        visit(row + index.in_row(&before));
                    });
                }
            });
        }
    }
    if counts_runs && run != KingRun::NONE {
        return;
    }
    let back = [Direction::DownLeft, Direction::DownRight];
    let promotion = V::RULES.board.promotion(Color::White);
    for direction in back {
        for from in direction.shift(pieces.men[0]) & empty {
            debug_assert!(!promotion.contains(from));
            let to = Bitboard(1 << (from.index() as i32 - i32::from(direction.step())));
            let mut before = *pieces;
            before.men[0] = pieces.men[0].without(to) | Bitboard::of(from);
            if counts_runs {
                each_run(pieces.kings[0], |run| {
                    before.runs[0] = run;
                    visit(index.of_pieces(&before));
                });
            } else {
                visit(index.of_pieces(&before));
            }
        }
    }
}

/// No run, and every run of one of these kings.
#[inline(always)]
fn each_run(kings: Bitboard, mut visit: impl FnMut(KingRun)) {
    visit(KingRun::NONE);
    for king in kings {
        for count in 1..=KingRun::MOST {
            visit(KingRun::new(king, count));
        }
    }
}

/// The squares from which a king can have come without capturing.
#[inline(always)]
fn each_origin<V: Variant>(king: Square, empty: Bitboard, mut visit: impl FnMut(Square)) {
    for direction in DIAGONALS {
        let mut from = direction.shift(Bitboard::of(king)) & empty;
        while let Some(square) = from.first() {
            visit(square);
            if !V::RULES.flying_kings {
                break;
            }
            from = direction.shift(from) & empty;
        }
    }
}
