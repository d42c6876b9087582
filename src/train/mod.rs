//! Learning the evaluation from self-play: games, files of games, fitting.
//!
//! `start` makes diverse beginnings, `selfplay` plays from them, `record` is a game in a few bytes a position, `shard`
//! a file of games that survives being killed at any moment, `origin` what its first line says, `dataset` many such
//! files; `fit` makes weights of the evaluation from them.

pub mod calibration;
pub mod dataset;
pub mod fit;
pub mod origin;
pub mod record;
pub mod selfplay;
pub mod shard;
pub mod start;
pub mod visits;
