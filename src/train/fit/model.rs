//! The weights while they are learned: real numbers, each with the sum of its squared slopes; and the network that
//! learns what they leave unexplained.

use super::net::{NetModel, NetSample};
use super::sample::Sample;
use crate::eval::learned::inputs::{EXTRA, Inputs};
use crate::eval::learned::pattern::patterns;
use crate::eval::learned::phase::{PHASES, Phase, Weight, parts};
use crate::eval::learned::{Learned, PARTS, draw_share, table_size};
use crate::eval::start_weight;
use crate::rules::Variant;
use rayon::prelude::*;
use std::io::{self, Read};

/// A weight and what its steps have summed up to.
#[derive(Clone, Copy, Debug, Default)]
struct Learning {
    value: f32,
    squares: f32,
}

/// A weight in all phases.
type Phases = [Learning; PHASES];

/// Steps are divided by the root of the summed squares and this: what was rarely seen stays near its beginning (as
/// quadratic regularisation does in H. B. McMahan et al., "Ad click prediction: a view from the trenches", 2013).
const BRAKE: f32 = 4.0;

/// All weights in centi-men.
#[derive(Debug)]
pub struct Model {
    tables: Vec<Phases>,
    extra: [Phases; EXTRA.len()],
    tempo: Phases,
    /// Centi-men for which the odds of winning are e to 1.
    scale: f32,
    rate: f32,
    net: NetModel,
}

impl Model {
    /// The weights of the hand-made evaluation for men and kings, nothing else.
    pub fn new<V: Variant>(scale: f32, rate: f32, seed: u64) -> Model {
        let start = |value: f32| Learning { value, squares: 0.0 };
        // From the weight with all men to that with none.
        let way = |[opening, ending]: [i32; 2]| {
            let step = (ending - opening) as f32 / (PHASES - 1) as f32;
            std::array::from_fn(|phase| start(opening as f32 + step * phase as f32))
        };
        Model {
            tables: vec![[start(0.0); PHASES]; table_size(V::ID)],
            extra: EXTRA.map(|feature| way(start_weight(V::ID, feature))),
            tempo: [start(0.0); PHASES],
            scale,
            rate,
            net: NetModel::new(const { &V::RULES }, seed),
        }
    }

    /// The first of the two phases between which a position lies, and how they share it.
    fn phases<V: Variant>(inputs: &Inputs) -> (usize, [f32; 2]) {
        let phase = Phase::of::<V>(inputs.men.into());
        let next = phase.share as f32 / const { parts(&V::RULES) } as f32;
        (phase.first, [1.0 - next, next])
    }

    /// The value for White in centi-men, and the share of it that the draw scale left.
    fn value<V: Variant>(&self, inputs: &Inputs) -> (f32, f32) {
        let (first, shares) = Self::phases::<V>(inputs);
        let blend = |phases: &Phases| phases[first].value * shares[0] + phases[first + 1].value * shares[1];
        let mut sum = 0.0;
        for i in 0..patterns(V::RULES.board).len() {
            sum +=
                blend(&self.tables[inputs.own[i] as usize]) - blend(&self.tables[inputs.other[i] as usize]);
        }
        for (phases, &difference) in self.extra.iter().zip(&inputs.extra) {
            sum += blend(phases) * f32::from(difference);
        }
        let share = draw_share::<V>(inputs.material, sum as i32);
        let tempo = if inputs.white_to_move { blend(&self.tempo) } else { -blend(&self.tempo) };
        (sum * share + tempo, share)
    }

    /// The chance of White, draws counting half.
    pub fn predict<V: Variant>(&self, sample: &Sample) -> f32 {
        let mut centi = self.value::<V>(&sample.inputs).0;
        if let Some(inputs) = &sample.net {
            let correction = self.net.value(inputs) * self.scale;
            centi += if sample.inputs.white_to_move { correction } else { -correction };
        }
        self.chance(centi)
    }

    /// Lets the network learn what the tables do not know of these positions, in steps of `rate`.
    pub fn learn_net<V: Variant>(&mut self, samples: &[Sample], result_share: f32, rate: f32) {
        let model = &*self;
        let read = |sample: &Sample| {
            let (value, target) =
                (model.value::<V>(&sample.inputs).0 / model.scale, model.target(sample, result_share));
            let white = sample.inputs.white_to_move;
            Some(NetSample {
                inputs: sample.net?,
                known: if white { value } else { -value },
                target: if white { target } else { 1.0 - target },
            })
        };
        let samples: Vec<NetSample> = samples.par_iter().filter_map(read).collect();
        self.net.learn(&samples, rate);
    }

    fn chance(&self, centi: f32) -> f32 {
        1.0 / (1.0 + (-centi / self.scale).exp())
    }

    fn target(&self, sample: &Sample, result_share: f32) -> f32 {
        result_share * sample.result + (1.0 - result_share) * self.chance(sample.score)
    }

    /// One step; the loss before it, in bits.
    pub fn learn<V: Variant>(&mut self, sample: &Sample, result_share: f32) -> f32 {
        let inputs = &sample.inputs;
        let (value, share) = self.value::<V>(inputs);
        let (chance, target) = (self.chance(value), self.target(sample, result_share));
        let slope = chance - target;
        let (first, shares) = Self::phases::<V>(inputs);
        let rate = self.rate;
        let step = |phases: &mut Phases, input: f32| {
            for (learning, share) in phases[first..].iter_mut().zip(shares) {
                let slope = slope * input * share;
                learning.squares += slope * slope;
                learning.value -= rate * slope / (BRAKE + learning.squares.sqrt());
            }
        };
        for i in 0..patterns(V::RULES.board).len() {
            step(&mut self.tables[inputs.own[i] as usize], share);
            step(&mut self.tables[inputs.other[i] as usize], -share);
        }
        for (phases, &difference) in self.extra.iter_mut().zip(&inputs.extra) {
            if difference != 0 {
                step(phases, share * f32::from(difference));
            }
        }
        step(&mut self.tempo, if inputs.white_to_move { 1.0 } else { -1.0 });
        loss(chance, target)
    }

    /// The mean loss in bits, without learning; none without samples.
    pub fn mean_loss<V: Variant>(&self, samples: &[Sample], result_share: f32) -> Option<f64> {
        let sum: f64 = samples
            .iter()
            .map(|sample| f64::from(loss(self.predict::<V>(sample), self.target(sample, result_share))))
            .sum();
        (!samples.is_empty()).then(|| sum / samples.len() as f64)
    }

    /// Whole numbers for playing.
    pub fn export<V: Variant>(&self) -> Learned {
        let whole = |learning: &Learning| {
            let parts = (learning.value * PARTS as f32).round();
            parts.clamp(f32::from(i16::MIN), f32::from(i16::MAX)) as i16
        };
        let weight = |phases: &Phases| -> Weight { std::array::from_fn(|i| whole(&phases[i])) };
        Learned::new(
            V::ID,
            self.tables.iter().map(weight).collect(),
            std::array::from_fn(|i| weight(&self.extra[i])),
            weight(&self.tempo),
            self.net.export(self.scale),
            self.scale.round() as u16,
        )
    }

    fn all(&self) -> impl Iterator<Item = &Learning> {
        self.tables.iter().chain(&self.extra).chain([&self.tempo]).flatten()
    }

    /// Everything, as compressed bytes, after so many passes.
    ///
    /// # Errors
    /// When the compression fails.
    pub fn state(&self, epoch: u32) -> io::Result<Vec<u8>> {
        let mut bytes = epoch.to_le_bytes().to_vec();
        bytes.extend(self.scale.to_le_bytes());
        for learning in self.all() {
            bytes.extend(learning.value.to_le_bytes());
            bytes.extend(learning.squares.to_le_bytes());
        }
        self.net.state().for_each(|number| bytes.extend(number.to_le_bytes()));
        bytes.extend(xxhash_rust::xxh3::xxh3_64(&bytes).to_le_bytes());
        // Most placements never occur and stay as they began.
        zstd::encode_all(bytes.as_slice(), 1)
    }

    /// Takes over what [`Model::state`] gave and says after how many passes; none if it is something else.
    pub fn restore(&mut self, bytes: &[u8]) -> Option<u32> {
        let expected = 8 + 8 * self.all().count() + 4 * NetModel::STATE;
        let mut raw = Vec::new();
        let most = expected as u64 + 8 + 1;
        zstd::Decoder::new(bytes).ok()?.take(most).read_to_end(&mut raw).ok()?;
        let (state, checksum) = raw.split_last_chunk::<8>()?;
        if state.len() != expected || xxhash_rust::xxh3::xxh3_64(state) != u64::from_le_bytes(*checksum) {
            return None;
        }
        let mut numbers = state.chunks_exact(4).map(|chunk| [chunk[0], chunk[1], chunk[2], chunk[3]]);
        let epoch = u32::from_le_bytes(numbers.next()?);
        let mut next = || numbers.next().map(f32::from_le_bytes);
        self.scale = next()?;
        let weights = self.tables.iter_mut().chain(&mut self.extra).chain([&mut self.tempo]);
        for learning in weights.flatten() {
            *learning = Learning { value: next()?, squares: next()? };
        }
        self.net.restore(next)?;
        Some(epoch)
    }
}

/// Cross entropy in bits.
fn loss(chance: f32, target: f32) -> f32 {
    let chance = chance.clamp(1e-6, 1.0 - 1e-6);
    -(target * chance.log2() + (1.0 - target) * (1.0 - chance).log2())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluator;
    use crate::eval::learned::inputs::inputs;
    use crate::rules::{Brazilian, International};
    use crate::train::fit::net::NetInputs;
    use crate::train::start;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

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
                    inputs: inputs::<V>(game.position()),
                    result: f32::from(random.random_range(0..=2u8)) / 2.0,
                    score: 0.0,
                    net: NetInputs::read(const { &V::RULES }, game.position()),
                })
                .collect();
            let mut model = Model::new::<V>(100.0, 20.0, 1);
            for _ in 0..5 {
                model.learn_net::<V>(&samples, 1.0, 0.01);
                samples.iter().for_each(|sample| {
                    model.learn::<V>(sample, 1.0);
                });
            }
            let learned = model.export::<V>();
            let mut most = 0.0f32;
            for (game, sample) in games.iter().zip(&samples) {
                let whole = Evaluator::<V>::evaluate(&learned, game.position()).centi() as f32;
                let real = (model.predict::<V>(sample) / (1.0 - model.predict::<V>(sample))).ln() * 100.0;
                let real = if sample.inputs.white_to_move { real } else { -real };
                assert!((whole - real).abs() < 5.0 + real.abs() / 20.0, "{whole} {real}");
                most = most.max(real.abs());
            }
            assert!(most > 50.0);
        }
        check::<International>();
        check::<Brazilian>();
    }
}
