//! The rules of a Hub session, one test each.

use crate::hub_talk::{START, Talk};
use kroon::engine::Report;
use kroon::protocol::hub::HubMode;
use kroon::protocol::hub::session::SCRIPT_MOVE_TIME;
use kroon::rules::VariantId;
use std::time::Duration;

#[test]
fn handshake_can_be_repeated() {
    let mut talk = Talk::ready();
    assert!(talk.say("set-param name=hash value=32").is_empty());
    assert!(talk.say("hub").contains(&"param name=hash value=32 type=int min=1 max=65536".to_owned()));
    assert_eq!(talk.say_all(&["init", "init"]), ["ready", "ready"]);
    assert_eq!(talk.deeds, ["options"], "the second init changes nothing");
}

#[test]
fn parameters_reach_the_engine_before_the_next_search() {
    let mut talk = Talk::ready();
    talk.say_all(&["set-param name=hash value=32", "set-param name=threads value=3", "level depth=1", "go"]);
    assert_eq!(talk.deeds, ["options", "search"]);
    assert_eq!((talk.options.hash_mb, talk.options.threads), (32, 3));
    assert_eq!(talk.last.as_ref().unwrap().limits.depth, Some(1), "parameters leave the limits alone");
}

#[test]
fn bad_values_are_reported_once_and_unknown_names_never() {
    let mut talk = Talk::ready();
    let lines = talk.say("set-param name=threads value=many");
    assert_eq!(lines, ["error message=\"set-param threads: 'many' is not a number\""]);
    assert_eq!(talk.say("set-param name=variant value=chess").len(), 1);
    for line in [
        "set-param name=eval value=pst",
        "set-param name=style",
        "stop",
        "ponder-hit",
        "",
        "isready",
        "pos start x=y",
    ] {
        assert!(talk.say(line).is_empty(), "{line}");
    }
    for line in ["level =3", "pos pos=\"W", "level depth=x nodes=y", "pos pos=Wbb", "set-param"] {
        let lines = talk.say(line);
        assert_eq!(lines.len(), 1, "{line}");
        assert!(lines[0].starts_with("error message=\""));
    }
}

#[test]
fn positions() {
    let mut talk = Talk::ready();
    let mut root = |line: &str| {
        let lines = talk.say_all(&[line, "level depth=1", "go"]);
        let game = talk.last.clone().unwrap().game;
        talk.finish();
        (lines, game)
    };
    let (lines, start) = root("pos start");
    assert!(lines.is_empty());
    assert_eq!(root(&format!("pos pos={START}")).1.position(), start.position());
    assert_eq!(root("pos fen=\"W:W31-50:B1-20\"").1.position(), start.position());
    assert_eq!(root("pos fen=W:W31-50:B1-20 moves=\"32-28 19-23\"").1.moves().len(), 2);

    // A wrong position leaves the old one; a wrong move leaves the moves before it.
    let (lines, game) = root("pos pos=Wbbb");
    assert_eq!((lines.len(), game.moves().len()), (1, 2));
    for bad in
        ["pos fen=W:W99:B1", "pos fen=hello", "pos fen=\"W:W1:B50\"", &format!("pos pos=Ww{}", &START[2..])]
    {
        let (lines, game) = root(bad);
        assert_eq!((lines.len(), game.moves().len()), (1, 2), "{bad}");
    }
    let (lines, game) = root("pos start moves=\"32-28 19-24 28-40 1-6\"");
    assert_eq!(lines, ["error message=\"illegal move '28-40' (move 3 of the history)\""]);
    assert_eq!(game.moves().len(), 2);
    let (lines, game) = root("pos start moves=\"32-28 hello\"");
    assert!(lines[0].contains("'hello'") && lines.len() == 1);
    assert_eq!(game.moves().len(), 1);
}

#[test]
fn limits_last_until_the_next_position_or_the_end_of_a_search() {
    let mut talk = Talk::ready();
    talk.say_all(&["level depth=5", "pos start", "level nodes=9", "level moves=40 time=60", "go"]);
    let limits = talk.last.clone().unwrap().limits;
    assert_eq!((limits.depth, limits.nodes), (None, Some(9)));
    assert_eq!(limits.clock.unwrap().moves, Some(40));
    talk.finish();
    talk.say_all(&["level handicap=2 ply=3", "go"]);
    let limits = talk.last.clone().unwrap().limits;
    assert!(
        !limits.is_bounded() && !limits.infinite,
        "nothing given: nothing limited, but not infinite either"
    );
}

#[test]
fn during_a_search() {
    let mut talk = Talk::ready();
    talk.slow = true;
    talk.say_all(&["level infinite", "go"]);
    assert_eq!(talk.say("ping"), ["pong"]);
    assert!(talk.say_all(&["", "hello", "ponder-hit"]).is_empty());
    assert_eq!(talk.say("level =3").len(), 1);
    assert_eq!(talk.deeds, ["search"], "none of these ends a search");
    assert!(talk.say("pos start moves=32-28").is_empty());
    assert_eq!(talk.deeds, ["search", "stop"]);
    let rest = [
        "level depth=3",
        "go",
        "stop",
        "set-param name=threads value=2",
        "level nodes=77",
        "go analyze",
        "ping",
    ];
    assert_eq!(talk.say_all(&rest), ["pong"]);
    let first = talk.expected_done();
    assert_eq!(talk.finish().last(), Some(&first));
    assert_eq!(talk.deeds, ["search", "stop", "search", "stop"], "the queued stop belongs to the queued go");
    let request = talk.last.clone().unwrap();
    assert_eq!((request.game.moves().len(), request.limits.depth), (1, Some(3)));
    talk.finish();
    let request = talk.last.clone().unwrap();
    assert_eq!((request.limits.nodes, request.limits.depth), (Some(77), None));
    assert_eq!(talk.options.threads, 2);
    talk.finish();
    assert_eq!((talk.searches, talk.dones), (3, 3));
}

#[test]
fn every_command_but_four_ends_a_search() {
    for line in
        ["hub", "init", "set-param name=x value=y", "pos start", "level depth=1", "go", "new-game", "quit"]
    {
        let mut talk = Talk::ready();
        talk.say_all(&["level infinite", "go"]);
        let lines = talk.say(line);
        let done = lines.iter().position(|line| line.starts_with("done")).unwrap();
        assert_eq!(done, 1, "{line}: the answer to go comes first");
        assert_eq!(talk.dones, 1, "{line}");
    }
}

#[test]
fn pondering() {
    let mut talk = Talk::ready();
    talk.say_all(&[
        "pos start moves=\"32-28 19-23\"",
        "level move-time=1",
        "go ponder",
        "ponder-hit",
        "ponder-hit",
    ]);
    assert_eq!(talk.deeds, ["search", "ponder-hit"]);
    assert!(talk.finish().last().unwrap().starts_with("done"));
    // The search may have ended before the hit arrives.
    assert!(talk.say("ponder-hit").is_empty());
    talk.say_all(&["level move-time=1", "go ponder"]);
    assert!(talk.say("stop").last().unwrap().starts_with("done"));
    assert_eq!((talk.searches, talk.dones), (2, 2));
}

#[test]
fn a_finished_game_is_answered_at_once() {
    let mut talk = Talk::ready();
    for mode in ["think", "ponder", "analyze"] {
        let go = format!("go {mode}");
        assert_eq!(talk.say_all(&["pos fen=W:W:B45,K3", "level infinite", &go]), ["done"]);
        // Blocked.
        assert_eq!(talk.say_all(&["pos fen=\"B:B31,32:W36-38,41-43\"", &go]), ["done"]);
    }
    assert_eq!(talk.searches, 0);
    // Drawn by the third occurrence, but there are moves to play.
    let shuffle = "pos fen=\"W:WK50:BK1\" moves=\"50-45 1-6 45-50 6-1 50-45 1-6 45-50 6-1\"";
    assert!(talk.say_all(&[shuffle, "level depth=4", "go analyze"]).is_empty());
    assert!(talk.last.as_ref().unwrap().game.outcome().is_some());
    assert_eq!(talk.searches, 1);
}

#[test]
fn the_answer_is_always_legal() {
    let mut talk = Talk::ready();
    talk.say_all(&["level depth=1", "go"]);
    // A search that failed altogether.
    let lines = talk.end(Report::default());
    assert_eq!(lines.len(), 1);
    assert!(lines[0].starts_with("done move=") && !lines[0].contains("ponder"));

    talk.say_all(&["level depth=1", "go"]);
    let mut info = talk.variation(3);
    let best = info.pv[0];
    info.pv = vec![best, best, best];
    let report = Report { best: Some(best), ponder: Some(best), info: Some(info), ..Report::default() };
    let lines = talk.end(report);
    assert_eq!(lines.len(), 2, "the variation is told if it was not yet");
    assert!(!lines[0].contains('"') && !lines[1].contains("ponder"), "{lines:?}");
    // Echoes change nothing.
    assert!(talk.end(Report::default()).is_empty());
}

#[test]
fn variants() {
    let mut talk = Talk::ready();
    talk.say_all(&["pos start moves=32-28", "level depth=1", "set-param name=variant value=english", "go"]);
    let request = talk.last.clone().unwrap();
    assert_eq!((request.game.variant(), request.game.moves().len()), (VariantId::English, 0));
    assert!(talk.finish().last().unwrap().starts_with("done move=9-13 ponder="));
    let pos = format!("pos pos=B{}{}{} moves=\"11-15 23-19\"", "b".repeat(12), "e".repeat(8), "w".repeat(12));
    assert!(talk.say_all(&[&pos, "level depth=1", "go"]).is_empty());
    assert_eq!(talk.last.as_ref().unwrap().game.moves().len(), 2);
    talk.finish();
    assert_eq!(talk.say(&format!("pos pos={START}")).len(), 1, "not a position of this board");
    talk.say("set-param name=variant value=normal");
    assert!(talk.say(&format!("pos pos={START}")).is_empty());
    assert_eq!(talk.deeds.last(), Some(&"new-game"));
}

#[test]
fn several_variations_have_ranks() {
    let mut talk = Talk::ready();
    talk.say_all(&["level depth=1", "go"]);
    assert!(talk.info(1)[0].starts_with("info depth="));
    talk.finish();
    talk.say_all(&["set-param name=multipv value=2", "level depth=1", "go"]);
    assert!(talk.info(1)[0].starts_with("info multipv=1 depth="));
}

#[test]
fn the_end_of_the_input() {
    let mut talk = Talk::ready();
    assert!(talk.eof().is_empty() && talk.is_over());

    let mut talk = Talk::ready();
    talk.slow = true;
    talk.say_all(&["level infinite", "go"]);
    assert!(talk.eof().is_empty() && talk.is_over(), "nobody is there to hear of the move");
    assert_eq!(talk.deeds, ["search", "stop", "exit"]);
}

#[test]
fn a_script_needs_no_handshake_and_keeps_its_order() {
    let mut talk = Talk::new(HubMode::Script);
    assert!(talk.say("go").is_empty());
    assert_eq!(talk.last.as_ref().unwrap().limits.move_time, Some(SCRIPT_MOVE_TIME));
    assert!(
        talk.say_all(&[
            "# a comment",
            "ping",
            "level =3",
            "stop",
            "pos start moves=32-28",
            "level depth=4",
            "go analyze"
        ])
        .is_empty()
    );
    assert!(talk.eof().is_empty());
    assert_eq!(talk.deeds, ["search"], "a search that ends by itself is not disturbed");
    let lines = talk.finish();
    assert!(lines[1].starts_with("done") && lines[2] == "pong" && lines[3].starts_with("error"), "{lines:?}");
    let request = talk.last.clone().unwrap();
    assert_eq!((request.limits.depth, request.limits.move_time), (Some(4), None));
    assert!(!talk.is_over());
    assert!(talk.finish().last().unwrap().starts_with("done"));
    assert!(talk.is_over());
}

/// What a script does next was meant for another position: it gets no move for the one before.
#[test]
fn a_script_has_no_position_after_a_refused_one() {
    let refused = [
        "pos pos=BAD",
        "pos fen=W:W51:B1",
        "pos start moves=\"32-28 32-27\"",
        "pos pos=\"W:W31,32:B99\"",
        "pos",
        "pos moves=32-28",
        "pos fen=\"W:W31:B1",
    ];
    for position in refused {
        let mut talk = Talk::new(HubMode::Script);
        talk.say_all(&["pos start", "level depth=3"]);
        assert!(!talk.has_failed());
        assert!(talk.say(position)[0].starts_with("error "), "{position}");
        assert!(talk.say("go")[0].starts_with("error message=\"go: there is no position"), "{position}");
        assert_eq!((talk.searches, talk.say("ping")), (0, vec!["pong".to_owned()]));
        // The next position is searched as ever, with its own limits; the script has failed all the same.
        talk.say_all(&["pos start", "level depth=4", "go"]);
        assert_eq!(talk.last.as_ref().unwrap().limits.depth, Some(4));
        talk.finish();
        talk.eof();
        assert!(talk.is_over() && talk.has_failed());

        let mut client = Talk::ready();
        client.say_all(&["pos start", position, "level depth=3"]);
        client.say("go");
        assert_eq!(client.searches, 1, "a client waits for an answer");
        assert!(client.say("pos fen=\"W").remove(0).starts_with("error "), "and its search goes on");
        assert!(!client.has_failed());
    }
}

#[test]
fn a_slip_in_a_script_is_told_and_a_client_may_say_what_it_likes() {
    for (line, part) in [
        ("level dept=3", "unknown argument 'dept' of level"),
        ("go fast", "unknown argument 'fast' of go"),
        ("set-param name=colour value=red", "'colour': expected one of variant"),
        ("isready", "unknown command 'isready'"),
    ] {
        let mut talk = Talk::new(HubMode::Script);
        let answer = talk.say(line).remove(0);
        assert!(answer.starts_with("error ") && answer.contains(part), "{answer}");
        assert!(talk.has_failed());
        let mut client = Talk::ready();
        client.say("level depth=1");
        assert!(!client.say(line).iter().any(|answer| answer.starts_with("error")), "{line}");
    }
}

#[test]
fn a_fen_is_a_position_too() {
    let mut talk = Talk::ready();
    assert!(talk.say_all(&["pos pos=W:W28,32:B14,19", "level depth=1", "go"]).is_empty());
    assert_eq!(talk.last.as_ref().unwrap().game.position().occupied().len(), 4);
}

#[test]
fn an_endless_search_in_a_script_ends_with_the_next_line_or_the_script() {
    let mut talk = Talk::new(HubMode::Script);
    talk.say_all(&["level infinite", "go analyze"]);
    assert_eq!(talk.say("ping"), ["pong"]);
    assert!(talk.say("stop").last().unwrap().starts_with("done"));
    talk.say_all(&["level move-time=0.1", "go ponder"]);
    assert!(talk.say("pos start").last().unwrap().starts_with("done"));
    talk.say_all(&["level move-time=0.1", "go ponder", "ponder-hit", "ping"]);
    assert_eq!(talk.last.as_ref().unwrap().limits.move_time, Some(Duration::from_millis(100)));
    assert_eq!(talk.finish().last().unwrap(), "pong");
    talk.say_all(&["level infinite", "go"]);
    assert!(talk.eof().last().unwrap().starts_with("done"));
    assert!(talk.is_over());
}

#[test]
fn a_script_can_become_a_session() {
    let mut talk = Talk::new(HubMode::Script);
    assert_eq!(talk.say("hub").last().unwrap(), "wait");
    talk.say("go");
    assert!(!talk.last.as_ref().unwrap().limits.is_bounded());
    assert!(talk.say("stop").last().unwrap().starts_with("done"));
}

/// The chances behind a score come last, and only when they are asked for.
#[test]
fn chances_are_told_when_asked_for() {
    let mut talk = Talk::ready();
    talk.say_all(&[&format!("pos pos={START}"), "level infinite", "go analyze"]);
    assert!(!talk.info(3)[0].contains("winrate="));
    talk.say("stop");
    talk.say_all(&[
        "set-param name=wdl value=true",
        &format!("pos pos={START}"),
        "level infinite",
        "go analyze",
    ]);
    let line = talk.info(3).remove(0);
    let (_, end) = line.rsplit_once(" winrate=").unwrap();
    let (winrate, chances) = end.split_once(" wdl=").unwrap();
    let parts: Vec<f64> = chances.split('/').map(|part| part.parse().unwrap()).collect();
    assert_eq!(parts.iter().sum::<f64>(), 1000.0);
    assert!((winrate.parse::<f64>().unwrap() - (parts[0] + parts[1] / 2.0) / 1000.0).abs() < 0.002, "{line}");
}
