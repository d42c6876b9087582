//! The accumulator of the network: sums of the hidden layer, updated by what changed since the last position.

use super::blocks::{APART, Blocks, MOST_BLOCKS};
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
    /// The states of the blocks that are in them, as many as the network has; 0 for others.
    states: [[u16; MOST_BLOCKS]; 2],
}

impl Accumulator {
    /// The sums of an empty board.
    pub fn new(net: &Net) -> Accumulator {
        Accumulator { of: [net.bias; 2], pieces: [Bitboard::EMPTY; 4], states: [[0; MOST_BLOCKS]; 2] }
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
        const { assert!(V::RULES.board.squares() as usize + MOST_BLOCKS < MOST) };
        let now = pieces(position);
        let (old, mut states) = match from {
            Some(from) => (from.pieces, from.states),
            None => (self.pieces, self.states),
        };
        let mut changes = [Changes::NONE; 2];
        match net.blocks() {
            0 => change_pieces::<V, false>(&mut changes, &old, &now),
            APART => {
                change_pieces::<V, true>(&mut changes, &old, &now);
                change_blocks::<V, APART>(&mut changes, &mut states, &now);
            }
            _ => {
                change_pieces::<V, true>(&mut changes, &old, &now);
                change_blocks::<V, MOST_BLOCKS>(&mut changes, &mut states, &now);
            }
        }
        self.pieces = now;
        self.states = states;
        let us = position.turn();
        let mut value = 0;
        for (side, changes) in Color::ALL.into_iter().zip(&mut changes) {
            let sums = &mut self.of[side.index()];
            let from = from.map(|from| &from.of[side.index()]);
            value += change_sums(from, sums, net, changes, &out[usize::from(side != us)]);
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

/// The rows of the first `COUNT` blocks in which men have changed, and their states.
#[inline(always)]
fn change_blocks<V: Variant, const COUNT: usize>(
    changes: &mut [Changes; 2],
    states: &mut [[u16; MOST_BLOCKS]; 2],
    now: &[Bitboard; 4],
) {
    let blocks = const { Blocks::of(V::RULES.board) };
    let men = [now[0], now[2]];
    for (side, viewer) in Color::ALL.into_iter().enumerate() {
        for (block, state) in states[side][..COUNT].iter_mut().enumerate() {
            let before = *state;
            *state = blocks.state(viewer, block, men[side], men[1 - side]);
            let is_changed = usize::from(before != *state);
            changes[side].take_if(block_row(block, before.into()) as u16, is_changed);
            changes[side].add_if(block_row(block, (*state).into()) as u16, is_changed);
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

/// Room for the rows that come or go: fewer than there are squares and blocks. A power of two, so that a place is found by a
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
    weights: &[i16; HIDDEN],
) -> i32 {
    let mut new = *from.unwrap_or(&*sums);
    for (gone, come) in changes.pairs() {
        let row = |row: u16| &net.rows[usize::from(row)].0;
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
