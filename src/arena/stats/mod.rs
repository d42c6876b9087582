//! Statistics of a match: counts, Elo, normalised Elo, the sequential test.

mod counts;
mod estimate;
mod normal;
#[cfg(test)]
mod simulation;
mod sprt;

pub use counts::{Distribution, Pentanomial, Trinomial};
pub use estimate::{Estimate, Interval, elo};
pub use normal::{Z95, normal_cdf};
pub use sprt::{Sprt, SprtError, SprtVerdict};
