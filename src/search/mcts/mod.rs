//! Monte-Carlo tree search (C. Browne and others, "A survey of Monte Carlo tree search methods", 2012) by PUCT, with a
//! solver, on one tree that all threads share. The textbook form with random games is the player `agents::uct`.
//!
//! | file | what stands in it |
//! |---|---|
//! | `tree` | nodes in one arena, shared without locks |
//! | `recycle` | making room in a full arena; a subtree becomes the tree |
//! | `tree_store` | the tree between two searches |
//! | `thread` | the state of one search thread |
//! | `descend`, `expand`, `select`, `backup` | one descent: down, new children, the choice among them, and back up |
//! | `noise` | noise in the priors of the root |
//! | `value` | the value of a leaf: a curve from scores to results; the scores are those of the evaluation or of alpha-beta (`alphabeta::short`) |
//! | `proof` | proven wins, losses and draws (the solver) |
//! | `parallel`, `shared`, `rendezvous` | the threads of one search and what they share |
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
#[cfg(all(test, loom))]
mod models;
mod noise;
mod parallel;
mod params;
mod proof;
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
pub use params::{Leaf, Params};
pub use proof::Proof;
pub use tree_store::TreeStore;
pub use value::{Calibrated, ValueCurve};
