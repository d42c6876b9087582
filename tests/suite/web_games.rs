//! Work on whole games through the interface of `kroon play`: analyses, exercises, and how they end.

use super::web_client::{Server, event, event_of, open};
use serde_json::{Value, json};
use std::io::BufRead;

/// White loses a man with the third move: 28-22 is taken by 17x28.
const MOVES: [&str; 5] = ["32-28", "19-23", "28x19", "14x23", "37-32"];

fn order(want: &str, more: &[(&str, Value)]) -> Value {
    let mut order = json!({ "variant": "international", "moves": MOVES, "want": want, "request": 7 });
    for (key, value) in more {
        order[key] = value.clone();
    }
    order
}

fn start(server: &Server, session: &str, order: &Value) {
    let (status, answer) = server.post(&format!("/api/engine/{session}/game"), &order.to_string());
    assert_eq!(status, 204, "{answer}");
}

/// The data of the next event of this kind; before it there are only these others.
fn wait(stream: &mut impl BufRead, wanted: &str, others: &[&str]) -> Value {
    loop {
        let (kind, data) = event(stream);
        if kind == wanted {
            return serde_json::from_str(&data).unwrap();
        }
        assert!(others.contains(&kind.as_str()), "{kind}: {data}");
    }
}

#[test]
fn a_game_is_analysed_move_by_move() {
    let server = Server::start(&["--threads", "2"]);
    let (mut stream, name) = open(&server);
    start(&server, &name, &order("analysis", &[("depth", json!(4))]));
    let step = wait(&mut stream, "step", &[]);
    assert_eq!((&step["request"], &step["total"]), (&json!(7), &json!(5)));
    assert!(MOVES.contains(&step["move"]["played"].as_str().unwrap()), "{step}");
    let done = wait(&mut stream, "analysis", &["step"]);
    let played: Vec<&str> = done["analysis"]["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|mv| mv["played"].as_str().unwrap())
        .collect();
    assert_eq!((played.as_slice(), &done["request"]), (&MOVES[..], &json!(7)));
    assert_eq!(done["analysis"]["white"]["moves"], 3);
    // What it says goes into the game, and out again.
    let game = json!({ "variant": "international", "nodes": [
        { "text": "", "children": [1], "comments": ["hm"] }, { "text": "32-28", "children": [] } ] });
    let renewed = |notes: &Value| -> Value {
        let order = json!({ "game": game, "notes": notes });
        let (status, answer) = server.post("/api/pdn/annotate", &order.to_string());
        assert_eq!(status, 200, "{answer}");
        serde_json::from_str(&answer).unwrap()
    };
    let written = renewed(&done["notes"]);
    let comment = written["nodes"][1]["comments"][0].as_str().unwrap();
    assert!(comment.starts_with("[%eval ") && comment.contains("[%kroon"), "{comment}");
    assert_eq!(written["nodes"][0]["comments"], json!(["hm"]));
    assert_eq!(renewed(&Value::Null)["nodes"][1].get("comments"), None);
    // The session goes on: exercises of the game, and a search.
    start(&server, &name, &order("puzzles", &[]));
    let progress = wait(&mut stream, "progress", &[]);
    assert_eq!((&progress["done"], &progress["total"]), (&json!(0), &json!(6)));
    assert!(wait(&mut stream, "puzzles", &["progress"])["puzzles"].is_array());
    assert_eq!(server.go(&name, &json!({ "variant": "english", "depth": 3 })).0, 204);
    assert!(event_of(&mut stream, "done")["line"]["best"].is_string());
}

#[test]
fn an_analysis_ends_when_it_is_left_or_another_begins() {
    let server = Server::start(&[]);
    let (mut stream, name) = open(&server);
    // Nobody would wait for the end of this one.
    let endless = order("analysis", &[("depth", json!(60)), ("request", json!(1))]);
    start(&server, &name, &endless);
    // A search goes on beside it.
    assert_eq!(server.go(&name, &json!({ "variant": "english", "depth": 3 })).0, 204);
    assert!(wait(&mut stream, "done", &["info", "step"])["line"]["best"].is_string());
    start(&server, &name, &order("analysis", &[("depth", json!(2))]));
    assert_eq!(wait(&mut stream, "analysis", &["step"])["request"], 7);
    start(&server, &name, &endless);
    assert_eq!(server.post(&format!("/api/engine/{name}/leave"), "{}").0, 204);
    start(&server, &name, &order("analysis", &[("depth", json!(2)), ("request", json!(9))]));
    assert_eq!(wait(&mut stream, "analysis", &["step"])["request"], 9);
}

#[test]
fn what_is_no_game_is_refused() {
    let server = Server::start(&[]);
    let (_stream, name) = open(&server);
    for (body, expected) in [
        (r#"{"variant":"english"}"#, 400),
        (r#"{"variant":"english","want":"peace"}"#, 400),
        (r#"{"variant":"english","want":"analysis","moves":["11-99"]}"#, 422),
        (r#"{"variant":"chess","want":"puzzles"}"#, 422),
        (r#"{"variant":"english","want":"analysis","move_time":-1}"#, 422),
    ] {
        let (status, answer) = server.post(&format!("/api/engine/{name}/game"), body);
        assert_eq!(status, expected, "{body}: {answer}");
    }
    assert_eq!(server.post("/api/engine/nobody/game", &order("analysis", &[]).to_string()).0, 404);
    assert_eq!(server.post("/api/engine/nobody/leave", "{}").0, 404);
}

#[test]
fn exercises_come_with_the_program_and_from_files() {
    let server = Server::start(&[]);
    let of = |variant: &str| -> Value {
        serde_json::from_str(&server.get(&format!("/api/puzzles/{variant}")).1).unwrap()
    };
    let all = of("english");
    let lines: Vec<String> = all.as_array().unwrap().iter().map(Value::to_string).collect();
    let (status, answer) = server.post("/api/puzzles", &lines.join("\n"));
    assert_eq!((status, serde_json::from_str::<Value>(&answer).unwrap()), (200, all));
    assert_eq!(server.get("/api/puzzles/chess").0, 422);
    let (status, answer) = server.post("/api/puzzles", "\n{}\n");
    assert!(status == 422 && answer.contains("line 2"), "{status} {answer}");
    assert_eq!(server.post("/api/puzzles", "\u{0}").0, 422);
}

#[test]
fn a_move_that_is_not_the_solution_is_judged() {
    let server = Server::start(&[]);
    let attempt = |start: &str, mv: &str, goal: &str| {
        let order = json!({ "variant": "international", "start": start, "moves": [mv], "goal": goal });
        server.post("/api/puzzles/try", &order.to_string())
    };
    let judged = |start, mv, goal| -> Value { serde_json::from_str(&attempt(start, mv, goal).1).unwrap() };
    // A man is given for nothing; a king more wins however it is used.
    let lost = judged("W:W28,33,38,39:B9,11,18,19", "28-22", "win");
    assert_eq!((&lost["keeps"], &lost["reply"]), (&json!(false), &json!("18x27")));
    let won = judged("W:WK46,K47,K48,33:B5", "33-29", "win");
    assert_eq!(won["keeps"], json!(true), "{won}");
    // The last piece is taken: there is no answer.
    assert_eq!(
        judged("W:W28,38:B22", "28x17", "win"),
        json!({ "keeps": true, "expected": 1.0, "reply": null })
    );
    for (start, mv, goal) in
        [("W:W28:B1", "28-99", "win"), ("W:W28", "28-99", "win"), ("W:W28:B1", "28-23", "peace")]
    {
        assert_eq!(attempt(start, mv, goal).0, 422, "{start} {mv} {goal}");
    }
}
