//! What has to be made, in which order, and what it costs.

use super::GenerateError;
use crate::rules::{Rules, VariantId};
use crate::tablebase::{Index, Material};
use std::collections::BTreeSet;

/// Bytes that the program and its writer of files need besides.
const BESIDES: u64 = 96 << 20;

/// The slices to make and the memory that each needs.
#[derive(Clone, Debug)]
pub struct Plan {
    variant: VariantId,
    steps: Vec<Step>,
}

/// Slices that are made together: one for either side to move, or one that is its own counterpart.
#[derive(Clone, Debug)]
pub struct Step {
    /// The slices.
    pub slices: Vec<Material>,
    /// Whether distances are made too.
    pub distances: bool,
    /// The positions of the slices.
    pub positions: u64,
    /// The slices that must be known, in the order of generation.
    pub needs: Vec<Material>,
    /// Bytes of memory needed.
    pub bytes: u64,
}

impl Plan {
    /// All slices of a variant with up to `pieces` pieces; those with up to `distances` pieces with distances. `memory` is
    /// the limit in bytes.
    ///
    /// ```
    /// use kroon::rules::VariantId::International;
    /// use kroon::tablebase::generate::Plan;
    ///
    /// let plan = Plan::new(International, 4, 0, 1 << 30)?;
    /// assert_eq!(plan.steps().iter().map(|step| step.positions).sum::<u64>(), 8_845 + 806_300 + 41_971_200);
    /// let error = Plan::new(International, 6, 0, 1 << 30).unwrap_err();
    /// assert!(error.to_string().ends_with("1024 MB allowed"), "{error}");
    /// # Ok::<(), kroon::tablebase::generate::GenerateError>(())
    /// ```
    ///
    /// # Errors
    /// If there are no slices of so many pieces, or one does not fit into the memory.
    pub fn new(variant: VariantId, pieces: u8, distances: u8, memory: u64) -> Result<Plan, GenerateError> {
        if !(2..=Material::MOST_PIECES).contains(&pieces) {
            return Err(GenerateError::Pieces { pieces });
        }
        let rules = variant.rules();
        let canonical = Material::all(rules, pieces).into_iter().filter(|slice| *slice == slice.canonical());
        let steps: Vec<Step> =
            canonical.map(|slice| step(rules, slice, slice.pieces() <= distances)).collect();
        let worst = steps.iter().max_by_key(|step| step.bytes);
        if let Some(step) = worst.filter(|step| step.bytes > memory) {
            let (material, need) = (step.slices[0], step.bytes);
            return Err(GenerateError::Memory { variant, material, need, allowed: memory });
        }
        Ok(Plan { variant, steps })
    }

    /// The variant.
    pub fn variant(&self) -> VariantId {
        self.variant
    }

    /// What is to do, in order.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The most memory that a step needs, in bytes.
    pub fn bytes(&self) -> u64 {
        self.steps.iter().map(|step| step.bytes).max().unwrap_or(0)
    }
}

fn step(rules: &Rules, slice: Material, distances: bool) -> Step {
    let swapped = slice.swapped();
    let slices = if slice == swapped { vec![slice] } else { vec![slice, swapped] };
    let needs = needs(rules, &slices);
    let len = |slice: &Material| Index::new(rules, *slice).map_or(0, |index| index.len());
    let positions: u64 = slices.iter().map(len).sum();
    // In memory a slice has two bits a position; at work a byte, another for its distance, and at the end both.
    let known: u64 = needs.iter().map(|slice| len(slice).div_ceil(4)).sum();
    let bytes = BESIDES + known + positions * (1 + u64::from(distances)) + positions.div_ceil(4);
    Step { slices, distances, positions, needs, bytes }
}

/// Every slice in which a position may be looked up while these are made: those to which a crowning leads, and those to
/// which captures lead, from these or from the former, one after another.
fn needs(rules: &Rules, slices: &[Material]) -> Vec<Material> {
    let mut open: Vec<Material> = slices.to_vec();
    let mut known = BTreeSet::new();
    while let Some(slice) = open.pop() {
        let at_work = slices.contains(&slice);
        for next in slice.conversions(rules) {
            // A position that is looked up is not left by crowning: only its captures are followed.
            let follow = at_work || next.pieces() < slice.pieces();
            if follow && known.insert(next) {
                open.push(next);
            }
        }
    }
    let order = Material::all(rules, slices[0].pieces());
    order.into_iter().filter(|slice| known.contains(slice)).collect()
}
