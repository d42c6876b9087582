//! The only input and output of the protocol: a thread that reads lines, one that searches, one that writes, and the
//! loop between them that feeds the session and does what it says.

use super::HubMode;
use super::lines::for_each_line;
use super::reply_queue::ReplyQueue;
use super::session::{HubAction, HubInput, HubSession};
use crate::engine::{Engine, Options, Report, Request};
use crate::rules::VariantId;
use crate::search::{Control, Info, Observer};
use crossbeam::channel::{Receiver, Sender, bounded, never, select, unbounded};
use std::io::{self, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// Lines read ahead.
const LINES_AHEAD: usize = 16;
/// Events of the search that may wait.
const EVENTS_AHEAD: usize = 1024;
/// How often a loop that must not take on more work looks whether it may again.
const RETRY: Duration = Duration::from_millis(2);
/// How long a session that is over waits for a client that does not read.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// Stack of the thread that searches, in bytes: a search recurses deeply.
const STACK: usize = 16 << 20;

/// Something that searches: the engine, or a stand-in for tests.
pub trait Searcher {
    /// See [`Engine::go`].
    fn go(&mut self, request: &Request, control: &Control, observer: &mut dyn Observer) -> Report;
    /// See [`Engine::set_options`].
    fn set_options(&mut self, options: Options);
    /// See [`Engine::new_game`].
    fn new_game(&mut self);
    /// Why the options cannot be followed in this variant, if so: see [`Engine::evaluation`].
    fn fault(&self, _variant: VariantId) -> Option<String> {
        None
    }
}

impl Searcher for Engine {
    fn go(&mut self, request: &Request, control: &Control, observer: &mut dyn Observer) -> Report {
        Engine::go(self, request, control, observer)
    }

    fn set_options(&mut self, options: Options) {
        Engine::set_options(self, options);
    }

    fn new_game(&mut self) {
        Engine::new_game(self);
    }

    fn fault(&self, variant: VariantId) -> Option<String> {
        // Asked before every search, outside its time.
        self.prepare(variant);
        self.evaluation(variant).err().map(|error| error.to_string())
    }
}

/// Work for the thread that searches.
enum Job {
    SetOptions(Options),
    Init(VariantId),
    NewGame,
    Search(Box<Request>, Arc<Control>),
}

/// News from the thread that searches.
enum Event {
    Info(Info),
    Done(Report),
    Ready,
    Fault(String),
}

/// Runs a session on standard input and output until `quit` or the end of the input.
///
/// # Errors
/// When standard output cannot be written, unless the other side has closed it, or a thread cannot be started.
pub fn run(mode: HubMode, options: Options) -> io::Result<()> {
    serve(mode, options, Engine::new, io::stdin(), io::stdout())
}

/// Runs a session on any input and output; `make` builds the searcher in the thread where it will work.
///
/// Returns while the threads that read and search may still be busy: they end with their input or the process.
///
/// # Errors
/// As [`run`].
pub fn serve<S: Searcher>(
    mode: HubMode,
    options: Options,
    make: impl Fn(Options) -> S + Send + 'static,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let (line_sender, lines) = bounded(LINES_AHEAD);
    let (jobs, job_receiver) = unbounded();
    let (event_sender, events) = bounded(EVENTS_AHEAD);
    let (written_sender, written) = bounded(1);
    let reply_queue = Arc::new(ReplyQueue::default());
    let writer = Arc::clone(&reply_queue);
    let session = HubSession::new(mode, options.clone());
    thread::Builder::new()
        .name("hub reader".into())
        .spawn(move || for_each_line(input, |line| line_sender.send((line, Instant::now())).is_ok()))?;
    thread::Builder::new()
        .name("search".into())
        .stack_size(STACK)
        .spawn(move || work(options, &make, &job_receiver, &event_sender))?;
    thread::Builder::new()
        .name("hub writer".into())
        .spawn(move || written_sender.send(writer.run(output)))?;
    let now = Instant::now();
    Loop { session, reply_queue, jobs, events, written, control: Arc::default(), now, free_since: now }
        .run(lines)
}

/// Does jobs until there can be no more.
fn work<S: Searcher>(
    mut options: Options,
    make: &impl Fn(Options) -> S,
    jobs: &Receiver<Job>,
    events: &Sender<Event>,
) {
    let mut searcher = make(options.clone());
    // Said once, not before every move.
    let mut told = None;
    for job in jobs {
        let variant = match &job {
            Job::Init(variant) => Some(*variant),
            Job::Search(request, _) => Some(request.game.variant()),
            Job::SetOptions(_) | Job::NewGame => None,
        };
        if let Some(variant) = variant {
            let fault = searcher.fault(variant);
            if fault != told && fault.clone().is_some_and(|fault| events.send(Event::Fault(fault)).is_err()) {
                return;
            }
            told = fault;
        }
        let event = match job {
            Job::SetOptions(new) => {
                if new.eval_file != options.eval_file {
                    told = None;
                }
                options = new;
                searcher.set_options(options.clone());
                continue;
            }
            Job::NewGame => {
                searcher.new_game();
                continue;
            }
            Job::Init(_) => Event::Ready,
            Job::Search(request, control) => {
                let search = AssertUnwindSafe(|| searcher.go(&request, &control, &mut Relay(events)));
                Event::Done(catch_unwind(search).unwrap_or_else(|_| {
                    // A fault in the search must not cost the game: begin anew, and let the session find a move.
                    log::error!("the search panicked");
                    searcher = make(options.clone());
                    Report::default()
                }))
            }
        };
        if events.send(event).is_err() {
            return;
        }
    }
}

/// Passes on what the search finds.
struct Relay<'a>(&'a Sender<Event>);

impl Observer for Relay<'_> {
    fn info(&mut self, info: &Info) {
        // Nobody listens any more when the session is over.
        let _ = self.0.send(Event::Info(info.clone()));
    }
}

/// What the loop between the threads holds.
struct Loop {
    session: HubSession,
    reply_queue: Arc<ReplyQueue>,
    jobs: Sender<Job>,
    events: Receiver<Event>,
    written: Receiver<io::Result<()>>,
    /// Of the latest search.
    control: Arc<Control>,
    /// When what is being handled came in: a search that it starts counts its time from then.
    now: Instant,
    /// When the last search or preparation ended: a line read before that has waited for it, which costs it no time.
    free_since: Instant,
}

impl Loop {
    fn run(mut self, mut lines: Receiver<(String, Instant)>) -> io::Result<()> {
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
                recv(self.events) -> event => {
                    let Ok(event) = event else {
                        return Err(io::Error::other("the search has ended unexpectedly"));
                    };
                    self.now = Instant::now();
                    self.session.handle(match event {
                        Event::Info(info) => HubInput::Info(info),
                        Event::Done(report) => {
                            self.free_since = self.now;
                            HubInput::Done(report)
                        }
                        Event::Ready => {
                            self.free_since = self.now;
                            HubInput::Ready
                        }
                        Event::Fault(fault) => HubInput::Fault(fault),
                    })
                }
                recv(self.written) -> result => return closed(result.unwrap_or(Ok(()))),
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
        let job = match action {
            HubAction::Send(reply) => return self.reply_queue.push(reply),
            HubAction::StopSearch => return self.control.stop(),
            HubAction::PonderHit => return self.control.ponder_hit(),
            HubAction::Exit => return,
            HubAction::SetOptions(options) => Job::SetOptions(options),
            HubAction::Init(variant) => Job::Init(variant),
            HubAction::NewGame => Job::NewGame,
            HubAction::StartSearch(request) => {
                self.control = Arc::new(Control::started_at(self.now));
                Job::Search(request, Arc::clone(&self.control))
            }
        };
        // Fails only when the thread is gone, which the closed channel of events will tell.
        let _ = self.jobs.send(job);
    }

    /// Writes what waits. A client may have gone away without closing our output; a script's output may go to somebody
    /// who reads slowly.
    fn finish(self) -> io::Result<()> {
        self.reply_queue.close();
        match self.session.mode() {
            HubMode::Protocol => self.written.recv_timeout(LAST_WORDS).map_or(Ok(()), closed),
            HubMode::Script => self.written.recv().map_or(Ok(()), closed),
        }
    }
}

/// A reader that has gone away is the ordinary end of a session.
fn closed(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
