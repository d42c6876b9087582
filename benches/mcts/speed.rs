//! Visits a second.

use kroon::engine::{Engine, Mode, Options, Request, SearchKind};
use kroon::game::Game;
use kroon::rules::VariantId;
use kroon::search::mcts::{Leaf, Params};
use kroon::search::{Control, Limits};

const KINDS: [(Leaf, u64); 2] = [(Leaf::Search, 4_000), (Leaf::Eval, 200_000)];

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
    for (leaf, nodes) in KINDS {
        let params = Params { leaf, ..Params::default() };
        let runs: Vec<[f64; 2]> = (0..5).map(|_| [1, 2].map(|n| measure(params, n, nodes))).collect();
        let best = |i: usize| runs.iter().map(|run| run[i]).fold(0.0, f64::max);
        let ratios: Vec<f64> = runs.iter().map(|run| run[1] / run[0]).collect();
        println!("{leaf:<8} one {:>7.1} two {:>7.1} ratios {ratios:.2?}", best(0), best(1));
    }
}
