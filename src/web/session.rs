//! Engines at work: one for each open stream of events, in a thread of its own, and gone with the stream.

use super::desk::{Desk, Order};
use super::game_work::GameOrder;
use super::guard::token;
use super::order::{GoOrder, check_engines, most_trees};
use super::outside::Alive;
use super::rules_api::ApiError;
use crate::arena::spec::EngineSpec;
use crate::engine::Options;
use crate::engine::registry::OptionError;
use crossbeam::channel::{Receiver, Sender, bounded};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use thiserror::Error;
use tokio::sync::mpsc;

/// Events that may wait for the network.
const EVENTS_AHEAD: usize = 256;
/// Orders that may wait for the engine.
const ORDERS_AHEAD: usize = 16;

/// Why there is no session, or it does not follow.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum SessionError {
    /// As many as the server allows are open.
    #[error("{0} boards are open already; close one, or start kroon play with more --sessions")]
    Full(usize),
    /// No session has this name: its stream has ended.
    #[error("this session has ended")]
    Unknown,
    /// The line of moves.
    #[error(transparent)]
    Line(#[from] ApiError),
    /// An option.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// An option that is not the page's.
    #[error("option {0}: set when the server is started")]
    Reserved(String),
    /// More than the machine gives.
    #[error("{name} {asked}: the server has {most}; start kroon play with more --{name}")]
    TooMuch {
        /// The option.
        name: &'static str,
        /// What was asked for.
        asked: usize,
        /// What there is.
        most: usize,
    },
    /// No engine of the command line has this name.
    #[error("engine {0:?}: not among those with which kroon play was started (--engine)")]
    NoEngine(String),
    /// The options do not fit the variant, or the engine cannot do this.
    #[error("{0}")]
    Unfit(String),
    /// More orders than the engine can follow.
    #[error("too many orders at once")]
    Busy,
    /// The system gives no thread.
    #[error("no thread for the engine: {0}")]
    Thread(String),
}

/// The sessions of a server.
#[derive(Clone, Debug)]
pub struct Sessions(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    most: usize,
    options: Options,
    outside: Vec<EngineSpec>,
    open: Mutex<HashMap<String, Sender<Order>>>,
    /// None when the server has ended.
    alive: Mutex<Option<Alive>>,
    /// Closed when the last thread of a session has ended.
    ended: Receiver<()>,
}

/// An event for the page: its kind, and JSON.
pub type Event = (&'static str, String);

/// An open session. Dropping it ends its engine.
#[derive(Debug)]
pub struct Session {
    sessions: Sessions,
    name: String,
    /// What happens.
    pub events: mpsc::Receiver<Event>,
}

impl Session {
    /// What the page calls it.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.sessions.0.open.lock().remove(&self.name);
    }
}

impl Sessions {
    /// At most so many at a time; together they use the threads of these options, each its whole table. Each can ask
    /// these other engines for moves.
    ///
    /// # Errors
    /// When other engines do not suit.
    pub fn new(most: usize, options: Options, outside: Vec<EngineSpec>) -> Result<Sessions, SessionError> {
        check_engines(&outside).map_err(SessionError::Unfit)?;
        let (alive, ended) = bounded(0);
        let open = Mutex::default();
        Ok(Sessions(Arc::new(Inner { most, options, outside, open, alive: Mutex::new(Some(alive)), ended })))
    }

    /// The most that can be open at a time.
    pub fn most(&self) -> usize {
        self.0.most
    }

    /// Opens one. The engine is made for its first search.
    ///
    /// # Errors
    /// When too many are open, or the system gives no thread.
    pub fn open(&self) -> Result<Session, SessionError> {
        let (orders, inbox) = bounded(ORDERS_AHEAD);
        let (outbox, events) = mpsc::channel(EVENTS_AHEAD);
        let name = token();
        let alive = self.0.alive.lock().clone().ok_or(SessionError::Unknown)?;
        {
            let mut open = self.0.open.lock();
            if open.len() >= self.0.most {
                return Err(SessionError::Full(open.len()));
            }
            open.insert(name.clone(), orders);
        }
        // From here on dropping it takes it off the list.
        let session = Session { sessions: self.clone(), name, events };
        let work = move || {
            if let Err(error) = Desk::new(outbox, alive).work(&inbox) {
                log::error!("no engine for a board: {error}");
            }
        };
        let started = thread::Builder::new().name("board".into()).spawn(work);
        started.map_err(|error| SessionError::Thread(error.to_string()))?;
        Ok(session)
    }

    /// What the engines of all sessions may use together.
    pub fn options(&self) -> &Options {
        &self.0.options
    }

    /// The names of the other engines.
    pub fn outside(&self) -> Vec<String> {
        self.0.outside.iter().map(|spec| spec.name.clone()).collect()
    }

    /// How many are open.
    pub fn count(&self) -> usize {
        self.0.open.lock().len()
    }

    /// Starts a search, which ends the one before.
    ///
    /// # Errors
    /// When the session or the order is not good.
    pub fn go(&self, name: &str, order: &GoOrder) -> Result<(), SessionError> {
        let mut search = order.search(&self.0.options, &self.0.outside)?;
        let options = &mut search.options;
        options.threads = options.threads.min(self.share(self.0.options.threads));
        options.agent.trees = options.agent.trees.min(self.share(most_trees(&self.0.options)));
        self.tell(name, Order::Go(Box::new(search)))
    }

    /// What one of the sessions that are open has of so many threads.
    fn share(&self, threads: usize) -> usize {
        (threads / self.count().max(1)).max(1)
    }

    /// Starts work on a whole game, which ends that on another; searches go on beside it with one thread.
    ///
    /// # Errors
    /// When the session or the order is not good.
    pub fn game(&self, name: &str, order: &GameOrder) -> Result<(), SessionError> {
        let mut task = order.task(&self.0.options)?;
        task.threads = self.share(self.0.options.threads);
        self.tell(name, Order::Game(Box::new(task)))
    }

    /// Ends the work on a game; no event follows.
    ///
    /// # Errors
    /// When there is no such session.
    pub fn leave_game(&self, name: &str) -> Result<(), SessionError> {
        self.tell(name, Order::LeaveGame)
    }

    /// Stops the search; what it found comes as an event.
    ///
    /// # Errors
    /// When there is no such session.
    pub fn stop(&self, name: &str) -> Result<(), SessionError> {
        self.tell(name, Order::Stop)
    }

    /// The move that was expected has been made: a search that ponders goes on as one for a move.
    ///
    /// # Errors
    /// When there is no such session.
    pub fn hit(&self, name: &str) -> Result<(), SessionError> {
        self.tell(name, Order::Hit)
    }

    fn tell(&self, name: &str, order: Order) -> Result<(), SessionError> {
        let open = self.0.open.lock();
        let orders = open.get(name).ok_or(SessionError::Unknown)?;
        orders.try_send(order).map_err(|_| SessionError::Busy)
    }

    /// Ends all sessions and waits for their engines and processes, but no longer than this.
    pub fn end(&self, patience: Duration) {
        *self.0.alive.lock() = None;
        self.0.open.lock().clear();
        let _ = self.0.ended.recv_timeout(patience);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sessions(most: usize) -> Sessions {
        Sessions::new(most, Options { hash_mb: 1, ..Options::default() }, Vec::new()).unwrap()
    }

    fn order(text: &str) -> GoOrder {
        serde_json::from_str(text).unwrap()
    }

    fn next(session: &mut Session) -> Event {
        session.events.blocking_recv().unwrap()
    }

    #[test]
    fn a_search_tells_what_it_finds_and_its_move() {
        let sessions = sessions(1);
        let mut session = sessions.open().unwrap();
        let go = r#"{"variant":"english","moves":["11-15"],"request":7,"depth":5}"#;
        sessions.go(session.name(), &order(go)).unwrap();
        let (kind, first) = next(&mut session);
        assert!(
            kind == "info" && first.starts_with(r#"{"request":7,"line":{"type":"info","rank":1,"#),
            "{first}"
        );
        let done = loop {
            match next(&mut session) {
                ("done", text) => break text,
                ("info", _) => {}
                other => panic!("{other:?}"),
            }
        };
        assert!(done.contains(r#""type":"result","best":""#), "{done}");
    }

    #[test]
    fn a_newer_order_ends_the_one_before_and_a_stop_the_last() {
        let sessions = sessions(1);
        let mut session = sessions.open().unwrap();
        for request in 1..=2 {
            let go = format!(r#"{{"variant":"russian","request":{request},"want":"analysis"}}"#);
            sessions.go(session.name(), &order(&go)).unwrap();
        }
        while !next(&mut session).1.starts_with(r#"{"request":2,"#) {}
        sessions.stop(session.name()).unwrap();
        loop {
            let (kind, text) = next(&mut session);
            assert!(text.starts_with(r#"{"request":2,"#), "{text}");
            if kind == "done" {
                break;
            }
        }
    }

    #[test]
    fn there_are_so_many_and_a_closed_one_makes_room() {
        let sessions = sessions(2);
        let (one, two) = (sessions.open().unwrap(), sessions.open().unwrap());
        assert_eq!(sessions.open().unwrap_err(), SessionError::Full(2));
        let name = one.name().to_owned();
        drop(one);
        assert_eq!(sessions.stop(&name), Err(SessionError::Unknown));
        let three = sessions.open().unwrap();
        assert_eq!(sessions.count(), 2);
        drop((two, three));
        assert_eq!(sessions.count(), 0);
    }

    #[test]
    fn orders_that_make_no_sense_are_refused() {
        let sessions = sessions(1);
        let session = sessions.open().unwrap();
        for (go, part) in [
            (r#"{"variant":"chess"}"#, "chess"),
            (r#"{"variant":"english","options":{"hash":"9999"}}"#, "hash"),
            (r#"{"variant":"english","options":{"eval-file":"/etc/passwd"}}"#, "eval-file"),
            (r#"{"variant":"english","options":{"player":"perfect"}}"#, "perfect"),
            (r#"{"variant":"english","move_time":-1}"#, "move_time"),
            (r#"{"variant":"english","clock":{"control":"1e300"}}"#, "1e300"),
            (r#"{"variant":"english","engine":"scan"}"#, "scan"),
        ] {
            let error = sessions.go(session.name(), &order(go)).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    /// The data of the next event of this kind.
    fn wait_for(session: &mut Session, wanted: &str) -> serde_json::Value {
        loop {
            let (kind, text) = next(session);
            if kind == wanted {
                return serde_json::from_str(&text).unwrap();
            }
            assert_eq!(kind, "info", "{text}");
        }
    }

    #[test]
    fn a_search_that_ponders_waits_for_the_hit() {
        let sessions = sessions(1);
        let mut session = sessions.open().unwrap();
        let go = r#"{"variant":"english","moves":["11-15"],"want":"ponder","depth":3}"#;
        sessions.go(session.name(), &order(go)).unwrap();
        // The last depth is reached, and still there is no move.
        while !next(&mut session).1.contains(r#""depth":3"#) {}
        assert!(session.events.try_recv().is_err());
        sessions.hit(session.name()).unwrap();
        assert!(wait_for(&mut session, "done")["line"]["best"].is_string());
    }

    #[test]
    fn an_offer_of_a_draw_gets_an_answer_and_nothing_else() {
        let sessions = sessions(1);
        let mut session = sessions.open().unwrap();
        let go = r#"{"variant":"english","want":"draw","request":4,"depth":3}"#;
        sessions.go(session.name(), &order(go)).unwrap();
        let (kind, text) = next(&mut session);
        let answer: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!((kind, &answer["request"], &answer["accepted"]), ("draw", &4.into(), &false.into()));
        assert!((0.3..0.7).contains(&answer["expected"].as_f64().unwrap()), "{text}");
    }

    #[test]
    fn the_end_waits_for_engines_and_lets_nobody_in() {
        let sessions = sessions(2);
        let session = sessions.open().unwrap();
        sessions.go(session.name(), &order(r#"{"variant":"russian","want":"analysis"}"#)).unwrap();
        sessions.end(Duration::from_secs(60));
        assert!(session.events.is_closed(), "the thread has ended");
        assert_eq!(sessions.open().unwrap_err(), SessionError::Unknown);
    }
}
