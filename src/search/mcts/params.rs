//! The options of the tree search.

use crate::words::words;

/// How a new node is valued.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Leaf {
    /// Alpha-beta to a fixed depth, on its table (M. Winands, Y. Bjornsson, "Alpha-beta-based play-outs in Monte-Carlo
    /// tree search", 2011, where it chooses moves).
    #[default]
    Search,
    /// Quiescence and evaluation, turned into a probability.
    Eval,
}

words!(Leaf { Search => "search", Eval => "eval" });

/// Options of the Monte-Carlo tree search.
///
/// ```
/// use kroon::search::mcts::{Leaf, Params};
/// let params = Params { leaf: "eval".parse()?, ..Params::default() };
/// assert_eq!((params.leaf, params.minimax_share()), (Leaf::Eval, 0.5));
/// # Ok::<(), kroon::words::UnknownWord>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Params {
    /// Memory for the tree, in mebibytes.
    pub hash_mb: usize,
    /// How a new node is valued.
    pub leaf: Leaf,
    /// Depth of the search of a new node, in plies.
    pub leaf_depth: u32,
    /// Share of the best child's value in the value of a node, 0 to 1; the rest is the mean of its visits (M. Lanctot
    /// and others, "Monte Carlo tree search with heuristic evaluations using implicit minimax backups", 2014). None:
    /// one half.
    pub minimax: Option<f64>,
    /// How much a difference of estimates weighs in the priors of PUCT: a prior is proportional to the odds of the
    /// estimate to this power; what it exceeds 1 by shrinks with the visits of a node. None: what suits the leaf.
    pub prior_power: Option<f64>,
    /// How much the policy weighs in the priors of PUCT: they are multiplied by its chances to this power. 0: not asked.
    pub policy: f64,
    /// Share of the root's priors in PUCT that is random, 0 to 1, for games of self-play.
    pub noise: f64,
    /// The constant `c` of the selection at a node without visits, from where it grows with their logarithm; none: 0.8. 0
    /// explores nothing.
    pub exploration: Option<f64>,
    /// Start of the random numbers of the noise: with one thread, the same search again gives the same result.
    pub seed: u64,
}

impl Default for Params {
    fn default() -> Params {
        Params {
            hash_mb: 64,
            leaf: Leaf::default(),
            leaf_depth: 8,
            minimax: None,
            prior_power: None,
            policy: 1.0,
            noise: 0.0,
            exploration: None,
            seed: 1,
        }
    }
}

impl Params {
    /// Most memory, in mebibytes.
    pub const MAX_HASH_MB: usize = 65_536;
    /// Largest constant of the selection.
    pub const MAX_EXPLORATION: f64 = 100.0;
    /// Largest power of the priors.
    pub const MAX_PRIOR_POWER: f64 = 100.0;
    /// Largest power of the policy's chances.
    pub const MAX_POLICY: f64 = 10.0;
    /// Deepest search of a new node.
    pub const MAX_LEAF_DEPTH: u32 = 40;

    /// The same with every number brought into its range.
    pub fn clamped(self) -> Params {
        let real = |value: f64, max: f64| if value.is_finite() { value.clamp(0.0, max) } else { 0.0 };
        let or_default = |value: Option<f64>, max: f64| {
            value.filter(|value| value.is_finite()).map(|value| real(value, max))
        };
        Params {
            hash_mb: self.hash_mb.clamp(1, Self::MAX_HASH_MB),
            exploration: or_default(self.exploration, Self::MAX_EXPLORATION),
            leaf_depth: self.leaf_depth.clamp(1, Self::MAX_LEAF_DEPTH),
            minimax: or_default(self.minimax, 1.0),
            prior_power: or_default(self.prior_power, Self::MAX_PRIOR_POWER),
            policy: real(self.policy, Self::MAX_POLICY),
            noise: real(self.noise, 1.0),
            ..self
        }
    }

    /// The constant of the selection that is in force, at a node without visits.
    pub fn constant(&self) -> f64 {
        self.exploration.unwrap_or(0.8)
    }

    /// The share of the best child that is in force.
    pub fn minimax_share(&self) -> f64 {
        self.minimax.unwrap_or(0.5)
    }

    /// Whether the policy counts, if there is one.
    pub fn asks_policy(&self) -> bool {
        self.policy > 0.0
    }

    /// Plies that the value of a node looks ahead.
    pub fn reach(&self) -> u32 {
        if self.leaf == Leaf::Search { self.leaf_depth } else { 0 }
    }

    /// The power of the priors at a node without visits; the selection lets what exceeds 1 shrink. A search to some depth
    /// is to be followed more closely than a quiet value.
    pub fn power(&self) -> f64 {
        self.prior_power.unwrap_or(match self.leaf {
            Leaf::Search => 20.0,
            Leaf::Eval => 1.0,
        })
    }

    /// Whether a tree grown with these options may be used with others.
    pub fn grows_alike(&self, other: &Params) -> bool {
        let key = |p: &Params| (p.leaf, p.leaf_depth, p.hash_mb, p.minimax_share() > 0.0, p.asks_policy());
        key(self) == key(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_there_and_back() {
        for name in Leaf::NAMES {
            assert_eq!(name.parse::<Leaf>().unwrap().to_string(), *name);
        }
        let error = "best".parse::<Leaf>().unwrap_err().to_string();
        assert_eq!(error, "\"best\" found, expected one of: search, eval");
    }

    #[test]
    fn no_exploration_is_not_the_default() {
        let with = |exploration| Params { exploration, ..Params::default() }.clamped().constant();
        assert_eq!((with(Some(0.0)), with(Some(-1.0)), with(Some(2.5))), (0.0, 0.0, 2.5));
        assert!(with(None) > 0.0);
    }

    #[test]
    fn numbers_are_brought_into_range() {
        let wild = Params { hash_mb: 0, exploration: Some(f64::NAN), noise: 7.0, ..Params::default() };
        let tame = wild.clamped();
        assert_eq!((tame.hash_mb, tame.exploration, tame.noise), (1, None, 1.0));
        assert_eq!(Params::default().clamped(), Params::default());
    }
}
