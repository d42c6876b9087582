//! The state of one thread: its path, its part of the evaluation.

use super::select::Selector;
use super::shared::SharedTreeState;
use super::tree::{NewChild, NodeId, Tree};
use crate::board::{Key, Position};
use crate::eval::Evaluator;
use crate::game::Game;
use crate::rules::Variant;
use crate::rules::draws::Counters;
use crate::score::Score;
use crate::search::alphabeta::ShortSearch;
use crate::search::quiescence::Quiescence;
use crate::search::quiet::{MOST_NODES, MOST_SLOW, THREAT_PLIES};
use crate::search::window::Window;

/// The state of one thread.
pub(super) struct TreeThread<'a, V: Variant, E: Evaluator<V>> {
    pub shared: &'a SharedTreeState<'a>,
    /// This thread's number.
    pub id: usize,
    pub tree: &'a Tree,
    evaluator: &'a E,
    /// What the evaluator keeps.
    memory: E::Memory,
    pub selector: Selector,
    pub root: Position,
    pub root_counters: Counters,
    /// Keys since the last irreversible move before the root, the root's included, then those of the path.
    pub keys: Vec<Key>,
    pub root_keys: usize,
    pub path: Vec<NodeId>,
    pub new_children: Vec<NewChild>,
    /// What quiescence says of them, for the side that makes the move.
    pub quiet_scores: Vec<Score>,
    /// What the policy says of them, in parts of `policy::UNIT`.
    pub policy_values: Vec<i32>,
    quiet_nodes: u32,
    /// Whether captures may have taken long to find: then the limits are looked at before each value.
    is_slow: bool,
    /// Values new nodes by alpha-beta.
    pub short: Option<ShortSearch<'a, V, E>>,
    pub variant: std::marker::PhantomData<V>,
}

impl<'a, V: Variant, E: Evaluator<V>> TreeThread<'a, V, E> {
    pub fn new(
        shared: &'a SharedTreeState<'a>,
        id: usize,
        game: &Game,
        evaluator: &'a E,
        short: Option<ShortSearch<'a, V, E>>,
    ) -> Self {
        let params = &shared.params;
        let keys = game.recent_keys().to_vec();
        TreeThread {
            shared,
            id,
            tree: shared.tree,
            evaluator,
            memory: E::Memory::default(),
            selector: Selector::new(params).with_noise(params.noise, &shared.noise),
            root: *game.position(),
            root_counters: game.counters_to_play_on(),
            root_keys: keys.len(),
            keys,
            path: Vec::new(),
            new_children: Vec::new(),
            quiet_scores: Vec::new(),
            policy_values: Vec::new(),
            quiet_nodes: 0,
            is_slow: false,
            short,
            variant: std::marker::PhantomData,
        }
    }

    /// One descent, if the search goes on.
    pub fn step(&mut self) -> bool {
        if self.shared.rendezvous.is_called() && !self.shared.is_over() {
            self.shared.rendezvous.meet(|| self.shared.make_room());
        }
        if self.shared.is_over() || !self.shared.claim() {
            return false;
        }
        self.descend();
        true
    }

    /// A helper's search.
    pub fn help(&mut self) {
        let _leaving = Leaving(self.shared);
        let mut descents = 0_u32;
        while self.step() {
            descents = descents.wrapping_add(1);
            let is_time = descents.is_multiple_of(super::shared::POLL) || self.shared.has_slow_leaves();
            if is_time && self.shared.must_stop() {
                break;
            }
        }
    }

    /// The value of a position when it has become quiet, for the side to move; its key is the last one. The static value if
    /// that would take more nodes than allowed, or if it takes long and the search must stop.
    pub fn quiet_value(&mut self, position: &Position, counters: Counters) -> Score {
        if self.is_slow && self.shared.must_stop() {
            return self.evaluate(position, 0);
        }
        self.quiet_nodes = 0;
        let window = Window { alpha: -Score::INFINITE, beta: Score::INFINITE };
        let score = self.quiescence(position, counters, window, 0, 0);
        if self.is_stopped() { self.evaluate(position, 0) } else { score }
    }

    /// Whether the current position has occurred before, and if so, whether that is a draw for certain: it has if it
    /// happened below the root, where going round in circles gains nothing, or as often as the rules ask.
    pub fn repetition(&self, quiet: u16) -> Option<bool> {
        let (current, earlier) = self.keys.split_last()?;
        let mut times = 1;
        let mut is_certain = false;
        for (i, key) in earlier.iter().enumerate().rev().take(quiet as usize).skip(3).step_by(2) {
            if key == current {
                times += 1;
                is_certain |= i + 1 >= self.root_keys;
            }
        }
        (times > 1).then_some(is_certain || times >= V::RULES.draws.repetition)
    }
}

/// Takes a thread from those that the others wait for, however it ends. After a panic the search ends for all.
pub(super) struct Leaving<'a>(pub &'a SharedTreeState<'a>);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.end();
        }
        self.0.rendezvous.leave();
    }
}

impl<V: Variant, E: Evaluator<V>> Quiescence<V> for TreeThread<'_, V, E> {
    #[inline(always)]
    fn count_node(&mut self) -> bool {
        self.quiet_nodes += 1;
        self.is_stopped()
    }

    fn look_soon(&mut self) {
        self.is_slow = true;
        self.quiet_nodes += if self.shared.must_stop() { MOST_NODES } else { MOST_NODES / MOST_SLOW };
    }

    #[inline(always)]
    fn is_stopped(&self) -> bool {
        self.quiet_nodes > MOST_NODES
    }

    #[inline(always)]
    fn keys(&mut self) -> &mut Vec<Key> {
        &mut self.keys
    }

    #[inline(always)]
    fn is_repetition(&self, quiet: u16) -> bool {
        self.repetition(quiet).is_some()
    }

    #[inline(always)]
    fn table_score(&self, position: &Position, counters: Counters, ply: usize) -> Option<Score> {
        self.shared.endgame.as_ref()?.score::<V>(position, counters, ply)
    }

    #[inline(always)]
    fn threat_plies(&self) -> i32 {
        THREAT_PLIES
    }

    #[inline(always)]
    fn evaluate(&mut self, position: &Position, ply: usize) -> Score {
        self.evaluator.evaluate_with(&mut self.memory, position, ply)
    }
}
