//! Speed of the search: `cargo bench --bench search`. Prints a table of the whole set at a fixed depth with one thread
//! and two, the time to each depth from the start position, and asserts the node count of one thread.

use kroon::engine::bench::{self, BenchResult};
use kroon::engine::{Engine, Mode, Options, Request};
use kroon::game::Game;
use kroon::rules::VariantId;
use kroon::search::{Control, Info, Limits, Observer};

/// Deep enough for a second thread to be of use.
const DEPTH: u32 = 18;

#[allow(clippy::print_stdout)] // a benchmark is its output
fn main() {
    let signature = bench::run(1, |_, _| true).nodes;
    assert_eq!(signature, bench::run(1, |_, _| true).nodes, "one thread is deterministic");

    println!("the bench positions at depth {DEPTH}");
    println!("threads      nodes   seconds    mnps");
    let run = |threads| {
        let result: BenchResult = bench::run_to(DEPTH, threads, |_, _| true);
        let seconds = result.time.as_secs_f64();
        let mnps = result.nodes as f64 / seconds / 1e6;
        println!("{threads:>7} {:>10} {seconds:>9.2} {mnps:>7.2}", result.nodes);
        seconds
    };
    // In turn, so that a drift of the machine's speed hits both.
    let ratios: Vec<f64> = (0..3).map(|_| run(1) / run(2)).collect();
    println!("time of one thread / time of two: {ratios:.2?}");

    println!("\nfrom the start position, one thread");
    println!("depth      nodes   seconds    mnps");
    let limits = Limits { depth: Some(20), ..Limits::default() };
    let request = Request { game: Game::new(VariantId::International), limits, mode: Mode::Analyze };
    Engine::new(Options::default()).go(&request, &Control::new(), &mut Table);
}

struct Table;

impl Observer for Table {
    #[allow(clippy::print_stdout)]
    fn info(&mut self, info: &Info) {
        let (seconds, mnps) = (info.time.as_secs_f64(), info.nps() / 1e6);
        println!("{:>5} {:>10} {seconds:>9.3} {mnps:>7.2}", info.depth, info.nodes);
    }
}
