//! The accumulator of the network: sums of the hidden layer, updated by what changed since the last position.

use super::blocks::{BLOCKS, Blocks};
use super::net::{HIDDEN, NO_ROW, Net, block_row, clipped_square, row, turned};
use crate::board::{Bitboard, Color, Position, Square};
use crate::rules::Variant;

/// The sums of both sides for one position. They need not be added up anew for the next: a move changes a few pieces.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct Accumulator {
    of: [[i16; HIDDEN]; 2],
    /// The pieces that are in them: men and kings of White, men and kings of Black.
    pieces: [Bitboard; 4],
    /// The states of the blocks that are in them, if the network has blocks.
    states: [[u16; BLOCKS]; 2],
}

impl Accumulator {
    /// The sums of an empty board.
    pub fn new(net: &Net) -> Accumulator {
        Accumulator { of: [net.bias; 2], pieces: [Bitboard::EMPTY; 4], states: [[0; BLOCKS]; 2] }
    }

    /// Those of a side.
    #[inline(always)]
    pub(super) fn of(&self, side: Color) -> &[i16; HIDDEN] {
        &self.of[side.index()]
    }

    /// How many pieces of a position are not in them, and how many in them are not in it.
    #[inline(always)]
    pub(super) fn distance(&self, position: &Position) -> u32 {
        pieces(position).iter().zip(&self.pieces).map(|(now, old)| (*now ^ *old).len()).sum()
    }

    /// Makes them those of `position`: what has gone is taken away, what has come is added; or all is added up anew, if
    /// that is less.
    #[inline(always)]
    pub(super) fn follow<V: Variant>(&mut self, net: &Net, position: &Position) {
        if self.distance(position) > position.occupied().len() {
            *self = Accumulator::new(net);
        }
        let now = pieces(position);
        if net.has_blocks() {
            self.follow_pieces::<V, true>(net, &now);
            self.follow_blocks::<V>(net, &now);
        } else {
            self.follow_pieces::<V, false>(net, &now);
        }
        self.pieces = now;
    }

    /// The rows of pieces, with blocks without those of men in them.
    #[inline(always)]
    fn follow_pieces<V: Variant, const HAS_BLOCKS: bool>(&mut self, net: &Net, now: &[Bitboard; 4]) {
        let blocks = const { Blocks::of(V::RULES.board) };
        let covered =
            Color::ALL.map(|color| if HAS_BLOCKS { blocks.squares(color) } else { Bitboard::EMPTY });
        let (mut gone, mut come) = (Changes::NONE, Changes::NONE);
        for (kind, (now, old)) in now.iter().zip(&self.pieces).enumerate() {
            let covered = if kind % 2 == 0 { covered } else { [Bitboard::EMPTY; 2] };
            let for_both = covered[0] & covered[1];
            for square in old.without(*now).without(for_both) {
                gone.push::<V>(kind, square, covered);
            }
            for square in now.without(*old).without(for_both) {
                come.push::<V>(kind, square, covered);
            }
        }
        let both = gone.count.min(come.count);
        for (side, sums) in self.of.iter_mut().enumerate() {
            let row = |changes: &Changes, i: usize| {
                &net.pieces()[usize::from((changes.rows[i & 63] >> (8 * side)) as u8)].0
            };
            for i in 0..both {
                exchange(sums, row(&gone, i), row(&come, i));
            }
            for i in both..gone.count {
                sums.iter_mut().zip(row(&gone, i)).for_each(|(sum, gone)| *sum = sum.wrapping_sub(*gone));
            }
            for i in both..come.count {
                sums.iter_mut().zip(row(&come, i)).for_each(|(sum, come)| *sum = sum.wrapping_add(*come));
            }
        }
    }

    /// The rows of the blocks in which men have changed.
    #[inline(always)]
    fn follow_blocks<V: Variant>(&mut self, net: &Net, now: &[Bitboard; 4]) {
        let blocks = const { Blocks::of(V::RULES.board) };
        let changed = (now[0] ^ self.pieces[0]) | (now[2] ^ self.pieces[2]);
        // A bit for each block that has changed, White's first: a loop over bits is foreseen better than eight questions.
        let mut bits = 0_u32;
        for (side, viewer) in Color::ALL.into_iter().enumerate() {
            for block in 0..BLOCKS {
                let is_changed = (changed & blocks.squares_of(viewer, block)).any();
                bits |= u32::from(is_changed) << (side * BLOCKS + block);
            }
        }
        let men = [now[0], now[2]];
        while bits != 0 {
            let bit = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            let (side, block) = ((bit / BLOCKS) & 1, bit % BLOCKS);
            let viewer = if side == 0 { Color::White } else { Color::Black };
            let new = blocks.state(viewer, block, men[side], men[1 - side]);
            let old = std::mem::replace(&mut self.states[side][block], new);
            let row = |state: u16| &net.rows[block_row(block, state.into())].0;
            exchange(&mut self.of[side], row(old), row(new));
        }
    }
}

#[inline(always)]
fn exchange(sums: &mut [i16; HIDDEN], gone: &[i16; HIDDEN], come: &[i16; HIDDEN]) {
    for ((sum, gone), come) in sums.iter_mut().zip(gone).zip(come) {
        *sum = sum.wrapping_add(come.wrapping_sub(*gone));
    }
}

/// Men and kings of White, men and kings of Black.
#[inline(always)]
fn pieces(position: &Position) -> [Bitboard; 4] {
    let (white, black) = (position.side(Color::White), position.side(Color::Black));
    let kings = position.kings();
    [white.without(kings), white & kings, black.without(kings), black & kings]
}

/// Rows that come to sums or leave them, as White sees the pieces (low byte) and as Black does.
struct Changes {
    rows: [u16; 64],
    count: usize,
}

impl Changes {
    const NONE: Changes = Changes { rows: [0; 64], count: 0 };

    /// A piece; a side for which its square is `covered` gets [`NO_ROW`].
    #[inline(always)]
    fn push<V: Variant>(&mut self, kind: usize, square: Square, covered: [Bitboard; 2]) {
        let (white, king) = (kind < 2, kind % 2 == 1);
        let other = turned(const { V::RULES.board }, square.index());
        let rows = [row(white, king, square.index()), row(!white, king, other)];
        let row = |side: usize| if covered[side].contains(square) { NO_ROW } else { rows[side] };
        // There are not more squares than that.
        self.rows[self.count & 63] = (row(0) | row(1) << 8) as u16;
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
