//! Making tables: slice by slice, each from those that its captures and crownings lead to.

mod files;
mod memory;
mod pair;
mod plan;
mod predecessors;
mod saver;
mod solved;

use super::{Index, Material};
use crate::for_variant;
use crate::rules::VariantId;
use pair::{Pair, PairError};
use saver::Saver;
use solved::Store;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::{fs, io};
use thiserror::Error;

pub use files::FileShelf;
pub use memory::MemoryShelf;
pub use plan::{Plan, Step};
pub use solved::{CAPTURE, Codes, Counts, Solved};

/// Why tables could not be made.
#[derive(Debug, Error)]
pub enum GenerateError {
    /// A number of pieces for which there are no slices.
    #[error("{pieces} pieces: expected 2 to {most}", most = Material::MOST_PIECES)]
    Pieces {
        /// What was asked for.
        pieces: u8,
    },
    /// A slice needs more memory than it may have.
    #[error(
        "{variant}, slices {material} and {swapped}: {need} MB of memory needed, {allowed} MB allowed",
        swapped = .material.swapped(), need = .need.div_ceil(1 << 20), allowed = .allowed >> 20
    )]
    Memory {
        /// The variant.
        variant: VariantId,
        /// One of the slices.
        material: Material,
        /// Bytes needed.
        need: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// A distance that a byte cannot hold.
    #[error("{variant}, slices {material} and {swapped}: a win takes more than 253 plies to its next capture or crowning, which the file of \
             distances cannot hold", swapped = .material.swapped())]
    TooFar {
        /// The variant.
        variant: VariantId,
        /// One of the slices.
        material: Material,
    },
    /// A slice could not be read or written.
    #[error("{variant}, slice {material}")]
    Shelf {
        /// The variant.
        variant: VariantId,
        /// The slice.
        material: Material,
        /// The cause.
        source: ShelfError,
    },
    /// The system gives no threads.
    #[error("{threads} threads")]
    Threads {
        /// How many were wanted.
        threads: usize,
        /// The cause.
        source: io::Error,
    },
}

/// What goes wrong with files of tables.
pub type ShelfError = Box<dyn std::error::Error + Send + Sync>;

/// Where finished slices are kept.
pub trait Shelf: Sync {
    /// Whether a slice is there, with distances if they are wanted.
    ///
    /// # Errors
    /// If it is there and unsound, or cannot be read.
    fn has(&self, material: Material, distances: bool) -> Result<bool, ShelfError>;

    /// The results of a slice that is there.
    ///
    /// # Errors
    /// If it cannot be read.
    fn load(&self, material: Material) -> Result<Arc<Solved>, ShelfError>;

    /// Where the work at a slice and its counterpart is saved, so that it can go on after it was stopped.
    fn work_file(&self, material: Material) -> Option<PathBuf> {
        let _ = material;
        None
    }

    /// Keeps a new slice for good.
    ///
    /// # Errors
    /// If it cannot be written.
    fn keep(&self, slice: Arc<Solved>, counts: &Counts) -> Result<(), ShelfError>;
}

/// How far a generation is. Written by those who work, read by those who wait.
#[derive(Debug, Default)]
pub struct Progress {
    /// Positions whose moves have been looked at, in all slices of this run.
    pub positions: AtomicU64,
    /// Positions of slices that were there before.
    pub found: AtomicU64,
    /// The [`Plan::steps`] that are done.
    pub steps: AtomicU64,
}

/// Makes the slices of a plan that are not on the shelf yet. The result does not depend on the number of threads, nor on
/// what had been made before.
///
/// ```
/// use kroon::rules::VariantId::International;
/// use kroon::tablebase::generate::{MemoryShelf, Plan, Progress, Shelf, run};
///
/// let plan = Plan::new(International, 2, 0, 1 << 30)?;
/// let shelf = MemoryShelf::default();
/// run(&plan, &shelf, 1, &Progress::default())?;
/// let kings = shelf.load("10v10".parse()?)?;
/// // One king against one: captures win, the rest is drawn but for a few positions (the count is that of GWDEGTB).
/// let count = |code| kings.codes.iter().filter(|&found| found == code).count();
/// assert_eq!([0, 1, 2, 3].map(count), [2, 2_024, 16, 408]);
/// # Ok::<(), Box<dyn std::error::Error + Send + Sync>>(())
/// ```
///
/// # Errors
/// As [`GenerateError`] says.
pub fn run(plan: &Plan, shelf: &dyn Shelf, threads: usize, progress: &Progress) -> Result<(), GenerateError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|source| GenerateError::Threads { threads, source: io::Error::other(source) })?;
    let mut store = Store::default();
    for step in plan.steps() {
        let fault = |material: Material| {
            move |source| GenerateError::Shelf { variant: plan.variant(), material, source }
        };
        let mut made = true;
        for &material in &step.slices {
            made &= shelf.has(material, step.distances).map_err(fault(material))?;
        }
        // With distances it is other work.
        let work = shelf
            .work_file(step.slices[0])
            .map(|path| if step.distances { path.with_extension("distances.work") } else { path });
        if made {
            progress.found.fetch_add(step.positions, Relaxed);
            // A kill between the last slice and its removal leaves it.
            if let Some(path) = work.filter(|path| path.exists()) {
                let _ = fs::remove_file(path);
            }
        } else {
            store.retain(|material| step.needs.contains(&material));
            for &material in &step.needs {
                if store.get(material).is_none() {
                    store.insert(shelf.load(material).map_err(fault(material))?);
                }
            }
            let solved = pool.install(|| for_variant!(plan.variant(), V => {
                let indices = step.slices.iter().filter_map(|&slice| Index::new(plan.variant().rules(), slice));
                let pair = Pair::<V>::new(indices.collect(), &store, step.distances, &progress.positions);
                pair.solve(Saver::new(work.clone()))
            }));
            let solved = solved.map_err(|error| match error {
                PairError::TooFar => {
                    GenerateError::TooFar { variant: plan.variant(), material: step.slices[0] }
                }
            })?;
            for (slice, counts) in solved {
                let (material, slice) = (slice.index.material(), Arc::new(slice));
                pool.install(|| shelf.keep(Arc::clone(&slice), &counts)).map_err(fault(material))?;
                // What leads to it asks for no distances, and the plan has no memory for them.
                store.insert(match Arc::try_unwrap(slice) {
                    Ok(slice) => Arc::new(Solved { distances: None, ..slice }),
                    Err(shared) => shared,
                });
            }
            if let Some(path) = work {
                // Left behind it does no harm: the slices are there, and the next run removes it.
                let _ = fs::remove_file(path);
            }
        }
        progress.steps.fetch_add(1, Relaxed);
    }
    Ok(())
}
