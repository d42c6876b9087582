//! The dictionary of a table: what each symbol of its blocks stands for.

use super::FormatError;
use super::bits::{BitReader, BitWriter};

/// Most bits of a symbol.
pub(super) const MOST_WIDTH: u32 = 14;

/// What a symbol stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Symbol {
    /// `2^log` times the same value.
    Run { value: u8, log: u8 },
    /// Two earlier symbols, one after the other.
    Pair(u16, u16),
}

/// The symbols of a table: first all runs, then all pairs, each of symbols before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Dictionary {
    symbols: Vec<Symbol>,
    runs: usize,
    /// How many values each symbol stands for.
    lengths: Vec<u16>,
}

impl Dictionary {
    /// A dictionary of runs alone.
    pub fn of_runs(runs: impl IntoIterator<Item = (u8, u8)>) -> Dictionary {
        let symbols: Vec<Symbol> = runs.into_iter().map(|(value, log)| Symbol::Run { value, log }).collect();
        let lengths = symbols.iter().map(|symbol| length(&[], *symbol)).collect();
        Dictionary { runs: symbols.len(), symbols, lengths }
    }

    /// Adds a pair and returns its symbol.
    pub fn push(&mut self, left: u16, right: u16) -> u16 {
        let pair = Symbol::Pair(left, right);
        self.lengths.push(length(&self.lengths, pair));
        self.symbols.push(pair);
        (self.symbols.len() - 1) as u16
    }

    /// Forgets the pairs beyond the first `symbols` symbols.
    pub fn truncate(&mut self, symbols: usize) {
        self.symbols.truncate(symbols.max(self.runs));
        self.lengths.truncate(symbols.max(self.runs));
    }

    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// How many of the symbols are runs; they come first.
    pub fn runs(&self) -> usize {
        self.runs
    }

    /// Values that a symbol stands for; none for a symbol that does not exist.
    #[inline(always)]
    pub fn length(&self, symbol: u16) -> Option<usize> {
        self.lengths.get(usize::from(symbol)).map(|&length| usize::from(length))
    }

    /// Bits of a symbol.
    pub fn width(&self) -> u32 {
        width(self.symbols.len())
    }

    /// The value at a place within a symbol, which must be shorter than the symbol's length.
    #[inline]
    pub fn value(&self, mut symbol: u16, mut place: usize) -> u8 {
        loop {
            match self.symbols[usize::from(symbol)] {
                Symbol::Run { value, .. } => return value,
                Symbol::Pair(left, right) => {
                    let before = usize::from(self.lengths[usize::from(left)]);
                    symbol = if place < before {
                        left
                    } else {
                        place -= before;
                        right
                    };
                }
            }
        }
    }

    /// Appends the values of a symbol.
    pub fn expand(&self, symbol: u16, values: &mut Vec<u8>) {
        match self.symbols[usize::from(symbol)] {
            Symbol::Run { value, log } => values.resize(values.len() + (1 << log), value),
            Symbol::Pair(left, right) => {
                self.expand(left, values);
                self.expand(right, values);
            }
        }
    }

    /// The dictionary as bytes: two bytes for each run, value and logarithm; then two symbols for each pair.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        let width = self.width();
        let mut pairs = BitWriter::default();
        for symbol in &self.symbols {
            match *symbol {
                Symbol::Run { value, log } => bytes.extend([value, log]),
                Symbol::Pair(left, right) => {
                    pairs.push(left, width);
                    pairs.push(right, width);
                }
            }
        }
        bytes.extend(pairs.finish());
    }

    /// Bytes that a dictionary of so many symbols takes.
    pub fn size(symbols: usize, runs: usize) -> usize {
        2 * runs + (2 * width(symbols) as usize * (symbols - runs)).div_ceil(8)
    }

    /// Reads what [`Dictionary::write`] wrote. `bytes` must have [`Dictionary::size`] bytes.
    ///
    /// # Errors
    /// If a symbol stands for what does not come before it, or for more than `longest` values.
    pub fn read(
        bytes: &[u8],
        symbols: usize,
        runs: usize,
        longest: usize,
    ) -> Result<Dictionary, FormatError> {
        let fault = |at: usize| FormatError::Symbol { symbol: at };
        let (heads, pairs) = bytes.split_at(2 * runs);
        if heads.chunks(2).any(|run| run[1] > 15 || 1 << run[1] > longest) {
            return Err(fault(0));
        }
        let mut dictionary = Dictionary::of_runs(heads.chunks(2).map(|run| (run[0], run[1])));
        let mut reader = BitReader::new(pairs);
        let width = width(symbols);
        for at in runs..symbols {
            let (left, right) = (reader.next(width), reader.next(width));
            let (Some(left), Some(right)) = (left, right) else { return Err(fault(at)) };
            let lengths = (dictionary.length(left), dictionary.length(right));
            let (Some(first), Some(second)) = lengths else { return Err(fault(at)) };
            if first + second > longest {
                return Err(fault(at));
            }
            dictionary.push(left, right);
        }
        Ok(dictionary)
    }
}

/// Bits of a symbol of a dictionary of so many.
pub(super) fn width(symbols: usize) -> u32 {
    usize::BITS - symbols.saturating_sub(1).leading_zeros()
}

fn length(lengths: &[u16], symbol: Symbol) -> u16 {
    match symbol {
        Symbol::Run { log, .. } => 1 << log,
        Symbol::Pair(left, right) => lengths[usize::from(left)] + lengths[usize::from(right)],
    }
}
