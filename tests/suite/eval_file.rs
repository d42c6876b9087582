//! Files of weights: in a Hub session with the engine, and on the command line.

use super::program::{kroon, kroon_in};
use crate::hub_talk::assert_profile;
use kroon::engine::{Engine, Options};
use kroon::eval::Learned;
use kroon::protocol::hub::transport::serve;
use kroon::protocol::hub::{HubConfig, HubMode, Outlet};
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

const WEIGHTS: &[u8] = include_bytes!("../../src/eval/data/international.weights");

/// What a session writes.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Written {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Outlet for Written {}

/// A script worked off by the real engine.
fn script(lines: &str) -> Vec<String> {
    let written = Written::default();
    let options = Options { hash_mb: 1, ..Options::default() };
    serve(
        HubConfig { mode: HubMode::Script, options, ..HubConfig::default() },
        Engine::new,
        Cursor::new(lines.to_owned()),
        written.clone(),
    )
    .unwrap();
    let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.iter().for_each(|line| assert_profile(line));
    lines
}

fn errors(lines: &[String]) -> Vec<&str> {
    lines.iter().filter_map(|line| line.strip_prefix("error message=")).collect()
}

/// The last variation without what depends on the clock.
fn found(lines: &[String]) -> String {
    let info = lines.iter().rfind(|line| line.starts_with("info ")).unwrap();
    info.split(' ').filter(|piece| !piece.starts_with("time=") && !piece.starts_with("nps=")).collect()
}

fn saved(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn a_file_plays_as_its_weights_do_and_a_bad_one_costs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let same = saved(folder.path(), "same.weights", WEIGHTS);
    let torn = saved(folder.path(), "torn one.weights", &WEIGHTS[..WEIGHTS.len() / 2]);
    let search = "pos start moves=\"32-28 19-23\"\nlevel depth=5\ngo\n";
    let plain = script(search);
    let with =
        |path: &Path| script(&format!("set-param name=eval-file value=\"{}\"\n{search}", path.display()));
    assert_eq!(found(&with(&same)), found(&plain));
    let bad = with(&torn);
    let [error] = errors(&bad)[..] else { panic!("{bad:?}") };
    assert!(error.contains("torn one.weights") && error.contains("damaged"), "{error}");
    assert_eq!(found(&bad), found(&plain));

    // Said once for each time it is set; nothing and `embedded` take it back.
    let path = torn.display();
    let again = script(&format!(
        "set-param name=eval-file value=\"{path}\"\n{search}{search}set-param name=eval-file value=\"{path}\"\n{search}\
         set-param name=eval-file value=\"\"\n{search}set-param name=eval-file value=embedded\n{search}"
    ));
    assert_eq!(errors(&again).len(), 2);
    assert_eq!(again.iter().filter(|line| line.starts_with("done move=")).count(), 5);
}

#[test]
fn every_fault_is_told() {
    let missing = ["eval-file value=/no/weights", "book-file value=/no/book", "player-file value=/no/player"];
    let set: String = missing.iter().map(|part| format!("set-param name={part}\n")).collect();
    let lines = script(&format!(
        "set-param name=book value=true\nset-param name=player value=q-learning\n{set}\
         level depth=2\ngo\nlevel depth=2\ngo\n"
    ));
    let errors = errors(&lines);
    assert_eq!(errors.len(), 3, "{errors:?}");
    for part in ["/no/weights", "/no/book", "/no/player"] {
        assert_eq!(errors.iter().filter(|error| error.contains(part)).count(), 1, "{errors:?}");
    }
}

#[test]
fn a_file_for_another_variant_matters_when_that_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let path = saved(folder.path(), "i.weights", WEIGHTS);
    let path = path.display();
    let lines = script(&format!(
        "set-param name=eval-file value=\"{path}\"\nlevel depth=2\ngo\nset-param name=variant value=frisian\n\
         level depth=2\ngo\nlevel depth=2\ngo\nset-param name=variant value=normal\nlevel depth=2\ngo\n"
    ));
    let [error] = errors(&lines)[..] else { panic!("{lines:?}") };
    assert!(error.contains("weights for international draughts, expected frisian"), "{error}");
    assert_eq!(lines.iter().filter(|line| line.starts_with("done move=")).count(), 4);

    // A session hears of it at `init`, before `ready`.
    let lines = script(&format!(
        "hub\nset-param name=variant value=losing\nset-param name=eval-file value=\"{path}\"\ninit\nquit\n"
    ));
    let end: Vec<&String> = lines.iter().skip_while(|line| *line != "wait").collect();
    assert!(lines.contains(&"param name=eval-file value=embedded type=string".to_owned()));
    assert!(end[1].contains("expected losing") && end[2] == "ready", "{end:?}");
}

#[test]
fn the_command_line_takes_weights_and_refuses_what_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let own = Learned::from_bytes(WEIGHTS).unwrap();
    let good = saved(folder.path(), "own.weights", &own.to_bytes().unwrap());
    let good = good.to_str().unwrap();
    kroon("").args(["analyse", "--depth", "2", "--eval-file", good]).assert().success().stderr("");
    let foreign = saved(folder.path(), "picture.svg", b"<svg/>\n");
    let foreign = foreign.to_str().unwrap();
    for (args, needle) in [
        (vec!["analyse", "--depth", "2", "--eval-file", foreign], "picture.svg\": no file of weights"),
        (vec!["analyse", "--variant", "thai", "--eval-file", good], "international draughts, expected thai"),
        (vec!["dxp", "listen", "--port", "0", "--eval-file", foreign], "picture.svg"),
    ] {
        let assert = kroon("").args(&args).assert().code(1);
        let text = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(text.contains(needle), "{text}");
    }
    // The variants are those of the games.
    let (one, two) = (folder.path().join("one.pdn"), folder.path().join("two.pdn"));
    fs::write(&one, "[GameType \"20\"] 1. 32-28 19-23 *\n").unwrap();
    fs::write(&two, "[GameType \"20\"] 1. 32-28 *\n\n[GameType \"40\"] 1. 32-28 *\n").unwrap();
    let [one, two] = [&one, &two].map(|path| path.to_str().unwrap());
    for (file, weights, needle) in [
        (one, foreign, "picture.svg\": no file of weights"),
        (one, "/no/weights", "eval-file \"/no/weights\": "),
        (two, good, "own.weights\": weights for international draughts, expected frisian"),
    ] {
        let assert =
            kroon("").args(["annotate", file, "--depth", "1", "--eval-file", weights]).assert().code(1);
        let text = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(text.contains(needle) && assert.get_output().stdout.is_empty(), "{text}");
    }
    kroon("").args(["annotate", one, "--depth", "1", "--eval-file", good]).assert().success().stderr("");
    let assert =
        kroon("").args(["annotate", two, "--depth", "1", "--tables", "/no/tables"]).assert().success();
    let text = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert_eq!(text, "endgame table \"/no/tables\": no such folder\n", "told once for all variants");
    // A graphical interface has started this: it goes on, and says so where the interface looks.
    let assert = kroon("")
        .args(["hub", "--eval-file", foreign])
        .write_stdin("hub\ninit\nlevel depth=2\ngo think\nping\n")
        .assert()
        .success()
        .stderr("");
    let text = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    assert!(text.contains("error message=\"eval-file ") && text.contains("\nready\n"), "{text}");
    let spec = format!("proto=kroon param.eval-file={foreign}");
    let assert = kroon("")
        .args(["match", "--engine", &spec, "--engine", "proto=kroon name=b", "--nodes", "9", "--games", "2"])
        .assert()
        .code(1);
    assert!(String::from_utf8_lossy(&assert.get_output().stderr).contains("picture.svg"));
}

#[test]
fn games_and_weights_are_made_from_the_weights_in_the_program_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let run = |args: &str| {
        kroon_in(folder.path(), args).assert().success();
    };
    run("selfplay --out plain --games 3 --nodes 20");
    run("selfplay --out named --games 3 --nodes 20 --eval-file embedded");
    let shard = "international-1-0.games";
    let [plain, named] =
        ["plain", "named"].map(|name| fs::read(folder.path().join(name).join(shard)).unwrap());
    assert_eq!(plain, named);
    let same = saved(folder.path(), "same.weights", WEIGHTS);
    let train = "train --data plain --epochs 1 --rate 0.001 --result-share 0 --keep 0.5";
    run(&format!("{train} --eval-file embedded --out a.weights"));
    run(&format!("{train} --eval-file {} --out b.weights", same.display()));
    assert_eq!(fs::read(path("a.weights")).unwrap(), fs::read(path("b.weights")).unwrap());
    // A file of this name has a path.
    kroon_in(folder.path(), "selfplay --games 1 --eval-file ./embedded --out none").assert().code(1);
}
