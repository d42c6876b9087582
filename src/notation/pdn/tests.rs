use super::*;
use crate::board::Color;
use crate::game::Game;
use crate::rules::VariantId::{
    self, Breakthrough, English, Frisian, Frysk, International, Killer, Losing, Pool, Russian,
};

fn one(text: &str) -> PdnGame {
    let (mut games, warnings) = read_games(text);
    assert_eq!((games.len(), warnings), (1, vec![]), "{text}");
    games.remove(0)
}

/// The moves of a line, one blank between them, with what else it consists of.
fn moves(line: &PdnLine) -> String {
    let words = line.entries.iter().map(|entry| match &entry.action {
        PdnAction::Move(text) => text.to_string(),
        PdnAction::Missing => "-".to_owned(),
        PdnAction::Setup(fen) => format!("<{fen}>"),
        PdnAction::Unread(word) => format!("?{word}"),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Each game's moves, and the warnings.
fn read(text: &str) -> (Vec<String>, Vec<String>) {
    let (games, warnings) = read_games(text);
    (games.iter().map(|game| moves(&game.line)).collect(), warnings.iter().map(ToString::to_string).collect())
}

fn stopped(text: &str) -> String {
    one(text).replay().unwrap().stopped.expect(text).to_string()
}

#[test]
fn liberal_move_text() {
    for (text, expected) in [
        ("1. 32-28 19-23 2. 28x19 14x23 *", "32-28 19-23 28x19 14x23"),
        ("1.32-28 19-23 2.28x19", "32-28 19-23 28x19"),
        ("01. 34-29 06-11", "34-29 6-11"),
        ("1. 34-29  1- 7  2. 13x 2  9 x13", "34-29 1-7 13x2 9x13"),
        ("1. 33X22 18:27 2. 31\u{2013}22", "33x22 18:27 31-22"),
        ("1. 3329 1721 c3d4", "33-29 17-21 c3-d4"),
        ("1. ... 18-23", "18-23"),
        ("1... 18-23 2. 32-28", "18-23 32-28"),
        ("1.\u{2026} 18-23", "18-23"),
        ("... 18-23 - - 33-29", "- 18-23 - 33-29"),
        ("32-28 19-23 28x19", "32-28 19-23 28x19"),
        ("1. 32-28 2. 19-23", "32-28 19-23"),
        ("1. 32-28\r\n19-23\r\n2.\r\n28x19 1-1", "32-28 19-23 28x19"),
        ("1. 32-28 ; the main line\n19-23", "32-28 19-23"),
        ("1. 32-28 - 19-23 2. 28x19 - 14x23 1-1", "32-28 19-23 28x19 14x23"),
        ("1. 32-28 - 2. 31-26 *", "32-28 - 31-26"),
        ("1. - 19-23 2. 41 - 28 - 39 - 48 41 - 28-39 *", "- 19-23 41-28-39-48 41-28-39"),
        ("% a line\n1. 32-28\n% 33-29\n19-23", "32-28 19-23"),
        ("[pdn]\n1. 32-28\n[/pdn]", "32-28"),
        ("1. 32-28 19-23\n\n2. 28x19 14x23\n\n\n1. ... 14x23", "32-28 19-23 28x19 14x23 14x23"),
        ("1. 35-30 9-13 2-0", "35-30 9-13"),
        ("1001. 32-28 19-23 1002. 28x19", "32-28 19-23 28x19"),
        ("1. a3:c5:e7 c3-d4 {;} (a1-b2)", "a3:c5:e7 c3-d4"),
        ("1. 1-12 2. 1-1", "1-12"),
        ("1. 01-1 2. 47-47", "1x1 47x47"),
        ("\u{feff}1. 32-28 {\u{feff}}", "32-28"),
    ] {
        assert_eq!(read(text), (vec![expected.to_owned()], vec![]), "{text}");
    }
}

#[test]
fn annotations_belong_to_their_move() {
    let game = one(
        "{intro} 1. 32-28! {best} $1 19-23(?) $902 2. 28x19 (2. 37-32 {why} 23x32 (2... 17-22) (14-19)) 14x23!? \
         3. 33-29* 10-14 (!) {[%clk 0:01:02]} {two} *",
    );
    assert_eq!(moves(&game.line), "32-28 19-23 28x19 14x23 33-29 10-14");
    let entries = &game.line.entries;
    assert_eq!(game.line.comments, ["intro"]);
    assert_eq!(
        (entries[0].strength.as_str(), &entries[0].nags[..], &entries[0].comments[..]),
        ("!", &[1][..], &["best".to_owned()][..])
    );
    assert_eq!((entries[1].strength.as_str(), &entries[1].nags[..]), ("?", &[902][..]));
    assert_eq!(entries[3].strength, "!?");
    assert_eq!(entries[4].nags, [7]);
    assert_eq!((entries[5].strength.as_str(), entries[5].comments.len()), ("!", 2));
    assert_eq!(entries[4].number, Some(3));
    let [variation] = &entries[2].variations[..] else { panic!("{entries:?}") };
    assert_eq!(moves(variation), "37-32 23x32");
    let inner: Vec<String> = variation.entries[1].variations.iter().map(moves).collect();
    assert_eq!(inner, ["17-22", "14-19"]);
    assert_eq!((entries[1].place.line, entries[1].place.column), (1, 29));
}

#[test]
fn tags() {
    let game = one(
        "[Event \"a \\\"quoted\\\" name\"] [Site \"C:\\\\dir\"]\n[White   \" M.van Dijk \"][Black \"say \"x\" now\"]\n\
         [Date 1950.01.01]\n[Round \"\"]\n[Event \"second\"]1. 32-28 *",
    );
    for (name, value) in [
        ("event", "a \"quoted\" name"),
        ("SITE", "C:\\dir"),
        ("White", "M.van Dijk"),
        ("Black", "say \"x\" now"),
        ("Date", "1950.01.01"),
        ("Round", ""),
    ] {
        assert_eq!(game.tags.get(name), Some(value), "{name}");
    }
    assert_eq!(game.tags.iter().filter(|tag| tag.name == "Event").count(), 2);
    assert_eq!(moves(&game.line), "32-28");
    // The first player begins: Black, or White where the moves say so.
    let players = |moves: &str| {
        let game = one(&format!("[P1 \"a\"] [P2 \"b\"] [GameType \"21\"] 1. {moves} *"));
        [Color::White, Color::Black].map(|color| game.player(color).map(str::to_owned).unwrap())
    };
    assert_eq!((players("11-15"), players("24-19")), (["b".into(), "a".into()], ["a".into(), "b".into()]));
    let (games, warnings) = read_games(&"[A \"\"]\n\n".repeat(600).replace("[A", "[B] [A"));
    assert_eq!((games.len(), warnings.len()), (600, 0));
    let many: String = (0..600).map(|i| format!("[A{i} \"\"]\n\n")).collect();
    let (games, warnings) = read_games(&many);
    assert_eq!((games[0].tags.iter().count(), warnings.len()), (500, 100));
    let (games, warnings) = read_games("[Event \"open]\n[Site \"x\"\n1. 32-28 *");
    assert_eq!(games[0].tags.get("Event"), Some("open"));
    assert_eq!(games[0].tags.get("Site"), Some("x"));
    assert_eq!(warnings.len(), 2);
    assert_eq!(warnings[0].to_string(), "line 1, column 1: the tag has no closing quote and bracket");
}

#[test]
fn where_games_end() {
    for (text, expected) in [
        ("1. 32-28 * 1. 33-29 *", vec!["32-28", "33-29"]),
        ("1. 32-28 2-0 1. 33-29 1/2-1/2\n1. 34-30 ½-½", vec!["32-28", "33-29", "34-30"]),
        ("[Event \"1\"]\n1. 32-28\n[Event \"2\"]\n1. 33-29", vec!["32-28", "33-29"]),
        ("1. 32-28 19-23\n\n1. 33-29 19-24", vec!["32-28 19-23", "33-29 19-24"]),
        ("[FEN \"W:W1:B2\"] 2-0\n[FEN \"W:W1:B2\"]\n\n1. 2-0", vec!["", ""]),
        ("[Event \"1\"]\n[FEN \"W::\"]\n\n[Event \"2\"]\n[FEN \"B::\"]", vec!["", ""]),
        ("[Event \"1\"]\n\n[Site \"2\"]\n{why}\n[Date \"\"] 1. 32-28", vec!["32-28"]),
        ("[Event \"1\"] 1. 32-28 2-0 *\n[FILENAME \"x.pdn\"]", vec!["32-28"]),
        ("1. 32-28 2-0 {resigned}\n{a good one} 1. 33-29 *", vec!["32-28", "33-29"]),
        ("[Result \"4-9\"] 1. 32-28 4-9\n[Result \"4-9\"] 1. 33-29 4-9 *", vec!["32-28", "33-29 4-9"]),
        (
            "[Result \"1 1/2 - 1/2\"] 1. 32-28 1 1/2 - 1/2\n\n[Result \"-\"] 1. 33-29 -",
            vec!["32-28", "33-29"],
        ),
        ("", vec![]),
        ("* * *", vec![]),
    ] {
        let expected: Vec<String> = expected.into_iter().map(str::to_owned).collect();
        assert_eq!(read(text), (expected, vec![]), "{text}");
    }
    let (games, _) = read_games("1. 32-28 2-0 {resigned}\n{a good one} 1. 33-29 *");
    assert_eq!(games[0].line.entries[0].comments, ["resigned"]);
    assert_eq!(games[1].line.comments, ["a good one"]);
    assert_eq!((games[1].place.line, games[1].place.column), (2, 1));
}

/// What is open at the end of a game is no door through which the next one comes in.
#[test]
fn torn_games_take_no_others_with_them() {
    let tagged = "[Event \"b\"]\n[Result \"1-1\"]\n\n1. 33-29 1-1\n";
    let bare = "1. 33-29 1-1\n\n1. 34-29 *\n";
    for (torn, moves) in [
        ("1. 32-28 19-23 2-0 :(\n\n", "32-28 19-23"),
        ("1. 32-28 19-23 2-0 (White forgot the clock\n\n", "32-28 19-23"),
        ("1. 32-28 19-23 (18-23 2. 31-26 2-0\n\n", "32-28 19-23"),
        ("1. 32-28 19-23 (18-23 (16-21 2-0\n\n", "32-28 19-23"),
    ] {
        assert_eq!(read(&format!("{torn}{tagged}")).0, [moves, "33-29"], "{torn}");
        assert_eq!(read(&format!("{torn}{bare}")).0, [moves, "33-29", "34-29"], "{torn}");
    }
    // A comment goes on to the next tag, whatever stands in between.
    let games =
        |text: &str| read_games(text).0.iter().map(|game| game.tags.get("FEN").unwrap().to_owned()).collect();
    let fens = |of: &dyn Fn(usize) -> String| -> Vec<String> { games(&(1..=3).map(of).collect::<String>()) };
    let expected = ["W:W31:B1", "W:W31:B2", "W:W31:B3"];
    assert_eq!(fens(&|n| format!("[Event \"a\"]\n[FEN \"W:W31:B{n}\"]\n\n{{White wins\n")), expected);
    // Games that are nothing but tags, with and without empty lines, and in any order.
    assert_eq!(fens(&|n| format!("[White \"a\"]\n[FEN \"W:W31:B{n}\"]\n[Result \"2-0\"]\n")), expected);
    let order = ["[FEN \"?\"]", "[Event \"a\"]\n[FEN \"?\"]", "[White \"a\"]\n[FEN \"?\"]\n[Event \"b\"]"];
    assert_eq!(fens(&|n| order[n - 1].replace('?', &format!("W:W31:B{n}")) + "\n\n"), expected);
    let (games, _) = read_games("[FEN \"W:W31:B1\"]\n\n[Event \"b\"]\n[FEN \"W:W31:B2\"]\n1. 31-27 *");
    assert_eq!((games[0].tags.get("Event"), games[1].tags.get("Event")), (None, Some("b")));
    assert_eq!(games[1].replay().unwrap().plies(), 1);
    let (games, warnings) = read_games("[Event \"a\"]\n[FEN \"W:W31:B1\"]\n[FEN \"W:W31:B2\"]\n*");
    assert_eq!((games.len(), games[0].tags.get("FEN")), (1, Some("W:W31:B1")));
    assert_eq!(warnings[0].to_string(), "line 3, column 1: a second FEN is no part of a game");
    let text = "[FEN \"W:W31:B1\"]\n\n[White \"x\"]\n1. 31-27\n[FEN \"W:W31:B2\"]\n1. 31-26";
    assert_eq!(read(text).0, ["31-27", "31-26"]);
    assert_eq!(read_games(text).0[0].tags.get("White"), Some("x"));
    // An empty line in the tags of one game separates nothing.
    let (games, _) = read_games("[Event \"b\"]\n\n[FEN \"W:W31:B2\"]\n\n[White \"c\"]\n1. 31-27 *");
    assert_eq!((games.len(), games[0].tags.get("White")), (1, Some("c")));
}

/// What is no move is looked at once: a game may have megabytes.
#[test]
fn a_long_chain_is_read_in_one_go() {
    let chain = "1 - 2 - ".repeat(200_000);
    let (games, _) = read_games(&format!("1. 32-28 {chain}3a *"));
    assert_eq!(games.len(), 1);
}

#[test]
fn what_a_game_keeps_is_bounded() {
    let many = 1_000_000;
    for word in ["{a} ", "$1 ", "! "] {
        let text = format!("1. 32-28 {} 19-23 ({{b}}) $2 ... 2-0\n1. 33-29 *", word.repeat(many));
        let (games, warnings) = read_games(&text);
        assert_eq!((games.len(), games[0].terminator.as_deref()), (2, Some("2-0")), "{word}");
        let [entry] = &games[0].line.entries[..] else {
            panic!("{word}: {} entries", games[0].line.entries.len())
        };
        // The move is an item, too, and signs are bounded by themselves.
        let kept = if word == "! " { 0 } else { many - 1 };
        assert_eq!(
            (entry.comments.len() + entry.nags.len(), &entry.variations[..]),
            (kept, &[][..]),
            "{word}"
        );
        let [warning] = &warnings[..] else { panic!("{warnings:?}") };
        assert_eq!(warning.fault, PdnFault::TooManyItems(many), "{word}");
    }
}

#[test]
fn the_other_side_may_begin() {
    let pool = |head: &str, moves: &str| one(&format!("[GameType \"{head}\"] {moves} *")).replay().unwrap();
    let first = |replay: Replay| (replay.game().start().turn(), replay.plies());
    assert_eq!(first(pool("23,W,8,8,A0,0", "1. c3-d4 f6-g5 2. b2-c3")), (Color::White, 3));
    // Details are often wrong; the moves decide.
    assert_eq!(first(pool("23,W,8,8,N1,0", "1. 11-15 22-18")), (Color::Black, 2));
    // So they do where nothing is said.
    assert_eq!(first(pool("23", "1. c3-d4")), (Color::White, 1));
    assert_eq!(first(pool("23", "1. 11-15 22-18")), (Color::Black, 2));
    assert_eq!(first(pool("23", "1. e5-e6")), (Color::Black, 0));
    assert_eq!(first(pool("20,B,10,10,N2,0", "")), (Color::White, 0));
}

#[test]
fn faults_are_warnings() {
    for (text, expected, warning) in [
        ("1.32-28,19-23 2.28x19", "32-28 19-23 28x19", "line 1, column 8: \",\" is no part of a game"),
        ("1. 32-28 huh 19-23", "32-28 19-23", "line 1, column 10: \"huh\" is no part of a game"),
        ("1. 32-28 {open\n[Event \"x\"]\n", "32-28|", "line 1, column 10: the comment has no closing brace"),
        ("1. 32-28 {open 19-23", "32-28", "line 1, column 10: the comment has no closing brace"),
        ("1. 32-28 (1. 33-29", "32-28", "line 1, column 19: the game ends inside a variation"),
        ("1. 32-28) 19-23", "32-28 19-23", "line 1, column 9: a parenthesis closes no variation"),
        ("(1. 33-29 (x)) 1. 32-28", "32-28", "line 1, column 1: the variation follows no move"),
        ("$1 1. 32-28", "32-28", "line 1, column 1: an annotation without a move is no part of a game"),
        ("1. 32-28 (33-29 2-0) 19-23", "32-28 19-23", "line 1, column 17: \"2-0\" is no part of a game"),
    ] {
        let (games, warnings) = read(text);
        assert_eq!((games.join("|").as_str(), warnings.join("|").as_str()), (expected, warning), "{text}");
    }
    let deep = format!("1. 32-28 {} 19-23", "(1. 33-29 ".repeat(100_000) + &")".repeat(100_000));
    let (games, warnings) = read(&deep);
    assert_eq!((games, warnings.len()), (vec!["32-28 19-23".to_owned()], 1));
    let (games, warnings) = read_games(&"x ".repeat(10_000));
    assert_eq!((games.len(), warnings.len()), (0, 1001));
    // A bracket in a comment is no tag, even where a line begins.
    assert_eq!(one("1. 32-28 {see\n[%clk 1] here} 19-23 *").line.entries.len(), 2);
}

#[test]
fn a_move_that_cannot_be_read_ends_a_game() {
    for (text, plies, word) in [
        ("1. 32-28 19-23 2. 28x19 14x23 3. 37=32 10=14 4. 31-27 17-21 2-0", 4, "37=32"),
        ("1. 32-28 19-23 2. 28_19! 14x23 *", 2, "28_19!"),
        ("[GameType \"25\"] 1.cd4 dc5 2.bd3 fg5 *", 2, "bd3"),
        ("1. 32-28 3l-27 2. 37-32 *", 1, "3l-27"),
        ("1. 32-28 19-23 2. K28-19 14x23 *", 2, "K28-19"),
        ("[GameType \"25\"] 1. C3=D4 d6~c5 2. g3-f4 h6-g5 *", 0, "C3=D4"),
        ("[GameType \"25\"] 1. c3-d4 d6-c5 2. bd3 c5-b4 3. b:d4 *", 2, "bd3"),
    ] {
        let game = one(text);
        let replay = game.replay().unwrap();
        let fault = replay.stopped.as_ref().unwrap().to_string();
        assert!(fault.contains(&format!("{word:?} looks like a move and cannot be read")), "{fault}");
        assert_eq!(replay.plies(), plies, "{text}");
        // What is written has it where it stood.
        assert_eq!(moves(&one(&game.write(WriteOptions::default())).line), moves(&game.line));
    }
    // Short forms are read where one legal move fits.
    let game = one("1. cd4 dc5! (1... ba5 {a}) 2. bc3 cb4 3. a:c5 *");
    assert_eq!(game.variant(), Ok(Russian));
    let replay = game.replay().unwrap();
    assert_eq!((replay.plies(), &replay.stopped, replay.entries()), (5, &None, &[0, 1, 2, 3, 4][..]));
    assert_eq!(game.variation_faults(Russian), []);
    let game = one("[GameType \"20\"] 1. 32-28 (1. 33=29 19-23) 19-23 *");
    let faults = game.variation_faults(International);
    assert!(faults[0].to_string().contains("\"33=29\" looks like a move"), "{faults:?}");
    // What could have been played instead of it stays.
    let game = one("1. 32-28 19-23 2. 28_19 (2. 33-29) 14x23 *");
    assert_eq!(game.line.entries[2].variations.len(), 1);
}

#[test]
fn variants_by_tag_and_by_guess() {
    for (text, expected) in [
        ("[GameType \"20\"]", Ok(International)),
        ("[GameType \"21,B,8,8,N1,0\"]", Ok(English)),
        ("[GameType \"20,W,10,10,N1,0\"]", Ok(International)),
        ("[GameType \"99\"] [FEN \"W:W50:B1\"]", Ok(International)),
        ("[Variant \"Standard\"]", Ok(International)),
        ("[Variant \"From Position\"]", Ok(International)),
        ("1. 32-28 19-23", Ok(International)),
        ("1. 31-27 17-21", Ok(International)),
        ("1. 11-15 23-19", Ok(English)),
        ("1. 9-13 24-20", Ok(English)),
        ("[FEN \"W:W41:B7\"]", Ok(International)),
        ("[FEN \"W:Wc3:Bd6\"]", Ok(Russian)),
        ("[FEN \"w:w31:b20\"]", Ok(International)),
        ("1. c3-d4 b6-a5", Ok(Russian)),
        ("[Event \"nothing\"]", Ok(International)),
        ("[GameType \"20\"] [Variant \"killer\"]", Ok(Killer)),
        ("[GameType \"20\"] [Variant \"russian\"]", Ok(International)),
        ("[GameType \"20\"] [Variant \"Antidraughts\"]", Ok(Losing)),
        ("[GameType \"20\"] [Variant \"Standard (international) checkers\"]", Ok(International)),
        ("[GameType \"40\"] [Variant \"Frysk!\"]", Ok(Frysk)),
        ("[GameType \"23\"] [Variant \"American checkers\"]", Ok(English)),
        ("[GameType \"25\"] [Variant \"Standard\"]", Ok(Russian)),
        ("[Variant \"Russian draughts\"]", Ok(Russian)),
        ("[GameType \"96\"]", Ok(Breakthrough)),
        ("[GameType \"40,W,10,10,N2,0\"]", Ok(Frisian)),
        ("[Variant \"Frysk!\"]", Ok(Frysk)),
        ("[Variant \"Antidraughts\"]", Ok(Losing)),
        ("[GameType \"0\"]", Err("line 1, column 1: GameType or Variant 0 (chess) is not supported")),
        ("[Event \"\"] [GameType \"77\"]", Err("line 1, column 12: GameType or Variant 77 is not supported")),
        ("[Variant \"Chess\"]", Err("line 1, column 1: GameType or Variant \"Chess\" is not supported")),
        (
            "[GameType \"x\"]",
            Err("line 1, column 1: GameType \"x\": expected a number, and details only after a comma"),
        ),
        ("1. 32-28 19-23 2. 38-82", Ok(International)),
        ("1. 11-15 23-19 2. 8-41", Ok(English)),
        ("1. c3-d4 b6-a5 2. d4-95", Ok(Russian)),
        ("1. 72-66", Err("line 1, column 1: GameType or Variant of these squares is not supported")),
    ] {
        let found = one(text).variant().map_err(|error| error.to_string());
        assert_eq!(found, expected.map_err(str::to_owned), "{text}");
    }
}

#[test]
fn replay_keeps_what_is_legal() {
    let game = one("[GameType \"25\"] 1. c3-b4 {W:Wc3:Bh8} c3-d4 *");
    assert_eq!(game.replay().unwrap().plies(), 2, "a position by files and ranks");
    let game = one("[GameType \"20\"]\n1. 32-28 19-23\n2. 28x19 19x28 *");
    let replay = game.replay().unwrap();
    assert_eq!(replay.game().moves().len(), 3);
    let stopped = replay.stopped.unwrap();
    assert_eq!((stopped.place.line, stopped.place.column), (3, 10));
    assert!(
        stopped.to_string().starts_with("line 3, column 10: move \"19x28\" is not legal here, legal are: ")
    );
    assert!(self::stopped("1. 32-28 ... 33-29").starts_with("line 1, column 10: a move is missing"));
    assert!(self::stopped("[FEN \"W:WK41:B20,33,37,43\"] 1. 41x48").contains("ambiguous"));
    let error = one("[FEN \"W:W1:B2\"] 1. 1-6").replay_as(International).unwrap_err().to_string();
    assert!(
        error.starts_with("line 1, column 1: FEN \"W:W1:B2\": White man on its promotion row"),
        "{error}"
    );
    for text in [
        "[FEN \"?\"] 1. 32-28",
        "1. ... 32-28",
        "- - 32-28",
        "[FEN \"B:W28,33:B19\"] 1. ... 19-23 2. 28x19",
        "[FEN \"W:WK41:B20,33,37,43\"] 1. 41x14x25x48",
        "[FEN \"W:WK41:B20,33,37,43\"] 1. 41x28 2. 28x39 39x48",
        "[FEN \"W:W33:B28\"] 1. 33-22",
        "1. 32-28 19-23 2. 28x19 14x23 3. 33-28 ... 23x32",
    ] {
        let replay = one(text).replay_as(International).unwrap();
        assert_eq!(replay.stopped, None, "{text}");
    }
}

#[test]
fn setups_begin_a_section() {
    let text =
        "1. 32-28 /FEN \"B:W31-50:B1-20\"/ 1... 19-23 {B:W31-50:B1-20} 18-22 {[FEN\n\"W:W33:B7\"]} 33-28";
    let replay = one(text).replay_as(International).unwrap();
    assert_eq!(replay.stopped, None);
    let plies: Vec<usize> = replay.sections().iter().map(|game| game.moves().len()).collect();
    assert_eq!(plies, [1, 1, 1, 1]);
    assert_eq!(replay.last().position().turn(), Color::Black);
    // An empty board passes the move; the same position again changes nothing.
    let replay = one("1. 32-28 /FEN \"W::\"/ 33-29 {B:W28,29,31,34-50:B1-20} 19-23").replay().unwrap();
    assert_eq!((replay.stopped.clone(), replay.sections().len()), (None, 2));
    assert_eq!(replay.last().moves().len(), 2);
    assert!(stopped("1. 32-28 /FEN \"nonsense\"/ 19-23").contains("column 10: FEN \"nonsense\""));
}

#[test]
fn results() {
    let result = |variant: VariantId, text: &str| one(text).result(variant);
    for (text, white, black) in [("1-0", International, English), ("2-0", International, English)] {
        assert_eq!(result(white, &format!("[Result \"{text}\"]")), PdnResult::Win(Color::White));
        assert_eq!(result(black, &format!("[Result \"{text}\"]")), PdnResult::Win(Color::Black));
    }
    for (text, expected) in [
        ("[Result \"2-0\"] 1. 32-28 *", PdnResult::Win(Color::White)),
        ("[Result \"*\"] 1. 32-28 0-2", PdnResult::Win(Color::Black)),
        ("[Result \"0-2\"] 1. 32-28 2-0", PdnResult::Win(Color::Black)),
        ("[Risultato \"1/2-1/2\"] *", PdnResult::Draw),
        ("1. 32-28 1 - 1", PdnResult::Draw),
        ("1. 32-28 0.5-0.5", PdnResult::Draw),
        ("1. 32-28 0-0", PdnResult::BothLost),
        ("[Result \"-\"]", PdnResult::Unknown),
        ("[Result \"4-6\"]", PdnResult::Other),
        ("1. 32-28", PdnResult::Unknown),
    ] {
        assert_eq!(result(International, text), expected, "{text}");
    }
    for variant in VariantId::ALL {
        for result in
            [PdnResult::Win(Color::White), PdnResult::Win(Color::Black), PdnResult::Draw, PdnResult::Unknown]
        {
            assert_eq!(PdnResult::parse(variant, result.text(variant)), result);
        }
    }
}

/// The first number is that of the side that begins, in all kinds of pool draughts.
#[test]
fn results_where_white_begins() {
    let start = Game::new(Pool).start().turn();
    assert_eq!(start, Color::Black);
    for (text, winner, end) in [
        ("[GameType \"23,W,8,8,A0,0\"] 1. c3-d4 d6-e5 1-0", Color::White, " 1-0\n\n"),
        ("[GameType \"23,W,8,8,A0,0\"] [Result \"0–1\"] 1. c3-d4", Color::Black, " 0-1\n\n"),
        // In a position, and without a move.
        ("[GameType \"23,W,8,8,A0,0\"] [FEN \"B:Wc3:Bf6\"] 1. f6-g5 0-1", Color::Black, "1... f6-g5 0-1\n\n"),
        ("[GameType \"23,W,8,8,A0,0\"] [FEN \"W:Wc3:Bf6\"] [Result \"1–0\"] *", Color::White, "\n1-0\n\n"),
        ("[GameType \"23,W,8,8,A0,0\"] 1-0", Color::White, "\n1-0\n\n"),
        // Black begins here, and where the moves are Black's whatever the tag says.
        ("[GameType \"23,B,8,8,N1,0\"] 1. 11-15 1-0", Color::Black, " 1-0\n\n"),
        ("[GameType \"23,W,8,8,N1,0\"] [Result \"1–0\"] 1. 11-15", Color::Black, " 1-0\n\n"),
    ] {
        let game = one(text);
        assert_eq!(game.result(Pool), PdnResult::Win(winner), "{text}");
        let written = game.write(WriteOptions::default());
        assert!(written.ends_with(end), "{written}");
        assert_eq!(one(&written).result(Pool), PdnResult::Win(winner), "{written}");
        assert_eq!(
            game.text_of(PdnResult::Win(winner), Pool),
            if end.contains("1-0") { "1-0" } else { "0-1" }
        );
    }
    // Nobody plays English checkers so.
    assert_eq!(one("[GameType \"21,W,8,8,N1,0\"] 1-0").result(English), PdnResult::Win(Color::Black));
}

#[test]
fn commands_in_comments() {
    use std::time::Duration;
    let (found, text) =
        commands("a [%clk 1:02:03][%emt 0:0:9.56] b [%mct 90] [%egt 0:05] [%eval #-5] [%depth 12] [%open c");
    assert_eq!(text, "a b [%open c");
    assert_eq!(
        found,
        [
            PdnCommand::Remaining(Duration::from_secs(3723)),
            PdnCommand::MoveTime(Duration::from_millis(9560)),
            PdnCommand::MechanicalClock(Duration::from_secs(90)),
            PdnCommand::GameTime(Duration::from_secs(300)),
            PdnCommand::Evaluation(PdnEvaluation::WinIn(-5)),
            PdnCommand::Other { name: "depth".to_owned(), value: "12".to_owned() },
        ]
    );
    let (found, _) =
        commands("[%clock W0:01:20 b0:01:31] [%clock 5] [%eval -0.048] [%clk soon] [%] [%inbook]");
    let PdnCommand::Clocks(clocks) = &found[0] else { panic!("{found:?}") };
    assert_eq!((clocks[0].color, clocks[0].running, clocks[1].running), (Some(Color::White), true, false));
    assert!(matches!(&found[1], PdnCommand::Clocks(clocks) if clocks[0].color.is_none()));
    assert_eq!(found[2], PdnCommand::Evaluation(PdnEvaluation::Men(-0.048)));
    assert_eq!(found[3], PdnCommand::Other { name: "clk".to_owned(), value: "soon".to_owned() });
    let (found, _) =
        commands("[%clk 99999999999999999999:9:1e9] [%eval 1e9] [%eval inf] [%clk 99999999999999999999:9:9]");
    assert_eq!(found.len(), 4);
}

#[test]
fn the_safe_profile() {
    let game = one(
        "[GameType \"20\"][FEN \"B:W28,33,38:B14,19,10.\"][Annotator \"x\"][White \"A \\\"B\\\"\"][Result \"1-1\"]\
         {c} 1... 19-23! {two words} (19-24) 2. 28x19 14x23 1-1",
    );
    let plain = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"A \\\"B\\\"\"]\n\
                 [Black \"?\"]\n[Result \"1-1\"]\n[GameType \"20\"]\n[FEN \"B:W28,33,38:B14,19,10.\"]\n\
                 [Annotator \"x\"]\n\n1... 19-23 2. 28x19 14x23 1-1\n\n";
    assert_eq!(game.write(WriteOptions::default()), plain);
    let full = game.write(WriteOptions { annotations: true, star: true });
    assert!(full.ends_with("\n\n{c} 1... 19-23! {two words} (1... 19-24) 2. 28x19 14x23 *\n\n"), "{full}");
    assert_eq!(one(&full).write(WriteOptions { annotations: true, star: true }), full);
}

#[test]
fn comments_take_no_number_and_commands_no_line_break() {
    let comment = "{[%eval 0.12] [%emt 0.021] [%clk 0:00:59.4] depth 11, nodes 120412} ";
    let moves = ["32-28", "19-23", "28x19", "14x23", "33-28", "23x32"];
    let text: String = moves.iter().map(|mv| format!("{mv} {comment}")).collect();
    let written = one(&text).write(WriteOptions { annotations: true, star: false });
    assert_eq!(written.matches("...").count(), 0, "{written}");
    assert!(written.lines().all(|line| line.chars().count() < 80), "{written}");
    for line in written.lines() {
        assert_eq!(
            line.matches("[%").count(),
            line.matches(']').count() - line.matches("\"]").count(),
            "{line}"
        );
    }
    let open = "[%eval ".to_owned() + &"0.12 ".repeat(30);
    let written = one(&format!("32-28 {{{open}}}")).write(WriteOptions { annotations: true, star: false });
    assert!(written.lines().all(|line| line.chars().count() < 80), "{written}");
}

#[test]
fn written_lines_are_short() {
    let comment = "word ".repeat(60) + "[Event \"x\"] and [White";
    let text = format!("1. 32-28 ({}19-23 {{{comment}}} {}", "(1. 33-29 ".repeat(10), ")".repeat(11));
    let (games, _) = read_games(&text);
    let written = games[0].write(WriteOptions { annotations: true, star: false });
    assert!(written.lines().all(|line| line.chars().count() < 80), "{written}");
    let again = one(&written);
    assert_eq!(again.write(WriteOptions { annotations: true, star: false }), written);
}

#[test]
fn points_of_another_system_stay_at_the_end_of_the_moves() {
    for (text, end) in [
        ("[Result \"4-9\"] 1. 32-28 4-9", "1. 32-28 4-9\n\n"),
        ("[Result \"4-9\"] 1. 32-28 *", "1. 32-28 *\n\n"),
        ("[Result \"½-½\"] 1. 32-28 ½-½", "1. 32-28 1-1\n\n"),
    ] {
        let written = one(text).write(WriteOptions::default());
        assert!(written.ends_with(end), "{written}");
        assert_eq!(one(&written).line.entries.len(), 1, "{written}");
    }
}

#[test]
fn the_result_of_the_moves_is_kept() {
    for (text, tag, end) in [
        // Without a tag it becomes one.
        ("1. 32-28 19-23 2-0", "2-0", "2-0"),
        ("1. 32-28 ½-½", "1-1", "1-1"),
        ("1. 32-28", "*", "*"),
        // What contradicts it, or tells less, stays.
        ("[Result \"+\"] 1. 32-28 1-0", "+", "1-0"),
        ("[Result \"1-1\"] 1. 32-28 0-0", "1-1", "0-0"),
        ("[Result \"2-0\"] 1. 32-28 0-2", "2-0", "0-2"),
        ("[Result \"*\"] 1. 32-28 0-2", "*", "0-2"),
        ("[Result \"2-0\"] 1. 32-28 *", "2-0", "2-0"),
    ] {
        let written = one(text).write(WriteOptions::default());
        assert!(written.contains(&format!("[Result \"{tag}\"]\n")), "{text}: {written}");
        assert!(written.ends_with(&format!(" {end}\n\n")), "{text}: {written}");
        assert_eq!(one(&written).write(WriteOptions::default()), written);
        let star = one(text).write(WriteOptions { annotations: true, star: true });
        assert!(star.contains(&format!("[Result \"{tag}\"]\n")) && star.ends_with(" *\n\n"), "{star}");
    }
}

#[test]
fn a_position_in_a_comment_stays_a_comment() {
    for text in ["W:W31:B1", "[FEN \"W:W31:B1\"]", "/FEN \"W:W31:B1\"/"] {
        let mut game = one("1. 32-28 *");
        game.line.entries[0].comments.push(text.to_owned());
        let again = one(&game.write(WriteOptions { annotations: true, star: false }));
        assert_eq!(again.line.entries.len(), 1, "{text}");
        assert!(again.line.entries[0].comments[0].ends_with(text), "{text}");
    }
}

#[test]
fn a_start_is_said_once() {
    let mut game = one("[Event \"x\"]\n1. 32-28 *");
    game.set_start(&Game::new(International));
    assert_eq!(
        (game.tags.get("GameType"), game.tags.get("Variant"), game.tags.get("FEN")),
        (Some("20"), None, None)
    );
    game.set_start(&Game::new(Killer));
    assert_eq!((game.variant(), game.tags.get("Variant")), (Ok(Killer), Some("killer")));
    let start = crate::notation::position::game(Russian, "W:Wa1:Bh8").unwrap();
    game.set_start(&start);
    assert_eq!(game.start(game.variant().unwrap()).unwrap().start(), start.start());
    let before = game.clone();
    game.set_start(&start);
    assert_eq!(game, before);
}
