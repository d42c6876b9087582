//! The row of every option of the engine, for everything that reads or shows them.

use super::options::{Options, SearchKind};
use super::registry::{DEFAULT, OptionAudience, OptionKind, OptionRow};
use crate::agents::{AgentKind, AgentOptions, ScoreKind};
use crate::eval::{EvalFile, EvaluationKind};
use crate::levels;
use crate::search::mcts::{Leaf, Params};
use crate::tablebase::Material;
use crate::words::UnknownWord;
use std::iter;
use std::time::Duration;

/// What the option `player` calls the engine itself.
const ENGINE: &str = "engine";

impl Options {
    /// The row of every option, in the order in which users see them.
    ///
    /// ```
    /// use kroon::engine::Options;
    /// let row = Options::ROWS.iter().find(|row| row.name == "hash").unwrap();
    /// assert_eq!(row.value(&Options::default()).to_string(), "64");
    /// ```
    pub const ROWS: &'static [OptionRow<Options>] = &[
        OptionRow {
            name: "threads",
            help: "search threads",
            placeholder: "N",
            audience: OptionAudience::All,
            kind: OptionKind::Int {
                min: 1,
                max: Options::MAX_THREADS as i64,
                get: |o| o.threads as i64,
                set: |o, value| o.threads = value as usize,
            },
        },
        OptionRow {
            name: "hash",
            help: "size of the transposition table in mebibytes",
            placeholder: "MB",
            audience: OptionAudience::All,
            kind: OptionKind::Int {
                min: 1,
                max: Options::MAX_HASH_MB as i64,
                get: |o| o.hash_mb as i64,
                set: |o, value| o.hash_mb = value as usize,
            },
        },
        OptionRow {
            name: "multipv",
            help: "number of best moves to report, each with its line",
            placeholder: "K",
            audience: OptionAudience::All,
            kind: OptionKind::Int {
                min: 1,
                max: Options::MAX_MULTIPV as i64,
                get: |o| o.multipv as i64,
                set: |o, value| o.multipv = value as usize,
            },
        },
        OptionRow {
            name: "move-overhead",
            help: "seconds held back for every move, for the way to the clock",
            placeholder: "S",
            audience: OptionAudience::All,
            kind: OptionKind::Real {
                min: 0.0,
                max: Options::MAX_MOVE_OVERHEAD,
                get: |o| o.move_overhead.as_secs_f64(),
                set: |o, value| o.move_overhead = Duration::from_secs_f64(value),
            },
        },
        OptionRow {
            name: "variety",
            help: "how many men a move may be worse than the best and still be played; 0: always the best",
            placeholder: "MEN",
            audience: OptionAudience::All,
            kind: OptionKind::Real {
                min: 0.0,
                max: Options::MAX_VARIETY as f64 / 100.0,
                get: |o| f64::from(o.variety) / 100.0,
                set: |o, value| o.variety = (value * 100.0).round() as i32,
            },
        },
        OptionRow {
            name: "level",
            help: "strength of play for people, 1 to 20; 0: full strength, as in every analysis",
            placeholder: "N",
            audience: OptionAudience::All,
            kind: OptionKind::Int {
                min: 0,
                max: levels::MOST as i64,
                get: |o| o.level.into(),
                set: |o, value| o.level = value as u8,
            },
        },
        OptionRow {
            name: "skill",
            help: "strength between the levels, for measuring them",
            placeholder: "S",
            audience: OptionAudience::Hidden,
            kind: OptionKind::RealOrDefault {
                min: *levels::RANGE.start(),
                max: *levels::RANGE.end(),
                get: |o| o.skill,
                set: |o, value| o.skill = value,
            },
        },
        OptionRow {
            name: "search",
            help: "how moves are found: alpha-beta or Monte-Carlo tree search",
            placeholder: "KIND",
            audience: OptionAudience::All,
            kind: OptionKind::Word {
                words: || SearchKind::NAMES.to_vec(),
                get: |o| o.search.name(),
                set: |o, word| word.parse().map(|kind| o.search = kind),
            },
        },
        OptionRow {
            name: "evaluation",
            help: "how positions are judged: by learned weights or by hand-made ones",
            placeholder: "KIND",
            audience: OptionAudience::All,
            kind: OptionKind::Word {
                words: || EvaluationKind::NAMES.to_vec(),
                get: |o| o.evaluation.name(),
                set: |o, word| word.parse().map(|kind| o.evaluation = kind),
            },
        },
        OptionRow {
            name: "eval-file",
            help: "file of weights that kroon train made; embedded: the weights in the program",
            placeholder: "FILE",
            audience: OptionAudience::All,
            kind: OptionKind::File {
                none: "embedded",
                get: |o| o.eval_file.as_ref().map(|file| file.path().to_string_lossy().into_owned()),
                set: |o, path| o.eval_file = path.map(EvalFile::new),
            },
        },
        OptionRow {
            name: "tables",
            help: "folders of endgame tables, a path list; default: KROON_TABLES, or the user's folder for data",
            placeholder: "DIR",
            audience: OptionAudience::All,
            kind: OptionKind::File {
                none: DEFAULT,
                get: |o| o.tables.clone(),
                set: |o, folders| o.tables = folders.map(str::to_owned),
            },
        },
        OptionRow {
            name: "bb-size",
            help: "most pieces of a position that endgame tables are used for; 0: none",
            placeholder: "N",
            audience: OptionAudience::All,
            kind: OptionKind::Int {
                min: 0,
                max: Material::MOST_PIECES as i64,
                get: |o| o.bb_size.into(),
                set: |o, value| o.bb_size = value as u8,
            },
        },
        OptionRow {
            name: "book",
            help: "play moves of the opening book",
            placeholder: "BOOL",
            audience: OptionAudience::All,
            kind: OptionKind::Bool { get: |o| o.book, set: |o, value| o.book = value },
        },
        OptionRow {
            name: "book-file",
            help: "file of the opening book, by kroon book; embedded: the book in the program",
            placeholder: "FILE",
            audience: OptionAudience::All,
            kind: OptionKind::File {
                none: "embedded",
                get: |o| o.book_file.as_ref().map(|path| path.to_string_lossy().into_owned()),
                set: |o, path| o.book_file = path.map(Into::into),
            },
        },
        OptionRow {
            name: "book-ply",
            help: "plies of a game from the initial position in which moves of the book may be worse than its best move",
            placeholder: "N",
            audience: OptionAudience::All,
            kind: OptionKind::Int {
                min: 0,
                max: Options::MAX_BOOK_PLY as i64,
                get: |o| o.book_ply.into(),
                set: |o, value| o.book_ply = value as u32,
            },
        },
        OptionRow {
            name: "book-margin",
            help: "by how many hundredths of a man a move of the book may be worse",
            placeholder: "N",
            audience: OptionAudience::All,
            kind: OptionKind::Int {
                min: 0,
                max: Options::MAX_BOOK_MARGIN as i64,
                get: |o| o.book_margin.into(),
                set: |o, value| o.book_margin = value as i32,
            },
        },
        OptionRow {
            name: "seed",
            help: "start of the random numbers of book, variety, levels and players; default: another one every time",
            placeholder: "N",
            audience: OptionAudience::All,
            kind: OptionKind::IntOrDefault {
                min: 0,
                // What has more digits is read as the largest number, and would be the same seed.
                max: i64::MAX - 1,
                get: |o| o.seed.map(|seed| seed as i64),
                set: |o, value| o.seed = value.map(|value| value as u64),
            },
        },
        OptionRow {
            name: "player",
            help: "who plays: the engine, or a player of the literature",
            placeholder: "NAME",
            audience: OptionAudience::All,
            kind: OptionKind::Word {
                words: || iter::once(ENGINE).chain(AgentKind::NAMES.iter().copied()).collect(),
                get: |o| o.player.map_or(ENGINE, AgentKind::name),
                set: set_player,
            },
        },
        OptionRow {
            name: "player-file",
            help: "what a learning player has learned, by kroon learn; embedded: what is in the program",
            placeholder: "FILE",
            audience: OptionAudience::Players,
            kind: OptionKind::File {
                none: "embedded",
                get: |o| o.agent.file.as_ref().map(|path| path.to_string_lossy().into_owned()),
                set: |o, path| o.agent.file = path.map(Into::into),
            },
        },
        OptionRow {
            name: "player-depth",
            help: "plies that the player minimax looks ahead",
            placeholder: "N",
            audience: OptionAudience::Players,
            kind: OptionKind::Int {
                min: 1,
                max: AgentOptions::MAX_DEPTH as i64,
                get: |o| o.agent.depth.into(),
                set: |o, value| o.agent.depth = value as u32,
            },
        },
        OptionRow {
            name: "player-score",
            help: "how the player minimax judges: score f, linear weights, or what was won since the root",
            placeholder: "KIND",
            audience: OptionAudience::Players,
            kind: OptionKind::Word {
                words: || ScoreKind::NAMES.to_vec(),
                get: |o| o.agent.score.name(),
                set: |o, word| word.parse().map(|score| o.agent.score = score),
            },
        },
        OptionRow {
            name: "player-quiet",
            help: "whether the player minimax searches captures on beyond its depth",
            placeholder: "BOOL",
            audience: OptionAudience::Players,
            kind: OptionKind::Bool { get: |o| o.agent.quiet, set: |o, value| o.agent.quiet = value },
        },
        OptionRow {
            name: "player-prune",
            help: "whether the player minimax prunes; its moves are the same",
            placeholder: "BOOL",
            audience: OptionAudience::Players,
            kind: OptionKind::Bool { get: |o| o.agent.prune, set: |o, value| o.agent.prune = value },
        },
        OptionRow {
            name: "player-iterations",
            help: "random games of the player mcts for a move",
            placeholder: "N",
            audience: OptionAudience::Players,
            kind: OptionKind::Int {
                min: 1,
                max: AgentOptions::MAX_ITERATIONS as i64,
                get: |o| o.agent.iterations as i64,
                set: |o, value| o.agent.iterations = value as u64,
            },
        },
        OptionRow {
            name: "player-exploration",
            help: "the constant of the bound by which the player mcts selects",
            placeholder: "C",
            audience: OptionAudience::Players,
            kind: OptionKind::RealOrDefault {
                min: 0.0,
                max: AgentOptions::MAX_EXPLORATION,
                get: |o| o.agent.exploration,
                set: |o, value| o.agent.exploration = value,
            },
        },
        OptionRow {
            name: "player-playout-plies",
            help: "longest random game of the player mcts in plies; after that more pieces win",
            placeholder: "N",
            audience: OptionAudience::Players,
            kind: OptionKind::Int {
                min: 1,
                max: AgentOptions::MAX_PLAYOUT_PLIES as i64,
                get: |o| o.agent.playout_plies.into(),
                set: |o, value| o.agent.playout_plies = value as u32,
            },
        },
        OptionRow {
            name: "player-two-player",
            help: "whether the player mcts lets the opponent choose what is best for the opponent",
            placeholder: "BOOL",
            audience: OptionAudience::Players,
            kind: OptionKind::Bool {
                get: |o| o.agent.two_player,
                set: |o, value| o.agent.two_player = value,
            },
        },
        OptionRow {
            name: "player-rave",
            help: "visits at which RAVE and the true mean count the same for the player mcts; 0: no RAVE",
            placeholder: "K",
            audience: OptionAudience::Players,
            kind: OptionKind::Real {
                min: 0.0,
                max: AgentOptions::MAX_RAVE_K,
                get: |o| o.agent.rave_k,
                set: |o, value| o.agent.rave_k = value,
            },
        },
        OptionRow {
            name: "player-trees",
            help: "trees that the player mcts grows at the same time and adds up",
            placeholder: "N",
            audience: OptionAudience::Players,
            kind: OptionKind::Int {
                min: 1,
                max: AgentOptions::MAX_TREES as i64,
                get: |o| o.agent.trees as i64,
                set: |o, value| o.agent.trees = value as usize,
            },
        },
        OptionRow {
            name: "player-time-table",
            help: "whether the player mcts takes a fixed time for a move as the longest of a table by pieces",
            placeholder: "BOOL",
            audience: OptionAudience::Players,
            kind: OptionKind::Bool {
                get: |o| o.agent.time_table,
                set: |o, value| o.agent.time_table = value,
            },
        },
        OptionRow {
            name: "mcts-hash",
            help: "size of the Monte-Carlo tree in mebibytes",
            placeholder: "MB",
            audience: OptionAudience::All,
            kind: OptionKind::Int {
                min: 1,
                max: Params::MAX_HASH_MB as i64,
                get: |o| o.mcts.hash_mb as i64,
                set: |o, value| o.mcts.hash_mb = value as usize,
            },
        },
        OptionRow {
            name: "mcts-leaf",
            help: "how new positions are valued: by alpha-beta, or by quiescence and evaluation",
            placeholder: "KIND",
            audience: OptionAudience::TreeSearch,
            kind: OptionKind::Word {
                words: || Leaf::NAMES.to_vec(),
                get: |o| o.mcts.leaf.name(),
                set: |o, word| word.parse().map(|kind| o.mcts.leaf = kind),
            },
        },
        OptionRow {
            name: "mcts-leaf-depth",
            help: "depth of the alpha-beta search of a new position, in plies",
            placeholder: "D",
            audience: OptionAudience::TreeSearch,
            kind: OptionKind::Int {
                min: 1,
                max: Params::MAX_LEAF_DEPTH as i64,
                get: |o| o.mcts.leaf_depth.into(),
                set: |o, value| o.mcts.leaf_depth = value as u32,
            },
        },
        OptionRow {
            name: "mcts-minimax",
            help: "share of the best move's value in the value of a position; the rest is the mean of its visits",
            placeholder: "S",
            audience: OptionAudience::TreeSearch,
            kind: OptionKind::RealOrDefault {
                min: 0.0,
                max: 1.0,
                get: |o| o.mcts.minimax,
                set: |o, value| o.mcts.minimax = value,
            },
        },
        OptionRow {
            name: "mcts-prior-power",
            help: "how much priors weigh differences of estimates; what exceeds 1 shrinks with visits",
            placeholder: "N",
            audience: OptionAudience::TreeSearch,
            kind: OptionKind::RealOrDefault {
                min: 0.0,
                max: Params::MAX_PRIOR_POWER,
                get: |o| o.mcts.prior_power,
                set: |o, value| o.mcts.prior_power = value,
            },
        },
        OptionRow {
            name: "mcts-policy",
            help: "how much the priors weigh the policy, where the weights have one; 0: not at all",
            placeholder: "N",
            audience: OptionAudience::TreeSearch,
            kind: OptionKind::Real {
                min: 0.0,
                max: Params::MAX_POLICY,
                get: |o| o.mcts.policy,
                set: |o, value| o.mcts.policy = value,
            },
        },
        OptionRow {
            name: "mcts-noise",
            help: "share of the priors at the root that is random, from 0 to 1, so that games of self-play differ",
            placeholder: "SHARE",
            audience: OptionAudience::TreeSearch,
            kind: OptionKind::Real {
                min: 0.0,
                max: 1.0,
                get: |o| o.mcts.noise,
                set: |o, value| o.mcts.noise = value,
            },
        },
        OptionRow {
            name: "mcts-exploration",
            help: "the constant of the selection; grows with visits; default: 0.8",
            placeholder: "C",
            audience: OptionAudience::TreeSearch,
            kind: OptionKind::RealOrDefault {
                min: 0.0,
                max: Params::MAX_EXPLORATION,
                get: |o| o.mcts.exploration,
                set: |o, value| o.mcts.exploration = value,
            },
        },
        OptionRow {
            name: "mcts-seed",
            help: "start of the random numbers of mcts-noise",
            placeholder: "N",
            audience: OptionAudience::TreeSearch,
            kind: OptionKind::Int {
                min: 0,
                max: i32::MAX as i64,
                get: |o| o.mcts.seed as i64,
                set: |o, value| o.mcts.seed = value as u64,
            },
        },
    ];
}

fn set_player(options: &mut Options, word: &str) -> Result<(), UnknownWord> {
    options.player = match word.parse() {
        Ok(kind) => Some(kind),
        Err(_) if word.eq_ignore_ascii_case(ENGINE) => None,
        Err(UnknownWord { word, known }) => {
            return Err(UnknownWord { word, known: format!("{ENGINE}, {known}") });
        }
    };
    Ok(())
}
