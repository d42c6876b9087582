//! Which moves come to mind first: the rules of thumb that everybody learns.

use crate::board::geometry::Direction;
use crate::board::{Bitboard, Color, Move, Position, Square};
use crate::rules::{Objective, Variant};

/// The most that [`natural`] says for or against a quiet move, in centi-men.
pub(super) const MOST: f64 = 40.0;

/// How much habit speaks for a move, in centi-men: towards the middle, backed by own men or the edge, the back row at
/// home, the most pieces where there is a choice of captures, a king when there is one to get.
pub(super) fn natural<V: Variant>(position: &Position, mv: Move) -> f64 {
    let us = position.turn();
    let wants_pieces = V::RULES.objective != Objective::Lose;
    let wanted = |yes: f64| if wants_pieces { yes } else { -yes };
    if mv.is_capture() {
        return wanted(8.0 * f64::from(mv.captured().len())).clamp(-MOST, MOST);
    }
    if mv.promotes() {
        return wanted(MOST);
    }
    let to_middle = 3.0 * (middle::<V>(mv.to()) - middle::<V>(mv.from()));
    if mv.is_king() {
        return to_middle;
    }
    let opens_back_row = mv.from().row() == home_row::<V>(us) && position.men(!us).any();
    let back_row = if opens_back_row { wanted(-12.0) } else { 0.0 };
    (to_middle + 5.0 * f64::from(backing::<V>(position, mv)) + back_row).clamp(-MOST, MOST)
}

/// The row of a side that its opponent wants to reach.
fn home_row<V: Variant>(us: Color) -> u8 {
    if us == Color::White { V::RULES.board.side() - 1 } else { 0 }
}

/// Columns from the edge, 0 to 4.
fn middle<V: Variant>(square: Square) -> f64 {
    let last = V::RULES.board.side() - 1;
    f64::from(square.column().min(last - square.column()))
}

/// How many of the two squares behind the man that has moved are held by its own side or lie off the board: where it
/// cannot be taken from.
fn backing<V: Variant>(position: &Position, mv: Move) -> u32 {
    let us = position.turn();
    let own = position.side(us).without(Bitboard::of(mv.from()));
    let behind = match us {
        Color::White => [Direction::DownLeft, Direction::DownRight],
        Color::Black => [Direction::UpLeft, Direction::UpRight],
    };
    let is_backed = |direction: Direction| {
        let square = direction.shift(Bitboard::of(mv.to())) & V::RULES.board.playable();
        square.is_empty() || (square & own).any()
    };
    behind.into_iter().map(|direction| u32::from(is_backed(direction))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::notation::fen::game_from_fen;
    use crate::notation::moves;
    use crate::rules::{English, International, Losing, VariantId};

    fn of<V: Variant>(game: &Game, text: &str) -> f64 {
        natural::<V>(game.position(), moves::read(V::ID, game.position(), text).unwrap())
    }

    #[test]
    fn the_middle_and_formation_are_natural_and_the_back_row_stays() {
        let game = Game::new(VariantId::International);
        // Both leave men on both squares behind; 32-28 goes one column towards the middle, 31-26 one to the edge.
        assert!(of::<International>(&game, "32-28") > of::<International>(&game, "31-26"));
        // The man on 32 moves with the back row whole or with a hole in it: the same. 38 keeps it, 48 opens it.
        let game = game_from_fen(VariantId::International, "W:W38,39,48,49:B5").unwrap();
        assert!(of::<International>(&game, "38-33") > of::<International>(&game, "48-42") + 5.0);
        // 22 has one man behind its new square 17 (none on 21): English, 22-17 leaves 21 and 22 behind 17.
        let game = game_from_fen(VariantId::English, "W:W22,21,31:B1").unwrap();
        let backed = of::<English>(&game, "22-17");
        let game = game_from_fen(VariantId::English, "W:W22,29,31:B1").unwrap();
        assert_eq!(backed, of::<English>(&game, "22-17") + 5.0);
    }

    #[test]
    fn a_king_is_wanted_unless_the_game_is_to_lose() {
        let fen = "W:W8,38:B26";
        let game = game_from_fen(VariantId::International, fen).unwrap();
        assert_eq!(of::<International>(&game, "8-2"), MOST);
        let game = game_from_fen(VariantId::Losing, fen).unwrap();
        assert_eq!(of::<Losing>(&game, "8-2"), -MOST);
    }
}
