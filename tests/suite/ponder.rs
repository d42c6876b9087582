//! Pondering and the clock, counted in evaluations and nodes: no test here depends on how fast the machine is.

use kroon::board::Position;
use kroon::engine::{Engine, Mode, Options, Report, Request, SearchKind};
use kroon::eval::{Evaluator, HandMade};
use kroon::game::Game;
use kroon::notation::fen;
use kroon::rules::{International, VariantId};
use kroon::score::Score;
use kroon::search::alphabeta::{self, AlphaBetaMemory, History, Tuning};
use kroon::search::mcts::{self, Calibrated, Params, TreeStore, ValueCurve};
use kroon::search::table::TranspositionTable;
use kroon::search::{Bounds, ClockLimit, Control, Limits, SearchTask};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const HOUR: Duration = Duration::from_secs(3600);
const MOMENT: Duration = Duration::from_nanos(1);

/// The opponent plays the expected move when so many evaluations have been made.
struct HitAfter<'a> {
    control: &'a Control,
    evaluations: u64,
    asked: AtomicU64,
    /// Evaluations when the hit had been told: other threads go on while the one that tells it is interrupted.
    asked_at_hit: AtomicU64,
}

impl Evaluator<International> for HitAfter<'_> {
    type Memory = ();

    fn evaluate_with(&self, (): &mut (), position: &Position, ply: usize) -> Score {
        if self.asked.fetch_add(1, Ordering::Relaxed) + 1 == self.evaluations {
            self.control.ponder_hit();
            self.asked_at_hit.store(self.asked.load(Ordering::SeqCst), Ordering::SeqCst);
        }
        Evaluator::<International>::evaluate_with(&HandMade, &mut (), position, ply)
    }
}

impl Calibrated<International> for HitAfter<'_> {
    fn curve(&self) -> ValueCurve {
        ValueCurve::hand_made(VariantId::International)
    }
}

/// Ponders with these bounds; the nodes searched and the evaluations made after the hit.
fn ponder(search: SearchKind, threads: usize, bounds: Bounds, nodes: u64, hit_after: u64) -> (u64, u64) {
    let control = Control::new();
    let evaluator = HitAfter {
        control: &control,
        evaluations: hit_after,
        asked: AtomicU64::new(0),
        asked_at_hit: AtomicU64::new(0),
    };
    let game = Game::new(VariantId::International);
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let task = SearchTask {
        game: &game,
        limits,
        bounds,
        start: Instant::now(),
        pondering: true,
        multipv: 1,
        endgame: None,
        root_moves: None,
    };
    let result = match search {
        SearchKind::AlphaBeta => alphabeta::search::<International, _>(
            &task,
            &TranspositionTable::new(4),
            &evaluator,
            &Tuning::default(),
            &mut vec![History::default(); threads],
            &control,
            &mut (),
        ),
        SearchKind::Mcts => mcts::search::<International, _>(
            &task,
            &Params::default(),
            &mut TreeStore::default(),
            &evaluator,
            AlphaBetaMemory {
                table: &TranspositionTable::new(1),
                histories: &mut vec![History::default(); threads],
                tuning: Tuning::default(),
            },
            &control,
            &mut (),
        ),
    };
    (result.nodes, evaluator.asked.into_inner().saturating_sub(evaluator.asked_at_hit.into_inner()))
}

/// Enough nodes that a search which misses the hit would end much later.
const PLENTY: u64 = 400_000;

#[test]
fn a_hit_after_the_target_is_spent_is_answered_at_once() {
    // In the middle of an iteration, with an hour of hard bound left.
    let bounds = Bounds { soft: Some(MOMENT), hard: Some(HOUR) };
    for search in [SearchKind::AlphaBeta, SearchKind::Mcts] {
        for threads in [1, 2] {
            let (nodes, after) = ponder(search, threads, bounds, PLENTY, 60_000);
            assert!(nodes < PLENTY / 2, "{search} with {threads} threads: {nodes} nodes");
            assert!(after < 3_000, "{search} with {threads} threads: {after} evaluations after the hit");
        }
    }
}

#[test]
fn a_hit_before_the_target_is_spent_goes_on_and_no_hit_too() {
    for search in [SearchKind::AlphaBeta, SearchKind::Mcts] {
        // Tree search counts a node with all the evaluations of the small search behind it.
        let nodes = if search == SearchKind::Mcts { PLENTY / 100 } else { PLENTY / 8 };
        let is_whole = |bounds, hit_after| ponder(search, 1, bounds, nodes, hit_after).0 >= nodes;
        let long = Bounds { soft: Some(HOUR), hard: Some(4 * HOUR) };
        assert!(is_whole(long, 5_000), "{search}: time was left");
        let short = Bounds { soft: Some(MOMENT), hard: Some(MOMENT) };
        assert!(is_whole(short, u64::MAX), "{search}: pondering costs no time");
    }
}

/// One legal move, a capture, and much to think about after it.
const FORCED: &str = "W:W28,32,33,34,37,38,42,43,48:B22,6,7,8,11,12,13,16,19";

fn search(kind: SearchKind, position: &str, limits: Limits) -> Report {
    let game = fen::game_from_fen(VariantId::International, position).unwrap();
    assert_eq!(game.legal_moves().len(), 1);
    let mut engine = Engine::new(Options { hash_mb: 1, search: kind, ..Options::default() });
    engine.go(&Request { game, limits, mode: Mode::Think }, &Control::new(), &mut ())
}

#[test]
fn a_forced_move_is_searched_as_deep_as_asked() {
    let to_depth = Limits { depth: Some(9), ..Limits::default() };
    let report = search(SearchKind::AlphaBeta, FORCED, to_depth);
    assert_eq!(report.info.unwrap().depth, 9);
    let to_nodes = Limits { nodes: Some(5_000), ..Limits::default() };
    for kind in [SearchKind::AlphaBeta, SearchKind::Mcts] {
        assert!(search(kind, FORCED, to_nodes).nodes >= 5_000, "{kind}");
    }
}

#[test]
fn a_forced_move_takes_no_time_from_the_clock() {
    let clock = ClockLimit { time: HOUR, ..ClockLimit::default() };
    for limits in [
        Limits { clock: Some(clock), ..Limits::default() },
        Limits { move_time: Some(HOUR), ..Limits::default() },
    ] {
        for kind in [SearchKind::AlphaBeta, SearchKind::Mcts] {
            assert!(search(kind, FORCED, limits).info.unwrap().depth < 9, "{kind}");
            // Nor after pondering.
            let control = Control::new();
            control.ponder_hit();
            let mut engine = Engine::new(Options { hash_mb: 1, search: kind, ..Options::default() });
            let game = fen::game_from_fen(VariantId::International, FORCED).unwrap();
            let report = engine.go(&Request { game, limits, mode: Mode::Ponder }, &control, &mut ());
            assert!(report.info.unwrap().depth < 9, "{kind}");
        }
    }
}
