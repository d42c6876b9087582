//! Whole matches through the binary: files, resumption, the sequential test, results.

use super::program::{folder, process_in};
use kroon::arena::record::{GameRecord, MoveNote, Reason};
use kroon::arena::store;
use kroon::notation::pdn;
use kroon::words::counted;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

fn a_match(folder: &Path, args: &str) -> Command {
    let mut command = process_in(folder, &format!("match {args}"));
    command.stdin(Stdio::null());
    command
}

/// The standard output of a match; fails unless the match succeeds.
fn play(folder: &Path, args: &str, engines: &[&str]) -> String {
    let mut command = a_match(folder, args);
    command.args(engines.iter().flat_map(|engine| ["--engine", engine]));
    let output = command.output().unwrap();
    // Warnings do not stand among the results.
    let [text, warnings] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{text}\n{warnings}");
    assert!(!text.contains("warning"), "{text}");
    format!("{warnings}{text}")
}

/// The games of a file in order, without times and other values that depend on the machine.
fn games(path: &Path) -> Vec<GameRecord> {
    let mut games = store::read(path).unwrap().1;
    for game in &mut games {
        game.ended = 0;
        game.notes.iter_mut().for_each(|MoveNote(_, _, _, used, _)| *used = 0.0);
    }
    games.sort_by_key(|game| game.game);
    games
}

const TWO: [&str; 2] =
    ["proto=kroon name=deep param.hash=1 nodes=1500", "proto=kroon name=shallow param.hash=1 nodes=400"];

#[test]
fn killed_twenty_times_it_ends_like_an_undisturbed_match() {
    let folder = folder("match-kill");
    let args = "--games 40 --openings random:6:3 --max-plies 120 --concurrency 2 --sprt 0,5 --pdn games.pdn --results";
    play(&folder, &format!("{} undisturbed.jsonl", args.replace("games.pdn", "undisturbed.pdn")), &TWO);
    let undisturbed = games(&folder.join("undisturbed.jsonl"));
    assert_eq!(undisturbed.len(), 40);

    let results = folder.join("killed.jsonl");
    let lines = || fs::read(&results).map_or(0, |text| text.iter().filter(|&&byte| byte == b'\n').count());
    let mut random = Xoshiro256PlusPlus::seed_from_u64(20);
    let mut kills = 0;
    while kills < 20 {
        let wanted = lines() + random.random_range(0..=2);
        let mut command = a_match(&folder, &format!("{args} killed.jsonl"));
        command.args(TWO.iter().flat_map(|engine| ["--engine", engine]));
        let mut child = command.stdout(Stdio::null()).spawn().unwrap();
        while lines() < wanted && child.try_wait().unwrap().is_none() {
            sleep(Duration::from_millis(1));
        }
        sleep(Duration::from_micros(random.random_range(0..30_000)));
        child.kill().unwrap();
        child.wait().unwrap();
        // A line for the match itself, and one for each game. On a fast machine all can be played before the last kill:
        // the match was good, and another one is played to be killed.
        if lines() < 41 {
            kills += 1;
        } else {
            assert_eq!(games(&results), undisturbed);
            fs::remove_file(&results).unwrap();
            fs::remove_file(folder.join("games.pdn")).unwrap();
        }
    }
    let (interrupted, text) = (lines() > 1, play(&folder, &format!("{args} killed.jsonl"), &TWO));
    assert!(!interrupted || text.contains("the match goes on"), "{text}");
    assert!(text.contains("deep - shallow: 40 games"), "{text}");
    assert_eq!(games(&results), undisturbed);

    // The files for people, too, have every game once and in order.
    let read = |name: &str| {
        let text = fs::read_to_string(folder.join(name)).unwrap();
        let (games, warnings) = pdn::read_games(&text);
        assert!(warnings.is_empty(), "{warnings:?}");
        let plain = |game: &pdn::PdnGame| {
            let replay = game.replay().unwrap();
            assert!(replay.stopped.is_none());
            let tag = |name: &str| game.tags.get(name).unwrap_or_default().to_owned();
            (replay.game().moves().to_vec(), [tag("Round"), tag("White"), tag("Result"), tag("Termination")])
        };
        games.iter().map(plain).collect::<Vec<_>>()
    };
    assert_eq!(read("games.pdn"), read("undisturbed.pdn"));

    // Once more: nothing is left to do.
    let text = play(&folder, &format!("{args} killed.jsonl"), &TWO);
    assert!(text.starts_with("40 of 40 games are in the results file"), "{text}");
    assert_eq!(games(&results), undisturbed);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn every_game_has_seeds_of_its_own_and_keeps_them() {
    let folder = folder("match-seeds");
    let random = ["proto=kroon player=random name=a", "proto=kroon player=random name=b"];
    let args = "--openings start --games 8 --depth 1 --max-plies 60 --seed 5 --results";
    let moves = |name: &str| -> Vec<String> {
        games(&folder.join(name)).into_iter().map(|game| game.moves).collect()
    };
    play(&folder, &format!("{args} whole"), &random);
    let whole = moves("whole");
    let different: HashSet<&str> = whole.iter().map(|moves| &moves[..30]).collect();
    assert_eq!(different.len(), 8, "{whole:?}");

    // Cut off after three games, or played by two threads, the games are the same.
    let text = fs::read_to_string(folder.join("whole")).unwrap();
    let cut: String = text.split_inclusive('\n').take(4).collect();
    fs::write(folder.join("cut"), cut).unwrap();
    play(&folder, &format!("{args} cut"), &random);
    assert_eq!(moves("cut"), whole);
    play(&folder, &format!("--concurrency 2 {args} two"), &random);
    assert_eq!(moves("two"), whole);
    play(&folder, &args.replace("--seed 5 --results", "--seed 6 --results other"), &random);
    assert!(moves("other").iter().zip(&whole).all(|(a, b)| a != b));

    // The engine where it chooses at random, and the tree search.
    for player in [
        "param.variety=0.3 nodes=300",
        "param.search=mcts param.mcts-leaf=eval param.mcts-noise=0.5 nodes=60",
    ] {
        let engines = [
            format!("proto=kroon name=a param.hash=1 {player}"),
            "proto=kroon name=b param.hash=1 nodes=60".to_owned(),
        ];
        let engines = [engines[0].as_str(), engines[1].as_str()];
        let args = "--openings start --games 4 --max-plies 24 --results";
        for name in ["one", "again"] {
            play(&folder, &format!("{args} {name}"), &engines);
        }
        assert_eq!(moves("one"), moves("again"), "{player}");
        let seen: HashSet<String> = moves("one").into_iter().collect();
        assert!(seen.len() > 2, "{player}: {seen:?}");
        ["one", "again"].iter().for_each(|name| fs::remove_file(folder.join(name)).unwrap());
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_match_goes_on_with_the_programs_that_began_it() {
    let folder = folder("match-program");
    let engines = ["proto=kroon name=a nodes=50", "proto=kroon player=random name=b depth=1"];
    let args = "--openings random:4:1 --games 2 --max-plies 20 --results r";
    play(&folder, args, &engines);
    let (header, _) = store::read(&folder.join("r")).unwrap();
    assert!(header.engines[0].program.starts_with(kroon::engine::PROGRAM), "{header:?}");
    assert!(header.engines[0].program.contains(", learned "), "{header:?}");
    assert_eq!(header.screened_by.as_deref(), Some(kroon::engine::PROGRAM));

    let text = fs::read_to_string(folder.join("r")).unwrap();
    let first = text.replace(kroon::engine::PROGRAM, "kroon 0.0.9 0123456789abcdef");
    fs::write(folder.join("r"), first.lines().take(2).map(|line| format!("{line}\n")).collect::<String>())
        .unwrap();
    let mut command = a_match(&folder, args);
    command.args(engines.iter().flat_map(|engine| ["--engine", engine]));
    let output = command.output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{error}");
    assert!(
        error.contains("program of a was kroon 0.0.9 0123456789abcdef") && error.contains("--force"),
        "{error}"
    );
    play(&folder, &format!("{args} --force"), &engines);
    let (header, records) = store::read(&folder.join("r")).unwrap();
    assert_eq!((header.earlier.len(), records.len()), (3, 2), "{header:?}");
    // Whoever reads the file is told, too.
    let told = |args: &str| {
        let output = process_in(&folder, args).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let json: serde_json::Value = serde_json::from_str(&told("report r --json")).unwrap();
    assert_eq!(json["earlier"].as_array().map(Vec::len), Some(3), "{json}");
    assert_eq!(json["screened_by"].as_str(), Some(kroon::engine::PROGRAM), "{json}");
    let said = "\nsome were played by other programs: a: kroon 0.0.9 0123456789abcdef";
    assert!(told("sprt r").contains(said), "{}", told("sprt r"));
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_better_engine_wins_with_both_colours() {
    let folder = folder("match-better");
    let engines = ["proto=kroon player=random name=weak", "proto=kroon name=strong depth=4 param.hash=1"];
    let text = play(&folder, "--depth 1 --games 20 --results r --pdn p --log logs", &engines);
    assert!(text.contains("weak - strong: 20 games, +0 =0 -20 (0)"), "{text}");
    assert!(text.contains("moving first (White) +0 =0 -10 (0), moving second +0 =0 -10 (0)"), "{text}");
    assert!(text.contains("pairs with 0 to 2 points: 10 0 0 0 0"), "{text}");
    let (header, records) = store::read(&folder.join("r")).unwrap();
    assert_eq!(header.engines[1].limits, "depth 4");
    for pair in records.chunks(2) {
        assert_eq!([pair[0].white, pair[1].white], [0, 1]);
        let opening = |record: &GameRecord| record.moves.split(' ').take(2).collect::<Vec<_>>().join(" ");
        assert_eq!(opening(&pair[0]), opening(&pair[1]));
    }
    // The winner according to our rules is the winner that was written down.
    for record in &records {
        let game = record.replay(kroon::rules::VariantId::International).unwrap();
        let winner = record.result.winner().unwrap();
        assert_eq!(game.outcome(), Some(kroon::game::Outcome::Win(winner)));
        assert_eq!(record.engine(winner), 1);
    }
    let pdn = fs::read_to_string(folder.join("p")).unwrap();
    assert_eq!(
        (pdn.matches("[White \"strong\"]").count(), pdn.matches("[Result \"2-0\"]").count()),
        (10, 10)
    );
    assert_eq!(fs::read_dir(folder.join("logs")).unwrap().count(), 20);
    // A slip of the command is told, not its PDN file, whose games are those of the match.
    let mut command = a_match(&folder, "--depth 2 --games 20 --results r --pdn p");
    let other = command.args(engines.iter().flat_map(|engine| ["--engine", engine])).output().unwrap();
    let error = String::from_utf8_lossy(&other.stderr);
    assert!(!other.status.success() && error.contains("\"r\" is of another match"), "{error}");
    assert_eq!(fs::read_to_string(folder.join("p")).unwrap(), pdn);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn noise_makes_games_differ_and_belongs_to_the_match() {
    let folder = folder("match-noise");
    let engine = |noise: &str| {
        [
            format!("proto=kroon name=a nodes=60 param.hash=1 {noise}"),
            "proto=kroon name=b nodes=90 param.hash=1".to_owned(),
        ]
    };
    let run = |noise: &str, args: &str| {
        let [a, b] = engine(noise);
        play(&folder, &format!("--openings start --games 6 --max-plies 40 {args}"), &[&a, &b])
    };
    let moves = |name: &str| -> Vec<String> {
        games(&folder.join(name)).into_iter().map(|game| game.moves).collect()
    };
    let plain = run("", "--results plain");
    assert!(plain.contains("warning: a - b: 4 games of 6 repeat others, as there are 1 openings"), "{plain}");
    assert_eq!(moves("plain").into_iter().collect::<HashSet<_>>().len(), 2, "one game with each colour");
    let text = fs::read_to_string(folder.join("plain")).unwrap();
    let (header, records) = text.split_once('\n').unwrap();
    let mut header: serde_json::Value = serde_json::from_str(header).unwrap();
    let one = header["engines"][0].clone();
    header["engines"].as_array_mut().unwrap().resize(501, one);
    fs::write(folder.join("crowd"), format!("{header}\n{records}")).unwrap();
    let crowd =
        Command::new(env!("CARGO_BIN_EXE_kroon")).args(["report", "crowd"]).current_dir(&folder).output();
    let text = String::from_utf8_lossy(&crowd.unwrap().stderr).into_owned();
    assert!(text.contains("501 engines, expected at most 500"), "{text}");
    let [a, b] = engine("");
    let few = play(&folder, "--openings random:1:1 --games 24 --max-plies 6", &[&a, &b]);
    assert!(few.contains("warning: random:1:1: 9 openings for 12 pairs of games, they come again"), "{few}");
    assert!(few.contains("warning: a - b: 6 games of 24 repeat others, as there are 9 openings"), "{few}");
    for name in ["one", "two"] {
        let noisy = run("noise=0.2", &format!("--results {name}"));
        assert!(!noisy.contains("warning"), "{noisy}");
    }
    // Two may be alike all the same, where the noise hits forced moves alone.
    assert!(moves("one").into_iter().collect::<HashSet<_>>().len() >= 4);
    assert_eq!(moves("one"), moves("two"));
    // A move that was replaced was not searched: about a fifth of those of one engine.
    let records = games(&folder.join("one"));
    let unsearched = records.iter().flat_map(|game| &game.notes).filter(|note| note.1.is_none()).count();
    assert!((8..=45).contains(&unsearched), "{unsearched} of 120");
    // It changes who plays.
    let mut command = a_match(&folder, "--openings start --games 6 --max-plies 40 --results one");
    let output =
        command.args(engine("noise=0.3").iter().flat_map(|engine| ["--engine", engine])).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && error.contains("noise=0.2, not name=a proto=kroon"), "{error}");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn openings_that_stand_twice_in_a_file_are_told() {
    let folder = folder("match-twice");
    fs::write(folder.join("op.txt"), "31-26\n32-28\n31-26\n33-29\n").unwrap();
    let engines = ["proto=kroon name=a nodes=50 param.hash=1", "proto=kroon name=b nodes=60 param.hash=1"];
    let text = play(&folder, "--openings op.txt --max-plies 10 --results r", &engines);
    assert!(text.contains("warning: op.txt: 4 openings lead to 3 different positions: "), "{text}");
    assert!(text.contains("warning: a - b: 2 games of 8 repeat others, as there are 3 openings"), "{text}");
    // The file is the same by another path.
    let again = play(&folder, "--openings ./op.txt --max-plies 10 --results r", &engines);
    assert!(again.contains("8 of 8 games are in the results file"), "{again}");
    fs::remove_dir_all(&folder).unwrap();
}

/// A disk that is full for the games in PDN, but not for the results.
#[test]
#[cfg(target_os = "linux")]
fn what_cannot_be_written_as_pdn_is_summed_up_all_the_same() {
    let folder = folder("match-full");
    let mut command = a_match(&folder, "--depth 1 --games 8 --max-plies 10 --results r --pdn /dev/full");
    command.args([
        "--engine",
        "proto=kroon player=random name=a",
        "--engine",
        "proto=kroon player=random name=b",
    ]);
    let output = command.output().unwrap();
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{text}");
    let played = games(&folder.join("r")).len();
    assert!(
        played > 0 && text.contains(&format!("a - b: {}", counted(played as u64, "game"))),
        "{played}: {text}"
    );
    assert!(text.contains("error: PDN file"), "{text}");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_blocked_side_draws_where_the_match_says_so() {
    let folder = folder("match-blocked");
    let random = ["proto=kroon player=random name=a", "proto=kroon player=random name=b"];
    let args = "--variant english --depth 1 --games 200 --openings start --max-plies 150 --results";
    play(&folder, &format!("{args} loss"), &random);
    play(&folder, &format!("--blocked draw {args} draw"), &random);
    let (loss, draw) = (games(&folder.join("loss")), games(&folder.join("draw")));
    let mut blocked = 0;
    for (loss, draw) in loss.iter().zip(&draw) {
        // The same games, another result.
        assert_eq!(loss.moves, draw.moves);
        let game = loss.replay(kroon::rules::VariantId::English).unwrap();
        let sides = kroon::board::Color::ALL.map(|color| game.position().side(color).len());
        assert_eq!(loss.left, Some(sides));
        let has_pieces = sides.into_iter().all(|pieces| pieces > 0);
        if loss.reason == Reason::Rules && has_pieces {
            blocked += 1;
            assert_eq!((draw.reason, draw.result), (Reason::Blocked, kroon::game::GameResult::Draw));
        } else {
            assert_eq!((draw.reason, draw.result), (loss.reason, loss.result));
        }
    }
    assert!(blocked > 0, "no game ended by a block");
    let (header, _) = store::read(&folder.join("draw")).unwrap();
    assert_eq!(header.rules, "max-plies 150, blocked draw");
    let mut command = a_match(&folder, &format!("{args} draw"));
    let output = command.args(random.iter().flat_map(|engine| ["--engine", engine])).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && error.contains("blocked draw, not max-plies 150;"), "{error}");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_test_stops_the_match() {
    let folder = folder("match-sprt");
    let engines = ["proto=kroon name=strong param.hash=1", "proto=kroon player=random"];
    let args = "--depth 2 --games 1000 --openings ballot3 --sprt 0,100 --concurrency 2 --results r";
    let text = play(&folder, args, &engines);
    assert!(text.contains("SPRT 0,100,0.05,0.05: H1 accepted"), "{text}");
    let played = games(&folder.join("r")).len();
    assert!(played < 200, "{played}");
    let again = play(&folder, args, &engines);
    assert!(again.contains("H1 accepted"), "{again}");
    assert_eq!(games(&folder.join("r")).len(), played, "what is decided is decided");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn three_engines_and_other_variants() {
    let folder = folder("match-three");
    let engines =
        ["proto=kroon player=random", "proto=kroon player=random param.seed=5", "proto=kroon param.hash=1"];
    for variant in ["english", "frisian", "losing"] {
        let text =
            play(&folder, &format!("--depth 1 --games 4 --variant {variant} --max-plies 200"), &engines);
        assert!(
            text.contains("random-1 - random-2: 4 games") && text.contains("random-2 - kroon: 4 games"),
            "{text}"
        );
        assert!(text.contains("Elo against its opponents"), "{text}");
    }
    let text = play(&folder, "--depth 1 --games 4 --gauntlet --max-plies 100", &engines);
    assert!(text.contains("random-1 - kroon") && !text.contains("random-2 - kroon"), "{text}");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_report_is_one_page_that_needs_nothing_else() {
    let folder = folder("match-report");
    let report = |args: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kroon"));
        command.arg("report").args(args.split_whitespace()).current_dir(&folder).env_remove("KROON_LOG");
        let output = command.output().unwrap();
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr),
        )
    };
    let engines = ["proto=kroon name=\"A <script> & co\" param.hash=1", "proto=kroon player=random name=B"];
    play(&folder, "--depth 2 --games 12 --max-plies 60 --results r.jsonl", &engines);
    assert_eq!(report("r.jsonl -o page.html --game 3"), (Some(0), String::new()));
    let page = fs::read_to_string(folder.join("page.html")).unwrap();
    for part in
        ["Strength", "Cross table", "Score over games", "How games ended", "Time", "Games", "Openings"]
    {
        assert!(page.contains(&format!("<h2>{part}</h2>")), "{part}");
    }
    assert!(page.contains("Game 3: A &lt;script&gt; &amp; co") && !page.contains("Game 4:"), "{page}");
    assert!(page.contains("31-26 16-21") && page.contains("<svg") && page.ends_with("</html>"));
    // On a phone tables scroll in their boxes.
    assert_eq!(page.matches("<table").count(), page.matches("<div class=\"wide\"><table").count());
    // Nothing is fetched, nothing runs, nothing is left over.
    let page = page.replace("http://www.w3.org/2000/svg", "");
    for bad in ["http:", "https:", "<script", "src=", "href=", "url(", "@import", "NaN", "inf\"", "-inf"] {
        assert!(!page.contains(bad), "{bad}");
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
    // A page takes the place of a page, and of nothing else.
    assert_eq!(report("r.jsonl -o page.html --game 3").0, Some(0));
    fs::write(folder.join("other.jsonl"), "{\"match\":1}\n").unwrap();
    for words in ["r.jsonl -o other.jsonl", "r.jsonl --json -o other.jsonl"] {
        let (code, text) = report(words);
        assert!(code == Some(1) && text.contains("other.jsonl\" is there already and no "), "{text}");
    }
    fs::remove_file(folder.join("other.jsonl")).unwrap();
    // The same numbers for programs: those of the records.
    let (code, text) = report("r.jsonl --json");
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let pairing = &json["pairings"][0];
    let records = games(&folder.join("r.jsonl"));
    let won = |moves_first: bool| {
        let first = |game: &&GameRecord| game.half_points(0) == 2 && (game.white == 0) == moves_first;
        records.iter().filter(first).count()
    };
    assert_eq!((code, json["games"].as_u64()), (Some(0), Some(12)), "{text}");
    assert_eq!(pairing["moving_first"]["won"].as_u64(), Some(won(true) as u64), "{text}");
    assert_eq!(pairing["moving_second"]["won"].as_u64(), Some(won(false) as u64), "{text}");
    let (code, text) = report("r.jsonl --game 99");
    assert!(code == Some(1) && text.contains("there is no game 99"), "{text}");
    assert!(report("nowhere.jsonl").1.contains("nowhere.jsonl"));
    // A match without a finished game, and files that somebody has changed.
    let whole = fs::read_to_string(folder.join("r.jsonl")).unwrap();
    let (head, first) = whole.split_once('\n').unwrap();
    fs::write(folder.join("empty.jsonl"), format!("{head}\n")).unwrap();
    assert!(report("empty.jsonl").1.contains("No game is finished yet"));
    for (from, to) in [
        ("\"game\":1,", "\"game\":99999999999,"),
        ("\"game\":1,", "\"game\":0,"),
        ("\"white\":0", "\"white\":7"),
        ("\"moves\":\"3", "\"moves\":\"9"),
        ("\"book\":2", "\"book\":70"),
        ("\"book\":2", "\"book\":18446744073709551615"),
    ] {
        fs::write(folder.join("changed.jsonl"), format!("{head}\n{}", first.replacen(from, to, 1))).unwrap();
        let (code, text) = report("changed.jsonl");
        assert!(
            code == Some(1) && text.contains("error: results file") && text.contains("game"),
            "{from}: {text}"
        );
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn mistakes_are_named_before_the_first_game() {
    let folder = folder("match-mistakes");
    fs::write(folder.join("diary.txt"), "Dear diary\n").unwrap();
    fs::write(folder.join("note.txt"), "{\"my\":\"notes\"}").unwrap();
    fs::write(folder.join("start.fen"), "B:W31-50:B1-20\n").unwrap();
    let kroon_engine = ["--engine", "proto=kroon", "--engine", "proto=kroon"];
    let more = [
        ("--depth 100", 1, "depth 100: the alpha-beta search goes to 99 plies at most"),
        ("--depth 1 --blocked win", 2, "loss, draw"),
        ("--depth 1 --blocked draw --tables embedded", 2, "--blocked draw with --tables"),
        ("--depth 1 --games 3", 2, "expected an even number"),
        ("", 2, "give --move-time, --tc, --depth or --nodes"),
        ("--depth 1 --openings random:4:1", 2, "have no end; say how many games to play with --games"),
        ("--depth 1 --openings book:4:1", 2, "the lines of the book are counted only"),
        ("--depth 1 --openings nowhere.pdn", 1, "nowhere.pdn"),
        ("--depth 1 --openings diary.txt", 1, "diary.txt"),
        ("--depth 1 --results diary.txt", 1, "is no header of a match"),
        ("--depth 1 --pdn diary.txt", 1, "it exists already"),
        ("--depth 1 --pdn diary.txt --results fresh.jsonl", 1, "it exists already"),
        ("--depth 1 --max-plies 2", 1, "opening 1 (31-26 16-21) has 2 plies"),
        ("--depth 1 --openings random:8:1 --games 2 --max-plies 8", 1, "random:8:1 has 8 plies"),
        ("--depth 1 --resign 5,4,10", 2, "\"5,4,10\": expected MEN,MOVES"),
        ("--depth 1 --resign 0.004,4", 2, "0.01 men at least"),
        ("--depth 1 --log diary.txt", 1, "--log \"diary.txt\" is a file, expected a folder"),
        ("--depth 1 --log diary.txt/logs", 1, "--log \"diary.txt/logs\""),
        ("--depth 1 --results note.txt", 1, "is no header of a match"),
        ("--depth 1 --openings start.fen --pdn start.fen", 1, "is an input and an output"),
        ("--depth 1 --openings start.fen --games 2 --results r --pdn r", 1, "is named for two outputs"),
        ("--depth 1 --two-sided", 2, "--resign"),
        ("--depth 1 --tc 1+1 --move-time 1", 2, "--move-time"),
        ("--depth 1 --sprt 5,0", 2, "elo0 = 5"),
        ("--depth 1 --resign soon", 2, "MEN,MOVES"),
        ("--depth 1 --engine proto=uci", 2, "hub, dxp, kroon"),
    ];
    for (args, code, needle) in more {
        let output = a_match(&folder, args).args(kroon_engine).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{args}: {text}");
        assert!(text.contains(needle), "{args}: {text}");
    }
    assert_eq!(fs::read_to_string(folder.join("diary.txt")).unwrap(), "Dear diary\n");
    assert!(!folder.join("fresh.jsonl").exists(), "nothing is begun that cannot go on");
    let alone = a_match(&folder, "--depth 1 --engine proto=kroon").output().unwrap();
    assert!(String::from_utf8_lossy(&alone.stderr).contains("needs two engines"));
    assert_eq!(alone.status.code(), Some(2));
    fs::remove_dir_all(&folder).unwrap();
}
