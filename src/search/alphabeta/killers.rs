//! Quiet moves that have just refuted positions at the same distance from the root, or were best there: killer moves
//! (S. Akl and M. Newborn, 1977). What refuted a sister of a position often refutes it, too.

use crate::board::Move;

/// The last two such moves of a ply, the latest first, by origin and destination: all that tells quiet moves apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Killers([u16; 2]);

/// Origin and destination. They are never the same in a quiet move, so 0 stands for none.
#[inline(always)]
fn code(mv: Move) -> u16 {
    (mv.from().index() << 6 | mv.to().index()) as u16
}

impl Killers {
    /// Whether a move is one of them.
    #[inline(always)]
    pub fn contains(self, mv: Move) -> bool {
        let code = code(mv);
        (self.0[0] == code) | (self.0[1] == code)
    }

    /// Remembers a move in place of the older one.
    #[inline(always)]
    pub fn add(&mut self, mv: Move) {
        let code = code(mv);
        if self.0[0] != code {
            self.0 = [code, self.0[0]];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::rules::VariantId;

    #[test]
    fn the_last_two_different_moves_are_remembered() {
        let moves = Game::new(VariantId::International).legal_moves();
        let [a, b, c] = [0, 1, 2].map(|i| moves[i]);
        let mut killers = Killers::default();
        assert!(![a, b, c].iter().any(|&mv| killers.contains(mv)));
        for mv in [a, b, b, b] {
            killers.add(mv);
        }
        assert!(killers.contains(a) && killers.contains(b));
        killers.add(c);
        assert_eq!([a, b, c].map(|mv| killers.contains(mv)), [false, true, true]);
    }
}
