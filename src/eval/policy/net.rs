//! The network of the policy in integer arithmetic: every processor finds the same values.

use super::inputs::{OUT_ROWS, TERMS, estimate_centi, move_inputs, piece_rows};
use crate::board::{Move, Position};
use crate::eval::learned::net::{MOST_ROW, ROWS, clipped_square};
use crate::rules::Variant;
use crate::score::Score;

/// Sums of the network.
pub const WIDTH: usize = 128;
/// What stands for a value of 1: the odds against a move of value 0 are e to 1.
pub const UNIT: i32 = 1_024;
/// The largest number in a row of a move: no sum overflows.
const MOST_OUT: i16 = 16_000;

/// Numbers for each sum, aligned for vector loads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
struct Row([i16; WIDTH]);

/// The weights of the policy.
///
/// ```
/// use kroon::eval::policy::{Policy, chances};
/// use kroon::game::Game;
/// use kroon::rules::{International, VariantId};
/// use kroon::score::Score;
/// let game = Game::new(VariantId::International);
/// let mut values = Vec::new();
/// let estimates = [Score::DRAW; 9];
/// Policy::default().values::<International>(game.position(), &game.legal_moves(), &estimates, &mut values);
/// // It has learned nothing: nine moves, all alike.
/// assert!(chances(&values).all(|chance| (chance - 1.0 / 9.0).abs() < 1e-9));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Policy {
    /// A row for each kind of piece and square.
    rows: Box<[Row; ROWS]>,
    /// Where every sum begins.
    bias: Row,
    /// Rows of moves, in parts of [`UNIT`].
    out: Box<[Row; OUT_ROWS]>,
    /// The row of the factor of estimates, in parts of [`UNIT`] for each man.
    trust: Row,
    /// Numbers of moves, in parts of [`UNIT`]; the last one is added to the factor of estimates.
    terms: Box<[i16; TERMS + 1]>,
}

impl Default for Policy {
    /// A network to which all moves are alike.
    fn default() -> Policy {
        const NONE: Row = Row([0; WIDTH]);
        let (rows, out) = (Box::new([NONE; ROWS]), Box::new([NONE; OUT_ROWS]));
        Policy { rows, bias: NONE, out, trust: NONE, terms: Box::new([0; TERMS + 1]) }
    }
}

impl Policy {
    /// How many numbers there are.
    pub const SIZE: usize = (ROWS + 1 + OUT_ROWS + 1) * WIDTH + TERMS + 1;

    /// All numbers in one order: rows of pieces, bias, rows of moves, row of the factor, numbers of moves and of the
    /// factor.
    pub fn numbers(&self) -> impl Iterator<Item = &i16> {
        let rows = self.rows.iter().flat_map(|row| &row.0).chain(&self.bias.0);
        let out = self.out.iter().flat_map(|row| &row.0).chain(&self.trust.0);
        rows.chain(out).chain(&*self.terms)
    }

    /// The network with these numbers; 0 for those that are missing. Numbers that could overflow a sum are clipped.
    pub fn from_numbers(mut numbers: impl Iterator<Item = i16>) -> Policy {
        let mut policy = Policy::default();
        let rows = policy.rows.iter_mut().flat_map(|row| &mut row.0).chain(&mut policy.bias.0);
        rows.zip(&mut numbers).for_each(|(place, number)| *place = number.clamp(-MOST_ROW, MOST_ROW));
        let out = policy.out.iter_mut().flat_map(|row| &mut row.0).chain(&mut policy.trust.0);
        out.zip(&mut numbers).for_each(|(place, number)| *place = number.clamp(-MOST_OUT, MOST_OUT));
        policy.terms.iter_mut().zip(numbers).for_each(|(place, number)| *place = number);
        policy
    }

    /// The values of the legal moves, in their order, in parts of [`UNIT`]. `estimates` are what the evaluation says of the
    /// positions after them when these have become quiet, for the side that moves.
    pub fn values<V: Variant>(
        &self,
        position: &Position,
        moves: &[Move],
        estimates: &[Score],
        values: &mut Vec<i32>,
    ) {
        let board = const { V::RULES.board };
        let mut sums = self.bias.0;
        for row in piece_rows(board, position) {
            sums.iter_mut().zip(&self.rows[row].0).for_each(|(sum, number)| *sum = sum.wrapping_add(*number));
        }
        sums.iter_mut().for_each(|sum| *sum = clipped_square(*sum));
        let product = |row: &mut dyn Iterator<Item = i16>| -> i32 {
            sums.iter().zip(row).map(|(&sum, number)| i32::from(sum) * i32::from(number)).sum::<i32>() >> 8
        };
        let trust = product(&mut self.trust.0.iter().copied()) + i32::from(self.terms[TERMS]);
        values.clear();
        values.extend(moves.iter().zip(estimates).map(|(&mv, &estimate)| {
            let inputs = move_inputs(board, position, mv, estimate, estimates);
            let [first, second] = inputs.rows.map(|row| &self.out[usize::from(row)].0);
            let rows = product(&mut first.iter().zip(second).map(|(first, second)| first + second));
            let terms: i32 = inputs.terms.iter().map(|&term| i32::from(self.terms[usize::from(term)])).sum();
            // The factor is at most 2.1 million, so the product fits.
            rows + terms + trust * estimate_centi(estimate) / 100
        }));
    }
}

/// The chances of moves with these values to be the best one; they add up to 1.
pub fn chances(values: &[i32]) -> impl Iterator<Item = f64> {
    let most = values.iter().copied().max().unwrap_or(0);
    let odds = move |value: i32| (f64::from(value - most) / f64::from(UNIT)).exp();
    let all: f64 = values.iter().map(|&value| odds(value)).sum();
    values.iter().map(move |&value| odds(value) / all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::MoveList;
    use crate::rules::{International, VariantId, legal_moves};

    fn start() -> (Position, MoveList) {
        let rules = VariantId::International.rules();
        let position = rules.position(&rules.start()).unwrap();
        (position, legal_moves(VariantId::International, &position))
    }

    #[test]
    fn estimates_count_as_much_as_the_network_trusts_them() {
        let (position, moves) = start();
        // Nothing but the factor: 2 for each man.
        let numbers = (0..Policy::SIZE).map(|i| if i == Policy::SIZE - 1 { 2 * UNIT as i16 } else { 0 });
        let policy = Policy::from_numbers(numbers);
        let mut estimates = [Score::DRAW; 9];
        estimates[4] = Score::from_centi(-150);
        estimates[5] = Score::win_in(3);
        let mut values = Vec::new();
        policy.values::<International>(&position, &moves, &estimates, &mut values);
        assert_eq!((values[3], values[4], values[5]), (0, -3 * UNIT, 20 * UNIT));
    }

    #[test]
    fn numbers_come_back_and_none_overflows() {
        let policy = Policy::from_numbers((0..Policy::SIZE).map(|i| (i % 1_201) as i16 - 600));
        assert_eq!(policy.numbers().count(), Policy::SIZE);
        assert_eq!(Policy::from_numbers(policy.numbers().copied()), policy);
        let (position, moves) = start();
        // All sums are at their top, and everything behind them is as large as it can be.
        const INNER: usize = (ROWS + 1) * WIDTH;
        for (number, sign) in [(i16::MAX, 1), (i16::MIN, -1)] {
            let numbers = (0..Policy::SIZE).map(|i| if i < INNER { i16::MAX } else { number });
            let mut values = Vec::new();
            let estimates = [Score::win_in(3); 9];
            Policy::from_numbers(numbers).values::<International>(&position, &moves, &estimates, &mut values);
            let (row, number) = (sign * i64::from(MOST_OUT), i64::from(number));
            let product = |row: i64| (WIDTH as i64 * 254 * row) >> 8;
            let expected = product(2 * row) + 4 * number + (product(row) + number) * 1_000 / 100;
            assert!(values.iter().all(|&value| i64::from(value) == expected), "{values:?} {expected}");
        }
    }

    #[test]
    fn a_value_of_one_more_is_e_times_as_likely() {
        let chances: Vec<f64> = chances(&[0, UNIT, 0]).collect();
        assert!((chances[1] / chances[0] - std::f64::consts::E).abs() < 1e-9);
        assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
}
