//! Strength levels: the same seed the same game, errors as people make them, limits kept.

use kroon::board::Move;
use kroon::engine::{Engine, Mode, Options, Report, Request};
use kroon::game::{Game, GameResult, Outcome};
use kroon::levels::{self, Person, Strength};
use kroon::notation::{moves, position};
use kroon::rules::{VariantId, is_legal, play_in};
use kroon::search::{Control, Handicap, Info, Limits, Observer};
use std::time::Duration;

/// From this level on a man is not given for nothing.
const MIDDLE: u8 = 10;

fn engine(level: u8, seed: u64) -> Engine {
    Engine::new(Options { level, seed: Some(seed), hash_mb: 1, bb_size: 0, ..Options::default() })
}

fn think(engine: &mut Engine, game: &Game, limits: Limits) -> Report {
    let request = Request { game: game.clone(), limits, mode: Mode::Think };
    engine.go(&request, &Control::new(), &mut ())
}

/// Enough for everybody, but for no level more than a test has time for.
const FEW: Limits = Limits { nodes: Some(3000), ..Limits::NONE };

/// A game of so many plies by one player against himself.
fn moves_of(variant: VariantId, level: u8, seed: u64, plies: usize) -> Vec<Move> {
    let mut engine = engine(level, seed);
    let mut game = Game::new(variant);
    while game.outcome().is_none() && game.moves().len() < plies {
        let best = think(&mut engine, &game, FEW).best.unwrap();
        game.play(best).unwrap();
    }
    game.moves().to_vec()
}

#[test]
fn the_same_seed_gives_the_same_game_and_another_seed_another() {
    for variant in [VariantId::International, VariantId::English] {
        for level in [1, 5, MIDDLE] {
            let games: Vec<Vec<Move>> = (1..=4).map(|seed| moves_of(variant, level, seed, 30)).collect();
            assert_eq!(games[0], moves_of(variant, level, 1, 30), "{variant}, level {level}");
            assert!(games.iter().any(|game| *game != games[0]), "{variant}, level {level}");
        }
        let top = moves_of(variant, levels::MOST, 1, 20);
        assert_eq!(top, moves_of(variant, levels::MOST, 1, 20), "{variant}");
    }
}

#[test]
fn options_that_have_no_say_leave_the_game_of_a_seed() {
    let moves = |is_changed: bool| {
        let options = Options { level: 3, seed: Some(1), hash_mb: 1, ..Options::default() };
        let mut engine = Engine::new(options.clone());
        if is_changed {
            engine.set_options(Options { bb_size: 0, ..options });
        }
        let mut game = Game::new(VariantId::International);
        while game.moves().len() < 12 {
            game.play(think(&mut engine, &game, FEW).best.unwrap()).unwrap();
        }
        game.moves().to_vec()
    };
    assert_eq!(moves(true), moves(false));
}

#[test]
fn who_is_given_moves_to_choose_from_plays_one_of_them() {
    let game = Game::new(VariantId::International);
    let limits = Limits { nodes: Some(2_000), ..Limits::NONE };
    for options in [
        Options { level: 3, seed: Some(1), hash_mb: 1, ..Options::default() },
        Options { book: true, hash_mb: 1, ..Options::default() },
    ] {
        for &mv in &game.legal_moves() {
            let request = Request { game: game.clone(), limits, mode: Mode::Think };
            let report =
                Engine::new(options.clone()).go_among(&request, Some(&[mv]), &Control::new(), &mut ());
            assert_eq!(report.best, Some(mv), "level {}", options.level);
        }
    }
}

/// Checks that every line can be played.
struct Lines<'a> {
    game: &'a Game,
    latest: Option<Info>,
}

impl Observer for Lines<'_> {
    fn info(&mut self, info: &Info) {
        let mut position = *self.game.position();
        for &mv in &info.pv {
            assert!(is_legal(self.game.variant(), &position, mv));
            position = play_in(self.game.variant(), &position, mv);
        }
        assert_eq!(info.rank, 1);
        self.latest = Some(info.clone());
    }
}

#[test]
fn every_level_plays_every_variant_by_the_rules_and_within_its_limits() {
    for variant in VariantId::ALL {
        let mut game = Game::new(variant);
        for level in (1..=levels::MOST).rev() {
            let nodes = 100 * u64::from(level);
            let limits = Limits { nodes: Some(nodes), depth: Some(5), ..Limits::default() };
            let request = Request { game: game.clone(), limits, mode: Mode::Think };
            let mut lines = Lines { game: &game, latest: None };
            let report = engine(level, 7).go(&request, &Control::new(), &mut lines);
            let info = lines.latest.expect("at least one line");
            assert_eq!(
                (report.best, report.info),
                (Some(info.pv[0]), Some(info.clone())),
                "{variant} {level}"
            );
            assert!(report.nodes <= nodes && info.depth <= 5, "{variant} {level}: {} nodes", report.nodes);
            game.play(info.pv[0]).unwrap();
            if game.outcome().is_some() {
                game = Game::new(variant);
            }
        }
    }
}

#[test]
fn no_time_is_no_reason_for_an_illegal_move() {
    let game = Game::new(VariantId::International);
    for level in [1, MIDDLE, levels::MOST] {
        let one_node = Limits { nodes: Some(1), ..Limits::default() };
        let no_time = Limits { move_time: Some(Duration::ZERO), ..Limits::default() };
        for limits in [one_node, no_time] {
            let report = think(&mut engine(level, 1), &game, limits);
            assert!(game.legal_moves().contains(&report.best.unwrap()), "level {level}");
        }
        let stopped = Control::new();
        stopped.stop();
        let limits = Limits { infinite: true, ..Limits::default() };
        for mode in [Mode::Think, Mode::Ponder] {
            let request = Request { game: game.clone(), limits, mode };
            assert!(engine(level, 1).go(&request, &stopped, &mut ()).best.is_some());
        }
    }
}

/// Black's kings stand so that White's king has captures in millions of orders, each search of which takes long.
#[test]
fn captures_that_take_long_to_find_do_not_keep_a_level_from_its_time() {
    let fen = "B:WK46:BK3,K7,K8,K10,K12,K14,K18,K20,K21,K23,K25,K28,K29,K30,K34,K36,K37,K40,K43,K48";
    let game = kroon::notation::fen::game_from_fen(VariantId::Frisian, fen).unwrap();
    let limits = Limits { move_time: Some(Duration::from_millis(100)), ..Limits::default() };
    for level in [1, 8] {
        let report = think(&mut engine(level, 1), &game, limits);
        // It looks after each such position, not after 64.
        let nodes = report.nodes;
        assert!(nodes <= 32, "level {level}: {nodes} nodes in {:?}", report.time);
    }
}

#[test]
fn analyses_are_of_full_strength_whatever_the_level() {
    let request = Request { game: Game::new(VariantId::English), limits: FEW, mode: Mode::Analyze };
    let info = |level| {
        let report = engine(level, 1).go(&request, &Control::new(), &mut ());
        report.info.map(|info| (info.pv, info.score, info.depth))
    };
    assert_eq!(info(3), info(0));
}

#[test]
fn the_highest_level_is_the_full_search_with_a_limit_of_nodes() {
    for (variant, text) in [
        (VariantId::International, "W:W27,28,32,33,37,38,42,48:B8,9,12,13,17,18,23,24"),
        (VariantId::English, "B:W21,22,23,25,27,30,31:B1,3,6,7,10,11,12"),
    ] {
        let game = position::game(variant, text).unwrap();
        let answer = |level| think(&mut engine(level, 1), &game, Limits { nodes: Some(20_000), ..FEW });
        let [full, highest] = [0, levels::MOST].map(answer);
        assert_eq!((full.best, full.nodes), (highest.best, highest.nodes), "{text}");
    }
    for variant in VariantId::ALL {
        let highest = Strength::of(levels::skill(variant, levels::MOST));
        assert!(matches!(highest, Strength::Engine { nodes: 400_000..=2_000_000 }), "{variant} {highest:?}");
    }
}

fn person(variant: VariantId, level: u8) -> Option<Person> {
    match Strength::of(levels::skill(variant, level)) {
        Strength::Person(person) => Some(person),
        Strength::Engine { .. } => None,
    }
}

#[test]
fn what_can_be_taken_at_once_is_seen_from_the_middle_levels_on() {
    for variant in VariantId::ALL {
        for person in (MIDDLE..=levels::MOST).filter_map(|level| person(variant, level)) {
            assert_eq!(person.overlooks(1, 1, false, false), 0.0, "{variant}");
            // The answer to a capture, too.
            assert_eq!(person.overlooks(1, 2, false, true), 0.0, "{variant}");
        }
    }
}

/// The quiet moves that give a man for nothing: the opponent takes and cannot be taken back.
fn gifts(game: &Game) -> Vec<Move> {
    let is_gift = |mv: &Move| {
        let mut after = game.clone();
        after.play(*mv).unwrap();
        after.legal_moves().iter().filter(|reply| reply.is_capture()).any(|&reply| {
            let mut taken = after.clone();
            taken.play(reply).unwrap();
            !taken.legal_moves().iter().any(|mv| mv.is_capture())
        })
    };
    game.legal_moves().iter().copied().filter(|mv| !mv.is_capture() && is_gift(mv)).collect()
}

/// What the opponent has after a move, in centi-men, by a search of three plies: it sees a man that comes back after a quiet
/// move.
fn opponent_has(game: &Game, mv: Move) -> i32 {
    let mut after = game.clone();
    after.play(mv).unwrap();
    let three = Limits { depth: Some(3), ..Limits::NONE };
    think(&mut engine(0, 1), &after, three).info.unwrap().score.centi()
}

/// How many moves leave the opponent nothing to take.
fn calm_moves(game: &Game) -> usize {
    let is_calm = |mv: &&Move| {
        let mut after = game.clone();
        after.play(**mv).unwrap();
        !after.legal_moves().iter().any(|reply| reply.is_capture())
    };
    game.legal_moves().iter().filter(is_calm).count()
}

/// From the middle levels on a player sees what can be taken at once. Now and then one gives a man for a combination that does
/// not work.
#[test]
fn middle_levels_hardly_ever_give_a_man_for_nothing() {
    let mut positions = 0;
    let mut by_beginners = 0;
    let mut choices = 0;
    let mut given = Vec::new();
    for variant in [VariantId::International, VariantId::English] {
        let mut game = Game::new(variant);
        for ply in 0..40 {
            let best = think(&mut engine(0, 1), &game, FEW).best.unwrap();
            let mut gifts = gifts(&game);
            // A man that comes back is no gift, nor is what the full search gives.
            let least = opponent_has(&game, best);
            gifts.retain(|&gift| opponent_has(&game, gift) - least > 50);
            // In a calm position, where nothing has to be given.
            if !gifts.is_empty() && calm_moves(&game) >= 3 {
                positions += 1;
                for seed in 0..3 {
                    for level in [MIDDLE, 12, 14, 17] {
                        let mv = think(&mut engine(level, seed), &game, FEW).best.unwrap();
                        choices += 1;
                        if gifts.contains(&mv) {
                            let fen = kroon::notation::fen::write(variant, game.position());
                            given.push(format!("{variant}, level {level}, seed {seed}, ply {ply}: {fen}"));
                        }
                    }
                    let mv = think(&mut engine(1, seed), &game, FEW).best.unwrap();
                    by_beginners += usize::from(gifts.contains(&mv));
                }
            }
            game.play(best).unwrap();
        }
    }
    assert!(positions >= 20, "{positions} positions");
    assert!(given.len() * 100 <= choices, "of {choices}: {given:#?}");
    assert!(by_beginners > positions / 10, "{by_beginners} gifts of beginners");
}

#[test]
fn long_shots_are_overlooked_more_often_than_short_ones() {
    // White gives a man and takes two or four in one go. No other move wins anything.
    let found = |shots: [(&str, &str); 5]| {
        let mut found = 0;
        for (text, shot) in shots {
            let game = position::game(VariantId::International, text).unwrap();
            let shot = moves::read(VariantId::International, game.position(), shot).unwrap();
            let finds = |seed: &u64| think(&mut engine(5, *seed), &game, FEW).best == Some(shot);
            found += (0..20).filter(finds).count();
        }
        found
    };
    let short = found([
        ("W:W29,30,33,34,36,40,41,42,43,44:B8,9,12,13,14,17,21,26,27,32", "33-28"),
        ("W:W31,32,36,38,39,40,41,42,43,44,45:B6,7,8,13,15,18,19,20,21,22,23", "31-27"),
        ("W:W23,24,27,28,30,33,34,35,36,41,44:B7,9,11,12,13,14,15,16,17,25,26", "24-20"),
        ("W:W18,25,30,32,39,40,42,44,45:B6,7,10,14,16,19,20,29,36", "30-24"),
        ("W:W30,32,33,35,38,39,40,41,42,43:B8,10,11,12,13,14,17,18,23,31", "32-28"),
    ]);
    let long = found([
        ("W:W21,25,31,33,34,36,38,40,43,45:B6,7,8,10,13,14,15,19,23,24", "34-29"),
        ("W:W25,28,33,34,36,37,39,41,42,43:B6,7,15,16,17,18,19,26,27,30", "28-22"),
        ("W:W26,32,34,38,39,40,41,42,44,45:B6,8,10,13,14,15,19,22,24,35", "32-28"),
        ("W:W26,29,31,33,36,37,38,41,42,45:B6,7,9,10,12,17,18,20,25,30", "29-23"),
        ("W:W29,31,34,36,37,38,40,42,43,44:B6,8,9,11,13,16,18,20,22,35", "29-24"),
    ]);
    assert!(long + 10 < short, "{long} long and {short} short shots of 100 were found");
}

#[test]
fn a_handicap_leaves_out_what_lies_beyond_the_depth() {
    // The king may take the man on 18 and is taken back by that on 9: one ply deep a man is won, with the captures that
    // follow a king is lost.
    let game = position::game(VariantId::English, "W:WK23,32:B18,9,5").unwrap();
    let after = |handicap, plies| {
        let limits = Limits { depth: Some(1), handicap, plies, ..Limits::default() };
        think(&mut engine(0, 1), &game, limits).info.unwrap().score
    };
    let whole = after(Handicap::None, None);
    assert_eq!(after(Handicap::Threats, None), whole);
    assert!(after(Handicap::Captures, None) > whole + 100);
    assert_eq!(after(Handicap::None, Some(1)), after(Handicap::Captures, None));
}

#[test]
fn a_stronger_level_scores_more() {
    let mut points = 0;
    for seed in 0..20 {
        let mut players = [engine(4, seed), engine(9, seed + 100)];
        let mut game = Game::new(VariantId::English);
        let strong = (seed % 2) as usize;
        while game.outcome().is_none() && game.moves().len() < 200 {
            let player = &mut players[usize::from(game.moves().len() % 2 == strong)];
            let best = think(player, &game, FEW).best.unwrap();
            game.play(best).unwrap();
        }
        // Black begins in English draughts.
        let color = [kroon::board::Color::Black, kroon::board::Color::White][strong];
        points += match game.outcome() {
            Some(Outcome::Win(winner)) => u32::from(GameResult::win(winner).half_points(color)),
            _ => 1,
        };
    }
    assert!(points > 28, "{points} of 40 half-points");
}

#[test]
fn bad_values_are_refused_with_their_text_and_range() {
    let mut options = Options::default();
    for (text, message) in [
        ("21", "level: \"21\" is out of range, expected 0 to 20"),
        ("-1", "level: \"-1\" is out of range, expected 0 to 20"),
        ("x", "level: \"x\" is not a number"),
    ] {
        assert_eq!(options.set("level", text).unwrap_err().to_string(), message);
    }
    assert_eq!(options, Options::default());
}
