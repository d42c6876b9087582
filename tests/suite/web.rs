//! `kroon play`: what its interface answers, and to whom.

use super::cli::assert_refused;
use super::program::kroon;
use super::web_client::{Server, event, event_of, open};
use serde_json::{Value, json};
use std::io::{BufRead, Read};
use std::time::Duration;

#[test]
fn a_game_is_played_through_the_interface() {
    let server = Server::start(&[]);
    let (status, page) = server.get("/");
    assert!(status == 200 && page.contains("/page/main.js"), "{page}");
    assert_eq!(server.get("/page/main.js").0, 200);
    let packed =
        format!("GET /page/main.js HTTP/1.1\r\n{}Accept-Encoding: gzip, zstd\r\n\r\n", server.headers());
    let mut bytes = Vec::new();
    let _ = server.send(&packed).read_to_end(&mut bytes);
    let body = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap() + 4;
    assert!(String::from_utf8_lossy(&bytes[..body]).contains("content-encoding: zstd"));
    assert_eq!(zstd::decode_all(&bytes[body..]).unwrap(), server.get("/page/main.js").1.as_bytes());
    let about: Value = serde_json::from_str(&server.get("/api/about").1).unwrap();
    assert_eq!(about["variants"].as_array().unwrap().len(), kroon::rules::VariantId::ALL.len());
    assert_eq!((&about["levels"], &about["searches"]), (&json!(20), &json!(["alphabeta", "mcts"])));
    assert_eq!(about["marks"]["missed-win"], "??");
    let (mut stream, name) = open(&server);
    let mut moves: Vec<String> = Vec::new();
    for request in 1..=6 {
        let body = json!({ "variant": "english", "moves": moves });
        let view: Value = serde_json::from_str(&server.post("/api/position", &body.to_string()).1).unwrap();
        let legal: Vec<&str> =
            view["moves"].as_array().unwrap().iter().map(|mv| mv["text"].as_str().unwrap()).collect();
        let mut go = body.clone();
        go["request"] = json!(request);
        go["options"] = json!({ "player": "greedy" });
        assert_eq!(server.post(&format!("/api/engine/{name}/go"), &go.to_string()).0, 204);
        let best = loop {
            let (kind, data) = event(&mut stream);
            let data: Value = serde_json::from_str(&data).unwrap();
            assert_eq!(data["request"], request);
            if kind == "done" {
                break data["line"]["best"].as_str().unwrap().to_owned();
            }
        };
        assert!(legal.contains(&best.as_str()), "{best} {legal:?}");
        moves.push(best);
    }
}

#[test]
fn a_server_on_all_addresses_prints_the_one_for_other_computers() {
    let mut server = Server::start(&["--bind", "0.0.0.0"]);
    assert!(server.address.ip().is_loopback());
    assert_eq!(server.get("/api/about").0, 200);
    // Without a network there is no such line to wait for.
    let Some(ip) = kroon::web::network_address("0.0.0.0".parse().unwrap()) else { return };
    let mut line = String::new();
    server.output.read_line(&mut line).unwrap();
    let there = std::net::SocketAddr::new(ip, server.address.port());
    assert_eq!(line, format!("from other computers: http://{there}/#token={}\n", server.token));
    server.address = there;
    assert_eq!(server.get("/api/about").0, 200);
}

#[test]
fn the_printed_address_has_the_position_to_begin_with() {
    assert_eq!(Server::start(&[]).beginning, "");
    let server = Server::start(&["--variant", "russian", "--fen", "W:Wa1,Kc3:Bh8"]);
    assert_eq!(server.beginning, "variant=russian&fen=W:WKc3,a1:Bh8");
    // A plus sign in an address is a blank.
    let server = Server::start(&["--variant", "frisian", "--fen", "W:WK41,30:BK20,5:+120+241"]);
    assert_eq!(server.beginning, "variant=frisian&fen=W:W30,K41:B5,K20:%2B120%2B241");
    let server = Server::start(&["--variant", "thai"]);
    assert_eq!(server.beginning, "variant=thai");
    assert_refused(&mut kroon("play --no-open --port 0 --fen W:W99:B1"), 1, &["--fen", "99"]);
    assert_refused(&mut kroon("play --no-open --variant thai games.pdn"), 2, &["--variant", "GAMES"]);
}

#[test]
fn a_known_ending_is_shown_for_every_move() {
    let server = Server::start(&[]);
    let ask = |start: &str| -> Value {
        let line = json!({ "variant": "international", "start": start });
        serde_json::from_str(&server.post("/api/position", &line.to_string()).1).unwrap()
    };
    // Kings opposite on the long diagonals: 41-5 wins the other in all lines, 41-37 gives the own one.
    let known = &ask("W:WK41:BK46")["endgame"];
    assert_eq!(known["value"], "win");
    let of = |pdn: &str| {
        known["moves"].as_array().unwrap().iter().find(|mv| mv["pdn"] == pdn).unwrap()["value"].clone()
    };
    assert_eq!((of("41-5"), of("41-37")), (json!("win"), json!("loss")));
    assert_eq!(ask("W:W31,32,33,34,35:B16,17,18,19,20")["endgame"], Value::Null);
}

#[test]
fn only_the_own_page_with_the_token_is_answered() {
    let server = Server::start(&[]);
    let (address, token) = (server.address, &server.token);
    let about =
        |headers: &str| server.ask(&format!("GET /api/about HTTP/1.1\r\nConnection: close\r\n{headers}\r\n"));
    assert_eq!(about(&format!("Host: {address}\r\nX-Kroon-Token: {token}\r\n")).0, 200);
    assert_eq!(about(&format!("Host: {address}\r\n")).0, 401);
    assert_eq!(about(&format!("Host: {address}\r\nX-Kroon-Token: wrong\r\n")).0, 401);
    assert_eq!(about(&format!("Host: evil.example\r\nX-Kroon-Token: {token}\r\n")).0, 403);
    let foreign = format!("Host: {address}\r\nOrigin: http://evil.example\r\nX-Kroon-Token: {token}\r\n");
    assert_eq!(about(&foreign).0, 403);
    let own = format!("Host: {address}\r\nOrigin: http://{address}\r\nX-Kroon-Token: {token}\r\n");
    assert_eq!(about(&own).0, 200);
    let mut page = String::new();
    let _ = server
        .send(&format!("GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"))
        .read_to_string(&mut page);
    assert!(page.to_lowercase().contains("content-security-policy: default-src 'none'"), "{page}");
}

#[test]
fn a_clock_is_counted_by_the_server_and_kroon_keeps_to_it() {
    let server = Server::start(&[]);
    let (mut stream, name) = open(&server);
    let mut line =
        json!({ "variant": "english", "moves": ["11-15"], "clock": { "control": "10+0.2", "used": [0.5] } });
    let ask = |line: &Value| -> Value {
        serde_json::from_str(&server.post("/api/position", &line.to_string()).1).unwrap()
    };
    let clocks = &ask(&line)["clocks"];
    assert_eq!((clocks["black"]["left"].as_f64(), clocks["white"]["left"].as_f64()), (Some(9.7), Some(10.2)));
    assert_eq!(server.go(&name, &line).0, 204);
    let done = event_of(&mut stream, "done");
    assert!(done["line"]["time"].as_f64().unwrap() < 10.2, "{done}");
    line["clock"]["running"] = json!(10.2);
    let outcome = &ask(&line)["outcome"];
    assert_eq!((outcome["winner"].as_str(), outcome["reason"].as_str()), (Some("black"), Some("time")));
}

#[test]
fn a_ballot_is_drawn_and_can_be_played() {
    let server = Server::start(&[]);
    let (status, drawn) = server.post("/api/ballot", r#"{"variant":"international","plies":2}"#);
    let drawn: Value = serde_json::from_str(&drawn).unwrap();
    assert_eq!((status, drawn["count"].as_u64()), (200, Some(79)));
    let line = json!({ "variant": "international", "moves": drawn["moves"] });
    let (status, view) = server.post("/api/position", &line.to_string());
    assert_eq!(status, 200, "{view}");
}

#[test]
fn nonsense_is_refused_and_the_server_goes_on() {
    let server = Server::start(&[]);
    let (_stream, name) = open(&server);
    let go = format!("/api/engine/{name}/go");
    for (path, body, expected) in [
        ("/api/position", "", 400),
        ("/api/position", "[1,2", 400),
        ("/api/position", r#"{"variant":7}"#, 400),
        ("/api/position", r#"{"variant":"chess"}"#, 422),
        ("/api/position", r#"{"variant":"english","moves":["11-99"]}"#, 422),
        ("/api/position", r#"{"variant":"english","start":"W:W1000"}"#, 422),
        (&go, r#"{"variant":"english","options":{"eval-file":"/etc/passwd"}}"#, 422),
        (&go, r#"{"variant":"english","move_time":1e99}"#, 422),
        (&go, r#"{"variant":"english","want":"peace"}"#, 400),
        (&go, r#"{"variant":"english","engine":"/bin/sh"}"#, 422),
        (&go, r#"{"variant":"english","options":{"threads":"256"}}"#, 422),
        ("/api/ballot", r#"{"variant":"english","plies":9}"#, 422),
        ("/api/ballot", r#"{"variant":"english"}"#, 400),
        ("/api/engine/nobody/hit", "{}", 404),
        ("/api/engine/nobody/go", r#"{"variant":"english"}"#, 404),
        ("/api/engine/nobody/stop", "{}", 404),
        ("/nowhere", "{}", 404),
        ("/api/about", "{}", 405),
    ] {
        let (status, answer) = server.post(path, body);
        assert_eq!(status, expected, "{path} {body}: {answer}");
        let answer: Value = serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(answer["error"].is_string(), "{path} {body}: {answer}");
    }
    let (huge, answer) = server.post("/api/position", &" ".repeat((1 << 20) + 1));
    assert!(
        huge == 0 || huge == 413 && answer == r#"{"error":"more than 1048576 bytes"}"#,
        "{huge} {answer}"
    );
    assert_eq!(server.get("/api/about").0, 200);
}

#[test]
fn pdn_goes_in_and_comes_out() {
    let folder = std::env::temp_dir().join(format!("kroon-web-pdn-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("two.pdn");
    let text = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"A\"]\n[Black \"B\"]\n\
                [Result \"*\"]\n[GameType \"20\"]\n\n1. 32-28! {x} (1. 33-29 $16) 19-23 *\n\n";
    std::fs::write(&path, [text, text].concat()).unwrap();
    let server = Server::start(&[path.to_str().unwrap()]);
    let ask = |path: &str, body: &str| -> Value { serde_json::from_str(&server.post(path, body).1).unwrap() };
    let about: Value = serde_json::from_str(&server.get("/api/about").1).unwrap();
    assert_eq!(about["file"], "two.pdn");
    let file = server.get("/api/pdn/file").1;
    assert_eq!(file, [text, text].concat());
    let list = ask("/api/pdn/games", &file);
    assert_eq!(
        (list["games"][1]["from"].as_u64(), &list["games"][1]["white"]),
        (Some(text.len() as u64), &json!("A"))
    );
    let game = ask("/api/pdn/game", text);
    assert_eq!((&game["nodes"][1]["strength"], &game["nodes"][2]["nags"]), (&json!("!"), &json!([16])));
    assert_eq!(ask("/api/pdn/write", &game.to_string())["pdn"], text);
    for (path, body, part) in [
        ("/api/pdn/games", "nothing", "there is no game"),
        ("/api/pdn/games", "\u{89}PNG\r\n\u{1a}\n\0 [White \"x\"] 1. 32-28 *", "this is no PDN file"),
        ("/api/pdn/game", "", "there is no game"),
        ("/api/pdn/write", "{}", "missing field"),
        ("/api/pdn/write", r#"{"variant":"english","nodes":[{"text":"","children":[1]}]}"#, "node 1"),
    ] {
        let (status, answer) = server.post(path, body);
        assert!(status == 422 && answer.contains(part), "{path} {body}: {status} {answer}");
    }
    let huge = server.post("/api/pdn/games", &" ".repeat((32 << 20) + 1)).0;
    assert!(huge == 413 || huge == 0, "{huge}");
    assert_eq!(server.get("/api/about").0, 200);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn boards_are_counted_and_a_closed_one_makes_room() {
    let server = Server::start(&["--sessions", "2"]);
    let boards = || -> u64 {
        let about: Value = serde_json::from_str(&server.get("/api/about").1).unwrap();
        about["boards"].as_u64().unwrap()
    };
    let (one, name) = open(&server);
    let (_two, _) = open(&server);
    let analyse = r#"{"variant":"russian","want":"analysis"}"#;
    assert_eq!(server.post(&format!("/api/engine/{name}/go"), analyse).0, 204);
    let third = format!("GET /api/engine?token={} HTTP/1.1\r\n{}\r\n", server.token, server.headers());
    let (status, answer) = server.ask(&third);
    assert!(status == 503 && answer.contains("2 boards"), "{status} {answer}");
    assert_eq!(boards(), 2);
    drop(one);
    // The server notices by the comment that it sends every second; the wait is for a loaded machine.
    for _ in 0..600 {
        if boards() == 1 {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("the closed board is still open");
}
