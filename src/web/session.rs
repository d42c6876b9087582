//! Engines at work: one for each open stream of events, in a thread of its own, and gone with the stream.

use super::guard::token;
use super::rules_api::{ApiError, LineOfPlay};
use crate::engine::registry::OptionError;
use crate::engine::{EngineNews, EngineThread, Mode, Options, Request};
use crate::game::Game;
use crate::search::{ClockLimit, Limits};
use crate::view::{AnalysisLine, json_line};
use crossbeam::channel::{Receiver, Sender, bounded, select};
use parking_lot::Mutex;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{io, thread};
use thiserror::Error;
use tokio::sync::mpsc;

/// Events that may wait for the network.
const EVENTS_AHEAD: usize = 256;
/// Orders that may wait for the engine.
const ORDERS_AHEAD: usize = 16;
/// Longest time that a page may ask for, in seconds.
const MOST_SECONDS: f64 = 86_400.0;
/// Options that a page cannot set: they are the machine's, or name files.
const RESERVED: [&str; 5] = ["threads", "hash", "mcts-hash", "eval-file", "player-file"];

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
    /// A time that is no time.
    #[error("{name}: {value} is no number of seconds from 0 to {MOST_SECONDS}")]
    Time {
        /// Which.
        name: &'static str,
        /// What was found.
        value: f64,
    },
    /// The options do not fit the variant.
    #[error("{0}")]
    Unfit(String),
    /// More orders than the engine can follow.
    #[error("too many orders at once")]
    Busy,
    /// The system gives no thread.
    #[error("no thread for the engine: {0}")]
    Thread(String),
}

/// An order to search.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct GoOrder {
    /// The position.
    #[serde(flatten)]
    pub line: LineOfPlay,
    /// Its number, which the events repeat.
    #[serde(default)]
    pub request: u64,
    /// Whether the position is analysed until a stop or a limit; else a move is wanted.
    #[serde(default)]
    pub analyse: bool,
    /// Plies.
    #[serde(default)]
    pub depth: Option<u32>,
    /// Nodes.
    #[serde(default)]
    pub nodes: Option<u64>,
    /// Seconds for this move.
    #[serde(default)]
    pub move_time: Option<f64>,
    /// Seconds left on the clock of the side to move.
    #[serde(default)]
    pub time: Option<f64>,
    /// Seconds added before every move.
    #[serde(default)]
    pub increment: Option<f64>,
    /// Moves to the time control.
    #[serde(default)]
    pub moves_left: Option<u32>,
    /// Options of the engine by name.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
}

/// What the thread of a session does next.
enum Order {
    Go { request: Box<Request>, number: u64, options: Box<Options>, new_game: bool },
    Stop,
}

/// The sessions of a server.
#[derive(Clone, Debug)]
pub struct Sessions(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    most: usize,
    options: Options,
    open: Mutex<HashMap<String, Sender<Order>>>,
}

impl std::fmt::Debug for Order {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Order::Go { .. } => "Go",
            Order::Stop => "Stop",
        })
    }
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
    /// At most so many at a time; together they use the threads of these options, each its whole table.
    pub fn new(most: usize, options: Options) -> Sessions {
        Sessions(Arc::new(Inner { most, options, open: Mutex::default() }))
    }

    /// Opens one. The engine is made for its first search.
    ///
    /// # Errors
    /// When too many are open, or the system gives no thread.
    pub fn open(&self) -> Result<Session, SessionError> {
        let (orders, inbox) = bounded(ORDERS_AHEAD);
        let (outbox, events) = mpsc::channel(EVENTS_AHEAD);
        let name = token();
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
            if let Err(error) = work(&inbox, &outbox) {
                log::error!("no engine for a board: {error}");
            }
        };
        let started = thread::Builder::new().name("board".into()).spawn(work);
        started.map_err(|error| SessionError::Thread(error.to_string()))?;
        Ok(session)
    }

    /// Threads of all engines together.
    pub fn threads(&self) -> usize {
        self.0.options.threads
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
        let game = order.line.game()?;
        let mut options = self.0.options.clone();
        for (option, value) in &order.options {
            if RESERVED.contains(&option.as_str()) {
                return Err(SessionError::Reserved(option.clone()));
            }
            options.set(option, value)?;
        }
        options.check(game.variant()).map_err(|error| SessionError::Unfit(error.to_string()))?;
        let limits = order.limits()?;
        let mode = if order.analyse { Mode::Analyze } else { Mode::Think };
        let new_game = game.moves().len() < 2;
        let request = Box::new(Request { game, limits, mode });
        let open = self.0.open.lock();
        options.threads = (options.threads / open.len().max(1)).max(1);
        let orders = open.get(name).ok_or(SessionError::Unknown)?;
        let order = Order::Go { request, number: order.request, options: Box::new(options), new_game };
        orders.try_send(order).map_err(|_| SessionError::Busy)
    }

    /// Stops the search; what it found comes as an event.
    ///
    /// # Errors
    /// When there is no such session.
    pub fn stop(&self, name: &str) -> Result<(), SessionError> {
        let open = self.0.open.lock();
        let orders = open.get(name).ok_or(SessionError::Unknown)?;
        orders.try_send(Order::Stop).map_err(|_| SessionError::Busy)
    }
}

impl GoOrder {
    fn limits(&self) -> Result<Limits, SessionError> {
        let seconds = |name, value: Option<f64>| match value {
            Some(value) if !(0.0..=MOST_SECONDS).contains(&value) => Err(SessionError::Time { name, value }),
            value => Ok(value.map(Duration::from_secs_f64)),
        };
        let increment = seconds("increment", self.increment)?.unwrap_or_default();
        let clock =
            seconds("time", self.time)?.map(|time| ClockLimit { time, increment, moves: self.moves_left });
        let move_time = seconds("move_time", self.move_time)?;
        let limits = Limits { depth: self.depth, nodes: self.nodes, move_time, clock, ..Limits::default() };
        // An analysis without a limit goes on until somebody stops it.
        Ok(Limits { infinite: self.analyse && !limits.is_bounded(), ..limits })
    }
}

/// The thread of a session: ends when the session is closed or nobody reads its events.
fn work(orders: &Receiver<Order>, events: &mpsc::Sender<Event>) -> io::Result<()> {
    let mut engine: Option<EngineThread> = None;
    let mut current: Option<(u64, u64, Game)> = None;
    let mut searches = 0;
    let idle = crossbeam::channel::never();
    loop {
        let news = engine.as_ref().map_or(&idle, EngineThread::news);
        select! {
            recv(orders) -> order => match order {
                Err(_) => return Ok(()),
                Ok(Order::Stop) => engine.iter().for_each(|engine| engine.control().stop()),
                Ok(Order::Go { request, number, options, new_game }) => {
                    let engine = match &mut engine {
                        Some(engine) => {
                            engine.control().stop();
                            engine.set_options(*options);
                            engine
                        }
                        none => none.insert(EngineThread::start(*options)?),
                    };
                    if new_game {
                        engine.new_game();
                    }
                    searches += 1;
                    current = Some((searches, number, request.game.clone()));
                    engine.search(searches, request, Instant::now());
                }
            },
            recv(news) -> news => {
                let Ok(news) = news else { return Ok(()) };
                if !tell(news, current.as_ref(), events) {
                    return Ok(());
                }
            }
        }
    }
}

/// Passes news of the latest search on; false when nobody reads them.
fn tell(news: EngineNews, current: Option<&(u64, u64, Game)>, events: &mpsc::Sender<Event>) -> bool {
    let Some((search, number, game)) = current else { return true };
    let numbered = |line: &AnalysisLine| format!("{{\"request\":{number},\"line\":{}}}", json_line(line));
    match news {
        EngineNews::Info(from, info) if from == *search => {
            // A variation that does not fit is not missed: a better one follows.
            let event = ("info", numbered(&AnalysisLine::info(game, &info)));
            !matches!(events.try_send(event), Err(mpsc::error::TrySendError::Closed(_)))
        }
        EngineNews::Done(from, report) if from == *search => {
            events.blocking_send(("done", numbered(&AnalysisLine::result(game, &report)))).is_ok()
        }
        EngineNews::Fault(text) | EngineNews::Panic(_, text) => {
            let text = serde_json::json!({ "request": number, "error": text }).to_string();
            events.blocking_send(("fault", text)).is_ok()
        }
        _ => !events.is_closed(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sessions(most: usize) -> Sessions {
        Sessions::new(most, Options { hash_mb: 1, ..Options::default() })
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
            let go = format!(r#"{{"variant":"russian","request":{request},"analyse":true}}"#);
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
            (r#"{"variant":"english","time":1e300}"#, "time"),
        ] {
            let error = sessions.go(session.name(), &order(go)).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
