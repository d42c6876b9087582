//! Results on the disk while an analysis runs: a line of JSON for each search, in the order in which they end. What a
//! sudden end left half-written is cut off by the next start.

use super::search::MoveFacts;
use super::work::Task;
use crate::files;
use crate::notation::text::quote;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use thiserror::Error;

/// The version of the format.
const VERSION: u32 = 1;

/// Why a journal cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The file system said no.
    #[error("journal \"{path}\": {source}")]
    Io {
        /// The file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// Somebody else is writing to it.
    #[error("journal \"{0}\" is in use by an analysis that is running")]
    InUse(String),
    /// It is no journal.
    #[error("\"{path}\", line {line}, is no line of a journal: {fault}")]
    Line {
        /// The file.
        path: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        fault: String,
    },
    /// It belongs to another analysis.
    #[error("journal \"{path}\" is of another analysis: {old}, not {new}; remove it to start anew")]
    Other {
        /// The file.
        path: String,
        /// What it says.
        old: String,
        /// What was expected.
        new: String,
    },
    /// It has results of another game in the place of this one.
    #[error("journal \"{path}\" has another game as number {game}; remove it to start anew")]
    OtherGame {
        /// The file.
        path: String,
        /// The number of the game.
        game: usize,
    },
}

/// How a header begins.
const START: &[u8] = b"{\"kroon_annotate\"";

/// The first line.
#[derive(PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Header {
    kroon_annotate: u32,
    /// What decides the results.
    what: String,
}

/// A result.
#[derive(Debug, Serialize, Deserialize)]
struct Record {
    /// The number of the game, from 1.
    game: usize,
    /// A checksum of its start and moves.
    key: u64,
    index: usize,
    look: u32,
    facts: MoveFacts,
}

/// The part of a line that says whose it is.
#[derive(Deserialize)]
struct Address {
    game: usize,
}

/// What is known of one game.
pub(super) type Known = HashMap<Task, MoveFacts>;

/// An open journal. While it is open nobody else can open it.
#[derive(Debug)]
pub(super) struct Journal {
    file: File,
    path: String,
    length: u64,
    /// From the first to the last line of each game, in bytes: the lines of a few games are mixed.
    ranges: HashMap<usize, [u64; 2]>,
}

/// The first part in which two descriptions of analyses differ.
fn difference(old: &str, new: &str) -> [String; 2] {
    let [mut olds, mut news] = [old, new].map(|what| what.split(", "));
    loop {
        match [olds.next(), news.next()] {
            [Some(old), Some(new)] if old == new => (),
            parts => return parts.map(|part| part.map_or_else(|| "nothing more".to_owned(), quote)),
        }
    }
}

impl Journal {
    /// Opens the journal of an analysis that begins or goes on. `what` says everything that its results depend on.
    pub fn open(path: &Path, what: &str) -> Result<Journal, JournalError> {
        let name = path.display().to_string();
        let io = |source| JournalError::Io { path: name.clone(), source };
        let file = files::open_to_append(path).map_err(io)?;
        if !files::try_lock(&file).map_err(io)? {
            return Err(JournalError::InUse(name));
        }
        Journal::read(file, name, what)
    }

    /// A journal without a name that vanishes with the program.
    pub fn temporary(what: &str) -> Result<Journal, JournalError> {
        let folder = std::env::temp_dir();
        let path = folder.display().to_string();
        let file =
            files::temporary(&folder).map_err(|source| JournalError::Io { path: path.clone(), source })?;
        Journal::read(file, path, what)
    }

    fn read(mut file: File, path: String, what: &str) -> Result<Journal, JournalError> {
        let io = |source| JournalError::Io { path: path.clone(), source };
        let mut ranges: HashMap<usize, [u64; 2]> = HashMap::new();
        let header = Header { kroon_annotate: VERSION, what: what.to_owned() };
        let mut length = 0;
        let mut other: Option<Header> = None;
        let mut reader = BufReader::new(&mut file);
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let read = reader.read_until(b'\n', &mut line).map_err(io)?;
            if read == 0 || line.last() != Some(&b'\n') {
                break;
            }
            let fault = |error: serde_json::Error| JournalError::Line {
                path: path.clone(),
                line: number,
                fault: error.to_string(),
            };
            if number == 1 {
                let old: Header = serde_json::from_slice(&line).map_err(fault)?;
                other = (old != header).then_some(old);
            } else if let Some(old) = other {
                let [old, new] = difference(&old.what, what);
                return Err(JournalError::Other { path, old, new });
            } else {
                let Address { game } = serde_json::from_slice(&line).map_err(fault)?;
                let range = ranges.entry(game).or_insert([length, length]);
                range[1] = length + read as u64;
            }
            length += read as u64;
        }
        if length == 0 && !line.is_empty() && !START.starts_with(&line) && !line.starts_with(START) {
            let fault = "the header is missing".to_owned();
            return Err(JournalError::Line { path, line: 1, fault });
        }
        if other.is_some() {
            // It has no result yet that could be lost: most likely the command was wrong and has been mended.
            length = 0;
        }
        file.set_len(length).map_err(io)?;
        let mut journal = Journal { file, path, length, ranges };
        if length == 0 {
            journal.add_line(&header)?;
        }
        Ok(journal)
    }

    fn add_line(&mut self, line: &impl Serialize) -> Result<[u64; 2], JournalError> {
        let written = serde_json::to_vec(line).map_err(io::Error::from).and_then(|mut bytes| {
            bytes.push(b'\n');
            // In one piece, so that a kill leaves a whole line or the beginning of one.
            self.file.write_all(&bytes)?;
            Ok(bytes.len() as u64)
        });
        let before = self.length;
        self.length += written.map_err(|source| JournalError::Io { path: self.path.clone(), source })?;
        Ok([before, self.length])
    }

    /// Adds a result.
    pub fn add(&mut self, game: usize, key: u64, task: Task, facts: &MoveFacts) -> Result<(), JournalError> {
        let record = Record { game, key, index: task.index, look: task.look, facts: facts.clone() };
        let [from, to] = self.add_line(&record)?;
        self.ranges.entry(game).or_insert([from, to])[1] = to;
        Ok(())
    }

    /// Everything that is known of a game with this checksum.
    pub fn known(&mut self, game: usize, key: u64) -> Result<Known, JournalError> {
        let mut known = Known::new();
        let Some(&[from, to]) = self.ranges.get(&game) else { return Ok(known) };
        let io = |source| JournalError::Io { path: self.path.clone(), source };
        self.file.seek(SeekFrom::Start(from)).map_err(io)?;
        let mut next = from;
        for line in BufReader::new((&self.file).take(to - from)).split(b'\n') {
            let line = line.map_err(io)?;
            let start = next;
            next += line.len() as u64 + 1;
            let is_of = |address: Address| address.game == game;
            if !serde_json::from_slice(&line).is_ok_and(is_of) {
                continue;
            }
            let record: Record = match serde_json::from_slice(&line) {
                Ok(record) => record,
                Err(fault) => {
                    let (path, line) = (self.path.clone(), self.line_at(start).map_err(io)?);
                    return Err(JournalError::Line { path, line, fault: fault.to_string() });
                }
            };
            if record.key != key {
                return Err(JournalError::OtherGame { path: self.path.clone(), game });
            }
            known.insert(Task { index: record.index, look: record.look }, record.facts);
        }
        Ok(known)
    }

    /// The number of the line that begins with this byte, from 1.
    fn line_at(&self, byte: u64) -> io::Result<usize> {
        let mut file = &self.file;
        file.seek(SeekFrom::Start(0))?;
        Ok(1 + BufReader::new(file.take(byte)).split(b'\n').count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::annotate::search::LineFacts;

    fn facts(score: i32) -> MoveFacts {
        let line = || LineFacts { score, moves: vec!["32-28".to_owned()] };
        MoveFacts {
            legal: 2,
            depth: 3,
            nodes: 4,
            best: line(),
            others: Vec::new(),
            played: line(),
            second: Some(-5),
            best_known: None,
            played_known: Some(crate::annotate::Exact::Draw),
            second_known: None,
        }
    }

    #[test]
    fn a_line_without_its_result_is_told_by_its_number() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j");
        let task = Task { index: 0, look: 0 };
        let mut journal = Journal::open(&path, "depth 9").unwrap();
        (1..=3).for_each(|game| journal.add(game, 7, task, &facts(0)).unwrap());
        drop(journal);
        let mut text = std::fs::read_to_string(&path).unwrap();
        text.push_str("{\"game\":3}\n");
        std::fs::write(&path, text).unwrap();
        let mut journal = Journal::open(&path, "depth 9").unwrap();
        assert_eq!(journal.known(2, 7).unwrap().len(), 1);
        assert!(matches!(journal.known(3, 7), Err(JournalError::Line { line: 5, .. })));
    }

    #[test]
    fn what_was_written_is_there_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j");
        let task = |index| Task { index, look: 0 };
        let mut journal = Journal::open(&path, "depth 9").unwrap();
        for (game, index) in [(1, 0), (2, 0), (1, 1), (3, 0), (2, 1)] {
            journal.add(game, 7, task(index), &facts(10 * game as i32 + index as i32)).unwrap();
        }
        assert!(matches!(Journal::open(&path, "depth 9"), Err(JournalError::InUse(_))));
        drop(journal);
        // The beginning of a line, as a kill leaves it.
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, [&whole[..], b"{\"game\":3,\"key\":7,\"ind"].concat()).unwrap();
        let mut journal = Journal::open(&path, "depth 9").unwrap();
        journal.add(3, 7, task(1), &facts(31)).unwrap();
        for game in 1..=3 {
            let known = journal.known(game, 7).unwrap();
            assert_eq!(known.len(), 2, "game {game}");
            assert_eq!(known[&task(1)], facts(10 * game as i32 + 1));
        }
        assert!(journal.known(4, 7).unwrap().is_empty());
        assert!(matches!(journal.known(1, 8), Err(JournalError::OtherGame { game: 1, .. })));
        drop(journal);
        let error = Journal::open(&path, "depth 10").unwrap_err().to_string();
        assert!(error.contains("depth 9") && error.contains("depth 10"), "{error}");
        // Nothing is lost with a journal that has no result.
        let header = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        std::fs::write(&path, &whole[..header + 5]).unwrap();
        drop(Journal::open(&path, "depth 10").unwrap());
        assert!(std::fs::read_to_string(&path).unwrap().contains("depth 10"));
        drop(Journal::open(&path, "depth 10").unwrap());
        for foreign in ["1. 32-28 *\n", "1. 32-28 *"] {
            std::fs::write(&path, foreign).unwrap();
            assert!(matches!(Journal::open(&path, "depth 9"), Err(JournalError::Line { line: 1, .. })));
            assert_eq!(std::fs::read(&path).unwrap(), foreign.as_bytes(), "a file of somebody else stays");
        }
        // A kill within the first line.
        std::fs::write(&path, "{\"kroon_ann").unwrap();
        assert!(Journal::open(&path, "depth 9").is_ok());
    }
}
