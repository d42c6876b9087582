//! The options of the engine, and their rows for everything that reads or shows them.

use super::registry::{OptionAudience, OptionError, OptionKind, OptionRow};
use crate::eval::{EvalFile, EvalFileError, Evaluation, EvaluationKind};
use crate::rules::VariantId;
use crate::search::alphabeta::{Knob, Tuning};
use crate::search::mcts::{Leaf, Parallel, Params, Selection};
use crate::words::number::integer;
use crate::words::{quote, words};
use std::time::Duration;

/// Which search answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SearchKind {
    /// Alpha-beta.
    #[default]
    AlphaBeta,
    /// Monte-Carlo tree search.
    Mcts,
}

words!(SearchKind { AlphaBeta => "alphabeta", Mcts => "mcts" });

/// What a user can set.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// Search threads.
    pub threads: usize,
    /// Size of the transposition table, in mebibytes.
    pub hash_mb: usize,
    /// Principal variations to report.
    pub multipv: usize,
    /// Time held back for each move, for the way from the engine to the clock. The default is enough for an arbiter with
    /// a margin of 10 ms on a busy machine (`protocol-docs/hub.md` has the measurements).
    pub move_overhead: Duration,
    /// Which evaluation judges.
    pub evaluation: EvaluationKind,
    /// Weights of the learned evaluation to use in place of those in the program, for their variant.
    pub eval_file: Option<EvalFile>,
    /// How much worse than the best a move may be to be played for variety's sake, in centi-men; 0: always the best.
    pub variety: i32,
    /// Where the choices of `variety` come from; none: somewhere else in every engine. The tree search has a seed of its
    /// own.
    pub seed: Option<u64>,
    /// Which search answers.
    pub search: SearchKind,
    /// Options of the Monte-Carlo tree search.
    pub mcts: Params,
    /// Numbers of the alpha-beta search.
    pub tuning: Tuning,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            threads: 1,
            hash_mb: 64,
            multipv: 1,
            move_overhead: Duration::from_millis(5),
            evaluation: EvaluationKind::Learned,
            eval_file: None,
            variety: 0,
            seed: None,
            search: SearchKind::default(),
            mcts: Params::default(),
            tuning: Tuning::default(),
        }
    }
}

impl Options {
    /// Largest number of threads.
    pub const MAX_THREADS: usize = 256;
    /// Largest transposition table, in mebibytes.
    pub const MAX_HASH_MB: usize = 65_536;
    /// Largest variety, in centi-men.
    pub const MAX_VARIETY: i32 = 100;
    /// Most time held back for a move, in seconds.
    pub const MAX_MOVE_OVERHEAD: f64 = 10.0;
    /// Most variations reported.
    pub const MAX_MULTIPV: usize = 64;

    /// The evaluation that plays a variant with these options.
    ///
    /// # Errors
    /// When the file of weights cannot be used for it.
    pub fn evaluation_of(&self, variant: VariantId) -> Result<Evaluation, EvalFileError> {
        match (self.evaluation, &self.eval_file) {
            (EvaluationKind::Learned, Some(file)) => file.evaluation(variant),
            (kind, _) => Ok(kind.evaluation(variant)),
        }
    }

    /// The same with every number brought into its range.
    pub(super) fn clamped(self) -> Options {
        Options {
            threads: self.threads.clamp(1, Self::MAX_THREADS),
            hash_mb: self.hash_mb.clamp(1, Self::MAX_HASH_MB),
            multipv: self.multipv.clamp(1, Self::MAX_MULTIPV),
            variety: self.variety.clamp(0, Self::MAX_VARIETY),
            mcts: self.mcts.clamped(),
            ..self
        }
    }
}

/// Numbers of the alpha-beta search are options with this before their name. They have no rows of their own: they are
/// for tuning and its matches, and come and go with versions.
const TUNING: &str = "tune.";

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
            name: "mcts-selection",
            help: "how the tree selects: by priors of the evaluation, by bounds, or by bounds with RAVE",
            placeholder: "KIND",
            audience: OptionAudience::TreeSearch,
            kind: OptionKind::Word {
                words: || Selection::NAMES.to_vec(),
                get: |o| o.mcts.selection.name(),
                set: |o, word| word.parse().map(|kind| o.mcts.selection = kind),
            },
        },
        OptionRow {
            name: "mcts-leaf",
            help: "how new positions are valued: by the evaluation or by random games, plain or with some sense",
            placeholder: "KIND",
            audience: OptionAudience::TreeSearch,
            kind: OptionKind::Word {
                words: || Leaf::NAMES.to_vec(),
                get: |o| o.mcts.leaf.name(),
                set: |o, word| word.parse().map(|kind| o.mcts.leaf = kind),
            },
        },
        OptionRow {
            name: "mcts-parallel",
            help: "what several threads do: grow one tree, a tree each, or play random games from one leaf",
            placeholder: "KIND",
            audience: OptionAudience::TreeSearch,
            kind: OptionKind::Word {
                words: || Parallel::NAMES.to_vec(),
                get: |o| o.mcts.parallel.name(),
                set: |o, word| word.parse().map(|kind| o.mcts.parallel = kind),
            },
        },
        OptionRow {
            name: "mcts-exploration",
            help: "the constant of the selection; default: the one that suits it",
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
            name: "mcts-rave-k",
            help: "visits at which RAVE and the true mean count the same",
            placeholder: "K",
            audience: OptionAudience::TreeSearch,
            kind: OptionKind::Real {
                min: 0.0,
                max: Params::MAX_RAVE_K,
                get: |o| o.mcts.rave_k,
                set: |o, value| o.mcts.rave_k = value,
            },
        },
        OptionRow {
            name: "mcts-playout-plies",
            help: "longest random game in plies; after that more pieces win",
            placeholder: "N",
            audience: OptionAudience::TreeSearch,
            kind: OptionKind::Int {
                min: 1,
                max: Params::MAX_PLAYOUT_PLIES as i64,
                get: |o| o.mcts.playout_plies.into(),
                set: |o, value| o.mcts.playout_plies = value as u32,
            },
        },
        OptionRow {
            name: "mcts-leaf-playouts",
            help: "random games of each thread for one descent, with mcts-parallel=leaf",
            placeholder: "N",
            audience: OptionAudience::TreeSearch,
            kind: OptionKind::Int {
                min: 1,
                max: Params::MAX_LEAF_PLAYOUTS as i64,
                get: |o| o.mcts.leaf_playouts.into(),
                set: |o, value| o.mcts.leaf_playouts = value as u32,
            },
        },
        OptionRow {
            name: "mcts-seed",
            help: "start of the random numbers of the tree search",
            placeholder: "N",
            audience: OptionAudience::TreeSearch,
            kind: OptionKind::Int {
                min: 0,
                max: i32::MAX as i64,
                get: |o| o.mcts.seed as i64,
                set: |o, value| o.mcts.seed = value as u64,
            },
        },
        OptionRow {
            name: "mcts-phase-time",
            help: "take a fixed time for a move as that of the middle game, and less before and after",
            placeholder: "BOOL",
            audience: OptionAudience::TreeSearch,
            kind: OptionKind::Bool { get: |o| o.mcts.phase_time, set: |o, value| o.mcts.phase_time = value },
        },
    ];

    /// Sets the option with this name, or the number of the alpha-beta search (`tune.NAME`, see [`Tuning::KNOBS`]).
    ///
    /// ```
    /// use kroon::engine::{Options, SearchKind};
    /// let mut options = Options::default();
    /// options.set("search", "mcts")?;
    /// options.set("tune.probcut-share", "35")?;
    /// assert_eq!((options.search, options.tuning.probcut_share), (SearchKind::Mcts, 35));
    /// assert!(options.set("threads", "many").unwrap_err().to_string().contains("many"));
    /// # Ok::<(), kroon::engine::registry::OptionError>(())
    /// ```
    ///
    /// # Errors
    /// When there is no such option, or the text is no value of it; nothing is changed then.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), OptionError> {
        if let Some(knob) = knob(name) {
            let read = integer(text, knob.min.into(), knob.max.into());
            let value = read.map_err(|fault| OptionError::Number { name: knob.name, fault })?;
            (knob.set)(&mut self.tuning, value as i32);
            return Ok(());
        }
        match Options::ROWS.iter().find(|row| row.name == name) {
            Some(row) => row.set(self, text),
            None => {
                let known: Vec<&str> = Options::ROWS.iter().map(|row| row.name).collect();
                Err(OptionError::Unknown { name: quote(name), known: known.join(", ") })
            }
        }
    }
}

fn knob(name: &str) -> Option<&'static Knob> {
    let name = name.strip_prefix(TUNING)?;
    Tuning::KNOBS.iter().find(|knob| knob.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_can_be_sent_back_and_every_option_has_its_own_place() {
        let default = Options::default();
        for row in Options::ROWS {
            let mut options = default.clone();
            options.set(row.name, &row.value(&default).to_string()).unwrap();
            assert_eq!(options, default, "{}", row.name);
            let other = match row.kind {
                OptionKind::Bool { get, .. } => (!get(&default)).to_string(),
                OptionKind::Int { max, .. } => max.to_string(),
                OptionKind::Real { max, .. } | OptionKind::RealOrDefault { max, .. } => max.to_string(),
                OptionKind::Word { words, .. } => words().pop().unwrap().to_owned(),
                OptionKind::File { .. } => "a file".to_owned(),
            };
            options.set(row.name, &other).unwrap();
            assert_eq!(row.value(&options).to_string(), other);
            for neighbour in Options::ROWS.iter().filter(|neighbour| neighbour.name != row.name) {
                assert_eq!(neighbour.value(&options), neighbour.value(&default), "{}", neighbour.name);
            }
            assert_eq!(options.clone().clamped(), options, "{}: the range is that of the engine", row.name);
        }
    }

    #[test]
    fn names_and_help_suit_every_reader() {
        for row in Options::ROWS {
            assert!(row.name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{}", row.name);
            assert!(!row.help.is_empty() && !row.help.ends_with('.') && !row.placeholder.is_empty());
        }
    }

    #[test]
    fn unknown_names_are_errors() {
        let mut options = Options::default();
        let error = options.set("colour", "red").unwrap_err().to_string();
        assert!(error.starts_with("option \"colour\": expected one of threads, hash"), "{error}");
        assert!(options.set("tune.colour", "1").is_err());
        let error = options.set("tune.probcut-share", "0").unwrap_err().to_string();
        assert!(error.contains("expected 10 to 80"), "{error}");
        assert_eq!(options, Options::default());
    }
}
