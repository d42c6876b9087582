//! What a variant is: a type for the generator, a value and names for people.

use super::switches::Rules;
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

/// A variant as a value: chosen at run time, turned into a type once by [`crate::for_variant!`].
///
/// ```
/// use kroon::rules::VariantId;
/// assert_eq!("normal".parse(), Ok(VariantId::International));
/// assert_eq!("American".parse(), Ok(VariantId::English));
/// assert!("chess".parse::<VariantId>().unwrap_err().to_string().contains("chess"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum VariantId {
    /// 10x10 international draughts.
    #[default]
    International,
    /// 10x10, a king stops directly behind a king that it captures last.
    Killer,
    /// 10x10, the first king wins.
    Breakthrough,
    /// 10x10, who cannot move wins; antidraughts.
    Losing,
    /// 10x10, captures along files and ranks too.
    Frisian,
    /// Frisian draughts with five men a side.
    Frysk,
    /// 8x8 English draughts, American checkers.
    English,
    /// 8x8 American pool checkers.
    Pool,
    /// 8x8 Russian draughts, shashki.
    Russian,
    /// 8x8, rules of international draughts.
    Brazilian,
    /// 8x8 Czech draughts.
    Czech,
    /// 8x8 Italian draughts.
    Italian,
    /// 8x8 Spanish draughts.
    Spanish,
    /// 8x8 Portuguese draughts.
    Portuguese,
    /// 8x8 Thai draughts, makhos.
    Thai,
}

/// Names of a variant: its own, the Hub one, and others that are understood.
struct Names {
    id: VariantId,
    name: &'static str,
    hub: &'static str,
    also: &'static [&'static str],
}

const NAMES: [Names; 15] = [
    Names {
        id: VariantId::International,
        name: "international",
        hub: "normal",
        also: &["standard", "polish", "from-position", "fromposition"],
    },
    Names { id: VariantId::Killer, name: "killer", hub: "killer", also: &[] },
    Names { id: VariantId::Breakthrough, name: "breakthrough", hub: "bt", also: &["break-through"] },
    Names {
        id: VariantId::Losing,
        name: "losing",
        hub: "losing",
        also: &["antidraughts", "anti", "suicide"],
    },
    Names { id: VariantId::Frisian, name: "frisian", hub: "frisian", also: &[] },
    Names { id: VariantId::Frysk, name: "frysk", hub: "frysk", also: &["frysk!"] },
    Names { id: VariantId::English, name: "english", hub: "english", also: &["american", "checkers"] },
    Names { id: VariantId::Pool, name: "pool", hub: "pool", also: &["american-pool"] },
    Names { id: VariantId::Russian, name: "russian", hub: "russian", also: &["shashki"] },
    Names { id: VariantId::Brazilian, name: "brazilian", hub: "brazilian", also: &[] },
    Names { id: VariantId::Czech, name: "czech", hub: "czech", also: &[] },
    Names { id: VariantId::Italian, name: "italian", hub: "italian", also: &[] },
    Names { id: VariantId::Spanish, name: "spanish", hub: "spanish", also: &[] },
    Names { id: VariantId::Portuguese, name: "portuguese", hub: "portuguese", also: &[] },
    Names { id: VariantId::Thai, name: "thai", hub: "thai", also: &["makhos"] },
];

/// A variant name that nobody knows.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown variant \"{0}\", expected one of: {known}", known = VariantId::ALL.map(|v| v.name()).join(", "))]
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

    /// The switches.
    pub fn rules(self) -> &'static Rules {
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
    ($id:expr, $V:ident => $body:expr) => {
        match $id {
            $crate::rules::VariantId::International => {
                type $V = $crate::rules::International;
                $body
            }
            $crate::rules::VariantId::Killer => {
                type $V = $crate::rules::Killer;
                $body
            }
            $crate::rules::VariantId::Breakthrough => {
                type $V = $crate::rules::Breakthrough;
                $body
            }
            $crate::rules::VariantId::Losing => {
                type $V = $crate::rules::Losing;
                $body
            }
            $crate::rules::VariantId::Frisian => {
                type $V = $crate::rules::Frisian;
                $body
            }
            $crate::rules::VariantId::Frysk => {
                type $V = $crate::rules::Frysk;
                $body
            }
            $crate::rules::VariantId::English => {
                type $V = $crate::rules::English;
                $body
            }
            $crate::rules::VariantId::Pool => {
                type $V = $crate::rules::Pool;
                $body
            }
            $crate::rules::VariantId::Russian => {
                type $V = $crate::rules::Russian;
                $body
            }
            $crate::rules::VariantId::Brazilian => {
                type $V = $crate::rules::Brazilian;
                $body
            }
            $crate::rules::VariantId::Czech => {
                type $V = $crate::rules::Czech;
                $body
            }
            $crate::rules::VariantId::Italian => {
                type $V = $crate::rules::Italian;
                $body
            }
            $crate::rules::VariantId::Spanish => {
                type $V = $crate::rules::Spanish;
                $body
            }
            $crate::rules::VariantId::Portuguese => {
                type $V = $crate::rules::Portuguese;
                $body
            }
            $crate::rules::VariantId::Thai => {
                type $V = $crate::rules::Thai;
                $body
            }
        }
    };
}
