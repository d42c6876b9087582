//! Files of learned players: what a learner knows, and how it came to know it.
//!
//! A line of JSON ([`LearnedHeader`]); the content, compressed with Zstandard, little-endian; and 8 bytes, the XXH3
//! checksum of all before. The content by learner:
//!
//! | learner | content |
//! |---|---|
//! | `q-learning` | number of pairs; then columns: differences of the hashes in order (64 bits each), values (32-bit reals), visits (32 bits) |
//! | `approximate-q` | 8 weights (64-bit reals) |
//! | `neural-q` | 10 weights, then the numbers of the network (32-bit reals) |
//! | `state-q` | first value (64-bit real); number of transitions; then columns: each of the 14 numbers (8 bits), values, visits |
//! | `prior` | the numbers of the network; while games are being played, 1 in the place of 0 in the first byte, and the boards |

use super::states::Transition;
use super::values::ValueEntry;
use super::{
    AbstractState, FEATURES, FeatureQ, Knowledge, LabelledBoard, LearnedKind, MOST_ENTRIES, PRIOR_FEATURES,
    PriorNet, QTable, StateQ,
};
use crate::board::{Bitboard, Color};
use crate::files::{read_regular, write_whole};
use crate::rules::VariantId;
use crate::words::quote;
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

const FORMAT: &str = "kroon-learned 1";
/// A first line is shorter than this.
const MOST_HEADER: usize = 1 << 17;
/// No file is larger, in bytes.
const MOST_BYTES: u64 = 128 << 20;
/// No content is larger, in bytes: a full map of transitions.
const MOST_CONTENT: u64 = 32 * MOST_ENTRIES as u64;
/// Compression may look back so far (a power of two of bytes), and that is the memory a file can ask for.
const MOST_WINDOW: u32 = 24;
/// Up to this many bytes the best compression is worth its time.
const SMALL_CONTENT: usize = 4 << 20;

/// How a learned player came about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LearnedHeader {
    /// The variant it plays.
    pub variant: VariantId,
    /// Every parameter of the training, by name.
    pub settings: Vec<(String, String)>,
    /// The seed of all games.
    pub seed: u64,
    /// Games played.
    pub games: u64,
    /// Games that were to be played.
    pub planned: u64,
    /// Checksum of the content from which it went on.
    pub parent: Option<String>,
    /// Checksum of the content from which the network came.
    pub prior: Option<String>,
    /// The learning curve: games learned from; test games won, drawn and lost after them.
    pub curve: Vec<[u64; 4]>,
}

/// A learned player and its history; on disk one file.
#[derive(Clone, PartialEq, Debug)]
pub struct LearnedFile {
    /// Its history.
    pub header: LearnedHeader,
    /// What it knows.
    pub knowledge: Arc<Knowledge>,
}

/// The first line.
#[derive(Serialize, Deserialize)]
struct Line {
    format: String,
    learner: String,
    variant: String,
    settings: Vec<(String, String)>,
    seed: u64,
    games: u64,
    planned: u64,
    parent: Option<String>,
    prior: Option<String>,
    curve: Vec<[u64; 4]>,
    content: String,
}

/// Why there is no learned player to be had.
#[derive(Debug, Error)]
pub enum LearnedFileError {
    /// Something about this file.
    #[error("learned player {path:?}: {source}")]
    At {
        /// The file.
        path: PathBuf,
        /// What.
        source: Box<LearnedFileError>,
    },
    /// The system says no, or it is a folder, a device, or too large.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It does not begin as such a file does.
    #[error("no learned player: it begins with {0}, expected {{\"format\":\"{FORMAT}\"...")]
    Header(String),
    /// The first line says what cannot be.
    #[error("the first line of the learned player: {0}")]
    Line(String),
    /// It ends too early or is damaged.
    #[error("the learned player is damaged or incomplete: {0}")]
    Damaged(String),
    /// It is for another game than the one played.
    #[error("learned from {found} draughts, expected {expected}")]
    Variant {
        /// What it plays.
        found: VariantId,
        /// What is played.
        expected: VariantId,
    },
    /// It belongs to another learner.
    #[error("a file of {found}, expected {expected}")]
    Learner {
        /// Whose it is.
        found: LearnedKind,
        /// Whose is wanted.
        expected: LearnedKind,
    },
    /// A training has not gone far enough to play.
    #[error("its training is not finished: {games} of {planned} games")]
    Unfinished {
        /// Games played.
        games: u64,
        /// Games that are needed.
        planned: u64,
    },
}

impl LearnedFile {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, or is no file of a learned player, or is damaged. The text begins with the path.
    pub fn open(path: &Path) -> Result<LearnedFile, LearnedFileError> {
        let at = |source| LearnedFileError::At { path: path.to_owned(), source: Box::new(source) };
        let bytes = read_regular(path, MOST_BYTES).map_err(LearnedFileError::from);
        bytes.and_then(|bytes| LearnedFile::from_bytes(&bytes)).map_err(at)
    }

    /// The file at this path, if it is for this learner and variant.
    ///
    /// # Errors
    /// As [`LearnedFile::open`], and when it is for something else.
    pub fn open_for(
        path: &Path,
        kind: LearnedKind,
        variant: VariantId,
    ) -> Result<LearnedFile, LearnedFileError> {
        let at = |source| LearnedFileError::At { path: path.to_owned(), source: Box::new(source) };
        let file = LearnedFile::open(path)?;
        file.check(kind, variant).map_err(at)?;
        Ok(file)
    }

    /// Whether it is for this learner and variant.
    fn check(&self, kind: LearnedKind, variant: VariantId) -> Result<(), LearnedFileError> {
        let (found, header) = (self.knowledge.kind(), &self.header);
        if found != kind {
            return Err(LearnedFileError::Learner { found, expected: kind });
        }
        if header.variant != variant {
            return Err(LearnedFileError::Variant { found: header.variant, expected: variant });
        }
        if matches!(*self.knowledge, Knowledge::Boards(_)) && header.planned > 0 {
            return Err(LearnedFileError::Unfinished { games: header.games, planned: header.planned });
        }
        Ok(())
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// When that fails; an older file is still there then.
    pub fn save(&self, path: &Path) -> Result<(), LearnedFileError> {
        let at = |source: io::Error| LearnedFileError::At {
            path: path.to_owned(),
            source: Box::new(source.into()),
        };
        let bytes = self.to_bytes().map_err(at)?;
        write_whole(path, |out| out.write_all(&bytes)).map_err(at)
    }

    /// The checksum of what was learned, which its children name.
    pub fn checksum(&self) -> String {
        hex(xxh3_64(&encode(&self.knowledge)))
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// When the compression fails.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let content = encode(&self.knowledge);
        let header = &self.header;
        let line = Line {
            format: FORMAT.to_owned(),
            learner: self.knowledge.kind().to_string(),
            variant: header.variant.name().to_owned(),
            settings: header.settings.clone(),
            seed: header.seed,
            games: header.games,
            planned: header.planned,
            parent: header.parent.clone(),
            prior: header.prior.clone(),
            curve: header.curve.clone(),
            content: hex(xxh3_64(&content)),
        };
        let mut bytes = serde_json::to_vec(&line)?;
        bytes.push(b'\n');
        let level = if content.len() <= SMALL_CONTENT { 19 } else { 3 };
        let mut encoder = zstd::Encoder::new(bytes, level)?;
        encoder.window_log(MOST_WINDOW - 1)?;
        encoder.write_all(&content)?;
        let mut bytes = encoder.finish()?;
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        Ok(bytes)
    }

    /// Reads what [`LearnedFile::to_bytes`] wrote.
    ///
    /// # Errors
    /// When the bytes are no such file, or not whole. Memory is bounded by what the largest player needs.
    pub fn from_bytes(bytes: &[u8]) -> Result<LearnedFile, LearnedFileError> {
        let damaged = |what: &str| LearnedFileError::Damaged(what.to_owned());
        let begin = &bytes[..bytes.len().min(MOST_HEADER)];
        let is_cut = begin.starts_with(format!("{{\"format\":\"{FORMAT}\"").as_bytes());
        let foreign = || match is_cut {
            true => damaged("its first line is not whole"),
            false => LearnedFileError::Header(quote(&String::from_utf8_lossy(&begin[..begin.len().min(60)]))),
        };
        let end = begin.iter().position(|&byte| byte == b'\n').ok_or_else(foreign)?;
        let line: Line = serde_json::from_slice(&begin[..end]).map_err(|_| foreign())?;
        if line.format != FORMAT {
            return Err(foreign());
        }
        let (whole, checksum) = bytes
            .split_last_chunk::<8>()
            .filter(|(whole, _)| whole.len() > end)
            .ok_or_else(|| damaged("it ends too early"))?;
        if xxh3_64(whole) != u64::from_le_bytes(*checksum) {
            return Err(damaged("its checksum is wrong"));
        }
        let fault = |text: String| LearnedFileError::Line(text);
        let kind: LearnedKind = line.learner.parse().map_err(|error| fault(format!("learner {error}")))?;
        let variant: VariantId = line.variant.parse().map_err(|error| fault(format!("{error}")))?;
        let mut content = Vec::new();
        let unpacked = |error: io::Error| LearnedFileError::Damaged(error.to_string());
        let mut decoder = zstd::Decoder::new(&whole[end + 1..]).map_err(unpacked)?;
        decoder.window_log_max(MOST_WINDOW).map_err(unpacked)?;
        decoder.take(MOST_CONTENT + 1).read_to_end(&mut content).map_err(unpacked)?;
        if hex(xxh3_64(&content)) != line.content {
            return Err(damaged("the checksum of its content is wrong"));
        }
        let knowledge = decode(kind, variant, &content)
            .ok_or_else(|| damaged("its content has another size or order"))?;
        let header = LearnedHeader {
            variant,
            settings: line.settings,
            seed: line.seed,
            games: line.games,
            planned: line.planned,
            parent: line.parent,
            prior: line.prior,
            curve: line.curve,
        };
        Ok(LearnedFile { header, knowledge: Arc::new(knowledge) })
    }
}

fn hex(checksum: u64) -> String {
    format!("{checksum:016x}")
}

fn encode(knowledge: &Knowledge) -> Vec<u8> {
    let mut bytes = Vec::new();
    match knowledge {
        Knowledge::Table(table) => {
            let entries = table.values.sorted();
            bytes.extend((entries.len() as u64).to_le_bytes());
            let mut last = 0u64;
            for (key, _) in &entries {
                bytes.extend(key.wrapping_sub(last).to_le_bytes());
                last = *key;
            }
            bytes.extend(columns(&entries));
        }
        Knowledge::Features(features) => {
            features.weights().iter().for_each(|weight| bytes.extend(weight.to_le_bytes()));
            if let Some(net) = features.prior() {
                net.numbers().iter().for_each(|number| bytes.extend(number.to_le_bytes()));
            }
        }
        Knowledge::States(states) => {
            let entries = states.values.sorted();
            bytes.extend(states.start.to_le_bytes());
            bytes.extend((entries.len() as u64).to_le_bytes());
            for state in 0..2 {
                for column in 0..7 {
                    bytes.extend(entries.iter().map(|(transition, _)| transition[state].0[column]));
                }
            }
            bytes.extend(columns(&entries));
        }
        Knowledge::Prior(net) => {
            bytes.push(0);
            net.numbers().iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        }
        Knowledge::Boards(boards) => {
            bytes.push(1);
            bytes.extend((boards.len() as u64).to_le_bytes());
            for board in boards {
                [board.white, board.black, board.kings]
                    .iter()
                    .for_each(|set| bytes.extend(set.0.to_le_bytes()));
                bytes.push(board.maker.index() as u8 | u8::from(board.is_won) << 1);
            }
        }
    }
    bytes
}

/// The columns of values and visits.
fn columns<K>(entries: &[(K, ValueEntry)]) -> Vec<u8> {
    let values = entries.iter().flat_map(|(_, entry)| entry.value.to_le_bytes());
    values.chain(entries.iter().flat_map(|(_, entry)| entry.visits.to_le_bytes())).collect()
}

/// The knowledge in a content; none if it is something else.
fn decode(kind: LearnedKind, variant: VariantId, bytes: &[u8]) -> Option<Knowledge> {
    let mut content = Content(bytes);
    let knowledge = match kind {
        LearnedKind::QLearning => Knowledge::Table(content.table()?),
        LearnedKind::ApproximateQ => {
            Knowledge::Features(FeatureQ::with_weights(content.weights(FEATURES)?, None)?)
        }
        LearnedKind::NeuralQ => {
            let weights = content.weights(FEATURES + PRIOR_FEATURES)?;
            Knowledge::Features(FeatureQ::with_weights(weights, Some(Arc::new(content.net(variant)?)))?)
        }
        LearnedKind::StateQ => Knowledge::States(content.states()?),
        LearnedKind::Prior => match content.next::<1>()? {
            [0] => Knowledge::Prior(Arc::new(content.net(variant)?)),
            [1] => Knowledge::Boards(content.boards(variant)?),
            _ => return None,
        },
    };
    content.0.is_empty().then_some(knowledge)
}

/// The bytes of a content that are still to be read.
struct Content<'a>(&'a [u8]);

impl<'a> Content<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn next<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    /// So many values of N bytes.
    fn column<const N: usize>(&mut self, count: usize) -> Option<impl Iterator<Item = [u8; N]> + use<'a, N>> {
        let bytes = self.take(count.checked_mul(N)?)?;
        Some(bytes.as_chunks::<N>().0.iter().copied())
    }

    fn count(&mut self) -> Option<usize> {
        let count = u64::from_le_bytes(self.next()?);
        usize::try_from(count).ok().filter(|&count| count <= MOST_ENTRIES)
    }

    fn table(&mut self) -> Option<QTable> {
        let count = self.count()?;
        let steps = self.column::<8>(count)?.map(u64::from_le_bytes);
        let mut keys: Vec<u64> = Vec::with_capacity(count);
        for (i, step) in steps.enumerate() {
            // In order, so that no two are the same.
            let key = keys.last().map_or(Some(step), |&last| last.checked_add(step))?;
            if i > 0 && step == 0 {
                return None;
            }
            keys.push(key);
        }
        Some(QTable { values: keys.into_iter().zip(self.entries(count)?).collect() })
    }

    fn states(&mut self) -> Option<StateQ> {
        let start = f64::from_le_bytes(self.next()?);
        let count = self.count()?;
        let mut keys = vec![Transition::default(); count];
        for state in 0..2 {
            for column in 0..7 {
                for (key, [number]) in keys.iter_mut().zip(self.column::<1>(count)?) {
                    key[state].0[column] = number;
                }
            }
        }
        if !start.is_finite() || !keys.is_sorted_by(|a: &[AbstractState; 2], b| a < b) {
            return None;
        }
        Some(StateQ { start, values: keys.into_iter().zip(self.entries(count)?).collect() })
    }

    /// The columns of values and visits.
    fn entries(&mut self, count: usize) -> Option<Vec<ValueEntry>> {
        let values = self.column::<4>(count)?.map(f32::from_le_bytes);
        let visits = self.column::<4>(count)?.map(u32::from_le_bytes);
        let entries: Vec<ValueEntry> =
            values.zip(visits).map(|(value, visits)| ValueEntry { value, visits }).collect();
        entries.iter().all(|entry| entry.value.is_finite()).then_some(entries)
    }

    fn weights(&mut self, count: usize) -> Option<Vec<f64>> {
        Some(self.column::<8>(count)?.map(f64::from_le_bytes).collect())
    }

    fn net(&mut self, variant: VariantId) -> Option<PriorNet> {
        PriorNet::with_numbers(
            variant,
            self.column::<4>(PriorNet::size(variant))?.map(f32::from_le_bytes).collect(),
        )
    }

    fn boards(&mut self, variant: VariantId) -> Option<Vec<LabelledBoard>> {
        let count = self.count()?;
        let mut boards = Vec::new();
        for _ in 0..count {
            let [white, black, kings] =
                [self.next()?, self.next()?, self.next()?].map(|set| Bitboard(u64::from_le_bytes(set)));
            let [flags] = self.next::<1>()?;
            let maker = *Color::ALL.get(usize::from(flags & 1)).filter(|_| flags < 4)?;
            let board = LabelledBoard { white, black, kings, maker, is_won: flags & 2 != 0 };
            boards.push(board.fits(variant).then_some(board)?);
        }
        Some(boards)
    }
}
