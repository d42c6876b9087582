//! Matches against engines with faults: each fault loses one game, and the match goes on.

use super::arena_fake::command;
use kroon::arena::record::{GameRecord, Reason};
use kroon::arena::{report, store};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// The path of a file that only this test uses; the file does not exist.
fn fresh(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let _ = std::fs::remove_dir_all(&path);
    path
}

/// Games of a fake engine, which is the first one, against random moves.
struct Match {
    fault: &'static str,
    games: usize,
    more: Vec<&'static str>,
}

struct Outcome {
    games: usize,
    output: Output,
    records: Vec<GameRecord>,
    /// What `kroon report --json` says of the match; nothing if it has not begun.
    report: serde_json::Value,
    time: Duration,
}

impl Match {
    fn new(fault: &'static str, more: &[&'static str]) -> Match {
        Match { fault, games: 4, more: more.to_vec() }
    }

    fn play(&self) -> Outcome {
        let results = fresh(&format!("faults-{}-{}", self.fault.replace(':', "-"), self.more[1]));
        let start = Instant::now();
        let output = Command::new(env!("CARGO_BIN_EXE_kroon"))
            .args([
                "match",
                "--games",
                &self.games.to_string(),
                "--engine",
                &format!("cmd=\"{}\" name=fake", command(self.fault)),
            ])
            .args(["--engine", "proto=kroon player=random", "--max-plies", "30"])
            .arg("--results")
            .arg(&results)
            .args(["--patience", "20"].iter().take(if self.more.contains(&"--patience") { 0 } else { 2 }))
            .args(&self.more)
            .env_remove("KROON_LOG")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let time = start.elapsed();
        let (report, mut records) = match store::read(&results) {
            Ok((header, records)) => (report::json(&header, &records).unwrap(), records),
            Err(_) => ("null".to_owned(), Vec::new()),
        };
        records.sort_by_key(|record| record.game);
        let _ = std::fs::remove_file(&results);
        Outcome { games: self.games, output, records, report: serde_json::from_str(&report).unwrap(), time }
    }
}

impl Outcome {
    fn text(&self) -> String {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        format!("{}\n{}", text(&self.output.stdout), text(&self.output.stderr))
    }

    /// Checks that the match is complete, that the fake engine lost this number of games for this reason, and that no
    /// other game ended by a fault.
    fn assert(&self, reason: Reason, lost: usize) {
        let text = self.text();
        assert_eq!(self.output.status.code(), Some(0), "{text}");
        assert!(self.output.stderr.is_empty(), "{text}");
        assert_eq!(self.records.len(), self.games, "{text}");
        let faulty: Vec<&GameRecord> =
            self.records.iter().filter(|record| record.reason.is_fault()).collect();
        assert_eq!(faulty.len(), lost, "{text}");
        for record in faulty {
            assert_eq!(record.reason, reason, "{record:?}");
            assert_eq!(record.half_points(0), 0, "the engine at fault loses: {record:?}");
            assert!(record.detail.is_some(), "{record:?}");
        }
        for record in &self.records {
            // Every move that is written down is legal: an illegal one is not written.
            record.replay(kroon::rules::VariantId::International).unwrap();
        }
        let mut faults = serde_json::json!({});
        if lost > 0 {
            assert!(text.contains(&format!("fault: fake lost {lost} by {reason}")), "{text}");
            faults["fake"][reason.to_string()] = lost.into();
        }
        assert_eq!(self.report["faults"], faults, "{text}");
        assert!(text.contains(&format!("fake - random: {} games", self.games)), "{text}");
    }
}

#[test]
fn a_sound_engine_has_no_faults() {
    Match::new("none", &["--move-time", "0.2", "--time-margin", "5"]).play().assert(Reason::Crash, 0);
}

#[test]
fn crashes_are_noticed_at_once_even_without_a_clock() {
    for fault in ["crash:3", "abort:3"] {
        let outcome = Match::new(fault, &["--nodes", "100", "--patience", "30"]).play();
        // It crashes at its third move in every game, for it is started anew after each.
        outcome.assert(Reason::Crash, 4);
        assert!(outcome.time < Duration::from_secs(15), "{:?}", outcome.time);
        let detail = outcome.records[0].detail.clone().unwrap();
        assert!(detail.contains(if fault == "crash:3" { "exit status: 3" } else { "signal" }), "{detail}");
        // The opening and two moves of each side, and one more of White where the fake engine has Black.
        let plies: Vec<usize> =
            outcome.records.iter().map(|record| record.moves.split(' ').count()).collect();
        assert_eq!(plies, [6, 7, 6, 7]);
    }
}

#[test]
#[cfg(unix)]
fn closing_the_pipe_is_a_crash() {
    let outcome = Match::new("close:2", &["--nodes", "100", "--patience", "30"]).play();
    outcome.assert(Reason::Crash, 4);
    assert!(outcome.time < Duration::from_secs(15), "{:?}", outcome.time);
}

#[test]
fn a_last_word_counts() {
    // Its move is complete; that it has ended is noticed when it should move again.
    let outcome = Match::new("dying-word:2", &["--nodes", "100"]).play();
    outcome.assert(Reason::Crash, 4);
    let plies: Vec<usize> = outcome.records.iter().map(|record| record.moves.split(' ').count()).collect();
    assert_eq!(plies, [6, 7, 6, 7]);
}

#[test]
fn no_answer_is_a_hang_with_and_without_a_clock() {
    // Patience is also what an engine has for its start, on a machine that may be busy.
    let hang = |fault, limit, value| {
        let game =
            Match { games: 2, ..Match::new(fault, &[limit, value, "--time-margin", "2", "--patience", "5"]) };
        let outcome = game.play();
        outcome.assert(Reason::Hang, 2);
        outcome.records[0].detail.clone().unwrap()
    };
    std::thread::scope(|scope| {
        scope.spawn(|| hang("hang:2", "--move-time", "0.05"));
        scope.spawn(|| hang("hang:2", "--depth", "1"));
        scope.spawn(|| hang("only-garbage:2", "--depth", "1"));
        // Talking without end is no answer.
        scope.spawn(|| hang("endless:2", "--depth", "1"));
        scope.spawn(|| hang("endless:2", "--move-time", "0.05"));
        let detail = hang("wrong-case:2", "--move-time", "0.05");
        assert!(detail.contains("DONE MOVE="), "{detail}");
    });
}

#[test]
fn late_moves_lose_on_time_unless_the_margin_covers_them() {
    let outcome = Match::new("late:3", &["--move-time", "0.05", "--time-margin", "1"]).play();
    // An engine that was only late plays on, and is late only once.
    outcome.assert(Reason::Time, 1);
    assert_eq!(outcome.records[0].moves.split(' ').count(), 6);
    Match::new("late:3", &["--move-time", "0.05", "--time-margin", "20"]).play().assert(Reason::Time, 0);
    Match::new("late:3", &["--tc", "1", "--time-margin", "0.01"]).play().assert(Reason::Time, 1);
}

#[test]
fn illegal_moves_lose_and_are_not_written() {
    for fault in ["illegal:3", "no-move:3", "move-case:3"] {
        let outcome = Match::new(fault, &["--depth", "1"]).play();
        outcome.assert(Reason::IllegalMove, 4);
        let plies: Vec<usize> =
            outcome.records.iter().map(|record| record.moves.split(' ').count()).collect();
        assert_eq!(plies, [6, 7, 6, 7], "{fault}");
    }
}

#[test]
fn noise_is_no_fault() {
    for fault in ["garbage", "flood", "id-in-the-way", "chatter"] {
        Match::new(fault, &["--move-time", "1", "--time-margin", "5"]).play().assert(Reason::Crash, 0);
    }
}

#[test]
fn an_engine_that_does_not_quit_is_ended() {
    let outcome = Match::new("no-quit", &["--depth", "1"]).play();
    outcome.assert(Reason::Crash, 0);
    assert!(outcome.time < Duration::from_secs(20));
}

#[test]
fn engines_that_do_not_start_stop_the_match_before_the_first_game() {
    let late = "no \"wait\" within 1 s";
    for (fault, patience, needle) in
        [("exit-after-hub", "20", "ended before \"wait\""), ("mute", "1", late), ("babble", "1", late)]
    {
        let outcome = Match::new(fault, &["--depth", "1", "--patience", patience]).play();
        let text = outcome.text();
        assert_eq!(outcome.output.status.code(), Some(1), "{text}");
        assert!(text.contains("error: engine fake: not started") && text.contains(needle), "{text}");
        assert!(outcome.records.is_empty());
    }
}

/// What it loses because it is not there any more says nothing about its play.
#[test]
fn an_engine_that_is_gone_leaves_no_lost_games() {
    let folder = fresh("gone");
    std::fs::create_dir(&folder).unwrap();
    let (script, marker, results) = (folder.join("once.sh"), folder.join("crashed"), folder.join("r.jsonl"));
    let text = format!(
        "[ -e '{0}' ] && exit 1\n\"$@\"\ncode=$?\n[ $code = 0 ] || touch '{0}'\nexit $code\n",
        marker.display()
    );
    std::fs::write(&script, text).unwrap();
    for games in ["4", "40"] {
        let _ = std::fs::remove_file(&marker);
        let output = Command::new(env!("CARGO_BIN_EXE_kroon"))
            .args(["match", "--games", games, "--depth", "1", "--max-plies", "30", "--concurrency", "1"])
            .arg("--engine")
            .arg(format!("cmd=\"sh '{}' {}\" name=fake", script.display(), command("crash:2")))
            .args(["--engine", "proto=kroon player=random", "--patience", "20", "--results"])
            .arg(&results)
            .env_remove("KROON_LOG")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.contains("fake cannot be started: "), "{text}");
        let (_, records) = store::read(&results).unwrap();
        assert_eq!(
            records.iter().map(|record| record.reason).collect::<Vec<_>>(),
            [Reason::Crash],
            "{games}"
        );
        std::fs::remove_file(&results).unwrap();
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_match_that_nobody_reads_is_no_success() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kroon"))
        .args(["match", "--games", "2000", "--nodes", "1000", "--engine", "proto=kroon"])
        .args(["--engine", "proto=kroon name=b"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert!(!first.is_empty());
    // The pipe is closed here.
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && text.contains(" of 2000 games"), "{text}");
}

#[test]
fn tables_that_cannot_be_used_are_found_before_the_first_game() {
    let results = fresh("no-tables");
    let output = Command::new(env!("CARGO_BIN_EXE_kroon"))
        .args(["match", "--games", "2", "--depth", "1", "--engine", "proto=kroon", "--engine"])
        .args(["proto=kroon name=b param.tables=no/such/folder", "--results"])
        .arg(&results)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() != Some(0) && text.contains("no such folder"), "{text}");
    assert!(!results.exists());
}

#[test]
fn a_strict_match_stops_at_the_first_fault() {
    let outcome = Match::new("illegal:1", &["--depth", "1", "--strict"]).play();
    let text = outcome.text();
    assert_eq!(outcome.output.status.code(), Some(1), "{text}");
    assert!(text.contains("error: game 1: fake illegal move") && text.contains("strict"), "{text}");
    assert_eq!(outcome.records.len(), 1, "what was played is kept");
    assert!(text.contains("fault: fake lost 1 by illegal move"), "{text}");
}
