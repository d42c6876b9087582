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
    /// The slopes of `count` numbers: `add` adds those of a sample and says its loss and something else, which is returned
    /// for all samples in their order.
    pub fn of<S: Sync, R: Send>(
        batch: &[S],
        count: usize,
        add: impl Fn(&S, &mut Numbers) -> (f64, R) + Sync,
    ) -> (Slopes, Vec<R>) {
        let parts = batch.par_chunks(STEP / PARTS).map(|part| {
            let mut slopes = Numbers::zero(count);
            let mut loss = 0.0;
            let mut rest = Vec::with_capacity(part.len());
            for sample in part {
                let (more, of_sample) = add(sample, &mut slopes);
                loss += more;
                rest.push(of_sample);
            }
            ((slopes, loss), rest)
        });
        let (parts, rest): (Vec<_>, Vec<Vec<R>>) = parts.unzip();
        let slopes = Slopes { parts, share: 1.0 / batch.len() as f32 };
        (slopes, rest.into_iter().flatten().collect())
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
