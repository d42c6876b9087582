//! Positions with one winning move, proven by alpha-beta: how many does the tree search solve with how many visits?

use kroon::board::Move;
use kroon::engine::{Engine, Mode, Options, Report, Request, SearchKind};
use kroon::game::Game;
use kroon::rules::VariantId;
use kroon::score::Score;
use kroon::search::mcts::{Leaf, Params, Selection};
use kroon::search::{Control, Limits};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

const VISITS: [u64; 6] = [100, 300, 1_000, 3_000, 10_000, 30_000];

/// Depth of the proof, in plies.
const DEPTH: u32 = 9;

fn analyse(engine: &mut Engine, game: &Game, limits: Limits) -> Report {
    engine.new_game();
    engine.go(&Request { game: game.clone(), limits, mode: Mode::Analyze }, &Control::new(), &mut ())
}

/// The only move that wins by force in a few plies, where every other one was searched and does not.
fn only_win(engine: &mut Engine, game: &Game) -> Option<Move> {
    let limits = Limits { depth: Some(DEPTH), ..Limits::default() };
    let report = analyse(engine, game, limits);
    let plies = report.info?.score.plies_to_end()?;
    let best = report.best?;
    let moves = game.legal_moves();
    if moves.len() < 3 || !(3..=DEPTH).contains(&plies) {
        return None;
    }
    let limits = Limits { depth: Some(DEPTH - 1), ..Limits::default() };
    let wins = moves.into_iter().filter(|&mv| {
        let mut next = game.clone();
        next.play(mv).expect("legal");
        next.outcome().is_none()
            && analyse(engine, &next, limits).info.is_some_and(|info| info.score < -Score::MAX_EVAL)
    });
    (wins.collect::<Vec<_>>() == [best]).then_some(best)
}

/// Positions from games of random moves on the small board, where games are decided early.
fn positions(wanted: usize) -> Vec<(Game, Move)> {
    let mut engine = Engine::new(Options { hash_mb: 1, ..Options::default() });
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut found = Vec::new();
    while found.len() < wanted {
        let mut game = Game::new([VariantId::International, VariantId::English][found.len() % 2]);
        while game.outcome().is_none() {
            if game.position().occupied().len() <= 14
                && let Some(best) = only_win(&mut engine, &game)
            {
                found.push((game, best));
                break;
            }
            game.play(super::any(&game, &mut random)).expect("legal");
        }
    }
    found
}

#[allow(clippy::print_stdout)]
pub fn run(wanted: usize) {
    let positions = positions(wanted);
    println!("share of {} positions solved by visits; half international, half English", positions.len());
    println!("visits          {}", VISITS.map(|visits| format!("{visits:>6}")).join(" "));
    let kinds = [
        (Selection::Puct, Leaf::Eval),
        (Selection::Uct, Leaf::Playout),
        (Selection::Uct, Leaf::PlayoutHeavy),
        (Selection::UcbLog10, Leaf::Playout),
        (Selection::Rave, Leaf::Playout),
    ];
    for (selection, leaf) in kinds {
        let mcts = Params { selection, leaf, hash_mb: 16, ..Params::default() };
        let mut engine =
            Engine::new(Options { hash_mb: 1, search: SearchKind::Mcts, mcts, ..Options::default() });
        print!("{:<15} ", format!("{selection} {leaf}").replace("playout", "play"));
        for visits in VISITS {
            let limits = Limits { nodes: Some(visits), ..Limits::default() };
            let solved = positions
                .iter()
                .filter(|(game, best)| analyse(&mut engine, game, limits).best == Some(*best))
                .count();
            print!(" {:>5.1}%", 100.0 * solved as f64 / positions.len() as f64);
        }
        println!();
    }
}
