//! Iterative deepening with aspiration windows, for one variation or several, on one thread or several.

use super::busy::BusyPositions;
use super::history::History;
use super::node::table_key;
use super::params::*;
use super::root::RootMove;
use super::thread::{SearchThread, SharedState};
use super::tuning::Tuning;
use crate::board::{Move, MoveList};
use crate::eval::Evaluator;
use crate::rules::movegen::generate;
use crate::rules::{Variant, play};
use crate::score::Score;
use crate::search::clock::SearchClock;
use crate::search::quiescence::Quiescence;
use crate::search::table::{MoveCode, TranspositionTable};
use crate::search::window::Window;
use crate::search::{Control, Info, Observer, SearchResult, SearchTask, search_thread};
use crossbeam::utils::CachePadded;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};
use std::time::Duration;

/// Searches with as many threads as there are histories. There must be a legal move.
pub fn search<V: Variant, E: Evaluator<V>>(
    task: &SearchTask<'_>,
    table: &TranspositionTable,
    evaluator: &E,
    tuning: &Tuning,
    histories: &mut [History],
    control: &Control,
    observer: &mut dyn Observer,
) -> SearchResult {
    let root_moves = task.root_moves();
    let shared = SharedState {
        table,
        control,
        clock: SearchClock::new(task, control),
        most_nodes: task.limits.nodes,
        over: AtomicBool::new(false),
        endgame: task.endgame,
        variations: task.multipv.clamp(1, root_moves.len()),
        completed: AtomicI32::new(0),
        result: Mutex::new(Vec::new()),
        busy: (histories.len() > 1).then(BusyPositions::new),
        nodes: histories.iter().map(|_| CachePadded::new(AtomicU64::new(0))).collect(),
    };
    let deepest = task.limits.depth.map_or(MAX_DEPTH, |depth| depth.clamp(1, MAX_DEPTH)) as i32;
    let (first, helpers) = histories.split_at_mut(1);
    let info = std::thread::scope(|scope| {
        // Also when this thread panics: the scope waits for the helpers.
        let _over = Over(&shared.over);
        for (i, history) in helpers.iter_mut().enumerate() {
            let (shared, moves) = (&shared, &root_moves);
            let help = move || {
                let mut thread =
                    SearchThread::<V, E>::new(shared, evaluator, *tuning, history, i + 1, task, moves);
                thread.help(deepest);
            };
            if let Err(error) = search_thread(format!("search {}", i + 1)).spawn_scoped(scope, help) {
                log::warn!("search thread {} cannot be started: {error}", i + 1);
                break;
            }
        }
        let mut thread =
            SearchThread::<V, E>::new(&shared, evaluator, *tuning, &mut first[0], 0, task, &root_moves);
        thread.lead(task, deepest, observer)
    });
    SearchResult::of(info, shared.total_nodes())
}

/// Ends the search of all threads when it is dropped.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl<V: Variant, E: Evaluator<V>> SearchThread<'_, V, E> {
    /// The first thread: deepens, reports, decides when to stop.
    fn lead(&mut self, task: &SearchTask<'_>, deepest: i32, observer: &mut dyn Observer) -> Info {
        let variations = self.shared.variations;
        let mut reports: Vec<Info> = Vec::new();
        let mut stability = 0;
        for depth in 1..=deepest {
            self.iteration = depth;
            let before = reports.first().map(|info| info.pv[0]);
            let mut done = 0;
            while done < variations {
                self.aspire(depth, done, reports.get(done).map(|info| info.score));
                if self.is_stopped() {
                    break;
                }
                done += 1;
            }
            if !self.is_stopped() {
                // The search is not so exact that a later variation could not turn out better.
                self.root_moves[..variations].sort_by_key(RootMove::rank);
            }
            if !self.settle_iteration() {
                if done > 0 || self.has_news(&reports) {
                    reports = self.cut_reports(reports, done.max(1), depth);
                    reports.iter().for_each(|info| observer.info(info));
                }
                break;
            }
            reports = (0..variations).map(|rank| self.report(rank, depth)).collect();
            reports.iter().for_each(|info| observer.info(info));
            self.publish_nodes();
            let best = &reports[0];
            stability = if before == Some(best.pv[0]) { stability + 1 } else { 0 };
            let stretch = [1.6, 1.1, 0.8, 0.65][stability.min(3)];
            let found_win = best.score.plies_to_end().is_some_and(|plies| plies as i32 <= depth);
            let left = self.shared.clock.soft_left(stretch);
            if left.is_some_and(|left| left.is_zero()) || found_win && task.bounds.soft.is_some() {
                break;
            }
            // Iterations of few nodes, in a position whose moves take long to find, do not come to look.
            if self.shared.nodes_left() == Some(0) || self.shared.clock.is_time_up() {
                break;
            }
        }
        self.publish_nodes();
        reports.into_iter().next().unwrap_or_else(|| {
            // Stopped inside the first iteration: a legal move must do.
            let info = self.report(0, 1);
            observer.info(&info);
            info
        })
    }

    /// A helper thread: deepens without a word until the leader is done.
    fn help(&mut self, deepest: i32) {
        let mut score = None;
        let mut depth = 1;
        while depth <= deepest {
            self.iteration = depth;
            self.aspire(depth, 0, score);
            if !self.settle_iteration() {
                break;
            }
            score = self.root_moves.first().map(|m| m.score);
            depth = depth.max(self.shared.completed.load(Ordering::Relaxed)) + 1;
        }
        self.publish_nodes();
    }

    /// One iteration of one variation: a narrow window around the last score, widened on the side that fails.
    fn aspire(&mut self, depth: i32, rank: usize, last: Option<Score>) {
        let mut width = self.tuning.aspiration_width;
        let mut window = Window { alpha: -Score::INFINITE, beta: Score::INFINITE };
        if let Some(score) = last
            && depth >= ASPIRATION_DEPTH
            && !score.is_decided()
        {
            window = Window { alpha: score - width, beta: score + width };
        }
        loop {
            let score = self.search_root(window, depth, rank);
            if self.is_stopped() {
                return;
            }
            width *= 2;
            let wide = width > 500 || score.is_decided();
            if score <= window.alpha && window.alpha > -Score::INFINITE {
                window.alpha = if wide { -Score::INFINITE } else { score - width };
            } else if score >= window.beta && window.beta < Score::INFINITE {
                window.beta = if wide { Score::INFINITE } else { score + width };
            } else {
                return;
            }
        }
    }

    /// Whether an iteration that was cut off has brought a better move than the one reported.
    fn has_news(&self, reports: &[Info]) -> bool {
        match (self.root_moves.first(), reports.first()) {
            (Some(now), Some(old)) => now.score > -Score::INFINITE && now.mv != old.pv[0],
            _ => false,
        }
    }

    /// The reports of an iteration that was cut off: the variations that it has found, before the others of the iteration
    /// before, each move once.
    fn cut_reports(&mut self, before: Vec<Info>, found: usize, depth: i32) -> Vec<Info> {
        self.root_moves[..found].sort_by_key(RootMove::rank);
        let mut reports: Vec<Info> = (0..found).map(|rank| self.report(rank, depth)).collect();
        self.add_reply(&mut reports[0].pv);
        let (nodes, time) = (reports[0].nodes, reports[0].time);
        for old in before {
            if reports.iter().all(|new| new.pv[0] != old.pv[0]) {
                reports.push(Info { rank: reports.len() + 1, nodes, time, ..old });
            }
        }
        reports.truncate(self.shared.variations);
        reports
    }

    /// Adds the table's reply to a line of one move: a move that has just turned out better than the window has no line
    /// yet.
    fn add_reply(&self, line: &mut Vec<Move>) {
        let &[mv] = line.as_slice() else { return };
        let next = play::<V>(&self.root, mv);
        let key = table_key::<V>(&next, self.root_counters.after_in::<V>(mv, &next));
        let Some(known) = self.shared.table.probe(key, 1) else { return };
        let mut replies = MoveList::new();
        generate::<V>(&next, &mut replies);
        line.extend(replies.into_iter().find(|&reply| MoveCode::of(reply) == known.mv));
    }

    fn report(&self, rank: usize, depth: i32) -> Info {
        self.publish_nodes();
        let best = &self.root_moves[rank];
        let mut score = best.score;
        if score == -Score::INFINITE {
            score = self.evaluator.evaluate(&self.root);
        }
        Info {
            rank: rank + 1,
            depth: depth as u32,
            mean_depth: self.leaf_plies as f64 / self.leaves.max(1) as f64,
            score,
            winrate: None,
            nodes: self.shared.total_nodes(),
            time: self.shared.clock.elapsed().max(Duration::from_micros(1)),
            pv: best.line.clone(),
        }
    }
}
