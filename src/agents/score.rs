//! The scores by which the players of the literature judge a position.

use super::state::{SideState, free_neighbours, mobility};
use crate::board::{Color, Position};
use crate::rules::{Objective, VariantId};
use crate::words::words;

/// Which score. The texts are about games that the owner of the last piece wins; where the loser of all pieces wins (losing
/// draughts), every score counts with the other sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ScoreKind {
    /// Pieces and kings of both sides, advance and nearness to the edge of one's own: `f` of "AI for Draught",
    /// `1 (pieces - theirs) + 2 (kings - theirs) + 1 advance + 0.5 edge`. Not the negative of the other side's score.
    #[default]
    F,
    /// [`LinearWeights`] over both sides ("Draughts AI").
    Linear,
    /// The pieces and kings of [`ScoreKind::Linear`] alone: what "Draughts AI" adds its other features to.
    Material,
    /// Men won and two times kings won since the root, less what the other side won ("Checkers with reinforcement
    /// learning": `dU - dU' + 2 (dK - dK')`, `U` men, `K` kings, `'` the other side).
    Change,
}

words!(ScoreKind { F => "f", Linear => "linear", Material => "material", Change => "change" });

/// The weights of [`ScoreKind::Linear`]; those of the other side are the same with the other sign. The text leaves
/// them open: these are the numbers of its authors' program.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LinearWeights {
    /// Of a piece.
    pub piece: f64,
    /// More of a king than of a piece.
    pub king: f64,
    /// Of a free square next to a piece.
    pub free: f64,
    /// Of a legal move.
    pub mobility: f64,
}

impl Default for LinearWeights {
    fn default() -> LinearWeights {
        LinearWeights { piece: 10.0, king: 20.0, free: -1.0, mobility: 5.0 }
    }
}

/// A score, ready to judge what can come of one position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Judge {
    kind: ScoreKind,
    weights: LinearWeights,
    variant: VariantId,
    /// The side that searches: scores are always its own.
    side: Color,
    /// What [`ScoreKind::Change`] counts at the root.
    balance: f64,
}

impl Judge {
    /// For the side to move at `root`.
    pub fn new(kind: ScoreKind, weights: LinearWeights, variant: VariantId, root: &Position) -> Judge {
        let side = root.turn();
        Judge { kind, weights, variant, side, balance: balance(variant, root, side) }
    }

    /// Whether the side that searches is to move.
    pub fn is_ours(&self, position: &Position) -> bool {
        position.turn() == self.side
    }

    /// The score of a position.
    pub fn score(&self, position: &Position) -> f64 {
        match self.kind {
            ScoreKind::F => f(self.variant, position, self.side),
            ScoreKind::Linear | ScoreKind::Material => {
                sign(self.variant) * (self.linear(position, self.side) - self.linear(position, !self.side))
            }
            ScoreKind::Change => balance(self.variant, position, self.side) - self.balance,
        }
    }

    fn linear(&self, position: &Position, color: Color) -> f64 {
        let weights = &self.weights;
        let material = weights.piece * f64::from(position.side(color).len())
            + weights.king * f64::from(position.kings_of(color).len());
        if self.kind == ScoreKind::Material {
            return material;
        }
        material
            + weights.free * f64::from(free_neighbours(self.variant, position, color))
            + weights.mobility * f64::from(mobility(self.variant, position, color))
    }
}

/// What pieces are good for: 1 where they win the game, -1 where who has none wins it.
fn sign(variant: VariantId) -> f64 {
    match variant.rules().objective {
        Objective::Win | Objective::Crown => 1.0,
        Objective::Lose => -1.0,
    }
}

/// `f` of "AI for Draught" for one side; see [`ScoreKind::F`].
pub(super) fn f(variant: VariantId, position: &Position, color: Color) -> f64 {
    let (own, other) = (SideState::of(variant, position, color), SideState::of(variant, position, !color));
    let difference = |own: u32, other: u32| f64::from(own) - f64::from(other);
    let score = difference(own.pieces, other.pieces)
        + 2.0 * difference(own.kings, other.kings)
        + own.advance
        + 0.5 * own.edge;
    sign(variant) * score
}

/// The part of [`f`] that counts nothing of the other side.
pub(super) fn one_sided(variant: VariantId, position: &Position, color: Color) -> f64 {
    let own = SideState::of(variant, position, color);
    sign(variant) * (own.advance + 0.5 * own.edge)
}

/// Men and two times kings, less those of the other side; the other way round in losing draughts.
pub(super) fn balance(variant: VariantId, position: &Position, color: Color) -> f64 {
    let worth =
        |color| f64::from(position.men(color).len()) + 2.0 * f64::from(position.kings_of(color).len());
    sign(variant) * (worth(color) - worth(!color))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen::game_from_fen;
    use crate::rules::play_in;

    const ENGLISH: VariantId = VariantId::English;

    fn position(fen: &str) -> Position {
        *game_from_fen(ENGLISH, fen).unwrap().position()
    }

    #[test]
    fn f_of_a_small_position() {
        // White: a man on 18 (row 4, column 3: 1/4 and 1/(3+1)) and a king on 4 (row 0, column 7: 1/(0+1)).
        // Black: a man on 1 (row 0, column 1: 1/7 and 1/(1+1)).
        let position = position("W:W18,K4:B1");
        let squares = [18, 4].map(|n| ENGLISH.rules().square(n).unwrap());
        assert_eq!(squares.map(|s| (s.row(), s.column())), [(4, 3), (0, 7)]);
        // Pieces 2 - 1, kings 2 (1 - 0), advance 1/4, edge 0.5 (1/4 + 1).
        assert_eq!(f(ENGLISH, &position, Color::White), 1.0 + 2.0 + 0.25 + 0.5 * 1.25);
        // Pieces 1 - 2, kings 2 (0 - 1), advance 1/7, edge 0.5 (1/2): not the negative.
        assert!((f(ENGLISH, &position, Color::Black) - (-1.0 - 2.0 + 1.0 / 7.0 + 0.25)).abs() < 1e-12);
    }

    #[test]
    fn the_linear_score_of_a_small_position() {
        // White: one man on 18, four free squares around it, two moves. Black: one man on 1, two free squares, two
        // moves. 10 - 4 + 10 against 10 - 2 + 10.
        let position = position("W:W18:B1");
        let judge = Judge::new(ScoreKind::Linear, LinearWeights::default(), ENGLISH, &position);
        assert_eq!(judge.score(&position), (10.0 - 4.0 + 10.0) - (10.0 - 2.0 + 10.0));
        // A man and a king against a man: 10 + 30 - 10.
        let position = self::position("W:W18,K4:B1");
        let judge = Judge::new(ScoreKind::Material, LinearWeights::default(), ENGLISH, &position);
        assert_eq!(judge.score(&position), 30.0);
    }

    #[test]
    fn where_the_loser_of_all_pieces_wins_every_score_has_the_other_sign() {
        let of = |variant, kind| {
            let position = *game_from_fen(variant, "W:W18,22,K4:B1").unwrap().position();
            let root = *game_from_fen(variant, "W:W18:B1").unwrap().position();
            let weights = LinearWeights { mobility: 0.0, free: 0.0, ..LinearWeights::default() };
            Judge::new(kind, weights, variant, &root).score(&position)
        };
        for kind in [ScoreKind::F, ScoreKind::Linear, ScoreKind::Material, ScoreKind::Change] {
            let [usual, losing] =
                [VariantId::International, VariantId::Losing].map(|variant| of(variant, kind));
            assert!(usual > 0.0 && losing == -usual, "{kind}: {usual} {losing}");
        }
    }

    #[test]
    fn the_change_counts_from_the_root() {
        // White takes a man: dU' = -1.
        let root = position("W:W18,K4:B14,1");
        let game = game_from_fen(ENGLISH, "W:W18,K4:B14,1").unwrap();
        let judge = Judge::new(ScoreKind::Change, LinearWeights::default(), ENGLISH, &root);
        assert_eq!(judge.score(&root), 0.0);
        let captures = game.legal_moves();
        assert!(captures[0].is_capture());
        assert_eq!(judge.score(&play_in(ENGLISH, &root, captures[0])), 1.0);
    }
}
