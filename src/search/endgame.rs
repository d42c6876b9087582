//! Endgame tables as a search uses them: a verdict becomes a score where the counts of moves allow it.

use crate::board::{Color, Position};
use crate::rules::Variant;
use crate::rules::draws::Counters;
use crate::score::Score;
use crate::tablebase::{Advice, Tables, Timing, Value, is_in_time};

/// The tables, and for which positions of a search they are asked.
#[derive(Clone, Copy, Debug)]
pub struct EndgameTables<'a> {
    tables: &'a Tables,
    /// Positions with more pieces are not asked for.
    most_pieces: u32,
    /// Of positions with so many pieces only those with fewer men than these.
    root: Option<(u32, u32)>,
}

/// The men of both sides.
fn men(position: &Position) -> u32 {
    Color::ALL.into_iter().map(|color| position.men(color).len()).sum()
}

impl<'a> EndgameTables<'a> {
    /// Tables for positions with at most so many pieces.
    pub fn new(tables: &'a Tables, most_pieces: u32) -> EndgameTables<'a> {
        EndgameTables { tables, most_pieces: most_pieces.min(tables.most_pieces()), root: None }
    }

    /// What the tables advise at the root of a search, if they know it, and whether the counts of moves leave time for it.
    pub fn advice(&self, position: &Position, counters: Counters) -> Option<(Advice, Timing)> {
        let is_asked_for = position.occupied().len() <= self.most_pieces;
        if is_asked_for { self.tables.advice_in(position, counters) } else { None }
    }

    /// The same tables for positions with fewer pieces or men than this one: a search from a position that is in the tables
    /// looks for the way out of it, by a capture or a crowning, and every move keeps what is known of it.
    pub fn below(self, position: &Position) -> EndgameTables<'a> {
        let pieces = position.occupied().len();
        EndgameTables {
            most_pieces: self.most_pieces.min(pieces),
            root: Some((pieces, men(position))),
            ..self
        }
    }

    /// The score of a position in which the side to move can move and cannot capture, at this ply of the search.
    ///
    /// None if the tables do not know it, or if a count of moves may end the game before the win.
    #[inline]
    pub(super) fn score<V: Variant>(
        &self,
        position: &Position,
        counters: Counters,
        ply: usize,
    ) -> Option<Score> {
        let pieces = position.occupied().len();
        if pieces > self.most_pieces
            || self.root.is_some_and(|(most, most_men)| pieces == most && men(position) >= most_men)
        {
            return None;
        }
        let score = match self.tables.outcome(position)? {
            Value::Draw => return Some(Score::DRAW),
            Value::Win => Score::table_win(ply as u32),
            Value::Loss => Score::table_loss(ply as u32),
        };
        // A fresh count is in nobody's way, and needs no second probe.
        let rules = const { &V::RULES };
        let is_in_time = counters.plies_left(rules) >= rules.draws.quiet_plies
            || is_in_time(self.tables.distance(position), counters, rules);
        is_in_time.then_some(score)
    }
}
