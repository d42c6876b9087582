//! Puzzles: found, judged by endgame tables, written in every form, read from every source.

use super::program::{kroon, kroon_in};
use assert_cmd::Command;
use kroon::notation::{fen, moves, pdn::read_games};
use kroon::puzzles::{
    Checker, FindProgress, Finder, FinderSettings, Flaw, GameSource, Goal, Puzzle, Theme, builtin, find_all,
    read, sheet, write, write_pdn,
};
use kroon::rules::VariantId;
use kroon::search::Control;
use kroon::tablebase::{Tables, Value, add_embedded};
use proptest::prelude::*;
use std::fs;

/// Few nodes: shots and small endings need no more.
const QUICK: FinderSettings = FinderSettings { nodes: 2000, hash_mb: 1 };

fn puzzle_of(variant: VariantId, text: &str) -> Option<Puzzle> {
    let game = fen::game_from_fen(variant, text).unwrap();
    Finder::new(QUICK).find(&game, "", &Control::new()).into_iter().next()
}

/// Worked out by hand: after 44-40, 38-33 and 40-34 with 14x23, 28x39 and 39x30 (each the only capture) a man stands on 30, and 35
/// takes five: 30, 20, 10, 9 and 8, by way of 24, 15, 4 and 13 to 2, where it is crowned. Three men are given.
#[test]
fn a_shot_is_found_with_its_themes() {
    let position = "W:W19,35,37,38,44,45,47,50:B6,8,9,10,12,14,17,20,28";
    let puzzle = puzzle_of(VariantId::International, position).unwrap();
    assert_eq!(puzzle.solution, ["44-40", "14x23", "38-33", "28x39", "40-34", "39x30", "35x2"]);
    assert_eq!(puzzle.goal, Goal::Win);
    assert!(puzzle.themes.contains(&Theme::Capture(5)), "{:?}", puzzle.themes);
    assert!(puzzle.themes.iter().any(|theme| matches!(theme, Theme::Sacrifice(_))), "{:?}", puzzle.themes);
    puzzle.validate().unwrap();
}

#[test]
fn where_several_moves_win_or_none_does_is_no_puzzle() {
    // Three kings against a man: everything wins. The start: nothing does.
    assert_eq!(puzzle_of(VariantId::English, "W:WK1,K2,K3:B12"), None);
    let start = kroon::game::Game::new(VariantId::International);
    assert!(Finder::new(QUICK).find(&start, "", &Control::new()).is_empty());
}

/// An oracle that no search has touched: in the endings that the tables in the program know, exactly one move of each
/// puzzle keeps what is to be reached.
#[test]
fn tables_confirm_the_endings_of_the_built_in_sets() {
    let mut judged = 0;
    for variant in VariantId::ALL {
        let mut tables = Tables::new(variant);
        add_embedded(&mut tables, u8::MAX).unwrap();
        for puzzle in builtin(variant) {
            let (start, line) = puzzle.line().unwrap();
            let known = tables.moves(start.position());
            if !known.iter().all(|(_, verdict)| verdict.is_some()) {
                continue;
            }
            let wanted = |value| match puzzle.goal {
                Goal::Win => value == Value::Win,
                Goal::Draw => value != Value::Loss,
            };
            let keeping: Vec<_> =
                known.iter().filter(|(_, verdict)| verdict.is_some_and(|v| wanted(v.value))).collect();
            assert_eq!(keeping.len(), 1, "{variant} {}", puzzle.fen);
            assert_eq!(keeping[0].0, line[0], "{variant} {}", puzzle.fen);
            judged += 1;
        }
    }
    assert!(judged >= 5, "{judged}");
}

#[test]
fn the_checker_rejects_what_is_none() {
    let good = builtin(VariantId::International).swap_remove(0);
    let mut checker = Checker::new(20_000, 1);
    assert_eq!(checker.check(&good, &Control::new()), Ok(()));
    let (start, line) = good.line().unwrap();
    let other = *start.legal_moves().iter().find(|&&mv| mv != line[0]).unwrap();
    let text = moves::write(start.variant(), start.position(), other);
    let wrong = Puzzle { solution: vec![text], sequel: Vec::new(), sidelines: Vec::new(), ..good.clone() };
    assert_eq!(checker.check(&wrong, &Control::new()), Err(Flaw::OtherMove(good.solution[0].clone())));
    let broken = Puzzle { solution: vec!["1-2".to_owned()], ..good };
    assert!(matches!(checker.check(&broken, &Control::new()), Err(Flaw::Fault(_))));
}

#[test]
fn pdn_and_sheet_hold_every_puzzle() {
    let puzzles: Vec<Puzzle> =
        VariantId::ALL.into_iter().flat_map(|variant| builtin(variant).into_iter().take(4)).collect();
    let (games, warnings) = read_games(&write_pdn(&puzzles).unwrap());
    assert!(warnings.is_empty(), "{warnings:?}");
    assert_eq!(games.len(), puzzles.len());
    for (game, puzzle) in games.iter().zip(&puzzles) {
        let replay = game.replay().unwrap();
        assert!(replay.stopped.is_none(), "{:?}", replay.stopped);
        assert_eq!(replay.game().variant(), puzzle.variant().unwrap());
        assert_eq!(replay.game().moves().len(), puzzle.solution.len() + puzzle.sequel.len());
        assert_eq!(replay.game().moves()[..puzzle.solution.len()], puzzle.line().unwrap().1[..]);
    }
    let page = sheet("Some <puzzles>", &puzzles).unwrap();
    assert!(page.starts_with(&kroon::svg::page::beginning("puzzles")));
    assert_eq!(page.matches("<figure>").count(), puzzles.len());
    assert_eq!(page.matches("<li>").count(), puzzles.len());
    assert!(page.contains("Some &lt;puzzles&gt;") && !page.contains("<script") && !page.contains("href="));
}

/// Games with shots in them that few nodes see, as PDN: the solutions of some puzzles.
fn games() -> String {
    let mut puzzles = builtin(VariantId::International);
    puzzles.retain(|puzzle| puzzle.themes.iter().any(|theme| matches!(theme, Theme::Sacrifice(_))));
    puzzles.sort_by_key(|puzzle| puzzle.depth);
    // Games with a goal would be puzzles already.
    let text = write_pdn(&puzzles[..10]).unwrap();
    text.lines().filter(|line| !line.starts_with("[Goal ")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn any_number_of_threads_finds_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pdn");
    fs::write(&path, games()).unwrap();
    let found = |threads| {
        let games = GameSource::open(&path, None).unwrap();
        let progress = FindProgress::default();
        let set =
            find_all(games, QUICK, threads, &Control::new(), &progress, |fault| panic!("{fault}")).unwrap();
        set.into_sorted()
    };
    let one = found(1);
    assert!(one.len() >= 3, "{}", one.len());
    assert_eq!(found(3), one);
}

#[test]
fn a_broken_game_is_named_and_the_next_one_read() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.pdn"), format!("1. 32-28 1-50 *\n\n{}", games())).unwrap();
    let output = kroon_in(folder.path(), "")
        .args([
            "puzzles",
            "a.pdn",
            "--nodes",
            "2000",
            "--out",
            "out.jsonl",
            "--out",
            "out.html",
            "--out",
            "out.pdn",
        ])
        .output()
        .unwrap();
    assert!(output.status.success());
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("\"a.pdn\", game 1: line 1, column 10: move \"1-50\""), "{errors}");
    let puzzles = read(&fs::read_to_string(folder.path().join("out.jsonl")).unwrap()).unwrap();
    assert!(!puzzles.is_empty() && puzzles.iter().all(|puzzle| puzzle.source.starts_with("a.pdn, game ")));
    assert!(fs::read_to_string(folder.path().join("out.html")).unwrap().contains("<h2>Solutions</h2>"));
    assert_eq!(
        read_games(&fs::read_to_string(folder.path().join("out.pdn")).unwrap()).0.len(),
        puzzles.len()
    );
}

#[test]
fn matches_and_self_play_are_sources_too() {
    let folder = tempfile::tempdir().unwrap();
    let games =
        ["match", "--games", "2", "--openings", "random:6:1", "--max-plies", "40", "--results", "m.jsonl"];
    let engines =
        ["--engine", "proto=kroon name=a param.level=3", "--engine", "proto=kroon name=b param.level=2"];
    assert!(kroon_in(folder.path(), "").args(games).args(engines).status_ok());
    let selfplay = ["selfplay", "--games", "2", "--nodes", "50", "--out", "s"];
    assert!(kroon_in(folder.path(), "").args(selfplay).status_ok());
    let shard = fs::read_dir(folder.path().join("s")).unwrap().next().unwrap().unwrap().path();
    for path in [folder.path().join("m.jsonl"), shard] {
        let games: Vec<_> = GameSource::open(&path, None).unwrap().map(Result::unwrap).collect();
        assert_eq!(games.len(), 2, "{}", path.display());
        assert!(games.iter().all(|game| game.game.moves().len() > 5));
    }
    // All games of a folder.
    let output = kroon_in(folder.path(), "puzzles s --nodes 100").output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && errors.ends_with(" puzzles\n"), "{errors}");
}

/// Whether a command ends well.
trait StatusOk {
    fn status_ok(&mut self) -> bool;
}

impl StatusOk for Command {
    fn status_ok(&mut self) -> bool {
        self.output().unwrap().status.success()
    }
}

#[test]
fn wrong_files_and_options_are_clear_errors() {
    let folder = tempfile::tempdir().unwrap();
    let said = |arguments: &[&str]| {
        let output = kroon_in(folder.path(), "").arg("puzzles").args(arguments).output().unwrap();
        assert!(!output.status.success(), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(said(&["nothing.pdn"]).contains("\"nothing.pdn\": No such file"));
    assert!(said(&["--builtin", "--theme", "luck"]).contains("unknown theme \"luck\", expected sacrifice-N"));
    assert!(
        said(&["--builtin", "--difficulty", "5-"]).contains("\"5-\" found, expected MIN-MAX such as 2-4.5")
    );
    assert!(said(&["--builtin", "--variant", "chess"]).contains("unknown variant \"chess\""));
    assert!(said(&[]).contains("with --builtin"));
    assert!(said(&["."]).contains("\".\" has no files of games (*.games) in it"));
    let line = r#"{"variant":"english","fen":"W:W1:B5","goal":"win","solution":["9-99"],"themes":[],"difficulty":1,"depth":1,"captured":0,"lure":0}"#;
    fs::write(folder.path().join("p.jsonl"), line).unwrap();
    assert!(said(&["p.jsonl"]).contains("\"p.jsonl\": line 1: "));
    fs::write(folder.path().join("q.jsonl"), "\n\n{\"variant\":]\n").unwrap();
    let fault = said(&["q.jsonl", "--out", "-"]);
    assert!(fault.ends_with("\"q.jsonl\": line 3, column 12: expected value\n"), "{fault}");
    assert!(said(&["--builtin", "--out", "-", "--out", "-"]).contains("\"-\" is named for two outputs"));
    fs::write(folder.path().join("b.pdn"), "[FEN \"W:W99:B1\"] 1. 32-28 *").unwrap();
    let fault = said(&["b.pdn", "--variant", "thai"]);
    assert!(
        fault.contains("\"b.pdn\", game 1: ") && fault.contains("none of the games can be played"),
        "{fault}"
    );
    fs::write(folder.path().join("x.png"), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR [White \"x\"] 1. 32-28 *")
        .unwrap();
    let fault = said(&["x.png"]);
    assert!(fault.contains("\"x.png\": line 1, column 1: this is no PDN file"), "{fault}");
    // The outputs are written where some moves could be played, but that is no success.
    fs::write(folder.path().join("c.pdn"), "1. 32-28 19-23 2. 99-31 *").unwrap();
    let fault = said(&["c.pdn", "--nodes", "100", "--out", "c.jsonl"]);
    assert!(
        fault.ends_with(
            "error: none of the games can be played to its end; what comes before was looked at\n"
        )
    );
    assert!(folder.path().join("c.jsonl").exists());
}

#[test]
fn no_input_is_lost_to_an_output() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let run =
        |arguments: &[&str]| kroon_in(folder.path(), "").arg("puzzles").args(arguments).output().unwrap();
    fs::write(at("g.pdn"), games()).unwrap();
    for out in ["g.pdn", "./g.pdn"] {
        let output = run(&["g.pdn", "--nodes", "100", "--out", out]);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && errors.contains("is an input and an output"), "{errors}");
        assert_eq!(fs::read_to_string(at("g.pdn")).unwrap(), games());
    }
    for outputs in [&["--out", "."][..], &["--out", "no/x.jsonl"], &["--out", "x.pdn", "--out", "./x.pdn"]] {
        assert!(!run(&[&["g.pdn", "--nodes", "100"], outputs].concat()).status.success(), "{outputs:?}");
    }
    // Puzzles take the place neither of other games nor of what is there where none is left.
    fs::write(at("old.pdn"), games()).unwrap();
    let output = run(&["--builtin", "--count", "1", "--out", "old.pdn"]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && errors.contains("\"old.pdn\" is no file of puzzles"), "{errors}");
    assert_eq!(fs::read_to_string(at("old.pdn")).unwrap(), games());
    // Whatever the name: games of a match, in a text file, or a page that is none.
    for (name, text) in [
        ("match.jsonl", "{\"match\":1}\n"),
        ("text.jsonl", "{\"variant\":\"english\",\"games\":3}\n"),
        ("old.txt", &games()),
        ("old.html", "my notes"),
        ("diary.html", "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Diary</title>"),
    ] {
        fs::write(at(name), text).unwrap();
        assert!(!run(&["--builtin", "--count", "1", "--out", name]).status.success(), "{name}");
        assert_eq!(fs::read_to_string(at(name)).unwrap(), text);
    }
    for name in ["p.jsonl", "p.html", "p.pdn"] {
        for count in ["1", "2"] {
            let output = run(&["--builtin", "--count", count, "--out", name]);
            assert!(output.status.success(), "{output:?}");
        }
    }
    assert!(run(&["--builtin", "--count", "2", "--out", "two.pdn"]).status.success());
    let before = fs::read(at("two.pdn")).unwrap();
    for words in [&["--theme", "sacrifice-40"][..], &["--variant", "english"]] {
        let output = run(&[&["two.pdn", "--out", "two.pdn"], words].concat());
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && errors.contains("no puzzle is left"), "{errors}");
        assert!(fs::read(at("two.pdn")).unwrap() == before);
    }
    // Other programs put a mark of the encoding before the text.
    fs::write(at("marked.pdn"), [&b"\xef\xbb\xbf"[..], &before].concat()).unwrap();
    assert!(run(&["marked.pdn", "--out", "same.pdn"]).status.success());
    assert!(fs::read(at("same.pdn")).unwrap() == before);
    // Puzzles go back into their file, sorted; one without any is empty.
    let all = builtin(VariantId::English);
    let mut puzzles = [all.len() - 1, all.len() / 2, 0].map(|place| all[place].clone());
    let mut lines = Vec::new();
    write(&puzzles, &mut lines).unwrap();
    fs::write(at("p.jsonl"), lines).unwrap();
    fs::write(at("e.jsonl"), "").unwrap();
    assert!(run(&["p.jsonl", "e.jsonl", "--out", "p.jsonl", "--out", "e.jsonl"]).status.success());
    puzzles.reverse();
    for name in ["p.jsonl", "e.jsonl"] {
        assert_eq!(read(&fs::read_to_string(at(name)).unwrap()).unwrap(), puzzles);
    }
    // From PDN they come back as they were; games do not stand among them.
    assert!(run(&["p.jsonl", "--out", "p.pdn"]).status.success());
    assert!(run(&["p.pdn", "--out", "p.pdn", "--out", "again.jsonl"]).status.success());
    let again = read(&fs::read_to_string(at("again.jsonl")).unwrap()).unwrap();
    assert_eq!(write_pdn(&again).unwrap(), fs::read_to_string(at("p.pdn")).unwrap());
    let mixed = fs::read_to_string(at("p.pdn")).unwrap() + "[White \"A\"]\n\n1. 11-15 *\n";
    fs::write(at("mixed.pdn"), mixed).unwrap();
    let errors = String::from_utf8(run(&["mixed.pdn"]).stderr).unwrap();
    assert!(errors.contains("\"mixed.pdn\", game 4: no puzzle"), "{errors}");
    // Fields in any order, behind a byte order mark, are puzzles, too.
    let text = fs::read_to_string(at("p.jsonl")).unwrap();
    let fields: Vec<serde_json::Map<String, serde_json::Value>> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let turned: Vec<String> = fields
        .iter()
        .map(|fields| {
            let pairs = fields.iter().rev().map(|(name, value)| format!("\"{name}\": {value}"));
            format!("{{ {} }}\n", pairs.collect::<Vec<_>>().join(", "))
        })
        .collect();
    fs::write(at("t.jsonl"), format!("\u{feff}{}", turned.concat())).unwrap();
    let output = run(&["t.jsonl"]);
    assert_eq!(read(&String::from_utf8(output.stdout).unwrap()).unwrap(), puzzles);
}

#[test]
fn a_line_is_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let arguments = [&["puzzles", "--builtin", "--variant", "thai", "--count", "2"], arguments].concat();
        let output = kroon_in(folder.path(), "").args(arguments).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap())
    };
    let [puzzles, said] = run(&[]);
    assert_eq!((read(&puzzles).unwrap().len(), said.as_str()), (2, "2 puzzles\n"));
    assert_eq!(run(&["--out", "-", "--out", "p.pdn"]), [puzzles.as_str(), "2 puzzles\n"]);
    assert!(folder.path().join("p.pdn").exists() && !folder.path().join("-").exists());
    let [tried, table] = run(&["--levels", "1", "--out", "-"]);
    assert!(tried.lines().count() == 2 && tried.lines().all(|line| line.starts_with('{')), "{tried}");
    assert!(table.starts_with("difficulty "), "{table}");
}

#[test]
fn the_puzzles_of_the_program_are_of_one_variant_or_of_all() {
    let taken = |arguments: &[&str]| {
        let output = kroon("puzzles --builtin").args(arguments).output().unwrap();
        read(&String::from_utf8(output.stdout).unwrap()).unwrap()
    };
    assert_eq!(taken(&[]), builtin(VariantId::International));
    assert_eq!(taken(&["--variant", "thai"]), builtin(VariantId::Thai));
    let all = taken(&["--variant", "all"]);
    assert!(VariantId::ALL.iter().all(|&variant| all.iter().any(|puzzle| puzzle.variant() == Ok(variant))));
    let easiest = builtin(VariantId::International)[0].difficulty;
    let easy = taken(&["--difficulty", &easiest.to_string()]);
    assert!(!easy.is_empty() && easy.iter().all(|puzzle| puzzle.difficulty == easiest));
}

/// As `annotate` finds the names.
#[test]
fn players_are_named_in_foreign_tags_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("g.pdn");
    let text = "[Bianco \"Rossi\"] [Nero \"Verdi\"] [GameType \"22\"] 1. 22-18 *\n\n\
        [P1 \"one\"] [P2 \"two\"] [GameType \"21\"] 1. 11-15 *\n\n[White \"A\"] [GameType \"20\"] 1. 32-28 *\n";
    fs::write(&path, text).unwrap();
    let names: Vec<String> = GameSource::open(&path, None).unwrap().map(|game| game.unwrap().name).collect();
    assert_eq!(names, ["g.pdn, game 1 (Rossi - Verdi)", "g.pdn, game 2 (two - one)", "g.pdn, game 3 (A)"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_pipe_is_a_source_like_a_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("g.pdn"), games()).unwrap();
    let run = |name: &str, input: &str| {
        let mut command = kroon_in(folder.path(), "");
        let output = command.args(["puzzles", name, "--nodes", "2000", "--no-source"]).write_stdin(input);
        String::from_utf8(output.output().unwrap().stdout).unwrap()
    };
    let from_file = run("g.pdn", "");
    assert!(!from_file.is_empty());
    assert_eq!(run("/dev/stdin", &games()), from_file);
    assert_eq!(run("-", &games()), from_file);
    assert_eq!(run("/dev/stdin", &from_file), from_file);
}

#[test]
fn what_is_no_part_of_a_game_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("g.pdn");
    let told = |text: &str| -> Vec<String> {
        fs::write(&path, text).unwrap();
        let faults = GameSource::open(&path, None).unwrap().filter_map(Result::err);
        faults.map(|fault| fault.to_string().rsplit('/').next().unwrap().to_owned()).collect()
    };
    assert_eq!(
        told("1. 32-28 huh what 19-23 *\n\n1. 32-28 *\n1. 33-29 * done"),
        [
            "g.pdn\", game 1: line 1, column 10: \"huh\" is no part of a game",
            "g.pdn\": line 4, column 12: \"done\" is no part of a game",
        ]
    );
    let junk = "junk ".repeat(100_000);
    assert_eq!(told(&junk), ["g.pdn\": line 1, column 1: \"junk\" is no part of a game", "g.pdn\""]);
    assert_eq!(told(""), ["g.pdn\""]);
}

#[test]
fn as_many_are_checked_as_are_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let mut puzzles = builtin(VariantId::English);
    puzzles.truncate(12);
    // Another move first: the easiest one cannot be confirmed.
    let (start, line) = puzzles[0].line().unwrap();
    let other = *start.legal_moves().iter().find(|&&mv| mv != line[0]).unwrap();
    puzzles[0].solution = vec![moves::write(start.variant(), start.position(), other)];
    (puzzles[0].sequel, puzzles[0].sidelines) = Default::default();
    let mut lines = Vec::new();
    write(&puzzles, &mut lines).unwrap();
    fs::write(folder.path().join("p.jsonl"), lines).unwrap();
    let run = |arguments: &[&str]| {
        let output =
            kroon_in(folder.path(), "").args(["puzzles", "p.jsonl"]).args(arguments).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let errors = String::from_utf8(output.stderr).unwrap();
        (read(&String::from_utf8(output.stdout).unwrap()).unwrap(), errors)
    };
    let (chosen, errors) = run(&["--check=100000", "--count", "4"]);
    let (all, _) = run(&["--check=100000"]);
    assert_eq!(chosen.len(), 4, "{errors}");
    assert!(chosen.iter().all(|puzzle| all.contains(puzzle)) && !all.contains(&puzzles[0]));
    let said = errors.lines().find(|line| line.contains(" rejected by ")).unwrap();
    let searched: usize = said.split(' ').nth(2).unwrap().parse().unwrap();
    assert!((4..8).contains(&searched), "{errors}");
    // A file behind the option is no number of nodes.
    let (behind, _) = run(&["--nodes", "100", "--check", "p.jsonl", "--count", "1"]);
    assert_eq!(behind.len(), 1);
}

#[cfg(unix)]
#[test]
fn an_interruption_replaces_no_file() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    // More than it can do before it is told to end.
    fs::write(at("g.pdn"), games().repeat(1000)).unwrap();
    let mut puzzles = Vec::new();
    write(&builtin(VariantId::English)[..20], &mut puzzles).unwrap();
    fs::write(at("p.jsonl"), &puzzles).unwrap();
    fs::write(at("old.jsonl"), &puzzles).unwrap();
    let long = ["g.pdn", "--nodes", "100000000", "--out", "old.jsonl", "--out", "none.jsonl"];
    let some = ["g.pdn", "--nodes", "2000", "--out", "old.jsonl", "--out", "new.jsonl"];
    let levels = ["p.jsonl", "--levels", "20", "--tries", "1000", "--out", "old.jsonl"];
    let check = ["p.jsonl", "--check=1000000000000", "--out", "old.jsonl"];
    let unchecked = ["p.jsonl", "--check=1000000000000", "--count", "3", "--out", "left.jsonl"];
    let interrupted = |arguments: &[&str], after: f64| -> Vec<String> {
        let mut child = Command::new(env!("CARGO_BIN_EXE_kroon"))
            .arg("puzzles")
            .args(arguments)
            .current_dir(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let handler = || fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        // Until it listens, and a moment for it to begin.
        while cfg!(target_os = "linux") && caught(&handler()) & 2 == 0 {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        std::thread::sleep(std::time::Duration::from_secs_f64(after));
        let id = rustix::process::Pid::from_child(&child);
        rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
        let errors: Vec<String> =
            BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap).collect();
        assert_eq!(child.wait().unwrap().code(), Some(1), "{errors:?}");
        errors
    };
    for (arguments, said) in [
        (&long[..], "interrupted after 0 games with 0 puzzles; nothing was written"),
        (&some, " puzzles are in \"new.jsonl\""),
        (&levels, "interrupted at level 20, puzzle 1 of 20"),
        (&check, "interrupted after the check of 0 puzzles with 20 puzzles; nothing was written"),
        (&unchecked, "20 puzzles are in \"left.jsonl\", the check is not complete"),
    ] {
        let mut errors = interrupted(arguments, 1.5);
        // A busy machine may need longer for the first puzzle.
        for after in [6.0, 24.0] {
            if arguments == &some[..] && errors.iter().any(|line| line.contains("with 0 puzzles")) {
                errors = interrupted(arguments, after);
            }
        }
        assert!(errors.iter().any(|line| line.contains(said)), "{errors:?}");
        assert!(fs::read(at("old.jsonl")).unwrap() == puzzles);
    }
    assert!(!read(&fs::read_to_string(at("new.jsonl")).unwrap()).unwrap().is_empty());
    assert!(!at("none.jsonl").exists());
    let refused = kroon_in(folder.path(), "")
        .args(["puzzles", "p.jsonl", "--levels", "1", "--out", "x.html"])
        .output()
        .unwrap();
    assert!(!refused.status.success() && !at("x.html").exists());
}

/// The signals that a process catches, by its status.
#[cfg(unix)]
fn caught(status: &str) -> u64 {
    let line = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or("0");
    u64::from_str_radix(line.trim(), 16).unwrap_or(0)
}

/// A puzzle with side lines.
fn with_sidelines() -> Puzzle {
    let all = VariantId::ALL.into_iter().flat_map(builtin);
    all.into_iter().find(|puzzle| !puzzle.sidelines.is_empty()).unwrap()
}

#[test]
fn a_side_line_without_moves_is_refused() {
    let mut puzzle = with_sidelines();
    puzzle.sidelines[0].moves.clear();
    let mut line = Vec::new();
    write(std::slice::from_ref(&puzzle), &mut line).unwrap();
    let error = read(&String::from_utf8(line).unwrap()).unwrap_err().to_string();
    assert!(error.starts_with("line 1: the sideline after ") && error.ends_with(" has no move"), "{error}");
    assert!(sheet("", &[puzzle]).unwrap().contains("<ol><li>"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_change_to_a_line_is_read_or_refused(at in 0usize..700, with in "\\PC{0,3}", cut in 0usize..30) {
        let mut line = Vec::new();
        write(&[with_sidelines()], &mut line).unwrap();
        let text = String::from_utf8(line).unwrap();
        let from = (0..=at.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
        let to = (from + cut..=text.len()).find(|&i| text.is_char_boundary(i)).unwrap_or(text.len());
        let changed = format!("{}{with}{}", &text[..from], &text[to..]);
        if let Ok(puzzles) = read(&changed) {
            write_pdn(&puzzles).unwrap();
            sheet("", &puzzles).unwrap();
        }
    }
}
