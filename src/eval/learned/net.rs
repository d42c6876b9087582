//! A network with one hidden layer in integer arithmetic.
//!
//! Each side sees the board from its own end. Every piece has a row of [`HIDDEN`] numbers that is added up (one sum for
//! each side, the same rows), clipped to 0..1 and squared; the two results, the side to move first, are weighed by the
//! weights of a bucket, chosen by the number of pieces. A network may have rows for the states of [`Blocks`] besides: none, four
//! blocks or nine. Sums are kept from position to position, see [`Accumulator`]: the form is that of the efficiently
//! updatable networks of Y. Nasu, 2018.
//!
//! Every processor finds the same value. The compiler vectorises the loops; they are compiled for several instruction sets,
//! and the program picks one of them at run time.

use super::accumulator::Accumulator;
#[cfg(doc)]
use super::blocks::Blocks;
use super::blocks::{self, APART, MOST_BLOCKS, STATES};
use crate::board::{Board, Color, Position};
use crate::rules::{Rules, Variant};

/// Sums of each side.
pub const HIDDEN: usize = 128;
/// Rows: own men, own kings, the opponent's men, his kings, on each square of the lattice.
pub const ROWS: usize = 4 * 64;
/// The row behind those of pieces: it is 0.
pub(super) const ZERO_ROW: usize = ROWS;
/// Sets of output weights.
pub const BUCKETS: usize = 8;
/// The largest number where a sum begins: what empty blocks say is in it.
pub const MOST_BIAS: i16 = 4 * MOST_ROW;
/// What stands for 1 in rows and sums.
pub const ONE: i16 = 255;
/// The largest number in the row of a piece: no sum overflows, however many pieces are on a board of 50 squares.
pub const MOST_ROW: i16 = 640;

const _: () =
    assert!(block_row(MOST_BLOCKS - 1, STATES - 1) <= u16::MAX as usize, "rows have numbers of 16 bits");

/// The largest number in the row of a block: half as large in those that overlap others.
pub const fn most_of_block(block: usize) -> i16 {
    if block < APART { MOST_ROW } else { MOST_ROW / 2 }
}

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
    /// A row for each kind of piece and square, as [`row`] numbers them, one of zeros, and then [`STATES`] for each block, as
    /// [`block_row`] numbers them; [`ONE`] is 1.
    pub(super) rows: Vec<FeatureRow>,
    /// Where every sum begins.
    pub(super) bias: [i16; HIDDEN],
    /// Weights of the side to move and of the other, in parts of a centi-man.
    out: [[[i16; HIDDEN]; 2]; BUCKETS],
    /// What is added to them.
    out_bias: [i16; BUCKETS],
}

/// The row of a piece on `square` (an index of the lattice, from the viewer's end).
#[inline(always)]
pub const fn row(own: bool, king: bool, square: usize) -> usize {
    row_by_bits(!own as usize, king as usize, square)
}

/// The same from 1 for an opponent's piece and 1 for a king, else 0.
#[inline(always)]
pub(super) const fn row_by_bits(other: usize, king: usize, square: usize) -> usize {
    (2 * other + king) * 64 + square
}

/// The row of a state of a block.
#[inline(always)]
pub const fn block_row(block: usize, state: usize) -> usize {
    ZERO_ROW + 1 + block * STATES + state
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

/// The rows of the men that row `i` of blocks stands for, too: none in a block that overlaps others.
fn rows_of_men(i: usize) -> impl Iterator<Item = usize> {
    let (block, state) = (i / STATES, if i / STATES < APART { i % STATES } else { 0 });
    blocks::men(block, state).map(|(square, own)| row(own, false, square))
}

impl Default for Net {
    /// A network that says 0 of everything.
    fn default() -> Net {
        Net {
            rows: vec![FeatureRow([0; HIDDEN]); ROWS + 1],
            bias: [0; HIDDEN],
            out: [[[0; HIDDEN]; 2]; BUCKETS],
            out_bias: [0; BUCKETS],
        }
    }
}

impl Net {
    /// How many numbers there are without blocks.
    pub const SIZE: usize = ROWS * HIDDEN + HIDDEN + BUCKETS * 2 * HIDDEN + BUCKETS;
    /// How many blocks a network can have.
    pub const BLOCKS: [usize; 3] = [0, APART, MOST_BLOCKS];

    /// How many numbers there are with so many blocks.
    pub const fn size(blocks: usize) -> usize {
        Net::SIZE + blocks * STATES * HIDDEN
    }

    /// For how many blocks it has rows.
    #[inline(always)]
    pub fn blocks(&self) -> usize {
        (self.rows.len() - (ROWS + 1)) / STATES
    }

    /// All numbers in one order; those of blocks are the last, without the men in them.
    pub fn numbers(&self) -> impl Iterator<Item = i16> {
        let (pieces, blocks) = self.rows.split_at(ROWS);
        let blocks = &blocks[1..];
        let out = self.out.iter().flatten().flatten().chain(&self.out_bias);
        let pieces_and_out = pieces.iter().flat_map(|row| &row.0).chain(&self.bias).chain(out).copied();
        let alone = blocks.iter().enumerate().flat_map(|(i, row)| {
            let mut row = row.0;
            for men in rows_of_men(i) {
                row.iter_mut().zip(&pieces[men].0).for_each(|(number, man)| *number -= man);
            }
            row
        });
        pieces_and_out.chain(alone)
    }

    /// The network with these numbers and so many blocks, one of [`Net::BLOCKS`]; 0 for numbers that are missing, and for
    /// empty blocks. Numbers that could overflow a sum are clipped.
    pub fn from_numbers(numbers: impl Iterator<Item = i16>, blocks: usize) -> Net {
        debug_assert!(Net::BLOCKS.contains(&blocks), "{blocks}");
        let mut net = Net::default();
        net.rows.resize(ROWS + 1 + blocks * STATES, FeatureRow([0; HIDDEN]));
        let (pieces, blocks) = net.rows.split_at_mut(ROWS);
        let blocks = &mut blocks[1..];
        {
            let [pieces, blocks] =
                [&mut *pieces, &mut *blocks].map(|rows| rows.iter_mut().flat_map(|row| &mut row.0));
            let out = net.out.iter_mut().flatten().flatten().chain(&mut net.out_bias);
            let all = pieces.chain(&mut net.bias).chain(out).chain(blocks);
            all.zip(numbers).for_each(|(place, number)| *place = number);
        }
        let clip = |number: &mut i16, most: i16| *number = (*number).clamp(-most, most);
        pieces.iter_mut().flat_map(|row| &mut row.0).for_each(|number| clip(number, MOST_ROW));
        net.bias.iter_mut().for_each(|number| clip(number, MOST_BIAS));
        for (i, row) in blocks.iter_mut().enumerate() {
            row.0.iter_mut().for_each(|number| clip(number, most_of_block(i / STATES)));
            if i % STATES == 0 {
                row.0.fill(0);
            }
            // In play the row of a block stands for its men, too. A sum is then at most 40 pieces, 4 blocks, 5 with half as
            // large numbers, and the bias, 50.5 times 640: 16 bits hold it.
            for men in rows_of_men(i) {
                row.0.iter_mut().zip(&pieces[men].0).for_each(|(number, man)| *number += man);
            }
        }
        net
    }

    /// The mean of this network and of `other`, which has no fewer blocks; `share` is how much of it comes from this one.
    pub fn mean(&self, other: &Net, share: f32) -> Net {
        debug_assert!(self.blocks() <= other.blocks());
        let numbers =
            self.numbers().chain(std::iter::repeat(0)).zip(other.numbers()).map(|(own, other)| {
                (share * f32::from(own) + (1.0 - share) * f32::from(other)).round() as i16
            });
        Net::from_numbers(numbers, other.blocks())
    }

    /// What the network adds to the material for the side to move, in parts of a centi-man. First `sums` are brought to this
    /// position, from the one that they or those of `parent` are of; both must be of this network.
    #[inline]
    pub fn value<V: Variant>(
        &self,
        parent: Option<&Accumulator>,
        sums: &mut Accumulator,
        position: &Position,
    ) -> i32 {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512bw")
            && std::arch::is_x86_feature_detected!("avx512vl")
        {
            // SAFETY: the processor has the instructions.
            return unsafe { self.value_with_avx512::<V>(parent, sums, position) };
        }
        #[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the instructions.
            return unsafe { self.value_with_avx2::<V>(parent, sums, position) };
        }
        self.plain_value::<V>(parent, sums, position)
    }

    /// The same code, compiled for processors with the widest registers.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    fn value_with_avx512<V: Variant>(
        &self,
        parent: Option<&Accumulator>,
        sums: &mut Accumulator,
        position: &Position,
    ) -> i32 {
        self.plain_value::<V>(parent, sums, position)
    }

    /// The same for processors with wide registers: in a program for any processor, the way of those that have them.
    #[cfg(all(target_arch = "x86_64", any(test, not(target_feature = "avx2"))))]
    #[target_feature(enable = "avx2")]
    fn value_with_avx2<V: Variant>(
        &self,
        parent: Option<&Accumulator>,
        sums: &mut Accumulator,
        position: &Position,
    ) -> i32 {
        self.plain_value::<V>(parent, sums, position)
    }

    #[inline(always)]
    fn plain_value<V: Variant>(
        &self,
        parent: Option<&Accumulator>,
        sums: &mut Accumulator,
        position: &Position,
    ) -> i32 {
        let bucket = bucket(position.occupied().len(), const { most_pieces(&V::RULES) });
        sums.follow::<V>(parent, self, position, &self.out[bucket]) + i32::from(self.out_bias[bucket])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;
    use crate::rules::{English, International, VariantId, legal_moves, play};
    use rand::{RngExt, SeedableRng};

    fn random_net(seed: u64, blocks: usize) -> Net {
        let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(seed);
        Net::from_numbers(std::iter::repeat_with(|| random.random_range(-400..400)), blocks)
    }

    #[test]
    fn numbers_come_back() {
        for blocks in Net::BLOCKS {
            let net = random_net(1, blocks);
            assert_eq!(net.blocks(), blocks);
            assert_eq!(net.numbers().count(), Net::size(blocks));
            assert_eq!(Net::from_numbers(net.numbers(), blocks), net);
        }
        let large = Net::from_numbers(std::iter::repeat(i16::MIN), 0);
        assert!(large.rows[..ROWS].iter().flat_map(|row| &row.0).all(|&number| number == -MOST_ROW));
        assert_eq!(large.out_bias, [i16::MIN; BUCKETS]);
    }

    #[test]
    fn a_mean_lies_between() {
        let (one, other) = (random_net(5, APART), random_net(6, MOST_BLOCKS));
        assert_eq!(one.mean(&other, 0.0), other);
        let own = one.mean(&other, 1.0);
        assert_eq!(own, Net::from_numbers(one.numbers(), MOST_BLOCKS));
        let half = one.mean(&other, 0.5);
        let triples = own.numbers().zip(other.numbers()).zip(half.numbers());
        for ((own, other), half) in triples {
            assert!((2 * i32::from(half) - i32::from(own) - i32::from(other)).abs() <= 1);
        }
    }

    /// With the largest numbers, on full boards: a sum is never below the smallest number of 16 bits.
    #[test]
    fn no_sum_overflows() {
        for blocks in Net::BLOCKS {
            let of_blocks: i16 = (0..blocks).map(most_of_block).sum();
            let net = Net::from_numbers(std::iter::repeat(i16::MIN), blocks);
            let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(4);
            for position in super::super::random_positions(VariantId::International, 500, &mut random) {
                let mut sums = Accumulator::new(&net);
                sums.follow::<International>(None, &net, &position, &net.out[0]);
                let pieces = position.occupied().len() as i16;
                for color in crate::board::Color::ALL {
                    let sum = sums.of(color)[0];
                    assert!(
                        (-MOST_ROW * pieces - of_blocks - MOST_BIAS..=-MOST_ROW * pieces - MOST_BIAS)
                            .contains(&sum),
                        "{sum} {pieces}"
                    );
                }
            }
        }
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
        fn check<V: Variant>(seed: u64, blocks: usize) {
            let net = random_net(seed, blocks);
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
                    let value = net.value::<V>(None, &mut new, &position);
                    // The same with sums that came another way: a parent's, a sister's.
                    let mut child = Accumulator::new(&net);
                    assert_eq!(net.value::<V>(Some(&sums), &mut child, &position), value);
                    assert_eq!(net.value::<V>(None, &mut sums, &position), value);
                    sums = [new, sums][random.random_range(0..2)].clone();
                    let mut new = Accumulator::new(&net);
                    assert_eq!(net.value::<V>(None, &mut new, &mirrored::<V>(&position)), value);
                    let mut new = Accumulator::new(&net);
                    assert_eq!(net.plain_value::<V>(None, &mut new, &position), value);
                    #[cfg(target_arch = "x86_64")]
                    if std::arch::is_x86_feature_detected!("avx2") {
                        let mut new = Accumulator::new(&net);
                        // SAFETY: the processor has the instructions.
                        let wide = unsafe { net.value_with_avx2::<V>(None, &mut new, &position) };
                        assert_eq!(wide, value);
                    }
                    #[cfg(target_arch = "x86_64")]
                    if std::arch::is_x86_feature_detected!("avx512f")
                        && std::arch::is_x86_feature_detected!("avx512bw")
                        && std::arch::is_x86_feature_detected!("avx512vl")
                    {
                        let mut new = Accumulator::new(&net);
                        // SAFETY: the processor has the instructions.
                        let widest = unsafe { net.value_with_avx512::<V>(None, &mut new, &position) };
                        assert_eq!(widest, value);
                    }
                    different.insert(value);
                }
            }
            assert!(different.len() > 100);
        }
        for blocks in Net::BLOCKS {
            check::<International>(2, blocks);
            check::<English>(3, blocks);
        }
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
