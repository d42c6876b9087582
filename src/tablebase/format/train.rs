//! Learns a dictionary from blocks: the most frequent pair of neighbours becomes a symbol, again and again (N. J. Larsson,
//! A. Moffat, "Offline dictionary-based compression", 1999: Re-Pair).

use super::dictionary::{Dictionary, MOST_WIDTH, width};
use std::collections::{BinaryHeap, HashMap};

/// No symbol: the gap that a merged pair leaves, and the boundary of blocks.
const NONE: u32 = u32::MAX;
const BOUNDARY: u32 = u32::MAX - 1;

/// A pair of neighbours: how often it occurs, and where its left symbols may stand.
#[derive(Default)]
struct Pair {
    count: u32,
    places: Vec<u32>,
}

/// Learns from blocks of symbols, all of them runs of `dictionary`, and adds pairs to it. The blocks are a sample: all of
/// the table is `scale` times as much. So many pairs are added that symbols and dictionary together take least.
pub(super) fn learn(
    mut dictionary: Dictionary,
    blocks: &[Vec<u16>],
    scale: f64,
    longest: usize,
) -> Dictionary {
    let mut sequence = Sequence::new(blocks);
    let mut heap: BinaryHeap<(u32, u32)> = sequence
        .pairs
        .iter()
        .filter(|(_, pair)| pair.count > 1)
        .map(|(&name, pair)| (pair.count, !name))
        .collect();
    let runs = dictionary.runs();
    let size = |symbols: usize, length: usize| {
        scale * length as f64 * f64::from(width(symbols)) / 8.0 + Dictionary::size(symbols, runs) as f64
    };
    let mut best = (size(runs, sequence.length), runs);
    while dictionary.symbols().len() < 1 << MOST_WIDTH {
        let Some((count, name)) = heap.pop() else { break };
        let name = !name;
        let now = sequence.pairs.get(&name).map_or(0, |pair| pair.count);
        if now != count {
            // Counts only sink between two looks, but for new pairs, which enter with their count.
            if now > 1 && now < count {
                heap.push((now, !name));
            }
            continue;
        }
        let (left, right) = ((name >> 16) as u16, name as u16);
        if dictionary.length(left).unwrap_or(0) + dictionary.length(right).unwrap_or(0) > longest {
            sequence.pairs.remove(&name);
            continue;
        }
        // A pair that saves less than it takes in the dictionary, now and in any larger one.
        if f64::from(count) * scale < 2.0 {
            break;
        }
        let symbol = dictionary.push(left, right);
        sequence.merge(name, u32::from(symbol));
        sequence.fresh.sort_unstable();
        sequence.fresh.dedup();
        for fresh in sequence.fresh.drain(..) {
            let count = sequence.pairs.get(&fresh).map_or(0, |pair| pair.count);
            if count > 1 {
                heap.push((count, !fresh));
            }
        }
        let symbols = dictionary.symbols().len();
        let now = size(symbols, sequence.length);
        if now < best.0 {
            best = (now, symbols);
        }
    }
    dictionary.truncate(best.1);
    dictionary
}

/// The blocks in a row, with their pairs.
struct Sequence {
    symbols: Vec<u32>,
    /// Symbols that are left.
    length: usize,
    pairs: HashMap<u32, Pair>,
    /// Pairs whose count has grown in the last merge.
    fresh: Vec<u32>,
    /// How far the gap at a place reaches, written at both ends of the gap.
    gaps: Vec<u32>,
}

impl Sequence {
    fn new(blocks: &[Vec<u16>]) -> Sequence {
        let mut symbols = vec![BOUNDARY];
        for block in blocks {
            symbols.extend(block.iter().map(|&symbol| u32::from(symbol)));
            symbols.push(BOUNDARY);
        }
        let length = blocks.iter().map(Vec::len).sum();
        let gaps = vec![0; symbols.len()];
        let mut sequence = Sequence { symbols, length, pairs: HashMap::new(), fresh: Vec::new(), gaps };
        for at in 1..sequence.symbols.len() - 1 {
            sequence.count(at, at + 1);
        }
        sequence.fresh.clear();
        sequence
    }

    /// The pair of two places; none at a boundary.
    fn name(&self, left: usize, right: usize) -> Option<u32> {
        let (left, right) = (self.symbols[left], self.symbols[right]);
        (left < BOUNDARY && right < BOUNDARY).then_some(left << 16 | right)
    }

    fn count(&mut self, left: usize, right: usize) {
        if let Some(name) = self.name(left, right) {
            let pair = self.pairs.entry(name).or_default();
            pair.count += 1;
            pair.places.push(left as u32);
            self.fresh.push(name);
        }
    }

    fn discount(&mut self, left: usize, right: usize) {
        if let Some(pair) = self.name(left, right).and_then(|name| self.pairs.get_mut(&name)) {
            pair.count = pair.count.saturating_sub(1);
        }
    }

    /// The place after a symbol's, over the gap.
    fn after(&self, at: usize) -> usize {
        let next = at + 1;
        if self.symbols[next] == NONE { next + self.gaps[next] as usize } else { next }
    }

    fn before(&self, at: usize) -> usize {
        let previous = at - 1;
        if self.symbols[previous] == NONE { previous - self.gaps[previous] as usize } else { previous }
    }

    /// Puts `symbol` in the place of every pair of this name.
    fn merge(&mut self, name: u32, symbol: u32) {
        let Some(pair) = self.pairs.remove(&name) else { return };
        let mut places = pair.places;
        places.sort_unstable();
        places.dedup();
        for place in places {
            let left = place as usize;
            if self.symbols[left] != name >> 16 {
                continue;
            }
            let right = self.after(left);
            if self.name(left, right) != Some(name) {
                continue;
            }
            let (previous, next) = (self.before(left), self.after(right));
            self.discount(previous, left);
            self.discount(right, next);
            self.symbols[left] = symbol;
            self.symbols[right] = NONE;
            self.length -= 1;
            // The gap: all between `left` and `next`.
            let gap = (next - left - 1) as u32;
            self.gaps[left + 1] = gap;
            self.gaps[next - 1] = gap;
            self.count(previous, left);
            self.count(left, next);
        }
    }
}
