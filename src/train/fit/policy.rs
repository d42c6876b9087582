//! Fitting the policy: which of the legal moves the search has found best.

use super::batches::{Batches, Keyed};
use super::checkpoint::{self, SettingsKey};
use super::model::mean;
use super::passes::{Learner, Pass, passes};
use super::policy_net::{Choice, PolicyNet};
use super::sample::is_quiet;
use super::{Checkpoint, FitError, FitSettings, LEARNING};
use crate::board::Key;
use crate::eval::learned::Learned;
use crate::eval::policy::{Policy, estimate_centi, move_inputs, piece_rows};
use crate::for_variant;
use crate::rules::{Variant, play};
use crate::search::QuietSearch;
use crate::svg::plot::{Calibration, calibration};
use crate::train::calibration::{Bucket, Buckets};
use crate::train::record::{RecordError, SelfplayGame, canonical_moves};
use std::io;
use std::path::Path;
use std::time::Duration;

/// What a pass over the games has shown.
#[derive(Clone, Debug)]
pub struct PolicyReport {
    /// Which pass, from 1.
    pub epoch: u32,
    /// Positions seen in it.
    pub positions: u64,
    /// Mean loss before each step, in bits; of the finished policy, if nothing was left to learn.
    pub loss: f64,
    /// What it says of the games held out; none if so few games have no such beginning.
    pub held_out: Option<HeldOut>,
    /// Time since the beginning.
    pub time: Duration,
    /// Predicted chances of moves in quiet positions of the games held out, and the share of those that the search chose, or of
    /// its visits that they had.
    pub calibration: Vec<Bucket<1>>,
}

/// What a policy says of games that it has not seen.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HeldOut {
    /// Mean loss in bits, all positions.
    pub loss: f64,
    /// Share of the quiet positions in which the best move is its first.
    pub first: f64,
    /// Share of the quiet positions in which the best move is among its first three.
    pub three: f64,
    /// Quiet positions.
    pub quiet: u64,
}

/// Fits a policy for these weights, which must be of the same variant, to the games in `folder` and shows each pass to
/// `observer`; otherwise as [`fit`](super::fit). What is learned are the moves that searches chose, or how tree searches
/// spread their visits: `result_share` is of no meaning.
///
/// # Errors
/// When the games or the checkpoint cannot be read or written.
pub fn fit_policy(
    settings: &FitSettings,
    weights: &Learned,
    folder: &Path,
    checkpoint: Option<Checkpoint<'_>>,
    observer: &mut dyn FnMut(&PolicyReport),
) -> Result<Policy, FitError> {
    let empty = || FitError::Empty { path: folder.to_owned(), variant: settings.variant };
    if Batches::open(settings.variant, folder)?.is_empty() {
        return Err(empty());
    }
    let mut model = PolicyModel::new(settings, weights);
    let mut positions = 0;
    passes(&mut model, settings, folder, checkpoint, &mut |pass| {
        positions = pass.positions;
        observer(&report(&pass));
    })?;
    if positions > 0 { Ok(model.net.export()) } else { Err(empty()) }
}

/// A position with a choice.
#[derive(Clone, Debug)]
pub struct PolicySample {
    key: Key,
    choice: Choice,
    /// Whether neither side could capture.
    quiet: bool,
}

impl Keyed for PolicySample {
    fn key(&self) -> Key {
        self.key
    }
}

impl PolicySample {
    /// The positions of a game in which a search chose between moves, with what these weights say of those after the
    /// moves.
    fn of_game<V: Variant>(game: &SelfplayGame, weights: &Learned) -> Result<Vec<PolicySample>, RecordError> {
        let board = const { V::RULES.board };
        let mut quiet = QuietSearch::<V, _>::new(weights);
        let mut samples = Vec::new();
        game.replay(V::ID, |ply, position, played| {
            if played.score.is_none() || ply < game.random_plies.into() {
                return;
            }
            let moves = canonical_moves(V::ID, position);
            if moves.len() < 2 || usize::from(played.index) >= moves.len() {
                return;
            }
            let chosen = || (0..moves.len()).map(|i| f32::from(i == usize::from(played.index))).collect();
            let targets = played.visits.targets(moves.len()).unwrap_or_else(chosen);
            let estimates: Vec<_> = moves.iter().map(|&mv| -quiet.value(&play::<V>(position, mv))).collect();
            let inputs = |(&mv, &estimate)| move_inputs(board, position, mv, estimate, &estimates);
            samples.push(PolicySample {
                key: position.key(),
                choice: Choice {
                    rows: piece_rows(board, position).map(|row| row as u8).collect(),
                    moves: moves.iter().zip(&estimates).map(inputs).collect(),
                    estimates: estimates.iter().map(|&score| estimate_centi(score) as f32 / 100.0).collect(),
                    targets: targets.into(),
                },
                quiet: is_quiet::<V>(position),
            });
        })?;
        Ok(samples)
    }
}

/// What is learned.
#[derive(Debug)]
struct PolicyModel<'a> {
    settings: SettingsKey,
    weights: &'a Learned,
    net: PolicyNet,
}

impl<'a> PolicyModel<'a> {
    fn new(settings: &FitSettings, weights: &'a Learned) -> PolicyModel<'a> {
        let FitSettings { variant, epochs, rate, result_share: _, seed, blocks: _, keep: _, scale: _ } =
            *settings;
        let settings =
            format!("policy {LEARNING} {} {} {epochs} {rate} {seed}", variant.name(), weights.checksum());
        PolicyModel { settings: SettingsKey::of(&settings), weights, net: PolicyNet::new(seed) }
    }
}

impl Learner for PolicyModel<'_> {
    type Sample = PolicySample;

    const SETTINGS: &'static str =
        "program's policies with these weights, variant, seed, rate, number of passes and games";

    fn read(&self, game: &SelfplayGame) -> Result<Vec<PolicySample>, RecordError> {
        for_variant!(self.weights.variant(), V => PolicySample::of_game::<V>(game, self.weights))
    }

    fn learn(&mut self, samples: &[PolicySample], rate: f32) -> f64 {
        let choices: Vec<&Choice> = samples.iter().map(|sample| &sample.choice).collect();
        self.net.learn(&choices, rate)
    }

    fn mean_loss(&self, samples: &[PolicySample]) -> Option<f64> {
        mean(samples, |sample| sample.choice.loss(&self.net.chances(&sample.choice)))
    }

    fn key(&self) -> SettingsKey {
        self.settings
    }

    fn state(&self, passes: u32, key: SettingsKey) -> io::Result<Vec<u8>> {
        checkpoint::pack(passes, key, self.net.state())
    }

    fn restore(&mut self, bytes: &[u8], key: SettingsKey) -> Option<u32> {
        let (passes, numbers) = checkpoint::unpack(bytes, key, PolicyNet::STATE)?;
        let mut numbers = numbers.into_iter();
        self.net.restore(|| numbers.next())?;
        Some(passes)
    }
}

fn report(pass: &Pass<'_, PolicyModel<'_>>) -> PolicyReport {
    let mut buckets = Buckets::default();
    let (mut quiet, mut first, mut three) = (0u64, 0u64, 0u64);
    for PolicySample { choice, .. } in pass.held_out.iter().filter(|sample| sample.quiet) {
        let chances = pass.learner.net.chances(choice);
        let best = choice.best();
        let better = chances.iter().filter(|&&chance| chance > chances[best]).count();
        quiet += 1;
        first += u64::from(better == 0);
        three += u64::from(better < 3);
        for (i, chance) in chances.into_iter().map(f64::from).enumerate() {
            buckets.add(chance, [f64::from(choice.targets[i])], 1.0);
        }
    }
    let share = |number: u64| number as f64 / quiet.max(1) as f64;
    let loss = pass.learner.mean_loss(&pass.held_out);
    PolicyReport {
        epoch: pass.number,
        positions: pass.positions,
        loss: pass.loss,
        held_out: loss.map(|loss| HeldOut { loss, first: share(first), three: share(three), quiet }),
        time: pass.time,
        calibration: buckets.means(),
    }
}

/// A picture of a policy's calibration: predicted chances of moves to the right, how often they were chosen upward.
pub fn plot_policy(buckets: &[Bucket<1>]) -> String {
    let moves: u64 = buckets.iter().map(|bucket| bucket.number).sum();
    let note = format!("{moves} moves in quiet positions of games held out");
    let of = |bucket: &Bucket<1>| (bucket.predicted, bucket.observed[0], bucket.number);
    let kinds = [Calibration { name: "chosen moves", buckets: buckets.iter().map(of).collect() }];
    crate::svg::file(&calibration(
        "Predicted chances of moves, and how often searches chose them",
        &note,
        ["predicted chance", "observed share"],
        &kinds,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::policy::chances;
    use crate::game::Game;
    use crate::rules::{International, VariantId};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn weights() -> Learned {
        Learned::new(VariantId::International, Default::default(), 100)
    }

    /// Games in which the best move is always the one whose destination has the largest index, as White sees it.
    fn samples(count: usize) -> Vec<PolicySample> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(8);
        let mut samples = Vec::new();
        while samples.len() < count {
            let game = crate::train::start::random(VariantId::International, &mut random);
            let mut record = SelfplayGame::new(game.position(), 0);
            let moves = canonical_moves(VariantId::International, game.position());
            let white = game.position().turn() == crate::board::Color::White;
            let far = |i: &usize| {
                let to = moves[*i].to().index();
                if white { to } else { 64 - to }
            };
            let best = (0..moves.len()).max_by_key(far).unwrap_or(0);
            record.push(best, Some(crate::score::Score::DRAW));
            samples.extend(PolicySample::of_game::<International>(&record, &weights()).unwrap());
        }
        samples
    }

    fn settings() -> FitSettings {
        let variant = VariantId::International;
        FitSettings {
            variant,
            epochs: 1,
            rate: 0.01,
            result_share: 0.0,
            seed: 1,
            blocks: 4,
            keep: 0.0,
            scale: None,
        }
    }

    #[test]
    fn a_rule_is_learned_and_whole_numbers_agree() {
        let samples = samples(12_000);
        let weights = weights();
        let mut model = PolicyModel::new(&settings(), &weights);
        let before = model.mean_loss(&samples[..1_000]).unwrap();
        for _ in 0..12 {
            model.learn(&samples[1_000..], 0.01);
        }
        let after = model.mean_loss(&samples[..1_000]).unwrap();
        assert!(before > 2.0 && after < before / 3.0, "{before} {after}");

        let policy = model.net.export();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
        let mut values = Vec::new();
        for _ in 0..200 {
            let game: Game = crate::train::start::random(VariantId::International, &mut random);
            let moves = canonical_moves(VariantId::International, game.position());
            if moves.len() < 2 {
                continue;
            }
            let mut record = SelfplayGame::new(game.position(), 0);
            record.push(random.random_range(0..moves.len()), Some(crate::score::Score::DRAW));
            let sample = &PolicySample::of_game::<International>(&record, &weights).unwrap()[0];
            let centi = |men: &f32| crate::score::Score::from_centi((100.0 * men).round() as i32);
            let estimates: Vec<_> = sample.choice.estimates.iter().map(centi).collect();
            policy.values::<International>(game.position(), &moves, &estimates, &mut values);
            for (whole, real) in chances(&values).zip(model.net.chances(&sample.choice)) {
                assert!((whole - f64::from(real)).abs() < 0.04, "{whole} {real}");
            }
        }
    }

    #[test]
    fn threads_change_nothing_and_states_come_back() {
        let (samples, weights) = (samples(5_000), weights());
        let learned = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut model = PolicyModel::new(&settings(), &weights);
                model.learn(&samples, 0.01);
                model.state(1, model.key()).unwrap()
            })
        };
        let state = learned(1);
        assert!(state == learned(3));
        let mut other = PolicyModel::new(&settings(), &weights);
        assert_eq!(other.restore(&state, other.key()), Some(1));
        assert!(other.state(1, other.key()).unwrap() == state);
        let mut foreign = PolicyModel::new(&FitSettings { seed: 2, ..settings() }, &weights);
        assert_eq!(foreign.restore(&state, foreign.key()), None);
    }
}
