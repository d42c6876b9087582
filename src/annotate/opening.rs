//! Where a game left the opening book.

use super::game::MoveAnalysis;
use crate::book::{self, Book};
use crate::engine::Options;
use crate::game::Game;
use crate::notation::moves;

/// A move is of the book if it is at most so much worse than the best one, in centi-men, or was played in its games.
const MARGIN: i32 = 20;

/// Marks the moves of the opening, up to the first that the book does not play; the book is the one that the options
/// name. Where the book ends before the game leaves it nothing more is marked.
pub(super) fn mark(game: &Game, options: &Options, analysed: &mut [MoveAnalysis]) {
    let variant = game.variant();
    let book = book::open_or_embedded(variant, options.book_file.as_deref()).0;
    mark_by(game, &book, analysed);
}

fn mark_by(game: &Game, book: &Book, analysed: &mut [MoveAnalysis]) {
    let mut now = game.beginning();
    for (index, &played) in game.moves().iter().enumerate() {
        let known = book.continuations(now.position());
        let Some(best) = known.first() else { return };
        let is_near = |value: Option<crate::score::Score>| match (value, best.value) {
            (Some(value), Some(best)) => best.centi() - value.centi() <= MARGIN,
            _ => false,
        };
        let is_of_book =
            known.iter().any(|known| known.mv == played && (known.games.count() > 0 || is_near(known.value)));
        if let Some(mv) = analysed.iter_mut().find(|mv| mv.ply == index + 1) {
            mv.book = Some(is_of_book);
            if !is_of_book {
                mv.book_move = Some(moves::write(game.variant(), now.position(), best.mv));
            }
        }
        if !is_of_book {
            return;
        }
        // invariant: a move of the game is legal
        let _ = now.play(played);
    }
}

#[cfg(test)]
mod tests {
    use crate::annotate::{Settings, analyse};
    use crate::arena::cancel::Cancel;
    use crate::book::{self, Book};
    use crate::engine::Options;
    use crate::game::Game;
    use crate::notation::moves;
    use crate::rules::VariantId::International;
    use crate::search::Limits;

    /// The worst of the book's first moves leaves it at once; the best one stays in it.
    #[test]
    fn the_move_that_leaves_the_book_is_marked() {
        let book: Book = book::open(International, None).unwrap();
        let start = Game::new(International);
        let known = book.moves(start.position());
        let limits = Limits { depth: Some(2), ..Limits::default() };
        let settings = Settings { limits, ..Settings::default() };
        let options = Options { hash_mb: 1, ..Options::default() };
        let marks = |mv| {
            let mut game = start.clone();
            game.play(mv).unwrap();
            let analysis = analyse(&game, &options, &settings, 1, &Cancel::new(), &mut |_| ()).unwrap();
            (analysis.moves[0].book, analysis.moves[0].book_move.clone())
        };
        assert_eq!(marks(known[0].mv), (Some(true), None));
        let best = moves::write(International, start.position(), known[0].mv);
        let worst = known.last().unwrap();
        assert!(known[0].value.unwrap().centi() - worst.value.unwrap().centi() > super::MARGIN);
        assert_eq!(marks(worst.mv), (Some(false), Some(best)));
    }
}
