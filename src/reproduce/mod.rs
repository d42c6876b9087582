//! Repeating the experiments of the literature: the players of [`crate::agents`] in the pairings of the texts, and what
//! their games say about what was published.
//!
//! | experiment | source | what is repeated |
//! |---|---|---|
//! | `ai-for-draught` | "AI for Draught", course report, ShanghaiTech CS181 | its tables: six players against `random` and `mcts`, moving first and second |
//! | `draughts-ai` | "Draughts AI", T. Le Minh, M. Drouard | its way to compare evaluations and searches, by matches with random moves; nothing was published |
//! | `checkers-rl` | "Checkers with reinforcement learning" | the learning curve of the state-abstraction learner |
//! | `nogo-mcts` | a report on a NoGo program | its four additions to tree search, one by one; the numbers are lost |
//!
//! Every pairing is a match with a results file, so that an experiment that was interrupted or killed goes on, and an
//! experiment is a function of its settings where no player is limited by time.

mod ai_for_draught;
mod checkers_rl;
mod draughts_ai;
mod learners;
mod nogo_mcts;
mod page;
mod report;
mod share;
mod stage;
mod text;

pub use page::page;
pub use report::{Claim, Games, Report, Row, Table, Verdict};
pub use share::{Share, difference_of_sums};
pub use text::{json, text};

use crate::arena::adjudicate::Blocked;
use crate::arena::cancel::Cancel;
use crate::arena::engines::UnfitEngine;
use crate::arena::openings::OpeningsError;
use crate::arena::run::MatchError;
use crate::arena::spec::SpecError;
use crate::arena::store::StoreError;
use crate::files::write_whole;
use crate::learn::LearnError;
use crate::words::words;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;

/// Which experiment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Experiment {
    /// The tables of "AI for Draught".
    AiForDraught,
    /// The comparisons of "Draughts AI".
    DraughtsAi,
    /// The learning curve of "Checkers with reinforcement learning".
    CheckersRl,
    /// The four additions of a NoGo program.
    NogoMcts,
}

words!(Experiment { AiForDraught => "ai-for-draught", DraughtsAi => "draughts-ai", CheckersRl => "checkers-rl", NogoMcts => "nogo-mcts" });

impl Experiment {
    /// All of them.
    pub const ALL: [Experiment; 4] =
        [Experiment::AiForDraught, Experiment::DraughtsAi, Experiment::CheckersRl, Experiment::NogoMcts];
}

/// How an experiment is played.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// Games of each pairing with each side; none: as many as the experiment takes by default.
    pub games: Option<usize>,
    /// Where all random numbers come from.
    pub seed: u64,
    /// Where the games, the learned players and the report go: a folder of its own for each experiment below this one.
    pub folder: PathBuf,
    /// Games that each learner learns from; none: as many as are documented.
    pub training: Option<u64>,
    /// Seconds for a move in `nogo-mcts`.
    pub move_time: Duration,
    /// Games at the same time.
    pub concurrency: usize,
    /// What a blocked side gets in `ai-for-draught`, whose text leaves it open.
    pub blocked: Blocked,
    /// Whether to go on with games that another version of this program began.
    pub force: bool,
}

/// What is going on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress<'a> {
    /// A pairing begins: its name, its number from 1, and how many there are.
    Stage {
        /// Its name.
        name: &'a str,
        /// Its number, from 1.
        number: usize,
        /// How many there are.
        of: usize,
    },
    /// A learner has learned from so many games.
    Learning {
        /// Its name.
        name: &'a str,
        /// Games learned from.
        played: u64,
        /// All games.
        all: u64,
    },
    /// So many games of the pairing are played.
    Games {
        /// Games played.
        played: usize,
        /// All games.
        all: usize,
    },
}

impl From<StoreError> for ReproduceError {
    fn from(error: StoreError) -> ReproduceError {
        match error {
            StoreError::OtherMatch { path, what, .. } => ReproduceError::OtherSettings { path, what },
            error => ReproduceError::Store(error),
        }
    }
}

impl From<LearnError> for ReproduceError {
    fn from(error: LearnError) -> ReproduceError {
        match error {
            LearnError::OtherTraining { .. } | LearnError::Longer { .. } | LearnError::Made { .. } => {
                ReproduceError::OtherLearner(error)
            }
            LearnError::Finished(path) => ReproduceError::FinishedLearner(path),
            error => ReproduceError::Learn(error),
        }
    }
}

/// Why an experiment came to no end.
#[derive(Debug, Error)]
pub enum ReproduceError {
    /// A player that cannot be made from its description: a fault in this program.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A player that cannot play.
    #[error(transparent)]
    Unfit(#[from] UnfitEngine),
    /// The games cannot be kept, or another program has played some of them.
    #[error(transparent)]
    Store(StoreError),
    /// The games in the folder were played with other settings.
    #[error(
        "\"{path}\" was played with other settings ({what}); choose another folder with --out, or give those of then"
    )]
    OtherSettings {
        /// The file.
        path: String,
        /// What is different.
        what: String,
    },
    /// A folder that engine descriptions cannot name.
    #[error("{0:?} has a double quote in it: choose another folder with --out")]
    QuotedFolder(PathBuf),
    /// A match broke off.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// There are other games in the folder: most often more of them.
    #[error("{path:?}: {source}; choose another folder with --out, or play as many games as it has")]
    OtherGames {
        /// The file.
        path: PathBuf,
        /// The first of them.
        source: Box<MatchError>,
    },
    /// A learner cannot be trained.
    #[error(transparent)]
    Learn(LearnError),
    /// What is in the folder was learned with other settings.
    #[error("{0}; choose another folder with --out, or remove this file")]
    OtherLearner(LearnError),
    /// A learner is finished and cannot learn from more games.
    #[error(
        "{0:?} has learned from another number of games and cannot go on; choose another folder with --out, or remove this file"
    )]
    FinishedLearner(PathBuf),
    /// No openings.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// A file or folder cannot be written.
    #[error("cannot write \"{path}\": {source}")]
    Write {
        /// The file.
        path: String,
        /// Why not.
        source: io::Error,
    },
    /// It was stopped.
    #[error("interrupted; the same command goes on with the games in the folder")]
    Interrupted,
}

/// Plays the experiment, or what is missing of it, and writes `report.html` and `report.json` beside its games.
///
/// # Errors
/// See [`ReproduceError`]; the games played before are kept.
pub fn run(
    experiment: Experiment,
    settings: &Settings,
    cancel: &Cancel,
    watch: &mut dyn FnMut(Progress<'_>),
) -> Result<Report, ReproduceError> {
    let folder = settings.folder.join(experiment.name());
    if folder.to_string_lossy().contains('"') {
        return Err(ReproduceError::QuotedFolder(folder));
    }
    let write = |path: &Path, source| ReproduceError::Write { path: path.display().to_string(), source };
    fs::create_dir_all(&folder).map_err(|error| write(&folder, error))?;
    let settings = Settings { folder, ..settings.clone() };
    let report = match experiment {
        Experiment::AiForDraught => ai_for_draught::run(&settings, cancel, watch),
        Experiment::DraughtsAi => draughts_ai::run(&settings, cancel, watch),
        Experiment::CheckersRl => checkers_rl::run(&settings, watch),
        Experiment::NogoMcts => nogo_mcts::run(&settings, cancel, watch),
    }?;
    for (name, text) in [("report.html", page(&report)), ("report.json", json(&report))] {
        let path = settings.folder.join(name);
        write_whole(&path, |file| file.write_all(text.as_bytes())).map_err(|error| write(&path, error))?;
    }
    Ok(report)
}

/// Plays stages one after another.
fn play_all(
    stages: &[stage::Stage],
    settings: &Settings,
    cancel: &Cancel,
    watch: &mut dyn FnMut(Progress<'_>),
) -> Result<Vec<stage::StageResult>, ReproduceError> {
    let mut results = Vec::new();
    for (index, stage) in stages.iter().enumerate() {
        watch(Progress::Stage { name: &stage.name, number: index + 1, of: stages.len() });
        results.push(stage.play(settings, cancel, watch)?);
    }
    Ok(results)
}
