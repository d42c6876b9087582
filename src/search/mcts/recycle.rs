//! Making room in a full arena: the children of rarely visited nodes are forgotten, and the rest is compacted in place.
//!
//! A run of children always stands behind its parent in the arena, because it was made later. One pass from the front
//! can therefore decide about a run after its parent, and slide what stays over what goes, with no memory of its own.

use super::atomic::Ordering;
use super::proof::Proof;
use super::tree::{Children, DEAD, NodeId, ROOT, Tree, VISITS_AT};
use std::time::Duration;

/// Share of the arena that may stay in use: 1 / this.
const KEPT: usize = 2;

/// What a pass over the arena takes for each node in use, on a slow machine.
const NANOS_PER_NODE: u64 = 20;

/// A pass may take this share of the time that is left: 1 / this.
const TIME_SHARE: u64 = 4;

/// Visits are told apart by their logarithm to base 2, in steps of 1 / this.
const STEPS: u64 = 4;

/// Number of steps for all bits of visits.
const LEVELS: usize = (64 - VISITS_AT) as usize * STEPS as usize + 1;

/// A measure of visits that grows like their logarithm.
fn level(visits: u64) -> usize {
    let Some(log) = visits.checked_ilog2() else { return 0 };
    let fraction = ((visits << 2) >> log) - STEPS;
    (u64::from(log) * STEPS + fraction) as usize + 1
}

impl Tree {
    /// Whether going through the whole tree takes a small part of the time that is left; always if no time is.
    pub fn leaves_time_to_compact(&self, left: Option<Duration>) -> bool {
        let most = Duration::from_nanos((self.used() as u64).saturating_mul(NANOS_PER_NODE * TIME_SHARE));
        left.is_none_or(|left| most <= left)
    }

    /// Forgets the children of rarely visited nodes until half of the arena is free. Nobody may be searching.
    pub fn make_room(&self) {
        let mut runs = [0_usize; LEVELS + 1];
        for (parent, run) in self.live_runs() {
            runs[level(self.node(parent).visits())] += usize::from(run.len);
        }
        let budget = self.capacity() / KEPT;
        let mut kept = 1; // the root
        // invariant: there is always a level at which nothing is kept
        let least = (0..=LEVELS).rev().take_while(|&level| {
            kept += runs[level];
            kept <= budget
        });
        self.compact(least.last().unwrap_or(LEVELS));
    }

    /// Makes a node the root and forgets all that is not below it. Nobody may be searching.
    pub fn reroot(&self, id: NodeId) {
        if id == ROOT {
            return;
        }
        let (root, new) = (self.node(ROOT), self.node(id));
        let old = root.children();
        root.copy_from(new);
        // What is about to be forgotten must not take its descendants along.
        new.children.store(0, Ordering::Relaxed);
        if let Some(old) = old {
            self.bury_run(old);
        }
        if let Some(children) = root.children() {
            self.node(children.first).parent.store(ROOT, Ordering::Relaxed);
        }
        self.compact(0);
    }

    /// Withdraws all proofs of draws: they may rest on a repetition of positions that are now behind the root. Wins and
    /// losses never rest on draws.
    pub fn forget_draws(&self) {
        for node in &self.nodes[..self.used()] {
            if node.proof() == Some(Proof::Draw) {
                node.disprove();
            }
        }
    }

    /// The runs that are in use, in their order, with their parents.
    pub(super) fn live_runs(&self) -> impl Iterator<Item = (NodeId, Children)> + '_ {
        let mut next = ROOT + 1;
        std::iter::from_fn(move || {
            while (next as usize) < self.used() {
                let first = next;
                let parent = self.node(first).parent.load(Ordering::Relaxed);
                if parent == DEAD {
                    next += self.node(first).visits() as u32;
                    continue;
                }
                // invariant: a run that is not dead is that of its parent
                let run = self.node(parent).children()?;
                debug_assert_eq!(run.first, first);
                next += u32::from(run.len);
                return Some((parent, run));
            }
            None
        })
    }

    /// Slides all runs together whose parent was visited at least so much (as a level); the root's run stays in any case.
    fn compact(&self, least: usize) {
        let end = self.used();
        let mut read = ROOT + 1;
        let mut write = ROOT + 1;
        while (read as usize) < end {
            let parent = self.node(read).parent.load(Ordering::Relaxed);
            if parent == DEAD {
                let run = Children { first: read, len: self.node(read).visits() as u16 };
                read += u32::from(run.len);
                self.bury_run(run);
                continue;
            }
            let Some(run) = self.node(parent).children() else {
                debug_assert!(false, "a run without a parent");
                break;
            };
            read += u32::from(run.len);
            if parent != ROOT && level(self.node(parent).visits()) < least {
                self.node(parent).children.store(0, Ordering::Relaxed);
                self.bury_run(run);
            } else {
                self.slide(parent, run, write);
                write += u32::from(run.len);
            }
        }
        self.used.store(write, Ordering::Relaxed);
    }

    /// Marks a run and the runs of its children as unused; theirs follow when the pass comes to them.
    fn bury_run(&self, run: Children) {
        for node in self.run(run) {
            if let Some(children) = node.children() {
                self.bury(children);
            }
        }
        self.bury(run);
    }

    /// Moves a run to the front.
    fn slide(&self, parent: NodeId, run: Children, to: NodeId) {
        if run.first == to {
            return;
        }
        for (from, to) in run.ids().zip(to..) {
            let node = self.node(to);
            node.copy_from(self.node(from));
            if let Some(children) = node.children() {
                self.node(children.first).parent.store(to, Ordering::Relaxed);
            }
        }
        self.node(to).parent.store(parent, Ordering::Relaxed);
        self.node(parent).children.store(Children { first: to, len: run.len }.code(), Ordering::Relaxed);
    }
}

#[cfg(test)]
#[cfg(not(loom))]
mod tests {
    use super::*;
    use crate::search::mcts::tree::{NewChild, PolicyGap};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Walks down at random and grows the tree where it ends; says whether there was room.
    fn grow(tree: &Tree, random: &mut impl RngExt) -> bool {
        let mut path = vec![ROOT];
        let mut room = true;
        loop {
            let id = *path.last().unwrap();
            tree.node(id).enter();
            let children = tree.node(id).children();
            let Some(children) = children else {
                let new_children =
                    vec![
                        NewChild { estimate: Some(0.5), policy: PolicyGap(40), ..NewChild::default() };
                        random.random_range(1..12)
                    ];
                if tree.node(id).visits() > 0 || id == ROOT {
                    room = tree.expand(id, &new_children).is_some();
                }
                break;
            };
            // Low indices are visited more often, so the tree is uneven.
            let place = random.random_range(0..children.len).min(random.random_range(0..children.len));
            path.push(children.first + u32::from(place));
        }
        for &id in &path {
            tree.node(id).leave(0.5);
        }
        room
    }

    /// Every run in use has its place and its parent; children have no more visits than their parents.
    fn check(tree: &Tree) -> usize {
        let mut count = 1;
        let mut stack = vec![ROOT];
        while let Some(id) = stack.pop() {
            let Some(run) = tree.node(id).children() else { continue };
            assert!(run.first > id && run.ids().end as usize <= tree.used());
            assert_eq!(tree.node(run.first).parent.load(Ordering::Relaxed), id);
            let visits: u64 = tree.run(run).iter().map(|node| node.visits()).sum();
            assert!(visits <= tree.node(id).visits());
            assert!(tree.run(run).iter().all(|node| node.policy() == PolicyGap(40)));
            count += usize::from(run.len);
            stack.extend(run.ids());
        }
        assert_eq!(tree.live_runs().map(|(_, run)| usize::from(run.len)).sum::<usize>(), count - 1);
        count
    }

    #[test]
    fn a_full_tree_makes_room_and_stays_a_tree() {
        let tree = Tree::new(0);
        tree.clear();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for _ in 0..20 {
            while grow(&tree, &mut random) {}
            let visits = tree.node(ROOT).visits();
            tree.make_room();
            let count = check(&tree);
            assert_eq!(count, tree.used());
            assert!(count <= tree.capacity() / KEPT && count > tree.capacity() / 8, "{count}");
            assert_eq!(tree.node(ROOT).visits(), visits);
        }
    }

    #[test]
    fn a_subtree_becomes_the_tree() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
        for plies in 0..4 {
            let tree = Tree::new(0);
            tree.clear();
            for _ in 0..600 {
                grow(&tree, &mut random);
            }
            let mut id = ROOT;
            for _ in 0..plies {
                id = tree.node(id).children().unwrap().first;
            }
            let size = |tree: &Tree, id| {
                let mut stack = vec![id];
                let mut visits = Vec::new();
                while let Some(id) = stack.pop() {
                    visits.push(tree.node(id).visits());
                    stack.extend(tree.node(id).children().into_iter().flat_map(Children::ids));
                }
                visits
            };
            let before = size(&tree, id);
            tree.reroot(id);
            assert_eq!(size(&tree, ROOT), before);
            assert_eq!((check(&tree), tree.used()), (before.len(), before.len()));
        }
    }

    #[test]
    fn proofs_of_draws_are_forgotten_and_others_stay() {
        let tree = Tree::new(0);
        tree.clear();
        let proofs = [Proof::Draw, Proof::Win(3), Proof::Draw];
        let children = proofs.map(|proof| NewChild { proof: Some(proof), ..NewChild::default() });
        let run = tree.expand(ROOT, &children).unwrap();
        tree.forget_draws();
        let left: Vec<Option<Proof>> = tree.run(run).iter().map(|child| child.proof()).collect();
        assert_eq!(left, [None, Some(Proof::Win(3)), None]);
    }

    #[test]
    fn levels_grow_with_visits() {
        let levels: Vec<usize> = (0..200).map(level).collect();
        assert!(levels.is_sorted() && levels[0] == 0 && levels[1] == 1 && levels[199] < 40);
        assert!(level(u64::MAX >> VISITS_AT) < LEVELS);
    }
}
