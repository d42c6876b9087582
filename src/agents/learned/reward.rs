//! What a learner is rewarded for.

use super::super::score::{balance, f};
use super::Decision;
use crate::board::Position;
use crate::rules::VariantId;
use crate::words::words;

/// The reward of a move, by scores that have the other sign in losing draughts
/// ([`ScoreKind`](crate::agents::ScoreKind)), seen from the side that made it: `s` is the board before it, `s'` after it, `s''` after the
/// reply.
///
/// "AI for Draught" prints `r1` and `r2` with the other sign, which would punish what its text says is rewarded:
/// captures, advance and wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RewardKind {
    /// What the move gained: `f(s') - f(s)`, with `f` of [`ScoreKind::F`](crate::agents::ScoreKind::F).
    R1,
    /// The same, less what the reply gained the opponent: `[f(s') - f(s)] - [g(s'') - g(s')]`, where `g` is `f` from
    /// the opponent's view. "AI for Draught" found it slightly better.
    #[default]
    R2,
    /// Men won and two times kings won from `s` to `s''`, less what the other side won: the score of the alpha-beta
    /// player of "Checkers with reinforcement learning".
    Change,
}

words!(RewardKind { R1 => "r1", R2 => "r2", Change => "change" });

impl RewardKind {
    /// The reward of a move while the game goes on; `then` is the board after the reply, or after the move itself if
    /// that ended the game.
    pub fn of(self, variant: VariantId, decision: &Decision, then: &Position) -> f64 {
        let Decision { before, after } = decision;
        let side = decision.side();
        let gain = |color, from: &Position, to: &Position| f(variant, to, color) - f(variant, from, color);
        match self {
            RewardKind::R1 => gain(side, before, after),
            RewardKind::R2 => gain(side, before, after) - gain(!side, after, then),
            RewardKind::Change => balance(variant, then, side) - balance(variant, before, side),
        }
    }

    /// The reward of the last move of a game. A win or a loss adds `win` or takes it away; in the place of the change
    /// of material, for whose author a won game is worth infinity, it stands alone.
    pub fn at_end(
        self,
        variant: VariantId,
        decision: &Decision,
        then: &Position,
        is_won: Option<bool>,
        win: f64,
    ) -> f64 {
        let of_end = is_won.map(|is_won| if is_won { win } else { -win });
        match (self, of_end) {
            (RewardKind::Change, Some(of_end)) => of_end,
            (_, of_end) => self.of(variant, decision, then) + of_end.unwrap_or(0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen::game_from_fen;

    const ENGLISH: VariantId = VariantId::English;

    fn position(fen: &str) -> Position {
        *game_from_fen(ENGLISH, fen).unwrap().position()
    }

    /// White takes the man on 14 from 18 to 9 (row 2, column 1); Black takes back from 5 to 14 (row 3, column 2).
    fn exchange() -> (Decision, Position) {
        let decision = Decision { before: position("W:W18,32:B14,5"), after: position("B:W9,32:B5") };
        (decision, position("W:W32:B14"))
    }

    #[test]
    fn rewards_of_an_exchange_by_hand() {
        let (decision, then) = exchange();
        // f(s, W): pieces 2 - 2; advance 1/4 (row 4) + 1/7 (row 7); edge of 18 (column 3) 1/4, of 32 (column 6) 1/2:
        // half of 0.75. f(s', W): pieces 2 - 1; advance 1/2 (row 2) + 1/7; edge of 9 (column 1) 1/2, of 32 1/2.
        let before = 0.25 + 1.0 / 7.0 + 0.375;
        let after = 1.0 + 0.5 + 1.0 / 7.0 + 0.5;
        // f(s', B): 1 - 2; advance of 5 (row 1) 1/6; edge (column 0) 1. f(s'', B): 1 - 1; advance of 14 (row 3) 1/4;
        // edge (column 2) 1/3.
        let theirs = (0.25 + 0.5 / 3.0) - (-1.0 + 1.0 / 6.0 + 0.5);
        let close = |kind: RewardKind, expected: f64| {
            let reward = kind.of(ENGLISH, &decision, &then);
            assert!((reward - expected).abs() < 1e-12, "{kind} {reward} {expected}");
        };
        close(RewardKind::R1, after - before);
        close(RewardKind::R2, after - before - theirs);
        // One man each.
        close(RewardKind::Change, 0.0);
    }

    #[test]
    fn the_end_adds_or_replaces() {
        let (decision, then) = exchange();
        for kind in [RewardKind::R1, RewardKind::R2] {
            let plain = kind.of(ENGLISH, &decision, &then);
            let at_end = |is_won| kind.at_end(ENGLISH, &decision, &then, is_won, 10.0);
            assert_eq!(
                (at_end(None), at_end(Some(true)), at_end(Some(false))),
                (plain, plain + 10.0, plain - 10.0)
            );
        }
        let at_end = |is_won| RewardKind::Change.at_end(ENGLISH, &decision, &then, is_won, 12.0);
        assert_eq!((at_end(None), at_end(Some(true)), at_end(Some(false))), (0.0, 12.0, -12.0));
    }
}
