//! Endgame tables: the result of every position with few pieces, by retrograde analysis.
//!
//! A table is made of slices. A [`Material`] names one: how many men and kings the side to move has, and how many the
//! other. [`Index`] numbers the positions of a slice, and each has a [`Value`].
//!
//! Draws by repetition and by counts of moves are not in a table. A run of one king that the rules limit (Frisian
//! draughts) is: it decides which moves are legal, so it is part of the number of a position.

pub mod audit;
mod cache;
mod embedded;
mod folder;
pub mod format;
pub mod generate;
mod index;
mod material;
mod pieces;
mod tables;
mod timing;
mod value;

pub use embedded::{add_embedded, begins_pack, pack, pack_of};
pub use folder::{FOLDERS_VARIABLE, add_files, folder_fault, folders, load, path_in};
pub use index::Index;
pub use material::{Material, MaterialError};
pub use tables::{Advice, TableFault, TableFiles, Tables, Verdict};
pub use timing::Timing;
pub(crate) use timing::is_in_time;
pub use value::Value;
