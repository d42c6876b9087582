//! The options of the engine. What they are called and which values they take is in the rows beside this file.

use super::Mode;
use super::registry::OptionError;
use crate::agents::{Agent, AgentError, AgentKind, AgentOptions};
use crate::eval::{EvalFile, EvalFileError, Evaluation, EvaluationKind};
use crate::levels::{self, Strength};
use crate::rules::VariantId;
use crate::search::alphabeta::{Knob, Tuning};
use crate::search::mcts::Params;
use crate::tablebase::Material;
use crate::words::number::integer;
use crate::words::{quote, words};
use std::path::PathBuf;
use std::time::Duration;
use thiserror::Error;

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

/// Why the options cannot be followed in a variant.
#[derive(Clone, Debug, Error)]
pub enum OptionsError {
    /// The file of weights.
    #[error(transparent)]
    Evaluation(#[from] EvalFileError),
    /// The player.
    #[error(transparent)]
    Player(#[from] AgentError),
}

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
    /// The folders of the endgame tables, as a path list; none: the default ([`crate::tablebase::folders`]).
    pub tables: Option<String>,
    /// Endgame tables are used for positions with at most so many pieces; 0: none.
    pub bb_size: u8,
    /// Whether moves of the opening book are played.
    pub book: bool,
    /// The book; none: the one in the program.
    pub book_file: Option<PathBuf>,
    /// The plies of a game in which a move of the book may be worse than its best one.
    pub book_ply: u32,
    /// By how much, in centi-men.
    pub book_margin: i32,
    /// How much worse than the best a move may be to be played for variety's sake, in centi-men; 0: always the best.
    pub variety: i32,
    /// Where the choices of the book, of `variety` and of agents come from; none: somewhere else in every engine. The tree search has
    /// a seed of its own.
    pub seed: Option<u64>,
    /// Who chooses the moves in place of the engine; none: the engine.
    pub player: Option<AgentKind>,
    /// Settings of the player.
    pub agent: AgentOptions,
    /// Which search answers.
    pub search: SearchKind,
    /// Strength for people, 1 to [`levels::MOST`]; 0: full. It decides how moves are found and needs no limits; analyses
    /// are not made weaker.
    pub level: u8,
    /// The same as a number between the levels, for measuring them: it goes before `level`.
    pub skill: Option<f64>,
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
            tables: None,
            bb_size: Material::MOST_PIECES,
            book: false,
            book_file: None,
            book_ply: 4,
            book_margin: 4,
            variety: 0,
            seed: None,
            player: None,
            agent: AgentOptions::default(),
            search: SearchKind::default(),
            level: 0,
            skill: None,
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
    /// Largest `book_ply`.
    pub const MAX_BOOK_PLY: u32 = 1000;
    /// Largest `book_margin`, in centi-men.
    pub const MAX_BOOK_MARGIN: i32 = 100;
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

    /// Whether they can be followed in a variant.
    ///
    /// # Errors
    /// When the file of weights or that of the player cannot be used for it.
    pub fn check(&self, variant: VariantId) -> Result<(), OptionsError> {
        self.faults(variant).into_iter().next().map_or(Ok(()), Err)
    }

    /// Everything because of which they cannot be followed in a variant: the file of weights, that of the player.
    pub fn faults(&self, variant: VariantId) -> Vec<OptionsError> {
        let weights = self.evaluation_of(variant).err().map(OptionsError::from);
        let player = self.agent_for(variant).err().map(OptionsError::from);
        weights.into_iter().chain(player).collect()
    }

    /// A new player, if one plays in place of the engine.
    ///
    /// # Errors
    /// When its settings do not fit it or the variant.
    pub fn agent_for(&self, variant: VariantId) -> Result<Option<Box<dyn Agent>>, AgentError> {
        self.player.map(|kind| kind.build(&self.agent, variant)).transpose()
    }

    /// Who plays this variant in the place of the full search, if anybody.
    pub fn strength(&self, variant: VariantId) -> Option<Strength> {
        let of_level = (self.level > 0).then(|| levels::skill(variant, self.level));
        self.skill.or(of_level).map(Strength::of)
    }

    /// Whether a person of a level or skill plays, who errs by chance; the highest levels are a search, and do not.
    pub fn errs(&self, variant: VariantId) -> bool {
        matches!(self.strength(variant), Some(Strength::Person(_)))
    }

    /// Whether a search goes on until it is stopped if nothing limits it: players and levels know when they have thought
    /// enough.
    pub fn needs_limit(&self, mode: Mode) -> bool {
        let has_level = self.level > 0 || self.skill.is_some();
        self.player.is_none() && (!has_level || mode == Mode::Analyze)
    }

    /// The search and, if it is the tree search, its options but the seed, as `NAME=VALUE`: what a game depends on.
    ///
    /// ```
    /// use kroon::engine::Options;
    /// let mut options = Options::default();
    /// assert_eq!(options.search_text(), "search=alphabeta");
    /// options.set("search", "mcts")?;
    /// options.set("mcts-leaf", "eval")?;
    /// assert!(options.search_text().contains(" mcts-leaf=eval "));
    /// # Ok::<(), kroon::engine::registry::OptionError>(())
    /// ```
    pub fn search_text(&self) -> String {
        let is_told = |name: &str| match self.search {
            SearchKind::AlphaBeta => name == "search",
            SearchKind::Mcts => name == "search" || name.starts_with("mcts-") && name != "mcts-seed",
        };
        let rows = Options::ROWS.iter().filter(|row| is_told(row.name));
        rows.map(|row| format!("{}={}", row.name, row.value(self))).collect::<Vec<_>>().join(" ")
    }

    /// The same with every number brought into its range.
    pub(super) fn clamped(self) -> Options {
        Options {
            threads: self.threads.clamp(1, Self::MAX_THREADS),
            hash_mb: self.hash_mb.clamp(1, Self::MAX_HASH_MB),
            multipv: self.multipv.clamp(1, Self::MAX_MULTIPV),
            bb_size: self.bb_size.min(Material::MOST_PIECES),
            book_ply: self.book_ply.min(Self::MAX_BOOK_PLY),
            book_margin: self.book_margin.clamp(0, Self::MAX_BOOK_MARGIN),
            variety: self.variety.clamp(0, Self::MAX_VARIETY),
            level: self.level.min(levels::MOST),
            skill: self.skill.map(|skill| skill.clamp(*levels::RANGE.start(), *levels::RANGE.end())),
            mcts: self.mcts.clamped(),
            ..self
        }
    }
}

/// Numbers of the alpha-beta search are options with this before their name. They have no rows of their own: they are
/// for tuning and its matches, and come and go with versions.
const TUNING: &str = "tune.";

impl Options {
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
            let value = read.map_err(|fault| OptionError::Number { name: name.to_owned().into(), fault })?;
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
    use crate::engine::registry::OptionKind;

    #[test]
    fn every_value_can_be_sent_back_and_every_option_has_its_own_place() {
        let default = Options::default();
        for row in Options::ROWS {
            let mut options = default.clone();
            options.set(row.name, &row.value(&default).to_string()).unwrap();
            assert_eq!(options, default, "{}", row.name);
            let other = match row.kind {
                OptionKind::Bool { get, .. } => (!get(&default)).to_string(),
                OptionKind::Int { max, .. } | OptionKind::IntOrDefault { max, .. } => max.to_string(),
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
