//! Text to types and back: FEN, PDN, Hub, DXP. Every outside text is parsed here, with nom.

pub mod dxp;
pub mod fen;
pub mod hub;
pub mod moves;
pub mod pdn;
pub mod position;
pub mod square;
pub(crate) mod text;

pub(crate) use text::quote;
