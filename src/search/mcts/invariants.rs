//! Tests: counts and values add up in every tree after a search.

use super::params::{Leaf, Parallel, Params, Selection};
use super::tree::{ROOT, Tree};
use super::tree_store::TreeStore;
use crate::eval::HandMade;
use crate::for_variant;
use crate::game::Game;
use crate::rules::VariantId;
use crate::search::alphabeta::{AlphaBetaMemory, History, Tuning};
use crate::search::table::TranspositionTable;
use crate::search::{Control, Limits, SearchTask};

/// Rounding of a visit's value, more than enough.
const EPSILON: f64 = 1e-4;

fn search(game: &Game, params: &Params, threads: usize, nodes: u64, store: &mut TreeStore) {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let task = SearchTask::simple(game, limits);
    let (table, mut histories) = (TranspositionTable::new(1), vec![History::default(); threads]);
    let memory = AlphaBetaMemory { table: &table, histories: &mut histories, tuning: Tuning::default() };
    for_variant!(game.variant(), V => super::search::<V, _>(
        &task, params, store, &HandMade, memory, &Control::new(), &mut (),
    ));
}

/// Visits and values add up at every node. `own` is what the first visit of a node counts; none where parts of the tree
/// were forgotten, so that only bounds hold.
fn check(tree: &Tree, own: Option<u64>) {
    let mut stack = vec![ROOT];
    while let Some(id) = stack.pop() {
        let node = tree.node(id);
        let (visits, pending) = node.counts();
        assert_eq!(pending, 0, "a visit that has not come back");
        assert!((0.0..=1.0).contains(&node.mean()));
        let Some(children) = node.children() else { continue };
        stack.extend(children.ids());
        let run = tree.run(children);
        let below: u64 = run.iter().map(|child| child.visits()).sum();
        // For the side that moved to this node: what the other side did not get.
        let value: f64 = run.iter().map(|child| child.visits() as f64 - child.sum()).sum();
        // RAVE: a visit of a child is a simulation that begins with its move.
        for (child, amaf) in run.iter().zip(tree.amaf_run(children)) {
            let (simulations, mean) = amaf.get();
            assert!((child.visits()..=visits).contains(&simulations), "{simulations} of {visits}");
            assert!((0.0..=1.0).contains(&mean));
        }
        let rest = visits as f64 - below as f64;
        assert!(rest >= 0.0, "children have been visited more often than their parent");
        let rounding = EPSILON * visits as f64;
        assert!(node.sum() - value >= -rounding && node.sum() - value <= rest + rounding);
        // Nobody goes on below a node that is proven, and the root has no visit of its own, nor a node without a choice.
        if let (Some(own), None) = (own, node.proof()) {
            assert_eq!(rest as u64, if id == ROOT || run.len() == 1 { 0 } else { own });
        }
    }
}

fn kinds() -> Vec<Params> {
    let kind = |selection, leaf, parallel| Params {
        selection,
        leaf,
        parallel,
        leaf_playouts: 2,
        playout_plies: 40,
        hash_mb: 32,
        leaf_depth: 3,
        ..Params::default()
    };
    vec![
        kind(Selection::Puct, Leaf::Eval, Parallel::Tree),
        kind(Selection::Uct, Leaf::Eval, Parallel::Tree),
        kind(Selection::Puct, Leaf::Search, Parallel::Tree),
        Params { minimax: Some(0.9), ..kind(Selection::Puct, Leaf::Search, Parallel::Root) },
        kind(Selection::Uct, Leaf::Playout, Parallel::Tree),
        kind(Selection::UcbLog10, Leaf::PlayoutHeavy, Parallel::Tree),
        kind(Selection::Rave, Leaf::Playout, Parallel::Tree),
        kind(Selection::Uct, Leaf::Playout, Parallel::Root),
        kind(Selection::Rave, Leaf::Playout, Parallel::Leaf),
    ]
}

#[test]
fn visits_and_values_add_up_with_one_thread_and_with_eight() {
    for variant in [VariantId::International, VariantId::Losing, VariantId::English] {
        let mut game = Game::new(variant);
        for ply in 0..10 {
            let moves = game.legal_moves();
            game.play(moves[ply % moves.len()]).unwrap();
        }
        for params in kinds() {
            for threads in [1, 8] {
                let mut store = TreeStore::default();
                search(&game, &params, threads, 2_000, &mut store);
                let own = match params.parallel {
                    Parallel::Leaf => threads as u64 * u64::from(params.leaf_playouts),
                    _ => 1,
                };
                store.trees().iter().for_each(|tree| check(tree, Some(own)));
                let visits: u64 = store.trees().iter().map(|tree| tree.node(ROOT).visits()).sum();
                assert!((2_000..2_000 + own).contains(&visits), "{params:?}: {visits}");
            }
        }
    }
}

#[test]
fn eight_threads_and_little_memory() {
    let game = Game::new(VariantId::International);
    for (selection, leaf) in [(Selection::Puct, Leaf::Eval), (Selection::Rave, Leaf::Playout)] {
        let nodes = if leaf == Leaf::Eval { 40_000 } else { 10_000 };
        let params = Params { selection, leaf, playout_plies: 10, hash_mb: 1, ..Params::default() };
        let mut store = TreeStore::default();
        search(&game, &params, 8, nodes, &mut store);
        for tree in store.trees() {
            check(tree, None);
            assert_eq!(tree.node(ROOT).visits(), nodes);
        }
    }
}

#[test]
fn a_tree_that_is_kept_still_adds_up() {
    let mut game = Game::new(VariantId::English);
    let mut store = TreeStore::default();
    let params = Params { hash_mb: 8, ..Params::default() };
    for _ in 0..10 {
        search(&game, &params, 2, 1_000, &mut store);
        check(&store.trees()[0], None);
        let moves = game.legal_moves();
        game.play(moves[moves.len() / 2]).unwrap();
    }
}
