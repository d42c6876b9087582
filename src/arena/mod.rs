//! Matches: engines play each other under one referee, and statistics say which is stronger.

pub mod openings;
pub mod stats;
