//! Moves through the pipe of `kroon hub`, timed from outside.

use kroon::game::Game;
use kroon::notation::hub::{format_position, parse_move};
use kroon::rules::VariantId;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Longest game, in plies; then a new one begins.
const LONGEST: usize = 120;
/// The arbiter does something else for this share of the time between two moves, as one who also asks the opponent.
pub const BREAK: f64 = 0.2;
/// Plies before the positions in which `ponder` measures: enough for a middle game.
const OPENING_PLIES: usize = 16;

/// The program at the other end of two pipes.
struct Program {
    child: Child,
    output: BufReader<ChildStdout>,
}

impl Program {
    /// Starts the program and greets it.
    fn start(parameters: &[&str]) -> Program {
        let path = std::env::var("KROON").unwrap_or_else(|_| env!("CARGO_BIN_EXE_kroon").to_owned());
        let mut child = Command::new(path)
            .arg("hub")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut program = Program { child, output };
        program.say("hub");
        program.wait_for("wait");
        for parameter in parameters {
            let (name, value) = parameter.split_once('=').expect("NAME=VALUE");
            program.say(&format!("set-param name={name} value={value}"));
        }
        program.say("init");
        program.wait_for("ready");
        program
    }

    fn say(&mut self, lines: &str) {
        writeln!(self.child.stdin.as_mut().expect("a pipe"), "{lines}").expect("the program listens");
    }

    /// The first line that begins with this word.
    fn wait_for(&mut self, word: &str) -> String {
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).expect("a line"), 0, "the program has left");
            assert!(!line.starts_with("error"), "{line}");
            if line.split_whitespace().next() == Some(word) {
                return line;
            }
        }
    }

    /// The `pos` command for a game.
    fn position(game: &Game, moves: &[String]) -> String {
        format!(
            "pos pos={} moves=\"{}\"",
            format_position(game.variant().rules().board, game.start()),
            moves.join(" ")
        )
    }

    /// Plays the move of a `done` line.
    fn play(game: &mut Game, moves: &mut Vec<String>, done: &str) {
        let mv = done.split_whitespace().find_map(|word| word.strip_prefix("move=")).expect("a move");
        let board = game.variant().rules().board;
        game.play(parse_move(board, &game.legal_moves(), mv).expect("a legal move")).expect("legal");
        moves.push(mv.to_owned());
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // The end of its input ends it.
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

/// Games at a fixed time for each move.
#[allow(clippy::print_stdout)] // a benchmark is its output
pub fn moves(asked: Duration, count: usize, parameters: &[&str]) {
    let mut program = Program::start(parameters);
    let (mut game, mut moves, mut times) = (Game::new(VariantId::International), Vec::new(), Vec::new());
    while times.len() < count {
        if game.outcome().is_some() || moves.len() >= LONGEST {
            (game, moves) = (Game::new(VariantId::International), Vec::new());
            program.say("new-game");
        }
        let start = Instant::now();
        program.say(&format!(
            "{}\nlevel move-time={}\ngo think",
            Program::position(&game, &moves),
            asked.as_secs_f64()
        ));
        let done = program.wait_for("done");
        let time = start.elapsed();
        // Forced moves are answered at once and say nothing.
        if game.legal_moves().len() > 1 {
            times.push(time);
        }
        Program::play(&mut game, &mut moves, &done);
        thread::sleep(asked.mul_f64(BREAK));
    }
    println!("{}\n{}", super::HEAD, super::row(asked, times));
}

/// What a hit after pondering takes from the clock, in several positions of one game.
#[allow(clippy::print_stdout)] // a benchmark is its output
pub fn ponder(time: f64, increment: f64, pondered: &[f64], parameters: &[&str]) {
    println!("clock {time} s + {increment} s; pondered, and then seconds of the clock in each position");
    for &seconds in pondered {
        let mut program = Program::start(parameters);
        let (mut game, mut moves) = (Game::new(VariantId::International), Vec::new());
        let mut used = Vec::new();
        while used.len() < 4 {
            // The same moves every time: they follow from a number of nodes.
            let position = Program::position(&game, &moves);
            program.say(&format!("new-game\n{position}\nlevel nodes=20000\ngo analyze"));
            let done = program.wait_for("done");
            if moves.len() >= OPENING_PLIES && game.legal_moves().len() > 1 {
                program.say(&format!("new-game\n{position}\nlevel time={time} inc={increment}\n"));
                let start = if seconds > 0.0 {
                    program.say("go ponder");
                    thread::sleep(Duration::from_secs_f64(seconds));
                    let start = Instant::now();
                    program.say("ponder-hit");
                    start
                } else {
                    let start = Instant::now();
                    program.say("go think");
                    start
                };
                program.wait_for("done");
                used.push(format!("{:>6.2}", start.elapsed().as_secs_f64()));
            }
            Program::play(&mut game, &mut moves, &done);
        }
        println!("{seconds:>6.2} {}", used.join(" "));
    }
}
