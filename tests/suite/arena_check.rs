//! `kroon hub-check`: Kroon passes its own check, and engines with a fault do not.

use super::arena_fake;
use std::process::{Command, Stdio};

/// Exit status and output for an engine with this `cmd`.
fn check(engine: &str) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_kroon"))
        .args(["hub-check", engine, "--time-margin", "0.5", "--patience", "8"])
        .env_remove("KROON_LOG")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn kroon_passes() {
    // A busy machine may be late once, a program that is late is so every time.
    let tries = std::iter::repeat_with(|| check(&format!("'{}' hub", env!("CARGO_BIN_EXE_kroon"))));
    let mut faults = Vec::new();
    for (code, text) in tries.take(3) {
        assert!(text.lines().last().unwrap().starts_with("Kroon "), "{text}");
        if !text.contains("\nwrong ") && code == Some(0) {
            return;
        }
        faults.push(text);
    }
    panic!("{faults:#?}");
}

#[test]
fn faults_are_listed_with_their_section() {
    std::thread::scope(|scope| {
        for (fault, needle) in [
            ("twice", "[Commands] \"done move="),
            ("variation", "[Answers] illegal move \"1-2\" in pv"),
            ("illegal:1", "[Positions and moves] done: illegal move \"1-50\""),
            ("crash:1", "[Commands] the engine ended by itself: exit status: 3"),
            ("flood", "[Lines] it writes to standard error"),
            ("exit-after-hub", "wrong   handshake [Commands] the engine ended by itself"),
        ] {
            scope.spawn(move || {
                let (code, text) = check(&arena_fake::command(fault));
                assert!(text.contains(needle), "{fault}: {text}");
                assert_eq!(code, Some(1), "{fault}: {text}");
                // The fake engine answers at once, whatever the level.
                assert!(fault != "twice" || text.contains("[Limits] `level infinite`"), "{text}");
            });
        }
    });
}

#[test]
fn who_answers_at_once_is_not_stopped_too_early() {
    let (_, text) = check(&format!("'{}' hub --player random", env!("CARGO_BIN_EXE_kroon")));
    assert!(text.contains("stop when idle") && !text.contains("a `stop` before"), "{text}");
}

#[test]
fn nothing_to_start() {
    let (code, text) = check("/nowhere/engine hub");
    assert!(code == Some(1) && text.contains("\"/nowhere/engine\" cannot be started"), "{text}");
    assert_eq!(check("'open").0, Some(2));
}
