//! Writes a table: looks at the values, learns a dictionary from a sample, encodes the blocks on all threads.

use super::dictionary::Dictionary;
use super::encode::Encoder;
use super::head::{BLOCKS_PER_PAGE, Head};
use super::tokens::{Runs, for_each_run};
use super::{ANY, FormatError, TableName, train};
use crate::files;
use rayon::prelude::*;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// Values of a block, but where the blocks of a page would take more than 64 KiB.
const BLOCK: usize = 8192;
/// Runs in the sample that the dictionary is learned from.
const SAMPLE: usize = 1 << 21;
/// Blocks that a thread takes at a time.
const BATCH: u64 = 64 * BLOCKS_PER_PAGE as u64;

/// The values of a table by index. Threads ask for several ranges at once.
pub trait Values: Sync {
    /// How many values there are.
    fn count(&self) -> u64;
    /// Writes the values from index `first` on; [`ANY`] where every value will do because nobody asks.
    fn fill(&self, first: u64, values: &mut [u8]);
}

/// The values in memory.
impl Values for [u8] {
    fn count(&self) -> u64 {
        self.len() as u64
    }

    fn fill(&self, first: u64, values: &mut [u8]) {
        values.copy_from_slice(&self[first as usize..][..values.len()]);
    }
}

/// Writes a table to a file, atomically, and returns its size in bytes. It runs on the threads of the `rayon` pool that
/// it is called from; the bytes do not depend on their number.
///
/// # Errors
/// If the file cannot be written, or the table is larger than 4 GiB.
pub fn write(path: &Path, name: &TableName, values: &(impl Values + ?Sized)) -> Result<u64, FormatError> {
    let bytes = encode(name, values)?;
    files::write_whole(path, |out| out.write_all(&bytes)).map_err(|error| FormatError::io(path, error))?;
    Ok(bytes.len() as u64)
}

/// The bytes of a table.
///
/// # Errors
/// If the table is larger than 4 GiB.
pub fn encode(name: &TableName, values: &(impl Values + ?Sized)) -> Result<Vec<u8>, FormatError> {
    let mut block = BLOCK;
    loop {
        match encode_blocks(name, values, block)? {
            Some(bytes) => return Ok(bytes),
            // Values without any order take more bytes; smaller blocks make smaller pages.
            None => block /= 2,
        }
    }
}

/// A file's bytes with blocks of so many values; none if a page has more than 64 KiB.
fn encode_blocks(
    name: &TableName,
    values: &(impl Values + ?Sized),
    block: usize,
) -> Result<Option<Vec<u8>>, FormatError> {
    let blocks = values.count().div_ceil(block as u64);
    let dictionary = learn(values, block, blocks);
    let runs = Runs::new(logs_of(&dictionary));
    let encoder = Encoder::new(&dictionary);
    let batches = 0..blocks.div_ceil(BATCH);
    let encoded: Vec<Vec<Vec<u8>>> = batches
        .into_par_iter()
        .map(|batch| {
            let (mut held, mut symbols, mut pairs) = (vec![0; block], Vec::new(), Vec::new());
            let blocks = batch * BATCH..blocks.min((batch + 1) * BATCH);
            let encode = |at| {
                let values = fill(values, at, &mut held);
                runs.symbols_of(values, &mut symbols);
                encoder.block(&mut symbols, &mut pairs)
            };
            blocks.map(encode).collect()
        })
        .collect();
    let mut data = Vec::new();
    let mut directory = Vec::new();
    let all: Vec<&Vec<u8>> = encoded.iter().flatten().collect();
    for page in all.chunks(BLOCKS_PER_PAGE) {
        let first = data.len();
        let mut offsets = [0; BLOCKS_PER_PAGE];
        for (at, block) in page.iter().enumerate() {
            let Ok(offset) = u16::try_from(data.len() - first) else { return Ok(None) };
            offsets[at] = offset;
            data.extend_from_slice(block);
        }
        let start = u32::try_from(first).map_err(|_| FormatError::TooLarge { values: values.count() })?;
        directory.extend(start.to_le_bytes());
        directory.extend((xxh3_64(&data[first..]) as u32).to_le_bytes());
        directory.extend(offsets.iter().flat_map(|offset: &u16| offset.to_le_bytes()));
    }
    let head = Head {
        name: *name,
        values: values.count(),
        block: block as u32,
        symbols: dictionary.symbols().len() as u32,
        runs: dictionary.runs() as u32,
        data: data.len() as u64,
    };
    let mut bytes = head.write();
    dictionary.write(&mut bytes);
    bytes.extend(directory);
    bytes.extend(xxh3_64(&bytes).to_le_bytes());
    bytes.extend(data);
    Ok(Some(bytes))
}

/// The values of a block; the last of a table is shorter.
fn fill<'a>(values: &(impl Values + ?Sized), block: u64, held: &'a mut [u8]) -> &'a [u8] {
    let first = block * held.len() as u64;
    let length = (values.count() - first).min(held.len() as u64) as usize;
    values.fill(first, &mut held[..length]);
    &held[..length]
}

/// Learns a dictionary from blocks at equal distances.
fn learn(values: &(impl Values + ?Sized), block: usize, blocks: u64) -> Dictionary {
    // What runs there are, and how many.
    let (logs, length) = (0..blocks.div_ceil(BATCH))
        .into_par_iter()
        .map(|batch| {
            let (mut held, mut logs, mut length) = (vec![0; block], Box::new([0_u16; 256]), 0);
            for at in batch * BATCH..blocks.min((batch + 1) * BATCH) {
                for_each_run(fill(values, at, &mut held), |value, run| {
                    logs[usize::from(value)] |= run as u16 | 1;
                    length += run.count_ones() as usize;
                });
            }
            (logs, length)
        })
        .reduce(
            || (Box::new([0; 256]), 0),
            |(mut logs, length), (others, more)| {
                logs.iter_mut().zip(others.iter()).for_each(|(log, other)| *log |= other);
                (logs, length + more)
            },
        );
    let runs = Runs::new(logs);
    let every = length.div_ceil(SAMPLE).max(1);
    let mut held = vec![0; block];
    let sample: Vec<Vec<u16>> = (0..blocks)
        .step_by(every)
        .map(|at| {
            let mut symbols = Vec::new();
            runs.symbols_of(fill(values, at, &mut held), &mut symbols);
            symbols
        })
        .collect();
    let sampled: usize = sample.iter().map(Vec::len).sum();
    let scale = length as f64 / sampled.max(1) as f64;
    train::learn(Dictionary::of_runs(runs.symbols()), &sample, scale, block)
}

/// The runs of a dictionary as sets of logarithms.
fn logs_of(dictionary: &Dictionary) -> Box<[u16; 256]> {
    let mut logs = Box::new([0; 256]);
    for symbol in &dictionary.symbols()[..dictionary.runs()] {
        if let super::dictionary::Symbol::Run { value, log } = *symbol {
            logs[usize::from(value)] |= 1 << log;
        }
    }
    logs
}

const _: () = assert!(ANY == 255 && BLOCK <= 1 << 15);
