//! Slices in memory, and what follows from them by captures.

use crate::board::{MoveList, Position};
use crate::rules::{Objective, Variant, movegen, play};
use crate::tablebase::{Index, Material, Value};
use std::sync::Arc;

/// The code of a position whose side to move must capture: its value follows from those of smaller slices, so it is
/// not kept. Other codes are those of [`Value::code`].
pub const CAPTURE: u8 = 3;

/// Codes of two bits each, the first position in the lowest bits of the first byte.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Codes {
    bytes: Vec<u8>,
    len: u64,
}

impl Codes {
    /// Takes `len` codes that are packed already.
    ///
    /// # Panics
    /// If there are not as many bytes as these codes need.
    pub fn from_bytes(bytes: Vec<u8>, len: u64) -> Codes {
        assert_eq!(bytes.len() as u64, len.div_ceil(4), "bytes of {len} codes");
        Codes { bytes, len }
    }

    /// The code of a position.
    ///
    /// # Panics
    /// If there is no such position.
    #[inline(always)]
    pub fn get(&self, number: u64) -> u8 {
        self.bytes[(number / 4) as usize] >> (number % 4 * 2) & 3
    }

    /// How many there are.
    #[allow(clippy::len_without_is_empty, reason = "no slice is empty")]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// The packed codes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// All codes in order.
    pub fn iter(&self) -> impl Iterator<Item = u8> + '_ {
        (0..self.len).map(|number| self.get(number))
    }
}

/// How many positions of a slice have each value, in the order of [`Value::ALL`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Those whose side to move cannot capture.
    pub quiet: [u64; 3],
    /// Those whose side to move must capture.
    pub captures: [u64; 3],
}

impl Counts {
    /// Both kinds together.
    pub fn all(&self) -> [u64; 3] {
        [0, 1, 2].map(|value| self.quiet[value] + self.captures[value])
    }
}

/// A slice in memory.
#[derive(Clone, Debug)]
pub struct Solved {
    /// Its numbers.
    pub index: Index,
    /// The code of each position.
    pub codes: Codes,
    /// The plies to the next capture or crowning, or to the end of the game, where somebody wins, if they were computed; 0
    /// for draws and captures.
    pub distances: Option<Vec<u8>>,
}

/// What a position without any move is worth.
#[inline(always)]
pub(super) const fn stuck<V: Variant>() -> Value {
    if matches!(V::RULES.objective, Objective::Lose) { Value::Win } else { Value::Loss }
}

/// Slices that are known.
#[derive(Clone, Debug)]
pub(super) struct Store {
    slices: Vec<Option<Arc<Solved>>>,
}

impl Default for Store {
    fn default() -> Store {
        Store { slices: vec![None; 1 << 12] }
    }
}

impl Store {
    /// Every kind of piece has at most 7.
    #[inline(always)]
    fn place(material: Material) -> usize {
        let Material { men, kings } = material;
        [men[0], men[1], kings[0], kings[1]]
            .iter()
            .fold(0, |place, &pieces| place << 3 | usize::from(pieces & 7))
    }

    #[inline(always)]
    pub(super) fn get(&self, material: Material) -> Option<&Arc<Solved>> {
        self.slices[Self::place(material)].as_ref()
    }

    pub(super) fn insert(&mut self, slice: Arc<Solved>) {
        let place = Self::place(slice.index.material());
        self.slices[place] = Some(slice);
    }

    /// Forgets the slices for which `keep` is false.
    pub(super) fn retain(&mut self, keep: impl Fn(Material) -> bool) {
        for place in &mut self.slices {
            if place.as_ref().is_some_and(|slice| !keep(slice.index.material())) {
                *place = None;
            }
        }
    }

    /// What a position is worth whose slice, and all that captures from it lead to, are known.
    ///
    /// # Panics
    /// If they are not.
    pub(super) fn value<V: Variant>(&self, position: &Position) -> Value {
        let us = position.turn();
        let crowned = matches!(V::RULES.objective, Objective::Crown) && position.kings().any();
        if crowned || position.side(us).is_empty() {
            return stuck::<V>();
        }
        if movegen::can_capture::<V>(position, us) {
            return self.value_of_captures::<V>(position);
        }
        let slice = Material::of(position).and_then(|material| self.get(material));
        let slice = slice.unwrap_or_else(|| panic!("the slice of {position:?} is not known"));
        let code = slice.codes.get(slice.index.of(position));
        Value::from_code(code).unwrap_or_else(|| panic!("a capture that is none: {position:?}"))
    }

    /// [`Store::value`] of a position in which there is a capture; its own slice need not be known.
    pub(super) fn value_of_captures<V: Variant>(&self, position: &Position) -> Value {
        let mut list = MoveList::new();
        movegen::captures::<V>(position, &mut list);
        let mut best = Value::Loss;
        for &mv in &list {
            best = best.max(-self.value::<V>(&play::<V>(position, mv)));
            if best == Value::Win {
                break;
            }
        }
        best
    }
}
