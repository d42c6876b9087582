//! Search. Names no protocol and does no input or output: it polls a [`Control`] and calls an [`Observer`].

pub mod alphabeta;
mod clock;
mod control;
mod limits;
pub mod mcts;
mod observer;
pub mod table;

pub use clock::Bounds;
pub use control::Control;
pub use limits::{ClockLimit, Limits};
pub use observer::{Info, Observer};
