//! Recorded dialogues of each known Hub client (protocol-docs/hub.md, "Clients").

use crate::hub_talk::{START, Talk, pieces};
use kroon::engine::Mode as Search;
use kroon::protocol::hub::HubMode;
use kroon::search::ClockLimit;
use std::time::Duration;

/// The published example dialogue, with our own parameters.
#[test]
fn the_example_dialogue() {
    let mut talk = Talk::new(HubMode::Protocol);
    let declared = talk.say("hub");
    assert!(declared[0].starts_with("id name=Kroon version="));
    assert_eq!(declared.last().unwrap(), "wait");
    assert!(declared[1..declared.len() - 1].iter().all(|line| line.starts_with("param name=")));
    assert!(talk.say("set-param name=tt-size value=24").is_empty());
    assert_eq!(talk.say("init"), ["ready"]);
    assert_eq!(talk.options.hash_mb, 256);
    let pos = format!("pos pos={START} moves=\"33-29 19-23\"");
    assert!(talk.say_all(&["new-game", &pos, "level time=60 inc=0.5", "go think"]).is_empty());
    let request = talk.last.clone().unwrap();
    assert_eq!(request.mode, Search::Think);
    assert_eq!(request.game.moves().len(), 2);
    let clock =
        ClockLimit { time: Duration::from_secs(60), increment: Duration::from_millis(500), moves: None };
    assert_eq!(request.limits.clock, Some(clock));
    assert_eq!(talk.info(11).len(), 1);
    assert_eq!(talk.say("ping"), ["pong"]);
    let done = talk.expected_done();
    assert_eq!(talk.finish().last(), Some(&done));

    // Pondering: another move was played, and the next search is asked for before the answer to `stop` is read.
    talk.say_all(&[
        &format!("pos pos={START} moves=\"33-29 19-23 35-30 20-25\""),
        "level time=59.4 inc=0.5",
        "go ponder",
    ]);
    assert_eq!(talk.last.as_ref().unwrap().mode, Search::Ponder);
    talk.slow = true;
    let first = talk.expected_done();
    let lines = talk.say_all(&[
        "stop",
        &format!("pos pos={START} moves=\"33-29 19-23 35-30 14-19\""),
        "level time=59.4 inc=0.5",
        "go think",
    ]);
    assert!(lines.is_empty());
    assert_eq!(talk.finish().last(), Some(&first));
    let request = talk.last.clone().unwrap();
    assert_eq!((request.mode, request.game.moves().len()), (Search::Think, 4));
    assert!(request.limits.clock.is_some());
    talk.finish();

    let lost = format!("pos pos=W{}b{}", "e".repeat(10), "e".repeat(39));
    assert_eq!(talk.say_all(&[&lost, "level depth=5", "go analyze"]), ["done"]);
    talk.say("quit");
    assert!(talk.is_over());
    assert_eq!((talk.searches, talk.dones), (3, 4));
}

/// The Hub GUI: parameters that differ, `new-game` after `ready`, bursts, a decimal comma, no `quit`.
#[test]
fn hub_gui() {
    let mut talk = Talk::new(HubMode::Protocol);
    let declared = talk.say("hub");
    // Its reader dies of a number that it cannot convert; it ponders only with a parameter of this name.
    assert!(declared.iter().any(|line| line.starts_with("param name=ponder ")));
    assert_eq!(talk.say_all(&["set-param name=threads value=2", "init"]), ["ready"]);
    assert_eq!(talk.options.threads, 2);
    talk.say_all(&["new-game", &format!("pos pos={START}"), "level moves=75 time=180,000", "go think"]);
    let clock = talk.last.as_ref().unwrap().limits.clock.unwrap();
    assert_eq!((clock.time, clock.moves), (Duration::from_secs(180), Some(75)));
    talk.finish();

    talk.say_all(&[&format!("pos pos={START} moves=33-29"), "level time=179,5 inc=2,5", "go ponder"]);
    talk.say("ponder-hit");
    assert_eq!(talk.deeds.last(), Some(&"ponder-hit"));
    talk.finish();

    talk.say_all(&[&format!("pos pos={START}"), "level infinite", "go analyze"]);
    assert!(talk.last.as_ref().unwrap().limits.infinite);
    talk.slow = true;
    let burst = [
        "stop",
        "new-game",
        "stop",
        &format!("pos pos={START} moves=32-28"),
        "level time=-3,000",
        "go think",
    ];
    assert!(talk.say_all(&burst).is_empty());
    assert_eq!(talk.finish().len(), 2);
    let request = talk.last.clone().unwrap();
    assert_eq!(request.game.moves().len(), 1);
    assert_eq!(request.limits.clock.unwrap().time, Duration::ZERO);
    assert!(talk.eof().is_empty());
    assert!(talk.is_over());
    assert_eq!((talk.searches, talk.dones), (4, 3));
}

/// pydraughts and lidraughts-bot: everything is split strictly, the whole game comes along, the increment is counted
/// out of the time.
#[test]
fn pydraughts() {
    let mut talk = Talk::new(HubMode::Protocol);
    for line in talk.say("hub") {
        let pieces = pieces(&line);
        if line.starts_with("param") {
            assert_eq!(pieces[0].0, "name");
        }
    }
    let params = [
        "set-param name=variant value=normal",
        "set-param name=initial-time value=180",
        "set-param name=style value=a b",
        "set-param name=ponder value=True",
    ];
    assert!(talk.say_all(&params).is_empty());
    assert_eq!(talk.say("init"), ["ready"]);
    let pos = format!("pos pos={START} moves=\"32-28 19-23 28x19x23 14x23x19\"");
    talk.say_all(&[&pos, "level time=-1 inc=2", "go think"]);
    let request = talk.last.clone().unwrap();
    assert_eq!(request.game.moves().len(), 4);
    let clock = request.limits.clock.unwrap();
    assert_eq!(clock.time + clock.increment, Duration::from_secs(1));
    talk.finish();
    talk.say_all(&[&pos, "level move-time=1e-05", "go think"]);
    assert_eq!(talk.last.as_ref().unwrap().limits.move_time, Some(Duration::from_micros(10)));
    let lines = talk.say("stop");
    assert!(lines.last().unwrap().starts_with("done move="));
    assert!(talk.say_all(&["stop", "ponder-hit", "quit"]).is_empty());
    assert!(talk.is_over());
}

/// py-draughts: no parameters, no history, and any `error` is a failure.
#[test]
fn py_draughts() {
    let mut talk = Talk::ready();
    for level in ["level depth=8", "level move-time=0.5"] {
        let middle = format!("pos pos=B{}", &START[1..]);
        assert!(talk.say_all(&[&middle, level, "go think"]).is_empty());
        let lines = talk.finish();
        assert!(lines[0].starts_with("info ") && lines[1].starts_with("done move="));
    }
    assert_eq!(talk.last.as_ref().unwrap().limits.move_time, Some(Duration::from_millis(500)));
}

/// draughtsnet: foreign parameters between `level` and `go`, several `level` lines, finished games, late stops.
#[test]
fn draughtsnet() {
    let mut talk = Talk::new(HubMode::Protocol);
    let declared = talk.say("hub");
    let variant = declared.iter().find(|line| line.starts_with("param name=variant ")).unwrap();
    assert!(pieces(variant).last().unwrap().1.trim_matches('"').split(' ').any(|name| name == "normal"));
    // Its reader of quotes needs a blank in every quoted value.
    for line in &declared {
        assert!(pieces(line).iter().all(|(_, value)| !value.starts_with('"') || value.contains(' ')));
    }
    let start = [
        "set-param name=threads value=4",
        "set-param name=tt-size value=22",
        "set-param name=variant value=normal",
    ];
    assert!(talk.say_all(&start).is_empty());
    assert_eq!(talk.say("init"), ["ready"]);
    assert_eq!((talk.options.threads, talk.options.hash_mb), (4, 64));

    let pos = format!("pos pos={START} moves=\"32-28 19-23 28x19x23 14x23x19\"");
    let job = [
        "new-game",
        &pos,
        "level handicap=0",
        "level ply=12",
        "level nodes=5000000",
        "set-param name=eval value=pattern",
        "set-param name=book-margin value=4",
        "set-param name=book-ply value=0",
        "level depth=9",
        "level move-time=2",
        "go think",
    ];
    assert!(talk.say_all(&job).is_empty());
    let limits = talk.last.as_ref().unwrap().limits;
    assert_eq!(
        (limits.depth, limits.nodes, limits.move_time),
        (Some(9), Some(5_000_000), Some(Duration::from_secs(2)))
    );
    assert!(!limits.infinite);
    // One stop for every further line that it reads.
    talk.slow = true;
    assert!(talk.say_all(&["stop", "stop"]).is_empty());
    assert_eq!(talk.deeds.iter().filter(|deed| **deed == "stop").count(), 1);
    assert_eq!(talk.finish().len(), 2);
    assert!(talk.say_all(&["stop", "stop"]).is_empty());

    // The late stops must not end the next search.
    talk.say_all(&[&pos, "level nodes=100", "go analyze"]);
    assert!(talk.search.is_some());
    let lines = talk.finish();
    assert!(lines[0].contains(" score=") && lines[0].starts_with("info "));

    let lost = format!("pos pos=B{}w{}", "e".repeat(10), "e".repeat(39));
    assert_eq!(talk.say_all(&["new-game", &lost, "level depth=9", "go analyze"]), ["done"]);
    // A new game in the second job only: nothing had been searched before the first.
    assert_eq!(talk.deeds.iter().filter(|deed| **deed == "new-game").count(), 1);
}

/// The analysis in the lidraughts browser: no waiting at the start, a second `init`, king-move counters, strict order.
#[test]
fn lidraughts_browser() {
    let mut talk = Talk::new(HubMode::Protocol);
    let lines = talk.say_all(&[
        "hub",
        "set-param name=variant value=normal",
        "set-param name=tt-size value=20",
        "set-param name=threads value=1",
        "init",
    ]);
    assert!(lines[0].starts_with("id name="));
    assert_eq!(lines.iter().filter(|line| *line == "ready").count(), 1);
    assert_eq!(talk.options.hash_mb, 16);
    let pos = format!("pos pos={START} moves=\"32-28\" wolf=\"W28=2 B3=1\"");
    assert!(talk.say_all(&[&pos, "level infinite", "go analyze"]).is_empty());
    let info = talk.info(3);
    let order: Vec<String> = pieces(&info[0]).into_iter().map(|(name, _)| name).collect();
    assert_eq!(order, ["depth", "mean-depth", "score", "nodes", "time", "nps", "pv"]);
    assert_eq!(talk.say("stop").len(), 2);
    assert_eq!(talk.say_all(&["set-param name=tt-size value=21", "init"]), ["ready"]);
    assert_eq!(talk.options.hash_mb, 32);
    talk.say_all(&[&pos, "level move-time=90", "level depth=18", "go analyze"]);
    let limits = talk.last.as_ref().unwrap().limits;
    assert_eq!((limits.move_time, limits.depth), (Some(Duration::from_secs(90)), Some(18)));
}

/// GWDGUI: its own kind of search, single captures in short, quotes escaped in a way that nobody reads.
#[test]
fn gwd_gui() {
    let mut talk = Talk::ready();
    let pos = format!("pos pos={START} moves=\"32-28 19-23 28x19 14x23\"");
    assert!(talk.say_all(&[&pos, "level time=60", "go mcts"]).is_empty());
    let request = talk.last.clone().unwrap();
    assert_eq!((request.game.moves().len(), request.mode), (4, Search::Think));
    talk.finish();
    let lines = talk.say("set-param name=book value=\"a \\\"quoted\\\" name\"");
    assert!(lines.len() <= 1);
    assert_eq!(talk.say("ping"), ["pong"]);
}
