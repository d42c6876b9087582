//! A Hub engine with one fault. It is this test program, started again as a child process; clients ignore the lines
//! that the test harness prints before the first command.

use kroon::game::Game;
use kroon::notation::hub;
use kroon::protocol::hub::command::{HubCommand, Root, parse};
use kroon::rules::VariantId;
use std::io::{BufRead, Write, stderr, stdin, stdout};
use std::thread::sleep;
use std::time::Duration;

/// The `cmd` of an engine with this fault, such as `crash:3`: it crashes at its third move.
pub fn command(fault: &str) -> String {
    let program = std::env::current_exe().unwrap();
    format!("'{}' --exact arena_fake::engine --ignored --nocapture {PREFIX}{fault}", program.display())
}

const PREFIX: &str = "fault=";

/// Not a test.
#[test]
#[ignore = "the engine of other tests"]
fn engine() {
    let fault = std::env::args().find_map(|arg| arg.strip_prefix(PREFIX).map(str::to_owned));
    // Somebody runs all ignored tests.
    let Some(fault) = fault else { return };
    let (kind, number) = fault.split_once(':').unwrap_or((&fault, "1"));
    Fake { kind: kind.to_owned(), at: number.parse().unwrap(), moves: 0 }.talk();
    std::process::exit(0);
}

struct Fake {
    kind: String,
    /// The move of the process, from 1, at which the fault happens.
    at: u32,
    moves: u32,
}

fn say(text: &str) {
    let mut out = stdout().lock();
    // A referee that has gone away is no fault.
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}

impl Fake {
    fn is(&self, kind: &str) -> bool {
        self.kind == kind && self.moves == self.at
    }

    fn talk(&mut self) {
        let mut game = Game::new(VariantId::International);
        for line in stdin().lock().lines() {
            let Ok(line) = line else { return };
            match parse(&line).command {
                Some(HubCommand::Hub) if self.kind == "mute" => sleep(Duration::from_secs(3600)),
                Some(HubCommand::Hub) if self.kind == "exit-after-hub" => return,
                Some(HubCommand::Hub) if self.kind == "babble" => loop {
                    say("info depth=1");
                    sleep(Duration::from_millis(100));
                },
                Some(HubCommand::Hub) => {
                    if self.kind == "id-in-the-way" {
                        say("Welcome to the fake engine!\nerror message=\"not yet\"");
                    }
                    say(
                        "id name=Fake version=1 author=\"A Test\" country=NL\nparam name=level value=1 type=int min=1 max=9\nwait",
                    );
                }
                Some(HubCommand::Init) => say("init eval\nready"),
                Some(HubCommand::Position { root: Root::Hub(text), moves }) => game = read(&text, &moves),
                Some(HubCommand::Go(_)) => self.go(&game),
                Some(HubCommand::Ping) => say("pong"),
                Some(HubCommand::Quit) if self.kind != "no-quit" => return,
                _ => (),
            }
        }
        if self.kind == "no-quit" {
            sleep(Duration::from_secs(3600));
        }
    }

    fn go(&mut self, game: &Game) {
        self.moves += 1;
        let legal = game.legal_moves();
        let board = game.variant().rules().board;
        let text = hub::format_move(board, legal[legal.len() / 2]);
        let done = format!("done move={text}");
        let garbage = "\u{1}\u{2} = \"\"\" done ==\n\nlevel\nmove 32-28\n\"";
        say(&format!("info depth=1 score=0.00 nodes=1 pv={text}"));
        match self.kind.as_str() {
            _ if self.is("crash") => std::process::exit(3),
            _ if self.is("abort") => std::process::abort(),
            _ if self.is("close") => {
                // The process lives, but has nothing more to say.
                drop(close_stdout());
                sleep(Duration::from_secs(3600));
            }
            _ if self.is("hang") => sleep(Duration::from_secs(3600)),
            _ if self.is("illegal") => say("done move=1-50"),
            _ if self.is("no-move") => say("done"),
            _ if self.is("wrong-case") => say(&done.to_uppercase()),
            _ if self.is("move-case") => say(&format!("done move={}", text.replace(['-', 'x'], "X"))),
            _ if self.is("late") => {
                sleep(Duration::from_secs(2));
                say(&done);
            }
            _ if self.is("garbage") => say(&format!("{garbage}\n{done}")),
            _ if self.is("only-garbage") => say(garbage),
            _ if self.is("dying-word") => {
                say(&done);
                std::process::exit(0);
            }
            _ if self.is("endless") => loop {
                say("info depth=1 score=0.1");
            },
            "chatter" => {
                (0..5000).for_each(|depth| say(&format!("info depth={depth} score=0.1")));
                say(&done);
            }
            "flood" => {
                let block = "x".repeat(1 << 14);
                (0..64).for_each(|_| drop(writeln!(stderr(), "{block}")));
                say(&done);
            }
            "twice" => {
                say(&done);
                sleep(Duration::from_millis(5));
                say(&done);
            }
            "variation" => say(&format!("info depth=1.5 score=0.1 pv=\"{text} 1-2\"\n{done}")),
            _ => say(&done),
        }
    }
}

/// Closes standard output for good.
#[cfg(unix)]
fn close_stdout() -> impl Drop {
    use std::os::fd::{FromRawFd, OwnedFd};
    // SAFETY: nobody writes to standard output any more, and this is the only owner made of it.
    unsafe { OwnedFd::from_raw_fd(1) }
}

#[cfg(not(unix))]
fn close_stdout() -> Vec<u8> {
    std::process::exit(0)
}

fn read(position: &str, moves: &str) -> Game {
    let variant = VariantId::International;
    let board = variant.rules().board;
    let mut game = Game::from_setup(variant, &hub::parse_position(board, position).unwrap()).unwrap();
    for text in moves.split_whitespace() {
        let mv = hub::parse_move(board, &game.legal_moves(), text).unwrap();
        game.play(mv).unwrap();
    }
    game
}
