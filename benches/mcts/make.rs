//! Makes the positions of `tactics`: the alpha-beta search has proven that one move wins and found no other win.

use kroon::engine::{Engine, Mode, Options, Report, Request};
use kroon::game::Game;
use kroon::notation::fen;
use kroon::notation::hub::format_move;
use kroon::score::Score;
use kroon::search::{Control, Limits};
use kroon::train::shard::ShardReader;
use std::collections::HashSet;
use std::path::Path;

/// Positions wanted of each file.
const WANTED: usize = 100;
/// Limits of the search for the win ...
const DEPTH: u32 = 14;
const NODES: u64 = 20_000;
/// ... and of the search that shows that another move does not win.
const OTHERS: Limits = Limits { depth: Some(DEPTH), nodes: Some(100_000), ..Limits::NONE };
/// Shortest win, in plies; shorter ones are too easy.
const SHORTEST: u32 = 5;
/// Plies at the end of a game that are looked at.
const LAST: usize = 12;
/// Fewer pieces or more kings are an ending.
const FEWEST_PIECES: u32 = 6;
const MOST_KINGS: u32 = 1;

fn analyse(engine: &mut Engine, game: &Game, limits: Limits) -> Option<Report> {
    engine.new_game();
    let request = Request { game: game.clone(), limits, mode: Mode::Analyze };
    let report = engine.go(&request, &Control::new(), &mut ());
    report.best.map(|_| report)
}

/// The only move that wins by force, written as in Hub, and the plies it takes.
fn only_win(engine: &mut Engine, game: &Game) -> Option<(String, u32)> {
    let moves = game.legal_moves();
    let position = game.position();
    let is_ending = position.occupied().len() < FEWEST_PIECES || position.kings().len() > MOST_KINGS;
    if moves.len() < 3 || is_ending {
        return None;
    }
    let limits = Limits { depth: Some(DEPTH), nodes: Some(NODES), ..Limits::default() };
    let report = analyse(engine, game, limits)?;
    let (score, best) = (report.info?.score, report.best?);
    let plies = score.plies_to_end().filter(|&plies| score > Score::DRAW && plies >= SHORTEST)?;
    // Not what one look shows.
    let shallow = analyse(engine, game, Limits { depth: Some(1), ..Limits::default() })?;
    if shallow.best == Some(best) && shallow.info?.score > Score::from_centi(100) {
        return None;
    }
    for &mv in moves.iter().filter(|&&mv| mv != best) {
        let mut next = game.clone();
        next.play(mv).ok()?;
        if next.outcome().is_some() {
            return None;
        }
        // Lost for the opponent, or nearly: then this move wins as well.
        let score = analyse(engine, &next, OTHERS)?.info?.score;
        if score < Score::from_centi(-100) {
            return None;
        }
    }
    Some((format_move(game.variant().rules().board, best), plies))
}

#[allow(clippy::print_stdout)]
pub fn run(words: &[String]) {
    println!("# variant, FEN, the only winning move (Hub), plies of the win");
    let mut engine = Engine::new(Options { hash_mb: 4, ..Options::default() });
    for word in words {
        let mut reader = ShardReader::open(Path::new(word)).expect("a file of self-play games");
        let variant = reader.variant();
        let mut found = HashSet::new();
        while found.len() < WANTED
            && let Some(record) = reader.next_game().expect("a whole game")
        {
            let plies = record.plies.len();
            let mut ply = 0;
            let mut is_found = false;
            super::replay(&record, variant, |game, _| {
                ply += 1;
                // The end of a game, where the winner is to move.
                let is_end = ply + LAST > plies && record.result.half_points(game.position().turn()) == 2;
                if is_end
                    && !is_found
                    && found.len() < WANTED
                    && let Some((best, distance)) = only_win(&mut engine, game)
                {
                    let fen = fen::write(variant, game.position());
                    if !found.contains(&fen) {
                        println!("{variant};{fen};{best};{distance}");
                        found.insert(fen);
                    }
                    is_found = true;
                }
            });
        }
    }
}
