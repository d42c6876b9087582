//! Monte-Carlo tree search (G. Chaslot and others; C. Browne and others, "A survey of Monte Carlo tree search methods",
//! 2012), with a solver, on one tree that all threads share.
//!
//! `tree` is the arena of nodes and their protocol, `recycle` makes room in it, `proof` says what is certain. `worker`
//! is one thread: `descend` is one descent, `expand` gives a node its children, `select` chooses among them, `playout`
//! and `value` judge the end of the path, `backup` takes the result home. `parallel` runs the threads, `report` reads
//! the result off the root, `forest` keeps the trees from one search to the next.

mod backup;
mod descend;
mod expand;
mod forest;
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
mod team;
mod tree;
mod value;
mod worker;

pub use forest::Forest;
pub use parallel::search;
pub use params::{Leaf, Parallel, Params, Selection, UnknownWord, phase_time};
pub use proof::Proof;
pub use value::Curve;
