//! What the user wants while games are played: from the keyboard and by signals.

use crate::cli::interrupt::on_interrupt;
use crate::cli::progress::say;
use anyhow::{Context, Result};
use crossbeam::channel::Sender;
use kroon::protocol::dxp::session::UserCommand;
use std::io::{self, BufRead, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Exit status of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// Lets an interrupt (Ctrl-C, or a request to terminate) end the game in an orderly way, and a second one end us.
pub fn quit_on_interrupt(commands: Sender<UserCommand>) -> Result<()> {
    let again = AtomicBool::new(false);
    on_interrupt(move || {
        if again.swap(true, Ordering::Relaxed) || commands.send(UserCommand::Quit).is_err() {
            std::process::exit(INTERRUPTED);
        }
    })
}

/// Longest line that is read, in bytes; the rest of a longer one is the next.
const MOST_LINE: u64 = 4096;
/// Orders and lines that wait to be taken.
const MOST_WAITING: usize = 16;
/// Time between two lines: programs hang up on an opponent who talks much more than anybody types.
const PAUSE: Duration = Duration::from_millis(250);

/// Reads lines from standard input until it ends, a few a second at most.
pub fn read_lines(commands: Sender<UserCommand>) -> Result<()> {
    let read = move || {
        let mut input = io::stdin().lock();
        let mut line = Vec::new();
        loop {
            line.clear();
            if !matches!(Read::by_ref(&mut input).take(MOST_LINE).read_until(b'\n', &mut line), Ok(1..)) {
                return;
            }
            // A terminal may have other characters than ours.
            let line = String::from_utf8_lossy(&line);
            let command = match (line.trim(), line.trim().to_lowercase().as_str()) {
                ("", _) => continue,
                (_, "/resign") => UserCommand::Resign,
                (_, "/draw") => UserCommand::Draw,
                (_, "/quit") => UserCommand::Quit,
                (order, _) if order.starts_with('/') => {
                    // A slip is nothing for the opponent.
                    let known = "known are /resign, /draw and /quit";
                    say(format_args!("error: unknown order {order:?}, {known}"));
                    continue;
                }
                (text, _) => UserCommand::Chat(text.to_owned()),
            };
            // Who pipes much text into it waits.
            while commands.len() >= MOST_WAITING {
                thread::sleep(PAUSE);
            }
            if commands.send(command).is_err() {
                return;
            }
            thread::sleep(PAUSE);
        }
    };
    thread::Builder::new().name("keyboard".into()).spawn(read).context("cannot read the keyboard")?;
    Ok(())
}
