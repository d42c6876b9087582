//! Kroon: a draughts engine, as a library and as the program `kroon`.
//!
//! Variants of draughts on boards of 64 and 100 squares; alpha-beta and Monte-Carlo tree search with learned
//! evaluations; the protocols Hub and DXP; matches and their statistics; self-play and training. A program that uses
//! the library needs no command line: `kroon = { ..., default-features = false }` (see [Features](#features)).
//!
//! # Ten examples
//!
//! ## Read a position
//!
//! [`notation::position`] reads FEN and Hub positions, [`notation::fen`] writes FEN. Errors quote the text and say what
//! was expected.
//!
//! ```
//! use kroon::notation::{fen, position};
//! use kroon::rules::VariantId::International;
//!
//! let game = position::game(International, "W:WK41:B20,33,37,43")?;
//! assert_eq!(fen::write(International, game.position()), "W:WK41:B20,33,37,43");
//! let error = position::game(International, "W:W31,51:B1").unwrap_err();
//! assert_eq!(error.to_string(), "FEN \"W:W31,51:B1\", column 7: no square \"51\", squares are 1 to 50");
//! # Ok::<(), kroon::notation::position::PositionError>(())
//! ```
//!
//! ## List the legal moves
//!
//! ```
//! use kroon::game::Game;
//! use kroon::notation::moves;
//! use kroon::rules::VariantId::English;
//!
//! let game = Game::new(English);
//! let texts: Vec<String> =
//!     game.legal_moves().iter().map(|&mv| moves::write(English, game.position(), mv)).collect();
//! assert_eq!(texts.len(), 7);
//! assert!(texts.contains(&"11-15".to_owned()));
//! ```
//!
//! ## Play a game
//!
//! A [`Game`](game::Game) knows its moves and its [outcome](game::Game::outcome); draws by repetition and by counts of
//! moves follow the rules of the variant.
//!
//! ```
//! use kroon::game::Game;
//! use kroon::notation::moves;
//! use kroon::rules::VariantId::International;
//!
//! let mut game = Game::new(International);
//! for text in ["32-28", "19-23", "28x19", "14x23"] {
//!     let mv = moves::read(International, game.position(), text)?;
//!     game.play(mv).expect("a move that was read is legal");
//! }
//! assert_eq!((game.moves().len(), game.outcome()), (4, None));
//! # Ok::<(), kroon::notation::moves::MoveError>(())
//! ```
//!
//! ## Find the best move
//!
//! An [`Engine`](engine::Engine) owns table and threads; [`Limits`](search::Limits) hold together, the first that is
//! reached ends the search. Another thread ends it with [`Control::stop`](search::Control::stop).
//!
//! ```
//! use kroon::engine::{Engine, Mode, Options, Request};
//! use kroon::game::Game;
//! use kroon::rules::VariantId::International;
//! use kroon::search::{Control, Limits};
//! use std::time::Duration;
//!
//! let limits = Limits { depth: Some(8), move_time: Some(Duration::from_secs(5)), ..Limits::default() };
//! let request = Request { game: Game::new(International), limits, mode: Mode::Think };
//! let mut engine = Engine::new(Options { hash_mb: 1, ..Options::default() });
//! let report = engine.go(&request, &Control::new(), &mut ());
//! assert!(report.best.is_some());
//! ```
//!
//! ## Follow an analysis
//!
//! An [`Observer`](search::Observer) hears every variation as the search deepens; [`view`] makes JSON or text of it.
//!
//! ```
//! use kroon::engine::{Engine, Mode, Options, Request};
//! use kroon::game::Game;
//! use kroon::rules::VariantId::Russian;
//! use kroon::search::{Control, Info, Limits, Observer};
//! use kroon::view::{AnalysisLine, json_line};
//!
//! struct Lines<'a>(&'a Game, Vec<String>);
//!
//! impl Observer for Lines<'_> {
//!     fn info(&mut self, info: &Info) {
//!         self.1.push(json_line(&AnalysisLine::info(self.0, info)));
//!     }
//! }
//!
//! let game = Game::new(Russian);
//! let mut lines = Lines(&game, Vec::new());
//! let limits = Limits { depth: Some(5), ..Limits::default() };
//! let request = Request { game: game.clone(), limits, mode: Mode::Analyze };
//! let mut engine = Engine::new(Options { hash_mb: 1, multipv: 2, ..Options::default() });
//! engine.go(&request, &Control::new(), &mut lines);
//! assert!(lines.1[0].starts_with(r#"{"type":"info","rank":1,"#));
//! ```
//!
//! ## Read PDN
//!
//! ```
//! use kroon::notation::pdn;
//!
//! let file = "[White \"A\"]\n[GameType \"20\"]\n1. 32-28 19-23 {a comment} 2. 28x19 14x23 1-1";
//! let (games, warnings) = pdn::read_games(file);
//! assert!(warnings.is_empty());
//! let replay = games[0].replay().expect("a known variant and a sound position");
//! assert_eq!((replay.game().moves().len(), games[0].result_text()), (4, "1-1"));
//! ```
//!
//! ## Write PDN
//!
//! ```
//! use kroon::game::Game;
//! use kroon::notation::pdn::{PdnGame, WriteOptions};
//! use kroon::rules::VariantId::English;
//!
//! let mut game = Game::new(English);
//! game.play(game.legal_moves()[0]).expect("legal");
//! let mut pdn = PdnGame::from(&game);
//! pdn.tags.set("Black", "Tinsley");
//! let text = pdn.write(WriteOptions::default());
//! assert!(text.contains("[Black \"Tinsley\"]") && text.contains("[GameType \"21\"]"), "{text}");
//! ```
//!
//! ## Evaluate a position
//!
//! Static evaluation in named terms, and the chances to win, draw and lose that a score means in the variant.
//!
//! ```
//! use kroon::eval::{self, EvaluationKind, wdl};
//! use kroon::notation::position;
//! use kroon::rules::VariantId::International;
//!
//! let game = position::game(International, "W:W27,28,32,33,38:B16,18,19,24")?;
//! // Terms and total are White's, who is to move here.
//! let (terms, total) = eval::explain(EvaluationKind::Learned, International, game.position());
//! assert!(terms.iter().any(|term| term.name == "men" && term.count == Some([5, 4])));
//! let chances = wdl::chances(International, game.position(), total, None);
//! assert!(chances.win > chances.loss);
//! # Ok::<(), kroon::notation::position::PositionError>(())
//! ```
//!
//! ## Count positions (perft)
//!
//! ```
//! use kroon::rules::perft::perft;
//! use kroon::rules::{Brazilian, Variant};
//!
//! let start = Brazilian::RULES.position(&Brazilian::RULES.start())?;
//! assert_eq!(perft::<Brazilian>(&start, 5), 7_473);
//! # Ok::<(), kroon::board::SetupError>(())
//! ```
//!
//! ## Run a match
//!
//! Engines may be players of this program or others that speak Hub or DXP; pairs of games with the same opening and
//! colours changed, counted for Elo and a sequential test.
//!
//! ```
//! use kroon::arena::adjudicate::Adjudication;
//! use kroon::arena::cancel::Cancel;
//! use kroon::arena::engines::Engines;
//! use kroon::arena::openings::{OpeningSource, Openings};
//! use kroon::arena::record::GameRecord;
//! use kroon::arena::run::{MatchError, MatchPlan, Spectator, run};
//! use kroon::arena::schedule::{Format, MatchSchedule};
//! use kroon::arena::spec::EngineSpec;
//! use kroon::arena::tally::Tally;
//! use kroon::rules::VariantId::International;
//! use std::time::Duration;
//!
//! /// Hears of every finished game.
//! struct Silence;
//!
//! impl Spectator for Silence {
//!     fn finished(&mut self, _: &Tally, _: &[GameRecord]) -> Result<(), MatchError> {
//!         Ok(())
//!     }
//! }
//!
//! let engines: Vec<EngineSpec> = [
//!     "name=new proto=kroon nodes=50 param.hash=1",
//!     "name=old proto=kroon nodes=50 param.hash=1 param.evaluation=handmade",
//! ]
//! .map(|text| text.parse().expect("an engine"))
//! .into();
//! let limits: Vec<_> = engines.iter().map(|engine| engine.limits).collect();
//! let plan = MatchPlan {
//!     variant: International,
//!     names: engines.iter().map(|engine| engine.name.clone()).collect(),
//!     limits: limits.iter().map(|&limits| (limits, Duration::ZERO)).collect(),
//!     schedule: MatchSchedule::new(Format::RoundRobin, 2, 1),
//!     shard: None,
//!     rules: Adjudication { max_plies: Some(20), ..Adjudication::default() },
//!     sprt: None,
//!     concurrency: 1,
//!     strict: true,
//!     seed: 1,
//!     log: None,
//! };
//! let openings = Openings::new(International, &OpeningSource::Ballot { plies: 2 })?;
//! let players = Engines::new(&engines, &limits, International, Duration::from_secs(60), 1)?;
//! let tally = run(&plan, openings, &players, None, &[], &Cancel::new(), &mut Silence)?;
//! assert_eq!(tally.games, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The map
//!
//! The modules, from the ground up. Each may use only those that its row names: `tests/suite/rooms.rs` reads this table
//! and the `crate::` paths of the sources and fails on an edge that the table forbids.
//!
//! | module | what it knows | may use |
//! |---|---|---|
//! | [`files`] | atomic writing of files; files that are read whole or more than once | nothing |
//! | [`words`] | the text of options and errors: words of an enum, numbers, quoting | nothing |
//! | [`seed`] | seeds of random numbers | nothing |
//! | [`board`] | squares, bitboards, geometry, placements and positions, hash keys | nothing |
//! | [`rules`] | variants, legal moves, draw rules, perft | board, words |
//! | [`svg`] | positions and plots as pictures | board, rules, notation |
//! | [`score`] | scores in centi-men, distances to the end of the game | nothing |
//! | [`game`] | a game: start, moves, counters, outcome | board, rules, score |
//! | [`notation`] | text to types and back: FEN, PDN, Hub, DXP | board, rules, game, words |
//! | [`eval`] | the value of a quiet position, by hand-made features or a learned network; chances | board, rules, score, words, files |
//! | [`tablebase`] | endgame tables: slices, their positions and values | board, rules, files, seed |
//! | [`search`] | alpha-beta, transposition table, clock; steered by flags, heard by an observer | board, rules, score, game, eval, words, tablebase |
//! | [`book`] | opening books: their file, what they say of a position, building them | board, rules, score, game, notation, search, files |
//! | [`agents`] | the players of the literature, simple and learning | board, rules, game, search, words, notation, files |
//! | [`levels`] | players for people: a search that errs as people do, and twenty measured strengths | board, rules, score, game, notation, eval, search, seed |
//! | [`engine`] | owns tables, threads, options and players: a request in, a report out; the bench | board, rules, score, game, eval, search, agents, levels, seed, tablebase, words, book |
//! | [`protocol`] | talks with other programs; sessions are pure state machines | board, rules, score, game, notation, eval, search, engine, words |
//! | [`arena`] | matches between engines: players, openings, referee, statistics, records; tuning by play | board, rules, score, game, notation, eval, search, agents, engine, protocol, files, seed, svg, tablebase, words, book |
//! | [`reproduce`] | repeating the published experiments with the players of the literature | rules, agents, arena, learn, files, seed, svg, words |
//! | [`view`] | what is shown of positions, analyses and matches: JSON and text | board, rules, score, game, notation, eval, search, engine, protocol, tablebase, book |
//! | [`train`] | learning the evaluation: self-play, files of games | board, rules, score, game, notation, eval, search, engine, files, seed, svg, tablebase |
//! | [`annotate`] | analysis of games that were played: what each move cost, classes, accuracy; in PDN, HTML and JSON | board, rules, score, game, notation, eval, search, engine, arena, tablebase, files, svg, words, view, book |
//! | [`puzzles`] | positions with exactly one good move: found in games, checked, sorted, printed | board, rules, game, notation, eval, search, engine, arena, train, files, svg, words |
//! | [`web`] | the board in the browser: its server and its page (feature `web`) | board, rules, score, game, notation, engine, search, levels, arena, view, tablebase, annotate, puzzles, book |
//! | [`learn`] | trainings of the players that learn | rules, game, search, agents, engine, arena, train, files, seed, svg, words |
//!
//! The command line (`src/cli/`, `src/main.rs`) belongs to the program and may use all of them.
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `web` (default) | the board in the browser, `kroon play`: `axum`, `hyper`, `hyper-util`, `tokio`, `futures-util`, `open` |
//! | `cli` (default) | the program `kroon` and what only it needs: `clap`, `clap_complete`, `anyhow`, `ctrlc`, `env_logger`, `indicatif` |
//!
//! # Variants
//!
//! Every variant is a row of switches ([`rules::Rules`]) in a small file of its own; generator, search and evaluation
//! are compiled once for each. [How to add one](rules#how-to-add-a-variant). Canadian draughts (72 squares) and Turkish
//! draughts (all 64 squares) are left out: a board is one 64-bit word in which a step in any direction is a shift and
//! the gaps between rows catch what leaves the board ([`board::geometry`]); those boards leave no such gaps.
#![warn(missing_docs)]

pub mod agents;
pub mod annotate;
pub mod arena;
pub mod board;
pub mod book;
pub mod engine;
pub mod eval;
pub mod files;
pub mod game;
pub mod learn;
pub mod levels;
pub mod notation;
pub mod protocol;
pub mod puzzles;
pub mod reproduce;
pub mod rules;
pub mod score;
pub mod search;
pub mod seed;
pub mod svg;
pub mod tablebase;
pub mod train;
pub mod view;
#[cfg(feature = "web")]
pub mod web;
pub mod words;
