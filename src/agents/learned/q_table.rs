//! The table of `q-learning`.

use super::{Decision, MOST_ENTRIES};
use std::collections::HashMap;

/// A table of values of pairs (board, board after the own move): tabular Q-learning as in "AI for Draught". A pair that
/// was never visited is worth 0.
///
/// Pairs are kept by a hash of 64 bits: among four million of them a wrong one is found once in four million million
/// questions.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct QTable {
    entries: HashMap<u64, QEntry>,
}

/// What is known of a pair.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct QEntry {
    /// Its value.
    pub value: f32,
    /// How often it was learned from.
    pub visits: u32,
}

impl QTable {
    /// How many pairs were visited.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing was learned.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The value of a pair.
    pub fn value(&self, decision: &Decision) -> f64 {
        self.entries.get(&key(decision)).map_or(0.0, |entry| entry.value.into())
    }

    /// `Q <- (1 - alpha) Q + alpha sample`. A table of [`MOST_ENTRIES`] takes no more pairs.
    pub fn learn(&mut self, decision: &Decision, sample: f64, alpha: f64) {
        let is_full = self.entries.len() >= MOST_ENTRIES;
        let key = key(decision);
        if is_full && !self.entries.contains_key(&key) {
            return;
        }
        let entry = self.entries.entry(key).or_insert(QEntry { value: 0.0, visits: 0 });
        entry.value = ((1.0 - alpha) * f64::from(entry.value) + alpha * sample) as f32;
        entry.visits = entry.visits.saturating_add(1);
    }

    /// Forgets pairs with fewer visits.
    pub(super) fn prune(&mut self, least_visits: u32) {
        self.entries.retain(|_, entry| entry.visits >= least_visits);
    }

    /// All pairs, by their hashes.
    pub(super) fn sorted(&self) -> Vec<(u64, QEntry)> {
        let mut entries: Vec<_> = self.entries.iter().map(|(&key, &entry)| (key, entry)).collect();
        entries.sort_unstable_by_key(|&(key, _)| key);
        entries
    }

    /// A table of these pairs.
    pub(super) fn from_entries(entries: impl Iterator<Item = (u64, QEntry)>) -> QTable {
        QTable { entries: entries.collect() }
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
        table.prune(2);
        assert_eq!((table.len(), table.value(&decisions[1])), (1, 0.0));
    }
}
