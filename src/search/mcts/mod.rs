//! Monte-Carlo tree search (G. Chaslot and others; C. Browne and others, "A survey of Monte Carlo tree search methods",
//! 2012), with a solver, on one tree that all threads share.
//!
//! `tree` is the arena of nodes and their protocol, `recycle` makes room in it, `proof` says what is certain. `worker`
//! is one thread: `descend` is one descent, `expand` gives a node its children, `select` chooses among them, `playout`
//! and `value` judge the end of the path, `backup` takes the result home. `parallel` runs the threads, `report` reads
//! the result off the root, `forest` keeps the trees from one search to the next.
//!
//! # Measurements
//!
//! Few games on a machine that was busy with other work, before the evaluation was learned; the 95% interval is wide.
//! International draughts, `kroon match A B --openings random:8:1 --max-plies 250`, where a player is `--engine
//! "proto=kroon ..."` with the words of the table, `param.search=mcts` for all but `ab`.
//!
//! | A | B | games | result of A |
//! |---|---|---|---|
//! | `param.mcts-exploration=0.1 nodes=1000` | ab, `nodes=3000` | 30 | +16 =10 -4, 70% +- 9 |
//! | `param.mcts-exploration=0.2 nodes=1000` | ab, `nodes=3000` | 30 | +13 =10 -7, 60% +- 14 |
//! | `param.mcts-exploration=0.4 nodes=1000` | ab, `nodes=3000` | 30 | +16 =9 -5, 68% +- 12 |
//! | `param.mcts-exploration=1.0 nodes=1000` | ab, `nodes=3000` | 30 | +9 =12 -9, 50% +- 12 |
//! | `param.mcts-exploration=0.4 nodes=1000` | the same with 0.1 | 40 | +9 =18 -13, 45% +- 12 |
//! | `param.mcts-selection=uct param.mcts-leaf=playout nodes=500` | `player=random nodes=1` | 40 | +40, 100% |
//! | `param.mcts-selection=rave param.mcts-leaf=playout nodes=500` | `player=random nodes=1` | 40 | +40, 100% |
//! | `param.mcts-exploration=0.4 move-time=0.1` | `selection=uct`, `leaf=playout`, `move-time=0.1` | 20 | +17 =1 -2, 88% +- 13 |
//! | `param.mcts-exploration=0.4 move-time=0.1` | ab, `move-time=0.1` | 20 | +0 =2 -18, 5% +- 6 |
//!
//! Constants of `puct` from 0.1 to 0.4 did better than 1.0, the default so far. At equal time alpha-beta is by far the
//! stronger search.

mod atomic;
mod backup;
mod descend;
mod expand;
mod forest;
#[cfg(all(test, not(loom)))]
mod invariants;
#[cfg(all(test, loom))]
mod models;
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
pub use params::{Leaf, Parallel, Params, Selection, phase_time};
pub use proof::Proof;
pub use value::{Calibrated, Curve};
