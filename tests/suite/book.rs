//! Opening books from the outside: built, killed, damaged, imported, written as games, played from.

use super::program::process_in;
use kroon::board::Position;
use kroon::book::{Book, BookHead, Entry, Games, key, write_file};
use kroon::engine::{Engine, Mode, Options, Report, Request};
use kroon::game::Game;
use kroon::notation::pdn::{PdnAction, PdnEntry};
use kroon::notation::{moves, pdn};
use kroon::rules::{VariantId, play_in};
use kroon::score::Score;
use kroon::search::{Control, Info, Limits, Observer};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;
use tempfile::TempDir;

pub const V: VariantId = VariantId::English;

pub fn run(folder: &Path, words: &str) -> Output {
    process_in(folder, "").args(words.split(' ')).output().unwrap()
}

pub fn said(folder: &Path, words: &str) -> String {
    let output = run(folder, words);
    let fault = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words}: {fault}");
    String::from_utf8(output.stdout).unwrap()
}

pub const BUILD: &str = "book build --variant english --expansions 96 --nodes 300 --threads 2 --out";
/// One of some seconds, so that there is something to kill.
const LONG_BUILD: &str =
    "book build --variant english --ballots 2 --expansions 96 --nodes 5000 --threads 2 --out";

#[test]
fn a_build_that_is_killed_again_and_again_ends_with_the_same_book() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    said(folder, &format!("{LONG_BUILD} whole.book"));
    let read = |name: &str| fs::read(folder.join(name)).unwrap();
    let (mut kills, mut ended) = (0, 0);
    for attempt in 0..200 {
        let name = format!("killed{ended}.book");
        let mut build = process_in(folder, "")
            .args(format!("{LONG_BUILD} {name} --resume").split(' '))
            .stderr(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        sleep(Duration::from_millis(30 + attempt * 37 % 120));
        match build.try_wait().unwrap() {
            None => {
                build.kill().unwrap();
                kills += 1;
            }
            // The next one begins from nothing.
            Some(status) => {
                assert!(status.success());
                assert!(read("whole.book") == read(&name));
                ended += 1;
            }
        }
        build.wait().unwrap();
        if kills == 20 {
            break;
        }
    }
    assert_eq!(kills, 20, "{ended} ended before they were killed");
    let name = format!("killed{ended}.book");
    said(folder, &format!("{LONG_BUILD} {name} --resume"));
    assert!(read("whole.book") == read(&name));
    let verified = said(folder, &format!("book verify --variant english --book {name}"));
    assert!(verified.ends_with("agree with their moves\n"), "{verified}");
    // One that is stopped says so, and writes the book.
    let more = "book build --variant english --ballots 2 --expansions 9999 --nodes 5000 --out stopped.book";
    let build = process_in(folder, "")
        .args(more.split(' '))
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    while !folder.join("stopped.book.state").exists() {
        sleep(Duration::from_millis(10));
    }
    // The handler of the signal is set before the first search.
    sleep(Duration::from_millis(500));
    assert!(Command::new("kill").args(["-INT", &build.id().to_string()]).status().unwrap().success());
    let output = build.wait_with_output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && error.contains("of 9999 expansions"), "{error}");
    assert!(folder.join("stopped.book").exists());
    // A build is neither begun twice nor mixed with other settings.
    let again = run(folder, &format!("{LONG_BUILD} whole.book"));
    assert!(String::from_utf8_lossy(&again.stderr).contains("begun before"));
    let other =
        run(folder, "book build --variant english --expansions 9 --nodes 7 --out whole.book --resume");
    assert!(String::from_utf8_lossy(&other.stderr).contains("nodes 5000"));
}

#[test]
fn a_build_does_not_lose_what_is_there() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let refused = |words: &str, fault: &str| {
        let output = run(folder, words);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && error.contains(fault), "{words}: {error}");
    };
    said(folder, &format!("{BUILD} a.book"));
    fs::write(folder.join("g.pdn"), "1. 11-15 23-18 1-0\n").unwrap();
    said(folder, "book import --variant english --pdn g.pdn --merge a.book --out a.book");
    let with_games = fs::read(folder.join("a.book")).unwrap();
    refused(&format!("{BUILD} a.book --resume"), "has games");
    fs::write(folder.join("d.book.state"), "").unwrap();
    refused(&format!("{BUILD} d.book"), "remove the file to begin anew");
    refused(
        "book import --variant english --pdn g.pdn --min-games 9 --out c.book",
        "no position is in 9 games",
    );
    refused(
        "book import --variant english --pdn g.pdn --since 2012 --until 2010.05 --out b.book",
        "no game is",
    );
    refused("book import --variant english --pdn g.pdn --since 2012.13 --out b.book", "2012.13");
    refused(
        "book import --variant english --pdn g.pdn --out a.book",
        "a.book\" is a book: --merge \"a.book\" keeps",
    );
    fs::write(folder.join("h.pdn"), "1. 9-14 22-18 1-0\n").unwrap();
    refused("book import --variant english --pdn g.pdn --out h.pdn", "h.pdn\" is there already and no book");
    assert!(fs::read(folder.join("a.book")).unwrap() == with_games);
    said(folder, &format!("{BUILD} b.book"));
    fs::remove_file(folder.join("b.book.state")).unwrap();
    refused(&format!("{BUILD} b.book --resume"), "b.book.state");
    fs::create_dir(folder.join("c.book")).unwrap();
    refused(&format!("{BUILD} c.book"), "directory");
    refused("book stat --variant english --book c.book", "directory");
}

#[test]
fn what_a_book_says_and_its_games_read_back() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    said(folder, &format!("{BUILD} a.book"));
    let probe: serde_json::Value =
        serde_json::from_str(&said(folder, "book probe --variant english --book a.book --json")).unwrap();
    let found = probe["moves"].as_array().unwrap();
    assert_eq!((found.len(), &probe["score"]), (7, &found[0]["score"]));
    assert!(found.windows(2).all(|two| two[0]["score"].as_f64() >= two[1]["score"].as_f64()));
    let stat = said(folder, "book stat --variant english --book a.book");
    assert!(stat.contains("searches of 300 nodes") && stat.contains("best line: "), "{stat}");
    // The option that it had before, too.
    said(folder, "book export --variant english --book a.book --pdn a.pdn --margin 30");
    let text = fs::read_to_string(folder.join("a.pdn")).unwrap();
    let (games, warnings) = pdn::read_games(&text);
    assert!(warnings.is_empty() && games.len() == 1, "{warnings:?}");
    let replay = games[0].replay().unwrap();
    assert!(replay.stopped.is_none() && replay.plies() as u64 == probe["depth"].as_u64().unwrap());
    let first = &games[0].line.entries[0];
    assert!(!first.variations.is_empty() && first.comments[0].contains("plies"));
    // Everything of these plies and this margin is in the file, with its value and depth.
    fs::write(folder.join("b.pdn"), &text).unwrap();
    said(folder, "book export --variant english --book a.book --out b.pdn --margin 30 --plies 5");
    let (games, _) = pdn::read_games(&fs::read_to_string(folder.join("b.pdn")).unwrap());
    let book = Book::open(&folder.join("a.book")).unwrap();
    let mut exported = HashMap::new();
    read_back(*Game::new(V).start(), &games[0].line.entries, &mut exported);
    let mut expected = HashMap::new();
    reach(&book, *Game::new(V).start(), 5, &mut HashSet::new(), &mut expected);
    assert!(expected.len() > 50, "{}", expected.len());
    assert_eq!(exported, expected);
    // Standard output has the same game alone.
    let output = run(folder, "book export --variant english --book a.book --out - --margin 20000 --plies 3");
    let (games, warnings) = pdn::read_games(&String::from_utf8(output.stdout).unwrap());
    assert!(output.status.success() && warnings.is_empty() && games.len() == 1, "{warnings:?}");
    assert_eq!(games[0].line.entries[0].variations.len(), 6, "all moves");
    let said_of_it = String::from_utf8_lossy(&output.stderr);
    assert!(said_of_it.starts_with("-: ") && !folder.join("-").exists(), "{said_of_it}");
    // Where the book knows nothing, nothing is written.
    fs::write(folder.join("g.pdn"), "1. 11-15 1-0").unwrap();
    said(folder, "book import --variant english --pdn g.pdn --out g.book");
    for (words, fault) in [
        ("--book a.book --fen W:W32:B1", "knows no move of the position"),
        ("--book g.book --min-games 2", "no move has --min-games 2"),
    ] {
        let output = run(folder, &format!("book export --variant english --out a.pdn {words}"));
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && error.contains(fault), "{words}: {error}");
        assert_eq!(fs::read_to_string(folder.join("a.pdn")).unwrap(), text);
    }
    // An export takes the place of an earlier one and of nothing else.
    let games = "[Event \"opening\"] 1. 11-15 *";
    fs::write(folder.join("games.pdn"), games).unwrap();
    let output = run(folder, "book export --variant english --book a.book --out games.pdn");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && error.contains("\"games.pdn\" exists already"), "{error}");
    assert_eq!(fs::read_to_string(folder.join("games.pdn")).unwrap(), games);
    // A file that is no book, or another variant's, is an error that names it.
    fs::write(folder.join("no.book"), "32-28").unwrap();
    for (words, fault) in [
        ("book probe --variant english --book no.book", "no.book\": no opening book of Kroon"),
        ("book stat --variant russian --book a.book", "a book for english draughts, expected russian"),
    ] {
        let output = run(folder, words);
        assert!(String::from_utf8_lossy(&output.stderr).contains(fault), "{words}");
    }
}

/// A move, by the positions before and after it, with its value and its depth.
type Sayings = HashMap<(u64, u64), (String, String)>;

/// What the comments of a line and of its variations say of each move.
fn read_back(start: Position, line: &[PdnEntry], said: &mut Sayings) {
    let mut position = start;
    for entry in line {
        let PdnAction::Move(text) = &entry.action else { panic!("{:?}", entry.action) };
        let mv = moves::resolve(V, &position, text).unwrap();
        let comment = entry.comments[0].split("; ").next().unwrap();
        let (value, depth) = comment.split_once(", ").unwrap();
        let after = play_in(V, &position, mv);
        said.insert((key(V, &position), key(V, &after)), (value.into(), depth.into()));
        for variation in &entry.variations {
            read_back(position, &variation.entries, said);
        }
        position = after;
    }
}

/// The same from the book: all moves within the margin of the best one, so many plies deep.
fn reach(book: &Book, position: Position, plies: u32, seen: &mut HashSet<(u64, u32)>, said: &mut Sayings) {
    // Where the book ends it may know a move or two by other orders of moves, and not the best one.
    if plies == 0 || !book.is_expanded(&position) || !seen.insert((key(V, &position), plies)) {
        return;
    }
    let known = book.moves(&position);
    let best = known.first().and_then(|best| best.value).map(Score::centi);
    for known in known {
        let value = known.value.unwrap();
        if best.is_none_or(|best| best - value.centi() > 30) {
            continue;
        }
        let depth = format!("{} {}", known.depth, if known.depth == 1 { "ply" } else { "plies" });
        let after = play_in(V, &position, known.mv);
        said.insert((key(V, &position), key(V, &after)), (value.to_string(), depth));
        reach(book, after, plies - 1, seen, said);
    }
}

#[test]
fn games_become_a_book() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("a.pdn"), "1. 32-28 19-23 2-0\n\n1. 32-28 18-23 1-1\n\n1. 31-26 *\n").unwrap();
    fs::write(folder.join("c.pdn"), "1. 31-26 *\n").unwrap();
    fs::write(folder.join("empty.pdn"), "").unwrap();
    fs::write(folder.join("b.pdn"), "[WhiteElo \"2000\"]\n1. 32-28 19-23 0-2\n").unwrap();
    let text = said(folder, "book import --pdn a.pdn b.pdn --out ab.book");
    assert_eq!(text, "ab.book: 4 positions of 3 games; 1 without a result\n");
    let text = said(folder, "book probe --book ab.book");
    let line = "  32-28  3 games: 1 won, 1 drawn, 1 lost, rating 2000\n";
    assert!(text.starts_with("3 games: ") && text.ends_with(line), "{text}");
    let text_of_ab = text;
    let text = said(folder, "book import --pdn b.pdn --merge ab.book --min-games 3 --out more.book");
    assert_eq!(text, "more.book: 4 positions, 1 game added\n", "all of the other book, none of one game");
    let output = run(folder, "book import --pdn a.pdn b.pdn ./a.pdn --out once.book");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "./a.pdn: named twice, read once\n");
    assert!(fs::read(folder.join("once.book")).unwrap() == fs::read(folder.join("ab.book")).unwrap());
    // None of them is an international game.
    fs::write(folder.join("other.pdn"), "1. c3-d4 d6-c5 1-0\n\n".repeat(5)).unwrap();
    fs::write(folder.join("cut.pdn"), "1. 32-28 1-50 2-0\n\n1. 32-28 ... 1-50 2-0\n").unwrap();
    let text = said(folder, "book import --pdn cut.pdn other.pdn --out cut.book");
    assert_eq!(
        text,
        "cut.book: 2 positions of 2 games; 5 of another variant or without a possible start or first move; \
         in 1 a move is not legal, in 1 a move is missing: what comes before counts\n"
    );
    for (words, fault) in [
        ("book import --pdn a.pdn none.pdn --out x.book", "none.pdn"),
        ("book import --pdn a.pdn --out none/x.book", "none/x.book"),
        ("book import --pdn a.pdn b.pdn --out b.pdn", "\"b.pdn\" is an input and an output"),
        (
            "book import --pdn c.pdn --merge ab.book --out ab.book",
            "ab.book\" is not written: no game counts; 1 without a result",
        ),
        (
            "book import --pdn empty.pdn --merge ab.book --out ab.book",
            "ab.book\" is not written: no game counts\n",
        ),
        (
            "book import --pdn other.pdn --merge ab.book --out ab.book",
            "ab.book\" is not written: no game counts; 5 of another",
        ),
        ("book import --pdn . --out x.book", "a folder, expected a file"),
        #[cfg(unix)]
        ("book import --pdn a.pdn /dev/zero --out x.book", "/dev/zero\": a device"),
        ("book import --pdn a.pdn --out -", "a book is a file"),
        #[cfg(unix)]
        ("book stat --book /dev/null", "no regular file"),
    ] {
        let output = run(folder, words);
        assert!(String::from_utf8_lossy(&output.stderr).contains(fault), "{words}");
        assert!(!output.status.success(), "{words}");
    }
    assert_eq!(said(folder, "book probe --book ab.book"), text_of_ab, "it is as it was");
    assert!(!run(folder, "book import --pdn a.pdn --out x.book --since 10").status.success());
}

/// The moves of a game as text.
pub fn written(game: &Game) -> Vec<String> {
    let mut position = *game.start();
    let write = |&mv: &_| {
        let text = moves::write(V, &position, mv);
        position = play_in(V, &position, mv);
        text
    };
    game.moves().iter().map(write).collect()
}

/// A book of the positions after the first moves, with these values for who plays the moves.
fn book_of(variant: VariantId, folder: &Path, values: &[i32]) -> std::path::PathBuf {
    let game = Game::new(variant);
    let mut entries: Vec<Entry> = game
        .legal_moves()
        .iter()
        .zip(values)
        .map(|(&mv, &value)| {
            let key = key(variant, &play_in(variant, game.position(), mv));
            Entry { key, value: Some(Score::from_centi(-value)), ..Entry::default() }
        })
        .collect();
    let value = values.iter().max().map(|&best| Score::from_centi(best));
    entries.push(Entry { key: key(variant, game.position()), value, depth: 1, games: Games::default() });
    entries.sort_by_key(|entry| entry.key);
    let head = BookHead { variant, has_values: true, has_games: false, nodes: 1 };
    let path = folder.join("first.book");
    write_file(&path, &head, entries.into_iter().map(Ok)).unwrap();
    path
}

/// The same for English draughts.
fn book(folder: &Path, values: &[i32]) -> std::path::PathBuf {
    book_of(V, folder, values)
}

fn engine(file: &Path, margin: i32) -> Engine {
    let options = Options {
        hash_mb: 1,
        bb_size: 0,
        book: true,
        book_file: Some(file.into()),
        book_margin: margin,
        ..Options::default()
    };
    Engine::new(options)
}

fn answer(engine: &mut Engine, game: &Game, mode: Mode) -> Report {
    let limits = Limits { nodes: Some(60_000), ..Limits::default() };
    engine.go(&Request { game: game.clone(), limits, mode }, &Control::new(), &mut ())
}

#[test]
fn the_engine_plays_from_the_book_within_the_margin() {
    let folder = TempDir::new().unwrap();
    // There all first moves are about as good as each other, so that the engine believes the book.
    let variant = VariantId::International;
    let values = [0, 3, 0, 1, -9, 2, 0, 0, 0];
    let file = book_of(variant, folder.path(), &values);
    let start = Game::new(variant);
    let legal = start.legal_moves();
    let mut best = engine(&file, 0);
    let report = answer(&mut best, &start, Mode::Think);
    let info = report.info.unwrap();
    assert_eq!((report.best, info.score), (Some(legal[1]), Score::from_centi(3)));
    assert!(report.nodes <= 20_000, "{}", report.nodes);
    let mut varied = engine(&file, 2);
    let seen: HashSet<_> = (0..60).map(|_| answer(&mut varied, &start, Mode::Think).best.unwrap()).collect();
    assert_eq!(seen, HashSet::from([legal[1], legal[3], legal[5]]));
    // After the first plies only the best move is left.
    varied.set_options(Options { book_ply: 0, ..varied.options().clone() });
    let seen: HashSet<_> = (0..20).map(|_| answer(&mut varied, &start, Mode::Think).best.unwrap()).collect();
    assert_eq!(seen, HashSet::from([legal[1]]));
    // Not in an analysis, and not without limits.
    assert!(answer(&mut best, &start, Mode::Analyze).nodes > 20_000);
    let request = Request { game: start, limits: Limits::default(), mode: Mode::Think };
    let control = Control::new();
    assert!(best.go(&request, &control, &mut StopLater(&control)).nodes > 20_000);
}

/// A client that sends each position by itself plays as well from the book as one behind the first plies.
#[test]
fn a_position_without_its_moves_is_past_the_first_plies() {
    let variant = VariantId::International;
    let book = kroon::book::open(variant, None).unwrap();
    let mut whole = Game::new(variant);
    for text in "31-26 19-23 32-28 23x32 37x28 18-23 28x19 14x23".split(' ') {
        whole.play(moves::read(variant, whole.position(), text).unwrap()).unwrap();
    }
    let bare = Game::from_setup(variant, &whole.position().into()).unwrap();
    let values = |game: &Game| -> HashSet<Option<Score>> {
        let options = Options {
            hash_mb: 1,
            book: true,
            book_ply: 9,
            book_margin: 4,
            seed: Some(1),
            ..Options::default()
        };
        let mut engine = Engine::new(options);
        let value = |mv| book.moves(game.position()).into_iter().find(|known| known.mv == mv).unwrap().value;
        (0..40).map(|_| value(answer(&mut engine, game, Mode::Think).best.unwrap())).collect()
    };
    let best = book.moves(whole.position())[0].value;
    assert!(values(&whole).len() > 1);
    assert_eq!(values(&bare), HashSet::from([best]));
}

/// Stops a search when it has searched more than the book's answer takes.
struct StopLater<'a>(&'a Control);

impl Observer for StopLater<'_> {
    fn info(&mut self, info: &Info) {
        if info.nodes > 20_000 {
            self.0.stop();
        }
    }
}

#[test]
fn a_book_that_is_wrong_is_not_followed() {
    let folder = TempDir::new().unwrap();
    // 32-28 gives two men away; the book praises it.
    let variant = VariantId::International;
    let mut game = Game::new(variant);
    for text in ["31-27", "17-21"] {
        game.play(moves::read(variant, game.position(), text).unwrap()).unwrap();
    }
    let legal = game.legal_moves();
    let worst = moves::read(variant, game.position(), "32-28").unwrap();
    let mut entries: Vec<Entry> = legal
        .iter()
        .map(|&mv| {
            let value = Some(Score::from_centi(if mv == worst { -50 } else { 0 }));
            Entry { key: key(variant, &play_in(variant, game.position(), mv)), value, ..Entry::default() }
        })
        .collect();
    let value = Some(Score::from_centi(50));
    entries.push(Entry { key: key(variant, game.position()), value, depth: 1, games: Games::default() });
    entries.sort_by_key(|entry| entry.key);
    let head = BookHead { variant, has_values: true, has_games: false, nodes: 1 };
    let path = folder.path().join("wrong.book");
    write_file(&path, &head, entries.into_iter().map(Ok)).unwrap();
    let report = answer(&mut engine(&path, 0), &game, Mode::Think);
    assert_ne!(report.best, Some(worst));
    assert!(report.nodes > 20_000, "the search decided");
    // A number of nodes is kept with those that found the book wrong.
    for nodes in [1, 4, 3_000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let request = Request { game: game.clone(), limits, mode: Mode::Think };
        let report = engine(&path, 0).go(&request, &Control::new(), &mut ());
        assert!(report.nodes <= nodes, "{} of {nodes}", report.nodes);
        assert!(nodes < 3_000 || report.best != Some(worst));
    }
}

#[test]
fn no_book_move_where_the_position_has_occurred_before() {
    let folder = TempDir::new().unwrap();
    let mut game = kroon::notation::fen::game_from_fen(V, "B:WK32,K31:BK1,K2").unwrap();
    let first = game.clone();
    let variant = V;
    let legal = first.legal_moves();
    let mut entries: Vec<Entry> = legal
        .iter()
        .map(|&mv| Entry {
            key: key(variant, &play_in(variant, first.position(), mv)),
            value: Some(Score::DRAW),
            ..Entry::default()
        })
        .collect();
    let value = Some(Score::DRAW);
    entries.push(Entry { key: key(V, first.position()), value, depth: 1, games: Games::default() });
    entries.sort_by_key(|entry| entry.key);
    entries.dedup_by_key(|entry| entry.key);
    let head = BookHead { variant: V, has_values: true, has_games: false, nodes: 1 };
    let path = folder.path().join("kings.book");
    write_file(&path, &head, entries.into_iter().map(Ok)).unwrap();
    assert!(answer(&mut engine(&path, 0), &first, Mode::Think).nodes <= 20_000);
    for text in ["1-6", "32-28", "6-1", "28-32"] {
        game.play(moves::read(V, game.position(), text).unwrap()).unwrap();
    }
    assert_eq!(game.occurrences(), 2);
    assert!(answer(&mut engine(&path, 0), &game, Mode::Think).nodes > 20_000);
}

#[test]
fn a_damaged_book_is_told_and_the_engine_plays() {
    let folder = TempDir::new().unwrap();
    let file = book(folder.path(), &[0; 7]);
    let mut bytes = fs::read(&file).unwrap();
    bytes[70] ^= 1;
    fs::write(&file, &bytes).unwrap();
    assert!(Book::open(&file).is_err());
    let mut damaged = engine(&file, 0);
    let report = answer(&mut damaged, &Game::new(V), Mode::Think);
    assert!(report.best.is_some() && report.nodes <= 20_000, "the book in the program plays in its place");
    let fault = damaged.book_fault().unwrap();
    assert!(fault.contains("first.book") && fault.contains("checksum"), "{fault}");
    // It is tried again with the next options.
    let whole = {
        let mut bytes = bytes.clone();
        bytes[70] ^= 1;
        bytes
    };
    fs::write(&file, whole).unwrap();
    damaged.set_options(damaged.options().clone());
    damaged.prepare(V);
    assert_eq!(damaged.book_fault(), None);
    drop(damaged);
    fs::write(&file, &bytes).unwrap();
    let script = format!(
        "hub\nset-param name=variant value=english\nset-param name=book value=true\n\
         set-param name=book-file value=\"{}\"\ninit\nquit\n",
        file.display()
    );
    let mut hub = process_in(folder.path(), "")
        .arg("hub")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut hub.stdin.take().unwrap(), script.as_bytes()).unwrap();
    let text = String::from_utf8(hub.wait_with_output().unwrap().stdout).unwrap();
    assert_eq!(
        text.lines().filter(|line| line.starts_with("error") && line.contains("checksum")).count(),
        1,
        "{text}"
    );
}

/// A file that is no book.
const NO_BOOK: &str = "\"no.book\": no opening book of Kroon";

#[test]
fn every_command_says_that_a_book_cannot_be_used() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("no.book"), "32-28").unwrap();
    // A match without the book that is asked for would be worth nothing.
    let output = process_in(folder, "")
        .args(["match", "--engine", "proto=kroon param.book=true param.book-file=no.book"])
        .args("--engine proto=kroon --nodes 50 --games 2".split(' '))
        .output()
        .unwrap();
    let fault = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && fault.contains(NO_BOOK), "{fault}");
    let play = run(folder, "play --no-open --port 0 --book-file no.book");
    assert!(!play.status.success() && String::from_utf8_lossy(&play.stderr).contains(NO_BOOK), "{play:?}");
    let output = run(folder, "analyse --depth 1 --book --book-file no.book");
    let fault = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && fault.contains(NO_BOOK), "{fault}");
    // A game of DXP goes on without; nobody listens at port 1.
    let output = run(folder, "dxp connect localhost --port 1 --initiator --book-file no.book");
    let fault = String::from_utf8_lossy(&output.stderr);
    assert_eq!(fault.lines().next(), Some(&*format!("error: book-file: {NO_BOOK}")));
}

#[test]
fn a_match_is_played_from_the_book_of_a_file() {
    let folder = TempDir::new().unwrap();
    let mut values = [0; 7];
    values[6] = 20;
    book(folder.path(), &values);
    let start = Game::new(V);
    let best = moves::write(V, start.position(), start.legal_moves()[6]);
    let engine = "proto=kroon param.book=true param.book-file=first.book";
    let output = process_in(folder.path(), "")
        .args(["match", "--variant", "english", "--engine", engine, "--engine", engine, "--pdn", "games.pdn"])
        .args("--nodes 2000 --games 2 --openings start".split(' '))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let (games, _) = pdn::read_games(&fs::read_to_string(folder.path().join("games.pdn")).unwrap());
    assert_eq!(games.len(), 2);
    for game in games {
        let replay = game.replay().unwrap();
        let first = replay.game().moves()[0];
        assert_eq!(moves::write(V, start.position(), first), best);
    }
}

#[test]
fn a_value_that_the_search_does_not_see_is_not_told() {
    let folder = TempDir::new().unwrap();
    // Which of the moves is chosen is chance, and here the engine believes the book whichever it is.
    let variant = VariantId::International;
    let file = book_of(variant, folder.path(), &[500; 9]);
    let report = answer(&mut engine(&file, 0), &Game::new(variant), Mode::Think);
    assert!(report.nodes <= 20_000, "the move is that of the book");
    let score = report.info.unwrap().score.centi();
    assert!(score.abs() < 100, "{score}");
}

#[test]
fn a_match_says_that_the_book_has_too_few_lines() {
    let folder = TempDir::new().unwrap();
    let engine = "proto=kroon param.variety=1";
    let output = process_in(folder.path(), "")
        .args(["match", "--variant", "english", "--engine", engine, "--engine", engine])
        .args("--nodes 20 --games 40 --openings book:1:1".split(' '))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    let warning = text.lines().find(|line| line.starts_with("warning: book:1:1: ")).expect(&text);
    assert!(warning.contains(" openings for 20 pairs of games"), "{warning}");
}
