//! One search: starts the threads; the first of them also reports and decides when to stop.

use super::params::{Leaf, Params};
use super::report::{RootChild, info, root_children, tree_moves};
use super::shared::{POLL, SharedTreeState};
use super::thread::{Leaving, TreeThread};
use super::tree::ROOT;
use super::tree_store::TreeStore;
use super::value::Calibrated;
use crate::board::Move;
use crate::eval::Evaluator;
use crate::rules::Variant;
use crate::search::alphabeta::{AlphaBetaMemory, ShortSearch, ShortSearches};
use crate::search::clock::SearchClock;
use crate::search::{Control, Observer, SearchResult, SearchTask, search_thread};
use std::time::Duration;

/// Visits before the first report.
const FIRST_REPORT: u64 = 64;
/// Reports are made when the visits have grown by this factor, in tenths, ...
const REPORT_GROWTH: u64 = 13;
/// ... or after this time.
const REPORT_TIME: Duration = Duration::from_secs(2);
/// A search to a depth ends after so many visits for each ply, however short its variation is; where each is a search ...
const VISITS_PER_PLY: u64 = 20_000;
/// ... after so many.
const SEARCHES_PER_PLY: u64 = 500;
/// Stretches the soft bound while the most visited move is not the one with the best mean.
const UNSETTLED: f64 = 1.6;

/// Searches with as many threads as alpha-beta has histories. There must be a legal move.
pub fn search<V: Variant, E: Calibrated<V>>(
    task: &SearchTask<'_>,
    params: &Params,
    store: &mut TreeStore,
    evaluator: &E,
    memory: AlphaBetaMemory<'_>,
    control: &Control,
    observer: &mut dyn Observer,
) -> SearchResult {
    let AlphaBetaMemory { table, histories, tuning } = memory;
    let threads = histories.len();
    let is_short = params.leaf == Leaf::Search;
    let clock = SearchClock::new(task, control);
    let short = ShortSearches::new(task, table, threads, control, clock.clone());
    // One for each thread.
    let mut shorts = histories.iter_mut().enumerate().map(|(id, history)| {
        is_short.then(|| ShortSearch::new(&short, evaluator, tuning, history, id, task))
    });
    let mut next_short = || shorts.next().flatten();
    let tree = store.prepare::<V>(task.game, params, clock.hard_left());
    let shared = SharedTreeState::new::<V, E>(task, *params, evaluator, tree, threads, control, clock);
    let first_short = next_short();
    std::thread::scope(|scope| {
        for id in 1..threads {
            let (shared, short) = (&shared, next_short());
            let help = move || TreeThread::<V, E>::new(shared, id, task.game, evaluator, short).help();
            if let Err(error) = search_thread(format!("tree {id}")).spawn_scoped(scope, help) {
                log::warn!("tree thread {id} cannot be started: {error}");
                shared.rendezvous.leave();
            }
        }
        // Also when this thread panics: the scope waits for the helpers, and they for this one.
        let _ended = Ended(&shared, &short);
        let _leaving = Leaving(&shared);
        let mut thread = TreeThread::<V, E>::new(&shared, 0, task.game, evaluator, first_short);
        Leader { task, shared: &shared, next_report: FIRST_REPORT, last: None, last_time: Duration::ZERO }
            .lead(&mut thread, observer);
    });
    let moves = root_children(tree, task.game);
    let mut infos: Vec<_> =
        shown(task, &moves).map(|(rank, mv)| info::<V>(&shared, task, mv, rank)).collect();
    infos.iter().for_each(|info| observer.info(info));
    let info = infos.swap_remove(0);
    SearchResult {
        tree: tree_moves::<V>(&shared, task.game, &moves),
        ..SearchResult::of(info, shared.nodes())
    }
}

/// Ends the search of all threads when it is dropped, that of their leaves, too.
struct Ended<'a>(&'a SharedTreeState<'a>, &'a ShortSearches<'a>);

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        self.0.end();
        self.1.end();
    }
}

/// The moves to report, with their ranks.
fn shown<'a>(task: &SearchTask<'_>, moves: &'a [RootChild]) -> impl Iterator<Item = (usize, &'a RootChild)> {
    (1..).zip(moves).take(task.multipv.max(1))
}

/// The first thread's other duties.
struct Leader<'a> {
    task: &'a SearchTask<'a>,
    shared: &'a SharedTreeState<'a>,
    next_report: u64,
    /// The best move last reported, and when.
    last: Option<Move>,
    last_time: Duration,
}

impl Leader<'_> {
    /// Searches, reports, and returns when it is enough.
    fn lead<V: Variant, E: Evaluator<V>>(
        &mut self,
        thread: &mut TreeThread<'_, V, E>,
        observer: &mut dyn Observer,
    ) {
        let mut descents = 0_u32;
        while !self.is_proven() && thread.step() {
            descents = descents.wrapping_add(1);
            let is_time = descents.is_multiple_of(POLL);
            if !is_time && !self.shared.has_slow_leaves() {
                continue;
            }
            if self.shared.must_stop() {
                break;
            }
            let nodes = self.shared.nodes();
            let is_early = nodes < FIRST_REPORT;
            if !is_time && !is_early {
                continue;
            }
            let moves = root_children(self.shared.tree, self.task.game);
            if is_early {
                // Too few visits to tell what is decided, but on a short clock slow leaves use up the target with them, and
                // the leaves of a short search may be as deep as is asked for.
                let is_whole = moves.iter().all(|mv| mv.visits > 0);
                if self.is_past_target(&moves) || is_whole && self.is_deep::<V>(&moves) {
                    break;
                }
                continue;
            }
            self.report::<V>(nodes, &moves, observer);
            if self.is_enough::<V>(nodes, &moves) {
                break;
            }
        }
    }

    fn is_proven(&self) -> bool {
        self.shared.tree.node(ROOT).proof().is_some()
    }

    fn report<V: Variant>(&mut self, nodes: u64, moves: &[RootChild], observer: &mut dyn Observer) {
        let best = moves.first().map(|mv| mv.mv);
        let time = self.shared.clock.elapsed();
        if nodes < self.next_report && best == self.last && time < self.last_time + REPORT_TIME {
            return;
        }
        self.next_report = self.next_report.max(nodes * REPORT_GROWTH / 10);
        (self.last, self.last_time) = (best, time);
        for (rank, mv) in shown(self.task, moves) {
            observer.info(&info::<V>(self.shared, self.task, mv, rank));
        }
    }

    fn is_enough<V: Variant>(&self, nodes: u64, moves: &[RootChild]) -> bool {
        if let Some(depth) = self.task.limits.depth {
            let is_searched = self.shared.params.reach() > 0;
            let most = u64::from(depth) * if is_searched { SEARCHES_PER_PLY } else { VISITS_PER_PLY };
            if nodes >= most || self.is_deep::<V>(moves) {
                return true;
            }
        }
        let [first, rest @ ..] = moves else { return true };
        let Some(left) = self.target_left(first, rest) else { return false };
        // What the second cannot reach in the time left is decided; where all others lose, there is nothing to decide.
        let rate = nodes as f64 / self.shared.clock.elapsed().as_secs_f64().max(1e-6);
        let others = rest.iter().filter(|other| !other.is_lost());
        let second = match others.map(|other| other.visits).max() {
            Some(visits) => visits,
            None if rest.is_empty() => 0,
            None => return true,
        };
        first.visits as f64 > second as f64 + rate * left.as_secs_f64()
    }

    /// Whether the best variation is as long as is asked for.
    fn is_deep<V: Variant>(&self, moves: &[RootChild]) -> bool {
        let (Some(depth), Some(first)) = (self.task.limits.depth, moves.first()) else { return false };
        info::<V>(self.shared, self.task, first, 1).depth >= depth
    }

    fn is_past_target(&self, moves: &[RootChild]) -> bool {
        let Some((first, rest)) = moves.split_first() else { return false };
        self.target_left(first, rest).is_some_and(|left| left.is_zero())
    }

    /// What is left of the time for this move, if there is a clock: more while the most visited move is not the best.
    fn target_left(&self, first: &RootChild, rest: &[RootChild]) -> Option<Duration> {
        let mut others = rest.iter().filter(|other| !other.is_lost());
        let settled = others.all(|other| other.visits * 4 < first.visits || other.mean <= first.mean);
        self.shared.clock.soft_left(if settled { 1.0 } else { UNSETTLED })
    }
}
