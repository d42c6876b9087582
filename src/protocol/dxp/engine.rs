//! The thread that searches.

use crate::engine::{Engine, Options, Report, Request};
use crate::rules::VariantId;
use crate::search::{Control, Info, Observer};
use crossbeam::channel::{Receiver, Sender, bounded, unbounded};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;

/// Stack of the thread, in bytes: a search recurses deeply.
const STACK: usize = 16 << 20;
/// News that may wait.
const EVENTS_AHEAD: usize = 1024;

enum Job {
    NewGame(VariantId),
    Search(u64, Box<Request>, Arc<Control>),
}

/// News of a search, which is named by its number.
#[derive(Debug)]
pub(super) enum News {
    Info(u64, Info),
    Done(u64, Report),
}

/// The engine at work in its own thread, which ends when this is dropped.
pub(super) struct Worker {
    jobs: Sender<Job>,
    pub news: Receiver<News>,
    /// Of the latest search.
    control: Arc<Control>,
}

impl Worker {
    pub fn new(options: Options) -> io::Result<Worker> {
        let (jobs, orders) = unbounded();
        let (reporter, news) = bounded(EVENTS_AHEAD);
        thread::Builder::new()
            .name("search".into())
            .stack_size(STACK)
            .spawn(move || work(options, &orders, &reporter))?;
        Ok(Worker { jobs, news, control: Arc::default() })
    }

    pub fn new_game(&self, variant: VariantId) {
        // Fails only when the thread is gone, which the closed channel of news tells.
        let _ = self.jobs.send(Job::NewGame(variant));
    }

    pub fn search(&mut self, id: u64, request: Box<Request>) {
        self.control = Arc::default();
        let _ = self.jobs.send(Job::Search(id, request, Arc::clone(&self.control)));
    }

    pub fn stop(&self) {
        self.control.stop();
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.stop();
    }
}

fn work(options: Options, jobs: &Receiver<Job>, news: &Sender<News>) {
    let mut engine = Engine::new(options.clone());
    for job in jobs {
        let (id, request, control) = match job {
            Job::NewGame(variant) => {
                engine.new_game();
                engine.prepare(variant);
                continue;
            }
            Job::Search(id, request, control) => (id, request, control),
        };
        let search = AssertUnwindSafe(|| engine.go(&request, &control, &mut Relay(id, news)));
        let report = catch_unwind(search).unwrap_or_else(|_| {
            // A fault in the search must not cost the game: begin anew, and let the session find a move.
            log::error!("the search panicked");
            engine = Engine::new(options.clone());
            Report::default()
        });
        if news.send(News::Done(id, report)).is_err() {
            return;
        }
    }
}

/// Passes on what the search finds.
struct Relay<'a>(u64, &'a Sender<News>);

impl Observer for Relay<'_> {
    fn info(&mut self, info: &Info) {
        // A search must not wait for a reader: what does not fit is not reported.
        let _ = self.1.try_send(News::Info(self.0, info.clone()));
    }
}
