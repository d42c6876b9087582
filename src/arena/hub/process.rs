//! Line I/O with a child process: four blocking threads, no polling.

use crate::arena::log::GameLog;
use crate::notation::text::quote;
use crate::protocol::hub::for_each_line;
use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};
use parking_lot::Mutex;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// Lines that may wait to be read; an engine that writes more has to wait itself.
pub const LINES_AHEAD: usize = 1024;
/// Longest line that is kept, in bytes.
const MOST_LINE: usize = 1 << 16;
/// How much of the last words on standard error is kept, in bytes.
const TAIL: usize = 400;
/// How long a process that has closed its output has to end.
const LAST_BREATH: Duration = Duration::from_millis(200);
/// How long an engine has to end after `quit`.
const FAREWELL: Duration = Duration::from_millis(1000);

/// A line from the engine, and when it came.
#[derive(Clone, PartialEq, Debug)]
pub struct Heard {
    /// When it was read.
    pub at: Instant,
    /// The line, without its end.
    pub text: String,
}

/// What the thread that drains standard error shares with us.
#[derive(Debug, Default)]
struct Stderr {
    log: GameLog,
    tail: String,
}

/// The process and the threads around it. Dropping it asks the engine to quit and then kills it with all its children.
#[derive(Debug)]
pub struct Process {
    child: Child,
    name: String,
    log: GameLog,
    stderr: Arc<Mutex<Stderr>>,
    outgoing: Option<Sender<String>>,
    /// Lines from the engine; closed when its standard output is.
    pub lines: Receiver<Heard>,
    /// Closed when the process has ended.
    pub exited: Receiver<()>,
    killed: bool,
}

impl Process {
    /// Starts a program in a process group of its own.
    ///
    /// # Errors
    /// When there is no such program, or threads cannot be started.
    pub fn start(name: &str, command: &[String], folder: Option<&Path>) -> io::Result<Process> {
        let Some((program, args)) = command.split_first() else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "no command"));
        };
        let mut builder = Command::new(program);
        builder.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = folder {
            // Otherwise the program would be said to be missing.
            if !folder.is_dir() {
                let fault = format!("there is no folder {}", quote(&folder.to_string_lossy()));
                return Err(io::Error::new(io::ErrorKind::NotFound, fault));
            }
            builder.current_dir(folder);
        }
        own_group(&mut builder);
        let mut child = builder.spawn()?;
        let (line_sender, lines) = bounded(LINES_AHEAD);
        let (outgoing, to_write) = unbounded::<String>();
        let stderr = Arc::new(Mutex::new(Stderr::default()));
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(mut stdin), Some(stdout), Some(err)) = pipes else {
            return Err(io::Error::other("the pipes are missing"));
        };
        let exited = watch_exit(&child)?;
        let drain = Arc::clone(&stderr);
        let named = name.to_owned();
        // From here on the drop of `process` ends the child if a thread cannot be started.
        let process = Process {
            child,
            name: name.to_owned(),
            log: GameLog::default(),
            stderr,
            outgoing: Some(outgoing),
            lines,
            exited,
            killed: false,
        };
        let spawn = |role: &str| thread::Builder::new().name(format!("{role} of {name}"));
        spawn("stdout").spawn(move || {
            // What cannot be read any more has ended.
            let _ = for_each_line(stdout, MOST_LINE, |text| {
                line_sender.send(Heard { at: Instant::now(), text }).is_ok()
            });
        })?;
        spawn("stderr").spawn(move || {
            let _ = for_each_line(err, MOST_LINE, |text| {
                let mut stderr = drain.lock();
                stderr.log.line(&named, "!", &text);
                stderr.remember(&text);
                true
            });
        })?;
        spawn("stdin").spawn(move || {
            // An engine that has gone away is noticed by those who read.
            for line in to_write {
                if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    return;
                }
            }
        })?;
        Ok(process)
    }

    /// Where the dialogue goes from now on.
    pub fn set_log(&mut self, log: &GameLog) {
        self.log = log.clone();
        self.stderr.lock().log = log.clone();
    }

    /// Sends a line. Never blocks.
    pub fn send(&self, line: &str) {
        self.log.line(&self.name, ">", &line);
        if let Some(outgoing) = &self.outgoing {
            // Fails when the writer has given up, which the other threads will tell.
            let _ = outgoing.send(format!("{line}\n"));
        }
    }

    /// Notes a line that was heard in the log.
    pub fn note(&self, text: &str) {
        self.log.line(&self.name, "<", &text);
    }

    /// Reads what nobody else reads on standard output, so that the engine can go on writing.
    ///
    /// # Errors
    /// When a thread cannot be started.
    pub fn drain_output(&self) -> io::Result<()> {
        let (lines, stderr, name) = (self.lines.clone(), Arc::clone(&self.stderr), self.name.clone());
        let drain = move || lines.iter().for_each(|heard| stderr.lock().log.line(&name, ".", &heard.text));
        thread::Builder::new().name(format!("drain of {}", self.name)).spawn(drain).map(drop)
    }

    /// Closes the pipe to the engine.
    pub fn close_input(&mut self) {
        self.outgoing = None;
    }

    /// The end of what it has said on standard error.
    pub fn said_on_stderr(&self) -> String {
        self.stderr.lock().tail.trim().to_owned()
    }

    /// How the process ended, and its last words on standard error.
    pub fn obituary(&mut self) -> String {
        // What has closed its output is mostly about to end.
        let lives = matches!(self.exited.recv_timeout(LAST_BREATH), Err(RecvTimeoutError::Timeout));
        self.kill();
        let mut text = match self.child.wait() {
            _ if lives => "it has closed its standard output".to_owned(),
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        };
        let tail = self.said_on_stderr();
        if !tail.is_empty() {
            text.push_str(", stderr ");
            text.push_str(&quote(&tail));
        }
        text
    }

    /// Ends the process and its children at once.
    pub fn kill(&mut self) {
        if !self.killed {
            self.killed = true;
            kill_group(&mut self.child);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.killed {
            self.send("quit");
            // The writer ends behind the last line and closes the pipe.
            self.outgoing = None;
            // Nothing is ever sent: the wait ends with the process or with our patience.
            let _ = self.exited.recv_timeout(FAREWELL);
            self.kill();
        }
        let _ = self.child.wait();
    }
}

impl Stderr {
    /// Keeps the end of what was said.
    fn remember(&mut self, line: &str) {
        self.tail.push_str(line);
        self.tail.push(' ');
        let excess = self.tail.len().saturating_sub(TAIL);
        let cut = (excess..=self.tail.len()).find(|&at| self.tail.is_char_boundary(at)).unwrap_or(0);
        self.tail.drain(..cut);
    }
}

#[cfg(unix)]
fn own_group(builder: &mut Command) {
    use std::os::unix::process::CommandExt;
    // The interrupt key stops the match, which then ends its engines; and a wrapper dies with what it wraps.
    builder.process_group(0);
}

#[cfg(not(unix))]
fn own_group(_: &mut Command) {}

#[cfg(unix)]
fn pid(child: &Child) -> Option<rustix::process::Pid> {
    i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw)
}

/// A channel that closes when the process ends, however its pipes are held open by others.
#[cfg(unix)]
fn watch_exit(child: &Child) -> io::Result<Receiver<()>> {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let (sender, exited) = bounded(0);
    if let Some(pid) = pid(child) {
        thread::Builder::new().name("engine watch".into()).spawn(move || {
            // Without reaping: the number stays the child's until we have killed its group and waited for it.
            while let Err(rustix::io::Errno::INTR) =
                waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT)
            {}
            drop(sender);
        })?;
    }
    Ok(exited)
}

/// Where processes cannot be watched, the end of standard output must do.
#[cfg(not(unix))]
fn watch_exit(_: &Child) -> io::Result<Receiver<()>> {
    Ok(crossbeam::channel::never())
}

#[cfg(unix)]
fn kill_group(child: &mut Child) {
    if let Some(pid) = pid(child) {
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
}

#[cfg(not(unix))]
fn kill_group(child: &mut Child) {
    let _ = child.kill();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_words_are_short() {
        let mut stderr = Stderr::default();
        for _ in 0..100 {
            stderr.remember("zürich, zürich");
        }
        assert!(stderr.tail.len() <= TAIL && stderr.tail.ends_with("zürich "));
    }
}
