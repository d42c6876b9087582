//! Rows for the states of blocks while they are learned. There are many, and a batch touches few: only those move.

use super::adam::Step;
use crate::eval::learned::blocks::{MOST_BLOCKS, STATES};
use crate::eval::learned::net::{HIDDEN, ONE, most_of_block};
use rayon::prelude::*;

/// Rows that a thread moves in one go.
const PART: usize = STATES / 9;

/// A row, with what Adam remembers of its slopes while it is touched.
#[derive(Clone, Copy, Debug)]
struct BlockRow {
    numbers: [f32; HIDDEN],
    momentum: [f32; HIDDEN],
    variance: [f32; HIDDEN],
}

/// The rows of all states of some blocks, the first so many of the board.
#[derive(Debug)]
pub struct BlockRows(Vec<BlockRow>);

/// The states of all blocks of a side, those without rows, too.
pub type States = [u16; MOST_BLOCKS];

/// The row of a block's state.
fn at(block: usize, state: u16) -> usize {
    block * STATES + usize::from(state)
}

impl BlockRows {
    /// Rows of so many blocks with these numbers; 0 where there are none.
    pub fn new(blocks: usize, mut numbers: impl Iterator<Item = f32>) -> BlockRows {
        let zero = [0.0; HIDDEN];
        let mut rows = vec![BlockRow { numbers: zero, momentum: zero, variance: zero }; blocks * STATES];
        for (place, number) in rows.iter_mut().flat_map(|row| &mut row.numbers).zip(&mut numbers) {
            *place = number;
        }
        BlockRows(rows)
    }

    /// How many blocks have rows.
    pub fn blocks(&self) -> usize {
        self.0.len() / STATES
    }

    /// Adds the rows of these states to the sums of a side.
    pub fn add_to(&self, sums: &mut [f32; HIDDEN], states: &States) {
        for (block, &state) in states[..self.blocks()].iter().enumerate() {
            let row = &self.0[at(block, state)].numbers;
            sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
        }
    }

    /// Moves the rows of `states`, two sides for each position, against the mean of their slopes over all positions; no
    /// number gets larger than those that play can be.
    pub fn step(&mut self, states: &[[States; 2]], slopes: &[[[f32; HIDDEN]; 2]], step: Step) {
        let mut touched = Vec::with_capacity(2 * self.blocks() * states.len());
        for (i, sides) in states.iter().enumerate() {
            for (side, states) in sides.iter().enumerate() {
                let states = &states[..self.blocks()];
                let rows = states.iter().enumerate().map(|(block, &state)| at(block, state));
                touched.extend(rows.map(|row| (row as u32, 2 * i as u32 + side as u32)));
            }
        }
        // By rows, and for each in the order of the positions: threads change nothing of a sum.
        touched.par_sort_unstable();
        let share = 1.0 / states.len() as f32;
        self.0.par_chunks_mut(PART).enumerate().for_each(|(part, rows)| {
            let first = part * PART;
            let begin = touched.partition_point(|&(row, _)| (row as usize) < first);
            let end = touched.partition_point(|&(row, _)| (row as usize) < first + PART);
            for of_row in touched[begin..end].chunk_by(|a, b| a.0 == b.0) {
                let mut sum = [0.0; HIDDEN];
                for &(_, i) in of_row {
                    let slope = &slopes[i as usize / 2][i as usize % 2];
                    sum.iter_mut().zip(slope).for_each(|(sum, slope)| *sum += slope);
                }
                let place = of_row[0].0 as usize;
                let most = f32::from(most_of_block(place / STATES)) / f32::from(ONE);
                let row = &mut rows[place - first];
                for (i, sum) in sum.iter().enumerate() {
                    let number = &mut row.numbers[i];
                    step.take(number, &mut row.momentum[i], &mut row.variance[i], sum * share);
                    *number = number.clamp(-most, most);
                }
            }
        });
    }

    /// What the rows of empty blocks add to every sum.
    pub fn always(&self) -> [f32; HIDDEN] {
        let mut always = [0.0; HIDDEN];
        for block in 0..self.blocks() {
            always.iter_mut().zip(self.empty(block)).for_each(|(sum, number)| *sum += number);
        }
        always
    }

    /// All numbers without [`BlockRows::always`].
    pub fn rest(&self) -> impl Iterator<Item = f32> {
        self.0.iter().enumerate().flat_map(|(i, row)| {
            row.numbers.iter().zip(self.empty(i / STATES)).map(|(number, empty)| number - empty)
        })
    }

    fn empty(&self, block: usize) -> &[f32; HIDDEN] {
        &self.0[at(block, 0)].numbers
    }

    /// Everything that [`BlockRows::restore`] needs, [`BlockRows::state_len`] numbers.
    pub fn state(&self) -> impl Iterator<Item = f32> {
        let row = |row: &BlockRow| [row.numbers, row.momentum, row.variance];
        self.0.iter().flat_map(move |of| row(of).into_iter().flatten())
    }

    /// How many numbers [`BlockRows::state`] has.
    pub fn state_len(&self) -> usize {
        3 * self.0.len() * HIDDEN
    }

    /// Takes over what [`BlockRows::state`] gave; none if that ends too early.
    pub fn restore(&mut self, mut next: impl FnMut() -> Option<f32>) -> Option<()> {
        for row in &mut self.0 {
            for number in row.numbers.iter_mut().chain(&mut row.momentum).chain(&mut row.variance) {
                *number = next()?;
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::learned::blocks::APART;
    use crate::train::fit::Adam;

    /// However large the steps are, rows stay within what the sums of play can hold.
    #[test]
    fn no_number_gets_larger_than_play_allows() {
        let mut rows = BlockRows::new(MOST_BLOCKS, std::iter::empty());
        let mut adam = Adam::new(1);
        for _ in 0..100 {
            adam.step(&mut [0.0], 1.0, |_| 1.0);
            rows.step(&[[[1; MOST_BLOCKS]; 2]], &[[[1.0; HIDDEN]; 2]], adam.last(1.0));
        }
        for block in 0..MOST_BLOCKS {
            let most = f32::from(most_of_block(block)) / f32::from(ONE);
            assert_eq!(rows.0[at(block, 1)].numbers, [-most; HIDDEN]);
        }
        assert!(most_of_block(APART) < most_of_block(0));
    }
}
