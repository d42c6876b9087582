//! Visits a second.

use kroon::engine::{Engine, Mode, Options, Request, SearchKind};
use kroon::game::Game;
use kroon::rules::VariantId;
use kroon::search::mcts::{Leaf, Params, Selection};
use kroon::search::{Control, Limits};

const KINDS: [(&str, Selection, Leaf, u64); 5] = [
    ("uct playout", Selection::Uct, Leaf::Playout, 40_000),
    ("uct playout-heavy", Selection::Uct, Leaf::PlayoutHeavy, 40_000),
    ("rave playout", Selection::Rave, Leaf::Playout, 40_000),
    ("puct search", Selection::Puct, Leaf::Search, 4_000),
    ("puct eval", Selection::Puct, Leaf::Eval, 200_000),
];

/// Thousands of visits a second from the start position.
fn measure(params: Params, threads: usize, nodes: u64) -> f64 {
    let options = Options { threads, search: SearchKind::Mcts, mcts: params, ..Options::default() };
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let request = Request { game: Game::new(VariantId::International), limits, mode: Mode::Analyze };
    let report = Engine::new(options).go(&request, &Control::new(), &mut ());
    assert_eq!(report.nodes, nodes);
    report.nodes as f64 / report.time.as_secs_f64() / 1e3
}

#[allow(clippy::print_stdout)]
pub fn run() {
    println!("thousands of visits a second; ratios of two threads to one, taken in turn");
    for (name, selection, leaf, nodes) in KINDS {
        let params = Params { selection, leaf, ..Params::default() };
        let runs: Vec<[f64; 2]> = (0..5).map(|_| [1, 2].map(|n| measure(params, n, nodes))).collect();
        let best = |i: usize| runs.iter().map(|run| run[i]).fold(0.0, f64::max);
        let ratios: Vec<f64> = runs.iter().map(|run| run[1] / run[0]).collect();
        println!("{name:<18} one {:>7.1} two {:>7.1} ratios {ratios:.2?}", best(0), best(1));
    }
}
