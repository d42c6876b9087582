//! Monte-Carlo tree search (G. Chaslot and others; C. Browne and others, "A survey of Monte Carlo tree search methods",
//! 2012), with a solver, on one tree that all threads share.
//!
//! `tree` is the arena of nodes and their protocol, `recycle` makes room in it, `proof` says what is certain. `thread`
//! is one thread: `descend` is one descent, `expand` gives a node its children, `select` chooses among them, `playout`
//! and `value` judge the end of the path, `backup` takes the result home. `parallel` runs the threads, `report` reads
//! the result off the root, `tree_store` keeps the trees from one search to the next.
//!
//! # Measurements
//!
//! On two cores of a server that were busy with other work all the time, so times are noisy; games and visits are
//! counted, not timed, where a row says `nodes`. After each score stands the half-width of its 95% interval.
//! International draughts with the first learned evaluation, of patterns alone.
//!
//! ## Constants
//!
//! `kroon match --openings random:8:1 --max-plies 200 A B` (seed 2 for 4000 nodes, 3 for 10000), where both players are
//! `--engine "proto=kroon param.search=mcts ..."` with the words of the table and `C` is `param.mcts-exploration`:
//!
//! | A | B | games | result of A |
//! |---|---|---|---|
//! | `C=0.1 nodes=1000` | `C=0.2 nodes=1000` | 200 | +10 =139 -51, 39.8% +- 3.3 |
//! | `C=0.4 nodes=1000` | `C=0.2 nodes=1000` | 200 | +56 =118 -26, 57.5% +- 4.5 |
//! | `C=0.8 nodes=1000` | `C=0.2 nodes=1000` | 200 | +52 =109 -39, 53.3% +- 4.4 |
//! | `C=0.4 nodes=4000` | `C=0.8 nodes=4000` | 160 | +21 =107 -32, 46.6% +- 4.6 |
//! | `C=0.6 nodes=4000` | `C=0.8 nodes=4000` | 120 | +19 =83 -18, 50.4% +- 5.1 |
//! | `C=0.4 nodes=10000` | `C=0.8 nodes=10000` | 40 | +4 =26 -10, 42.5% +- 9.5 |
//! | `C=1.6 nodes=4000` | `C=0.8 nodes=4000` | 60 | +8 =32 -20, 40.0% +- 7.5 |
//! | `C=0.8 nodes=4000` | `param.mcts-selection=uct nodes=4000` | 100 | +82 =14 -4, 89.0% +- 4.4 |
//!
//! More visits want a larger constant, up to a point. 0.8 is the default of `puct`: a move of a real game has ten thousand
//! visits and more. The scales of the curves are those of `cargo bench --bench mcts -- calibrate`.
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
//! `tree`, two threads against one with as many visits (`param.threads=2`), `nodes=2000` for both, 200 games each: with
//! `puct` and `eval` +29 =148 -23, 51.5% +- 3.2, with `uct` and `playout` +78 =34 -88, 47.5% +- 6.5.
//!
//! `cargo bench --bench mcts` says how many visits a second one thread makes and two. The processor time of all threads for one million visits from the initial position (`time kroon`, after `set-param`
//! and `level nodes=...` lines, `go analyze`), on a busy machine:
//!
//! | | one thread | two threads | visits a second of one processor |
//! |---|---|---|---|
//! | `uct` `playout` | 7.4 s | 7.4 s | 135,000 |
//! | `rave` `playout` | 8.8 s | 8.4 s | 114,000 |
//! | `puct` `eval` | 3.1 s | 3.0 s | 325,000 |
//!
//! Visits a second in real time on two idle cores, three runs each, with generation 3 of the learned evaluation
//! (`level nodes=250000` and `600000`, `go analyze`, `mcts-hash=1024`):
//!
//! | | one thread | two threads | ratio |
//! |---|---|---|---|
//! | `uct` `playout` | 118,000 to 151,000 | 250,000 to 294,000 | 1.95, 2.24, 1.89 |
//! | `puct` `eval` | 256,000 to 319,000 | 463,000 to 477,000 | 1.87, 1.46, 1.73 |
//!
//! ## Tactics
//!
//! Share of 200 positions solved, in which the only winning move is proven by alpha-beta (`tests/data/tactics.txt`),
//! `cargo bench --bench mcts -- tactics`:
//!
//! | visits | 100 | 1,000 | 10,000 | 100,000 |
//! |---|---|---|---|---|
//! | `puct` `eval` | 54.5% | 73.0% | 86.0% | 90.0% |
//! | `uct` `eval` | 50.0% | 82.5% | 96.0% | |
//! | `uct` `playout` | 50.5% | 79.0% | 96.5% | 98.5% |
//! | `uct` `playout-heavy` | 53.0% | 87.5% | 96.0% | 98.5% |
//! | `ucb-log10` `playout` | 41.0% | 79.0% | 94.0% | |
//! | `rave` `playout` | 48.0% | 80.0% | 91.0% | |
//!
//! `puct` trusts its priors, which makes it strong in games and slow to see a sacrifice. Most of the positions (167) are
//! of breakthrough, where wins are short enough to be proven with many pieces on the board; 21 are international, 12
//! Russian.
//!
//! ## Memory
//!
//! An hour of `go analyze` from the initial position with `param mcts-hash 64`: 78.6 MiB before the search, with the table
//! of the alpha-beta search, and never more than 141.6 MiB, sampled every ten seconds: 63.0 MiB for the tree and all that
//! goes with it.

mod atomic;
mod backup;
mod descend;
mod expand;
#[cfg(all(test, not(loom)))]
mod invariants;
mod leaf_parallel;
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
mod thread;
mod tree;
mod tree_store;
mod value;

pub use parallel::search;
pub use params::{Leaf, Parallel, Params, Selection, phase_time};
pub use proof::Proof;
pub use tree_store::TreeStore;
pub use value::{Calibrated, ValueCurve};
