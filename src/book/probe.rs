//! What a book says of the moves of a position, and which of them it would play.

use super::{Book, Games, entry::earlier, key};
use crate::board::{Move, Position};
use crate::rules::{legal_moves, play_in};
use crate::score::Score;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// A legal move with what the book knows of the position after it, seen by the side that plays it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// Its value; none if the position after it was never searched.
    pub value: Option<Score>,
    /// Plies of the best line in the book that begins with it, itself included.
    pub depth: u32,
    /// The games that reached the position after it, by whatever order of moves.
    pub games: Games,
}

/// A move that results speak for is at most so much worse, as a mean result, than the best one.
const NEAR_RESULT: f64 = 0.05;
/// Moves with fewer games than this are not played because of their results.
const ENOUGH_GAMES: u64 = 3;
/// Standard deviations of a bound that holds in 99 of 100 cases, both sides counted.
const DEVIATIONS: f64 = 2.576;

/// The lower bound of a mean result (E. B. Wilson, 1927); none without games. It is that of games without draws: draws
/// scatter less, so the bound is a careful one.
fn surely(games: &Games) -> Option<f64> {
    let (mean, count) = (games.score()?, games.count() as f64);
    let square = DEVIATIONS * DEVIATIONS;
    let spread = DEVIATIONS * (mean * (1.0 - mean) / count + square / (4.0 * count * count)).sqrt();
    Some((mean + square / (2.0 * count) - spread) / (1.0 + square / count))
}

impl Book {
    /// The legal moves that the book knows something of, the best first: by value, then by the length of the line, then by
    /// games.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        let variant = self.variant();
        let known = |mv: &Move| {
            let entry = self.get(key(variant, &play_in(variant, position, *mv)))?;
            let depth = if entry.value.is_some() { u32::from(entry.depth) + 1 } else { 0 };
            Some(BookMove { mv: *mv, value: entry.value.map(earlier), depth, games: entry.games.turned() })
        };
        let mut moves: Vec<BookMove> = legal_moves(variant, position).iter().filter_map(known).collect();
        moves.sort_by_key(|mv| std::cmp::Reverse((mv.value.map(Score::centi), mv.depth, mv.games.count())));
        moves
    }

    /// The moves by which the book goes on, the best first. Where it ends, these are the moves that games played, the most played
    /// first, without values: some moves may lead to positions that other orders of moves reach, and the best of those may be a
    /// blunder.
    pub fn continuations(&self, position: &Position) -> Vec<BookMove> {
        let mut moves = self.moves(position);
        if !self.is_expanded(position) {
            moves.retain(|mv| mv.games.count() > 0);
            moves.iter_mut().for_each(|mv| (mv.value, mv.depth) = (None, 0));
            moves.sort_by_key(|mv| std::cmp::Reverse(mv.games.count()));
        }
        moves
    }

    /// Whether the book knows the value of every move of a position: it was searched beyond it.
    pub fn is_expanded(&self, position: &Position) -> bool {
        self.get(key(self.variant(), position)).is_some_and(|entry| entry.depth > 0)
    }

    /// The best line from a position to the end of the book, its first move included; empty where the book does not
    /// know every move.
    pub fn line(&self, position: &Position) -> Vec<Move> {
        let mut line = Vec::new();
        let mut position = *position;
        // Every step of a sound book is nearer to its end; a damaged one may go round in circles.
        while line.len() <= usize::from(u8::MAX) && self.is_expanded(&position) {
            let Some(best) = self.moves(&position).first().copied() else { break };
            line.push(best.mv);
            position = play_in(self.variant(), &position, best.mv);
        }
        line
    }

    /// The moves that may be played, each with its weight: those at most `margin` centi-men worse than the best. The
    /// weight falls in a straight line, from `margin` + 1 for the best to 1 for the worst.
    ///
    /// Where the book has no values, games speak: moves that at least three games played and whose mean result is
    /// above the yardstick, with their games as weights; with a margin of 0 only the most played of them, and any other
    /// margin means the same. The yardstick is the largest, over those moves, of the mean result less 0.05 or of its
    /// lower bound, whichever is less: a few lucky games do not beat many.
    pub fn candidates(&self, position: &Position, margin: i32) -> Vec<(BookMove, u64)> {
        let moves = self.moves(position);
        if self.is_expanded(position) {
            let Some(best) = moves.first().and_then(|mv| mv.value) else { return Vec::new() };
            let loss = |mv: &BookMove| mv.value.map(|value| best.centi() - value.centi());
            let weighted = |mv: BookMove| {
                let loss = loss(&mv).filter(|&loss| loss <= margin)?;
                Some((mv, (margin + 1 - loss) as u64))
            };
            return moves.into_iter().filter_map(weighted).collect();
        }
        let played = |mv: &&BookMove| mv.games.count() >= ENOUGH_GAMES;
        let least = |mv: &BookMove| Some((mv.games.score()? - NEAR_RESULT).min(surely(&mv.games)?));
        let Some(yardstick) = moves.iter().filter(played).filter_map(least).max_by(f64::total_cmp) else {
            return Vec::new();
        };
        let near = |mv: &BookMove| mv.games.score().is_some_and(|score| score > yardstick);
        let mut near: Vec<(BookMove, u64)> =
            moves.iter().filter(played).filter(|mv| near(mv)).map(|mv| (*mv, mv.games.count())).collect();
        near.sort_by_key(|&(_, games)| std::cmp::Reverse(games));
        if margin == 0 {
            near.truncate(1);
        }
        near
    }
}

/// One of the weighted moves by lot.
pub fn draw(candidates: &[(BookMove, u64)], random: &mut Xoshiro256PlusPlus) -> Option<BookMove> {
    let all: u64 = candidates.iter().map(|(_, weight)| weight).sum();
    if all == 0 {
        return None;
    }
    let mut left = random.random_range(0..all);
    candidates.iter().find_map(|&(mv, weight)| {
        if left < weight {
            return Some(mv);
        }
        left -= weight;
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::{BookHead, Entry, write};
    use crate::game::Game;
    use crate::rules::VariantId;

    /// The games of the moves that may be played at the initial position, where the moves have these results for the side
    /// that plays them: won, drawn, lost.
    fn played(results: &[[u32; 3]], margin: i32) -> Vec<u64> {
        let game = Game::new(VariantId::English);
        let entries: Vec<Entry> = game
            .legal_moves()
            .iter()
            .zip(results)
            .map(|(&mv, &[wins, draws, losses])| {
                let key = key(VariantId::English, &play_in(VariantId::English, game.position(), mv));
                let games = Games { wins, draws, losses, rating: None };
                Entry { key, games: games.turned(), ..Entry::default() }
            })
            .collect();
        let book = book(entries, false);
        book.candidates(game.position(), margin).into_iter().map(|(_, weight)| weight).collect()
    }

    fn book(mut entries: Vec<Entry>, has_values: bool) -> Book {
        entries.sort_by_key(|entry| entry.key);
        let head = BookHead { variant: VariantId::English, has_values, has_games: true, nodes: 0 };
        let mut bytes = Vec::new();
        write(&head, entries.into_iter().map(Ok), &mut bytes).unwrap();
        Book::from_bytes(bytes).unwrap()
    }

    #[test]
    fn where_the_book_ends_only_games_go_on() {
        let game = Game::new(VariantId::English);
        let moves = game.legal_moves();
        let after = |mv| key(VariantId::English, &play_in(VariantId::English, game.position(), mv));
        let entry = |key, value, wins| Entry {
            key,
            value: Some(Score::from_centi(value)),
            games: Games { wins, ..Games::default() },
            ..Entry::default()
        };
        // A bad move that another order of moves reaches, and one that games played.
        let mut entries = vec![
            entry(key(VariantId::English, game.position()), 5, 0),
            entry(after(moves[0]), 80, 0),
            entry(after(moves[1]), 90, 3),
        ];
        let at_the_end = book(entries.clone(), true);
        assert_eq!(at_the_end.moves(game.position()).len(), 2);
        let [only] = at_the_end.continuations(game.position())[..] else { panic!("one move") };
        assert_eq!((only.mv, only.value, only.games.count()), (moves[1], None, 3));
        entries[0].depth = 1;
        let expanded = book(entries, true);
        assert_eq!(expanded.continuations(game.position()), expanded.moves(game.position()));
    }

    #[test]
    fn the_weight_of_a_move_falls_with_its_loss() {
        let variant = VariantId::English;
        let game = Game::new(variant);
        let values = [5, 3, 0, -1, -9, 4, 5];
        let root = Entry {
            key: key(variant, game.position()),
            value: Some(Score::DRAW),
            depth: 1,
            ..Entry::default()
        };
        let after = game.legal_moves().into_iter().zip(values).map(|(mv, value)| Entry {
            key: key(variant, &play_in(variant, game.position(), mv)),
            // Seen by the side that is to move there.
            value: Some(Score::from_centi(-value)),
            ..Entry::default()
        });
        let book = book(std::iter::once(root).chain(after).collect(), true);
        let weights = |margin| -> Vec<(i32, u64)> {
            let candidates = book.candidates(game.position(), margin);
            candidates.iter().map(|(mv, weight)| (mv.value.unwrap().centi(), *weight)).collect()
        };
        assert_eq!(weights(5), [(5, 6), (5, 6), (4, 5), (3, 4), (0, 1)]);
        assert_eq!(weights(0), [(5, 1), (5, 1)]);
    }

    #[test]
    fn a_bound_nears_the_mean_with_more_games() {
        let surely = |wins, losses| surely(&Games { wins, losses, ..Games::default() }).unwrap();
        // All games won: n / (n + z^2).
        assert!((surely(3, 0) - 3.0 / (3.0 + DEVIATIONS * DEVIATIONS)).abs() < 1e-9);
        assert!((surely(550_000, 450_000) - 0.55).abs() < 0.002);
        assert!(surely(0, 3).abs() < 1e-9);
    }

    #[test]
    fn lucky_games_do_not_beat_many() {
        let (many, few) = ([500, 100, 400], [3, 0, 0]);
        assert_eq!(played(&[few, many], 0), [1000]);
        assert_eq!(played(&[few, many], 4), [1000, 3]);
        assert_eq!(played(&[few, [9, 2, 9]], 0), [20]);
        // Of much played moves those that are near the best.
        assert_eq!(played(&[many, [480, 100, 421], [430, 100, 472]], 4), [1001, 1000]);
        // A move that loses is not played, however often it was.
        assert_eq!(played(&[many, [300, 0, 1700], [2, 0, 0]], 0), [1000]);
    }
}
