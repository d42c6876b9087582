//! Iterative-deepening principal-variation search.
//!
//! `iterate` deepens and talks to the observer, `root` searches the root moves, `node` one inner position. What lies
//! beyond the depth is searched by `search::quiescence`; `fading` is for values near a draw by count. `offers` is what
//! losing draughts does otherwise. `short` searches single positions for the tree search.
//!
//! Threads divide the work: each runs the same code on the shared transposition table and leaves for later what another
//! is searching (`busy`). Whoever completes an iteration first has done it for all; the others take over its result and
//! begin the next. Only the first thread reports.

mod busy;
mod fading;
mod history;
mod iterate;
mod node;
mod offers;
mod ordering;
mod params;
mod pruning;
mod root;
mod short;
mod thread;
mod tuning;

pub use history::History;
pub use iterate::search;
pub use params::MAX_DEPTH;
pub use short::AlphaBetaMemory;
pub(in crate::search) use short::{ShortSearch, ShortSearches};
pub use tuning::{Knob, Tuning};
