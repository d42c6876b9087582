//! Offers in losing draughts: quiet moves after which the opponent has to capture. Who wants to get rid of his pieces
//! wins by chains of them, as a chess player by chains of checks.

use crate::board::{Bitboard, Direction, Move, Position};
use crate::rules::movegen::can_capture;
use crate::rules::{Objective, Variant, play};

/// Whether `mv`, which leads to `next`, is an offer in a game where that is good.
#[inline(always)]
pub(super) fn is_offer<V: Variant>(mv: Move, next: &Position) -> bool {
    // A constant of the variant: elsewhere nothing is asked.
    matches!(V::RULES.objective, Objective::Lose) && !mv.is_capture() && can_capture::<V>(next, next.turn())
}

/// The quiet moves of one position that may be offers, told by the squares they leave and enter: most are not, and need
/// not be played to find out.
pub(super) struct MayOffer {
    /// What is left opens the way behind a piece that the opponent attacks.
    from: Bitboard,
    /// What is entered stands before an opponent's piece, and behind it nothing of his and no edge.
    to: Bitboard,
}

impl MayOffer {
    /// No move.
    pub const NONE: MayOffer = MayOffer { from: Bitboard::EMPTY, to: Bitboard::EMPTY };

    /// Of a position in which the side to move cannot capture.
    #[inline(always)]
    pub fn of<V: Variant>(position: &Position) -> MayOffer {
        if !matches!(V::RULES.objective, Objective::Lose) {
            return MayOffer::NONE;
        }
        let (us, them) = (position.side(position.turn()), position.side(!position.turn()));
        // A king attacks from afar, and where the opponent could capture already nearly every move leaves it so.
        if V::RULES.orthogonal_captures
            || (them & position.kings()).any()
            || can_capture::<V>(position, !position.turn())
        {
            return MayOffer { from: us, to: V::RULES.board.playable() };
        }
        let free = V::RULES.board.playable().without(them);
        let (mut from, mut to) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for &direction in &Direction::ALL[..4] {
            let attacked = direction.shift(them);
            from |= direction.shift(attacked & us) & us;
            to |= attacked & direction.opposite().shift(free);
        }
        MayOffer { from, to }
    }

    /// Whether the quiet move `mv` of `position` is an offer.
    #[inline(always)]
    pub fn contains<V: Variant>(&self, position: &Position, mv: Move) -> bool {
        (self.from.contains(mv.from()) || self.to.contains(mv.to()))
            && is_offer::<V>(mv, &play::<V>(position, mv))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Color, Piece, Setup};
    use crate::game::Game;
    use crate::rules::{International, Losing, VariantId, legal_moves};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn a_quiet_move_next_to_a_man_is_an_offer_where_all_pieces_must_go() {
        let rules = VariantId::Losing.rules();
        let mut setup = Setup::empty(Color::White);
        for (color, number) in [(Color::White, 28), (Color::White, 45), (Color::Black, 18)] {
            setup.put(rules.square(number).unwrap(), Piece { color, king: false });
        }
        let position = rules.position(&setup).unwrap();
        let offers = legal_moves(VariantId::Losing, &position)
            .iter()
            .filter(|&&mv| {
                let next = play::<Losing>(&position, mv);
                assert!(!is_offer::<International>(mv, &next));
                is_offer::<Losing>(mv, &next)
            })
            .map(|mv| [mv.from(), mv.to()].map(|square| rules.board.number(square)))
            .collect::<Vec<_>>();
        assert_eq!(offers, [[28, 22], [28, 23]]);
    }

    #[test]
    fn squares_tell_which_moves_need_not_be_played() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
        let mut game = Game::new(VariantId::Losing);
        let (mut offers, mut left_out) = (0, 0);
        for step in 1..20_000 {
            if step % 150 == 0 {
                game = Game::new(VariantId::Losing);
            }
            let moves = game.legal_moves();
            let Some(&mv) = moves.get(random.random_range(0..moves.len().max(1))) else {
                game = Game::new(VariantId::Losing);
                continue;
            };
            let position = game.position();
            let may_offer = MayOffer::of::<Losing>(position);
            for &mv in moves.iter().filter(|mv| !mv.is_capture()) {
                let is_offer = is_offer::<Losing>(mv, &play::<Losing>(position, mv));
                assert_eq!(may_offer.contains::<Losing>(position, mv), is_offer, "{mv:?}");
                offers += i32::from(is_offer);
                left_out += i32::from(!may_offer.from.contains(mv.from()) && !may_offer.to.contains(mv.to()));
            }
            game.play(mv).unwrap();
        }
        assert!(offers > 10_000 && left_out > 10_000, "{offers} {left_out}");
    }
}
