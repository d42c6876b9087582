//! The file format of endgame tables: values by index, compressed, each block readable alone.
//!
//! `protocol-docs/tables.md` describes it byte by byte. The format knows nothing of positions: [`TableName`] says what the
//! values belong to, the index which value belongs to which position.

mod bits;
mod dictionary;
mod encode;
mod head;
mod table;
mod tokens;
mod train;
mod write;

#[cfg(test)]
mod tests;

pub(super) use head::MAGIC;
pub use table::Table;
pub use write::{Values, encode, write};

use super::Material;
use crate::rules::VariantId;
use std::io;
use std::path::Path;

/// A value that nobody asks for, so that every other one may stand in its place.
pub const ANY: u8 = 255;

/// What the values of a table are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Win, draw or loss for the side to move.
    Outcome = 0,
    /// Plies to the end of the slice or of the game.
    Distance = 1,
}

impl Kind {
    /// The end of the names of its files.
    pub const fn extension(self) -> &'static str {
        match self {
            Kind::Outcome => "outcome",
            Kind::Distance => "distance",
        }
    }

    /// What its values are, in a sentence.
    const fn word(self) -> &'static str {
        match self {
            Kind::Outcome => "outcomes",
            Kind::Distance => "distances",
        }
    }
}

/// What a table is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TableName {
    /// The rules.
    pub variant: VariantId,
    /// What its values are.
    pub kind: Kind,
    /// Its slice.
    pub material: Material,
}

/// Why a table cannot be read or written.
#[derive(thiserror::Error, Debug)]
pub enum FormatError {
    /// The file cannot be read or written.
    #[error("{path:?}: {source}")]
    Io {
        /// The file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// Some other file.
    #[error("no endgame table of Kroon")]
    NoTable,
    /// A table of another version.
    #[error("version {found} of the format, this program knows version {known}")]
    Version {
        /// In the file.
        found: u16,
        /// What this program writes.
        known: u16,
    },
    /// A table of a variant that this program does not know.
    #[error("unknown variant {name:?}")]
    Variant {
        /// Its name in the file.
        name: String,
    },
    /// A table of another variant than the folder's.
    #[error("a table for {found} draughts, expected {expected}")]
    OtherVariant {
        /// In the file.
        found: VariantId,
        /// Whose tables are opened.
        expected: VariantId,
    },
    /// Another table than its file is named for.
    #[error("a table of {} of {}, slice {}", found.kind.word(), found.variant, found.material)]
    OtherTable {
        /// What it is.
        found: Box<TableName>,
    },
    /// Distances say nothing without the results that they belong to.
    #[error("distances without the table of results beside them")]
    NoResults,
    /// A table of a slice that the variant does not have, or with another number of positions.
    #[error("{values} values for {material}, which has another number of positions")]
    Count {
        /// The slice.
        material: Material,
        /// How many values.
        values: u64,
    },
    /// The head says what cannot be.
    #[error("the head says {what} {value}, which no table has")]
    Head {
        /// Which entry.
        what: &'static str,
        /// What it says.
        value: u64,
    },
    /// The file is shorter or longer than its head says.
    #[error("{found} bytes, {} expected: the file is cut off or has grown", expected.map_or_else(|| "more than any file".to_owned(), |size| size.to_string()))]
    Size {
        /// Bytes of the file.
        found: u64,
        /// Bytes that the head asks for.
        expected: Option<u64>,
    },
    /// The checksum of head, dictionary and directory is wrong.
    #[error("damaged before the first block: wrong checksum")]
    Directory,
    /// The dictionary has an impossible symbol.
    #[error("damaged: symbol {symbol} of the dictionary is impossible")]
    Symbol {
        /// Which.
        symbol: usize,
    },
    /// A block is damaged.
    #[error("block {block} or one of the 15 after it is damaged: wrong checksum")]
    Block {
        /// Its number, from 0.
        block: u64,
    },
    /// A table that would be too large.
    #[error("{values} values take more than 4 GiB")]
    TooLarge {
        /// How many.
        values: u64,
    },
}

impl FormatError {
    pub(super) fn io(path: &Path, source: io::Error) -> FormatError {
        FormatError::Io { path: path.display().to_string(), source }
    }
}
