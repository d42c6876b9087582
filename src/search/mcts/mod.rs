//! Monte-Carlo tree search (G. Chaslot and others; C. Browne and others, "A survey of Monte Carlo tree search methods",
//! 2012), with a solver, on one tree that all threads share.
//!
//! | file | what stands in it |
//! |---|---|
//! | `tree` | nodes in one arena, shared without locks |
//! | `recycle` | making room in a full arena; a subtree becomes the tree |
//! | `tree_store` | the trees between two searches |
//! | `thread` | the state of one search thread |
//! | `descend`, `expand`, `select`, `backup` | one descent: down, new children, the choice among them, and back up |
//! | `noise` | noise in the priors of the root |
//! | `playout`, `value` | the value of a leaf: by a random game, or by a curve from scores to results; the scores are those of the evaluation or of alpha-beta (`alphabeta::short`) |
//! | `rave` | the moves of random games, for RAVE |
//! | `proof` | proven wins, losses and draws (the solver) |
//! | `parallel`, `shared`, `leaf_parallel`, `rendezvous` | the threads of one search and what they share |
//! | `report` | root moves, score and variation |
//! | `params` | the options |
//!
//! `src/train/EXPERIMENTS.md` has the measurements from which constants and defaults were taken.

mod atomic;
mod backup;
mod descend;
mod expand;
#[cfg(all(test, not(loom)))]
mod invariants;
mod leaf_parallel;
#[cfg(all(test, loom))]
mod models;
mod noise;
mod parallel;
mod params;
mod playout;
mod proof;
mod rave;
mod recycle;
mod rendezvous;
mod report;
mod select;
mod shared;
mod thread;
mod tree;
mod tree_store;
mod value;

pub use parallel::search;
pub use params::{Leaf, Parallel, Params, Selection, phase_time};
pub use proof::Proof;
pub use tree_store::TreeStore;
pub use value::{Calibrated, ValueCurve};
