//! What all threads of one tree search share: limits, counts, and where they meet.

use super::noise;
use super::params::{Leaf, Params};
use super::rendezvous::Rendezvous;
use super::tree::Tree;
use super::value::{Calibrated, ValueCurve};
use crate::eval::policy::Policy;
use crate::game::Game;
use crate::rules::Variant;
use crate::search::clock::SearchClock;
use crate::search::{Control, EndgameTables, SearchTask};
use crossbeam::utils::CachePadded;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Descents that end in an evaluation between two looks at the clock and the stop flag.
pub(super) const POLL: u32 = 8;

/// One search.
pub(super) struct SharedTreeState<'a> {
    pub params: Params,
    pub curve: ValueCurve,
    /// Which moves searches choose, if that is known and asked for.
    pub policy: Option<&'a Policy>,
    /// What is random in the priors of the root; empty: nothing.
    pub noise: Vec<f64>,
    /// The tree.
    pub tree: &'a Tree,
    /// Where the threads meet when it is full.
    pub rendezvous: Rendezvous,
    control: &'a Control,
    pub clock: SearchClock<'a>,
    /// Endgame tables, if there are any for so few pieces.
    pub endgame: Option<EndgameTables<'a>>,
    most_nodes: Option<u64>,
    /// Visits begun, as far as they were allowed.
    claimed: CachePadded<AtomicU64>,
    /// What each thread has done, on a cache line of its own.
    counts: Vec<CachePadded<ThreadCounts>>,
    over: AtomicBool,
}

/// What one thread has done. Only it writes here.
#[derive(Debug, Default)]
struct ThreadCounts {
    /// Visits of the root, and the sum of the lengths of the descents.
    visits: AtomicU64,
    plies: AtomicU64,
}

/// The noise of a search. It is another one at the next move.
fn root_noise(params: &Params, game: &Game) -> Vec<f64> {
    if params.noise == 0.0 {
        return Vec::new();
    }
    noise::shares(game.legal_moves().len(), params.seed.wrapping_add(game.moves().len() as u64))
}

/// Adds to a number that no other thread writes.
#[inline(always)]
fn add(to: &AtomicU64, number: u64) {
    to.store(to.load(Ordering::Relaxed) + number, Ordering::Relaxed);
}

impl<'a> SharedTreeState<'a> {
    pub fn new<V: Variant, E: Calibrated<V>>(
        task: &SearchTask<'a>,
        params: Params,
        evaluator: &'a E,
        tree: &'a Tree,
        threads: usize,
        control: &'a Control,
        clock: SearchClock<'a>,
    ) -> SharedTreeState<'a> {
        SharedTreeState {
            params,
            curve: evaluator.curve(),
            policy: evaluator.policy().filter(|_| params.asks_policy()),
            noise: root_noise(&params, task.game),
            tree,
            rendezvous: Rendezvous::new(threads),
            control,
            clock,
            endgame: task.endgame,
            most_nodes: task.limits.nodes,
            claimed: AtomicU64::new(0).into(),
            counts: (0..threads).map(|_| CachePadded::default()).collect(),
            over: AtomicBool::new(false),
        }
    }

    /// Whether valuing a node takes so long that nothing else counts beside it.
    pub fn has_slow_leaves(&self) -> bool {
        self.params.leaf != Leaf::Eval
    }

    /// Asks for a visit; false when there are no more.
    #[inline]
    pub fn claim(&self) -> bool {
        match self.most_nodes {
            None => true,
            Some(most) => self.claimed.fetch_add(1, Ordering::Relaxed) < most,
        }
    }

    /// Counts a descent of this length by this thread.
    #[inline]
    pub fn count(&self, thread: usize, plies: usize) {
        let counts = &self.counts[thread];
        add(&counts.visits, 1);
        add(&counts.plies, plies as u64);
    }

    /// The sum over all threads.
    fn total(&self, of: impl Fn(&ThreadCounts) -> &AtomicU64) -> u64 {
        self.counts.iter().map(|counts| of(counts).load(Ordering::Relaxed)).sum()
    }

    /// Visits of the root in this search.
    pub fn nodes(&self) -> u64 {
        self.total(|counts| &counts.visits)
    }

    /// Mean length of the descents.
    pub fn mean_depth(&self) -> f64 {
        self.total(|counts| &counts.plies) as f64 / self.nodes().max(1) as f64
    }

    /// Whether the search is over for every thread.
    #[inline(always)]
    pub fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Forgets what is rarely visited in a full tree. Where the clock is too short for that, the search ends: what it knows
    /// must do. Nobody may be searching.
    pub fn make_room(&self) {
        if self.tree.leaves_time_to_compact(self.clock.hard_left()) {
            self.tree.make_room();
        } else {
            self.end();
        }
    }

    /// Ends the search for every thread.
    pub fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// Whether the search was stopped or its time is up; then it is over for every thread.
    pub fn must_stop(&self) -> bool {
        if self.clock.is_time_up() || self.control.is_stopped() {
            self.end();
        }
        self.is_over()
    }
}
