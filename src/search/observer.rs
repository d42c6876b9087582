//! What a search tells while it runs.

use crate::board::Move;
use crate::score::Score;
use std::time::Duration;

/// One principal variation after an iteration (or after a new best move).
#[derive(Clone, PartialEq, Debug)]
pub struct Info {
    /// Rank of this variation: 1 is the best.
    pub rank: usize,
    /// Iteration, in plies.
    pub depth: u32,
    /// Mean distance of the evaluated leaves from the root, in plies.
    pub mean_depth: f64,
    /// Value for the side to move at the root.
    pub score: Score,
    /// Expected result for the side to move at the root, 1 for a win and one half for a draw, where the search counts
    /// results.
    pub winrate: Option<f64>,
    /// Nodes searched so far, all threads; visits of the root, where the search counts visits.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// The variation, the root move first; never empty.
    pub pv: Vec<Move>,
}

impl Info {
    /// Nodes per second.
    pub fn nps(&self) -> f64 {
        self.nodes as f64 / self.time.as_secs_f64().max(1e-6)
    }
}

/// A move at the root as the tree search has seen it.
#[derive(Clone, PartialEq, Debug)]
pub struct TreeMove {
    /// The move.
    pub mv: Move,
    /// How often the search tried it.
    pub visits: u64,
    /// The chance that the policy gives it to be chosen by a search; none where the weights have no policy or it was not
    /// asked.
    pub policy: Option<f64>,
    /// Value for the side to move.
    pub score: Score,
    /// Expected result for the side to move, 1 for a win and one half for a draw.
    pub winrate: f64,
    /// The replies that were tried most, and how often; the most tried first.
    pub replies: Vec<(Move, u64)>,
}

/// Receives events of a search, in the thread that called it.
pub trait Observer {
    /// A variation was completed.
    fn info(&mut self, info: &Info);
}

/// Listens to nothing.
impl Observer for () {
    fn info(&mut self, _: &Info) {}
}
