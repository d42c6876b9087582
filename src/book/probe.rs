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

impl Book {
    /// The legal moves that the book knows something of, the best first: by value, then by games.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        let variant = self.variant();
        let known = |mv: &Move| {
            let entry = self.get(key(variant, &play_in(variant, position, *mv)))?;
            let depth = if entry.value.is_some() { u32::from(entry.depth) + 1 } else { 0 };
            Some(BookMove { mv: *mv, value: entry.value.map(earlier), depth, games: entry.games.turned() })
        };
        let mut moves: Vec<BookMove> = legal_moves(variant, position).iter().filter_map(known).collect();
        moves.sort_by_key(|mv| {
            (std::cmp::Reverse(mv.value.map(Score::centi)), std::cmp::Reverse(mv.games.count()))
        });
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
    /// Where the book has no values, games speak: moves that at least three games played and whose mean result is less
    /// than 0.05 below the best such move, with their games as weights; with a margin of 0 only the most played of them.
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
        let results = moves.iter().filter(played).filter_map(|mv| mv.games.score());
        let Some(best) = results.max_by(f64::total_cmp) else { return Vec::new() };
        let near = |mv: &BookMove| mv.games.score().is_some_and(|score| score + NEAR_RESULT > best);
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
