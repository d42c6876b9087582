//! Arbitrary bytes over a DXP connection, in any pieces and at any time: the session does not panic, keeps every game,
//! sends only valid messages, and always has a deadline.
#![no_main]

use kroon::engine::Report;
use kroon::notation::dxp::DxpMove;
use kroon::notation::pdn::WriteOptions;
use kroon::protocol::dxp::fields::{Name, ThinkingTime};
use kroon::protocol::dxp::message::Message;
use kroon::protocol::dxp::schedule::{Colors, DxpSchedule};
use kroon::protocol::dxp::session::{DxpAction, UserCommand, DxpEvent, DxpInput, Role, DxpSession, DxpSettings};
use kroon::rules::VariantId;
use libfuzzer_sys::fuzz_target;
use std::time::{Duration, Instant};

struct Talk {
    session: DxpSession,
    now: Instant,
    search: Option<u64>,
    preparing: bool,
    started: usize,
    ended: usize,
    over: bool,
}

impl Talk {
    fn new(role: Role) -> Talk {
        let settings = DxpSettings {
            name: Name::new("Kroon"),
            variant: VariantId::International,
            role,
            move_time: None,
            resign: None,
            patience: Duration::from_secs(60),
        };
        let session = DxpSession::new(settings, 0);
        Talk { session, now: Instant::now(), search: None, preparing: false, started: 0, ended: 0, over: false }
    }

    fn feed(&mut self, input: DxpInput<'_>) {
        for action in self.session.handle(self.now, input) {
            assert!(!self.over);
            match action {
                DxpAction::Send(message) => {
                    let text = message.to_string();
                    assert!((1..=127).contains(&text.len()));
                    assert_eq!(text.parse::<Message>(), Ok(message));
                }
                DxpAction::Prepare => {
                    assert!(self.search.is_none() && self.session.game().is_none() && !self.preparing);
                    self.preparing = true;
                }
                DxpAction::Search(id, request) => {
                    assert!(!request.game.legal_moves().is_empty() && request.limits.is_bounded());
                    assert!(self.search.replace(id).is_none());
                }
                DxpAction::StopSearch => assert!(self.search.take().is_some()),
                DxpAction::Tell(DxpEvent::GameStarted { .. }) => self.started += 1,
                DxpAction::Tell(DxpEvent::GameOver(record)) => {
                    self.ended += 1;
                    assert!(record.pdn("2020.01.02").write(WriteOptions::default()).ends_with("\n\n"));
                }
                DxpAction::Tell(_) => {}
                DxpAction::Close(_) => self.over = true,
            }
        }
        assert!(self.over || self.search.is_some() || self.preparing || self.session.deadline().is_some());
        assert_eq!(self.started, self.ended + usize::from(self.session.game().is_some()));
    }

    /// The first byte says what happens, the rest with what.
    fn happen(&mut self, chunk: &[u8]) {
        let [kind, rest @ ..] = chunk else { return };
        match kind {
            0..=2 => self.finish(),
            // A legal move.
            3..=5 => {
                let index = usize::from(rest.first().copied().unwrap_or_default());
                let Some(game) = self.session.game() else { return };
                let legal = game.legal_moves();
                if let Some(mv) = legal.get(index % legal.len().max(1)) {
                    let frame = Message::Move(DxpMove::new(*mv, 0)).to_frame();
                    self.feed(DxpInput::Bytes(&frame));
                }
            }
            6 => {
                self.now += Duration::from_millis(rest.iter().map(|&byte| u64::from(byte) * 100).sum());
                self.feed(DxpInput::Tick);
            }
            7 => self.feed(DxpInput::User(UserCommand::Resign)),
            8 => self.feed(DxpInput::User(UserCommand::Draw)),
            9 => self.feed(DxpInput::User(UserCommand::Chat(String::from_utf8_lossy(rest).into_owned()))),
            10 => self.feed(DxpInput::Closed(Some("broken"))),
            // A request for a game, which chance seldom hits.
            11 => {
                let colour = if rest.len() % 2 == 0 { 'W' } else { 'Z' };
                self.feed(DxpInput::Bytes(format!("R01{:<32}{colour}001003A\0", "Fuzz").as_bytes()));
            }
            12 => self.feed(DxpInput::Bytes(format!("A{:<32}{}\0", "Fuzz", rest.len() % 4).as_bytes())),
            _ => self.feed(DxpInput::Bytes(rest)),
        }
    }

    /// Ends what the engine is doing.
    fn finish(&mut self) {
        if std::mem::take(&mut self.preparing) {
            self.feed(DxpInput::Ready);
        }
        if let Some(id) = self.search.take() {
            self.feed(DxpInput::Done(id, Report::default()));
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let time = ThinkingTime::from_minutes(0.1).expect("a tenth of a minute");
    let schedule = DxpSchedule { games: 3, colors: Colors::Alternate, openings: Vec::new(), time, moves: 4 };
    for role in [Role::Follower(None), Role::Initiator(schedule)] {
        let mut talk = Talk::new(role);
        talk.feed(DxpInput::Connected);
        for chunk in bytes.split(|&byte| byte == b'\n') {
            if talk.over {
                break;
            }
            talk.happen(chunk);
        }
        // Left alone, it comes to an end by itself.
        for _ in 0..100 {
            if talk.over {
                break;
            }
            talk.finish();
            talk.now = talk.session.deadline().unwrap_or(talk.now);
            talk.feed(DxpInput::Tick);
        }
        assert!(talk.over);
        assert_eq!(talk.started, talk.ended);
    }
});
