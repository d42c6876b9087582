//! Learning the evaluation from self-play: games, files of games, fitting.
//!
//! `start` makes diverse beginnings, `selfplay` plays from them, `record` is a game in a few bytes a position, `shard`
//! a file of games that survives being killed at any moment; `fit` makes weights of the evaluation from such files.

pub mod fit;
pub mod record;
pub mod selfplay;
pub mod shard;
pub mod start;
