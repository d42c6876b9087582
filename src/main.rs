//! Kroon.
fn main() {}
