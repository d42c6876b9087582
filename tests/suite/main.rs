//! Integration tests, one target.

mod articles;
mod cli;
mod naive;
mod oracle;
mod perft;
mod readme;
mod rooms;
