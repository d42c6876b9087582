//! `kroon play` from outside: a plain HTTP client against the real server.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

struct Server {
    child: Child,
    address: SocketAddr,
    token: String,
}

impl Server {
    fn start(args: &[&str]) -> Server {
        let state = std::env::temp_dir().join(format!("kroon-web-{}-{}", std::process::id(), args.len()));
        let mut child = Command::new(env!("CARGO_BIN_EXE_kroon"))
            .args(["play", "--no-open", "--port", "0", "--hash", "1"])
            .args(args)
            .env("XDG_STATE_HOME", &state)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut url = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut url).unwrap();
        let (address, token) = url.trim().strip_prefix("http://").unwrap().split_once("/#token=").unwrap();
        let _ = std::fs::remove_dir_all(state);
        Server { address: address.parse().unwrap(), token: token.to_owned(), child }
    }

    /// Sends a request as it stands; a connection from which the answer can be read.
    fn send(&self, request: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        stream
    }

    /// Status and body of the answer; the server may close without one.
    fn ask(&self, request: &str) -> (u16, String) {
        let mut text = Vec::new();
        let _ = self.send(request).read_to_end(&mut text);
        let text = String::from_utf8_lossy(&text).into_owned();
        let status = text.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        (status, text.split_once("\r\n\r\n").map_or(String::new(), |(_, body)| body.to_owned()))
    }

    fn headers(&self) -> String {
        format!("Host: {}\r\nConnection: close\r\nX-Kroon-Token: {}\r\n", self.address, self.token)
    }

    fn get(&self, path: &str) -> (u16, String) {
        self.ask(&format!("GET {path} HTTP/1.1\r\n{}\r\n", self.headers()))
    }

    fn post(&self, path: &str, body: &str) -> (u16, String) {
        let length = body.len();
        self.ask(&format!("POST {path} HTTP/1.1\r\n{}Content-Length: {length}\r\n\r\n{body}", self.headers()))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The next event of a stream: its kind and its data.
fn event(stream: &mut impl BufRead) -> (String, String) {
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

fn open(server: &Server) -> (BufReader<TcpStream>, String) {
    let request =
        format!("GET /api/engine?token={} HTTP/1.1\r\nHost: {}\r\n\r\n", server.token, server.address);
    let mut stream = BufReader::new(server.send(&request));
    let (kind, name) = event(&mut stream);
    assert_eq!(kind, "session");
    (stream, name)
}

#[test]
fn a_game_is_played_through_the_interface() {
    let server = Server::start(&[]);
    let (status, page) = server.get("/");
    assert!(status == 200 && page.contains("/page/main.js"), "{page}");
    assert_eq!(server.get("/page/main.js").0, 200);
    let about: Value = serde_json::from_str(&server.get("/api/about").1).unwrap();
    assert_eq!(about["variants"].as_array().unwrap().len(), kroon::rules::VariantId::ALL.len());
    let (mut stream, name) = open(&server);
    let mut moves: Vec<String> = Vec::new();
    for request in 1..=6 {
        let body = json!({ "variant": "english", "moves": moves });
        let view: Value = serde_json::from_str(&server.post("/api/position", &body.to_string()).1).unwrap();
        let legal: Vec<&str> =
            view["moves"].as_array().unwrap().iter().map(|mv| mv["text"].as_str().unwrap()).collect();
        let mut go = body.clone();
        go["request"] = json!(request);
        go["options"] = json!({ "player": "greedy" });
        assert_eq!(server.post(&format!("/api/engine/{name}/go"), &go.to_string()).0, 204);
        let best = loop {
            let (kind, data) = event(&mut stream);
            let data: Value = serde_json::from_str(&data).unwrap();
            assert_eq!(data["request"], request);
            if kind == "done" {
                break data["line"]["best"].as_str().unwrap().to_owned();
            }
        };
        assert!(legal.contains(&best.as_str()), "{best} {legal:?}");
        moves.push(best);
    }
}

#[test]
fn only_the_own_page_with_the_token_is_answered() {
    let server = Server::start(&[]);
    let (address, token) = (server.address, &server.token);
    let about =
        |headers: &str| server.ask(&format!("GET /api/about HTTP/1.1\r\nConnection: close\r\n{headers}\r\n"));
    assert_eq!(about(&format!("Host: {address}\r\nX-Kroon-Token: {token}\r\n")).0, 200);
    assert_eq!(about(&format!("Host: {address}\r\n")).0, 401);
    assert_eq!(about(&format!("Host: {address}\r\nX-Kroon-Token: wrong\r\n")).0, 401);
    assert_eq!(about(&format!("Host: evil.example\r\nX-Kroon-Token: {token}\r\n")).0, 403);
    let foreign = format!("Host: {address}\r\nOrigin: http://evil.example\r\nX-Kroon-Token: {token}\r\n");
    assert_eq!(about(&foreign).0, 403);
    let own = format!("Host: {address}\r\nOrigin: http://{address}\r\nX-Kroon-Token: {token}\r\n");
    assert_eq!(about(&own).0, 200);
    let mut page = String::new();
    let _ = server
        .send(&format!("GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"))
        .read_to_string(&mut page);
    assert!(page.to_lowercase().contains("content-security-policy: default-src 'none'"), "{page}");
}

#[test]
fn nonsense_is_refused_and_the_server_goes_on() {
    let server = Server::start(&[]);
    let (_stream, name) = open(&server);
    let go = format!("/api/engine/{name}/go");
    for (path, body, expected) in [
        ("/api/position", "", 400),
        ("/api/position", "[1,2", 400),
        ("/api/position", r#"{"variant":7}"#, 400),
        ("/api/position", r#"{"variant":"chess"}"#, 422),
        ("/api/position", r#"{"variant":"english","moves":["11-99"]}"#, 422),
        ("/api/position", r#"{"variant":"english","start":"W:W1000"}"#, 422),
        (&go, r#"{"variant":"english","options":{"eval-file":"/etc/passwd"}}"#, 422),
        (&go, r#"{"variant":"english","move_time":1e99}"#, 422),
        ("/api/engine/nobody/go", r#"{"variant":"english"}"#, 404),
        ("/api/engine/nobody/stop", "{}", 404),
        ("/nowhere", "{}", 404),
        ("/api/about", "{}", 405),
    ] {
        let (status, answer) = server.post(path, body);
        assert_eq!(status, expected, "{path} {body}: {answer}");
    }
    let huge = server.post("/api/position", &"x".repeat(2 << 20)).0;
    assert!(huge == 413 || huge == 0, "{huge}");
    let mut random = 1_u64;
    for _ in 0..300 {
        random = kroon::seed::mix(random, [7]);
        let bytes: String = random.to_be_bytes().map(char::from).iter().collect();
        server.send(&format!("{bytes} /api/{bytes} HTTP/1.1\r\n\r\n"));
        server.post("/api/position", &bytes);
    }
    assert_eq!(server.get("/api/about").0, 200);
}

#[test]
fn boards_are_counted_and_a_closed_one_makes_room() {
    let server = Server::start(&["--sessions", "2"]);
    let boards = || -> u64 {
        let about: Value = serde_json::from_str(&server.get("/api/about").1).unwrap();
        about["boards"].as_u64().unwrap()
    };
    let (one, name) = open(&server);
    let (_two, _) = open(&server);
    let analyse = r#"{"variant":"russian","analyse":true}"#;
    assert_eq!(server.post(&format!("/api/engine/{name}/go"), analyse).0, 204);
    let third = format!("GET /api/engine?token={} HTTP/1.1\r\n{}\r\n", server.token, server.headers());
    let (status, answer) = server.ask(&third);
    assert!(status == 503 && answer.contains("2 boards"), "{status} {answer}");
    assert_eq!(boards(), 2);
    drop(one);
    // The server notices by the comment that it sends every second; the wait is for a loaded machine.
    for _ in 0..600 {
        if boards() == 1 {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("the closed board is still open");
}
