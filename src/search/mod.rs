//! Search: alpha-beta and Monte-Carlo tree search, and what both share: task and result, clock, window, quiescence.
//! Names no protocol and does no input or output: it polls a [`Control`] and calls an [`Observer`].

pub mod alphabeta;
mod clock;
mod control;
mod endgame;
mod limits;
pub mod mcts;
mod memory;
mod observer;
mod offer;
mod quiescence;
mod quiet;
mod stack;
pub mod table;
mod task;
mod window;

pub use clock::Bounds;
pub use control::Control;
pub use endgame::EndgameTables;
pub use limits::{ClockLimit, Handicap, Limits};
pub use observer::{Info, Observer, TreeMove};
pub(crate) use quiescence::{blocked, may_be_slow};
pub use quiet::QuietSearch;
pub use stack::{search_thread, spawn_search};
pub use task::{SearchResult, SearchTask};

/// Deepest ply that a line can reach, extensions and quiescence included.
const MAX_PLY: usize = 240;
