//! Random input to a Hub session: no panic, one `done` for each `go`, one `pong` for each `ping`.

use crate::hub_talk::{START, Talk};
use kroon::protocol::hub::HubMode;
use proptest::prelude::*;

const LINES: [&str; 34] = [
    "hub",
    "init",
    "set-param name=variant value=normal",
    "set-param name=variant value=english",
    "set-param name=threads value=2",
    "set-param name=hash value=-1",
    "set-param name=multipv value=3",
    "set-param name=book value=\"\"",
    "set-param",
    "new-game",
    "pos start",
    "pos start moves=\"32-28 19-23 28x19\"",
    "pos start moves=\"11-15 23-19\"",
    "pos fen=\"W:W31-50:B1-20\"",
    "pos fen=W:W:BK3",
    "pos fen=B:BK3,1:W32,50",
    "pos pos=Wbbb",
    "pos",
    "level depth=5",
    "level nodes=1e6 depth=x",
    "level time=1,5 inc=-2 moves=3",
    "level move-time=1e-05",
    "level infinite",
    "level =3",
    "level handicap=1",
    "go",
    "go think",
    "go ponder",
    "go analyze",
    "stop",
    "ponder-hit",
    "ping",
    "nonsense \"",
    "",
];

fn line() -> impl Strategy<Value = String> {
    let real = prop::sample::select(&LINES[..]).prop_map(str::to_owned);
    let cut = (prop::sample::select(&LINES[..]), any::<prop::sample::Index>())
        .prop_map(|(line, at)| line[..at.index(line.len() + 1)].to_owned());
    let doubled = (prop::sample::select(&LINES[..]), prop::sample::select(&LINES[..]))
        .prop_map(|(one, other)| format!("{one} {other}"));
    let values = (prop::sample::select(&LINES[..]), "[-0-9.,eE+naif\"= ]{0,12}")
        .prop_map(|(line, value)| format!("{}={value}", line.split('=').next().unwrap_or(line)));
    let board =
        ("[WBwbx]", "[wbWBe]{0,4}").prop_map(|(side, part)| format!("pos pos={side}{}", part.repeat(13)));
    let bytes = prop::collection::vec(any::<u8>(), 0..80)
        .prop_map(|bytes| String::from_utf8_lossy(&bytes).replace('\n', " "));
    prop_oneof![6 => real, 1 => cut, 1 => doubled, 1 => values, 1 => board, 1 => bytes]
}

/// What happens next.
#[derive(Clone, Debug)]
enum Event {
    Line(String),
    Info,
    Finish,
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let event =
        prop_oneof![8 => line().prop_map(Event::Line), 1 => Just(Event::Info), 2 => Just(Event::Finish)];
    prop::collection::vec(event, 0..60)
}

fn happen(talk: &mut Talk, events: Vec<Event>) {
    for event in events {
        match event {
            Event::Line(line) => drop(talk.say(&line)),
            Event::Info if talk.search.is_some() => drop(talk.info(3)),
            Event::Finish if talk.search.is_some() => drop(talk.finish()),
            Event::Info | Event::Finish => {}
        }
        assert!(talk.dones <= talk.gos);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_session_survives_anything(slow: bool, events in events()) {
        let mut talk = Talk::new(HubMode::Protocol);
        talk.slow = slow;
        happen(&mut talk, events);
        prop_assert_eq!(talk.say("ping"), ["pong"]);
        while talk.search.is_some() {
            talk.finish();
        }
        prop_assert_eq!(talk.say("ping"), ["pong"]);
        let pos = format!("pos pos={START}");
        talk.say_all(&["set-param name=variant value=normal", &pos, "level depth=1", "go"]);
        prop_assert_eq!(talk.finish().len(), 2);
        prop_assert_eq!(talk.dones, talk.gos);
        talk.eof();
        prop_assert!(talk.is_over());
    }

    #[test]
    fn a_script_ends(slow: bool, events in events()) {
        let mut talk = Talk::new(HubMode::Script);
        talk.slow = slow;
        happen(&mut talk, events);
        if !talk.is_over() {
            talk.eof();
        }
        while talk.search.is_some() && !talk.is_over() {
            talk.finish();
        }
        prop_assert!(talk.is_over());
    }
}

#[test]
fn long_lines() {
    let mut talk = Talk::ready();
    let many = "32-28 ".repeat(150_000);
    for line in [
        "x".repeat(3 << 20),
        format!("pos start moves=\"{many}\""),
        "go ".repeat(300_000),
        "\"".repeat(1 << 20),
    ] {
        for answer in talk.say(&line) {
            assert!(answer.len() < 300);
        }
        while talk.search.is_some() {
            talk.finish();
        }
        assert_eq!(talk.say("ping"), ["pong"]);
    }
}
