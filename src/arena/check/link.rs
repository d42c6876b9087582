//! Line I/O with the engine under test.

use super::{GivenUp, Notes, Subject};
use crate::arena::hub::process::{Heard, Process};
use crate::notation::text::quote;
use crossbeam::channel::RecvTimeoutError;
use std::time::{Duration, Instant};

/// After this long without a line nothing more is expected.
pub const SILENCE: Duration = Duration::from_millis(80);

/// `ping` is answered and `stop` obeyed within this time, see [`CheckLink::prompt`].
const PROMPT: Duration = Duration::from_millis(200);

/// More lines at once are not looked at.
const MOST_LINES: usize = 10_000;

/// An engine, and what it has said about itself.
pub struct CheckLink {
    pub process: Process,
    /// Name and version.
    pub id: String,
    /// Its parameters: name and value.
    pub params: Vec<(String, String)>,
    pub patience: Duration,
    pub margin: Duration,
}

/// What came of waiting for a line.
pub enum CheckStep {
    Line(Instant, String),
    Silence,
    /// The engine has closed its output.
    Gone,
}

impl CheckLink {
    /// Starts the engine.
    pub fn start(subject: &Subject, notes: &mut Notes) -> Result<CheckLink, GivenUp> {
        let process =
            Process::start("engine", &subject.command, subject.folder.as_deref()).map_err(|error| {
                let program = subject.command.first().map(String::as_str).unwrap_or_default();
                notes.wrong("Commands", format!("{} cannot be started: {error}", quote(program)));
                GivenUp
            })?;
        let (patience, margin) = (subject.patience, subject.margin);
        Ok(CheckLink { process, id: String::new(), params: Vec::new(), patience, margin })
    }

    /// How long the answers to `ping` and `stop` may take: the margin, if it is longer than usual.
    pub fn prompt(&self) -> Duration {
        PROMPT.max(self.margin)
    }

    pub fn send(&self, line: &str) {
        self.process.send(line);
    }

    /// The next line before the deadline.
    pub fn next(&self, deadline: Instant) -> CheckStep {
        // An engine that never stops talking must not make us forget the time.
        if Instant::now() >= deadline {
            return CheckStep::Silence;
        }
        match self.process.lines.recv_deadline(deadline) {
            Ok(Heard { at, text }) => CheckStep::Line(at, text),
            Err(RecvTimeoutError::Timeout) => CheckStep::Silence,
            Err(RecvTimeoutError::Disconnected) => CheckStep::Gone,
        }
    }

    /// The lines that come until there is silence.
    pub fn rest(&self) -> Vec<String> {
        let mut lines = Vec::new();
        while let CheckStep::Line(_, text) = self.next(Instant::now() + SILENCE) {
            lines.push(text);
            if lines.len() >= MOST_LINES {
                break;
            }
        }
        lines
    }

    /// Waits for a line that begins with this word; gives what came before it, and when it came.
    pub fn wait_for(
        &mut self,
        word: &str,
        section: &'static str,
        notes: &mut Notes,
    ) -> Result<(Instant, Vec<String>), GivenUp> {
        let deadline = Instant::now() + self.patience;
        let mut before = Vec::new();
        loop {
            match self.next(deadline) {
                CheckStep::Line(at, text) if first_word(&text) == word => return Ok((at, before)),
                CheckStep::Line(_, text) => {
                    before.truncate(MOST_LINES);
                    before.push(text);
                }
                CheckStep::Silence => {
                    let seconds = self.patience.as_secs_f64();
                    let last =
                        before.last().map(|line| format!(", last heard {}", quote(line))).unwrap_or_default();
                    notes.wrong(section, format!("no {} within {seconds} s{last}", quote(word)));
                    return Err(GivenUp);
                }
                CheckStep::Gone => return Err(self.gone(section, notes)),
            }
        }
    }

    /// Notes that the engine has ended where it should not.
    pub fn gone(&mut self, section: &'static str, notes: &mut Notes) -> GivenUp {
        let how = self.process.obituary();
        notes.wrong(section, format!("the engine ended by itself: {how}"));
        GivenUp
    }

    /// At the end of a check: what the engine has said on standard error.
    pub fn last_words(&mut self, notes: &mut Notes) {
        let said = self.process.said_on_stderr();
        if !said.is_empty() {
            let text = format!(
                "it writes to standard error ({}), which several clients mix with the protocol",
                quote(&said)
            );
            notes.advice("Lines", text);
        }
    }
}

/// The command word of a line.
pub fn first_word(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or_default()
}
