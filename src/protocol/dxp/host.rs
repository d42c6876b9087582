//! Plays matches: brings connections, sessions, the engine and the archive together.

use super::archive::{Archive, ArchiveError};
use super::engine::{News, Worker};
use super::outbox::Outbox;
use super::record::Standings;
use super::session::{Action, Closing, Command, Event, Input, Role, Session, Settings};
use super::transport::{self, Arrival, Connection, Incoming, Listener, TransportError};
use crate::engine::Options;
use crate::rules::VariantId;
use crossbeam::channel::{Receiver, never, select};
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
    pub settings: Settings,
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
pub enum Report<'a> {
    /// Opponents may come.
    Listening(SocketAddr),
    /// One is there.
    Connected(&'a str),
    /// Another one came meanwhile and was declined.
    Declined(SocketAddr),
    /// Something happened in the session.
    Session(&'a Event),
    /// A game could not be kept.
    NotSaved(&'a ArchiveError),
    /// The opponent is gone; the results of its games.
    Closed(&'a Closing, &'a Standings),
    /// The connection is tried again.
    Reconnecting(&'a TransportError),
}

/// Shows a user what happens.
pub trait View {
    /// Something happened. Must not block: a clock may be running.
    fn show(&mut self, report: Report<'_>);
}

/// Plays one opponent after the other.
pub struct Host<'a> {
    settings: Settings,
    worker: Worker,
    archive: Option<Archive>,
    commands: Receiver<Command>,
    view: &'a mut dyn View,
    standings: Standings,
}

impl<'a> Host<'a> {
    /// A host that obeys `commands` and shows what happens.
    ///
    /// # Errors
    /// When the variant does not fit, the file cannot be written or there is no thread for the search.
    pub fn new(
        config: Config,
        commands: Receiver<Command>,
        view: &'a mut dyn View,
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
        let worker = Worker::new(options).map_err(HostError::Engine)?;
        Ok(Host { settings, worker, archive, commands, view, standings: Standings::default() })
    }

    /// Waits for opponents and plays them, each a match of its own; with `once` only the first.
    ///
    /// Returns when the user wants to leave or, with `once`, why the connection ended.
    ///
    /// # Errors
    /// When the address cannot be had, or the engine is gone.
    pub fn listen(&mut self, address: IpAddr, port: u16, once: bool) -> Result<Closing, HostError> {
        let listener = Listener::new(address, port, self.settings.name.clone())?;
        self.view.show(Report::Listening(listener.address()));
        loop {
            let arrival = select! {
                recv(listener.arrivals) -> arrival => arrival,
                recv(self.worker.news) -> news => match news {
                    // Echoes of a game that is over.
                    Ok(_) => continue,
                    Err(_) => return Err(HostError::EngineGone),
                },
                recv(self.commands) -> command => match command {
                    Ok(Command::Quit) => return Ok(Closing::Quit),
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
                    let (closing, _) = self.meet(connection, &listener.arrivals, 0)?;
                    if once || closing == Closing::Quit {
                        return Ok(closing);
                    }
                }
                Ok(Arrival::Declined(peer)) => self.view.show(Report::Declined(peer)),
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
            connection = match self.reconnect(host, port)? {
                Some(connection) => connection,
                None => return Ok(Closing::Quit),
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
                Err(error) if attempt < RECONNECTS => self.view.show(Report::Reconnecting(&error)),
                Err(error) => return Err(error.into()),
            }
            attempt += 1;
        }
    }

    /// Waits; whether the user wants to leave meanwhile.
    fn quits_within(&mut self, pause: Duration) -> bool {
        let until = Instant::now() + pause;
        loop {
            match self.commands.recv_deadline(until) {
                Ok(Command::Quit) => return true,
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
        self.view.show(Report::Connected(&connection.peer()));
        let mut session = Session::new(self.settings.clone(), games);
        let mut outbox = Outbox::default();
        let played = self.converse(&mut connection, arrivals.clone(), &mut session, &mut outbox);
        self.worker.stop();
        let closing = played?;
        // Who has left hears nothing any more.
        if !matches!(closing, Closing::Lost { .. }) {
            last_words(&mut connection, &mut outbox);
            connection.finish();
        }
        self.view.show(Report::Closed(&closing, &self.standings));
        Ok((closing, session.games()))
    }

    /// Feeds the session until it closes the connection.
    fn converse(
        &mut self,
        connection: &mut Connection,
        mut arrivals: Receiver<Arrival>,
        session: &mut Session,
        outbox: &mut Outbox,
    ) -> Result<Closing, HostError> {
        let mut actions = session.handle(Instant::now(), Input::Connected);
        let mut lost = None;
        loop {
            for action in actions {
                if let Some(closing) = self.perform(action, outbox) {
                    return Ok(closing);
                }
            }
            let now = Instant::now();
            if let Some(message) = outbox.pop(now)
                && let Err(error) = connection.send(&message)
            {
                lost.get_or_insert(format!("the connection broke: {error}"));
            }
            let now = Instant::now();
            if let Some(why) = lost.take() {
                actions = session.handle(now, Input::Closed(Some(&why)));
                continue;
            }
            let wake = session.deadline().into_iter().chain(outbox.due(now)).min();
            let patience = wake.map_or(Duration::MAX, |time| time.saturating_duration_since(now));
            actions = select! {
                recv(connection.incoming) -> incoming => match incoming {
                    Ok(Incoming::Bytes(now, bytes)) => {
                        log::debug!("> {}", bytes.escape_ascii());
                        outbox.heard();
                        session.handle(now, Input::Bytes(&bytes))
                    }
                    Ok(Incoming::Closed(why)) => session.handle(now, Input::Closed(why.as_deref())),
                    Err(_) => session.handle(now, Input::Closed(Some("the connection broke"))),
                },
                recv(self.worker.news) -> news => match news {
                    Ok(News::Info(id, info)) => session.handle(now, Input::Info(id, info)),
                    Ok(News::Done(id, report)) => session.handle(Instant::now(), Input::Done(id, report)),
                    Err(_) => return Err(HostError::EngineGone),
                },
                recv(self.commands) -> command => match command {
                    Ok(command) => session.handle(now, Input::User(command)),
                    Err(_) => {
                        self.commands = never();
                        Vec::new()
                    }
                },
                recv(arrivals) -> arrival => {
                    match arrival {
                        Ok(Arrival::Declined(peer)) => self.view.show(Report::Declined(peer)),
                        Ok(Arrival::Opponent(_)) => {}
                        Err(_) => arrivals = never(),
                    }
                    Vec::new()
                },
                default(patience) => session.handle(Instant::now(), Input::Tick),
            };
        }
    }

    fn perform(&mut self, action: Action, outbox: &mut Outbox) -> Option<Closing> {
        match action {
            Action::Send(message) => outbox.push(message),
            Action::NewGame => self.worker.new_game(self.settings.variant),
            Action::Search(id, request) => self.worker.search(id, request),
            Action::StopSearch => self.worker.stop(),
            Action::Tell(event) => {
                self.view.show(Report::Session(&event));
                if let Event::GameOver(record) = &event {
                    self.standings.count(record);
                    if let Some(Err(error)) = self.archive.as_ref().map(|archive| archive.append(record)) {
                        self.view.show(Report::NotSaved(&error));
                    }
                }
            }
            Action::Close(closing) => return Some(closing),
        }
        None
    }
}

/// Sends what waits, with its pauses.
fn last_words(connection: &mut Connection, outbox: &mut Outbox) {
    let until = Instant::now() + LAST_WORDS;
    while let Some(due) = outbox.due(Instant::now()).filter(|due| *due < until) {
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        if let Some(message) = outbox.pop(Instant::now())
            && connection.send(&message).is_err()
        {
            return;
        }
    }
}
