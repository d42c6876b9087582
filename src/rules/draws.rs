//! Draws by repetition and by move counts. A position has no memory, so the game and the search carry this.

use super::variant::{Rules, Variant};
use crate::board::{Color, Move, Position};

/// The counters of the move-count rules after some move.
///
/// ```
/// use kroon::rules::draws::Counters;
/// use kroon::rules::VariantId;
/// let rules = VariantId::International.rules();
/// let start = rules.start().position(rules.board, rules.most_pieces()).unwrap();
/// assert!(!Counters::new(rules, &start).is_draw(rules));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// Plies since the last capture or man's move.
    quiet: u16,
    /// The lone-king rule in force (index + 1) or 0, and the plies since it came into force.
    ending: u8,
    in_ending: u16,
}

impl Counters {
    /// The counters at the start of a game from `position`.
    pub fn new(rules: &Rules, position: &Position) -> Counters {
        Counters { quiet: 0, ending: lone_king_rule(rules, position), in_ending: 0 }
    }

    /// The counters after `mv` led to `after`.
    #[inline]
    pub fn after(self, rules: &Rules, mv: Move, after: &Position) -> Counters {
        let quiet = if mv.is_irreversible() { 0 } else { self.quiet.saturating_add(1) };
        if rules.draws.lone_king.is_empty() || after.kings().is_empty() {
            return Counters { quiet, ending: 0, in_ending: 0 };
        }
        let ending = lone_king_rule(rules, after);
        // A rule starts to count on the move after the one that creates its material. Going from the 16-move to
        // the 5-move rule starts anew; inside one rule a capture does not reset.
        let in_ending =
            if ending == 0 || ending != self.ending { 0 } else { self.in_ending.saturating_add(1) };
        Counters { quiet, ending, in_ending }
    }

    /// Plies since the last capture or man's move.
    pub const fn quiet_plies(self) -> u16 {
        self.quiet
    }

    /// Whether a move-count rule makes this a draw. A side without a legal move loses first.
    #[inline]
    pub fn is_draw(self, rules: &Rules) -> bool {
        self.quiet >= rules.draws.quiet_plies
            || (self.ending > 0 && self.in_ending >= rules.draws.lone_king[self.ending as usize - 1].plies)
    }

    /// [`Counters::after`] with the rules known at compile time.
    #[inline(always)]
    pub fn after_in<V: Variant>(self, mv: Move, after: &Position) -> Counters {
        self.after(const { &V::RULES }, mv, after)
    }
}

/// The index + 1 of the lone-king rule that covers this material, or 0.
fn lone_king_rule(rules: &Rules, position: &Position) -> u8 {
    for color in Color::ALL {
        let lone = position.side(color);
        if lone.len() != 1 || position.men(color).any() {
            continue;
        }
        let strong = position.side(!color);
        if (strong & position.kings()).is_empty() {
            continue;
        }
        let found = rules.draws.lone_king.iter().position(|rule| strong.len() <= rule.most_pieces);
        if let Some(index) = found {
            return index as u8 + 1;
        }
    }
    0
}
