//! How quickly the board in the browser is answered: `cargo bench --bench web`.
//!
//! Starts the program that the build made, or the one that the environment variable `KROON` names, and talks with it as
//! a browser does, on one connection that stays open:
//!
//! - from the start of the program to the first byte of the page;
//! - from a click to the new position, while the engine analyses on all threads: the search is stopped, the position
//!   asked for, the next search begun.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const STARTS: usize = 10;
const CLICKS: usize = 300;
/// Between two clicks: the search is deep in its work.
const PAUSE: Duration = Duration::from_millis(100);

/// The program and a connection to it.
struct Server {
    child: Child,
    head: String,
    address: String,
    token: String,
    stream: BufReader<TcpStream>,
}

impl Server {
    fn start() -> Server {
        let program = std::env::var("KROON").unwrap_or_else(|_| env!("CARGO_BIN_EXE_kroon").to_owned());
        let mut child = Command::new(program)
            .args(["play", "--no-open", "--port", "0"])
            .env("XDG_STATE_HOME", std::env::temp_dir().join("kroon-web-bench"))
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program");
        let mut url = String::new();
        BufReader::new(child.stdout.as_mut().expect("a pipe")).read_line(&mut url).expect("an address");
        let url = url.trim().strip_prefix("http://").expect("an address");
        let (address, token) = url.split_once("/#token=").expect("a token");
        let stream = TcpStream::connect(address).expect("a connection");
        stream.set_nodelay(true).expect("a socket");
        let head = format!("Host: {address}\r\nX-Kroon-Token: {token}\r\n");
        let (address, token) = (address.to_owned(), token.to_owned());
        Server { child, head, address, token, stream: BufReader::new(stream) }
    }

    /// Sends a request and reads the answer to its end.
    fn ask(&mut self, method: &str, path: &str, body: &str) -> Vec<u8> {
        let length = body.len();
        let head = &self.head;
        let request = format!("{method} {path} HTTP/1.1\r\n{head}Content-Length: {length}\r\n\r\n{body}");
        self.stream.get_mut().write_all(request.as_bytes()).expect("the server listens");
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line).expect("a line");
            let line = line.trim().to_ascii_lowercase();
            if let Some(text) = line.strip_prefix("content-length:") {
                length = text.trim().parse().expect("a number");
            }
            if line.is_empty() {
                break;
            }
        }
        let mut answer = vec![0; length];
        self.stream.read_exact(&mut answer).expect("an answer");
        answer
    }

    /// Opens a session whose events are read and forgotten; its name.
    fn session(&self) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("a connection");
        let request =
            format!("GET /api/engine?token={} HTTP/1.1\r\nHost: {}\r\n\r\n", self.token, self.address);
        stream.write_all(request.as_bytes()).expect("the server listens");
        let mut lines = BufReader::new(stream).lines().map(|line| line.expect("a line"));
        assert!(lines.any(|line| line == "event: session"), "no session");
        let name = lines.next().and_then(|line| line.strip_prefix("data: ").map(str::to_owned));
        std::thread::spawn(move || lines.for_each(drop));
        name.expect("a name")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The middle, the slow ones and the slowest.
#[allow(clippy::print_stdout)] // a benchmark is its output
fn tell(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "{what:<44} {:>4} times: median {:>6.2} ms, 99 % {:>6.2} ms, slowest {:>6.2} ms",
        times.len(),
        at(0.5),
        at(0.99),
        at(1.0)
    );
}

fn starts() {
    let times = (0..STARTS).map(|_| {
        let begin = Instant::now();
        let mut server = Server::start();
        assert!(!server.ask("GET", "/", "").is_empty());
        begin.elapsed()
    });
    tell("start to the page", times.collect());
}

fn clicks() {
    let mut server = Server::start();
    let name = server.session();
    let about: Value = serde_json::from_slice(&server.ask("GET", "/api/about", "")).expect("JSON");
    let mut line = json!({ "variant": "international", "moves": [], "want": "analysis" });
    let (mut shown, mut whole) = (Vec::new(), Vec::new());
    for number in 0..CLICKS {
        sleep(PAUSE);
        let begin = Instant::now();
        server.ask("POST", &format!("/api/engine/{name}/stop"), "{}");
        let view = server.ask("POST", "/api/position", &line.to_string());
        shown.push(begin.elapsed());
        server.ask("POST", &format!("/api/engine/{name}/go"), &line.to_string());
        whole.push(begin.elapsed());
        let view: Value = serde_json::from_slice(&view).expect("JSON");
        let legal = view["moves"].as_array().expect("moves");
        let moves = line["moves"].as_array_mut().expect("a list");
        match legal.get(number % legal.len().max(1)) {
            Some(mv) => moves.push(mv["text"].clone()),
            None => moves.clear(),
        }
    }
    tell(&format!("click to the position, {} threads at work", about["threads"]), shown);
    tell("click to the order for the next search", whole);
}

fn main() {
    starts();
    clicks();
}
