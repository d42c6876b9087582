//! The sockets of DXP: listening, connecting, reading, writing, declining.

use super::fields::Name;
use super::frames::FrameReader;
use super::message::{AcceptCode, Message};
use crossbeam::channel::{Receiver, Sender, bounded};
use socket2::{SockRef, TcpKeepalive};
use std::io::{self, Read, Write};
use std::net::{IpAddr, Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use thiserror::Error;

/// The protocol's own port.
pub const PORT: u16 = 27_531;
/// How long each address of a host is tried.
const CONNECT_PATIENCE: Duration = Duration::from_secs(10);
/// How long a write may take. Messages are short: a full buffer means that nobody reads.
const WRITE_PATIENCE: Duration = Duration::from_secs(5);
/// How long we wait, after our last word, for the opponent to close its side.
const LINGER: Duration = Duration::from_secs(1);
/// When a silent connection is first tested, how often again, and how often in all: a peer that vanished without a
/// word is noticed after a minute.
const PROBE_AFTER: Duration = Duration::from_secs(30);
const PROBE_EVERY: Duration = Duration::from_secs(10);
const PROBES: u32 = 3;
/// Distance between two messages to a program that has not spoken in between. Some programs (pydraughts and its kin)
/// take everything that one read gives them for one message, and lose the second: on a busy machine they may need longer
/// than 50 ms to get to their read.
pub const MESSAGE_PAUSE: Duration = Duration::from_millis(200);
/// The same after a GAMEACC: the first move follows it, and its time is running. A program that takes a game has asked for
/// it and waits at its read.
pub const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// Bytes read at once, and reads ahead of the session; then the network makes the sender wait.
const CHUNK: usize = 2048;
const CHUNKS_AHEAD: usize = 8;
/// Opponents who wait, or are being told that we are busy. More are turned away without a word.
const MOST_DECLINED: usize = 4;
/// How long somebody who comes while we are busy waits for the opponent before to leave: who plays one game after the
/// other with a connection for each is faster than the end of the last one.
const GRACE: Duration = Duration::from_secs(2);
/// How often the waiting look.
const GLANCE: Duration = Duration::from_millis(5);
/// How long an opponent that is declined may take to ask for a game.
const DECLINE_PATIENCE: Duration = Duration::from_secs(2);
/// Rest after a failure to accept, such as too many open files.
const ACCEPT_REST: Duration = Duration::from_millis(100);

/// Why there is no connection.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TransportError {
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What went wrong.
        source: io::Error,
    },
    /// Nobody answers.
    #[error("cannot connect to {host} port {port}: {source}")]
    Connect {
        /// The host.
        host: String,
        /// The port.
        port: u16,
        /// What went wrong.
        source: io::Error,
    },
    /// The system gives us no thread or socket option.
    #[error("cannot set up the connection: {0}")]
    Setup(#[from] io::Error),
}

/// What comes from the other side.
#[derive(Debug)]
pub enum Incoming {
    /// Bytes, and when they came.
    Bytes(Instant, Vec<u8>),
    /// The end, and the reason if it was not closed in an orderly way.
    Closed(Option<String>),
}

/// A connection, with a thread that reads from it.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    /// What comes in.
    pub incoming: Receiver<Incoming>,
    reader: Option<JoinHandle<()>>,
    /// Cleared when this connection is gone.
    busy: Option<Arc<AtomicBool>>,
}

impl Connection {
    fn new(stream: TcpStream, busy: Option<Arc<AtomicBool>>) -> io::Result<Connection> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(WRITE_PATIENCE))?;
        let socket = SockRef::from(&stream);
        let probes = TcpKeepalive::new().with_time(PROBE_AFTER).with_interval(PROBE_EVERY);
        #[cfg(any(target_os = "linux", target_os = "macos", target_os = "freebsd", target_os = "windows"))]
        let probes = probes.with_retries(PROBES);
        socket.set_tcp_keepalive(&probes)?;
        // The same for what we sent and nobody acknowledges.
        #[cfg(target_os = "linux")]
        socket.set_tcp_user_timeout(Some(PROBE_AFTER + PROBE_EVERY * PROBES))?;
        let (sender, incoming) = bounded(CHUNKS_AHEAD);
        let input = stream.try_clone()?;
        let reader = thread::Builder::new().name("dxp reader".into()).spawn(move || read(input, &sender))?;
        Ok(Connection { stream, incoming, reader: Some(reader), busy })
    }

    /// Sends a message.
    ///
    /// # Errors
    /// When the other side is gone, or reads nothing any more.
    pub fn send(&mut self, message: &Message) -> io::Result<()> {
        log::debug!("< {message}");
        self.stream.write_all(&message.to_frame())
    }

    /// Who is at the other end.
    pub fn peer(&self) -> String {
        self.stream.peer_addr().map_or_else(|_| "?".to_owned(), |address| address.to_string())
    }

    /// Closes our side, and waits a little for the other: closing while something is unread could destroy our last
    /// message on its way.
    pub fn finish(self) {
        // Whether it works or not, the connection is dropped next.
        let _ = self.stream.shutdown(Shutdown::Write);
        let until = Instant::now() + LINGER;
        while let Ok(Incoming::Bytes(..)) = self.incoming.recv_deadline(until) {}
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let _ = self.stream.shutdown(Shutdown::Both);
        // The reader may be waiting for room in the channel.
        self.incoming = bounded(0).1;
        if let Some(reader) = self.reader.take() {
            let _ = reader.join();
        }
        if let Some(busy) = &self.busy {
            busy.store(false, Ordering::Release);
        }
    }
}

fn read(mut input: TcpStream, sender: &Sender<Incoming>) {
    let mut chunk = [0; CHUNK];
    loop {
        let incoming = match input.read(&mut chunk) {
            Ok(0) => Incoming::Closed(None),
            Ok(count) => Incoming::Bytes(Instant::now(), chunk[..count].to_vec()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => Incoming::Closed(Some(format!("the connection broke: {error}"))),
        };
        let is_end = matches!(incoming, Incoming::Closed(_));
        if sender.send(incoming).is_err() || is_end {
            return;
        }
    }
}

/// Connects to a listening program.
///
/// # Errors
/// When no address of the host answers.
pub fn connect(host: &str, port: u16) -> Result<Connection, TransportError> {
    let error = |source| TransportError::Connect { host: host.to_owned(), port, source };
    let mut failure = io::Error::new(io::ErrorKind::NotFound, "the host has no address");
    for address in (host, port).to_socket_addrs().map_err(error)? {
        match TcpStream::connect_timeout(&address, CONNECT_PATIENCE) {
            Ok(stream) => return Ok(Connection::new(stream, None)?),
            Err(error) => failure = error,
        }
    }
    Err(error(failure))
}

/// News from a listener.
#[derive(Debug)]
pub enum Arrival {
    /// An opponent; nobody else is let in until this connection is dropped.
    Opponent(Connection),
    /// Somebody else came meanwhile and was told that we are busy.
    Declined(SocketAddr),
}

/// A socket on which opponents arrive, one at a time.
#[derive(Debug)]
pub struct Listener {
    address: SocketAddr,
    /// Who arrives.
    pub arrivals: Receiver<Arrival>,
    closing: Arc<AtomicBool>,
}

impl Listener {
    /// Listens; port 0 takes any that is free. `name` is what those hear who are declined.
    ///
    /// # Errors
    /// When the address cannot be had.
    pub fn new(address: IpAddr, port: u16, name: Name) -> Result<Listener, TransportError> {
        let address = SocketAddr::new(address, port);
        let listen = |source| TransportError::Listen { address, source };
        let socket = TcpListener::bind(address).map_err(listen)?;
        let address = socket.local_addr().map_err(listen)?;
        let closing = Arc::new(AtomicBool::new(false));
        let (sender, arrivals) = bounded(MOST_DECLINED);
        let closed = Arc::clone(&closing);
        let door = Door { name, sender, closing: closed, busy: Arc::default(), waiting: Arc::default() };
        thread::Builder::new().name("dxp listener".into()).spawn(move || door.keep(&socket))?;
        Ok(Listener { address, arrivals, closing })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.closing.store(true, Ordering::Release);
        // The thread waits for somebody to come.
        let mut door = self.address;
        if door.ip().is_unspecified() {
            door.set_ip(match door.ip() {
                IpAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
                IpAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
            });
        }
        let _ = TcpStream::connect_timeout(&door, LINGER);
    }
}

/// What the thread of a listener holds.
#[derive(Clone)]
struct Door {
    name: Name,
    sender: Sender<Arrival>,
    closing: Arc<AtomicBool>,
    /// Whether there is an opponent.
    busy: Arc<AtomicBool>,
    /// How many wait or are being declined.
    waiting: Arc<AtomicUsize>,
}

impl Door {
    fn keep(self, socket: &TcpListener) {
        for stream in socket.incoming() {
            if self.closing.load(Ordering::Acquire) {
                return;
            }
            match stream {
                Ok(stream) => self.meet(stream),
                Err(error) => {
                    log::warn!("cannot accept a connection: {error}");
                    thread::sleep(ACCEPT_REST);
                }
            }
        }
    }

    fn meet(&self, stream: TcpStream) {
        if self.enter() {
            return self.admit(stream);
        }
        if self.waiting.fetch_add(1, Ordering::AcqRel) >= MOST_DECLINED {
            self.waiting.fetch_sub(1, Ordering::AcqRel);
            return;
        }
        let door = self.clone();
        let spawned = thread::Builder::new().name("dxp door".into()).spawn(move || {
            door.keep_waiting(stream);
            door.waiting.fetch_sub(1, Ordering::AcqRel);
        });
        if spawned.is_err() {
            self.waiting.fetch_sub(1, Ordering::AcqRel);
        }
    }

    /// Whether there was no opponent; now there is one.
    fn enter(&self) -> bool {
        !self.busy.swap(true, Ordering::AcqRel)
    }

    fn admit(&self, stream: TcpStream) {
        match Connection::new(stream, Some(Arc::clone(&self.busy))) {
            // The receiver is gone only when we are closing.
            Ok(connection) => drop(self.sender.send(Arrival::Opponent(connection))),
            Err(error) => {
                log::warn!("cannot set up a connection: {error}");
                self.busy.store(false, Ordering::Release);
            }
        }
    }

    /// Lets somebody in if the opponent leaves soon, or else declines.
    fn keep_waiting(&self, stream: TcpStream) {
        let until = Instant::now() + GRACE;
        while Instant::now() < until && !self.closing.load(Ordering::Acquire) {
            thread::sleep(GLANCE);
            if self.enter() {
                return self.admit(stream);
            }
        }
        if let Ok(peer) = stream.peer_addr() {
            // Only for the user: nothing is lost if nobody is there to hear it.
            let _ = self.sender.try_send(Arrival::Declined(peer));
        }
        if let Err(error) = turn_away(stream, self.name.clone()) {
            log::debug!("an opponent left before it was declined: {error}");
        }
    }
}

/// Answers the request for a game, if it comes soon, with code 2: this game is not possible, another may be.
fn turn_away(mut stream: TcpStream, name: Name) -> io::Result<()> {
    stream.set_write_timeout(Some(DECLINE_PATIENCE))?;
    let until = Instant::now() + DECLINE_PATIENCE;
    let mut frames = FrameReader::default();
    let mut chunk = [0; 256];
    let mut asked = false;
    while !asked {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        stream.set_read_timeout(Some(left))?;
        let count = match stream.read(&mut chunk) {
            Ok(0) | Err(_) => break,
            Ok(count) => count,
        };
        let mut bytes = &chunk[..count];
        while let Some(frame) = frames.next(&mut bytes) {
            match frame {
                Ok(text) => asked |= text.starts_with('R'),
                Err(error) => return Err(io::Error::other(error)),
            }
        }
    }
    if asked {
        stream.write_all(&Message::GameAccept { name, code: AcceptCode::NotThisGame }.to_frame())?;
        thread::sleep(MESSAGE_PAUSE);
    }
    if let Some(text) = super::fields::ChatText::new("busy with another game, please try again later") {
        stream.write_all(&Message::Chat(text).to_frame())?;
    }
    stream.shutdown(Shutdown::Write)?;
    // What it still sends would make the system destroy our words on their way.
    let until = Instant::now() + LINGER;
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(());
        }
        stream.set_read_timeout(Some(left))?;
        if stream.read(&mut chunk)? == 0 {
            return Ok(());
        }
    }
}
