//! The accumulator of the network: sums of the hidden layer, updated by what changed since the last position.

use super::net::{HIDDEN, Net, clipped_square, row, turned};
use crate::board::{Bitboard, Color, Position, Square};
use crate::rules::Variant;

/// The sums of both sides for one position. They need not be added up anew for the next: a move changes a few pieces.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct Accumulator {
    of: [[i16; HIDDEN]; 2],
    /// The pieces that are in them: men and kings of White, men and kings of Black.
    pieces: [Bitboard; 4],
}

impl Accumulator {
    /// The sums of an empty board.
    pub fn new(net: &Net) -> Accumulator {
        Accumulator { of: [net.bias; 2], pieces: [Bitboard::EMPTY; 4] }
    }

    /// Those of a side.
    #[inline(always)]
    pub(super) fn of(&self, side: Color) -> &[i16; HIDDEN] {
        &self.of[side.index()]
    }

    /// Makes them those of `position`: what has gone is taken away, what has come is added; or all is added up anew, if
    /// that is less.
    #[inline(always)]
    pub(super) fn follow<V: Variant>(&mut self, net: &Net, position: &Position) {
        let now = [
            position.men(Color::White),
            position.kings_of(Color::White),
            position.men(Color::Black),
            position.kings_of(Color::Black),
        ];
        let changes: u32 = now.iter().zip(&self.pieces).map(|(now, old)| (*now ^ *old).len()).sum();
        if changes > position.occupied().len() {
            *self = Accumulator::new(net);
        }
        let (mut gone, mut come) = (Changes::NONE, Changes::NONE);
        for (kind, (now, old)) in now.iter().zip(&self.pieces).enumerate() {
            for square in old.without(*now) {
                gone.push::<V>(kind, square);
            }
            for square in now.without(*old) {
                come.push::<V>(kind, square);
            }
        }
        let both = gone.count.min(come.count);
        for (side, sums) in self.of.iter_mut().enumerate() {
            let row = |changes: &Changes, i: usize| {
                &net.rows[usize::from((changes.rows[i & 63] >> (8 * side)) as u8)].0
            };
            for i in 0..both {
                for ((sum, gone), come) in sums.iter_mut().zip(row(&gone, i)).zip(row(&come, i)) {
                    *sum = sum.wrapping_add(come.wrapping_sub(*gone));
                }
            }
            for i in both..gone.count {
                sums.iter_mut().zip(row(&gone, i)).for_each(|(sum, gone)| *sum = sum.wrapping_sub(*gone));
            }
            for i in both..come.count {
                sums.iter_mut().zip(row(&come, i)).for_each(|(sum, come)| *sum = sum.wrapping_add(*come));
            }
        }
        self.pieces = now;
    }
}

/// Rows that come to sums or leave them, as White sees the pieces (low byte) and as Black does.
struct Changes {
    rows: [u16; 64],
    count: usize,
}

impl Changes {
    const NONE: Changes = Changes { rows: [0; 64], count: 0 };

    #[inline(always)]
    fn push<V: Variant>(&mut self, kind: usize, square: Square) {
        let (white, king) = (kind < 2, kind % 2 == 1);
        let other = turned(const { V::RULES.board }, square.index());
        let (white, black) = (row(white, king, square.index()), row(!white, king, other));
        // There are not more squares than that.
        self.rows[self.count & 63] = (white | black << 8) as u16;
        self.count += 1;
    }
}

/// Clipped, squared, weighed and added up.
#[inline(always)]
pub(super) fn weigh(sums: &[i16; HIDDEN], weights: &[i16; HIDDEN]) -> i32 {
    let terms =
        sums.iter().zip(weights).map(|(&sum, &weight)| i32::from(clipped_square(sum)) * i32::from(weight));
    terms.sum::<i32>() >> 8
}
