//! What endgame tables say of a position and of each of its moves.

use crate::game::Game;
use crate::notation::{fen, moves};
use crate::tablebase::{Tables, Timing, Value, Verdict};
use serde::Serialize;
use std::fmt::Write;

/// The verdict of the tables.
///
/// ```
/// use kroon::rules::VariantId::International;
/// use kroon::tablebase::Tables;
/// use kroon::{game::Game, view::EndgameView};
/// let view = EndgameView::new(&Game::new(International), &Tables::new(International));
/// assert_eq!((view.value, view.moves.len(), view.moves[0].value), (None, 9, None));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct EndgameView {
    /// The variant's name.
    pub variant: &'static str,
    /// The position.
    pub fen: String,
    /// `win`, `draw` or `loss` for the side to move with best play; `null` if no table knows the position.
    pub value: Option<&'static str>,
    /// Plies to the next capture or crowning or to the end, if it is won or lost and this is known.
    pub distance: Option<u32>,
    /// Whether a count of moves ends the game as a draw before it comes true, as [`Tables::advice_in`] finds.
    pub too_long: bool,
    /// The legal moves, the best first.
    pub moves: Vec<EndgameMoveView>,
}

/// The verdict for the side that plays a move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct EndgameMoveView {
    /// The move in PDN.
    pub pdn: String,
    /// As in [`EndgameView`], after this move, for the side that played it.
    pub value: Option<&'static str>,
    /// As in [`EndgameView`], this move included.
    pub distance: Option<u32>,
}

impl EndgameView {
    /// Asks the tables about the current position of a game.
    pub fn new(game: &Game, tables: &Tables) -> EndgameView {
        let (variant, position) = (game.variant(), game.position());
        let verdict = tables.verdict(position);
        let mut known = tables.moves(position);
        known.sort_by_key(|(_, verdict)| std::cmp::Reverse(rank(*verdict)));
        let distance = verdict.and_then(|verdict| verdict.distance);
        let view = |(mv, verdict): (_, Option<Verdict>)| EndgameMoveView {
            pdn: moves::write(variant, position, mv),
            value: verdict.map(|verdict| verdict.value.word()),
            distance: verdict.and_then(|verdict| verdict.distance),
        };
        EndgameView {
            variant: variant.name(),
            fen: fen::write(variant, position),
            value: verdict.map(|verdict| verdict.value.word()),
            distance,
            too_long: tables
                .advice_in(position, game.counters())
                .is_some_and(|(_, timing)| timing == Timing::Short),
            moves: known.into_iter().map(view).collect(),
        }
    }

    /// The same, but nothing if no table knows the position.
    pub fn known(game: &Game, tables: &Tables) -> Option<EndgameView> {
        let is_small = game.position().occupied().len() <= tables.most_pieces();
        is_small.then(|| EndgameView::new(game, tables)).filter(|view| view.value.is_some())
    }

    /// The verdict in a few words; `None` if no table knows the position.
    pub fn headline(&self) -> Option<String> {
        let mut text = sentence(self.value?, self.distance);
        if self.too_long {
            text.push_str(", longer than the count of moves allows");
        }
        Some(text)
    }

    /// As text: the verdict, then a line for each move.
    pub fn text(&self) -> String {
        let mut text = self.headline().unwrap_or_else(|| "no table knows this position".to_owned());
        text.push('\n');
        let width = self.moves.iter().map(|mv| mv.pdn.len()).max().unwrap_or(0);
        for mv in &self.moves {
            let said = mv.value.map_or_else(|| "?".to_owned(), |value| sentence(value, mv.distance));
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  {:width$}  {said}", mv.pdn);
        }
        text
    }
}

/// The best moves have the highest: wins, the shortest first, then draws, losses, the longest first, and what nobody
/// knows last.
fn rank(verdict: Option<Verdict>) -> (u8, i64) {
    let Some(Verdict { value, distance }) = verdict else { return (0, 0) };
    let plies = distance.map_or(0, i64::from);
    match value {
        Value::Win => (3, -plies),
        Value::Draw => (2, 0),
        Value::Loss => (1, plies),
    }
}

fn sentence(value: &str, distance: Option<u32>) -> String {
    match distance {
        Some(0) => format!("{value}, the game is over"),
        Some(1) => format!("{value}, 1 ply to the next capture, crowning or end"),
        Some(plies) => format!("{value}, {plies} plies to the next capture, crowning or end"),
        None => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen;
    use crate::rules::VariantId;
    use crate::tablebase::{Material, load};

    #[test]
    fn a_win_that_takes_longer_than_the_count_is_told() {
        let variant = VariantId::Frisian;
        let (tables, _) = load(variant, &[], Material::MOST_PIECES);
        // Two kings against one have seven moves each.
        for (text, plies, too_long) in [("W:WK31,K4:BK23", 16, true), ("W:WK2,K17:BK36", 8, false)] {
            let view = EndgameView::known(&fen::game_from_fen(variant, text).unwrap(), &tables).unwrap();
            assert_eq!(
                (view.value, view.distance, view.too_long),
                (Some("win"), Some(plies), too_long),
                "{text}"
            );
            let headline = view.headline().unwrap();
            assert_eq!(headline.ends_with(", longer than the count of moves allows"), too_long, "{headline}");
        }
    }
}
