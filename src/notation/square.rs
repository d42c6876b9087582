//! Names of squares: numbers, or file and rank.

use crate::board::{Board, Square};
use crate::rules::Rules;

/// The name under which `rules`' own notation knows `square`.
pub(super) fn name(rules: &Rules, square: Square) -> String {
    if rules.algebraic {
        let file = char::from(b'a' + square.column());
        format!("{file}{}", rules.board.side() - square.row())
    } else {
        rules.board.number(square).to_string()
    }
}

/// Whether letters can name squares of this board at all: PDN knows them for 8x8 boards only.
pub(super) fn has_files(board: &Board) -> bool {
    board.side() == 8
}

/// The playing square on this file (`'a'..`, either case) and rank, if there is one.
pub(super) fn at(board: &Board, file: char, rank: u32) -> Option<Square> {
    let column = u8::try_from(u32::from(file.to_ascii_lowercase()).checked_sub(u32::from('a'))?).ok()?;
    let rank = u8::try_from(rank).ok()?;
    if column >= board.side() || rank == 0 || rank > board.side() {
        return None;
    }
    let square = Square::at(board.side() - rank, column)?;
    board.playable().contains(square).then_some(square)
}
