//! Engines of the command line on the board: `kroon play --engine`.

use super::arena_fake;
use super::web_client::{Server, event_of, open};
use serde_json::{Value, json};
use std::time::Duration;

/// A fake engine with a fault that the clients of this file call by the name of the fault.
fn fake(fault: &str) -> String {
    format!("cmd=\"{}\" name={fault} time-margin=0.2", arena_fake::command(fault))
}

fn order(engine: &str) -> Value {
    json!({ "variant": "international", "engine": engine, "move_time": 0.1 })
}

#[test]
fn a_hub_engine_is_among_the_players_and_moves() {
    let kroon = format!("cmd=\"'{}' hub\" name=Other nodes=200 param.hash=1", env!("CARGO_BIN_EXE_kroon"));
    let server = Server::start(&["--engine", &kroon, "--engine", "proto=kroon player=greedy"]);
    let about: Value = serde_json::from_str(&server.get("/api/about").1).unwrap();
    assert_eq!(about["engines"], json!(["Other", "greedy"]));
    let (mut stream, name) = open(&server);
    let mut line = json!({ "variant": "russian", "moves": [] });
    for engine in ["Other", "greedy", "Other", "greedy"] {
        line["engine"] = json!(engine);
        assert_eq!(server.go(&name, &line).0, 204);
        let best = event_of(&mut stream, "done")["line"]["best"].clone();
        line["moves"].as_array_mut().unwrap().push(best);
        let (status, view) = server.post("/api/position", &line.to_string());
        assert_eq!(status, 200, "{view}");
    }
}

#[test]
fn a_crash_or_silence_is_told_and_ends_nothing_else() {
    let names = ["crash", "hang", "illegal", "exit-after-hub"];
    let engines = names.map(fake);
    let args: Vec<&str> = engines.iter().flat_map(|engine| ["--engine", engine.as_str()]).collect();
    let server = Server::start(&args);
    let (mut stream, name) = open(&server);
    // The second time it is started again.
    for engine in names.into_iter().chain(["crash"]) {
        assert_eq!(server.go(&name, &order(engine)).0, 204);
        let fault = event_of(&mut stream, "fault");
        assert!(fault["error"].as_str().unwrap().starts_with(&format!("{engine}: ")), "{fault}");
    }
    assert_eq!(server.go(&name, &json!({ "variant": "english", "depth": 3 })).0, 204);
    assert!(event_of(&mut stream, "done")["line"]["best"].is_string());
}

#[test]
fn names_are_different_and_engines_play_from_any_position() {
    for (engines, part) in [
        (&["cmd=scan", "cmd=./scan"][..], "name="),
        (&["proto=dxp address=localhost:1"], "DXP"),
        (&["cmd=x tc=60"], "tc="),
    ] {
        let args = engines.iter().flat_map(|engine| ["--engine", engine]);
        let mut kroon = assert_cmd::Command::cargo_bin("kroon").unwrap();
        kroon.args(["play", "--no-open", "--port", "0"]).args(args).timeout(Duration::from_secs(60));
        let told = String::from_utf8(kroon.assert().failure().get_output().stderr.clone()).unwrap();
        assert!(told.contains(part), "{told}");
    }
}

#[test]
fn files_that_cannot_be_read_and_addresses_of_others_are_told_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = folder.path().join("wrong");
    std::fs::write(&wrong, "no weights, no book").unwrap();
    let (wrong, missing) = (wrong.to_str().unwrap(), "nosuch.file");
    for (args, part) in [
        (["--eval-file", wrong], wrong),
        (["--eval-file", missing], missing),
        (["--book-file", wrong], wrong),
        (["--book-file", missing], missing),
        (["--player-file", missing], missing),
        (
            ["--engine", "cmd=\"./nosuch.file hub\" name=Scan"],
            "--engine Scan: there is no program \"./nosuch.file\"",
        ),
        (
            ["--engine", "cmd=\"nosuch.file hub\" name=Scan"],
            "--engine Scan: there is no program \"nosuch.file\"",
        ),
        (["--bind", "192.0.2.1"], "--bind"),
        // The page says with every order who plays.
        (["--level", "3"], "--level"),
    ] {
        let mut kroon = assert_cmd::Command::cargo_bin("kroon").unwrap();
        kroon.args(["play", "--no-open", "--port", "0"]).args(args).timeout(Duration::from_secs(60));
        let told = String::from_utf8(kroon.assert().failure().get_output().stderr.clone()).unwrap();
        assert!(told.contains(part), "{args:?}: {told}");
    }
}

/// Starts an engine that writes its process id to a file, and gives the id when the engine thinks.
#[cfg(target_os = "linux")]
fn thinking(folder: &std::path::Path) -> (Server, std::io::BufReader<std::net::TcpStream>, String) {
    let file = folder.join("pid");
    let hang = arena_fake::command("hang").replace('\'', "");
    let engine =
        format!("cmd=\"sh -c 'echo $$ >{}; exec {hang}'\" name=hang time-margin=600", file.display());
    let server = Server::start(&["--engine", &engine]);
    let (stream, name) = open(&server);
    assert_eq!(server.go(&name, &order("hang")).0, 204);
    let pid = loop {
        match std::fs::read_to_string(&file) {
            Ok(pid) if pid.ends_with('\n') => break pid.trim().to_owned(),
            _ => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    (server, stream, pid)
}

#[cfg(target_os = "linux")]
fn lives(pid: &str) -> bool {
    std::path::Path::new("/proc").join(pid).exists()
}

#[test]
#[cfg(target_os = "linux")]
fn its_process_ends_with_the_session() {
    let folder = tempfile::tempdir().unwrap();
    let (_server, stream, pid) = thinking(folder.path());
    assert!(lives(&pid));
    drop(stream);
    for _ in 0..1200 {
        if !lives(&pid) {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("the engine outlives its session");
}

#[test]
#[cfg(target_os = "linux")]
fn its_process_ends_with_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let (mut server, _stream, pid) = thinking(folder.path());
    assert!(lives(&pid));
    assert!(server.interrupt().success());
    assert!(!lives(&pid), "the engine outlives the server");
}
