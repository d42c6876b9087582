use super::judge::Evidence;
use super::search::Settings;
use super::tactics::{Exchange, PlayedLine, combination, exchange, lost_men};
use super::work::{GameWork, Task};
use super::*;
use crate::arena::cancel::Cancel;
use crate::board::Color;
use crate::engine::Options;
use crate::game::{DrawReason, Game, Outcome};
use crate::notation::{fen, moves};
use crate::rules::VariantId::{self, International, Losing};
use crate::search::Limits;
use crate::tablebase::{self, Value};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashSet;

/// White wins two men: 28-23 is taken by one of two men, and 33 takes three.
const SHOT: &str = "W:W28,33,38,39:B9,11,18,19";

fn game(variant: VariantId, start: &str, line: &[&str]) -> Game {
    let mut game = fen::game_from_fen(variant, start).unwrap();
    for text in line {
        let mv = moves::read(variant, game.position(), text).unwrap();
        game.play(mv).unwrap();
    }
    game
}

fn to_depth(depth: u32) -> Settings {
    Settings { limits: Limits { depth: Some(depth), ..Limits::default() }, ..Settings::default() }
}

fn analysis(game: &Game, settings: &Settings, threads: usize) -> GameAnalysis {
    let options = Options { hash_mb: 1, ..Options::default() };
    analyse(game, &options, settings, threads, &Cancel::new(), &mut |_| ()).unwrap()
}

#[test]
fn classes_follow_the_bounds() {
    let base =
        Evidence { legal: 5, best: 0.5, played: 0.5, second: None, combination: None, loses_material: false };
    let class = |best, played| Evidence { best, played, ..base }.class();
    for (best, played, expected) in [
        (0.5, 0.5, MoveClass::Best),
        (0.5, 0.48, MoveClass::Best),
        // A move can turn out better than the one that the search preferred.
        (0.5, 0.6, MoveClass::Best),
        (0.5, 0.47, MoveClass::Best),
        (0.5, 0.46, MoveClass::Good),
        (0.5, 0.44, MoveClass::Inaccuracy),
        (0.5, 0.40, MoveClass::Mistake),
        (0.5, 0.30, MoveClass::Blunder),
        (0.95, 0.50, MoveClass::MissedWin),
        // A win turned into a loss is worse than missed.
        (0.95, 0.10, MoveClass::Blunder),
        (0.95, 0.90, MoveClass::Good),
        (0.10, 0.0, MoveClass::LostAnyway),
        (0.10, 0.06, MoveClass::LostAnyway),
        // The best move of a lost position is the best one; how much is lost already does not matter.
        (0.10, 0.07, MoveClass::Best),
        (0.0, 0.0, MoveClass::Best),
        (0.11, 0.0, MoveClass::Mistake),
        (1.0, 0.5, MoveClass::MissedWin),
    ] {
        assert_eq!(class(best, played), expected, "{best} {played}");
    }
    assert_eq!(Evidence { legal: 1, played: 0.0, ..base }.class(), MoveClass::Forced);
    let only = |second| Evidence { second: Some(second), ..base }.class();
    assert_eq!([only(0.3), only(0.35)], [MoveClass::Only, MoveClass::Best]);
    let shot =
        |loses_material| Evidence { played: 0.3, combination: Some(1), loses_material, ..base }.class();
    assert_eq!([shot(false), shot(true)], [MoveClass::MissedCombination, MoveClass::Blunder]);
    // A win turned into a loss is more than missed, whatever would have won.
    let thrown = Evidence { best: 0.99, played: 0.03, combination: Some(1), ..base };
    assert_eq!(thrown.class(), MoveClass::Blunder);
}

#[test]
fn a_shot_is_a_gift_that_comes_back_with_interest() {
    let start = game(International, SHOT, &[]);
    let read = |line: &[&str]| {
        let line: Vec<String> = line.iter().map(|&text| text.to_owned()).collect();
        PlayedLine::read(International, start.position(), &line)
    };
    let shot = read(&["28-23", "19x28", "33x4", "11-16", "39-34"]);
    assert_eq!(shot.moves.len(), 5);
    assert_eq!(exchange(International, &shot), Exchange { net: 2, given: 1, plies: 3 });
    assert_eq!(combination(International, &shot), Some(2));
    assert_eq!(combination(Losing, &shot), None, "men are no aim there");
    // A man that is left to be taken: the reply takes it, and nothing comes back.
    let gift = read(&["28-22", "18x27", "33-28"]);
    assert_eq!((combination(International, &gift), lost_men(International, &gift)), (None, Some(1)));
    // Captures that are still to come do not count.
    assert_eq!(combination(International, &read(&["28-23", "19x28"])), None);
    assert_eq!(read(&["28-23", "28-23"]).moves.len(), 1, "a line ends before an illegal move");
}

#[test]
fn a_missed_shot_is_found_and_shown() {
    let played = game(International, SHOT, &["38-32"]);
    let analysis = analysis(&played, &to_depth(8), 1);
    let mv = &analysis.moves[0];
    assert!(matches!(mv.class, MoveClass::MissedWin | MoveClass::MissedCombination), "{mv:?}");
    assert_eq!((mv.best[0].as_str(), mv.combination), ("28-23", Some(2)));
    assert!(mv.loss >= THRESHOLDS.mistake && mv.before.expected > mv.after.expected);
    assert_eq!((analysis.white.count(mv.class), analysis.black.moves), (1, 0));
}

#[test]
fn tables_know_what_was_thrown_away() {
    // A king on the long diagonal holds against two; off it it is lost in this very position.
    let start = "B:WK1,K6,K45:BK46";
    let tables = crate::engine::Engine::new(Options::default()).tables(International);
    let before = fen::game_from_fen(International, start).unwrap();
    let known: Vec<_> = tables.moves(before.position());
    let draw = known.iter().find(|(_, verdict)| verdict.is_some_and(|v| v.value.word() == "draw"));
    let loss = known.iter().find(|(_, verdict)| verdict.is_some_and(|v| v.value.word() == "loss"));
    let (Some((draw, _)), Some((loss, _))) = (draw, loss) else { panic!("{known:?}") };
    let class = |mv| {
        let mut game = before.clone();
        game.play(mv).unwrap();
        let mv = analysis(&game, &to_depth(4), 1).moves.remove(0);
        (mv.class, mv.before.exact, mv.after.exact, mv.loss)
    };
    assert_eq!(class(*loss), (MoveClass::Blunder, Some(Exact::Draw), Some(Exact::Loss), 0.5));
    let (kept, before, after, lost) = class(*draw);
    assert_eq!((before, after, lost), (Some(Exact::Draw), Some(Exact::Draw), 0.0));
    assert!(matches!(kept, MoveClass::Best | MoveClass::Only));
}

#[test]
fn threads_and_order_do_not_matter() {
    let line = ["32-28", "19-23", "28x19", "14x23", "37-32", "10-14", "41-37", "14-19", "33-28"];
    let played = game(International, "W:W31-50:B1-20", &line);
    let settings = Settings { multipv: 2, ..to_depth(6) };
    let one = analysis(&played, &settings, 1);
    assert_eq!(one, analysis(&played, &settings, 3));
    assert_eq!(one.moves.len(), line.len());
    assert!(one.moves.iter().all(|mv| mv.others.len() == 1 || mv.class == MoveClass::Forced), "{one:#?}");
    let white = analysis(&played, &Settings { side: Some(Color::White), from_ply: 4, ..settings }, 2);
    assert_eq!(white.moves.iter().map(|mv| mv.ply).collect::<Vec<_>>(), [5, 7, 9]);
    assert_eq!(white.moves[0], one.moves[4]);
}

#[test]
fn a_cancelled_analysis_gives_nothing() {
    let played = game(International, "W:W31-50:B1-20", &["32-28", "19-23"]);
    let cancel = Cancel::new();
    let options = Options { hash_mb: 1, ..Options::default() };
    let endless = Settings { limits: Limits { infinite: true, ..Limits::default() }, ..Settings::default() };
    let stop = cancel.clone();
    let stopper = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(30));
        stop.cancel();
    });
    assert_eq!(analyse(&played, &options, &endless, 2, &cancel, &mut |_| ()), None);
    stopper.join().unwrap();
    assert_eq!(analyse(&played, &options, &to_depth(2), 2, &cancel, &mut |_| ()), None);
}

/// A loss that comes to light a move later is looked for where it was caused.
#[test]
fn what_the_rest_contradicts_is_looked_at_again() {
    let played = game(International, "W:W31-50:B1-20", &["32-28", "19-23", "28x19", "14x23"]);
    let mut work = GameWork::new(std::slice::from_ref(&played), &Settings::default());
    let facts = |legal, best, played| MoveFacts {
        legal,
        depth: 1,
        nodes: 1,
        best: LineFacts { score: best, moves: Vec::new() },
        others: Vec::new(),
        played: LineFacts { score: played, moves: Vec::new() },
        second: None,
        best_known: None,
        played_known: None,
        second_known: None,
    };
    // White thinks that 32-28 is even, Black after it that it costs a man; the captures are forced.
    for (index, facts) in
        [facts(9, 0, 0), facts(9, 100, 100), facts(1, 0, 0), facts(2, 100, 100)].into_iter().enumerate()
    {
        assert_eq!(work.next(), Some(Task { index, look: 0 }));
        work.put(Task { index, look: 0 }, facts);
    }
    let again = Task { index: 0, look: 1 };
    assert_eq!(work.next(), Some(again));
    assert_eq!(work.next(), None);
    work.put(again, facts(9, 0, -100));
    assert!(work.is_done());
    assert_eq!(work.moves()[0].class, MoveClass::Blunder);
}

/// To go back once costs nothing; a search that must not repeat thinks otherwise.
#[test]
fn kings_that_go_to_and_fro_have_missed_nothing() {
    let start = "W:WK1,K2,K3,K6,32,31:BK29,K25,21";
    let played = game(VariantId::English, start, &["1-5", "25-22", "5-1", "22-25", "2-7"]);
    for mv in analysis(&played, &to_depth(9), 1).moves {
        assert!(!mv.class.is_error() && mv.class != MoveClass::Only, "{} is called {}", mv.played, mv.class);
    }
}

/// Whatever is played, the game that is searched ends where the whole one does.
#[test]
fn forgotten_repetitions_end_no_game() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
    for (variant, start) in [
        (International, "W:WK1,K2:BK50"),
        (VariantId::Italian, "W:WK1,K2:BK32"),
        (VariantId::Russian, "W:WK1,K2,K3:BK29"),
    ] {
        let (mut drawn, mut forgotten) = (0, 0);
        for _ in 0..40 {
            let mut whole = fen::game_from_fen(variant, start).unwrap();
            while whole.outcome().is_none() && whole.moves().len() < 60 {
                let judged = whole.without_harmless_repetitions();
                forgotten += usize::from(judged.recent_keys() != whole.recent_keys());
                let moves = whole.legal_moves();
                let mut next = moves[random.random_range(0..moves.len())];
                for &mv in moves.iter() {
                    let [mut one, mut other] = [whole.clone(), judged.clone()];
                    one.play(mv).unwrap();
                    other.play(mv).unwrap();
                    assert_eq!(one.outcome(), other.outcome(), "{variant}");
                    // Positions come again where there is a way back.
                    if one.occurrences() > 1 && random.random_bool(0.8) {
                        next = mv;
                    }
                }
                whole.play(next).unwrap();
            }
            drawn += usize::from(whole.outcome() == Some(Outcome::Draw(DrawReason::Repetition)));
        }
        assert!(drawn > 0 && forgotten > 0, "{variant}: {drawn} and {forgotten}");
    }
}

#[test]
fn a_win_that_the_counts_may_stop_is_not_missed_by_keeping_it() {
    // Two kings and a man win against a king. The kings go about; a step of the man would begin the count anew.
    let variant = VariantId::Russian;
    let (tables, _) = tablebase::load(variant, &[], 4);
    let mut game = game(variant, "B:WKf4:Bb6,Kc5,Kd4", &[]);
    let mut seen = HashSet::new();
    while game.moves().len() < 13 {
        let wins = |next: &Game| {
            let white_loses = if next.position().turn() == Color::White { Value::Loss } else { Value::Win };
            tables.verdict(next.position()).is_some_and(|verdict| verdict.value == white_loses)
        };
        let moves = game.legal_moves();
        let after = moves.iter().filter(|mv| game.position().kings().contains(mv.from())).map(|&mv| {
            let mut next = game.clone();
            next.play(mv).unwrap();
            next
        });
        let is_quiet = |next: &Game| next.legal_moves().iter().all(|mv| !mv.is_capture());
        let mut good = after.filter(|next| wins(next) && is_quiet(next));
        game = good.find(|next| seen.insert(next.position().key())).unwrap();
    }
    assert_eq!(game.outcome(), None);
    let settings = Settings { from_ply: 13, ..to_depth(8) };
    let last = &analysis(&game, &settings, 1).moves[0];
    assert_eq!(last.before.exact, Some(Exact::Win), "the man's step wins");
    assert_eq!((last.class, last.loss), (MoveClass::Best, 0.0));
}
