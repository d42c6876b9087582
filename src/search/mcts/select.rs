//! Selection: which child is visited next (PUCT, UCT, UCB with log10, RAVE).

use super::params::{Params, Selection};
use super::proof::Proof;
use super::tree::{Amaf, Node, NodeId, PolicyGap, ROOT, Tree};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The constants of a selection, made ready for use.
#[derive(Clone, Debug)]
pub struct Selector {
    selection: Selection,
    constant: f64,
    rave_k: f64,
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
            selection: params.selection,
            constant: params.constant(),
            rave_k: params.rave_k,
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
    pub fn select(&self, tree: &Tree, id: NodeId, random: &mut Xoshiro256PlusPlus) -> Option<usize> {
        let node = tree.node(id);
        let children = node.children()?;
        let run = tree.run(children);
        let (visits, pending) = node.counts();
        // The visit under way through this node is there already.
        let tried = ((visits + pending) as f64 - 1.0).max(1.0);
        if self.selection == Selection::Puct {
            let noise = if id == ROOT { self.noise.as_slice() } else { &[] };
            return Some(self.by_prior(run, noise, tried));
        }
        let scale = self.constant
            * match self.selection {
                Selection::Uct => (2.0 * tried.ln()).sqrt(),
                _ => tried.log10().max(0.0).sqrt(),
            };
        let amaf = if self.selection == Selection::Rave { tree.amaf_run(children) } else { &[] };
        let share = (self.rave_k / (3.0 * tried + self.rave_k).max(1e-9)).sqrt();
        Some(self.by_bound(run, amaf, scale, share, random))
    }

    /// The largest `Q + bound`; of children never visited, any.
    fn by_bound(
        &self,
        run: &[Node],
        amaf: &[Amaf],
        scale: f64,
        share: f64,
        random: &mut Xoshiro256PlusPlus,
    ) -> usize {
        let mut best = (f64::NEG_INFINITY, 0);
        let mut fresh = 0_u32;
        for (i, node) in run.iter().enumerate() {
            let arm = Arm::of(node);
            let value = match node.proof() {
                Some(Proof::Loss(_)) => return i,
                Some(Proof::Win(_)) => continue,
                Some(Proof::Draw) => 0.5 + scale / arm.tried.max(1.0).sqrt(),
                None if arm.tried == 0.0 && amaf.is_empty() => {
                    // Each of those never visited is kept with equal probability.
                    fresh += 1;
                    if random.random_range(0..fresh) == 0 {
                        best = (f64::INFINITY, i);
                    }
                    continue;
                }
                None => {
                    let mut mean = if arm.tried > 0.0 { arm.sum / arm.tried } else { 0.5 };
                    if let Some(amaf) = amaf.get(i) {
                        let (simulations, first) = amaf.get();
                        let share = match (simulations, arm.tried > 0.0) {
                            (0, true) => 0.0,
                            (_, true) => share,
                            (_, false) => 1.0,
                        };
                        mean = (1.0 - share) * mean + share * first;
                    }
                    mean + scale / arm.tried.max(1.0).sqrt()
                }
            };
            if value > best.0 {
                best = (value, i);
            }
        }
        best.1
    }

    /// The largest `Q + c P sqrt(N(parent)) / (1 + N)`. A child never visited counts as its estimate.
    fn by_prior(&self, run: &[Node], noise: &[f64], tried: f64) -> usize {
        let prior = |node: &Node| {
            let estimate = node.estimate().unwrap_or(0.5).clamp(1e-3, 1.0 - 1e-3);
            let odds = estimate / (1.0 - estimate);
            // For each child of each visit: where leaves are quick, it is the odds themselves.
            let prior = if self.power == 1.0 { odds } else { odds.powf(self.power) };
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
    use rand::SeedableRng;

    /// The visits of children with equal estimates and these gaps of the policy after 300 visits of value one half.
    fn visits(gaps: &[u8], selector: Selector) -> Vec<u64> {
        let tree = Tree::new(0, false);
        tree.clear();
        let child = |&gap| NewChild { estimate: Some(0.5), policy: PolicyGap(gap), ..NewChild::default() };
        let children = tree.expand(ROOT, &gaps.iter().map(child).collect::<Vec<_>>()).unwrap();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for _ in 0..300 {
            tree.node(ROOT).enter();
            let place = selector.select(&tree, ROOT, &mut random).unwrap();
            tree.run(children)[place].enter();
            tree.run(children)[place].leave(0.5, 1);
            tree.node(ROOT).leave(0.5, 1);
        }
        tree.run(children).iter().map(Node::visits).collect()
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
