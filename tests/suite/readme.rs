//! The examples of README.md are run; what depends on the machine or the state of the search may differ.

use std::fs;
use std::path::{Path, PathBuf};

/// How a README block is loosened: in the output of commands that contain `command`, the lines from one that starts
/// with `from` up to (not including) one that starts with `to` may be any.
struct Loose {
    command: &'static str,
    from: &'static str,
    to: &'static str,
}

const LOOSE: &[Loose] = &[
    Loose { command: " analyse", from: " ", to: "Best move" },
    Loose { command: " --json", from: "{\"type\":\"info\"", to: "{\"type\":\"result\"" },
    Loose { command: " board", from: "men ", to: "for White" },
    Loose { command: " bench", from: " ", to: "bench" },
];

/// Starts of lines after which the rest of the line may be anything.
const LOOSE_ENDS: &[&str] = &["Best move", "for White", "bench", "{\"type\":\"result\""];

fn loosened(readme: &str) -> String {
    let mut output = String::new();
    let mut rules: Vec<&Loose> = Vec::new();
    let mut skipping_to: Option<&str> = None;
    for line in readme.lines() {
        if line.starts_with("$ ") || line.starts_with("```") {
            rules = LOOSE.iter().filter(|loose| line.contains(loose.command)).collect();
            skipping_to = None;
        }
        if skipping_to.is_some_and(|to| line.starts_with(to)) {
            skipping_to = None;
        }
        if skipping_to.is_some() {
            continue;
        }
        if let Some(loose) = rules.iter().find(|loose| line.starts_with(loose.from)) {
            skipping_to = Some(loose.to);
            output.push_str("...\n");
            continue;
        }
        let end = LOOSE_ENDS.iter().find(|end| line.starts_with(**end));
        if let Some((position, _)) = line.split_once("\"evaluation\":") {
            output.push_str(&format!("{position}\"evaluation\":[..]\n"));
            continue;
        }
        match (end, line.split_once(" seconds ")) {
            (Some(end), _) => output.push_str(&format!("{end}[..]\n")),
            (None, Some((nodes, _))) if line.starts_with("nodes ") => {
                output.push_str(&format!("{nodes} seconds [..]\n"));
            }
            _ => output.push_str(&format!("{line}\n")),
        }
    }
    output
}

#[test]
fn examples_run() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("readme");
    fs::create_dir_all(&folder).unwrap();
    let copy = folder.join("README.md");
    fs::write(&copy, loosened(&fs::read_to_string(readme).unwrap())).unwrap();
    trycmd::TestCases::new()
        .register_bin("kroon", Path::new(env!("CARGO_BIN_EXE_kroon")))
        .env("KROON_LOG", "")
        .case(&copy);
}

/// The shell examples with a pipe, which are no `console` blocks: they must at least work.
#[test]
#[cfg(unix)]
fn shell_examples_work() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let binary = Path::new(env!("CARGO_BIN_EXE_kroon"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(binary.parent().unwrap().to_owned()).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(paths).unwrap();
    let mut run = 0;
    for line in readme.lines().filter(|line| line.contains("| kroon")) {
        let output = std::process::Command::new("sh").args(["-c", line]).env("PATH", &path).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{line}: {output:?}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("done move="), "{line}: {output:?}");
        run += 1;
    }
    assert!(run > 0, "the README shows how to pipe commands in");
}
