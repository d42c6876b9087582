//! What can be wrong with a book.

use crate::rules::VariantId;
use std::io;
use std::path::Path;

/// Why a book cannot be read, written or built.
#[derive(thiserror::Error, Debug)]
pub enum BookError {
    /// The file cannot be read or written.
    #[error("\"{path}\": {source}")]
    Io {
        /// The file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// The system gives no thread.
    #[error("the system gives no thread: {0}")]
    Thread(io::Error),
    /// A fault of this file.
    #[error("\"{path}\": {source}")]
    File {
        /// The file.
        path: String,
        /// What is wrong with it.
        source: Box<BookError>,
    },
    /// Some other file.
    #[error("no opening book of Kroon")]
    NoBook,
    /// A book of another version.
    #[error("version {found} of the format, this program knows version {known}")]
    Version {
        /// In the file.
        found: u16,
        /// What this program writes.
        known: u16,
    },
    /// A book of a variant that this program does not know.
    #[error("unknown variant {name:?}")]
    Variant {
        /// Its name in the file.
        name: String,
    },
    /// A book of another variant.
    #[error("a book for {found} draughts, expected {expected}")]
    OtherVariant {
        /// In the file.
        found: VariantId,
        /// Which variant is played.
        expected: VariantId,
    },
    /// The head says what no book has.
    #[error("the head says {what} {value}, which no book has")]
    Head {
        /// Which entry.
        what: &'static str,
        /// What it says.
        value: u64,
    },
    /// The file is shorter or longer than whole entries make it.
    #[error("{found} bytes are no whole number of entries: the file is cut off or has grown")]
    Size {
        /// Bytes of the file.
        found: u64,
    },
    /// The bytes are not those that were written.
    #[error("damaged: wrong checksum")]
    Checksum,
    /// An entry is not where it would be found.
    #[error("entry {entry} is out of order")]
    Order {
        /// Its number, from 0.
        entry: u64,
    },
    /// The state of a build cannot be kept or read.
    #[error("\"{path}\": {fault}")]
    State {
        /// The file of the state.
        path: String,
        /// What the database says.
        fault: String,
    },
    /// A build is to go on with other settings than it began with.
    #[error("\"{path}\": begun with {found}, not with {expected}")]
    OtherSettings {
        /// The file of the state.
        path: String,
        /// What it was begun with.
        found: String,
        /// What is asked for.
        expected: String,
    },
    /// No position of the games was reached often enough, so a book of them would be empty.
    #[error("no position is in {games} games or more")]
    Empty {
        /// How many games were asked for.
        games: u64,
    },
    /// A build was begun there before.
    #[error("\"{path}\" has a build that was begun before: resume it, or remove the file")]
    Begun {
        /// The file of the state.
        path: String,
    },
}

impl BookError {
    pub(super) fn io(path: &Path, source: io::Error) -> BookError {
        BookError::Io { path: path.display().to_string(), source }
    }

    /// The same fault with the name of the file.
    pub(super) fn of(self, path: &Path) -> BookError {
        match self {
            named @ (BookError::Io { .. } | BookError::File { .. }) => named,
            fault => BookError::File { path: path.display().to_string(), source: Box::new(fault) },
        }
    }
}
