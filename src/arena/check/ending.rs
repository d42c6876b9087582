//! Checks that an engine exits: at `quit`, at the end of its input, during a search.

use super::link::CheckLink;
use super::{GivenUp, Notes};
use std::time::{Duration, Instant};

/// How long an engine may take to end, if the margin is not longer.
const FAREWELL: Duration = Duration::from_secs(2);
/// How long the news of an end may take.
const MOMENT: Duration = Duration::from_millis(200);

/// The client has closed the pipe.
pub fn end_of_input(link: &mut CheckLink, notes: &mut Notes) -> Result<(), GivenUp> {
    link.process.close_input();
    ended(link, "the end of the input", notes);
    Ok(())
}

/// The client has gone away while the engine was thinking.
pub fn end_of_input_in_search(link: &mut CheckLink, notes: &mut Notes) -> Result<(), GivenUp> {
    let start = "b".repeat(20) + &"e".repeat(10) + &"w".repeat(20);
    link.send(&format!("pos pos=W{start}"));
    link.send("level infinite");
    link.send("go analyze");
    std::thread::sleep(Duration::from_millis(200));
    link.process.close_input();
    ended(link, "the end of the input in a search", notes);
    Ok(())
}

/// `quit`.
pub fn quit(link: &mut CheckLink, notes: &mut Notes) -> Result<(), GivenUp> {
    link.send("quit");
    ended(link, "`quit`", notes);
    Ok(())
}

fn ended(link: &CheckLink, after: &str, notes: &mut Notes) {
    let patience = FAREWELL.max(link.margin);
    let deadline = Instant::now() + patience;
    // An engine that writes must be able to, or it cannot end.
    while Instant::now() < deadline {
        crossbeam::channel::select! {
            recv(link.process.exited) -> _ => return,
            recv(link.process.lines) -> line => if line.is_err() {
                // Its output is closed; the process follows or does not.
                let _ = link.process.exited.recv_deadline(deadline);
                break;
            },
            default(deadline.saturating_duration_since(Instant::now())) => break,
        }
    }
    // This process may have been asleep until now, and the thread that watches the engine, too.
    let closed = crossbeam::channel::RecvTimeoutError::Disconnected;
    if link.process.exited.recv_timeout(MOMENT) != Err(closed) {
        notes.wrong("Commands", format!("{after}: the engine still runs after {} s", patience.as_secs_f64()));
    }
}
