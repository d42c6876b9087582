//! Legal moves, generic over the variant. Captures are compulsory in every variant: there are quiet moves only where
//! there is no capture.

mod capture;
mod quiet;
mod tails;

use super::variant::{Variant, VariantId};
use crate::board::{Move, MoveList, Position};
use crate::for_variant;

pub use capture::{can_capture, captures, count_captures, each_capture};
pub use quiet::{count_quiets, each_quiet, has_quiet, quiet_wins, quiets};

/// Appends all legal moves of `position` to `list`, captures ordered by origin, and says whether they are captures.
#[inline]
pub fn generate<V: Variant>(position: &Position, list: &mut MoveList) -> bool {
    if can_capture::<V>(position, position.turn()) {
        captures::<V>(position, list);
        true
    } else {
        quiets::<V>(position, list);
        false
    }
}

/// All legal moves of a position of a variant known only at run time.
///
/// ```
/// use kroon::rules::{legal_moves, VariantId};
/// let rules = VariantId::International.rules();
/// let start = rules.position(&rules.start()).unwrap();
/// assert_eq!(legal_moves(VariantId::International, &start).len(), 9);
/// ```
pub fn legal_moves(variant: VariantId, position: &Position) -> MoveList {
    let mut list = MoveList::new();
    for_variant!(variant, V => generate::<V>(position, &mut list));
    list
}

/// Whether `mv` is a legal move here.
pub fn is_legal(variant: VariantId, position: &Position, mv: Move) -> bool {
    legal_moves(variant, position).contains(&mv)
}
