//! `kroon bench`: speed and signature of the search.

use anyhow::Result;
use kroon::engine::{Options, bench};
use kroon::notation::fen;
use kroon::search::alphabeta::MAX_DEPTH;
use std::io::Write;

const AFTER_HELP: &str = "\
With one thread the number of nodes depends on nothing but the program: it is the signature of the
search.
The last line is `bench N nodes S seconds X mnps` (mnps: million nodes per second).

Example:
  kroon bench --threads 2";

/// Search a fixed set of positions to a fixed depth: a speed test, and a signature of the search
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Search threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=Options::MAX_THREADS as i64))]
    threads: u32,
    /// Search to another depth (plies); the signature belongs to the default
    #[arg(long, value_name = "N", default_value_t = bench::DEPTH, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: u32,
}

/// Runs the set; a line for each position, and the sum.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let mut failure = None;
    let result = bench::run_to(args.depth, args.threads as usize, |game, report| {
        let text = fen::write(game.variant(), game.position());
        let seconds = report.time.as_secs_f64();
        let line = writeln!(out, "{:>10} {seconds:>7.3}  {:<13} {text}", report.nodes, game.variant());
        failure = line.and_then(|()| out.flush()).err();
        failure.is_none()
    });
    if let Some(error) = failure {
        return Err(error.into());
    }
    let seconds = result.time.as_secs_f64();
    let mnps = result.nodes as f64 / seconds.max(1e-9) / 1e6;
    writeln!(out, "bench {} nodes {seconds:.3} seconds {mnps:.2} mnps", result.nodes)?;
    Ok(())
}
