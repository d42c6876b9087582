//! Line I/O of the Hub protocol: one thread reads, one searches, one writes; the loop between them feeds the session and
//! carries out its actions.

use super::lines::for_each_line;
use super::reply_queue::ReplyQueue;
use super::scanner::MAX_LINE;
use super::session::{HubAction, HubInput, HubSession};
use super::{HubConfig, HubMode, Outlet, SessionEnd};
use crate::engine::{Engine, EngineNews, EngineThread, Options, Searcher};
use crossbeam::channel::{Receiver, bounded, never, select};
use std::io::{self, Read};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// Lines read ahead.
const LINES_AHEAD: usize = 16;
/// How often a loop that must not take on more work looks whether it may again.
const RETRY: Duration = Duration::from_millis(2);
/// How long a session that is over waits for a client that does not read.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// A longer line is cut here, still too long for the scanner to take it for a sound one.
const KEPT: usize = MAX_LINE + 2;

/// Runs a session on standard input and output until `quit` or the end of the input.
///
/// # Errors
/// When standard input cannot be read, standard output cannot be written (unless the other side has closed it), or a thread
/// cannot be started.
pub fn run(config: HubConfig) -> io::Result<SessionEnd> {
    serve(config, Engine::new, io::stdin(), io::stdout())
}

/// Runs a session on any input and output; `make` builds the searcher in the thread where it will work.
///
/// Returns while the threads that read and search may still be busy: they end with their input or the process.
///
/// # Errors
/// As [`run`].
pub fn serve<S: Searcher>(
    config: HubConfig,
    make: impl Fn(Options) -> S + Send + 'static,
    input: impl Read + Send + 'static,
    output: impl Outlet + Send + 'static,
) -> io::Result<SessionEnd> {
    let (line_sender, lines) = bounded(LINES_AHEAD);
    let (written_sender, written) = bounded(1);
    let reply_queue = Arc::new(ReplyQueue::default());
    let writer = Arc::clone(&reply_queue);
    let (fault_sender, fault) = bounded(1);
    thread::Builder::new().name("hub reader".into()).spawn(move || {
        let read = for_each_line(input, KEPT, |line| line_sender.send((line, Instant::now())).is_ok());
        if let Err(fault) = read {
            // It is there before the channel of lines ends.
            let _ = fault_sender.send(fault);
        }
    })?;
    let engine = EngineThread::start_with(config.options.clone(), make)?;
    let session = HubSession::new(config);
    thread::Builder::new()
        .name("hub writer".into())
        .spawn(move || written_sender.send(writer.run(output)))?;
    let now = Instant::now();
    SessionLoop { session, engine, reply_queue, written, fault, now, free_since: now }.run(lines)
}

/// What the loop between the threads holds.
struct SessionLoop {
    session: HubSession,
    engine: EngineThread,
    reply_queue: Arc<ReplyQueue>,
    written: Receiver<io::Result<()>>,
    /// Why the input cannot be read any more.
    fault: Receiver<io::Error>,
    /// When what is being handled came in: a search that it starts counts its time from then.
    now: Instant,
    /// When the last search or preparation ended: a line read before that has waited for it, which costs it no time.
    free_since: Instant,
}

impl SessionLoop {
    fn run(mut self, mut lines: Receiver<(String, Instant)>) -> io::Result<SessionEnd> {
        let nothing = never();
        loop {
            let full = self.session.is_full() || self.reply_queue.is_full();
            let patience = if full { RETRY } else { Duration::MAX };
            let actions = select! {
                recv(if full { &nothing } else { &lines }) -> line => match line {
                    Ok((line, read)) => {
                        log::debug!("> {line}");
                        self.now = read.max(self.free_since);
                        self.session.handle(HubInput::Line(&line))
                    }
                    Err(_) => {
                        lines = never();
                        self.session.handle(HubInput::Eof)
                    }
                },
                recv(self.engine.news()) -> news => {
                    let Ok(news) = news else {
                        return Err(io::Error::other("the search has ended unexpectedly"));
                    };
                    self.now = Instant::now();
                    self.session.handle(match news {
                        EngineNews::Info(_, info) => HubInput::Info(info),
                        EngineNews::Done(_, report) => {
                            self.free_since = self.now;
                            HubInput::Done(report)
                        }
                        EngineNews::Ready => {
                            self.free_since = self.now;
                            HubInput::Ready
                        }
                        EngineNews::Fault(fault) => HubInput::Fault(fault),
                        // The session finds a move.
                        EngineNews::Panic(..) => continue,
                    })
                },
                recv(self.written) -> result => return self.ended(result.unwrap_or(Ok(()))),
                default(patience) => continue,
            };
            for action in actions {
                if matches!(action, HubAction::Exit) {
                    return self.finish();
                }
                self.perform(action);
            }
        }
    }

    fn perform(&mut self, action: HubAction) {
        match action {
            HubAction::Send(reply) => self.reply_queue.push(reply),
            HubAction::StopSearch => self.engine.control().stop(),
            HubAction::PonderHit => self.engine.control().ponder_hit(),
            HubAction::Exit => {}
            HubAction::SetOptions(options) => self.engine.set_options(*options),
            HubAction::Init(variant) => self.engine.prepare(variant),
            HubAction::NewGame => self.engine.new_game(),
            // The session has one search at a time.
            HubAction::StartSearch(request) => {
                // A script has no clock that runs while the engine gets ready.
                let since = (self.session.mode() == HubMode::Protocol).then_some(self.now);
                self.engine.search(0, request, since);
            }
        }
    }

    /// Writes what waits. A client may have gone away without closing our output; a script's output may go to somebody
    /// who reads slowly.
    fn finish(self) -> io::Result<SessionEnd> {
        self.reply_queue.close();
        let written = match self.session.mode() {
            HubMode::Protocol => self.written.recv_timeout(LAST_WORDS).unwrap_or(Ok(())),
            HubMode::Script => self.written.recv().unwrap_or(Ok(())),
        };
        self.ended(written)
    }

    /// A reader that has gone away is the ordinary end of a session.
    fn ended(&self, written: io::Result<()>) -> io::Result<SessionEnd> {
        match written {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
            _ if let Ok(fault) = self.fault.try_recv() => {
                Err(io::Error::new(fault.kind(), format!("standard input: {fault}")))
            }
            _ if self.session.has_failed() => Ok(SessionEnd::WithErrors),
            _ => Ok(SessionEnd::Orderly),
        }
    }
}
