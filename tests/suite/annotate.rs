//! `kroon annotate` through the binary: files by other writers, broken games, kills, the forms of its output.

use super::program::{folder, process};
use kroon::annotate::{MoveClass, erase, journal_path};
use kroon::game::Outcome;
use kroon::notation::pdn::{self, PdnCommand, PdnGame, PdnLine, commands};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn annotate(args: &[&str]) -> Command {
    let mut command = process("annotate --hash 1");
    command.args(args);
    command
}

fn done(args: &[&str]) -> Output {
    let output = annotate(args).output().unwrap();
    assert!(output.status.success(), "{args:?}: {output:?}");
    output
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

fn games(path: &Path) -> Vec<PdnGame> {
    let bytes = fs::read(path).unwrap();
    let (games, _) = pdn::read_games(&pdn::decode(&bytes));
    games
}

/// The lines of a JSON file of this type.
fn lines(path: &Path, kind: &str) -> Vec<Value> {
    let all = text(path);
    let lines = all.lines().map(|line| serde_json::from_str(line).unwrap());
    lines.filter(|line: &Value| line["type"] == kind).collect()
}

/// Everything that people have said in a game, in order.
fn said(line: &PdnLine) -> Vec<String> {
    let mut all = line.comments.clone();
    for entry in &line.entries {
        all.push(format!("{}{:?}", entry.strength, entry.nags));
        all.extend(entry.comments.iter().cloned());
        all.extend(entry.variations.iter().flat_map(said));
    }
    all
}

#[test]
fn games_of_other_writers_keep_their_moves_and_words() {
    let folder = folder("annotate-files");
    for file in fs::read_dir("tests/data/pdn").unwrap() {
        let file = file.unwrap().path();
        let (out, json) = (folder.join("out.pdn"), folder.join("out.jsonl"));
        let names = [&file, &out, &json].map(|path| path.to_str().unwrap());
        let output =
            done(&[names[0], "--depth", "1", "--threads", "2", "--out", names[1], "--json", names[2]]);
        let (before, after) = (games(&file), games(&out));
        assert_eq!(before.len(), after.len(), "{file:?}");
        let mut analysed = 0;
        let mut broken = 0;
        for (old, new) in before.iter().zip(&after) {
            let mut own = new.clone();
            erase(&mut own);
            assert_eq!(said(&own.line), said(&old.line), "{file:?}");
            let Ok(replay) = old.replay() else {
                broken += 1;
                continue;
            };
            broken += usize::from(replay.stopped.is_some());
            let again = new.replay().unwrap();
            assert_eq!(replay.plies(), again.plies(), "{file:?}");
            for (one, other) in replay.sections().iter().zip(again.sections()) {
                assert_eq!(one.moves(), other.moves(), "{file:?}");
            }
            analysed += replay.plies();
            let evaluated = new.line.entries.iter().filter(|entry| {
                let read = entry.comments.iter().flat_map(|comment| commands(comment).0);
                read.into_iter().any(|command| matches!(command, PdnCommand::Evaluation(_)))
            });
            // Behind the move that ends the game there is nothing to evaluate.
            let over =
                replay.sections().iter().filter(|game| matches!(game.outcome(), Some(Outcome::Win(_))));
            let over = over.filter(|game| !game.moves().is_empty()).count();
            assert_eq!(evaluated.count(), replay.plies() - over, "{file:?}");
        }
        assert_eq!(lines(&json, "move").len(), analysed, "{file:?}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.lines().filter(|line| line.starts_with("game ")).count() >= broken, "{told}");
        assert!(!journal_path(&out).exists(), "what is done needs no journal");
    }
}

const BROKEN: &str = r#"[White "A"]
[GameType "20"]

1. 32-28 19-23 2. 28x19 14x23 1-1

[White "B"]
[GameType "20"]

1. 32-28 19-23 2. 33-29 14x23 {33-29 was not legal} 1-1

[White "C"]
[GameType "0"]

1. e4 e5 1-0

[White "D"]
[GameType "20"]

1. 33-29 {a word} (1. 32-28 {another}) 20-24 2. 29x20 15x24 1-1
"#;

#[test]
fn broken_games_are_told_by_number_and_the_others_go_on() {
    let folder = folder("annotate-broken");
    let (file, out) = (folder.join("in.pdn"), folder.join("out.pdn"));
    fs::write(&file, BROKEN).unwrap();
    let names = [&file, &out].map(|path| path.to_str().unwrap());
    let output = done(&[names[0], "--depth", "3", "--out", names[1]]);
    let told = String::from_utf8(output.stderr).unwrap();
    let lines: Vec<&str> = told.lines().collect();
    assert!(lines[0].starts_with("game 2: line 9, column ") && lines[0].contains("33-29"), "{told}");
    assert!(lines[1].starts_with("game 3: line 12, column 1: GameType or Variant 0 (chess)"), "{told}");
    // What is left out is told, too.
    assert!(lines[2].starts_with("game 3: line 14, column 4: \"e4\" is no part of a game"), "{told}");
    assert_eq!(lines.len(), 3, "{told}");
    let after = games(&out);
    assert_eq!(after.len(), 4);
    assert_eq!(after[1].line.entries.len(), 4, "{}", text(&out));
    let last = &after[3].line.entries[0];
    assert_eq!(last.comments[0], "a word");
    assert_eq!(last.variations[0].entries[0].comments, ["another"]);
    assert_eq!(after[3].tags.get("White"), Some("D"));
    // Nothing is said of a game of which nothing was analysed.
    let named: Vec<bool> = after.iter().map(|game| game.tags.get("Annotator").is_some()).collect();
    assert_eq!(named, [true, true, false, true]);
    // To standard output it is the same.
    assert_eq!(String::from_utf8(done(&[names[0], "--depth", "3"]).stdout).unwrap(), text(&out));
    let same = annotate(&[names[0], "--out", names[0]]).output().unwrap();
    assert!(!same.status.success() && text(&file) == BROKEN);
}

#[test]
fn where_a_game_breaks_off_is_said_in_all_outputs() {
    let folder = folder("annotate-breaks");
    let run = |input: &str, args: &[&str]| {
        fs::write(folder.join("in.pdn"), input).unwrap();
        let args = [&["in.pdn", "--depth", "1"], args].concat();
        let output = annotate(&args).current_dir(&folder).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, _) = run(BROKEN, &["--html", "page", "--json", "lines"]);
    let games = lines(&folder.join("lines"), "game");
    assert_eq!((code, games.len(), &games[0]["fault"]), (Some(0), 3, &Value::Null));
    let fault = games[1]["fault"].as_str().unwrap();
    assert!(fault.starts_with("line 9, column ") && fault.contains("33-29"), "{fault}");
    let page = text(&folder.join("page"));
    assert_eq!(page.matches("\"stopped\":\"line 9, column ").count(), 1);
    assert!(page.contains("\"unread\":[[3,\"line 12, column 1: GameType or Variant 0 "), "{page}");
    // Nothing else is in the file: what could be done is done, and told as a failure.
    let (code, told) = run("[GameType \"20\"] 1. 32-28 19-23 2. 99-31 14-20 *", &["--out", "out.pdn"]);
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("game 1: line 1, column 35: move \"99-31\""), "{told}");
    assert!(
        told.ends_with("error: no game could be followed to its end; the outputs have what comes before\n")
    );
    let after = text(&folder.join("out.pdn")).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(after.contains("[%eval") && after.ends_with(" 2. 99-31 14-20 *"), "{after}");
    assert!(!journal_path(&folder.join("out.pdn")).exists());
    // A variation takes nothing from the game.
    let (code, told) = run("[GameType \"20\"] 1. 32-28 (1. 33-29 50-1) 19-23 *", &["--out", "out.pdn"]);
    assert_eq!((code, told.lines().count()), (Some(0), 1), "{told}");
    assert!(told.starts_with("game 1: in a variation: line 1, column 36: move \"50-1\""), "{told}");
}

/// What goes wrong before the first search, by the arguments behind a file of two games.
#[test]
fn what_cannot_work_is_told_before_the_search() {
    let folder = folder("annotate-refused");
    let file = folder.join("in.pdn");
    fs::write(&file, BROKEN).unwrap();
    fs::write(folder.join("junk.pdn"), "junk ".repeat(2000)).unwrap();
    fs::write(folder.join("x.png"), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR [White \"x\"] 1. 32-28 *").unwrap();
    let run = |args: &[&str]| {
        let output = annotate(args).current_dir(&folder).output().unwrap();
        (output.status.success(), String::from_utf8(output.stderr).unwrap())
    };
    for (args, said) in [
        (&["in.pdn", "--out", "in.pdn"][..], "\"in.pdn\" is an input and an output"),
        (&["in.pdn", "--out", "."], "cannot write \".\": "),
        (&["in.pdn", "--out", "a", "--html", "no/b"], "cannot write \"no/b\": "),
        (&["in.pdn", "--out", "a", "--json", "./a"], "\"./a\" is named for two outputs"),
        (&["in.pdn", "--out", "a", "--json", "a.journal"], "\"a.journal\" is named for two outputs"),
        (&["in.pdn", "--out", "-", "--json", "-"], "\"-\" is named for two outputs"),
        (&["in.pdn", "no.pdn", "--out", "a"], "\"no.pdn\": "),
        (
            &["in.pdn", "--out", "a", "--player", "E"],
            "none of the 4 games is of \"E\": they are of \"A\", \"B\"",
        ),
        (&["junk.pdn", "--out", "a"], "no game found in \"junk.pdn\""),
        (&["x.png", "--out", "a"], "\"x.png\": line 1, column 1: this is no PDN file\n"),
        (&["x.png", "--out", "a"], "no game found in \"x.png\""),
    ] {
        // So long a search would be noticed.
        let (is_good, told) = run(&[args, &["--time", "1000"]].concat());
        assert!(!is_good && told.contains(said), "{args:?}: {told}");
    }
    let left = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(left.count(), 3, "no output, no journal");
    // Junk has its place in its file, and so have games.
    fs::write(folder.join("more.pdn"), format!("{BROKEN} the end")).unwrap();
    let (is_good, told) = run(&["junk.pdn", "more.pdn", "--depth", "1", "--out", "a", "--json", "b"]);
    let told: Vec<&str> = told.lines().collect();
    assert!(is_good && told.len() == 6, "{told:?}");
    assert!(told[0].starts_with("\"junk.pdn\": line 1, column 1: \"junk\" "), "{told:?}");
    assert_eq!(told[1], "\"junk.pdn\": no game found");
    assert!(told[2].starts_with("game 2 (\"more.pdn\", game 2): line 9, "), "{told:?}");
    assert!(told[3].starts_with("game 3 (\"more.pdn\", game 3): "), "{told:?}");
    assert!(told[4].starts_with("game 3 (\"more.pdn\", game 3): ") && told[4].contains("\"e4\""), "{told:?}");
    assert!(told[5].starts_with("\"more.pdn\": line 20, column 2: \"the\" "), "{told:?}");
    let (is_good, _) = run(&["in.pdn", "more.pdn", "--depth", "1", "--json", "b"]);
    let games = lines(&folder.join("b"), "game");
    let places: Vec<_> = games.iter().map(|game| [&game["game"], &game["file"], &game["number"]]).collect();
    assert!(is_good && places.len() == 6);
    assert_eq!(places[3], [&Value::from(5), &"more.pdn".into(), &1.into()]);
    assert_eq!(games[5]["number"], 4);
}

/// Programs differ in their counts of moves: where one has made a draw of it, a king that is given away is an error all the same.
#[test]
fn play_goes_on_behind_a_draw_by_a_count() {
    let folder = folder("annotate-counted");
    let to_and_fro = |n: usize| ["46-41 50-44", "41-46 44-50"][n % 2];
    let mut moves: Vec<String> = (0..30).map(|n| format!("{}. {}", n + 1, to_and_fro(n))).collect();
    moves.push("31. 1-6 50-28 32. 46x23 2-0".to_owned());
    let text = format!("[GameType \"20\"]\n[FEN \"W:WK46,K1:BK50\"]\n\n{}\n", moves.join(" "));
    fs::write(folder.join("in.pdn"), text).unwrap();
    let names = ["in.pdn", "out.jsonl"].map(|name| folder.join(name).display().to_string());
    done(&[&names[0], "--nodes", "2000", "--from-ply", "61", "--json", &names[1]]);
    let moves = lines(&folder.join("out.jsonl"), "move");
    let given = moves.iter().find(|mv| mv["ply"] == 62).unwrap();
    assert_eq!((&given["played"], &given["class"]), (&"50-28".into(), &"blunder".into()), "{given}");
}

/// The page numbers moves as PDN does: White begins, and numbers go on behind a position that is set up.
#[test]
fn the_page_counts_moves_as_the_file_does() {
    let folder = folder("annotate-numbers");
    let page = |name: &str, text: &str| {
        let [file, out] = [format!("{name}.pdn"), format!("{name}.html")].map(|name| folder.join(name));
        fs::write(&file, text).unwrap();
        done(&[file.to_str().unwrap(), "--nodes", "100", "--html", out.to_str().unwrap()]);
        fs::read_to_string(out).unwrap()
    };
    let starts = |page: &str| -> Vec<u64> {
        let (_, rest) = page.split_once("\"starts\":").unwrap();
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        let starts = values.next().unwrap().unwrap();
        starts.as_array().unwrap().iter().map(|start| start[2].as_u64().unwrap()).collect()
    };
    assert_eq!(starts(&page("white", "[GameType \"21\"] 1. 24-19 9-13 2. 22-17 *\n")), [0]);
    let setup = "[GameType \"20\"] 1. 32-28 19-23 2. 28x19 14x23 /FEN \"B:W31:B5\"/ 5-10 3. 31-27 *\n";
    assert_eq!(starts(&page("setup", setup)), [0, 5]);
}

#[cfg(target_os = "linux")]
#[test]
fn pipes_are_inputs_and_outputs_like_files() {
    let folder = folder("annotate-pipes");
    let file = folder.join("in.pdn");
    fs::write(&file, BROKEN).unwrap();
    let run = |args: &[&str], input: Option<&[u8]>| {
        let mut command = assert_cmd::Command::from_std(annotate(args));
        let output = command.args(["--nodes", "300"]).current_dir(&folder);
        let output = output.write_stdin(input.unwrap_or_default()).output().unwrap();
        assert!(output.status.success(), "{args:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let whole = run(&["in.pdn"], None);
    assert!(whole.contains("[%eval"));
    assert_eq!(run(&["/dev/stdin"], Some(BROKEN.as_bytes())), whole);
    assert_eq!(run(&["-"], Some(BROKEN.as_bytes())), whole);
    run(&["/dev/stdin", "--out", "out.pdn"], Some(BROKEN.as_bytes()));
    assert_eq!(text(&folder.join("out.pdn")), whole);
    let json = run(&["in.pdn", "--json", "-"], None);
    assert_eq!(run(&["in.pdn", "--json", "/dev/stdout"], None), json);
    assert_eq!(run(&["in.pdn", "--out", "/dev/null", "--json", "-", "--html", "page"], None), json);
    assert!(json.lines().last().unwrap().starts_with("{\"type\":\"collection\""));
    assert!(!Path::new("/dev/stdout.journal").exists() && !folder.join("-").exists());
    assert!(text(&folder.join("page")).ends_with("</html>"));
}

#[test]
fn openings_of_other_starts_and_variants_are_not_mixed() {
    let folder = folder("annotate-openings");
    let file = "[GameType \"20\"] 1. 32-28 19-23 *\n[GameType \"20\"] 1. 32-28 19-23 *\n\
        [GameType \"40\"] 1. 32-28 19-23 *\n[GameType \"20\"] [FEN \"W:W32,33,49:B2,19\"] 1. 32-28 19-23 *\n";
    fs::write(folder.join("in.pdn"), file).unwrap();
    let json = folder.join("out");
    let names = [&folder.join("in.pdn"), &json].map(|path| path.to_str().unwrap().to_owned());
    done(&[&names[0], "--depth", "1", "--json", &names[1]]);
    let all = &lines(&json, "collection")[0]["openings"];
    let rows: Vec<(&str, u64)> = all
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["name"].as_str().unwrap(), row["games"].as_u64().unwrap()))
        .collect();
    assert_eq!(rows[0], ("international 32-28 19-23", 2), "{rows:?}");
    assert!(rows.contains(&("international W:W32,33,49:B2,19 32-28 19-23", 1)), "{rows:?}");
    assert_eq!(rows.len(), 3);
}

#[test]
fn a_second_analysis_replaces_the_first_one_and_nothing_else() {
    let folder = folder("annotate-refresh");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let run = |input: &str, output: &str, more: &[&str]| {
        let (input, output) = (path(input), path(output));
        done(&[&[input.as_str(), "--out", output.as_str()], more].concat());
        text(Path::new(&output))
    };
    let mut planted = text(Path::new(PLANTED));
    // Others have said something, too: words, glyphs, an evaluation, lines.
    planted = planted.replacen("\n1. ", "\n{first} 1. ", 1).replacen(" 3. ", " {[%eval 0.77] good} 3. ", 1);
    fs::write(path("in.pdn"), planted).unwrap();
    fs::write(path("mine.pdn"), BROKEN).unwrap();
    for file in ["in.pdn", "mine.pdn"] {
        let quick = run(file, "quick.pdn", &["--nodes", "500"]);
        let deep = run(file, "deep.pdn", &["--nodes", "5000"]);
        assert!(quick != deep && quick.matches("[%kroon").count() > 3, "{quick}");
        // A move that others have evaluated has no mark until there is something to say of it.
        if file == "mine.pdn" {
            assert!(run("quick.pdn", "again.pdn", &["--nodes", "5000"]) == quick, "what there is stays");
        }
        assert!(run("quick.pdn", "new.pdn", &["--nodes", "5000", "--refresh"]) == deep, "{file}");
    }
    // What somebody changes afterwards is theirs.
    let first = run("mine.pdn", "first.pdn", &["--nodes", "500"]);
    let changed = first.replacen("{[%eval", "{mine [%eval", 1).replace("a word", "another word");
    fs::write(path("changed.pdn"), &changed).unwrap();
    let again = run("changed.pdn", "again.pdn", &["--nodes", "500", "--refresh"]);
    assert!(again.contains("{another word}") && again.contains("mine}"), "{again}");
    assert_eq!(again.matches("[%kroon").count(), first.matches("[%kroon").count());
}

/// Games of self-play with one bad move each, as `cargo bench --bench annotate -- games` makes them. The tag Event says
/// what was planted, and where, the tag Grave at which plies an analysis with 2,000,000 nodes a move sees grave errors, with
/// the weights of this or of an earlier program.
const PLANTED: &str = "tests/data/planted.pdn";

#[test]
fn planted_mistakes_are_found() {
    let json = folder("annotate-planted").join("out.jsonl");
    done(&[PLANTED, "--nodes", "20000", "--json", json.to_str().unwrap()]);
    let mut graves: BTreeMap<u64, Vec<(u64, MoveClass)>> = BTreeMap::new();
    for mv in lines(&json, "move") {
        let class: MoveClass = mv["class"].as_str().unwrap().parse().unwrap();
        if class.is_grave() {
            graves
                .entry(mv["game"].as_u64().unwrap())
                .or_default()
                .push((mv["ply"].as_u64().unwrap(), class));
        }
    }
    let games = games(Path::new(PLANTED));
    assert!(games.len() >= 6);
    let (mut all, mut false_alarms) = (0, 0);
    for (number, game) in (1..).zip(games) {
        let event = game.tags.get("Event").unwrap();
        let (kind, ply) = event.split_once(" at ply ").unwrap();
        let ply: u64 = ply.parse().unwrap();
        let found = graves.remove(&number).unwrap_or_default();
        let planted = found.iter().find(|(at, _)| *at == ply).map(|(_, class)| *class);
        let is_right = planted.is_some_and(|class| match kind {
            "Win" => class == MoveClass::MissedWin,
            "TableDraw" => class == MoveClass::Blunder,
            _ => class.is_grave(),
        });
        assert!(is_right, "game {number}, {event}: {found:?}");
        let confirmed: Vec<u64> =
            game.tags.get("Grave").unwrap().split(' ').map(|ply| ply.parse().unwrap()).collect();
        all += found.len();
        false_alarms += found.iter().filter(|(ply, _)| !confirmed.contains(ply)).count();
    }
    // 6 of 30 when this was written.
    assert!(false_alarms * 4 <= all, "{false_alarms} of {all}");
}

#[test]
fn a_killed_analysis_goes_on_to_the_same_bytes() {
    let folder = folder("annotate-kill");
    let file = "tests/data/pdn/international.pdn";
    let args = |run: &str, threads: &str| -> Vec<String> {
        let output = |kind: &str| folder.join(format!("{run}.{kind}")).to_str().unwrap().to_owned();
        let (pdn, html, json) = (output("pdn"), output("html"), output("jsonl"));
        let args =
            [file, "--depth", "6", "--out", &pdn, "--html", &html, "--json", &json, "--threads", threads];
        args.map(str::to_owned).to_vec()
    };
    let [whole, killed] = [args("whole", "1"), args("killed", "2")];
    done(&whole.iter().map(String::as_str).collect::<Vec<_>>());
    let killed: Vec<&str> = killed.iter().map(String::as_str).collect();
    let journal = journal_path(Path::new(killed[4]));
    let length = || fs::metadata(&journal).map_or(0, |file| file.len());
    let mut kills = 0;
    while kills < 4 {
        let before = length();
        let mut child = annotate(&killed).stderr(Stdio::null()).spawn().unwrap();
        // Until it has written some results more.
        while length() < before + 20_000 && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        // This process may have been asleep while the other one came to its end, whose last output is the page: then another
        // analysis is killed.
        if !Path::new(killed[6]).exists() {
            kills += 1;
            continue;
        }
        for output in [4, 6, 8] {
            assert!(fs::read(killed[output]).unwrap() == fs::read(&whole[output]).unwrap());
            fs::remove_file(killed[output]).unwrap();
        }
    }
    // The end of the last line is lost, too.
    let bytes = fs::read(&journal).unwrap();
    fs::write(&journal, &bytes[..bytes.len() - 7]).unwrap();
    done(&killed);
    for kind in ["pdn", "html", "jsonl"] {
        let [one, other] = ["whole", "killed"].map(|run| text(&folder.join(format!("{run}.{kind}"))));
        assert!(one == other && !one.is_empty(), "{kind}");
    }
    // A journal of other settings is not taken.
    fs::write(&journal, &bytes).unwrap();
    let mut other = killed.clone();
    other[2] = "3";
    let output = annotate(&other).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && told.contains("is of another analysis"), "{told}");
}

#[test]
fn a_game_counts_once_for_a_name_and_not_without_an_analysed_move() {
    let folder = folder("annotate-counts");
    let file = "[White \"Ann\"] [Black \"ann.\"] [GameType \"20\"] 1. 32-28 19-23 2. 28x19 14x23 *
[GameType \"20\"] 1. 32-28 19-23 2. 28x19 14x23 *
[White \"Bob\"] [GameType \"20\"] 1. 32-27 *
[White \"Bob\"] [GameType \"20\"] 1. 32-28 *";
    let (input, json) = (folder.join("in.pdn"), folder.join("out.jsonl"));
    fs::write(&input, file).unwrap();
    let names = [&input, &json].map(|path| path.to_str().unwrap());
    done(&[names[0], "--depth", "1", "--json", names[1], "--from-ply", "2"]);
    let all = &lines(&json, "collection")[0];
    let rows: Vec<_> = all["players"].as_array().unwrap().iter().collect();
    let row = |row: &Value| (row["name"].clone(), row["games"].clone(), row["moves"]["moves"].clone());
    let told: Vec<_> = rows.into_iter().map(row).collect();
    let of = |name: &str, moves: u64| (Value::from(name), Value::from(1), Value::from(moves));
    assert_eq!((&all["games"], told), (&2.into(), vec![of("?", 3), of("Ann", 3)]));
    let openings = all["openings"].as_array().unwrap();
    assert_eq!((openings.len(), &openings[0]["games"]), (1, &2.into()));
}

#[test]
fn the_variant_of_the_command_is_said_in_the_file() {
    let folder = folder("annotate-variant");
    let (input, out) = (folder.join("in.pdn"), folder.join("out.pdn"));
    fs::write(&input, "1. 32-28 19-23 *\n\n[GameType \"20\"] 1. 1-50 *\n\n[Variant \"losing\"] 1. 32-28 *")
        .unwrap();
    let names = [&input, &out].map(|path| path.to_str().unwrap());
    done(&[names[0], "--depth", "1", "--variant", "losing", "--out", names[1]]);
    let after = games(&out);
    let variants: Vec<_> = after.iter().map(|game| game.variant().unwrap().name()).collect();
    assert_eq!(variants, ["losing", "international", "losing"], "nothing was analysed in the second");
    assert_eq!(after[2].tags.get("GameType"), None, "{}", text(&out));
}

#[test]
fn a_player_and_a_part_of_the_game_can_be_chosen() {
    let folder = folder("annotate-player");
    let file = r#"[White "Ann"] [Black "Bob"] [GameType "20"] [TimeControl "60+1"]
1. 32-28 {[%clk 0:00:55]} 19-23 {[%clk 0:00:58]} 2. 28x19 {[%clk 0:00:50]} 14x23 {[%emt 7]} 1-1
[White "Bob"] [Black "Cem"] [GameType "20"] 1. 33-29 20-24 2. 29x20 15x24 1-1
[White "Dan"] [Black "Cem"] [GameType "20"] 1. 33-29 20-24 2. 29x20 15x24 1-1"#;
    let (input, json) = (folder.join("in.pdn"), folder.join("out.jsonl"));
    fs::write(&input, file).unwrap();
    let names = [&input, &json].map(|path| path.to_str().unwrap());
    done(&[names[0], "--depth", "2", "--json", names[1], "--player", "bob", "--from-ply", "2"]);
    let same = folder.join("same.jsonl");
    let (player, same) = ([" ,BOB.", "--from-ply", "2"], same.to_str().unwrap());
    done(&[&[names[0], "--depth", "2", "--json", same, "--player"][..], &player].concat());
    assert_eq!(text(Path::new(same)), text(&json));
    let moves: Vec<(u64, u64, Value)> = lines(&json, "move")
        .iter()
        .map(|mv| (mv["game"].as_u64().unwrap(), mv["ply"].as_u64().unwrap(), mv["seconds"].clone()))
        .collect();
    assert_eq!(moves, [(1, 2, 3.0.into()), (1, 4, 7.0.into()), (2, 3, Value::Null)]);
    let summaries = lines(&json, "game");
    assert_eq!(summaries.len(), 2);
    assert_eq!(
        (&summaries[0]["black"]["seconds"], &summaries[0]["white"]["moves"]),
        (&10.0.into(), &0.into())
    );
    let none = annotate(&[names[0], "--from-ply", "1000"]).output().unwrap();
    let errors = String::from_utf8_lossy(&none.stderr).into_owned();
    assert!(!none.status.success() && errors.contains("no game has a ply 1000"), "{errors}");
    // After a control the clock has the time of the next period.
    let clocks = folder.join("clocks.pdn");
    let text = "[GameType \"20\"] [TimeControl \"2/600:600\"] 1. 32-28 {[%clk 0:08:00]} 19-23 2. 28x19 {[%clk 0:15:00]} \
                14x23 3. 37-32 {[%clk 0:14:00]} 1-1";
    fs::write(&clocks, text).unwrap();
    done(&[clocks.to_str().unwrap(), "--depth", "1", "--json", same]);
    let seconds: Vec<Value> = lines(Path::new(same), "move").iter().map(|mv| mv["seconds"].clone()).collect();
    // 8 minutes and 10 more less 15.
    assert_eq!(seconds, [120.0.into(), Value::Null, 180.0.into(), Value::Null, 60.0.into()]);
    // A web server starts the clocks with the second moves. A move without a clock is nobody's; one with a time takes that off.
    let text = "[GameType \"20\"] [TimeControl \"60+1\"] 1. 32-28 {[%clk 0:01:00]} 19-23 {[%clk 0:00:58]} \
                2. 28x19 {[%clk 0:00:59]} 14x23 3. 37-32 {[%emt 0:00:07]} 10-14 {[%clk 0:00:40]} 4. 41-37 {[%clk 0:00:50]} \
                14-19 {[%clk 0:00:39]} 1-1";
    fs::write(&clocks, text).unwrap();
    done(&[clocks.to_str().unwrap(), "--depth", "1", "--json", same]);
    let seconds: Vec<Value> = lines(Path::new(same), "move").iter().map(|mv| mv["seconds"].clone()).collect();
    let [none, of] = [|_| Value::Null, |seconds: f64| seconds.into()];
    assert_eq!(seconds, [none(0.0), of(3.0), of(2.0), none(0.0), of(7.0), none(0.0), of(4.0), of(2.0)]);
    let all = &lines(&json, "collection")[0];
    assert_eq!((&all["games"], &all["players"][0]["name"]), (&2.into(), &"Bob".into()));
    assert_eq!(all["players"][0]["moves"]["moves"], 3);
    assert_eq!(all["openings"].as_array().unwrap().len(), 2);
}

#[test]
fn the_page_is_whole_and_hides_nothing_in_names() {
    let folder = folder("annotate-page");
    let file = "[White \"</script><b>x\"] [GameType \"20\"] 1. 32-28 {</script>} 19-23 1-1";
    let (input, page) = (folder.join("in.pdn"), folder.join("out.html"));
    fs::write(&input, file).unwrap();
    let names = [&input, &page].map(|path| path.to_str().unwrap());
    done(&[names[0], "--depth", "2", "--html", names[1]]);
    let page = text(&page);
    assert_eq!(page.matches("</script>").count(), 2, "the data and the script");
    assert!(!page.contains("http://") || page.matches("http://").count() == 1, "only the name of SVG");
    assert!(page.contains("\\u003c/script>\\u003cb>x") && page.ends_with("</body></html>"));
}

#[test]
fn the_example_of_the_manual_is_what_the_program_writes() {
    let input = folder("annotate-manual").join("in.pdn");
    fs::write(&input, "[GameType \"20\"] [FEN \"W:W28,33,38,39:B9,11,18,19\"] 1. 38-32 19-23 *").unwrap();
    let output = String::from_utf8(done(&[input.to_str().unwrap(), "--depth", "6"]).stdout).unwrap();
    let moves = output.split("]\n\n").last().unwrap().trim();
    let manual = text(Path::new("protocol-docs/commands.md"));
    assert!(moves.starts_with("1. 38-32") && manual.contains(&format!("```pdn\n{moves}\n```")), "{moves}");
}
