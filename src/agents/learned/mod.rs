//! Players that learn: what they know, how they choose by it, and the rules by which they change it.
//!
//! | name | what it learns | source |
//! |---|---|---|
//! | `q-learning` | a table of values of pairs (board, board after the own move) | "AI for Draught" (course report, ShanghaiTech CS181) |
//! | `approximate-q` | the weights of eight features of a move | the same |
//! | `neural-q` | the weights of ten: two are what a small network says of the boards | the same |
//! | `state-q` | values of transitions between states of seven numbers | "Checkers with reinforcement learning" |
//!
//! A [`LearnedAgent`] plays by its [`Knowledge`]: it makes the move of the largest value, and chooses among equal ones
//! at random. With a [`Lesson`] it learns as well: before its own move from what came of the move before, and from the
//! end of the game. [`crate::agents::Agent::new_game`] and the games decide everything that it does, so that a training
//! can be repeated to the bit. [`LearnedFile`] is knowledge on disk.

mod agent;
mod board;
mod embedded;
mod features;
mod file;
mod prior;
mod q_table;
mod reward;
mod states;
mod values;

pub use agent::{LearnRules, LearnedAgent, Lesson};
pub use board::LabelledBoard;
pub use features::{FEATURES, FeatureQ, PRIOR_FEATURES, StepKind};
pub use file::{LearnedFile, LearnedFileError, LearnedHeader};
pub use prior::{PriorInputs, PriorNet};
pub use q_table::QTable;
pub use reward::RewardKind;
pub use states::{AbstractState, StateQ};

#[cfg(test)]
mod tests;

use crate::board::{Color, Move, Position};
use crate::rules::{Objective, VariantId, legal_moves, play_in};
use crate::words::words;
use std::sync::Arc;

/// Values in a table at most; what would come after them is not learned.
pub const MOST_ENTRIES: usize = 1 << 22;

/// What a file of learned knowledge is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LearnedKind {
    /// The player `q-learning`.
    QLearning,
    /// The player `approximate-q`.
    ApproximateQ,
    /// The player `neural-q`.
    NeuralQ,
    /// The player `state-q`.
    StateQ,
    /// No player: the network of `neural-q`.
    Prior,
}

words!(LearnedKind {
    QLearning => "q-learning",
    ApproximateQ => "approximate-q",
    NeuralQ => "neural-q",
    StateQ => "state-q",
    Prior => "prior"
});

impl LearnedKind {
    /// Those that play.
    pub const PLAYERS: [LearnedKind; 4] =
        [LearnedKind::QLearning, LearnedKind::ApproximateQ, LearnedKind::NeuralQ, LearnedKind::StateQ];
}

/// What a learner knows.
#[derive(Clone, PartialEq, Debug)]
pub enum Knowledge {
    /// Of `q-learning`.
    Table(QTable),
    /// Of `approximate-q` and, with a network, of `neural-q`.
    Features(FeatureQ),
    /// Of `state-q`.
    States(StateQ),
    /// The network that gives `neural-q` two of its features.
    Prior(Arc<PriorNet>),
    /// The boards from which such a network is going to learn.
    Boards(Vec<LabelledBoard>),
}

impl Knowledge {
    /// What a player knows before it has learned anything: an empty table, or the first weights. The network of
    /// `neural-q` says nothing then.
    pub fn new(kind: LearnedKind, variant: VariantId) -> Knowledge {
        match kind {
            LearnedKind::QLearning => Knowledge::Table(QTable::default()),
            LearnedKind::ApproximateQ => Knowledge::Features(FeatureQ::new(None)),
            LearnedKind::NeuralQ => {
                Knowledge::Features(FeatureQ::new(Some(Arc::new(PriorNet::silent(variant)))))
            }
            LearnedKind::StateQ => Knowledge::States(StateQ::default()),
            LearnedKind::Prior => Knowledge::Boards(Vec::new()),
        }
    }

    /// What it is for.
    pub fn kind(&self) -> LearnedKind {
        match self {
            Knowledge::Table(_) => LearnedKind::QLearning,
            Knowledge::Features(features) if features.prior().is_some() => LearnedKind::NeuralQ,
            Knowledge::Features(_) => LearnedKind::ApproximateQ,
            Knowledge::States(_) => LearnedKind::StateQ,
            Knowledge::Prior(_) | Knowledge::Boards(_) => LearnedKind::Prior,
        }
    }

    /// How many values, weights or boards there are.
    pub fn len(&self) -> usize {
        match self {
            Knowledge::Table(table) => table.len(),
            Knowledge::Features(features) => features.weights().len(),
            Knowledge::States(states) => states.len(),
            Knowledge::Prior(net) => net.numbers().len(),
            Knowledge::Boards(boards) => boards.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether nothing has been learned yet: what it values a move at says nothing of the position.
    pub fn is_untrained(&self) -> bool {
        match self {
            Knowledge::Features(features) => features.is_untrained(),
            Knowledge::Table(_) | Knowledge::States(_) => self.is_empty(),
            Knowledge::Prior(_) | Knowledge::Boards(_) => true,
        }
    }

    /// The values of moves for the side that makes them, in the unit of the rewards learned from. What plays nothing
    /// values nothing: 0.
    pub fn values(&self, variant: VariantId, before: &Position, moves: &[Move]) -> Vec<f64> {
        let decisions =
            moves.iter().map(|&mv| Decision { before: *before, after: play_in(variant, before, mv) });
        match self {
            Knowledge::Table(table) => decisions.map(|decision| table.value(&decision)).collect(),
            Knowledge::Features(features) => {
                let state = features.state(variant, before);
                decisions.map(|d| features.value(&features.features(variant, &state, &d.after))).collect()
            }
            Knowledge::States(states) => {
                decisions.map(|decision| states.value(states.transition(variant, &decision))).collect()
            }
            Knowledge::Prior(_) | Knowledge::Boards(_) => vec![0.0; moves.len()],
        }
    }

    /// The value of the best own move at a decision; 0 without moves.
    fn best_value(&self, variant: VariantId, before: &Position) -> f64 {
        let moves = legal_moves(variant, before);
        self.values(variant, before, &moves).into_iter().reduce(f64::max).unwrap_or(0.0)
    }

    /// Leaves out what was learned from fewer than so many visits, for a smaller file.
    pub fn prune(&mut self, least_visits: u32) {
        match self {
            Knowledge::Table(table) => table.values.prune(least_visits),
            Knowledge::States(states) => states.values.prune(least_visits),
            Knowledge::Features(_) | Knowledge::Prior(_) | Knowledge::Boards(_) => (),
        }
    }
}

/// A move as learners see it: the board before it and the board after it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Decision {
    /// The board with the player to move.
    pub before: Position,
    /// The board after its move, the opponent to move.
    pub after: Position,
}

impl Decision {
    /// Who moves.
    pub fn side(&self) -> Color {
        self.before.turn()
    }
}

/// Who has won, if the side to move has no move; draws are not seen.
fn winner(variant: VariantId, position: &Position) -> Option<Color> {
    let blocked = position.turn();
    let is_over = legal_moves(variant, position).is_empty();
    is_over.then(|| if variant.rules().objective == Objective::Lose { blocked } else { !blocked })
}
