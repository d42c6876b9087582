//! A program that does nothing but wait for its time to be over: what it is late by, the machine is.

use std::hint;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The word that makes this benchmark that program.
pub const SPIN: &str = "spin";

/// The time that an engine holds back unless told otherwise: 5 ms, at most half.
fn thinking(asked: Duration) -> Duration {
    asked - Duration::from_millis(5).min(asked / 2)
}

/// Reads lines and answers each after the time that an engine thinks, without sleeping.
pub fn spin(asked: Duration) {
    for _ in io::stdin().lock().lines() {
        let start = Instant::now();
        while start.elapsed() < thinking(asked) {
            hint::spin_loop();
        }
        let mut out = io::stdout();
        writeln!(out, "done").and_then(|()| out.flush()).expect("somebody listens");
    }
}

/// So many questions to that program, with the same pauses as between moves.
#[allow(clippy::print_stdout)] // a benchmark is its output
pub fn run(asked: Duration, count: usize, pause: f64) {
    let milliseconds = (asked.as_secs_f64() * 1e3).to_string();
    let mut child = Command::new(std::env::current_exe().expect("a path"))
        .args([SPIN, &milliseconds])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("this program");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut times = Vec::with_capacity(count);
    for _ in 0..count {
        let start = Instant::now();
        writeln!(child.stdin.as_mut().expect("a pipe"), "go").expect("it listens");
        let mut line = String::new();
        output.read_line(&mut line).expect("an answer");
        times.push(start.elapsed());
        thread::sleep(asked.mul_f64(pause));
    }
    drop(child.stdin.take());
    child.wait().expect("it ends");
    println!("{}\n{}", super::HEAD, super::row(asked, times));
}
