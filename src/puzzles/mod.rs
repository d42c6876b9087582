//! Puzzles: positions from games in which exactly one move wins, or saves, and nearly every reply is forced.
//!
//! A [`Finder`] looks at every position of a game with two variations: the best move has to reach what the second does
//! not, in expected result ([`crate::eval::wdl`]), by a quick search and by one of ten times the nodes. The solution
//! goes on while the next move is the only one, too. Every puzzle has [themes](Theme) and a
//! [difficulty](Puzzle::difficulty) that come from what was measured, and [`Checker`] searches it again, deeper and from
//! an empty table.
//!
//! ```
//! use kroon::puzzles::builtin;
//! use kroon::rules::VariantId::International;
//! let puzzles = builtin(International);
//! let easiest = &puzzles[0];
//! assert!(easiest.difficulty <= puzzles[puzzles.len() - 1].difficulty);
//! assert_eq!(easiest.line()?.1.len(), easiest.solution.len());
//! # Ok::<(), kroon::puzzles::PuzzleFault>(())
//! ```

mod builtin;
mod check;
mod difficulty;
mod finder;
mod look;
mod pdn;
mod puzzle;
mod run;
mod set;
mod sheet;
mod solution;
mod source;
mod theme;

pub use builtin::builtin;
pub use check::{Attempt, Checker, Flaw};
pub use finder::{Finder, FinderSettings};
pub use pdn::{of_pdn, write_pdn};
pub use puzzle::{Goal, Puzzle, PuzzleFault, Sideline};
pub use run::{FindProgress, find_all};
pub use set::{PuzzleFileError, PuzzleSet, is_puzzle, read, write};
pub use sheet::sheet;
pub use source::{GameSource, SourceError, SourcedGame};
pub use theme::Theme;
