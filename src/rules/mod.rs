//! Variants, legal moves, draw rules, perft. One generic move generator, compiled once for each variant.
//!
//! # How to add a variant
//!
//! 1. Write `src/rules/NAME.rs`: a unit type with its [`Rules`] (most of them taken over from a relative) and, in the
//!    documentation, the source of the rules. `src/rules/portuguese.rs` is the shortest example.
//! 2. In `src/rules/mod.rs` add `mod NAME;` and a row to [`with_variants!`](crate::with_variants): the enum
//!    [`VariantId`], its names, [`for_variant!`](crate::for_variant), the options of all commands and the tests follow.
//!    In `src/rules/variant.rs` name it in `WITHOUT_DATA`.
//!
//! The variant plays now, with the hand-made evaluation, whose weights follow from its rules, and without endgame tables
//! and book. `cargo test` asks for the next two steps:
//!
//! 3. Write the rules once more, from their source, as a row of `VARIANTS` in `tests/suite/naive.rs`: the legal moves are
//!    compared with those of that slow generator. Published node counts belong in `tests/data/perft.csv`, games that end in
//!    every way in `tests/data/pdn`; where there are none, name the variant in `tests/suite/perft.rs` and
//!    `tests/suite/variant_games.rs`. Articles of the rules belong in `tests/suite/variant_articles.rs`.
//! 4. Name it where people read: a row in the table of variants in the README and the number at its beginning, the values
//!    of the parameter `variant` in `protocol-docs/hub.md` (twice), the text `variant_NAME` of the page in every language
//!    (`src/web/page/texts_en.js` and its like); and in the lists of the scripts `src/tablebase/make-packs.sh`,
//!    `src/book/make-books.sh`, `src/arena/openings/make-edge.sh` and `benches/profiled-build.sh`.
//!
//! What makes it strong follows in any order, best in this one, as what comes later is made with what came before:
//!
//! 5. Endgame tables: `src/tablebase/make-packs.sh` makes them, `src/tablebase/embedded.rs` has a row for them.
//! 6. Weights: `src/train/make-weights.sh`, with a row in `src/eval/fitted.rs`. `kroon dataset wdl` says what belongs there
//!    as chances, `cargo bench --bench mcts -- calibrate` what as scale.
//! 7. A book: `src/book/make-books.sh`, `src/book/embedded.rs`.
//! 8. Openings for matches: `src/arena/openings/make-edge.sh`, `src/arena/openings/edge/embedded.rs`.
//! 9. Puzzles: `src/puzzles/make-puzzles.sh`, `src/puzzles/builtin.rs`.
//! 10. Take it out of `WITHOUT_DATA`: the tests demand all five now.

mod brazilian;
mod breakthrough;
mod czech;
pub mod draws;
mod english;
mod frisian;
mod frysk;
mod international;
mod italian;
mod killer;
mod losing;
pub mod movegen;
pub mod perft;
mod play;
mod pool;
mod portuguese;
mod russian;
mod spanish;
mod switches;
mod thai;
mod variant;

pub use movegen::{is_legal, legal_moves};
pub use play::{play, play_in};
pub use switches::{KingLanding, Objective, Precedence, Rules};
pub use variant::{UnknownVariant, Variant, VariantId};

/// Every variant, one row each: module and type, the name of the rules' own literature in lower case, the name that
/// Hub clients use, other names that are understood. The order is that of [`VariantId::ALL`]; the first is the default.
///
/// `with_variants!([some_macro] arguments)` calls `some_macro!` with the arguments, `;` and the rows.
#[doc(hidden)]
#[macro_export]
macro_rules! with_variants {
    ([$($then:tt)*] $($arguments:tt)*) => {
        $($then)*! { $($arguments)* ;
            /// 10x10 international draughts.
            international::International "international", "normal",
                ["standard", "polish", "from-position", "fromposition"];
            /// 10x10, a king stops directly behind a king that it captures last.
            killer::Killer "killer", "killer", [];
            /// 10x10, the first king wins.
            breakthrough::Breakthrough "breakthrough", "bt", ["break-through"];
            /// 10x10, who cannot move wins; antidraughts.
            losing::Losing "losing", "losing", ["antidraughts", "anti", "suicide"];
            /// 10x10, captures along files and ranks too.
            frisian::Frisian "frisian", "frisian", [];
            /// Frisian draughts with five men a side.
            frysk::Frysk "frysk", "frysk", ["frysk!"];
            /// 8x8 English draughts, American checkers.
            english::English "english", "english", ["american", "checkers"];
            /// 8x8 American pool checkers.
            pool::Pool "pool", "pool", ["american-pool"];
            /// 8x8 Russian draughts, shashki.
            russian::Russian "russian", "russian", ["shashki"];
            /// 8x8, rules of international draughts.
            brazilian::Brazilian "brazilian", "brazilian", [];
            /// 8x8 Czech draughts.
            czech::Czech "czech", "czech", [];
            /// 8x8 Italian draughts.
            italian::Italian "italian", "italian", [];
            /// 8x8 Spanish draughts.
            spanish::Spanish "spanish", "spanish", [];
            /// 8x8 Portuguese draughts.
            portuguese::Portuguese "portuguese", "portuguese", [];
            /// 8x8 Thai draughts, makhos.
            thai::Thai "thai", "thai", ["makhos"];
        }
    };
}

/// The types of all variants.
macro_rules! export_types {
    (; $($(#[$doc:meta])* $module:ident::$Type:ident $name:literal, $hub:literal, [$($also:literal),*];)+) => {
        $(pub use $module::$Type;)+
    };
}
with_variants!([export_types]);
