//! Plays matches over DXP: connects transport, sessions, engine and archive.

use super::archive::{Archive, ArchiveError};
use super::message_queue::MessageQueue;
use super::record::Standings;
use super::session::{Closing, DxpAction, DxpEvent, DxpInput, DxpSession, DxpSettings, Role, UserCommand};
use super::transport::{self, Arrival, Connection, Incoming, Listener, TransportError};
use crate::engine::{EngineNews, EngineThread, Options};
use crate::rules::VariantId;
use crossbeam::channel::{Receiver, RecvError, never, select};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use thiserror::Error;

/// Squares of the only board that the protocol knows.
const SQUARES: u8 = 50;
/// How long what waits to be sent may take when a connection ends.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// How often an Initiator connects again after a connection was lost, and after what pause.
const RECONNECTS: u32 = 3;
const RECONNECT_PAUSE: Duration = Duration::from_secs(2);

/// What a host does.
#[derive(Clone, Debug)]
pub struct Config {
    /// How to play.
    pub settings: DxpSettings,
    /// The engine's options.
    pub options: Options,
    /// Where games are kept.
    pub pdn: Option<PathBuf>,
}

/// Why a host cannot work.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum HostError {
    /// A variant on another board.
    #[error("DXP knows boards of {SQUARES} squares only, {variant} draughts has {squares}")]
    Variant {
        /// The variant.
        variant: VariantId,
        /// Its squares.
        squares: u8,
    },
    /// Games cannot be kept.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// There is no connection.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// There is no engine.
    #[error("cannot start the search: {0}")]
    Engine(io::Error),
    /// The engine's thread has ended.
    #[error("the search has ended unexpectedly")]
    EngineGone,
}

/// What a user may want to know besides the events of a session.
#[derive(Debug)]
pub enum HostReport<'a> {
    /// Opponents may come.
    Listening(SocketAddr),
    /// One is there.
    Connected(&'a str),
    /// Another one came meanwhile and was declined.
    Declined(SocketAddr),
    /// Something happened in the session.
    Session(&'a DxpEvent),
    /// A game could not be kept.
    NotSaved(&'a ArchiveError),
    /// The opponent is gone; the results of its games.
    Closed(&'a Closing, &'a Standings),
    /// Nobody else is waited for; how many opponents there were, and the results of all their games.
    Totals(u32, &'a Standings),
    /// The connection is tried again.
    Reconnecting(&'a TransportError),
    /// Options of the engine cannot be followed, such as a file that cannot be used. It plays without them.
    Fault(&'a str),
}

/// Shows a user what happens.
pub trait HostView {
    /// Something happened. Must not block: a clock may be running.
    fn show(&mut self, report: HostReport<'_>);
}

/// Plays one opponent after the other.
pub struct Host<'a> {
    settings: DxpSettings,
    engine: EngineThread,
    /// Preparations that the engine has not carried out yet.
    preparing: u32,
    /// Whether the engine has searched since it was last prepared.
    used: bool,
    archive: Option<Archive>,
    commands: Receiver<UserCommand>,
    view: &'a mut dyn HostView,
    standings: Standings,
    /// Games of the match that the opponent has refused.
    refused: u32,
}

impl<'a> Host<'a> {
    /// A host that obeys `commands` and shows what happens.
    ///
    /// # Errors
    /// When the variant does not fit, the file cannot be written or there is no thread for the search.
    pub fn new(
        config: Config,
        commands: Receiver<UserCommand>,
        view: &'a mut dyn HostView,
    ) -> Result<Host<'a>, HostError> {
        let Config { settings, mut options, pdn } = config;
        let variant = settings.variant;
        let squares = variant.rules().board.squares();
        if squares != SQUARES {
            return Err(HostError::Variant { variant, squares });
        }
        if settings.move_time.is_some() {
            // Fixed means fixed.
            options.move_overhead = Duration::ZERO;
        }
        let archive = pdn.as_deref().map(Archive::open).transpose()?;
        let engine = EngineThread::start(options).map_err(HostError::Engine)?;
        engine.prepare(variant);
        let standings = Standings::default();
        Ok(Host {
            settings,
            engine,
            preparing: 1,
            used: false,
            archive,
            commands,
            view,
            standings,
            refused: 0,
        })
    }

    /// Waits for opponents and plays them, each a match of its own; with `once` only the first.
    ///
    /// Returns when the user wants to leave or, with `once`, why the connection ended.
    ///
    /// # Errors
    /// When the address cannot be had, or the engine is gone.
    pub fn listen(&mut self, address: IpAddr, port: u16, once: bool) -> Result<Closing, HostError> {
        let mut opponents = 0;
        let mut totals = Standings::default();
        let closing = self.receive(address, port, once, |standings| {
            opponents += 1;
            totals.add(standings);
        });
        self.view.show(HostReport::Totals(opponents, &totals));
        closing
    }

    /// Waits for opponents and plays them; `count` hears of the results of each.
    fn receive(
        &mut self,
        address: IpAddr,
        port: u16,
        once: bool,
        mut count: impl FnMut(&Standings),
    ) -> Result<Closing, HostError> {
        let listener = Listener::new(address, port, self.settings.name.clone())?;
        if self.quits_before_ready()? {
            return Ok(Closing::Quit { in_game: false });
        }
        self.view.show(HostReport::Listening(listener.address()));
        loop {
            let arrival = select! {
                recv(listener.arrivals) -> arrival => arrival,
                recv(self.engine.news()) -> news => match news {
                    // Echoes of a game that is over.
                    Ok(_) => continue,
                    Err(_) => return Err(HostError::EngineGone),
                },
                recv(self.commands) -> command => match command {
                    Ok(UserCommand::Quit) => return Ok(Closing::Quit { in_game: false }),
                    Ok(_) => continue,
                    Err(_) => {
                        self.commands = never();
                        continue;
                    }
                },
            };
            match arrival {
                Ok(Arrival::Opponent(connection)) => {
                    self.standings = Standings::default();
                    self.refused = 0;
                    let (closing, _) = self.meet(connection, &listener.arrivals, 0)?;
                    count(&self.standings);
                    if once || matches!(closing, Closing::Quit { .. }) {
                        return Ok(closing);
                    }
                    if self.quits_before_ready()? {
                        return Ok(Closing::Quit { in_game: false });
                    }
                }
                Ok(Arrival::Declined(peer)) => self.view.show(HostReport::Declined(peer)),
                Err(_) => return Err(TransportError::from(io::Error::other("the listener is gone")).into()),
            }
        }
    }

    /// Connects to a program that listens, and plays. An Initiator connects again if the connection is lost before all
    /// games are played.
    ///
    /// Returns why the last connection ended.
    ///
    /// # Errors
    /// When nobody answers, or the engine is gone.
    pub fn connect(&mut self, host: &str, port: u16) -> Result<Closing, HostError> {
        if self.quits_before_ready()? {
            return Ok(Closing::Quit { in_game: false });
        }
        let mut connection = transport::connect(host, port)?;
        let mut games = 0;
        loop {
            let nobody_else = never();
            let (closing, played) = self.meet(connection, &nobody_else, games)?;
            let Role::Initiator(schedule) = &self.settings.role else { return Ok(closing) };
            // Without any progress there is no use in another attempt.
            if !closing.is_accident() || played >= schedule.games || played == games {
                return Ok(closing);
            }
            games = played;
            if self.quits_before_ready()? {
                return Ok(Closing::Quit { in_game: false });
            }
            connection = match self.reconnect(host, port)? {
                Some(connection) => connection,
                None => return Ok(Closing::Quit { in_game: false }),
            };
        }
    }

    fn reconnect(&mut self, host: &str, port: u16) -> Result<Option<Connection>, HostError> {
        let mut attempt = 0;
        loop {
            if self.quits_within(RECONNECT_PAUSE) {
                return Ok(None);
            }
            match transport::connect(host, port) {
                Ok(connection) => return Ok(Some(connection)),
                Err(error) if attempt + 1 < RECONNECTS => self.view.show(HostReport::Reconnecting(&error)),
                Err(error) => return Err(error.into()),
            }
            attempt += 1;
        }
    }

    /// Makes the engine forget what it learned, if it has, and read what it needs.
    fn prepare(&mut self) {
        if std::mem::take(&mut self.used) {
            self.engine.new_game();
            self.engine.prepare(self.settings.variant);
            self.preparing += 1;
        }
    }

    /// Waits until the engine has its tables and weights, because after that a clock may run; whether the user wants to
    /// leave meanwhile.
    fn quits_before_ready(&mut self) -> Result<bool, HostError> {
        self.prepare();
        while self.preparing > 0 {
            select! {
                recv(self.engine.news()) -> news => drop(self.input(news)?),
                recv(self.commands) -> command => match command {
                    Ok(UserCommand::Quit) => return Ok(true),
                    Ok(_) => {}
                    Err(_) => self.commands = never(),
                },
            }
        }
        Ok(false)
    }

    /// What news of the engine mean for a session.
    fn input(&mut self, news: Result<EngineNews, RecvError>) -> Result<Option<DxpInput<'static>>, HostError> {
        Ok(match news.map_err(|_| HostError::EngineGone)? {
            EngineNews::Info(id, info) => Some(DxpInput::Info(id, info)),
            EngineNews::Done(id, report) => Some(DxpInput::Done(id, report)),
            EngineNews::Ready => {
                self.preparing -= 1;
                (self.preparing == 0).then_some(DxpInput::Ready)
            }
            EngineNews::Fault(fault) => {
                log::warn!("{fault}");
                self.view.show(HostReport::Fault(&fault));
                None
            }
            // The session finds a move.
            EngineNews::Panic(..) => None,
        })
    }

    /// Waits; whether the user wants to leave meanwhile.
    fn quits_within(&mut self, pause: Duration) -> bool {
        let until = Instant::now() + pause;
        loop {
            match self.commands.recv_deadline(until) {
                Ok(UserCommand::Quit) => return true,
                Ok(_) => {}
                Err(error) if error.is_timeout() => return false,
                Err(_) => self.commands = never(),
            }
        }
    }

    /// One connection from its beginning to its end; also how many games of the match are over.
    fn meet(
        &mut self,
        mut connection: Connection,
        arrivals: &Receiver<Arrival>,
        games: u32,
    ) -> Result<(Closing, u32), HostError> {
        self.view.show(HostReport::Connected(&connection.peer()));
        let mut session = DxpSession::new(self.settings.clone(), games).after_refusals(self.refused);
        let mut queue = MessageQueue::default();
        let played = self.converse(&mut connection, arrivals.clone(), &mut session, &mut queue);
        self.engine.control().stop();
        self.refused = session.refused();
        let closing = played?;
        // Who has left hears nothing any more.
        if !matches!(closing, Closing::Lost { .. }) {
            last_words(&mut connection, &mut queue);
            connection.finish();
        }
        self.view.show(HostReport::Closed(&closing, &self.standings));
        Ok((closing, session.games()))
    }

    /// Feeds the session until it closes the connection.
    fn converse(
        &mut self,
        connection: &mut Connection,
        mut arrivals: Receiver<Arrival>,
        session: &mut DxpSession,
        queue: &mut MessageQueue,
    ) -> Result<Closing, HostError> {
        let mut actions = session.handle(Instant::now(), DxpInput::Connected);
        let mut lost = None;
        let nobody = never();
        loop {
            for action in actions {
                if let Some(closing) = self.perform(action, queue) {
                    return Ok(closing);
                }
            }
            let now = Instant::now();
            if let Some(message) = queue.pop(now)
                && let Err(error) = connection.send(&message)
            {
                lost.get_or_insert(format!("the connection broke: {error}"));
            }
            let now = Instant::now();
            if let Some(why) = lost.take() {
                actions = session.handle(now, DxpInput::Closed(Some(&why)));
                continue;
            }
            let wake = session.deadline().into_iter().chain(queue.due(now)).min();
            let patience = wake.map_or(Duration::MAX, |time| time.saturating_duration_since(now));
            actions = select! {
                recv(connection.incoming) -> incoming => match incoming {
                    Ok(Incoming::Bytes(now, bytes)) => {
                        log::debug!("> {}", bytes.escape_ascii());
                        queue.heard();
                        session.handle(now, DxpInput::Bytes(&bytes))
                    }
                    Ok(Incoming::Closed(why)) => session.handle(now, DxpInput::Closed(why.as_deref())),
                    Err(_) => session.handle(now, DxpInput::Closed(Some("the connection broke"))),
                },
                recv(self.engine.news()) -> news => match self.input(news)? {
                    Some(input) => session.handle(Instant::now(), input),
                    None => Vec::new(),
                },
                // The user's chat comes after what is waiting to be sent, moves above all.
                recv(if queue.due(now).is_some() { &nobody } else { &self.commands }) -> command => match command {
                    Ok(command) => session.handle(now, DxpInput::User(command)),
                    Err(_) => {
                        self.commands = never();
                        Vec::new()
                    }
                },
                recv(arrivals) -> arrival => {
                    match arrival {
                        Ok(Arrival::Declined(peer)) => self.view.show(HostReport::Declined(peer)),
                        Ok(Arrival::Opponent(_)) => {}
                        Err(_) => arrivals = never(),
                    }
                    Vec::new()
                },
                default(patience) => session.handle(Instant::now(), DxpInput::Tick),
            };
        }
    }

    fn perform(&mut self, action: DxpAction, queue: &mut MessageQueue) -> Option<Closing> {
        match action {
            DxpAction::Send(message) => queue.push(message),
            DxpAction::Prepare => self.prepare(),
            DxpAction::Search(id, request) => {
                self.used = true;
                self.engine.search(id, request, Instant::now());
            }
            DxpAction::StopSearch => self.engine.control().stop(),
            DxpAction::Tell(event) => {
                self.view.show(HostReport::Session(&event));
                if let DxpEvent::GameOver(record) = &event {
                    self.standings.count(record);
                    if let Some(Err(error)) = self.archive.as_ref().map(|archive| archive.append(record)) {
                        self.view.show(HostReport::NotSaved(&error));
                    }
                }
            }
            DxpAction::Close(closing) => return Some(closing),
        }
        None
    }
}

/// Sends what waits, with its pauses.
fn last_words(connection: &mut Connection, queue: &mut MessageQueue) {
    let until = Instant::now() + LAST_WORDS;
    while let Some(due) = queue.due(Instant::now()).filter(|due| *due < until) {
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        if let Some(message) = queue.pop(Instant::now())
            && connection.send(&message).is_err()
        {
            return;
        }
    }
}
