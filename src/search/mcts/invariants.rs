//! Tests: counts and values add up in the tree after a search.

use super::params::{Leaf, Params};
use super::shared::SharedTreeState;
use super::tree::{ROOT, Tree};
use super::tree_store::TreeStore;
use crate::eval::HandMade;
use crate::for_variant;
use crate::game::Game;
use crate::rules::{English, International, VariantId};
use crate::search::alphabeta::{AlphaBetaMemory, History, Tuning};
use crate::search::clock::{Bounds, SearchClock};
use crate::search::table::TranspositionTable;
use crate::search::{Control, Limits, SearchTask};
use std::time::Duration;

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

/// Visits and values add up at every node. Where parts of the tree were forgotten only bounds hold.
fn check(tree: &Tree, is_whole: bool) {
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
        let rest = visits as f64 - below as f64;
        assert!(rest >= 0.0, "children have been visited more often than their parent");
        let rounding = EPSILON * visits as f64;
        assert!(node.sum() - value >= -rounding && node.sum() - value <= rest + rounding);
        // Nobody goes on below a node that is proven, and the root has no visit of its own, nor a node without a choice.
        if is_whole && node.proof().is_none() {
            assert_eq!(rest as u64, u64::from(id != ROOT && run.len() > 1));
        }
    }
}

fn kinds() -> [Params; 5] {
    let kind = |leaf, minimax| Params { leaf, minimax, hash_mb: 32, leaf_depth: 3, ..Params::default() };
    [
        kind(Leaf::Eval, None),
        kind(Leaf::Eval, Some(0.0)),
        kind(Leaf::Search, None),
        kind(Leaf::Search, Some(0.9)),
        Params { noise: 0.3, ..kind(Leaf::Eval, Some(1.0)) },
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
                check(store.tree(), true);
                assert_eq!(store.tree().node(ROOT).visits(), 2_000, "{params:?}");
            }
        }
    }
}

#[test]
fn eight_threads_and_little_memory() {
    let game = Game::new(VariantId::International);
    let params = Params { leaf: Leaf::Eval, hash_mb: 1, ..Params::default() };
    let mut store = TreeStore::default();
    search(&game, &params, 8, 40_000, &mut store);
    check(store.tree(), false);
    assert_eq!(store.tree().node(ROOT).visits(), 40_000);
}

#[test]
fn a_tree_that_is_kept_still_adds_up() {
    let mut game = Game::new(VariantId::English);
    let mut store = TreeStore::default();
    let params = Params { hash_mb: 8, ..Params::default() };
    for _ in 0..10 {
        search(&game, &params, 2, 1_000, &mut store);
        check(store.tree(), false);
        let moves = game.legal_moves();
        game.play(moves[moves.len() / 2]).unwrap();
    }
}

#[test]
fn a_large_tree_is_not_kept_where_going_through_it_takes_the_clock() {
    let mut game = Game::new(VariantId::English);
    let mut store = TreeStore::default();
    let params = Params { hash_mb: 8, ..Params::default() };
    search(&game, &params, 1, 1_000, &mut store);
    game.play(game.legal_moves()[0]).unwrap();
    let nodes = store.nodes() as u64;
    let mut visits = |left| {
        let left = Some(Duration::from_nanos(left));
        store.prepare::<English>(&game, &params, left).node(ROOT).visits()
    };
    // 80 ns for each node: a quarter of the time that is left may be spent.
    assert!(visits(80 * nodes) > 0);
    assert_eq!(visits(79), 0);
}

#[test]
fn a_search_whose_tree_is_full_ends_where_making_room_takes_the_clock() {
    let game = Game::new(VariantId::International);
    let params = Params { leaf: Leaf::Eval, hash_mb: 1, ..Params::default() };
    let tree = Tree::new(1 << 20);
    let hard = |hard| Bounds { soft: None, hard: Some(hard) };
    for (bounds, ends) in [(hard(Duration::from_secs(600)), false), (hard(Duration::ZERO), true)] {
        let task = SearchTask { bounds, ..SearchTask::simple(&game, Limits::default()) };
        let control = Control::new();
        let shared = SharedTreeState::new::<International, _>(
            &task,
            params,
            &HandMade,
            &tree,
            1,
            &control,
            SearchClock::new(&task, &control),
        );
        shared.make_room();
        assert_eq!(shared.is_over(), ends);
    }
}
