//! What an opening book says of a position and of each of its moves.

use super::men;
use crate::book::{Book, BookMove, Games, key};
use crate::game::Game;
use crate::notation::{fen, moves};
use crate::score::Score;
use serde::Serialize;
use std::fmt::Write;

/// A position in the book.
///
/// ```
/// use kroon::rules::VariantId::International;
/// use kroon::{book::Book, game::Game, view::BookView};
/// let view = BookView::new(&Game::new(International), &Book::empty(International));
/// assert_eq!((view.score, view.moves.len()), (None, 0));
/// ```
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BookView {
    /// The variant's name.
    pub variant: &'static str,
    /// The position.
    pub fen: String,
    /// Value in men for the side to move; `null` if it was never searched.
    pub score: Option<f64>,
    /// Plies to the end of the game if the value is that of a decided game.
    pub plies_to_end: Option<u32>,
    /// Plies of the best line from here to the end of the book; 0 where the book ends.
    pub depth: u32,
    /// The games that reached the position, for the side to move.
    #[serde(flatten)]
    pub games: GamesView,
    /// The moves that the book knows something of, the best first.
    pub moves: Vec<BookMoveView>,
}

/// A move, everything for the side that plays it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BookMoveView {
    /// The move in PDN.
    pub pdn: String,
    /// As in [`BookView`].
    pub score: Option<f64>,
    /// As in [`BookView`].
    pub plies_to_end: Option<u32>,
    /// Plies of the best line in the book that begins with this move; 0 if it was never searched.
    pub depth: u32,
    /// The games that reached the position after it, by whatever order of moves.
    #[serde(flatten)]
    pub games: GamesView,
}

/// Numbers of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct GamesView {
    /// How many.
    pub games: u64,
    /// Won.
    pub wins: u32,
    /// Drawn.
    pub draws: u32,
    /// Lost.
    pub losses: u32,
    /// Mean rating of those who moved to the position; `null` if no game tells it.
    pub rating: Option<u16>,
}

impl From<Games> for GamesView {
    fn from(games: Games) -> GamesView {
        let count = games.count();
        let Games { wins, draws, losses, rating } = games;
        GamesView { games: count, wins, draws, losses, rating }
    }
}

impl GamesView {
    /// The games in a few words; nothing without any.
    fn text(&self) -> Option<String> {
        let GamesView { games, wins, draws, losses, rating } = self;
        let rated = rating.map_or_else(String::new, |rating| format!(", rating {rating}"));
        (*games > 0).then(|| {
            format!(
                "{games} {}: {wins} won, {draws} drawn, {losses} lost{rated}",
                if *games == 1 { "game" } else { "games" }
            )
        })
    }
}

impl BookView {
    /// Asks the book about the current position of a game.
    pub fn new(game: &Game, book: &Book) -> BookView {
        let (variant, position) = (game.variant(), game.position());
        let entry = book.get(key(variant, position)).unwrap_or_default();
        let view = |known: BookMove| BookMoveView {
            pdn: moves::write(variant, position, known.mv),
            score: known.value.map(men),
            plies_to_end: known.value.and_then(Score::plies_to_end),
            depth: known.depth,
            games: known.games.into(),
        };
        BookView {
            variant: variant.name(),
            fen: fen::write(variant, position),
            score: entry.value.map(men),
            plies_to_end: entry.value.and_then(Score::plies_to_end),
            depth: entry.depth.into(),
            games: entry.games.into(),
            moves: book.moves(position).into_iter().map(view).collect(),
        }
    }

    /// The same, but nothing if the book knows no move here.
    pub fn known(game: &Game, book: &Book) -> Option<BookView> {
        Some(BookView::new(game, book)).filter(|view| !view.moves.is_empty())
    }

    /// As text: the position, then a line for each move.
    pub fn text(&self) -> String {
        let mut text = match said(self.score, self.depth, &self.games) {
            said if said.is_empty() => "the book does not know this position".to_owned(),
            said => said,
        };
        text.push('\n');
        let width = self.moves.iter().map(|mv| mv.pdn.len()).max().unwrap_or(0);
        for mv in &self.moves {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  {:width$}  {}", mv.pdn, said(mv.score, mv.depth, &mv.games));
        }
        text
    }
}

/// Value, depth and games.
fn said(score: Option<f64>, depth: u32, games: &GamesView) -> String {
    let plies = if depth == 1 { "ply" } else { "plies" };
    let value = score.map(|score| format!("{score:5.2}, {depth} {plies}"));
    value.into_iter().chain(games.text()).collect::<Vec<_>>().join("; ")
}
