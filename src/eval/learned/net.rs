//! A small network for positions with few pieces, where patterns of men say little: kings, races, who holds the draw.
//!
//! Each side sees the board from its own end. Every piece has a row of [`HIDDEN`] numbers that is added up (one sum for
//! each side, the same rows), clipped to 0..1 and squared; the two results, the side to move first, are weighed by the
//! weights of a bucket, chosen by the number of pieces. (The form is that of the efficiently updatable networks of Y.
//! Nasu, 2018; with so few pieces nothing needs to be updated.)
//!
//! All arithmetic is on whole numbers, so every processor finds the same value. The loops are written for the compiler to
//! put into wide registers; a program for any x86-64 processor chooses at run time whether it may.

use crate::board::{Board, Color, Position};
use crate::rules::{Rules, Variant};

/// Sums of each side.
pub const HIDDEN: usize = 32;
/// Rows: own men, own kings, the opponent's men, his kings, on each square of the lattice.
pub const ROWS: usize = 4 * 64;
/// Sets of output weights.
pub const BUCKETS: usize = 4;
/// What stands for 1 in rows and sums.
pub const ONE: i16 = 256;
/// The largest number in a row: no sum overflows.
pub const MOST_ROW: i16 = 1_500;

/// The most pieces for which the network is asked: on most boards half of those at the beginning.
pub const fn most_pieces(rules: &Rules) -> u32 {
    rules.board.squares() as u32 * 2 / 5
}

/// The weights of the network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Net {
    /// A row for each kind of piece and square, as [`row`] numbers them; [`ONE`] is 1.
    pub rows: Box<[[i16; HIDDEN]; ROWS]>,
    /// Where every sum begins.
    pub bias: [i16; HIDDEN],
    /// Weights of the side to move and of the other, in parts of a centi-man.
    pub out: [[[i16; HIDDEN]; 2]; BUCKETS],
    /// What is added to them.
    pub out_bias: [i16; BUCKETS],
}

/// The row of a piece on `square` (an index of the lattice, from the viewer's end).
#[inline(always)]
pub const fn row(own: bool, king: bool, square: usize) -> usize {
    (2 * !own as usize + king as usize) * 64 + square
}

/// The square as it is seen from the other end.
#[inline(always)]
pub const fn turned(board: &Board, square: usize) -> usize {
    let half = board.side() as usize / 2;
    13 * (half - 1) + 6 + half - 1 - square
}

/// The set of output weights for a number of pieces.
#[inline(always)]
pub const fn bucket(pieces: u32, most: u32) -> usize {
    let bucket = (pieces.saturating_sub(1)) as usize * BUCKETS / most as usize;
    if bucket < BUCKETS { bucket } else { BUCKETS - 1 }
}

impl Default for Net {
    /// A network that says 0 of everything.
    fn default() -> Net {
        Net {
            rows: Box::new([[0; HIDDEN]; ROWS]),
            bias: [0; HIDDEN],
            out: [[[0; HIDDEN]; 2]; BUCKETS],
            out_bias: [0; BUCKETS],
        }
    }
}

impl Net {
    /// How many numbers there are.
    pub const SIZE: usize = ROWS * HIDDEN + HIDDEN + BUCKETS * 2 * HIDDEN + BUCKETS;

    /// All numbers in one order.
    pub fn numbers(&self) -> impl Iterator<Item = &i16> {
        let rows = self.rows.iter().flatten();
        rows.chain(&self.bias).chain(self.out.iter().flatten().flatten()).chain(&self.out_bias)
    }

    /// The network with these numbers; 0 for those that are missing. Numbers that could overflow a sum are clipped.
    pub fn from_numbers(mut numbers: impl Iterator<Item = i16>) -> Net {
        let mut net = Net::default();
        let rows = net.rows.iter_mut().flatten().chain(&mut net.bias);
        rows.zip(&mut numbers).for_each(|(place, number)| *place = number.clamp(-MOST_ROW, MOST_ROW));
        let out = net.out.iter_mut().flatten().flatten().chain(&mut net.out_bias);
        out.zip(numbers).for_each(|(place, number)| *place = number);
        net
    }

    /// What the network adds to the value for the side to move, in parts of a centi-man.
    #[inline]
    pub fn value<V: Variant>(&self, position: &Position, pieces: u32) -> i32 {
        #[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the instructions.
            return unsafe { self.value_with_avx2::<V>(position, pieces) };
        }
        self.plain_value::<V>(position, pieces)
    }

    /// The same code, compiled for processors with wide registers: in a program for any processor, the way of those that
    /// have them.
    #[cfg(all(target_arch = "x86_64", any(test, not(target_feature = "avx2"))))]
    #[target_feature(enable = "avx2")]
    fn value_with_avx2<V: Variant>(&self, position: &Position, pieces: u32) -> i32 {
        self.plain_value::<V>(position, pieces)
    }

    #[inline(always)]
    fn plain_value<V: Variant>(&self, position: &Position, pieces: u32) -> i32 {
        let us = position.turn();
        let out = &self.out[bucket(pieces, const { most_pieces(&V::RULES) })];
        let own = weigh(&self.sums::<V>(position, us), &out[0]);
        let other = weigh(&self.sums::<V>(position, !us), &out[1]);
        own + other + i32::from(self.out_bias[bucket(pieces, const { most_pieces(&V::RULES) })])
    }

    #[inline(always)]
    fn sums<V: Variant>(&self, position: &Position, viewer: Color) -> [i16; HIDDEN] {
        let mut sums = self.bias;
        for color in [viewer, !viewer] {
            for (king, set) in [(false, position.men(color)), (true, position.kings_of(color))] {
                for square in set {
                    let square = square.index();
                    let square = if viewer == Color::White {
                        square
                    } else {
                        turned(const { V::RULES.board }, square)
                    };
                    let numbers = &self.rows[row(color == viewer, king, square)];
                    for (sum, number) in sums.iter_mut().zip(numbers) {
                        *sum = sum.wrapping_add(*number);
                    }
                }
            }
        }
        sums
    }
}

/// Clipped, squared, weighed and added up.
#[inline(always)]
fn weigh(sums: &[i16; HIDDEN], weights: &[i16; HIDDEN]) -> i32 {
    let terms = sums.iter().zip(weights).map(|(&sum, &weight)| {
        let clipped = i32::from(sum.clamp(0, ONE));
        ((clipped * clipped) >> 8) * i32::from(weight)
    });
    terms.sum::<i32>() >> 8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;
    use crate::rules::{English, International, VariantId, legal_moves, play};
    use rand::{RngExt, SeedableRng};

    fn random_net(seed: u64) -> Net {
        let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(seed);
        Net::from_numbers(std::iter::repeat_with(|| random.random_range(-400..400)).take(Net::SIZE))
    }

    #[test]
    fn numbers_come_back() {
        let net = random_net(1);
        assert_eq!(net.numbers().count(), Net::SIZE);
        assert_eq!(Net::from_numbers(net.numbers().copied()), net);
        let large = Net::from_numbers(std::iter::repeat_n(i16::MIN, Net::SIZE));
        assert!(large.rows.iter().flatten().all(|&number| number == -MOST_ROW));
        assert_eq!(large.out_bias, [i16::MIN; BUCKETS]);
    }

    #[test]
    fn turning_is_that_of_the_board() {
        for variant in VariantId::ALL {
            let board = variant.rules().board;
            for square in board.iter() {
                let other = turned(board, square.index());
                let number = board.number(Square::new(other as u8));
                assert_eq!(number, board.squares() + 1 - board.number(square));
            }
        }
    }

    #[test]
    fn neither_colours_nor_processors_matter() {
        fn check<V: Variant>(seed: u64) {
            let net = random_net(seed);
            let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut different = std::collections::HashSet::new();
            for _ in 0..40 {
                let mut position = V::RULES.position(&V::RULES.start()).unwrap();
                for _ in 0..150 {
                    let moves = legal_moves(V::ID, &position);
                    if moves.is_empty() {
                        break;
                    }
                    position = play::<V>(&position, moves[random.random_range(0..moves.len())]);
                    let pieces = position.occupied().len();
                    if pieces > most_pieces(&V::RULES) {
                        continue;
                    }
                    let value = net.value::<V>(&position, pieces);
                    assert_eq!(net.value::<V>(&mirrored::<V>(&position), pieces), value);
                    assert_eq!(net.plain_value::<V>(&position, pieces), value);
                    #[cfg(target_arch = "x86_64")]
                    if std::arch::is_x86_feature_detected!("avx2") {
                        // SAFETY: the processor has the instructions.
                        assert_eq!(unsafe { net.value_with_avx2::<V>(&position, pieces) }, value);
                    }
                    different.insert(value);
                }
            }
            assert!(different.len() > 100);
        }
        check::<International>(2);
        check::<English>(3);
    }

    /// The same position with colours exchanged and the board turned.
    fn mirrored<V: Variant>(position: &Position) -> Position {
        let mut setup = crate::board::Setup::empty(!position.turn());
        for square in V::RULES.board.iter() {
            if let Some(piece) = position.piece(square) {
                let other = Square::new(turned(V::RULES.board, square.index()) as u8);
                setup.put(other, crate::board::Piece { color: !piece.color, ..piece });
            }
        }
        V::ID.rules().position(&setup).unwrap()
    }
}
