//! Iterative-deepening principal-variation search.
//!
//! `iterate` deepens and talks to the observer, `root` searches the root moves, `node` one inner position,
//! `quiescence` what lies beyond the depth. All threads run the same code on one shared table (lazy SMP); only the
//! first one reports.

mod busy;
mod history;
mod iterate;
mod node;
mod ordering;
mod params;
mod quiescence;
mod root;
mod tuning;
mod worker;

pub use history::History;
pub use iterate::{Outcome, Task, search};
pub(super) use node::Window;
pub use params::MAX_DEPTH;
pub(super) use quiescence::{Quieting, quiescence};
pub use tuning::{Knob, Tuning};
