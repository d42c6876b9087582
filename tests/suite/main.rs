//! Integration tests, one target.

mod perft;
