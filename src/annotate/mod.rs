//! Analysis of games that were played: what each move cost in expected result, where a game was lost, what a player
//! should practise.
//!
//! [`analyse`] takes a game and gives a [`GameAnalysis`]. Every move is searched for itself, from empty tables, by one
//! thread: the same game with the same settings gives the same analysis on any number of threads and after any
//! interruption, unless time limits the search. [`MoveClass`] has the classes and [`Thresholds`] their bounds;
//! `protocol-docs/analysis.md` explains them.
//!
//! `search` asks the engine about one move ([`MoveFacts`]), `work` decides which moves are searched again because the
//! rest of the game contradicts them, `judge` makes classes of facts, `summary` counts. [`CollectionPlan`] analyses whole
//! files: `source` reads the games, `run` hands out the moves, `journal` keeps the results on the disk, and `output` has
//! `tree`, `json` and `html` write them.
//! [`annotate`] writes into a game, and `mark` tells what it wrote from what others did, so that [`erase`] takes it out.

mod collection;
mod compact;
mod game;
mod html;
mod journal;
mod json;
mod judge;
mod mark;
mod note;
mod opening;
mod output;
mod player;
mod run;
mod say;
mod search;
mod source;
mod summary;
mod tactics;
mod tree;
mod work;

pub use collection::{CollectionRow, CollectionSummary, HardPosition};
pub use game::{Assessment, GameAnalysis, MoveAnalysis, Phase, Variation};
pub use journal::JournalError;
pub use judge::{Exact, MoveClass, THRESHOLDS, Thresholds};
pub use note::MoveNote;
pub use run::{
    CollectionError, CollectionFault, CollectionListener, CollectionPlan, CollectionProgress, journal_path,
};
pub use search::{LineFacts, MoveFacts, Settings};
pub use summary::{ClassCount, SideSummary};
pub use tree::{Earlier, annotate, erase};
pub use work::{Progress, analyse};

#[cfg(test)]
mod tests;
