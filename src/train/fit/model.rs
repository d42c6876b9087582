//! The evaluation while it is learned: the material, and a network of real numbers that learns what it leaves
//! unexplained.

use super::checkpoint::{self, SettingsKey};
use super::net::{NetModel, NetSample};
use super::passes::Learner;
use super::sample::{Sample, samples};
use super::{FitSettings, LEARNING};
use crate::eval::learned::Learned;
use crate::rules::VariantId;
use crate::train::record::{RecordError, SelfplayGame};
use rayon::prelude::*;
use std::io;

/// Scores beyond this many centi-men say no more than "won" and are learned as this; where [`MOST_ODDS`] are more, as those.
const MOST_SCORE: f32 = 600.0;
/// The logarithm of the odds that go with it where a man is worth little, as in losing draughts.
const MOST_ODDS: f32 = 5.0;

/// Samples that a thread looks at in one go.
const PART: usize = 4_096;

/// What is learned, and what turns values into chances.
#[derive(Debug)]
pub struct Model {
    variant: VariantId,
    /// Centi-men for which the odds of winning are e to 1.
    scale: f32,
    /// Share of the result of the game in the target; the rest is what the search said.
    result_share: f32,
    settings: SettingsKey,
    net: NetModel,
}

impl Model {
    /// A network that has learned nothing, or the one with which to start.
    pub fn new(scale: f32, settings: &FitSettings, start: Option<&Learned>) -> Model {
        let FitSettings { variant, epochs, rate, result_share, seed, blocks, keep: _, scale: given } =
            *settings;
        let mut settings = format!(
            "{LEARNING} {} {epochs} {rate} {result_share} {seed} {MOST_SCORE} {MOST_ODDS}",
            variant.name()
        );
        if let Some(given) = given {
            settings = format!("{settings} scale {given}");
        }
        let rules = variant.rules();
        let net = match start {
            Some(start) => {
                settings = format!("{settings} {}", start.checksum());
                NetModel::of(rules, start.net(), scale, blocks.max(start.net().blocks()))
            }
            None => NetModel::new(rules, seed, blocks),
        };
        Model { variant, scale, result_share, settings: SettingsKey::of(&settings), net }
    }

    /// The chance of the side to move, draws counting half.
    pub fn predict(&self, sample: &Sample) -> f32 {
        let odds = sample.material / self.scale + self.net.value(&sample.inputs);
        1.0 / (1.0 + (-odds).exp())
    }

    fn target(&self, sample: &Sample) -> f32 {
        let most = MOST_ODDS.max(MOST_SCORE / self.scale);
        let odds = (sample.score / self.scale).clamp(-most, most);
        let by_search = 1.0 / (1.0 + (-odds).exp());
        self.result_share * sample.result + (1.0 - self.result_share) * by_search
    }

    /// Whole numbers for playing.
    pub fn export(&self) -> Learned {
        Learned::new(self.variant, self.net.export(self.scale), self.scale.round() as u16)
    }
}

impl Learner for Model {
    type Sample = Sample;

    const SETTINGS: &'static str = "program, network, variant, seed, rate, scale, result share, number of passes and of blocks, weights to begin with and games";

    fn read(&self, game: &SelfplayGame) -> Result<Vec<Sample>, RecordError> {
        samples(self.variant, game)
    }

    fn learn(&mut self, samples: &[Sample], rate: f32) -> f64 {
        let read = |sample: &Sample| NetSample {
            inputs: sample.inputs,
            known: sample.material / self.scale,
            target: self.target(sample),
        };
        let samples: Vec<NetSample> = samples.iter().map(read).collect();
        self.net.learn(&samples, rate)
    }

    fn mean_loss(&self, samples: &[Sample]) -> Option<f64> {
        let of = |sample: &Sample| f64::from(loss(self.predict(sample), self.target(sample)));
        mean(samples, of)
    }

    fn key(&self) -> SettingsKey {
        self.settings
    }

    fn state(&self, passes: u32, key: SettingsKey) -> io::Result<Vec<u8>> {
        checkpoint::pack(passes, key, std::iter::once(self.scale).chain(self.net.state()))
    }

    fn restore(&mut self, bytes: &[u8], key: SettingsKey) -> Option<u32> {
        let (passes, numbers) = checkpoint::unpack(bytes, key, 1 + self.net.state_len())?;
        let mut numbers = numbers.into_iter();
        self.scale = numbers.next()?;
        self.net.restore(|| numbers.next())?;
        Some(passes)
    }
}

/// The mean of something over all samples; none without samples.
pub(super) fn mean<S: Sync>(samples: &[S], of: impl Fn(&S) -> f64 + Sync) -> Option<f64> {
    // Parts of one size, added in their order: the same sum with any number of threads.
    let sums: Vec<f64> = samples.par_chunks(PART).map(|part| part.iter().map(&of).sum()).collect();
    (!samples.is_empty()).then(|| sums.iter().sum::<f64>() / samples.len() as f64)
}

/// Cross entropy in bits.
pub(super) fn loss(chance: f32, target: f32) -> f32 {
    let chance = chance.clamp(1e-6, 1.0 - 1e-6);
    -(target * chance.log2() + (1.0 - target) * (1.0 - chance).log2())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::eval::Evaluator;
    use crate::eval::learned::material;
    use crate::game::Game;
    use crate::rules::{Brazilian, International, Variant};
    use crate::score::Score;
    use crate::train::fit::net::NetInputs;
    use crate::train::start;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn settings<V: Variant>() -> FitSettings {
        FitSettings {
            variant: V::ID,
            epochs: 5,
            rate: 0.01,
            result_share: 1.0,
            seed: 1,
            blocks: 4,
            keep: 0.0,
            scale: None,
        }
    }

    #[test]
    fn states_come_back_to_the_same_settings_only() {
        let model = Model::new(123.0, &settings::<Brazilian>(), None);
        let state = model.state(3, model.key()).unwrap();
        let restored =
            |mut model: Model| model.restore(&state, model.key()).map(|epoch| (epoch, model.scale));
        let same = settings::<Brazilian>();
        assert_eq!(restored(Model::new(1.0, &same, None)), Some((3, 123.0)));
        assert_eq!(restored(Model::new(1.0, &settings::<International>(), None)), None);
        let others = [
            FitSettings { seed: 2, ..same.clone() },
            FitSettings { epochs: 6, ..same.clone() },
            FitSettings { rate: 0.02, ..same.clone() },
            FitSettings { result_share: 0.9, ..same.clone() },
            FitSettings { blocks: 9, ..same.clone() },
            FitSettings { scale: Some(123), ..same.clone() },
        ];
        assert!(others.iter().all(|other| restored(Model::new(1.0, other, None)).is_none()));
        let start = model.export();
        assert_eq!(restored(Model::new(1.0, &same, Some(&start))), None, "it began otherwise");
        let mut damaged = state.clone();
        damaged[state.len() / 2] ^= 1;
        let mut model = Model::new(1.0, &same, None);
        assert_eq!(model.restore(&damaged, model.key()), None);
    }

    #[test]
    fn a_win_that_was_seen_is_learned_as_the_largest_score() {
        let game = Game::new(VariantId::International);
        let at = |score| Sample {
            key: game.position().key(),
            inputs: NetInputs::read(game.variant().rules(), game.position()).unwrap(),
            material: 0.0,
            result: 0.5,
            score,
            white_to_move: true,
        };
        let settings = FitSettings { result_share: 0.0, ..settings::<International>() };
        // Values are larger in losing draughts.
        for (scale, most) in [(100.0, MOST_SCORE), (1_000.0, 1_000.0 * MOST_ODDS)] {
            let model = Model::new(scale, &settings, None);
            let largest = model.target(&at(most));
            assert!(model.target(&at(most - 10.0)) < largest && largest < 1.0);
            assert_eq!(model.target(&at(Score::win_in(3).centi() as f32)), largest);
            let lost = model.target(&at(Score::loss_in(3).centi() as f32));
            assert!((lost - (1.0 - largest)).abs() < 1e-6);
        }
    }

    /// The evaluation that plays is the one that was learned: in whole numbers, and by other code.
    #[test]
    fn what_plays_says_what_was_learned() {
        fn check<V: Variant>() {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
            let games: Vec<_> = (0..3_000).map(|_| start::random(V::ID, &mut random)).collect();
            let samples: Vec<Sample> = games
                .iter()
                .map(|game| Sample {
                    key: game.position().key(),
                    inputs: NetInputs::read(const { &V::RULES }, game.position()).unwrap(),
                    material: material::<V>(game.position()) as f32,
                    result: f32::from(random.random_range(0..=2u8)) / 2.0,
                    score: 0.0,
                    white_to_move: game.position().turn() == Color::White,
                })
                .collect();
            let mut model = Model::new(100.0, &settings::<V>(), None);
            for _ in 0..5 {
                model.learn(&samples, 0.01);
            }
            let learned = model.export();
            let mut most = 0.0f32;
            for (game, sample) in games.iter().zip(&samples) {
                let whole = Evaluator::<V>::evaluate(&learned, game.position()).centi() as f32;
                let real = (model.predict(sample) / (1.0 - model.predict(sample))).ln() * 100.0;
                assert!((whole - real).abs() < 5.0 + real.abs() / 20.0, "{whole} {real}");
                most = most.max(real.abs());
            }
            assert!(most > 50.0);
        }
        check::<International>();
        check::<Brazilian>();
    }
}
