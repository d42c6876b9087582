//! A variant as a type (for generic code), as a value (for choices at run time) and by name.

use super::switches::Rules;
use crate::words::quote;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A variant as a type: what the generator and the search are generic over.
pub trait Variant: Copy + Send + Sync + 'static {
    /// The variant as a value.
    const ID: VariantId;
    /// Its switches.
    const RULES: Rules;
}

/// The enum and its names.
macro_rules! declare {
    (; $($(#[$doc:meta])* $module:ident::$Type:ident $name:literal, $hub:literal, [$($also:literal),*];)+) => {
        /// A variant as a value: chosen at run time, turned into a type once by [`crate::for_variant!`].
        ///
        /// ```
        /// use kroon::rules::VariantId;
        /// assert_eq!("normal".parse(), Ok(VariantId::International));
        /// assert_eq!("American".parse(), Ok(VariantId::English));
        /// assert!("chess".parse::<VariantId>().unwrap_err().to_string().contains("chess"));
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum VariantId {
            $($(#[$doc])* $Type,)+
        }

        const NAMES: &[Names] = &[
            $(Names { id: VariantId::$Type, name: $name, hub: $hub, also: &[$($also),*] },)+
        ];
    };
}
crate::with_variants!([declare]);

/// Names of a variant: its own, the Hub one, and others that are understood.
struct Names {
    id: VariantId,
    name: &'static str,
    hub: &'static str,
    also: &'static [&'static str],
}

/// The first variant of the list.
impl Default for VariantId {
    fn default() -> VariantId {
        VariantId::ALL[0]
    }
}

/// Variants that have no data of their own yet: weights, endgame tables, a book, openings, puzzles. Tests demand all five
/// of every other variant, so that none is lost.
#[cfg(test)]
const WITHOUT_DATA: &[VariantId] = &[];

/// A variant name that nobody knows.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown variant {}, expected one of: {known}", quote(.0), known = VariantId::ALL.map(|v| v.name()).join(", "))]
pub struct UnknownVariant(pub String);

impl VariantId {
    /// All variants.
    pub const ALL: [VariantId; NAMES.len()] = {
        let mut all = [VariantId::International; NAMES.len()];
        let mut i = 0;
        while i < NAMES.len() {
            all[i] = NAMES[i].id;
            i += 1;
        }
        all
    };

    fn names(self) -> &'static Names {
        &NAMES[self as usize]
    }

    /// The name of the rules' own literature, in lower case.
    pub fn name(self) -> &'static str {
        self.names().name
    }

    /// The name that Hub clients use.
    pub fn hub_name(self) -> &'static str {
        self.names().hub
    }

    /// Whether tests may find no data of this variant in the program.
    #[cfg(test)]
    pub(crate) fn may_lack_data(self) -> bool {
        WITHOUT_DATA.contains(&self)
    }

    /// The switches.
    pub const fn rules(self) -> &'static Rules {
        crate::for_variant!(self, V => const { &V::RULES })
    }

    /// The variant with this PDN `GameType` number.
    pub fn from_game_type(number: u32) -> Option<VariantId> {
        Self::ALL.into_iter().find(|v| u32::from(v.rules().game_type) == number)
    }
}

impl FromStr for VariantId {
    type Err = UnknownVariant;

    fn from_str(text: &str) -> Result<VariantId, UnknownVariant> {
        let wanted = text.to_lowercase();
        NAMES
            .iter()
            .find(|n| n.name == wanted || n.hub == wanted || n.also.contains(&wanted.as_str()))
            .map(|n| n.id)
            .ok_or_else(|| UnknownVariant(text.to_owned()))
    }
}

impl fmt::Display for VariantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Runs an expression with a variant's type: `for_variant!(id, V => perft::<V>(&position, 5))`.
///
/// ```
/// use kroon::{for_variant, rules::{Variant, VariantId}};
/// let squares = for_variant!(VariantId::English, V => V::RULES.board.squares());
/// assert_eq!(squares, 32);
/// ```
#[macro_export]
macro_rules! for_variant {
    ($id:expr, $V:ident => $body:expr) => { $crate::with_variants!([$crate::match_variant] $id, $V => $body) };
}

/// The body of [`for_variant!`](crate::for_variant): a `match` with an arm for each variant.
#[doc(hidden)]
#[macro_export]
macro_rules! match_variant {
    (
        $id:expr, $V:ident => $body:expr;
        $($(#[$doc:meta])* $module:ident::$Type:ident $name:literal, $hub:literal, [$($also:literal),*];)+
    ) => {
        match $id {
            $($crate::rules::VariantId::$Type => {
                type $V = $crate::rules::$Type;
                $body
            })+
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_in_order_and_every_name_means_one_variant() {
        let mut names = std::collections::HashMap::new();
        for (index, variant) in VariantId::ALL.into_iter().enumerate() {
            assert_eq!(variant as usize, index);
            assert_eq!(crate::for_variant!(variant, V => V::ID), variant, "the ID of the type");
            let Names { name, hub, also, .. } = variant.names();
            for text in [*name, *hub].iter().chain(also.iter()) {
                assert_eq!(text.to_uppercase().parse(), Ok(variant), "{text}");
                assert_eq!(*names.entry(*text).or_insert(variant), variant, "{text}");
            }
        }
    }
}
