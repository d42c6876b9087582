//! The parameters: one row each, from which the declaration, the reader and the help text follow.

use super::number::{NumberError, integer, real};
use super::reply::{Declaration, Domain};
use crate::engine::{EvaluationKind, Options, SearchKind};
use crate::eval::EvalFile;
use crate::notation::text::quote;
use crate::rules::{UnknownVariant, VariantId};
use crate::search::alphabeta::{Knob, Tuning};
use crate::search::mcts::{Leaf, Parallel, Params, Selection};
use crate::words::UnknownWord;
use std::time::Duration;
use thiserror::Error;

/// What parameters can change.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct HubSettings {
    /// The engine's own options.
    pub options: Options,
    /// The variant played.
    pub variant: VariantId,
    /// Whether the client means to let us think in the opponent's time.
    pub ponder: bool,
    /// Whether variations come with the chances to win, draw and lose.
    pub wdl: bool,
}

/// Why a parameter keeps its old value.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum ParamError {
    /// A wrong number.
    #[error("set-param {name}: {fault}")]
    Number {
        /// The parameter.
        name: &'static str,
        /// What is wrong.
        fault: NumberError,
    },
    /// Neither true nor false.
    #[error("set-param {name}: {value} found, expected true or false")]
    Bool {
        /// The parameter.
        name: &'static str,
        /// What was found, quoted.
        value: String,
    },
    /// None of the words that are possible.
    #[error("set-param {name}: {fault}")]
    Word {
        /// The parameter.
        name: &'static str,
        /// What is wrong.
        fault: UnknownWord,
    },
    /// A variant that we do not play.
    #[error("set-param variant: {0}")]
    Variant(UnknownVariant),
}

/// A parameter: how it is called, what it does, how it is read and written.
pub struct Param {
    /// Its name in `param` and `set-param`.
    pub name: &'static str,
    /// What it does, for people.
    pub help: &'static str,
    /// Whether it is declared; the others are other names for the same thing, understood when they come.
    pub declared: bool,
    access: Access,
}

enum Access {
    Variant,
    Word {
        words: &'static [&'static str],
        get: fn(&HubSettings) -> &'static str,
        set: fn(&mut HubSettings, &str) -> Result<(), UnknownWord>,
    },
    /// A file, or nothing.
    File {
        get: fn(&HubSettings) -> Option<&EvalFile>,
        set: fn(&mut HubSettings, Option<EvalFile>),
    },
    Bool {
        get: fn(&HubSettings) -> bool,
        set: fn(&mut HubSettings, bool),
    },
    Int {
        min: i64,
        max: i64,
        get: fn(&HubSettings) -> i64,
        set: fn(&mut HubSettings, i64),
    },
    Real {
        min: f64,
        max: f64,
        get: fn(&HubSettings) -> f64,
        set: fn(&mut HubSettings, f64),
    },
}

/// Largest table, in mebibytes.
const MAX_HASH_MB: i64 = Options::MAX_HASH_MB as i64;
/// `tt-size` counts entries of 16 bytes as a power of two: 2^16 of them make a mebibyte.
const ENTRIES_PER_MB_LOG2: i64 = 16;

/// Stands for no file in a declaration, where some clients cannot read an empty value.
const NO_FILE: &str = "embedded";

/// All parameters, in the order of their declaration.
pub const PARAMS: &[Param] = &[
    Param { name: "variant", help: "the game played", declared: true, access: Access::Variant },
    Param {
        name: "threads",
        help: "search threads",
        declared: true,
        access: Access::Int {
            min: 1,
            max: Options::MAX_THREADS as i64,
            get: |s| s.options.threads as i64,
            set: |s, value| s.options.threads = value as usize,
        },
    },
    Param {
        name: "hash",
        help: "size of the transposition table in mebibytes",
        declared: true,
        access: Access::Int {
            min: 1,
            max: MAX_HASH_MB,
            get: |s| s.options.hash_mb as i64,
            set: |s, value| s.options.hash_mb = value as usize,
        },
    },
    Param {
        name: "tt-size",
        help: "the same as the logarithm to base 2 of the number of 16-byte entries",
        declared: false,
        access: Access::Int {
            min: 0,
            max: ENTRIES_PER_MB_LOG2 + MAX_HASH_MB.ilog2() as i64,
            get: |s| ENTRIES_PER_MB_LOG2 + s.options.hash_mb.max(1).ilog2() as i64,
            set: |s, value| s.options.hash_mb = 1 << (value - ENTRIES_PER_MB_LOG2).max(0),
        },
    },
    Param {
        name: "multipv",
        help: "variations to report; with more than one every info line has a rank",
        declared: true,
        access: Access::Int {
            min: 1,
            max: Options::MAX_MULTIPV as i64,
            get: |s| s.options.multipv as i64,
            set: |s, value| s.options.multipv = value as usize,
        },
    },
    Param {
        name: "move-overhead",
        help: "seconds held back for every move, for the way to the clock",
        declared: true,
        access: Access::Real {
            min: 0.0,
            max: 10.0,
            get: |s| s.options.move_overhead.as_secs_f64(),
            set: |s, value| s.options.move_overhead = Duration::from_secs_f64(value),
        },
    },
    Param {
        name: "variety",
        help: "how many men a move may be worse than the best and still be played; 0: always the best",
        declared: true,
        access: Access::Real {
            min: 0.0,
            max: Options::MAX_VARIETY as f64 / 100.0,
            get: |s| f64::from(s.options.variety) / 100.0,
            set: |s, value| s.options.variety = (value * 100.0).round() as i32,
        },
    },
    Param {
        name: "ponder",
        help: "thinking in the opponent's time is the client's doing; declared so that it knows we can",
        declared: true,
        access: Access::Bool { get: |s| s.ponder, set: |s, value| s.ponder = value },
    },
    Param {
        name: "wdl",
        help: "whether info lines end with the expected result and the chances to win, draw and lose",
        declared: true,
        access: Access::Bool { get: |s| s.wdl, set: |s, value| s.wdl = value },
    },
    Param {
        name: "search",
        help: "how moves are found: alpha-beta or Monte-Carlo tree search",
        declared: true,
        access: Access::Word {
            words: SearchKind::NAMES,
            get: |s| s.options.search.name(),
            set: |s, word| word.parse().map(|read| s.options.search = read),
        },
    },
    Param {
        name: "evaluation",
        help: "how positions are judged: by learned weights or by hand-made ones",
        declared: true,
        access: Access::Word {
            words: EvaluationKind::NAMES,
            get: |s| s.options.evaluation.name(),
            set: |s, word| word.parse().map(|read| s.options.evaluation = read),
        },
    },
    Param {
        name: "eval-file",
        help: "file of weights that kroon train made; embedded, or nothing: the weights in the program",
        declared: true,
        access: Access::File {
            get: |s| s.options.eval_file.as_ref(),
            set: |s, file| s.options.eval_file = file,
        },
    },
    Param {
        name: "mcts-hash",
        help: "size of the Monte-Carlo tree in mebibytes",
        declared: true,
        access: Access::Int {
            min: 1,
            max: Params::MAX_HASH_MB as i64,
            get: |s| s.options.mcts.hash_mb as i64,
            set: |s, value| s.options.mcts.hash_mb = value as usize,
        },
    },
    Param {
        name: "mcts-selection",
        help: "how the tree selects: by priors of the evaluation, by bounds, or by bounds with RAVE",
        declared: true,
        access: Access::Word {
            words: Selection::NAMES,
            get: |s| s.options.mcts.selection.name(),
            set: |s, word| word.parse().map(|read| s.options.mcts.selection = read),
        },
    },
    Param {
        name: "mcts-leaf",
        help: "how new positions are valued: by the evaluation or by random games, plain or with some sense",
        declared: true,
        access: Access::Word {
            words: Leaf::NAMES,
            get: |s| s.options.mcts.leaf.name(),
            set: |s, word| word.parse().map(|read| s.options.mcts.leaf = read),
        },
    },
    Param {
        name: "mcts-parallel",
        help: "what several threads do: grow one tree, a tree each, or play random games from one leaf",
        declared: true,
        access: Access::Word {
            words: Parallel::NAMES,
            get: |s| s.options.mcts.parallel.name(),
            set: |s, word| word.parse().map(|read| s.options.mcts.parallel = read),
        },
    },
    Param {
        name: "mcts-exploration",
        help: "the constant of the selection; -1: the default of each",
        declared: true,
        access: Access::Real {
            min: -1.0,
            max: Params::MAX_EXPLORATION,
            get: |s| s.options.mcts.exploration.unwrap_or(-1.0),
            set: |s, value| s.options.mcts.exploration = (value >= 0.0).then_some(value),
        },
    },
    Param {
        name: "mcts-rave-k",
        help: "visits at which RAVE and the true mean count the same",
        declared: true,
        access: Access::Real {
            min: 0.0,
            max: Params::MAX_RAVE_K,
            get: |s| s.options.mcts.rave_k,
            set: |s, value| s.options.mcts.rave_k = value,
        },
    },
    Param {
        name: "mcts-playout-plies",
        help: "longest random game in plies; after that more pieces win",
        declared: true,
        access: Access::Int {
            min: 1,
            max: Params::MAX_PLAYOUT_PLIES as i64,
            get: |s| s.options.mcts.playout_plies.into(),
            set: |s, value| s.options.mcts.playout_plies = value as u32,
        },
    },
    Param {
        name: "mcts-leaf-playouts",
        help: "random games of each thread for one descent, with mcts-parallel=leaf",
        declared: true,
        access: Access::Int {
            min: 1,
            max: Params::MAX_LEAF_PLAYOUTS as i64,
            get: |s| s.options.mcts.leaf_playouts.into(),
            set: |s, value| s.options.mcts.leaf_playouts = value as u32,
        },
    },
    Param {
        name: "mcts-seed",
        help: "start of the random numbers of the tree search",
        declared: true,
        access: Access::Int {
            min: 0,
            max: i32::MAX as i64,
            get: |s| s.options.mcts.seed as i64,
            set: |s, value| s.options.mcts.seed = value as u64,
        },
    },
    Param {
        name: "mcts-phase-time",
        help: "take a fixed time for a move as that of the middle game, and less before and after",
        declared: true,
        access: Access::Bool {
            get: |s| s.options.mcts.phase_time,
            set: |s, value| s.options.mcts.phase_time = value,
        },
    },
];

impl Param {
    /// Its declaration with its present value.
    pub fn declaration(&self, settings: &HubSettings) -> Declaration {
        let (value, domain) = match self.access {
            Access::Variant => {
                let names = VariantId::ALL.iter().map(|variant| variant.hub_name()).collect();
                (settings.variant.hub_name().to_owned(), Domain::Enum(names))
            }
            Access::Word { words, get, .. } => (get(settings).to_owned(), Domain::Enum(words.to_vec())),
            Access::File { get, .. } => {
                let path = get(settings).map(|file| file.path().to_string_lossy().into_owned());
                (path.unwrap_or_else(|| NO_FILE.to_owned()), Domain::String)
            }
            Access::Bool { get, .. } => (get(settings).to_string(), Domain::Bool),
            Access::Int { min, max, get, .. } => (get(settings).to_string(), Domain::Int { min, max }),
            Access::Real { min, max, get, .. } => {
                (format!("{:.3}", get(settings)), Domain::Real { min, max })
            }
        };
        Declaration { name: self.name, value, domain }
    }

    fn read(&self, settings: &mut HubSettings, value: &str) -> Result<(), ParamError> {
        let name = self.name;
        let number = |fault| ParamError::Number { name, fault };
        match self.access {
            Access::Variant => {
                let shortened =
                    |unknown: UnknownVariant| UnknownVariant(unknown.0.chars().take(60).collect());
                settings.variant =
                    value.parse().map_err(|unknown| ParamError::Variant(shortened(unknown)))?;
            }
            Access::Word { set, .. } => {
                set(settings, value).map_err(|fault| ParamError::Word { name, fault })?;
            }
            Access::File { set, .. } => {
                let none = value.is_empty() || value == NO_FILE;
                set(settings, (!none).then(|| EvalFile::new(value)));
            }
            Access::Bool { set, .. } => match value.to_ascii_lowercase().as_str() {
                "true" => set(settings, true),
                "false" => set(settings, false),
                _ => return Err(ParamError::Bool { name, value: quote(value) }),
            },
            Access::Int { min, max, set, .. } => set(settings, integer(value, min, max).map_err(number)?),
            Access::Real { min, max, set, .. } => {
                let out = || NumberError::OutOfRange { text: quote(value), min, max };
                match real(value, max) {
                    Ok(read) if read >= min => set(settings, read),
                    Ok(_) | Err(NumberError::OutOfRange { .. }) => return Err(number(out())),
                    Err(fault) => return Err(number(fault)),
                }
            }
        }
        Ok(())
    }
}

/// The declarations of all parameters that are declared.
pub fn declarations(settings: &HubSettings) -> impl Iterator<Item = Declaration> {
    PARAMS.iter().filter(|param| param.declared).map(|param| param.declaration(settings))
}

/// Sets a parameter. Unknown names are swallowed: clients send what other engines know.
///
/// ```
/// use kroon::protocol::hub::params::{HubSettings, set};
/// let mut settings = HubSettings::default();
/// set(&mut settings, "tt-size", "24").unwrap();
/// assert_eq!(settings.options.hash_mb, 256);
/// set(&mut settings, "book-margin", "4").unwrap();
/// assert!(set(&mut settings, "threads", "many").unwrap_err().to_string().contains("many"));
/// ```
///
/// # Errors
/// When the value does not suit the parameter; the settings are unchanged.
pub fn set(settings: &mut HubSettings, name: &str, value: &str) -> Result<(), ParamError> {
    if let Some(knob) = knob(name) {
        let read = integer(value, knob.min.into(), knob.max.into());
        let value = read.map_err(|fault| ParamError::Number { name: knob.name, fault })?;
        (knob.set)(&mut settings.options.tuning, value as i32);
        return Ok(());
    }
    PARAMS.iter().find(|param| param.name == name).map_or(Ok(()), |param| param.read(settings, value))
}

/// Whether there is such a parameter, declared or not.
pub fn is_known(name: &str) -> bool {
    knob(name).is_some() || PARAMS.iter().any(|param| param.name == name)
}

/// A number of the search: `tune.` and its name. They are not declared, for they are nothing for a user.
fn knob(name: &str) -> Option<&'static Knob> {
    let name = name.strip_prefix("tune.")?;
    Tuning::KNOBS.iter().find(|knob| knob.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_values_can_be_sent_back() {
        let mut settings = HubSettings { ponder: true, ..HubSettings::default() };
        let before = settings.clone();
        for param in PARAMS {
            assert!(!param.help.is_empty());
            set(&mut settings, param.name, &param.declaration(&before).value).unwrap();
            assert_eq!(settings, before, "{}", param.name);
        }
    }

    #[test]
    fn the_clients_need_these_names_and_forms() {
        let lines: Vec<String> = declarations(&HubSettings::default()).map(|d| d.to_string()).collect();
        assert!(lines[0].starts_with("param name=variant value=normal type=enum values=\"normal "));
        assert!(lines.contains(&"param name=ponder value=false type=bool".to_owned()));
        assert!(!lines.iter().any(|line| line.contains("tt-size")));
        for line in lines {
            // Exactly one sign in every piece outside quotes, and name first.
            assert!(line.starts_with("param name="));
            assert!(!line.contains("\"\"") && !line.ends_with('='));
        }
    }

    #[test]
    fn ranges() {
        let mut settings = HubSettings::default();
        let before = settings.clone();
        for (name, value, message) in [
            ("threads", "0", "expected 1 to 256"),
            ("threads", "1e9", "expected 1 to 256"),
            ("threads", "", "\"\" is not a number"),
            ("hash", "65537", "expected 1 to 65536"),
            ("tt-size", "33", "expected 0 to 32"),
            ("move-overhead", "-0.1", "expected 0 to 10"),
            ("move-overhead", "11", "expected 0 to 10"),
            ("move-overhead", "nan", "not a number"),
            ("ponder", "maybe", "expected true or false"),
            ("variant", "chess", "unknown variant"),
            ("search", "magic", "expected one of: alphabeta, mcts"),
            ("mcts-selection", "", "expected one of: puct"),
            ("mcts-exploration", "101", "expected 0 to 100"),
            ("tune.probcut-share", "0", "expected 10 to 80"),
        ] {
            let error = set(&mut settings, name, value).unwrap_err().to_string();
            assert!(error.contains(message) && error.contains(name.trim_start_matches("tune.")), "{error}");
            assert_eq!(settings, before);
        }
        for (name, value) in [("book", "true"), ("bb-size", "4"), ("eval", "pst"), ("initial-time", "x")] {
            assert_eq!(set(&mut settings, name, value), Ok(()));
            assert_eq!(settings, before);
        }
    }

    #[test]
    fn forms_from_the_wild() {
        let mut settings = HubSettings::default();
        for (name, value) in [
            ("ponder", "True"),
            ("move-overhead", "0,05"),
            ("threads", "2.0"),
            ("tt-size", "10"),
            ("variant", "standard"),
        ] {
            set(&mut settings, name, value).unwrap();
        }
        set(&mut settings, "tune.probcut-share", "35").unwrap();
        assert_eq!(settings.options.tuning.probcut_share, 35);
        assert!(settings.ponder);
        assert_eq!(settings.options.move_overhead, Duration::from_millis(50));
        assert_eq!((settings.options.threads, settings.options.hash_mb), (2, 1));
    }
}
