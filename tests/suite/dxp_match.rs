//! `kroon dxp` processes with real sockets: matches, and opponents with faults.

use super::program::process;
use kroon::board::Color;
use kroon::notation::pdn::{self, PdnGame};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);

fn dxp(args: &str) -> Command {
    process(&format!("dxp {args}"))
}

/// A file of this test that does not exist yet.
fn fresh_file(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("dxp");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    let _ = fs::remove_file(&path);
    path
}

fn games(path: &PathBuf) -> Vec<PdnGame> {
    let (games, faults) = pdn::read_games(&fs::read_to_string(path).unwrap());
    assert!(faults.is_empty(), "{faults:?}");
    games
}

fn tag<'a>(game: &'a PdnGame, name: &str) -> &'a str {
    game.tags.get(name).unwrap_or_default()
}

/// `kroon dxp listen` at work; ended by an order on its standard input.
struct Listener {
    child: Child,
    port: u16,
    lines: Arc<Mutex<Vec<String>>>,
    pdn: PathBuf,
}

impl Listener {
    fn new(name: &str, args: &str) -> Listener {
        let pdn = fresh_file(&format!("{name}.pdn"));
        let mut child = dxp(&format!("listen --port 0 --hash 1 --chat {args} --pdn"))
            .arg(&pdn)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut first = String::new();
        output.read_line(&mut first).unwrap();
        let port = first.trim().rsplit_once(':').unwrap().1.parse().unwrap();
        assert!(first.starts_with("listening on 127.0.0.1:"), "{first}");
        let lines: Arc<Mutex<Vec<String>>> = Arc::default();
        let seen = Arc::clone(&lines);
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                seen.lock().unwrap().push(line);
            }
        });
        Listener { child, port, lines, pdn }
    }

    fn connect(&self) -> Peer {
        Peer::new(TcpStream::connect(("127.0.0.1", self.port)).unwrap())
    }

    /// Connects, again if the one before has not left in time on a busy machine, until so many were let in.
    fn admitted(&self, times: usize) -> Peer {
        let until = Instant::now() + PATIENCE;
        loop {
            let declined = self.count("declined");
            let peer = self.connect();
            while self.count("declined") == declined {
                if self.count("connected with") >= times {
                    return peer;
                }
                assert!(Instant::now() < until, "not let in: {:#?}", self.lines.lock().unwrap());
                thread::sleep(Duration::from_millis(1));
            }
        }
    }

    fn count(&self, part: &str) -> usize {
        self.lines.lock().unwrap().iter().filter(|line| line.contains(part)).count()
    }

    /// Waits for a line with this text.
    fn wait(&self, part: &str) {
        self.wait_for(part, 1);
    }

    fn wait_for(&self, part: &str, times: usize) {
        let until = Instant::now() + PATIENCE;
        while self.count(part) < times {
            assert!(Instant::now() < until, "no \"{part}\" in {:#?}", self.lines.lock().unwrap());
            thread::sleep(Duration::from_millis(1));
        }
    }

    fn order(&mut self, line: &str) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{line}").unwrap();
    }

    /// A short match against another process.
    fn plays_on(&self) {
        let output = dxp(&format!(
            "connect 127.0.0.1 --port {} --initiator --minutes 1 --moves 4 --move-time 0.005 --hash 1",
            self.port
        ))
        .output()
        .unwrap();
        assert!(output.status.success(), "{output:?}");
        assert!(text(&output).contains("game 1 of 1 ended: *, limit of moves (4 moves)"), "{output:?}");
    }

    /// Ends it and returns what it has written.
    fn end(mut self) -> Vec<String> {
        self.order("/quit");
        let status = self.child.wait().unwrap();
        assert!(status.success());
        self.lines.lock().unwrap().clone()
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// A socket that is used by hand.
struct Peer {
    stream: BufReader<TcpStream>,
}

impl Peer {
    fn new(stream: TcpStream) -> Peer {
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Peer { stream: BufReader::new(stream) }
    }

    fn send(&mut self, bytes: &[u8]) {
        // The other side may be gone, which is what some tests are about.
        let _ = self.stream.get_mut().write_all(bytes);
    }

    fn ask(&mut self, rest: &str) {
        self.send(format!("R01{:<32}{rest}\0", "By Hand").as_bytes());
    }

    /// The next message, or nothing when the connection is closed.
    fn next(&mut self) -> String {
        let mut bytes = Vec::new();
        let _ = self.stream.read_until(0, &mut bytes);
        String::from_utf8(bytes).unwrap().trim_end_matches('\0').to_owned()
    }

    /// Says that nothing more comes, and waits until the other side closes too.
    fn leave(mut self) {
        let _ = self.stream.get_mut().shutdown(Shutdown::Write);
        let _ = self.stream.read_to_end(&mut Vec::new());
    }
}

#[test]
fn two_processes_play_a_match_and_agree() {
    let listener = Listener::new("match_follower", "--move-time 0.005 --once --name Follower");
    let pdn = fresh_file("match_initiator.pdn");
    let output = dxp(&format!("connect localhost:{}", listener.port))
        .args("--initiator --games 4 --minutes 1 --moves 40 --colour alternate".split(' '))
        .args("--move-time 0.005 --hash 1 --board --lines --name Initiator --pdn".split(' '))
        .arg(&pdn)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let shown = text(&output);
    let theirs = fs::read_to_string(&listener.pdn).unwrap();
    // Each is dated by its own process.
    let undated = |text: &str| -> Vec<String> {
        text.lines().filter(|line| !line.starts_with("[Date ")).map(str::to_owned).collect()
    };
    assert_eq!(undated(&fs::read_to_string(&pdn).unwrap()), undated(&theirs));
    let games = games(&pdn);
    assert_eq!(games.len(), 4);
    for (index, game) in games.iter().enumerate() {
        let white = if index % 2 == 0 { "Initiator" } else { "Follower" };
        assert_eq!(game.player(Color::White), Some(white));
        assert_eq!(tag(game, "Round"), (index + 1).to_string());
        let replay = game.replay().unwrap();
        assert!(replay.stopped.is_none() && replay.game().moves().len() > 20);
    }
    // What a person sees.
    for part in [
        "game 1 of 4: Initiator - Follower, 1 minute, 40 moves",
        "game 4 of 4: Follower - Initiator",
        "    1. ",
        "  1... ",
        " depth ",
        "46    47    48    49    50",
        "together        4",
        "disconnected: all games are played",
    ] {
        assert!(shown.contains(part), "no \"{part}\" in {shown}");
    }
    let until = Instant::now() + PATIENCE;
    let mut listener = listener;
    while listener.child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < until, "--once does not end it");
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn the_listener_may_ask_for_games_too() {
    let listener = Listener::new(
        "listening_initiator",
        "--initiator --games 2 --minutes 0.5 --moves 3 --move-time 0.005 --fen B:W31-50:B1-20",
    );
    for _ in 0..2 {
        let output = dxp(&format!("connect 127.0.0.1 --port {} --move-time 0.005 --hash 1", listener.port))
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        assert!(text(&output).contains("0.5 minutes"), "{output:?}");
    }
    listener.wait_for("disconnected: all games are played", 2);
    let games = games(&listener.pdn);
    assert_eq!(games.len(), 4);
    assert!(games.iter().all(|game| tag(game, "FEN").starts_with("B:")));
    // The last word is the table of all opponents.
    let mut listener = listener;
    listener.order("/quit");
    listener.wait("2 opponents:");
    listener.wait("together        4");
    assert!(listener.count("a fraction") > 0);
}

/// Each opponent is a match of its own, refusals included.
#[test]
fn what_one_opponent_refuses_is_not_held_against_the_next() {
    let mut listener = Listener::new("refused_once", "--initiator --games 1 --moves 1 --move-time 0.005");
    let mut first = listener.connect();
    for _ in 0..2 {
        while let message = first.next()
            && !message.starts_with('R')
        {
            assert_ne!(message, "", "closed");
        }
        first.send(format!("A{:<32}2\0", "No").as_bytes());
    }
    listener.wait("disconnected: 1 of 1 games were refused (code 2)");
    let output = dxp(&format!("connect 127.0.0.1 --port {} --move-time 0.005 --hash 1", listener.port));
    assert!({ output }.output().unwrap().status.success());
    listener.wait("disconnected: all games are played");
    listener.order("/quit");
    listener.wait("2 opponents:");
}

/// Making a large table takes seconds, and a game that is accepted meanwhile has a clock that runs.
#[test]
#[cfg(target_os = "linux")]
fn the_table_is_there_before_anybody_is_let_in() {
    const HASH_KB: u64 = 96 << 10;
    let mut child = dxp("listen --port 0 --hash 96").stdout(Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    let used = memory(&child);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(first.starts_with("listening on ") && used > HASH_KB, "{first}: {used} KiB");
}

#[test]
fn a_second_opponent_is_declined_politely() {
    let mut listener = Listener::new("second", "--move-time 0.05");
    let mut first = listener.connect();
    first.ask("Z000000A");
    assert!(first.next().ends_with('0'));
    let mut second = listener.connect();
    second.ask("Z000000A");
    let answer = second.next();
    assert!(answer.starts_with("AKroon") && answer.ends_with('2'), "{answer}");
    assert!(second.next().starts_with("Cbusy"));
    assert_eq!(second.next(), "");
    // One who says nothing, and many at once.
    let silent: Vec<Peer> = (0..20).map(|_| listener.connect()).collect();
    first.send(b"M0000322800\0");
    assert!(first.next().starts_with('M'));
    listener.order("good day");
    assert_eq!(first.next(), "Cgood day");
    drop(silent);
    first.send(b"E00\0");
    assert_eq!(first.next(), "E00");
    first.leave();
    listener.wait("declined, a game is being played");
    let until = Instant::now() + PATIENCE;
    while listener.count("disconnected") == 0 {
        assert!(Instant::now() < until);
        thread::sleep(Duration::from_millis(5));
    }
    thread::sleep(Duration::from_millis(100));
    listener.plays_on();
    listener.end();
}

#[test]
fn games_are_kept_when_the_opponent_vanishes_or_cheats() {
    let listener = Listener::new("vanish", "--move-time 0.2 --patience 1");
    // While we think, and while it should.
    let mut peer = listener.connect();
    peer.ask("W000000A");
    peer.next();
    drop(peer);
    listener.wait_for("disconnected", 1);
    let mut peer = listener.connect();
    peer.ask("Z000000A");
    peer.next();
    peer.send(b"M00003228");
    drop(peer);
    listener.wait_for("disconnected", 2);
    // An illegal move: told, ended, and ready for more on the same connection.
    let mut peer = listener.connect();
    peer.ask("Z000000A");
    peer.next();
    peer.send(b"M0000322200\0M0000322200\0M0000322200\0");
    assert_eq!(peer.next(), "Cerror: illegal move \"M0000322200\"");
    assert_eq!(peer.next(), "E00");
    peer.send(b"E00\0");
    peer.ask("Z000000A");
    assert!(peer.next().ends_with('0'));
    // Silence.
    assert!(peer.next().starts_with("Cerror: no move"));
    assert_eq!(peer.next(), "");
    listener.wait_for("disconnected", 3);
    // Silence from the beginning.
    let mut peer = listener.connect();
    assert_eq!(peer.next(), "");
    listener.wait("is the opponent in the other role?");
    drop(peer);
    listener.wait_for("disconnected", 4);
    let games = games(&listener.pdn);
    let ends: Vec<&str> = games.iter().map(|game| tag(game, "Termination")).collect();
    assert!(ends[0].starts_with("aborted: "), "{ends:?}");
    assert_eq!(
        ends[1..],
        [
            "aborted: the opponent closed the connection in the middle of a message",
            "aborted: illegal move \"M0000322200\"",
            "aborted: no message for 1 s",
        ]
    );
    listener.plays_on();
    listener.end();
}

#[test]
fn a_lost_connection_is_taken_up_for_the_next_game() {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = server.local_addr().unwrap().port();
    let by_hand = thread::spawn(move || {
        let mut requests = Vec::new();
        for _ in 0..2 {
            let mut peer = Peer::new(server.accept().unwrap().0);
            requests.push(peer.next());
            peer.send(format!("A{:<32}0\0", "By Hand").as_bytes());
            if requests.len() == 2 {
                peer.send(b"E10\0");
                assert_eq!(peer.next(), "E01");
            }
        }
        requests
    });
    let pdn = fresh_file("reconnect.pdn");
    let output =
        dxp(&format!("connect 127.0.0.1 --port {port} --initiator --games 2 --move-time 5 --hash 1 --pdn"))
            .arg(&pdn)
            .output()
            .unwrap();
    assert!(output.status.success(), "{output:?}");
    let requests = by_hand.join().unwrap();
    assert_eq!(requests[0], format!("R01{:<32}Z005075A", format!("Kroon {}", env!("CARGO_PKG_VERSION"))));
    assert_eq!(&requests[1][35..36], "W");
    let games = games(&pdn);
    assert_eq!(games.iter().map(|game| tag(game, "Round")).collect::<Vec<_>>(), ["1", "2"]);
    assert_eq!(tag(&games[1], "Result"), "0-2");
}

#[test]
fn failures_are_explained() {
    let fails = |args: &str, part: &str| {
        let output = dxp(args).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{args}: {output:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(part), "{args}: {error}");
    };
    // A port that was free a moment ago.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    fails(&format!("connect 127.0.0.1 --port {port}"), &format!("cannot connect to 127.0.0.1 port {port}"));
    fails(&format!("connect 127.0.0.1:{port}"), &format!("cannot connect to 127.0.0.1 port {port}"));
    fails(
        "listen --port 0 --variant english",
        "DXP knows boards of 50 squares only, english draughts has 32",
    );
    fails("listen --port 0 --pdn /", "cannot append to \"/\"");
    fails("connect x --initiator --fen W:W:B1", "--fen: ");
    fails("connect x --initiator --openings /nowhere/x.pdn", "--openings \"/nowhere/x.pdn\"");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    fails(&format!("listen --port {port}"), &format!("cannot listen on 127.0.0.1:{port}"));
    for args in [
        "listen --games 0",
        "listen --minutes 5",
        "connect x --initiator --minutes 12.5",
        "connect x --initiator --minutes -1",
        "connect x --name Kroon-with-a-name-of-33-characters",
        "connect",
        "connect x:y",
        "connect x:4000 --port 4001",
        "connect x --initiator --follower",
    ] {
        assert_eq!(dxp(args).output().unwrap().status.code(), Some(2), "{args}");
    }
}

/// Resident memory in KiB.
#[cfg(target_os = "linux")]
fn memory(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[cfg(not(target_os = "linux"))]
fn memory(_: &Child) -> u64 {
    0
}

#[test]
fn a_thousand_rounds_of_garbage_leave_no_trace() {
    const ROUNDS: usize = 1000;
    /// Growth that is forgiven, in KiB: what allocators keep.
    const SLACK: u64 = 4096;
    let listener = Listener::new("garbage", "--move-time 0.005");
    listener.plays_on();
    let mut seed = 1_u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize
    };
    let mut after_warming_up = 0;
    for round in 0..ROUNDS {
        // One match was played before.
        let mut peer = listener.admitted(round + 2);
        match round % 10 {
            0 => {}
            1 => peer.send(&(0..random() % 3000).map(|_| random() as u8).collect::<Vec<u8>>()),
            2 => peer.send(&(0..random() % 3000).map(|_| (random() % 128) as u8).collect::<Vec<u8>>()),
            3 => peer.send(&vec![b'C'; 128 + random() % 5000]),
            4 => peer.send(&b"Cflood\0".repeat(random() % 1000)),
            5 => peer.send(b"R01"),
            6 => {
                peer.ask("W000000A");
                peer.next();
                peer.send(&[0; 50]);
            }
            7 => {
                peer.ask("Z000000A");
                peer.next();
                peer.send(b"M0000322200\0");
            }
            8 => {
                peer.ask("Z000000A");
                peer.send(b"M0000322800\0B001W\0B009W\0M0000322800\0M000");
            }
            _ => peer.send(&b"M0000322800\0E00\0K0\0A\0B\0".repeat(random() % 20)),
        }
        if random() % 2 == 0 {
            peer.leave();
        }
        if round == ROUNDS / 5 {
            after_warming_up = memory(&listener.child);
        }
    }
    listener.wait_for("disconnected", ROUNDS + 1);
    let at_the_end = memory(&listener.child);
    assert!(
        at_the_end <= after_warming_up + SLACK,
        "memory grew from {after_warming_up} to {at_the_end} KiB in {} rounds",
        ROUNDS - ROUNDS / 5
    );
    listener.plays_on();
    let _ = writeln!(
        std::io::stdout(),
        "{} connections, {} declined, {} games; memory after {} rounds {after_warming_up} KiB, at the end {at_the_end} KiB",
        listener.count("connected with"),
        listener.count("declined"),
        games(&listener.pdn).len(),
        ROUNDS / 5
    );
    listener.end();
}
