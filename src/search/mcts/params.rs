//! The options of the tree search.

use crate::words::words;
use std::time::Duration;

/// How a child is selected on the way down.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Selection {
    /// `Q + c P sqrt(N(parent)) / (1 + N)` with priors `P` from the evaluation (C. Rosin, "Multi-armed bandits with
    /// episode context", 2011, in the form of AlphaGo).
    #[default]
    Puct,
    /// `Q + c sqrt(2 ln N(parent) / N)` (L. Kocsis and C. Szepesvari, "Bandit based Monte-Carlo planning", 2006).
    Uct,
    /// `Q + c sqrt(log10 N(parent) / N)`.
    UcbLog10,
    /// As `UcbLog10`, with `Q` mixed with the value of the move as if it had been the first of its side (S. Gelly and
    /// D. Silver, "Combining online and offline knowledge in UCT", 2007).
    Rave,
}

/// How a new node is valued.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Leaf {
    /// Alpha-beta to a fixed depth, on its table (M. Winands, Y. Bjornsson, "Alpha-beta-based play-outs in Monte-Carlo
    /// tree search", 2011, where it chooses moves).
    #[default]
    Search,
    /// Quiescence and evaluation, turned into a probability.
    Eval,
    /// A game of random moves to its end, or to a limit, where more pieces win.
    Playout,
    /// The same with moves that avoid the worst.
    PlayoutHeavy,
}

impl Leaf {
    /// Whether random games say the value.
    pub fn is_playout(self) -> bool {
        matches!(self, Leaf::Playout | Leaf::PlayoutHeavy)
    }
}

/// What several threads do (G. Chaslot, M. Winands, J. van den Herik, "Parallel Monte-Carlo Tree Search", 2008).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Parallel {
    /// All grow one tree; visits under way count as lost, so that they spread.
    #[default]
    Tree,
    /// Each has a tree of its own; in the end visits are added.
    Root,
    /// One descends, all play games from where it ends.
    Leaf,
}

words!(Selection { Puct => "puct", Uct => "uct", UcbLog10 => "ucb-log10", Rave => "rave" });
words!(Leaf { Search => "search", Eval => "eval", Playout => "playout", PlayoutHeavy => "playout-heavy" });
words!(Parallel { Tree => "tree", Root => "root", Leaf => "leaf" });

/// Options of the Monte-Carlo tree search.
///
/// ```
/// use kroon::search::mcts::{Leaf, Params, Selection};
/// let params = Params { selection: "uct".parse()?, leaf: "playout".parse()?, ..Params::default() };
/// assert_eq!((params.selection, params.leaf), (Selection::Uct, Leaf::Playout));
/// # Ok::<(), kroon::words::UnknownWord>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Params {
    /// Memory for the tree, or all trees together, in mebibytes.
    pub hash_mb: usize,
    /// How a child is selected.
    pub selection: Selection,
    /// How a new node is valued.
    pub leaf: Leaf,
    /// Depth of the search of a new node, in plies.
    pub leaf_depth: u32,
    /// Share of the best child's value in the value of a node, 0 to 1; the rest is the mean of its visits (M. Lanctot
    /// and others, "Monte Carlo tree search with heuristic evaluations using implicit minimax backups", 2014). None: what
    /// suits the leaf. Only PUCT looks at it.
    pub minimax: Option<f64>,
    /// How much a difference of estimates weighs in the priors of PUCT: a prior is proportional to the odds of the
    /// estimate to this power. None: what suits the leaf.
    pub prior_power: Option<f64>,
    /// How much the policy weighs in the priors of PUCT: they are multiplied by its chances to this power. 0: not asked.
    pub policy: f64,
    /// Share of the root's priors in PUCT that is random, 0 to 1, for games of self-play.
    pub noise: f64,
    /// What several threads do.
    pub parallel: Parallel,
    /// The constant `c` of the selection; none: its own default. 0 explores nothing.
    pub exploration: Option<f64>,
    /// Visits at which RAVE and the true mean count the same: `k` of `sqrt(k / (3 N + k))`.
    pub rave_k: f64,
    /// Longest random game, in plies.
    pub playout_plies: u32,
    /// Random games of each thread for one descent, when parallel at the leaf.
    pub leaf_playouts: u32,
    /// Start of the random numbers: with one thread, the same search again gives the same result.
    pub seed: u64,
    /// Whether a fixed time for each move is scaled by the phase of the game.
    pub phase_time: bool,
}

impl Default for Params {
    fn default() -> Params {
        Params {
            hash_mb: 64,
            selection: Selection::default(),
            leaf: Leaf::default(),
            leaf_depth: 8,
            minimax: None,
            prior_power: None,
            policy: 1.0,
            noise: 0.0,
            parallel: Parallel::default(),
            exploration: None,
            rave_k: 1_000.0,
            playout_plies: 120,
            leaf_playouts: 8,
            seed: 1,
            phase_time: false,
        }
    }
}

impl Params {
    /// Most memory, in mebibytes.
    pub const MAX_HASH_MB: usize = 65_536;
    /// Largest constant of the selection.
    pub const MAX_EXPLORATION: f64 = 100.0;
    /// Largest `k` of RAVE.
    pub const MAX_RAVE_K: f64 = 1e9;
    /// Longest random game that can be asked for, in plies.
    pub const MAX_PLAYOUT_PLIES: u32 = 10_000;
    /// Largest power of the priors.
    pub const MAX_PRIOR_POWER: f64 = 100.0;
    /// Largest power of the policy's chances.
    pub const MAX_POLICY: f64 = 10.0;
    /// Deepest search of a new node.
    pub const MAX_LEAF_DEPTH: u32 = 40;
    /// Most random games of a thread for one descent.
    pub const MAX_LEAF_PLAYOUTS: u32 = 1_000;

    /// The same with every number brought into its range.
    pub fn clamped(self) -> Params {
        let real = |value: f64, max: f64| if value.is_finite() { value.clamp(0.0, max) } else { 0.0 };
        let or_default = |value: Option<f64>, max: f64| {
            value.filter(|value| value.is_finite()).map(|value| real(value, max))
        };
        Params {
            hash_mb: self.hash_mb.clamp(1, Self::MAX_HASH_MB),
            exploration: or_default(self.exploration, Self::MAX_EXPLORATION),
            rave_k: real(self.rave_k, Self::MAX_RAVE_K),
            leaf_depth: self.leaf_depth.clamp(1, Self::MAX_LEAF_DEPTH),
            minimax: or_default(self.minimax, 1.0),
            prior_power: or_default(self.prior_power, Self::MAX_PRIOR_POWER),
            policy: real(self.policy, Self::MAX_POLICY),
            noise: real(self.noise, 1.0),
            playout_plies: self.playout_plies.clamp(1, Self::MAX_PLAYOUT_PLIES),
            leaf_playouts: self.leaf_playouts.clamp(1, Self::MAX_LEAF_PLAYOUTS),
            ..self
        }
    }

    /// The constant of the selection that is in force.
    pub fn constant(&self) -> f64 {
        self.exploration.unwrap_or(match self.selection {
            Selection::Puct => 0.8,
            Selection::Uct => std::f64::consts::FRAC_1_SQRT_2,
            Selection::UcbLog10 => 1.0,
            Selection::Rave => 0.5,
        })
    }

    /// The share of the best child that is in force.
    pub fn minimax_share(&self) -> f64 {
        self.minimax.unwrap_or(if self.leaf.is_playout() { 0.0 } else { 0.5 })
    }

    /// Whether the policy counts, if there is one.
    pub fn asks_policy(&self) -> bool {
        self.selection == Selection::Puct && self.policy > 0.0
    }

    /// Plies that the value of a node looks ahead.
    pub fn reach(&self) -> u32 {
        if self.leaf == Leaf::Search { self.leaf_depth } else { 0 }
    }

    /// The power of the priors that is in force. A search to some depth is to be followed more closely than a quiet value.
    pub fn power(&self) -> f64 {
        self.prior_power.unwrap_or(match self.leaf {
            Leaf::Search => 20.0,
            Leaf::Eval | Leaf::Playout | Leaf::PlayoutHeavy => 1.0,
        })
    }

    /// Whether a tree grown with these options may be used with others.
    pub fn grows_alike(&self, other: &Params) -> bool {
        let key = |p: &Params| {
            (
                p.selection,
                p.leaf,
                p.leaf_depth,
                p.parallel,
                p.hash_mb,
                p.playout_plies,
                p.minimax_share() > 0.0,
                p.asks_policy(),
            )
        };
        key(self) == key(other)
    }
}

/// The time for a move when the one given is meant for the busiest phase: little at the start, most in the middle,
/// little at the end. The shares are those of a table of 5, 9, 10, 9, 5 and 1 seconds.
///
/// ```
/// use kroon::search::mcts::phase_time;
/// use std::time::Duration;
/// let ten = Duration::from_secs(10);
/// assert_eq!(phase_time(ten, 40, 40), Duration::from_secs(5));
/// assert_eq!(phase_time(ten, 24, 40), ten);
/// assert_eq!(phase_time(ten, 2, 40), Duration::from_secs(1));
/// ```
pub fn phase_time(most: Duration, pieces: u32, pieces_at_start: u32) -> Duration {
    /// Pieces left from which the row holds, and the share of the time, both in tenths.
    const TABLE: [(u32, u32); 6] = [(9, 5), (7, 9), (5, 10), (3, 9), (1, 5), (0, 1)];
    let left = 10 * pieces / pieces_at_start.max(1);
    let tenths = TABLE.iter().find(|(from, _)| left >= *from).map_or(1, |(_, tenths)| *tenths);
    most * tenths / 10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_there_and_back() {
        for name in Selection::NAMES {
            assert_eq!(name.parse::<Selection>().unwrap().to_string(), *name);
        }
        let error = "best".parse::<Leaf>().unwrap_err().to_string();
        assert_eq!(error, "\"best\" found, expected one of: search, eval, playout, playout-heavy");
    }

    #[test]
    fn no_exploration_is_not_the_default() {
        let with = |exploration| Params { exploration, ..Params::default() }.clamped().constant();
        assert_eq!((with(Some(0.0)), with(Some(-1.0)), with(Some(2.5))), (0.0, 0.0, 2.5));
        assert!(with(None) > 0.0);
    }

    #[test]
    fn numbers_are_brought_into_range() {
        let wild = Params { hash_mb: 0, exploration: Some(f64::NAN), playout_plies: 0, ..Params::default() };
        let tame = wild.clamped();
        assert_eq!((tame.hash_mb, tame.exploration, tame.playout_plies), (1, None, 1));
        assert_eq!(Params::default().clamped(), Params::default());
    }
}
