//! Strength levels: the engine as an opponent for people, from beginner to master.
//!
//! A level is not the full search with a mistake thrown in now and then. A [`Person`] looks at few positions, overlooks
//! captures, the more easily the longer and the farther ahead they are, likes some squares better than they deserve,
//! moves by habit (towards the middle, in formation, the back row at home) and chooses among moves that look nearly
//! equal. All that follows from one number, the [skill](Strength::of), and from the seed of the game: the same seed
//! gives the same game. The levels are skills that were measured ([`skill`]). The highest are the full search with few
//! nodes.

mod dice;
mod habits;
mod person;
mod skill;
mod table;

pub use skill::{ENGINE, Person, RANGE, Strength};
pub use table::{MOST, skill};

use crate::eval::Evaluation;
use crate::for_variant;
use crate::search::{Control, Observer, SearchResult, SearchTask};

/// Chooses a move as this person, in the game with this seed. Reports the best line of each iteration. There must be a
/// legal move.
pub fn search(
    task: &SearchTask<'_>,
    person: Person,
    seed: u64,
    evaluation: &Evaluation,
    control: &Control,
    observer: &mut dyn Observer,
) -> SearchResult {
    for_variant!(task.game.variant(), V => person::search::<V>(task, person, seed, evaluation, control, observer))
}
