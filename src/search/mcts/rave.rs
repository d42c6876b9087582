//! The moves of one simulation, by side.

use crate::board::{Color, Move};

/// A set of moves of each side. Captures with the same ends count as the same move.
#[derive(Clone, Debug)]
pub struct AmafMoves {
    sets: Box<[[u64; 64]; 2]>,
    /// What was added, for quick clearing.
    origins: Vec<(Color, usize)>,
}

impl Default for AmafMoves {
    fn default() -> AmafMoves {
        AmafMoves { sets: Box::new([[0; 64]; 2]), origins: Vec::new() }
    }
}

impl AmafMoves {
    /// Adds a move.
    #[inline]
    pub fn add(&mut self, turn: Color, mv: Move) {
        self.sets[turn.index()][mv.from().index()] |= 1 << mv.to().index();
        self.origins.push((turn, mv.from().index()));
    }

    /// Whether the move was added.
    #[inline]
    pub fn contains(&self, turn: Color, mv: Move) -> bool {
        self.sets[turn.index()][mv.from().index()] >> mv.to().index() & 1 != 0
    }

    /// Removes all moves.
    pub fn clear(&mut self) {
        for (turn, from) in self.origins.drain(..) {
            self.sets[turn.index()][from] = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::rules::VariantId;

    #[test]
    fn moves_come_and_go() {
        let moves = Game::new(VariantId::International).legal_moves();
        let mut played = AmafMoves::default();
        played.add(Color::White, moves[2]);
        assert!(played.contains(Color::White, moves[2]) && !played.contains(Color::Black, moves[2]));
        assert!(!played.contains(Color::White, moves[3]));
        played.clear();
        assert!(!played.contains(Color::White, moves[2]));
    }
}
