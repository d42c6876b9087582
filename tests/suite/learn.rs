//! `kroon learn` through the binary, and what becomes of its files.

use super::program::kroon;
use assert_cmd::Command;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

fn learn(words: &str, out: &Path) -> Command {
    let mut command = kroon("learn");
    command.args(words.split_whitespace()).arg("--out").arg(out);
    command
}

fn refused(words: &str, out: &Path, status: i32, needles: &[&str]) {
    let assert = learn(words, out).assert().code(status).stdout("");
    let text = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    for needle in needles {
        assert!(text.contains(needle), "{needle:?} is missing in: {text}");
    }
}

/// Games that the first line of a file says.
fn games(path: &Path) -> u64 {
    let bytes = fs::read(path).unwrap_or_default();
    let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let json: serde_json::Value = serde_json::from_slice(line).unwrap_or_default();
    json["games"].as_u64().unwrap_or(0)
}

#[test]
fn a_training_that_was_killed_ends_with_the_same_bytes() {
    const WORDS: &str =
        "q-learning --variant breakthrough --games 60 --curve-every 5 --curve-games 10 --resume";
    let folder = tempfile::tempdir().unwrap();
    let [whole, killed, picture] =
        ["whole.learned", "killed.learned", "curve.svg"].map(|name| folder.path().join(name));
    let assert = learn(WORDS, &whole).arg("--plot").arg(&picture).assert().success();
    let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert_eq!(stderr.lines().count(), 13, "{stderr}");
    assert!(
        stderr.contains("5 of 60 games, ") && stderr.contains("% won against player=random ("),
        "{stderr}"
    );
    let stdout = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    assert!(stdout.starts_with("q-learning, 60 games, ") && stdout.contains("checksum "), "{stdout}");
    assert!(fs::read_to_string(&picture).unwrap().contains("<polyline"));

    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_kroon"));
    command.arg("learn").args(WORDS.split_whitespace()).arg("--out").arg(&killed);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while games(&killed) < 5 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(games(&killed) >= 5);
    learn(WORDS, &killed).assert().success();
    assert!(fs::read(&whole).unwrap() == fs::read(&killed).unwrap());
    let without_resume = WORDS.replace(" --resume", "");
    refused(&without_resume, &whole, 1, &["whole.learned", "is there already: go on with --resume"]);
    // Nor do two processes learn into one file.
    let _lock = kroon::files::LockBeside::take(&whole).unwrap().unwrap();
    refused(WORDS, &whole, 1, &["whole.learned", "is in use by another process"]);
}

#[test]
fn what_was_learned_plays_its_variant_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.learned");
    learn("state-q --variant russian --games 3 --opponent player=greedy --curve-every 0", &path)
        .assert()
        .success();
    let file = path.display().to_string();
    let analyse =
        |words: &str| kroon("analyse").args(words.split_whitespace()).args(["--player-file", &file]).assert();
    analyse("--variant russian --player state-q").success();
    let refused = |words: &str, needle: &str| {
        let assert = analyse(words).failure();
        let text = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(text.contains(needle), "{text}");
    };
    refused("--variant english --player state-q", "learned from russian draughts, expected english");
    refused("--variant russian --player q-learning", "a file of state-q, expected q-learning");
    refused("--variant russian --player minimax", "learns nothing");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 3]).unwrap();
    refused("--variant russian --player state-q", "damaged or incomplete");
}

#[test]
fn a_network_becomes_two_features() {
    let folder = tempfile::tempdir().unwrap();
    let [net, player] = ["net.learned", "player.learned"].map(|name| folder.path().join(name));
    let assert = learn("prior --games 16 --depth 1 --passes 2", &net).assert().success();
    let text = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(text.contains("16 of 16 games, ") && text.contains("pass 2 loss "), "{text}");
    let prior =
        format!("approximate-q --games 2 --curve-every 0 --opponent player=random --prior {}", net.display());
    let assert = learn(&prior, &player).assert().success();
    let text = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    assert!(text.starts_with("neural-q, 2 games, 10 values"), "{text}");
    let from = format!("approximate-q --games 2 --curve-every 0 --from {}", player.display());
    let child = folder.path().join("child.learned");
    let assert = learn(&from, &child).assert().success();
    assert!(String::from_utf8_lossy(&assert.get_output().stdout).starts_with("neural-q, 2 games"));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.learned");
    refused("q-learning --alpha 2", &path, 2, &["\"2\"", "0 to 1"]);
    refused("q-learning --reward much", &path, 2, &["much", "r1, r2"]);
    refused("q-learning --lambda 0.3", &path, 2, &["--lambda"]);
    refused("q-learning --opponent player=nobody", &path, 1, &["nobody", "minimax"]);
    refused("q-learning --opponent player=engine", &path, 1, &["player of the literature"]);
    refused("q-learning --from nowhere.learned", &path, 1, &["learned player \"nowhere.learned\": "]);
    refused("approximate-q --prior nowhere.learned", &path, 1, &["nowhere.learned"]);
    refused("approximate-q --prior a --from b", &path, 2, &["cannot be used with"]);
    refused("state-q --games 5000 --curve-every 1", &path, 1, &["more than 1000 points"]);
    assert!(!path.exists());
}
