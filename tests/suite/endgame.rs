//! The engine with endgame tables: what it knows, what it plays, what it says of bad files.

use kroon::board::{Color, Position, Setup};
use kroon::engine::{Engine, Mode, Options, Request};
use kroon::game::{Game, Outcome};
use kroon::notation::position;
use kroon::rules::movegen::can_capture;
use kroon::rules::{VariantId, legal_moves, play_in};
use kroon::search::{Control, Info, Limits, Observer};
use kroon::tablebase::format::{self, Kind, TableName, Values};
use kroon::tablebase::generate::{MemoryShelf, Plan, Progress, Shelf, Solved, run};
use kroon::tablebase::{self, Advice, Index, Material, Tables, Timing, Value, Verdict, add_files, path_in};
use std::fs;
use std::path::Path;

/// The values of a slice as its files have them.
struct Slice<'a>(&'a Solved, Kind);

impl Values for Slice<'_> {
    fn count(&self) -> u64 {
        self.0.codes.len()
    }

    fn fill(&self, first: u64, values: &mut [u8]) {
        for (number, value) in (first..).zip(values) {
            let code = self.0.codes.get(number);
            *value = match (self.1, &self.0.distances) {
                (Kind::Outcome, _) if Value::from_code(code).is_some() => code,
                (Kind::Distance, Some(distances))
                    if distances[number as usize] > 0 || code == Value::Loss.code() =>
                {
                    distances[number as usize]
                }
                _ => format::ANY,
            };
        }
    }
}

/// Makes the tables of a variant and writes them to a folder; the same in memory.
fn make(variant: VariantId, pieces: u8, folder: &Path) -> MemoryShelf {
    let shelf = MemoryShelf::default();
    run(&Plan::new(variant, pieces, pieces, 1 << 30).unwrap(), &shelf, 1, &Progress::default()).unwrap();
    fs::create_dir_all(folder.join(variant.name())).unwrap();
    for material in Material::all(variant.rules(), pieces) {
        let slice = shelf.load(material).unwrap();
        for kind in [Kind::Outcome, Kind::Distance] {
            let name = TableName { variant, kind, material };
            format::write(&path_in(folder, &name), &name, &Slice(&slice, kind)).unwrap();
        }
    }
    shelf
}

fn open(variant: VariantId, pieces: u8, folder: &Path) -> Tables {
    let mut tables = Tables::new(variant);
    assert!(add_files(&mut tables, &[folder.to_owned()], pieces).is_empty());
    tables
}

/// Every `step`-th position of each slice.
fn positions(variant: VariantId, pieces: u8, step: usize) -> impl Iterator<Item = Position> {
    let rules = variant.rules();
    let slices = Material::all(rules, pieces).into_iter();
    let indices = slices.filter_map(|material| Index::new(rules, material));
    indices.flat_map(move |index| {
        (0..index.len()).step_by(step).map(move |number| index.position(number)).collect::<Vec<_>>()
    })
}

#[test]
fn files_say_what_the_generator_found() {
    let folder = tempfile::tempdir().unwrap();
    for (variant, pieces, step) in [
        (VariantId::English, 3, 7),
        (VariantId::Losing, 2, 1),
        (VariantId::Breakthrough, 3, 5),
        (VariantId::Frisian, 2, 1),
    ] {
        let shelf = make(variant, pieces, folder.path());
        let tables = open(variant, pieces, folder.path());
        assert_eq!(
            (tables.most_pieces(), tables.len()),
            (pieces.into(), Material::all(variant.rules(), pieces).len())
        );
        for position in positions(variant, pieces, step) {
            if kroon::for_variant!(variant, V => kroon::rules::movegen::count_quiets::<V>(&position, position.turn()))
                == 0
            {
                continue;
            }
            let expected = shelf.lookup(variant, &position).unwrap();
            let found = tables.verdict(&position).unwrap();
            assert_eq!(
                (found.value, found.distance),
                (expected.0, expected.1.map(u32::from)),
                "{variant} {position:?}"
            );
        }
    }
}

#[test]
fn distances_may_be_in_another_folder_than_the_results() {
    let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let variant = VariantId::English;
    make(variant, 2, whole.path());
    let [results, distances] = ["results", "distances"].map(|name| parts.path().join(name));
    for (folder, kind) in [(&results, Kind::Outcome), (&distances, Kind::Distance)] {
        fs::create_dir_all(folder.join(variant.name())).unwrap();
        for material in Material::all(variant.rules(), 2) {
            let name = TableName { variant, kind, material };
            fs::copy(path_in(whole.path(), &name), path_in(folder, &name)).unwrap();
        }
    }
    let expected = open(variant, 2, whole.path());
    for folders in [[results.clone(), distances.clone()], [distances.clone(), results.clone()]] {
        let mut tables = Tables::new(variant);
        assert!(add_files(&mut tables, &folders, 2).is_empty());
        for position in positions(variant, 2, 7) {
            assert_eq!(tables.verdict(&position), expected.verdict(&position));
        }
    }
}

#[test]
fn advice_keeps_the_value_and_goes_the_shortest_way() {
    let folder = tempfile::tempdir().unwrap();
    make(VariantId::Russian, 3, folder.path());
    let tables = open(VariantId::Russian, 3, folder.path());
    for position in positions(VariantId::Russian, 3, 61) {
        let moves = legal_moves(VariantId::Russian, &position);
        let Some(advice) = tables.advice(&position) else {
            assert!(moves.is_empty(), "{position:?}");
            continue;
        };
        let verdict = tables.verdict(&position).unwrap();
        assert_eq!(advice.verdict.value, verdict.value, "{position:?}");
        assert!(!advice.moves.is_empty() && advice.moves.iter().all(|mv| moves.contains(mv)));
        for &mv in &advice.moves {
            let next = tables.verdict(&play_in(VariantId::Russian, &position, mv)).unwrap();
            assert_eq!(-next.value, verdict.value, "{position:?}");
            if verdict.value != Value::Draw && !mv.is_capture() && !mv.promotes() {
                assert_eq!(next.distance.map(|plies| plies + 1), verdict.distance, "{position:?}");
            }
        }
    }
}

/// An engine with the tables of a folder.
fn engine(folder: &Path, bb_size: u8, more: &[(&str, &str)]) -> Engine {
    let tables = Some(folder.to_str().unwrap().to_owned());
    let mut options = Options { hash_mb: 1, tables, bb_size, ..Options::default() };
    more.iter().for_each(|(name, value)| options.set(name, value).unwrap());
    Engine::new(options)
}

/// The game after these moves, in PDN.
fn played(variant: VariantId, fen: &str, moves: &str) -> Game {
    let mut game = position::game(variant, fen).unwrap();
    for text in moves.split_whitespace() {
        let mv = kroon::notation::moves::read(variant, game.position(), text).unwrap();
        game.play(mv).unwrap();
    }
    game
}

/// What the engine with the tables in the program plays, and its score.
fn answer(engine: &mut Engine, game: &Game, nodes: u64) -> (kroon::board::Move, kroon::score::Score) {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let report =
        engine.go(&Request { game: game.clone(), limits, mode: Mode::Think }, &Control::new(), &mut ());
    (report.best.unwrap(), report.info.unwrap().score)
}

#[test]
fn a_win_is_not_repeated_away_and_a_loss_is() {
    let mut engine = Engine::new(Options { hash_mb: 1, ..Options::default() });
    let english = VariantId::English;
    // What is best by its distance, 5-1, draws by repetition.
    let moves = "17-21 1-5 21-17 5-1 17-21 1-5 21-17";
    let mut game = played(english, "B:WK1,K9:BK17", moves);
    let (mv, score) = answer(&mut engine, &game, 2_000);
    assert!(score.is_certain_win() && score > kroon::score::Score::DRAW, "{score}");
    game.play(mv).unwrap();
    assert_eq!(game.outcome(), None);
    while game.outcome().is_none() {
        let (mv, _) = answer(&mut engine, &game, 2_000);
        game.play(mv).unwrap();
    }
    assert_eq!(game.outcome(), Some(Outcome::Win(Color::White)));
    // 31-26 is the third time.
    let moves = "15-10 26-31 10-15 31-26 15-10 26-31 10-15";
    let mut game = played(english, "B:WK26:BK15,K17", moves);
    let (mv, score) = answer(&mut engine, &game, 2_000);
    assert_eq!(score, kroon::score::Score::DRAW);
    game.play(mv).unwrap();
    assert!(matches!(game.outcome(), Some(Outcome::Draw(_))), "{mv:?}");
}

#[test]
fn a_man_moves_where_the_count_of_moves_runs_short() {
    let mut engine = Engine::new(Options { hash_mb: 1, ..Options::default() });
    // Two plies are left. The king's moves have the shortest distances and draw, the man starts the count anew.
    let moves = "7-2 4-8 2-6 8-3 6-9 3-8 9-5 8-12 5-9 12-16 9-13 16-20 13-17 20-16 17-22 16-11 22-26 11-8 26-22 8-3 \
        22-18 3-7 18-15 7-3 15-19 3-8 19-24 8-3 24-28 3-7 28-32 7-2 32-28 2-6 28-32 6-1 32-28 1-5 28-32 5-9 \
        32-28 9-14 28-24 14-9 24-19 9-14 19-15 14-17 15-19 17-13 19-16 13-9 16-11 9-6 11-15 6-1 15-19 1-6 \
        19-16 6-1 16-20 1-6 20-24 6-2 24-19 2-7 19-24 7-10 24-28 10-15 28-32 15-18 32-28 18-22 28-24 22-18 \
        24-19 18-22";
    let mut game = played(VariantId::English, "W:WK7,27:BK4", moves);
    let (tables, _) = tablebase::load(VariantId::English, &[], 4);
    let (advice, timing) = tables.advice_in(game.position(), game.counters()).unwrap();
    assert_eq!((timing, advice.moves.len()), (Timing::Enough, 1), "{advice:?}");
    assert!(advice.moves[0].is_irreversible(), "{advice:?}");
    while game.outcome().is_none() {
        let (mv, _) = answer(&mut engine, &game, 2_000);
        game.play(mv).unwrap();
    }
    assert_eq!(game.outcome(), Some(Outcome::Win(Color::White)));
    // Longer than a count that begins, with men of which none has to move: not known, and won all the same.
    let (tables, _) = tablebase::load(VariantId::Russian, &[], 4);
    let mut game = position::game(VariantId::Russian, "W:WKc7,c1,e1:BKb8").unwrap();
    let (advice, timing) = tables.advice_in(game.position(), game.counters()).unwrap();
    assert_eq!((timing, advice.verdict.distance), (Timing::Restarted, Some(51)));
    engine.new_game();
    while game.outcome().is_none() {
        let mv = match game.position().turn() {
            Color::White => answer(&mut engine, &game, 2_000).0,
            Color::Black => tables.advice(game.position()).unwrap().moves[0],
        };
        game.play(mv).unwrap();
    }
    assert_eq!(game.outcome(), Some(Outcome::Win(Color::White)));
}

#[test]
fn several_variations_of_a_known_ending_are_in_the_order_of_their_distances() {
    /// First moves and scores by rank.
    #[derive(Default)]
    struct Ranks(Vec<(kroon::board::Move, kroon::score::Score)>);
    impl Observer for Ranks {
        fn info(&mut self, info: &Info) {
            self.0.truncate(info.rank - 1);
            self.0.push((info.pv[0], info.score));
        }
    }
    let variant = VariantId::Russian;
    let (tables, _) = tablebase::load(variant, &[], 4);
    let game = position::game(variant, "W:WKb8,Kd8,Kf8:BKg1").unwrap();
    let mut engine = Engine::new(Options { hash_mb: 1, multipv: 4, ..Options::default() });
    let limits = Limits { depth: Some(6), ..Limits::default() };
    let mut ranks = Ranks::default();
    engine.go(&Request { game: game.clone(), limits, mode: Mode::Analyze }, &Control::new(), &mut ranks);
    let distance = |mv| tables.moves(game.position()).into_iter().find(|(other, _)| *other == mv).unwrap().1;
    let distances: Vec<u32> =
        ranks.0.iter().map(|&(mv, _)| distance(mv).unwrap().distance.unwrap()).collect();
    assert!(distances.len() == 4 && distances.is_sorted() && distances[0] < distances[3], "{distances:?}");
    let scores: Vec<_> = ranks.0.iter().map(|&(_, score)| score).collect();
    assert_eq!(
        scores,
        distances.iter().map(|&plies| kroon::score::Score::table_win(plies)).collect::<Vec<_>>()
    );
}

/// White crowns his man and has fourteen plies to hold against two kings, which the tables do not know; a king that is alone is
/// in that count already.
#[test]
fn a_win_against_who_may_shorten_the_count_is_not_certain() {
    let variant = VariantId::Frisian;
    let (tables, _) = tablebase::load(variant, &[], 4);
    let game = position::game(variant, "W:W10:BK15,K36").unwrap();
    assert!(tables.verdict(game.position()).is_some_and(|verdict| verdict.value == Value::Loss));
    assert_eq!(tables.timing(game.position(), game.counters()), Timing::Unknown { plies_left: 14 });
    assert_eq!(tables.result(game.position(), game.counters()), None);
    // One king and a man are not two kings.
    let game = position::game(variant, "W:W10:B15,K36").unwrap();
    assert!(!matches!(tables.timing(game.position(), game.counters()), Timing::Unknown { plies_left: 14 }));
}

/// A sacrifice comes to the tables later than a quiet move, and is the best one here all the same.
#[test]
fn a_sacrifice_has_the_rank_that_its_distance_gives_it() {
    #[derive(Default)]
    struct Ranks(Vec<(kroon::board::Move, kroon::score::Score)>);
    impl Observer for Ranks {
        fn info(&mut self, info: &Info) {
            assert!(info.rank <= self.0.len() + 1, "rank {} behind {}", info.rank, self.0.len());
            self.0.truncate(info.rank - 1);
            self.0.push((info.pv[0], info.score));
        }
    }
    let variant = VariantId::Russian;
    for fen in ["W:WKd6,f6,Kc1:BKc3", "B:WKe1:Bd8,a7,Ka3"] {
        let game = position::game(variant, fen).unwrap();
        let limits = Limits { depth: Some(6), ..Limits::default() };
        let request = Request { game, limits, mode: Mode::Analyze };
        let ask = |multipv| {
            let mut engine = Engine::new(Options { hash_mb: 1, multipv, ..Options::default() });
            let mut ranks = Ranks::default();
            let report = engine.go(&request, &Control::new(), &mut ranks);
            let first = ranks.0[0];
            assert_eq!(
                (report.best, report.info.map(|info| info.score)),
                (Some(first.0), Some(first.1)),
                "{fen}"
            );
            ranks.0
        };
        let alone = ask(1);
        for multipv in [2, 3, 8] {
            let ranks = ask(multipv);
            assert_eq!(ranks[0], alone[0], "{fen} {multipv}");
            assert!(ranks.len() <= multipv && ranks.is_sorted_by(|a, b| a.1 >= b.1), "{fen} {ranks:?}");
        }
    }
}

/// The moves that the tables advise have one value; no rank may look better than the first.
#[test]
fn ranks_of_advised_moves_share_the_verdict() {
    #[derive(Default)]
    struct Scores(Vec<(usize, kroon::score::Score)>);
    impl Observer for Scores {
        fn info(&mut self, info: &Info) {
            self.0.retain(|(rank, _)| *rank < info.rank);
            self.0.push((info.rank, info.score));
        }
    }
    let game = position::game(VariantId::International, "W:WK1,K2,K3:BK46").unwrap();
    let mut engine = Engine::new(Options { hash_mb: 1, multipv: 3, ..Options::default() });
    let limits = Limits { depth: Some(6), ..Limits::default() };
    let mut scores = Scores::default();
    engine.go(&Request { game, limits, mode: Mode::Think }, &Control::new(), &mut scores);
    let draw = kroon::score::Score::DRAW;
    assert_eq!(scores.0, [(1, draw), (2, draw), (3, draw)]);
}

#[test]
fn a_win_of_unknown_length_makes_progress_in_few_nodes() {
    // The distances of Thai draughts are not in the program.
    let (tables, _) = tablebase::load(VariantId::Thai, &[], 4);
    let mut engine = Engine::new(Options { hash_mb: 1, ..Options::default() });
    let first = position::game(VariantId::Thai, "W:W5,K26:B10,K11").unwrap();
    let others = positions(VariantId::Thai, 4, 40_009).filter_map(|position| {
        Game::from_setup(VariantId::Thai, &Setup::from(&position))
            .ok()
            .filter(|game| game.outcome().is_none())
    });
    let won = |game: &Game| {
        tables.verdict(game.position()).is_some_and(|verdict| verdict.value == Value::Win)
            && tables.timing(game.position(), game.counters()).is_certain()
    };
    let (mut wins, mut draws) = (0, Vec::new());
    for start in std::iter::once(first).chain(others).filter(won).take(40) {
        let mut game = start.clone();
        engine.new_game();
        while game.outcome().is_none() {
            let (mv, _) = answer(&mut engine, &game, 2_000);
            game.play(mv).unwrap();
        }
        match game.outcome() {
            Some(Outcome::Win(color)) if color == start.position().turn() => wins += 1,
            outcome => draws.push(format!(
                "{} {outcome:?}",
                kroon::notation::fen::write(VariantId::Thai, start.position())
            )),
        }
    }
    assert!(draws.is_empty(), "{wins} wins, {draws:#?}");
}

#[test]
fn won_positions_are_won_by_both_searches() {
    let folder = tempfile::tempdir().unwrap();
    for variant in [VariantId::English, VariantId::Frisian] {
        let pieces = if variant == VariantId::English { 3 } else { 2 };
        make(variant, pieces, folder.path());
        let tables = open(variant, pieces, folder.path());
        for search in ["alphabeta", "mcts"] {
            let mut engine = engine(folder.path(), 8, &[("search", search)]);
            for position in positions(variant, pieces, if pieces == 3 { 2_003 } else { 97 }) {
                let mut game = Game::from_setup(variant, &Setup::from(&position)).unwrap();
                let verdict = tables.verdict(&position);
                let left = game.counters().plies_left(variant.rules());
                let Some(Verdict { value: Value::Win, distance: Some(plies) }) = verdict else { continue };
                if game.outcome().is_some() || plies > left.into() {
                    continue;
                }
                engine.new_game();
                let winner = position.turn();
                while game.outcome().is_none() {
                    let mv = if game.position().turn() == winner {
                        let limits = Limits { nodes: Some(300), ..Limits::default() };
                        let request = Request { game: game.clone(), limits, mode: Mode::Think };
                        let report = engine.go(&request, &Control::new(), &mut ());
                        let score = report.info.unwrap().score;
                        assert!(
                            score > kroon::score::Score::MAX_EVAL,
                            "{search} {variant} {position:?}: {score}"
                        );
                        report.best.unwrap()
                    } else {
                        tables.advice(game.position()).unwrap().moves[0]
                    };
                    game.play(mv).unwrap();
                }
                assert_eq!(game.outcome(), Some(Outcome::Win(winner)), "{search} {variant} {position:?}");
            }
        }
    }
}

/// Whether one side has a king and nothing else.
fn has_lone_king(position: &Position) -> bool {
    Color::ALL.into_iter().any(|color| position.men(color).is_empty() && position.kings_of(color).len() == 1)
}

#[test]
fn the_program_knows_the_distances_of_lone_kings() {
    let folder = tempfile::tempdir().unwrap();
    for variant in [VariantId::Russian, VariantId::English] {
        make(variant, 3, folder.path());
        let tables = open(variant, 3, folder.path());
        let (embedded, faults) = tablebase::load(variant, &[], 4);
        assert!(faults.is_empty());
        let mut known = 0;
        for position in positions(variant, 3, 17).filter(has_lone_king) {
            let verdict = tables.verdict(&position);
            assert_eq!(embedded.verdict(&position), verdict, "{variant} {position:?}");
            known += usize::from(verdict.is_some_and(|verdict| verdict.distance > Some(1)));
        }
        assert!(known > 300, "{variant} {known}");
    }
}

#[test]
fn lone_kings_are_caught_before_the_count_of_moves_ends_the_game() {
    let no_folder = tempfile::tempdir().unwrap();
    for variant in [VariantId::Brazilian, VariantId::Pool] {
        let (tables, _) = tablebase::load(variant, &[], 4);
        let mut engine = engine(no_folder.path(), 8, &[]);
        let mut longest = 0;
        for slice in ["30v10", "21v10", "12v10", "03v10"] {
            let index = Index::new(variant.rules(), slice.parse().unwrap()).unwrap();
            for position in (0..index.len()).step_by(index.len() as usize / 40).map(|n| index.position(n)) {
                let mut game = Game::from_setup(variant, &Setup::from(&position)).unwrap();
                if game.outcome().is_some() {
                    continue;
                }
                let advice = tables.advice_in(game.position(), game.counters());
                let Some((Advice { verdict: Verdict { value: Value::Win, distance }, .. }, timing)) = advice
                else {
                    continue;
                };
                if timing == Timing::Short {
                    continue;
                }
                engine.new_game();
                longest = longest.max(distance.unwrap());
                let winner = position.turn();
                while game.outcome().is_none() {
                    let mv = if game.position().turn() == winner {
                        let limits = Limits { nodes: Some(300), ..Limits::default() };
                        let request = Request { game: game.clone(), limits, mode: Mode::Think };
                        engine.go(&request, &Control::new(), &mut ()).best.unwrap()
                    } else {
                        tables.advice(game.position()).unwrap().moves[0]
                    };
                    game.play(mv).unwrap();
                }
                assert_eq!(game.outcome(), Some(Outcome::Win(winner)), "{variant} {position:?}");
            }
        }
        assert!(longest > 15, "{variant} {longest}");
    }
}

#[test]
fn a_search_from_outside_heads_for_the_tables() {
    let folder = tempfile::tempdir().unwrap();
    make(VariantId::English, 3, folder.path());
    // Black can exchange into the drawn ending or into a lost one.
    let game = position::game(VariantId::English, "W:WK18,25:BK10,3").unwrap();
    let request =
        Request { game, limits: Limits { depth: Some(9), ..Limits::default() }, mode: Mode::Analyze };
    let known = engine(folder.path(), 8, &[]).go(&request, &Control::new(), &mut ());
    let unknown = engine(folder.path(), 0, &[]).go(&request, &Control::new(), &mut ());
    assert!(known.nodes != unknown.nodes, "the tables were asked");
}

#[test]
fn what_tables_said_is_forgotten_without_them() {
    let game = position::game(VariantId::English, "W:WK18,K25:BK10,K3,12").unwrap();
    let request =
        Request { game, limits: Limits { depth: Some(7), ..Limits::default() }, mode: Mode::Analyze };
    let nodes = |engine: &mut Engine| engine.go(&request, &Control::new(), &mut ()).nodes;
    let without = Options { hash_mb: 1, bb_size: 0, ..Options::default() };
    let mut engine = Engine::new(Options { bb_size: 4, ..without.clone() });
    nodes(&mut engine);
    engine.set_options(without.clone());
    assert_eq!(nodes(&mut engine), nodes(&mut Engine::new(without)));
}

#[test]
fn a_damaged_file_is_named_and_the_engine_plays_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("english");
    make(VariantId::English, 2, folder.path());
    let file = path.join("10v01.outcome");
    let mut bytes = fs::read(&file).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&file, &bytes).unwrap();
    fs::write(path.join("01v01.outcome"), &bytes[..100]).unwrap();
    let mut engine = engine(folder.path(), 8, &[]);
    engine.prepare(VariantId::English);
    let fault = engine.table_fault().unwrap();
    assert!(
        fault.contains("10v01.outcome") && fault.contains("block 0") && fault.ends_with("(and 1 more)"),
        "{fault}"
    );
    let game = position::game(VariantId::English, "W:WK18:BK10").unwrap();
    assert!(
        !kroon::for_variant!(VariantId::English, V => can_capture::<V>(game.position(), game.position().turn()))
    );
    let request =
        Request { game, limits: Limits { nodes: Some(500), ..Limits::default() }, mode: Mode::Think };
    assert!(engine.go(&request, &Control::new(), &mut ()).best.is_some());
}

#[test]
fn games_end_where_the_tables_know_the_result() {
    let folder = tempfile::tempdir().unwrap();
    make(VariantId::English, 3, folder.path());
    let tables = folder.path().to_str().unwrap();
    let results = folder.path().join("results.jsonl");
    let kroon = |arguments: &str, more: &[&str]| {
        let mut command = assert_cmd::Command::cargo_bin("kroon").unwrap();
        command.args(arguments.split(' ')).args(more).args(["--tables", tables]).assert()
    };
    let engines =
        ["--engine", "proto=kroon name=a player=random", "--engine", "proto=kroon name=b player=random"];
    let file = ["--results", results.to_str().unwrap()];
    kroon("match --variant english --games 40 --openings ballot3", &[&engines[..], &file].concat()).success();
    let text = fs::read_to_string(&results).unwrap();
    assert!(text.lines().next().unwrap().contains("tables for up to 4 pieces"), "{text}");
    assert!(text.matches(r#""reason":"tables""#).count() >= 4, "{text}");
    let out = folder.path().join("games");
    kroon("selfplay --variant english --games 3 --nodes 50 --out", &[out.to_str().unwrap()]).success();
    let games = fs::read(out.join("english-1-0.games")).unwrap();
    assert!(games.windows(25).any(|bytes| bytes == b"tables for up to 4 pieces"));
    // No folder at all.
    let mut command = assert_cmd::Command::cargo_bin("kroon").unwrap();
    let missing = "nowhere/at/all";
    let words = [
        "match",
        "--games",
        "2",
        "--tables",
        missing,
        "--depth",
        "1",
        "--engine",
        "proto=kroon",
        "--engine",
        "proto=kroon",
    ];
    let output = command.args(words).assert().failure();
    let error = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(error.contains("--tables: ") && error.contains("\"nowhere/at/all\": no such folder"), "{error}");
}
