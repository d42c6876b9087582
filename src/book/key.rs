//! How the book names positions: as the side to move sees them, so that a position and its mirror image with the colours
//! exchanged are one entry, with one value.

use crate::board::{Color, Position};
use crate::rules::VariantId;
use xxhash_rust::xxh3::xxh3_64;

/// The position with White to move: turned if Black is to move.
pub fn canonical(variant: VariantId, position: &Position) -> Position {
    match position.turn() {
        Color::White => *position,
        Color::Black => position.turned(variant.rules().board),
    }
}

/// The name of a position in a book.
///
/// XXH3 (64 bits) of 34 bytes: own men, own kings, the other's men, the other's kings, each as a little-endian word with
/// a bit for each square, seen by the side to move ([`canonical`]); then for each side the run of a king that the rules
/// limit: number of moves and 4 times the index of its square. The bit of a square is its
/// [index](crate::board::Square::index).
///
/// ```
/// use kroon::{book, notation::fen::game_from_fen, rules::VariantId::International};
/// let key = |fen| book::key(International, game_from_fen(International, fen).unwrap().position());
/// // Square 31 is 20 for the other side, 46 is 5, 19 is 32.
/// assert_eq!(key("W:W31,K46:B19"), key("B:B20,K5:W32"));
/// assert_ne!(key("W:W31,K46:B19"), key("B:W31,K46:B19"));
/// ```
pub fn key(variant: VariantId, position: &Position) -> u64 {
    let seen = canonical(variant, position);
    let mut bytes = [0; 34];
    let sets = Color::ALL.into_iter().flat_map(|color| [seen.men(color), seen.kings_of(color)]);
    for (word, set) in bytes.chunks_exact_mut(8).zip(sets) {
        word.copy_from_slice(&set.0.to_le_bytes());
    }
    for (byte, color) in bytes[32..].iter_mut().zip(Color::ALL) {
        let run = seen.king_run(color);
        *byte = run.square().map_or(0, |square| (square.index() as u8) << 2 | run.count());
    }
    xxh3_64(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Piece;
    use crate::game::Game;
    use crate::notation::fen::game_from_fen;
    use std::collections::HashMap;

    #[test]
    fn mirror_images_are_one_and_everything_else_is_different() {
        for variant in VariantId::ALL {
            let board = variant.rules().board;
            let mut game = Game::new(variant);
            let mut seen = HashMap::new();
            for ply in 0..30 {
                let moves = game.legal_moves();
                let Some(&mv) = moves.get(ply * 7 % moves.len().max(1)) else { break };
                game.play(mv).unwrap();
                let position = game.position();
                let turned = position.turned(board);
                assert_eq!(turned.recomputed_key(), turned.key());
                assert_eq!(key(variant, &turned), key(variant, position));
                assert_eq!(canonical(variant, &turned), canonical(variant, position));
                let other = seen.insert(key(variant, position), canonical(variant, position));
                assert!(other.is_none_or(|other| other == canonical(variant, position)));
                assert_ne!(key(variant, &position.with_turn_passed()), key(variant, position));
            }
        }
    }

    #[test]
    fn turning_exchanges_pieces_square_by_square() {
        let game = game_from_fen(VariantId::International, "B:W31,K46:B20").unwrap();
        let turned = game.position().turned(VariantId::International.rules().board);
        let square = |number| VariantId::International.rules().square(number).unwrap();
        assert_eq!(turned.turn(), Color::White);
        let piece = |color, king| Some(Piece { color, king });
        assert_eq!(turned.piece(square(51 - 31)), piece(Color::Black, false));
        assert_eq!(turned.piece(square(51 - 46)), piece(Color::Black, true));
        assert_eq!(turned.piece(square(51 - 20)), piece(Color::White, false));
    }
}
