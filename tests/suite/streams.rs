//! Positions on standard input: `kroon board` and `kroon analyse` answer them one by one.

use super::cli::assert_refused;
use super::program::kroon;
use assert_cmd::Command;
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};

fn stdout_of(command: &mut Command) -> String {
    let output = command.assert().success().stderr("").get_output().stdout.clone();
    String::from_utf8(output).unwrap()
}

fn lines_of(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_board_answers_positions_line_by_line() {
    // The limit on king moves travels with the position.
    let positions = "W:WK46,31:B5:+0+346\n\nnonsense\r\nB:W31:BK46\nW:W31:B";
    let mut command = kroon("board --variant frisian --json --fen - --moves 31-27");
    let output = command.write_stdin(positions).assert().code(1).get_output().clone();
    let lines: Vec<Value> =
        String::from_utf8(output.stdout).unwrap().lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[0]["fen"], "B:W27,K46:B5");
    assert!(lines[1]["error"].as_str().unwrap().contains("\"nonsense\""), "{}", lines[1]);
    assert!(lines[2]["error"].as_str().unwrap().contains("\"31-27\""), "{}", lines[2]);
    assert!(lines[3]["error"].as_str().unwrap().contains("no pieces"), "{}", lines[3]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("3 of 4 lines"), "{text}");
    assert_eq!(stdout_of(kroon("board --json --fen -").write_stdin("")), "");
    let marked = stdout_of(kroon("board --json --fen -").write_stdin("\u{feff}W:WK41:B20\n"));
    assert!(marked.contains("\"fen\":\"W:WK41:B20\""), "{marked}");
    let endless = "W".repeat(1 << 17);
    kroon("board --json --fen -").write_stdin(endless).assert().code(1).stdout("");
    for args in ["perft 1 --fen -", "board --fen -", "analyse --fen -"] {
        assert_refused(&mut kroon(args), 2, &["--fen -", "board --json and analyse --json"]);
    }
}

#[test]
fn an_analysis_of_a_position_is_the_same_in_a_stream() {
    let args = "analyse --variant russian --json --nodes 3000 --hash 1 --book --moves c3-b4";
    let positions = [
        "W:Wa1,b2,c1,c3,d2,e1,e3,f2,g1,g3,h2,d4:Ba7,b8,b6,c7,d8,d6,e7,f8,f6,g7,h8,h6",
        "W:Wc3,d2,e3,g1:Bb6,d6,f6,h6",
    ];
    // What takes time is never the same.
    let timeless = |text: &str| {
        let mut lines = lines_of(text);
        for line in &mut lines {
            let line = line.as_object_mut().unwrap();
            line.remove("time");
            line.remove("nps");
        }
        lines
    };
    let alone = |fen: &str| timeless(&stdout_of(kroon(args).args(["--fen", fen])));
    let [first, second] = positions.map(alone);
    assert!(first.len() > 3 && second.len() > 3 && first != second);
    let stream = format!("{}\n\n{}\r\nW:Wc3:B\n{}\n", positions[0], positions[1], positions[0]);
    let output = kroon(args).args(["--fen", "-"]).write_stdin(stream).assert().code(1).get_output().clone();
    let text = String::from_utf8(output.stdout).unwrap();
    let (wrong, right): (Vec<Value>, Vec<Value>) =
        timeless(&text).into_iter().partition(|line| line["type"] == "error");
    assert_eq!(wrong.len(), 1);
    assert!(wrong[0]["error"].as_str().unwrap().contains("no pieces"), "{}", wrong[0]);
    assert_eq!(right, [first.clone(), second, first].concat());
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("1 of 4 lines"), "{errors}");
}

#[test]
fn chances_in_a_stream_begin_anew_for_each_position() {
    let best = |args: &str, input: &str| -> Vec<Value> {
        let text = stdout_of(kroon(args).args(["--fen", "-"]).write_stdin(input));
        lines_of(&text)
            .into_iter()
            .filter(|line| line["type"] == "result")
            .map(|line| line["best"].clone())
            .collect()
    };
    let start = "W:W31-50:B1-20\n";
    for args in ["analyse --json --player random --seed 5", "analyse --json --player mcts --seed 5"] {
        let [one] = &best(args, start)[..] else { panic!("one result") };
        assert_eq!(best(args, &start.repeat(4)), vec![one.clone(); 4], "{args}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_stream_ends_whether_it_searches_or_waits() {
    let begin = || -> Child {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_kroon"));
        command.args(["analyse", "--json", "--time", "3600", "--fen", "-"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let interrupt = |child: &Child| {
        let id = rustix::process::Pid::from_child(child);
        rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    };
    // Two positions: the search of the first one is broken off, the second one is not begun.
    let mut child = begin();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"W:W31-50:B1-20\nW:W31-50:B1-20\n").unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    while lines_of(&lines.next().unwrap().unwrap())[0]["type"] != "info" {}
    interrupt(&child);
    let rest: Vec<Value> = lines.map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
    assert!(rest.iter().all(|line| line["type"] != "position"), "{rest:?}");
    assert_eq!(rest.last().unwrap()["type"], "result");
    assert_eq!(child.wait().unwrap().code(), Some(1));

    // A position that is answered without a search; then nothing comes.
    let mut child = begin();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"W:W:B3\n").unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    while lines_of(&lines.next().unwrap().unwrap())[0]["type"] != "result" {}
    interrupt(&child);
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(1));
}
