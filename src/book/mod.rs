//! The opening book: values and games of positions, in a file that the engine reads and in the making.
//!
//! A book is a list of positions ([`Entry`]), each with its value for the side to move, the length of the best line behind
//! it and the games that came there. The moves of a position are found by looking up the positions after them
//! ([`Book::moves`]), so it does not matter by which order of moves a position comes about. A position and its mirror
//! image with the colours exchanged are one entry ([`key()`]).
//!
//! [`Build`] makes a book from nothing, by drop-out expansion.

mod audit;
mod build;
mod embedded;
mod entry;
mod error;
mod export;
mod format;
mod graph;
mod import;
mod key;
mod probe;
mod runs;
mod store;

pub use audit::{BookAudit, audit};
pub use build::{Build, BuildLimits, BuildProgress, Judge};
pub use embedded::{embedded, open, open_or_embedded};
pub use entry::{Entry, Games};
pub use error::BookError;
pub use export::{ExportLimits, may_replace, tree};
pub use format::{Book, BookHead, write, write_file};
pub use graph::{Graph, NodeId};
pub use import::{Import, ImportReport, ImportSettings};
pub use key::{canonical, key};
pub use probe::{BookMove, draw};
pub use store::BuildSettings;
