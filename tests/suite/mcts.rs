//! The Monte-Carlo tree search through the engine, in every variant and with every option.

use kroon::engine::{Engine, Mode, Options, Report, Request, SearchKind};
use kroon::game::{Game, Outcome};
use kroon::notation::fen;
use kroon::rules::VariantId;
use kroon::score::Score;
use kroon::search::mcts::{Leaf, Parallel, Params, Selection};
use kroon::search::{Control, Info, Limits, Observer};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::thread;
use std::time::{Duration, Instant};

fn options(mcts: Params) -> Options {
    Options {
        hash_mb: 1,
        search: SearchKind::Mcts,
        mcts: Params { hash_mb: 4, ..mcts },
        ..Options::default()
    }
}

fn request(game: &Game, nodes: u64) -> Request {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    Request { game: game.clone(), limits, mode: Mode::Analyze }
}

fn search(mcts: Params, game: &Game, nodes: u64) -> Report {
    Engine::new(options(mcts)).go(&request(game, nodes), &Control::new(), &mut ())
}

/// Every selection with every leaf.
fn all_kinds() -> impl Iterator<Item = Params> {
    Selection::NAMES.iter().flat_map(|selection| {
        Leaf::NAMES.iter().map(|leaf| Params {
            selection: selection.parse().unwrap(),
            leaf: leaf.parse().unwrap(),
            ..Params::default()
        })
    })
}

/// All reports, checked.
struct Reports<'a>(&'a Game, Vec<Info>);

impl Observer for Reports<'_> {
    fn info(&mut self, info: &Info) {
        let winrate = info.winrate.expect("a tree search counts results");
        assert!((0.0..=1.0).contains(&winrate) && info.mean_depth.is_finite());
        let mut game = self.0.clone();
        info.pv.iter().for_each(|&mv| game.play(mv).unwrap());
        assert!(!info.pv.is_empty());
        self.1.push(info.clone());
    }
}

#[test]
fn one_thread_and_a_seed_give_the_same_search_again() {
    let game =
        fen::game_from_fen(VariantId::International, "W:W27,32,37,38,42,48:B8,12,13,18,19,24").unwrap();
    for kind in all_kinds() {
        let [first, again] = [(); 2].map(|()| search(kind, &game, 600));
        let figures = |report: &Report| {
            let info = report.info.clone().unwrap();
            (info.pv, info.nodes, info.score, info.winrate, info.mean_depth)
        };
        assert_eq!(figures(&first), figures(&again), "{kind:?}");
        assert_eq!(first.nodes, 600, "{kind:?}");
    }
}

#[test]
fn every_variant_is_searched_with_every_kind() {
    for variant in VariantId::ALL {
        let game = Game::new(variant);
        for kind in all_kinds() {
            let mut reports = Reports(&game, Vec::new());
            let mut engine = Engine::new(Options { multipv: 3, ..options(kind) });
            let report = engine.go(&request(&game, 100), &Control::new(), &mut reports);
            assert!(report.best.is_some_and(|mv| game.legal_moves().contains(&mv)));
            assert!(report.ponder.is_some(), "{variant} {kind:?}");
            let ranks: Vec<usize> = reports.1.iter().rev().take(3).map(|info| info.rank).collect();
            assert_eq!(ranks, [3, 2, 1], "{variant} {kind:?}");
        }
    }
}

#[test]
fn threads_do_what_is_asked_and_no_more() {
    let game = Game::new(VariantId::International);
    for parallel in [Parallel::Tree, Parallel::Root, Parallel::Leaf] {
        for leaf in [Leaf::Eval, Leaf::Playout] {
            let params = Params { parallel, leaf, leaf_playouts: 2, ..Params::default() };
            let mut engine = Engine::new(Options { threads: 4, ..options(params) });
            let report = engine.go(&request(&game, 800), &Control::new(), &mut ());
            assert_eq!(report.nodes, 800, "{parallel} {leaf}");
        }
    }
}

#[test]
fn a_random_mover_is_beaten_in_every_variant() {
    for (leaf, nodes) in [(Leaf::Eval, 150), (Leaf::Playout, 300)] {
        for variant in VariantId::ALL {
            let selection = if leaf == Leaf::Eval { Selection::Puct } else { Selection::Uct };
            let mut engine = Engine::new(options(Params { selection, leaf, ..Params::default() }));
            let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
            let mut game = Game::new(variant);
            let us = game.position().turn();
            while game.outcome().is_none() {
                let legal = game.legal_moves();
                let mv = if game.position().turn() == us {
                    engine.go(&request(&game, nodes), &Control::new(), &mut ()).best.unwrap()
                } else {
                    legal[random.random_range(0..legal.len())]
                };
                game.play(mv).unwrap();
            }
            // Random games say little of endings with kings on both sides.
            let outcome = game.outcome().unwrap();
            let is_beaten = outcome == Outcome::Win(us);
            let is_drawn = matches!(outcome, Outcome::Draw(_));
            assert!(is_beaten || leaf == Leaf::Playout && is_drawn, "{variant} {leaf}: {outcome}");
        }
    }
}

#[test]
fn wins_are_proven_with_their_distance() {
    // 9-3 and 9-4 win at once.
    let game = fen::game_from_fen(VariantId::Breakthrough, "W:W9,29,48:B20,26").unwrap();
    for kind in all_kinds() {
        let report = search(kind, &game, 2_000);
        assert_eq!(report.info.unwrap().score, Score::win_in(1), "{kind:?}");
        assert!(report.best.unwrap().promotes() && report.nodes < 2_000);
    }
    // A man that cannot be stopped, against one that is far away.
    let game = fen::game_from_fen(VariantId::English, "B:W32:B27").unwrap();
    let report = search(Params::default(), &game, 5_000);
    assert!(report.info.unwrap().score.is_decided() || report.nodes == 5_000);
}

#[test]
fn a_position_is_a_draw_when_it_comes_again() {
    // One king each, neither in the other's way: nothing can happen.
    let game = fen::game_from_fen(VariantId::International, "W:WK46:BK45").unwrap();
    let report = search(Params::default(), &game, 3_000);
    let winrate = report.info.unwrap().winrate.unwrap();
    assert!((0.4..=0.6).contains(&winrate), "{winrate}");
}

#[test]
fn a_small_tree_makes_room_and_goes_on() {
    let game = Game::new(VariantId::International);
    for threads in [1, 8] {
        let params = Params { hash_mb: 1, ..Params::default() };
        let mut engine = Engine::new(Options { threads, mcts: params, ..options(params) });
        // Ten children for each visit: many times more than a mebibyte holds.
        let report = engine.go(&request(&game, 30_000), &Control::new(), &mut ());
        assert_eq!(report.nodes, 30_000);
    }
}

#[test]
fn what_is_below_the_new_root_is_used_again() {
    let mut game = Game::new(VariantId::English);
    let mut engine = Engine::new(options(Params::default()));
    let first = engine.go(&request(&game, 3_000), &Control::new(), &mut ());
    let line = first.info.unwrap().pv;
    game.play(line[0]).unwrap();
    game.play(line[1]).unwrap();
    let mut reports = Reports(&game, Vec::new());
    engine.go(&request(&game, 100), &Control::new(), &mut reports);
    let again = reports.1.pop().unwrap();
    // A hundred visits alone would not go so deep.
    let fresh = search(Params::default(), &game, 100).info.unwrap();
    assert!(again.mean_depth > fresh.mean_depth + 0.5, "{} {}", again.mean_depth, fresh.mean_depth);
    assert_eq!(again.nodes, 100);
    engine.new_game();
    let forgotten = engine.go(&request(&game, 100), &Control::new(), &mut ()).info.unwrap();
    assert_eq!((forgotten.pv, forgotten.score), (fresh.pv, fresh.score));
}

#[test]
fn time_and_stop_are_obeyed() {
    let game = Game::new(VariantId::International);
    for kind in all_kinds() {
        let mut engine = Engine::new(Options { threads: 2, ..options(kind) });
        let limits = Limits { move_time: Some(Duration::from_millis(20)), ..Limits::default() };
        let start = Instant::now();
        let task = Request { game: game.clone(), limits, mode: Mode::Think };
        assert!(engine.go(&task, &Control::new(), &mut ()).best.is_some());
        assert!(start.elapsed() < Duration::from_secs(2));

        for mode in [Mode::Ponder, Mode::Analyze] {
            let limits = Limits { infinite: mode == Mode::Analyze, ..limits };
            let task = Request { game: game.clone(), limits, mode };
            let control = Control::new();
            thread::scope(|scope| {
                let search = scope.spawn(|| engine.go(&task, &control, &mut ()));
                thread::sleep(Duration::from_millis(40));
                assert!(!search.is_finished(), "{mode:?}");
                if mode == Mode::Ponder {
                    control.ponder_hit()
                } else {
                    control.stop()
                }
                assert!(search.join().unwrap().best.is_some());
            });
        }
    }
}

#[test]
fn a_depth_ends_the_search_even_where_nothing_is_left_to_see() {
    for position in ["W:WK46:BK5", "W:W6:B45", "W:W31-50:B1-20"] {
        let game = fen::game_from_fen(VariantId::International, position).unwrap();
        let limits = Limits { depth: Some(5), ..Limits::default() };
        let task = Request { game, limits, mode: Mode::Analyze };
        let mut engine = Engine::new(options(Params::default()));
        assert!(engine.go(&task, &Control::new(), &mut ()).best.is_some());
    }
}
