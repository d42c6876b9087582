//! Integration tests, one target.

mod naive;
mod oracle;
mod perft;
