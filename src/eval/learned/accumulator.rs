//! The accumulator of the network: sums of the hidden layer, updated by what changed since the last position.

use super::blocks::{Blocks, LANES, Lanes, MOST_BLOCKS};
use super::net::{HIDDEN, Net, ZERO_ROW, block_row, clipped_square, row_by_bits, turned};
use crate::board::{Bitboard, Color, Position};
use crate::rules::Variant;

/// The sums of both sides for one position. They need not be added up anew for the next: a move changes a few pieces.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct Accumulator {
    of: [[i16; HIDDEN]; 2],
    /// The pieces that are in them: men and kings of White, men and kings of Black.
    pieces: [Bitboard; 4],
    /// The rows of all blocks for these pieces; in the sums are those of as many blocks as the network has.
    block_rows: BlockRows,
}

/// The row of each block as either side sees it.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct BlockRows([Lanes; 2]);

impl BlockRows {
    /// Those of empty blocks.
    const EMPTY: BlockRows = {
        let mut rows = [0; LANES];
        let mut block = 0;
        while block < MOST_BLOCKS {
            rows[block] = block_row(block, 0) as u16;
            block += 1;
        }
        BlockRows([rows; 2])
    };

    /// Makes them those of the men in `now`; returns the blocks in which men have changed, for each side one bit each. A state
    /// is a sum over its squares, so that those of all blocks are brought up to date together, square by square.
    #[inline(always)]
    fn change<V: Variant>(&mut self, old: &[Bitboard; 4], now: &[Bitboard; 4]) -> [u16; 2] {
        let blocks = const { Blocks::of(V::RULES.board) };
        let mut changed = [0; 2];
        for square in (old[0] ^ now[0]) | (old[2] ^ now[2]) {
            let more = |men: usize| {
                let has = |set: Bitboard| (set.0 >> square.index() & 1) as u16;
                has(now[men]).wrapping_sub(has(old[men]))
            };
            let (white, black) = (more(0), more(2));
            let digits = [white.wrapping_add(black << 1), black.wrapping_add(white << 1)];
            let powers = blocks.powers(square);
            for side in 0..2 {
                for (row, power) in self.0[side].iter_mut().zip(&powers.of[side]) {
                    *row = row.wrapping_add(power.wrapping_mul(digits[side]));
                }
                changed[side] |= powers.blocks[side];
            }
        }
        changed
    }
}

/// Blocks in which men have changed, as one side sees them.
struct ChangedBlocks<'a> {
    /// One bit each.
    which: u16,
    gone: &'a Lanes,
    come: &'a Lanes,
}

impl ChangedBlocks<'_> {
    /// The rows that go and come, of one block after the other.
    #[inline(always)]
    fn rows(self) -> impl Iterator<Item = (u16, u16)> {
        let mut which = self.which;
        std::iter::from_fn(move || {
            let block = (which != 0).then(|| which.trailing_zeros() as usize % LANES)?;
            which &= which - 1;
            Some((self.gone[block], self.come[block]))
        })
    }
}

impl Accumulator {
    /// The sums of an empty board.
    pub fn new(net: &Net) -> Accumulator {
        Accumulator { of: [net.bias; 2], pieces: [Bitboard::EMPTY; 4], block_rows: BlockRows::EMPTY }
    }

    /// Those of a side.
    #[cfg(test)]
    pub(super) fn of(&self, side: Color) -> &[i16; HIDDEN] {
        &self.of[side.index()]
    }

    /// How many pieces of a position are not in them, and how many in them are not in it.
    #[inline(always)]
    pub(super) fn distance(&self, position: &Position) -> u32 {
        pieces(position).iter().zip(&self.pieces).map(|(now, old)| (*now ^ *old).len()).sum()
    }

    /// Makes them those of `position`, and weighs each side's by the weights of `out`, those of the side to move first. They
    /// are updated by difference from what is here or in `parent`, whichever has more in common with it, or added up from
    /// scratch if that touches fewer rows.
    #[inline(always)]
    pub(super) fn follow<V: Variant>(
        &mut self,
        parent: Option<&Accumulator>,
        net: &Net,
        position: &Position,
        out: &[[i16; HIDDEN]; 2],
    ) -> i32 {
        let own = self.distance(position);
        let parent = parent.map(|parent| (parent, parent.distance(position)));
        let (from, distance) = match parent.filter(|&(_, distance)| distance < own) {
            Some((parent, distance)) => (Some(parent), distance),
            None => (None, own),
        };
        if distance > position.occupied().len() {
            *self = Accumulator::new(net);
            return self.renew::<V>(None, net, position, out);
        }
        self.renew::<V>(from, net, position, out)
    }

    /// The same from these sums, or else from what is here.
    #[inline(always)]
    fn renew<V: Variant>(
        &mut self,
        from: Option<&Accumulator>,
        net: &Net,
        position: &Position,
        out: &[[i16; HIDDEN]; 2],
    ) -> i32 {
        const { assert!((V::RULES.board.squares() as usize) < MOST) };
        let now = pieces(position);
        let (old, mut rows) = match from {
            Some(from) => (from.pieces, from.block_rows),
            None => (self.pieces, self.block_rows),
        };
        let before = rows;
        let mut changes = [Changes::NONE; 2];
        let count = net.blocks();
        let changed = if count == 0 {
            change_pieces::<V, false>(&mut changes, &old, &now);
            [0; 2]
        } else {
            change_pieces::<V, true>(&mut changes, &old, &now);
            rows.change::<V>(&old, &now).map(|blocks| blocks & ((1 << count) - 1))
        };
        self.pieces = now;
        self.block_rows = rows;
        let us = position.turn();
        let mut value = 0;
        for (side, changes) in Color::ALL.into_iter().zip(&mut changes) {
            let i = side.index();
            let blocks = ChangedBlocks { which: changed[i], gone: &before.0[i], come: &rows.0[i] };
            let from = from.map(|from| &from.of[i]);
            value += change_sums(from, &mut self.of[i], net, changes, blocks, &out[usize::from(side != us)]);
        }
        value
    }
}

/// The rows of pieces, with blocks without those of men in them. Which of them there are is added up rather than asked: a
/// processor does not foresee it.
#[inline(always)]
fn change_pieces<V: Variant, const HAS_BLOCKS: bool>(
    changes: &mut [Changes; 2],
    old: &[Bitboard; 4],
    now: &[Bitboard; 4],
) {
    let blocks = const { Blocks::of(V::RULES.board) };
    let covered = Color::ALL.map(|side| if HAS_BLOCKS { blocks.squares(side).0 } else { 0 });
    let sets = [*old, *now].map(|[men, kings, others_men, others_kings]| {
        [men | others_men, kings | others_kings, others_men | others_kings].map(|set| set.0)
    });
    let changed = (old[0] ^ now[0]) | (old[1] ^ now[1]) | (old[2] ^ now[2]) | (old[3] ^ now[3]);
    for square in changed.without(Bitboard(covered[0] & covered[1] & !(sets[0][1] | sets[1][1]))) {
        let square = square.index();
        let has = |set: u64| (set >> square & 1) as usize;
        for (side, changes) in changes.iter_mut().enumerate() {
            let seen = if side == 0 { square } else { turned(const { V::RULES.board }, square) };
            let in_block = has(covered[side]);
            let [gone, come] = sets.map(|[men, kings, of_black]| {
                let (is_man, is_king) = (has(men) & (in_block ^ 1), has(kings));
                (row_by_bits(has(of_black) ^ side, is_king, seen) as u16, is_man | is_king)
            });
            changes.take_if(gone.0, gone.1);
            changes.add_if(come.0, come.1);
        }
    }
}

/// Men and kings of White, men and kings of Black.
#[inline(always)]
fn pieces(position: &Position) -> [Bitboard; 4] {
    let (white, black) = (position.side(Color::White), position.side(Color::Black));
    let kings = position.kings();
    [white.without(kings), white & kings, black.without(kings), black & kings]
}

/// Room for the rows of pieces that come or go: no more than there are squares. A power of two, so that a place is found by a
/// mask.
const MOST: usize = 64;
const _: () = assert!(MOST.is_power_of_two());

/// Rows that leave the sums of a side, and rows that come to them. Behind them stands [`ZERO_ROW`].
#[derive(Clone, Copy)]
struct Changes {
    gone: [u16; MOST],
    come: [u16; MOST],
    gone_count: usize,
    come_count: usize,
}

impl Changes {
    const NONE: Changes = {
        let none = [ZERO_ROW as u16; MOST];
        Changes { gone: none, come: none, gone_count: 0, come_count: 0 }
    };

    /// Takes a row if `count` is 1, none if it is 0.
    #[inline(always)]
    fn take_if(&mut self, row: u16, count: usize) {
        self.gone[self.gone_count % MOST] = row;
        self.gone_count += count;
    }

    /// Adds a row if `count` is 1, none if it is 0.
    #[inline(always)]
    fn add_if(&mut self, row: u16, count: usize) {
        self.come[self.come_count % MOST] = row;
        self.come_count += count;
    }

    /// Rows that go and rows that come, two of each at a time: a loop of fewer lengths is foreseen better.
    #[inline(always)]
    fn pairs(&mut self) -> impl Iterator<Item = (&[u16; 2], &[u16; 2])> {
        self.gone[self.gone_count % MOST] = ZERO_ROW as u16;
        self.come[self.come_count % MOST] = ZERO_ROW as u16;
        let pairs = self.gone_count.max(self.come_count).div_ceil(2);
        let (gone, come) = (self.gone.as_chunks::<2>().0, self.come.as_chunks::<2>().0);
        gone.iter().zip(come).take(pairs)
    }
}

/// Brings sums up to date, from `from` or from what is there, and weighs them: clipped, squared, weighed and added up. They
/// stay in registers all the while.
#[inline(always)]
fn change_sums(
    from: Option<&[i16; HIDDEN]>,
    sums: &mut [i16; HIDDEN],
    net: &Net,
    changes: &mut Changes,
    blocks: ChangedBlocks,
    weights: &[i16; HIDDEN],
) -> i32 {
    let row = |row: u16| &net.rows[usize::from(row)].0;
    let mut new = *from.unwrap_or(&*sums);
    for (gone, come) in blocks.rows() {
        let (gone, come) = (row(gone), row(come));
        for i in 0..HIDDEN {
            new[i] = new[i].wrapping_add(come[i].wrapping_sub(gone[i]));
        }
    }
    for (gone, come) in changes.pairs() {
        let (gone, come) = (gone.map(row), come.map(row));
        for i in 0..HIDDEN {
            let first = come[0][i].wrapping_sub(gone[0][i]);
            let second = come[1][i].wrapping_sub(gone[1][i]);
            new[i] = new[i].wrapping_add(first.wrapping_add(second));
        }
    }
    *sums = new;
    let mut value = 0_i32;
    for i in 0..HIDDEN {
        value = value.wrapping_add(i32::from(clipped_square(new[i])) * i32::from(weights[i]));
    }
    value >> 8
}
