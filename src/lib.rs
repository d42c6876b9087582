//! Kroon: a draughts engine and toolbox.
#![warn(missing_docs)]

pub mod board;
pub mod engine;
pub mod eval;
pub mod game;
pub mod notation;
pub mod protocol;
pub mod rules;
pub mod score;
pub mod search;
