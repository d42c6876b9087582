//! A training: games one after the other, tests between them, and the file.

use super::error::lock;
use super::games::{game_of, test};
use super::settings::MOST_POINTS;
use super::{LearnError, LearnSettings, Opponent, TestScore};
use crate::agents::Agent;
use crate::agents::learned::{
    FeatureQ, Knowledge, LearnedAgent, LearnedFile, LearnedHeader, LearnedKind, StateQ,
};
use crate::rules::VariantId;
use crate::seed;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Between two points of the curve the file is saved when so much time has passed.
const SAVE: Duration = Duration::from_secs(30);

/// Everything that decides what a learner learns.
#[derive(Clone, Debug)]
pub struct Training {
    /// The learner: one that plays.
    pub kind: LearnedKind,
    /// What is played.
    pub variant: VariantId,
    /// The parameters.
    pub settings: LearnSettings,
    /// Games to learn from.
    pub games: u64,
    /// Seed of all games.
    pub seed: u64,
    /// Whom it learns from.
    pub opponent: Opponent,
    /// Who plays the test games.
    pub curve_opponent: Opponent,
    /// A learned player of the same kind to go on with.
    pub from: Option<LearnedFile>,
    /// The network of `neural-q`, unless [`Training::from`] has it.
    pub prior: Option<LearnedFile>,
}

/// How far a training is.
#[derive(Clone, Debug)]
pub struct LearnProgress {
    /// Games learned from.
    pub games: u64,
    /// Games in all.
    pub planned: u64,
    /// Values or weights that were learned.
    pub values: usize,
    /// Test games, if this is a point of the curve.
    pub test: Option<TestScore>,
    /// Whether everything up to here is in the file.
    pub is_saved: bool,
    /// Time since this run began.
    pub time: Duration,
}

impl Training {
    /// The documented training of a learner ([`LearnSettings::of`]).
    ///
    /// # Errors
    /// When the kind is no player.
    pub fn new(kind: LearnedKind, variant: VariantId) -> Result<Training, LearnError> {
        if kind == LearnedKind::Prior {
            return Err(LearnError::Kind(kind));
        }
        let (games, opponent) = LearnSettings::defaults_of_games(kind);
        Ok(Training {
            kind,
            variant,
            settings: LearnSettings::of(kind),
            games,
            seed: 1,
            opponent: Opponent::new(opponent, variant)?,
            curve_opponent: Opponent::new("player=random", variant)?,
            from: None,
            prior: None,
        })
    }

    /// The header before the first game.
    fn header(&self) -> LearnedHeader {
        let mut used = self.settings.clone();
        if let Some(Knowledge::States(states)) = self.from.as_ref().map(|from| &*from.knowledge) {
            // What is gone on from has its own.
            used.start = states.start();
        }
        let mut settings = used.written(self.kind);
        settings.push(("opponent".to_owned(), self.opponent.what()));
        settings.push(("curve-opponent".to_owned(), self.curve_opponent.what()));
        LearnedHeader {
            variant: self.variant,
            settings,
            seed: self.seed,
            games: 0,
            planned: self.games,
            parent: self.from.as_ref().map(LearnedFile::checksum),
            prior: self.prior.as_ref().map(LearnedFile::checksum),
            curve: Vec::new(),
        }
    }

    /// What is known before the first game.
    fn knowledge(&self) -> Result<Arc<Knowledge>, LearnError> {
        let unfit = |what, file: &LearnedFile, wanted: LearnedKind| LearnError::Unfit {
            what,
            found: format!("{} in {} draughts", file.knowledge.kind(), file.header.variant),
            wanted: format!("{wanted} in {} draughts", self.variant),
        };
        if let Some(from) = &self.from {
            let fits = from.knowledge.kind() == self.kind && from.header.variant == self.variant;
            return if fits {
                Ok(from.knowledge.clone())
            } else {
                Err(unfit("what to go on from", from, self.kind))
            };
        }
        Ok(Arc::new(match self.kind {
            LearnedKind::NeuralQ => {
                let Some(prior) = &self.prior else {
                    return Ok(Arc::new(Knowledge::new(self.kind, self.variant)));
                };
                match &*prior.knowledge {
                    Knowledge::Prior(net) if prior.header.variant == self.variant => {
                        Knowledge::Features(FeatureQ::new(Some(net.clone())))
                    }
                    _ => return Err(unfit("the prior", prior, LearnedKind::Prior)),
                }
            }
            LearnedKind::StateQ => Knowledge::States(StateQ::new(self.settings.start)),
            kind => Knowledge::new(kind, self.variant),
        }))
    }

    /// Where the training stands: before its first game, or where an interrupted one saved it.
    fn begin(&self, out: Option<&Path>, resume: bool) -> Result<LearnedFile, LearnError> {
        let fresh = LearnedFile { header: self.header(), knowledge: self.knowledge()? };
        let every = self.settings.curve_every;
        if every > 0 && self.games / every > MOST_POINTS {
            let fault = format!(
                "curve-every {every}: {} games would make more than {MOST_POINTS} points",
                self.games
            );
            return Err(LearnError::Setting(fault));
        }
        let Some(path) = out else { return Ok(fresh) };
        if !path.exists() {
            // Whoever else begins a file of this name now is told that there is one.
            fresh.save(path)?;
            return Ok(fresh);
        }
        if !resume {
            return Err(LearnError::Exists(path.to_owned()));
        }
        let mut file = LearnedFile::open_for(path, self.kind, self.variant)?;
        same_training(path, &file.header, &fresh.header)?;
        let (path, found, wanted) = (path.to_owned(), file.header.games, self.games);
        if found > wanted {
            return Err(LearnError::Longer { path, found, wanted });
        }
        let is_finished = file.header.games >= file.header.planned;
        if self.games > file.header.games && is_finished && self.settings.least_visits > 1 {
            return Err(LearnError::Finished(path));
        }
        file.header.planned = self.games;
        if self.games > file.header.games && every > 0 {
            // The end of a shorter training has a point of its own.
            file.header.curve.retain(|point| point[0].is_multiple_of(every));
        }
        Ok(file)
    }
}

/// Whether a file belongs to a training, whatever its number of games.
pub(super) fn same_training(
    path: &Path,
    found: &LearnedHeader,
    wanted: &LearnedHeader,
) -> Result<(), LearnError> {
    let none = || "none".to_owned();
    let rows = |header: &LearnedHeader| {
        let mut rows = header.settings.clone();
        rows.push(("seed".to_owned(), header.seed.to_string()));
        rows.push(("parent".to_owned(), header.parent.clone().unwrap_or_else(none)));
        rows.push(("prior".to_owned(), header.prior.clone().unwrap_or_else(none)));
        rows
    };
    let (found, wanted) = (rows(found), rows(wanted));
    let value = |rows: &[(String, String)], name: &str| {
        rows.iter().find(|(row, _)| row == name).map_or_else(none, |(_, value)| value.clone())
    };
    let different = wanted.iter().chain(&found).find(|(name, _)| value(&found, name) != value(&wanted, name));
    let Some((name, _)) = different else { return Ok(()) };
    Err(LearnError::OtherTraining {
        path: path.to_owned(),
        what: name.clone(),
        found: value(&found, name),
        wanted: value(&wanted, name),
    })
}

/// Follows a training. With a path the learned player is saved there at every point of the curve, every half a minute
/// and at the end; with `resume`, what is there already is gone on with, so that a run that was killed ends with the
/// same bytes as one that was not. A longer training may go on from a shorter one, but for the finished file of a
/// [`LearnSettings::least_visits`].
///
/// # Errors
/// When a file cannot be used or written, or belongs to another training, or the weights leave all bounds.
pub fn learn(
    training: &Training,
    out: Option<&Path>,
    resume: bool,
    observer: &mut dyn FnMut(&LearnProgress),
) -> Result<LearnedFile, LearnError> {
    let start = Instant::now();
    let _lock = out.map(|path| lock(path, resume)).transpose()?;
    let mut file = training.begin(out, resume)?;
    let mut last_save = Instant::now();
    let mut opponent = training.opponent.agent()?;
    loop {
        let games = file.header.games;
        let point = test_here(training, &mut file)?;
        let is_last = games >= training.games;
        if is_last {
            Arc::make_mut(&mut file.knowledge).prune(training.settings.least_visits);
        }
        let is_due = is_last || point.is_some() || last_save.elapsed() >= SAVE;
        if is_due {
            if let Some(path) = out {
                file.save(path)?;
            }
            last_save = Instant::now();
            observer(&LearnProgress {
                games,
                planned: training.games,
                values: file.knowledge.len(),
                test: point,
                is_saved: out.is_some(),
                time: start.elapsed(),
            });
        }
        if is_last {
            return Ok(file);
        }
        one_game(training, &mut file, &mut *opponent)?;
    }
}

/// Learns from the next game.
fn one_game(training: &Training, file: &mut LearnedFile, opponent: &mut dyn Agent) -> Result<(), LearnError> {
    let number = file.header.games;
    // The agent is the only owner while it learns: nothing is copied.
    let knowledge = std::mem::replace(&mut file.knowledge, Arc::new(Knowledge::Boards(Vec::new())));
    let mut learner = LearnedAgent::new(knowledge);
    learner.set_lesson(Some(training.settings.lesson(number)));
    learner.new_game(seed::mix(training.seed, [number, 0]));
    opponent.new_game(seed::mix(training.seed, [number, 1]));
    let (limits, rules) = (training.opponent.limits(), training.settings.game_rules());
    game_of(training.variant, &mut learner, opponent, limits, number, rules);
    file.knowledge = learner.into_knowledge();
    file.header.games += 1;
    if matches!(&*file.knowledge, Knowledge::Features(features) if !features.is_sound()) {
        return Err(LearnError::Diverged { game: number + 1 });
    }
    Ok(())
}

/// Plays the test games that are due after so many games, unless the curve has them.
fn test_here(training: &Training, file: &mut LearnedFile) -> Result<Option<TestScore>, LearnError> {
    let (every, games) = (training.settings.curve_every, file.header.games);
    let is_due = every > 0 && (games.is_multiple_of(every) || games >= training.games);
    if !is_due || file.header.curve.last().is_some_and(|point| point[0] >= games) {
        return Ok(None);
    }
    // Other games than those learned from, and the same at every point.
    let seed = seed::mix(training.seed, [u64::MAX]);
    let rules = training.settings.game_rules();
    let scores = test(
        training.variant,
        &file.knowledge,
        &training.curve_opponent,
        training.settings.curve_games,
        seed,
        rules,
    )?;
    let TestScore { won, drawn, lost } = scores[0].and(scores[1]);
    file.header.curve.push([games, won, drawn, lost]);
    Ok(Some(TestScore { won, drawn, lost }))
}
