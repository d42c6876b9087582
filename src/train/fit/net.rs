//! Learning the network: what the material leaves unexplained, in small batches with Adam.

use super::adam::Adam;
use super::block_rows::{BlockRows, States};
use super::model::loss;
use super::numbers::{Numbers, STEP, Slopes};
use crate::board::{Color, Position};
use crate::eval::learned::PARTS;
use crate::eval::learned::blocks::Blocks;
use crate::eval::learned::net::{
    BUCKETS, HIDDEN, MOST_BIAS, MOST_ROW, Net, ONE, ROWS, bucket, most_pieces, row, seen_by,
};
use crate::rules::{Rules, VariantId};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The most pieces of any variant.
const MOST: usize = 40;
const _: () = {
    let mut variant = 0;
    while variant < VariantId::ALL.len() {
        assert!(most_pieces(VariantId::ALL[variant].rules()) <= MOST as u32);
        variant += 1;
    }
};
// Rows are kept as bytes.
const _: () = assert!(ROWS - 1 <= u8::MAX as usize);

/// What the network sees of a position: the row of each piece as the side to move sees it, and as the other does; and the
/// states of the blocks of each.
#[derive(Clone, Copy, Debug)]
pub struct NetInputs {
    own: [u8; MOST],
    other: [u8; MOST],
    pieces: u8,
    states: [States; 2],
}

impl NetInputs {
    /// Reads a position; none if it has too many pieces.
    pub fn read(rules: &Rules, position: &Position) -> Option<NetInputs> {
        let pieces = position.occupied().len();
        if pieces > most_pieces(rules) {
            return None;
        }
        let of = |viewer: Color| {
            let mut rows = [0; MOST];
            let squares = position.occupied().into_iter();
            for (place, square) in rows.iter_mut().zip(squares) {
                let own = position.side(viewer).contains(square);
                let seen = seen_by(viewer, rules.board, square.index());
                *place = row(own, position.kings().contains(square), seen) as u8;
            }
            rows
        };
        let states = |viewer: Color| {
            Blocks::of(rules.board).states(viewer, position.men(viewer), position.men(!viewer))
        };
        let sides = [position.turn(), !position.turn()];
        let [own, other] = sides.map(of);
        Some(NetInputs { own, other, pieces: pieces as u8, states: sides.map(states) })
    }
}

/// A position to learn from: what the network sees, what the material says (natural odds of the side to move), and the
/// points that it should say.
#[derive(Clone, Copy, Debug)]
pub struct NetSample {
    /// What it sees.
    pub inputs: NetInputs,
    /// Logarithm of the odds according to the material.
    pub known: f32,
    /// The target, 0 to 1.
    pub target: f32,
}

const BIAS: usize = ROWS * HIDDEN;
const OUT: usize = BIAS + HIDDEN;
const OUT_BIAS: usize = OUT + BUCKETS * 2 * HIDDEN;

/// Where the output weights of a bucket and side (0: to move) begin.
fn out_at(bucket: usize, side: usize) -> usize {
    OUT + (2 * bucket + side) * HIDDEN
}

/// What the whole number that plays is for 1, by its place.
fn unit(place: usize, scale: f32) -> f32 {
    let part = scale * PARTS as f32;
    match place {
        ..OUT | Net::SIZE.. => f32::from(ONE),
        // What plays calls 1 squared 255 * 255 / 256 and its sums are parts of 256.
        OUT..OUT_BIAS => part * 256.0 * 256.0 / (f32::from(ONE) * f32::from(ONE)),
        _ => part,
    }
}

/// The network while it is learned: real numbers, 1 for 1, outputs as logarithms of odds.
#[derive(Debug)]
pub struct NetModel {
    /// All numbers but those of blocks.
    numbers: Numbers,
    blocks: BlockRows,
    adam: Adam,
    most: u32,
}

impl NetModel {
    /// Small random rows of pieces, 0 for so many blocks; outputs of nearly 0.
    pub fn new(rules: &Rules, seed: u64, blocks: usize) -> NetModel {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut numbers = Numbers::zero(Net::SIZE);
        for (i, number) in numbers.0.iter_mut().enumerate() {
            let spread = random.random::<f32>() - 0.5;
            *number = match i {
                ..BIAS => 0.3 * spread,
                BIAS..OUT => 0.3,
                OUT..OUT_BIAS => 0.02 * spread,
                _ => 0.0,
            };
        }
        let blocks = BlockRows::new(blocks, std::iter::empty());
        NetModel { numbers, blocks, adam: Adam::new(Net::SIZE), most: most_pieces(rules) }
    }

    /// A network that plays, to learn on from with so many blocks, no fewer than it has, and 0 for those that it lacks; `scale`
    /// is how many centi-men the odds of e to 1 are.
    pub fn of(rules: &Rules, net: &Net, scale: f32, blocks: usize) -> NetModel {
        let mut numbers = net.numbers().enumerate().map(|(i, number)| f32::from(number) / unit(i, scale));
        let of_pieces = Numbers(numbers.by_ref().take(Net::SIZE).collect());
        let blocks = BlockRows::new(blocks, numbers);
        NetModel { numbers: of_pieces, blocks, adam: Adam::new(Net::SIZE), most: most_pieces(rules) }
    }

    fn sums(&self, rows: &[u8], states: &States) -> [f32; HIDDEN] {
        let mut sums = *self.numbers.row::<HIDDEN>(BIAS);
        for &row in rows {
            let numbers = self.numbers.row::<HIDDEN>(usize::from(row) * HIDDEN);
            sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
        }
        self.blocks.add_to(&mut sums, states);
        sums
    }

    fn weigh(&self, sums: &[f32; HIDDEN], at: usize) -> f32 {
        let weights = self.numbers.row::<HIDDEN>(at);
        sums.iter().zip(weights).map(|(sum, weight)| sum.clamp(0.0, 1.0).powi(2) * weight).sum()
    }

    /// The logarithm of the odds that the network adds for the side to move.
    pub fn value(&self, inputs: &NetInputs) -> f32 {
        let pieces = usize::from(inputs.pieces);
        let bucket = bucket(pieces as u32, self.most);
        let [own, other] = self.sides(inputs).map(|(_, sums)| sums);
        let (own, other) = (self.weigh(&own, out_at(bucket, 0)), self.weigh(&other, out_at(bucket, 1)));
        own + other + self.numbers.0[OUT_BIAS + bucket]
    }

    /// The rows of the pieces and the sums, as the side to move sees them and as the other does.
    fn sides<'a>(&self, inputs: &'a NetInputs) -> [(&'a [u8], [f32; HIDDEN]); 2] {
        let pieces = usize::from(inputs.pieces);
        let [own, other] = [&inputs.own[..pieces], &inputs.other[..pieces]];
        [(own, self.sums(own, &inputs.states[0])), (other, self.sums(other, &inputs.states[1]))]
    }

    /// Adds the slopes of a position's loss to `slopes`. The loss, in bits, and the slopes of the sums of both sides, which are
    /// those of the rows of blocks.
    fn slope(&self, sample: &NetSample, slopes: &mut Numbers) -> (f64, [[f32; HIDDEN]; 2]) {
        let pieces = usize::from(sample.inputs.pieces);
        let bucket = bucket(pieces as u32, self.most);
        let sides = self.sides(&sample.inputs);
        let mut odds = sample.known + self.numbers.0[OUT_BIAS + bucket];
        for (side, (_, sums)) in sides.iter().enumerate() {
            odds += self.weigh(sums, out_at(bucket, side));
        }
        let chance = 1.0 / (1.0 + (-odds).exp());
        let error = chance - sample.target;
        slopes.0[OUT_BIAS + bucket] += error;
        let mut of_sums = [[0.0; HIDDEN]; 2];
        for (side, (rows, sums)) in sides.iter().enumerate() {
            let at = out_at(bucket, side);
            let weights = self.numbers.row::<HIDDEN>(at);
            let out = slopes.row_mut::<HIDDEN>(at);
            let back = &mut of_sums[side];
            for i in 0..HIDDEN {
                let clipped = sums[i].clamp(0.0, 1.0);
                out[i] += error * clipped * clipped;
                let inside = sums[i] > 0.0 && sums[i] < 1.0;
                back[i] = if inside { error * weights[i] * 2.0 * clipped } else { 0.0 };
            }
            slopes.add(BIAS, back);
            rows.iter().for_each(|&row| slopes.add(usize::from(row) * HIDDEN, back));
        }
        (f64::from(loss(chance, sample.target)), of_sums)
    }

    /// Learns from all positions once, in steps of `rate`. The sum of the losses before the steps, in bits.
    pub fn learn(&mut self, samples: &[NetSample], rate: f32) -> f64 {
        let mut sum = 0.0;
        for batch in samples.chunks(STEP) {
            let (slopes, of_sums) = Slopes::of(batch, Net::SIZE, |sample, slopes| self.slope(sample, slopes));
            sum += slopes.loss();
            self.adam.step(&mut self.numbers.0, rate, |i| slopes.mean(i));
            const MOST: f32 = MOST_ROW as f32 / ONE as f32;
            let states: Vec<_> = batch.iter().map(|sample| sample.inputs.states).collect();
            self.blocks.step(&states, &of_sums, self.adam.last(rate));
            let (rows, rest) = self.numbers.0.split_at_mut(BIAS);
            rows.iter_mut().for_each(|number| *number = number.clamp(-MOST, MOST));
            // What empty blocks say becomes a part of the bias, and is in that of weights that learn on.
            const MOST_START: f32 = MOST_BIAS as f32 / ONE as f32;
            for (bias, always) in rest.iter_mut().zip(self.blocks.always()) {
                *bias = bias.clamp(-MOST_START - always, MOST_START - always);
            }
        }
        sum
    }

    /// Whole numbers for playing; `scale` is how many centi-men the odds of e to 1 are.
    pub fn export(&self, scale: f32) -> Net {
        let mut numbers = self.numbers.0.clone();
        numbers[BIAS..OUT].iter_mut().zip(self.blocks.always()).for_each(|(bias, more)| *bias += more);
        let whole = numbers.into_iter().chain(self.blocks.rest()).enumerate().map(|(i, number)| {
            (number * unit(i, scale)).round().clamp(f32::from(i16::MIN), f32::from(i16::MAX)) as i16
        });
        Net::from_numbers(whole, self.blocks.blocks())
    }

    /// Everything that [`NetModel::restore`] needs, number by number.
    pub fn state(&self) -> impl Iterator<Item = f32> {
        self.numbers.0.iter().copied().chain(self.blocks.state()).chain(self.adam.state())
    }

    /// How many numbers [`NetModel::state`] has.
    pub fn state_len(&self) -> usize {
        3 * Net::SIZE + self.blocks.state_len() + 1
    }

    /// Takes over what [`NetModel::state`] gave; none if that ends too early.
    pub fn restore(&mut self, mut next: impl FnMut() -> Option<f32>) -> Option<()> {
        for number in &mut self.numbers.0 {
            *number = next()?;
        }
        self.blocks.restore(&mut next)?;
        self.adam.restore(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::learned::Accumulator;
    use crate::eval::learned::blocks::{APART, MOST_BLOCKS};
    use crate::game::Game;
    use crate::rules::International;

    /// Positions whose true value is known: who has more kings wins, but only on the upper half.
    fn samples() -> Vec<NetSample> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let rules = VariantId::International.rules();
        let mut samples = Vec::new();
        while samples.len() < 20_000 {
            let game = crate::train::start::random(VariantId::International, &mut random);
            let position = game.position();
            let Some(inputs) = NetInputs::read(rules, position) else { continue };
            let upper = |color| position.kings_of(color).into_iter().filter(|s| s.row() < 5).count() as i32;
            let (us, them) = (upper(position.turn()), upper(!position.turn()));
            let target = match us.cmp(&them) {
                std::cmp::Ordering::Less => 0.1,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 0.9,
            };
            samples.push(NetSample { inputs, known: 0.0, target });
        }
        samples
    }

    #[test]
    fn where_kings_stand_is_learned_and_whole_numbers_agree() {
        let samples = samples();
        let rules = VariantId::International.rules();
        let mut model = NetModel::new(rules, 1, APART);
        let error = |model: &NetModel| {
            let wrong = |s: &NetSample| (1.0 / (1.0 + (-model.value(&s.inputs)).exp()) - s.target).powi(2);
            samples[..2000].iter().map(wrong).sum::<f32>() / 2000.0
        };
        let before = error(&model);
        for _ in 0..30 {
            model.learn(&samples, 0.01);
        }
        let after = error(&model);
        assert!(after < before / 2.0, "{before} {after}");

        let net = model.export(100.0);
        let again = NetModel::of(rules, &net, 100.0, APART).export(100.0);
        assert!(again == net, "what plays can be learned on");
        let wider = NetModel::of(rules, &net, 100.0, MOST_BLOCKS).export(100.0);
        assert!(wider.numbers().take(Net::size(APART)).eq(net.numbers()), "with more blocks, too");
        assert!(wider.numbers().skip(Net::size(APART)).all(|number| number == 0));
        let mut random = Xoshiro256PlusPlus::seed_from_u64(6);
        for _ in 0..200 {
            let game: Game = crate::train::start::random(VariantId::International, &mut random);
            let position = game.position();
            let Some(inputs) = NetInputs::read(rules, position) else { continue };
            let whole =
                net.value::<International>(None, &mut Accumulator::new(&net), position) as f32 / PARTS as f32;
            let real = 100.0 * model.value(&inputs);
            assert!((whole - real).abs() < 12.0 + real.abs() / 20.0, "{whole} {real}");
        }
    }

    /// What a sum over pieces cannot tell: whether the number of an own block's men is even.
    #[test]
    fn formations_are_learned() {
        learn_parity(3, APART);
        // A block that overlaps two others.
        learn_parity(8, MOST_BLOCKS);
    }

    fn learn_parity(block: usize, blocks: usize) {
        let rules = VariantId::International.rules();
        let parity = |inputs: &NetInputs| -> f32 {
            let men = crate::eval::learned::blocks::men(block, inputs.states[0][block].into());
            if men.count().is_multiple_of(2) { 0.1 } else { 0.9 }
        };
        let samples: Vec<NetSample> =
            samples().iter().map(|sample| NetSample { target: parity(&sample.inputs), ..*sample }).collect();
        let (learned, new) = samples.split_at(18_000);
        let mut model = NetModel::new(rules, 1, blocks);
        for _ in 0..20 {
            model.learn(learned, 0.01);
        }
        let right = |s: &&NetSample| (model.value(&s.inputs) > 0.0) == (s.target > 0.5);
        let share = new.iter().filter(right).count() as f64 / new.len() as f64;
        assert!(share > 0.9, "{share}");
        let played = NetModel::of(rules, &model.export(100.0), 100.0, blocks);
        let same = |s: &&NetSample| (played.value(&s.inputs) - model.value(&s.inputs)).abs() < 0.1;
        assert_eq!(new.iter().filter(same).count(), new.len());
    }

    /// The bias of weights with blocks has in it what empty blocks say, so it may be larger than a number of a row.
    #[test]
    fn learning_on_begins_with_what_was_learned() {
        [APART, MOST_BLOCKS].into_iter().for_each(learn_on);
    }

    fn learn_on(blocks: usize) {
        let samples = &samples()[..5000];
        let rules = VariantId::International.rules();
        let mut numbers: Vec<i16> = NetModel::new(rules, 1, blocks).export(100.0).numbers().collect();
        for (i, number) in numbers[BIAS..OUT].iter_mut().enumerate() {
            *number = if i % 2 == 0 { MOST_BIAS } else { -MOST_BIAS };
        }
        let net = Net::from_numbers(numbers.into_iter(), blocks);
        let mut model = NetModel::of(rules, &net, 100.0, blocks);
        model.learn(samples, 1e-9);
        assert!(model.export(100.0) == net);
    }

    #[test]
    fn threads_change_nothing_and_states_come_back() {
        let samples = &samples()[..9000];
        let rules = VariantId::International.rules();
        let learned = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut model = NetModel::new(rules, 1, MOST_BLOCKS);
                model.learn(samples, 0.01);
                model
            })
        };
        let (one, many) = (learned(1), learned(3));
        let bits = |model: &NetModel| model.state().map(f32::to_bits).collect::<Vec<_>>();
        assert_eq!(bits(&one), bits(&many));
        assert_eq!(bits(&one).len(), one.state_len());
        let mut other = NetModel::new(rules, 9, MOST_BLOCKS);
        let mut state = one.state();
        other.restore(|| state.next()).unwrap();
        assert_eq!(bits(&other), bits(&one));
    }
}
