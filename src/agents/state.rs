//! What the scores of the literature count of one side of a position.

use crate::board::geometry::Direction;
use crate::board::{Bitboard, Color, Position};
use crate::rules::{VariantId, legal_moves};

/// What one side of a position has. Columns and rows are those of the variant's board.
///
/// ```
/// use kroon::agents::SideState;
/// use kroon::{board::Color, game::Game, rules::VariantId};
/// let game = Game::new(VariantId::English);
/// let white = SideState::of(VariantId::English, game.position(), Color::White);
/// assert_eq!((white.pieces, white.kings), (12, 0));
/// // Four men 5, 6 and 7 rows before their promotion row each.
/// assert!((white.advance - 4.0 * (1.0 / 5.0 + 1.0 / 6.0 + 1.0 / 7.0)).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SideState {
    /// Men and kings.
    pub pieces: u32,
    /// Kings.
    pub kings: u32,
    /// Sum over the men of 1 / (rows to the promotion row).
    pub advance: f64,
    /// Sum over the pieces of 1 / (columns to the nearer edge + 1).
    pub edge: f64,
}

impl SideState {
    /// Counts them.
    pub fn of(variant: VariantId, position: &Position, color: Color) -> SideState {
        let board = variant.rules().board;
        let last = board.side() - 1;
        let rows_left = |row: u8| if color == Color::White { row } else { last - row };
        let men = position.men(color);
        let side = position.side(color);
        SideState {
            pieces: side.len(),
            kings: position.kings_of(color).len(),
            // A man on its promotion row is crowned; the guard is for placements that no game reaches.
            advance: sum_of_inverses(men.into_iter().map(|square| rows_left(square.row()).max(1))),
            edge: sum_of_inverses(
                side.into_iter().map(|square| square.column().min(last - square.column()) + 1),
            ),
        }
    }
}

/// The sum of 1 / n over numbers up to 10. Exact until the last division: mirrored placements score the same to the
/// last bit, so that ties stay ties.
fn sum_of_inverses(numbers: impl Iterator<Item = u8>) -> f64 {
    /// The least number that all of 1 to 10 divide.
    const COMMON: u32 = 2520;
    f64::from(numbers.map(|n| COMMON / u32::from(n)).sum::<u32>()) / f64::from(COMMON)
}

/// Pairs of a piece of this side and a free square diagonally next to it: a square next to two pieces counts twice.
pub(super) fn free_neighbours(variant: VariantId, position: &Position, color: Color) -> u32 {
    let free = Bitboard(variant.rules().board.playable().0 & !position.occupied().0);
    let side = position.side(color);
    Direction::ALL[..4].iter().map(|direction| (direction.shift(side) & free).len()).sum()
}

/// The legal moves of this side, as if it were its turn.
pub(super) fn mobility(variant: VariantId, position: &Position, color: Color) -> u32 {
    let position = if position.turn() == color { *position } else { position.with_turn_passed() };
    legal_moves(variant, &position).len() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::notation::fen::game_from_fen;

    #[test]
    fn what_is_counted_of_a_small_position() {
        // English board, White moves up. Square 18 is row 4, column 2 from the left; 22 is row 5, column 2;
        // the king on 4 is row 0, column 7.
        let game = game_from_fen(VariantId::English, "W:W18,22,K4:B1").unwrap();
        let white = SideState::of(VariantId::English, game.position(), Color::White);
        assert_eq!((white.pieces, white.kings), (3, 1));
        let close = |a: f64, b: f64| (a - b).abs() < 1e-12;
        assert!(close(white.advance, 1.0 / 4.0 + 1.0 / 5.0));
        let columns: Vec<u8> = game.position().side(Color::White).into_iter().map(|s| s.column()).collect();
        let edge: f64 = columns.iter().map(|&c| 1.0 / f64::from(c.min(7 - c) + 1)).sum();
        assert!(close(white.edge, edge));
        // The man on 1 has rows 0 to 7 before it and stands in the column next to the edge.
        let black = SideState::of(VariantId::English, game.position(), Color::Black);
        assert_eq!((black.pieces, black.kings), (1, 0));
        assert!(close(black.advance, 1.0 / 7.0) && close(black.edge, 0.5));
    }

    #[test]
    fn neighbours_count_twice_where_two_pieces_share_them() {
        // 10x10: 28 and 29 stand side by side in row 5 and share the squares 23 above and 33 or 34 below.
        let game = game_from_fen(VariantId::International, "W:W28,29:B1").unwrap();
        assert_eq!(free_neighbours(VariantId::International, game.position(), Color::White), 8);
        // In the corner: 46 has one neighbour.
        let game = game_from_fen(VariantId::International, "W:W46:B1").unwrap();
        assert_eq!(free_neighbours(VariantId::International, game.position(), Color::White), 1);
    }

    #[test]
    fn the_side_that_waits_has_moves_too() {
        let game = Game::new(VariantId::International);
        for color in Color::ALL {
            assert_eq!(mobility(VariantId::International, game.position(), color), 9);
        }
    }
}
