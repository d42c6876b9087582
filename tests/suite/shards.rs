//! Matches and tunings in shards: several processes against one.

use super::program::process_in;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A command of the program in a folder, for which nobody types.
fn command(folder: &Path, args: &str) -> Command {
    let mut command = process_in(folder, args);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn start(folder: &Path, args: &str) -> Child {
    command(folder, args).spawn().unwrap()
}

/// Standard output of something that must succeed without a word on standard error.
fn text(output: Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && errors.is_empty(), "{text}\n{errors}");
    text
}

fn done(folder: &Path, args: &str) -> String {
    text(command(folder, args).output().unwrap())
}

fn refused(folder: &Path, args: &str, status: i32, needles: &[&str]) {
    let output = command(folder, args).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{args}: {errors}");
    for needle in needles {
        assert!(errors.contains(needle), "{args}: {needle:?} is missing in: {errors}");
    }
}

/// The games of a results file without what depends on clocks: number, players, result, moves, nodes of each move.
fn games(folder: &Path, name: &str) -> Vec<Value> {
    let text = fs::read_to_string(folder.join(name)).unwrap();
    let games = text.lines().skip(1).map(|line| {
        let mut game: Value = serde_json::from_str(line).unwrap();
        game["ended"] = Value::Null;
        game["notes"].as_array_mut().unwrap().iter_mut().for_each(|note| note[3] = Value::Null);
        game
    });
    let mut games: Vec<Value> = games.collect();
    games.sort_by_key(|game| game["game"].as_u64());
    games
}

/// Three engines, one of them with chances of its own.
const MATCH: &str = "match --variant english --engine 'proto=kroon name=a nodes=300 param.hash=1' \
                     --engine 'proto=kroon name=b nodes=60 param.hash=1 param.variety=0.3' \
                     --engine 'proto=kroon name=c player=random' \
                     --openings random:4:7 --games 20 --max-plies 60";

#[test]
fn four_processes_play_the_match_of_one() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let shards: Vec<Child> = (0..4)
        .map(|index| start(folder, &format!("{MATCH} --shard {index}/4 --results part-{index}")))
        .collect();
    done(folder, &format!("{MATCH} --results whole"));
    for (index, shard) in shards.into_iter().enumerate() {
        let said = text(shard.wait_with_output().unwrap());
        assert!(said.starts_with(&format!("shard {index}/4: ")) && said.contains(" of 60 games\n"), "{said}");
    }
    let whole = games(folder, "whole");
    assert_eq!(whole.len(), 60);
    let mut all = Vec::new();
    for index in 0..4 {
        let part = games(folder, &format!("part-{index}"));
        assert!((12..=18).contains(&part.len()), "{} games", part.len());
        for pair in part.chunks(2) {
            let number = |game: &Value| game["game"].as_u64().unwrap();
            assert!(number(&pair[0]) % 2 == 1 && number(&pair[1]) == number(&pair[0]) + 1, "{pair:?}");
        }
        all.extend(part);
    }
    all.sort_by_key(|game| game["game"].as_u64());
    assert_eq!(all, whole, "opening, colours, players, moves, nodes");

    // The same report in any order of files, and with games that are there again.
    let report = done(folder, "report whole --json");
    assert_eq!(done(folder, "report part-0 part-1 part-2 part-3 --json"), report);
    assert_eq!(done(folder, "report part-2 part-0 part-3 part-1 --json"), report);
    let again = command(folder, "report part-1 whole part-1 part-0 --json").output().unwrap();
    assert_eq!(String::from_utf8_lossy(&again.stdout), report);
    let warning = String::from_utf8_lossy(&again.stderr);
    assert!(warning.contains("games more than once in the files, counted once"), "{warning}");
    let part: Value = serde_json::from_str(&done(folder, "report part-3 --json")).unwrap();
    assert_eq!((part["shard"].as_str(), part["games"].as_u64() < Some(60)), (Some("3/4"), true));
    refused(folder, "sprt part-0 part-1", 1, &["2 results files", "two engines, the match has 3"]);

    // A shard goes on after a stop, with its own games, and only in its own file.
    let text = fs::read_to_string(folder.join("part-1")).unwrap();
    let cut: String = text.split_inclusive('\n').take(6).collect();
    fs::write(folder.join("part-1"), &cut[..cut.len() - 3]).unwrap();
    refused(folder, &format!("{MATCH} --shard 2/4 --results part-1"), 1, &["its shard is 1/4, not 2/4"]);
    refused(folder, &format!("{MATCH} --results part-1"), 1, &["its shard is 1/4, not none"]);
    let said = done(folder, &format!("{MATCH} --shard 1/4 --results part-1"));
    assert!(said.contains("\n4 of ") && said.contains("the match goes on"), "{said}");
    assert_eq!(done(folder, "report part-0 part-1 part-2 part-3 --json"), report);
    // A game that another shard plays.
    let foreign = fs::read_to_string(folder.join("part-0")).unwrap().lines().nth(1).unwrap().to_owned();
    fs::write(folder.join("part-1"), text.clone() + &foreign + "\n").unwrap();
    refused(folder, &format!("{MATCH} --shard 1/4 --results part-1"), 1, &["shard 1/4 does not play it"]);
    fs::write(folder.join("part-1"), text).unwrap();

    // Another match.
    let other = MATCH.replace("random:4:7", "random:4:8").replace("--games 20", "--games 2");
    done(folder, &format!("{other} --shard 0/4 --results other"));
    refused(
        folder,
        "report part-1 other --json",
        1,
        &["\"other\" is of another match than \"part-1\"", "openings is random:4:8, there it is random:4:7"],
    );
}

#[test]
fn the_test_reads_all_shards() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let engines = "match --variant breakthrough --engine 'proto=kroon name=a nodes=200 param.hash=1' \
                   --engine 'proto=kroon name=b player=random' --openings random:3:1 --games 60 --max-plies 80";
    let shards =
        (0..3).map(|index| start(folder, &format!("{engines} --shard {index}/3 --results part-{index}")));
    let shards: Vec<Child> = shards.collect();
    let one = done(folder, &format!("{engines} --results one --sprt 0,100"));
    shards.into_iter().for_each(|shard| drop(text(shard.wait_with_output().unwrap())));
    // The same pairs in the same order: the test ends where that of the match has ended.
    let all = done(folder, "sprt part-2 part-0 part-1 --sprt 0,100");
    assert_eq!(done(folder, "sprt part-0 part-1 part-2 --sprt 0,100"), all);
    assert!(all.starts_with("games 60\npairs with 0 to 2 points ") && all.contains(" of 30\n"), "{all}");
    let decided =
        one.lines().find_map(|line| line.split_once(" after ")).unwrap().1.split_once(" in order").unwrap().0;
    assert!(
        one.contains(": H1 accepted, LLR ") && all.contains("\nSPRT  0,100,0.05,0.05: H1 accepted\n"),
        "{one}{all}"
    );
    assert!(all.contains(&format!("after {decided} in order")), "{decided}: {all}");
    // A shard alone: the pairs behind the first gap do not count.
    let part = done(folder, "sprt part-1 --sprt 0,100");
    assert!(part.starts_with("games 20\n") && part.ends_with("SPRT  0,100,0.05,0.05: undecided\n"), "{part}");
    assert!(part.contains("\nElo ") && !part.contains("LLR"), "{part}");

    refused(
        folder,
        &format!("{engines} --results x --sprt 0,100 --shard 1/3"),
        2,
        &["--sprt 0,100,0.05,0.05 with --shard 1/3", "kroon sprt"],
    );
    refused(folder, &format!("{engines} --results x --shard 3/3"), 2, &["\"3/3\"", "from 0 to N - 1"]);
    refused(folder, &format!("{engines} --shard 1/3"), 2, &["--results"]);
    assert!(!folder.join("x").exists());
}

/// Short games: the first king wins.
const TUNING: &str = "tune --variant breakthrough --knob probcut-margin --knob lmr-first=4,1,8,1 --rate 0.05 \
                      --param hash=1 --openings random:4:1 --max-plies 200 --games 96 --pairs 4 --nodes 100 --resume";

#[test]
fn three_processes_learn_what_one_learns_also_when_they_are_killed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    done(folder, &format!("{TUNING} --state one.json"));
    let shard = |index: usize| start(folder, &format!("{TUNING} --state all.json --shard {index}/3"));
    let mut shards: Vec<Child> = (0..3).map(shard).collect();
    // Each is killed once, at another time, and started again; the others wait.
    let pairs = || {
        let text = fs::read_to_string(folder.join("all.json")).unwrap_or_default();
        serde_json::from_str::<Value>(&text).unwrap_or_default()["pairs"].as_u64().unwrap_or(0)
    };
    let begun = Instant::now();
    for index in [1, 0, 2] {
        let before = pairs();
        while pairs() == before && shards[0].try_wait().unwrap().is_none() {
            assert!(begun.elapsed() < Duration::from_secs(60), "nothing happens");
            sleep(Duration::from_millis(2));
        }
        shards[index].kill().unwrap();
        shards[index].wait().unwrap();
        shards[index] = shard(index);
    }
    for shard in shards {
        let said = text(shard.wait_with_output().unwrap());
        assert!(said.contains("Whether they are better"), "{said}");
    }
    let one = fs::read_to_string(folder.join("one.json")).unwrap();
    assert_eq!(fs::read_to_string(folder.join("all.json")).unwrap(), one);
    // Who comes late has nothing to do.
    let late = done(folder, &format!("{TUNING} --state all.json --shard 2/3"));
    assert!(late.starts_with("96 of 96 games are in the state"), "{late}");

    let new = "--state new.json --shard";
    refused(folder, &format!("{TUNING} {new} 8/9"), 1, &["shard 8/9: an iteration has 8 games"]);
    refused(folder, &format!("{TUNING} {new} 3/3"), 2, &["\"3/3\""]);
    refused(folder, &TUNING.replace("--resume", "--state new.json --shard 0/2"), 2, &["--resume"]);
    assert!(!folder.join("new.json").exists());
}
