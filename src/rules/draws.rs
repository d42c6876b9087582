//! Draws by repetition and by move counts. The counters belong to the game and to the path of the search, not to the
//! position.

use super::switches::Rules;
use super::variant::Variant;
use crate::board::{Board, Color, Move, Position};

/// The draw rules of a variant, all counted in plies (half-moves).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawRules {
    /// The game is drawn when a position occurs this many times with the same side to move.
    pub repetition: u8,
    /// Drawn after this many plies without a capture and without a man's move.
    pub quiet_plies: u16,
    /// Limits for endings; the first one whose material is on the board is in force.
    pub endings: &'static [EndingRule],
}

impl DrawRules {
    /// The least of the limits that ask for two kings or more and that this side, with what it has now, gets against a lone king; none
    /// where the other side is one already. Other limits, of one king and more, need no such care: endings of so few pieces against
    /// a lone king are drawn on the board, so that a win in the tables does not lead there.
    pub(crate) fn limit_of_kings(&self, position: &Position, strong: Color) -> Option<u16> {
        let weak = !strong;
        if position.side(weak).len() == 1 && position.men(weak).is_empty() {
            return None;
        }
        let (pieces, kings) = (position.side(strong).len(), position.kings_of(strong).len());
        let limits = self.endings.iter().filter_map(|rule| match rule.material {
            Material::LoneKing { pieces: (from, to), kings: least, .. } => {
                let fits = least >= 2 && (from..=to).contains(&pieces) && kings >= least;
                fits.then_some(rule.plies)
            }
            Material::KingsOnBothSides { .. } => None,
        });
        limits.min()
    }

    /// The most pieces of both sides in a rule for kings on both sides; 0 if there is none.
    const fn most_with_kings(&self) -> u32 {
        let (mut most, mut index) = (0, 0);
        while index < self.endings.len() {
            if let Material::KingsOnBothSides { pieces: (_, to) } = self.endings[index].material
                && to > most
            {
                most = to;
            }
            index += 1;
        }
        most
    }
}

/// A limit for an ending.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndingRule {
    /// What must be on the board.
    pub material: Material,
    /// Plies after which the game is drawn, counted from the move after the one that brought the rule into force.
    pub plies: u16,
}

/// The material of an ending.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Material {
    /// A lone king against some pieces.
    LoneKing {
        /// The fewest and most pieces of the stronger side.
        pieces: (u32, u32),
        /// The fewest kings among them.
        kings: u32,
        /// Whether the lone king must stand on the long diagonal.
        on_long_diagonal: bool,
    },
    /// Both sides have kings. A capture or a promotion starts the count anew.
    KingsOnBothSides {
        /// The fewest and most pieces of both sides together.
        pieces: (u32, u32),
    },
}

impl Material {
    /// A lone king against `from..=to` pieces with at least one king.
    pub const fn lone_king(from: u32, to: u32) -> Material {
        Material::LoneKing { pieces: (from, to), kings: 1, on_long_diagonal: false }
    }

    /// A lone king against `kings` kings or more, and no more than `to` pieces.
    pub const fn lone_king_against_kings(kings: u32, to: u32) -> Material {
        Material::LoneKing { pieces: (kings, to), kings, on_long_diagonal: false }
    }

    fn is_on(self, board: &Board, position: &Position) -> bool {
        match self {
            Material::LoneKing { pieces, kings, on_long_diagonal } => Color::ALL.into_iter().any(|color| {
                let (lone, strong) = (position.side(color), position.side(!color));
                lone.len() == 1
                    && position.men(color).is_empty()
                    && (pieces.0..=pieces.1).contains(&strong.len())
                    && (strong & position.kings()).len() >= kings
                    && (!on_long_diagonal || lone.without(board.long_diagonal()).is_empty())
            }),
            Material::KingsOnBothSides { pieces } => {
                (pieces.0..=pieces.1).contains(&position.occupied().len())
                    && Color::ALL.into_iter().all(|color| position.kings_of(color).any())
            }
        }
    }
}

/// The counters of the move-count rules after some move.
///
/// ```
/// use kroon::rules::draws::Counters;
/// use kroon::rules::VariantId;
/// let rules = VariantId::International.rules();
/// let start = rules.position(&rules.start()).unwrap();
/// assert!(!Counters::new(rules, &start).is_draw(rules));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// Plies since the last capture or man's move, as the counts of moves have them.
    quiet: u16,
    /// The ending rule in force (index + 1) or 0, and the plies since it came into force.
    ending: u8,
    in_ending: u16,
    /// Reversible plies before those that `quiet` counts.
    before: u16,
}

impl Counters {
    /// The counters at the start of a game from `position`.
    pub fn new(rules: &Rules, position: &Position) -> Counters {
        Counters { quiet: 0, ending: ending_rule(rules, position), in_ending: 0, before: 0 }
    }

    /// The counters where the counts of moves begin anew at `position`. Positions that may occur again are those of before.
    pub fn renewed(self, rules: &Rules, position: &Position) -> Counters {
        Counters { before: self.reversible_plies(), ..Counters::new(rules, position) }
    }

    /// The counters after `mv` led to `after`.
    #[inline]
    pub fn after(self, rules: &Rules, mv: Move, after: &Position) -> Counters {
        let (quiet, before) =
            if mv.is_irreversible() { (0, 0) } else { (self.quiet.saturating_add(1), self.before) };
        if rules.draws.endings.is_empty() || after.kings().is_empty() {
            return Counters { quiet, ending: 0, in_ending: 0, before };
        }
        let ending = ending_rule(rules, after);
        // A rule starts to count on the move after the one that creates its material. Going from one rule to another
        // starts anew; inside a lone-king rule a capture does not reset.
        let starts = ending == 0 || ending != self.ending || {
            let material = rules.draws.endings[ending as usize - 1].material;
            matches!(material, Material::KingsOnBothSides { .. }) && (mv.is_capture() || mv.promotes())
        };
        let in_ending = if starts { 0 } else { self.in_ending.saturating_add(1) };
        Counters { quiet, ending, in_ending, before }
    }

    /// Plies since the last capture or man's move: how far back a position may be the same as this one.
    pub const fn reversible_plies(self) -> u16 {
        self.quiet.saturating_add(self.before)
    }

    /// Plies until a move-count rule makes this a draw if neither a capture nor another ending starts a count anew; 0 if
    /// it is one.
    ///
    /// ```
    /// use kroon::rules::VariantId;
    /// use kroon::rules::draws::Counters;
    /// let rules = VariantId::International.rules();
    /// let start = rules.position(&rules.start()).unwrap();
    /// assert_eq!(Counters::new(rules, &start).plies_left(rules), 50);
    /// ```
    #[inline]
    pub fn plies_left(self, rules: &Rules) -> u16 {
        let left = rules.draws.quiet_plies.saturating_sub(self.quiet);
        if self.ending == 0 {
            return left;
        }
        left.min(rules.draws.endings[self.ending as usize - 1].plies.saturating_sub(self.in_ending))
    }

    /// The same for those counts alone that no move starts anew but a capture or a promotion: neither a man's move nor the
    /// way off the long diagonal. None if there is no such count in `position`.
    ///
    /// ```
    /// use kroon::rules::VariantId;
    /// use kroon::rules::draws::Counters;
    /// let rules = VariantId::International.rules();
    /// let start = rules.position(&rules.start()).unwrap();
    /// // Every move of a man starts the count of 50 plies anew.
    /// assert_eq!(Counters::new(rules, &start).fixed_plies_left(rules, &start), None);
    /// ```
    pub fn fixed_plies_left(self, rules: &Rules, position: &Position) -> Option<u16> {
        let has_men = Color::ALL.into_iter().any(|color| position.men(color).any());
        let quiet = (!has_men).then(|| rules.draws.quiet_plies.saturating_sub(self.quiet));
        let rule = (self.ending > 0).then(|| rules.draws.endings[self.ending as usize - 1]);
        let rule =
            rule.filter(|rule| !matches!(rule.material, Material::LoneKing { on_long_diagonal: true, .. }));
        let ending = rule.map(|rule| rule.plies.saturating_sub(self.in_ending));
        quiet.into_iter().chain(ending).min()
    }

    /// Whether a move-count rule makes this a draw. A side without a legal move loses first.
    #[inline]
    pub fn is_draw(self, rules: &Rules) -> bool {
        self.quiet >= rules.draws.quiet_plies
            || (self.ending > 0 && self.in_ending >= rules.draws.endings[self.ending as usize - 1].plies)
    }

    /// [`Counters::after`] with the rules known at compile time.
    #[inline(always)]
    pub fn after_in<V: Variant>(self, mv: Move, after: &Position) -> Counters {
        self.after(const { &V::RULES }, mv, after)
    }
}

/// The index + 1 of the first ending rule whose material is on the board, or 0.
#[inline]
fn ending_rule(rules: &Rules, position: &Position) -> u8 {
    // Most positions have more pieces than any rule knows: two numbers tell.
    let pieces = Color::ALL.map(|color| position.side(color).len());
    if pieces[0].min(pieces[1]) > 1 && pieces[0] + pieces[1] > rules.draws.most_with_kings() {
        return 0;
    }
    first_rule(rules, position)
}

/// The same, rule by rule.
fn first_rule(rules: &Rules, position: &Position) -> u8 {
    let found = rules.draws.endings.iter().position(|rule| rule.material.is_on(rules.board, position));
    found.map_or(0, |index| index as u8 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Piece, Setup};
    use crate::rules::VariantId;

    #[test]
    fn the_count_on_the_long_diagonal_is_not_fixed() {
        // Men of White on these squares and kings on those, a king of Black on that.
        let left = |men: &[u32], kings: &[u32], black: u32| {
            let rules = VariantId::Russian.rules();
            let mut setup = Setup::empty(Color::White);
            let mut put =
                |number, color, king| setup.put(rules.square(number).unwrap(), Piece { color, king });
            men.iter().for_each(|&number| put(number, Color::White, false));
            kings.iter().for_each(|&number| put(number, Color::White, true));
            put(black, Color::Black, true);
            let position = rules.position(&setup).unwrap();
            let counters = Counters::new(rules, &position);
            (counters.plies_left(rules), counters.fixed_plies_left(rules, &position))
        };
        // c7, c1, e1 against h8 on the long diagonal: five moves each, until the king leaves it or a man moves.
        assert_eq!(left(&[30, 31], &[6], 4), (10, None));
        // c7 and c1 against b8: five moves each, whatever moves.
        assert_eq!(left(&[], &[6, 30], 1), (10, Some(10)));
    }
}
