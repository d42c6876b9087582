//! Trainings in small: they teach, they repeat, they survive interruptions, they keep to their own files.

use super::*;
use crate::agents::learned::{Knowledge, LearnedFile, LearnedKind};
use crate::rules::VariantId;
use crate::rules::VariantId::{Breakthrough, English};
use std::path::Path;

fn small(kind: LearnedKind, variant: VariantId, games: u64) -> Training {
    let settings = LearnSettings { curve_every: 4, curve_games: 6, ..LearnSettings::of(kind) };
    let opponent = Opponent::new("player=random", variant).unwrap();
    Training { settings, opponent, games, ..Training::new(kind, variant).unwrap() }
}

fn run(training: &Training, out: Option<&Path>, resume: bool) -> Result<LearnedFile, LearnError> {
    learn(training, out, resume, &mut |_| ())
}

#[test]
fn an_interruption_changes_no_byte() {
    let folder = tempfile::tempdir().unwrap();
    for kind in LearnedKind::PLAYERS {
        let whole = run(&small(kind, Breakthrough, 10), None, false).unwrap().to_bytes().unwrap();
        let path = folder.path().join(kind.name());
        // Ended after 7 games, which a point of the curve follows; then as far as the first, then again.
        run(&small(kind, Breakthrough, 7), Some(&path), false).unwrap();
        run(&small(kind, Breakthrough, 10), Some(&path), true).unwrap();
        assert!(std::fs::read(&path).unwrap() == whole, "{kind}");
        run(&small(kind, Breakthrough, 10), Some(&path), true).unwrap();
        assert!(std::fs::read(&path).unwrap() == whole, "{kind}");
        let other = Training { seed: 2, ..small(kind, Breakthrough, 10) };
        assert!(run(&other, None, false).unwrap().to_bytes().unwrap() != whole, "{kind}");
    }
}

#[test]
fn what_is_reported_as_saved_is_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.learned");
    let mut saved = Vec::new();
    learn(&small(LearnedKind::QLearning, Breakthrough, 10), Some(&path), false, &mut |progress| {
        assert!(progress.is_saved);
        let file = LearnedFile::open(&path).unwrap();
        assert_eq!((file.header.games, file.knowledge.len()), (progress.games, progress.values));
        saved.push(progress.games);
    })
    .unwrap();
    assert_eq!(saved, [0, 4, 8, 10]);
}

#[test]
fn a_file_is_gone_on_with_by_its_own_training_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.learned");
    let training = small(LearnedKind::QLearning, Breakthrough, 5);
    let first = run(&training, Some(&path), false).unwrap();
    let fault = |training: &Training, resume| run(training, Some(&path), resume).unwrap_err().to_string();
    assert!(fault(&training, false).contains("is there already: go on with --resume"));
    let other =
        Training { settings: LearnSettings { alpha: 0.2, ..training.settings.clone() }, ..training.clone() };
    assert!(
        fault(&other, true).contains("of another training: its alpha is 0.4, not 0.2"),
        "{}",
        fault(&other, true)
    );
    let fewer = Training { games: 3, ..training.clone() };
    assert!(fault(&fewer, true).contains("has learned from 5 games already, more than 3"));
    let other = Training { seed: 9, ..training.clone() };
    assert!(fault(&other, true).contains("its seed is 1, not 9"));
    let other =
        Training { opponent: Opponent::new("player=greedy", Breakthrough).unwrap(), ..training.clone() };
    assert!(fault(&other, true).contains("its opponent is player=random, not player=greedy"));
    let child = Training { from: Some(first.clone()), ..training.clone() };
    assert!(fault(&child, true).contains(&format!("its parent is none, not {}", first.checksum())));
    assert!(fault(&small(LearnedKind::StateQ, Breakthrough, 5), true).contains("a file of q-learning"));
    // Its child knows more than it does, and names it.
    let learned = run(&child, None, false).unwrap();
    assert_eq!(learned.header.parent, Some(first.checksum()));
    assert!(learned.knowledge.len() > first.knowledge.len());
    let child = Training { from: Some(first), ..small(LearnedKind::StateQ, Breakthrough, 5) };
    let error = run(&child, None, false).unwrap_err().to_string();
    assert!(error.contains("q-learning in breakthrough draughts, expected state-q"), "{error}");
    // The first value of a parent is that of its child, whatever the settings say.
    let parent = run(&small(LearnedKind::StateQ, Breakthrough, 5), None, false).unwrap();
    let mut child = Training { from: Some(parent.clone()), ..small(LearnedKind::StateQ, Breakthrough, 5) };
    child.settings.start = 0.0;
    let start = |file: &LearnedFile| {
        file.header.settings.iter().find_map(|(name, value)| (name == "start").then(|| value.clone()))
    };
    let learned = run(&child, None, false).unwrap();
    assert_eq!((start(&learned), start(&parent)), (Some("10".to_owned()), Some("10".to_owned())));
    // What was seen once is left out in the end, and cannot be gone on without.
    let pruned =
        Training { settings: LearnSettings { least_visits: 2, ..training.settings.clone() }, ..training };
    let path = folder.path().join("b.learned");
    let few = run(&pruned, Some(&path), false).unwrap();
    assert!((1..learned.knowledge.len()).contains(&few.knowledge.len()), "{}", few.knowledge.len());
    let longer = Training { games: 9, ..pruned };
    let error = run(&longer, Some(&path), true).unwrap_err().to_string();
    assert!(error.contains("is finished and cannot go on"), "{error}");
}

/// Against a random opponent, in English draughts: better than before by two standard deviations, in 300 test games.
#[test]
fn learning_helps() {
    let kind = LearnedKind::ApproximateQ;
    let training = Training {
        settings: LearnSettings { curve_every: 0, ..LearnSettings::of(kind) },
        ..small(kind, English, 100)
    };
    let rules = training.settings.game_rules();
    let rate = |training: &Training| {
        let learned = run(training, None, false).unwrap();
        let scores = test(English, &learned.knowledge, &training.opponent, 300, 7, rules).unwrap();
        scores[0].and(scores[1]).rate()
    };
    let (before, after) = (rate(&Training { games: 0, ..training.clone() }), rate(&training));
    let sigma = ((before * (1.0 - before) + after * (1.0 - after)) / 300.0).sqrt();
    assert!(after - before > 2.0 * sigma, "{before} {after} {sigma}");
}

#[test]
fn plain_steps_that_leave_all_bounds_are_an_error() {
    let kind = LearnedKind::ApproximateQ;
    let step = crate::agents::learned::StepKind::Plain;
    let training = Training {
        settings: LearnSettings { alpha: 0.05, step, curve_every: 0, ..LearnSettings::of(kind) },
        ..small(kind, English, 200)
    };
    let error = run(&training, None, false).unwrap_err().to_string();
    assert!(error.starts_with("the weights left all bounds in game "), "{error}");
}

#[test]
fn a_prior_learns_whose_boards_win_and_survives_interruptions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.learned");
    let settings = PriorSettings { depth: 1, passes: 6, rate: 0.01, ..PriorSettings::default() };
    let training = |games| PriorTraining { settings: settings.clone(), games, ..PriorTraining::new(English) };
    let mut losses = Vec::new();
    let whole = learn_prior(&training(48), None, false, &mut |progress| {
        if let PriorProgress::Pass { loss, .. } = progress {
            losses.push(*loss);
        }
    });
    let whole = whole.unwrap();
    assert!(losses[0] > 0.8 && losses[5] < losses[0] - 0.1, "{losses:?}");
    // Interrupted while games are played: the boards of 16 or 32 games are in the file.
    let interrupted = std::panic::catch_unwind(|| {
        learn_prior(&training(48), Some(&path), false, &mut |progress| {
            assert!(!matches!(progress, PriorProgress::Games { games: 32.., .. }), "that is enough");
        })
    });
    assert!(interrupted.is_err());
    let boards = LearnedFile::open(&path).unwrap();
    assert!(matches!(&*boards.knowledge, Knowledge::Boards(boards) if !boards.is_empty()));
    assert!(LearnedFile::open_for(&path, LearnedKind::Prior, English).is_err());
    let error = learn_prior(&training(8), Some(&path), true, &mut |_| ()).unwrap_err();
    assert!(matches!(error, LearnError::Longer { wanted: 8, .. }), "{error}");
    learn_prior(&training(48), Some(&path), true, &mut |_| ()).unwrap();
    assert!(std::fs::read(&path).unwrap() == whole.to_bytes().unwrap());
    let error = learn_prior(&training(64), Some(&path), true, &mut |_| ()).unwrap_err().to_string();
    assert!(error.contains("made from 48 games, not 64"), "{error}");

    // It gives the player neural-q two features, and is a part of its file.
    let mut neural = small(LearnedKind::NeuralQ, English, 2);
    neural.prior = Some(whole.clone());
    let learned = run(&neural, None, false).unwrap();
    let Knowledge::Features(features) = &*learned.knowledge else { panic!() };
    assert_eq!(features.weights().len(), 10);
    assert!(matches!(&*whole.knowledge, Knowledge::Prior(net) if Some(net) == features.prior()));
    assert_eq!(learned.header.prior, Some(whole.checksum()));
    let other = Training { prior: Some(whole), ..small(LearnedKind::NeuralQ, VariantId::Russian, 2) };
    assert!(run(&other, None, false).unwrap_err().to_string().contains("the prior is for prior in english"));
}

#[test]
fn opponents_are_checked() {
    let fault = |text: &str| Opponent::new(text, English).unwrap_err().to_string();
    assert!(fault("player=nobody").contains("\"nobody\""));
    assert!(fault("proto=hub cmd=x").contains("proto=kroon"));
    assert!(fault("player=engine depth=1").contains("player of the literature"));
    assert!(fault("player=random tc=60").contains("time would make"));
    assert!(fault("colour=red").starts_with("opponent \"colour=red\": "));
    assert!(Training::new(LearnedKind::Prior, English).is_err());
    let mut training = small(LearnedKind::QLearning, English, 5000);
    training.settings.curve_every = 1;
    assert!(run(&training, None, false).unwrap_err().to_string().contains("more than 1000 points"));
}
