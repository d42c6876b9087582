//! The network of `neural-q`.

use super::LabelledBoard;
use crate::board::{Bitboard, Color, Position};
use crate::rules::VariantId;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Planes of the input: own men, own kings, the other side's men, its kings.
const PLANES: usize = 4;
/// Units of the first two layers.
const HIDDEN: [usize; 2] = [32, 16];
/// Classes: the loser made the board, the winner made it.
const CLASSES: usize = 2;

/// What the network sees of a board: which of its inputs are 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PriorInputs(Vec<u16>);

impl PriorInputs {
    /// A board as its maker sees it: Black's is turned by half.
    pub fn new(variant: VariantId, board: &LabelledBoard) -> PriorInputs {
        let rules = variant.rules();
        let squares = u16::from(rules.board.squares());
        let number = |square| {
            let number = u16::from(rules.board.number(square)) - 1;
            if board.maker == Color::White { number } else { squares - 1 - number }
        };
        let (own, other) =
            if board.maker == Color::White { (board.white, board.black) } else { (board.black, board.white) };
        let planes: [Bitboard; PLANES] =
            [own.without(board.kings), own & board.kings, other.without(board.kings), other & board.kings];
        let inputs = planes
            .into_iter()
            .zip(0..)
            .flat_map(|(plane, index)| plane.into_iter().map(move |square| index * squares + number(square)));
        PriorInputs(inputs.collect())
    }
}

/// A small dense network in place of the report's ResNet101: three dense layers (32, 16 and 2 units, the first two cut
/// at 0), fed with the four kinds of pieces on each square as the maker of the board sees them. Its two outputs are the
/// classes of "AI for Draught": was the board made by the side that won?
#[derive(Clone, PartialEq, Debug)]
pub struct PriorNet {
    numbers: Vec<f32>,
    inputs: usize,
}

/// A layer: where its weights begin, inputs, outputs. A row of weights for each input, then the biases.
#[derive(Clone, Copy, Debug)]
struct Layer {
    at: usize,
    inputs: usize,
    outputs: usize,
}

impl Layer {
    const fn bias(self) -> usize {
        self.at + self.inputs * self.outputs
    }

    const fn end(self) -> usize {
        self.bias() + self.outputs
    }
}

/// What all layers gave for a board.
struct Activations {
    hidden: [Vec<f32>; 2],
    /// The probability that the winner made it.
    won: f32,
}

impl PriorNet {
    fn layers(inputs: usize) -> [Layer; 3] {
        let first = Layer { at: 0, inputs, outputs: HIDDEN[0] };
        let second = Layer { at: first.end(), inputs: HIDDEN[0], outputs: HIDDEN[1] };
        [first, second, Layer { at: second.end(), inputs: HIDDEN[1], outputs: CLASSES }]
    }

    fn inputs_of(variant: VariantId) -> usize {
        PLANES * usize::from(variant.rules().board.squares())
    }

    /// How many numbers the network of a variant has.
    pub fn size(variant: VariantId) -> usize {
        PriorNet::layers(PriorNet::inputs_of(variant))[2].end()
    }

    /// A network that rates every board 0.
    pub fn silent(variant: VariantId) -> PriorNet {
        PriorNet { numbers: vec![0.0; PriorNet::size(variant)], inputs: PriorNet::inputs_of(variant) }
    }

    /// A network that has learned nothing: random weights that keep the size of sums from layer to layer, no biases.
    pub fn random(variant: VariantId, random: &mut Xoshiro256PlusPlus) -> PriorNet {
        let mut net = PriorNet::silent(variant);
        for layer in PriorNet::layers(net.inputs) {
            // Of a board's inputs at most one in three is 1.
            let active = if layer.at == 0 { layer.inputs / 6 } else { layer.inputs };
            let most = (6.0 / active as f32).sqrt();
            for number in &mut net.numbers[layer.at..layer.bias()] {
                *number = most * (2.0 * random.random::<f32>() - 1.0);
            }
        }
        net
    }

    /// A network of these numbers; none if they are not as many as it needs, or no numbers.
    pub fn with_numbers(variant: VariantId, numbers: Vec<f32>) -> Option<PriorNet> {
        let is_whole =
            numbers.len() == PriorNet::size(variant) && numbers.iter().all(|number| number.is_finite());
        is_whole.then(|| PriorNet { numbers, inputs: PriorNet::inputs_of(variant) })
    }

    /// All numbers.
    pub fn numbers(&self) -> &[f32] {
        &self.numbers
    }

    /// All numbers, to be changed.
    pub fn numbers_mut(&mut self) -> &mut [f32] {
        &mut self.numbers
    }

    /// What it says of the board that the last move made: from -1 (a loser's move) to 1 (a winner's), the difference of
    /// its two outputs.
    pub fn rate(&self, variant: VariantId, position: &Position) -> f64 {
        let board = LabelledBoard::new(position, false);
        f64::from(2.0 * self.won(&PriorInputs::new(variant, &board)) - 1.0)
    }

    /// The probability that the winner made the board.
    pub fn won(&self, inputs: &PriorInputs) -> f32 {
        self.forward(inputs).won
    }

    /// Adds the slopes of a board's loss (cross entropy) to `slopes`. The loss, in bits.
    pub fn slope(&self, inputs: &PriorInputs, is_won: bool, slopes: &mut [f32]) -> f64 {
        let [first, second, third] = PriorNet::layers(self.inputs);
        let activations = self.forward(inputs);
        let error = activations.won - f32::from(u8::from(is_won));
        // The outputs are a soft maximum of two: one error is the negative of the other.
        let back = self.back(third, &activations.hidden[1], &[-error, error], slopes);
        let back = self.back(second, &activations.hidden[0], &back, slopes);
        for &input in &inputs.0 {
            let row = first.at + usize::from(input) * first.outputs;
            slopes[row..row + first.outputs].iter_mut().zip(&back).for_each(|(slope, back)| *slope += back);
        }
        slopes[first.bias()..first.end()].iter_mut().zip(&back).for_each(|(slope, back)| *slope += back);
        let chance = if is_won { activations.won } else { 1.0 - activations.won };
        -f64::from(chance.max(1e-6).log2())
    }

    fn forward(&self, inputs: &PriorInputs) -> Activations {
        let [first, second, third] = PriorNet::layers(self.inputs);
        let mut sums = self.numbers[first.bias()..first.end()].to_vec();
        for &input in &inputs.0 {
            let row = first.at + usize::from(input) * first.outputs;
            sums.iter_mut().zip(&self.numbers[row..]).for_each(|(sum, weight)| *sum += weight);
        }
        let one = cut(sums);
        let two = cut(self.dense(second, &one));
        let out = self.dense(third, &two);
        let odds = out[0] - out[1];
        // Only numbers that no training makes add up to none.
        let won = if odds.is_nan() { 0.5 } else { 1.0 / (1.0 + odds.exp()) };
        Activations { hidden: [one, two], won }
    }

    fn dense(&self, layer: Layer, inputs: &[f32]) -> Vec<f32> {
        let mut sums = self.numbers[layer.bias()..layer.end()].to_vec();
        for (input, row) in inputs.iter().zip(self.numbers[layer.at..].chunks_exact(layer.outputs)) {
            sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += input * weight);
        }
        sums
    }

    /// Adds the slopes of a dense layer; what its inputs must hear.
    fn back(&self, layer: Layer, inputs: &[f32], errors: &[f32], slopes: &mut [f32]) -> Vec<f32> {
        slopes[layer.bias()..layer.end()].iter_mut().zip(errors).for_each(|(slope, error)| *slope += error);
        let rows = slopes[layer.at..].chunks_exact_mut(layer.outputs);
        let weights = self.numbers[layer.at..].chunks_exact(layer.outputs);
        let mut back = Vec::with_capacity(layer.inputs);
        for ((input, slopes), weights) in inputs.iter().zip(rows).zip(weights) {
            slopes.iter_mut().zip(errors).for_each(|(slope, error)| *slope += input * error);
            let heard: f32 = weights.iter().zip(errors).map(|(weight, error)| weight * error).sum();
            back.push(if *input > 0.0 { heard } else { 0.0 });
        }
        back
    }
}

/// Units below 0 give nothing.
fn cut(mut sums: Vec<f32>) -> Vec<f32> {
    sums.iter_mut().for_each(|sum| *sum = sum.max(0.0));
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::notation::fen::game_from_fen;
    use rand::SeedableRng;

    fn net(variant: VariantId) -> PriorNet {
        PriorNet::random(variant, &mut Xoshiro256PlusPlus::seed_from_u64(4))
    }

    #[test]
    fn both_makers_see_the_same_board() {
        // 18 and 4 turned by half are 15 and 29.
        let white = game_from_fen(VariantId::English, "B:W18,K4:B1").unwrap();
        let black = game_from_fen(VariantId::English, "W:W32:B15,K29").unwrap();
        let inputs = |game: &Game| {
            let mut inputs =
                PriorInputs::new(VariantId::English, &LabelledBoard::new(game.position(), true)).0;
            inputs.sort_unstable();
            inputs
        };
        // Own man on 18, own king on 4, the other side's man on 1.
        assert_eq!(inputs(&white), [17, 32 + 3, 64]);
        assert_eq!(inputs(&white), inputs(&black));
    }

    #[test]
    fn slopes_are_those_of_the_loss() {
        let game = game_from_fen(VariantId::English, "B:W18,K4,30:B1,2,9,K31").unwrap();
        let inputs = PriorInputs::new(VariantId::English, &LabelledBoard::new(game.position(), true));
        let net = net(VariantId::English);
        for is_won in [false, true] {
            let mut slopes = vec![0.0; net.numbers().len()];
            let loss = net.slope(&inputs, is_won, &mut slopes);
            let loss_of = |net: &PriorNet| {
                let won = f64::from(net.won(&inputs));
                -(if is_won { won } else { 1.0 - won }).log2()
            };
            assert!((loss - loss_of(&net)).abs() < 1e-5);
            let mut checked = 0;
            for (i, &slope) in slopes.iter().enumerate().filter(|(_, slope)| slope.abs() > 1e-3) {
                const STEP: f32 = 1e-2;
                let moved = |by: f32| {
                    let mut moved = net.clone();
                    moved.numbers_mut()[i] += by;
                    loss_of(&moved)
                };
                // The loss is in bits, slopes are of natural logarithms.
                let found = (moved(STEP) - moved(-STEP)) / f64::from(2.0 * STEP) * std::f64::consts::LN_2;
                assert!((found - f64::from(slope)).abs() < 0.02 + 0.1 * found.abs(), "{i} {found} {slope}");
                checked += 1;
            }
            assert!(checked > 50, "{checked}");
        }
    }

    #[test]
    fn a_silent_network_says_nothing() {
        for variant in VariantId::ALL {
            let game = Game::new(variant);
            assert_eq!(PriorNet::silent(variant).rate(variant, game.position()), 0.0);
            let rate = net(variant).rate(variant, game.position());
            assert!(rate != 0.0 && (-1.0..=1.0).contains(&rate), "{variant} {rate}");
        }
        let with = |number, count| PriorNet::with_numbers(VariantId::English, vec![number; count]);
        let size = PriorNet::size(VariantId::English);
        assert!(with(0.0, 3).is_none() && with(f32::NAN, size).is_none());
        let game = Game::new(VariantId::English);
        let rate = with(f32::MAX, size).map(|net| net.rate(VariantId::English, game.position()));
        assert_eq!(rate, Some(0.0));
    }
}
