//! The client's side of the Hub protocol for tests: a session without input or output, and an engine that searches
//! until it is told to end.

use kroon::engine::{Options, Report, Request};
use kroon::notation::hub::format_move;
use kroon::protocol::hub::command::{HubCommand, parse};
use kroon::protocol::hub::session::{HubAction, HubInput, HubSession};
use kroon::protocol::hub::{HubConfig, HubMode};
use kroon::score::Score;
use kroon::search::Info;
use std::time::Duration;

/// The position in which every game starts, as clients write it.
pub const START: &str = "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww";

/// A session and the engine behind it.
pub struct Talk {
    session: HubSession,
    /// The running search.
    pub search: Option<Request>,
    /// The last search that was started.
    pub last: Option<Request>,
    /// What was done besides writing: `options`, `new-game`, `search`, `stop`, `ponder-hit`, `exit`.
    pub deeds: Vec<&'static str>,
    /// The options that the engine was given last.
    pub options: Options,
    /// Whether a search goes on after it was told to stop, until [`Talk::finish`].
    pub slow: bool,
    /// Searches that were started.
    pub searches: usize,
    /// Lines `go` that were sent.
    pub gos: usize,
    /// Answers `done`.
    pub dones: usize,
}

impl Talk {
    pub fn new(mode: HubMode) -> Talk {
        let options = Options::default();
        Talk {
            session: HubSession::new(HubConfig { mode, ..HubConfig::default() }),
            search: None,
            last: None,
            deeds: Vec::new(),
            options,
            slow: false,
            searches: 0,
            gos: 0,
            dones: 0,
        }
    }

    /// A session past `hub` and `init`.
    pub fn ready() -> Talk {
        let mut talk = Talk::new(HubMode::Protocol);
        talk.say("hub");
        assert_eq!(talk.say("init"), ["ready"]);
        talk
    }

    /// Sends a line; answers what came back.
    pub fn say(&mut self, line: &str) -> Vec<String> {
        self.gos +=
            usize::from(matches!(parse(line).command, Some(HubCommand::Go(_) | HubCommand::GoMcts(_))));
        let actions = self.session.handle(HubInput::Line(line));
        self.perform(actions)
    }

    /// Sends several lines; answers all that came back.
    pub fn say_all(&mut self, lines: &[&str]) -> Vec<String> {
        lines.iter().flat_map(|line| self.say(line)).collect()
    }

    /// The input ends.
    pub fn eof(&mut self) -> Vec<String> {
        let actions = self.session.handle(HubInput::Eof);
        self.perform(actions)
    }

    /// Whether a script was told of an error.
    pub fn has_failed(&self) -> bool {
        self.session.has_failed()
    }

    /// Whether the session is over.
    pub fn is_over(&self) -> bool {
        self.deeds.last() == Some(&"exit")
    }

    /// A variation is found; the search goes on.
    pub fn info(&mut self, depth: u32) -> Vec<String> {
        let info = self.variation(depth);
        let actions = self.session.handle(HubInput::Info(info));
        self.perform(actions)
    }

    /// The search ends by itself; before that it finds its variation.
    pub fn finish(&mut self) -> Vec<String> {
        let mut lines = self.info(11);
        let info = self.variation(11);
        self.search = None;
        let report = Report {
            best: Some(info.pv[0]),
            ponder: info.pv.get(1).copied(),
            info: Some(info),
            ..Report::default()
        };
        lines.extend(self.end(report));
        lines
    }

    /// The search ends with this.
    pub fn end(&mut self, report: Report) -> Vec<String> {
        self.search = None;
        let actions = self.session.handle(HubInput::Done(report));
        self.perform(actions)
    }

    /// The first legal moves, one after another.
    pub fn variation(&self, depth: u32) -> Info {
        let mut game = self.search.as_ref().expect("a search runs").game.clone();
        let mut pv = Vec::new();
        while let (true, Some(&mv)) = (pv.len() < 2, game.legal_moves().first()) {
            pv.push(mv);
            game.play(mv).unwrap();
        }
        Info {
            rank: 1,
            depth,
            mean_depth: 12.3,
            score: Score::from_centi(2),
            winrate: None,
            nodes: 120_412,
            time: Duration::from_millis(21),
            pv,
        }
    }

    /// The `done` line that [`Talk::finish`] would give now.
    pub fn expected_done(&self) -> String {
        let pv = self.variation(1).pv;
        let board = self.session.game().variant().rules().board;
        let ponder = pv.get(1).map(|&mv| format!(" ponder={}", format_move(board, mv)));
        format!("done move={}{}", format_move(board, pv[0]), ponder.unwrap_or_default())
    }

    fn perform(&mut self, actions: Vec<HubAction>) -> Vec<String> {
        let mut lines = Vec::new();
        for action in actions {
            assert!(!self.is_over(), "nothing may follow the end: {action:?}");
            match action {
                HubAction::Send(reply) => {
                    let line = reply.to_string();
                    assert_profile(&line);
                    self.dones += usize::from(line.starts_with("done"));
                    lines.push(line);
                }
                HubAction::SetOptions(options) => {
                    self.options = *options;
                    self.deeds.push("options");
                }
                HubAction::NewGame => self.deeds.push("new-game"),
                HubAction::Init(_) => {
                    let actions = self.session.handle(HubInput::Ready);
                    lines.extend(self.perform(actions));
                }
                HubAction::StartSearch(request) => {
                    assert!(self.search.is_none(), "one search at a time");
                    assert!(!request.game.legal_moves().is_empty());
                    self.deeds.push("search");
                    self.searches += 1;
                    self.last = Some((*request).clone());
                    self.search = Some(*request);
                }
                HubAction::StopSearch => {
                    assert!(self.search.is_some(), "no search to stop");
                    self.deeds.push("stop");
                    if !self.slow {
                        lines.extend(self.finish());
                    }
                }
                HubAction::PonderHit => self.deeds.push("ponder-hit"),
                HubAction::Exit => self.deeds.push("exit"),
            }
        }
        lines
    }
}

/// Splits a line as the strictest client does: at blanks outside quotes, and every piece at its one `=`.
pub fn pieces(line: &str) -> Vec<(String, String)> {
    let mut pieces = vec![String::new()];
    let mut quoted = false;
    for letter in line.chars() {
        quoted ^= letter == '"';
        if letter == ' ' && !quoted {
            pieces.push(String::new());
        } else {
            pieces.last_mut().unwrap().push(letter);
        }
    }
    assert!(!quoted, "{line}");
    let pair = |piece: &String| {
        let parts: Vec<&str> = piece.split('=').collect();
        let [name, value] = parts[..] else { panic!("{piece} in {line}") };
        (name.to_owned(), value.to_owned())
    };
    pieces[1..].iter().map(pair).collect()
}

/// Checks that a line is of the form that every known client can read.
pub fn assert_profile(line: &str) {
    assert!(!line.contains(['\n', '\r', '\t']), "{line}");
    let command = line.split(' ').next().unwrap();
    if command == "error" {
        return;
    }
    assert!(!line.contains("  "), "{line}");
    let pieces = pieces(line);
    let names: Vec<&str> = pieces.iter().map(|(name, _)| &name[..]).collect();
    for (name, value) in &pieces {
        let quoted = value.starts_with('"');
        assert!(!value.is_empty() && quoted == value.contains(' '), "{name} in {line}");
    }
    match command {
        "id" => assert_eq!(names, ["name", "version", "author", "country"]),
        "param" => {
            assert_eq!(names[..3], ["name", "value", "type"]);
            let rest: &[&str] = match &pieces[2].1[..] {
                "bool" | "string" => &[],
                "int" | "real" => &["min", "max"],
                "enum" => &["values"],
                other => panic!("{other} in {line}"),
            };
            assert_eq!(&names[3..], rest);
        }
        "info" => assert_info(&pieces, line),
        "done" => assert!(matches!(names[..], [] | ["move"] | ["move", "ponder"]), "{line}"),
        "wait" | "ready" | "pong" => assert_eq!(line, command),
        _ => panic!("{line}"),
    }
}

fn assert_info(pieces: &[(String, String)], line: &str) {
    let pieces = if pieces[0].0 == "multipv" { &pieces[1..] } else { pieces };
    // What is asked for with `wdl` comes last.
    let pieces = if let [first @ .., (winrate, _), (wdl, chances)] = pieces
        && winrate == "winrate"
        && wdl == "wdl"
    {
        let parts: Vec<u32> = chances.split('/').map(|part| part.parse().unwrap()).collect();
        assert!(parts.len() == 3 && parts.iter().sum::<u32>() == 1000, "{line}");
        first
    } else {
        pieces
    };
    let names: Vec<&str> = pieces.iter().map(|(name, _)| &name[..]).collect();
    assert_eq!(names, ["depth", "mean-depth", "score", "nodes", "time", "nps", "pv"], "{line}");
    for (name, value) in pieces {
        match &name[..] {
            "depth" | "nodes" => assert!(value.bytes().all(|b| b.is_ascii_digit()), "{line}"),
            "pv" => value
                .trim_matches('"')
                .split(' ')
                .for_each(|mv| drop(mv.parse::<kroon::notation::hub::HubMoveText>().expect(line))),
            _ => {
                let plain = value.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-'));
                assert!(plain && value.parse::<f64>().is_ok(), "{line}");
            }
        }
    }
}
