//! Two DXP sessions on a simulated connection, with a simulated clock and players that move at random.

use kroon::board::Move;
use kroon::engine::{Report, Request};
use kroon::game::Game;
use kroon::notation::dxp::DxpMove;
use kroon::protocol::dxp::fields::{Name, ThinkingTime};
use kroon::protocol::dxp::message::{AcceptCode, Message};
use kroon::protocol::dxp::record::{DxpEnding, Record};
use kroon::protocol::dxp::schedule::{Colors, DxpSchedule};
use kroon::protocol::dxp::session::{Closing, DxpAction, DxpEvent, DxpInput, DxpSession, DxpSettings, Role};
use kroon::rules::VariantId;
use kroon::score::Score;
use kroon::search::Info;
use std::time::{Duration, Instant};

pub const PATIENCE: Duration = Duration::from_secs(60);

pub fn settings(name: &str, role: Role) -> DxpSettings {
    DxpSettings {
        name: Name::new(name),
        variant: VariantId::International,
        role,
        move_time: None,
        resign: None,
        patience: PATIENCE,
    }
}

pub fn schedule(games: u32, minutes: f64, moves: u16) -> DxpSchedule {
    let time = ThinkingTime::from_minutes(minutes).unwrap();
    DxpSchedule { games, colors: Colors::Alternate, openings: Vec::new(), time, moves }
}

/// A session, what it wants done, and what it has said.
pub struct Peer {
    pub session: DxpSession,
    pub search: Option<(u64, Box<Request>)>,
    /// Whether its engine is getting ready.
    pub preparing: bool,
    /// The score that its searches report.
    pub score: Score,
    pub sent: Vec<Message>,
    pub started: usize,
    pub records: Vec<Record>,
    pub notices: Vec<String>,
    pub chats: Vec<String>,
    pub closing: Option<Closing>,
    random: u64,
}

impl Peer {
    pub fn new(settings: DxpSettings) -> Peer {
        Peer {
            session: DxpSession::new(settings, 0),
            search: None,
            preparing: false,
            score: Score::DRAW,
            sent: Vec::new(),
            started: 0,
            records: Vec::new(),
            notices: Vec::new(),
            chats: Vec::new(),
            closing: None,
            random: 1,
        }
    }

    /// Feeds the session, checks what must always hold, and returns the bytes that it sends.
    pub fn feed(&mut self, now: Instant, input: DxpInput<'_>) -> Vec<u8> {
        let mut bytes = Vec::new();
        for action in self.session.handle(now, input) {
            assert!(self.closing.is_none(), "something after the end: {action:?}");
            match action {
                DxpAction::Send(message) => {
                    let begins = matches!(
                        message,
                        Message::GameRequest(_) | Message::GameAccept { code: AcceptCode::Accepted, .. }
                    );
                    assert!(!begins || !self.preparing, "a clock may run before the engine is ready");
                    let text = message.to_string();
                    assert!((1..=127).contains(&text.len()), "{text}");
                    assert_eq!(text.parse::<Message>().as_ref(), Ok(&message));
                    bytes.extend(message.to_frame());
                    self.sent.push(message);
                }
                DxpAction::Prepare => {
                    assert!(self.search.is_none() && !self.preparing);
                    assert!(self.session.game().is_none(), "the clock may run");
                    self.preparing = true;
                }
                DxpAction::Search(id, request) => {
                    assert!(self.search.is_none(), "two searches at once");
                    assert!(!self.preparing, "a search before the engine is ready");
                    assert!(!request.game.legal_moves().is_empty());
                    assert!(request.limits.is_bounded(), "a search without end");
                    self.search = Some((id, request));
                }
                DxpAction::StopSearch => assert!(self.search.take().is_some(), "nothing to stop"),
                DxpAction::Tell(event) => self.hear(event),
                DxpAction::Close(closing) => {
                    assert!(self.search.is_none(), "a search goes on after the end");
                    self.closing = Some(closing);
                }
            }
        }
        let over = self.closing.is_some();
        assert_eq!(over, self.session.is_over());
        // It never waits for nothing: the search will end, or time will pass.
        let waits = self.search.is_some() || self.preparing || self.session.deadline().is_some();
        assert!(over || waits, "{:?}", self.session);
        let playing = usize::from(self.session.game().is_some());
        assert_eq!(self.started, self.records.len() + playing, "a game was lost or recorded twice");
        bytes
    }

    fn hear(&mut self, event: DxpEvent) {
        match event {
            DxpEvent::GameStarted { .. } => {
                assert_eq!(self.started, self.records.len());
                self.started += 1;
            }
            DxpEvent::GameOver(record) => self.records.push(*record),
            DxpEvent::Notice(text) => self.notices.push(text),
            DxpEvent::Chat(text) => self.chats.push(text.shown()),
            DxpEvent::Moved(_) | DxpEvent::Thinking(..) | DxpEvent::WentBack(_) => {}
        }
    }

    /// A move at random.
    pub fn choose(&mut self, game: &Game) -> Move {
        let legal = game.legal_moves();
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        legal[(self.random >> 33) as usize % legal.len()]
    }

    /// The engine is ready, if it was getting ready.
    pub fn get_ready(&mut self, now: Instant) -> Vec<u8> {
        if std::mem::take(&mut self.preparing) { self.feed(now, DxpInput::Ready) } else { Vec::new() }
    }

    /// Ends the search that runs, if one does.
    pub fn finish_search(&mut self, now: Instant) -> Vec<u8> {
        let Some((id, request)) = self.search.take() else { return Vec::new() };
        let best = self.choose(&request.game);
        let info = Info {
            rank: 1,
            depth: 1,
            mean_depth: 1.0,
            score: self.score,
            winrate: None,
            nodes: 1,
            time: Duration::ZERO,
            pv: vec![best],
        };
        self.search = Some((id, request));
        let mut bytes = self.feed(now, DxpInput::Info(id, info.clone()));
        self.search = None;
        bytes.extend(self.feed(
            now,
            DxpInput::Done(id, Report { best: Some(best), info: Some(info), ..Report::default() }),
        ));
        bytes
    }
}

/// The wire.
pub struct World {
    pub now: Instant,
    pub peers: [Peer; 2],
    /// Bytes on their way to each.
    pub wires: [Vec<u8>; 2],
    /// How long searches take.
    pub pace: Duration,
}

impl World {
    pub fn new(first: DxpSettings, second: DxpSettings) -> World {
        let mut peers = [Peer::new(first), Peer::new(second)];
        peers[1].random = 77;
        World { now: Instant::now(), peers, wires: Default::default(), pace: Duration::from_millis(700) }
    }

    pub fn connect(&mut self) {
        for peer in 0..2 {
            self.feed(peer, DxpInput::Connected);
        }
    }

    pub fn feed(&mut self, peer: usize, input: DxpInput<'_>) {
        let bytes = self.peers[peer].feed(self.now, input);
        self.wires[1 - peer].extend(bytes);
    }

    /// Does the next thing: delivers bytes, ends a search, or lets time pass; false when both are through.
    pub fn step(&mut self) -> bool {
        for peer in 0..2 {
            let bytes = std::mem::take(&mut self.wires[peer]);
            if !bytes.is_empty() && self.peers[peer].closing.is_none() {
                self.feed(peer, DxpInput::Bytes(&bytes));
                return true;
            }
        }
        // Who has closed the connection is no longer there.
        for peer in 0..2 {
            if self.peers[1 - peer].closing.is_some() && self.peers[peer].closing.is_none() {
                self.feed(peer, DxpInput::Closed(None));
                return true;
            }
        }
        if let Some(peer) = (0..2).find(|&peer| self.peers[peer].preparing) {
            self.now += self.pace;
            let bytes = self.peers[peer].get_ready(self.now);
            self.wires[1 - peer].extend(bytes);
            return true;
        }
        if let Some(peer) = (0..2).find(|&peer| self.peers[peer].search.is_some()) {
            self.now += self.pace;
            let bytes = self.peers[peer].finish_search(self.now);
            self.wires[1 - peer].extend(bytes);
            return true;
        }
        let Some(wake) = self.peers.iter().filter_map(|peer| peer.session.deadline()).min() else {
            return false;
        };
        self.now = self.now.max(wake);
        for peer in 0..2 {
            self.feed(peer, DxpInput::Tick);
        }
        true
    }

    /// Steps until both are through.
    pub fn run(&mut self) {
        for _ in 0..100_000 {
            if !self.step() {
                return;
            }
        }
        panic!("no end in sight");
    }

    /// Steps until a number of moves is on the board of the first peer.
    pub fn run_to_ply(&mut self, plies: usize) {
        for _ in 0..10_000 {
            if self.peers[0].session.game().is_some_and(|game| game.moves().len() >= plies) {
                return;
            }
            assert!(self.step());
        }
        panic!("the game does not get on");
    }
}

/// A session with a game under way, against an opponent who is played by hand.
pub struct Hand {
    pub peer: Peer,
    pub now: Instant,
}

impl Hand {
    /// The session is the Follower and has this colour.
    pub fn new(settings: DxpSettings, color: char, start: &str) -> Hand {
        let mut hand = Hand { peer: Peer::new(settings), now: Instant::now() };
        hand.peer.feed(hand.now, DxpInput::Connected);
        hand.say(&format!("R01{:<32}{color}{start}", "Hand"));
        hand
    }

    pub fn follower(color: char) -> Hand {
        Hand::new(settings("Kroon", Role::Follower(None)), color, "005075A")
    }

    /// The opponent says something; returns what the session answers.
    pub fn say(&mut self, text: &str) -> Vec<String> {
        let said = self.peer.sent.len();
        self.peer.feed(self.now, DxpInput::Bytes(format!("{text}\0").as_bytes()));
        self.said_since(said)
    }

    pub fn said_since(&self, said: usize) -> Vec<String> {
        self.peer.sent[said..].iter().map(Message::to_string).collect()
    }

    /// The engine is ready for the next game.
    pub fn ready(&mut self) -> Vec<String> {
        let said = self.peer.sent.len();
        assert!(self.peer.preparing);
        self.peer.get_ready(self.now);
        self.said_since(said)
    }

    pub fn think(&mut self) -> Vec<String> {
        let said = self.peer.sent.len();
        self.peer.finish_search(self.now);
        self.said_since(said)
    }

    pub fn wait(&mut self, time: Duration) -> Vec<String> {
        let said = self.peer.sent.len();
        self.now += time;
        self.peer.feed(self.now, DxpInput::Tick);
        self.said_since(said)
    }

    /// The opponent makes some move.
    pub fn play(&mut self) -> Vec<String> {
        let game = self.peer.session.game().unwrap().clone();
        let mv = self.peer.choose(&game);
        self.say(&DxpMove::new(mv, 0).to_string())
    }

    pub fn ending(&self) -> DxpEnding {
        self.peer.records.last().unwrap().ending.clone()
    }
}

/// The fifty squares of a GAMEREQ.
pub fn squares(pieces: &[(usize, char)]) -> String {
    let mut text = vec!['e'; 50];
    for &(number, piece) in pieces {
        text[number - 1] = piece;
    }
    text.into_iter().collect()
}
