//! What the user wants while games are played: from the keyboard and by signals.

use anyhow::{Context, Result};
use crossbeam::channel::Sender;
use kroon::protocol::dxp::session::UserCommand;
use std::io::{self, BufRead};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// Exit status of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// Lets an interrupt (Ctrl-C, or a request to terminate) end the game in an orderly way, and a second one end us.
pub fn on_interrupt(commands: Sender<UserCommand>) -> Result<()> {
    let again = AtomicBool::new(false);
    ctrlc::set_handler(move || {
        if again.swap(true, Ordering::Relaxed) || commands.send(UserCommand::Quit).is_err() {
            std::process::exit(INTERRUPTED);
        }
    })
    .context("cannot wait for interrupts")
}

/// Reads lines from standard input until it ends.
pub fn read_lines(commands: Sender<UserCommand>) -> Result<()> {
    let read = move || {
        // A terminal may have other characters than ours.
        for line in io::stdin().lock().split(b'\n').map_while(Result::ok) {
            let command = match String::from_utf8_lossy(&line).trim() {
                "" => continue,
                "/resign" => UserCommand::Resign,
                "/draw" => UserCommand::Draw,
                "/quit" => UserCommand::Quit,
                text => UserCommand::Chat(text.to_owned()),
            };
            if commands.send(command).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().name("keyboard".into()).spawn(read).context("cannot read the keyboard")?;
    Ok(())
}
