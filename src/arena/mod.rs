//! Matches: engines play each other under one referee, and statistics say which is stronger.

pub mod adjudicate;
pub mod cancel;
pub mod check;
pub mod dxp;
pub mod game_pdn;
pub mod house;
pub mod hub;
pub mod log;
pub mod openings;
pub mod pace;
pub mod player;
pub mod record;
pub mod referee;
pub mod report;
pub mod run;
pub mod schedule;
pub mod spec;
pub mod stats;
pub mod store;
pub mod tally;
pub mod team;
pub mod tune;
