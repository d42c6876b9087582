//! The node protocol in every interleaving of two or three threads with at most two preemptions:
//! `RUSTFLAGS="--cfg loom" cargo test --release --lib mcts::models`.

use super::proof::Proof;
use super::tree::{NewChild, ROOT, Tree};
use loom::thread;
use std::sync::Arc;
use std::time::Duration;

/// A model that is not through by then has tried enough.
const MOST_TIME: Duration = Duration::from_secs(30);

/// Runs the same in so many threads, under every schedule; `check` sees the tree and the sum of what they answer.
fn model(threads: usize, capacity: usize, act: fn(&Tree) -> usize, check: fn(&Tree, usize)) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(2);
    builder.max_duration = Some(MOST_TIME);
    builder.check(move || {
        // Counting references is not what is modelled: loom's own pointer would only add schedules.
        let tree = Arc::new(Tree::tiny(capacity));
        let others: Vec<_> = (1..threads)
            .map(|_| {
                let tree = tree.clone();
                thread::spawn(move || act(&tree))
            })
            .collect();
        let own = act(&tree);
        let sum: usize = others.into_iter().map(|thread| thread.join().unwrap()).sum();
        check(&tree, own + sum);
    });
}

#[test]
fn exactly_one_thread_is_the_first_at_a_node() {
    let act = |tree: &Tree| {
        let root = tree.node(ROOT);
        let is_first = root.enter().is_first();
        root.leave(1.0);
        usize::from(is_first)
    };
    model(3, 2, act, |tree, firsts| {
        assert_eq!(firsts, 1);
        assert_eq!(tree.node(ROOT).counts(), (3, 0));
        assert_eq!(tree.node(ROOT).mean(), 1.0);
    });
}

#[test]
fn children_are_whole_when_they_can_be_seen() {
    let act = |tree: &Tree| {
        let new_children =
            [NewChild { estimate: Some(1.0), proof: Some(Proof::Draw), ..NewChild::default() }; 2];
        let children = match tree.node(ROOT).children() {
            Some(children) => children,
            None => tree.expand(ROOT, &new_children).unwrap(),
        };
        let is_whole =
            |id| tree.node(id).estimate() == Some(1.0) && tree.node(id).proof() == Some(Proof::Draw);
        assert!(children.ids().all(is_whole));
        children.first as usize
    };
    model(2, 5, act, |tree, sum| {
        // Both saw the same children, whichever of the runs it is; the other one is free again or marked as dead.
        let children = tree.node(ROOT).children().unwrap();
        assert_eq!(sum, 2 * children.first as usize);
        assert_eq!(tree.live_runs().count(), 1);
    });
}

#[test]
fn a_descent_counts_once_at_every_node() {
    let act = |tree: &Tree| {
        tree.node(ROOT).enter();
        let children = tree.expand(ROOT, &[NewChild::default()]);
        let child = children.map(|children| tree.node(children.first));
        let is_first = child.is_some_and(|child| child.enter().is_first());
        if let Some(child) = child {
            child.leave(0.5);
        }
        tree.node(ROOT).leave(0.5);
        usize::from(is_first)
    };
    model(2, 3, act, |tree, firsts| {
        let children = tree.node(ROOT).children().unwrap();
        assert_eq!((firsts, tree.node(children.first).counts()), (1, (2, 0)));
        assert_eq!(tree.node(ROOT).counts(), (2, 0));
    });
}

#[test]
fn a_full_arena_refuses_and_nothing_is_lost() {
    let act = |tree: &Tree| usize::from(tree.expand(ROOT, &[NewChild::default(); 2]).is_some());
    // Room for one run: the thread that comes too late may be refused or given the other's run.
    model(2, 3, act, |tree, expanded| {
        assert!(expanded >= 1);
        assert_eq!(tree.used(), 3);
    });
}
