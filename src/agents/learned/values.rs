//! Learned values by their keys.

use super::MOST_ENTRIES;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Once;

/// A map of values that grows while something is learned, up to [`MOST_ENTRIES`].
#[derive(Clone, PartialEq, Debug)]
pub(super) struct ValueMap<K: Eq + Hash>(HashMap<K, ValueEntry>);

/// A value, and how often it was learned from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct ValueEntry {
    pub value: f32,
    pub visits: u32,
}

impl<K: Eq + Hash> Default for ValueMap<K> {
    fn default() -> ValueMap<K> {
        ValueMap(HashMap::new())
    }
}

impl<K: Copy + Ord + Hash> ValueMap<K> {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn value(&self, key: &K) -> Option<f64> {
        self.0.get(key).map(|entry| entry.value.into())
    }

    /// Changes a value; one that is new is `first` before. A full map takes no new ones.
    pub fn change(&mut self, key: K, first: f64, change: impl FnOnce(f64) -> f64) {
        if self.0.len() >= MOST_ENTRIES && !self.0.contains_key(&key) {
            static TOLD: Once = Once::new();
            TOLD.call_once(|| log::warn!("there are {MOST_ENTRIES} values: no new ones are learned"));
            return;
        }
        let entry = self.0.entry(key).or_insert(ValueEntry { value: first as f32, visits: 0 });
        // A gamma above 1 may drive values up without end; the largest are still numbers.
        entry.value = change(entry.value.into()).clamp(f32::MIN.into(), f32::MAX.into()) as f32;
        entry.visits = entry.visits.saturating_add(1);
    }

    /// Forgets what has fewer visits.
    pub fn prune(&mut self, least_visits: u32) {
        self.0.retain(|_, entry| entry.visits >= least_visits);
    }

    /// All keys in order, with their values.
    pub fn sorted(&self) -> Vec<(K, ValueEntry)> {
        let mut entries: Vec<_> = self.0.iter().map(|(&key, &entry)| (key, entry)).collect();
        entries.sort_unstable_by_key(|&(key, _)| key);
        entries
    }
}

impl<K: Eq + Hash> FromIterator<(K, ValueEntry)> for ValueMap<K> {
    fn from_iter<I: IntoIterator<Item = (K, ValueEntry)>>(entries: I) -> ValueMap<K> {
        ValueMap(entries.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_numbers_and_rare_ones_can_be_forgotten() {
        let mut values = ValueMap::default();
        (0..100).for_each(|_| values.change(1, 2.0, |value| value * 1e6));
        values.change(2, 2.0, |value| -value);
        assert_eq!((values.value(&1), values.value(&2)), (Some(f32::MAX.into()), Some(-2.0)));
        values.prune(2);
        assert_eq!((values.len(), values.value(&2)), (1, None));
    }
}
