//! Arbitrary lines from a Hub client: the session does not panic, answers each `go` with one `done`, and writes only
//! lines that its own scanner reads.
#![no_main]

use kroon::engine::Report;
use kroon::protocol::hub::{HubConfig, HubMode};
use kroon::protocol::hub::command::{HubCommand, parse};
use kroon::protocol::hub::reply::Reply;
use kroon::protocol::hub::scanner::scan;
use kroon::protocol::hub::session::{HubAction, HubInput, HubSession};
use libfuzzer_sys::fuzz_target;

/// A session, and an engine that ends its search with the line after the one that asks for it.
struct Talk {
    session: HubSession,
    searching: bool,
    over: bool,
    dones: usize,
}

impl Talk {
    fn feed(&mut self, input: HubInput<'_>) {
        for action in self.session.handle(input) {
            assert!(!self.over);
            match action {
                HubAction::Send(reply) => {
                    self.dones += usize::from(matches!(reply, Reply::Done { .. }));
                    assert!(scan(&reply.to_string()).expect("own line").is_some());
                }
                HubAction::StartSearch(request) => {
                    assert!(!self.searching && !request.game.legal_moves().is_empty());
                    self.searching = true;
                }
                HubAction::StopSearch | HubAction::PonderHit => assert!(self.searching),
                HubAction::Init(_) => self.feed(HubInput::Ready),
                HubAction::Exit => self.over = true,
                HubAction::SetOptions(_) | HubAction::NewGame => {}
            }
        }
    }

    fn finish_search(&mut self) {
        if std::mem::take(&mut self.searching) {
            self.feed(HubInput::Done(Report::default()));
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    for mode in [HubMode::Protocol, HubMode::Script] {
        let session = HubSession::new(HubConfig { mode, ..HubConfig::default() });
        let mut talk = Talk { session, searching: false, over: false, dones: 0 };
        let mut gos = 0;
        for line in String::from_utf8_lossy(bytes).lines() {
            if talk.over {
                break;
            }
            gos += usize::from(matches!(parse(line).command, Some(HubCommand::Go(_) | HubCommand::GoMcts(_))));
            // Feeding a line may start a search; it lasts until the next line has been fed.
            let before = talk.searching;
            talk.feed(HubInput::Line(line));
            if before {
                talk.finish_search();
            }
        }
        while talk.searching {
            talk.finish_search();
        }
        // A script has nothing to search after a refused position.
        assert!(talk.dones == gos || (mode == HubMode::Script && talk.dones < gos));
        talk.feed(HubInput::Eof);
        assert!(talk.over);
    }
});
