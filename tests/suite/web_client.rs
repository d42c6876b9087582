//! `kroon play` from outside: a plain HTTP client, and the server that it talks with.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Servers that were started: each keeps its token elsewhere.
static STARTED: AtomicUsize = AtomicUsize::new(0);

/// The program, and how it is reached.
pub struct Server {
    pub child: Child,
    /// What it prints behind the first line.
    pub output: BufReader<ChildStdout>,
    pub address: SocketAddr,
    pub token: String,
    /// The file or the position to begin with, as the printed address has it.
    pub beginning: String,
}

impl Server {
    pub fn start(args: &[&str]) -> Server {
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let state = std::env::temp_dir().join(format!("kroon-web-{}-{number}", std::process::id()));
        let mut child = Command::new(env!("CARGO_BIN_EXE_kroon"))
            .args(["play", "--no-open", "--port", "0", "--hash", "1"])
            .args(args)
            .env("XDG_STATE_HOME", &state)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut url = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut url).unwrap();
        let (address, token) = url.trim().strip_prefix("http://").unwrap().split_once("/#token=").unwrap();
        // Behind the token stands what there is to begin with.
        let (token, beginning) = token.split_once('&').unwrap_or((token, ""));
        let _ = std::fs::remove_dir_all(state);
        let beginning = beginning.to_owned();
        Server { address: address.parse().unwrap(), token: token.to_owned(), beginning, child, output }
    }

    /// Sends a request as it stands; a connection from which the answer can be read.
    pub fn send(&self, request: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        stream
    }

    /// Status and body of the answer; the server may close without one.
    pub fn ask(&self, request: &str) -> (u16, String) {
        let mut text = Vec::new();
        let _ = self.send(request).read_to_end(&mut text);
        let text = String::from_utf8_lossy(&text).into_owned();
        let status = text.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        (status, text.split_once("\r\n\r\n").map_or(String::new(), |(_, body)| body.to_owned()))
    }

    pub fn headers(&self) -> String {
        format!("Host: {}\r\nConnection: close\r\nX-Kroon-Token: {}\r\n", self.address, self.token)
    }

    pub fn get(&self, path: &str) -> (u16, String) {
        self.ask(&format!("GET {path} HTTP/1.1\r\n{}\r\n", self.headers()))
    }

    pub fn post(&self, path: &str, body: &str) -> (u16, String) {
        let length = body.len();
        self.ask(&format!("POST {path} HTTP/1.1\r\n{}Content-Length: {length}\r\n\r\n{body}", self.headers()))
    }
}

impl Server {
    /// Orders something of a session.
    pub fn go(&self, session: &str, order: &Value) -> (u16, String) {
        self.post(&format!("/api/engine/{session}/go"), &order.to_string())
    }

    /// Ends the server as Ctrl-C does, and waits for it.
    #[cfg(unix)]
    pub fn interrupt(&mut self) -> std::process::ExitStatus {
        use rustix::process::{Pid, Signal, kill_process};
        kill_process(Pid::from_child(&self.child), Signal::INT).unwrap();
        self.child.wait().unwrap()
    }
}

/// The data of the next event of this kind.
pub fn event_of(stream: &mut impl BufRead, wanted: &str) -> Value {
    loop {
        let (kind, data) = event(stream);
        if kind == wanted {
            return serde_json::from_str(&data).unwrap();
        }
        assert_eq!(kind, "info", "{data}");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The next event of a stream: its kind and its data.
pub fn event(stream: &mut impl BufRead) -> (String, String) {
    let (mut kind, mut line) = (String::new(), String::new());
    loop {
        line.clear();
        assert_ne!(stream.read_line(&mut line).unwrap(), 0, "the stream has ended");
        if let Some(name) = line.trim_end().strip_prefix("event: ") {
            kind = name.to_owned();
        } else if let Some(data) = line.trim_end().strip_prefix("data: ") {
            return (kind, data.to_owned());
        }
    }
}

/// A new session: its stream of events, and its name.
pub fn open(server: &Server) -> (BufReader<TcpStream>, String) {
    let request =
        format!("GET /api/engine?token={} HTTP/1.1\r\nHost: {}\r\n\r\n", server.token, server.address);
    let mut stream = BufReader::new(server.send(&request));
    let (kind, name) = event(&mut stream);
    assert_eq!(kind, "session");
    (stream, name)
}
