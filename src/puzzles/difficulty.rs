//! How hard a puzzle is, from what the searches saw.

use super::Goal;
use super::finder::Bar;
use super::look::Look;
use crate::board::Move;

/// What is measured of a puzzle.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Measured {
    /// The depth, in plies, from which a plain search sees the solution and what it is worth.
    pub depth: u32,
    /// How much more a search of two plies expects from another move.
    pub lure: f64,
    /// Moves of the solver.
    pub moves: usize,
    /// Pieces that the solver gives.
    pub given: u32,
    /// Whether the first move neither captures nor offers.
    pub quiet: bool,
}

impl Measured {
    /// From 1 to 10, in tenths. The weights were fitted by hand to how often the strength levels solve puzzles
    /// (`src/train/EXPERIMENTS.md`, "Puzzles"): depth counts most, then what a shallow search would rather play.
    pub fn difficulty(&self) -> f64 {
        let moves = self.moves.saturating_sub(1) as f64;
        let quiet = f64::from(u8::from(self.quiet));
        let raw = 0.5
            + 0.35 * f64::from(self.depth)
            + 2.5 * self.lure
            + 0.25 * moves
            + 0.2 * f64::from(self.given)
            + 0.5 * quiet;
        (raw.clamp(1.0, 10.0) * 10.0).round() / 10.0
    }
}

/// The depth from which a plain search, without quiescence, has the right move first and knows what it is worth; one
/// more than it came to, if it never does.
pub(super) fn depth(plain: &Look, solution: Move, goal: Goal) -> u32 {
    let knows = |&(_, mv, expected): &(u32, Move, f64)| mv == solution && Bar::reached(goal, expected);
    let from = plain.firsts.iter().rposition(|first| !knows(first)).map_or(0, |index| index + 1);
    match plain.firsts.get(from) {
        Some(first) => first.0,
        None => plain.firsts.last().map_or(1, |last| last.0 + 1),
    }
}

/// How much more than from the solution a plain look of two plies at all moves expects from the best.
pub(super) fn lure(shallow: &Look, solution: Move) -> f64 {
    let best = shallow.best.first().map_or(0.0, |candidate| candidate.expected);
    (best - shallow.expected(solution).unwrap_or(best)).clamp(0.0, 1.0)
}
