//! The Monte-Carlo tree search through the engine, in every variant and with every option.

use kroon::board::Move;
use kroon::engine::{Engine, Mode, Options, Report, Request, SearchKind};
use kroon::game::{Game, Outcome};
use kroon::notation::fen;
use kroon::notation::hub::{self, parse_move};
use kroon::rules::VariantId;
use kroon::score::Score;
use kroon::search::mcts::{Leaf, Params};
use kroon::search::{Control, Info, Limits, Observer};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

fn options(mcts: Params) -> Options {
    Options {
        // What the tree finds by itself.
        bb_size: 0,
        hash_mb: 1,
        search: SearchKind::Mcts,
        mcts: Params { hash_mb: 4, leaf_depth: 4, ..mcts },
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

/// Every leaf with values of its own and with means alone, with noise and without.
fn all_kinds() -> impl Iterator<Item = Params> {
    let leaves = Leaf::NAMES.iter().map(|leaf| leaf.parse().unwrap());
    leaves.flat_map(|leaf| {
        let kinds = [(None, 0.0), (Some(0.0), 0.0), (None, 0.25)];
        kinds.map(|(minimax, noise)| Params { leaf, minimax, noise, ..Params::default() })
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
    for kind in all_kinds() {
        let mut engine = Engine::new(Options { threads: 4, ..options(kind) });
        let report = engine.go(&request(&game, 800), &Control::new(), &mut ());
        assert_eq!(report.nodes, 800, "{kind:?}");
    }
}

#[test]
fn a_random_mover_is_beaten_in_every_variant() {
    for (leaf, nodes) in [(Leaf::Search, 20), (Leaf::Eval, 150)] {
        for variant in VariantId::ALL {
            let mut engine = Engine::new(options(Params { leaf, ..Params::default() }));
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
            assert_eq!(game.outcome(), Some(Outcome::Win(us)), "{variant} {leaf}");
        }
    }
}

#[test]
fn wins_are_proven_with_their_distance() {
    // 9-3 and 9-4 win at once.
    let game = fen::game_from_fen(VariantId::Breakthrough, "W:W9,29,48:B20,26").unwrap();
    for kind in all_kinds() {
        let report = search(kind, &game, 2_000);
        let score = report.info.unwrap().score;
        assert!(report.nodes < 2_000, "{kind:?}");
        if kind.leaf == Leaf::Search {
            // The first win that a search sees is enough.
            assert!(score > Score::DRAW && score.plies_to_end().is_some_and(|plies| plies <= 7), "{kind:?}");
        } else {
            assert_eq!(score, Score::win_in(1), "{kind:?}");
            assert!(report.best.unwrap().promotes());
        }
    }
    // A man that cannot be stopped, against one that is far away.
    let game = fen::game_from_fen(VariantId::English, "B:W32:B27").unwrap();
    let report = search(Params::default(), &game, 5_000);
    let score = report.info.unwrap().score;
    assert!(score > Score::DRAW && score.plies_to_end().is_some_and(|plies| plies <= 7), "{score:?}");
    assert!(report.nodes < 5_000);
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
        let params = Params { hash_mb: 1, leaf: Leaf::Eval, ..Params::default() };
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

/// A win that is proven on a fresh count of moves is none where the count leaves no time for it.
#[test]
fn a_proof_is_not_kept_for_another_count_of_moves() {
    let played = "34-40 22-50 40-29 10-19 29-40 17-3 40-45 3-26 45-18 26-8 18-31 50-44 31-18 19-41 18-34 8-24 34-18 24-30 \
                  18-36 41-14 36-47 30-25 47-20 14-3 20-42 44-50 42-29 50-39 29-42 25-14 42-38";
    let board = VariantId::International.rules().board;
    let setup = hub::parse_position(board, "BeeeeeeeeeWeeeeeeWeeeeWeeeeeeeeeeeBeeeeeeeeeeeeeeee").unwrap();
    let mut late = Game::from_setup(VariantId::International, &setup).unwrap();
    for text in played.split(' ') {
        late.play(parse_move(board, &late.legal_moves(), text).unwrap()).unwrap();
    }
    let fresh = Game::from_setup(VariantId::International, &late.position().into()).unwrap();
    let mut engine = Engine::new(options(Params::default()));
    let win = engine.go(&request(&fresh, 3_000), &Control::new(), &mut ()).info.unwrap();
    assert!(win.score > Score::DRAW && win.score.is_decided(), "{}", win.score);
    let drawn = engine.go(&request(&late, 300), &Control::new(), &mut ()).info.unwrap();
    assert_eq!(drawn.score, Score::DRAW);
}

/// How deep a hundred visits go on average, in a tree that is kept or in a new one.
fn mean_depth(engine: &mut Engine, game: &Game) -> f64 {
    engine.go(&request(game, 100), &Control::new(), &mut ()).info.unwrap().mean_depth
}

/// Moves when so many visits have been made: as expected, or so that the search is stopped.
struct Opponent<'a> {
    control: &'a Control,
    thinks: u64,
    is_hit: bool,
}

impl Observer for Opponent<'_> {
    fn info(&mut self, info: &Info) {
        match (info.nodes >= self.thinks, self.is_hit) {
            (false, _) => (),
            (true, true) => self.control.ponder_hit(),
            (true, false) => self.control.stop(),
        }
    }
}

#[test]
fn what_was_found_while_pondering_is_used_again() {
    let params = Params { leaf: Leaf::Eval, ..Params::default() };
    for is_hit in [true, false] {
        let mut game = Game::new(VariantId::International);
        let mut engine = Engine::new(Options { threads: 2, ..options(params) });
        let first = engine.go(&request(&game, 500), &Control::new(), &mut ());
        game.play(first.best.unwrap()).unwrap();
        game.play(first.ponder.unwrap()).unwrap();

        let control = Control::new();
        let pondering = Request { mode: Mode::Ponder, ..request(&game, 20_000) };
        let mut opponent = Opponent { control: &control, thinks: 20_000, is_hit };
        let second = engine.go(&pondering, &control, &mut opponent);
        if is_hit {
            game.play(second.best.unwrap()).unwrap();
            game.play(second.ponder.unwrap()).unwrap();
        }
        let kept = mean_depth(&mut engine, &game);
        engine.new_game();
        let fresh = mean_depth(&mut engine, &game);
        assert!(kept > fresh + 0.5, "hit {is_hit}: {kept} after pondering, {fresh} without");
    }
}

/// Writes lines to `kroon hub` and reads what comes back, until a line that `is_last`.
fn talk(
    child: &mut Child,
    output: &mut impl BufRead,
    lines: &[&str],
    is_last: impl Fn(&str) -> bool,
) -> Vec<String> {
    for line in lines {
        writeln!(child.stdin.as_mut().unwrap(), "{line}").unwrap();
    }
    let mut read = Vec::new();
    while read.last().is_none_or(|line: &String| !is_last(line)) {
        let mut line = String::new();
        assert_ne!(output.read_line(&mut line).unwrap(), 0, "the engine left: {read:?}");
        read.push(line.trim_end().to_owned());
    }
    read
}

/// The value of a field of the last `info` line.
fn last_field(lines: &[String], name: &str) -> String {
    let info = lines.iter().rfind(|line| line.starts_with("info ")).expect("an info line");
    let field = info.split(' ').find_map(|piece| piece.strip_prefix(name)?.strip_prefix('='));
    field.unwrap_or_else(|| panic!("{name} in {info}")).to_owned()
}

#[test]
fn a_hub_client_gains_from_pondering() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kroon"))
        .arg("hub")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut say =
        |lines: &[&str], last: &str| talk(&mut child, &mut output, lines, |line| line.contains(last));
    let start = "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww";
    say(&["hub"], "wait");
    say(&["set-param name=search value=mcts", "set-param name=mcts-hash value=8", "init"], "ready");
    let mut moves: Vec<String> = Vec::new();
    let play = |moves: &mut Vec<String>, lines: &[String]| {
        let pieces = lines.last().unwrap().split(' ').filter_map(|piece| piece.split_once('='));
        moves.extend(pieces.map(|(_, mv)| mv.to_owned()));
    };
    let position = |moves: &[String]| format!("pos pos={start} moves=\"{}\"", moves.join(" "));
    let lines = say(&[&format!("pos pos={start}"), "level nodes=500", "go think"], "done ");
    assert!(last_field(&lines, "winrate").parse::<f64>().is_ok());
    play(&mut moves, &lines);
    say(&[&position(&moves), "level nodes=3000", "go ponder"], "nodes=3000");
    let lines = say(&["ponder-hit"], "done ");
    play(&mut moves, &lines);
    assert_eq!(moves.len(), 4);
    let mean_depth = |lines: &[String]| last_field(lines, "mean-depth").parse::<f64>().unwrap();
    let kept = mean_depth(&say(&[&position(&moves), "level nodes=100", "go think"], "done "));
    let fresh = mean_depth(&say(&["new-game", &position(&moves), "level nodes=100", "go think"], "done "));
    assert!(kept > fresh + 0.5, "{kept} after pondering, {fresh} without");
    // GWD's way of asking for this search, whatever the parameter says.
    let lines = say(&["set-param name=search value=alphabeta", "level nodes=100", "go mcts"], "done ");
    assert_eq!(last_field(&lines, "nodes"), "100");
    assert!(last_field(&lines, "winrate").parse::<f64>().is_ok());
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
}

#[test]
fn more_visits_solve_more_tactics() {
    let lines = include_str!("../data/tactics.txt").lines().filter(|line| !line.starts_with('#'));
    let positions: Vec<(Game, Move)> = lines
        .step_by(5)
        .map(|line| {
            let [variant, position, best, _] = line.split(';').collect::<Vec<_>>()[..] else {
                panic!("{line}")
            };
            let game = fen::game_from_fen(variant.parse().unwrap(), position).unwrap();
            let best = parse_move(game.variant().rules().board, &game.legal_moves(), best).unwrap();
            (game, best)
        })
        .collect();
    assert_eq!(positions.len(), 40);
    let mut engine = Engine::new(options(Params::default()));
    let [few, many] = [30, 3_000].map(|visits| {
        let is_solved = |(game, best): &&(Game, Move)| {
            engine.new_game();
            engine.go(&request(game, visits), &Control::new(), &mut ()).best == Some(*best)
        };
        positions.iter().filter(is_solved).count()
    });
    // Others are counted by `cargo bench --bench mcts -- tactics`.
    assert!(few < many && many >= 25, "{few} with few visits, {many} with many");
}

#[test]
fn a_depth_is_never_exceeded() {
    for depth in [1, 2, 5] {
        for position in ["W:W31-50:B1-20", "W:WK46:BK5", "W:W33,38,42:B12,18,19,23"] {
            let game = fen::game_from_fen(VariantId::International, position).unwrap();
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            let mut reports = Reports(&game, Vec::new());
            let task = Request { game: game.clone(), limits, mode: Mode::Analyze };
            Engine::new(options(Params::default())).go(&task, &Control::new(), &mut reports);
            assert!(reports.1.iter().all(|info| info.depth <= depth), "{position} {depth}");
        }
    }
}

#[test]
fn the_tree_tells_what_it_has_seen_of_each_move() {
    // The second position has captures only, and three replies to each of them at most.
    for position in ["W:W31-50:B1-20", "W:W27,28,32,33,37,38:B12,13,17,18,23,24"] {
        let game = fen::game_from_fen(VariantId::International, position).unwrap();
        for (kind, threads) in all_kinds().flat_map(|kind| [(kind, 1), (kind, 2)]) {
            let mut engine = Engine::new(Options { threads, ..options(kind) });
            let report = engine.go(&request(&game, 400), &Control::new(), &mut ());
            let mut moves: Vec<Move> = report.tree.iter().map(|seen| seen.mv).collect();
            assert_eq!(report.best, moves.first().copied());
            moves.sort_by_key(|mv| (mv.from(), mv.to()));
            let mut legal = game.legal_moves().to_vec();
            legal.sort_by_key(|mv| (mv.from(), mv.to()));
            assert_eq!(moves, legal);
            assert_eq!(report.tree.iter().map(|seen| seen.visits).sum::<u64>(), report.nodes, "{kind:?}");
            for seen in &report.tree {
                let mut after = game.clone();
                after.play(seen.mv).unwrap();
                assert!(seen.replies.iter().all(|(reply, _)| after.legal_moves().contains(reply)));
                assert!(seen.replies.is_sorted_by_key(|(_, visits)| u64::MAX - visits));
                let tried: u64 = seen.replies.iter().map(|(_, visits)| visits).sum();
                // The first visit goes no further, nor does one that ends there for another reason.
                assert!(tried <= seen.visits && seen.replies.len() <= 3);
                if after.legal_moves().len() <= 3 && seen.visits > 100 {
                    assert!(tried + 2 * threads as u64 >= seen.visits, "{kind:?}: {seen:?}");
                }
                assert_eq!(seen.policy, None, "the weights have none");
            }
            assert!(!report.tree[0].replies.is_empty(), "{kind:?}");
        }
    }
}

#[test]
fn time_and_stop_are_obeyed() {
    let game = Game::new(VariantId::International);
    for kind in all_kinds() {
        let mut engine = Engine::new(Options { threads: 2, ..options(kind) });
        let limits = Limits { move_time: Some(Duration::from_millis(20)), ..Limits::default() };
        let task = Request { game: game.clone(), limits, mode: Mode::Think };
        let times = std::iter::repeat_with(|| {
            let start = Instant::now();
            assert!(engine.go(&task, &Control::new(), &mut ()).best.is_some());
            start.elapsed()
        });
        // A busy machine may delay one.
        assert!(times.take(3).min().unwrap() < Duration::from_secs(1));

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
