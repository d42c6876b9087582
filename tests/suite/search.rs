//! Proven results of the search, checked by brute force in every variant.

use kroon::board::{Color, Piece, Setup};
use kroon::engine::{Engine, Mode, Options, Report, Request};
use kroon::game::{Game, Outcome};
use kroon::notation::fen;
use kroon::rules::VariantId;
use kroon::score::Score;
use kroon::search::alphabeta::Tuning;
use kroon::search::{Control, Limits};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn engine() -> Engine {
    // What the search finds by itself.
    Engine::new(Options { hash_mb: 1, bb_size: 0, ..Options::default() })
}

fn search(engine: &mut Engine, game: &Game, limits: Limits) -> Report {
    let request = Request { game: game.clone(), limits, mode: Mode::Analyze };
    engine.go(&request, &Control::new(), &mut ())
}

/// Whether the side to move can force its win (or, if not `win`, cannot avoid its loss) within `plies`.
fn is_forced(game: &Game, win: bool, plies: u32) -> bool {
    if let Some(outcome) = game.outcome() {
        let winner = if win { game.position().turn() } else { !game.position().turn() };
        return outcome == Outcome::Win(winner);
    }
    let after = |mv| {
        let mut next = game.clone();
        next.play(mv).unwrap();
        is_forced(&next, !win, plies - 1)
    };
    plies > 0
        && if win {
            game.legal_moves().into_iter().any(after)
        } else {
            game.legal_moves().into_iter().all(after)
        }
}

/// A few pieces anywhere.
fn random_ending(variant: VariantId, random: &mut impl RngExt) -> Option<Game> {
    let rules = variant.rules();
    let mut setup = Setup::empty(Color::ALL[random.random_range(0..2)]);
    for _ in 0..random.random_range(2..6) {
        let color = Color::ALL[random.random_range(0..2)];
        let square = rules.square(random.random_range(1..=rules.board.squares().into()))?;
        let king = random.random_bool(0.2) || rules.board.promotion(color).contains(square);
        setup.put(square, Piece { color, king });
    }
    let game = Game::from_setup(variant, &setup).ok()?;
    game.outcome().is_none().then_some(game)
}

#[test]
fn decided_scores_are_true_and_near_wins_are_found() {
    let wanted = 200;
    let limits = Limits { depth: Some(7), ..Limits::default() };
    let mut engine = engine();
    for variant in VariantId::ALL {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
        let mut decided = 0;
        let mut seen = 0;
        while seen < wanted {
            let Some(game) = random_ending(variant, &mut random) else { continue };
            seen += 1;
            engine.new_game();
            let report = search(&mut engine, &game, limits);
            let score = report.info.unwrap().score;
            let context = || format!("{variant} {}: {score}", fen::write(variant, game.position()));
            assert!(score < Score::INFINITE && score > -Score::INFINITE, "{}", context());
            let win = score > Score::DRAW;
            if let Some(plies) = score.plies_to_end().filter(|&plies| plies <= 7) {
                assert!(is_forced(&game, win, plies), "not so: {}", context());
                decided += 1;
            }
            if is_forced(&game, true, 3) {
                let plies = score.plies_to_end().filter(|_| win);
                assert!(plies.is_some_and(|plies| plies <= 3), "overlooked: {}", context());
                let mut next = game.clone();
                next.play(report.best.unwrap()).unwrap();
                assert!(is_forced(&next, false, 2), "the move does not win: {}", context());
            }
        }
        assert!(decided > wanted / 20, "{variant}: {decided}");
    }
}

#[test]
fn a_random_mover_is_beaten_in_every_variant() {
    let games = if cfg!(debug_assertions) { 2 } else { 6 };
    let limits = Limits { nodes: Some(3_000), ..Limits::default() };
    let mut engine = engine();
    for variant in VariantId::ALL {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(12);
        for number in 0..games {
            engine.new_game();
            let mut game = Game::new(variant);
            let us = Color::ALL[number % 2];
            while game.outcome().is_none() {
                let legal = game.legal_moves();
                let mv = if game.position().turn() == us {
                    search(&mut engine, &game, limits).best.unwrap()
                } else {
                    legal[random.random_range(0..legal.len())]
                };
                game.play(mv).unwrap();
            }
            assert_eq!(game.outcome(), Some(Outcome::Win(us)), "{variant}, game {number}");
        }
    }
}

#[test]
fn a_win_at_once_is_played_whatever_else_wins() {
    // 9-3 and 9-4 win; nothing else may seem better.
    let position = "W:W9,29,48:B20,26";
    let game = fen::game_from_fen(VariantId::Breakthrough, position).unwrap();
    for depth in 1..8 {
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let report = search(&mut engine(), &game, limits);
        assert!(report.best.unwrap().promotes(), "depth {depth}");
        assert_eq!(report.info.unwrap().score, Score::win_in(1));
    }
}

#[test]
fn every_number_that_is_tuned_is_looked_at() {
    let nodes = |variant, tuning| {
        let depth = if variant == VariantId::Losing { 7 } else { 12 };
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let mut engine = Engine::new(Options { hash_mb: 1, tuning, ..Options::default() });
        search(&mut engine, &Game::new(variant), limits).nodes
    };
    for knob in Tuning::KNOBS {
        let variant = knob.only.unwrap_or(VariantId::International);
        let usual = nodes(variant, Tuning::default());
        let changes = [knob.min, knob.max].map(|value| {
            let mut tuning = Tuning::default();
            (knob.set)(&mut tuning, value);
            nodes(variant, tuning) != usual
        });
        assert!(changes.contains(&true), "{}", knob.name);
    }
}
