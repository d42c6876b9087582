//! The connection to a DXP engine, and its process if we have started it.

use crate::arena::cancel::Cancel;
use crate::arena::hub::process::Process;
use crate::arena::log::GameLog;
use crate::arena::player::PlayerFault;
use crate::arena::spec::EngineSpec;
use crate::notation::text::quote;
use crate::protocol::dxp::frames::FrameReader;
use crate::protocol::dxp::message::{Message, MessageKind};
use crate::protocol::dxp::transport::{Connection, Incoming, connect};
use crossbeam::channel::{TryRecvError, never, select};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Some programs take everything that one read gives them for one message: messages keep this distance, unless the
/// engine has spoken in between and so has read the one before.
const PAUSE: Duration = Duration::from_millis(50);
/// How often we knock while an engine that we have started is not listening yet.
const KNOCK: Duration = Duration::from_millis(50);
/// What may still be on its way when the process has ended is read for this long.
const AFTERMATH: Duration = Duration::from_millis(300);

/// How a wait ended.
pub enum DxpWait {
    Message(Instant, Message),
    /// A move or the end of the game that cannot be read: the game cannot go on.
    Garbage(String),
    Late,
    Gone(String),
    Cancelled,
}

pub struct DxpLink {
    name: String,
    connection: Connection,
    frames: FrameReader,
    /// Messages that came together with an earlier one.
    heard: VecDeque<(Instant, Result<Message, String>)>,
    /// When we last spoke, if nothing was heard since.
    spoken: Option<Instant>,
    closed: Option<String>,
    /// Only of an engine that we have started; ends when dropped.
    process: Option<Process>,
    log: GameLog,
}

impl DxpLink {
    /// Starts the engine, if there is a command, and connects.
    ///
    /// # Errors
    /// When it cannot be started, or nobody listens before the deadline.
    pub fn open(
        spec: &EngineSpec,
        host: &str,
        port: u16,
        deadline: Instant,
        cancel: &Cancel,
        log: &GameLog,
    ) -> Result<DxpLink, PlayerFault> {
        let mut process = None;
        if let Some(program) = spec.command.first() {
            let mut started = Process::start(&spec.name, &spec.command, spec.folder.as_deref())
                .map_err(|error| PlayerFault::Start(format!("{}: {error}", quote(program))))?;
            started.set_log(log);
            started.drain_output().map_err(|error| PlayerFault::Start(error.to_string()))?;
            process = Some(started);
        }
        loop {
            match connect(host, port) {
                Ok(connection) => {
                    let (frames, heard) = (FrameReader::default(), VecDeque::new());
                    let name = spec.name.clone();
                    let log = log.clone();
                    return Ok(DxpLink {
                        name,
                        connection,
                        frames,
                        heard,
                        spoken: None,
                        closed: None,
                        process,
                        log,
                    });
                }
                Err(error) => {
                    let ended = process
                        .as_mut()
                        .filter(|process| process.exited.try_recv() == Err(TryRecvError::Disconnected));
                    if let Some(process) = ended {
                        return Err(PlayerFault::Start(format!(
                            "ended before it listened: {}",
                            process.obituary()
                        )));
                    }
                    // Somebody else's engine listens or does not.
                    if process.is_none() || Instant::now() >= deadline {
                        return Err(PlayerFault::Start(error.to_string()));
                    }
                }
            }
            if cancel.is_cancelled() {
                return Err(PlayerFault::Cancelled);
            }
            std::thread::sleep(KNOCK);
        }
    }

    pub fn set_log(&mut self, log: &GameLog) {
        self.log = log.clone();
        if let Some(process) = &mut self.process {
            process.set_log(log);
        }
    }

    /// Whether the other side is there, as far as we know.
    pub fn is_open(&mut self) -> bool {
        while let Ok(incoming) = self.connection.incoming.try_recv() {
            self.incoming(incoming);
        }
        let exited = |process: &Process| process.exited.try_recv() == Err(TryRecvError::Disconnected);
        self.closed.is_none() && !self.process.as_ref().is_some_and(exited)
    }

    /// Sends a message, after a pause if the one before may not have been read.
    pub fn send(&mut self, message: &Message) {
        if let Some(spoken) = self.spoken {
            std::thread::sleep(PAUSE.saturating_sub(spoken.elapsed()));
        }
        self.log.line(&self.name, ">", message);
        if let Err(error) = self.connection.send(message) {
            self.closed.get_or_insert(format!("the connection broke: {error}"));
        }
        self.spoken = Some(Instant::now());
    }

    /// The next message that has anything to do with the game, or why there is none before the deadline.
    pub fn wait(&mut self, mut deadline: Instant, cancel: &Cancel) -> DxpWait {
        let nothing = never();
        let mut process_ended = false;
        loop {
            while let Some((at, message)) = self.heard.pop_front() {
                match message {
                    Ok(Message::Chat(_)) => (),
                    Ok(message) => return DxpWait::Message(at, message),
                    Err(text) => return DxpWait::Garbage(text),
                }
            }
            if let Some(why) = &self.closed {
                return DxpWait::Gone(self.obituary(why.clone()));
            }
            let patience = deadline.saturating_duration_since(Instant::now());
            if patience.is_zero() {
                return if process_ended {
                    DxpWait::Gone(self.obituary("it ended".to_owned()))
                } else {
                    DxpWait::Late
                };
            }
            let exited = match &self.process {
                Some(process) if !process_ended => &process.exited,
                _ => &nothing,
            };
            select! {
                recv(self.connection.incoming) -> incoming => match incoming {
                    Ok(incoming) => self.incoming(incoming),
                    Err(_) => self.closed = Some("the connection is gone".to_owned()),
                },
                recv(exited) -> _ => {
                    process_ended = true;
                    deadline = deadline.min(Instant::now() + AFTERMATH);
                },
                recv(cancel.signal()) -> _ => return DxpWait::Cancelled,
                default(patience) => (),
            }
        }
    }

    fn incoming(&mut self, incoming: Incoming) {
        match incoming {
            Incoming::Bytes(at, bytes) => self.take(at, &bytes),
            Incoming::Closed(why) => {
                self.closed.get_or_insert(why.unwrap_or_else(|| "it closed the connection".to_owned()));
            }
        }
    }

    /// Splits what came into messages.
    fn take(&mut self, at: Instant, mut bytes: &[u8]) {
        self.spoken = None;
        while let Some(frame) = self.frames.next(&mut bytes) {
            match frame {
                Ok(text) => {
                    self.log.line(&self.name, "<", &text);
                    let fatal = |kind| {
                        matches!(kind, MessageKind::Move | MessageKind::GameEnd | MessageKind::GameAccept)
                    };
                    match text.parse::<Message>() {
                        Ok(message) => self.heard.push_back((at, Ok(message))),
                        Err(error) if error.kind().is_some_and(fatal) => {
                            self.heard.push_back((at, Err(error.to_string())));
                        }
                        // Whatever it is, it does not keep the game from going on.
                        Err(_) => {}
                    }
                }
                Err(error) => {
                    self.closed = Some(error.to_string());
                    return;
                }
            }
        }
    }

    fn obituary(&self, why: String) -> String {
        let said = self.process.as_ref().map(Process::said_on_stderr).filter(|said| !said.is_empty());
        format!("{why}{}", said.map(|said| format!(", stderr {}", quote(&said))).unwrap_or_default())
    }
}
