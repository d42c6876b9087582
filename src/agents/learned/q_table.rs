//! The table of `q-learning`.

use super::Decision;
use super::values::ValueMap;

/// A table of values of pairs (board, board after the own move): tabular Q-learning as in "AI for Draught". A pair that
/// was never visited is worth 0. A table of [`MOST_ENTRIES`](super::MOST_ENTRIES) takes no more pairs.
///
/// Pairs are kept by a hash of 64 bits: among four million of them a wrong one is found once in four million million
/// questions.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct QTable {
    pub(super) values: ValueMap<u64>,
}

impl QTable {
    /// How many pairs were visited.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether nothing was learned.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of a pair.
    pub fn value(&self, decision: &Decision) -> f64 {
        self.values.value(&key(decision)).unwrap_or(0.0)
    }

    /// `Q <- (1 - alpha) Q + alpha sample`.
    pub fn learn(&mut self, decision: &Decision, sample: f64, alpha: f64) {
        self.values.change(key(decision), 0.0, |value| (1.0 - alpha) * value + alpha * sample);
    }
}

fn key(decision: &Decision) -> u64 {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&decision.before.key().0.to_le_bytes());
    bytes[8..].copy_from_slice(&decision.after.key().0.to_le_bytes());
    xxhash_rust::xxh3::xxh3_64(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::rules::{VariantId, play_in};

    #[test]
    fn one_update_by_hand() {
        let game = Game::new(VariantId::English);
        let before = *game.position();
        let decisions: Vec<Decision> = (game.legal_moves().iter())
            .map(|&mv| Decision { before, after: play_in(VariantId::English, &before, mv) })
            .collect();
        let mut table = QTable::default();
        assert_eq!(table.value(&decisions[0]), 0.0);
        // alpha 0.4, reward 1.5, gamma 0.8 and best next value 2: the sample is 1.5 + 0.8 2 = 3.1.
        // 0.6 0 + 0.4 3.1 = 1.24; the same again: 0.6 1.24 + 0.4 3.1 = 1.984.
        table.learn(&decisions[0], 1.5 + 0.8 * 2.0, 0.4);
        assert!((table.value(&decisions[0]) - 1.24).abs() < 1e-6);
        table.learn(&decisions[0], 3.1, 0.4);
        assert!((table.value(&decisions[0]) - 1.984).abs() < 1e-6);
        assert_eq!((table.len(), table.value(&decisions[1])), (1, 0.0));
        table.learn(&decisions[1], 1.0, 1.0);
        table.values.prune(2);
        assert_eq!((table.len(), table.value(&decisions[1])), (1, 0.0));
    }
}
