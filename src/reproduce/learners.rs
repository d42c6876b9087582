//! The learned players of an experiment: trained where their file is missing or not finished.

use super::{Progress, ReproduceError, Settings};
use crate::agents::learned::{LearnedFile, LearnedKind};
use crate::learn::{LearnProgress, MOST_POINTS, PriorProgress, PriorTraining, Training, learn, learn_prior};
use crate::rules::VariantId;
use std::path::{Path, PathBuf};

/// Trains the learner of a training, or goes on where a run before was interrupted; gives the file and what it holds.
pub(super) fn trained(
    training: Training,
    settings: &Settings,
    watch: &mut dyn FnMut(Progress<'_>),
) -> Result<(PathBuf, LearnedFile), ReproduceError> {
    let mut training =
        Training { games: settings.training.unwrap_or(training.games), seed: settings.seed, ..training };
    let every = &mut training.settings.curve_every;
    if *every > 0 {
        *every = curve_every(*every, training.games);
    }
    let name = training.kind.name();
    let path = settings.folder.join(format!("{name}.learned"));
    let observer = &mut |progress: &LearnProgress| {
        watch(Progress::Learning { name, played: progress.games, all: progress.planned });
    };
    let file = learn(&training, Some(&path), true, observer)?;
    Ok((path, file))
}

/// Games between two points of a learning curve: as many as documented, or more where there would be too many points.
pub(super) fn curve_every(documented: u64, games: u64) -> u64 {
    documented.max(games.div_ceil(MOST_POINTS))
}

/// Games of minimax against itself for the network; the text leaves their number open.
const PRIOR_GAMES: u64 = 300;

/// As many that some are won: a draw labels no board.
const LEAST_PRIOR_GAMES: u64 = 20;

/// The games that the network of `neural-q` is made from.
pub(super) fn prior_games(settings: &Settings) -> u64 {
    settings.training.map_or(PRIOR_GAMES, |games| games.clamp(LEAST_PRIOR_GAMES, PRIOR_GAMES))
}

/// The network of `neural-q`, trained where its file is missing.
pub(super) fn prior(
    variant: VariantId,
    settings: &Settings,
    watch: &mut dyn FnMut(Progress<'_>),
) -> Result<LearnedFile, ReproduceError> {
    let games = prior_games(settings);
    let training = PriorTraining { games, seed: settings.seed, ..PriorTraining::new(variant) };
    let path = settings.folder.join("prior.learned");
    let (sender, progress) = crossbeam::channel::unbounded();
    let observer = &mut |progress: &PriorProgress| {
        if let PriorProgress::Games { games, planned, .. } = *progress {
            let _ = sender.send((games, planned));
        }
    };
    watch(Progress::Learning { name: "prior", played: 0, all: games });
    let file = learn_prior(&training, Some(&path), true, observer)?;
    if let Some((played, all)) = progress.try_iter().last() {
        watch(Progress::Learning { name: "prior", played, all });
    }
    Ok(file)
}

/// A match's words for the player with this file.
pub(super) fn player(kind: LearnedKind, file: &Path) -> String {
    format!("player={} file=\"{}\"", kind.name(), file.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_has_no_more_points_than_a_training_may_have() {
        assert_eq!([1, 100, 100_000].map(|games| curve_every(100, games)), [100; 3]);
        assert_eq!(curve_every(100, 200_000), 200);
        assert!([100_001, 1_234_567].iter().all(|&games| games / curve_every(100, games) <= MOST_POINTS));
    }
}
