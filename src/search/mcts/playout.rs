//! Playouts: games of random moves, plain or with moves avoided that give something away.

use super::params::Leaf;
use super::rave::AmafTotals;
use crate::board::{Color, Move, MoveList, Position};
use crate::rules::draws::Counters;
use crate::rules::movegen::{can_capture, generate};
use crate::rules::{Objective, Variant, play};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Moves that the cheap policy looks at before it takes what comes.
const LOOKS: usize = 3;

/// How random games are played.
#[derive(Clone, Copy, Debug)]
pub struct Playout {
    /// Whether moves that give something away at once are avoided.
    pub heavy: bool,
    /// Longest game, in plies.
    pub plies: u32,
}

impl Playout {
    /// As the options say.
    pub fn new(leaf: Leaf, plies: u32) -> Playout {
        Playout { heavy: leaf == Leaf::PlayoutHeavy, plies }
    }

    /// Plays on from `position` and tells `played` every move; the value for the side to move at `position`: 1 for a
    /// win, 0 for a loss, one half for a draw.
    pub fn run<V: Variant>(
        &self,
        mut position: Position,
        mut counters: Counters,
        random: &mut Xoshiro256PlusPlus,
        mut played: impl FnMut(Color, Move),
    ) -> f64 {
        let us = position.turn();
        let mut moves = MoveList::new();
        for _ in 0..self.plies {
            moves.clear();
            generate::<V>(&position, &mut moves);
            if moves.is_empty() {
                let wins = V::RULES.objective == Objective::Lose;
                return if wins == (position.turn() == us) { 1.0 } else { 0.0 };
            }
            if counters.is_draw(const { &V::RULES }) {
                return 0.5;
            }
            let (mv, next) = self.choose::<V>(&position, &moves, random);
            played(position.turn(), mv);
            counters = counters.after_in::<V>(mv, &next);
            position = next;
        }
        majority::<V>(&position, us)
    }

    /// As [`Playout::run`]; the game goes to the totals of RAVE, if there are such.
    pub fn run_for_rave<V: Variant>(
        &self,
        position: Position,
        counters: Counters,
        random: &mut Xoshiro256PlusPlus,
        amaf: Option<&mut AmafTotals>,
    ) -> f64 {
        let Some(amaf) = amaf else { return self.run::<V>(position, counters, random, |_, _| ()) };
        let value = self.run::<V>(position, counters, random, |turn, mv| amaf.add_move(turn, mv));
        amaf.end_game(value);
        value
    }

    /// A move and the position after it.
    #[inline]
    fn choose<V: Variant>(
        &self,
        position: &Position,
        moves: &[Move],
        random: &mut Xoshiro256PlusPlus,
    ) -> (Move, Position) {
        let pick = |random: &mut Xoshiro256PlusPlus| {
            let mv = moves[random.random_range(0..moves.len())];
            (mv, play::<V>(position, mv))
        };
        let mut choice = pick(random);
        if !self.heavy || moves.len() == 1 {
            return choice;
        }
        // Who wins by losing his pieces is glad to be taken.
        let wanted = V::RULES.objective == Objective::Lose;
        for _ in 1..LOOKS {
            if choice.0.promotes() || can_capture::<V>(&choice.1, choice.1.turn()) == wanted {
                break;
            }
            choice = pick(random);
        }
        choice
    }
}

/// The value of an unfinished game: more pieces win, or fewer where pieces are a burden.
fn majority<V: Variant>(position: &Position, us: Color) -> f64 {
    let (own, other) = (position.side(us).len(), position.side(!us).len());
    let (good, bad) = if V::RULES.objective == Objective::Lose { (other, own) } else { (own, other) };
    match good.cmp(&bad) {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Less => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::for_variant;
    use crate::game::Game;
    use crate::rules::{VariantId, is_legal, play_in};
    use rand::SeedableRng;

    #[test]
    fn games_are_legal_and_end() {
        for variant in VariantId::ALL {
            let game = Game::new(variant);
            let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
            for heavy in [false, true] {
                let playout = Playout { heavy, plies: 200 };
                let mut position = *game.position();
                let value = for_variant!(variant, V => playout.run::<V>(
                    position,
                    game.counters(),
                    &mut random,
                    |turn, mv| {
                        assert!(turn == position.turn() && is_legal(variant, &position, mv));
                        position = play_in(variant, &position, mv);
                    },
                ));
                assert!([0.0, 0.5, 1.0].contains(&value));
            }
        }
    }
}
