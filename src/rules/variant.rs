//! What a variant is: a row of switches, a type for the generator, a name for people.

use crate::board::{Board, Color, Setup, Square};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Which captures may be chosen when there are several (variants.md section 4 calls this precedence).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precedence {
    /// Any complete capture.
    Free,
    /// Only those that take the largest number of pieces; a king counts as one.
    Majority,
}

/// The draw rules of a variant, all counted in plies (half-moves).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawRules {
    /// The game is drawn when a position occurs this many times with the same side to move.
    pub repetition: u8,
    /// Drawn after this many plies without a capture and without a man's move.
    pub quiet_plies: u16,
    /// A lone king against exactly this kind of material may only last so long.
    pub lone_king: &'static [LoneKingRule],
}

/// A limit for endings of a lone king against a few pieces with at least one king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoneKingRule {
    /// Largest number of pieces of the stronger side to which the rule applies (the smallest is that of the
    /// row before, plus one).
    pub most_pieces: u32,
    /// Plies after which the game is drawn.
    pub plies: u16,
}

/// The switches of a variant. Constants: the generator is compiled once per variant and the untaken branches vanish.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Board, numbering and promotion rows.
    pub board: &'static Board,
    /// Rows of men that each side has at the start.
    pub rows_of_men: u8,
    /// Who moves first.
    pub first: Color,
    /// Whether kings move and capture over any distance.
    pub flying_kings: bool,
    /// Whether men capture backward too.
    pub men_capture_backward: bool,
    /// Which captures may be chosen.
    pub precedence: Precedence,
    /// When a game is drawn.
    pub draws: DrawRules,
    /// The PDN 3.0 `GameType` number.
    pub game_type: u8,
    /// Whether PDN results are written 2-0, 1-1, 0-2.
    pub two_point_results: bool,
    /// Whether squares are written as file and rank (c3) instead of by number.
    pub algebraic: bool,
}

impl Rules {
    /// The largest number of pieces that a side can have: what it starts with.
    pub const fn most_pieces(&self) -> u32 {
        self.rows_of_men as u32 * (self.board.side() as u32 / 2)
    }

    /// The initial position as a placement.
    pub fn start(&self) -> Setup {
        let mut setup = Setup::empty(self.first);
        let side = self.board.side();
        for square in self.board.iter() {
            let color = if square.row() < self.rows_of_men {
                Color::Black
            } else if square.row() >= side - self.rows_of_men {
                Color::White
            } else {
                continue;
            };
            setup.put(square, crate::board::Piece { color, king: false });
        }
        setup
    }

    /// The square with this number.
    pub const fn square(&self, number: u32) -> Option<Square> {
        self.board.square(number)
    }
}

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
    /// 8x8 English draughts, American checkers.
    English,
}

/// Names of a variant: its own, the Hub one, and others that are understood.
struct Names {
    id: VariantId,
    name: &'static str,
    hub: &'static str,
    also: &'static [&'static str],
}

const NAMES: [Names; 2] = [
    Names {
        id: VariantId::International,
        name: "international",
        hub: "normal",
        also: &["standard", "polish", "from-position", "fromposition"],
    },
    Names { id: VariantId::English, name: "english", hub: "english", also: &["american", "checkers"] },
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
            $crate::rules::VariantId::English => {
                type $V = $crate::rules::English;
                $body
            }
        }
    };
}
