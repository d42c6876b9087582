//! Learning the network of the policy.

use super::adam::Adam;
use super::numbers::{Numbers, STEP, Slopes};
use crate::eval::learned::net::{MOST_ROW, ONE, ROWS};
use crate::eval::policy::{MoveInputs, OUT_ROWS, Policy, TERMS, UNIT, WIDTH};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const BIAS: usize = ROWS * WIDTH;
const OUT: usize = BIAS + WIDTH;
const TRUST: usize = OUT + OUT_ROWS * WIDTH;
const TERMS_AT: usize = TRUST + WIDTH;
const TRUST_BIAS: usize = TERMS_AT + TERMS;

/// A choice to learn from: what the network sees of a position and of its moves, and how good they are.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The rows of the pieces.
    pub rows: Box<[u8]>,
    /// The moves.
    pub moves: Box<[MoveInputs]>,
    /// What the evaluation says of the positions after them, in men, for the side that moves.
    pub estimates: Box<[f32]>,
    /// For each move the chance that it shall have: 1 for the one that was chosen, or shares of a tree search's visits.
    pub targets: Box<[f32]>,
}

impl Choice {
    /// The place of the move with the largest target.
    pub fn best(&self) -> usize {
        let largest = |best: usize, place: usize| {
            if self.targets[place] > self.targets[best] { place } else { best }
        };
        (0..self.targets.len()).fold(0, largest)
    }

    /// The loss of these chances, in bits: the cross-entropy.
    pub fn loss(&self, chances: &[f32]) -> f64 {
        let of = |(chance, target): (&f32, &f32)| f64::from(*target) * -f64::from(chance.max(1e-9).log2());
        chances.iter().zip(&self.targets).map(of).sum()
    }
}

/// The network while it is learned: real numbers, 1 for 1.
#[derive(Debug)]
pub struct PolicyNet {
    numbers: Numbers,
    adam: Adam,
}

impl PolicyNet {
    /// Small random rows; values of nearly 0.
    pub fn new(seed: u64) -> PolicyNet {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut numbers = Numbers::zero(Policy::SIZE);
        for (i, number) in numbers.0.iter_mut().enumerate() {
            let spread = random.random::<f32>() - 0.5;
            *number = match i {
                ..BIAS => 0.3 * spread,
                BIAS..OUT => 0.3,
                OUT..TERMS_AT => 0.02 * spread,
                _ => 0.0,
            };
        }
        PolicyNet { numbers, adam: Adam::new(Policy::SIZE) }
    }

    fn sums(&self, choice: &Choice) -> [f32; WIDTH] {
        let mut sums = *self.numbers.row::<WIDTH>(BIAS);
        for &row in &choice.rows {
            let numbers = self.numbers.row::<WIDTH>(usize::from(row) * WIDTH);
            sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
        }
        sums
    }

    /// How much an estimate counts.
    fn trust(&self, squares: &[f32; WIDTH]) -> f32 {
        let row = self.numbers.row::<WIDTH>(TRUST);
        let product: f32 = squares.iter().zip(row).map(|(square, number)| square * number).sum();
        product + self.numbers.0[TRUST_BIAS]
    }

    fn value(&self, squares: &[f32; WIDTH], mv: &MoveInputs) -> f32 {
        let [first, second] = mv.rows.map(|row| self.numbers.row::<WIDTH>(out_at(row)));
        let rows = first.iter().zip(second).map(|(first, second)| first + second);
        let value: f32 = squares.iter().zip(rows).map(|(square, row)| square * row).sum();
        value + mv.terms.map(|term| self.numbers.0[TERMS_AT + usize::from(term)]).iter().sum::<f32>()
    }

    /// The chances of the moves to be the best one.
    pub fn chances(&self, choice: &Choice) -> Vec<f32> {
        self.chances_at(&squares(&self.sums(choice)), choice)
    }

    fn chances_at(&self, squares: &[f32; WIDTH], choice: &Choice) -> Vec<f32> {
        let trust = self.trust(squares);
        let all = choice.moves.iter().zip(&choice.estimates);
        let mut chances: Vec<f32> =
            all.map(|(mv, estimate)| self.value(squares, mv) + trust * estimate).collect();
        let most = chances.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        chances.iter_mut().for_each(|value| *value = (*value - most).exp());
        let all: f32 = chances.iter().sum();
        chances.iter_mut().for_each(|chance| *chance /= all);
        chances
    }

    /// Adds the slopes of a choice's loss to `slopes`. The loss, in bits.
    fn slope(&self, choice: &Choice, slopes: &mut Numbers) -> f64 {
        let sums = self.sums(choice);
        let squares = squares(&sums);
        let chances = self.chances_at(&squares, choice);
        let mut back = [0.0; WIDTH];
        let mut trust = 0.0;
        for (i, (mv, &chance)) in choice.moves.iter().zip(&chances).enumerate() {
            let error = chance - choice.targets[i];
            trust += error * choice.estimates[i];
            let changes = squares.map(|square| error * square);
            for row in mv.rows.map(out_at) {
                slopes.add(row, &changes);
                let weights = self.numbers.row::<WIDTH>(row);
                back.iter_mut().zip(weights).for_each(|(back, weight)| *back += error * weight);
            }
            mv.terms.iter().for_each(|&term| slopes.0[TERMS_AT + usize::from(term)] += error);
        }
        slopes.add(TRUST, &squares.map(|square| trust * square));
        slopes.0[TRUST_BIAS] += trust;
        let weights = self.numbers.row::<WIDTH>(TRUST);
        back.iter_mut().zip(weights).for_each(|(back, weight)| *back += trust * weight);
        for (back, sum) in back.iter_mut().zip(sums) {
            *back *= if sum > 0.0 && sum < 1.0 { 2.0 * sum } else { 0.0 };
        }
        slopes.add(BIAS, &back);
        choice.rows.iter().for_each(|&row| slopes.add(usize::from(row) * WIDTH, &back));
        choice.loss(&chances)
    }

    /// Learns from all choices once, in steps of `rate`. The sum of the losses before the steps, in bits.
    pub fn learn(&mut self, choices: &[&Choice], rate: f32) -> f64 {
        let mut sum = 0.0;
        for batch in choices.chunks(STEP) {
            let (slopes, _) =
                Slopes::of(batch, Policy::SIZE, |choice, slopes| (self.slope(choice, slopes), ()));
            sum += slopes.loss();
            self.adam.step(&mut self.numbers.0, rate, |i| slopes.mean(i));
            const MOST: f32 = MOST_ROW as f32 / ONE as f32;
            self.numbers.0[..OUT].iter_mut().for_each(|number| *number = number.clamp(-MOST, MOST));
        }
        sum
    }

    /// Whole numbers for playing.
    pub fn export(&self) -> Policy {
        // What plays calls 1 squared 255 * 255 / 256 and its sums are parts of 256.
        let squared = 256.0 * 256.0 / (f32::from(ONE) * f32::from(ONE));
        let numbers = self.numbers.0.iter().enumerate().map(|(i, number)| {
            let unit = match i {
                ..OUT => f32::from(ONE),
                OUT..TERMS_AT => UNIT as f32 * squared,
                _ => UNIT as f32,
            };
            (number * unit).round().clamp(f32::from(i16::MIN), f32::from(i16::MAX)) as i16
        });
        Policy::from_numbers(numbers)
    }

    /// Everything that [`PolicyNet::restore`] needs, number by number.
    pub fn state(&self) -> impl Iterator<Item = f32> {
        self.numbers.0.iter().copied().chain(self.adam.state())
    }

    /// How many numbers [`PolicyNet::state`] has.
    pub const STATE: usize = 3 * Policy::SIZE + 1;

    /// Takes over what [`PolicyNet::state`] gave; none if that ends too early.
    pub fn restore(&mut self, mut next: impl FnMut() -> Option<f32>) -> Option<()> {
        for number in &mut self.numbers.0 {
            *number = next()?;
        }
        self.adam.restore(next)
    }
}

/// Where a row of moves begins.
fn out_at(row: u16) -> usize {
    OUT + usize::from(row) * WIDTH
}

fn squares(sums: &[f32; WIDTH]) -> [f32; WIDTH] {
    sums.map(|sum| sum.clamp(0.0, 1.0).powi(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_those_of_the_loss() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut net = PolicyNet::new(7);
        net.numbers.0[OUT..].iter_mut().for_each(|number| *number = random.random::<f32>() - 0.5);
        let mut inputs = |_| MoveInputs {
            rows: [0; 2].map(|_: u16| random.random_range(0..OUT_ROWS as u16)),
            terms: [0; 4].map(|_: u16| random.random_range(0..TERMS as u16)),
        };
        let choice = Choice {
            rows: [3, 70, 141, 205].into(),
            moves: (0..4).map(&mut inputs).collect(),
            estimates: [0.3, -0.8, 0.0, 1.2].into(),
            targets: [0.0, 0.25, 0.75, 0.0].into(),
        };
        let mut slopes = Numbers::zero(Policy::SIZE);
        net.slope(&choice, &mut slopes);
        // In natural logarithms.
        let loss = |net: &PolicyNet| choice.loss(&net.chances(&choice)) as f32 * std::f32::consts::LN_2;
        let row = |at: usize| at..at + WIDTH;
        let places = row(70 * WIDTH).chain(row(BIAS)).chain(row(TRUST)).step_by(11);
        let places = places.chain(choice.moves.iter().flat_map(|mv| row(out_at(mv.rows[0])).step_by(17)));
        let terms = choice.moves.iter().flat_map(|mv| mv.terms).map(|term| TERMS_AT + usize::from(term));
        for at in places.chain(terms).chain([TRUST_BIAS]) {
            const STEP: f32 = 0.01;
            let mut moved = [STEP, -STEP].map(|step| {
                net.numbers.0[at] += step;
                let loss = loss(&net);
                net.numbers.0[at] -= step;
                loss
            });
            moved.iter_mut().for_each(|loss| *loss /= 2.0 * STEP);
            let (slope, expected) = (slopes.0[at], moved[0] - moved[1]);
            assert!((slope - expected).abs() < 0.01 + expected.abs() / 20.0, "{at}: {slope} {expected}");
        }
    }
}
