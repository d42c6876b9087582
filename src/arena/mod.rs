//! Matches: engines play each other under one referee, and statistics say which is stronger.

pub mod adjudicate;
pub mod cancel;
pub mod check;
pub mod dxp;
pub mod engines;
pub mod game_pdn;
pub mod gather;
pub mod hub;
pub mod log;
pub mod noise;
pub mod openings;
pub mod player;
pub mod player_kroon;
pub mod program;
pub mod record;
pub mod referee;
pub mod report;
pub mod run;
pub mod schedule;
pub mod shard;
pub mod spec;
pub mod stats;
pub mod store;
pub mod tally;
pub mod time_control;
pub mod tune;
