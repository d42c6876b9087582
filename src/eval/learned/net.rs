//! A network with one hidden layer in integer arithmetic.
//!
//! Each side sees the board from its own end. Every piece has a row of [`HIDDEN`] numbers that is added up (one sum for
//! each side, the same rows), clipped to 0..1 and squared; the two results, the side to move first, are weighed by the
//! weights of a bucket, chosen by the number of pieces. Sums are kept from position to position, see [`Accumulator`]: the form
//! is that of the efficiently updatable networks of Y. Nasu, 2018.
//!
//! Every processor finds the same value. The compiler vectorises the loops; they are compiled for several instruction sets,
//! and the program picks one of them at run time.

use super::accumulator::{Accumulator, weigh};
use crate::board::{Board, Color, Position};
use crate::rules::{Rules, Variant};

/// Sums of each side.
pub const HIDDEN: usize = 128;
/// Rows: own men, own kings, the opponent's men, his kings, on each square of the lattice.
pub const ROWS: usize = 4 * 64;
/// Sets of output weights.
pub const BUCKETS: usize = 8;
/// What stands for 1 in rows and sums.
pub const ONE: i16 = 255;
/// The largest number in a row: no sum overflows, however many pieces are on a board of 50 squares.
pub const MOST_ROW: i16 = 640;

/// The most pieces that can be on the board.
pub const fn most_pieces(rules: &Rules) -> u32 {
    2 * rules.most_pieces()
}

/// The numbers of a kind of piece on a square, aligned for vector loads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct FeatureRow(pub [i16; HIDDEN]);

/// The weights of the network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Net {
    /// A row for each kind of piece and square, as [`row`] numbers them; [`ONE`] is 1.
    pub rows: Box<[FeatureRow; ROWS]>,
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

/// The square as `viewer` sees it from its own end.
#[inline(always)]
pub const fn seen_by(viewer: Color, board: &Board, square: usize) -> usize {
    match viewer {
        Color::White => square,
        Color::Black => turned(board, square),
    }
}

/// A sum clipped to 0..1 and squared, 1 being 254.
#[inline(always)]
pub fn clipped_square(sum: i16) -> i16 {
    // At most 255 squared, which 16 bits can hold.
    let clipped = sum.clamp(0, ONE) as u16;
    ((clipped * clipped) >> 8) as i16
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
            rows: Box::new([FeatureRow([0; HIDDEN]); ROWS]),
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
        let rows = self.rows.iter().flat_map(|row| &row.0);
        rows.chain(&self.bias).chain(self.out.iter().flatten().flatten()).chain(&self.out_bias)
    }

    /// The network with these numbers; 0 for those that are missing. Numbers that could overflow a sum are clipped.
    pub fn from_numbers(mut numbers: impl Iterator<Item = i16>) -> Net {
        let mut net = Net::default();
        let rows = net.rows.iter_mut().flat_map(|row| &mut row.0).chain(&mut net.bias);
        rows.zip(&mut numbers).for_each(|(place, number)| *place = number.clamp(-MOST_ROW, MOST_ROW));
        let out = net.out.iter_mut().flatten().flatten().chain(&mut net.out_bias);
        out.zip(numbers).for_each(|(place, number)| *place = number);
        net
    }

    /// What the network adds to the material for the side to move, in parts of a centi-man. First `sums`, which must be
    /// of this network, are brought from the position that they are of to this one.
    #[inline]
    pub fn value<V: Variant>(&self, sums: &mut Accumulator, position: &Position) -> i32 {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512bw")
            && std::arch::is_x86_feature_detected!("avx512vl")
        {
            // SAFETY: the processor has the instructions.
            return unsafe { self.value_with_avx512::<V>(sums, position) };
        }
        #[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the instructions.
            return unsafe { self.value_with_avx2::<V>(sums, position) };
        }
        self.plain_value::<V>(sums, position)
    }

    /// The same code, compiled for processors with the widest registers.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    fn value_with_avx512<V: Variant>(&self, sums: &mut Accumulator, position: &Position) -> i32 {
        self.plain_value::<V>(sums, position)
    }

    /// The same for processors with wide registers: in a program for any processor, the way of those that have them.
    #[cfg(all(target_arch = "x86_64", any(test, not(target_feature = "avx2"))))]
    #[target_feature(enable = "avx2")]
    fn value_with_avx2<V: Variant>(&self, sums: &mut Accumulator, position: &Position) -> i32 {
        self.plain_value::<V>(sums, position)
    }

    #[inline(always)]
    fn plain_value<V: Variant>(&self, sums: &mut Accumulator, position: &Position) -> i32 {
        sums.follow::<V>(self, position);
        let us = position.turn();
        let bucket = bucket(position.occupied().len(), const { most_pieces(&V::RULES) });
        let out = &self.out[bucket];
        let own = weigh(sums.of(us), &out[0]);
        let other = weigh(sums.of(!us), &out[1]);
        own + other + i32::from(self.out_bias[bucket])
    }
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
        assert!(large.rows.iter().flat_map(|row| &row.0).all(|&number| number == -MOST_ROW));
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
            let mut sums = Accumulator::new(&net);
            for _ in 0..40 {
                let mut position = V::RULES.position(&V::RULES.start()).unwrap();
                for _ in 0..150 {
                    let moves = legal_moves(V::ID, &position);
                    if moves.is_empty() {
                        break;
                    }
                    position = play::<V>(&position, moves[random.random_range(0..moves.len())]);
                    let mut new = Accumulator::new(&net);
                    let value = net.value::<V>(&mut new, &position);
                    // The same with sums that came another way.
                    assert_eq!(net.value::<V>(&mut sums, &position), value);
                    sums = [new, sums][random.random_range(0..2)].clone();
                    let mut new = Accumulator::new(&net);
                    assert_eq!(net.value::<V>(&mut new, &mirrored::<V>(&position)), value);
                    let mut new = Accumulator::new(&net);
                    assert_eq!(net.plain_value::<V>(&mut new, &position), value);
                    #[cfg(target_arch = "x86_64")]
                    if std::arch::is_x86_feature_detected!("avx2") {
                        let mut new = Accumulator::new(&net);
                        // SAFETY: the processor has the instructions.
                        let wide = unsafe { net.value_with_avx2::<V>(&mut new, &position) };
                        assert_eq!(wide, value);
                    }
                    #[cfg(target_arch = "x86_64")]
                    if std::arch::is_x86_feature_detected!("avx512f")
                        && std::arch::is_x86_feature_detected!("avx512bw")
                        && std::arch::is_x86_feature_detected!("avx512vl")
                    {
                        let mut new = Accumulator::new(&net);
                        // SAFETY: the processor has the instructions.
                        let widest = unsafe { net.value_with_avx512::<V>(&mut new, &position) };
                        assert_eq!(widest, value);
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
