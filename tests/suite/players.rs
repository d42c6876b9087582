//! The players of the literature, from outside: every one of them in every variant in process, and through Hub.

use kroon::agents::AgentKind;
use kroon::rules::VariantId;
use std::process::Command;

/// Plays a match of these engines, two games of each pair unless `args` say otherwise, to the end; nobody may make a mistake.
fn play(variant: VariantId, args: &[&str], engines: &[String]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kroon"));
    command.args(["match", "--variant", variant.name(), "--openings", "start", "--strict"]);
    if !args.contains(&"--games") {
        command.args(["--games", "2"]);
    }
    command.args(args).env_remove("KROON_LOG");
    for engine in engines {
        command.args(["--engine", engine]);
    }
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

#[test]
fn every_player_plays_every_variant_without_a_limit() {
    let engines: Vec<String> =
        AgentKind::NAMES.iter().map(|name| format!("proto=kroon player={name}")).collect();
    for variant in VariantId::ALL {
        let text = play(variant, &["--gauntlet"], &engines);
        assert!(!text.contains("illegal") && text.contains("random - mcts: 2 games"), "{text}");
    }
}

#[test]
fn every_player_plays_through_hub() {
    let program = env!("CARGO_BIN_EXE_kroon");
    let hub = |name: &&&str| {
        format!("cmd=\"'{program}' hub --hash 1\" name={name} param.player={name} param.seed=3 depth=2")
    };
    // All play all above; the protocol is the same in every variant, so in each a third of the players will do.
    for (index, variant) in VariantId::ALL.into_iter().enumerate() {
        let names: Vec<_> = AgentKind::NAMES.iter().skip(index % 3).step_by(3).collect();
        let mut engines = vec!["proto=kroon player=random name=yardstick".to_owned()];
        engines.extend(names.iter().map(hub));
        let text = play(variant, &["--gauntlet", "--time-margin", "60"], &engines);
        for name in names {
            assert!(text.contains(&format!("yardstick - {name}: 2 games")), "{text}");
        }
    }
}

#[test]
fn who_looks_ahead_beats_random_moves_in_every_variant() {
    let engines = ["minimax", "random"].map(|name| format!("proto=kroon player={name}"));
    for variant in VariantId::ALL {
        let text = play(variant, &["--games", "20", "--seed", "5", "--max-plies", "200"], &engines);
        let line = text.lines().find(|line| line.starts_with("minimax - random:")).unwrap();
        let won: usize = line.split('+').nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
        assert!(won >= 15, "{variant}: {line}");
    }
}

#[test]
fn a_seed_gives_the_same_game_again_through_hub() {
    let script = |seed: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kroon"));
        let mut child =
            command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped()).spawn().unwrap();
        let lines =
            format!("set-param name=player value=random\nset-param name=seed value={seed}\nnew-game\n")
                + &"pos start\ngo think\n".repeat(12);
        std::io::Write::write_all(child.stdin.as_mut().unwrap(), lines.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).unwrap();
        let done: Vec<String> =
            text.lines().filter(|line| line.starts_with("done ")).map(str::to_owned).collect();
        assert_eq!(done.len(), 12, "{text}");
        done
    };
    assert_eq!(script("1"), script("1"));
    assert_ne!(script("1"), script("2"));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let refused = |args: &[&str], parts: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_kroon")).args(args).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{args:?}");
        assert!(parts.iter().all(|part| text.contains(part)), "{args:?}: {text}");
    };
    refused(&["analyse", "--player", "perfect"], &["perfect", "minimax"]);
    refused(&["analyse", "--player-depth", "0"], &["\"0\"", "1 to 99"]);
    refused(&["analyse", "--player", "mcts", "--player-file", "x.agent"], &["x.agent", "learns nothing"]);
    let engines =
        |second: &'static str| ["match", "--engine", "proto=kroon player=random", "--engine", second];
    refused(&engines("proto=kroon player=perfect"), &["perfect", "minimax"]);
    refused(&engines("proto=kroon player=minimax score=g"), &["\"g\"", "linear"]);
    refused(&engines("proto=kroon"), &["no limit"]);
}

/// Players that count rewards, or nothing, say no score: a referee that ends level games has nothing to go by.
#[test]
fn games_of_players_without_a_score_are_not_adjudicated() {
    let engines = ["q-learning", "random"].map(|name| format!("proto=kroon player={name}"));
    let args = ["--games", "20", "--seed", "5", "--draw", "0.1,8,20"];
    let text = play(VariantId::English, &args, &engines);
    assert!(text.contains("rules") && !text.contains("adjudicated"), "{text}");
    // Who is at most a man ahead says so.
    let engines = ["depth=1", "depth=2"].map(|depth| format!("proto=kroon player=minimax {depth}"));
    let text = play(VariantId::English, &["--games", "20", "--draw", "1,2,2"], &engines);
    assert!(text.contains("adjudicated draw"), "{text}");
}
