//! Every line that the alpha-beta search reports can be played from the root, however short the search was and however
//! many threads it had.

use kroon::board::Move;
use kroon::engine::{Engine, Mode, Options, Report, Request};
use kroon::game::Game;
use kroon::notation::fen;
use kroon::rules::VariantId;
use kroon::search::alphabeta::{MAX_DEPTH, Tuning};
use kroon::search::{Control, Info, Limits, Observer};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashSet;
use std::time::Duration;

/// Plays every reported line from the root.
struct Replay<'a> {
    game: &'a Game,
    multipv: usize,
    /// What the search was, for messages.
    context: &'a str,
    /// Reports, and the latest one of the best line.
    count: usize,
    best: Option<Info>,
    /// The first moves of the latest lines, by rank.
    first: Vec<Option<Move>>,
}

impl Observer for Replay<'_> {
    fn info(&mut self, info: &Info) {
        let context = || {
            let position = fen::write(self.game.variant(), self.game.position());
            format!("{} {position}, {}: {info:?}", self.game.variant(), self.context)
        };
        assert!(!info.pv.is_empty() && (1..=self.multipv).contains(&info.rank), "{}", context());
        let mut game = self.game.clone();
        for (ply, &mv) in info.pv.iter().enumerate() {
            assert!(game.play(mv).is_ok(), "move {ply} is illegal: {}", context());
        }
        self.count += 1;
        self.first[info.rank - 1] = info.pv.first().copied();
        if info.rank == 1 {
            self.best = Some(info.clone());
        }
    }
}

fn check(engine: &mut Engine, game: &Game, limits: Limits, context: &str) -> Report {
    let multipv = engine.options().multipv;
    let mut replay = Replay { game, multipv, context, count: 0, best: None, first: vec![None; multipv] };
    let request = Request { game: game.clone(), limits, mode: Mode::Analyze };
    let report = engine.go(&request, &Control::new(), &mut replay);
    assert!(replay.count > 0, "{context}");
    let info = report.info.as_ref().unwrap();
    // Each variation has a move of its own.
    let first: Vec<Move> = replay.first.iter().flatten().copied().collect();
    assert_eq!(first.iter().collect::<HashSet<_>>().len(), first.len(), "{context}: {first:?}");
    // What is played is the first move of what was last reported.
    assert_eq!(replay.best.as_ref().map(|best| &best.pv), Some(&info.pv), "{context}");
    assert_eq!(report.best, info.pv.first().copied(), "{context}");
    let mut next = game.clone();
    next.play(report.best.unwrap()).unwrap();
    assert!(report.ponder.is_none_or(|mv| next.legal_moves().contains(&mv)), "{context}");
    assert!(info.pv.get(1).is_none() || report.ponder == info.pv.get(1).copied(), "{context}");
    report
}

/// A position after some random moves, in which there is a choice.
fn random_position(variant: VariantId, random: &mut impl RngExt) -> Game {
    loop {
        let mut game = Game::new(variant);
        for _ in 0..random.random_range(0..60) {
            let moves = game.legal_moves();
            if game.outcome().is_some() {
                break;
            }
            game.play(moves[random.random_range(0..moves.len())]).unwrap();
        }
        if game.outcome().is_none() && game.legal_moves().len() > 1 {
            return game;
        }
    }
}

#[test]
fn every_line_can_be_played_and_the_move_is_its_first() {
    let searches = if cfg!(debug_assertions) { 12 } else { 24 };
    for threads in [1, 2, 8] {
        for multipv in [1, 4] {
            let mut engine = Engine::new(Options { threads, multipv, hash_mb: 1, ..Options::default() });
            for variant in VariantId::ALL {
                let mut random = Xoshiro256PlusPlus::seed_from_u64(15);
                for number in 0..searches {
                    let game = random_position(variant, &mut random);
                    // Ends anywhere: in the first iteration, between iterations, after a fail-high.
                    let nodes = 1 << random.random_range(0..12);
                    let nodes = nodes + random.random_range(0..nodes);
                    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                    let context =
                        format!("search {number}, {threads} threads, {multipv} lines, {nodes} nodes");
                    check(&mut engine, &game, limits, &context);
                }
            }
        }
    }
}

#[test]
fn the_line_of_a_new_best_move_is_its_own_wherever_the_search_ends() {
    // A narrow window fails high often, and then the search may end before the new best move has a line.
    let tuning = Tuning { aspiration_width: 2, ..Tuning::default() };
    for variant in VariantId::ALL {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(17);
        let mut engine = Engine::new(Options { hash_mb: 1, tuning, ..Options::default() });
        for number in 0..6 {
            let game = random_position(variant, &mut random);
            let mut nodes = 100;
            while nodes < 4_000 {
                engine.new_game();
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                let report = check(&mut engine, &game, limits, &format!("position {number}, {nodes} nodes"));
                // One thread ends at the limit, if anything is left to search.
                let depth = report.info.unwrap().depth;
                assert!(report.nodes == nodes || depth == MAX_DEPTH, "{nodes}: {}, {depth}", report.nodes);
                nodes += nodes / 12;
            }
        }
    }
}

#[test]
fn lines_of_searches_ended_by_the_clock_can_be_played() {
    for threads in [1, 3] {
        let mut engine = Engine::new(Options { threads, multipv: 2, hash_mb: 1, ..Options::default() });
        let mut random = Xoshiro256PlusPlus::seed_from_u64(16);
        for number in 0..60_u64 {
            let variant = VariantId::ALL[number as usize % VariantId::ALL.len()];
            let game = random_position(variant, &mut random);
            let move_time = Some(Duration::from_millis(1 + number % 5));
            let limits = Limits { move_time, ..Limits::default() };
            check(&mut engine, &game, limits, &format!("search {number}, {threads} threads, {move_time:?}"));
        }
    }
}
