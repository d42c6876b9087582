//! Edge openings: positions that are neither balanced nor lost. The side that is ahead wins about half of the games that
//! strong players play from there. Between them most games from balanced openings are drawn, and a drawn pair of games
//! tells nothing; from such positions the better engine wins one game and holds the other. Every opening is played with both
//! colours, so it is fair.
//!
//! The chances of the evaluation's model are no help here: they are fitted to all kinds of games, and equal players win
//! far fewer of those from quiet openings. So the search only says which side is ahead and sorts out what is clear, and
//! fast games of the engine against itself decide ([`EdgeFinder`]). [`EdgeList`] makes a list of many with several threads,
//! which can be stopped and go on.
//!
//! The lists in the program are made so, with the numbers in `src/arena/openings/make-edge.sh`; `src/train/EXPERIMENTS.md`
//! says how many games from them are decided.

mod embedded;
mod finder;
mod list;

pub(super) use embedded::embedded;
pub use finder::{EdgeFinder, EdgeSettings};
pub use list::{EdgeError, EdgeList};
