//! Selection: which child is visited next, by PUCT: `Q + c P sqrt(N(parent)) / (1 + N)` with priors `P` (C. Rosin, "Multi-armed
//! bandits with episode context", 2011, in the form of AlphaGo) and a `c` that grows with the visits of the parent (as in
//! D. Silver and others, "A general reinforcement learning algorithm that masters chess, shogi, and Go through self-play", 2018,
//! where it begins to grow later).

use super::params::Params;
use super::proof::Proof;
use super::tree::{Node, NodeId, PolicyGap, ROOT, Tree};

/// Visits of a node after which half is left of what the power of its priors exceeds 1 by. Sharp priors pay where visits are
/// few, and would keep a tree with many from sacrifices: `cargo bench --bench mcts -- tactics` and matches, EXPERIMENTS.md.
const SHARP_VISITS: f64 = 400.0;

/// How much the constant of the exploration grows: by this share of itself with the logarithm of `1 + visits / GROWING_VISITS`.
const GROWTH: f64 = 0.375;

/// Visits of a node from which the exploration is felt to grow. Growth from 400 visits on solves one or two more of 200 tactics
/// and loses games from edge openings (EXPERIMENTS.md).
const GROWING_VISITS: f64 = 10_000.0;

/// The constants of a selection, made ready for use.
#[derive(Clone, Debug)]
pub struct Selector {
    constant: f64,
    minimax: f64,
    power: f64,
    /// The factor of a prior for each gap of the policy.
    policy: Box<[f64; PolicyGap::COUNT]>,
    /// Random shares of the root's children, and how much of their priors they are.
    noise: Vec<f64>,
    noise_share: f64,
}

impl Selector {
    /// The selection of these options.
    pub fn new(params: &Params) -> Selector {
        Selector {
            constant: params.constant(),
            minimax: params.minimax_share(),
            power: params.power(),
            policy: Box::new(std::array::from_fn(|code| PolicyGap(code as u8).ratio().powf(-params.policy))),
            noise: Vec::new(),
            noise_share: 0.0,
        }
    }

    /// The same with noise: so much of the priors of the root's children is what these shares say.
    pub fn with_noise(mut self, share: f64, noise: &[f64]) -> Selector {
        (self.noise, self.noise_share) = (noise.to_vec(), share);
        self
    }

    /// The child of an expanded node to visit next.
    #[inline]
    pub fn select(&self, tree: &Tree, id: NodeId) -> Option<usize> {
        let node = tree.node(id);
        let children = node.children()?;
        let run = tree.run(children);
        let (visits, pending) = node.counts();
        // The visit under way through this node is there already.
        let tried = ((visits + pending) as f64 - 1.0).max(1.0);
        let noise = if id == ROOT { self.noise.as_slice() } else { &[] };
        Some(self.by_prior(run, noise, tried))
    }

    /// The power of the priors below a node with so many visits: it falls towards 1, the odds of the estimates themselves.
    #[inline(always)]
    fn power_after(&self, tried: f64) -> f64 {
        if self.power <= 1.0 { self.power } else { 1.0 + (self.power - 1.0) / (1.0 + tried / SHARP_VISITS) }
    }

    /// The constant of the exploration below a node with so many visits.
    #[inline(always)]
    fn constant_after(&self, tried: f64) -> f64 {
        self.constant * (1.0 + GROWTH * (tried / GROWING_VISITS).ln_1p())
    }

    /// The largest `Q + c P sqrt(N(parent)) / (1 + N)`. `Q` mixes the mean of the visits with the estimate, which is the best
    /// child's value once there are children; `P` follows the estimate, too. A child never visited counts as its estimate.
    fn by_prior(&self, run: &[Node], noise: &[f64], tried: f64) -> usize {
        let power = self.power_after(tried);
        let prior = |node: &Node| {
            let estimate = node.estimate().unwrap_or(0.5).clamp(1e-3, 1.0 - 1e-3);
            let odds = estimate / (1.0 - estimate);
            // powf for every child at every visit would cost much where leaves are quick; there the power is 1.
            let prior = if power == 1.0 { odds } else { odds.powf(power) };
            prior * self.policy[usize::from(node.policy().0)]
        };
        let all: f64 = run.iter().map(prior).sum();
        let scale = self.constant_after(tried) * tried.sqrt() / all;
        let mut best = (f64::NEG_INFINITY, 0);
        for (i, node) in run.iter().enumerate() {
            let (visits, pending) = node.counts();
            // Visits under way count as lost.
            let (visits, tried) = (visits as f64, (visits + pending) as f64);
            let mean = match node.proof() {
                Some(Proof::Loss(_)) => return i,
                Some(Proof::Win(_)) => continue,
                Some(Proof::Draw) => 0.5,
                None if visits == 0.0 => node.estimate().unwrap_or(0.5) / (1.0 + tried),
                None => {
                    let best = node.estimate().unwrap_or(0.5) * visits / tried;
                    (1.0 - self.minimax) * node.sum() / tried + self.minimax * best
                }
            };
            let prior = match noise.get(i) {
                Some(noise) => (1.0 - self.noise_share) * prior(node) + self.noise_share * noise * all,
                None => prior(node),
            };
            let value = mean + scale * prior / (1.0 + tried);
            if value > best.0 {
                best = (value, i);
            }
        }
        best.1
    }
}

#[cfg(test)]
#[cfg(not(loom))]
mod tests {
    use super::*;
    use crate::search::mcts::tree::NewChild;

    /// How `times` visits of value one half go to children with these estimates and gaps of the policy.
    fn visits(children: &[(f64, u8)], selector: &Selector, times: u32) -> Vec<u64> {
        visits_with_values(children, [0.5; 2], selector, times)
    }

    /// The same with a value for each of the children.
    fn visits_with_values(
        children: &[(f64, u8)],
        values: [f64; 2],
        selector: &Selector,
        times: u32,
    ) -> Vec<u64> {
        let tree = Tree::new(0);
        tree.clear();
        let child =
            |&(estimate, gap)| NewChild { estimate: Some(estimate), policy: PolicyGap(gap), proof: None };
        let children = tree.expand(ROOT, &children.iter().map(child).collect::<Vec<_>>()).unwrap();
        for _ in 0..times {
            tree.node(ROOT).enter();
            let place = selector.select(&tree, ROOT).unwrap();
            tree.run(children)[place].enter();
            tree.run(children)[place].leave(values[place]);
            tree.node(ROOT).leave(0.5);
        }
        tree.run(children).iter().map(Node::visits).collect()
    }

    #[test]
    fn sharp_priors_become_odds_with_visits_and_flat_ones_stay() {
        let power = |power, visits| {
            let params = Params { prior_power: Some(power), ..Params::default() };
            Selector::new(&params).power_after(visits)
        };
        assert_eq!([0.0, SHARP_VISITS, 1e12].map(|visits| power(21.0, visits).round()), [21.0, 11.0, 1.0]);
        assert_eq!([0.0, 0.5, 1.0].map(|flat| power(flat, 1e4)), [0.0, 0.5, 1.0]);
    }

    #[test]
    fn exploration_grows_with_the_logarithm_of_the_visits_unless_there_is_none() {
        let constant = |exploration, visits| {
            let params = Params { exploration: Some(exploration), ..Params::default() };
            Selector::new(&params).constant_after(visits)
        };
        assert_eq!([0.0, 1e9].map(|visits| constant(0.0, visits)), [0.0, 0.0]);
        assert_eq!(constant(2.0, 0.0), 2.0);
        let doublings = [1.0, 3.0, 7.0].map(|times| constant(1.0, times * GROWING_VISITS));
        let step = GROWTH * 2_f64.ln();
        for (i, c) in doublings.iter().enumerate() {
            assert!((c - (1.0 + (i + 1) as f64 * step)).abs() < 1e-12, "{doublings:?}");
        }
    }

    #[test]
    fn a_worse_child_has_the_visits_of_the_grown_constant() {
        let params = Params { minimax: Some(0.0), prior_power: Some(1.0), ..Params::default() };
        let visits = visits_with_values(&[(0.5, 0); 2], [0.6, 0.4], &Selector::new(&params), 100_000);
        // Where both sums are equal: 0.6 + c sqrt(n) / 2 / n0 = 0.4 + c sqrt(n) / 2 / n1, c = 0.8 (1 + 0.375 ln 11) = 1.52.
        // With c = 0.8 it would be 628.
        assert!((1_140..1_230).contains(&visits[1]), "{visits:?}");
    }

    #[test]
    fn what_a_sharp_prior_hides_is_visited_in_the_end() {
        let params = Params { prior_power: Some(20.0), minimax: Some(0.0), ..Params::default() };
        let of = |times| visits(&[(0.6, 0), (0.4, 0)], &Selector::new(&params), times)[1];
        assert_eq!(of(300), 0);
        assert!(of(2_000) > 20, "{}", of(2_000));
    }

    #[test]
    fn noise_has_its_share_of_the_visits() {
        let with = |share, noise: &[f64]| {
            visits(&[(0.5, 0); 2], &Selector::new(&Params::default()).with_noise(share, noise), 300)
        };
        assert_eq!(with(0.0, &[]), [150, 150]);
        // Half of the visits as the priors say, half as the noise does.
        let visits = with(0.5, &[1.0, 0.0])[0] as f64;
        assert!((visits - 225.0).abs() < 6.0, "{visits}");
    }

    #[test]
    fn the_policy_decides_between_equal_estimates() {
        let first_visits = |policy: f64, gaps: [u8; 2]| {
            visits(&gaps.map(|gap| (0.5, gap)), &Selector::new(&Params { policy, ..Params::default() }), 300)
                [0]
        };
        // 16 is a ratio of e.
        let shares = [(0.0, [0, 16]), (1.0, [0, 16]), (1.0, [16, 0]), (2.0, [0, 16])];
        let visits = shares.map(|(policy, gaps)| first_visits(policy, gaps));
        assert_eq!((visits[0], visits[1] + visits[2]), (150, 300));
        // With equal values visits follow the priors.
        for (visits, odds) in [(visits[1], 1.0_f64), (visits[3], 2.0)] {
            let expected = 300.0 / (1.0 + (-odds).exp());
            assert!((visits as f64 - expected).abs() < 6.0, "{visits} {expected}");
        }
    }
}
