//! Numbers that are learned, and the slopes of a loss. Slopes are summed in a fixed order, so threads do not change a bit
//! of the result.

use rayon::prelude::*;

/// Positions in a step.
pub const STEP: usize = 4_096;
/// Parts of a batch that are worked on side by side.
const PARTS: usize = 8;

/// All numbers of a network, or as many slopes.
#[derive(Clone, Debug)]
pub struct Numbers(pub Vec<f32>);

impl Numbers {
    /// So many zeros.
    pub fn zero(count: usize) -> Numbers {
        Numbers(vec![0.0; count])
    }

    /// A row.
    pub fn row<const N: usize>(&self, at: usize) -> &[f32; N] {
        // invariant: every offset leaves room for a row
        self.0[at..].first_chunk().expect("a whole row")
    }

    /// A row.
    pub fn row_mut<const N: usize>(&mut self, at: usize) -> &mut [f32; N] {
        // invariant: as above
        self.0[at..].first_chunk_mut().expect("a whole row")
    }

    /// Adds numbers to a row.
    pub fn add<const N: usize>(&mut self, at: usize, more: &[f32; N]) {
        self.row_mut::<N>(at).iter_mut().zip(more).for_each(|(number, more)| *number += more);
    }
}

/// The slopes of the loss of a batch.
pub struct Slopes {
    parts: Vec<(Numbers, f64)>,
    share: f32,
}

impl Slopes {
    /// The slopes of `count` numbers: `add` adds those of a sample and says its loss.
    pub fn of<S: Sync>(batch: &[S], count: usize, add: impl Fn(&S, &mut Numbers) -> f64 + Sync) -> Slopes {
        let parts = batch.par_chunks(STEP / PARTS).map(|part| {
            let mut slopes = Numbers::zero(count);
            let loss = part.iter().map(|sample| add(sample, &mut slopes)).sum::<f64>();
            (slopes, loss)
        });
        Slopes { parts: parts.collect(), share: 1.0 / batch.len() as f32 }
    }

    /// The sum of the losses.
    pub fn loss(&self) -> f64 {
        self.parts.iter().map(|(_, loss)| loss).sum()
    }

    /// The mean slope of a number.
    #[inline(always)]
    pub fn mean(&self, i: usize) -> f32 {
        self.parts.iter().map(|(part, _)| part.0[i]).sum::<f32>() * self.share
    }
}
