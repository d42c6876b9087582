//! Whatever a Hub client sends, the session survives, answers every `go` with one `done`, and every line it writes is one
//! that its own scanner can read.
#![no_main]

use kroon::engine::{Options, Report};
use kroon::protocol::hub::Mode;
use kroon::protocol::hub::command::{Command, parse};
use kroon::protocol::hub::reply::Reply;
use kroon::protocol::hub::scanner::scan;
use kroon::protocol::hub::session::{Action, Input, Session};
use libfuzzer_sys::fuzz_target;

/// A session, and an engine that ends its search with the line after the one that asks for it.
struct Talk {
    session: Session,
    searching: bool,
    over: bool,
    dones: usize,
}

impl Talk {
    fn feed(&mut self, input: Input<'_>) {
        for action in self.session.handle(input) {
            assert!(!self.over);
            match action {
                Action::Send(reply) => {
                    self.dones += usize::from(matches!(reply, Reply::Done { .. }));
                    assert!(scan(&reply.to_string()).expect("own line").is_some());
                }
                Action::StartSearch(request) => {
                    assert!(!self.searching && !request.game.legal_moves().is_empty());
                    self.searching = true;
                }
                Action::StopSearch | Action::PonderHit => assert!(self.searching),
                Action::Init(_) => self.feed(Input::Ready),
                Action::Exit => self.over = true,
                Action::SetOptions(_) | Action::NewGame => {}
            }
        }
    }

    fn finish_search(&mut self) {
        if std::mem::take(&mut self.searching) {
            self.feed(Input::Done(Report::default()));
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    for mode in [Mode::Protocol, Mode::Script] {
        let session = Session::new(mode, Options::default());
        let mut talk = Talk { session, searching: false, over: false, dones: 0 };
        let mut gos = 0;
        for line in String::from_utf8_lossy(bytes).lines() {
            if talk.over {
                break;
            }
            gos += usize::from(matches!(parse(line).command, Some(Command::Go(_) | Command::GoMcts(_))));
            // Feeding a line may start a search; it lasts until the next line has been fed.
            let before = talk.searching;
            talk.feed(Input::Line(line));
            if before {
                talk.finish_search();
            }
        }
        while talk.searching {
            talk.finish_search();
        }
        assert_eq!(talk.dones, gos);
        talk.feed(Input::Eof);
        assert!(talk.over);
    }
});
