//! Search. Names no protocol and does no input or output: it polls a [`Control`] and calls an [`Observer`].

mod control;
mod limits;
mod observer;

pub use control::Control;
pub use limits::{ClockLimit, Limits};
pub use observer::{Info, Observer};
