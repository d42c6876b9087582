//! Checks a book against its own moves, and measures it.

use super::{Book, BookMove, key::canonical, key::key};
use crate::board::Position;
use crate::game::Game;
use crate::rules::{legal_moves, play_in};
use crate::score::Score;
use std::collections::HashSet;

/// What an [`audit`] found.
#[derive(Clone, Debug, Default)]
pub struct BookAudit {
    /// Positions that moves of the book reach from the initial one.
    pub reached: usize,
    /// Those of them whose moves are all in the book.
    pub expanded: usize,
    /// Those of them that are not what their moves say.
    pub faulty: usize,
    /// Those of them, with kings, that are not what their moves say and may be right: which of the moves stands for a draw by
    /// repetition, the book does not tell.
    pub skipped: usize,
    /// The first of them, and what is wrong.
    pub first: Option<(Position, String)>,
}

/// Goes through all positions that are reached from the initial one by moves of the book, and compares the value and the
/// depth of each with those of the positions after it.
pub fn audit(book: &Book) -> BookAudit {
    let variant = book.variant();
    let start = canonical(variant, Game::new(variant).position());
    let mut audit = BookAudit::default();
    let mut open = vec![start];
    let mut seen = HashSet::from([key(variant, &start)]);
    while let Some(position) = open.pop() {
        let Some(entry) = book.get(key(variant, &position)) else { continue };
        audit.reached += 1;
        let moves = book.moves(&position);
        if entry.depth > 0 {
            audit.expanded += 1;
            match compare(book, &position, entry.value, entry.depth, &moves) {
                Comparison::Same => {}
                Comparison::Unknown => audit.skipped += 1,
                Comparison::Fault(fault) => {
                    audit.faulty += 1;
                    audit.first.get_or_insert((position, fault));
                }
            }
        }
        for known in moves {
            let next = canonical(variant, &play_in(variant, &position, known.mv));
            if seen.insert(key(variant, &next)) {
                open.push(next);
            }
        }
    }
    audit
}

/// Whether a position is what its moves say.
enum Comparison {
    Same,
    /// Kings go to and fro: a move back to an earlier position stands for a draw.
    Unknown,
    Fault(String),
}

fn compare(
    book: &Book,
    position: &Position,
    value: Option<Score>,
    depth: u8,
    moves: &[BookMove],
) -> Comparison {
    let all = legal_moves(book.variant(), position).len();
    let scored: Vec<(Score, u32)> = moves.iter().filter_map(|mv| Some((mv.value?, mv.depth))).collect();
    if scored.len() < all {
        return Comparison::Fault(format!("{} of {all} moves have a value", scored.len()));
    }
    let Some(best) = scored.iter().copied().max() else {
        return Comparison::Fault(format!("depth {depth}, and no move is legal"));
    };
    if value == Some(best.0) && u32::from(depth) == best.1.min(u8::MAX.into()) {
        return Comparison::Same;
    }
    if position.kings().any() {
        return Comparison::Unknown;
    }
    let value = value.map_or_else(|| "none".to_owned(), |value| value.to_string());
    Comparison::Fault(format!(
        "value {value} and depth {depth}, {} and {} follow from the moves",
        best.0, best.1
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::{BookHead, Entry, write};
    use crate::rules::VariantId;

    /// The initial position and its moves, each with this value for who moves next.
    fn book(value: i32, missing: usize) -> Book {
        let variant = VariantId::English;
        let game = Game::new(variant);
        let mut entries: Vec<Entry> = game
            .legal_moves()
            .iter()
            .skip(missing)
            .enumerate()
            .map(|(number, &mv)| {
                let key = key(variant, &play_in(variant, game.position(), mv));
                Entry { key, value: Some(Score::from_centi(number as i32)), ..Entry::default() }
            })
            .collect();
        let value = Some(Score::from_centi(value));
        entries.push(Entry { key: key(variant, game.position()), value, depth: 1, ..Entry::default() });
        entries.sort_by_key(|entry| entry.key);
        let head = BookHead { variant, has_values: true, has_games: false, nodes: 1 };
        let mut bytes = Vec::new();
        write(&head, entries.into_iter().map(Ok), &mut bytes).unwrap();
        Book::from_bytes(bytes).unwrap()
    }

    #[test]
    fn a_value_that_does_not_follow_from_the_moves_is_found() {
        let sound = audit(&book(0, 0));
        assert_eq!((sound.reached, sound.expanded, sound.faulty), (8, 1, 0));
        let wrong = audit(&book(3, 0));
        assert_eq!(wrong.faulty, 1);
        let said = wrong.first.unwrap().1;
        assert_eq!(said, "value 0.03 and depth 1, 0.00 and 1 follow from the moves");
        assert_eq!(audit(&book(0, 2)).first.unwrap().1, "5 of 7 moves have a value");
    }

    #[test]
    fn a_position_with_kings_that_is_not_what_its_moves_say_is_counted() {
        let variant = VariantId::English;
        let start = *Game::new(variant).position();
        let crowned = *crate::notation::fen::game_from_fen(variant, "W:WK32:BK1").unwrap().position();
        let audited = |position: &Position, value: i32| {
            let moves: Vec<BookMove> = legal_moves(variant, position)
                .iter()
                .map(|&mv| BookMove {
                    mv,
                    value: Some(Score::DRAW),
                    depth: 1,
                    games: crate::book::Games::default(),
                })
                .collect();
            let value = Some(Score::from_centi(value));
            compare(&Book::empty(variant), position, value, 1, &moves)
        };
        assert!(matches!(audited(&start, 0), Comparison::Same));
        assert!(matches!(audited(&start, 5), Comparison::Fault(_)));
        assert!(matches!(audited(&crowned, 0), Comparison::Same));
        assert!(matches!(audited(&crowned, 5), Comparison::Unknown));
    }
}
