//! The connection to a DXP engine, and its process if we have started it.

use crate::arena::cancel::Cancel;
use crate::arena::hub::process::Process;
use crate::arena::log::GameLog;
use crate::arena::player::PlayerFault;
use crate::arena::spec::EngineSpec;
use crate::notation::text::quote;
use crate::protocol::dxp::frames::FrameReader;
use crate::protocol::dxp::message::{Message, MessageKind};
use crate::protocol::dxp::transport::{Connection, Incoming, MESSAGE_PAUSE, connect};
use crossbeam::channel::{TryRecvError, never, select};
use std::collections::VecDeque;
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// How often we knock while an engine that we have started is not listening yet.
const KNOCK: Duration = Duration::from_millis(50);
/// What may still be on its way when the process has ended is read for this long.
const AFTERMATH: Duration = Duration::from_millis(300);
/// How long an address has to accept a connection if somebody listens there already.
const PROBE: Duration = Duration::from_millis(500);
/// How long a CHAT may take that follows a message.
const EXPLANATION: Duration = Duration::from_millis(500);
/// How long a process that has been ended may go on listening: its children are not waited for.
const FAREWELL: Duration = Duration::from_secs(1);

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
    /// The last CHAT.
    chat: Option<String>,
    /// When the process was seen to have ended.
    ended: Option<Instant>,
    /// Only of an engine that we have started; ends when dropped.
    process: Option<Process>,
    log: GameLog,
}

impl DxpLink {
    /// Starts the engine, if there is a command, and connects.
    ///
    /// # Errors
    /// When it cannot be started, somebody else listens there already, or nobody listens before the deadline.
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
            wait_until_free(host, port, cancel)?;
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
                    let mut link = DxpLink {
                        name,
                        connection,
                        frames,
                        heard,
                        spoken: None,
                        closed: None,
                        chat: None,
                        ended: None,
                        process,
                        log,
                    };
                    return match link.own_end() {
                        Some(why) => Err(PlayerFault::Start(why)),
                        None => Ok(link),
                    };
                }
                Err(error) => {
                    let ended = process.as_mut().filter(|process| has_exited(process));
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
        self.closed.is_none() && !self.process.as_ref().is_some_and(has_exited)
    }

    /// How our own process has ended, if it has: who is connected then is somebody else.
    pub fn own_end(&mut self) -> Option<String> {
        let process = self.process.as_mut().filter(|process| has_exited(process))?;
        Some(format!("ended when it should listen: {}", process.obituary()))
    }

    /// Sends a message, after a pause if the one before may not have been read: the engine has not spoken since.
    pub fn send(&mut self, message: &Message) {
        if let Some(spoken) = self.spoken {
            std::thread::sleep(MESSAGE_PAUSE.saturating_sub(spoken.elapsed()));
        }
        self.log.line(&self.name, ">", message);
        if let Err(error) = self.connection.send(message) {
            self.closed.get_or_insert(format!("the connection broke: {error}"));
        }
        self.spoken = Some(Instant::now());
    }

    /// The next message that has anything to do with the game, or why there is none before the deadline.
    pub fn wait(&mut self, deadline: Instant, cancel: &Cancel) -> DxpWait {
        let nothing = never();
        loop {
            while let Some((at, message)) = self.heard.pop_front() {
                match message {
                    Ok(Message::Chat(text)) => self.chat = Some(text.to_string()),
                    Ok(message) => return DxpWait::Message(at, message),
                    Err(text) => return DxpWait::Garbage(text),
                }
            }
            if let Some(why) = &self.closed {
                return DxpWait::Gone(self.obituary(why.clone()));
            }
            // A connection that outlives the process is none to it: however much comes, this ends.
            let end = self.ended.map(|ended| ended + AFTERMATH);
            let until = end.map_or(deadline, |end| deadline.min(end));
            let patience = until.saturating_duration_since(Instant::now());
            if patience.is_zero() {
                return if self.ended.is_some() {
                    DxpWait::Gone(self.obituary("it ended".to_owned()))
                } else {
                    DxpWait::Late
                };
            }
            let exited = match &self.process {
                Some(process) if self.ended.is_none() => &process.exited,
                _ => &nothing,
            };
            select! {
                recv(self.connection.incoming) -> incoming => match incoming {
                    Ok(incoming) => self.incoming(incoming),
                    Err(_) => self.closed = Some("the connection is gone".to_owned()),
                },
                recv(exited) -> _ => self.ended = Some(Instant::now()),
                recv(cancel.signal()) -> _ => return DxpWait::Cancelled,
                default(patience) => (),
            }
        }
    }

    /// What the engine has said, or says in a moment, about its refusal of a game.
    pub fn explanation(&mut self, cancel: &Cancel) -> Option<String> {
        let deadline = Instant::now() + EXPLANATION;
        // A wait does not end with a CHAT.
        while self.chat.is_none() && Instant::now() < deadline {
            match self.wait(Instant::now() + KNOCK, cancel) {
                DxpWait::Message(..) | DxpWait::Late => (),
                _ => break,
            }
        }
        self.chat.take()
    }

    /// What was said so far is no answer to what comes.
    pub fn forget_chat(&mut self) {
        self.chat = None;
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

fn has_exited(process: &Process) -> bool {
    process.exited.try_recv() == Err(TryRecvError::Disconnected)
}

/// Waits until nobody listens at the address of an engine that is to be started: it could not, and another program would
/// play in its name.
fn wait_until_free(host: &str, port: u16, cancel: &Cancel) -> Result<(), PlayerFault> {
    let deadline = Instant::now() + FAREWELL;
    // Who has no address is told when we connect.
    let addresses: Vec<_> = (host, port).to_socket_addrs().into_iter().flatten().collect();
    while addresses.iter().any(|address| TcpStream::connect_timeout(address, PROBE).is_ok()) {
        if Instant::now() >= deadline {
            return Err(PlayerFault::Start(format!(
                "somebody else listens on {host} port {port}, end that program or give cmd and address another port"
            )));
        }
        if cancel.is_cancelled() {
            return Err(PlayerFault::Cancelled);
        }
        std::thread::sleep(KNOCK);
    }
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Write;
    use std::net::TcpListener;
    use std::path::Path;

    fn until_there(path: &Path) {
        while !path.exists() {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn spec(script: &str) -> EngineSpec {
        let mut spec: EngineSpec = "proto=dxp cmd=sh".parse().unwrap();
        spec.command.extend(["-c".to_owned(), script.to_owned()]);
        spec
    }

    fn open(script: &str, port: u16) -> Result<DxpLink, PlayerFault> {
        let deadline = Instant::now() + Duration::from_secs(60);
        DxpLink::open(&spec(script), "127.0.0.1", port, deadline, &Cancel::new(), &GameLog::default())
    }

    #[test]
    fn nobody_else_plays_in_the_name_of_an_engine() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let folder = tempfile::tempdir().unwrap();
        let begun = folder.path().join("begun");
        let fault = open(&format!(": >'{}'; sleep 60", begun.display()), port).err().unwrap().to_string();
        assert!(fault.contains("somebody else listens on 127.0.0.1 port"), "{fault}");
        assert!(!begun.exists(), "nothing was started");
    }

    /// Whoever began to listen behind our back goes on talking when the process has ended.
    #[test]
    fn the_engine_is_gone_when_its_process_is() {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let folder = tempfile::tempdir().unwrap();
        let (begun, over) = (folder.path().join("begun"), folder.path().join("over"));
        let waits = begun.clone();
        std::thread::spawn(move || {
            until_there(&waits);
            let (mut stream, _) = TcpListener::bind(("127.0.0.1", port)).unwrap().accept().unwrap();
            while stream.write_all(b"M0000322800\0").is_ok() {
                std::thread::sleep(Duration::from_millis(20));
            }
        });
        let script =
            format!(": >'{}'; while [ ! -e '{}' ]; do sleep 0.02; done", begun.display(), over.display());
        let mut link = open(&script, port).unwrap_or_else(|fault| panic!("{fault}"));
        let mut next = || link.wait(Instant::now() + Duration::from_secs(60), &Cancel::new());
        assert!(matches!(next(), DxpWait::Message(..)));
        fs::write(over, "").unwrap();
        let last = (0..1000).map(|_| next()).find(|wait| !matches!(wait, DxpWait::Message(..)));
        assert!(matches!(last, Some(DxpWait::Gone(why)) if why.contains("it ended")));
        assert!(link.own_end().is_some_and(|why| why.contains("ended when it should listen")));
    }
}
