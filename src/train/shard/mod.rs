//! A file of self-play games: a line of JSON that says how they were made, then the games one after another.
//!
//! Each game is framed by its length (2 bytes, little-endian) and the low half of its XXH3 checksum (4 bytes). A file
//! is only ever appended to, a whole frame at a time, so a kill leaves at most one torn frame at the end, and a computer
//! that stops may leave zeros there that were never written: readers ignore both, and the next run cuts them off. A length
//! that leads beyond the end although whole games follow is damage, which readers name.
//!
//! `header` is that line, `frame` a game in its frame; `reader` and `writer` go through a file.

mod frame;
mod header;
mod reader;
#[cfg(test)]
mod tests;
mod writer;

pub use frame::{MOST_PAYLOAD, frame};
pub use header::ShardHeader;
pub use reader::ShardReader;
pub use writer::ShardWriter;
pub(super) use writer::lock;

use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why a shard cannot be read or written.
#[derive(Debug, Error)]
pub enum ShardError {
    /// The system says no.
    #[error("\"{path}\": {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The system gives no thread.
    #[error("the system gives no thread: {0}")]
    Thread(io::Error),
    /// The first line is none of ours.
    #[error("\"{path}\" is no file of self-play games: it begins with {found}")]
    Header {
        /// The file.
        path: PathBuf,
        /// What stands there.
        found: String,
    },
    /// It was made otherwise than the run that wants to go on.
    #[error("\"{path}\" was made with {found}, not with {wanted}: choose another --shard or --seed")]
    Other {
        /// The file.
        path: PathBuf,
        /// How it was made.
        found: String,
        /// How it should have been.
        wanted: String,
    },
    /// Another run appends to it.
    #[error("\"{0}\" is in use by another run")]
    InUse(PathBuf),
    /// A game is damaged.
    #[error("\"{path}\", game {game} at byte {offset}: {fault}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Which one, from 0.
        game: u64,
        /// Where it begins.
        offset: u64,
        /// What is wrong.
        fault: String,
    },
}
