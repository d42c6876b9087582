//! `kroon tune` through the binary.

use assert_cmd::Command;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

/// Short games: the first king wins.
const GAMES: &str = "--variant breakthrough --knob probcut-margin --knob lmr-first=4,1,8,1 --rate 0.05 \
                     --param hash=1 --openings random:4:1 --max-plies 200";

fn tune(words: &str, state: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kroon"));
    command.arg("tune").args(words.split_whitespace()).arg("--state").arg(state);
    command.env_remove("KROON_LOG").timeout(Duration::from_secs(600));
    command
}

fn refused(words: &str, state: &Path, status: i32, needles: &[&str]) {
    let assert = tune(words, state).assert().code(status).stdout("");
    let text = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    for needle in needles {
        assert!(text.contains(needle), "{needle:?} is missing in: {text}");
    }
}

fn pairs(state: &Path) -> u64 {
    let text = fs::read_to_string(state).unwrap_or_default();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    json["pairs"].as_u64().unwrap_or(0)
}

/// Starts a tuning that will be killed.
fn started(words: &str, state: &Path) -> Child {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_kroon"));
    command.arg("tune").args(words.split_whitespace()).arg("--state").arg(state);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

#[test]
fn a_tuning_that_was_killed_ends_as_if_nothing_had_happened() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, killed]: [PathBuf; 2] = ["whole.json", "killed.json"].map(|name| folder.path().join(name));
    let words = format!("{GAMES} --games 96 --nodes 100 --resume");
    let output = tune(&words, &whole).assert().success().stderr("").get_output().stdout.clone();
    let mut child = started(&words, &killed);
    while pairs(&killed) == 0 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    tune(&words, &killed).assert().success();
    assert_eq!(fs::read_to_string(&whole).unwrap(), fs::read_to_string(&killed).unwrap());
    assert_eq!(pairs(&whole), 48);
    let state = fs::read_to_string(&whole).unwrap();
    assert!(!state.contains("\"100\"") && !state.contains("\"4\""), "nothing was learned: {state}");

    let text = String::from_utf8(output).unwrap();
    assert!(text.contains("iteration 48 games 96 of 96 score +") && text.contains(" lmr-first="), "{text}");
    let words: Vec<&str> = text.split_once("kroon match ").unwrap().1.split_whitespace().collect();
    assert!(words.iter().any(|word| word.starts_with("param.tune.")), "{text}");
    assert!(words.starts_with(&["--engine", "'proto=kroon", "name=tuned", "param.hash=1"]), "{text}");
    let base = "--engine 'proto=kroon param.hash=1' --variant breakthrough --nodes 100 --openings random:8:";
    let command = words.iter().filter(|word| **word != "\\").copied().collect::<Vec<_>>().join(" ");
    assert!(command.contains(base), "{command}");
    assert!(text.contains("--sprt 0,5") && text.contains("\nlmr-first "), "{text}");
}

#[test]
fn a_state_has_one_writer_with_and_without_shards() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state.json");
    let words = format!("{GAMES} --games 96 --nodes 100 --resume");
    // It waits for the other shard.
    let mut child = started(&format!("{words} --shard 0/2"), &state);
    while !state.exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(5));
    }
    refused(&words, &state, 1, &["state.json", "is in use by another process"]);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn what_makes_no_tuning_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state.json");
    let limits = "--games 4 --nodes 20";
    refused("--games 4", &state, 2, &["--nodes", "--move-time"]);
    refused("--nodes 10", &state, 2, &["--games"]);
    refused("--games 4 --nodes 10 --move-time 1", &state, 2, &["cannot be used with"]);
    refused(&format!("{limits} --knob colour"), &state, 2, &["\"colour\"", "probcut-margin"]);
    refused(&format!("{limits} --knob lmr-first=99"), &state, 2, &["START 99", "1 to 10"]);
    refused(&format!("{limits} --knob lmr-first=2,1"), &state, 2, &["\"lmr-first=2,1\"", "MIN,MAX,STEP"]);
    refused(&format!("{limits} --rate 0"), &state, 2, &["0.000001 to 1"]);
    refused(&format!("{limits} --param hash"), &state, 2, &["NAME=VALUE"]);
    refused(&format!("{limits} --param hash=much"), &state, 1, &["\"much\""]);
    refused(&format!("{limits} --knob lmr-first --knob lmr-first=3"), &state, 1, &["given twice"]);
    refused("--games 5 --nodes 20", &state, 2, &["--games 5", "even"]);
    refused(&format!("{limits} --openings no-such-file"), &state, 1, &["no-such-file"]);
    assert!(!state.exists());

    tune(&format!("{GAMES} {limits}"), &state).assert().success();
    refused(&format!("{GAMES} {limits}"), &state, 1, &["state.json", "--resume"]);
    let resume = format!("{GAMES} --resume --nodes 20");
    refused(&format!("{resume} --games 6"), &state, 1, &["its games is 4, not 6"]);
    refused(&format!("{resume} --games 4 --seed 9"), &state, 1, &["its seed is 1, not 9"]);
    fs::write(&state, "{}").unwrap();
    refused(&format!("{resume} --games 4"), &state, 1, &["no state of a tuning"]);
}
