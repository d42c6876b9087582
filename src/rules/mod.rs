//! What a variant is, its legal moves, its draws. One generic generator, compiled once per variant.

pub mod draws;
mod english;
mod international;
pub mod movegen;
pub mod perft;
mod variant;

pub use english::English;
pub use international::International;
pub use movegen::{is_legal, legal_moves};
pub use variant::{DrawRules, LoneKingRule, Precedence, Rules, UnknownVariant, Variant, VariantId};
