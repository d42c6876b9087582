//! Is the time kept? `cargo bench --bench time -- WHAT`, where WHAT is
//!
//! - `searches` (without a word this): searches along games at fixed times a move, in this process, and how long a stop
//!   takes;
//! - `moves MILLISECONDS MOVES [NAME=VALUE...]`: moves through the pipe of `kroon hub` at a fixed time each, as an
//!   arbiter sees them: from writing `pos` to reading `done`, with these parameters;
//! - `control MILLISECONDS MOVES`: the same with a program that only waits until its time is over, to see what the
//!   machine itself does to it;
//! - `ponder TIME INCREMENT SECONDS... [NAME=VALUE...]`: the time that a ponder hit takes from the clock after so many
//!   seconds of pondering; 0 is a plain search.
//!
//! The program is that of this build, or the one that the environment variable `KROON` names. For `searches` and the
//! most of `moves` the machine must be idle.

mod control;
mod hub;
mod searches;

use std::time::Duration;

#[allow(clippy::print_stderr)] // a benchmark is its output
fn main() {
    // Cargo adds flags of its own.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let (parameters, words): (Vec<&str>, Vec<&str>) =
        words.iter().map(String::as_str).partition(|word| word.contains('='));
    let numbers: Vec<f64> =
        words.iter().skip(1).map(|word| word.parse().expect("a number of milliseconds or seconds")).collect();
    match (words.first().copied().unwrap_or("searches"), &numbers[..]) {
        ("searches", []) => searches::run(),
        ("moves", &[milliseconds, moves]) => {
            hub::moves(Duration::from_secs_f64(milliseconds / 1e3), moves as usize, &parameters);
        }
        ("control", &[milliseconds, moves]) => {
            control::run(Duration::from_secs_f64(milliseconds / 1e3), moves as usize, hub::BREAK);
        }
        (control::SPIN, &[milliseconds]) => control::spin(Duration::from_secs_f64(milliseconds / 1e3)),
        ("ponder", [time, increment, pondered @ ..]) => {
            hub::ponder(*time, *increment, pondered, &parameters);
        }
        _ => eprintln!(
            "searches, moves MILLISECONDS MOVES, control MILLISECONDS MOVES, or ponder TIME INCREMENT SECONDS..."
        ),
    }
}

/// The head of the table of `row`.
const HEAD: &str = "   asked    moves   median      99%    99.9%      max  over by 5 ms  by 10 ms";

/// A row of a table of times: the middle, the slow ones, and how many are late.
fn row(asked: Duration, mut times: Vec<Duration>) -> String {
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    let late = |ms| times.iter().filter(|&&t| t > asked + Duration::from_millis(ms)).count();
    format!(
        "{:>5} ms {:>8} {:>5.1} ms {:>5.1} ms {:>5.1} ms {:>5.1} ms {:>13} {:>9}",
        asked.as_millis(),
        times.len(),
        at(0.5),
        at(0.99),
        at(0.999),
        at(1.0),
        late(5),
        late(10)
    )
}
