//! Squares, bitboards, geometry, moves, placements, positions and hash keys. No rules.

mod bitboard;
mod color;
pub mod geometry;
mod key;
mod layout;
mod list;
mod moves;
mod position;
mod setup;
mod square;

pub use bitboard::{Bitboard, Squares};
pub use color::Color;
pub use geometry::Direction;
pub use key::Key;
pub use layout::Board;
pub use list::MoveList;
pub use moves::Move;
pub use position::{KingRun, Position};
pub use setup::{Piece, Setup, SetupError};
pub use square::Square;
