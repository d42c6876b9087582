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
//! On two cores of a server that were busy with other work all the time, so times are noisy; games and visits are
//! counted, not timed, where a row says `nodes`. After each score stands the half-width of its 95% interval.
//! International draughts with the learned evaluation.
//!
//! ## Constants
//!
//! `kroon match --openings random:8:1 --max-plies 200 A B`, where both players are `--engine "proto=kroon
//! param.search=mcts ..."` with the words of the table and `C` is `param.mcts-exploration`:
//!
//! | A | B | games | result of A |
//! |---|---|---|---|
//! | `C=0.1 nodes=1000` | `C=0.2 nodes=1000` | 200 | +10 =139 -51, 39.8% +- 3.3 |
//! | `C=0.4 nodes=1000` | `C=0.2 nodes=1000` | 200 | +56 =118 -26, 57.5% +- 4.5 |
//! | `C=0.8 nodes=1000` | `C=0.2 nodes=1000` | 200 | +52 =109 -39, 53.3% +- 4.4 |
//! | `C=0.4 nodes=4000` | `C=0.8 nodes=4000` | 160 | +21 =107 -32, 46.6% +- 4.6 |
//! | `C=0.6 nodes=4000` | `C=0.8 nodes=4000` | 120 | +19 =83 -18, 50.4% +- 5.1 |
//! | `C=0.4 nodes=10000` | `C=0.8 nodes=10000` | 40 | +4 =26 -10, 42.5% +- 9.5 |
//! | `C=0.8 nodes=4000` | `param.mcts-selection=uct nodes=4000` | 100 | +82 =14 -4, 89.0% +- 4.4 |
//!
//! More visits want a larger constant. 0.8 is the default of `puct`: a move of a real game has ten thousand visits and
//! more. The scales of the curves are those of `cargo bench --bench mcts -- calibrate`.
//!
//! ## Ladder
//!
//! A tenth of a second for each move: `kroon match --games 100 --move-time 0.1 --openings random:8:1 --max-plies 200 A B`
//!
//! | A | B | result of A |
//! |---|---|---|
//! | `param.search=mcts` (with `C=0.4`) | `param.search=mcts param.mcts-selection=uct param.mcts-leaf=playout` | +94 =4 -2, 96.0% +- 3.2 |
//! | `param.search=mcts param.mcts-selection=uct param.mcts-leaf=playout` | `player=random` | +100, 100% |
//! | `param.search=mcts param.mcts-selection=rave param.mcts-leaf=playout` | `player=random` | +100, 100% |
//! | `param.search=mcts` | `param.search=alphabeta` | +0 =15 -85, 7.5% +- 3.5 |
//!
//! At equal time alpha-beta is by far the stronger search.
//!
//! ## Threads
//!
//! `tree`, two threads against one with as many visits, `nodes=2000` for both, 200 games each: with `puct` and `eval`
//! +29 =148 -23, 51.5% +- 3.2, with `uct` and `playout` +78 =34 -88, 47.5% +- 6.5. Thousands of visits a second from the initial position, `cargo bench --bench mcts`:
//!
//! @SPEED
//!
//! ## Tactics
//!
//! Share of 200 positions solved in which the only winning move is proven by alpha-beta (`tests/data/tactics.txt`),
//! `cargo bench --bench mcts -- tactics`:
//!
//! @TACTICS
//!
//! ## Memory
//!
//! @MEMORY

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
