//! `kroon play` among hostile clients. These tests wait for long: by their name they come before most others, which use the
//! time.

use super::web_client::{Server, open};
use std::io::{Read, Write};
use std::net::TcpStream;

/// Connections that are left open at a time.
const HELD: usize = 80;

/// What a hostile client sends. None of it may be answered by more than a refusal.
fn request(server: &Server, number: usize, random: u64) -> Vec<u8> {
    let (address, token) = (server.address, &server.token);
    let own = server.headers();
    let noise: String = random.to_be_bytes().map(char::from).iter().collect();
    let post = |path: &str, body: &str| {
        format!("POST {path} HTTP/1.1\r\n{own}Content-Length: {}\r\n\r\n{body}", body.len())
    };
    let text = match number % 20 {
        0 => format!("{noise} /api/{noise} HTTP/1.1\r\n\r\n"),
        1 => post("/api/position", &noise),
        2 => post("/api/position", &"[".repeat(5_000)),
        3 => post("/api/position", &format!(r#"{{"variant":"{}"}}"#, "x".repeat(50_000))),
        4 => post("/api/position", &format!(r#"{{"variant":"english","start":"W:W{random}"}}"#)),
        5 => post(
            "/api/position",
            &format!(r#"{{"variant":"thai","moves":["{}"]}}"#, r#"1-2",""#.repeat(3_000)),
        ),
        6 => post("/api/engine/nobody/go", r#"{"variant":"english"}"#),
        7 => post("/api/engine/nobody/stop", &noise),
        8 => post("/api/ballot", r#"{"variant":"english","plies":4000000000}"#),
        9 => post("/api/position", &" ".repeat(2 << 20)),
        // Promises more than it sends.
        10 => format!("POST /api/position HTTP/1.1\r\n{own}Content-Length: 1000\r\n\r\n{noise}"),
        11 => format!("POST /api/position HTTP/1.1\r\n{own}Content-Length: 99999999999999999999\r\n\r\nx"),
        12 => format!("POST /api/position HTTP/1.1\r\n{own}Transfer-Encoding: chunked\r\n\r\nzz\r\n{noise}"),
        13 => format!("GET /api/about HTTP/1.1\r\nHost: evil.example\r\nX-Kroon-Token: {token}\r\n\r\n"),
        14 => format!("GET /api/about HTTP/1.1\r\nHost: {address}\r\nOrigin: http://evil.example\r\n\r\n"),
        15 => format!("GET /api/engine?token={random} HTTP/1.1\r\nHost: {address}\r\n\r\n"),
        16 => format!("GET /?{} HTTP/1.1\r\n{own}", "a=b&".repeat(25_000)),
        17 => format!("GET /api/about HTTP/1.1\r\n{}", "X-Header: y\r\n".repeat(4_000)),
        // A head that does not end.
        18 => format!("GET /page/../../../../etc/passwd HTTP/1.1\r\nHost: {address}\r\nX-He"),
        // A stream that nobody reads.
        _ => format!("GET /api/engine?token={token} HTTP/1.1\r\nHost: {address}\r\n\r\n"),
    };
    text.into_bytes()
}

/// Sends so many hostile requests, and answers what the first line of an honest one was in between.
fn attack(server: &Server, count: usize) {
    let mut held: Vec<TcpStream> = Vec::new();
    let mut random = 1_u64;
    for number in 0..count {
        random = kroon::seed::mix(random, [number as u64]);
        let mut stream = TcpStream::connect(server.address).unwrap();
        // The server may close while it is still being talked to.
        let _ = stream.write_all(&request(server, number, random));
        match number % 3 {
            // Gone without listening.
            0 => drop(stream),
            1 => {
                let _ = stream.set_read_timeout(Some(std::time::Duration::from_millis(2)));
                let _ = stream.read(&mut [0; 64]);
            }
            _ => held.push(stream),
        }
        if held.len() > HELD {
            held.clear();
        }
        if number % 100 == 99 {
            assert_eq!(server.get("/api/about").0, 200, "after {number} requests");
        }
    }
}

/// Memory of the server, in kilobytes.
#[cfg(target_os = "linux")]
fn memory(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// The server answers through it all, and needs no more memory than before.
#[allow(clippy::print_stderr)] // the figures are wanted of a long attack
fn withstands(count: usize) {
    let server = Server::start(&["--sessions", "6"]);
    attack(&server, 400);
    #[cfg(target_os = "linux")]
    let before = memory(&server);
    attack(&server, count);
    #[cfg(target_os = "linux")]
    {
        let after = memory(&server);
        eprintln!("{before} kB before, {after} kB after {count} hostile requests");
        assert!(after < before + (8 << 10), "{before} kB before, {after} kB after {count} requests");
    }
    // The streams that were left are noticed by the comment that goes to them every second.
    let begin = std::time::Instant::now();
    while !server.get("/api/about").1.contains(r#""boards":0"#) {
        assert!(begin.elapsed().as_secs() < 120, "boards are left open");
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    drop(open(&server));
}

#[test]
fn hostile_requests_leave_the_server_as_it_was() {
    withstands(1_500);
}

#[test]
#[ignore = "the same for longer"]
fn ten_thousand_hostile_requests_leave_the_server_as_it_was() {
    withstands(10_000);
}

/// The status of what comes until the server closes the connection.
fn given_up(server: &Server, request: &str) -> String {
    let mut text = String::new();
    let _ = server.send(request).read_to_string(&mut text);
    text.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn a_slow_head_and_a_slow_body_are_given_up() {
    let server = Server::start(&[]);
    let own = server.headers();
    let server = &server;
    std::thread::scope(|scope| {
        let head = scope.spawn(|| given_up(server, "GET / HTTP/1.1\r\nHost: x"));
        let body = format!("POST /api/position HTTP/1.1\r\n{own}Content-Length: 100\r\n\r\n{{");
        let body = scope.spawn(move || given_up(server, &body));
        assert!(!head.join().unwrap().contains("200"));
        assert!(body.join().unwrap().contains("408"));
    });
}

#[test]
fn a_slow_body_keeps_no_other_waiting() {
    let server = Server::start(&[]);
    let own = server.headers();
    let slow = server.send(&format!("POST /api/pdn/games HTTP/1.1\r\n{own}Content-Length: 100\r\n\r\n["));
    // It is given up after 15 s.
    let begun = std::time::Instant::now();
    assert_eq!(server.post("/api/pdn/game", "1. 32-28 *").0, 200);
    assert!(begun.elapsed().as_secs() < 10);
    drop(slow);
}

#[test]
fn connections_beyond_the_bound_wait_for_those_before() {
    let server = Server::start(&[]);
    // More than the server takes: the last are taken when the first are given up.
    let idle: Vec<TcpStream> = (0..300).map(|_| server.send("GET / HTTP/1.1\r\n")).collect();
    assert_eq!(server.get("/api/about").0, 200);
    drop(idle);
}
