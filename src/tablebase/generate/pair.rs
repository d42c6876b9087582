//! Solving the two slices with the same pieces, one for either side to move.
//!
//! A position in which the side to move must capture is known at once from smaller slices. In any other, moves that
//! crown lead to known slices, and the rest to the other slice of the pair. Of these a position counts how many are
//! not known to lose. Whenever a position becomes known, the moves to it are taken back: a loss makes every
//! predecessor a win; a win lowers their counts, and where nothing is left the predecessor is a loss. What stays open
//! when nothing new turns up is a draw.
//!
//! The order in which positions become known has no influence on the result. Where distances are wanted, positions
//! take effect in the order of their distances: 0 where nobody can move, 1 where a capture or crowning decides.

use super::predecessors;
use super::saver::Saver;
use super::solved::{CAPTURE, Codes, Counts, Solved, Store, stuck};
use crate::board::{Color, Direction, Position};
use crate::rules::{Variant, movegen, play};
use crate::tablebase::Value;
use crate::tablebase::index::{Cursor, Index};
use rayon::prelude::*;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64};

/// Positions that a thread works at in one go.
const CHUNK: u64 = 1 << 12;
/// Chunks whose positions are looked at before the work is saved, if that is due: some seconds of work.
const PART: u64 = 1 << 13;

// What is known of a position, one byte: below `KNOWN` the number of moves that may still save it (1 to 126), or `OPEN`
// if a move draws, so that it cannot be lost.
const OPEN: u8 = 0x7f;
/// The code of a value in the two lowest bits, and the following flags.
const KNOWN: u8 = 0x80;
/// Its predecessors have not heard of it.
const NEW: u8 = 0x40;
/// The side to move captures.
const MUST_CAPTURE: u8 = 0x20;

/// A distance that is not known.
const FAR: u8 = u8::MAX;

/// A slice that is being solved.
pub(super) struct Side {
    index: Index,
    pub state: Vec<AtomicU8>,
    /// The plies to the end of the slice, of positions that are known; empty where they are not wanted.
    pub distance: Vec<AtomicU8>,
    /// Whether a chunk may have new positions.
    dirty: Vec<AtomicBool>,
}

/// Why a pair cannot be solved.
#[derive(Debug)]
pub(super) enum PairError {
    /// The plies exceed what a byte holds.
    TooFar,
}

impl Side {
    fn new(index: Index, distances: bool) -> Side {
        let len = index.len() as usize;
        let bytes = |len: usize, value: u8| -> Vec<AtomicU8> {
            (0..len).into_par_iter().with_min_len(1 << 16).map(|_| AtomicU8::new(value)).collect()
        };
        let dirty = (0..index.len().div_ceil(CHUNK)).map(|_| AtomicBool::new(false)).collect();
        Side { state: bytes(len, OPEN), distance: bytes(if distances { len } else { 0 }, FAR), dirty, index }
    }

    fn range(&self, chunk: usize) -> Range<u64> {
        let start = chunk as u64 * CHUNK;
        start..(start + CHUNK).min(self.index.len())
    }

    fn positions(&self, chunk: usize) -> u64 {
        let range = self.range(chunk);
        range.end - range.start
    }

    fn mark(&self, number: u64) {
        let dirty = &self.dirty[(number / CHUNK) as usize];
        // With the order of all that is `SeqCst`: a chunk that looks marked here is read after this position changed.
        if !dirty.load(SeqCst) {
            dirty.store(true, SeqCst);
        }
    }
}

/// What one pass over a pair did.
#[derive(Default)]
struct Pass {
    worked: AtomicBool,
    /// There are new positions of a larger distance.
    left: AtomicBool,
}

/// Two slices, or one that is its own counterpart.
pub(super) struct Pair<'a, V: Variant> {
    pub sides: Vec<Side>,
    /// Chunks of all sides whose positions have been looked at.
    pub begun: u64,
    /// The distance that takes effect next.
    pub layer: u8,
    store: &'a Store,
    distances: bool,
    /// Positions looked at so far, for whoever watches.
    done: &'a AtomicU64,
    variant: PhantomData<V>,
}

impl<'a, V: Variant> Pair<'a, V> {
    /// `indices`: a slice and its counterpart, or one slice that is its own. `store` has what they lead to.
    pub(super) fn new(indices: Vec<Index>, store: &'a Store, distances: bool, done: &'a AtomicU64) -> Self {
        let sides = indices.into_iter().map(|index| Side::new(index, distances)).collect();
        Pair { sides, begun: 0, layer: 0, store, distances, done, variant: PhantomData }
    }

    /// The slices in the order of `new`, and how many positions have each value. Goes on with what `saver` has of an earlier
    /// run, and saves the work there now and then.
    pub(super) fn solve(mut self, mut saver: Saver) -> Result<Vec<(Solved, Counts)>, PairError> {
        if saver.load(&mut self) {
            self.done.fetch_add(self.begun_positions(), Relaxed);
        }
        while self.begun < self.chunks() {
            self.begin(PART);
            saver.save_if_due(&self);
        }
        while self.spread()? {
            saver.save_if_due(&self);
        }
        Ok(self.sides.into_iter().map(finish).collect())
    }

    /// How many chunks all sides have.
    pub(super) fn chunks(&self) -> u64 {
        self.sides.iter().map(|side| side.dirty.len() as u64).sum()
    }

    /// The side and the chunk in it that have this number among all chunks.
    fn chunk(&self, number: u64) -> (usize, usize) {
        let first = self.sides[0].dirty.len() as u64;
        if number < first { (0, number as usize) } else { (1, (number - first) as usize) }
    }

    /// How many positions have been looked at.
    fn begun_positions(&self) -> u64 {
        (0..self.begun)
            .map(|number| self.chunk(number))
            .map(|(side, chunk)| self.sides[side].positions(chunk))
            .sum()
    }

    /// Goes on with states that were saved: any of them may be new.
    pub(super) fn go_on_from(&mut self, layer: u8, begun: u64) {
        (self.layer, self.begun) = (layer, begun);
        self.sides.iter().flat_map(|side| &side.dirty).for_each(|dirty| dirty.store(true, Relaxed));
    }

    /// Makes the states what they were in the beginning.
    pub(super) fn forget(&mut self) {
        for side in &self.sides {
            side.state.iter().for_each(|state| state.store(OPEN, Relaxed));
            side.distance.iter().for_each(|distance| distance.store(FAR, Relaxed));
        }
    }

    /// Looks at the positions of the next chunks, in parallel.
    pub(super) fn begin(&mut self, chunks: u64) {
        let part = self.begun..self.chunks().min(self.begun + chunks);
        in_parallel(part.clone(), &|number| {
            let (side, chunk) = self.chunk(number);
            self.begin_chunk(&self.sides[side], chunk);
        });
        self.begun = part.end;
    }

    fn begin_chunk(&self, side: &Side, chunk: usize) {
        let range = side.range(chunk);
        let mut cursor = Cursor::new(&side.index, range.start);
        for number in range {
            let (state, distance) = self.first_sight(&cursor.pieces().position());
            side.state[number as usize].store(state, Relaxed);
            if is_new(state) {
                side.dirty[chunk].store(true, Relaxed);
                if self.distances {
                    side.distance[number as usize].store(distance, Relaxed);
                }
            }
            cursor.advance();
        }
        self.done.fetch_add(side.positions(chunk), Relaxed);
    }

    /// Takes back the moves to all new positions; where distances are wanted, to those of the present layer. Says whether there
    /// was or is something to do.
    pub(super) fn spread(&mut self) -> Result<bool, PairError> {
        let pass = Pass::default();
        in_parallel(0..self.chunks(), &|number| {
            let (side, chunk) = self.chunk(number);
            self.spread_chunk(side, chunk, &pass);
        });
        let goes_on = pass.worked.into_inner() || pass.left.into_inner();
        if goes_on && self.distances {
            if self.layer == FAR - 1 {
                return Err(PairError::TooFar);
            }
            self.layer += 1;
        }
        Ok(goes_on)
    }

    /// The state of a position by the moves that leave the pair, and its distance if that makes it known.
    fn first_sight(&self, position: &Position) -> (u8, u8) {
        if movegen::can_capture::<V>(position, Color::White) {
            return (known(self.store.value_of_captures::<V>(position)) | MUST_CAPTURE, 1);
        }
        let mut moves = movegen::count_quiets::<V>(position, Color::White);
        let mut best = None;
        if crowns::<V>(position) {
            movegen::each_quiet::<V>(position, |mv| {
                if mv.promotes() {
                    moves -= 1;
                    best = best.max(Some(-self.store.value::<V>(&play::<V>(position, mv))));
                }
            });
        }
        debug_assert!(moves < OPEN.into());
        match (moves, best) {
            (0, None) => (known(stuck::<V>()), 0),
            (0, Some(value)) | (_, Some(value @ Value::Win)) => (known(value), 1),
            (_, Some(Value::Draw)) => (OPEN, FAR),
            (moves, _) => (moves as u8, FAR),
        }
    }

    fn spread_chunk(&self, side_number: usize, chunk: usize, pass: &Pass) {
        let (side, layer) = (&self.sides[side_number], self.layer);
        if !side.dirty[chunk].swap(false, SeqCst) {
            return;
        }
        let other = &self.sides[self.sides.len() - 1 - side_number];
        let mut cursor: Option<Cursor> = None;
        let mut left = false;
        for number in side.range(chunk) {
            let state = side.state[number as usize].load(SeqCst);
            if !is_new(state) {
                continue;
            }
            if self.distances && side.distance[number as usize].load(Relaxed) != layer {
                left = true;
                continue;
            }
            // Nobody else changes a known state.
            side.state[number as usize].store(state & !NEW, Relaxed);
            pass.worked.store(true, Relaxed);
            let cursor = cursor.get_or_insert_with(|| Cursor::new(&side.index, number));
            cursor.advance_to(number);
            let pieces = cursor.pieces().turned(V::RULES.board);
            let is_loss = state & 3 == Value::Loss.code();
            predecessors::each::<V>(&other.index, &pieces, |before| {
                let decided = if is_loss { win(other, before) } else { lower_count(other, before) };
                if decided && self.distances {
                    other.distance[before as usize].store(layer + 1, Relaxed);
                }
            });
        }
        if left {
            side.dirty[chunk].store(true, SeqCst);
            pass.left.store(true, Relaxed);
        }
    }
}

#[inline(always)]
const fn is_new(state: u8) -> bool {
    state & (KNOWN | NEW) == KNOWN | NEW
}

/// A move to a lost position was found: says whether that decides this one, which is then won.
#[inline(always)]
fn win(side: &Side, number: u64) -> bool {
    let state = &side.state[number as usize];
    let mut before = state.load(Relaxed);
    while before < KNOWN {
        match state.compare_exchange(before, known(Value::Win), SeqCst, Relaxed) {
            Ok(_) => {
                side.mark(number);
                return true;
            }
            Err(now) => before = now,
        }
    }
    false
}

/// A move to a won position was found: says whether it was the last that could save this one, which is then lost.
#[inline(always)]
fn lower_count(side: &Side, number: u64) -> bool {
    let state = &side.state[number as usize];
    let mut before = state.load(Relaxed);
    while before < OPEN {
        let now = if before == 1 { known(Value::Loss) } else { before - 1 };
        match state.compare_exchange(before, now, SeqCst, Relaxed) {
            Ok(_) => {
                if before == 1 {
                    side.mark(number);
                }
                return before == 1;
            }
            Err(now) => before = now,
        }
    }
    false
}

/// The state of a position that has just become known.
#[inline(always)]
const fn known(value: Value) -> u8 {
    KNOWN | value.code() | if matches!(value, Value::Draw) { 0 } else { NEW }
}

/// Whether White has a man that can be crowned by a move without a capture.
#[inline(always)]
fn crowns<V: Variant>(position: &Position) -> bool {
    let men = position.men(Color::White);
    let ahead = Direction::UpLeft.shift(men) | Direction::UpRight.shift(men);
    (ahead & V::RULES.board.promotion(Color::White)).without(position.occupied()).any()
}

/// Does the work of these chunks in parallel. One function for all variants: it is compiled once.
fn in_parallel(chunks: Range<u64>, work: &(dyn Fn(u64) + Sync)) {
    chunks.into_par_iter().for_each(work);
}

/// Packs what has become of a slice.
fn finish(side: Side) -> (Solved, Counts) {
    let Side { index, state, mut distance, .. } = side;
    let code = |state: &AtomicU8| match state.load(Relaxed) {
        open if open < KNOWN => Value::Draw.code(),
        known if known & MUST_CAPTURE != 0 => CAPTURE,
        known => known & 3,
    };
    let packed: Vec<u8> = state
        .par_chunks(4)
        .with_min_len(1 << 12)
        .map(|four| four.iter().rev().fold(0, |byte, state| byte << 2 | code(state)))
        .collect();
    let counts = state
        .par_chunks(CHUNK as usize)
        .map(|chunk| {
            let mut counts = Counts::default();
            for state in chunk {
                match state.load(Relaxed) {
                    open if open < KNOWN => counts.quiet[usize::from(Value::Draw.code())] += 1,
                    known if known & MUST_CAPTURE != 0 => counts.captures[usize::from(known & 3)] += 1,
                    known => counts.quiet[usize::from(known & 3)] += 1,
                }
            }
            counts
        })
        .reduce(Counts::default, |a, b| Counts {
            quiet: [0, 1, 2].map(|value| a.quiet[value] + b.quiet[value]),
            captures: [0, 1, 2].map(|value| a.captures[value] + b.captures[value]),
        });
    let wanted = !distance.is_empty();
    distance.par_iter_mut().zip(&state).for_each(|(distance, state)| {
        let code = code(state);
        if code == CAPTURE || code == Value::Draw.code() {
            *distance.get_mut() = 0;
        }
    });
    let distances = wanted.then(|| distance.into_iter().map(AtomicU8::into_inner).collect());
    (Solved { codes: Codes::from_bytes(packed, index.len()), index, distances }, counts)
}
