//! The share of positions with one winning move (see `make`) that the tree search solves, by number of visits.

use kroon::board::Move;
use kroon::engine::{Engine, Mode, Options, Report, Request, SearchKind};
use kroon::game::Game;
use kroon::notation::fen;
use kroon::notation::hub::parse_move;
use kroon::search::mcts::{Leaf, Params};
use kroon::search::{Control, Limits};

const VISITS: [u64; 4] = [100, 1_000, 10_000, 100_000];

/// Variant, position, the move, and the length of the win in plies.
const POSITIONS: &str = include_str!("../../tests/data/tactics.txt");

fn analyse(engine: &mut Engine, game: &Game, limits: Limits) -> Report {
    engine.new_game();
    engine.go(&Request { game: game.clone(), limits, mode: Mode::Analyze }, &Control::new(), &mut ())
}

/// The first positions of the file with their only winning moves.
fn positions(wanted: usize) -> Vec<(Game, Move)> {
    let lines = POSITIONS.lines().filter(|line| !line.starts_with('#')).take(wanted);
    let read = lines.map(|line| {
        let [variant, position, best, _] = line.split(';').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let game = fen::game_from_fen(variant.parse().expect("a variant"), position).expect("a position");
        let board = game.variant().rules().board;
        let best = parse_move(board, &game.legal_moves(), best).expect("a legal move");
        (game, best)
    });
    read.collect()
}

/// A line of the table for each kind of leaf whose name contains `wanted`, up to so many visits.
#[allow(clippy::print_stdout)]
pub fn run(number: usize, most_visits: u64, wanted: &str) {
    let positions = positions(number);
    println!("share of {} positions solved", positions.len());
    println!("visits          {}", VISITS.map(|visits| format!("{visits:>6}")).join(" "));
    for leaf in [Leaf::Search, Leaf::Eval] {
        if !leaf.name().contains(wanted) {
            continue;
        }
        let mcts = Params { leaf, ..Params::default() };
        let mut engine =
            Engine::new(Options { hash_mb: 1, search: SearchKind::Mcts, mcts, ..Options::default() });
        print!("{leaf:<15} ");
        for visits in VISITS.into_iter().filter(|&visits| visits <= most_visits) {
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
