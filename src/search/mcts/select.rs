//! Selection: which child is visited next, by PUCT: `Q + c P sqrt(N(parent)) / (1 + N)` with priors `P` (C. Rosin, "Multi-armed
//! bandits with episode context", 2011, in the form of AlphaGo).

use super::params::Params;
use super::proof::Proof;
use super::tree::{Node, NodeId, PolicyGap, ROOT, Tree};

/// Visits of a node after which half is left of what the power of its priors exceeds 1 by. Sharp priors pay where visits are
/// few, and would keep a tree with many from sacrifices: `cargo bench --bench mcts -- tactics` and matches, EXPERIMENTS.md.
const SHARP_VISITS: f64 = 400.0;

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

/// What a formula reads of a child.
struct Arm {
    /// Visits done.
    visits: f64,
    /// Visits done and visits under way; these count as lost.
    tried: f64,
    /// Sum of values for the side that selects.
    sum: f64,
}

impl Arm {
    fn of(node: &Node) -> Arm {
        let (visits, pending) = node.counts();
        Arm { visits: visits as f64, tried: (visits + pending) as f64, sum: node.sum() }
    }
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

    /// The largest `Q + c P sqrt(N(parent)) / (1 + N)`. A child never visited counts as its estimate.
    fn by_prior(&self, run: &[Node], noise: &[f64], tried: f64) -> usize {
        let power = self.power_after(tried);
        let prior = |node: &Node| {
            let estimate = node.estimate().unwrap_or(0.5).clamp(1e-3, 1.0 - 1e-3);
            let odds = estimate / (1.0 - estimate);
            // For each child of each visit: where leaves are quick, it is the odds themselves.
            let prior = if power == 1.0 { odds } else { odds.powf(power) };
            prior * self.policy[usize::from(node.policy().0)]
        };
        let all: f64 = run.iter().map(prior).sum();
        let scale = self.constant * tried.sqrt() / all;
        let mut best = (f64::NEG_INFINITY, 0);
        for (i, node) in run.iter().enumerate() {
            let arm = Arm::of(node);
            let mean = match node.proof() {
                Some(Proof::Loss(_)) => return i,
                Some(Proof::Win(_)) => continue,
                Some(Proof::Draw) => 0.5,
                None if arm.visits == 0.0 => node.estimate().unwrap_or(0.5) / (1.0 + arm.tried),
                None => {
                    let best = node.estimate().unwrap_or(0.5) * arm.visits / arm.tried;
                    (1.0 - self.minimax) * arm.sum / arm.tried + self.minimax * best
                }
            };
            let prior = match noise.get(i) {
                Some(noise) => (1.0 - self.noise_share) * prior(node) + self.noise_share * noise * all,
                None => prior(node),
            };
            let value = mean + scale * prior / (1.0 + arm.tried);
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

    /// The visits of children with equal estimates and these gaps of the policy after 300 visits of value one half.
    fn visits(gaps: &[u8], selector: Selector) -> Vec<u64> {
        let tree = Tree::new(0);
        tree.clear();
        let child = |&gap| NewChild { estimate: Some(0.5), policy: PolicyGap(gap), ..NewChild::default() };
        let children = tree.expand(ROOT, &gaps.iter().map(child).collect::<Vec<_>>()).unwrap();
        for _ in 0..300 {
            tree.node(ROOT).enter();
            let place = selector.select(&tree, ROOT).unwrap();
            tree.run(children)[place].enter();
            tree.run(children)[place].leave(0.5);
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
    fn noise_has_its_share_of_the_visits() {
        let with = |share, noise: &[f64]| {
            visits(&[0, 0], Selector::new(&Params::default()).with_noise(share, noise))
        };
        assert_eq!(with(0.0, &[]), [150, 150]);
        // Half of the visits as the priors say, half as the noise does.
        let visits = with(0.5, &[1.0, 0.0])[0] as f64;
        assert!((visits - 225.0).abs() < 6.0, "{visits}");
    }

    #[test]
    fn the_policy_decides_between_equal_estimates() {
        let first_visits = |policy: f64, gaps: [u8; 2]| {
            visits(&gaps, Selector::new(&Params { policy, ..Params::default() }))[0]
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
