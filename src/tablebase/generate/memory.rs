//! Slices that are kept in memory.

use super::solved::{Counts, Solved, Store};
use super::{Shelf, ShelfError};
use crate::board::Position;
use crate::for_variant;
use crate::rules::VariantId;
use crate::rules::movegen::can_capture;
use crate::tablebase::{Material, Value};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;

/// Keeps slices in memory: for tests, and for tables that are only looked at.
#[derive(Debug, Default)]
pub struct MemoryShelf(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    tables: Store,
    counts: HashMap<Material, Counts>,
}

impl MemoryShelf {
    /// How many positions of a slice have each value, if it has been made.
    pub fn counts(&self, material: Material) -> Option<Counts> {
        self.0.lock().counts.get(&material).copied()
    }

    /// The value of a position and, where somebody wins and distances were made, the plies to the next capture or
    /// crowning, or to the end of the game. `None` if its slice has not been made for this variant.
    pub fn lookup(&self, variant: VariantId, position: &Position) -> Option<(Value, Option<u8>)> {
        let material = Material::of(position)?;
        let kept = self.0.lock();
        let slice = kept.tables.get(material)?;
        let (value, captures) = for_variant!(variant, V => {
            (kept.tables.value::<V>(position), can_capture::<V>(position, position.turn()))
        });
        let distance = slice
            .distances
            .as_ref()
            .filter(|_| value != Value::Draw)
            .map(|distances| if captures { 1 } else { distances[slice.index.of(position) as usize] });
        Some((value, distance))
    }
}

impl Shelf for MemoryShelf {
    fn has(&self, material: Material, distances: bool) -> Result<bool, ShelfError> {
        let kept = self.0.lock();
        Ok(kept.tables.get(material).is_some_and(|slice| !distances || slice.distances.is_some()))
    }

    fn load(&self, material: Material) -> Result<Arc<Solved>, ShelfError> {
        let kept = self.0.lock();
        kept.tables.get(material).cloned().ok_or_else(|| format!("slice {material} is not in memory").into())
    }

    fn keep(&self, slice: Arc<Solved>, counts: &Counts) -> Result<(), ShelfError> {
        let mut kept = self.0.lock();
        kept.counts.insert(slice.index.material(), *counts);
        kept.tables.insert(slice);
        Ok(())
    }
}
