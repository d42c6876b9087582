//! Quiescence of single positions, outside a search: no history, no tables.

use super::quiescence::Quiescence;
use super::window::Window;
use crate::board::{Key, Position};
use crate::eval::Evaluator;
use crate::rules::Variant;
use crate::rules::draws::Counters;
use crate::score::Score;

/// Most nodes for one position: beyond, it counts as quiet.
pub(super) const MOST_NODES: u32 = 20_000;
/// Positions of it whose captures take long to find.
pub(super) const MOST_SLOW: u32 = 8;
/// Plies in which a threatened side gets a full ply instead of its static value. The tree search has the same: policies
/// learn from these values and are asked with those of the tree search, so with other numbers they must be learned anew.
pub(super) const THREAT_PLIES: i32 = 1;

/// Values positions when they have become quiet.
///
/// ```
/// use kroon::eval::HandMade;
/// use kroon::game::Game;
/// use kroon::rules::{International, VariantId};
/// use kroon::search::QuietSearch;
/// let game = Game::new(VariantId::International);
/// let mut quiet = QuietSearch::<International, _>::new(&HandMade);
/// assert!(quiet.value(game.position()).centi().abs() < 20);
/// ```
pub struct QuietSearch<'a, V: Variant, E: Evaluator<V>> {
    evaluator: &'a E,
    memory: E::Memory,
    keys: Vec<Key>,
    nodes: u32,
    variant: std::marker::PhantomData<V>,
}

impl<'a, V: Variant, E: Evaluator<V>> QuietSearch<'a, V, E> {
    /// With this evaluation.
    pub fn new(evaluator: &'a E) -> Self {
        QuietSearch {
            evaluator,
            memory: E::Memory::default(),
            keys: Vec::new(),
            nodes: 0,
            variant: std::marker::PhantomData,
        }
    }

    /// The value for the side to move.
    pub fn value(&mut self, position: &Position) -> Score {
        self.nodes = 0;
        self.keys.clear();
        let window = Window { alpha: -Score::INFINITE, beta: Score::INFINITE };
        let score = self.quiescence(position, Counters::default(), window, 0, 0);
        if self.is_stopped() { self.evaluate(position, 0) } else { score }
    }
}

impl<V: Variant, E: Evaluator<V>> Quiescence<V> for QuietSearch<'_, V, E> {
    fn count_node(&mut self) -> bool {
        self.nodes += 1;
        self.is_stopped()
    }

    fn look_soon(&mut self) {
        self.nodes += MOST_NODES / MOST_SLOW;
    }

    fn is_stopped(&self) -> bool {
        self.nodes > MOST_NODES
    }

    fn keys(&mut self) -> &mut Vec<Key> {
        &mut self.keys
    }

    fn is_repetition(&self, _: u16) -> bool {
        false
    }

    fn threat_plies(&self) -> i32 {
        THREAT_PLIES
    }

    fn table_score(&self, _: &Position, _: Counters, _: usize) -> Option<Score> {
        None
    }

    fn evaluate(&mut self, position: &Position, ply: usize) -> Score {
        self.evaluator.evaluate_with(&mut self.memory, position, ply)
    }
}
