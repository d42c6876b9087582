//! `kroon reproduce`: small runs of every experiment, again, interrupted and checked.

use super::program::{folder, process_in};
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn command(folder: &Path, args: &str) -> Command {
    let mut command = process_in(folder, &format!("reproduce {args}"));
    command.stdin(Stdio::null());
    command
}

fn reproduce(folder: &Path, args: &str) -> Output {
    command(folder, args).output().unwrap()
}

fn text(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    text
}

/// The report as JSON, without times.
fn json(path: &Path) -> serde_json::Value {
    let mut value: serde_json::Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    value["seconds"] = 0.into();
    value
}

#[test]
fn the_tables_of_ai_for_draught_in_small() {
    let folder = folder("reproduce-p1");
    let args = "ai-for-draught --games 2 --training 3 --seed 4";
    let whole = text(&reproduce(&folder, &format!("{args} --out whole")));
    for part in
        ["published", "minimax first v random", "100%", "[96.3, 100.0]", "mcts second v MCTS", "what follows"]
    {
        assert!(whole.contains(part), "{part}: {whole}");
    }
    // Six players against two opponents.
    let games: Vec<_> = fs::read_dir(folder.join("whole/ai-for-draught"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".jsonl"))
        .collect();
    assert_eq!(games.len(), 12, "{games:?}");
    let report = json(&folder.join("whole/ai-for-draught/report.json"));
    let rows = report["tables"][0]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 24);
    for row in rows {
        let ours = &row["ours"];
        let games: u64 = ["won", "drawn", "lost"].iter().map(|name| ours[name].as_u64().unwrap()).sum();
        assert_eq!((games, row["published"]["games"].as_u64()), (2, Some(100)));
    }
    assert!(
        fs::read_to_string(folder.join("whole/ai-for-draught/report.html")).unwrap().ends_with("</html>")
    );

    // Killed somewhere and called again, it is the same experiment.
    let mut child = command(&folder, &format!("{args} --out killed")).stdout(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(300));
    child.kill().unwrap();
    child.wait().unwrap();
    text(&reproduce(&folder, &format!("{args} --out killed --concurrency 1")));
    assert_eq!(json(&folder.join("killed/ai-for-draught/report.json")), report);
    // Nothing is left to do; another number of games is more of the same, another seed is another experiment.
    assert_eq!(text(&reproduce(&folder, &format!("{args} --out whole"))), whole);
    fs::rename(folder.join("whole"), folder.join("moved")).unwrap();
    assert!(reproduce(&folder, &format!("{args} --out ./moved")).status.success());
    fs::rename(folder.join("moved"), folder.join("whole")).unwrap();
    let other = reproduce(&folder, "ai-for-draught --games 2 --training 3 --seed 5 --out whole");
    assert!(!other.status.success() && String::from_utf8_lossy(&other.stderr).contains("seed"));
    let fewer = reproduce(&folder, "ai-for-draught --games 1 --training 3 --seed 4 --out whole");
    let said = String::from_utf8_lossy(&fewer.stderr).into_owned();
    assert!(
        !fewer.status.success() && said.contains(".jsonl") && said.contains("choose another folder"),
        "{said}"
    );
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_others_in_small() {
    let folder = folder("reproduce-others");
    let quiet = text(&reproduce(&folder, "draughts-ai --games 1"));
    assert!(quiet.contains("left to the first") && quiet.contains("mean result"), "{quiet}");
    let curve = text(&reproduce(&folder, "checkers-rl --games 2 --training 3"));
    assert!(curve.contains("3 training games"), "{curve}");
    let steps = text(&reproduce(&folder, "nogo-mcts --games 1 --move-time 0.001"));
    assert!(steps.contains("two-player view") && steps.contains("ms a move"), "{steps}");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_check_fails_where_games_are_too_few() {
    let folder = folder("reproduce-check");
    let output = reproduce(&folder, "ai-for-draught --games 1 --training 3 --seed 4 --check");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(
        error.contains("not shown by these games: ai-for-draught: minimax is better than mcts"),
        "{error}"
    );
    let output = reproduce(&folder, "chess-ai");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("ai-for-draught, draughts-ai"));
    fs::remove_dir_all(&folder).unwrap();
}
