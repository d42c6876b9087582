//! Text to types and back: FEN, PDN, Hub, DXP. Every outside text is parsed here, with nom.

pub mod fen;
mod square;
mod text;
