//! The command line through the binary: exit codes and output.

use super::docs::commands_of;
use super::program::{folder, kroon};
use assert_cmd::Command;
use kroon::engine::Options;
use kroon::engine::registry::OptionAudience;
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

/// The binary with these arguments.
fn kroon_with(args: &[&str]) -> Command {
    let mut command = kroon("");
    command.args(args);
    command
}

/// Standard output of a run that must succeed and leave standard error alone.
fn stdout_of(command: &mut Command) -> String {
    let output = command.assert().success().stderr("").get_output().stdout.clone();
    String::from_utf8(output).unwrap()
}

/// Fails with this status, says nothing on standard output, and names all of these on standard error.
pub fn assert_refused(command: &mut Command, status: i32, needles: &[&str]) {
    let assert = command.assert().code(status).stdout("");
    let text = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    for needle in needles {
        assert!(text.contains(needle), "{needle:?} is missing in: {text}");
    }
}

#[test]
fn every_subcommand_has_help_with_examples() {
    for name in commands_of("") {
        let help = stdout_of(&mut kroon_with(&[&name, "--help"]));
        assert!(help.contains("Usage: kroon") && help.contains("\nExample"), "{help}");
        // A match has many logs.
        let log = if name == "match" { "--log <DIR>" } else { "--log <FILE>" };
        assert!(help.contains(log), "{help}");
    }
    assert!(stdout_of(&mut kroon("--version")).starts_with("kroon "));
}

#[test]
fn wrong_usage_exits_with_2_and_quotes_the_input() {
    assert_refused(&mut kroon("dance"), 2, &["dance"]);
    assert_refused(&mut kroon("board --variant chess"), 2, &["\"chess\"", "international, killer,"]);
    assert_refused(&mut kroon("perft deep"), 2, &["deep"]);
    assert_refused(&mut kroon("perft 61"), 2, &["61", "0..=60"]);
    assert_refused(&mut kroon("perft"), 2, &["<DEPTH>"]);
    assert_refused(&mut kroon("analyse --threads 0"), 2, &["'0'", "--threads", "expected 1 to 256"]);
    assert_refused(&mut kroon("analyse --hash 99999999"), 2, &["99999999", "--hash", "expected 1 to"]);
    assert_refused(&mut kroon("analyse --search magic"), 2, &["magic", "alphabeta, mcts"]);
    assert_refused(&mut kroon("analyse --multipv 0"), 2, &["'0'", "--multipv"]);
    for time in ["0", "nan", "inf", "1e99", "soon", "1,5"] {
        assert_refused(&mut kroon_with(&["analyse", "--time", time]), 2, &[time, "0.001 to"]);
    }
    assert_refused(&mut kroon("analyse --time=-1"), 2, &["-1", "0.001"]);
    assert_refused(&mut kroon("completions csh"), 2, &["csh", "bash"]);
}

#[test]
fn every_option_of_the_engine_is_a_flag_of_every_command_that_plays() {
    for command in [&["hub"][..], &["dxp", "listen"], &["dxp", "connect"]] {
        let help = stdout_of(&mut kroon_with(&[command, &["--help"]].concat()));
        for row in Options::ROWS.iter().filter(|row| row.audience != OptionAudience::Hidden) {
            assert!(
                help.contains(&format!("--{} ", row.name)) || help.contains(&format!("--{}[=", row.name))
            );
        }
    }
    let declared = stdout_of(
        kroon("hub --variety 0.05 --player-time-table --mcts-exploration 0 --mcts-leaf eval")
            .write_stdin("hub\nquit\n"),
    );
    for part in
        ["name=variety value=0.050 ", "name=player-time-table value=true ", "name=mcts-leaf value=eval "]
    {
        assert!(declared.contains(part), "{part:?} is missing in:\n{declared}");
    }
    assert_refused(&mut kroon("analyse --player-time-table=maybe"), 2, &["maybe", "true, false"]);
}

#[test]
fn options_without_effect_are_refused() {
    for (args, needle) in [
        ("tune --games 2 --state none --nodes 9 --time-margin 1", "--time-margin with --nodes"),
        (
            "reproduce nogo-mcts --training 3",
            "--training with nogo-mcts: it is for ai-for-draught and checkers-rl",
        ),
        ("reproduce ai-for-draught --move-time 1", "it is for nogo-mcts"),
        ("learn state-q --out new --from none --start 0", "--start with --from"),
    ] {
        assert_refused(&mut kroon(args), 2, &[needle]);
    }
}

#[test]
fn an_analysis_has_no_options_that_only_games_obey() {
    let help = stdout_of(&mut kroon("analyse --help"));
    for row in Options::ROWS.iter().filter(|row| row.audience != OptionAudience::Hidden) {
        let is_flag =
            help.contains(&format!("--{} ", row.name)) || help.contains(&format!("--{}[=", row.name));
        let is_of_games = ["level", "variety", "book-ply", "book-margin"].contains(&row.name);
        assert_ne!(is_flag, is_of_games, "{}", row.name);
    }
    for words in
        ["analyse --level 3", "annotate games.pdn --variety 3", "analyse --book-ply", "analyse --level=3"]
    {
        assert_refused(&mut kroon(words), 2, &["an analysis is always of full strength"]);
    }
    assert_refused(&mut kroon("analyse --level 3"), 2, &["error: --level 3: "]);
    assert_refused(&mut kroon("analyse --book-file my.book"), 2, &["--book-file my.book: add --book"]);
    assert_refused(
        &mut kroon("analyse my.PDN"),
        2,
        &["\"my.PDN\" is a file of games: kroon annotate my.PDN"],
    );
    assert_refused(
        &mut kroon("analyse 32-28 19-23"),
        2,
        &["\"32-28 19-23\" found: moves stand behind --moves"],
    );
    // The seed is that of players.
    let best = || stdout_of(&mut kroon("analyse --player random --seed 5 --json"));
    let last = |text: String| -> Value {
        let mut line: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        line["time"] = Value::Null;
        line
    };
    assert_eq!(last(best()), last(best()));
}

#[test]
fn either_of_two_limits_is_enough_and_usage_shows_both() {
    let games = ["<--games <N>|--minutes <M>>"];
    assert_refused(&mut kroon("selfplay --out nowhere"), 2, &games);
    assert!(stdout_of(&mut kroon("selfplay --help")).contains(games[0]));
    let expansions = ["<--minutes <M>|--expansions <N>>"];
    assert_refused(&mut kroon("book build --out nowhere.book"), 2, &expansions);
    assert!(stdout_of(&mut kroon("book build --help")).contains(expansions[0]));
    let folder = folder("limits");
    for limits in ["--games 1", "--minutes 0.001", "--games 1 --minutes 5"] {
        let out = folder.join(limits);
        let mut command = kroon(&format!("selfplay --nodes 5 {limits} --out"));
        assert!(stdout_of(command.arg(&out)).contains(" games, "), "{limits}");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_tree_search_can_be_chosen_on_the_command_line() {
    let best = |args: &str| {
        let text = stdout_of(&mut kroon(&format!("analyse --search mcts --nodes 300 --json {args}")));
        let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        last["nodes"].as_u64().unwrap()
    };
    assert_eq!(best("--mcts-leaf eval --threads 2"), 300);
    assert_eq!(best("--mcts-leaf-depth 2 --mcts-minimax 0.2"), 300);
}

#[test]
fn impossible_positions_and_moves_exit_with_1_and_quote_the_input() {
    assert_refused(&mut kroon("board --fen W:W31,51:B1"), 1, &["error: --fen", "\"51\"", "1 to 50"]);
    assert_refused(&mut kroon("board --fen nonsense"), 1, &["nonsense"]);
    assert_refused(&mut kroon_with(&["perft", "1", "--fen", ""]), 1, &["--fen"]);
    assert_refused(&mut kroon("analyse --fen W:W31:B"), 1, &["W:W31:B", "Black", "no pieces"]);
    assert_refused(&mut kroon("analyse --fen W:W3:B20"), 1, &["promotion row", "square 3"]);
    assert_refused(&mut kroon_with(&["board", "--moves", "32-28 32-27"]), 1, &["number 2", "\"32-27\""]);
    assert_refused(&mut kroon_with(&["board", "--moves", "castles"]), 1, &["number 1", "\"castles\""]);
    // A Hub position of the wrong variant.
    let text = format!("W{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20));
    assert_refused(&mut kroon_with(&["board", "--variant", "english", "--fen", &text]), 1, &[&text]);
}

#[test]
fn board_shows_position_moves_and_evaluation() {
    let text = stdout_of(&mut kroon("board"));
    assert_eq!(text.lines().next(), Some("   b   b   b   b   b        1     2     3     4     5"));
    for part in
        ["White to move, 9 legal moves:\n  31-26 31-27 32-27", "FEN W:W31,32", "Hub Wbbb", "for White"]
    {
        assert!(text.contains(part), "{part:?} is missing in:\n{text}");
    }
    let text = stdout_of(&mut kroon("board --fen W:WK41:B20,33,37,43"));
    assert!(text.contains("2 legal moves:\n  41x14x25x48 41x28x39x48\n"), "{text}");
    let text = stdout_of(&mut kroon("board --variant russian"));
    assert_eq!(text.lines().next(), Some("   b   b   b   b       b8    d8    f8    h8"));
    let text = stdout_of(&mut kroon("board --variant english --fen W:W30:B26"));
    assert!(text.contains("1 legal move:\n  30x23\n"), "{text}");
    let text = stdout_of(&mut kroon("board --fen W:W6:B1,7"));
    assert!(text.contains("Game over: White has no legal move, Black wins."), "{text}");
    let text = stdout_of(&mut kroon("board --variant breakthrough --fen B:WK1:B20"));
    assert!(text.contains("Game over: White has a king, White wins."), "{text}");
}

#[test]
fn board_writes_json_that_programs_can_read() {
    let text = stdout_of(&mut kroon("board --json --fen W:W28:B22,23"));
    let board: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&board["variant"], &board["turn"]), (&"international".into(), &"white".into()));
    assert_eq!((&board["fen"], &board["outcome"]), (&"W:W28:B22,23".into(), &Value::Null));
    assert!(board["evaluation"].is_f64() && board["hub"].as_str().unwrap().len() == 51, "{board}");
    let moves = board["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 2);
    assert_eq!(moves[0]["pdn"], "28x17");
    assert_eq!((&moves[0]["hub"], &moves[0]["fen"]), (&"28x17x22".into(), &"B:W17:B23".into()));
    assert_eq!((&moves[0]["from"], &moves[0]["to"]), (&28.into(), &17.into()));
    assert_eq!(moves[0]["captured"].as_array().unwrap(), &vec![Value::from(22)]);
    assert_refused(&mut kroon("board --json --svg x.svg"), 2, &["--json", "--svg"]);
}

#[test]
fn moves_are_understood_in_both_notations_and_positions_too() {
    let fen_line = |command: &mut Command| {
        let text = stdout_of(command);
        text.lines().find(|line| line.starts_with("FEN ")).unwrap().to_owned()
    };
    let pdn = fen_line(&mut kroon_with(&["board", "--moves", "32-28 19-23 28x19 14x23"]));
    let hub = fen_line(&mut kroon_with(&["board", "--moves", "32-28 19-23 28x19x23 14x23x19"]));
    assert_eq!(pdn, hub);
    assert_eq!(pdn, fen_line(&mut kroon_with(&["board", "--moves", "1. 32-28 19-23 2. 28x19, 14x23"])));
    let text = format!("W{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20));
    assert_eq!(fen_line(&mut kroon_with(&["board", "--fen", &text])), fen_line(&mut kroon("board")));
}

#[test]
fn repetition_is_seen_and_stated() {
    let moves = "46-41 4-15 41-46 15-4 46-41 4-15 41-46 15-4";
    let args = ["--fen", "W:WK46:BK4", "--moves", moves];
    let text = stdout_of(&mut kroon_with(&[&["board"][..], &args].concat()));
    assert!(text.contains("Game over: draw"), "{text}");
    let text = stdout_of(&mut kroon_with(&[&["analyse", "--depth", "1"][..], &args].concat()));
    assert!(text.contains("Game over: draw") && text.contains("Best move"), "{text}");
}

#[test]
fn perft_counts() {
    let last = |args: &str| {
        let text = stdout_of(&mut kroon(args));
        text.lines().last().unwrap().split(' ').take(3).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(last("perft 4"), "nodes 4265 seconds");
    assert_eq!(last("perft 4 --bulk --variant normal"), "nodes 4265 seconds");
    assert_eq!(last("perft --variant english 5 --divide"), "nodes 7361 seconds");
    assert_eq!(last("perft 0 --divide"), "nodes 1 seconds");
    assert_eq!(last("perft 3 --fen W:W:B5"), "nodes 0 seconds");
    let text = stdout_of(&mut kroon("perft --variant english 2 --divide"));
    assert!(text.starts_with("9-13 7\n9-14 7\n10-14 7\n"), "in the order of the squares: {text}");
}

#[test]
fn analyse_prints_a_table() {
    let text = stdout_of(&mut kroon("analyze --depth 4 --hash 1"));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "White to move.");
    assert!(lines[1].starts_with("depth "), "{text}");
    let depths: Vec<&str> = lines[2..].iter().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(depths.contains(&"4"), "{text}");
    assert!(lines.last().unwrap().starts_with("Best move "), "{text}");

    let text = stdout_of(&mut kroon("analyse --depth 3 --multipv 3 --variant english"));
    assert!(text.contains("\nrank  depth"), "{text}");
    let text = stdout_of(&mut kroon("analyse --fen W:W:B3"));
    assert_eq!(text, "Game over: White has no legal move, Black wins.\n");
    let text = stdout_of(&mut kroon("analyse --variant breakthrough --fen B:WK1:B20"));
    assert_eq!(text, "Game over: White has a king, White wins.\n");
    for (variant, fen, score) in [
        ("english", "W:W:B3", -100.0),
        ("losing", "W:W:B3", 100.0),
        ("losing", "B:WK1:B", 100.0),
        ("losing", "W:W26:B21,17,16", 100.0),
        ("breakthrough", "B:WK1:B20", -100.0),
    ] {
        let text = stdout_of(&mut kroon(&format!("analyse --variant {variant} --fen {fen} --json")));
        let result: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        assert_eq!(
            (&result["score"], &result["plies_to_end"]),
            (&score.into(), &0.into()),
            "{variant} {fen}"
        );
    }
}

#[test]
fn a_depth_that_the_search_cannot_reach_is_refused() {
    assert_refused(&mut kroon("analyse --depth 100"), 2, &["--depth 100", "99"]);
}

#[cfg(unix)]
#[test]
fn an_interrupted_analysis_has_a_result() {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_kroon"));
    let mut child =
        command.args(["analyse", "--json", "--time", "3600"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let json = |line: &str| -> Value { serde_json::from_str(line).unwrap() };
    while json(&lines.next().unwrap().unwrap())["type"] != "info" {}
    let id = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    let last = json(&lines.last().unwrap().unwrap());
    assert!(last["type"] == "result" && last["best"].is_string(), "{last}");
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn analyse_writes_json_that_programs_can_read() {
    let json = |args: &str| -> Vec<Value> {
        let text = stdout_of(&mut kroon(args));
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let lines = json("analyse --depth 5 --multipv 2 --json");
    assert_eq!((&lines[0]["type"], &lines[0]["turn"]), (&"position".into(), &"white".into()));
    let (result, infos) = lines[1..].split_last().unwrap();
    assert_eq!(result["type"], "result");
    let last = infos.iter().rfind(|info| info["rank"] == 1).unwrap();
    assert_eq!((&last["depth"], &last["pv"][0]), (&5.into(), &result["best"]));
    for info in infos {
        assert_eq!(info["type"], "info");
        for number in ["rank", "depth", "nodes", "nps"] {
            assert!(info[number].is_u64(), "{number}: {info}");
        }
        for number in ["score", "mean_depth", "time"] {
            assert!(info[number].is_f64(), "{number}: {info}");
        }
    }

    let lines = json("analyse --fen W:W:B3 --json");
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["outcome"], "Black wins");
    assert_eq!((&lines[1]["best"], &lines[1]["plies_to_end"]), (&Value::Null, &0.into()));
}

#[test]
fn bench_ends_with_its_signature() {
    let signature = || {
        let text = stdout_of(&mut kroon("bench --depth 2"));
        let words: Vec<String> = text.lines().last().unwrap().split(' ').map(str::to_owned).collect();
        assert_eq!([&words[0], &words[2], &words[4], &words[6]], ["bench", "nodes", "seconds", "mnps"]);
        words[1].parse::<u64>().unwrap()
    };
    assert_eq!(signature(), signature());
}

#[test]
fn svg_is_written_whole_or_not_at_all() {
    let folder = folder("cli-svg");
    let file = folder.join("board.svg");
    fs::write(&file, "something else").unwrap();
    kroon("board --svg").arg(&file).assert().code(1);
    assert_eq!(fs::read(&file).unwrap(), b"something else");
    fs::write(&file, "<svg>something old").unwrap();
    kroon("board --fen W:WK41,50:B20,33,37,43 --svg").arg(&file).assert().success();
    let svg = fs::read_to_string(&file).unwrap();
    assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\"") && svg.ends_with("</svg>\n"));
    kroon("board --fen W:WK41,50:B20,33,37,43 --svg -")
        .current_dir(&folder)
        .assert()
        .success()
        .stdout(svg.clone());
    assert!(!folder.join("-").exists());
    assert_eq!(svg.matches("<path").count(), 1, "one crown");
    assert_eq!(svg.matches("<circle").count(), 2 * 6, "two circles a piece");
    assert_eq!(svg.matches("<text").count(), 50 - 6, "a number on every empty square");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "no temporary file is left");

    let nowhere = folder.join("missing").join("board.svg");
    let assert = kroon("board --svg").arg(&nowhere).assert().code(1);
    let text = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(text.contains("cannot write") && text.contains("missing"), "{text}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn completions_are_written_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = stdout_of(&mut kroon_with(&["completions", shell]));
        assert!(commands_of("").iter().all(|name| script.contains(name)), "{shell}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    for args in
        ["board", "perft 3 --divide", "completions bash", "analyse --time 30", "--help", "bench --depth 3"]
    {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_kroon"))
            .args(args.split_whitespace())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{args}: {output:?}");
        assert!(output.stderr.is_empty(), "{args}: {output:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    for args in ["board", "perft 1", "analyse --depth 2"] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_kroon"))
            .args(args.split_whitespace())
            .stdout(full)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{args}: {output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("No space"), "{args}: {output:?}");
    }
}

#[test]
fn the_log_goes_where_it_was_sent() {
    let folder = folder("cli-log");
    let file = folder.join("kroon.log");
    let dialogue = "hub\ninit\nquit\n";
    let mut command = kroon("hub --log");
    command.arg(&file).write_stdin(dialogue).assert().success().stderr("");
    let log = fs::read_to_string(&file).unwrap();
    assert!(log.contains("DEBUG") && log.contains("ready"), "{log}");

    // Without a file and without the variable nothing is said; the variable alone means standard error.
    kroon("hub").write_stdin(dialogue).assert().success().stderr("");
    let assert = kroon("hub").env("KROON_LOG", "debug").write_stdin(dialogue).assert().success();
    assert!(!assert.get_output().stderr.is_empty());
    kroon("hub").env("KROON_LOG", "kroon=error").write_stdin(dialogue).assert().success().stderr("");

    kroon("hub")
        .env("KROON_LOG", "off, kroon::search=ERROR")
        .write_stdin(dialogue)
        .assert()
        .success()
        .stderr("");
    for bad in ["loud", "info,", "kroon=", "kroon::search", "info, kroon=loud"] {
        assert_refused(kroon("hub").env("KROON_LOG", bad), 1, &["KROON_LOG", "unknown level", "debug"]);
    }
    let nowhere = folder.join("missing").join("kroon.log");
    assert_refused(kroon("board --log").arg(&nowhere), 1, &["cannot open log file", "missing"]);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn commands_can_be_piped_in() {
    let text = stdout_of(kroon("").write_stdin("pos start\nlevel depth=4\ngo think\n"));
    assert!(text.contains("info depth=4 "), "{text}");
    assert!(text.lines().last().unwrap().starts_with("done move="), "{text}");
    assert_eq!(stdout_of(kroon("").write_stdin("")), "");
    let assert = kroon("").write_stdin("pos pos=BAD\ngo\npos start\nlevel depth=2\ngo\n").assert().code(1);
    let output = assert.get_output();
    let lines: Vec<&str> = std::str::from_utf8(&output.stdout).unwrap().lines().collect();
    assert!(lines[0].contains("BAD") && lines[1].starts_with("error ") && lines[2].starts_with("info "));
    assert!(lines.last().unwrap().starts_with("done move="), "the rest is read: {lines:?}");
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: a line was refused"));
}

#[test]
fn hub_shakes_hands() {
    let text = stdout_of(kroon("hub --threads 2 --hash 32").write_stdin("hub\ninit\nquit\n"));
    assert!(text.starts_with("id name=Kroon "), "{text}");
    assert!(
        text.contains("param name=threads value=2 ") && text.contains("param name=hash value=32 "),
        "{text}"
    );
    assert!(text.ends_with("wait\nready\n"), "{text}");
}

#[test]
fn a_session_has_the_name_that_it_is_given() {
    let mut named = kroon_with(&["hub", "--name", "Kroon MCTS", "--search", "mcts"]);
    let text = stdout_of(named.write_stdin("hub\nquit\n"));
    assert!(text.starts_with("id name=\"Kroon MCTS\" version="), "{text}");
    assert_refused(&mut kroon_with(&["hub", "--name", ""]), 2, &["--name"]);
}

#[test]
fn sprt_calculates_from_counts() {
    let pairs = stdout_of(&mut kroon("sprt 379 10170 21828 10640 343 --sprt 0,2"));
    for needle in ["games 86720\n", "nElo  +3.05 +- 2.31\n", "by the normal formula 2.946\n", "H1 accepted"] {
        assert!(pairs.contains(needle), "{needle:?} is missing in:\n{pairs}");
    }
    let more = stdout_of(&mut kroon("sprt 365 16618 36229 16974 390"));
    assert!(more.contains("LLR   2.25") && more.contains("undecided"), "{more}");
    let games = stdout_of(&mut kroon("sprt 36433 36027 68692"));
    assert!(games.contains("LLR   0.92"), "{games}");
    assert!(stdout_of(&mut kroon("sprt 1 2 3 --sprt -5,0")).contains("-5,0"));
    assert!(pairs.contains("\nElo   +1.59 +- 1.21 [0.39, 2.80]\n"), "{pairs}");
    // An interval that is not symmetric has two ends, and one without an end has the other.
    let won = stdout_of(&mut kroon("sprt 0 0 0 0 5"));
    assert!(won.contains("\nElo   - [") && won.contains(", -]\n"), "{won}");
    let many = stdout_of(&mut kroon("sprt 1000000000 0 0 0 0 --sprt 0,100"));
    assert!(many.contains("LLR   -") && many.contains("H0 accepted"), "{many}");
    assert_refused(&mut kroon("sprt 1000000001 0 0 0 0"), 2, &["1000000001", "a count up to 1000000000"]);
    assert_refused(&mut kroon("sprt 1 2 3 4"), 2, &["4 counts", "5 (pairs) or 3"]);
    assert_refused(&mut kroon("sprt 1 2 3 --sprt 2,0"), 2, &["elo0 = 2", "-1000 to 1000"]);
    assert_refused(&mut kroon("sprt 1 2 x"), 2, &["1 is a count", "\"x\" a file"]);
    assert_refused(
        &mut kroon("sprt 1 2 99999999999999999999"),
        2,
        &["99999999999999999999", "a count up to"],
    );
    assert_refused(&mut kroon("sprt nowhere.jsonl"), 1, &["\"nowhere.jsonl\""]);
    for command in ["sprt", "report"] {
        let games = "tests/data/planted.pdn";
        let fault = format!("\"{games}\" is no file of results (kroon match --results)");
        assert_refused(&mut kroon(&format!("{command} {games}")), 1, &[&fault]);
    }
    #[cfg(unix)]
    assert_refused(&mut kroon("sprt /dev/zero"), 1, &["\"/dev/zero\"", "no regular file"]);
}
