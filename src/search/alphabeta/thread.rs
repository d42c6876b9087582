//! One thread's view of a search: its path, its counters, its own history table.

use super::busy::BusyPositions;
use super::fading::{Fading, plies_left};
use super::history::History;
use super::params::{CLEAR, POLL_NODES};
use super::root::RootMove;
use super::tuning::Tuning;
use crate::board::{Key, Move, Position};
use crate::eval::Evaluator;
use crate::rules::Variant;
use crate::rules::draws::Counters;
use crate::score::Score;
use crate::search::clock::SearchClock;
use crate::search::endgame::EndgameTables;
use crate::search::quiescence::Quiescence;
use crate::search::table::TranspositionTable;
use crate::search::window::Window;
use crate::search::{Control, MAX_PLY, SearchTask};
use crossbeam::utils::CachePadded;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};

/// What all threads of one search share.
pub(super) struct SharedState<'a> {
    pub table: &'a TranspositionTable,
    pub control: &'a Control,
    pub clock: SearchClock<'a>,
    pub most_nodes: Option<u64>,
    /// Set when the search is over for every thread.
    pub over: AtomicBool,
    /// Endgame tables, if there are any for so few pieces.
    pub endgame: Option<EndgameTables<'a>>,
    /// Variations to report. With one, whoever completes an iteration first has done it for all; with several, only
    /// the first thread searches them.
    pub variations: usize,
    /// The deepest iteration that is done for all.
    pub completed: AtomicI32,
    /// The root moves of that iteration, best first.
    pub result: Mutex<Vec<RootMove>>,
    /// What the threads are at; only if there are several.
    pub busy: Option<BusyPositions>,
    /// Nodes of each thread, published after [`POLL_NODES`] more at the latest.
    pub nodes: Box<[CachePadded<AtomicU64>]>,
}

impl SharedState<'_> {
    /// Nodes of all threads, as far as published.
    pub fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|n| n.load(Ordering::Relaxed)).sum()
    }

    /// Nodes to the limit, as far as published; none without a limit.
    pub fn nodes_left(&self) -> Option<u64> {
        self.most_nodes.map(|most| most.saturating_sub(self.total_nodes()))
    }

    /// Nodes that a thread searches before it looks at the limits again: near the node limit its share of what is left.
    /// So one thread ends at the limit exactly; several may exceed it by less than [`POLL_NODES`] each.
    pub fn poll_nodes(&self) -> u64 {
        self.nodes_left().map_or(POLL_NODES, |left| (left / self.nodes.len() as u64).clamp(1, POLL_NODES))
    }
}

/// What a thread knows at one ply of its path.
#[derive(Clone, Debug, Default)]
pub(super) struct PlyState {
    /// The move that led here; none at the root.
    pub previous: Option<Move>,
    /// Static value of the position, once it was asked for.
    pub static_value: Option<Score>,
    /// Principal variation from here on. Only searches with an open window leave one.
    pub line: Vec<Move>,
}

/// The state of one thread.
pub(super) struct SearchThread<'a, V: Variant, E: Evaluator<V>> {
    pub shared: &'a SharedState<'a>,
    pub evaluator: &'a E,
    /// What the evaluator keeps.
    memory: E::Memory,
    pub tuning: Tuning,
    pub history: &'a mut History,
    pub id: usize,
    pub root: Position,
    pub root_counters: Counters,
    pub root_moves: Vec<RootMove>,
    /// Whether these are all legal moves.
    pub has_all_root_moves: bool,
    /// Keys since the last irreversible move before the root, then those of the path; the last one is the current
    /// position's.
    pub keys: Vec<Key>,
    /// What is known at each ply of the path, the root's first.
    pub stack: Vec<PlyState>,
    pub nodes: u64,
    /// Nodes at which this thread next looks at clock, flags and limits.
    next_poll: u64,
    /// Leaves evaluated and the sum of their distances from the root.
    pub leaves: u64,
    pub leaf_plies: u64,
    /// The depth of the present iteration, or of the present short search.
    pub iteration: i32,
    /// Whether a test search of forward pruning is running: they do not nest.
    pub probing: bool,
    /// Whether the present root move has turned out better than those before it.
    pub has_raised: bool,
    stopped: bool,
    /// Whether it is stopped only because another thread has completed the same iteration.
    overtaken: bool,
    pub variant: std::marker::PhantomData<V>,
}

impl<'a, V: Variant, E: Evaluator<V>> SearchThread<'a, V, E> {
    pub fn new(
        shared: &'a SharedState<'a>,
        evaluator: &'a E,
        tuning: Tuning,
        history: &'a mut History,
        id: usize,
        task: &SearchTask<'_>,
        root_moves: &[Move],
    ) -> Self {
        let game = task.game;
        SearchThread {
            shared,
            evaluator,
            memory: E::Memory::default(),
            tuning,
            history,
            id,
            root: *game.position(),
            root_counters: game.counters_to_play_on(),
            root_moves: root_moves.iter().copied().map(RootMove::new).collect(),
            has_all_root_moves: task.has_all_moves(),
            keys: game.recent_keys().to_vec(),
            stack: vec![PlyState::default(); MAX_PLY + 2],
            nodes: 0,
            next_poll: shared.poll_nodes(),
            leaves: 0,
            leaf_plies: 0,
            iteration: 0,
            probing: false,
            has_raised: false,
            stopped: false,
            overtaken: false,
            variant: std::marker::PhantomData,
        }
    }

    #[cold]
    #[inline(never)]
    fn poll(&mut self) {
        self.publish_nodes();
        let shared = self.shared;
        if shared.over.load(Ordering::Relaxed)
            || shared.control.is_stopped()
            || shared.clock.is_time_up()
            || shared.nodes_left() == Some(0)
        {
            self.stopped = true;
        } else if shared.completed.load(Ordering::Relaxed) >= self.iteration
            && (self.id > 0 || shared.variations == 1)
        {
            self.stopped = true;
            self.overtaken = true;
        }
        self.next_poll = self.nodes + shared.poll_nodes();
    }

    /// Ends an iteration: offers this thread's result to the others, or takes over that of the thread that was
    /// faster. False when the search is over.
    pub fn settle_iteration(&mut self) -> bool {
        let shared = self.shared;
        if std::mem::take(&mut self.overtaken) {
            self.stopped = false;
        }
        if self.stopped {
            return false;
        }
        let mut result = shared.result.lock();
        if shared.completed.load(Ordering::Relaxed) < self.iteration {
            if self.id == 0 || shared.variations == 1 {
                result.clone_from(&self.root_moves);
                shared.completed.store(self.iteration, Ordering::Relaxed);
            }
        } else {
            self.root_moves.clone_from(&result);
        }
        true
    }

    /// Makes this thread's node count visible to the others.
    pub fn publish_nodes(&self) {
        self.shared.nodes[self.id].store(self.nodes, Ordering::Relaxed);
    }

    /// Goes from `ply` to the position `next` after `mv`.
    #[inline(always)]
    pub fn enter(&mut self, ply: usize, mv: Move, next: &Position) {
        self.keys.push(next.key());
        let state = &mut self.stack[ply + 1];
        state.previous = Some(mv);
        state.static_value = None;
    }

    /// Goes back from the position that was entered last.
    #[inline(always)]
    pub fn leave(&mut self) {
        self.keys.pop();
    }

    /// Static value of the position at `ply`, computed once.
    #[inline(always)]
    pub fn static_value(&mut self, position: &Position, ply: usize) -> Score {
        if let Some(value) = self.stack[ply].static_value {
            return value;
        }
        let value = self.evaluator.evaluate_with(&mut self.memory, position, ply);
        self.stack[ply].static_value = Some(value);
        value
    }

    /// A rough value of a leaf that is so far outside the window that nothing else is asked.
    #[inline(always)]
    fn rough_bound(&self, position: &Position, window: Window) -> Option<Score> {
        let margin = self.tuning.lazy_margin;
        let is_far = |value: &Score| *value >= window.beta + margin || *value <= window.alpha - margin;
        self.evaluator.rough(position).filter(is_far)
    }

    /// Counts a leaf, for the mean depth.
    #[inline(always)]
    pub fn count_leaf(&mut self, ply: usize) {
        self.leaves += 1;
        self.leaf_plies += ply as u64;
    }

    /// The line from `ply` on becomes the move to the next ply and the line from there.
    pub fn extend_line(&mut self, ply: usize) {
        let (head, tail) = self.stack.split_at_mut(ply + 1);
        let line = &mut head[ply].line;
        line.clear();
        line.extend(tail[0].previous);
        line.extend_from_slice(&tail[0].line);
    }
}

impl<V: Variant, E: Evaluator<V>> Quiescence<V> for SearchThread<'_, V, E> {
    /// Counts a node and now and then looks at clock, flags and limits; true when the search must unwind, and then the
    /// node is not counted.
    #[inline(always)]
    fn count_node(&mut self) -> bool {
        if self.nodes >= self.next_poll {
            self.poll();
        }
        self.nodes += u64::from(!self.stopped);
        self.stopped
    }

    fn look_soon(&mut self) {
        self.next_poll = self.nodes;
    }

    #[inline(always)]
    fn is_stopped(&self) -> bool {
        self.stopped
    }

    #[inline(always)]
    fn keys(&mut self) -> &mut Vec<Key> {
        &mut self.keys
    }

    /// The second occurrence counts: what can be repeated once can be repeated twice.
    #[inline(always)]
    fn is_repetition(&self, quiet: u16) -> bool {
        let Some((current, earlier)) = self.keys.split_last() else { return false };
        // The same side is to move every second ply, and four plies are the shortest way back.
        earlier.iter().rev().take(quiet as usize).skip(3).step_by(2).any(|key| key == current)
    }

    #[inline(always)]
    fn table_score(&self, position: &Position, counters: Counters, ply: usize) -> Option<Score> {
        self.shared.endgame.as_ref()?.score::<V>(position, counters, ply)
    }

    #[inline(always)]
    fn threat_plies(&self) -> i32 {
        self.tuning.threat_plies
    }

    #[inline(always)]
    fn offer_plies(&self) -> i32 {
        self.tuning.offer_plies
    }

    /// Not where alpha is a clear win: there a move is looked for that ends the game.
    #[inline(always)]
    fn too_low(
        &mut self,
        position: &Position,
        counters: Counters,
        alpha: Score,
        ply: usize,
    ) -> Option<Score> {
        if alpha.centi() >= CLEAR {
            return None;
        }
        let most = alpha - self.tuning.threat_margin;
        let rough = self.evaluator.rough(position).filter(|&value| value <= most - self.tuning.lazy_margin);
        let value = rough.unwrap_or_else(|| self.evaluator.evaluate_with(&mut self.memory, position, ply));
        let value = Fading::of(position, plies_left::<V>(counters)).apply(value);
        let is_too_low = value <= most;
        if is_too_low {
            self.count_leaf(ply);
        }
        is_too_low.then_some(value)
    }

    #[inline(always)]
    fn leaf_value(&mut self, position: &Position, counters: Counters, window: Window, ply: usize) -> Score {
        let fading = Fading::of(position, plies_left::<V>(counters));
        if fading.is_none()
            && let Some(value) = self.rough_bound(position, window)
        {
            self.count_leaf(ply);
            return value;
        }
        fading.apply(self.evaluate(position, ply))
    }

    #[inline(always)]
    fn expect_evaluation(&self, position: &Position) {
        self.evaluator.expect(&self.memory, position);
    }

    /// Counts it as a leaf, too.
    #[inline(always)]
    fn evaluate(&mut self, position: &Position, ply: usize) -> Score {
        self.count_leaf(ply);
        self.evaluator.evaluate_with(&mut self.memory, position, ply)
    }
}
