//! Integration tests, one target.

mod articles;
mod naive;
mod oracle;
mod perft;
mod rooms;
