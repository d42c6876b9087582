//! A block of values as runs: what is not stored takes the value before it, and every run is cut into powers of two.

use super::ANY;

/// The runs that symbols exist for: for each value the logarithms of the lengths, as a set of bits. Length one is always
/// there for a value that occurs.
#[derive(Clone)]
pub(super) struct Runs {
    logs: Box<[u16; 256]>,
    first: Box<[u16; 256]>,
}

impl Runs {
    /// From the logarithms of every value that occurs, as sets of bits.
    pub fn new(logs: Box<[u16; 256]>) -> Runs {
        let mut first = Box::new([0; 256]);
        let mut sum = 0;
        for (value, &logs) in logs.iter().enumerate() {
            first[value] = sum;
            sum += logs.count_ones() as u16;
        }
        Runs { logs, first }
    }

    /// Value and logarithm of each symbol, in order.
    pub fn symbols(&self) -> impl Iterator<Item = (u8, u8)> + '_ {
        (0..=255).flat_map(|value: u8| {
            let logs = self.logs[usize::from(value)];
            (0..16).filter(move |log| logs >> log & 1 == 1).map(move |log| (value, log))
        })
    }

    /// Appends the symbols of a run, the longest first.
    fn push(&self, value: u8, mut length: usize, symbols: &mut Vec<u16>) {
        let logs = self.logs[usize::from(value)];
        while length > 0 {
            let fitting = logs & ((2u32 << length.ilog2()) - 1) as u16;
            let log = fitting.ilog2();
            let before = (logs & ((1 << log) - 1)).count_ones() as u16;
            symbols.push(self.first[usize::from(value)] + before);
            length -= 1 << log;
        }
    }

    /// The symbols of a block of values.
    pub fn symbols_of(&self, block: &[u8], symbols: &mut Vec<u16>) {
        symbols.clear();
        for_each_run(block, |value, length| self.push(value, length, symbols));
    }
}

/// Calls `run` with every run of a block: value and length. A block in which nothing is stored is a run of zeros.
pub(super) fn for_each_run(block: &[u8], mut run: impl FnMut(u8, usize)) {
    let Some(&first) = block.iter().find(|&&value| value != ANY) else {
        return run(0, block.len());
    };
    let (mut value, mut start) = (first, 0);
    for (at, &next) in block.iter().enumerate() {
        if next != value && next != ANY {
            run(value, at - start);
            (value, start) = (next, at);
        }
    }
    run(value, block.len() - start);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_stored_joins_the_run_before_it() {
        let mut runs = Vec::new();
        for_each_run(&[ANY, ANY, 2, 2, ANY, 1, ANY, 1, 2, ANY], |value, length| runs.push((value, length)));
        assert_eq!(runs, [(2, 5), (1, 3), (2, 2)]);
        runs.clear();
        for_each_run(&[ANY; 7], |value, length| runs.push((value, length)));
        assert_eq!(runs, [(0, 7)]);
    }

    #[test]
    fn a_run_is_cut_into_the_lengths_that_exist() {
        let mut logs = Box::new([0; 256]);
        (logs[0], logs[2]) = (0b1, 0b1011); // lengths 1; 1, 2, 8
        let runs = Runs::new(logs);
        assert_eq!(runs.symbols().collect::<Vec<_>>(), [(0, 0), (2, 0), (2, 1), (2, 3)]);
        let mut symbols = Vec::new();
        runs.symbols_of(&[0, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 0, 0], &mut symbols);
        assert_eq!(symbols, [0, 3, 2, 1, 0, 0]); // eleven: 8 + 2 + 1
    }
}
