//! Text to types and back: positions, moves and games in FEN, PDN, Hub and DXP. The parsers use nom.

pub mod dxp;
pub mod fen;
pub mod hub;
pub mod moves;
pub mod openings;
pub mod pdn;
pub mod position;
pub mod seconds;
pub mod square;
pub(crate) mod text;

pub(crate) use text::quote;
