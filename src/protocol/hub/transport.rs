//! The only input and output of the protocol.

use super::Mode;
use crate::engine::Options;
use std::io;

/// Runs a session on standard input and output until `quit` or the end of the input.
///
/// # Errors
/// When standard output cannot be written.
pub fn run(_mode: Mode, _options: Options) -> io::Result<()> {
    Ok(())
}
