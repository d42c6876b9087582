//! The transport of a Hub session: threads and pipes.

use kroon::engine::{Engine, Options, Report, Request, Searcher};
use kroon::protocol::hub::transport::serve;
use kroon::protocol::hub::{HubConfig, HubMode, SessionEnd};
use kroon::score::Score;
use kroon::search::{Control, Info, Observer};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::thread::{self, JoinHandle, sleep};
use std::time::Duration;

/// A search that is told what to do by its depth limit: `depth=n` gives n variations as fast as it can and ends;
/// without a limit it does so until it is stopped; `nodes=1` panics.
struct Fake;

impl Searcher for Fake {
    fn go(&mut self, request: &Request, control: &Control, observer: &mut dyn Observer) -> Report {
        assert_ne!(request.limits.nodes, Some(1), "asked to panic");
        let last = request.limits.depth.unwrap_or(u32::MAX);
        let best = request.game.legal_moves()[0];
        let mut depth = 0;
        loop {
            depth += 1;
            let pv = vec![best];
            let score = Score::DRAW;
            let info = Info {
                rank: 1,
                depth,
                mean_depth: 1.0,
                score,
                winrate: None,
                nodes: 1,
                time: Duration::from_millis(1),
                pv,
            };
            observer.info(&info);
            if depth == last || control.is_stopped() {
                return Report { best: Some(best), info: Some(info), ..Report::default() };
            }
            if request.limits.depth.is_none() {
                sleep(Duration::from_millis(1));
            }
        }
    }

    fn set_options(&mut self, _: Options) {}

    fn new_game(&mut self) {}
}

/// The client's ends of the pipes.
struct Client {
    input: Option<io::PipeWriter>,
    output: BufReader<io::PipeReader>,
    session: JoinHandle<io::Result<SessionEnd>>,
}

impl Client {
    fn new(mode: HubMode) -> Client {
        Client::with(mode, |_| Fake)
    }

    fn with<S: Searcher + 'static>(mode: HubMode, make: impl Fn(Options) -> S + Send + 'static) -> Client {
        let (theirs, input) = io::pipe().unwrap();
        let (output, ours) = io::pipe().unwrap();
        let session =
            thread::spawn(move || serve(HubConfig { mode, ..HubConfig::default() }, make, theirs, ours));
        Client { input: Some(input), output: BufReader::new(output), session }
    }

    fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.input.as_mut().unwrap().write_all(bytes.as_ref()).unwrap();
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        assert!(line.ends_with('\n'), "the session has ended");
        line.trim_end().to_owned()
    }

    /// All lines up to and including one that begins like this.
    fn until(&mut self, start: &str) -> Vec<String> {
        let mut lines = vec![self.line()];
        while !lines.last().unwrap().starts_with(start) {
            lines.push(self.line());
        }
        lines
    }

    /// The rest of the output, once the session has ended by itself or at the end of the input.
    fn rest(mut self) -> String {
        drop(self.input.take());
        let rest = io::read_to_string(&mut self.output).unwrap();
        self.session.join().unwrap().unwrap();
        rest
    }
}

/// Says by its nodes whether time counts from its call (1) or from before (2).
struct Since;

impl Searcher for Since {
    fn go(&mut self, request: &Request, control: &Control, observer: &mut dyn Observer) -> Report {
        let pv = vec![request.game.legal_moves()[0]];
        let nodes = 1 + u64::from(control.start().is_some());
        let (score, time) = (Score::DRAW, Duration::ZERO);
        let info = Info { rank: 1, depth: 1, mean_depth: 1.0, score, winrate: None, nodes, time, pv };
        observer.info(&info);
        Report { best: Some(info.pv[0]), info: Some(info), ..Report::default() }
    }

    fn set_options(&mut self, _: Options) {}

    fn new_game(&mut self) {}
}

#[test]
fn the_clock_of_a_client_runs_while_the_engine_gets_ready_and_that_of_a_script_does_not() {
    for (mode, nodes) in [(HubMode::Script, " nodes=1 "), (HubMode::Protocol, " nodes=2 ")] {
        let mut client = Client::with(mode, |_| Since);
        client.send("go\n");
        let lines = client.until("done");
        assert!(lines[0].contains(nodes), "{lines:?}");
        client.send("quit\n");
        client.rest();
    }
}

#[test]
fn line_ends_strange_bytes_and_long_lines() {
    let mut client = Client::new(HubMode::Protocol);
    client.send(b"\xef\xbb\xbfhub\r\n");
    assert!(client.line().starts_with("id name=Kroon "));
    client.until("wait");
    client.send(b"\xff\xfe\x00 garbage\ninit\r\n");
    assert!(client.until("ready").len() <= 2);
    client.send(vec![b'x'; 3 << 20]);
    client.send("\nping\n");
    assert!(client.line().starts_with("error message=\"line of more than "));
    assert_eq!(client.line(), "pong");
    client.send("ping");
    assert_eq!(client.rest(), "pong\n");
}

#[test]
fn a_flood_of_variations_is_thinned_and_never_delays_an_answer() {
    let mut client = Client::new(HubMode::Protocol);
    client.send("hub\ninit\nlevel depth=2000\ngo think\n");
    client.until("ready");
    let lines = client.until("done");
    assert!(lines.len() < 1000, "{}", lines.len());
    assert!(lines[lines.len() - 2].starts_with("info depth=2000 "), "the last variation is always told");

    client.send("level infinite\ngo analyze\n");
    for _ in 0..20 {
        client.send("ping\n");
        client.until("pong");
    }
    // Nobody reads meanwhile.
    sleep(Duration::from_millis(20));
    client.send("stop\nping\n");
    let lines = client.until("done");
    match lines.iter().rposition(|line| line == "pong") {
        // The variation that waited, the last one of the search, the answer. A clock would measure the machine.
        Some(pong) => assert!(lines.len() - pong - 1 <= 3, "{:?}", &lines[pong..]),
        // The search has ended before the session had read on.
        None => assert_eq!(client.line(), "pong"),
    }
    client.send("quit\n");
    assert_eq!(client.rest(), "");
}

/// However late the client reads, it finds one line: some forget that they have another (py-draughts).
#[test]
#[cfg(target_os = "linux")]
fn lines_do_not_arrive_together() {
    let mut client = Client::new(HubMode::Protocol);
    client.send("hub\ninit\nlevel depth=40\ngo\n");
    let mut chunk = [0; 8192];
    let mut lines = 0;
    loop {
        sleep(Duration::from_millis([0, 1, 3][lines % 3]));
        let count = client.output.get_mut().read(&mut chunk).unwrap();
        let text = std::str::from_utf8(&chunk[..count]).unwrap();
        assert!(text.ends_with('\n') && text.matches('\n').count() == 1, "{text:?}");
        lines += 1;
        if text.starts_with("done") {
            break;
        }
    }
    assert!(lines > 10, "{lines}");
    client.send("quit\n");
    client.rest();
}

#[test]
fn a_client_that_reads_nothing_before_the_end_misses_nothing() {
    let mut client = Client::new(HubMode::Protocol);
    client.send("hub\ninit\nquit\n");
    sleep(Duration::from_millis(50));
    assert!(client.rest().ends_with("wait\nready\n"));
}

#[test]
fn the_end_of_the_input_ends_an_endless_search() {
    let mut client = Client::new(HubMode::Protocol);
    client.send("level infinite\ngo think\n");
    client.until("info");
    let rest = client.rest();
    assert!(!rest.contains("done"), "{rest}");
}

#[test]
fn a_script_is_worked_off() {
    let mut client = Client::new(HubMode::Script);
    client.send("level depth=3\ngo\npos start moves=32-28\nlevel depth=4\ngo analyze\nlevel infinite\ngo\n");
    let rest = client.rest();
    assert_eq!(rest.lines().filter(|line| line.starts_with("done move=")).count(), 3, "{rest}");
}

#[test]
fn a_fault_in_the_search_costs_no_answer() {
    let mut client = Client::new(HubMode::Protocol);
    for level in ["level nodes=1\ngo\n", "level depth=1\ngo\n"] {
        client.send(level);
        assert!(client.until("done").last().unwrap().starts_with("done move="));
    }
    client.send("quit\n");
    assert_eq!(client.rest(), "");
}

#[test]
fn the_client_goes_away() {
    let mut client = Client::new(HubMode::Protocol);
    client.send("level infinite\ngo\n");
    client.until("info");
    let Client { input, output, session } = client;
    drop(output);
    session.join().unwrap().unwrap();
    drop(input);
}

#[test]
fn the_engine_itself() {
    let mut client = Client::with(HubMode::Protocol, Engine::new);
    client.send(
        "hub\nset-param name=hash value=1\ninit\npos start moves=\"32-28 19-23\"\nlevel depth=6\ngo think\n",
    );
    client.until("ready");
    let lines = client.until("done");
    assert!(lines[0].starts_with("info depth="), "{lines:?}");
    assert!(lines.last().unwrap().starts_with("done move=28x19x23 ponder="));
    client.send("level infinite\ngo ponder\nping\n");
    client.until("pong");
    client.send("stop\nset-param name=multipv value=2\npos start\nlevel depth=4\ngo analyze\n");
    client.until("done");
    assert!(client.until("done").iter().any(|line| line.starts_with("info multipv=2 ")));
    client.send("quit\n");
    client.rest();
}

/// What cannot be read has no end that a session could take for its own.
#[test]
#[cfg(unix)]
fn an_input_that_cannot_be_read_is_an_error() {
    for words in ["", "hub"] {
        let mut program = crate::program::process(words);
        let output = program.stdin(std::fs::File::open("/").unwrap()).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{words}");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.starts_with("error: standard input: "), "{words}: {error}");
    }
}
