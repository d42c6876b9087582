//! The engine in a thread of its own, for everything that must listen while it searches.

use super::{Engine, Options, Report, Request};
use crate::rules::VariantId;
use crate::search::{Control, Info, Observer, search_thread};
use crossbeam::channel::{Receiver, Sender, TrySendError, bounded, unbounded};
use std::any::Any;
use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

/// News that may wait to be read.
const NEWS_AHEAD: usize = 1024;

/// Something that searches: the engine, or a stand-in for tests.
pub trait Searcher {
    /// See [`Engine::go`].
    fn go(&mut self, request: &Request, control: &Control, observer: &mut dyn Observer) -> Report;

    /// See [`Engine::set_options`].
    fn set_options(&mut self, options: Options);

    /// See [`Engine::new_game`].
    fn new_game(&mut self);

    /// Gets ready for searches in this variant. Says what of the options cannot be followed in it, and why; searches go
    /// on without that.
    fn prepare(&mut self, _variant: VariantId) -> Vec<String> {
        Vec::new()
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

    fn prepare(&mut self, variant: VariantId) -> Vec<String> {
        Engine::prepare(self, variant);
        let faults = self.options().faults(variant).into_iter().map(|fault| fault.to_string());
        faults.chain(self.table_fault()).chain(self.book_fault()).collect()
    }
}

/// Work for the thread.
enum Job {
    SetOptions(Box<Options>),
    Prepare(VariantId),
    NewGame,
    Search(u64, Box<Request>, Arc<Control>),
}

/// News from the thread, in the order in which things happened.
#[derive(Debug)]
pub enum EngineNews {
    /// Everything that was asked for up to [`EngineThread::prepare`] is done.
    Ready,
    /// The options cannot be followed, and why; the engine goes on without them. Said once, not before every search.
    Fault(String),
    /// The search with this number found something.
    Info(u64, Info),
    /// The search with this number panicked with this message. The engine has begun anew, with empty tables.
    Panic(u64, String),
    /// The search with this number has ended: one for every search. The report is empty after a panic.
    Done(u64, Report),
}

/// The engine at work in its own thread. Orders are carried out one after the other; none of them blocks the caller.
///
/// The thread ends, and a search with it, when this is dropped.
///
/// ```
/// use kroon::engine::{EngineNews, EngineThread, Mode, Options, Request};
/// use kroon::{game::Game, rules::VariantId, search::Limits};
/// use std::time::Instant;
/// let mut engine = EngineThread::start(Options { hash_mb: 1, ..Options::default() })?;
/// let limits = Limits { depth: Some(4), ..Limits::default() };
/// let request = Request { game: Game::new(VariantId::International), limits, mode: Mode::Think };
/// engine.search(7, Box::new(request), Instant::now());
/// let report = engine.news().iter().find_map(|news| match news {
///     EngineNews::Done(7, report) => Some(report),
///     _ => None,
/// });
/// assert!(report.unwrap().best.is_some());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct EngineThread {
    jobs: Sender<Job>,
    news: Receiver<EngineNews>,
    /// Of the latest search.
    control: Arc<Control>,
}

impl EngineThread {
    /// Starts the thread, which makes an engine with these options.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(options: Options) -> io::Result<EngineThread> {
        EngineThread::start_with(options, Engine::new)
    }

    /// As [`EngineThread::start`], with another searcher. `make` is called in the thread, and again after a panic.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start_with<S: Searcher>(
        options: Options,
        make: impl Fn(Options) -> S + Send + 'static,
    ) -> io::Result<EngineThread> {
        let (jobs, orders) = unbounded();
        let (reporter, news) = bounded(NEWS_AHEAD);
        search_thread("search").spawn(move || {
            let searcher = Some(make(options.clone()));
            Worker { options, make, searcher, told: Vec::new(), news: reporter }.run(&orders);
        })?;
        Ok(EngineThread { jobs, news, control: Arc::default() })
    }

    /// What the thread tells. The channel ends when the thread has ended, which is not expected.
    pub fn news(&self) -> &Receiver<EngineNews> {
        &self.news
    }

    /// Changes the options: see [`Engine::set_options`].
    pub fn set_options(&self, options: Options) {
        self.order(Job::SetOptions(Box::new(options)));
    }

    /// Gets ready for searches in this variant, and says so with [`EngineNews::Ready`]. What was ordered before,
    /// tables included, is ready then.
    pub fn prepare(&self, variant: VariantId) {
        self.order(Job::Prepare(variant));
    }

    /// Forgets what earlier searches learned.
    pub fn new_game(&self) {
        self.order(Job::NewGame);
    }

    /// Searches. The number comes back with all news of this search; its time counts from `since`, or from when the engine
    /// is ready for it.
    pub fn search(&mut self, number: u64, request: Box<Request>, since: impl Into<Option<Instant>>) {
        self.control = Arc::new(since.into().map_or_else(Control::new, Control::started_at));
        self.order(Job::Search(number, request, Arc::clone(&self.control)));
    }

    /// What steers the latest search.
    pub fn control(&self) -> &Arc<Control> {
        &self.control
    }

    fn order(&self, job: Job) {
        // Fails only when the thread is gone, which the closed channel of news tells.
        let _ = self.jobs.send(job);
    }
}

impl Drop for EngineThread {
    fn drop(&mut self) {
        self.control.stop();
    }
}

/// What the thread holds.
struct Worker<S, M> {
    options: Options,
    make: M,
    /// None only while another is made.
    searcher: Option<S>,
    /// The faults that were there at last; they have been told.
    told: Vec<String>,
    news: Sender<EngineNews>,
}

/// Nobody listens any more: the thread can end.
struct Unheard;

impl<S: Searcher, M: Fn(Options) -> S> Worker<S, M> {
    fn run(mut self, jobs: &Receiver<Job>) {
        for job in jobs {
            if self.work(job).is_err() {
                return;
            }
        }
    }

    fn work(&mut self, job: Job) -> Result<(), Unheard> {
        match job {
            Job::SetOptions(options) => {
                let judged =
                    |options: &Options| (options.eval_file.clone(), options.player, options.agent.clone());
                if judged(&options) != judged(&self.options) {
                    self.told.clear();
                }
                self.options = (*options).clone();
                self.searcher().set_options(*options);
                Ok(())
            }
            Job::NewGame => {
                self.searcher().new_game();
                Ok(())
            }
            Job::Prepare(variant) => {
                self.prepare(variant)?;
                self.tell(EngineNews::Ready)
            }
            Job::Search(number, request, control) => {
                self.prepare(request.game.variant())?;
                self.search(number, &request, &control)
            }
        }
    }

    fn searcher(&mut self) -> &mut S {
        self.searcher.get_or_insert_with(|| (self.make)(self.options.clone()))
    }

    fn tell(&self, news: EngineNews) -> Result<(), Unheard> {
        self.news.send(news).map_err(|_| Unheard)
    }

    fn prepare(&mut self, variant: VariantId) -> Result<(), Unheard> {
        let faults = self.searcher().prepare(variant);
        let told = std::mem::replace(&mut self.told, faults.clone());
        faults
            .into_iter()
            .filter(|fault| !told.contains(fault))
            .try_for_each(|fault| self.tell(EngineNews::Fault(fault)))
    }

    fn search(&mut self, number: u64, request: &Request, control: &Control) -> Result<(), Unheard> {
        let mut relay = Relay { number, news: self.news.clone(), missed: BTreeMap::new() };
        let searcher = self.searcher();
        let search = AssertUnwindSafe(|| searcher.go(request, control, &mut relay));
        let result = catch_unwind(search);
        for info in relay.missed.into_values() {
            self.tell(EngineNews::Info(number, info))?;
        }
        let report = match result {
            Ok(report) => report,
            Err(panic) => {
                // A fault in the search must not cost the game. The old tables go before the new ones are made.
                let message = panic_message(&*panic);
                log::error!("the search panicked: {message}");
                self.searcher = None;
                self.searcher();
                self.tell(EngineNews::Panic(number, message))?;
                Report::default()
            }
        };
        self.tell(EngineNews::Done(number, report))
    }
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "no message".to_owned())
}

/// Passes on what a search finds. A search does not wait for a reader: of what does not fit, the newest variation of
/// each rank comes when the search is over.
struct Relay {
    number: u64,
    news: Sender<EngineNews>,
    missed: BTreeMap<usize, Info>,
}

impl Observer for Relay {
    fn info(&mut self, info: &Info) {
        self.missed.remove(&info.rank);
        if let Err(TrySendError::Full(_)) = self.news.try_send(EngineNews::Info(self.number, info.clone())) {
            self.missed.insert(info.rank, info.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Mode;
    use crate::game::Game;
    use crate::score::Score;
    use crate::search::Limits;
    use std::time::Duration;

    /// `depth=N` gives N variations and ends; `nodes=1` panics.
    struct Fake(Options);

    impl Searcher for Fake {
        fn go(&mut self, request: &Request, _: &Control, observer: &mut dyn Observer) -> Report {
            assert_ne!(request.limits.nodes, Some(1), "asked to panic");
            for depth in 1..=request.limits.depth.unwrap_or(1) {
                observer.info(&Info {
                    rank: 1 + depth as usize % 2,
                    depth,
                    mean_depth: 1.0,
                    score: Score::DRAW,
                    winrate: None,
                    nodes: 1,
                    time: Duration::ZERO,
                    pv: Vec::new(),
                });
            }
            Report { nodes: self.0.hash_mb as u64, ..Report::default() }
        }

        fn set_options(&mut self, options: Options) {
            self.0 = options;
        }

        fn new_game(&mut self) {}

        fn prepare(&mut self, variant: VariantId) -> Vec<String> {
            if variant == VariantId::Frisian { vec!["no weights".to_owned()] } else { Vec::new() }
        }
    }

    fn request(variant: VariantId, limits: Limits) -> Box<Request> {
        Box::new(Request { game: Game::new(variant), limits, mode: Mode::Think })
    }

    #[test]
    fn a_panic_is_told_and_the_next_search_has_the_options_in_force() {
        let mut engine = EngineThread::start_with(Options::default(), Fake).unwrap();
        engine.set_options(Options { hash_mb: 3, ..Options::default() });
        engine.search(
            1,
            request(VariantId::Thai, Limits { nodes: Some(1), ..Limits::default() }),
            Instant::now(),
        );
        engine.search(2, request(VariantId::Thai, Limits::default()), Instant::now());
        let mut news = engine.news().iter();
        assert!(matches!(news.next(), Some(EngineNews::Panic(1, text)) if text.contains("asked to panic")));
        assert!(matches!(news.next(), Some(EngineNews::Done(1, report)) if report.best.is_none()));
        assert!(matches!(news.next(), Some(EngineNews::Info(2, _))));
        assert!(matches!(news.next(), Some(EngineNews::Done(2, report)) if report.nodes == 3));
    }

    #[test]
    fn a_fault_is_told_once_for_each_variant_and_file() {
        let engine = EngineThread::start_with(Options::default(), Fake).unwrap();
        for variant in [VariantId::Thai, VariantId::Frisian, VariantId::Frisian, VariantId::Thai] {
            engine.prepare(variant);
        }
        let told: Vec<bool> =
            engine.news().iter().take(5).map(|news| matches!(news, EngineNews::Fault(_))).collect();
        assert_eq!(told, [false, true, false, false, false]);
    }

    #[test]
    fn a_search_waits_for_no_reader_and_its_last_variations_come() {
        let mut engine = EngineThread::start_with(Options::default(), Fake).unwrap();
        let depth = 3 * NEWS_AHEAD as u32;
        engine.search(
            1,
            request(VariantId::Thai, Limits { depth: Some(depth), ..Limits::default() }),
            Instant::now(),
        );
        // The channel is full before anything is read.
        while engine.news().len() < NEWS_AHEAD {
            std::thread::yield_now();
        }
        let mut last = BTreeMap::new();
        for news in engine.news() {
            match news {
                EngineNews::Info(1, info) => drop(last.insert(info.rank, info.depth)),
                _ => break,
            }
        }
        assert_eq!(last, BTreeMap::from([(1, depth), (2, depth - 1)]));
    }
}
