//! Kroon: a draughts engine and toolbox.
//!
//! # The map
//!
//! Rooms, from the ground up. Each may use only what its row names; a test (`tests/suite/rooms.rs`) reads this table
//! and the `crate::` paths of the sources and fails on an edge that the table forbids.
//!
//! | room | what it knows | may use |
//! |---|---|---|
//! | [`files`] | files that are written whole | nothing |
//! | [`words`] | options that are one of a few words | nothing |
//! | [`board`] | squares, bitboards, geometry, placements and positions, hash keys | nothing |
//! | [`rules`] | what a variant is, legal moves, draw rules, perft | board |
//! | [`score`] | values in centi-men and distances to the end of the game | nothing |
//! | [`game`] | a game: start, moves, counters, outcome | board, rules |
//! | [`notation`] | text to types and back: FEN, PDN, Hub | board, rules, game |
//! | [`eval`] | the value of a quiet position, feature by feature | board, rules, score, words |
//! | [`search`] | alpha-beta, transposition table, clock; steered by flags, heard by an observer | board, rules, score, game, eval, words |
//! | [`engine`] | owns tables, threads and options: a request in, a report out; the bench | board, rules, score, game, eval, search, words |
//! | [`protocol`] | talks with other programs; sessions are pure state machines | board, rules, score, game, notation, eval, search, engine, words |
//! | [`arena`] | matches between engines: players, openings, referee, statistics, records; tuning by play | board, rules, score, game, notation, search, engine, protocol, files |
//! | [`view`] | what is shown of positions, analyses and matches: JSON and text | board, rules, score, game, notation, eval, search, engine, protocol |
//! | [`train`] | learning the evaluation: self-play, files of games | board, rules, score, game, notation, eval, search, engine, files |
//!
//! The command line (`src/cli/`, `src/main.rs`) belongs to the binary and stands above all rooms.
//!
//! # Variants
//!
//! Every variant is a row of switches ([`rules::Rules`]) in a small file of its own; the generator, the search and the
//! evaluation are compiled once for each. Two known games stay out because they would bend the core: a board is one
//! 64-bit word in which steps in all directions are shifts and the gaps between rows catch what leaves the board
//! ([`board::geometry`]), and neither the 72 squares of Canadian draughts nor the 64 of Turkish draughts leave such
//! gaps.
//!
//! # Finding the best move
//!
//! ```
//! use kroon::engine::{Engine, Mode, Options, Request};
//! use kroon::notation::fen;
//! use kroon::rules::VariantId;
//! use kroon::search::{Control, Limits};
//!
//! let game = fen::game_from_fen(VariantId::International, "W:W32,38:B21,12")?;
//! let limits = Limits { depth: Some(8), ..Limits::default() };
//! let mut engine = Engine::new(Options { hash_mb: 1, ..Options::default() });
//! let report = engine.go(&Request { game, limits, mode: Mode::Think }, &Control::new(), &mut ());
//! assert!(report.best.is_some());
//! # Ok::<(), kroon::notation::fen::FenError>(())
//! ```
#![warn(missing_docs)]

pub mod arena;
pub mod board;
pub mod engine;
pub mod eval;
pub mod files;
pub mod game;
pub mod notation;
pub mod protocol;
pub mod rules;
pub mod score;
pub mod search;
pub mod train;
pub mod view;
pub mod words;
