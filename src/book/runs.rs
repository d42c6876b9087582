//! Counts of games by position, more than memory holds: what is full is sorted and put into a file, and all files are
//! read side by side in the end. The files have no names, so nothing is left of them when the program is killed.

use super::error::BookError;
use super::{Entry, Games};
use crate::files::{folder_of, temporary};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// Bytes of a row in a file.
const ROW: usize = 32;

/// Games that reached a position, for its side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Tally {
    /// Won, drawn, lost.
    pub results: [u32; 3],
    /// Those with a rating of the player who moved here, and the sum of the ratings.
    pub rated: u32,
    pub ratings: u64,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        for (sum, more) in self.results.iter_mut().zip(other.results) {
            *sum = sum.saturating_add(more);
        }
        self.rated = self.rated.saturating_add(other.rated);
        self.ratings = self.ratings.saturating_add(other.ratings);
    }

    fn write(&self, key: u64, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&key.to_le_bytes())?;
        for number in self.results.into_iter().chain([self.rated]) {
            out.write_all(&number.to_le_bytes())?;
        }
        out.write_all(&self.ratings.to_le_bytes())
    }

    fn read(row: &[u8; ROW]) -> (u64, Tally) {
        let word = |at: usize| row[at..at + 8].iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        let half = |at: usize| u32::from_le_bytes([row[at], row[at + 1], row[at + 2], row[at + 3]]);
        let results = [half(8), half(12), half(16)];
        (word(0), Tally { results, rated: half(20), ratings: word(24) })
    }

    /// As an entry of a book.
    pub fn entry(&self, key: u64) -> Entry {
        let [wins, draws, losses] = self.results;
        let rating = self.ratings.checked_div(self.rated.into()).map(|mean| mean as u16);
        Entry { key, games: Games { wins, draws, losses, rating }, ..Entry::default() }
    }
}

/// Counts in memory and in files.
#[derive(Debug)]
pub(super) struct Runs {
    counts: HashMap<u64, Tally>,
    /// Positions that are held in memory at most.
    most: usize,
    /// In this folder the files are made.
    folder: PathBuf,
    files: Vec<File>,
}

impl Runs {
    /// With at most so many positions in memory, and files in the folder of this one.
    pub fn new(most: usize, beside: &Path) -> Runs {
        Runs { counts: HashMap::new(), most, folder: folder_of(beside).to_owned(), files: Vec::new() }
    }

    /// Counts.
    pub fn add(&mut self, key: u64, tally: &Tally) -> Result<(), BookError> {
        self.counts.entry(key).or_default().add(tally);
        if self.counts.len() >= self.most { self.spill() } else { Ok(()) }
    }

    /// Puts what is in memory into a file.
    fn spill(&mut self) -> Result<(), BookError> {
        let sorted = self.sorted();
        let written = temporary(&self.folder).and_then(|file| {
            let mut out = BufWriter::new(file);
            sorted.iter().try_for_each(|(key, tally)| tally.write(*key, &mut out))?;
            out.into_inner().map_err(io::IntoInnerError::into_error)
        });
        self.files.push(written.map_err(|error| BookError::io(&self.folder, error))?);
        Ok(())
    }

    fn sorted(&mut self) -> Vec<(u64, Tally)> {
        let mut sorted: Vec<_> = self.counts.drain().collect();
        sorted.sort_unstable_by_key(|(key, _)| *key);
        sorted
    }

    /// All counts in the order of their keys, each key once.
    pub fn merged(mut self) -> Result<Merged, BookError> {
        let mut sources = Vec::new();
        for mut file in std::mem::take(&mut self.files) {
            file.rewind().map_err(|error| BookError::io(&self.folder, error))?;
            sources.push(Source::File(BufReader::new(file)));
        }
        sources.push(Source::Memory(self.sorted().into_iter()));
        let next = vec![Tally::default(); sources.len()];
        let mut merged = Merged { sources, next, heads: BinaryHeap::new() };
        for number in 0..merged.sources.len() {
            merged.advance(number).map_err(|error| BookError::io(&self.folder, error))?;
        }
        Ok(merged)
    }
}

#[derive(Debug)]
enum Source {
    Memory(std::vec::IntoIter<(u64, Tally)>),
    File(BufReader<File>),
}

/// Counts in the order of their keys.
#[derive(Debug)]
pub(super) struct Merged {
    sources: Vec<Source>,
    /// The next count of each source.
    next: Vec<Tally>,
    /// The key of that count and the number of the source.
    heads: BinaryHeap<Reverse<(u64, usize)>>,
}

impl Merged {
    fn advance(&mut self, number: usize) -> io::Result<()> {
        let row = match &mut self.sources[number] {
            Source::Memory(rows) => rows.next(),
            Source::File(file) => {
                let mut row = [0; ROW];
                match file.read_exact(&mut row) {
                    Ok(()) => Some(Tally::read(&row)),
                    Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => None,
                    Err(error) => return Err(error),
                }
            }
        };
        if let Some((key, tally)) = row {
            self.next[number] = tally;
            self.heads.push(Reverse((key, number)));
        }
        Ok(())
    }
}

impl Iterator for Merged {
    type Item = io::Result<(u64, Tally)>;

    fn next(&mut self) -> Option<Self::Item> {
        let first = self.heads.peek()?.0.0;
        let mut sum = Tally::default();
        while let Some(&Reverse((_, number))) = self.heads.peek().filter(|head| head.0.0 == first) {
            self.heads.pop();
            sum.add(&self.next[number]);
            if let Err(error) = self.advance(number) {
                return Some(Err(error));
            }
        }
        Some(Ok((first, sum)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use std::fs;

    #[test]
    fn counts_are_the_same_however_little_memory_there_is() {
        let folder = tempfile::tempdir().unwrap();
        let rows = (0..5000u64).map(|number| {
            let key = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) % 700;
            (key, Tally { results: [1, (number % 3) as u32, 0], rated: 1, ratings: 1000 + number })
        });
        let mut plain: BTreeMap<u64, Tally> = BTreeMap::new();
        rows.clone().for_each(|(key, tally)| plain.entry(key).or_default().add(&tally));
        for most in [50, 701, 100_000] {
            let mut runs = Runs::new(most, &folder.path().join("book"));
            rows.clone().for_each(|(key, tally)| runs.add(key, &tally).unwrap());
            assert_eq!(runs.files.is_empty(), most > 700);
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "the files have no names");
            let merged: Vec<(u64, Tally)> = runs.merged().unwrap().map(Result::unwrap).collect();
            assert!(merged.into_iter().eq(plain.clone()));
        }
    }
}
