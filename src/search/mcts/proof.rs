//! What is proven of a node (M. Winands, Y. Bjornsson, J.-T. Saito, "Monte-Carlo Tree Search Solver", 2008).

use crate::score::Score;

/// The outcome with best play, from the view of the side to move, where it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// Won in at most this many plies.
    Win(u16),
    /// Lost; the longest known defence takes this many plies.
    Loss(u16),
    /// Drawn.
    Draw,
}

/// Longest distance that is kept, in plies: that of a win which endgame tables promise is more than
/// [`Score::MAX_PLIES`], so that one whose end is in sight is shorter.
const LONGEST: u16 = 2 * Score::MAX_PLIES as u16;

impl Proof {
    /// Of a score that is certain, for the side to move at this very position.
    pub fn of(score: Score) -> Option<Proof> {
        if !score.is_certain_win() {
            return None;
        }
        let plies = (Score::win_in(0).centi() - score.centi().abs()).min(i32::from(LONGEST)) as u16;
        Some(if score > Score::DRAW { Proof::Win(plies) } else { Proof::Loss(plies) })
    }

    /// The value of a certain outcome: 1 is a win, 0 a loss.
    pub fn value(self) -> f64 {
        match self {
            Proof::Win(_) => 1.0,
            Proof::Loss(_) => 0.0,
            Proof::Draw => 0.5,
        }
    }

    /// As a score.
    pub fn score(self) -> Score {
        match self {
            Proof::Win(plies) => Score::win_in(plies.into()),
            Proof::Loss(plies) => Score::loss_in(plies.into()),
            Proof::Draw => Score::DRAW,
        }
    }

    /// The same one ply longer, as it looks from the position before.
    pub fn one_ply_before(self) -> Proof {
        match self {
            Proof::Win(plies) => Proof::Win((plies + 1).min(LONGEST)),
            Proof::Loss(plies) => Proof::Loss((plies + 1).min(LONGEST)),
            Proof::Draw => Proof::Draw,
        }
    }

    /// What follows for a node from what is known of its children, each from the view of the opponent: one lost child
    /// wins; if all are proven, the best of them counts.
    pub fn of_parent(children: impl Iterator<Item = Option<Proof>>) -> Option<Proof> {
        let (mut shortest, mut longest, mut draw, mut open) = (None::<u16>, 0, false, false);
        for child in children {
            match child {
                Some(Proof::Loss(plies)) => {
                    shortest = Some(shortest.map_or(plies, |least| least.min(plies)));
                }
                Some(Proof::Win(plies)) => longest = longest.max(plies),
                Some(Proof::Draw) => draw = true,
                None => open = true,
            }
        }
        match shortest {
            Some(plies) => Some(Proof::Win((plies + 1).min(LONGEST))),
            None if open => None,
            None if draw => Some(Proof::Draw),
            None => Some(Proof::Loss((longest + 1).min(LONGEST))),
        }
    }

    /// For storing: never 0, which stands for "not known".
    pub(super) fn code(self) -> u16 {
        match self {
            Proof::Win(plies) => 1 << 14 | plies,
            Proof::Loss(plies) => 2 << 14 | plies,
            Proof::Draw => 3 << 14,
        }
    }

    pub(super) fn decode(code: u16) -> Option<Proof> {
        let plies = code & 0x3fff;
        match code >> 14 {
            1 => Some(Proof::Win(plies)),
            2 => Some(Proof::Loss(plies)),
            3 => Some(Proof::Draw),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_inverse() {
        for proof in [Proof::Win(0), Proof::Win(1000), Proof::Loss(0), Proof::Loss(7), Proof::Draw] {
            assert_eq!(Proof::decode(proof.code()), Some(proof));
        }
        assert_eq!(Proof::decode(0), None);
    }

    #[test]
    fn parents_follow_from_children() {
        let parent = |children: &[Option<Proof>]| Proof::of_parent(children.iter().copied());
        let (win, loss, draw) = (Some(Proof::Win(3)), Some(Proof::Loss(4)), Some(Proof::Draw));
        assert_eq!(parent(&[win, None, loss, Some(Proof::Loss(2))]), Some(Proof::Win(3)));
        assert_eq!(parent(&[win, None, draw]), None);
        assert_eq!(parent(&[win, draw]), draw);
        assert_eq!(parent(&[win, Some(Proof::Win(9))]), Some(Proof::Loss(10)));
    }

    #[test]
    fn scores_there_and_back() {
        for score in [Score::win_in(5), Score::loss_in(0), Score::table_win(7), Score::table_loss(240)] {
            assert_eq!(Proof::of(score).unwrap().score(), score);
        }
        assert_eq!(Proof::of(Score::from_centi(300)), None);
    }
}
