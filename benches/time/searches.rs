//! Searches in this process.

use kroon::engine::{Engine, Mode, Options, Request};
use kroon::game::Game;
use kroon::rules::VariantId;
use kroon::search::{Control, Limits};
use std::thread;
use std::time::{Duration, Instant};

#[allow(clippy::print_stdout)] // a benchmark is its output
pub fn run() {
    println!("{}", super::HEAD);
    for (milliseconds, searches) in [(5, 1000), (20, 1000), (100, 100)] {
        let asked = Duration::from_millis(milliseconds);
        println!("{}", super::row(asked, measure(asked, searches)));
    }
    let mut stops: Vec<Duration> = (0..200).map(stop_latency).collect();
    stops.sort();
    println!(
        "stop: median {:?}, slowest of {} {:?}",
        stops[stops.len() / 2],
        stops.len(),
        stops[stops.len() - 1]
    );
}

/// Times of searches along games of the engine against itself.
fn measure(asked: Duration, searches: usize) -> Vec<Duration> {
    let mut engine = Engine::new(Options { move_overhead: Duration::ZERO, ..Options::default() });
    let mut game = Game::new(VariantId::International);
    let limits = Limits { move_time: Some(asked), ..Limits::default() };
    let mut times = Vec::new();
    while times.len() < searches {
        if game.outcome().is_some() {
            game = Game::new(VariantId::International);
            engine.new_game();
        }
        let request = Request { game: game.clone(), limits, mode: Mode::Think };
        let start = Instant::now();
        let report = engine.go(&request, &Control::new(), &mut ());
        let time = start.elapsed();
        // Forced moves are answered at once and say nothing.
        if game.legal_moves().len() > 1 {
            times.push(time);
        }
        game.play(report.best.expect("the game is not over")).expect("legal");
    }
    times
}

/// From the call of `stop` to the return of the search.
fn stop_latency(round: u64) -> Duration {
    let mut engine = Engine::new(Options { hash_mb: 16, ..Options::default() });
    let limits = Limits { infinite: true, ..Limits::default() };
    let request = Request { game: Game::new(VariantId::International), limits, mode: Mode::Analyze };
    let control = Control::new();
    thread::scope(|scope| {
        let search = scope.spawn(|| {
            engine.go(&request, &control, &mut ());
            Instant::now()
        });
        thread::sleep(Duration::from_millis(5 + round % 20));
        let stopped = Instant::now();
        control.stop();
        search.join().expect("search").duration_since(stopped)
    })
}
