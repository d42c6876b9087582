//! `kroon dataset` through the binary, from self-play to a plot.

use super::program::kroon_in;
use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A run in this folder: exit status, output, errors.
fn run_in(folder: &Path, args: &str) -> (i32, String, String) {
    let output = kroon_in(folder, args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// Standard output of a run that must succeed without a word on standard error but for progress, which a slow run tells.
fn done(folder: &Path, args: &str) -> String {
    let (status, out, errors) = run_in(folder, args);
    let is_progress = |line: &&str| line.ends_with(" positions/s") || line.ends_with(" files done");
    assert!(status == 0 && errors.lines().all(|line| is_progress(&line)), "{args}: {out} {errors}");
    out
}

/// Words, of which some are in quotes.
fn shell_words(line: &str) -> Vec<String> {
    let parts = line.split('\'').enumerate();
    let words = parts.flat_map(|(i, part)| match i % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

fn json(line: &str) -> Value {
    serde_json::from_str(line).unwrap()
}

#[test]
fn from_self_play_to_a_plot() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for shard in [0, 1, 2] {
        done(folder, &format!("selfplay --variant russian --out runs --games 25 --nodes 20 --shard {shard}"));
    }
    assert!(done(folder, "dataset verify runs").lines().all(|line| line.ends_with(": sound")));

    let stat = done(folder, "dataset stat runs");
    assert!(
        stat.contains("3 files") && stat.contains("games from endings") && stat.contains("up to 0.10"),
        "{stat}"
    );
    let lines = done(folder, "dataset stat runs --json");
    let lines: Vec<Value> = lines.lines().map(json).collect();
    assert_eq!(lines.len(), 4);
    assert_eq!(
        (lines[1]["variant"].as_str(), lines[1]["runs"][0]["shard"].as_u64()),
        (Some("russian"), Some(1))
    );
    let sum = |field: &str| (0..3).map(|i| lines[i][field].as_u64().unwrap()).sum::<u64>();
    assert_eq!(lines[3]["games"], 75);
    assert_eq!(lines[3]["positions"].as_u64().unwrap(), sum("positions"));
    assert!(lines[3]["seen_again"].as_f64().unwrap() < 0.9);

    assert_eq!(done(folder, "dataset merge runs --out all.games"), "75 games of 3 files in all.games\n");
    assert!(done(folder, "dataset verify all.games").ends_with(": sound\n"));
    // Nobody appends to it, so one that ends early was cut off.
    let whole = fs::read(folder.join("all.games")).unwrap();
    fs::write(folder.join("cut.games"), &whole[..whole.len() / 2]).unwrap();
    for command in ["merge cut.games --out more.games", "stat cut.games", "wdl cut.games", "verify cut.games"]
    {
        let (status, out, errors) = run_in(folder, &format!("dataset {command}"));
        let said = "the first line says 75: the file was cut off";
        assert!(status == 1 && (out + &errors).contains(said), "{command}: {errors}");
    }
    fs::remove_file(folder.join("cut.games")).unwrap();
    let (status, _, errors) = run_in(folder, "dataset merge all.games runs --out more.games");
    assert_eq!(status, 1);
    assert!(errors.contains("both have game 0 of seed 1, shard"), "{errors}");
    // Nor does a run that has not played yet hide them from each other.
    let name = fs::read_dir(folder.join("runs")).unwrap().next().unwrap().unwrap().file_name();
    let run = fs::read(folder.join("runs").join(&name)).unwrap();
    let header = run.iter().position(|&byte| byte == b'\n').unwrap();
    fs::write(folder.join("begun.games"), &run[..=header]).unwrap();
    let (status, _, errors) = run_in(folder, "dataset merge all.games begun.games runs --out more.games");
    assert!(status == 1 && errors.contains("both have game 0 of seed 1, shard"), "{errors}");
    assert!(!folder.join("more.games").exists());
    let spread = json(&done(folder, "dataset shard all.games --parts 4 --out spread --json"));
    assert_eq!(spread["out"].as_array().unwrap().len(), 4);
    let before = fs::read(folder.join("all.games")).unwrap();
    let (status, _, errors) = run_in(folder, "dataset merge all.games --out all.games");
    assert!(status == 1 && errors.contains("\"all.games\" is an input and an output"), "{errors}");
    for (command, needle) in [
        ("merge all.games --variant thai --out x.games", "all.games\" has no games of thai draughts\n"),
        ("wdl all.games --variant thai", "all.games\" has no games of thai draughts\n"),
        ("wdl all.games --plot all.games", "is an input and an output"),
    ] {
        let (status, _, errors) = run_in(folder, &format!("dataset {command}"));
        assert!(status == 1 && errors.contains(needle), "{command}: {errors}");
    }
    for out in ["runs", "runs/all.games"] {
        let (status, _, errors) = run_in(folder, &format!("dataset merge runs --out {out}"));
        assert!(status == 1 && errors.contains("among the files that are read"), "{errors}");
    }
    let (status, _, errors) = run_in(folder, "dataset shard runs --parts 2 --out ./runs");
    assert!(status == 1 && errors.contains("its games would be there twice"), "{errors}");
    // What was put together may be made again, but the games of a run are lost to nothing.
    assert_eq!(done(folder, "dataset merge runs --out all.games"), "75 games of 3 files in all.games\n");
    let (status, _, errors) = run_in(folder, "dataset merge all.games --out begun.games");
    assert!(status == 1 && errors.contains("begun.games\" is there already"), "{errors}");
    assert_eq!(fs::read(folder.join("begun.games")).unwrap(), run[..=header]);
    // A run would go on with a file that has no name any longer.
    let used = fs::File::create(folder.join("used.games")).unwrap();
    used.lock().unwrap();
    let (status, _, errors) = run_in(folder, "dataset merge all.games --out used.games");
    assert!(cfg!(not(unix)) || status == 1 && errors.contains("used.games\" is in use"), "{errors}");
    assert_eq!(fs::read(folder.join("all.games")).unwrap(), before);
    done(folder, "dataset merge spread --out again.games");
    assert_eq!(fs::read(folder.join("again.games")).unwrap(), fs::read(folder.join("all.games")).unwrap());

    // What was joined is learned from as what was not: the order of the games is another.
    done(folder, "train --variant russian --data all.games --out w.weights --epochs 1");
    // What was learned is not lost to a run that forgets to go on, finished or not, nor are other files to a drawing.
    let before = fs::read(folder.join("w.weights")).unwrap();
    let train = "train --variant russian --data all.games --out w.weights --epochs 1";
    let (status, _, errors) = run_in(folder, train);
    assert!(status == 1 && errors.contains("\"w.weights.checkpoint\" is there already: go on"), "{errors}");
    fs::rename(folder.join("w.weights.checkpoint"), folder.join("away")).unwrap();
    for train in [train.to_owned(), format!("{train} --resume")] {
        let (status, _, errors) = run_in(folder, &train);
        assert!(status == 1 && errors.contains("\"w.weights\" is there already: name another"), "{errors}");
    }
    fs::rename(folder.join("away"), folder.join("w.weights.checkpoint")).unwrap();
    for command in ["train --variant russian --data all.games --out x.weights", "dataset wdl all.games"] {
        let (status, _, errors) = run_in(folder, &format!("{command} --plot w.weights"));
        assert!(status == 1 && errors.contains("no file of drawings"), "{errors}");
    }
    assert!(fs::read(folder.join("w.weights")).unwrap() == before && !folder.join("x.weights").exists());
    // A single pass over few games teaches something: larger steps lead elsewhere.
    done(folder, "train --variant russian --data all.games --out large.weights --epochs 1 --rate 0.01");
    let numbers = |name: &str| fs::read(folder.join(name)).unwrap();
    assert_ne!(numbers("w.weights"), numbers("large.weights"));
    // A run that is done is not done again: the same weights, and the last pass is told and drawn.
    let before = numbers("w.weights");
    let again =
        "train --variant russian --data all.games --out w.weights --epochs 1 --resume --plot done.svg";
    assert!(done(folder, again).starts_with("pass 1 positions "));
    assert_eq!(numbers("w.weights"), before);
    assert!(fs::read_to_string(folder.join("done.svg")).unwrap().starts_with("<svg "));
    // And what another run has left is not gone on with.
    let (status, _, errors) =
        run_in(folder, "train --variant russian --data runs --out w.weights --epochs 1 --resume");
    assert!(status == 1 && errors.contains("weights to begin with and games"), "{errors}");
    let (status, _, errors) =
        run_in(folder, "train --variant russian --data all.games --out w.weights --epochs 2 --resume");
    assert!(status == 1 && errors.contains("w.weights.checkpoint\" is no checkpoint of this"), "{errors}");
    let analysis = |weights: &str| {
        let mut last = json(
            done(folder, &format!("analyse --variant russian --eval-file {weights} --depth 6 --json"))
                .lines()
                .rfind(|line| line.contains("\"info\""))
                .unwrap(),
        );
        ["time", "nps"].iter().for_each(|name| last[name] = Value::Null);
        last
    };

    // Rows for more blocks change nothing before they have learned, and who has them keeps them.
    let nine = "train --variant russian --data all.games --eval-file w.weights --out nine.weights --epochs 1";
    done(folder, &format!("{nine} --rate 0.00000001 --blocks 9"));
    assert!(numbers("nine.weights").starts_with(b"{\"format\":\"kroon-weights 9\","));
    assert_eq!(analysis("nine.weights"), analysis("w.weights"));
    done(
        folder,
        "train --variant russian --data all.games --eval-file nine.weights --out on.weights --epochs 1",
    );
    assert!(numbers("on.weights").starts_with(b"{\"format\":\"kroon-weights 9\","));
    let (status, _, errors) = run_in(folder, &format!("{nine} --rate 1.5"));
    assert!(status == 2 && errors.contains("expected a number above 0, at most 1"), "{errors}");
    let (status, _, errors) = run_in(folder, &format!("{nine} --blocks 5"));
    assert!(status == 2 && errors.contains("'5' for '--blocks <N>': expected 4 or 9"), "{errors}");

    // Another scale tells what a score is worth, and changes none before something is learned.
    let scaled =
        "train --variant russian --data all.games --eval-file w.weights --out scaled.weights --epochs 1";
    done(folder, &format!("{scaled} --rate 0.00000001 --scale 432"));
    let bytes = numbers("scaled.weights");
    let header = bytes.split(|&byte| byte == b'\n').next().unwrap();
    assert_eq!(serde_json::from_slice::<Value>(header).unwrap()["scale"], 432);
    assert_eq!(analysis("scaled.weights"), analysis("w.weights"));
    let (status, _, errors) = run_in(folder, &format!("{scaled} --scale 19"));
    assert!(status == 2 && errors.contains("19 is not in 20..=20000"), "{errors}");

    // A part of what was learned, or nothing of it.
    let on = "train --variant russian --data all.games --eval-file w.weights --epochs 1";
    for (keep, name) in [("0", "all"), ("0.5", "half"), ("1", "none")] {
        done(folder, &format!("{on} --keep {keep} --out {name}.weights"));
    }
    assert_eq!(numbers("none.weights"), numbers("w.weights"));
    assert!(
        numbers("half.weights") != numbers("w.weights") && numbers("half.weights") != numbers("all.weights")
    );
    let (status, _, errors) =
        run_in(folder, "train --variant russian --data all.games --keep 0.5 --out none.weights");
    assert!(status == 2 && errors.contains("--eval-file"), "{errors}");

    done(folder, "selfplay --variant russian --out runs2 --games 2 --nodes 20 --eval-file w.weights");
    let runs = json(done(folder, "dataset stat runs2 --json").lines().next().unwrap());
    assert!(runs["runs"][0]["evaluation"].as_str().unwrap().starts_with("learned "), "{runs}");
    let (status, _, errors) =
        run_in(folder, "selfplay --variant thai --out runs3 --games 2 --eval-file w.weights");
    assert!(status == 1 && errors.contains("weights for russian draughts, expected thai"), "{errors}");

    // Another variant has a total of its own, and moves drawn at random are told of where they are learned as others.
    done(folder, "selfplay --variant thai --out runs2 --games 3 --nodes 20 --random-percent 30");
    let lines: Vec<Value> = done(folder, "dataset stat runs2 --json").lines().map(json).collect();
    let total =
        |line: usize| (lines[line]["variant"].as_str().unwrap(), lines[line]["games"].as_u64().unwrap());
    assert_eq!((lines.len(), total(2), total(3)), (4, ("russian", 2), ("thai", 3)));
    let stat = done(folder, "dataset stat runs2");
    assert!(stat.contains("\nthai draughts\n") && stat.contains("beginning, 30% of the others"), "{stat}");
    let told = |args: &str| {
        let (_, _, errors) = run_in(folder, args);
        errors.contains("moves drawn at random")
    };
    assert!(told("train --variant thai --data runs2 --epochs 1 --out t1.weights"));
    assert!(told("train --variant thai --data runs2 --epochs 1 --policy --out t2.weights"));
    assert!(!told("train --variant thai --data runs2 --epochs 1 --result-share 0 --out t3.weights"));
    assert!(!told("train --variant russian --data runs2 --epochs 1 --out t4.weights"));
    assert!(told("dataset wdl runs2 --variant thai") && !told("dataset wdl runs2 --variant russian"));

    let fit = json(&done(folder, "dataset wdl spread --plot c.svg --json"));
    let games = |field: &str| fit[field].as_u64().unwrap();
    assert_eq!((fit["variant"].as_str(), games("games") + games("held_out_games")), (Some("russian"), 75));
    assert!(fit["slope"].as_f64().is_some() && fit["loss"].as_f64().is_some_and(|loss| loss < 2.0));
    let plot = fs::read_to_string(folder.join("c.svg")).unwrap();
    for word in
        ["<svg ", "predicted chance", "observed share of positions", ">win<", ">draw<", ">loss<", "100%"]
    {
        assert!(plot.contains(word), "{word}");
    }
    let table = done(folder, "dataset wdl runs");
    assert!(table.contains("draw_late") && table.contains("mean difference"), "{table}");
}

#[test]
fn a_policy_is_learned_added_and_asked() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    done(folder, "selfplay --variant english --out runs --games 150 --nodes 100");
    let train =
        "train --policy --variant english --data runs --epochs 6 --rate 0.01 --out p.weights --plot p.svg";
    let passes = done(folder, train);
    let last = passes.lines().rfind(|line| line.starts_with("pass ")).unwrap();
    assert!(last.starts_with("pass 6 positions ") && last.contains(" first "), "{passes}");
    let loss = |line: &str| -> f64 { line.split_whitespace().nth(5).unwrap().parse().unwrap() };
    // Six passes teach something: less than the bits of a choice among eight moves.
    assert!(loss(last) < loss(passes.lines().next().unwrap()) && loss(last) < 2.2, "{passes}");
    assert!(fs::read_to_string(folder.join("p.svg")).unwrap().contains("how often searches chose them"));
    let before = fs::read(folder.join("p.weights")).unwrap();
    // The weights in the program have rows for nine blocks, so this is the format with both.
    assert!(before.starts_with(b"{\"format\":\"kroon-weights 10\",\"variant\":\"english\""));
    done(folder, &format!("{train} --resume"));
    assert!(fs::read(folder.join("p.weights")).unwrap() == before);
    for of_evaluation in ["--blocks 9", "--keep 0.5 --eval-file p.weights"] {
        let (status, _, errors) = run_in(folder, &format!("{train} {of_evaluation}"));
        assert!(status == 2 && errors.contains("'--policy' cannot be used with"), "{errors}");
    }

    // What the weights evaluate is the same.
    let depth = "analyse --variant english --depth 9 --json";
    let without = |text: String| {
        let mut lines: Vec<Value> = text.lines().map(json).collect();
        for line in &mut lines {
            ["time", "nps"].iter().for_each(|name| line[name] = Value::Null);
        }
        lines
    };
    assert_eq!(
        without(done(folder, &format!("{depth} --eval-file p.weights"))),
        without(done(folder, depth))
    );

    // The tree search asks it, unless it is told not to.
    let tree = |more: &str| {
        let args = format!("analyse --variant english --search mcts --nodes 300 --json {more}");
        done(folder, &args).lines().last().map(json).unwrap()["tree"].clone()
    };
    let with = tree("--eval-file p.weights");
    let moves = with.as_array().unwrap();
    let policy: f64 = moves.iter().map(|mv| mv["policy"].as_f64().unwrap()).sum();
    assert!(moves.len() == 7 && (policy - 1.0).abs() < 0.01, "{with}");
    assert!(moves[0]["replies"][0]["visits"].as_u64().unwrap() > 0, "{with}");
    let off = tree("--eval-file p.weights --mcts-policy 0");
    assert!(off[0]["policy"].is_null(), "{off}");
    let visits = |tree: &Value| {
        let of = |mv: &Value| (mv["move"].to_string(), mv["visits"].to_string());
        tree.as_array().unwrap().iter().map(of).collect::<std::collections::BTreeSet<_>>()
    };
    assert_ne!(visits(&with), visits(&off));
    assert_eq!(visits(&off), visits(&tree("")));

    // A match tells programs apart by their policies, where these play.
    let played = |params: &str| {
        let args = format!(
            "match --variant english --engine 'proto=kroon name=a nodes=1 {params}' --engine 'proto=kroon player=random' --games 2 \
             --max-plies 4 --results r.jsonl"
        );
        let _ = fs::remove_file(folder.join("r.jsonl"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_kroon"));
        command.args(shell_words(&args)).current_dir(folder).assert().success();
        json(fs::read_to_string(folder.join("r.jsonl")).unwrap().lines().next().unwrap())["engines"][0]["program"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let params = "param.search=mcts param.eval-file=p.weights";
    assert!(played(params).contains(", policy "));
    assert!(!played(&format!("{params} param.mcts-policy=0")).contains(", policy "));
    assert!(!played("param.eval-file=p.weights").contains(", policy "));

    // A typing error leaves the checkpoint alone.
    let typo = "train --policy --variant english --data runs --eval-file q.weights --out p.weights";
    assert!(run_in(folder, typo).0 == 1 && folder.join("p.weights.policy.checkpoint").exists());
    let (status, _, errors) = run_in(folder, &format!("{train} --seed 2 --resume"));
    assert!(status == 1 && errors.contains("of this program's policies with these weights"), "{errors}");
    let (status, _, errors) = run_in(folder, "train --policy --data runs --out x.weights");
    assert!(status == 1 && errors.contains("runs\" has no games of international to learn from"), "{errors}");
    let (status, _, errors) =
        run_in(folder, "train --policy --data runs --eval-file p.weights --out x.weights");
    assert!(
        status == 1 && errors.contains("weights for english draughts, expected international"),
        "{errors}"
    );
}

#[test]
fn a_policy_learns_from_the_visits_of_a_tree_search() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let play = "selfplay --variant english --search mcts --mcts-leaf eval --nodes 60";
    done(folder, &format!("{play} --out runs --games 40"));
    let games = fs::read(folder.join("runs/english-1-0.games")).unwrap();
    let first = games.split(|&byte| byte == b'\n').next().unwrap();
    let header = json(std::str::from_utf8(first).unwrap());
    assert_eq!(header["format"], "kroon-selfplay 2");
    assert!(header["search"].as_str().unwrap().contains("search=mcts "), "{header}");
    assert!(header["search"].as_str().unwrap().contains("mcts-noise=0.25"), "{header}");
    done(folder, "dataset verify runs");

    // Killed and continued it is the same; other options are another run.
    done(folder, &format!("{play} --out half --games 15"));
    done(folder, &format!("{play} --out half --games 40 --resume"));
    assert!(fs::read(folder.join("half/english-1-0.games")).unwrap() == games);
    let (status, _, errors) =
        run_in(folder, &format!("{play} --out half --games 41 --resume --mcts-noise 0"));
    assert!(status == 1 && errors.contains("choose another --shard or --seed"), "{errors}");

    // Merged with games of alpha-beta, all are learned from.
    done(folder, "selfplay --variant english --out runs2 --games 40 --nodes 60");
    done(folder, "dataset merge runs runs2 --out all.games");
    done(folder, "dataset verify all.games");
    let train = "train --policy --variant english --epochs 1";
    let learned = |data: &str| {
        for end in ["", ".policy.checkpoint"] {
            let _ = fs::remove_file(folder.join(format!("p.weights{end}")));
        }
        let out = done(folder, &format!("{train} --data {data} --out p.weights"));
        number_after(out.lines().find(|line| line.starts_with("pass 1 ")).unwrap(), "positions ")
    };
    let (visits, chosen, both) = (learned("runs"), learned("runs2"), learned("all.games"));
    assert!(visits > 300 && chosen > 300 && both > visits.max(chosen), "{visits} {chosen} {both}");

    // The policy is told where it has played.
    done(folder, &format!("{play} --eval-file p.weights --out next --games 1"));
    let next = fs::read(folder.join("next/english-1-0.games")).unwrap();
    assert!(String::from_utf8_lossy(&next).lines().next().unwrap().contains(" policy="));
}

/// The whole number after a word of a line.
fn number_after(line: &str, word: &str) -> u64 {
    let rest = line.split(word).nth(1).unwrap_or_default();
    rest.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{line}"))
}

#[test]
fn damage_is_found_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    done(folder, "selfplay --variant thai --out runs --games 6 --nodes 20");
    let path = folder.join("runs/thai-1-0.games");
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 8;
    fs::write(&path, &bytes).unwrap();
    fs::write(folder.join("runs/other.games"), "no games\n").unwrap();
    let (status, out, errors) = run_in(folder, "dataset verify runs");
    assert_eq!(status, 1);
    assert!(out.contains("runs/thai-1-0.games\", game ") && out.contains("at byte "), "{out}");
    assert!(out.contains("other.games\" is no file of self-play games"), "{out}");
    assert!(errors.contains("2 faults found; 2 games of 2 files read"), "{errors}");
    let (status, out, _) = run_in(folder, "dataset verify runs --json");
    assert_eq!(status, 1);
    assert!(out.lines().map(json).all(|line| line["faulty"] == 1), "{out}");
    for command in ["stat runs", "merge runs --out x.games", "shard runs --parts 2 --out x", "wdl runs"] {
        let (status, _, errors) = run_in(folder, &format!("dataset {command}"));
        assert_eq!(status, 1, "{command}");
        assert!(errors.starts_with("error: "), "{command}: {errors}");
    }
    assert!(!folder.join("x.games").exists());
    for (command, needle) in [
        ("stat nowhere", "\"nowhere\": "),
        ("verify .", "has no files of games"),
        ("wdl runs/other.games", "other.games\" is no file of self-play games"),
    ] {
        let (status, _, errors) = run_in(folder, &format!("dataset {command}"));
        assert!(status == 1 && errors.contains(needle), "{command}: {errors}");
    }
}
