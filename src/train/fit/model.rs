//! The weights while they are learned: real numbers, each with the sum of its squared slopes; and the network that
//! learns what they leave unexplained.

use super::net::{NetModel, NetSample};
use super::sample::Sample;
use crate::eval::learned::inputs::{EXTRA, Inputs};
use crate::eval::learned::pattern::patterns;
use crate::eval::learned::{Learned, PARTS, Weight, draw_share, table_size};
use crate::eval::start_weight;
use crate::rules::Variant;
use rayon::prelude::*;

/// A weight and what its steps have summed up to.
#[derive(Clone, Copy, Debug, Default)]
struct Learning {
    value: f32,
    squares: f32,
}

/// Both phases.
type Pair = [Learning; 2];

/// Steps are divided by the root of the summed squares, which begin here.
const FIRST_SQUARE: f32 = 0.05;

/// All weights in centi-men.
#[derive(Debug)]
pub struct Model {
    tables: Vec<Pair>,
    extra: [Pair; EXTRA.len()],
    tempo: Pair,
    /// Centi-men for which the odds of winning are e to 1.
    scale: f32,
    rate: f32,
    net: NetModel,
}

impl Model {
    /// The weights of the hand-made evaluation for men and kings, nothing else.
    pub fn new<V: Variant>(scale: f32, rate: f32, seed: u64) -> Model {
        let start = |value: i32| Learning { value: value as f32, squares: FIRST_SQUARE };
        Model {
            tables: vec![[start(0); 2]; table_size(V::ID)],
            extra: EXTRA.map(|feature| start_weight(V::ID, feature).map(start)),
            tempo: [start(0); 2],
            scale,
            rate,
            net: NetModel::new(const { &V::RULES }, seed),
        }
    }

    /// How the phases share a position, and the share of its value that counts.
    fn phases<V: Variant>(inputs: &Inputs) -> [f32; 2] {
        let opening = f32::from(inputs.men) / (2 * V::RULES.most_pieces()) as f32;
        [opening, 1.0 - opening]
    }

    /// The value for White in centi-men, and the share of it that the draw scale left.
    fn value<V: Variant>(&self, inputs: &Inputs) -> (f32, f32) {
        let phases = Self::phases::<V>(inputs);
        let blend = |pair: &Pair| pair[0].value * phases[0] + pair[1].value * phases[1];
        let mut sum = 0.0;
        for i in 0..patterns(V::RULES.board).len() {
            sum +=
                blend(&self.tables[inputs.own[i] as usize]) - blend(&self.tables[inputs.other[i] as usize]);
        }
        for (pair, &difference) in self.extra.iter().zip(&inputs.extra) {
            sum += blend(pair) * f32::from(difference);
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
        let phases = Self::phases::<V>(inputs);
        let rate = self.rate;
        let step = |pair: &mut Pair, input: f32| {
            for (learning, phase) in pair.iter_mut().zip(phases) {
                let slope = slope * input * phase;
                learning.squares += slope * slope;
                learning.value -= rate * slope / learning.squares.sqrt();
            }
        };
        for i in 0..patterns(V::RULES.board).len() {
            step(&mut self.tables[inputs.own[i] as usize], share);
            step(&mut self.tables[inputs.other[i] as usize], -share);
        }
        for (pair, &difference) in self.extra.iter_mut().zip(&inputs.extra) {
            if difference != 0 {
                step(pair, share * f32::from(difference));
            }
        }
        step(&mut self.tempo, if inputs.white_to_move { 1.0 } else { -1.0 });
        loss(chance, target)
    }

    /// The mean loss in bits, without learning.
    pub fn mean_loss<V: Variant>(&self, samples: &[Sample], result_share: f32) -> f64 {
        let sum: f64 = samples
            .iter()
            .map(|sample| f64::from(loss(self.predict::<V>(sample), self.target(sample, result_share))))
            .sum();
        sum / samples.len().max(1) as f64
    }

    /// Whole numbers for playing.
    pub fn export<V: Variant>(&self) -> Learned {
        let whole = |learning: &Learning| {
            let parts = (learning.value * PARTS as f32).round();
            parts.clamp(f32::from(i16::MIN), f32::from(i16::MAX)) as i16
        };
        let weight = |pair: &Pair| -> Weight { [whole(&pair[0]), whole(&pair[1])] };
        Learned::new(
            V::ID,
            self.tables.iter().map(weight).collect(),
            std::array::from_fn(|i| weight(&self.extra[i])),
            weight(&self.tempo),
            self.net.export(self.scale),
            self.scale.round() as u16,
        )
    }

    fn pairs(&self) -> impl Iterator<Item = &Pair> {
        self.tables.iter().chain(&self.extra).chain([&self.tempo])
    }

    /// Everything, as bytes, after so many passes.
    pub fn state(&self, epoch: u32) -> Vec<u8> {
        let mut bytes = epoch.to_le_bytes().to_vec();
        bytes.extend(self.scale.to_le_bytes());
        for learning in self.pairs().flatten() {
            bytes.extend(learning.value.to_le_bytes());
            bytes.extend(learning.squares.to_le_bytes());
        }
        self.net.state().for_each(|number| bytes.extend(number.to_le_bytes()));
        bytes.extend(xxhash_rust::xxh3::xxh3_64(&bytes).to_le_bytes());
        bytes
    }

    /// Takes over what [`Model::state`] gave and says after how many passes; none if it is something else.
    pub fn restore(&mut self, bytes: &[u8]) -> Option<u32> {
        let (state, checksum) = bytes.split_last_chunk::<8>()?;
        let expected = 8 + 16 * self.pairs().count() + 4 * NetModel::STATE;
        if state.len() != expected || xxhash_rust::xxh3::xxh3_64(state) != u64::from_le_bytes(*checksum) {
            return None;
        }
        let mut numbers = state.chunks_exact(4).map(|chunk| [chunk[0], chunk[1], chunk[2], chunk[3]]);
        let epoch = u32::from_le_bytes(numbers.next()?);
        let mut next = || numbers.next().map(f32::from_le_bytes);
        self.scale = next()?;
        let pairs = self.tables.iter_mut().chain(&mut self.extra).chain([&mut self.tempo]);
        for learning in pairs.flatten() {
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
