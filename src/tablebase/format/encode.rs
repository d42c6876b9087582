//! Writes blocks in the symbols of a dictionary: the pairs that were learned first are merged first.

use super::bits::BitWriter;
use super::dictionary::{Dictionary, Symbol};
use std::collections::HashMap;

/// No pair.
const NONE: u16 = u16::MAX;

/// A dictionary from the writer's side.
pub(super) struct Encoder {
    pairs: HashMap<(u16, u16), u16>,
    width: u32,
}

impl Encoder {
    pub fn new(dictionary: &Dictionary) -> Encoder {
        let symbols = dictionary.symbols().iter().zip(0..);
        let pairs = symbols.filter_map(|(symbol, at)| match *symbol {
            Symbol::Pair(left, right) => Some(((left, right), at)),
            Symbol::Run { .. } => None,
        });
        Encoder { pairs: pairs.collect(), width: dictionary.width() }
    }

    /// The symbol of two neighbours.
    fn pair(&self, left: u16, right: u16) -> u16 {
        self.pairs.get(&(left, right)).copied().unwrap_or(NONE)
    }

    /// The bytes of a block of runs. `symbols` is worked on; `pairs` is memory to use.
    pub fn block(&self, symbols: &mut Vec<u16>, pairs: &mut Vec<u16>) -> Vec<u8> {
        pairs.clear();
        pairs.extend(symbols.windows(2).map(|two| self.pair(two[0], two[1])));
        while let Some(&merged) = pairs.iter().min().filter(|&&pair| pair != NONE) {
            self.merge(merged, symbols, pairs);
        }
        let mut writer = BitWriter::default();
        symbols.iter().for_each(|&symbol| writer.push(symbol, self.width));
        writer.finish()
    }

    /// Puts a symbol in the place of its pairs, from left to right.
    fn merge(&self, merged: u16, symbols: &mut Vec<u16>, pairs: &mut Vec<u16>) {
        let (mut from, mut to) = (0, 0);
        while from < symbols.len() {
            let is_pair = pairs.get(from) == Some(&merged);
            symbols[to] = if is_pair { merged } else { symbols[from] };
            if to > 0 {
                // A neighbour of a merged symbol makes another pair; all others are as they were.
                let is_new = is_pair || symbols[to - 1] == merged;
                pairs[to - 1] =
                    if is_new { self.pair(symbols[to - 1], symbols[to]) } else { pairs[from - 1] };
            }
            from += if is_pair { 2 } else { 1 };
            to += 1;
        }
        symbols.truncate(to);
        pairs.truncate(to.saturating_sub(1));
    }
}
