//! A file of self-play games: a line of JSON that says how they were made, then the games one after another.
//!
//! Each game is framed by its length (2 bytes, little-endian) and the low half of its XXH3 checksum (4 bytes). A file
//! is only ever appended to, a whole frame at a time, so a kill leaves at most one torn frame at the end, and a computer
//! that stops may leave zeros there that were never written: readers ignore both, and the next run cuts them off. A length
//! that leads beyond the end although whole games follow is damage, which readers name.

use super::origin::Origin;
use super::record::{RecordError, SelfplayGame};
use crate::engine::PROGRAM;
use crate::files::{open_regular, open_to_write, sync_folder, try_lock, write_whole};
use crate::rules::VariantId;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// How the games of a shard were made: together with the program this determines every byte of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ShardHeader {
    /// [`ShardHeader::FORMAT`], or [`ShardHeader::WITH_VISITS`] for games of a tree search.
    pub format: String,
    /// The variant's name.
    pub variant: String,
    /// The seed of the run.
    pub seed: u64,
    /// The number of the shard.
    pub shard: u64,
    /// Nodes searched for each move.
    pub nodes: u64,
    /// Which evaluation played, as [`Evaluation::name`](crate::eval::Evaluation::name) says; empty in files from before this was
    /// recorded.
    #[serde(default)]
    pub evaluation: String,
    /// Which program played, as [`PROGRAM`] says; empty in files from before this was recorded.
    #[serde(default)]
    pub program: String,
    /// Which endgame tables were asked; empty if none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub tables: String,
    /// The options of the tree search that played, as [`Options::search_text`](crate::engine::Options::search_text) says, and
    /// the checksum of its policy; empty for alpha-beta.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub search: String,
    /// How many moves of a hundred were drawn at random in place of the best one.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub random_percent: u8,
}

fn is_zero(number: &u8) -> bool {
    *number == 0
}

impl ShardHeader {
    /// Name and version of the format.
    pub const FORMAT: &'static str = "kroon-selfplay 1";
    /// The same, with visits of moves in the games.
    pub const WITH_VISITS: &'static str = "kroon-selfplay 2";

    /// The header of a new shard.
    pub fn new(variant: VariantId, seed: u64, shard: u64, nodes: u64, evaluation: &str) -> ShardHeader {
        ShardHeader {
            format: Self::FORMAT.to_owned(),
            variant: variant.name().to_owned(),
            seed,
            shard,
            nodes,
            evaluation: evaluation.to_owned(),
            program: PROGRAM.to_owned(),
            tables: String::new(),
            search: String::new(),
            random_percent: 0,
        }
    }

    /// The same for games of a search with these options; none: alpha-beta.
    pub fn with_search(self, search: Option<String>) -> ShardHeader {
        match search {
            Some(search) => ShardHeader { format: Self::WITH_VISITS.to_owned(), search, ..self },
            None => self,
        }
    }

    /// Whether the format is one that can be read.
    pub fn is_known(&self) -> bool {
        [Self::FORMAT, Self::WITH_VISITS].contains(&self.format.as_str())
    }

    /// The usual name of the file.
    pub fn file_name(&self) -> String {
        format!("{}-{}-{}.games", self.variant, self.seed, self.shard)
    }
}

/// Why a shard cannot be read or written.
#[derive(Debug, Error)]
pub enum ShardError {
    /// The system says no.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The system gives no thread.
    #[error("the system gives no thread: {0}")]
    Thread(io::Error),
    /// The first line is none of ours.
    #[error("{path} is no file of self-play games: it begins with {found}")]
    Header {
        /// The file.
        path: PathBuf,
        /// What stands there.
        found: String,
    },
    /// It was made otherwise than the run that wants to go on.
    #[error("{path} was made with {found}, not with {wanted}: choose another --shard or --seed")]
    Other {
        /// The file.
        path: PathBuf,
        /// How it was made.
        found: String,
        /// How it should have been.
        wanted: String,
    },
    /// Another run appends to it.
    #[error("{0} is in use by another run")]
    InUse(PathBuf),
    /// A game is damaged.
    #[error("{path}, game {game} at byte {offset}: {fault}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Which one, from 0.
        game: u64,
        /// Where it begins.
        offset: u64,
        /// What is wrong.
        fault: String,
    },
}

const FRAME: u64 = 6;
/// A first line is shorter than this, in bytes: that of a file put together from many has a word on each.
const MOST_HEADER: u64 = 16 << 20;

fn checksum(bytes: &[u8]) -> u32 {
    xxhash_rust::xxh3::xxh3_64(bytes) as u32
}

/// The most bytes of a game: its length has two of them.
pub const MOST_PAYLOAD: usize = u16::MAX as usize;

/// A game with its length and checksum, as it stands in a file.
///
/// # Errors
/// When the game has more than [`MOST_PAYLOAD`] bytes.
pub fn frame(payload: &[u8]) -> io::Result<Vec<u8>> {
    let length = u16::try_from(payload.len()).map_err(|_| {
        let fault = format!("a game of {} bytes, expected {MOST_PAYLOAD} at most", payload.len());
        io::Error::new(io::ErrorKind::InvalidInput, fault)
    })?;
    let mut frame = Vec::with_capacity(payload.len() + FRAME as usize);
    frame.extend(length.to_le_bytes());
    frame.extend(checksum(payload).to_le_bytes());
    frame.extend(payload);
    Ok(frame)
}

/// Whether a whole game begins somewhere in these bytes, which begin inside a frame whose length leads beyond the end.
fn holds_a_game(bytes: &[u8]) -> bool {
    (0..bytes.len()).any(|start| {
        let Some(([a, b, sum @ ..], rest)) = bytes[start..].split_first_chunk::<{ FRAME as usize }>() else {
            return false;
        };
        let length = usize::from(u16::from_le_bytes([*a, *b]));
        // Checksums of 32 bits agree by chance once in many thousands of such tails.
        length > 0 && rest.get(..length).is_some_and(|game| checksum(game) == u32::from_le_bytes(*sum))
    })
}

/// Reads the games of a file one after another.
#[derive(Debug)]
pub struct ShardReader<R = BufReader<File>> {
    path: PathBuf,
    file: R,
    origin: Origin,
    variant: VariantId,
    game: u64,
    offset: u64,
    buffer: Vec<u8>,
}

impl ShardReader {
    /// Opens a file of games and reads its first line.
    ///
    /// # Errors
    /// When it cannot be read or is no file of games.
    pub fn open(path: &Path) -> Result<ShardReader, ShardError> {
        let io = |source| ShardError::Io { path: path.to_owned(), source };
        ShardReader::new(path, BufReader::with_capacity(1 << 20, open_regular(path).map_err(io)?))
    }
}

impl<R: BufRead> ShardReader<R> {
    /// Reads the first line of such a file from anywhere; `path` is its name in errors.
    ///
    /// # Errors
    /// As [`ShardReader::open`].
    pub fn new(path: &Path, mut file: R) -> Result<ShardReader<R>, ShardError> {
        let io = |source| ShardError::Io { path: path.to_owned(), source };
        let mut line = Vec::new();
        Read::by_ref(&mut file).take(MOST_HEADER).read_until(b'\n', &mut line).map_err(io)?;
        let fault = || {
            let text = String::from_utf8_lossy(&line[..line.len().min(200)]);
            ShardError::Header { path: path.to_owned(), found: crate::notation::quote(&text) }
        };
        let origin = Origin::from_line(&line).ok_or_else(fault)?;
        let variant = origin.variant().parse().map_err(|_| fault())?;
        let offset = line.len() as u64;
        Ok(ShardReader { path: path.to_owned(), file, origin, variant, game: 0, offset, buffer: Vec::new() })
    }

    /// The file's name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the games come from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Games read so far.
    pub fn games(&self) -> u64 {
        self.game
    }

    /// Their variant.
    pub fn variant(&self) -> VariantId {
        self.variant
    }

    /// Where the next game begins, in bytes: after the last whole game, the length that the file should have.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The next game; none at the end, whole or torn.
    ///
    /// # Errors
    /// When it cannot be read or is damaged.
    pub fn next_game(&mut self) -> Result<Option<SelfplayGame>, ShardError> {
        let (game, offset) = (self.game, self.offset);
        let variant = self.variant;
        let decoded = self.next_payload()?.map(|payload| SelfplayGame::decode(variant, payload));
        decoded.transpose().map_err(|error: RecordError| {
            // It does not count as read.
            (self.game, self.offset) = (game, offset);
            self.damaged(error.to_string())
        })
    }

    /// The bytes of the next game, as [`SelfplayGame::encode`] made them; none at the end, whole or torn.
    ///
    /// # Errors
    /// When it cannot be read or its checksum is wrong.
    pub fn next_payload(&mut self) -> Result<Option<&[u8]>, ShardError> {
        let mut frame = [0; FRAME as usize];
        if !self.fill(&mut frame)? {
            return Ok(None);
        }
        let [a, b, sum @ ..] = frame;
        let length = usize::from(u16::from_le_bytes([a, b]));
        self.buffer.clear();
        let io = |source| ShardError::Io { path: self.path.clone(), source };
        Read::by_ref(&mut self.file).take(length as u64).read_to_end(&mut self.buffer).map_err(io)?;
        if self.buffer.len() < length {
            if holds_a_game(&self.buffer) {
                return Err(self.damaged("its length is wrong, for whole games follow".to_owned()));
            }
            return Ok(None);
        }
        if checksum(&self.buffer) != u32::from_le_bytes(sum) {
            if self.ends_in_zeros(&frame)? {
                return Ok(None);
            }
            return Err(self.damaged("its checksum is wrong".to_owned()));
        }
        self.game += 1;
        self.offset += FRAME + length as u64;
        Ok(Some(&self.buffer))
    }

    /// Whether a damaged frame and all that follows are zeros from some place on, as many as a frame begins with at least.
    fn ends_in_zeros(&mut self, frame: &[u8]) -> Result<bool, ShardError> {
        let read = [frame, &self.buffer].concat();
        let mut zeros = read.iter().rev().take_while(|&&byte| byte == 0).count();
        loop {
            let io = |source| ShardError::Io { path: self.path.clone(), source };
            let more = self.file.fill_buf().map_err(io)?;
            if more.is_empty() {
                return Ok(zeros >= FRAME as usize);
            }
            if more.iter().any(|&byte| byte != 0) {
                return Ok(false);
            }
            zeros += more.len();
            let length = more.len();
            self.file.consume(length);
        }
    }

    fn damaged(&self, fault: String) -> ShardError {
        ShardError::Damaged { path: self.path.clone(), game: self.game, offset: self.offset, fault }
    }

    /// Whether the file had as many bytes.
    fn fill(&mut self, bytes: &mut [u8]) -> Result<bool, ShardError> {
        match self.file.read_exact(bytes) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
            Err(source) => Err(ShardError::Io { path: self.path.clone(), source }),
        }
    }
}

/// Appends games to a shard. While it is open no other can be, so that two runs never write over each other (on Unix,
/// where the file system has locks).
#[derive(Debug)]
pub struct ShardWriter {
    path: PathBuf,
    file: File,
    games: u64,
}

impl ShardWriter {
    /// Creates a shard in `folder`, or goes on with the one that is there: what follows the last whole game is cut
    /// off.
    ///
    /// # Errors
    /// When it cannot be written, is damaged, in use, or was made in another way.
    pub fn open(folder: &Path, header: &ShardHeader) -> Result<ShardWriter, ShardError> {
        let path = folder.join(header.file_name());
        let io = |source| ShardError::Io { path: path.clone(), source };
        let mut line = serde_json::to_vec(header).map_err(|error| io(error.into()))?;
        line.push(b'\n');
        if !path.exists() {
            create(&path, &line).map_err(io)?;
        }
        let mut file = open_to_write(&path).map_err(io)?;
        if !lock(&file).map_err(io)? {
            return Err(ShardError::InUse(path));
        }
        if is_unwritten(&mut file, &line).map_err(io)? {
            file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(&line)).map_err(io)?;
        }
        let mut reader = ShardReader::open(&path)?;
        if *reader.origin() != Origin::Run(header.clone()) {
            let text = |header: &ShardHeader| serde_json::to_string(header).unwrap_or_default();
            let found = match reader.origin() {
                Origin::Run(found) => text(found),
                Origin::Set(set) => format!("{} runs", set.parts.len()),
            };
            return Err(ShardError::Other { found, wanted: text(header), path });
        }
        let mut games = 0;
        while reader.next_game()?.is_some() {
            games += 1;
        }
        file.set_len(reader.offset()).map_err(io)?;
        file.seek(SeekFrom::End(0)).map_err(io)?;
        Ok(ShardWriter { path: path.clone(), file, games })
    }

    /// Games in the file.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Appends a game; when this returns, the system has it, and the next run counts it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn append(&mut self, record: &SelfplayGame) -> Result<(), ShardError> {
        let written = frame(&record.encode()).and_then(|frame| self.file.write_all(&frame));
        written.map_err(|source| ShardError::Io { path: self.path.clone(), source })?;
        self.games += 1;
        Ok(())
    }
}

/// Keeps other runs off, as long as the file is open. False: another run was first.
pub(super) fn lock(file: &File) -> io::Result<bool> {
    // Elsewhere a lock keeps readers off, too, and our own is one.
    if !cfg!(unix) {
        return Ok(true);
    }
    try_lock(file)
}

/// Whether a file has nothing but a part of its first line, or zeros in the place of it: the computer stopped before more was on
/// the disk.
fn is_unwritten(file: &mut File, line: &[u8]) -> io::Result<bool> {
    let mut found = Vec::new();
    Read::by_ref(file).take(line.len() as u64).read_to_end(&mut found)?;
    let written = found.iter().zip(line).take_while(|(found, byte)| found == byte).count();
    Ok(written < line.len() && found[written..].iter().all(|&byte| byte == 0))
}

/// Creates a file with its first line, whole from the first moment on. If another run is first it is that run's file: both
/// must have the same one, so it may not be renamed over.
fn create(path: &Path, line: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    write_whole(&temporary, |out| out.write_all(line))?;
    let linked = fs::hard_link(&temporary, path);
    let created = match linked {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        // A file system without links.
        Err(_) => fs::rename(&temporary, path),
        Ok(()) => Ok(()),
    };
    // It is gone already where it was renamed.
    let _ = fs::remove_file(&temporary);
    sync_folder(path);
    created
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    fn record(moves: usize) -> SelfplayGame {
        let mut record = SelfplayGame::new(Game::new(VariantId::International).position(), 2);
        (0..moves).for_each(|_| record.push(0, None));
        record
    }

    #[test]
    fn a_torn_end_is_ignored_and_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let header = ShardHeader::new(VariantId::International, 7, 3, 1000, "handmade");
        let path = folder.path().join(header.file_name());
        let mut writer = ShardWriter::open(folder.path(), &header).unwrap();
        (1..5).for_each(|n| writer.append(&record(n)).unwrap());
        let error = writer.append(&record(30_000)).unwrap_err().to_string();
        assert!(error.contains("a game of 90029 bytes, expected 65535"), "{error}");
        let whole = fs::read(&path).unwrap();
        let third = {
            let mut reader = ShardReader::open(&path).unwrap();
            (0..3).for_each(|_| assert!(reader.next_game().unwrap().is_some()));
            reader.offset() as usize
        };
        drop(writer);
        for cut in third..whole.len() {
            fs::write(&path, &whole[..cut]).unwrap();
            let mut writer = ShardWriter::open(folder.path(), &header).unwrap();
            assert_eq!(writer.games(), 3);
            writer.append(&record(4)).unwrap();
            assert_eq!(fs::read(&path).unwrap(), whole);
        }
    }

    /// A computer that stops may leave a file of the right length whose last bytes were never written.
    #[test]
    fn zeros_at_the_end_are_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let header = ShardHeader::new(VariantId::International, 7, 3, 1000, "handmade");
        let path = folder.path().join(header.file_name());
        let mut writer = ShardWriter::open(folder.path(), &header).unwrap();
        let length = || fs::metadata(&path).unwrap().len() as usize;
        let mut ends = vec![length()];
        for n in 1..5 {
            writer.append(&record(n)).unwrap();
            ends.push(length());
        }
        drop(writer);
        let whole = fs::read(&path).unwrap();
        for written in 0..whole.len() {
            for zeros in [0, 6, 100, 3_000_000 * usize::from(written % 40 == 0)] {
                let bytes = [&whole[..written], &vec![0; zeros]].concat();
                fs::write(&path, &bytes).unwrap();
                let games = ShardWriter::open(folder.path(), &header).unwrap().games();
                let now = fs::read(&path).unwrap();
                // What was not written may have been zeros, too.
                let least = ends.iter().filter(|&&end| end <= written).max().unwrap_or(&ends[0]);
                assert!(
                    now.len() >= *least && ends[games as usize] == now.len(),
                    "{written} {zeros} {games}"
                );
                assert!(whole.starts_with(&now), "{written} {zeros} {games}");
            }
        }
        // Something stands behind the zeros.
        fs::write(&path, [&whole[..], &[0; 100], b"x"].concat()).unwrap();
        let error = ShardWriter::open(folder.path(), &header).unwrap_err().to_string();
        assert!(error.contains("game 4 at byte") && error.contains("checksum"), "{error}");
    }

    /// A flipped bit in a length that leads beyond the end must not cost the games behind it.
    #[test]
    fn a_wrong_length_before_whole_games_is_damage() {
        let folder = tempfile::tempdir().unwrap();
        let header = ShardHeader::new(VariantId::International, 7, 3, 1000, "handmade");
        let path = folder.path().join(header.file_name());
        let mut writer = ShardWriter::open(folder.path(), &header).unwrap();
        let first = fs::metadata(&path).unwrap().len() as usize;
        writer.append(&record(1)).unwrap();
        let second = fs::metadata(&path).unwrap().len() as usize;
        (2..5).for_each(|n| writer.append(&record(n)).unwrap());
        drop(writer);
        let whole = fs::read(&path).unwrap();
        for (start, game) in [(first, 0), (second, 1)] {
            for bit in 8..16 {
                let mut bytes = whole.clone();
                bytes[start + bit / 8] ^= 1 << (bit % 8);
                fs::write(&path, &bytes).unwrap();
                let error = ShardWriter::open(folder.path(), &header).unwrap_err().to_string();
                assert!(error.contains(&format!("game {game} at byte")), "{error}");
                assert!(error.ends_with("its length is wrong, for whole games follow"), "{error}");
                assert_eq!(fs::read(&path).unwrap(), bytes, "nothing is cut off");
            }
        }
    }

    #[test]
    #[cfg(unix)]
    fn one_run_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let header = ShardHeader::new(VariantId::International, 7, 3, 1000, "handmade");
        let mut first = ShardWriter::open(folder.path(), &header).unwrap();
        let error = ShardWriter::open(folder.path(), &header).unwrap_err().to_string();
        assert!(error.ends_with("international-7-3.games is in use by another run"), "{error}");
        first.append(&record(5)).unwrap();
        // Who comes late to the creation keeps what is there.
        create(&folder.path().join(header.file_name()), b"another line\n").unwrap();
        drop(first);
        assert_eq!(ShardWriter::open(folder.path(), &header).unwrap().games(), 1);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left over");
    }

    #[test]
    fn foreign_and_damaged_files_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        let header = ShardHeader::new(VariantId::International, 7, 3, 1000, "handmade");
        let path = folder.path().join(header.file_name());
        ShardWriter::open(folder.path(), &header).unwrap().append(&record(9)).unwrap();
        let mut bytes = fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&path, &bytes).unwrap();
        let error = ShardWriter::open(folder.path(), &header).unwrap_err().to_string();
        assert!(error.contains("game 0 at byte") && error.contains("checksum"), "{error}");
        for other in [
            ShardHeader { nodes: 5, ..header.clone() },
            ShardHeader { random_percent: 5, ..header.clone() },
            ShardHeader { evaluation: "learned 12".to_owned(), ..header.clone() },
            ShardHeader { program: "kroon 0.0.1".to_owned(), ..header.clone() },
        ] {
            assert!(matches!(ShardWriter::open(folder.path(), &other), Err(ShardError::Other { .. })));
        }
        for text in ["{}", "{}\n", "no\n", &"x".repeat(5000)] {
            fs::write(&path, text).unwrap();
            assert!(
                matches!(ShardWriter::open(folder.path(), &header), Err(ShardError::Header { .. })),
                "{text}"
            );
        }
    }
}
