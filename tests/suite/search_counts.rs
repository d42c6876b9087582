//! Draws by a count of moves, seen by the alpha-beta search at every count: with an empty table, and with one that
//! remembers the same position without a count.

use kroon::board::{Color, Piece, Setup};
use kroon::engine::{Engine, Mode, Options, Report, Request, SearchKind};
use kroon::game::{Game, Outcome};
use kroon::notation::fen;
use kroon::rules::VariantId;
use kroon::rules::draws::{EndingRule, Material};
use kroon::score::Score;
use kroon::search::{Control, Limits};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashSet;

fn search(engine: &mut Engine, game: &Game, depth: u32) -> Report {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let request = Request { game: game.clone(), limits, mode: Mode::Analyze };
    engine.go(&request, &Control::new(), &mut ())
}

/// The value of a game that ends in every line within `plies`; none if some line that matters does not.
fn value(game: &Game, plies: u32, ply: u32) -> Option<Score> {
    match game.outcome() {
        Some(Outcome::Win(color)) if color == game.position().turn() => return Some(Score::win_in(ply)),
        Some(Outcome::Win(_)) => return Some(Score::loss_in(ply)),
        Some(Outcome::Draw(_)) => return Some(Score::DRAW),
        None if plies == 0 => return None,
        None => {}
    }
    let values = game.legal_moves().into_iter().map(|mv| {
        let mut next = game.clone();
        next.play(mv).unwrap();
        value(&next, plies - 1, ply + 1).map(|score| -score)
    });
    values.collect::<Option<Vec<_>>>()?.into_iter().max()
}

/// Kings alone: `strong` of one side against `weak` of the other, anywhere.
fn kings(variant: VariantId, strong: u32, weak: u32, random: &mut impl RngExt) -> Option<Game> {
    let rules = variant.rules();
    let mut setup = Setup::empty(Color::ALL[random.random_range(0..2)]);
    let side = Color::ALL[random.random_range(0..2)];
    for number in 0..strong + weak {
        let color = if number < strong { side } else { !side };
        let square = rules.square(random.random_range(1..=rules.board.squares().into()))?;
        setup.put(square, Piece { color, king: true });
    }
    let game = Game::from_setup(variant, &setup).ok()?;
    let is_whole = game.position().occupied().len() == strong + weak;
    (is_whole && game.outcome().is_none()).then_some(game)
}

/// A game from `start` in which no piece is captured and no position comes twice, as long as that goes on. Before the
/// count is near its end no piece is offered either, where that can be helped.
fn walk(start: Game, random: &mut impl RngExt) -> Vec<Game> {
    let mut seen = HashSet::from([start.position().key()]);
    let mut games = vec![start];
    loop {
        let game = &games[games.len() - 1];
        let next: Vec<Game> = (game.legal_moves().into_iter())
            .filter(|mv| !mv.is_capture())
            .map(|mv| {
                let mut next = game.clone();
                next.play(mv).unwrap();
                next
            })
            .filter(|next| next.outcome().is_none() && !seen.contains(&next.position().key()))
            .collect();
        let is_near = u32::from(game.counters().plies_left(game.variant().rules())) <= NEAR + 1;
        let is_safe = |game: &&Game| !game.legal_moves()[0].is_capture();
        let safe: Vec<Game> = next.iter().filter(is_safe).cloned().collect();
        let next = if is_near || safe.is_empty() { next } else { safe };
        if next.is_empty() {
            return games;
        }
        let next = next[random.random_range(0..next.len())].clone();
        seen.insert(next.position().key());
        games.push(next);
    }
}

/// Searches `game` and compares what is claimed with what the count allows.
fn check(engine: &mut Engine, game: &Game, depth: u32, exact: Option<Score>, context: &str) {
    let variant = game.variant();
    let left = u32::from(game.counters().plies_left(variant.rules()));
    let report = search(engine, game, depth);
    let info = report.info.unwrap();
    let context = || {
        let position = fen::write(variant, game.position());
        format!("{variant} {position}, {left} plies left, depth {depth}, {context}: {info:?}")
    };
    if let Some(score) = exact {
        assert_eq!(info.score, score, "{}", context());
    }
    let Some(plies) = info.score.plies_to_end() else { return };
    // No line to a win passes a draw.
    let mut replay = game.clone();
    for (ply, &mv) in info.pv.iter().enumerate() {
        assert!(ply == 0 || !matches!(replay.outcome(), Some(Outcome::Draw(_))), "{}", context());
        replay.play(mv).unwrap();
    }
    // Where one rule counts for two pieces and for one against a king, not even a capture begins the count anew.
    let is_one_count = |rule: &EndingRule| rule.material == Material::lone_king(1, 2);
    if game.position().occupied().len() <= 3 && variant.rules().draws.endings.iter().any(is_one_count) {
        assert!(plies <= left, "{}", context());
    }
}

/// With so few plies left the game is searched to its end by brute force.
const NEAR: u32 = 3;
/// Games of each kind.
const STARTS: usize = 12;

#[test]
fn the_count_ends_the_game_at_every_count_with_a_cold_and_a_warm_table() {
    let mut engine = Engine::new(Options { hash_mb: 1, ..Options::default() });
    for variant in VariantId::ALL {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(21);
        let mut counted = 0;
        let mut exact = 0;
        for (strong, weak) in [(1, 1), (2, 1), (3, 1), (2, 2)] {
            let starts: Vec<Game> = (0..STARTS * 4)
                .filter_map(|_| kings(variant, strong, weak, &mut random))
                .take(STARTS)
                .collect();
            for (number, start) in starts.into_iter().enumerate() {
                for game in walk(start, &mut random) {
                    let left = u32::from(game.counters().plies_left(variant.rules()));
                    // One game at every count, the others where brute force knows the truth.
                    if left > NEAR && number > 0 {
                        continue;
                    }
                    let truth = if left <= NEAR { value(&game, left, 0) } else { None };
                    exact += usize::from(truth.is_some());
                    counted += 1;
                    for is_warm in [false, true] {
                        engine.new_game();
                        if is_warm {
                            let setup = Setup::from(game.position());
                            let fresh = Game::from_setup(variant, &setup).unwrap();
                            search(&mut engine, &fresh, 6);
                        }
                        let context = if is_warm { "warm table" } else { "cold table" };
                        check(&mut engine, &game, 1, truth.filter(|_| left == 1), context);
                        check(&mut engine, &game, NEAR + 3, truth, context);
                    }
                }
            }
        }
        // In breakthrough there are no kings: a crown ends the game.
        assert!(
            variant == VariantId::Breakthrough || counted > 20 && exact > 2,
            "{variant}: {counted}, {exact}"
        );
    }
}

/// Others may play on: their draw rules differ.
#[test]
fn a_game_that_the_count_has_drawn_is_played_on_with_sense() {
    let bare = fen::game_from_fen(VariantId::Russian, "W:WK30,21,28:BK3,12,18").unwrap();
    let board = bare.variant().rules().board;
    let mut game = bare.clone();
    // The kings go to and fro, out of each other's way.
    for (from, to) in [(30, 26), (3, 8), (26, 30), (8, 3)].into_iter().cycle().take(32) {
        let moves = game.legal_moves();
        let mv = moves.iter().find(|mv| (board.number(mv.from()), board.number(mv.to())) == (from, to));
        game.play(*mv.expect("a legal move")).unwrap();
    }
    assert_eq!(game.counters().plies_left(game.variant().rules()), 0);
    for search_kind in [SearchKind::AlphaBeta, SearchKind::Mcts] {
        let options = Options { hash_mb: 1, search: search_kind, ..Options::default() };
        let limits = Limits { nodes: Some(3_000), ..Limits::default() };
        let request = Request { game: game.clone(), limits, mode: Mode::Analyze };
        let mv = Engine::new(options).go(&request, &Control::new(), &mut ()).best.unwrap();
        // With the old count every move would be worth a draw, also one that gives pieces away.
        let mut after =
            fen::game_from_fen(bare.variant(), &fen::write(bare.variant(), game.position())).unwrap();
        after.play(mv).unwrap();
        let reply = search(&mut Engine::new(Options { hash_mb: 1, ..Options::default() }), &after, 8);
        assert!(reply.info.unwrap().score < Score::from_centi(100), "{search_kind:?}");
    }
}

/// Programs without our counts of moves play on after a draw. What has occurred is known all the same.
#[test]
fn a_position_that_has_occurred_is_known_after_the_draw_by_count() {
    let cycle = [[43, 49], [2, 13], [49, 43], [13, 2]];
    for kind in [SearchKind::AlphaBeta, SearchKind::Mcts] {
        for rounds in [2, 12, 13, 14] {
            let mut game = fen::game_from_fen(VariantId::Killer, "W:WK6,K43,K44,K21:BK7,K2").unwrap();
            for number in 0..4 * rounds {
                let square = |number| game.variant().rules().square(number).unwrap();
                let [from, to] = cycle[number % 4].map(square);
                let mv = game.legal_moves().into_iter().find(|mv| (mv.from(), mv.to()) == (from, to));
                game.play(mv.unwrap()).unwrap();
            }
            assert_eq!(game.counters() == game.counters_to_play_on(), rounds <= 12);
            let options = Options { hash_mb: 4, bb_size: 0, search: kind, ..Options::default() };
            let limits = Limits { nodes: Some(20_000), ..Limits::default() };
            let request = Request { game: game.clone(), limits, mode: Mode::Analyze };
            let best = Engine::new(options).go(&request, &Control::new(), &mut ()).best.unwrap();
            let mut next = game.clone();
            next.play(best).unwrap();
            assert!(!game.recent_keys().contains(&next.position().key()), "{kind} after {rounds} rounds");
        }
    }
}
